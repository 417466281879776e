// Memory beyond LDS: scalar loads, global, flat and scratch accesses, atomics, and what keeps
// caches coherent.
#include <simulator/amd/access.hpp>
#include <simulator/amd/apertures.hpp>
#include <simulator/amd/atomics.hpp>

namespace isofold::amd {

namespace {

// A scalar load takes the bytes when it is issued: nothing that a wave reads this way is written
// meanwhile.
template <int words>
void scalar_load(Wave& wave, const Instruction& instruction) {
  const Operand& base = instruction.source[0];
  const Operand& offset = instruction.source[1];
  const u64 more =
      offset.kind == Operand::Kind::constant ? offset.value : wave.scalar(offset.first);
  const u64 address =
      (wave.pair(base.first) + more + static_cast<u64>(i64{instruction.piece[0].offset})) & ~u64{3};
  const u8* const memory = checked_memory(wave, address, words * 4, false);
  for (u32 word = 0; word < words; ++word) {
    u32 value;
    std::memcpy(&value, memory + word * 4, 4);
    wave.set_scalar(instruction.destination[0].first + word, value);
  }
  Access& access = wave.issue(Counter::scalar_memory);
  access.instruction = &instruction;
  access.perform = [](Wave&, Access&) {};
  wave.issued(access);
}

enum class Space : u8 { global, flat, scratch };

// A flat address in an aperture is one of LDS or of the lane's scratch memory.
u8* memory_at(Wave& wave, u64 address, u32 bytes, int lane, bool write) {
  const u32 upper = static_cast<u32>(address >> 32);
  if (upper == local_aperture) {
    return local_memory(wave, static_cast<u32>(address), bytes);
  }
  if (upper == private_aperture) {
    return scratch_memory(wave, static_cast<u32>(address), bytes, lane);
  }
  return checked_memory(wave, address, bytes, write);
}

bool in_aperture(u64 address) {
  const u32 upper = static_cast<u32>(address >> 32);
  return upper == local_aperture || upper == private_aperture;
}

// Checks all lanes at once where they lie in one allocation, which is the rule.
void check(const Wave& wave, const Access& access, bool write) {
  if (access.exec == 0) {
    return;
  }
  const Allocations::Range range = wave.around().allocations->find(access.lowest);
  if (range.holds(access.lowest, access.highest + 1) &&
      (!write || range.rights == Allocations::Rights::write)) {
    return;
  }
  for (int lane = 0; lane < wave.lanes(); ++lane) {
    const u64 address = access.address[static_cast<std::size_t>(lane)];
    if ((access.exec >> lane & 1) != 0 && !in_aperture(address)) {
      checked_memory(wave, address, access.instruction->piece[0].bytes, write);
    }
  }
}

template <Space space>
void addresses(Wave& wave, const Instruction& instruction, const Operand& lanes,
               const Operand& base, Access& access) {
  const i64 offset = instruction.piece[0].offset;
  u64 common = static_cast<u64>(offset);
  if (base.kind == Operand::Kind::scalar) {
    common += space == Space::scratch ? wave.scalar(base.first) : wave.pair(base.first);
  } else if (base.kind == Operand::Kind::constant) {
    common += base.value;
  }
  const bool wide = lanes.kind == Operand::Kind::vector && lanes.count == 2;
  const u32* const low = lanes.kind == Operand::Kind::vector ? wave.vector(lanes.first) : nullptr;
  const u32* const high = wide ? wave.vector(lanes.first + 1u) : nullptr;
  const u64 last = instruction.piece[0].bytes - 1u;
  for (u64 left = access.exec; left != 0; left &= left - 1) {
    const std::size_t lane = static_cast<std::size_t>(__builtin_ctzll(left));
    u64 address = common + (low != nullptr ? low[lane] : 0) + (wide ? u64{high[lane]} << 32 : 0);
    if (space == Space::scratch) {
      address = u64{private_aperture} << 32 | static_cast<u32>(address);
    }
    access.address[lane] = address;
    access.lowest = std::min(access.lowest, address);
    access.highest = std::max(access.highest, address + last);
  }
}

template <class Extend>
void perform_load(Wave& wave, Access& access) {
  const Instruction& instruction = *access.instruction;
  const Piece& piece = instruction.piece[0];
  u32* const to = wave.vector(instruction.destination[0].first);
  Allocations::Range range;
  for (u64 left = access.exec; left != 0; left &= left - 1) {
    const int lane = __builtin_ctzll(left);
    const u64 address = access.address[static_cast<std::size_t>(lane)];
    const u8* from = nullptr;
    u8 cached[16];
    if (instruction.bypass_cache || in_aperture(address)) {
      from = memory_at(wave, address, piece.bytes, lane, false);
    } else {
      if (!range.holds(address, address + piece.bytes)) {
        range = wave.around().allocations->find(address);
      }
      wave.block().cache.load(address, piece.bytes, range, cached);
      from = cached;
    }
    load_lane<Extend>(from, piece, to + lane);
  }
}

void perform_store(Wave& wave, Access& access) {
  const Piece& piece = access.instruction->piece[0];
  for (u64 left = access.exec; left != 0; left &= left - 1) {
    const int lane = __builtin_ctzll(left);
    const u64 address = access.address[static_cast<std::size_t>(lane)];
    store_lane(memory_at(wave, address, piece.bytes, lane, true), piece, access, lane);
    if (!in_aperture(address)) {
      wave.block().cache.store(address, piece.bytes);
    }
  }
}

template <class Op>
void perform_atomic(Wave& wave, Access& access) {
  const u8 bytes = access.instruction->piece[0].bytes;
  for (u64 left = access.exec; left != 0; left &= left - 1) {
    const int lane = __builtin_ctzll(left);
    const std::size_t at = static_cast<std::size_t>(lane);
    atomic_lane<Op>(wave, access, memory_at(wave, access.address[at], bytes, lane, true), at);
    wave.block().cache.drop(access.address[at]);
  }
}

Counter counter_of_stores(const Wave& wave) {
  return wave.around().architecture->separate_store_counter ? Counter::stores
                                                            : Counter::vector_memory;
}

// Operands: a load has its destination, lanes' addresses, base; a store addresses, data, base.
template <Space space, class Extend>
void load(Wave& wave, const Instruction& instruction) {
  Access& access = wave.issue(Counter::vector_memory);
  access.instruction = &instruction;
  access.perform = &perform_load<Extend>;
  addresses<space>(wave, instruction, instruction.source[0], instruction.source[1], access);
  check(wave, access, false);
  wave.issued(access);
}

template <Space space>
void store(Wave& wave, const Instruction& instruction) {
  Access& access = wave.issue(counter_of_stores(wave));
  access.instruction = &instruction;
  access.perform = &perform_store;
  addresses<space>(wave, instruction, instruction.source[0], instruction.source[2], access);
  keep_data(wave, instruction.source[1], instruction.piece[0], access);
  check(wave, access, true);
  wave.issued(access);
}

template <Space space, class Op>
void atomic(Wave& wave, const Instruction& instruction) {
  Access& access =
      wave.issue(instruction.returns ? Counter::vector_memory : counter_of_stores(wave));
  access.instruction = &instruction;
  access.perform = &perform_atomic<Op>;
  addresses<space>(wave, instruction, instruction.source[0], instruction.source[2], access);
  keep_data(wave, instruction.source[1], instruction.piece[0], access);
  check(wave, access, true);
  wave.issued(access);
}

void nothing(Wave&, const Instruction&) {}
void invalidate(Wave& wave, const Instruction&) { wave.block().cache.invalidate(); }

}  // namespace

#define LOADS_AND_STORES(prefix, space)                                     \
  memory_entry(prefix "_load_ubyte", &load<space, ZeroByte>, 1),            \
      memory_entry(prefix "_load_sbyte", &load<space, SignByte>, 1),        \
      memory_entry(prefix "_load_ushort", &load<space, ZeroHalf>, 2),       \
      memory_entry(prefix "_load_sshort", &load<space, SignHalf>, 2),       \
      memory_entry(prefix "_load_ubyte_d16", &load<space, LowByte>, 1),     \
      memory_entry(prefix "_load_ubyte_d16_hi", &load<space, HighByte>, 1), \
      memory_entry(prefix "_load_short_d16", &load<space, LowHalf>, 2),     \
      memory_entry(prefix "_load_short_d16_hi", &load<space, HighHalf>, 2), \
      memory_entry(prefix "_load_dword", &load<space, Words>, 4),           \
      memory_entry(prefix "_load_dwordx2", &load<space, Words>, 8),         \
      memory_entry(prefix "_load_dwordx3", &load<space, Words>, 12),        \
      memory_entry(prefix "_load_dwordx4", &load<space, Words>, 16),        \
      memory_entry(prefix "_store_byte", &store<space>, 1),                 \
      memory_entry(prefix "_store_short", &store<space>, 2),                \
      memory_entry(prefix "_store_byte_d16_hi", &store<space>, 1),          \
      memory_entry(prefix "_store_short_d16_hi", &store<space>, 2),         \
      memory_entry(prefix "_store_dword", &store<space>, 4),                \
      memory_entry(prefix "_store_dwordx2", &store<space>, 8),              \
      memory_entry(prefix "_store_dwordx3", &store<space>, 12),             \
      memory_entry(prefix "_store_dwordx4", &store<space>, 16)
#define ATOMICS(prefix, space)                                                    \
  memory_entry(prefix "_atomic_add", &atomic<space, Add>, 4),                     \
      memory_entry(prefix "_atomic_add_x2", &atomic<space, Add>, 8),              \
      memory_entry(prefix "_atomic_sub", &atomic<space, Subtract>, 4),            \
      memory_entry(prefix "_atomic_or", &atomic<space, Or>, 4),                   \
      memory_entry(prefix "_atomic_or_x2", &atomic<space, Or>, 8),                \
      memory_entry(prefix "_atomic_and", &atomic<space, And>, 4),                 \
      memory_entry(prefix "_atomic_and_x2", &atomic<space, And>, 8),              \
      memory_entry(prefix "_atomic_swap", &atomic<space, Swap>, 4),               \
      memory_entry(prefix "_atomic_swap_x2", &atomic<space, Swap>, 8),            \
      memory_entry(prefix "_atomic_umax", &atomic<space, UnsignedMaximum>, 4),    \
      memory_entry(prefix "_atomic_umax_x2", &atomic<space, UnsignedMaximum>, 8), \
      memory_entry(prefix "_atomic_umin", &atomic<space, UnsignedMinimum>, 4),    \
      memory_entry(prefix "_atomic_umin_x2", &atomic<space, UnsignedMinimum>, 8), \
      memory_entry(prefix "_atomic_inc", &atomic<space, Increment>, 4)

std::initializer_list<Entry> memory_entries() {
  static const std::initializer_list<Entry> entries = {
      memory_entry("s_load_dword", &scalar_load<1>, 4),
      memory_entry("s_load_dwordx2", &scalar_load<2>, 8),
      memory_entry("s_load_dwordx4", &scalar_load<4>, 16),
      memory_entry("s_load_dwordx8", &scalar_load<8>, 32),
      memory_entry("s_load_dwordx16", &scalar_load<16>, 64),
      LOADS_AND_STORES("global", Space::global),
      ATOMICS("global", Space::global),
      LOADS_AND_STORES("flat", Space::flat),
      ATOMICS("flat", Space::flat),
      LOADS_AND_STORES("scratch", Space::scratch),
      LOADS_AND_STORES("buffer", Space::scratch),
      memory_entry("buffer_wbinvl1_vol", &invalidate, 0),
      memory_entry("buffer_wbinvl1", &invalidate, 0),
      memory_entry("buffer_gl0_inv", &invalidate, 0),
      memory_entry("buffer_gl1_inv", &nothing, 0),
      memory_entry("buffer_wbl2", &nothing, 0),
      memory_entry("buffer_invl2", &nothing, 0),
      memory_entry("buffer_inv", &invalidate, 0),
      memory_entry("s_dcache_inv", &nothing, 0),
      memory_entry("s_dcache_wb", &nothing, 0),
  };
  return entries;
}

}  // namespace isofold::amd
