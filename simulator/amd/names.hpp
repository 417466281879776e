// Names of instructions: one for those that differ in encoding alone, and for those that an
// architecture renamed.
#pragma once

#include <string>
#include <vector>

namespace isofold::amd {

// "v_add_nc_u32_e32" of gfx10 is "v_add_u32", "ds_load_b32" of gfx11 "ds_read_b32".
std::string common_name(const std::string& mnemonic);
// The common name of an instruction's text, or both of a dual one.
std::vector<std::string> names_in(const std::string& text);

}  // namespace isofold::amd
