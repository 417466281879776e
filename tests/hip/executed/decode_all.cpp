// Decodes every kernel of every architecture in objects or libraries: an instruction, operand or
// modifier that the interpreter does not know is printed, with the number of kernels that have it.
// ISOFOLD_AMD_ASKED is a file of the instructions that tests compare with values computed apart
// (interpreter_test.cpp writes it); one that a kernel has and no test is printed, too.
#include <simulator/amd/assembly.hpp>
#include <simulator/amd/code_object.hpp>
#include <simulator/amd/decode.hpp>
#include <simulator/amd/names.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace isofold::amd;

struct Count {
  std::size_t kernels = 0;
  std::size_t instructions = 0;
};

struct Found {
  std::map<std::string, Count> decoded;         // by architecture
  std::map<std::string, std::size_t> unknown;   // kernels, by the sentence
  std::map<std::string, std::size_t> executed;  // instructions, by their names
};

void decode_object(CodeObject& object, const std::string& objdump, Found& found) {
  const std::string path = "decode_all." + std::to_string(getpid()) + ".elf";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(object.elf().data()),
             static_cast<std::streamsize>(object.elf().size()));
  Count& count = found.decoded[object.architecture()];
  for (const auto& [name, facts] : object.kernels()) {
    try {
      const Program program =
          decode(name, disassemble(objdump, path, name), architecture_of(object.architecture()), 0);
      ++count.kernels;
      count.instructions += program.instructions.size();
      for (const std::string& text : program.text) {
        for (const std::string& instruction : names_in(text)) {
          if (instruction != ".long") {  // data behind the code
            ++found.executed[instruction];
          }
        }
      }
    } catch (const Fault& fault) {
      const std::string said = fault.what();
      ++found.unknown[object.architecture() + ": " + said.substr(0, said.rfind(", in "))];
    }
  }
  std::remove(path.c_str());
}

std::set<std::string> lines_of(const char* path) {
  std::ifstream file(path);
  return {std::istream_iterator<std::string>(file), std::istream_iterator<std::string>()};
}

// CMake makes one argument of the objects of a target, with semicolons between them.
std::vector<std::string> paths_of(int count, char** arguments) {
  std::vector<std::string> paths;
  for (int i = 1; i < count; ++i) {
    std::istringstream all(arguments[i]);
    for (std::string path; std::getline(all, path, ';');) {
      paths.push_back(path);
    }
  }
  return paths;
}

}  // namespace

int main(int count, char** arguments) {
  const char* const objdump = std::getenv("ISOFOLD_AMD_OBJDUMP");
  Found found;
  for (const std::string& path : paths_of(count, arguments)) {
    std::ifstream file(path, std::ios::binary);
    const std::string data{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::size_t at = data.find("__CLANG_OFFLOAD_BUNDLE__");
    if (at == std::string::npos) {
      std::printf("%s holds no code of a device\n", path.c_str());
      return 1;
    }
    for (; at != std::string::npos; at = data.find("__CLANG_OFFLOAD_BUNDLE__", at + 1)) {
      for (CodeObject& object : unbundled(reinterpret_cast<const u8*>(data.data()) + at)) {
        decode_object(object, objdump != nullptr ? objdump : "llvm-objdump-15", found);
      }
    }
  }
  for (const auto& [architecture, seen] : found.decoded) {
    std::printf("%s: %zu kernels, %zu instructions decoded\n", architecture.c_str(), seen.kernels,
                seen.instructions);
  }
  for (const auto& [said, kernels] : found.unknown) {
    std::printf("%zu kernels: %s\n", kernels, said.c_str());
  }
  std::size_t unasked = 0;
  if (const char* const asked = std::getenv("ISOFOLD_AMD_ASKED")) {
    const std::set<std::string> names = lines_of(asked);
    for (const auto& [name, times] : found.executed) {
      if (names.count(name) == 0) {
        std::printf("%zu times in kernels, and in no test: %s\n", times, name.c_str());
        ++unasked;
      }
    }
    std::printf("%zu of %zu different instructions are in tests\n", found.executed.size() - unasked,
                found.executed.size());
  }
  return unasked == 0 && found.unknown.empty() && !found.decoded.empty() ? 0 : 1;
}
