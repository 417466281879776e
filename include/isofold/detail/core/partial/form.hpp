// The partial result of a fold that is free of order, as integers: `sums`, which are added over all
// parts of the data, and `keys`, of which the largest wins. All such folds have one of these forms:
//
//   words       sums of exact_v1 (docs/exact.md)
//   integers    a sum of integers: two halves of 32 bits
//   count       one number, of elements
//   answer      any and its kin: the number of parts that decide
//   bits        for each bit the number of parts, two to a sum
//   extrema     a key each (keys.hpp), and how many parts have an element
//   locations   the same, each key with the order of the global index
//
// Hosts and devices write and read them by the same functions.
#pragma once

#include <isofold/detail/core/partial/keys.hpp>

namespace isofold::core::partial {

enum class Form : std::int32_t { words, integers, count, answer, bits, extrema, locations };

// A key and, of a location, the order of its index: its complement where the lowest index wins.
struct Ranked {
  std::int64_t key = least_key;
  std::int64_t order = least_key;
};
[[nodiscard]] ISOFOLD_HOST_DEVICE inline bool beats(const Ranked& a, const Ranked& b) {
  return a.key > b.key || (a.key == b.key && a.order > b.order);
}

// A form says how one result of a fold lies in memory, and which integers it becomes.
struct Format {
  Form form = Form::words;
  std::int32_t fold = 0;
  std::int64_t sums = 0;
  std::int64_t keys = 0;   // 0, 1 or 2
  std::int64_t bytes = 0;  // of a result
  NumberFormat number;     // of its values
  Toward toward[2] = {Toward::highest, Toward::highest};
  bool takes_last = false;
  struct {
    std::int32_t offset;
    std::int32_t bytes;
  } component[4] = {};

  [[nodiscard]] ISOFOLD_HOST_DEVICE bool has_locations() const { return form == Form::locations; }
  [[nodiscard]] ISOFOLD_HOST_DEVICE std::int64_t words_of_slot() const {
    return keys * (has_locations() ? 2 : 1);
  }
};

// A box in the whole one: the place of the elements whose location is a global index.
struct BoxPlace {
  std::int32_t dimensions = 0;
  std::int64_t extents[ISOFOLD_MOST_DIMENSIONS] = {};
  std::int64_t offsets[ISOFOLD_MOST_DIMENSIONS] = {};
  std::int64_t whole[ISOFOLD_MOST_DIMENSIONS] = {};

  // The row-major index in the whole of an element by its index in the box.
  [[nodiscard]] ISOFOLD_HOST_DEVICE std::int64_t global_index(std::int64_t index) const {
    std::int64_t global = 0;
    std::int64_t stride = 1;
    for (std::int32_t d = dimensions - 1; d >= 0; --d) {
      global += (offsets[d] + index % extents[d]) * stride;
      index /= extents[d];
      stride *= whole[d];
    }
    return global;
  }
};

// Reads a component of a result, and writes it.
[[nodiscard]] ISOFOLD_HOST_DEVICE inline std::uint64_t read_component(const Format& format,
                                                                      const unsigned char* result,
                                                                      std::int64_t number) {
  return read_bits(result + format.component[number].offset, format.component[number].bytes);
}
ISOFOLD_HOST_DEVICE inline void write_component(const Format& format, unsigned char* result,
                                                std::int64_t number, std::uint64_t bits) {
  write_bits(result + format.component[number].offset, bits, format.component[number].bytes);
}

// Writes the integers of a part's result, which is one of some elements unless a location says
// otherwise; sums are zeros before, and keys lose against all. global(index, toward) is the index
// in the whole. Words are as they are.
ISOFOLD_OF_EITHER_SIDE
template <class Global>
ISOFOLD_HOST_DEVICE void encode(const Format& format, const unsigned char* result, Global&& global,
                                std::int64_t* sums, Ranked* keys) {
  const std::uint64_t value = read_component(format, result, 0);
  switch (format.form) {
    case Form::words: return;
    case Form::integers:
      sums[0] = as_signed(value & 0xffffffffU);
      sums[1] = as_signed(value >> 32U);
      return;
    case Form::count: sums[0] = as_signed(value); return;
    case Form::answer: sums[0] = (value != 0) == (format.fold == ISOFOLD_FOLD_any) ? 1 : 0; return;
    case Form::bits:
      for (std::int64_t b = 0; b < 2 * format.sums; ++b) {
        const bool counts = ((value >> b) & 1U) != (format.fold == ISOFOLD_FOLD_bit_and ? 1U : 0U);
        sums[b / 2] += counts ? std::int64_t{1} << (32 * (b % 2)) : 0;
      }
      return;
    default: break;
  }
  if (format.has_locations() && as_signed(read_component(format, result, 1)) < 0) {
    return;  // a row without elements
  }
  sums[0] = 1;
  for (std::int64_t k = 0; k < format.keys; ++k) {
    const Toward toward = format.toward[k];
    const std::int64_t at = format.has_locations() ? 2 * k : k;
    keys[k].key = key_of(read_component(format, result, at), format.number, toward);
    if (format.has_locations()) {
      const std::int64_t index = global(as_signed(read_component(format, result, at + 1)), toward);
      keys[k].order = format.takes_last ? index : ~index;
    }
  }
}

// Writes a result from the integers of all parts. Words are no business of this function.
ISOFOLD_HOST_DEVICE inline void decode(const Format& format, const std::int64_t* sums,
                                       const Ranked* keys, unsigned char* result) {
  switch (format.form) {
    case Form::words: return;
    case Form::integers:
      write_component(format, result, 0, as_unsigned(sums[0]) + (as_unsigned(sums[1]) << 32U));
      return;
    case Form::count: write_component(format, result, 0, as_unsigned(sums[0])); return;
    case Form::answer: {
      const bool is_decided = sums[0] > 0;
      write_component(format, result, 0, is_decided == (format.fold == ISOFOLD_FOLD_any) ? 1U : 0U);
      return;
    }
    case Form::bits: {
      std::uint64_t bits = 0;
      for (std::int64_t b = 0; b < 2 * format.sums; ++b) {
        const std::int64_t parts = (sums[b / 2] >> (32 * (b % 2))) & 0xffffffff;
        const bool is_set = format.fold == ISOFOLD_FOLD_bit_and  ? parts == 0
                            : format.fold == ISOFOLD_FOLD_bit_or ? parts > 0
                                                                 : (parts & 1) != 0;
        bits |= std::uint64_t{is_set} << b;
      }
      write_component(format, result, 0, bits);
      return;
    }
    default: break;
  }
  const bool is_nothing = sums[0] == 0;
  const bool is_magnitude =
      format.fold == ISOFOLD_FOLD_absolute_maximum || format.fold == ISOFOLD_FOLD_argabsmax;
  for (std::int64_t k = 0; k < format.keys; ++k) {
    const Toward toward = format.toward[k];
    const std::int64_t at = format.has_locations() ? 2 * k : k;
    const std::uint64_t nothing = is_magnitude ? 0 : bits_of_nothing(format.number, toward);
    write_component(format, result, at,
                    is_nothing ? nothing : bits_of_key(keys[k].key, format.number, toward));
    if (format.has_locations()) {
      const std::int64_t index = format.takes_last ? keys[k].order : ~keys[k].order;
      write_component(format, result, at + 1, as_unsigned(is_nothing ? -1 : index));
    }
  }
}

// ---- parts that exchange a sum of integers and nothing else: a row has its sums, and then a slot
// of keys for each part, of which all but its own are zeros.

[[nodiscard]] ISOFOLD_HOST_DEVICE inline std::int64_t words_of_row(const Format& format,
                                                                   std::int64_t parts) {
  return format.sums + parts * format.words_of_slot();
}
ISOFOLD_OF_EITHER_SIDE
template <class Global>
ISOFOLD_HOST_DEVICE void write_row(const Format& format, const unsigned char* result,
                                   Global&& global, std::int64_t part, std::int64_t* words) {
  Ranked keys[2];
  for (std::int64_t i = 0; i < format.sums; ++i) {
    words[i] = 0;
  }
  encode(format, result, global, words, keys);
  std::int64_t* slot = words + format.sums + part * format.words_of_slot();
  for (std::int64_t k = 0; k < format.keys; ++k) {
    *slot++ = keys[k].key;
    if (format.has_locations()) {
      *slot++ = keys[k].order;
    }
  }
}
ISOFOLD_HOST_DEVICE inline void finish_row(const Format& format, const std::int64_t* words,
                                           std::int64_t parts, unsigned char* result) {
  Ranked best[2];
  const std::int64_t* slot = words + format.sums;
  for (std::int64_t part = 0; part < parts; ++part) {
    for (std::int64_t k = 0; k < format.keys; ++k) {
      Ranked here{*slot++, least_key};
      if (format.has_locations()) {
        here.order = *slot++;
      }
      best[k] = beats(here, best[k]) ? here : best[k];
    }
  }
  decode(format, words, best, result);
}

}  // namespace isofold::core::partial
