#include <simulator/amd/lanes.hpp>

namespace isofold::amd {

const u32* swizzled(const Wave& wave, const Instruction& instruction, const u32* lanes,
                    u32* buffer) {
  const Instruction::Swizzle& swizzle = *instruction.swizzle;
  const u32* const old = wave.vector(instruction.destination[0].first);
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(wave.lanes()); ++lane) {
    const u8 from = swizzle.from[lane];
    const bool there = from != 255 && (wave.exec() >> from & 1) != 0;
    buffer[lane] = there ? lanes[from] : swizzle.zero_outside ? 0 : old[lane];
  }
  return buffer;
}

void blend_enabled(const Wave& wave, u64 enabled, u32* to, const u32* from) {
  for (int lane = 0; lane < wave.lanes(); ++lane) {
    if ((wave.exec() & enabled) >> lane & 1) {
      to[lane] = from[lane];
    }
  }
}

// SDWA writes a byte or half of the destination; the rest is zero, the sign, or what was there.
void store_part(const Wave& wave, const Instruction& instruction, u32* to, u32* from) {
  const Part part = instruction.destination_part;
  const u32 field = ((1u << part.bits) - 1) << part.shift;
  for (int lane = 0; lane < wave.lanes(); ++lane) {
    const u32 placed = from[lane] << part.shift & field;
    u32 rest = 0;
    if (instruction.unused == Instruction::Unused::preserve) {
      rest = to[lane] & ~field;
    } else if (instruction.unused == Instruction::Unused::sign_extend) {
      const bool negative = (placed >> (part.shift + part.bits - 1) & 1) != 0;
      rest = negative ? ~(field | (field - 1)) : 0;
    }
    from[lane] = placed | rest;
  }
}

}  // namespace isofold::amd
