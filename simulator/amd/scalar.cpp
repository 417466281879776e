// Scalar arithmetic: one value a wave, and the condition SCC.
#include <algorithm>
#include <tuple>
#include <utility>

#include <simulator/amd/lanes.hpp>

namespace isofold::amd {

namespace {

template <class T>
T judged(T result, bool& scc) {
  scc = result != 0;
  return result;
}

u32 shifted_sum(u32 a, u32 count, u32 b, bool& scc) {
  const u64 sum = (u64{a} << count) + b;
  scc = sum >> 32 != 0;
  return static_cast<u32>(sum);
}

u64 reversed(u64 x) {
  u64 result = 0;
  for (int bit = 0; bit < 64; ++bit) {
    result = result << 1 | (x >> bit & 1);
  }
  return result;
}

u64 field(u64 x, u32 offset, u32 width) {
  const u64 cut = x >> offset;
  return width >= 64 ? cut : cut & ((u64{1} << width) - 1);
}

i64 signed_field(i64 x, u32 bits, u32 offset, u32 width) {
  if (width == 0) {
    return 0;
  }
  const u32 kept = std::min(width, bits - offset);
  const u64 cut = field(static_cast<u64>(x), offset, kept);
  const u64 sign = u64{1} << (kept - 1);
  return static_cast<i64>((cut ^ sign) - sign);
}

template <class T>
T read(const Wave& wave, const Operand& operand) {
  if (operand.kind == Operand::Kind::constant) {
    if constexpr (sizeof(T) == 8) {
      return static_cast<T>(operand.value);
    } else {
      return static_cast<T>(static_cast<u32>(operand.value));
    }
  }
  if constexpr (sizeof(T) == 8) {
    return static_cast<T>(wave.pair(operand.first));
  } else {
    return static_cast<T>(wave.scalar(operand.first));
  }
}

// The sources of a function, without SCC, which is its last parameter.
template <class Op, class Function, class Numbers>
struct Scalar;
template <class Op, class Result, class... Parameters, std::size_t... number>
struct Scalar<Op, Result (*)(Parameters...), std::index_sequence<number...>> {
  using All = std::tuple<Parameters...>;
  static void execute(Wave& wave, const Instruction& instruction) {
    const Result result = Op::of(
        read<std::tuple_element_t<number, All>>(wave, instruction.source[number])..., wave.scc);
    if constexpr (std::is_same_v<Result, bool>) {
      wave.scc = result;
    } else if constexpr (sizeof(Result) == 8) {
      wave.set_pair(instruction.destination[0].first, result);
    } else {
      wave.set_scalar(instruction.destination[0].first, result);
    }
  }
  static constexpr std::array<Type, 5> sources{type_tag<std::tuple_element_t<number, All>>...};
};

template <class Op, class Result, class... Parameters>
Entry scalar_entry(std::string_view name, Form form, Result (*)(Parameters...)) {
  using Executed =
      Scalar<Op, Result (*)(Parameters...), std::make_index_sequence<sizeof...(Parameters) - 1>>;
  Entry entry;
  entry.name = name;
  entry.form = form;
  entry.destination = {type_tag<Result>, Type::none};
  entry.source = Executed::sources;
  entry.execute = &Executed::execute;
  return entry;
}

Entry of_short(Entry entry) {
  entry.short_constant = true;
  return entry;
}

// A comparison's signature, with SCC as those of other instructions.
template <class A, class B>
constexpr auto with_scc(bool (*)(A, B)) -> bool (*)(A, B, bool&) {
  return nullptr;
}

template <class Op>
void execute_mask(Wave& wave, const Instruction& instruction) {
  const Operand& source = instruction.source[0];
  const u64 every = wave.lanes() == 64 ? ~u64{0} : 0xffffffffu;
  const u64 a =
      source.kind == Operand::Kind::constant ? source.value & every : wave.mask(source.first);
  const u64 before = wave.exec();
  wave.set_mask(instruction.destination[0].first, before);
  wave.set_exec(Op::of(a, before) & every);
  wave.scc = wave.exec() != 0;
}

template <class Op>
Entry mask_entry(std::string_view name, Type type) {
  Entry entry;
  entry.name = name;
  entry.destination = {type, Type::none};
  entry.source = {type};
  entry.execute = &execute_mask<Op>;
  return entry;
}

}  // namespace

#define SCALAR(name, result, sources, ...)    \
  namespace {                                 \
  struct name {                               \
    static result of sources { __VA_ARGS__; } \
  };                                          \
  }
#define KEEPING SCALAR
#define SHORT SCALAR
#define SHORT_KEEPING SCALAR
#define COMPARE(name, sources, ...)                      \
  namespace {                                            \
  struct name {                                          \
    static bool compared sources { return __VA_ARGS__; } \
    template <class A, class B>                          \
    static bool of(A a, B b, bool&) {                    \
      return compared(a, b);                             \
    }                                                    \
  };                                                     \
  }
#define SHORT_COMPARE COMPARE
#define MASK(name, ...)                                    \
  namespace {                                              \
  struct name {                                            \
    static u64 of(u64 a, u64 exec) { return __VA_ARGS__; } \
  };                                                       \
  }
#include <simulator/amd/scalar.inc>
#undef SCALAR
#undef KEEPING
#undef SHORT
#undef SHORT_KEEPING
#undef COMPARE
#undef SHORT_COMPARE
#undef MASK

std::initializer_list<Entry> scalar_entries() {
#define SCALAR(name, ...) scalar_entry<name>(#name, Form::plain, &name::of),
#define KEEPING(name, ...) scalar_entry<name>(#name, Form::accumulate, &name::of),
#define COMPARE(name, ...) scalar_entry<name>(#name, Form::no_result, with_scc(&name::compared)),
#define SHORT(name, ...) of_short(scalar_entry<name>(#name, Form::plain, &name::of)),
#define SHORT_KEEPING(name, ...) of_short(scalar_entry<name>(#name, Form::accumulate, &name::of)),
#define SHORT_COMPARE(name, ...) \
  of_short(scalar_entry<name>(#name, Form::no_result, with_scc(&name::compared))),
#define MASK(name, ...) \
  mask_entry<name>(#name "_b64", Type::u64), mask_entry<name>(#name "_b32", Type::u32),
  static const std::initializer_list<Entry> entries = {
#include <simulator/amd/scalar.inc>
  };
#undef SCALAR
#undef KEEPING
#undef SHORT
#undef SHORT_KEEPING
#undef COMPARE
#undef SHORT_COMPARE
#undef MASK
  return entries;
}

}  // namespace isofold::amd
