// MessagePack, in which a code object's metadata are written: maps, arrays, strings and integers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <simulator/amd/types.hpp>

namespace isofold::amd {

struct Value {
  enum class Kind : u8 { nothing, number, text, array, map } kind = Kind::nothing;
  u64 number = 0;
  std::string text;
  std::vector<Value> elements;                         // of an array
  std::vector<std::pair<std::string, Value>> entries;  // of a map

  // An entry of a map; an empty value if there is none.
  const Value& operator[](const std::string& key) const;
};

Value read_message(const u8* begin, const u8* end);

}  // namespace isofold::amd
