// A device: it runs the blocks of a kernel, a few at a time, their waves interleaved as a seed
// says.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <simulator/amd/code_object.hpp>
#include <simulator/amd/wave.hpp>

namespace isofold::amd {

struct Size3 {
  u32 x = 1;
  u32 y = 1;
  u32 z = 1;
  u64 count() const { return u64{x} * y * z; }
};

// A kernel that is ready to run: its facts, and its program once it was launched.
struct Kernel {
  CodeObject* object = nullptr;
  KernelFacts facts;
  std::unique_ptr<Program> program;
  u64 launches = 0;
  u64 instructions = 0;  // of waves
};

struct Settings {
  u64 seed = 1;
  u32 defer_of_16 = 4;
  u32 most_blocks = 4;          // at the same time
  u32 most_instructions = 256;  // of a wave before another's turn
  std::string objdump = "llvm-objdump-15";
};

class Machine {
 public:
  explicit Machine(Settings settings);

  Allocations& allocations() { return allocations_; }
  // Runs a kernel to its end. Throws Fault with a sentence that names kernel, block, wave and
  // instruction.
  void launch(Kernel& kernel, Size3 grid, Size3 block, u32 dynamic_local_bytes,
              const u8* arguments);
  void fill_with_garbage(void* memory, std::size_t bytes);
  // Tests plant faults in the text of a kernel before it is decoded.
  std::function<void(const std::string& kernel, std::vector<std::string>& lines)> edit;

 private:
  void prepare(Kernel& kernel);

  Settings settings_;
  Random random_;
  Allocations allocations_;
};

}  // namespace isofold::amd
