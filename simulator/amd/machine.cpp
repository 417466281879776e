#include <simulator/amd/machine.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <simulator/amd/assembly.hpp>
#include <simulator/amd/decode.hpp>
#include <simulator/amd/float_rules.hpp>

namespace isofold::amd {

void fill_with_garbage(Random& random, void* memory, std::size_t bytes);

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

}  // namespace

struct Machine::Resident {
  Block block;
  std::vector<std::unique_ptr<Wave>> waves;
};

Machine::Machine(Settings settings) : settings_(std::move(settings)), random_(settings_.seed) {
  estimate_seed = settings_.seed;
}

void Machine::fill_with_garbage(void* memory, std::size_t bytes) {
  amd::fill_with_garbage(random_, memory, bytes);
}

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
  allocations_.add(&packet, sizeof(packet), Allocations::Rights::read);
  allocations_.add(arguments, std::max<u32>(facts.argument_bytes, 1), Allocations::Rights::read);

  Surroundings surroundings;
  surroundings.architecture = &architecture;
  surroundings.allocations = &allocations_;
  surroundings.random = &random_;
  surroundings.scratch_bytes = facts.scratch_bytes;
  surroundings.defer_of_16 = settings_.defer_of_16;
  const u32 lanes = static_cast<u32>(architecture.lanes);

  const auto start = [&](u64 number) {
    auto resident = std::make_unique<Resident>();
    resident->block.number = number;
    resident->block.local.resize(packet.group_bytes);
    fill_with_garbage(resident->block.local.data(), resident->block.local.size());
    for (u64 first = 0; first < block.count(); first += lanes) {
      auto wave = std::make_unique<Wave>(surroundings, *kernel.program, resident->block);
      const u64 there = std::min<u64>(lanes, block.count() - first);
      wave->started_exec = there == 64 ? ~u64{0} : (u64{1} << there) - 1;
      wave->set_exec(wave->started_exec);
      wave->mode = facts.resources1 >> 12 & 0xff;
      u32 next = 0;
      const auto give = [&](u64 value, u32 words) {
        for (u32 word = 0; word < words; ++word) {
          wave->set_scalar(next++, static_cast<u32>(value >> 32 * (word & 1)));
        }
      };
      if ((facts.properties & enables_private_buffer) != 0) {
        give(0, 4);
      }
      if ((facts.properties & enables_packet) != 0) {
        give(reinterpret_cast<u64>(&packet), 2);
      }
      if ((facts.properties & enables_queue) != 0) {
        give(0, 2);
      }
      if ((facts.properties & enables_arguments) != 0) {
        give(packet.arguments, 2);
      }
      if ((facts.properties & enables_dispatch_number) != 0) {
        give(0, 2);
      }
      if ((facts.properties & enables_flat_scratch) != 0) {
        give(0, 2);
      }
      if ((facts.properties & enables_private_size) != 0) {
        give(facts.scratch_bytes, 1);
      }
      next = std::max(next, facts.resources2 >> 1 & 31);
      const u32 place[3] = {static_cast<u32>(number % grid.x),
                            static_cast<u32>(number / grid.x % grid.y),
                            static_cast<u32>(number / grid.x / grid.y)};
      for (u32 axis = 0; axis < 3; ++axis) {
        if ((facts.resources2 >> (7 + axis) & 1) != 0) {
          give(place[axis], 1);
        }
      }
      if ((facts.resources2 & 1) != 0 && !architecture.flat_scratch_by_hardware) {
        give(0, 1);  // the wave's offset in scratch memory
      }
      const u32 axes = facts.resources2 >> 11 & 3;
      for (u64 lane = 0; lane < there; ++lane) {
        const u64 thread = first + lane;
        const u32 x = static_cast<u32>(thread % block.x);
        const u32 y = static_cast<u32>(thread / block.x % block.y);
        const u32 z = static_cast<u32>(thread / block.x / block.y);
        if (architecture.packed_thread_ids) {
          wave->vector(0)[lane] = x | y << 10 | z << 20;
          continue;
        }
        wave->vector(0)[lane] = x;
        if (axes >= 1) {
          wave->vector(1)[lane] = y;
        }
        if (axes >= 2) {
          wave->vector(2)[lane] = z;
        }
      }
      resident->waves.push_back(std::move(wave));
    }
    return resident;
  };

  std::vector<std::unique_ptr<Resident>> residents;
  const u64 blocks = grid.count();
  const u64 at_once = 1 + random_.below(settings_.most_blocks);
  u64 next_block = 0;
  Wave* running = nullptr;
  u64 running_block = 0;
  try {
    while (next_block < blocks || !residents.empty()) {
      while (residents.size() < at_once && next_block < blocks) {
        residents.push_back(start(next_block++));
      }
      const std::size_t chosen = random_.below(residents.size());
      Resident& resident = *residents[chosen];
      const std::size_t count = resident.waves.size();
      const std::size_t first = random_.below(count);
      running = nullptr;
      std::size_t waiting = 0;
      std::size_t ended = 0;
      for (std::size_t i = 0; i < count; ++i) {
        Wave& wave = *resident.waves[(first + i) % count];
        waiting += wave.state == Wave::State::at_barrier ? 1 : 0;
        ended += wave.state == Wave::State::ended ? 1 : 0;
        if (wave.state == Wave::State::ready) {
          running = &wave;
          break;
        }
      }
      if (running != nullptr) {
        running_block = resident.block.number;
        const u64 turn = random_.below(4) == 0 ? 8 : settings_.most_instructions;
        kernel.instructions += running->run(1 + static_cast<u32>(random_.below(turn)));
        continue;
      }
      if (waiting == count) {
        for (const std::unique_ptr<Wave>& wave : resident.waves) {
          wave->state = Wave::State::ready;
        }
      } else if (ended == count) {
        residents.erase(residents.begin() + static_cast<std::ptrdiff_t>(chosen));
      } else {
        running = nullptr;
        running_block = resident.block.number;
        throw Fault("The barrier is divergent: " + std::to_string(waiting) + " waves wait at it, " +
                    std::to_string(ended) + " have ended.");
      }
    }
  } catch (const Fault& fault) {
    allocations_.remove(&packet);
    allocations_.remove(arguments);
    throw Fault(facts.name + ", block " + std::to_string(running_block) + ", " +
                (running != nullptr ? running->where() : "at a barrier") + ": " + fault.what());
  }
  allocations_.remove(&packet);
  allocations_.remove(arguments);
}

}  // namespace isofold::amd
