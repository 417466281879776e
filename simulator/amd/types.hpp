// The numbers that AMD's instructions compute with, by their bits.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

namespace isofold::amd {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using f32 = float;
using f64 = double;

// A half as its bits: what computes with it widens it first.
struct f16 {  // NOLINT(readability-identifier-naming): as f32 and f64 are named
  u16 bits;
};

// One lane's bit of a mask in scalar registers: a condition, a carry.
struct Bit {
  u8 set;
};

// A result, and a bit of a mask beside it: a sum and its carry.
template <class T>
struct Flagged {
  T value;
  u8 flag;
};

template <class To, class From>
inline To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

// Whatever the machine must not do, as a sentence: a wrong program, or an instruction that the
// interpreter does not know.
class Fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr int most_lanes = 64;

}  // namespace isofold::amd
