// The interpreter of AMD's machine code: instructions against values computed here in other ways,
// and programs that break each rule that hardware does not tell of.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>

#include "assembled.hpp"
#include "operands.hpp"

namespace isofold::amd::tests {

namespace {

// A thread's three operands lie in v[2:3], v[4:5] and v[6:7]; its result is v[8:9].
const char* const prologue = "s_load_dwordx4 s[4:7], s[0:1], 0x0\n"
                             "v_and_b32 v0, 0x3ff, v0\n"
                             "s_lshl_b32 s8, s2, 6\n"
                             "v_add_u32 v0, s8, v0\n"
                             "v_mul_u32_u24 v1, 24, v0\n"
                             "s_waitcnt lgkmcnt(0)\n"
                             "global_load_dwordx2 v[2:3], v1, s[4:5]\n"
                             "global_load_dwordx2 v[4:5], v1, s[4:5] offset:8\n"
                             "global_load_dwordx2 v[6:7], v1, s[4:5] offset:16\n"
                             "v_mov_b32 v8, 0\nv_mov_b32 v9, 0\n"
                             "s_waitcnt vmcnt(0)\n";
const char* const epilogue = "\nv_lshlrev_b32 v1, 3, v0\nglobal_store_dwordx2 v1, v[8:9], s[6:7]\n";

using Expected = std::function<u64(u64, u64, u64)>;
struct Asked {
  const char* text;
  Expected expected;
};

void compare(const std::vector<Asked>& asked, int kind) {
  const std::vector<u64> values = hostile();
  constexpr u32 blocks = 50;
  constexpr u32 threads = 64;
  std::vector<u64> from;
  Random random(7);
  for (u64 i = 0; i < u64{blocks} * threads; ++i) {
    from.push_back(values[i % values.size()]);
    from.push_back(values[i / values.size() % values.size()]);
    from.push_back(values[random.below(values.size())]);
  }
  std::vector<Source> sources;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    sources.push_back({"k" + std::to_string(i), std::string(prologue) + asked[i].text + epilogue});
  }
  Assembled assembled(sources);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    std::vector<u64> to(u64{blocks} * threads);
    assembled.run(sources[i].name, blocks, threads, from, to);
    int different = 0;
    for (std::size_t thread = 0; thread < to.size() && different < 3; ++thread) {
      const u64 a = from[thread * 3];
      const u64 b = from[thread * 3 + 1];
      const u64 c = from[thread * 3 + 2];
      u64 got = to[thread];
      got = kind == 32 ? number(as_f32(got)) : kind == 64 ? number(as_f64(got)) : got;
      const u64 expected = asked[i].expected(a, b, c);
      if (got != expected) {
        ++different;
        ADD_FAILURE() << asked[i].text << std::hex << ": of " << a << ", " << b << ", " << c
                      << " it makes " << got << ", expected " << expected;
      }
    }
  }
}

TEST(Instructions, Integers) {
  compare(
      {
          {"v_add_u32 v8, v2, v4", [](u64 a, u64 b, u64) { return wide(low(a + b)); }},
          {"v_sub_u32 v8, v2, v4", [](u64 a, u64 b, u64) { return wide(low(a - b)); }},
          {"v_subrev_u32 v8, v2, v4", [](u64 a, u64 b, u64) { return wide(low(b - a)); }},
          {"v_sub_u32_e64 v8, v2, v4 clamp",
           [](u64 a, u64 b, u64) { return wide(low(a) < low(b) ? 0 : low(a - b)); }},
          {"v_add_co_u32 v8, vcc, v2, v4\nv_addc_co_u32 v9, vcc, v3, v5, vcc",
           [](u64 a, u64 b, u64) { return a + b; }},
          {"v_sub_co_u32 v8, vcc, v2, v4\nv_subb_co_u32 v9, vcc, v3, v5, vcc",
           [](u64 a, u64 b, u64) { return a - b; }},
          {"v_subrev_co_u32 v8, vcc, v2, v4\nv_subbrev_co_u32 v9, vcc, v3, v5, vcc",
           [](u64 a, u64 b, u64) { return b - a; }},
          {"v_add3_u32 v8, v2, v4, v6", [](u64 a, u64 b, u64 c) { return wide(low(a + b + c)); }},
          {"v_xad_u32 v8, v2, v4, v6", [](u64 a, u64 b, u64 c) { return wide(low((a ^ b) + c)); }},
          {"v_mul_lo_u32 v8, v2, v4\nv_mul_hi_u32 v9, v2, v4",
           [](u64 a, u64 b, u64) { return u64{low(a)} * low(b); }},
          {"v_mul_lo_u32 v8, v2, v4\nv_mul_hi_i32 v9, v2, v4",
           [](u64 a, u64 b, u64) {
             return static_cast<u64>(i64{static_cast<i32>(low(a))} * static_cast<i32>(low(b)));
           }},
          {"v_mad_u64_u32 v[8:9], s[10:11], v2, v4, v[6:7]",
           [](u64 a, u64 b, u64 c) { return u64{low(a)} * low(b) + c; }},
          {"v_mad_u64_u32 v[10:11], vcc, v2, v4, v[6:7]\nv_cndmask_b32 v8, 0, 1, vcc",
           [](u64 a, u64 b, u64 c) {
             const u64 product = u64{low(a)} * low(b);
             return u64{c > ~u64{0} - product};
           }},
          {"v_mad_i64_i32 v[8:9], s[10:11], v2, v4, v[6:7]",
           [](u64 a, u64 b, u64 c) {
             return static_cast<u64>(i64{static_cast<i32>(low(a))} * static_cast<i32>(low(b))) + c;
           }},
          {"v_mul_u32_u24 v8, v2, v4",
           [](u64 a, u64 b, u64) { return wide(low((a % 16777216) * (b % 16777216))); }},
          {"v_mad_u32_u24 v8, v2, v4, v6",
           [](u64 a, u64 b, u64 c) { return wide(low((a % 16777216) * (b % 16777216) + c)); }},
          {"v_mad_i32_i24 v8, v2, v4, v6",
           [](u64 a, u64 b, u64 c) {
             const auto cut = [](u64 x) { return static_cast<i64>(x << 40) / (i64{1} << 40); };
             return wide(low(static_cast<u64>(cut(a) * cut(b)) + c));
           }},
          {"v_and_or_b32 v8, v2, v4, v6",
           [](u64 a, u64 b, u64 c) { return wide(low((a & b) | c)); }},
          {"v_or3_b32 v8, v2, v4, v6", [](u64 a, u64 b, u64 c) { return wide(low(a | b | c)); }},
          {"v_xnor_b32 v8, v2, v4", [](u64 a, u64 b, u64) { return wide(~low(a ^ b)); }},
          {"v_lshl_add_u32 v8, v2, v4, v6",
           [](u64 a, u64 b, u64 c) { return wide(low((u64{low(a)} << b % 32) + c)); }},
          {"v_lshl_or_b32 v8, v2, v4, v6",
           [](u64 a, u64 b, u64 c) { return wide(low((u64{low(a)} << b % 32) | c)); }},
          {"v_add_lshl_u32 v8, v2, v4, v6",
           [](u64 a, u64 b, u64 c) { return wide(low((a + b) << c % 32)); }},
          {"v_bfe_u32 v8, v2, v4, v6",
           [](u64 a, u64 b, u64 c) {
             return wide(low(low(a) / (u64{1} << b % 32) % (u64{1} << c % 32)));
           }},
          {"v_bfe_i32 v8, v2, v4, v6",
           [](u64 a, u64 b, u64 c) {
             const u32 width = c % 32;
             i64 field = 0;  // bit by bit, the highest one negative
             for (u32 bit = 0; bit < width; ++bit) {
               const u64 place = b % 32 + bit;
               const i64 set = static_cast<i64>(place < 32 ? low(a) >> place & 1 : low(a) >> 31);
               field += (bit + 1 == width ? -set : set) * (i64{1} << bit);
             }
             return wide(low(static_cast<u64>(field)));
           }},
          {"v_bfm_b32 v8, v2, v4",
           [](u64 a, u64 b, u64) { return wide(low(((u64{1} << a % 32) - 1) << b % 32)); }},
          {"v_bfrev_b32 v8, v2",
           [](u64 a, u64, u64) {
             u32 turned = 0;
             for (u32 bit = 0; bit < 32; ++bit) {
               turned |= (low(a) >> bit & 1) << (31 - bit);
             }
             return wide(turned);
           }},
          {"v_bcnt_u32_b32 v8, v2, v4",
           [](u64 a, u64 b, u64) {
             return wide(static_cast<u32>(__builtin_popcountll(low(a))) + low(b));
           }},
          {"v_alignbit_b32 v8, v2, v4, v6",
           [](u64 a, u64 b, u64 c) { return wide(low((a << 32 | low(b)) >> c % 32)); }},
          {"v_perm_b32 v8, v2, v4, v6",
           [](u64 a, u64 b, u64 c) {
             // Bytes 0 to 3 are of b, 4 to 7 of a; beyond stand signs of halves, zero, ones.
             u8 bytes[8];
             const u32 words[2] = {low(b), low(a)};
             std::memcpy(bytes, words, 8);
             u32 result = 0;
             for (u32 i = 0; i < 4; ++i) {
               const u32 choice = low(c) >> 8 * i & 0xff;
               const u32 byte = choice <= 7                                     ? bytes[choice]
                                : choice <= 11 && bytes[2 * choice - 15] >= 128 ? 0xffu
                                : choice <= 12                                  ? 0u
                                                                                : 0xffu;
               result += byte << 8 * i;
             }
             return wide(result);
           }},
          {"v_lshlrev_b32 v8, v2, v4", [](u64 a, u64 b, u64) { return wide(low(b << a % 32)); }},
          {"v_lshrrev_b32 v8, v2, v4", [](u64 a, u64 b, u64) { return wide(low(b) >> a % 32); }},
          {"v_ashrrev_i32 v8, v2, v4",
           [](u64 a, u64 b, u64) {
             return wide(low(static_cast<u64>(i64{static_cast<i32>(low(b))} >> a % 32)));
           }},
          {"v_lshlrev_b64 v[8:9], v2, v[4:5]", [](u64 a, u64 b, u64) { return b << a % 64; }},
          {"v_lshrrev_b64 v[8:9], v2, v[4:5]", [](u64 a, u64 b, u64) { return b >> a % 64; }},
          {"v_ashrrev_i64 v[8:9], v2, v[4:5]",
           [](u64 a, u64 b, u64) { return static_cast<u64>(static_cast<i64>(b) >> a % 64); }},
          {"v_mov_b32 v8, -1\nv_lshlrev_b16 v8, v2, v4",
           [](u64 a, u64 b, u64) { return wide(low(b << a % 16) % 65536); }},
          {"v_mov_b32 v8, -1\nv_add_u16 v8, v2, v4",
           [](u64 a, u64 b, u64) { return wide(low(a + b) % 65536); }},
          {"v_mov_b32 v8, -1\nv_sub_u16 v8, v2, v4",
           [](u64 a, u64 b, u64) { return wide(low(a - b) % 65536); }},
          {"v_bfi_b32 v8, v2, v4, v6",
           [](u64 a, u64 b, u64 c) {
             u32 mixed = 0;
             for (u32 bit = 0; bit < 32; ++bit) {
               mixed |= low((a >> bit & 1) != 0 ? b : c) & u32{1} << bit;
             }
             return wide(mixed);
           }},
          {"v_ffbh_u32 v8, v2",
           [](u64 a, u64, u64) {
             u32 zeros = 0;
             while (zeros < 32 && (low(a) >> (31 - zeros) & 1) == 0) {
               ++zeros;
             }
             return wide(zeros < 32 ? zeros : 0xffffffff);
           }},
          {"v_med3_i32 v8, v2, v4, v6",
           [](u64 a, u64 b, u64 c) {
             i32 sorted[3] = {static_cast<i32>(low(a)), static_cast<i32>(low(b)),
                              static_cast<i32>(low(c))};
             std::sort(sorted, sorted + 3);
             return wide(static_cast<u32>(sorted[1]));
           }},
          {"v_min_i32 v8, v2, v4\nv_max_i32 v9, v2, v4",
           [](u64 a, u64 b, u64) {
             const i32 x = static_cast<i32>(low(a));
             const i32 y = static_cast<i32>(low(b));
             return wide(static_cast<u32>(x < y ? x : y), static_cast<u32>(x < y ? y : x));
           }},
          {"v_min3_i32 v8, v2, v4, v6\nv_min_u32 v9, v2, v4",
           [](u64 a, u64 b, u64 c) {
             const i32 least = std::min(
                 {static_cast<i32>(low(a)), static_cast<i32>(low(b)), static_cast<i32>(low(c))});
             return wide(static_cast<u32>(least), low(a) < low(b) ? low(a) : low(b));
           }},
          {"v_cmp_lt_i64 vcc, v[2:3], v[4:5]\nv_cndmask_b32 v8, 0, 1, vcc",
           [](u64 a, u64 b, u64) { return u64{static_cast<i64>(a) < static_cast<i64>(b)}; }},
          {"v_cmp_le_u64 vcc, v[2:3], v[4:5]\nv_cndmask_b32 v8, 0, 1, vcc",
           [](u64 a, u64 b, u64) { return u64{a <= b}; }},
          {"v_cmp_gt_u16 vcc, v2, v4\nv_cndmask_b32 v8, 0, 1, vcc",
           [](u64 a, u64 b, u64) { return u64{a % 65536 > b % 65536}; }},
          {"v_add_u32_sdwa v8, sext(v2), v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 "
           "src1_sel:BYTE_3",
           [](u64 a, u64 b, u64) {
             return wide(low(static_cast<u64>(static_cast<i16>(a))) + (low(b) >> 24));
           }},
          {"v_mov_b32 v8, v6\nv_or_b32_sdwa v8, v2, v4 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE "
           "src0_sel:DWORD "
           "src1_sel:DWORD",
           [](u64 a, u64 b, u64 c) { return wide((low(a | b) << 16) | (low(c) % 65536)); }},
          {"v_pk_mov_b32 v[8:9], v[2:3], v[4:5] op_sel:[1,0]",
           [](u64 a, u64 b, u64) { return wide(low(a >> 32), low(b)); }},
      },
      0);
}

f32 sum_f32(f32 a, f32 b) {
  volatile f32 x = a;
  return x + b;
}

TEST(Instructions, Floats32) {
  compare(
      {
          {"v_add_f32 v8, v2, v4",
           [](u64 a, u64 b, u64) { return number(sum_f32(as_f32(a), as_f32(b))); }},
          {"v_sub_f32 v8, v2, v4",
           [](u64 a, u64 b, u64) { return number(sum_f32(as_f32(a), -as_f32(b))); }},
          {"v_mul_f32 v8, v2, v4",
           // Exact in f64 but for subnormal results, where one rounding is one: 48 bits fit.
           [](u64 a, u64 b, u64) { return number(static_cast<f32>(f64{as_f32(a)} * as_f32(b))); }},
          {"v_fma_f32 v8, v2, v4, -v6",
           [](u64 a, u64 b, u64 c) { return number(std::fma(as_f32(a), as_f32(b), -as_f32(c))); }},
          {"v_mov_b32 v8, v6\nv_fmac_f32 v8, v2, v4",
           [](u64 a, u64 b, u64 c) { return number(std::fma(as_f32(a), as_f32(b), as_f32(c))); }},
          {"v_pk_add_f32 v[8:9], v[2:3], v[4:5] op_sel_hi:[1,0] neg_lo:[0,1]\nv_mov_b32 v9, 0",
           [](u64 a, u64 b, u64) { return number(sum_f32(as_f32(a), -as_f32(b))); }},
          {"v_pk_mul_f32 v[10:11], v[2:3], v[4:5] op_sel_hi:[0,1]\nv_mov_b32 v8, v11",
           [](u64 a, u64 b, u64) { return number(as_f32(a) * as_f32(b >> 32)); }},
          {"v_trunc_f32 v8, v2", [](u64 a, u64, u64) { return number(std::trunc(as_f32(a))); }},
          {"v_cvt_f32_u32 v8, v2",
           [](u64 a, u64, u64) { return number(static_cast<f32>(low(a))); }},
          {"v_cvt_f32_i32 v8, v2",
           [](u64 a, u64, u64) { return number(static_cast<f32>(static_cast<i32>(low(a)))); }},
          // A division as LLVM expands it.
          {"v_div_scale_f32 v10, s[10:11], v4, v4, v2\nv_div_scale_f32 v11, vcc, v2, v4, "
           "v2\nv_rcp_f32 v12, v10\n"
           "v_fma_f32 v13, -v10, v12, 1.0\nv_fma_f32 v12, v13, v12, v12\nv_mul_f32 v13, v11, v12\n"
           "v_fma_f32 v14, -v10, v13, v11\nv_fma_f32 v13, v14, v12, v13\nv_fma_f32 v10, -v10, v13, "
           "v11\n"
           "v_div_fmas_f32 v10, v10, v12, v13\nv_div_fixup_f32 v8, v10, v4, v2",
           [](u64 a, u64 b, u64) { return number(as_f32(a) / as_f32(b)); }},
          {"v_min_f32 v8, v2, v4",
           [](u64 a, u64 b, u64) {
             const f32 x = as_f32(a);
             const f32 y = as_f32(b);
             const auto signals = [](f32 z) { return z != z && (bits_as<u32>(z) >> 22 & 1) == 0; };
             return signals(x) || signals(y) ? number(x * y + NAN)
                    : x == y && x == 0.0f    ? number(std::signbit(x) ? x : y)
                                             : number(std::fmin(x, y));
           }},
      },
      32);
}

TEST(Instructions, Floats64) {
  compare(
      {
          {"v_add_f64 v[8:9], v[2:3], v[4:5]",
           [](u64 a, u64 b, u64) { return number(as_f64(a) + as_f64(b)); }},
          {"v_add_f64 v[8:9], v[2:3], -|v[4:5]|",
           [](u64 a, u64 b, u64) { return number(as_f64(a) - std::fabs(as_f64(b))); }},
          {"v_mul_f64 v[8:9], v[2:3], v[4:5]",
           [](u64 a, u64 b, u64) { return number(as_f64(a) * as_f64(b)); }},
          {"v_fma_f64 v[8:9], v[2:3], v[4:5], v[6:7]",
           [](u64 a, u64 b, u64 c) { return number(std::fma(as_f64(a), as_f64(b), as_f64(c))); }},
          {"v_cvt_f64_f32 v[8:9], v2",
           [](u64 a, u64, u64) { return number(static_cast<f64>(as_f32(a))); }},
          {"v_cvt_f64_u32 v[8:9], v2",
           [](u64 a, u64, u64) { return number(static_cast<f64>(low(a))); }},
          {"v_ldexp_f64 v[8:9], v[2:3], v4",
           [](u64 a, u64 b, u64) {
             return number(std::ldexp(as_f64(a), static_cast<i32>(low(b))));
           }},
          {"v_div_scale_f64 v[10:11], s[10:11], v[4:5], v[4:5], v[2:3]\n"
           "v_rcp_f64 v[14:15], v[10:11]\n"
           "v_fma_f64 v[16:17], -v[10:11], v[14:15], 1.0\nv_fma_f64 v[14:15], v[14:15], v[16:17], "
           "v[14:15]\n"
           "v_fma_f64 v[16:17], -v[10:11], v[14:15], 1.0\nv_fma_f64 v[14:15], v[14:15], v[16:17], "
           "v[14:15]\n"
           "v_div_scale_f64 v[12:13], vcc, v[2:3], v[4:5], v[2:3]\n"
           "v_mul_f64 v[16:17], v[12:13], v[14:15]\nv_fma_f64 v[18:19], -v[10:11], v[16:17], "
           "v[12:13]\n"
           "v_div_fmas_f64 v[18:19], v[18:19], v[14:15], v[16:17]\n"
           "v_div_fixup_f64 v[8:9], v[18:19], v[4:5], v[2:3]",
           [](u64 a, u64 b, u64) { return number(as_f64(a) / as_f64(b)); }},
      },
      64);
}

TEST(Instructions, LocalMemoryAndLanes) {
  const std::vector<Asked> asked = {
      // Odd addresses, pieces of a register, and lanes that are switched off.
      {"v_mul_u32_u24 v10, 12, v0\nv_and_b32 v10, 0x3ff, v10\nv_mov_b32 v11, 0\n"
       "ds_write_b64 v10, v[2:3] offset:1\ns_waitcnt lgkmcnt(0)\nds_read_u8 v8, v10 "
       "offset:3\nds_read_i8 v9, v10 offset:8\n"
       "s_waitcnt lgkmcnt(0)",
       [](u64 a, u64, u64) {
         return wide(low(a) >> 16 & 0xff,
                     low(static_cast<u64>(i64{static_cast<signed char>(a >> 56)})));
       }},
      {"v_lshlrev_b32 v10, 4, v0\nv_and_b32 v10, 0x3ff, v10\nds_write2_b32 v10, v2, v4 "
       "offset1:2\ns_waitcnt lgkmcnt(0)\n"
       "ds_read2_b32 v[8:9], v10 offset0:2 offset1:0\ns_waitcnt lgkmcnt(0)",
       [](u64 a, u64 b, u64) { return wide(low(b), low(a)); }},
  };
  compare(asked, 0);

  // Lane i of 64 reads from lane i xor 5; with odd lanes switched off their values are zeros.
  Assembled assembled(
      {{"exchange",
        std::string(prologue) +
            "v_and_b32 v10, 63, v0\nv_xor_b32 v10, 5, v10\nv_lshlrev_b32 v10, 2, v10\n"
            "ds_bpermute_b32 v8, v10, v2\ns_waitcnt lgkmcnt(0)\n"
            "s_mov_b32 s12, 0x55555555\ns_mov_b32 s13, 0x55555555\n"
            "s_mov_b64 s[14:15], exec\ns_mov_b64 exec, s[12:13]\n"
            "ds_bpermute_b32 v9, v10, v2\ns_waitcnt lgkmcnt(0)\ns_mov_b64 exec, s[14:15]" +
            epilogue},
       {"dpp",
        std::string(prologue) +
            "s_nop 1\nv_mov_b32_dpp v8, v2 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0\n"
            "v_mov_b32_dpp v9, v2 row_shr:1 row_mask:0xd bank_mask:0xf" +
            epilogue}});
  std::vector<u64> from(64 * 3);
  for (u64 lane = 0; lane < 64; ++lane) {
    from[lane * 3] = 1000 + lane;
  }
  std::vector<u64> to(64);
  assembled.run("exchange", 1, 64, from, to);
  for (u64 lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(low(to[lane]), 1000 + (lane ^ 5));
    EXPECT_EQ(to[lane] >> 32,
              0u);  // an even lane reads from an odd one, which is off, and an odd one not at all
  }
  assembled.run("dpp", 1, 64, from, to);
  for (u64 lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(low(to[lane]), lane % 16 == 0 ? 0 : 999 + lane);
    EXPECT_EQ(to[lane] >> 32, lane % 16 == 0 || lane / 16 == 1 ? 0 : 999 + lane);
  }
}

// Programs that hardware runs without a word.
TEST(Strictness, EachRuleHasAProgramThatBreaksIt) {
  const std::string start = prologue;
  Assembled assembled({
      {"unwaited_load",
       "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_lshlrev_b32 v1, 3, v0\ns_waitcnt lgkmcnt(0)\n"
       "global_load_dword v2, v1, s[4:5]\nv_add_u32 v3, v2, v2"},
      {"overwritten_load",
       "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_lshlrev_b32 v1, 3, v0\ns_waitcnt lgkmcnt(0)\n"
       "global_load_dword v2, v1, s[4:5]\nv_mov_b32 v2, 0"},
      {"unwaited_scalar", "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_add_u32 s8, s4, 1"},
      {"unwaited_local",
       "v_mov_b32 v1, 0\nds_read_b32 v2, v1\ns_waitcnt vmcnt(0)\nv_mov_b32 v3, v2"},
      {"waits_for_too_few",
       "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_lshlrev_b32 v1, 3, v0\ns_waitcnt lgkmcnt(0)\n"
       "global_load_dword v2, v1, s[4:5]\nglobal_load_dword v3, v1, s[4:5]\ns_waitcnt vmcnt(1)\n"
       "v_mov_b32 v4, v2\nv_mov_b32 v5, v3"},
      {"behind_the_end", start + "global_store_dwordx2 v1, v[8:9], s[6:7]"},
      {"read_only", start + "global_store_dwordx2 v1, v[8:9], s[4:5]"},
      {"behind_local", "v_mov_b32 v1, 0xffd\nds_write_b32 v1, v1"},
      {"divergent_lanes", "s_mov_b64 exec, 0xff\ns_barrier"},
      {"divergent_waves",
       "s_nop 0\nv_readfirstlane_b32 s8, v0\ns_cmp_eq_u32 s8, 0\ns_cbranch_scc1 1\ns_barrier"},
      {"wrong_aperture", "s_getreg_b32 s8, hwreg(HW_REG_SH_MEM_BASES, 0, 16)\ns_lshl_b32 s8, s8, "
                         "16\nv_mov_b32 v2, 64\n"
                         "v_mov_b32 v3, s8\nflat_store_dword v[2:3], v2"},
      {"unknown", "v_sad_u8 v1, v1, v1, v1"},
      {"rounding", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3"},
  });
  const auto refused = [&](const char* kernel, const char* with, u32 threads = 64) {
    const std::string said = assembled.fault(kernel, 1, threads);
    EXPECT_NE(said.find(with), std::string::npos) << kernel << ": " << said;
  };
  refused("unwaited_load", "v2 is read before the load into it was waited for");
  refused("overwritten_load", "v2 is written before the load into it was waited for");
  refused("unwaited_scalar", "s4 is read before");
  refused("unwaited_local", "v2 is read before");
  refused("waits_for_too_few", "v_mov_b32_e32 v5, v3");
  refused("behind_the_end", "it lies in no allocation");
  refused("read_only", "which may only be read");
  refused("behind_local", "of LDS, of which the block has 4096");
  refused("divergent_lanes", "EXEC leaves out lanes");
  refused("divergent_waves", "The barrier is divergent: 1 waves wait at it, 1 have ended", 128);
  refused("wrong_aperture", "of scratch memory, of which a lane has 0");
  refused("unknown", "does not know the instruction v_sad_u8");
  refused("rounding", "changes the rounding mode");
}

// Runs with several seeds; true if the results are `expected` each time.
bool always(Assembled& assembled, const char* kernel, u32 blocks, u32 threads,
            const std::vector<u64>& from, const std::vector<u64>& expected) {
  for (u64 seed = 1; seed <= 1000; ++seed) {
    Settings settings;
    settings.seed = seed;
    settings.most_instructions = 4;
    settings.defer_of_16 = 8;
    std::vector<u64> to(expected.size());
    assembled.run(kernel, blocks, threads, from, to, settings);
    if (to != expected) {
      return false;
    }
  }
  return true;
}

// Two waves exchange their values in LDS; without barrier, or a wait before it, a seed shows
// another result.
TEST(Strictness, RacesShow) {
  const auto exchange = [](const char* between) {
    return "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_and_b32 v0, 0x3ff, v0\nv_lshlrev_b32 v1, 3, v0\n"
           "v_mul_u32_u24 v4, 24, v0\ns_waitcnt lgkmcnt(0)\nglobal_load_dwordx2 v[2:3], v4, "
           "s[4:5]\ns_waitcnt vmcnt(0)\n"
           "ds_write_b64 v1, v[2:3]\n" +
           std::string(between) +
           "v_xor_b32 v5, 0x200, v1\nds_read_b64 v[8:9], v5\ns_waitcnt lgkmcnt(0)\n"
           "global_store_dwordx2 v1, v[8:9], s[6:7]";
  };
  Assembled assembled({{"right", exchange("s_waitcnt lgkmcnt(0)\ns_barrier\n")},
                       {"no_barrier", exchange("s_waitcnt lgkmcnt(0)\n")},
                       {"no_wait", exchange("s_barrier\n")}});
  std::vector<u64> from(128 * 3);
  std::vector<u64> expected(128);
  for (u64 thread = 0; thread < 128; ++thread) {
    from[thread * 3] = thread * thread + 1;
    expected[thread ^ 64] = thread * thread + 1;
  }
  EXPECT_TRUE(always(assembled, "right", 1, 128, from, expected));
  EXPECT_FALSE(always(assembled, "no_barrier", 1, 128, from, expected));
  EXPECT_FALSE(always(assembled, "no_wait", 1, 128, from, expected));
}

// Blocks store a number each and count; the last one adds what all have stored. All have read the
// numbers before, so without the fence behind the count the last block has old ones in its cache;
// without the wait before it a number may not have been stored yet.
TEST(Strictness, MissingFencesShow) {
  struct Fences {
    const char* architecture;
    const char* mask;  // EXEC, VCC and the suffix of instructions on them
    const char* old_value;
    const char* release;
    const char* no_release;
    const char* acquire;
  };
  const Fences all[] = {
      {"gfx90a", "b64 exec, ", "glc", "s_waitcnt vmcnt(0)\n", "", "buffer_wbinvl1_vol\n"},
      {"gfx940", "b64 exec, ", "sc0", "buffer_wbl2 sc1\ns_waitcnt vmcnt(0)\n", "buffer_wbl2 sc1\n",
       "buffer_inv sc1\n"},
      // A wait for loads is none for stores there.
      {"gfx1100", "b32 exec_lo, ", "glc", "s_waitcnt_vscnt null, 0x0\n", "s_waitcnt vmcnt(0)\n",
       "buffer_gl0_inv\n"}};
  for (const Fences& fences : all) {
    const auto last_block = [&](const char* release, const char* acquire) {
      const std::string mask = fences.mask;
      return "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_lshl_b32 s8, s2, 3\nv_mov_b32 v1, s8\n"
             "v_mov_b32 v10, 0\ns_waitcnt lgkmcnt(0)\nglobal_load_dwordx2 v[2:3], v10, s[6:7]\n"
             "global_load_dwordx2 v[4:5], v10, s[6:7] offset:8\ns_waitcnt vmcnt(0)\n"
             "s_add_u32 s9, s2, 41\nv_mov_b32 v2, s9\nv_mov_b32 v3, 0\nv_mov_b32 v11, 1\n"
             "s_mov_" +
             mask + "1\nglobal_store_dwordx2 v1, v[2:3], s[6:7]\n" + release +
             "global_atomic_add v12, v10, v11, s[6:7] offset:256 " + fences.old_value +
             "\ns_waitcnt vmcnt(0)\n" + acquire + "v_cmp_eq_u32 vcc, 1, v12\ns_and_" + mask +
             mask.substr(4) +
             "vcc\nglobal_load_dwordx2 v[2:3], v10, s[6:7]\n"
             "global_load_dwordx2 v[4:5], v10, s[6:7] offset:8\ns_waitcnt vmcnt(0)\n"
             "v_add_u32 v2, v2, v4\nglobal_store_dwordx2 v10, v[2:3], s[6:7] offset:384";
    };
    Assembled assembled({{"right", last_block(fences.release, fences.acquire)},
                         {"no_release", last_block(fences.no_release, fences.acquire)},
                         {"no_acquire", last_block(fences.release, "")}},
                        fences.architecture);
    const u32 threads = static_cast<u32>(architecture_of(fences.architecture).lanes);
    const std::vector<u64> from(2 * 3);
    std::vector<u64> expected(64);
    expected[0] = 41;
    expected[1] = 42;
    expected[32] = 2;
    expected[48] = 83;
    EXPECT_TRUE(always(assembled, "right", 2, threads, from, expected)) << fences.architecture;
    EXPECT_FALSE(always(assembled, "no_release", 2, threads, from, expected))
        << fences.architecture;
    EXPECT_FALSE(always(assembled, "no_acquire", 2, threads, from, expected))
        << fences.architecture;
  }
}

// A register that nothing set holds another number for another seed; so does LDS.
TEST(Strictness, UnsetValuesAreGarbage) {
  Assembled assembled(
      {{"registers", std::string(prologue) + "v_mov_b32 v8, v20" + epilogue},
       {"local", std::string(prologue) +
                     "v_mov_b32 v10, 0\nds_read_b64 v[8:9], v10\ns_waitcnt lgkmcnt(0)" +
                     epilogue}});
  const std::vector<u64> from(64 * 3);
  for (const char* kernel : {"registers", "local"}) {
    std::vector<u64> to[2] = {std::vector<u64>(64), std::vector<u64>(64)};
    for (u64 seed = 0; seed < 2; ++seed) {
      Settings settings;
      settings.seed = seed + 1;
      assembled.run(kernel, 1, 64, from, to[seed], settings);
    }
    EXPECT_NE(to[0], to[1]) << kernel;
  }
}

// Subnormal numbers are flushed if the descriptor says so.
TEST(Strictness, FlushingShows) {
  Assembled assembled(
      {{"kept", std::string(prologue) + "v_add_f32 v8, v2, v4" + epilogue},
       {"flushed", std::string(prologue) + "v_add_f32 v8, v2, v4" + epilogue, 4096, true}});
  const std::vector<u64> from(64 * 3, 3);  // 3 units of the least subnormal
  std::vector<u64> to(64);
  assembled.run("kept", 1, 64, from, to);
  EXPECT_EQ(to[0], 6u);
  assembled.run("flushed", 1, 64, from, to);
  EXPECT_EQ(to[0], 0u);
}

// When all tests have run, ISOFOLD_AMD_ASKED gets the names of the instructions that were in them,
// for amd_decode_all.
class AskedInstructions : public testing::Environment {
 public:
  void TearDown() override {
    const char* const path = std::getenv("ISOFOLD_AMD_ASKED");
    const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
    if (path == nullptr || tests.test_to_run_count() != tests.total_test_count()) {
      return;
    }
    std::ofstream file(path);
    for (const std::string& name : asked_instructions()) {
      file << name << '\n';
    }
    EXPECT_TRUE(file.good()) << path;
  }
};
const testing::Environment* const asked_instructions_to_file =
    testing::AddGlobalTestEnvironment(new AskedInstructions);

}  // namespace

}  // namespace isofold::amd::tests
