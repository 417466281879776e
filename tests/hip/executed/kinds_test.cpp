// The interpreter of AMD's machine code: kinds of instructions that interpreter_test.cpp does not
// ask, against values computed in other ways.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "compared.hpp"
#include "operands.hpp"

namespace isofold::amd::tests {

namespace {

__extension__ using i128 = __int128;

// ---- Scalar arithmetic ----

i64 sign_of(u64 x) { return static_cast<i32>(low(x)); }
// The lowest `bits` of x, bit by bit; with its sign, the highest of them counts negatively.
u64 cut(u64 x, u32 offset, u32 bits, u32 of, bool with_sign) {
  i128 sum = 0;
  for (u32 bit = 0; bit < bits && offset + bit < of; ++bit) {
    const bool last = bit + 1 == bits || offset + bit + 1 == of;
    const i128 place = static_cast<i128>(x >> (offset + bit) & 1) << bit;
    sum += with_sign && last ? -place : place;
  }
  return static_cast<u64>(sum);
}

ExpectedScalar keeping(std::function<u64(u64, u64, u64)> value) {
  return [value](u64 a, u64 b, u64 c, bool scc) { return Made{value(a, b, c), scc}; };
}
ExpectedScalar judged32(std::function<u64(u64, u64)> value) {
  return [value](u64 a, u64 b, u64, bool) {
    const u64 made = value(a, b) % (u64{1} << 32);
    return Made{made, made != 0};
  };
}
ExpectedScalar judged64(std::function<u64(u64, u64)> value) {
  return [value](u64 a, u64 b, u64, bool) { return Made{value(a, b), value(a, b) != 0}; };
}
ExpectedScalar compared(std::function<bool(u64, u64)> value) {
  return [value](u64 a, u64 b, u64, bool) { return Made{0, value(a, b)}; };
}
// The sum of exact numbers, as 32 bits, with SCC if it lies outside of [least, most].
Made ranged(i64 sum, i64 least, i64 most) {
  return {static_cast<u64>(sum) % (u64{1} << 32), sum < least || sum > most};
}
Made unsigned_sum(i64 sum) { return ranged(sum, 0, 0xffffffff); }
Made signed_sum(i64 sum) { return ranged(sum, -i64{0x80000000}, 0x7fffffff); }

std::vector<AskedScalar> scalars() {
  const auto l = [](u64 x) { return static_cast<i64>(low(x)); };
  std::vector<AskedScalar> asked{
      {"s_mov_b32 s20, s8", keeping([](u64 a, u64, u64) { return u64{low(a)}; })},
      {"s_mov_b64 s[20:21], s[8:9]", keeping([](u64 a, u64, u64) { return a; })},
      {"s_movk_i32 s20, 0x8001", keeping([](u64, u64, u64) { return u64{0xffff8001}; })},
      {"s_cselect_b32 s20, s8, s10",
       [](u64 a, u64 b, u64, bool scc) {
         return Made{low(scc ? a : b), scc};
       }},
      {"s_cselect_b64 s[20:21], s[8:9], s[10:11]",
       [](u64 a, u64 b, u64, bool scc) {
         return Made{scc ? a : b, scc};
       }},
      {"s_cmov_b32 s20, s8",
       [](u64 a, u64, u64, bool scc) {
         return Made{scc ? low(a) : 0u, scc};
       }},
      {"s_cmov_b64 s[20:21], s[8:9]",
       [](u64 a, u64, u64, bool scc) {
         return Made{scc ? a : 0, scc};
       }},
      {"s_add_u32 s20, s8, s10",
       [l](u64 a, u64 b, u64, bool) { return unsigned_sum(l(a) + l(b)); }},
      {"s_sub_u32 s20, s8, s10",
       [l](u64 a, u64 b, u64, bool) { return unsigned_sum(l(a) - l(b)); }},
      {"s_addc_u32 s20, s8, s10",
       [l](u64 a, u64 b, u64, bool scc) { return unsigned_sum(l(a) + l(b) + (scc ? 1 : 0)); }},
      {"s_subb_u32 s20, s8, s10",
       [l](u64 a, u64 b, u64, bool scc) { return unsigned_sum(l(a) - l(b) - (scc ? 1 : 0)); }},
      {"s_add_i32 s20, s8, s10",
       [](u64 a, u64 b, u64, bool) { return signed_sum(sign_of(a) + sign_of(b)); }},
      {"s_sub_i32 s20, s8, s10",
       [](u64 a, u64 b, u64, bool) { return signed_sum(sign_of(a) - sign_of(b)); }},
      {"s_mov_b32 s20, s8\ns_addk_i32 s20, 0x8001",
       [](u64 a, u64, u64, bool) { return signed_sum(sign_of(a) - 32767); }},
      {"s_mov_b32 s20, s8\ns_mulk_i32 s20, 0xfffe",
       keeping([](u64 a, u64, u64) { return u64{low(0 - 2 * a)}; })},
      {"s_mul_i32 s20, s8, s10", keeping([](u64 a, u64 b, u64) { return u64{low(a * b)}; })},
      {"s_mul_hi_u32 s20, s8, s10",
       keeping([](u64 a, u64 b, u64) { return u64{low(a)} * low(b) / (u64{1} << 32); })},
      {"s_mul_hi_i32 s20, s8, s10", keeping([](u64 a, u64 b, u64) {
         return u64{low(static_cast<u64>(static_cast<i128>(sign_of(a)) * sign_of(b) >> 32))};
       })},
      {"s_absdiff_i32 s20, s8, s10",
       judged32([](u64 a, u64 b) { return static_cast<u64>(std::abs(sign_of(a) - sign_of(b))); })},
      {"s_abs_i32 s20, s8",
       judged32([](u64 a, u64) { return static_cast<u64>(std::abs(sign_of(a))); })},
      {"s_min_i32 s20, s8, s10",
       [](u64 a, u64 b, u64, bool) {
         return Made{low(static_cast<u64>(std::min(sign_of(a), sign_of(b)))),
                     sign_of(a) < sign_of(b)};
       }},
      {"s_max_i32 s20, s8, s10",
       [](u64 a, u64 b, u64, bool) {
         return Made{low(static_cast<u64>(std::max(sign_of(a), sign_of(b)))),
                     sign_of(a) > sign_of(b)};
       }},
      {"s_min_u32 s20, s8, s10",
       [l](u64 a, u64 b, u64, bool) {
         return Made{std::min(low(a), low(b)), l(b) - l(a) > 0};
       }},
      {"s_max_u32 s20, s8, s10",
       [l](u64 a, u64 b, u64, bool) {
         return Made{std::max(low(a), low(b)), l(a) - l(b) > 0};
       }},
      {"s_brev_b32 s20, s8", keeping([](u64 a, u64, u64) {
         u64 turned = 0;
         for (u32 bit = 0; bit < 32; ++bit) {
           turned += (a >> bit & 1) << (31 - bit);
         }
         return turned;
       })},
      {"s_brev_b64 s[20:21], s[8:9]", keeping([](u64 a, u64, u64) {
         u64 turned = 0;
         for (u32 bit = 0; bit < 64; ++bit) {
           turned += (a >> bit & 1) << (63 - bit);
         }
         return turned;
       })},
      {"s_bcnt1_i32_b32 s20, s8", judged32([](u64 a, u64) {
         u64 count = 0;
         for (u64 left = low(a); left != 0; left /= 2) {
           count += left % 2;
         }
         return count;
       })},
      {"s_bcnt1_i32_b64 s20, s[8:9]", judged32([](u64 a, u64) {
         u64 count = 0;
         for (; a != 0; a /= 2) {
           count += a % 2;
         }
         return count;
       })},
      {"s_bcnt0_i32_b64 s20, s[8:9]", judged32([](u64 a, u64) {
         u64 count = 64;
         for (; a != 0; a /= 2) {
           count -= a % 2;
         }
         return count;
       })},
      {"s_sext_i32_i8 s20, s8",
       keeping([](u64 a, u64, u64) { return u64{low(cut(a, 0, 8, 64, true))}; })},
      {"s_sext_i32_i16 s20, s8",
       keeping([](u64 a, u64, u64) { return u64{low(cut(a, 0, 16, 64, true))}; })},
      {"s_mov_b32 s20, s10\ns_bitset0_b32 s20, s8", keeping([](u64 a, u64 b, u64) {
         const u64 bit = u64{1} << a % 32;
         return low(b) - (low(b) / bit % 2) * bit;
       })},
      {"s_mov_b32 s20, s10\ns_bitset1_b32 s20, s8", keeping([](u64 a, u64 b, u64) {
         const u64 bit = u64{1} << a % 32;
         return low(b) + (1 - low(b) / bit % 2) * bit;
       })},
      {"s_pack_ll_b32_b16 s20, s8, s10",
       keeping([](u64 a, u64 b, u64) { return a % 65536 + b % 65536 * 65536; })},
      {"s_pack_lh_b32_b16 s20, s8, s10",
       keeping([](u64 a, u64 b, u64) { return a % 65536 + low(b) / 65536 * 65536; })},
      {"s_pack_hh_b32_b16 s20, s8, s10",
       keeping([](u64 a, u64 b, u64) { return u64{low(a) / 65536} + low(b) / 65536 * 65536; })},
      {"s_lshl_b32 s20, s8, s10", judged32([](u64 a, u64 b) { return u64{low(a)} << b % 32; })},
      {"s_lshl_b64 s[20:21], s[8:9], s10", judged64([](u64 a, u64 b) { return a << b % 64; })},
      {"s_lshr_b32 s20, s8, s10",
       judged32([](u64 a, u64 b) { return low(a) / (u64{1} << b % 32); })},
      {"s_lshr_b64 s[20:21], s[8:9], s10",
       judged64([](u64 a, u64 b) { return a / (u64{1} << b % 64); })},
      {"s_ashr_i32 s20, s8, s10", judged32([](u64 a, u64 b) {
         return static_cast<u64>(static_cast<i64>(
             std::floor(std::ldexp(static_cast<f64>(sign_of(a)), -static_cast<int>(b % 32)))));
       })},
      {"s_ashr_i64 s[20:21], s[8:9], s10",
       judged64([](u64 a, u64 b) { return cut(a, static_cast<u32>(b % 64), 64, 64, true); })},
      {"s_bfm_b32 s20, s8, s10", keeping([](u64 a, u64 b, u64) {
         u64 mask = 0;
         for (u64 bit = 0; bit < a % 32; ++bit) {
           mask += bit + b % 32 < 32 ? u64{1} << (bit + b % 32) : 0;
         }
         return mask;
       })},
      {"s_bfm_b64 s[20:21], s8, s10", keeping([](u64 a, u64 b, u64) {
         u64 mask = 0;
         for (u64 bit = 0; bit < a % 64; ++bit) {
           mask += bit + b % 64 < 64 ? u64{1} << (bit + b % 64) : 0;
         }
         return mask;
       })},
      {"s_bfe_u32 s20, s8, s10", judged32([](u64 a, u64 b) {
         return cut(low(a), static_cast<u32>(b % 32), static_cast<u32>(b >> 16 & 127), 32, false);
       })},
      {"s_bfe_i32 s20, s8, s10", judged32([](u64 a, u64 b) {
         return cut(low(a), static_cast<u32>(b % 32), static_cast<u32>(b >> 16 & 127), 32, true);
       })},
      {"s_bfe_u64 s[20:21], s[8:9], s10", judged64([](u64 a, u64 b) {
         return cut(a, static_cast<u32>(b % 64), static_cast<u32>(b >> 16 & 127), 64, false);
       })},
      {"s_bfe_i64 s[20:21], s[8:9], s10", judged64([](u64 a, u64 b) {
         return cut(a, static_cast<u32>(b % 64), static_cast<u32>(b >> 16 & 127), 64, true);
       })},
      {"s_not_b32 s20, s8", judged32([](u64 a, u64) { return 0xffffffff - u64{low(a)}; })},
      {"s_not_b64 s[20:21], s[8:9]", judged64([](u64 a, u64) { return ~u64{0} - a; })},
      {"s_bitcmp0_b32 s8, s10",
       compared([](u64 a, u64 b) { return low(a) / (u64{1} << b % 32) % 2 == 0; })},
      {"s_bitcmp1_b32 s8, s10",
       compared([](u64 a, u64 b) { return low(a) / (u64{1} << b % 32) % 2 == 1; })},
      {"s_bitcmp0_b64 s[8:9], s10",
       compared([](u64 a, u64 b) { return a / (u64{1} << b % 64) % 2 == 0; })},
      {"s_bitcmp1_b64 s[8:9], s10",
       compared([](u64 a, u64 b) { return a / (u64{1} << b % 64) % 2 == 1; })},
      {"s_cmp_eq_u64 s[8:9], s[10:11]", compared([](u64 a, u64 b) { return (a ^ b) == 0; })},
      {"s_cmp_lg_u64 s[8:9], s[10:11]", compared([](u64 a, u64 b) { return (a ^ b) != 0; })},
  };
  for (u32 count = 1; count <= 4; ++count) {
    asked.push_back({"s_lshl" + std::to_string(count) + "_add_u32 s20, s8, s10",
                     [count](u64 a, u64 b, u64, bool) {
                       const u64 sum = u64{low(a)} * (1u << count) + low(b);
                       return Made{sum % (u64{1} << 32), sum > 0xffffffff};
                     }});
  }
  // The first bit that is set, from below and from above.
  for (const u32 bits : {32u, 64u}) {
    const std::string suffix = bits == 32 ? "b32 s20, s8" : "b64 s20, s[8:9]";
    asked.push_back({"s_ff1_i32_" + suffix, keeping([bits](u64 a, u64, u64) {
                       u64 bit = 0;
                       while (bit < bits && (a >> bit & 1) == 0) {
                         ++bit;
                       }
                       return bit == bits ? u64{0xffffffff} : bit;
                     })});
    asked.push_back({"s_flbit_i32_" + suffix, keeping([bits](u64 a, u64, u64) {
                       u64 bit = 0;
                       while (bit < bits && (a >> (bits - 1 - bit) & 1) == 0) {
                         ++bit;
                       }
                       return bit == bits ? u64{0xffffffff} : bit;
                     })});
  }
  // Bits by their truth tables: the result's bit for 00, 01, 10 and 11 of a and b.
  const std::pair<const char*, const char*> tables[] = {
      {"and", "0001"},  {"or", "0111"},   {"xor", "0110"}, {"andn2", "0010"},
      {"orn2", "1011"}, {"nand", "1110"}, {"nor", "1000"}, {"xnor", "1001"}};
  for (const auto& [name, table] : tables) {
    const auto made = [table = std::string(table)](u64 a, u64 b) {
      u64 result = 0;
      for (u32 bit = 0; bit < 64; ++bit) {
        const bool is_set = table[(a >> bit & 1) * 2 + (b >> bit & 1)] == '1';
        result += is_set ? u64{1} << bit : 0;
      }
      return result;
    };
    asked.push_back({"s_" + std::string(name) + "_b32 s20, s8, s10", judged32(made)});
    asked.push_back({"s_" + std::string(name) + "_b64 s[20:21], s[8:9], s[10:11]", judged64(made)});
  }
  // Comparisons by the sign of an exact difference; constants of 16 bits beside registers.
  const std::pair<const char*, std::function<bool(i64)>> orders[] = {
      {"eq", [](i64 d) { return d == 0; }}, {"lg", [](i64 d) { return d != 0; }},
      {"gt", [](i64 d) { return d > 0; }},  {"ge", [](i64 d) { return d >= 0; }},
      {"lt", [](i64 d) { return d < 0; }},  {"le", [](i64 d) { return d <= 0; }}};
  for (const auto& [name, holds] : orders) {
    const auto of = [holds = holds](bool with_sign) {
      return compared([holds, with_sign](u64 a, u64 b) {
        return holds(with_sign ? sign_of(a) - sign_of(b) : i64{low(a)} - i64{low(b)});
      });
    };
    const std::string op = name;
    asked.push_back({"s_cmp_" + op + "_i32 s8, s10", of(true)});
    if (op != "eq" && op != "lg") {  // these do not ask for a sign
      asked.push_back({"s_cmp_" + op + "_u32 s8, s10", of(false)});
    }
    asked.push_back({"s_cmpk_" + op + "_i32 s8, 0x8000",
                     compared([holds = holds](u64 a, u64) { return holds(sign_of(a) + 32768); })});
    asked.push_back({"s_cmpk_" + op + "_u32 s8, 0x8000",
                     compared([holds = holds](u64 a, u64) { return holds(i64{low(a)} - 32768); })});
  }
  return asked;
}

TEST(Kinds, ScalarArithmetic) {
  const std::vector<AskedScalar> asked = scalars();
  std::vector<u64> values = hostile();
  values.push_back(0xffff8000);
  std::vector<u64> from;
  Random random(11);
  for (const u64 a : values) {
    for (std::size_t i = 0; i < 8; ++i) {
      from.insert(from.end(), {a, values[random.below(values.size())], random.below(2)});
      // Offsets and widths of fields.
      from.insert(from.end(), {a, random.below(70) | random.below(70) << 16, random.below(2)});
    }
  }
  compare_scalars(asked, from);
}

// ---- Vectors ----

// Relations of two values: a comparison asks for a set of them.
constexpr u32 less = 1;
constexpr u32 equal = 2;
constexpr u32 greater = 4;
constexpr u32 unordered = 8;

// By the bits: their order is that of numbers once those of negative ones are turned around.
template <int bits, int fraction>
u32 relation_of_floats(u64 a, u64 b) {
  constexpr u64 sign = u64{1} << (bits - 1);
  constexpr u64 infinity = (sign - 1) >> fraction << fraction;
  const auto place = [](u64 x) {
    const i64 size = static_cast<i64>(x & (sign - 1));
    return (x & sign) != 0 ? -size : size;
  };
  a &= sign | (sign - 1);
  b &= sign | (sign - 1);
  return (a & (sign - 1)) > infinity || (b & (sign - 1)) > infinity ? unordered
         : place(a) < place(b)                                      ? less
         : place(a) == place(b)                                     ? equal
                                                                    : greater;
}
u32 relation_of_integers(i128 a, i128 b) { return a < b ? less : a == b ? equal : greater; }

TEST(Kinds, Comparisons) {
  struct Kind {
    const char* type;
    bool is_float;
    bool is_wide;
    std::function<u32(u64, u64)> relation;
  };
  const Kind kinds[] = {
      {"f32", true, false, [](u64 a, u64 b) { return relation_of_floats<32, 23>(a, b); }},
      {"f64", true, true, [](u64 a, u64 b) { return relation_of_floats<64, 52>(a, b); }},
      {"i16", false, false,
       [](u64 a, u64 b) {
         return relation_of_integers(static_cast<i64>(cut(a, 0, 16, 64, true)),
                                     static_cast<i64>(cut(b, 0, 16, 64, true)));
       }},
      {"u16", false, false,
       [](u64 a, u64 b) { return relation_of_integers(a % 65536, b % 65536); }},
      {"i32", false, false,
       [](u64 a, u64 b) { return relation_of_integers(sign_of(a), sign_of(b)); }},
      {"u32", false, false, [](u64 a, u64 b) { return relation_of_integers(low(a), low(b)); }},
      {"i64", false, true,
       [](u64 a, u64 b) { return relation_of_integers(static_cast<i64>(a), static_cast<i64>(b)); }},
      {"u64", false, true, [](u64 a, u64 b) { return relation_of_integers(a, b); }}};
  const std::pair<const char*, u32> of_all[] = {
      {"lt", less}, {"eq", equal}, {"le", less | equal}, {"gt", greater}, {"ge", greater | equal}};
  const std::pair<const char*, u32> of_floats[] = {{"lg", less | greater},
                                                   {"o", less | equal | greater},
                                                   {"u", unordered},
                                                   {"nge", less | unordered},
                                                   {"nlg", equal | unordered},
                                                   {"ngt", less | equal | unordered},
                                                   {"nle", greater | unordered},
                                                   {"neq", less | greater | unordered},
                                                   {"nlt", equal | greater | unordered}};
  const std::vector<u64> from = triples(hostile());
  for (const Kind& kind : kinds) {
    std::vector<std::pair<std::string, u32>> all(std::begin(of_all), std::end(of_all));
    if (kind.is_float) {
      all.insert(all.end(), std::begin(of_floats), std::end(of_floats));
    } else {
      all.emplace_back("ne", less | greater);
    }
    std::vector<Asked> asked;
    const std::string operands = kind.is_wide ? " v[2:3], v[4:5]\n" : " v2, v4\n";
    for (const auto& [name, holds] : all) {
      const std::string op = name + "_" + kind.type;
      const auto expected = [relation = kind.relation, holds = holds](u64 a, u64 b) {
        return u64{(relation(a, b) & holds) != 0};
      };
      asked.push_back({"v_cmp_" + op + " vcc," + operands + "v_cndmask_b32 v8, 0, 1, vcc",
                       [expected](u64 a, u64 b, u64) { return expected(a, b); }});
      // It leaves the lanes for which it holds; the second word tells it from v_cmp.
      asked.push_back({"v_mov_b32 v9, 1\nv_cmpx_" + op + " vcc," + operands +
                           "v_mov_b32 v8, 1\ns_mov_b64 exec, -1",
                       [expected](u64 a, u64 b, u64) { return expected(a, b) | u64{1} << 32; }});
    }
    compare(asked, from);
  }
}

// The class of a number by the C library's tests, as a bit of v_cmp_class.
template <class T>
u32 class_of(T x, bool signals) {
  const bool negative = std::signbit(x);
  switch (std::fpclassify(x)) {
    case FP_NAN: return signals ? 1 : 2;
    case FP_INFINITE: return negative ? 4 : 512;
    case FP_NORMAL: return negative ? 8 : 256;
    case FP_SUBNORMAL: return negative ? 16 : 128;
    default: return negative ? 32 : 64;
  }
}

TEST(Kinds, Classes) {
  std::vector<u64> from;
  for (const u64 x : hostile()) {
    for (u64 bit = 0; bit < 11; ++bit) {
      from.insert(from.end(), {x, u64{1} << bit, 0});
    }
  }
  while (from.size() % (3 * 64) != 0) {
    from.insert(from.end(), {0, 0x3ff, 0});
  }
  compare(
      {{"v_cmp_class_f32 vcc, v2, v4\nv_cndmask_b32 v8, 0, 1, vcc",
        [](u64 a, u64 b, u64) { return u64{(class_of(as_f32(a), (a >> 22 & 1) == 0) & b) != 0}; }},
       {"v_cmp_class_f64 vcc, v[2:3], v4\nv_cndmask_b32 v8, 0, 1, vcc",
        [](u64 a, u64 b, u64) { return u64{(class_of(as_f64(a), (a >> 51 & 1) == 0) & b) != 0}; }}},
      from);
}

// The number that the bits of a half mean, by their definition.
f64 value_of_half(u64 half) {
  const int exponent = static_cast<int>(half >> 10 & 31);
  const f64 fraction = static_cast<f64>(half & 1023);
  const f64 size = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                   : exponent == 0 ? std::ldexp(fraction, -24)
                                   : std::ldexp(1024 + fraction, exponent - 25);
  return (half >> 15 & 1) != 0 ? -size : size;
}
// The half nearest to x, by the steps that halves have where it lies.
u64 nearest_half(f64 x) {
  const u64 sign = std::signbit(x) ? 0x8000 : 0;
  const f64 size = std::fabs(x);
  if (size != size || size >= 65520) {
    return size != size ? 0x7e00 : sign | 0x7c00;
  }
  const int exponent = std::max(size == 0 ? -14 : std::ilogb(size), -14);
  const u64 steps = static_cast<u64>(std::nearbyint(std::ldexp(size, 10 - exponent)));
  return sign | ((static_cast<u64>(exponent + 14) << 10) + steps);
}
bool is_half_nan(u64 half) { return (half & 0x7c00) == 0x7c00 && (half & 1023) != 0; }

TEST(Kinds, HalfPrecision) {
  std::vector<u64> halves;  // each, and what lies between it and the next
  for (u64 half = 0; half < 65536; ++half) {
    const f64 size = value_of_half(half);
    const f64 next = value_of_half((half + 1) % 65536);
    const f32 between = static_cast<f32>((size + next) / 2);
    const bool finite = std::isfinite(between);
    halves.insert(halves.end(), {half, bits_as<u32>(finite ? between : static_cast<f32>(size)), 0});
    halves.insert(halves.end(), {half, bits_as<u32>(std::nextafter(between, INFINITY)), 0});
    halves.insert(halves.end(), {half, bits_as<u32>(std::nextafter(between, -INFINITY)), 0});
  }
  compare({{"v_cvt_f32_f16 v8, v2\nv_cmp_u_f32 vcc, v8, v8\nv_mov_b32 v10, 0x7fc00000\n"
            "v_cndmask_b32 v8, v8, v10, vcc",
            [](u64 a, u64, u64) {
              return is_half_nan(a) ? u64{0x7fc00000}
                                    : u64{bits_as<u32>(static_cast<f32>(value_of_half(a)))};
            }},
           {"v_cvt_f16_f32 v8, v4\nv_cmp_u_f32 vcc, v4, v4\nv_mov_b32 v10, 0x7e00\n"
            "v_cndmask_b32 v8, v8, v10, vcc",
            [](u64, u64 b, u64) { return nearest_half(f64{as_f32(b)}); }}},
          halves);
}

// NaNs as one of them, in v8 and in v[8:9].
const char* const one_nan32 =
    "\nv_cmp_u_f32 vcc, v8, v8\nv_mov_b32 v20, 0x7fc00000\nv_cndmask_b32 v8, v8, v20, vcc";
const char* const one_nan64 =
    "\nv_cmp_u_f64 vcc, v[8:9], v[8:9]\nv_mov_b32 v20, 0x7ff80000\nv_cndmask_b32 v8, v8, 0, vcc\n"
    "v_cndmask_b32 v9, v9, v20, vcc";

TEST(Kinds, Arithmetic) {
  const auto flushed = [](f32 x) {
    return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
  };
  // Two roundings, and subnormal numbers are zeros.
  const Expected twice_rounded = [flushed](u64 a, u64 b, u64 c) {
    volatile f32 product = flushed(flushed(as_f32(a)) * flushed(as_f32(b)));
    return number(flushed(product + flushed(as_f32(c))));
  };
  const auto signed_24 = [](u64 x) { return static_cast<i64>(cut(x, 0, 24, 64, true)); };
  const auto signed_16 = [](u64 x) { return static_cast<i64>(cut(x, 0, 16, 64, true)); };
  const std::vector<u64> from = triples(hostile());
  compare(
      {{std::string("v_mad_f32 v8, v2, v4, v6") + one_nan32, twice_rounded},
       {std::string("v_mov_b32 v8, v2\nv_mac_f32 v8, v4, v6") + one_nan32,
        [=](u64 a, u64 b, u64 c) { return twice_rounded(b, c, a); }},
       {"v_mov_b32 v8, v6\nv_mov_b32 v9, v7\nv_fmac_f64 v[8:9], v[2:3], v[4:5]" +
            std::string(one_nan64),
        [](u64 a, u64 b, u64 c) { return number(std::fma(as_f64(a), as_f64(b), as_f64(c))); }},
       {"v_cvt_f64_i32 v[8:9], v2",
        [](u64 a, u64, u64) { return number(static_cast<f64>(sign_of(a))); }},
       {"v_cvt_f32_ubyte0 v8, v2",
        [](u64 a, u64, u64) { return number(static_cast<f32>(a % 256)); }},
       {"v_cvt_u32_f32 v8, v2",
        [](u64 a, u64, u64) {
          const f64 x = std::trunc(f64{as_f32(a)});
          return !(x > 0) ? 0 : x > 4294967295.0 ? 0xffffffff : static_cast<u64>(x);
        }},
       {"v_lshrrev_b16 v8, v2, v4",
        [](u64 a, u64 b, u64) { return b % 65536 / (u64{1} << a % 16); }},
       {"v_max_i16 v8, v2, v4",
        [=](u64 a, u64 b, u64) {
          return static_cast<u64>(std::max(signed_16(a), signed_16(b))) % 65536;
        }},
       {"v_max_u32 v8, v2, v4", [](u64 a, u64 b, u64) { return u64{std::max(low(a), low(b))}; }},
       {"v_mul_i32_i24 v8, v2, v4",
        [=](u64 a, u64 b, u64) {
          return u64{low(static_cast<u64>(signed_24(a)) * static_cast<u64>(signed_24(b)))};
        }},
       {"v_not_b32 v8, v2", [](u64 a, u64, u64) { return 0xffffffff - u64{low(a)}; }},
       {"v_accvgpr_write_b32 a5, v4\nv_accvgpr_read_b32 v8, a5",
        [](u64, u64 b, u64) { return u64{low(b)}; }}},
      from);
  compare(
      {{"v_mov_b64 v[8:9], v[4:5]", [](u64, u64 b, u64) { return b; }},
       {"v_lshl_add_u64 v[8:9], v[2:3], 3, v[4:5]", [](u64 a, u64 b, u64) { return 8 * a + b; }},
       {"v_and_b32 v10, 3, v6\nv_lshl_add_u64 v[8:9], v[2:3], v10, v[4:5]",
        [](u64 a, u64 b, u64 c) { return (u64{1} << c % 4) * a + b; }}},
      from, "gfx940");
  compare(
      {{"v_xor3_b32 v8, v2, v4, v6",
        [](u64 a, u64 b, u64 c) {
          // Bits of a number of ones that is odd.
          return u64{low((a & b & c) | (a & ~b & ~c) | (~a & b & ~c) | (~a & ~b & c))};
        }},
       {"v_minmax_i32 v8, v2, v4, v6",
        [](u64 a, u64 b, u64 c) {
          return u64{low(static_cast<u64>(std::max(std::min(sign_of(a), sign_of(b)), sign_of(c))))};
        }}},
      from, "gfx1100");
}

// Two instructions at once, which read before either writes.
TEST(Kinds, Dual) {
  const auto canonical = [](f32 x) { return u64{x != x ? 0x7fc00000u : bits_as<u32>(x)}; };
  const std::string quiet = "\nv_cmp_u_f32 vcc_lo, v8, v8\nv_cndmask_b32 v8, v8, v20, vcc_lo"
                            "\nv_cmp_u_f32 vcc_lo, v9, v9\nv_cndmask_b32 v9, v9, v20, vcc_lo";
  const std::string nan = "v_mov_b32 v20, 0x7fc00000\n";
  const auto pair = [](u64 x, u64 y) { return x | y << 32; };
  compare(
      {
          {"v_dual_mov_b32 v8, v2 :: v_dual_mov_b32 v9, v5",
           [](u64 a, u64 b, u64) { return wide(low(a), low(b >> 32)); }},
          {"v_mov_b32 v8, v2\nv_mov_b32 v9, v4\nv_dual_mov_b32 v8, v9 :: v_dual_mov_b32 v9, v8",
           [](u64 a, u64 b, u64) { return wide(low(b), low(a)); }},
          {nan + "v_dual_add_f32 v8, v2, v5 :: v_dual_mul_f32 v9, v3, v4" + quiet,
           [=](u64 a, u64 b, u64) {
             return pair(canonical(as_f32(a) + as_f32(b >> 32)),
                         canonical(as_f32(a >> 32) * as_f32(b)));
           }},
          {nan + "v_dual_sub_f32 v8, v2, v5 :: v_dual_subrev_f32 v9, v3, v4" + quiet,
           [=](u64 a, u64 b, u64) {
             return pair(canonical(as_f32(a) - as_f32(b >> 32)),
                         canonical(as_f32(b) - as_f32(a >> 32)));
           }},
          {nan +
               "v_dual_mov_b32 v8, v6 :: v_dual_mov_b32 v9, v7\n"
               "v_dual_fmac_f32 v8, v2, v5 :: v_dual_fmac_f32 v9, v3, v4" +
               quiet,
           [=](u64 a, u64 b, u64 c) {
             return pair(canonical(std::fma(as_f32(a), as_f32(b >> 32), as_f32(c))),
                         canonical(std::fma(as_f32(a >> 32), as_f32(b), as_f32(c >> 32))));
           }},
          {"v_cmp_lt_u32 vcc_lo, v2, v4\n"
           "v_dual_cndmask_b32 v8, v2, v5 :: v_dual_cndmask_b32 v9, v3, v4",
           [](u64 a, u64 b, u64) {
             const bool second = i64{low(a)} - i64{low(b)} < 0;
             return wide(low(second ? b >> 32 : a), low(second ? b : a >> 32));
           }},
          {"v_dual_mov_b32 v8, v2 :: v_dual_add_nc_u32 v9, v3, v4",
           [](u64 a, u64 b, u64) { return wide(low(a), low((a >> 32) + b)); }},
          {"v_dual_mov_b32 v8, v2 :: v_dual_lshlrev_b32 v9, v3, v4",
           [](u64 a, u64 b, u64) { return wide(low(a), low(b << (a >> 32) % 32)); }},
          {"v_dual_mov_b32 v8, v2 :: v_dual_and_b32 v9, v3, v4",
           [](u64 a, u64 b, u64) { return wide(low(a), low((a >> 32) & b)); }},
      },
      triples(hostile()), "gfx1100");
}

// A lane's scratch memory, by words and their pieces, also those of a register's upper half.
TEST(Kinds, Scratch) {
  const std::vector<u64> from = triples(hostile());
  const auto of = [](bool by_buffer) {
    const auto store = [by_buffer](const std::string& what, const char* from_register, int offset) {
      const std::string at = " offset:" + std::to_string(offset) + "\n";
      return by_buffer
                 ? "buffer_store_" + what + " " + from_register + ", v10, s[0:3], 0 offen" + at
                 : "scratch_store_" + what + " v10, " + from_register + ", off" + at;
    };
    const auto load = [by_buffer](const std::string& what, const char* to_register, int offset) {
      const std::string at = " offset:" + std::to_string(offset) + "\ns_waitcnt vmcnt(0)\n";
      return by_buffer ? "buffer_load_" + what + " " + to_register + ", v10, s[0:3], 0 offen" + at
                       : "scratch_load_" + what + " " + to_register + ", v10, off" + at;
    };
    const std::string start = "v_mov_b32 v10, 4\ns_nop 0\n";
    return std::vector<Asked>{
        {start + store("dwordx2", "v[2:3]", 8) + "s_waitcnt vmcnt(0)\n" + load("dword", "v8", 12) +
             load("dword", "v9", 8),
         [](u64 a, u64, u64) { return wide(low(a >> 32), low(a)); }},
        {start + store("dword", "v2", 8) + store("byte_d16_hi", "v4", 9) + store("byte", "v6", 11) +
             "s_waitcnt vmcnt(0)\n" + load("dword", "v8", 8),
         [](u64 a, u64 b, u64 c) {
           return u64{low(a) % 256 + (low(b) / 65536 % 256 << 8) + (low(a) / 65536 % 256 << 16) +
                      (low(c) % 256 << 24)};
         }},
        {start + store("dword", "v2", 8) + store("short_d16_hi", "v4", 9) + "s_waitcnt vmcnt(0)\n" +
             load("dword", "v8", 8),
         [](u64 a, u64 b, u64) {
           return u64{low(a) % 256 + (low(b) / 65536 << 8) + (low(a) / 16777216 << 24)};
         }},
        {start + store("dword", "v2", 8) + store("short", "v4", 9) + "s_waitcnt vmcnt(0)\n" +
             load("dword", "v8", 8),
         [](u64 a, u64 b, u64) {
           return u64{low(a) % 256 + (low(b) % 65536 << 8) + (low(a) / 16777216 << 24)};
         }},
        {start + store("dword", "v2", 8) + "s_waitcnt vmcnt(0)\n" + load("sbyte", "v8", 10) +
             load("ushort", "v9", 9),
         [](u64 a, u64, u64) { return wide(low(cut(a, 16, 8, 64, true)), low(a) / 256 % 65536); }},
        {"v_mov_b32 v8, v4\n" + start + store("dword", "v2", 8) + "s_waitcnt vmcnt(0)\n" +
             load("ubyte_d16", "v8", 9) + load("sshort", "v9", 10),
         [](u64 a, u64 b, u64) {
           return wide(low(a) / 256 % 256 + (low(b) / 65536 << 16), low(cut(a, 16, 16, 64, true)));
         }},
        {start + store("dwordx4", "v[2:5]", 8) + "s_waitcnt vmcnt(0)\n" +
             load("dwordx2", "v[8:9]", 12),
         [](u64 a, u64 b, u64) { return wide(low(a >> 32), low(b)); }},
        {start + store("dwordx2", "v[2:3]", 4) + store("dwordx2", "v[4:5]", 12) +
             "s_waitcnt vmcnt(0)\n" + load("dwordx4", "v[20:23]", 4) +
             "v_mov_b32 v8, v21\nv_mov_b32 v9, v23\n",
         [](u64 a, u64 b, u64) { return wide(low(a >> 32), low(b >> 32)); }},
        {start + store("dword", "v2", 8) + "s_waitcnt vmcnt(0)\n" + load("ubyte", "v8", 11),
         [](u64 a, u64, u64) { return u64{low(a) / 16777216}; }},
        {"v_mov_b32 v8, v4\n" + start + store("dword", "v2", 8) + "s_waitcnt vmcnt(0)\n" +
             load("short_d16_hi", "v8", 9),
         [](u64 a, u64 b, u64) { return u64{low(b) % 65536 + (low(a) / 256 % 65536 << 16)}; }},
    };
  };
  compare(of(true), from, "gfx90a", 32);
  compare(of(false), from, "gfx940", 32);
}

}  // namespace

}  // namespace isofold::amd::tests
