// The facts in which AMD's architectures differ, as far as instructions and the start of a kernel
// show them.
#pragma once

#include <string>

#include <simulator/amd/types.hpp>

namespace isofold::amd {

struct Architecture {
  std::string name;
  int lanes = 64;
  int generation = 9;                   // 9, 10 or 11
  bool zero_high_halves = true;         // results of 16 bits clear the upper half (gfx9) or keep it
  bool separate_store_counter = false;  // stores count in vscnt, from gfx10 on
  bool packed_thread_ids = false;  // v0 holds x, y and z in 10 bits each (gfx90a, gfx940, gfx11)
  bool flat_scratch_by_hardware = false;  // no registers at the start say where scratch memory is
};

// Throws Fault for an architecture that the interpreter was not written for.
Architecture architecture_of(const std::string& name);

}  // namespace isofold::amd
