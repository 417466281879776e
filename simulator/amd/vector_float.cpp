// Vector instructions of floating-point numbers, each rounded to nearest, as the mode of every
// kernel says. (The decoder refuses a kernel that starts in another rounding mode.)
#include <simulator/amd/float_rules.hpp>
#include <simulator/amd/lanes.hpp>

namespace isofold::amd {

namespace {

template <class T>
T reciprocal(T x) {
  return arithmetic(T{1} / x, x, x);
}
template <class T>
T root(T x) {
  return arithmetic(std::sqrt(x), x, x);
}
template <class T>
T reciprocal_root(T x) {
  return arithmetic(T{1} / std::sqrt(x), x, x);
}

f32 multiplied_added(f32 a, f32 b, f32 c) {
  a = flushed(a);
  b = flushed(b);
  c = flushed(c);
  const f32 product = flushed(a * b);
  return flushed(arithmetic(product + c, a, b, c));
}

template <class T>
Flagged<T> flagged(Scaled<T> scaled) {
  return {scaled.value, static_cast<u8>(scaled.flag)};
}

template <class T>
T significand(T x) {
  int exponent = 0;
  return x != x                                              ? quieted(x)
         : absolute(x) == std::numeric_limits<T>::infinity() ? x
                                                             : std::frexp(x, &exponent);
}
template <class T>
i32 exponent_of(T x) {
  int exponent = 0;
  if (x != x || absolute(x) == std::numeric_limits<T>::infinity()) {
    return 0;
  }
  std::frexp(x, &exponent);
  return exponent;
}

}  // namespace

#define VECTOR(name, result, sources, ...)           \
  namespace {                                        \
  struct name {                                      \
    static result of sources { return __VA_ARGS__; } \
  };                                                 \
  }
#define ACCUMULATE(name, ...) VECTOR(name, __VA_ARGS__)
#include <simulator/amd/vector_float.inc>
#undef VECTOR
#undef ACCUMULATE

std::initializer_list<Entry> vector_float_entries() {
#define VECTOR(name, ...) vector_entry<name>(#name, Form::plain, &name::of),
#define ACCUMULATE(name, ...) vector_entry<name>(#name, Form::accumulate, &name::of),
  static const std::initializer_list<Entry> entries = {
#include <simulator/amd/vector_float.inc>
  };
#undef VECTOR
#undef ACCUMULATE
  return entries;
}

}  // namespace isofold::amd
