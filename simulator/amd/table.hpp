// The table of instructions: a line each, with its name without the suffix of the encoding, the
// types of its operands, and the function that executes it.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include <simulator/amd/instruction.hpp>

namespace isofold::amd {

// The way in which the text of an instruction becomes operands.
enum class Form : u8 {
  plain,       // destinations, then sources
  accumulate,  // the destination is the last source, too
  no_result,   // sources alone
  special      // the decoder has a function for it
};

struct Entry {
  std::string_view name;
  Form form = Form::plain;
  std::array<Type, 2> destination{};
  std::array<Type, 5> source{};
  Instruction::Execute execute = nullptr;
  bool short_constant = false;  // constants have 16 bits, whose sign is extended
  // Memory.
  u8 bytes = 0;
  u8 pieces = 0;
  i32 offset_unit = 1;
};

// An entry of an access to memory. A pair of accesses has two pieces, whose offsets count units of
// `offset_unit` bytes.
inline Entry memory_entry(std::string_view name, Instruction::Execute execute, u8 bytes,
                          u8 pieces = 1, i32 offset_unit = 1) {
  Entry made;
  made.name = name;
  made.form = Form::special;
  made.execute = execute;
  made.bytes = bytes;
  made.pieces = pieces;
  made.offset_unit = offset_unit;
  return made;
}

// The lines of each file; `find_entry` looks a name up in all of them.
std::initializer_list<Entry> vector_integer_entries();
std::initializer_list<Entry> vector_float_entries();
std::initializer_list<Entry> vector_compare_entries();
std::initializer_list<Entry> vector_packed_entries();
std::initializer_list<Entry> scalar_entries();
std::initializer_list<Entry> control_entries();
std::initializer_list<Entry> memory_entries();
std::initializer_list<Entry> local_memory_entries();

const Entry* find_entry(std::string_view name);

}  // namespace isofold::amd
