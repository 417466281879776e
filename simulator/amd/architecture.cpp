#include <simulator/amd/architecture.hpp>

namespace isofold::amd {

Architecture architecture_of(const std::string& name) {
  Architecture architecture;
  architecture.name = name;
  if (name == "gfx90a" || name == "gfx940" || name == "gfx942") {
    architecture.packed_thread_ids = true;
    architecture.flat_scratch_by_hardware = name != "gfx90a";
    return architecture;
  }
  architecture.lanes = 32;
  architecture.zero_high_halves = false;
  architecture.separate_store_counter = true;
  if (name == "gfx1030") {
    architecture.generation = 10;
    return architecture;
  }
  if (name == "gfx1100") {
    architecture.generation = 11;
    architecture.packed_thread_ids = true;
    architecture.flat_scratch_by_hardware = true;
    return architecture;
  }
  throw Fault("The interpreter knows gfx90a, gfx940, gfx942, gfx1030 and gfx1100, not " + name +
              ".");
}

}  // namespace isofold::amd
