// Text of instructions to a program that runs.
#pragma once

#include <string>
#include <vector>

#include <simulator/amd/architecture.hpp>
#include <simulator/amd/instruction.hpp>

namespace isofold::amd {

// `lines`: those of a kernel as the disassembler prints them. `loaded_at`: the address that the
// image's address 0 has in memory. Throws Fault that names an instruction, an operand or a modifier
// that the interpreter does not know.
Program decode(const std::string& name, const std::vector<std::string>& lines,
               const Architecture& architecture, u64 loaded_at);

}  // namespace isofold::amd
