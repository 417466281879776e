// The text of instructions, as llvm-objdump prints it, in pieces.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <simulator/amd/types.hpp>

namespace isofold::amd {

struct Line {
  u64 address = 0;
  u64 next_address = 0;
  std::string text;  // the whole, for sentences
  std::string mnemonic;
  std::vector<std::string> operands;
  std::map<std::string, std::string> modifiers;  // "offset:16" and "glc", which has no value

  bool has(const std::string& modifier) const { return modifiers.count(modifier) != 0; }
  // Returns a modifier's value, "" if there is none, and forgets it.
  std::string take(const std::string& modifier);
};

// One line of a kernel, "v_add_u32_e32 v1, v2, v3  // 000000001000: 68020702".
Line parse_line(std::string_view line);
// An instruction's text without its address; a dual instruction has two of them.
Line parse_instruction(std::string_view text);

// The text of a symbol's code by the disassembler; `file` holds the code object.
std::vector<std::string> disassemble(const std::string& objdump, const std::string& file,
                                     const std::string& symbol);

}  // namespace isofold::amd
