#include <simulator/amd/names.hpp>

#include <unordered_map>

#include <simulator/amd/assembly.hpp>
#include <simulator/amd/table.hpp>

namespace isofold::amd {

namespace {

struct Renamed {
  const char* name;
  const char* before;
};

constexpr Renamed renamed[] = {
    // gfx10
    {"v_add_nc_u32", "v_add_u32"},
    {"v_sub_nc_u32", "v_sub_u32"},
    {"v_subrev_nc_u32", "v_subrev_u32"},
    {"v_add_nc_i32", "v_add_i32"},
    {"v_sub_nc_i32", "v_sub_i32"},
    {"v_add_nc_u16", "v_add_u16"},
    {"v_sub_nc_u16", "v_sub_u16"},
    {"v_add_co_ci_u32", "v_addc_co_u32"},
    {"v_sub_co_ci_u32", "v_subb_co_u32"},
    {"v_subrev_co_ci_u32", "v_subbrev_co_u32"},
    // gfx11
    {"v_clz_i32_u32", "v_ffbh_u32"},
    {"v_cls_i32", "v_ffbh_i32"},
    {"v_ctz_i32_b32", "v_ffbl_b32"},
    {"s_and_not1_b32", "s_andn2_b32"},
    {"s_and_not1_b64", "s_andn2_b64"},
    {"s_or_not1_b32", "s_orn2_b32"},
    {"s_or_not1_b64", "s_orn2_b64"},
    {"s_and_not1_saveexec_b32", "s_andn2_saveexec_b32"},
    {"s_or_not1_saveexec_b32", "s_orn2_saveexec_b32"},
    {"s_and_not0_saveexec_b32", "s_andn1_saveexec_b32"},
    {"s_ctz_i32_b32", "s_ff1_i32_b32"},
    {"s_ctz_i32_b64", "s_ff1_i32_b64"},
    {"s_clz_i32_u32", "s_flbit_i32_b32"},
    {"s_clz_i32_u64", "s_flbit_i32_b64"},
    {"s_load_b32", "s_load_dword"},
    {"s_load_b64", "s_load_dwordx2"},
    {"s_load_b128", "s_load_dwordx4"},
    {"s_load_b256", "s_load_dwordx8"},
    {"s_load_b512", "s_load_dwordx16"},
    {"s_set_inst_prefetch_distance", "s_inst_prefetch"},
};

// The middle of the names of accesses to memory, behind global_, flat_ or scratch_.
constexpr Renamed renamed_access[] = {
    {"load_u8", "load_ubyte"},
    {"load_i8", "load_sbyte"},
    {"load_u16", "load_ushort"},
    {"load_i16", "load_sshort"},
    {"load_d16_u8", "load_ubyte_d16"},
    {"load_d16_hi_u8", "load_ubyte_d16_hi"},
    {"load_d16_b16", "load_short_d16"},
    {"load_d16_hi_b16", "load_short_d16_hi"},
    {"load_b32", "load_dword"},
    {"load_b64", "load_dwordx2"},
    {"load_b96", "load_dwordx3"},
    {"load_b128", "load_dwordx4"},
    {"store_b8", "store_byte"},
    {"store_b16", "store_short"},
    {"store_d16_hi_b8", "store_byte_d16_hi"},
    {"store_d16_hi_b16", "store_short_d16_hi"},
    {"store_b32", "store_dword"},
    {"store_b64", "store_dwordx2"},
    {"store_b96", "store_dwordx3"},
    {"store_b128", "store_dwordx4"},
    {"atomic_add_u32", "atomic_add"},
    {"atomic_add_u64", "atomic_add_x2"},
    {"atomic_sub_u32", "atomic_sub"},
    {"atomic_or_b32", "atomic_or"},
    {"atomic_or_b64", "atomic_or_x2"},
    {"atomic_and_b32", "atomic_and"},
    {"atomic_swap_b32", "atomic_swap"},
    {"atomic_swap_b64", "atomic_swap_x2"},
    {"atomic_max_u32", "atomic_umax"},
    {"atomic_max_u64", "atomic_umax_x2"},
    {"atomic_min_u32", "atomic_umin"},
    {"atomic_min_u64", "atomic_umin_x2"},
};

// The names of accesses to LDS, behind ds_.
constexpr Renamed renamed_local[] = {
    {"load_u8", "read_u8"},
    {"load_i8", "read_i8"},
    {"load_u16", "read_u16"},
    {"load_i16", "read_i16"},
    {"load_u8_d16", "read_u8_d16"},
    {"load_u8_d16_hi", "read_u8_d16_hi"},
    {"load_u16_d16", "read_u16_d16"},
    {"load_u16_d16_hi", "read_u16_d16_hi"},
    {"load_b32", "read_b32"},
    {"load_b64", "read_b64"},
    {"load_b96", "read_b96"},
    {"load_b128", "read_b128"},
    {"load_2addr_b32", "read2_b32"},
    {"load_2addr_b64", "read2_b64"},
    {"load_2addr_stride64_b32", "read2st64_b32"},
    {"load_2addr_stride64_b64", "read2st64_b64"},
    {"store_b8", "write_b8"},
    {"store_b8_d16_hi", "write_b8_d16_hi"},
    {"store_b16", "write_b16"},
    {"store_b16_d16_hi", "write_b16_d16_hi"},
    {"store_b32", "write_b32"},
    {"store_b64", "write_b64"},
    {"store_b96", "write_b96"},
    {"store_b128", "write_b128"},
    {"store_2addr_b32", "write2_b32"},
    {"store_2addr_b64", "write2_b64"},
    {"store_2addr_stride64_b32", "write2st64_b32"},
    {"store_2addr_stride64_b64", "write2st64_b64"},
};

std::unordered_map<std::string, std::string> all_renamed() {
  std::unordered_map<std::string, std::string> names;
  for (const Renamed& pair : renamed) {
    names[pair.name] = pair.before;
  }
  for (const char* prefix : {"global_", "flat_", "scratch_"}) {
    for (const Renamed& pair : renamed_access) {
      names[std::string(prefix) + pair.name] = std::string(prefix) + pair.before;
    }
  }
  for (const Renamed& pair : renamed_local) {
    names[std::string("ds_") + pair.name] = std::string("ds_") + pair.before;
  }
  return names;
}

}  // namespace

std::string common_name(const std::string& mnemonic) {
  static const std::unordered_map<std::string, std::string> names = all_renamed();
  std::string name = mnemonic;
  for (const std::string suffix : {"_e32", "_e64", "_sdwa", "_dpp", "_dpp8", "_e64"}) {
    if (name.size() > suffix.size() &&
        name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0) {
      name.resize(name.size() - suffix.size());
    }
  }
  const auto found = names.find(name);
  return found == names.end() ? name : found->second;
}

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin != std::string::npos;) {
    const std::size_t end = text.find(" :: ", begin);
    names.push_back(common_name(parse_instruction(text.substr(begin, end - begin)).mnemonic));
    begin = end == std::string::npos ? end : end + 4;
  }
  return names;
}

const Entry* find_entry(std::string_view name) {
  static const std::unordered_map<std::string_view, const Entry*> table = [] {
    std::unordered_map<std::string_view, const Entry*> made;
    for (const auto& entries : {vector_integer_entries(), vector_float_entries(),
                                vector_compare_entries(), vector_packed_entries(), scalar_entries(),
                                control_entries(), memory_entries(), local_memory_entries()}) {
      for (const Entry& entry : entries) {
        made[entry.name] = &entry;
      }
    }
    return made;
  }();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace isofold::amd
