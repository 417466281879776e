// Numbers as text: the shortest decimal that reads back as the same bits of its own type, and the
// bits themselves.
#pragma once

#include <string>

#include <isofold/fold.hpp>

namespace cli {

// "0.1", "-0.0", "1e+30", "42", "nan", "inf", "-inf".
std::string value_text(isofold::Type type, const void* value);
// The same for JSON, where NaN and infinities are strings.
std::string value_json(isofold::Type type, const void* value);
// "0x3dcccccd": every digit of the type's width.
std::string bits_text(isofold::Type type, const void* value);

}  // namespace cli
