// A rank's own part of the items of a plan: one read of its elements, and its results as integers
// for the message; and the way back, from the integers of all ranks to results.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <isofold/detail/team/global_index.hpp>
#include <isofold/detail/team/item.hpp>

namespace isofold::team::detail {

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
    const bool has_words = item->format.form == Form::words;
    const std::size_t each =
        has_words ? static_cast<std::size_t>(item->format.sums)
                  : (item->bytes() + sizeof(std::int64_t) - 1) / sizeof(std::int64_t);
    item->local.assign(rows * each, 0);
    item->is_empty = false;
    request.result = item->local.data();
    request.flags |= ISOFOLD_BLOCKING;
    if (has_words) {
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

// Writes the integers of a row of this rank: sums, zeros before, and keys, which lose before.
inline void encode(Item& item, std::int64_t row, std::int64_t* sums, Ranked* keys) {
  if (item.is_empty) {
    return;  // zeros, and keys that lose, change no result
  }
  if (item.format.form == Form::words) {
    const std::int64_t* const words = item.local.data() + row * item.format.sums;
    std::copy(words, words + item.format.sums, sums);
    return;
  }
  const auto* const result = reinterpret_cast<const unsigned char*>(item.local.data()) +
                             static_cast<std::size_t>(row) * item.bytes();
  core::partial::encode(
      item.format, result,
      [&](std::int64_t index, Toward toward) { return global_index(item, index, toward); }, sums,
      keys);
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
    case Fold::maximum:
    case Fold::minmax: is_error = true; break;
    default: is_error = item.format.has_locations();
  }
  if (is_error && item.rows == 1 && sums[0] == 0) {
    throw Error(Code::empty_input, "The fold " + item.text() +
                                       " of no elements: no rank has one, and it has no value.");
  }
}

// Writes a result from the integers of all ranks.
inline void decode(const Item& item, const std::int64_t* sums, const Ranked* keys,
                   unsigned char* result) {
  std::memset(result, 0, item.bytes());
  check_elements(item, sums);
  if (item.format.form == Form::words) {
    check(isofold_exact_finish(item.request.fold, item.type, sums, result));
  } else {
    core::partial::decode(item.format, sums, keys, result);
  }
}

}  // namespace isofold::team::detail
