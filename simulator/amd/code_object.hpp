// A code object: AMD's machine code in an ELF image, its kernels, and what their metadata say of
// arguments.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <simulator/amd/types.hpp>

namespace isofold::amd {

struct Argument {
  u32 offset = 0;
  u32 size = 0;
  std::string kind;  // "by_value", "global_buffer", "hidden_..."
};

// A kernel's descriptor (LLVM's AMDGPU documentation, "Kernel Descriptor") and metadata.
struct KernelFacts {
  std::string name;
  u32 local_bytes = 0;
  u32 scratch_bytes = 0;
  u32 argument_bytes = 0;
  u32 resources1 = 0;
  u32 resources2 = 0;
  u16 properties = 0;
  u32 registers = 0;
  u32 most_threads = 0;
  std::vector<Argument> arguments;
};

class CodeObject {
 public:
  CodeObject(std::string architecture, std::vector<u8> elf);

  const std::string& architecture() const { return architecture_; }
  const std::map<std::string, KernelFacts>& kernels() const { return kernels_; }
  const std::vector<u8>& elf() const { return elf_; }
  // The image as programs see it; its address 0 lies at image().data().
  std::vector<u8>& image() { return image_; }

 private:
  void load();
  void read_symbols();
  void read_notes();

  std::string architecture_;
  std::vector<u8> elf_;
  std::vector<u8> image_;
  std::map<std::string, KernelFacts> kernels_;
};

// The code objects in a fat binary, "__CLANG_OFFLOAD_BUNDLE__" and what follows.
std::vector<CodeObject> unbundled(const u8* bundle);

}  // namespace isofold::amd
