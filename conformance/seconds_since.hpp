// How long a part of a run took.
#pragma once

#include <chrono>

namespace isofold::conformance {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace isofold::conformance
