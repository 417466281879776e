// Kernels in AMD's assembler, made by clang while a test runs, and run on the interpreter.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <simulator/amd/machine.hpp>

namespace isofold::amd::tests {

struct Source {
  std::string name;
  // Instructions by gfx9's names, which are also right for gfx11 where that has others; s[0:1] is
  // the segment of arguments, s2 the block, v0 the thread.
  std::string text;
  int local_bytes = 4096;
  bool flush_subnormals = false;
  int scratch_bytes = 0;  // of a lane
};

// The names of all instructions that ran in kernels of this process, by common_name().
std::set<std::string>& asked_instructions();

class Assembled {
 public:
  explicit Assembled(const std::vector<Source>& sources,
                     const std::string& architecture = "gfx90a");

  // Runs a kernel with two addresses as arguments: `from` may be read, `to` written.
  void run(const std::string& name, u32 blocks, u32 threads, const std::vector<u64>& from,
           std::vector<u64>& to, Settings settings = {});
  // Runs a kernel, and returns the sentence by which the machine refuses it: "" if it runs.
  std::string fault(const std::string& name, u32 blocks = 1, u32 threads = 64,
                    Settings settings = {});

 private:
  std::unique_ptr<CodeObject> object_;
  std::map<std::string, Kernel> kernels_;
};

}  // namespace isofold::amd::tests
