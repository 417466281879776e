// Atomics: their operations, and one lane's turn, in LDS and in other memory.
#pragma once

#include <algorithm>

#include <simulator/amd/wave.hpp>

namespace isofold::amd {

struct Add {
  static u64 of(u64 old, u64 operand) { return old + operand; }
};
struct Subtract {
  static u64 of(u64 old, u64 operand) { return old - operand; }
};
struct Or {
  static u64 of(u64 old, u64 operand) { return old | operand; }
};
struct And {
  static u64 of(u64 old, u64 operand) { return old & operand; }
};
struct Swap {
  static u64 of(u64, u64 operand) { return operand; }
};
struct UnsignedMaximum {
  static u64 of(u64 old, u64 operand) { return std::max(old, operand); }
};
struct UnsignedMinimum {
  static u64 of(u64 old, u64 operand) { return std::min(old, operand); }
};
struct Increment {
  static u64 of(u64 old, u64 operand) { return old >= operand ? 0 : old + 1; }
};

// Performs an atomic for one lane: the operation in memory, and the old value in registers if the
// instruction asks for it.
template <class Op>
inline void atomic_lane(Wave& wave, const Access& access, u8* memory, std::size_t lane) {
  const Instruction& instruction = *access.instruction;
  const u8 bytes = instruction.piece[0].bytes;
  u64 old = 0;
  std::memcpy(&old, memory, bytes);
  const u64 operand = access.data[0][lane] | (bytes == 8 ? u64{access.data[1][lane]} << 32 : 0);
  const u64 value = Op::of(old, operand);
  std::memcpy(memory, &value, bytes);
  if (instruction.returns) {
    u32* const to = wave.vector(instruction.destination[0].first);
    to[lane] = static_cast<u32>(old);
    if (bytes == 8) {
      to[lane + most_lanes] = static_cast<u32>(old >> 32);
    }
  }
}

}  // namespace isofold::amd
