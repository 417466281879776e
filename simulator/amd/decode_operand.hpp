// Operands and modifiers of an instruction from their text.
#pragma once

#include <simulator/amd/architecture.hpp>
#include <simulator/amd/assembly.hpp>
#include <simulator/amd/instruction.hpp>

namespace isofold::amd {

Operand decode_operand(const std::string& text, Type type);
i64 decode_number(const std::string& text);

// Take what they know from the line's modifiers.
void decode_parts(Line& line, Instruction& instruction);       // SDWA
void decode_selections(Line& line, Instruction& instruction);  // op_sel and its kin
// DPP: null if the line has none; made ones live as long as the process.
const Instruction::Swizzle* decode_swizzle(Line& line, int lanes);

}  // namespace isofold::amd
