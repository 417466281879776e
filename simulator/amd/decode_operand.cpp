#include <simulator/amd/decode_operand.hpp>

#include <cstdlib>
#include <deque>

#include <simulator/amd/apertures.hpp>
#include <simulator/amd/float_rules.hpp>

namespace isofold::amd {

namespace {

bool begins(const std::string& text, const char* with) { return text.rfind(with, 0) == 0; }

// "v7", "v[2:3]": the number behind a letter, and how many.
bool registers(const std::string& text, char letter, Operand& operand) {
  if (text.size() < 2 || text[0] != letter) {
    return false;
  }
  char* end = nullptr;
  if (text[1] != '[') {
    if (text[1] < '0' || text[1] > '9') {
      return false;
    }
    operand.first = static_cast<u16>(std::strtoul(text.c_str() + 1, &end, 10));
    return *end == '\0';
  }
  operand.first = static_cast<u16>(std::strtoul(text.c_str() + 2, &end, 10));
  const u16 last = *end == ':' ? static_cast<u16>(std::strtoul(end + 1, &end, 10)) : operand.first;
  operand.count = static_cast<u16>(last - operand.first + 1);
  return *end == ']';
}

struct Named {
  const char* name;
  u16 first;
  u16 count;
};
constexpr Named named[] = {
    {"vcc", scalar_register::vcc, 2},        {"vcc_lo", scalar_register::vcc, 1},
    {"vcc_hi", scalar_register::vcc + 1, 1}, {"exec", scalar_register::exec, 2},
    {"exec_lo", scalar_register::exec, 1},   {"exec_hi", scalar_register::exec + 1, 1},
    {"m0", scalar_register::m0, 1},          {"null", scalar_register::null, 1}};

u64 constant(const std::string& text, Type type) {
  const bool hexadecimal = begins(text, "0x");
  if (!hexadecimal && text.find('.') != std::string::npos) {
    const f64 number = std::strtod(text.c_str(), nullptr);
    if (is_wide(type)) {
      return begins(text, "0.1591549") ? 0x3fc45f306dc9c882u : bits_as<u64>(number);
    }
    if (type == Type::f16) {
      return narrowed(static_cast<f32>(number)).bits;
    }
    if (type == Type::u16 || type == Type::i16) {
      throw Fault("A floating-point constant in an instruction of 16-bit integers: " + text);
    }
    return begins(text, "0.1591549") ? 0x3e22f983u : bits_as<u32>(static_cast<f32>(number));
  }
  const i64 number = decode_number(text);
  if (!hexadecimal) {
    return static_cast<u64>(number);  // inline: its sign is extended
  }
  if (type == Type::f64) {
    return static_cast<u64>(number) << 32;
  }
  if (is_wide(type) && (number >> 31) != 0) {
    throw Fault("A literal whose extension to 64 bits is not known: " + text);
  }
  return static_cast<u64>(number);
}

Part part_named(const std::string& name) {
  if (name == "DWORD") {
    return {};
  }
  if (begins(name, "BYTE_")) {
    return {static_cast<u8>((name[5] - '0') * 8), 8};
  }
  if (begins(name, "WORD_")) {
    return {static_cast<u8>((name[5] - '0') * 16), 16};
  }
  throw Fault("The interpreter knows no part of a register named " + name + ".");
}

// "[0,1,1]"
void fill(const std::string& list, std::array<u8, 3>& values) {
  std::size_t count = 0;
  for (const char c : list) {
    if (c == '0' || c == '1') {
      values.at(count++) = static_cast<u8>(c - '0');
    }
  }
}

// Lanes of a row of 16.
template <class From>
void rows(Instruction::Swizzle& swizzle, From from) {
  for (int lane = 0; lane < most_lanes; ++lane) {
    const int source = from(lane & 15);
    swizzle.from[static_cast<std::size_t>(lane)] =
        source < 0 || source > 15 ? 255 : static_cast<u8>((lane & ~15) | source);
  }
}

}  // namespace

i64 decode_number(const std::string& text) {
  char* end = nullptr;
  const bool negative = begins(text, "-");
  const char* digits = text.c_str() + (negative ? 1 : 0);
  const u64 size = std::strtoull(digits, &end, begins(digits, "0x") ? 16 : 10);
  if (end == digits || *end != '\0') {
    throw Fault("The interpreter knows no operand `" + text + "`.");
  }
  return negative ? -static_cast<i64>(size) : static_cast<i64>(size);
}

Operand decode_operand(const std::string& given, Type type) {
  Operand operand;
  operand.type = type;
  std::string text = given;
  if (text.size() > 1 && text[0] == '-' && (text[1] < '0' || text[1] > '9')) {
    operand.negate = true;
    text = text.substr(1);
  }
  if (begins(text, "sext(")) {
    operand.sign_extend = true;
    text = text.substr(5, text.size() - 6);
  } else if (begins(text, "neg(")) {
    operand.negate = true;
    text = text.substr(4, text.size() - 5);
  }
  if (begins(text, "|")) {
    operand.absolute = true;
    text = text.substr(1, text.size() - 2);
  } else if (begins(text, "abs(")) {
    operand.absolute = true;
    text = text.substr(4, text.size() - 5);
  }
  if (text == "off") {
    return operand;
  }
  if (registers(text, 'v', operand)) {
    operand.kind = Operand::Kind::vector;
    return operand;
  }
  if (registers(text, 'a', operand)) {
    operand.kind = Operand::Kind::vector;
    operand.first = static_cast<u16>(operand.first + first_accumulation_register);
    return operand;
  }
  operand.kind = Operand::Kind::scalar;
  if (registers(text, 's', operand)) {
    return operand;
  }
  if (begins(text, "ttmp") && registers(text.substr(3), 'p', operand)) {
    operand.first = static_cast<u16>(operand.first + scalar_register::ttmp);
    return operand;
  }
  for (const Named& name : named) {
    if (text == name.name) {
      operand.first = name.first;
      operand.count = name.count;
      return operand;
    }
  }
  operand.kind = Operand::Kind::constant;
  if (text == "src_shared_base" || text == "src_private_base") {
    operand.value = u64{text == "src_shared_base" ? local_aperture : private_aperture} << 32;
    return operand;
  }
  operand.value = constant(text, type);
  return operand;
}

void decode_parts(Line& line, Instruction& instruction) {
  const auto part = [&](const char* modifier) {
    return line.has(modifier) ? part_named(line.take(modifier)) : Part{};
  };
  instruction.source[0].part = part("src0_sel");
  instruction.source[1].part = part("src1_sel");
  instruction.destination_part = part("dst_sel");
  const std::string unused = line.take("dst_unused");
  instruction.unused = unused == "UNUSED_PRESERVE" ? Instruction::Unused::preserve
                       : unused == "UNUSED_SEXT"   ? Instruction::Unused::sign_extend
                                                   : Instruction::Unused::pad;
}

void decode_selections(Line& line, Instruction& instruction) {
  fill(line.take("op_sel"), instruction.select_low);
  fill(line.take("op_sel_hi"), instruction.select_high);
  fill(line.take("neg_lo"), instruction.negate_low);
  fill(line.take("neg_hi"), instruction.negate_high);
}

const Instruction::Swizzle* decode_swizzle(Line& line, int lanes) {
  static std::deque<Instruction::Swizzle> made;
  Instruction::Swizzle swizzle;
  const auto number = [&](const char* modifier) {
    return static_cast<int>(decode_number(line.take(modifier)));
  };
  bool found = true;
  if (line.has("quad_perm")) {
    const std::string list = line.take("quad_perm");
    rows(swizzle, [&](int lane) {
      return (lane & ~3) | (list.at(1 + 2 * static_cast<std::size_t>(lane & 3)) - '0');
    });
  } else if (line.has("row_shl")) {
    const int by = number("row_shl");
    rows(swizzle, [=](int lane) { return lane + by; });
  } else if (line.has("row_shr")) {
    const int by = number("row_shr");
    rows(swizzle, [=](int lane) { return lane - by; });
  } else if (line.has("row_ror")) {
    const int by = number("row_ror");
    rows(swizzle, [=](int lane) { return (lane - by) & 15; });
  } else if (line.has("row_share")) {
    const int by = number("row_share");
    rows(swizzle, [=](int) { return by; });
  } else if (line.has("row_xmask")) {
    const int by = number("row_xmask");
    rows(swizzle, [=](int lane) { return lane ^ by; });
  } else if (line.has("row_mirror")) {
    line.take("row_mirror");
    rows(swizzle, [](int lane) { return 15 - lane; });
  } else if (line.has("row_half_mirror")) {
    line.take("row_half_mirror");
    rows(swizzle, [](int lane) { return (lane & 8) | (7 - (lane & 7)); });
  } else if (line.has("row_bcast")) {
    // The last lane of each row, or of each half of the wave, to the row or half behind it.
    const int last = number("row_bcast");
    for (int lane = 0; lane < most_lanes; ++lane) {
      const int from = last == 15 ? (lane & ~15) - 1 : lane >= 32 ? 31 : -1;
      swizzle.from[static_cast<std::size_t>(lane)] = from < 0 ? 255 : static_cast<u8>(from);
    }
  } else {
    found = false;
  }
  if (!found) {
    return nullptr;
  }
  const u32 row_mask = line.has("row_mask") ? static_cast<u32>(number("row_mask")) : 15;
  const u32 bank_mask = line.has("bank_mask") ? static_cast<u32>(number("bank_mask")) : 15;
  swizzle.zero_outside = line.has("bound_ctrl");
  line.take("bound_ctrl");
  swizzle.enabled = 0;
  for (int lane = 0; lane < lanes; ++lane) {
    const bool valid = swizzle.from[static_cast<std::size_t>(lane)] != 255 || swizzle.zero_outside;
    if ((row_mask >> (lane >> 4 & 3) & bank_mask >> (lane >> 2 & 3) & 1) != 0 && valid) {
      swizzle.enabled |= u64{1} << lane;
    }
  }
  made.push_back(swizzle);
  return &made.back();
}

}  // namespace isofold::amd
