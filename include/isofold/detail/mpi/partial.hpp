// A rank's own part of the items of a plan: one read of its elements, and its results as integers
// for the message; and the way back, from the integers of all ranks to results.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <isofold/detail/mpi/global_index.hpp>
#include <isofold/detail/mpi/item.hpp>

namespace isofold::mpi::detail {

// Reduces the items of one group, [first, last): sums of exact_v1 to their words, one read each,
// and all others together, to results in host memory.
inline void reduce_group(isofold_reducer* reducer, Item* first, Item* last) {
  isofold_request together[ISOFOLD_MOST_FUSED];
  std::int32_t count = 0;
  const auto run = [](std::int32_t code) {
    if (code == ISOFOLD_empty_input) {
      return true;
    }
    check(code);
    return false;
  };
  const auto run_together = [&] {
    return run(count == 1 ? isofold_reduce(reducer, together)
                          : isofold_reduce_fused(reducer, together, count));
  };
  for (Item* item = first; item != last; ++item) {
    isofold_request request = item->wired();
    if (request.layout != nullptr) {
      request.layout = &first->layout;  // one input, one layout
    }
    const auto rows = static_cast<std::size_t>(std::max<std::int64_t>(request.rows, 0));
    const std::size_t each = item->form == Form::words
                                 ? static_cast<std::size_t>(item->sums)
                                 : (item->bytes + sizeof(std::int64_t) - 1) / sizeof(std::int64_t);
    item->local.assign(rows * each, 0);
    item->is_empty = false;
    request.result = item->local.data();
    request.flags |= ISOFOLD_BLOCKING;
    if (item->form == Form::words) {
      request.flags |= ISOFOLD_STATE;
      if (run(isofold_reduce(reducer, &request))) {
        item->is_empty = true;
        std::fill(item->local.begin(), item->local.end(), 0);
      }
      continue;
    }
    // A request of tree v1, which every backend has: these folds have the same result by both.
    request.definition = ISOFOLD_DEFINITION_tree_v1;
    together[count++] = request;
  }
  if (count == 0) {
    return;
  }
  // Folds that are an error of no elements say so for all of the group.
  if (run_together()) {
    for (Item* item = first; item != last; ++item) {
      item->is_empty = true;
    }
  }
}

// Reads a component of a result, and writes it.
[[nodiscard]] inline std::uint64_t component_bits(const unsigned char* result,
                                                  const isofold_component& component) {
  const int bytes = component.type == ISOFOLD_TYPE_boolean
                        ? 1
                        : static_cast<int>(isofold_type_bytes(component.type));
  return read_bits(result + component.offset, bytes);
}
inline void write_component(unsigned char* result, const isofold_component& component,
                            std::uint64_t bits) {
  const auto bytes = component.type == ISOFOLD_TYPE_boolean
                         ? std::size_t{1}
                         : static_cast<std::size_t>(isofold_type_bytes(component.type));
  std::memcpy(result + component.offset, &bits, bytes);
}

// The way that key `key` of an extremum looks; a location has two components.
[[nodiscard]] inline Toward toward_of(const Item& item, std::size_t key) {
  if (item.form == Form::extent || item.form == Form::locations) {
    return key == 0 ? Toward::lowest : Toward::highest;
  }
  return item.toward();
}

[[nodiscard]] inline std::uint64_t bits_of_counter(const Item& item) {
  return static_cast<std::uint64_t>(item.sums) * 2;
}

// Writes the integers of a row of this rank: item.sums sums and item.keys keys.
inline void encode(Item& item, const std::vector<isofold_component>& components, std::int64_t row,
                   std::int64_t* sums, Ranked* keys) {
  if (item.is_empty) {
    return;  // zeros, and keys that lose, change no result
  }
  const auto* const result = reinterpret_cast<const unsigned char*>(item.local.data()) +
                             static_cast<std::size_t>(row) * item.bytes;
  switch (item.form) {
    case Form::words: {
      const std::int64_t* const words = item.local.data() + row * item.sums;
      std::copy(words, words + item.sums, sums);
      return;
    }
    case Form::integers: {
      const std::uint64_t sum = component_bits(result, components[0]);
      sums[0] = as_signed(sum & 0xffffffffU);
      sums[1] = as_signed(sum >> 32U);
      return;
    }
    case Form::count: sums[0] = as_signed(component_bits(result, components[0])); return;
    case Form::answer: {
      const bool answer = component_bits(result, components[0]) != 0;
      sums[0] = answer == item.is(Fold::any) ? 1 : 0;  // ranks that decide
      return;
    }
    case Form::bits: {
      const std::uint64_t bits = component_bits(result, components[0]);
      for (std::uint64_t b = 0; b < bits_of_counter(item); ++b) {
        const bool counts = ((bits >> b) & 1U) != (item.is(Fold::bit_and) ? 1U : 0U);
        sums[b / 2] += counts ? std::int64_t{1} << (32 * (b % 2)) : 0;
      }
      return;
    }
    default: break;
  }
  const NumberFormat format = format_of(components[0].type);
  if (item.has_locations && as_signed(component_bits(result, components[1])) < 0) {
    return;  // a row without elements
  }
  sums[0] = 1;
  for (std::size_t k = 0; k < static_cast<std::size_t>(item.keys); ++k) {
    const Toward toward = toward_of(item, k);
    const std::size_t at = item.has_locations ? 2 * k : k;
    keys[k].key = key_of(component_bits(result, components[at]), format, toward);
    if (item.has_locations) {
      const std::int64_t index = as_signed(component_bits(result, components[at + 1]));
      const std::int64_t global = global_index(item, index, toward);
      keys[k].order = item.takes_last() ? global : ~global;
    }
  }
}

// A blocking call for one result of no elements is an error, as a Reducer has it (docs/folds.md).
inline void check_elements(const Item& item, const std::int64_t* sums) {
  bool is_error = false;
  switch (static_cast<Fold>(item.request.fold)) {
    case Fold::moments:
    case Fold::mean:
    case Fold::variance:
    case Fold::sample_variance:
    case Fold::standard_deviation:
    case Fold::sample_standard_deviation:
    case Fold::minimum:
    case Fold::maximum: is_error = true; break;
    default: is_error = item.has_locations || item.form == Form::extent;
  }
  if (is_error && item.rows == 1 && sums[0] == 0) {
    throw Error(Code::empty_input, "The fold " + item.text() +
                                       " of no elements: no rank has one, and it has no value.");
  }
}

// Writes a result from the integers of all ranks.
inline void decode(const Item& item, const std::vector<isofold_component>& components,
                   const std::int64_t* sums, const Ranked* keys, unsigned char* result) {
  std::memset(result, 0, item.bytes);
  check_elements(item, sums);
  switch (item.form) {
    case Form::words:
      check(isofold_exact_finish(item.request.fold, item.type, sums, result));
      return;
    case Form::integers:
      write_component(result, components[0], as_unsigned(sums[0]) + (as_unsigned(sums[1]) << 32U));
      return;
    case Form::count: write_component(result, components[0], as_unsigned(sums[0])); return;
    case Form::answer: {
      const bool is_decided = sums[0] > 0;
      write_component(result, components[0], is_decided == item.is(Fold::any) ? 1U : 0U);
      return;
    }
    case Form::bits: {
      std::uint64_t bits = 0;
      for (std::uint64_t b = 0; b < bits_of_counter(item); ++b) {
        const std::int64_t ranks = (sums[b / 2] >> (32 * (b % 2))) & 0xffffffff;
        const bool is_set = item.is(Fold::bit_and)  ? ranks == 0
                            : item.is(Fold::bit_or) ? ranks > 0
                                                    : (ranks & 1) != 0;
        bits |= std::uint64_t{is_set} << b;
      }
      write_component(result, components[0], bits);
      return;
    }
    default: break;
  }
  const bool is_nothing = sums[0] == 0;
  const NumberFormat format = format_of(components[0].type);
  const bool is_magnitude = item.is(Fold::absolute_maximum) || item.is(Fold::argabsmax);
  for (std::size_t k = 0; k < static_cast<std::size_t>(item.keys); ++k) {
    const Toward toward = toward_of(item, k);
    const std::size_t at = item.has_locations ? 2 * k : k;
    const std::uint64_t nothing = is_magnitude ? 0 : bits_of_nothing(format, toward);
    write_component(result, components[at],
                    is_nothing ? nothing : bits_of_key(keys[k].key, format, toward));
    if (item.has_locations) {
      const std::int64_t index = item.takes_last() ? keys[k].order : ~keys[k].order;
      write_component(result, components[at + 1], as_unsigned(is_nothing ? -1 : index));
    }
  }
}

}  // namespace isofold::mpi::detail
