// A decoded instruction: the function that executes it, and its operands.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <simulator/amd/types.hpp>

namespace isofold::amd {

class Wave;

enum class Type : u8 { none, bit, u16, i16, f16, u32, i32, f32, u64, i64, f64 };

inline constexpr bool is_wide(Type type) {
  return type == Type::u64 || type == Type::i64 || type == Type::f64;
}

// Numbers of scalar registers beyond s0 to s105. They are the interpreter's own, for encodings
// differ between architectures.
namespace scalar_register {
inline constexpr u16 vcc = 106;
inline constexpr u16 ttmp = 108;
inline constexpr u16 m0 = 124;
inline constexpr u16 null = 125;
inline constexpr u16 exec = 126;
inline constexpr u16 count = 128;
}  // namespace scalar_register

// Accumulation registers a0 to a255 follow v0 to v255.
inline constexpr u16 first_accumulation_register = 256;
inline constexpr u16 vector_registers = 512;

// The part of a register that an instruction of the SDWA encoding reads or writes.
struct Part {
  u8 shift = 0;
  u8 bits = 32;
};

struct Operand {
  enum class Kind : u8 { none, vector, scalar, constant };
  Kind kind = Kind::none;
  Type type = Type::none;
  u16 first = 0;  // register
  u16 count = 1;  // registers
  u64 value = 0;  // of a constant
  bool absolute = false;
  bool negate = false;
  bool sign_extend = false;
  Part part;

  bool plain() const { return !absolute && !negate && !sign_extend && part.bits == 32; }
};

// A set of vector and scalar registers.
struct RegisterSet {
  std::array<u64, (vector_registers + scalar_register::count) / 64> words{};

  void add(const Operand& operand);
  bool meets(const RegisterSet& other) const {
    u64 common = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      common |= words[i] & other.words[i];
    }
    return common != 0;
  }
  bool has(std::size_t number) const { return (words[number / 64] >> number % 64 & 1) != 0; }
};

// A part of a memory access that lies in one piece, and its registers.
struct Piece {
  i32 offset = 0;
  u8 bytes = 0;
  u8 first_register = 0;
};

struct Instruction {
  using Execute = void (*)(Wave&, const Instruction&);
  Execute execute = nullptr;
  std::array<Operand, 2> destination;  // the value, and a mask or SCC's place
  std::array<Operand, 5> source;
  RegisterSet reads;
  RegisterSet writes;
  u32 target = 0;  // of a branch: the number of an instruction
  u64 next_address = 0;

  // Vector arithmetic.
  Part destination_part;
  enum class Unused : u8 { pad, sign_extend, preserve } unused = Unused::pad;
  bool clamp = false;
  // The half of each packed operand (op_sel) for the low result, and for the high one.
  std::array<u8, 3> select_low{0, 0, 0};
  std::array<u8, 3> select_high{1, 1, 1};
  std::array<u8, 3> negate_low{0, 0, 0};
  std::array<u8, 3> negate_high{0, 0, 0};

  // Lanes that read from another one (DPP).
  struct Swizzle {
    std::array<u8, most_lanes> from;  // 255: no lane
    u64 enabled = ~u64{0};            // by row_mask and bank_mask
    bool zero_outside = false;        // bound_ctrl
  };
  const Swizzle* swizzle = nullptr;

  // Memory.
  std::array<Piece, 2> piece;
  int pieces = 0;
  bool returns = false;       // an atomic that delivers the old value
  bool bypass_cache = false;  // glc, sc0, sc1
  u32 immediate = 0;
  std::shared_ptr<const std::array<Instruction, 2>> dual;   // of gfx11: both halves
  std::array<u16, 4> wait{0xffff, 0xffff, 0xffff, 0xffff};  // vm, lgkm, vs, exp
};

// A kernel, ready to run.
struct Program {
  std::string name;
  std::vector<Instruction> instructions;
  std::vector<std::string> text;  // of each instruction, for sentences
  std::vector<u64> address;       // of each, in the loaded image
  int vector_registers = 3;       // at least those of the thread's place
};

}  // namespace isofold::amd
