// Instructions on trial: each runs over many operands, on any architecture, and makes the values
// that a test computes in another way. The values that are expected of one must differ from those
// of all others, which shows that the operands tell them apart.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "assembled.hpp"

namespace isofold::amd::tests {

// ---- Vectors ----

using Expected = std::function<u64(u64 a, u64 b, u64 c)>;
struct Asked {
  // Operands lie in v[2:3], v[4:5], v[6:7], the result in v[8:9], zero before. v1 is the offset of
  // the operands behind s[4:5]; v40 that of 16 bytes of a thread's own behind s[6:7], zeros before.
  std::string text;
  Expected expected;
};

// All pairs of `values`, and a third one.
std::vector<u64> triples(const std::vector<u64>& values);

void compare(const std::vector<Asked>& asked, const std::vector<u64>& from,
             const std::string& architecture = "gfx90a", int scratch_bytes = 0);

// ---- Scalars ----

// An instruction makes these of a, b and c: a value, and the condition SCC, which is c's lowest bit
// before.
struct Made {
  u64 value;
  bool scc;
  bool operator==(const Made& other) const { return value == other.value && scc == other.scc; }
};
using ExpectedScalar = std::function<Made(u64 a, u64 b, u64 c, bool scc)>;
struct AskedScalar {
  // Operands lie in s[8:9], s[10:11], s[12:13], and behind s[4:5]; the result in s[20:21], zero
  // before.
  std::string text;
  ExpectedScalar expected;
};

void compare_scalars(const std::vector<AskedScalar>& asked, std::vector<u64> from,
                     const std::string& architecture = "gfx90a");

}  // namespace isofold::amd::tests
