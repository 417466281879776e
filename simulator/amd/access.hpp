// The pieces that accesses to LDS and to other memory share: bytes to registers and back, and the
// check of addresses.
#pragma once

#include <algorithm>

#include <simulator/amd/lanes.hpp>

namespace isofold::amd {

// The ways in which a load's bytes fill registers.
struct Words {};
struct ZeroByte {};
struct SignByte {};
struct ZeroHalf {};
struct SignHalf {};
struct LowByte {};
struct HighByte {};
struct LowHalf {};
struct HighHalf {};

// `to` is the lane in the first destination register.
template <class Extend>
inline void load_lane(const u8* from, const Piece& piece, u32* to) {
  u32* const first = to + std::size_t{piece.first_register} * most_lanes;
  if constexpr (std::is_same_v<Extend, Words>) {
    for (std::size_t word = 0; word < piece.bytes / 4u; ++word) {
      std::memcpy(first + word * most_lanes, from + word * 4, 4);
    }
  } else {
    const u32 byte = from[0];
    const u32 half = piece.bytes == 2 ? byte | u32{from[1]} << 8 : byte;
    if constexpr (std::is_same_v<Extend, ZeroByte> || std::is_same_v<Extend, ZeroHalf>) {
      *first = half;
    } else if constexpr (std::is_same_v<Extend, SignByte>) {
      *first = static_cast<u32>(static_cast<i32>(byte << 24) >> 24);
    } else if constexpr (std::is_same_v<Extend, SignHalf>) {
      *first = static_cast<u32>(static_cast<i32>(half << 16) >> 16);
    } else if constexpr (std::is_same_v<Extend, LowByte> || std::is_same_v<Extend, LowHalf>) {
      *first = (*first & 0xffff0000u) | half;
    } else {
      *first = (*first & 0xffffu) | half << 16;
    }
  }
}

inline void store_lane(u8* to, const Piece& piece, const Access& access, int lane) {
  for (std::size_t byte = 0; byte < piece.bytes; byte += 4) {
    const u32 word = access.data[piece.first_register + byte / 4][static_cast<std::size_t>(lane)];
    std::memcpy(to + byte, &word, std::min<std::size_t>(4, piece.bytes - byte));
  }
}

// A store's data as they are when it is issued. (`Part` of the operand: the upper half for
// *_d16_hi.)
void keep_data(const Wave& wave, const Operand& data, const Piece& piece, Access& access);

// The bytes at an address of global memory; Fault if an allocation does not hold them.
u8* checked_memory(const Wave& wave, u64 address, u32 bytes, bool write);
u8* local_memory(Wave& wave, u32 address, u32 bytes);
u8* scratch_memory(Wave& wave, u32 address, u32 bytes, int lane);

}  // namespace isofold::amd
