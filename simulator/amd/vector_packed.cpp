// Packed instructions, of two numbers of 32 bits in a pair of registers, with a choice of halves
// for each operand; and those that move single lanes.
#include <simulator/amd/float_rules.hpp>
#include <simulator/amd/lanes.hpp>

namespace isofold::amd {

namespace {

const u32* half(const Wave& wave, const Operand& operand, bool high, bool negate,
                Lanes<u32>& buffer) {
  if (operand.kind == Operand::Kind::vector) {
    const u32* const words = wave.vector(operand.first + (high ? 1u : 0u));
    if (!negate) {
      return words;
    }
    for_lanes(wave, [&](int lane) { buffer.lane[lane] = words[lane] ^ 0x80000000u; });
    return buffer.lane;
  }
  if (operand.kind == Operand::Kind::constant && high) {
    throw Fault("The upper half of a constant is selected, which has none.");
  }
  u32 word = operand.kind == Operand::Kind::constant
                 ? static_cast<u32>(operand.value)
                 : wave.scalar(operand.first + (high ? 1u : 0u));
  word ^= negate ? 0x80000000u : 0;
  for_lanes(wave, [&](int lane) { buffer.lane[lane] = word; });
  return buffer.lane;
}

template <class Op, int sources>
void packed_half(Wave& wave, const Instruction& instruction, bool high, u32* result) {
  Lanes<u32> buffer[3];
  const u32* words[3]{};
  for (std::size_t i = 0; i < sources; ++i) {
    const auto& select = high ? instruction.select_high : instruction.select_low;
    const auto& negate = high ? instruction.negate_high : instruction.negate_low;
    words[i] = half(wave, instruction.source[i], select[i] != 0, negate[i] != 0, buffer[i]);
  }
  const bool flush = flushes<f32>(wave);
  for_lanes(wave, [&](int lane) {
    f32 x[3]{};
    for (int i = 0; i < sources; ++i) {
      const f32 number = bits_as<f32>(words[i][lane]);
      x[i] = flush ? flushed(number) : number;
    }
    const f32 value = Op::of(x);
    result[lane] = bits_as<u32>(flush ? flushed(value) : value);
  });
}

template <class Op, int sources>
void packed(Wave& wave, const Instruction& instruction) {
  u32 low[most_lanes];
  u32 high[most_lanes];
  packed_half<Op, sources>(wave, instruction, false, low);
  packed_half<Op, sources>(wave, instruction, true, high);
  blend(wave, wave.vector(instruction.destination[0].first), low);
  blend(wave, wave.vector(instruction.destination[0].first + 1u), high);
}

struct Sum {
  static f32 of(const f32* x) { return arithmetic(x[0] + x[1], x[0], x[1]); }
};
struct Product {
  static f32 of(const f32* x) { return arithmetic(x[0] * x[1], x[0], x[1]); }
};
struct FusedSum {
  static f32 of(const f32* x) { return fused(x[0], x[1], x[2]); }
};

// The low result is a half of the first source, the high one a half of the second.
void pk_mov_b32(Wave& wave, const Instruction& instruction) {
  Lanes<u32> buffer[2];
  u32 moved[2][most_lanes];
  for (std::size_t i = 0; i < 2; ++i) {
    const u32* const words =
        half(wave, instruction.source[i], instruction.select_low[i] != 0, false, buffer[i]);
    std::memcpy(moved[i], words, sizeof(u32) * static_cast<std::size_t>(wave.lanes()));
  }
  blend(wave, wave.vector(instruction.destination[0].first), moved[0]);
  blend(wave, wave.vector(instruction.destination[0].first + 1u), moved[1]);
}

u32 scalar_value(const Wave& wave, const Operand& operand) {
  return operand.kind == Operand::Kind::constant ? static_cast<u32>(operand.value)
                                                 : wave.scalar(operand.first);
}

void readfirstlane(Wave& wave, const Instruction& instruction) {
  const u64 exec = wave.exec();
  const int lane = exec == 0 ? 0 : __builtin_ctzll(exec);
  wave.set_scalar(instruction.destination[0].first, wave.vector(instruction.source[0].first)[lane]);
}

// These two ignore EXEC: LLVM keeps scalars in lanes that may be switched off.
void readlane(Wave& wave, const Instruction& instruction) {
  const u32 lane = scalar_value(wave, instruction.source[1]) & static_cast<u32>(wave.lanes() - 1);
  wave.set_scalar(instruction.destination[0].first, wave.vector(instruction.source[0].first)[lane]);
}

void writelane(Wave& wave, const Instruction& instruction) {
  const u32 lane = scalar_value(wave, instruction.source[1]) & static_cast<u32>(wave.lanes() - 1);
  wave.vector(instruction.destination[0].first)[lane] = scalar_value(wave, instruction.source[0]);
}

// Bits of the mask below a lane's own, counted.
template <bool upper>
void mbcnt(Wave& wave, const Instruction& instruction) {
  Lanes<u32> masks;
  Lanes<u32> addends;
  const u32* const mask = fetch<u32>(wave, instruction, 0, masks);
  const u32* const addend = fetch<u32>(wave, instruction, 1, addends);
  Lanes<u32> result;
  for (int lane = 0; lane < wave.lanes(); ++lane) {
    const u64 below = (u64{1} << lane) - 1;
    const u32 own = static_cast<u32>(upper ? below >> 32 : below);
    result.lane[lane] = static_cast<u32>(__builtin_popcount(mask[lane] & own)) + addend[lane];
  }
  store(wave, instruction, result);
}

constexpr std::array<Type, 2> one_u32{Type::u32, Type::none};
constexpr std::array<Type, 2> one_pair{Type::u64, Type::none};

}  // namespace

std::initializer_list<Entry> vector_packed_entries() {
  using T = Type;
  // Packed sources are decoded as numbers of 32 bits, for a constant's sake, though registers are
  // pairs.
  static const std::initializer_list<Entry> entries = {
      {"v_pk_add_f32", Form::plain, one_pair, {T::f32, T::f32}, &packed<Sum, 2>},
      {"v_pk_mul_f32", Form::plain, one_pair, {T::f32, T::f32}, &packed<Product, 2>},
      {"v_pk_fma_f32", Form::plain, one_pair, {T::f32, T::f32, T::f32}, &packed<FusedSum, 3>},
      {"v_pk_mov_b32", Form::plain, one_pair, {T::u32, T::u32}, &pk_mov_b32},
      {"v_readfirstlane_b32", Form::plain, one_u32, {T::u32}, &readfirstlane},
      {"v_readlane_b32", Form::plain, one_u32, {T::u32, T::u32}, &readlane},
      {"v_writelane_b32", Form::plain, one_u32, {T::u32, T::u32}, &writelane},
      {"v_mbcnt_lo_u32_b32", Form::plain, one_u32, {T::u32, T::u32}, &mbcnt<false>},
      {"v_mbcnt_hi_u32_b32", Form::plain, one_u32, {T::u32, T::u32}, &mbcnt<true>},
  };
  return entries;
}

}  // namespace isofold::amd
