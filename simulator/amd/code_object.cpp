#include <simulator/amd/code_object.hpp>

#include <elf.h>

#include <algorithm>

#include <simulator/amd/metadata.hpp>

namespace isofold::amd {

namespace {

template <class T>
T at(const std::vector<u8>& bytes, u64 offset) {
  if (offset + sizeof(T) > bytes.size()) {
    throw Fault("The code object ends too early.");
  }
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

}  // namespace

CodeObject::CodeObject(std::string architecture, std::vector<u8> elf)
    : architecture_(std::move(architecture)), elf_(std::move(elf)) {
  load();
  read_symbols();
  read_notes();
}

void CodeObject::load() {
  const auto header = at<Elf64_Ehdr>(elf_, 0);
  u64 size = 0;
  std::vector<Elf64_Phdr> parts;
  for (u64 i = 0; i < header.e_phnum; ++i) {
    const auto part = at<Elf64_Phdr>(elf_, header.e_phoff + i * header.e_phentsize);
    if (part.p_type == PT_LOAD) {
      parts.push_back(part);
      size = std::max<u64>(size, part.p_vaddr + part.p_memsz);
    }
  }
  image_.assign(size, 0);
  for (const Elf64_Phdr& part : parts) {
    if (part.p_offset + part.p_filesz > elf_.size()) {
      throw Fault("The code object ends too early.");
    }
    std::copy_n(elf_.begin() + static_cast<std::ptrdiff_t>(part.p_offset), part.p_filesz,
                image_.begin() + static_cast<std::ptrdiff_t>(part.p_vaddr));
  }
}

void CodeObject::read_symbols() {
  const auto header = at<Elf64_Ehdr>(elf_, 0);
  const auto section = [&](u64 number) {
    return at<Elf64_Shdr>(elf_, header.e_shoff + number * header.e_shentsize);
  };
  for (u64 i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr table = section(i);
    if (table.sh_type != SHT_DYNSYM) {
      continue;
    }
    const Elf64_Shdr names = section(table.sh_link);
    for (u64 place = 0; place < table.sh_size; place += sizeof(Elf64_Sym)) {
      const auto symbol = at<Elf64_Sym>(elf_, table.sh_offset + place);
      const std::string name(
          reinterpret_cast<const char*>(elf_.data() + names.sh_offset + symbol.st_name));
      if (name.size() < 4 || name.compare(name.size() - 3, 3, ".kd") != 0) {
        continue;
      }
      const u64 descriptor = symbol.st_value;
      KernelFacts facts;
      facts.name = name.substr(0, name.size() - 3);
      facts.local_bytes = at<u32>(image_, descriptor);
      facts.scratch_bytes = at<u32>(image_, descriptor + 4);
      facts.argument_bytes = at<u32>(image_, descriptor + 8);
      facts.resources1 = at<u32>(image_, descriptor + 48);
      facts.resources2 = at<u32>(image_, descriptor + 52);
      facts.properties = at<u16>(image_, descriptor + 56);
      kernels_[facts.name] = facts;
    }
  }
}

void CodeObject::read_notes() {
  constexpr u32 metadata_note = 32;  // NT_AMDGPU_METADATA
  const auto header = at<Elf64_Ehdr>(elf_, 0);
  for (u64 i = 0; i < header.e_phnum; ++i) {
    const auto part = at<Elf64_Phdr>(elf_, header.e_phoff + i * header.e_phentsize);
    if (part.p_type != PT_NOTE) {
      continue;
    }
    const auto note = at<Elf64_Nhdr>(elf_, part.p_offset);
    if (note.n_type != metadata_note) {
      continue;
    }
    const u8* const begin =
        elf_.data() + part.p_offset + sizeof(note) + (note.n_namesz + 3) / 4 * 4;
    const Value message = read_message(begin, begin + note.n_descsz);
    for (const Value& kernel : message["amdhsa.kernels"].elements) {
      KernelFacts& facts = kernels_[kernel[".name"].text];
      facts.name = kernel[".name"].text;
      facts.registers = static_cast<u32>(kernel[".vgpr_count"].number);
      facts.most_threads = static_cast<u32>(kernel[".max_flat_workgroup_size"].number);
      for (const Value& argument : kernel[".args"].elements) {
        facts.arguments.push_back({static_cast<u32>(argument[".offset"].number),
                                   static_cast<u32>(argument[".size"].number),
                                   argument[".value_kind"].text});
      }
    }
  }
}

std::vector<CodeObject> unbundled(const u8* bundle) {
  static constexpr char magic[] = "__CLANG_OFFLOAD_BUNDLE__";
  constexpr std::size_t magic_size = sizeof(magic) - 1;
  if (std::memcmp(bundle, magic, magic_size) != 0) {
    throw Fault("The fat binary is no bundle of clang's.");
  }
  const auto number = [](const u8* place) {
    u64 value;
    std::memcpy(&value, place, sizeof(value));
    return value;
  };
  std::vector<CodeObject> found;
  const u8* entry = bundle + magic_size + 8;
  for (u64 left = number(bundle + magic_size); left > 0; --left) {
    const u64 offset = number(entry);
    const u64 size = number(entry + 8);
    const u64 length = number(entry + 16);
    const std::string target(reinterpret_cast<const char*>(entry + 24), length);
    entry += 24 + length;
    const std::size_t dashes = target.rfind("--");
    if (size > 0 && target.find("amdgcn") != std::string::npos && dashes != std::string::npos) {
      const std::string name = target.substr(dashes + 2);
      found.emplace_back(name.substr(0, name.find(':')),
                         std::vector<u8>(bundle + offset, bundle + offset + size));
    }
  }
  return found;
}

}  // namespace isofold::amd
