// Decodes every kernel of every architecture in objects or libraries: an instruction, operand or
// modifier that the interpreter does not know is printed, with the number of kernels that have it.
#include <simulator/amd/assembly.hpp>
#include <simulator/amd/code_object.hpp>
#include <simulator/amd/decode.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace {

using namespace isofold::amd;

struct Count {
  std::size_t kernels = 0;
  std::size_t instructions = 0;
};

void decode_object(CodeObject& object, const std::string& objdump,
                   std::map<std::string, Count>& decoded,
                   std::map<std::string, std::size_t>& unknown) {
  const std::string path = "decode_all." + std::to_string(getpid()) + ".elf";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(object.elf().data()),
             static_cast<std::streamsize>(object.elf().size()));
  Count& count = decoded[object.architecture()];
  for (const auto& [name, facts] : object.kernels()) {
    try {
      const Program program =
          decode(name, disassemble(objdump, path, name), architecture_of(object.architecture()), 0);
      ++count.kernels;
      count.instructions += program.instructions.size();
    } catch (const Fault& fault) {
      const std::string said = fault.what();
      ++unknown[object.architecture() + ": " + said.substr(0, said.rfind(", in "))];
    }
  }
  std::remove(path.c_str());
}

}  // namespace

int main(int count, char** arguments) {
  const char* const objdump = std::getenv("ISOFOLD_AMD_OBJDUMP");
  std::map<std::string, Count> decoded;
  std::map<std::string, std::size_t> unknown;
  for (int i = 1; i < count; ++i) {
    std::ifstream file(arguments[i], std::ios::binary);
    const std::string data{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    for (std::size_t at = data.find("__CLANG_OFFLOAD_BUNDLE__"); at != std::string::npos;
         at = data.find("__CLANG_OFFLOAD_BUNDLE__", at + 1)) {
      for (CodeObject& object : unbundled(reinterpret_cast<const u8*>(data.data()) + at)) {
        decode_object(object, objdump != nullptr ? objdump : "llvm-objdump-15", decoded, unknown);
      }
    }
  }
  for (const auto& [architecture, found] : decoded) {
    std::printf("%s: %zu kernels, %zu instructions decoded\n", architecture.c_str(), found.kernels,
                found.instructions);
  }
  for (const auto& [said, kernels] : unknown) {
    std::printf("%zu kernels: %s\n", kernels, said.c_str());
  }
  return unknown.empty() && !decoded.empty() ? 0 : 1;
}
