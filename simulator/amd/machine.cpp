#include <simulator/amd/machine.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <simulator/amd/assembly.hpp>
#include <simulator/amd/decode.hpp>
#include <simulator/amd/float_rules.hpp>

namespace isofold::amd {

namespace {

// The packet that a kernel may ask for (HSA's hsa_kernel_dispatch_packet_t), as far as kernels read
// it.
struct Packet {
  u16 header = 0;
  u16 setup = 3;
  u16 block[3]{};
  u16 reserved = 0;
  u32 grid[3]{};
  u32 private_bytes = 0;
  u32 group_bytes = 0;
  u64 object = 0;
  u64 arguments = 0;
  u64 reserved2 = 0;
  u64 completion = 0;
};
static_assert(sizeof(Packet) == 64);

class File {
 public:
  explicit File(const std::vector<u8>& bytes) {
    const char* const folder = std::getenv("TMPDIR");
    name_ = std::string(folder != nullptr ? folder : "/tmp") + "/isofold_amd_XXXXXX";
    const int file = mkstemp(name_.data());
    if (file < 0 || write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
      throw Fault("A code object could not be written to " + name_ + ".");
    }
    close(file);
  }
  ~File() { unlink(name_.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

// The bits of a descriptor's properties that say which registers a kernel starts with, in their
// order.
constexpr u32 enables_private_buffer = 1u << 0;
constexpr u32 enables_packet = 1u << 1;
constexpr u32 enables_queue = 1u << 2;
constexpr u32 enables_arguments = 1u << 3;
constexpr u32 enables_dispatch_number = 1u << 4;
constexpr u32 enables_flat_scratch = 1u << 5;
constexpr u32 enables_private_size = 1u << 6;

// Memory that device code may read while a kernel runs.
class Readable {
 public:
  Readable(Allocations& allocations, const void* memory, std::size_t bytes)
      : allocations_(&allocations), memory_(memory) {
    allocations.add(memory, bytes, Allocations::Rights::read);
  }
  ~Readable() { allocations_->remove(memory_); }
  Readable(const Readable&) = delete;
  Readable& operator=(const Readable&) = delete;

 private:
  Allocations* allocations_;
  const void* memory_;
};

// The words of a launch that waves start with.
struct Start {
  const KernelFacts* facts;
  const Architecture* architecture;
  const Packet* packet;
  Size3 grid;
  Size3 block;
};

// The scalar registers of a wave: what the descriptor asks for, the block's place in the grid, and
// the wave's offset in scratch memory.
void start_scalars(Wave& wave, const Start& start, u64 block) {
  const KernelFacts& facts = *start.facts;
  u32 next = 0;
  const auto give = [&](bool asked, u64 value, u32 words) {
    for (u32 word = 0; asked && word < words; ++word) {
      wave.set_scalar(next++, static_cast<u32>(value >> 32 * (word & 1)));
    }
  };
  const auto asks = [&](u32 property) { return (facts.properties & property) != 0; };
  give(asks(enables_private_buffer), 0, 4);
  give(asks(enables_packet), reinterpret_cast<u64>(start.packet), 2);
  give(asks(enables_queue), 0, 2);
  give(asks(enables_arguments), start.packet->arguments, 2);
  give(asks(enables_dispatch_number), 0, 2);
  give(asks(enables_flat_scratch), 0, 2);
  give(asks(enables_private_size), facts.scratch_bytes, 1);
  next = std::max(next, facts.resources2 >> 1 & 31);
  const u64 place[3] = {block % start.grid.x, block / start.grid.x % start.grid.y,
                        block / start.grid.x / start.grid.y};
  for (u32 axis = 0; axis < 3; ++axis) {
    give((facts.resources2 >> (7 + axis) & 1) != 0, place[axis], 1);
  }
  give((facts.resources2 & 1) != 0 && !start.architecture->flat_scratch_by_hardware, 0, 1);
}

// The place of each thread in its block; the wave's first thread is the number `first`.
void start_threads(Wave& wave, const Start& start, u64 first, u64 threads) {
  const u32 axes = start.facts->resources2 >> 11 & 3;
  for (u64 lane = 0; lane < threads; ++lane) {
    const u64 thread = first + lane;
    const u32 x = static_cast<u32>(thread % start.block.x);
    const u32 y = static_cast<u32>(thread / start.block.x % start.block.y);
    const u32 z = static_cast<u32>(thread / start.block.x / start.block.y);
    if (start.architecture->packed_thread_ids) {
      wave.vector(0)[lane] = x | y << 10 | z << 20;
      continue;
    }
    wave.vector(0)[lane] = x;
    if (axes >= 1) {
      wave.vector(1)[lane] = y;
    }
    if (axes >= 2) {
      wave.vector(2)[lane] = z;
    }
  }
}

// A block that runs, and its waves.
struct Resident {
  Block block;
  std::vector<std::unique_ptr<Wave>> waves;

  std::size_t count(Wave::State state) const {
    return static_cast<std::size_t>(std::count_if(
        waves.begin(), waves.end(), [&](const auto& wave) { return wave->state == state; }));
  }
  // The first wave that is ready, from number `first` on and around; null if none is.
  Wave* ready(std::size_t first) const {
    for (std::size_t i = 0; i < waves.size(); ++i) {
      Wave& wave = *waves[(first + i) % waves.size()];
      if (wave.state == Wave::State::ready) {
        return &wave;
      }
    }
    return nullptr;
  }
};

std::unique_ptr<Resident> start_block(const Start& start, const Surroundings& surroundings,
                                      const Program& program, u64 number) {
  auto resident = std::make_unique<Resident>();
  resident->block.number = number;
  resident->block.local.resize(start.packet->group_bytes);
  surroundings.random->fill(resident->block.local.data(), resident->block.local.size());
  const u64 lanes = static_cast<u64>(start.architecture->lanes);
  for (u64 first = 0; first < start.block.count(); first += lanes) {
    auto wave = std::make_unique<Wave>(surroundings, program, resident->block);
    const u64 threads = std::min(lanes, start.block.count() - first);
    wave->started_exec = threads == 64 ? ~u64{0} : (u64{1} << threads) - 1;
    wave->set_exec(wave->started_exec);
    wave->mode = start.facts->resources1 >> 12 & 0xff;
    start_scalars(*wave, start, number);
    start_threads(*wave, start, first, threads);
    resident->waves.push_back(std::move(wave));
  }
  return resident;
}

}  // namespace

Machine::Machine(Settings settings) : settings_(std::move(settings)), random_(settings_.seed) {
  estimate_seed = settings_.seed;
}

void Machine::fill_with_garbage(void* memory, std::size_t bytes) { random_.fill(memory, bytes); }

void Machine::prepare(Kernel& kernel) {
  if (kernel.program != nullptr) {
    return;
  }
  if ((kernel.facts.resources1 >> 12 & 15) != 0) {
    throw Fault("The kernel " + kernel.facts.name +
                " starts in a rounding mode other than to nearest.");
  }
  const File file(kernel.object->elf());
  std::vector<std::string> lines = disassemble(settings_.objdump, file.name(), kernel.facts.name);
  if (edit) {
    edit(kernel.facts.name, lines);
  }
  std::vector<u8>& image = kernel.object->image();
  allocations_.add(image.data(), image.size(), Allocations::Rights::read);
  kernel.program = std::make_unique<Program>(decode(kernel.facts.name, lines,
                                                    architecture_of(kernel.object->architecture()),
                                                    reinterpret_cast<u64>(image.data())));
}

void Machine::launch(Kernel& kernel, Size3 grid, Size3 block, u32 dynamic_local_bytes,
                     const u8* arguments) {
  prepare(kernel);
  ++kernel.launches;
  const KernelFacts& facts = kernel.facts;
  const Architecture architecture = architecture_of(kernel.object->architecture());
  const bool wide = (facts.properties >> 10 & 1) == 0;
  if (wide != (architecture.lanes == 64)) {
    throw Fault("The kernel " + facts.name + " is not of the architecture's wave width.");
  }
  if (facts.most_threads != 0 && block.count() > facts.most_threads) {
    throw Fault("A block of " + std::to_string(block.count()) + " threads of " + facts.name +
                ", which was compiled for " + std::to_string(facts.most_threads) + ".");
  }
  Packet packet;
  packet.block[0] = static_cast<u16>(block.x);
  packet.block[1] = static_cast<u16>(block.y);
  packet.block[2] = static_cast<u16>(block.z);
  packet.grid[0] = grid.x * block.x;
  packet.grid[1] = grid.y * block.y;
  packet.grid[2] = grid.z * block.z;
  packet.private_bytes = facts.scratch_bytes;
  packet.group_bytes = facts.local_bytes + dynamic_local_bytes;
  packet.arguments = reinterpret_cast<u64>(arguments);
  const Readable readable_packet(allocations_, &packet, sizeof packet);
  const Readable readable_arguments(allocations_, arguments,
                                    std::max<u32>(facts.argument_bytes, 1));

  Surroundings surroundings;
  surroundings.architecture = &architecture;
  surroundings.allocations = &allocations_;
  surroundings.random = &random_;
  surroundings.scratch_bytes = facts.scratch_bytes;
  surroundings.defer_of_16 = settings_.defer_of_16;
  const Start start{&facts, &architecture, &packet, grid, block};

  std::vector<std::unique_ptr<Resident>> residents;
  const u64 blocks = grid.count();
  const u64 at_once = 1 + random_.below(settings_.most_blocks);
  u64 next_block = 0;
  const auto place = [&](const Resident& resident) {
    return facts.name + ", block " + std::to_string(resident.block.number);
  };
  while (next_block < blocks || !residents.empty()) {
    while (residents.size() < at_once && next_block < blocks) {
      residents.push_back(start_block(start, surroundings, *kernel.program, next_block++));
    }
    const std::size_t chosen = random_.below(residents.size());
    Resident& resident = *residents[chosen];
    Wave* const running = resident.ready(random_.below(resident.waves.size()));
    if (running != nullptr) {
      const u64 turn = random_.below(4) == 0 ? 8 : settings_.most_instructions;
      try {
        kernel.instructions += running->run(1 + static_cast<u32>(random_.below(turn)));
      } catch (const Fault& fault) {
        throw Fault(place(resident) + ", " + running->where() + ": " + fault.what());
      }
      continue;
    }
    const std::size_t waiting = resident.count(Wave::State::at_barrier);
    const std::size_t ended = resident.count(Wave::State::ended);
    if (ended == resident.waves.size()) {
      residents.erase(residents.begin() + static_cast<std::ptrdiff_t>(chosen));
    } else if (ended != 0) {
      throw Fault(place(resident) +
                  ", at a barrier: The barrier is divergent: " + std::to_string(waiting) +
                  " waves wait at it, " + std::to_string(ended) + " have ended.");
    } else {
      for (const std::unique_ptr<Wave>& wave : resident.waves) {
        wave->state = Wave::State::ready;
      }
    }
  }
}

}  // namespace isofold::amd
