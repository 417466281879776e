#include "compared.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace isofold::amd::tests {

namespace {

// A thread is a lane of block s2, which has `lanes` of them; `threads` run in all.
std::string prologue_of(u32 lanes, std::size_t threads) {
  return "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_and_b32 v0, 0x3ff, v0\ns_mul_i32 s8, s2, " +
         std::to_string(lanes) +
         "\nv_add_u32 v0, s8, v0\nv_mul_u32_u24 v1, 24, v0\nv_lshlrev_b32 v40, 4, v0\n"
         "v_add_u32 v40, " +
         std::to_string(threads * sizeof(u64)) +
         ", v40\ns_waitcnt lgkmcnt(0)\n"
         "global_load_dwordx2 v[2:3], v1, s[4:5]\nglobal_load_dwordx2 v[4:5], v1, s[4:5] offset:8\n"
         "global_load_dwordx2 v[6:7], v1, s[4:5] offset:16\nv_mov_b32 v8, 0\nv_mov_b32 v9, 0\n"
         "s_waitcnt vmcnt(0)\n";
}
const char* const epilogue = "\nv_lshlrev_b32 v1, 3, v0\nglobal_store_dwordx2 v1, v[8:9], s[6:7]\n";

// A block takes three operands by scalar loads; the last is c, whose lowest bit becomes SCC.
const char* const scalar_prologue =
    "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_mul_i32 s3, s2, 24\n"
    "s_waitcnt lgkmcnt(0)\ns_add_u32 s4, s4, s3\ns_addc_u32 s5, s5, 0\n"
    "s_load_dwordx4 s[8:11], s[4:5], 0x0\ns_load_dwordx2 s[12:13], s[4:5], 0x10\n"
    "s_mov_b64 s[20:21], 0\ns_waitcnt lgkmcnt(0)\ns_bitcmp1_b32 s12, 0\n";
const char* const scalar_epilogue = "\ns_cselect_b32 s22, 1, 0\ns_lshl_b32 s3, s2, 4\n"
                                    "v_mov_b32 v1, s3\nv_mov_b32 v2, s20\nv_mov_b32 v3, s21\n"
                                    "v_mov_b32 v4, s22\nv_mov_b32 v5, 0\n"
                                    "global_store_dwordx4 v1, v[2:5], s[6:7]\n";

}  // namespace

std::vector<u64> triples(const std::vector<u64>& values) {
  std::vector<u64> from;
  Random random(5);
  for (const u64 a : values) {
    for (const u64 b : values) {
      from.insert(from.end(), {a, b, values[random.below(values.size())]});
    }
  }
  while (from.size() % (3 * 64) != 0) {
    from.insert(from.end(), {1, 2, 3});
  }
  return from;
}

void compare(const std::vector<Asked>& asked, const std::vector<u64>& from,
             const std::string& architecture, int scratch_bytes) {
  const u32 threads = static_cast<u32>(architecture_of(architecture).lanes);
  const std::size_t results = from.size() / 3;
  std::vector<Source> sources;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    sources.push_back({"k" + std::to_string(i),
                       prologue_of(threads, results) + asked[i].text + epilogue, 4096, false,
                       scratch_bytes});
  }
  Assembled assembled(sources, architecture);
  std::vector<std::vector<u64>> made;
  std::vector<std::vector<u64>> expected;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    std::vector<u64>& to = made.emplace_back(3 * results);
    assembled.run(sources[i].name, static_cast<u32>(results / threads), threads, from, to);
    to.resize(results);
    expected.emplace_back();
    for (std::size_t k = 0; k < from.size(); k += 3) {
      expected[i].push_back(asked[i].expected(from[k], from[k + 1], from[k + 2]));
    }
  }
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto wrong = std::mismatch(made[i].begin(), made[i].end(), expected[i].begin());
    if (wrong.first != made[i].end()) {
      const u64* const x = &from[static_cast<std::size_t>(wrong.first - made[i].begin()) * 3];
      ADD_FAILURE() << asked[i].text << std::hex << ": of " << x[0] << ", " << x[1] << ", " << x[2]
                    << " it makes " << *wrong.first << ", expected " << *wrong.second;
    }
    for (std::size_t other = 0; other < i; ++other) {
      EXPECT_NE(expected[i], expected[other])
          << "The operands do not tell " << asked[i].text << " from " << asked[other].text;
    }
  }
}

void compare_scalars(const std::vector<AskedScalar>& asked, std::vector<u64> from,
                     const std::string& architecture) {
  const u32 blocks = static_cast<u32>(from.size() / 3);
  from.insert(from.end(), 3, 0);  // wide loads reach beyond the last block's operands
  std::vector<Source> sources;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    sources.push_back({"k" + std::to_string(i), scalar_prologue + asked[i].text + scalar_epilogue});
  }
  Assembled assembled(sources, architecture);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    std::vector<u64> to(u64{blocks} * 2);
    assembled.run(sources[i].name, blocks, 1, from, to);
    const auto differences = [&](const AskedScalar& by, std::string* first) {
      int count = 0;
      for (std::size_t block = 0; block < blocks; ++block) {
        const u64* const x = &from[3 * block];
        const Made made{to[2 * block], to[2 * block + 1] != 0};
        const Made expected = by.expected(x[0], x[1], x[2], x[2] % 2 == 1);
        if (!(made == expected) && count++ == 0) {
          char text[200];
          std::snprintf(
              text, sizeof text, " of %llx, %llx, %llx makes %llx and SCC %d, not %llx and %d",
              static_cast<unsigned long long>(x[0]), static_cast<unsigned long long>(x[1]),
              static_cast<unsigned long long>(x[2]), static_cast<unsigned long long>(made.value),
              made.scc, static_cast<unsigned long long>(expected.value), expected.scc);
          *first = text;
        }
      }
      return count;
    };
    std::string first;
    EXPECT_EQ(0, differences(asked[i], &first)) << asked[i].text << first;
    for (std::size_t other = 0; other < asked.size(); ++other) {
      EXPECT_TRUE(other == i || differences(asked[other], &first) > 0)
          << "The operands do not tell " << asked[i].text << " from " << asked[other].text;
    }
  }
}

}  // namespace isofold::amd::tests
