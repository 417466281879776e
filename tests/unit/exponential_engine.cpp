// One engine: ISOFOLD_ENGINE names it, ISOFOLD_ENGINE_BYTES is the widest vector that it uses.
// The core's headers live in a namespace of this unit's own, as
// backends/openmp/instruction_set_scope.hpp says.
#include "exponential_engine.hpp"

#define ISOFOLD_JOIN_(a, b) a##_##b
#define ISOFOLD_JOIN(a, b) ISOFOLD_JOIN_(a, b)
#define isofold ISOFOLD_JOIN(isofold, ISOFOLD_ENGINE)

#include <isofold/detail/core/exponential.hpp>

namespace {

namespace core = isofold::core;

template <class T, int bytes>
struct VectorOf {
  typedef T type __attribute__((vector_size(bytes)));
};
template <class T>
struct VectorOf<T, 0> {
  using type = T;
};

struct Exp {
  template <class V, class T>
  static V at(V x, const T*) {
    return core::exp(x);
  }
};
struct ExpNonpositive {
  template <class V, class T>
  static V at(V x, const T*) {
    return core::exp_nonpositive(x);
  }
};
struct Log {
  template <class V, class T>
  static V at(V x, const T*) {
    return core::log(x);
  }
};
struct FusedMultiplyAdd {
  template <class V, class T>
  static V at(V x, const T* from) {
    V y;
    V z;
    memcpy(&y, from + 1, sizeof y);
    memcpy(&z, from + 2, sizeof z);
    return core::fma(x, y, z);
  }
};

// 16 elements by vectors of `bytes` bytes, or one by one.
template <class Function, int bytes, class T>
void apply_to_block(const T* x, T* y) {
  using V = typename VectorOf<T, bytes>::type;
  for (std::size_t i = 0; i < 16; i += bytes == 0 ? 1 : bytes / sizeof(T)) {
    V v;
    memcpy(&v, x + i, sizeof v);
    v = Function::at(v, x + i);
    memcpy(y + i, &v, sizeof v);
  }
}

// The widths that the instruction set has, in turn.
template <class Function, class T>
void apply(const T* x, T* y, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 16) {
    [[maybe_unused]] const std::size_t turn = i / 16 % 4;
#if ISOFOLD_ENGINE_BYTES >= 64
    if (turn < 2) {
      apply_to_block<Function, 64>(x + i, y + i);
      continue;
    }
#endif
#if ISOFOLD_ENGINE_BYTES >= 32
    if (turn < 3) {
      apply_to_block<Function, 32>(x + i, y + i);
      continue;
    }
#endif
    apply_to_block<Function, ISOFOLD_ENGINE_BYTES == 0 ? 0 : 16>(x + i, y + i);
  }
}

template <class T>
constexpr exponential_test::Functions<T> functions() {
  return {apply<Exp, T>, apply<ExpNonpositive, T>, apply<Log, T>, apply<FusedMultiplyAdd, T>};
}

}  // namespace

#define ISOFOLD_QUOTE_(text) #text
#define ISOFOLD_QUOTE(text) ISOFOLD_QUOTE_(text)
namespace exponential_test {
extern const Engine ISOFOLD_JOIN(ISOFOLD_ENGINE, engine) = {
    ISOFOLD_QUOTE(ISOFOLD_ENGINE), functions<float>(), functions<double>()};
}  // namespace exponential_test
