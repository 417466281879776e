// LDS: loads and stores at any address, pairs of them, atomics, and the exchange of lanes' values.
#include <simulator/amd/access.hpp>
#include <simulator/amd/atomics.hpp>

namespace isofold::amd {

namespace {

Access& begun(Wave& wave, const Instruction& instruction, void (*perform)(Wave&, Access&)) {
  Access& access = wave.issue(Counter::local_memory);
  access.instruction = &instruction;
  access.perform = perform;
  const u32* const addresses = wave.vector(instruction.source[0].first);
  for (u64 left = access.exec; left != 0; left &= left - 1) {
    const std::size_t lane = static_cast<std::size_t>(__builtin_ctzll(left));
    access.address[lane] = addresses[lane];
    for (int i = 0; i < instruction.pieces; ++i) {
      const Piece& piece = instruction.piece[static_cast<std::size_t>(i)];
      local_memory(wave, addresses[lane] + static_cast<u32>(piece.offset), piece.bytes);
    }
  }
  return access;
}

u8* place(Wave& wave, const Access& access, const Piece& piece, int lane) {
  return local_memory(wave,
                      static_cast<u32>(access.address[static_cast<std::size_t>(lane)]) +
                          static_cast<u32>(piece.offset),
                      piece.bytes);
}

template <class Extend>
void perform_load(Wave& wave, Access& access) {
  const Instruction& instruction = *access.instruction;
  u32* const to = wave.vector(instruction.destination[0].first);
  for (u64 left = access.exec; left != 0; left &= left - 1) {
    const int lane = __builtin_ctzll(left);
    for (int i = 0; i < instruction.pieces; ++i) {
      const Piece& piece = instruction.piece[static_cast<std::size_t>(i)];
      load_lane<Extend>(place(wave, access, piece, lane), piece, to + lane);
    }
  }
}

void perform_store(Wave& wave, Access& access) {
  const Instruction& instruction = *access.instruction;
  for (u64 left = access.exec; left != 0; left &= left - 1) {
    const int lane = __builtin_ctzll(left);
    for (int i = 0; i < instruction.pieces; ++i) {
      const Piece& piece = instruction.piece[static_cast<std::size_t>(i)];
      store_lane(place(wave, access, piece, lane), piece, access, lane);
    }
  }
}

template <class Op>
void perform_atomic(Wave& wave, Access& access) {
  const Piece& piece = access.instruction->piece[0];
  for (u64 left = access.exec; left != 0; left &= left - 1) {
    const int lane = __builtin_ctzll(left);
    atomic_lane<Op>(wave, access, place(wave, access, piece, lane), static_cast<std::size_t>(lane));
  }
}

template <class Extend>
void load(Wave& wave, const Instruction& instruction) {
  wave.issued(begun(wave, instruction, &perform_load<Extend>));
}

void store(Wave& wave, const Instruction& instruction) {
  Access& access = begun(wave, instruction, &perform_store);
  for (int i = 0; i < instruction.pieces; ++i) {
    const std::size_t piece = static_cast<std::size_t>(i);
    keep_data(wave, instruction.source[1 + piece], instruction.piece[piece], access);
  }
  wave.issued(access);
}

template <class Op>
void atomic(Wave& wave, const Instruction& instruction) {
  Access& access = begun(wave, instruction, &perform_atomic<Op>);
  keep_data(wave, instruction.source[1], instruction.piece[0], access);
  wave.issued(access);
}

void perform_exchange(Wave& wave, Access& access) {
  u32* const to = wave.vector(access.instruction->destination[0].first);
  for (u64 left = access.exec; left != 0; left &= left - 1) {
    const std::size_t lane = static_cast<std::size_t>(__builtin_ctzll(left));
    to[lane] = access.data[0][lane];
  }
}

// Each lane reads the value of the lane that its byte address names: zero of one that is switched
// off.
void bpermute(Wave& wave, const Instruction& instruction) {
  Access& access = wave.issue(Counter::local_memory);
  access.instruction = &instruction;
  const u32* const addresses = wave.vector(instruction.source[0].first);
  const u32* const values = wave.vector(instruction.source[1].first);
  const u32 lanes = static_cast<u32>(wave.lanes());
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const u32 from = (addresses[lane] + static_cast<u32>(instruction.piece[0].offset)) / 4 % lanes;
    access.data[0][lane] = (access.exec >> from & 1) != 0 ? values[from] : 0;
  }
  access.perform = &perform_exchange;
  wave.issued(access);
}

// The opposite: each lane names the lane that gets its value; of several the highest one wins, and
// a lane that gets none has zero.
void permute(Wave& wave, const Instruction& instruction) {
  Access& access = wave.issue(Counter::local_memory);
  access.instruction = &instruction;
  const u32* const addresses = wave.vector(instruction.source[0].first);
  const u32* const values = wave.vector(instruction.source[1].first);
  const u32 lanes = static_cast<u32>(wave.lanes());
  access.data[0] = {};
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if ((access.exec >> lane & 1) != 0) {
      const u32 to = (addresses[lane] + static_cast<u32>(instruction.piece[0].offset)) / 4 % lanes;
      access.data[0][to] = values[lane];
    }
  }
  access.perform = &perform_exchange;
  wave.issued(access);
}

}  // namespace

std::initializer_list<Entry> local_memory_entries() {
  static const std::initializer_list<Entry> entries = {
      memory_entry("ds_read_u8", &load<ZeroByte>, 1),
      memory_entry("ds_read_i8", &load<SignByte>, 1),
      memory_entry("ds_read_u16", &load<ZeroHalf>, 2),
      memory_entry("ds_read_i16", &load<SignHalf>, 2),
      memory_entry("ds_read_u8_d16", &load<LowByte>, 1),
      memory_entry("ds_read_u8_d16_hi", &load<HighByte>, 1),
      memory_entry("ds_read_u16_d16", &load<LowHalf>, 2),
      memory_entry("ds_read_u16_d16_hi", &load<HighHalf>, 2),
      memory_entry("ds_read_b32", &load<Words>, 4),
      memory_entry("ds_read_b64", &load<Words>, 8),
      memory_entry("ds_read_b96", &load<Words>, 12),
      memory_entry("ds_read_b128", &load<Words>, 16),
      memory_entry("ds_read2_b32", &load<Words>, 4, 2, 4),
      memory_entry("ds_read2_b64", &load<Words>, 8, 2, 8),
      memory_entry("ds_read2st64_b32", &load<Words>, 4, 2, 256),
      memory_entry("ds_read2st64_b64", &load<Words>, 8, 2, 512),
      memory_entry("ds_write_b8", &store, 1),
      memory_entry("ds_write_b8_d16_hi", &store, 1),
      memory_entry("ds_write_b16", &store, 2),
      memory_entry("ds_write_b16_d16_hi", &store, 2),
      memory_entry("ds_write_b32", &store, 4),
      memory_entry("ds_write_b64", &store, 8),
      memory_entry("ds_write_b96", &store, 12),
      memory_entry("ds_write_b128", &store, 16),
      memory_entry("ds_write2_b32", &store, 4, 2, 4),
      memory_entry("ds_write2_b64", &store, 8, 2, 8),
      memory_entry("ds_write2st64_b32", &store, 4, 2, 256),
      memory_entry("ds_write2st64_b64", &store, 8, 2, 512),
      memory_entry("ds_add_u32", &atomic<Add>, 4),
      memory_entry("ds_add_rtn_u32", &atomic<Add>, 4),
      memory_entry("ds_add_u64", &atomic<Add>, 8),
      memory_entry("ds_add_rtn_u64", &atomic<Add>, 8),
      memory_entry("ds_sub_u32", &atomic<Subtract>, 4),
      memory_entry("ds_or_b32", &atomic<Or>, 4),
      memory_entry("ds_and_b32", &atomic<And>, 4),
      memory_entry("ds_max_u32", &atomic<UnsignedMaximum>, 4),
      memory_entry("ds_min_u32", &atomic<UnsignedMinimum>, 4),
      memory_entry("ds_bpermute_b32", &bpermute, 4),
      memory_entry("ds_permute_b32", &permute, 4),
  };
  return entries;
}

}  // namespace isofold::amd
