// Numbers as text: the shortest decimal that reads back as the same bits of its own type, and the
// bits themselves.
#pragma once

#include <string>

#include <isofold/fold.hpp>

namespace cli {

// "0.1", "-0.0", "1e+30", "42", "nan", "inf", "-inf"; complex numbers as Python and NumPy read
// them: "1.5-2.25j", "-0.0+infj".
std::string value_text(isofold::Type type, const void* value);
// The JSON of a value; NaN and infinities are strings, and complex numbers objects of two parts.
std::string value_json(isofold::Type type, const void* value);
// "0x3dcccccd": every digit of the type's width; for complex numbers the two parts, real first:
// "0x3fc00000,0xc0100000".
std::string bits_text(isofold::Type type, const void* value);
// The JSON of these bits.
std::string bits_json(isofold::Type type, const void* value);

}  // namespace cli
