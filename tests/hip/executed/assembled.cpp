#include "assembled.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace isofold::amd::tests {

namespace {

std::string environment(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

std::string kernel(const Source& source, const std::string& architecture) {
  const std::string kept = source.flush_subnormals ? "0" : "3";
  return ".text\n.globl " + source.name + "\n.p2align 8\n.type " + source.name + ",@function\n" +
         source.name + ":\n" + source.text + "\ns_endpgm\n.size " + source.name + ", .-" +
         source.name + "\n.rodata\n.p2align 6\n.amdhsa_kernel " + source.name +
         "\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_kernarg_size 16"
         "\n.amdhsa_next_free_vgpr 64\n.amdhsa_next_free_sgpr 64" +
         (architecture_of(architecture).lanes == 64 ? "\n.amdhsa_accum_offset 64"
                                                    : "\n.amdhsa_wavefront_size32 1") +
         "\n.amdhsa_private_segment_fixed_size " + std::to_string(source.scratch_bytes) +
         "\n.amdhsa_group_segment_fixed_size " + std::to_string(source.local_bytes) +
         "\n.amdhsa_float_denorm_mode_32 " + kept + "\n.amdhsa_float_denorm_mode_16_64 " + kept +
         "\n.end_amdhsa_kernel\n";
}

}  // namespace

Assembled::Assembled(const std::vector<Source>& sources, const std::string& architecture) {
  const std::string base =
      environment("TMPDIR", "/tmp") + "/isofold_assembled_" + std::to_string(getpid());
  {
    std::ofstream file(base + ".s");
    for (const Source& source : sources) {
      file << kernel(source, architecture);
    }
  }
  const std::string command = environment("ISOFOLD_AMD_CLANG", "clang-15") +
                              " -x assembler --target=amdgcn-amd-amdhsa -mcpu=" + architecture +
                              " -nogpulib " + base + ".s -o " + base + ".o";
  // NOLINTNEXTLINE(bugprone-command-processor): a test's own compiler and files
  if (std::system(command.c_str()) != 0) {
    throw Fault("The assembler failed: " + command);
  }
  std::ifstream file(base + ".o", std::ios::binary);
  std::vector<u8> elf{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::remove((base + ".s").c_str());
  std::remove((base + ".o").c_str());
  object_ = std::make_unique<CodeObject>(architecture, std::move(elf));
}

void Assembled::run(const std::string& name, u32 blocks, u32 threads, const std::vector<u64>& from,
                    std::vector<u64>& to, Settings settings) {
  settings.objdump = environment("ISOFOLD_AMD_OBJDUMP", "llvm-objdump-15");
  Machine machine(settings);
  machine.allocations().add(from.data(), from.size() * sizeof(u64), Allocations::Rights::read);
  machine.allocations().add(to.data(), to.size() * sizeof(u64), Allocations::Rights::write);
  const u64 arguments[2] = {reinterpret_cast<u64>(from.data()), reinterpret_cast<u64>(to.data())};
  Kernel kernel;
  kernel.object = object_.get();
  kernel.facts = object_->kernels().at(name);
  machine.launch(kernel, {blocks, 1, 1}, {threads, 1, 1}, 0,
                 reinterpret_cast<const u8*>(arguments));
}

std::string Assembled::fault(const std::string& name, u32 blocks, u32 threads, Settings settings) {
  const std::vector<u64> from(u64{blocks} * threads * 3);
  std::vector<u64> to(u64{blocks} * threads);
  try {
    run(name, blocks, threads, from, to, std::move(settings));
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "";
}

}  // namespace isofold::amd::tests
