#include <simulator/amd/access.hpp>

#include <cinttypes>
#include <cstdio>

namespace isofold::amd {

namespace {

std::string hexadecimal(u64 number) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%" PRIx64, number);
  return text;
}

}  // namespace

void keep_data(const Wave& wave, const Operand& data, const Piece& piece, Access& access) {
  const std::size_t words = std::max<std::size_t>(1, piece.bytes / 4u);
  for (std::size_t word = 0; word < words; ++word) {
    const u32* const from = wave.vector(data.first + static_cast<u32>(word));
    u32* const to = access.data[piece.first_register + word].data();
    const u8 shift = data.part.shift;
    for_lanes(wave, [&](int lane) { to[lane] = from[lane] >> shift; });
  }
}

u8* checked_memory(const Wave& wave, u64 address, u32 bytes, bool write) {
  const Allocations& allocations = *wave.around().allocations;
  const Allocations::Range range = allocations.find(address);
  if (!range.holds(address, address + bytes)) {
    throw Fault(std::string(write ? "A store" : "A load") + " of " + std::to_string(bytes) +
                " bytes at " + hexadecimal(address) + ": " + allocations.near(address) + ".");
  }
  if (write && range.rights == Allocations::Rights::read) {
    throw Fault("A store at " + hexadecimal(address) + ", which may only be read.");
  }
  return reinterpret_cast<u8*>(address);
}

u8* local_memory(Wave& wave, u32 address, u32 bytes) {
  std::vector<u8>& local = wave.block().local;
  if (u64{address} + bytes > local.size()) {
    throw Fault("An access of " + std::to_string(bytes) + " bytes at " + hexadecimal(address) +
                " of LDS, of which the block has " + std::to_string(local.size()) + ".");
  }
  return local.data() + address;
}

u8* scratch_memory(Wave& wave, u32 address, u32 bytes, int lane) {
  const u64 size = wave.around().scratch_bytes;
  if (u64{address} + bytes > size) {
    throw Fault("An access of " + std::to_string(bytes) + " bytes at " + hexadecimal(address) +
                " of scratch memory, of which a lane has " + std::to_string(size) + ".");
  }
  return wave.scratch().data() + static_cast<u64>(lane) * size + address;
}

}  // namespace isofold::amd
