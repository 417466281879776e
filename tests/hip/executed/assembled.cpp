#include "assembled.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <regex>
#include <utility>

#include <simulator/amd/names.hpp>

namespace isofold::amd::tests {

namespace {

std::string environment(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

// Instructions as gfx11 names them, of text by gfx9's names.
std::string renamed_for_gfx11(std::string text) {
  const std::pair<const char*, const char*> names[] = {
      {"dwordx8", "b256"},
      {"dwordx4", "b128"},
      {"dwordx3", "b96"},
      {"dwordx2", "b64"},
      {"dword", "b32"},
      {"load_ubyte_d16", "load_d16_u8"},
      {"load_ubyte", "load_u8"},
      {"load_sbyte", "load_i8"},
      {"load_ushort", "load_u16"},
      {"load_sshort", "load_i16"},
      {"load_short_d16_hi", "load_d16_hi_b16"},
      {"store_byte_d16_hi", "store_d16_hi_b8"},
      {"store_short_d16_hi", "store_d16_hi_b16"},
      {"store_byte", "store_b8"},
      {"store_short", "store_b16"},
      {"ds_read2st64_", "ds_load_2addr_stride64_"},
      {"ds_read2_", "ds_load_2addr_"},
      {"ds_read_", "ds_load_"},
      {"ds_write2st64_", "ds_store_2addr_stride64_"},
      {"ds_write2_", "ds_store_2addr_"},
      {"ds_write_", "ds_store_"},
      {"global_atomic_add ", "global_atomic_add_u32 "},
      {"global_atomic_add_x2", "global_atomic_add_u64"},
      {"v_ffbh_u32", "v_clz_i32_u32"},
      {"v_add_u32", "v_add_nc_u32"},
      {"v_addc_co_u32", "v_add_co_ci_u32"},
  };
  for (const auto& [before, now] : names) {
    for (std::size_t at = 0; (at = text.find(before, at)) != std::string::npos;) {
      text.replace(at, std::strlen(before), now);
      at += std::strlen(now);
    }
  }
  return std::regex_replace(text, std::regex("\\bvcc\\b"), "vcc_lo");
}

std::string kernel(const Source& source, const std::string& architecture) {
  const std::string kept = source.flush_subnormals ? "0" : "3";
  return ".text\n.globl " + source.name + "\n.p2align 8\n.type " + source.name + ",@function\n" +
         source.name + ":\n" +
         (architecture.rfind("gfx11", 0) == 0 ? renamed_for_gfx11(source.text) : source.text) +
         "\ns_endpgm\n.size " + source.name + ", .-" + source.name +
         "\n.rodata\n.p2align 6\n.amdhsa_kernel " + source.name +
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

std::set<std::string>& asked_instructions() {
  static std::set<std::string> names;
  return names;
}

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
  Kernel& kernel = kernels_[name];  // decoded once
  kernel.object = object_.get();
  kernel.facts = object_->kernels().at(name);
  machine.launch(kernel, {blocks, 1, 1}, {threads, 1, 1}, 0,
                 reinterpret_cast<const u8*>(arguments));
  for (const std::string& text : kernel.program->text) {
    const std::vector<std::string> names = names_in(text);
    asked_instructions().insert(names.begin(), names.end());
  }
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
