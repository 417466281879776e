// Numbers for schedules and garbage: the same for the same seed.
#pragma once

#include <simulator/amd/types.hpp>

namespace isofold::amd {

// SplitMix64's finaliser (Steele, Lea, Flood: "Fast splittable pseudorandom number generators",
// 2014).
inline u64 mixed(u64 x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

class Random {
 public:
  explicit Random(u64 seed) : state_(mixed(seed)) {}
  u64 next() { return mixed(state_ += 0x9e3779b97f4a7c15u); }
  u64 below(u64 bound) { return next() % bound; }
  // Fills memory with garbage.
  void fill(void* memory, std::size_t bytes);

 private:
  u64 state_;
};

}  // namespace isofold::amd
