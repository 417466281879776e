// Comparisons: a bit of a mask for each lane, zero for lanes that EXEC leaves out. v_cmpx also sets
// EXEC.
#include <simulator/amd/float_rules.hpp>
#include <simulator/amd/lanes.hpp>

namespace isofold::amd {

namespace {

#define ISOFOLD_COMPARE(name, expression)                             \
  template <class T>                                                  \
  struct name {                                                       \
    static Bit of(T a, T b) { return {static_cast<u8>(expression)}; } \
  };
// NOLINTBEGIN(readability-identifier-naming): a part of the instructions' names.
ISOFOLD_COMPARE(lt, a < b)
ISOFOLD_COMPARE(eq, a == b)
ISOFOLD_COMPARE(le, a <= b)
ISOFOLD_COMPARE(gt, a > b)
ISOFOLD_COMPARE(lg, a<b || a> b)
ISOFOLD_COMPARE(ne, a != b)
ISOFOLD_COMPARE(ge, a >= b)
ISOFOLD_COMPARE(o, a == a && b == b)
ISOFOLD_COMPARE(u, a != a || b != b)
ISOFOLD_COMPARE(nge, !(a >= b))
ISOFOLD_COMPARE(nlg, !(a < b || a > b))
ISOFOLD_COMPARE(ngt, !(a > b))
ISOFOLD_COMPARE(nle, !(a <= b))
ISOFOLD_COMPARE(neq, !(a == b))
ISOFOLD_COMPARE(nlt, !(a < b))
// NOLINTEND(readability-identifier-naming)
#undef ISOFOLD_COMPARE

// The classes of numbers, a bit each: NaNs that signal and others, -inf, negative normal, subnormal
// and zero, and their opposites upwards.
template <class T>
struct InClass {
  static Bit of(T x, u32 classes) {
    const bool negative = is_negative(x);
    const u32 number = x != x                                          ? (is_signaling(x) ? 0u : 1u)
                       : exponent_field(x) == Format<T>::most_exponent ? (negative ? 2u : 9u)
                       : exponent_field(x) != 0                        ? (negative ? 3u : 8u)
                       : is_subnormal(x)                               ? (negative ? 4u : 7u)
                                                                       : (negative ? 5u : 6u);
    return {static_cast<u8>(classes >> number & 1)};
  }
};

// v_cmpx: gfx9 also writes the mask that it names.
template <class Op>
void execute_and_set_exec(Wave& wave, const Instruction& instruction) {
  run_lanes<Op>(wave, instruction, &Op::of, std::index_sequence<0, 1>{});
  wave.set_exec(wave.mask(instruction.destination[0].first));
}

template <class Op>
Entry entry(std::string_view name, bool sets_exec) {
  Entry made = vector_entry<Op>(name, Form::plain, &Op::of);
  if (sets_exec) {
    made.execute = &execute_and_set_exec<Op>;
  }
  return made;
}

}  // namespace

#define INTEGERS(op, type) \
  entry<op<type>>("v_cmp_" #op "_" #type, false), entry<op<type>>("v_cmpx_" #op "_" #type, true),
#define OF_INTEGERS(type) \
  INTEGERS(lt, type)      \
  INTEGERS(eq, type)      \
  INTEGERS(le, type)      \
  INTEGERS(gt, type)      \
  INTEGERS(ne, type)      \
  INTEGERS(ge, type)
#define OF_FLOATS(type) \
  INTEGERS(lt, type)    \
  INTEGERS(eq, type)    \
  INTEGERS(le, type)    \
  INTEGERS(gt, type)    \
  INTEGERS(lg, type)    \
  INTEGERS(ge, type)    \
  INTEGERS(o, type)     \
  INTEGERS(u, type)     \
  INTEGERS(nge, type)   \
  INTEGERS(nlg, type)   \
  INTEGERS(ngt, type)   \
  INTEGERS(nle, type)   \
  INTEGERS(neq, type)   \
  INTEGERS(nlt, type)

std::initializer_list<Entry> vector_compare_entries() {
  static const std::initializer_list<Entry> entries = {
      OF_INTEGERS(i16) OF_INTEGERS(u16) OF_INTEGERS(i32) OF_INTEGERS(u32) OF_INTEGERS(i64)
          OF_INTEGERS(u64) OF_FLOATS(f32) OF_FLOATS(f64)
              entry<InClass<f32>>("v_cmp_class_f32", false),
      entry<InClass<f64>>("v_cmp_class_f64", false), entry<InClass<f32>>("v_cmpx_class_f32", true),
      entry<InClass<f64>>("v_cmpx_class_f64", true)};
  return entries;
}

}  // namespace isofold::amd
