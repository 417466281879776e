// A wave: its registers, its place in the program, and the memory accesses that it has not waited
// for.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include <simulator/amd/allocations.hpp>
#include <simulator/amd/architecture.hpp>
#include <simulator/amd/instruction.hpp>
#include <simulator/amd/random.hpp>

namespace isofold::amd {

enum class Counter : u8 { vector_memory, local_memory, scalar_memory, stores };

// An access to memory between its issue and the wait for it. It is performed at any time in
// between: at once, or as late as it may be.
struct Access {
  Counter counter = Counter::vector_memory;
  u64 ticket = 0;
  bool performed = false;
  void (*perform)(Wave&, Access&) = nullptr;
  const Instruction* instruction = nullptr;
  u64 exec = 0;
  u64 lowest = 0;  // address of a byte that it touches
  u64 highest = 0;
  std::array<u64, most_lanes> address{};
  std::array<std::array<u32, most_lanes>, 4> data{};
};

// The vector cache that a block reads through. It holds what memory was when a line was first read,
// until it is invalidated: a missing fence shows as an old value.
class Cache {
 public:
  // Bytes as the cache has them; none of `range`'s neighbours are read.
  void load(u64 address, u32 bytes, const Allocations::Range& range, u8* to);
  // Stores go through to memory, and into the line if it is there; atomics drop it.
  void store(u64 address, u32 bytes);
  void drop(u64 address);
  void invalidate() { lines_.clear(); }

 private:
  static constexpr u64 line_bytes = 64;
  std::unordered_map<u64, std::array<u8, line_bytes>> lines_;
};

// The work of a block that its waves share.
struct Block {
  Cache cache;
  std::vector<u8> local;  // LDS
  u64 number = 0;
};

// The parts of the machine that a wave reaches.
struct Surroundings {
  const Architecture* architecture = nullptr;
  const Allocations* allocations = nullptr;
  Random* random = nullptr;
  u64 scratch_bytes = 0;  // of a lane
  u32 defer_of_16 = 4;    // of 16 accesses, so many are performed only when they are waited for
};

class Wave {
 public:
  enum class State : u8 { ready, at_barrier, ended };

  Wave(const Surroundings& surroundings, const Program& program, Block& block);

  // Executes up to `instructions` instructions, fewer if it comes to a barrier or its end. Returns
  // their number.
  u32 run(u32 instructions);
  std::string where() const;  // the instruction that it executes, for sentences

  int lanes() const { return lanes_; }
  int halves() const { return lanes_ / 32; }
  u64 exec() const { return pair(scalar_register::exec); }
  void set_exec(u64 mask);
  const u32* active() const { return active_.data(); }  // all ones for a lane of EXEC
  bool all_active() const { return all_active_; }

  u32* vector(u32 number) { return &vectors_[std::size_t{number} * most_lanes]; }
  const u32* vector(u32 number) const { return &vectors_[std::size_t{number} * most_lanes]; }
  u32 scalar(u32 number) const { return scalars_[number]; }
  u64 pair(u32 number) const { return scalars_[number] | u64{scalars_[number + 1]} << 32; }
  void set_scalar(u32 number, u32 value);
  void set_pair(u32 number, u64 value);
  // A mask has a bit for each lane: a pair of registers, or one in waves of 32.
  u64 mask(u32 number) const { return lanes_ == 64 ? pair(number) : scalars_[number]; }
  void set_mask(u32 number, u64 value);

  // An access is issued: it is performed now or later, and its destination is pending until it is
  // waited for.
  Access& issue(Counter counter);
  void issued(Access& access);
  void wait(Counter counter, u32 most_outstanding);
  void perform_all();

  Block& block() { return *block_; }
  const Surroundings& around() const { return *surroundings_; }
  std::vector<u8>& scratch() { return scratch_; }
  const Program& program() const { return *program_; }

  bool scc = false;
  u32 next = 0;  // the number of the next instruction
  State state = State::ready;
  u64 started_exec = 0;  // the lanes that there are
  u32 mode = 0;          // rounding in bits 0 to 3, subnormals kept in bits 4 to 7

 private:
  bool outstanding(Counter counter) const;
  void check_waited(const Instruction& instruction) const;
  void retire(std::size_t place);
  void perform(Access& access);

  const Surroundings* surroundings_;
  const Program* program_;
  Block* block_;
  int lanes_;
  bool all_active_ = false;
  alignas(64) std::array<u32, most_lanes> active_{};
  std::array<u32, scalar_register::count> scalars_{};
  std::vector<u32> vectors_;
  std::vector<u8> scratch_;

  u64 ticket_ = 0;
  std::vector<std::unique_ptr<Access>> flying_;  // in the order of issue
  std::vector<std::unique_ptr<Access>> idle_;
  RegisterSet pending_;
  std::array<u64, vector_registers + scalar_register::count> pending_ticket_{};
};

}  // namespace isofold::amd
