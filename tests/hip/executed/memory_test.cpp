// The interpreter of AMD's machine code: accesses to memory by every width, and the flow of a wave,
// against values computed in other ways, on architectures of both wave widths.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "compared.hpp"
#include "operands.hpp"

namespace isofold::amd::tests {

namespace {

class OnArchitecture : public testing::TestWithParam<const char*> {
 protected:
  // The name of a mask in text, of all lanes: "exec", "vcc" or a number of a scalar register.
  std::string mask(const std::string& name) const {
    const bool wide = architecture_of(GetParam()).lanes == 64;
    if (name == "exec" || name == "vcc") {
      return wide ? name : name + "_lo";
    }
    const int number = std::stoi(name);
    return wide ? "s[" + name + ":" + std::to_string(number + 1) + "]" : "s" + name;
  }
  // The suffix of instructions on masks.
  std::string bits() const { return architecture_of(GetParam()).lanes == 64 ? "_b64 " : "_b32 "; }
  bool is_gfx11() const { return std::string(GetParam()) == "gfx1100"; }
};
INSTANTIATE_TEST_SUITE_P(Kinds, OnArchitecture, testing::Values("gfx90a", "gfx940", "gfx1100"),
                         [](const auto& info) { return std::string(info.param); });

// The operands as bytes of memory, one behind the other, and zeros; with some of them replaced.
using Bytes = std::array<u8, 40>;
Bytes laid_out(u64 a, u64 b, u64 c) {
  Bytes bytes{};
  for (std::size_t i = 0; i < 8; ++i) {
    bytes[i] = static_cast<u8>(a >> 8 * i);
    bytes[8 + i] = static_cast<u8>(b >> 8 * i);
    bytes[16 + i] = static_cast<u8>(c >> 8 * i);
  }
  return bytes;
}
u64 number_at(const Bytes& bytes, std::size_t at, std::size_t count) {
  u64 number = 0;
  for (std::size_t i = count; i > 0; --i) {
    number = number * 256 + bytes[at + i - 1];
  }
  return number;
}
Bytes with(Bytes bytes, std::size_t at, const std::vector<u8>& replaced) {
  for (std::size_t i = 0; i < replaced.size(); ++i) {
    bytes[at + i] = replaced[i];
  }
  return bytes;
}
std::vector<u8> first_of(u64 a, u64 b, std::size_t count) {
  const Bytes bytes = laid_out(a, b, 0);
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}

// Four registers as two in which each has another part: what v[20:23] hold.
const char* const mixed = "v_lshl_add_u32 v8, v23, 1, v20\nv_lshl_add_u32 v9, v22, 1, v21\n";
u64 mix(u64 w0, u64 w1, u64 w2, u64 w3) {
  return wide(low(low(w0) + 2 * low(w3)), low(low(w1) + 2 * low(w2)));
}
u64 mixed_at(const Bytes& bytes, std::size_t at) {
  return mix(number_at(bytes, at, 4), number_at(bytes, at + 4, 4), number_at(bytes, at + 8, 4),
             number_at(bytes, at + 12, 4));
}

TEST_P(OnArchitecture, LocalMemory) {
  const std::string lane =
      "v_and_b32 v10, " + std::to_string(architecture_of(GetParam()).lanes - 1) + ", v0\n";
  const std::string wait = "s_waitcnt lgkmcnt(0)\n";
  // 32 bytes of a lane, of which the operands are the first 24.
  const std::string laid =
      lane +
      "v_lshlrev_b32 v10, 5, v10\nds_write_b64 v10, v[2:3]\n"
      "ds_write_b64 v10, v[4:5] offset:8\nds_write_b64 v10, v[6:7] offset:16\n" +
      wait;
  const auto loaded = [&](const std::string& load, std::size_t at, std::size_t count) {
    return Asked{laid + load + "\n" + wait,
                 [=](u64 a, u64 b, u64 c) { return number_at(laid_out(a, b, c), at, count); }};
  };
  const auto stored = [&](const std::string& store, int at, auto&& bytes_of) {
    return Asked{
        laid + store + "\nds_read_b64 v[8:9], v10 offset:" + std::to_string(at) + "\n" + wait,
        [=](u64 a, u64 b, u64 c) {
          return number_at(bytes_of(laid_out(a, b, c), a, b, c), static_cast<std::size_t>(at), 8);
        }};
  };
  const std::string words = lane + "v_lshlrev_b32 v10, 2, v10\n";
  const std::string pairs = lane + "v_lshlrev_b32 v10, 3, v10\n";
  compare(
      {
          loaded("ds_read_b32 v8, v10 offset:5", 5, 4),
          loaded("ds_read_u16 v8, v10 offset:11", 11, 2),
          {laid + "ds_read_b96 v[20:22], v10 offset:4\nv_mov_b32 v23, 0\n" + wait + mixed,
           [](u64 a, u64 b, u64) { return mix(a >> 32, b, b >> 32, 0); }},
          {laid + "ds_read_b128 v[20:23], v10 offset:7\n" + wait + mixed,
           [](u64 a, u64 b, u64 c) { return mixed_at(laid_out(a, b, c), 7); }},
          {laid + "ds_read2_b32 v[8:9], v10 offset0:5 offset1:2\n" + wait,
           [](u64, u64 b, u64 c) { return wide(low(c >> 32), low(b)); }},
          {laid + "ds_read2_b64 v[20:23], v10 offset0:2 offset1:0\n" + wait + mixed,
           [](u64 a, u64, u64 c) { return mix(c, c >> 32, a, a >> 32); }},
          {words + "ds_write_b32 v10, v2\nds_write_b32 v10, v4 offset:256\n" + wait +
               "ds_read2st64_b32 v[8:9], v10 offset0:1 offset1:0\n" + wait,
           [](u64 a, u64 b, u64) { return wide(low(b), low(a)); }},
          {pairs + "ds_write_b64 v10, v[2:3] offset:512\nds_write_b64 v10, v[4:5] offset:1024\n" +
               wait + "ds_read2st64_b64 v[20:23], v10 offset0:2 offset1:1\n" + wait + mixed,
           [](u64 a, u64 b, u64) { return mix(b, b >> 32, a, a >> 32); }},
          stored("ds_write_b8 v10, v2 offset:9", 7,
                 [](const Bytes& x, u64 a, u64 b, u64) { return with(x, 9, first_of(a, b, 1)); }),
          stored("ds_write_b16 v10, v2 offset:9", 8,
                 [](const Bytes& x, u64 a, u64 b, u64) { return with(x, 9, first_of(a, b, 2)); }),
          stored("ds_write_b32 v10, v2 offset:9", 6,
                 [](const Bytes& x, u64 a, u64 b, u64) { return with(x, 9, first_of(a, b, 4)); }),
          stored("ds_write_b96 v10, v[2:4] offset:5", 3,
                 [](const Bytes& x, u64 a, u64 b, u64) { return with(x, 5, first_of(a, b, 12)); }),
          stored("ds_write_b96 v10, v[2:4] offset:5", 12,
                 [](const Bytes& x, u64 a, u64 b, u64) { return with(x, 5, first_of(a, b, 12)); }),
          stored("ds_write_b128 v10, v[2:5] offset:3", 1,
                 [](const Bytes& x, u64 a, u64 b, u64) { return with(x, 3, first_of(a, b, 16)); }),
          stored("ds_write_b128 v10, v[2:5] offset:3", 13,
                 [](const Bytes& x, u64 a, u64 b, u64) { return with(x, 3, first_of(a, b, 16)); }),
          stored("ds_write2_b32 v10, v3, v4 offset0:4 offset1:3", 11,
                 [](const Bytes& x, u64 a, u64 b, u64) {
                   return with(with(x, 16, first_of(a >> 32, 0, 4)), 12, first_of(b, 0, 4));
                 }),
          stored("ds_write2_b64 v10, v[2:3], v[4:5] offset0:2 offset1:0", 12,
                 [](const Bytes& x, u64 a, u64 b, u64) {
                   return with(with(x, 16, first_of(a, 0, 8)), 0, first_of(b, 0, 8));
                 }),
          {words + "ds_write2st64_b32 v10, v2, v6 offset0:2 offset1:1\n" + wait +
               "ds_read_b32 v8, v10 offset:512\nds_read_b32 v9, v10 offset:256\n" + wait,
           [](u64 a, u64, u64 c) { return wide(low(a), low(c)); }},
          {laid + "ds_add_rtn_u32 v8, v10, v4\nds_read_b32 v9, v10\n" + wait,
           [](u64 a, u64 b, u64) { return wide(low(a), low(a + b)); }},
          stored("ds_add_u32 v10, v4 offset:4", 0,
                 [](const Bytes& x, u64 a, u64 b, u64) {
                   return with(x, 4, first_of(low((a >> 32) + b), 0, 4));
                 }),
          {laid + "ds_add_u64 v10, v[6:7] offset:8\nds_read_b64 v[8:9], v10 offset:8\n" + wait,
           [](u64, u64 b, u64 c) { return b + c; }},
          // Lanes that are switched off store nothing.
          {laid + "s_mov" + bits() + mask("20") + ", " + mask("exec") + "\ns_mov" + bits() +
               mask("exec") + ", 0\nds_write_b64 v10, v[6:7]\ns_mov" + bits() + mask("exec") +
               ", " + mask("20") + "\nds_read_b64 v[8:9], v10 offset:2\n" + wait,
           [](u64 a, u64 b, u64 c) { return number_at(laid_out(a, b, c), 2, 8); }},
          // The address in the aperture of LDS.
          {laid + "s_getreg_b32 s20, hwreg(HW_REG_SH_MEM_BASES, 16, 16)\ns_lshl_b32 s20, s20, 16\n"
                  "v_mov_b32 v11, s20\nflat_load_dwordx2 v[8:9], v[10:11] offset:3\n"
                  "s_waitcnt vmcnt(0) lgkmcnt(0)\n",
           [](u64 a, u64 b, u64 c) { return number_at(laid_out(a, b, c), 3, 8); }},
      },
      triples(hostile()), GetParam());
}

TEST_P(OnArchitecture, GlobalMemory) {
  const std::string wait = "s_waitcnt vmcnt(0)\n";
  const auto loaded = [&](const std::string& load, std::size_t at, std::size_t count) {
    return Asked{load + "\n" + wait,
                 [=](u64 a, u64 b, u64 c) { return number_at(laid_out(a, b, c), at, count); }};
  };
  // 16 bytes of a thread's own, zeros before.
  const auto stored = [&](const std::string& store, std::size_t at, std::size_t count) {
    return Asked{
        store + (is_gfx11() ? "\ns_waitcnt_vscnt null, 0x0\n" : "\n" + wait) +
            "global_load_dwordx4 v[20:23], v40, s[6:7]\n" + wait + mixed,
        [=](u64 a, u64 b, u64) { return mixed_at(with(Bytes{}, at, first_of(a, b, count)), 0); }};
  };
  compare(
      {
          loaded("global_load_ubyte v8, v1, s[4:5] offset:13", 13, 1),
          loaded("global_load_ushort v8, v1, s[4:5] offset:3", 3, 2),
          loaded("global_load_dword v8, v1, s[4:5] offset:6", 6, 4),
          loaded("v_add_u32 v10, 16, v1\nglobal_load_dwordx2 v[8:9], v10, s[4:5] offset:-5", 11, 8),
          {"global_load_dwordx4 v[20:23], v1, s[4:5] offset:5\n" + wait + mixed,
           [](u64 a, u64 b, u64 c) { return mixed_at(laid_out(a, b, c), 5); }},
          // The whole address in registers.
          loaded("v_mov_b32 v11, s5\nv_add_co_u32 v10, vcc, s4, v1\n"
                 "v_addc_co_u32 v11, vcc, 0, v11, vcc\nglobal_load_dwordx2 v[8:9], v[10:11], off "
                 "offset:14",
                 14, 8),
          stored("global_store_byte v40, v2, s[6:7] offset:3", 3, 1),
          stored("global_store_short v40, v2, s[6:7] offset:5", 5, 2),
          stored("global_store_dword v40, v2, s[6:7] offset:2", 2, 4),
          stored("global_store_dwordx2 v40, v[2:3], s[6:7] offset:1", 1, 8),
          stored("global_store_dwordx3 v40, v[2:4], s[6:7] offset:3", 3, 12),
          stored("global_store_dwordx4 v40, v[2:5], s[6:7]", 0, 16),
          {"global_atomic_add v40, v2, s[6:7] offset:4\nglobal_atomic_add v8, v40, v4, s[6:7] "
           "offset:4 " +
               std::string(std::string(GetParam()) == "gfx940" ? "sc0" : "glc") + "\n" + wait +
               "global_load_dword v9, v40, s[6:7] offset:4\n" + wait,
           [](u64 a, u64 b, u64) { return wide(low(a), low(a + b)); }},
          {"global_atomic_add_x2 v40, v[2:3], s[6:7] offset:8\nglobal_atomic_add_x2 v40, v[4:5], "
           "s[6:7] offset:8\n" +
               (is_gfx11() ? std::string("s_waitcnt_vscnt null, 0x0\n") : wait) +
               "global_load_dwordx2 v[8:9], v40, s[6:7] offset:8\n" + wait,
           [](u64 a, u64 b, u64) { return a + b; }},
      },
      triples(hostile()), GetParam());
}

// The new EXEC, and the old one.
TEST_P(OnArchitecture, SavedMasks) {
  // The result's bit for 00, 01, 10 and 11 of the operand and EXEC.
  std::vector<std::pair<std::string, const char*>> tables{{"and", "0001"}, {"or", "0111"}};
  tables.emplace_back(is_gfx11() ? "and_not1" : "andn2", "0010");
  std::vector<AskedScalar> asked;
  const bool wide = !is_gfx11();
  for (const auto& [name, table] : tables) {
    const auto made = [table = std::string(table), wide](u64 a, u64 b) {
      u64 result = 0;
      for (u32 bit = 0; bit < (wide ? 64 : 32); ++bit) {
        const bool is_set = table[(a >> bit & 1) * 2 + (b >> bit & 1)] == '1';
        result += is_set ? u64{1} << bit : 0;
      }
      return result;
    };
    const std::string start = "s_mov" + bits() + mask("24") + ", " + mask("exec") + "\ns_mov" +
                              bits() + mask("exec") + ", " + mask("10") + "\ns_" + name +
                              "_saveexec" + bits() + mask("20") + ", " + mask("8") + "\n";
    const std::string end = "s_mov" + bits() + mask("exec") + ", " + mask("24");
    asked.push_back({start + "s_mov" + bits() + mask("20") + ", " + mask("exec") + "\n" + end,
                     [made](u64 a, u64 b, u64, bool) {
                       return Made{made(a, b), made(a, b) != 0};
                     }});
    asked.push_back({start + end, [made, wide](u64 a, u64 b, u64, bool) {
                       return Made{wide ? b : low(b), made(a, b) != 0};
                     }});
  }
  compare_scalars(asked, triples(hostile()), GetParam());
}

TEST_P(OnArchitecture, Branches) {
  // A branch over an instruction of one word: the result is 0 if it is taken.
  const auto skips = [&](const std::string& before, const std::string& name,
                         std::function<bool(u64, bool)> taken) {
    return AskedScalar{before + "s_" + name + " 1\ns_mov_b32 s20, 1\ns_mov" + bits() +
                           mask("exec") + ", " + mask("24"),
                       [taken](u64 a, u64, u64, bool scc) {
                         return Made{taken(a, scc) ? 0u : 1u, scc};
                       }};
  };
  const bool wide = !is_gfx11();
  const auto is_zero = [wide](u64 a) { return wide ? a == 0 : low(a) == 0; };
  const std::string keep = "s_mov" + bits() + mask("24") + ", " + mask("exec") + "\n";
  const std::string to_vcc = keep + "s_mov" + bits() + mask("vcc") + ", " + mask("8") + "\n";
  const std::string to_exec = keep + "s_mov" + bits() + mask("exec") + ", " + mask("8") + "\n";
  const std::vector<u64> from = triples(hostile());
  // Not in one list where the operands cannot tell them apart: the register that is judged can.
  for (const bool of_exec : {false, true}) {
    const std::string& to = of_exec ? to_exec : to_vcc;
    const std::string name = of_exec ? "cbranch_exec" : "cbranch_vcc";
    compare_scalars(
        {
            skips(keep, "branch", [](u64, bool) { return true; }),
            // A jump over one instruction more than itself.
            {keep +
                 "s_getpc_b64 s[22:23]\ns_add_u32 s22, s22, 16\ns_addc_u32 s23, s23, 0\n"
                 "s_setpc_b64 s[22:23]\ns_mov_b32 s20, 1\ns_mov" +
                 bits() + mask("exec") + ", " + mask("24"),
             [](u64, u64, u64, bool) {
               return Made{0, false};
             }},
            skips(keep, "cbranch_scc0", [](u64, bool scc) { return !scc; }),
            skips(keep, "cbranch_scc1", [](u64, bool scc) { return scc; }),
            skips(to, name + "z", [is_zero](u64 a, bool) { return is_zero(a); }),
            skips(to, name + "nz", [is_zero](u64 a, bool) { return !is_zero(a); }),
        },
        from, GetParam());
  }
}

TEST_P(OnArchitecture, ScalarLoadsAndComparisons) {
  std::vector<AskedScalar> asked{
      {"s_load_dword s20, s[4:5], 0x4\ns_waitcnt lgkmcnt(0)",
       [](u64 a, u64, u64, bool scc) {
         return Made{a >> 32, scc};
       }},
      {"s_load_dwordx8 s[24:31], s[4:5], 0x0\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s20, s29\n"
       "s_mov_b32 s21, s24",
       [](u64 a, u64, u64 c, bool scc) {
         return Made{wide(low(c >> 32), low(a)), scc};
       }},
      {"s_cmp_eq_u32 s8, s10",
       [](u64 a, u64 b, u64, bool) {
         return Made{0, i64{low(a)} - i64{low(b)} == 0};
       }},
      {"s_cmp_lg_u32 s8, s10", [](u64 a, u64 b, u64, bool) {
         return Made{0, i64{low(a)} - i64{low(b)} != 0};
       }}};
  // Hints, which change nothing that a result shows.
  std::string hints = "s_nop 3\ns_sleep 1\ns_setprio 0\n";
  if (is_gfx11()) {
    hints += "s_clause 0x1\ns_set_inst_prefetch_distance 0x1\ns_waitcnt_depctr 0xfffe\n"
             "s_delay_alu instid0(VALU_DEP_1)\nbuffer_gl0_inv\nbuffer_gl1_inv\n";
  } else if (std::string(GetParam()) == "gfx940") {
    hints += "buffer_wbl2 sc1\ns_waitcnt vmcnt(0)\nbuffer_inv sc1\n";
  }
  asked.push_back({hints + "s_mov_b64 s[20:21], s[8:9]" +
                       (is_gfx11() ? "\ns_sendmsg sendmsg(MSG_INTERRUPT)" : ""),
                   [](u64 a, u64, u64, bool scc) {
                     return Made{a, scc};
                   }});
  compare_scalars(asked, triples(hostile()), GetParam());
}

// Values of single lanes, whether EXEC has them or not; lane i holds 1000 i.
TEST_P(OnArchitecture, SingleLanes) {
  const std::string start = "v_and_b32 v10, " +
                            std::to_string(architecture_of(GetParam()).lanes - 1) +
                            ", v0\nv_mul_u32_u24 v10, 0x3e8, v10\ns_mov" + bits() + mask("24") +
                            ", " + mask("exec") + "\n";
  const std::string end = "s_mov" + bits() + mask("exec") + ", " + mask("24") +
                          "\nv_mov_b32 v8, s20\nv_mov_b32 v9, s21";
  const auto with_exec = [&](const std::string& exec) {
    return start + "s_mov" + bits() + mask("exec") + ", " + exec + "\n";
  };
  const auto always = [](u32 first, u32 second) {
    return [first, second](u64, u64, u64) { return wide(first, second); };
  };
  std::vector<Asked> asked{
      {with_exec("0xff0") + "v_readfirstlane_b32 s20, v10\nv_readlane_b32 s21, v10, 31\n" + end,
       always(4000, 31000)},
      {with_exec("0") + "v_readfirstlane_b32 s20, v10\nv_readlane_b32 s21, v10, 7\n" + end,
       always(0, 7000)},
      {with_exec("1") +
           "s_movk_i32 s22, 0x4d\nv_writelane_b32 v10, s22, 3\n"
           "v_readlane_b32 s20, v10, 3\nv_readlane_b32 s21, v10, 4\n" +
           end,
       always(77, 4000)},
      // The number of a lane counts by its lowest bits.
      {with_exec("1") +
           "s_movk_i32 s22, 0x45\nv_readlane_b32 s20, v10, s22\nv_readlane_b32 s21, "
           "v10, 6\n" +
           end,
       always(5000, 6000)},
  };
  if (architecture_of(GetParam()).lanes == 64) {
    asked.push_back(
        {with_exec("1") + "v_readlane_b32 s20, v10, 63\nv_readlane_b32 s21, v10, 32\n" + end,
         always(63000, 32000)});
  }
  compare(asked, triples({1, 2}), GetParam());
}

// Estimates of normal numbers lie within their documented error and are not all exact; those of
// zeros, infinities and NaNs are.
TEST(Kinds, Estimates) {
  struct Estimate {
    const char* text;
    f64 (*exact)(f64);
    bool is_wide;
  };
  const auto reciprocal = [](f64 x) { return 1 / x; };
  const auto root_below = [](f64 x) { return 1 / std::sqrt(x); };
  const Estimate estimates[] = {{"v_rcp_f32 v8, v2", reciprocal, false},
                                {"v_rcp_iflag_f32 v8, v2", reciprocal, false},
                                {"v_rcp_f64 v[8:9], v[2:3]", reciprocal, true},
                                {"v_rsq_f64 v[8:9], v[2:3]", root_below, true}};
  std::vector<u64> from = triples(hostile());
  Random random(3);
  for (int i = 0; i < 64; ++i) {
    const f64 x = 1 + static_cast<f64>(random.below(1 << 20)) / (1 << 19);
    from.insert(from.end(), {bits_as<u64>(x), 0, 0});
    from.insert(from.end(), {u64{bits_as<u32>(static_cast<f32>(x))}, 0, 0});
  }
  std::vector<Source> sources;
  for (const Estimate& estimate : estimates) {
    sources.push_back(
        {"k" + std::to_string(sources.size()),
         "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_mul_u32_u24 v1, 24, v0\ns_mul_i32 s8, s2, 0x600\n"
         "v_add_u32 v1, s8, v1\nv_mov_b32 v9, 0\ns_waitcnt lgkmcnt(0)\n"
         "global_load_dwordx2 v[2:3], v1, s[4:5]\ns_waitcnt vmcnt(0)\n" +
             std::string(estimate.text) +
             "\ns_lshl_b32 s8, s2, 9\nv_lshlrev_b32 v0, 3, v0\nv_add_u32 v0, s8, v0\n"
             "global_store_dwordx2 v0, v[8:9], s[6:7]\n"});
  }
  Assembled assembled(sources);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Estimate& estimate = estimates[i];
    std::vector<u64> to(from.size() / 3);
    assembled.run(sources[i].name, static_cast<u32>(to.size() / 64), 64, from, to);
    int inexact = 0;
    for (std::size_t k = 0; k < to.size(); ++k) {
      const f64 x = estimate.is_wide ? as_f64(from[3 * k]) : f64{as_f32(from[3 * k])};
      const f64 made = estimate.is_wide ? as_f64(to[k]) : f64{as_f32(to[k])};
      const f64 exact = estimate.exact(x);
      const f64 error = estimate.is_wide ? std::ldexp(1.0, 28 - 52) : std::ldexp(1.0, -23);
      const auto is_normal = [&](f64 y) {
        return estimate.is_wide ? std::isnormal(y) : std::isnormal(static_cast<f32>(y));
      };
      if (exact != exact) {
        ASSERT_TRUE(made != made) << estimate.text << " of " << x << ": " << made;
        continue;
      }
      if (x == 0 || std::isinf(x)) {
        ASSERT_EQ(made, exact) << estimate.text << " of " << x;
        continue;
      }
      if (!is_normal(x) || !is_normal(exact)) {
        continue;
      }
      ASSERT_LE(std::fabs(made / exact - 1), error) << estimate.text << " of " << x;
      inexact += made != (estimate.is_wide ? exact : f64{static_cast<f32>(exact)}) ? 1 : 0;
    }
    EXPECT_GT(inexact, 20) << estimate.text;
  }
}

}  // namespace

}  // namespace isofold::amd::tests
