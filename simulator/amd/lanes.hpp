// The execution of an instruction of vector arithmetic: a function of a lane's operands, over all
// lanes.
#pragma once

#include <tuple>
#include <utility>

#include <simulator/amd/table.hpp>
#include <simulator/amd/wave.hpp>

namespace isofold::amd {

template <class T>
inline constexpr Type type_tag = Type::none;
template <>
inline constexpr Type type_tag<Bit> = Type::bit;
template <>
inline constexpr Type type_tag<u16> = Type::u16;
template <>
inline constexpr Type type_tag<i16> = Type::i16;
template <>
inline constexpr Type type_tag<f16> = Type::f16;
template <>
inline constexpr Type type_tag<u32> = Type::u32;
template <>
inline constexpr Type type_tag<i32> = Type::i32;
template <>
inline constexpr Type type_tag<f32> = Type::f32;
template <>
inline constexpr Type type_tag<u64> = Type::u64;
template <>
inline constexpr Type type_tag<i64> = Type::i64;
template <>
inline constexpr Type type_tag<f64> = Type::f64;

template <class T>
struct alignas(64) Lanes {
  T lane[most_lanes];
};

// A loop over lanes that compilers turn into vectors: 32 at a time.
template <class Function>
inline void for_lanes(const Wave& wave, Function function) {
  for (int half = 0; half < wave.halves(); ++half) {
    for (int lane = 0; lane < 32; ++lane) {
      function(half * 32 + lane);
    }
  }
}

inline constexpr u32 kept_subnormals_f32 = 3u << 4;
inline constexpr u32 kept_subnormals_f64 = 3u << 6;

template <class T>
inline bool flushes(const Wave& wave) {
  if constexpr (std::is_same_v<T, f32>) {
    return (wave.mode & kept_subnormals_f32) != kept_subnormals_f32;
  } else if constexpr (std::is_same_v<T, f64>) {
    return (wave.mode & kept_subnormals_f64) != kept_subnormals_f64;
  } else {
    return false;
  }
}

// A subnormal number becomes a zero of its sign.
inline f32 flushed(f32 x) {
  const u32 bits = bits_as<u32>(x);
  return (bits & 0x7f800000u) == 0 ? bits_as<f32>(bits & 0x80000000u) : x;
}
inline f64 flushed(f64 x) {
  const u64 bits = bits_as<u64>(x);
  return (bits & 0x7ff0000000000000u) == 0 ? bits_as<f64>(bits & 0x8000000000000000u) : x;
}

inline u64 modified(u64 bits, const Operand& operand, int width) {
  const u64 sign = u64{1} << (width - 1);
  bits = operand.absolute ? bits & ~sign : bits;
  return operand.negate ? bits ^ sign : bits;
}

inline u32 part_of(u32 word, const Part& part, bool sign_extend) {
  if (part.bits == 32) {
    return word;
  }
  const u32 cut = word >> part.shift & ((1u << part.bits) - 1);
  const u32 sign = 1u << (part.bits - 1);
  return sign_extend ? (cut ^ sign) - sign : cut;
}

template <class T>
inline T from_word(u32 word) {
  if constexpr (sizeof(T) == 4) {
    return bits_as<T>(word);
  } else {
    return bits_as<T>(static_cast<u16>(word));
  }
}

const u32* swizzled(const Wave& wave, const Instruction& instruction, const u32* lanes,
                    u32* buffer);

// A source's lanes: where they lie already, or put together in `buffer`.
template <class T>
inline const T* fetch(const Wave& wave, const Instruction& instruction, std::size_t number,
                      Lanes<T>& buffer) {
  const Operand& operand = instruction.source[number];
  if constexpr (std::is_same_v<T, Bit>) {
    const u64 mask = wave.mask(operand.first);
    for_lanes(wave, [&](int lane) { buffer.lane[lane] = {static_cast<u8>(mask >> lane & 1)}; });
    return buffer.lane;
  } else if constexpr (sizeof(T) == 8) {
    if (operand.kind == Operand::Kind::vector) {
      const u32* const low = wave.vector(operand.first);
      const u32* const high = wave.vector(operand.first + 1u);
      for_lanes(wave, [&](int lane) {
        buffer.lane[lane] = bits_as<T>(low[lane] | u64{high[lane]} << 32);
      });
    } else {
      const T value = bits_as<T>(operand.kind == Operand::Kind::scalar ? wave.pair(operand.first)
                                                                       : operand.value);
      for_lanes(wave, [&](int lane) { buffer.lane[lane] = value; });
    }
    if (!operand.plain()) {
      for_lanes(wave, [&](int lane) {
        buffer.lane[lane] = bits_as<T>(modified(bits_as<u64>(buffer.lane[lane]), operand, 64));
      });
    }
  } else {
    if (operand.kind == Operand::Kind::vector) {
      u32 moved[most_lanes];
      const u32* words = wave.vector(operand.first);
      if (number == 0 && instruction.swizzle != nullptr) {
        words = swizzled(wave, instruction, words, moved);
      }
      if (sizeof(T) == 4 && operand.plain() && words != moved && !flushes<T>(wave)) {
        return reinterpret_cast<const T*>(words);
      }
      for_lanes(wave, [&](int lane) {
        const u32 word = part_of(words[lane], operand.part, operand.sign_extend);
        buffer.lane[lane] =
            from_word<T>(static_cast<u32>(modified(word, operand, sizeof(T) == 4 ? 32 : 16)));
      });
    } else {
      u32 word = operand.kind == Operand::Kind::scalar ? wave.scalar(operand.first)
                                                       : static_cast<u32>(operand.value);
      word = part_of(word, operand.part, operand.sign_extend);
      const T value =
          from_word<T>(static_cast<u32>(modified(word, operand, sizeof(T) == 4 ? 32 : 16)));
      for_lanes(wave, [&](int lane) { buffer.lane[lane] = value; });
    }
  }
  if constexpr (std::is_floating_point_v<T>) {
    if (flushes<T>(wave)) {
      for_lanes(wave, [&](int lane) { buffer.lane[lane] = flushed(buffer.lane[lane]); });
    }
  }
  return buffer.lane;
}

inline u64 packed_bits(const Wave& wave, const u8* set) {
  u64 mask = 0;
  for (int group = 0; group < wave.lanes() / 8; ++group) {
    u64 bytes;
    std::memcpy(&bytes, set + group * 8, 8);
    mask |= (bytes * 0x0102040810204080u >> 56) << group * 8;
  }
  return mask & wave.exec();
}

inline void blend(const Wave& wave, u32* to, const u32* from) {
  if (wave.all_active()) {
    for_lanes(wave, [&](int lane) { to[lane] = from[lane]; });
    return;
  }
  const u32* const active = wave.active();
  for_lanes(wave,
            [&](int lane) { to[lane] = (from[lane] & active[lane]) | (to[lane] & ~active[lane]); });
}

// Lanes that DPP leaves out keep their old value.
void blend_enabled(const Wave& wave, u64 enabled, u32* to, const u32* from);
void store_part(const Wave& wave, const Instruction& instruction, u32* to, u32* from);

template <class T>
inline void store(Wave& wave, const Instruction& instruction, Lanes<T>& result) {
  const Operand& destination = instruction.destination[0];
  if constexpr (std::is_floating_point_v<T>) {
    if (flushes<T>(wave)) {
      for_lanes(wave, [&](int lane) { result.lane[lane] = flushed(result.lane[lane]); });
    }
    if (instruction.clamp) {
      for_lanes(wave, [&](int lane) {
        const T x = result.lane[lane];
        result.lane[lane] = x > T{0} ? (x < T{1} ? x : T{1}) : T{0};
      });
    }
  }
  if constexpr (sizeof(T) == 8) {
    u32 low[most_lanes];
    u32 high[most_lanes];
    for_lanes(wave, [&](int lane) {
      const u64 bits = bits_as<u64>(result.lane[lane]);
      low[lane] = static_cast<u32>(bits);
      high[lane] = static_cast<u32>(bits >> 32);
    });
    blend(wave, wave.vector(destination.first), low);
    blend(wave, wave.vector(destination.first + 1u), high);
  } else {
    u32* const to = wave.vector(destination.first);
    alignas(64) u32 words[most_lanes];
    if constexpr (sizeof(T) == 2) {
      const u32 kept = wave.around().architecture->zero_high_halves ? 0 : 0xffff0000u;
      for_lanes(wave, [&](int lane) {
        words[lane] = bits_as<u16>(result.lane[lane]) | (to[lane] & kept);
      });
    } else {
      for_lanes(wave, [&](int lane) { words[lane] = bits_as<u32>(result.lane[lane]); });
    }
    if (instruction.destination_part.bits != 32) {
      store_part(wave, instruction, to, words);
    }
    if (instruction.swizzle != nullptr) {
      blend_enabled(wave, instruction.swizzle->enabled, to, words);
    } else {
      blend(wave, to, words);
    }
  }
}

inline void store(Wave& wave, const Instruction& instruction, Lanes<Bit>& result) {
  wave.set_mask(instruction.destination[0].first, packed_bits(wave, &result.lane[0].set));
}

template <class T>
inline void store(Wave& wave, const Instruction& instruction, Lanes<Flagged<T>>& result) {
  Lanes<T> values;
  u8 flags[most_lanes];
  for_lanes(wave, [&](int lane) {
    values.lane[lane] = result.lane[lane].value;
    flags[lane] = result.lane[lane].flag;
  });
  store(wave, instruction, values);
  wave.set_mask(instruction.destination[1].first, packed_bits(wave, flags));
}

template <class Op, class Result, class... Sources, std::size_t... number>
inline void run_lanes(Wave& wave, const Instruction& instruction, Result (*)(Sources...),
                      std::index_sequence<number...>) {
  std::tuple<Lanes<Sources>...> buffers;
  const std::tuple<const Sources*...> sources{
      fetch<Sources>(wave, instruction, number, std::get<number>(buffers))...};
  Lanes<Result> result;
  for_lanes(wave,
            [&](int lane) { result.lane[lane] = Op::of(std::get<number>(sources)[lane]...); });
  store(wave, instruction, result);
}

template <class Op>
struct Signature;

template <class Result, class... Sources>
struct Signature<Result(Sources...)> {
  template <class Op>
  static void execute(Wave& wave, const Instruction& instruction) {
    run_lanes<Op>(wave, instruction, &Op::of, std::index_sequence_for<Sources...>{});
  }
};

template <class T>
inline constexpr std::array<Type, 2> results_of{type_tag<T>, Type::none};
template <class T>
inline constexpr std::array<Type, 2> results_of<Flagged<T>>{type_tag<T>, Type::bit};

template <class Op, class Result, class... Sources>
inline Entry vector_entry(std::string_view name, Form form, Result (*)(Sources...)) {
  Entry entry;
  entry.name = name;
  entry.form = form;
  entry.destination = results_of<Result>;
  entry.source = {type_tag<Sources>...};
  entry.execute = &Signature<Result(Sources...)>::template execute<Op>;
  return entry;
}

}  // namespace isofold::amd
