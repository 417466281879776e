// Plan: all items of one call, the places of their integers in a message, and a hash of all that
// ranks must agree on.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <isofold/detail/team/partial.hpp>

namespace isofold::team::detail {

// FNV-1a over 64-bit integers and bytes.
class Hash {
 public:
  void add(const void* memory, std::size_t bytes) {
    const auto* const at = static_cast<const unsigned char*>(memory);
    for (std::size_t i = 0; i < bytes; ++i) {
      value_ = (value_ ^ at[i]) * 1099511628211U;
    }
  }
  void add(std::int64_t number) { add(&number, sizeof number); }
  void add(const std::string& text) { add(text.data(), text.size()); }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037U;
};

// The number of a rank, and how many there are.
struct Rank {
  int rank = 0;
  int ranks = 1;
};

class Plan {
 public:
  // Adds an item; those of one input follow one another and have one group. The request's layout,
  // which the item keeps a copy of, may be NULL.
  void add(Item item) {
    item.rows =
        item.placement.kind == Placement::Kind::layers ? item.placement.total : item.request.rows;
    set_format(item);
    items_.push_back(std::move(item));
  }

  // Reads the elements.
  void evaluate(isofold_reducer* reducer) {
    for (std::size_t first = 0; first < items_.size();) {
      std::size_t last = first;
      while (last < items_.size() && items_[last].group == items_[first].group &&
             last - first < ISOFOLD_MOST_FUSED) {
        ++last;
      }
      reduce_group(reducer, items_.data() + first, items_.data() + last);
      first = last;
    }
  }
  // A hash of all that ranks must agree on.
  [[nodiscard]] std::uint64_t hash() const {
    Hash hash;
    hash.add(static_cast<std::int64_t>(items_.size()));
    for (const Item& item : items_) {
      const isofold_request& request = item.request;
      for (const std::int64_t number :
           {std::int64_t{request.definition}, std::int64_t{request.fold},
            std::int64_t{request.type}, std::int64_t{request.accumulator},
            std::int64_t{request.flags & ISOFOLD_SKIP_NAN}, item.rows, item.placement.total,
            std::int64_t{covers(item) ? 1 : 0}, std::int64_t{item.group}}) {
        hash.add(number);
      }
      hash.add(item.parameters, item.parameter_bytes);
    }
    return hash.value();
  }
  [[nodiscard]] std::string text() const {
    std::string made;
    for (const Item& item : items_) {
      made += (made.empty() ? "" : ", ") + item.text();
    }
    return made.empty() ? "nothing" : made;
  }

  [[nodiscard]] std::vector<Item>& items() { return items_; }
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }
  [[nodiscard]] std::int64_t sums() const { return count(&Format::sums) + coverage_words(); }
  [[nodiscard]] std::int64_t keys() const { return count(&Format::keys); }
  [[nodiscard]] bool has_locations() const {
    bool any = false;
    for (const Item& item : items_) {
      any = any || item.format.has_locations();
    }
    return any;
  }

  // Writes this rank's integers: sums() zeros before, and keys() keys that lose.
  void encode(Rank rank, std::int64_t* sums, Ranked* keys) {
    for (Item& item : items_) {
      const std::int64_t skipped = item.placement.first_row;
      for (std::int64_t row = 0; row < item.request.rows; ++row) {
        detail::encode(item, row, sums + (skipped + row) * item.format.sums,
                       keys + (skipped + row) * item.format.keys);
      }
      sums += item.rows * item.format.sums;
      keys += item.rows * item.format.keys;
    }
    add_coverage(rank, sums);
  }
  // Adds what this rank's parts cover to coverage_words() integers.
  void add_coverage(Rank rank, std::int64_t* sums) const {
    for (const Item& item : items_) {
      if (covers(item)) {
        // The first rank takes the whole away, so that all together are zero.
        std::uint64_t coverage = item.placement.coverage;
        if (rank.rank == 0) {
          coverage = subtracted(coverage, coverage_of_all(item.placement.total));
        }
        sums[0] += as_signed(coverage & 0xffffffffU);
        sums[1] += as_signed(coverage >> 32U);
        sums += 2;
      }
    }
  }
  [[nodiscard]] std::int64_t coverage_words() const {
    std::int64_t all = 0;
    for (const Item& item : items_) {
      all += covers(item) ? 2 : 0;
    }
    return all;
  }
  // Throws mismatch, from the coverage of all ranks, where the parts of all ranks do not cover the
  // whole once.
  void check_coverage(const std::int64_t* sums) const {
    for (const Item& item : items_) {
      if (!covers(item)) {
        continue;
      }
      // Up to 2^30 ranks: 62 bits, of weight 2^32 and 1.
      const std::uint64_t high = reduced(as_unsigned(sums[1]));
      const std::uint64_t all =
          added(multiplied(high, std::uint64_t{1} << 32U), reduced(as_unsigned(sums[0])));
      if (all != 0) {
        throw Error(Code::mismatch,
                    "The parts of all ranks do not cover the " +
                        std::to_string(item.placement.total) +
                        " elements of the whole once each: there is a gap, or two ranks have the "
                        "same element. Compare the extents and offsets that ranks give to part(), "
                        "or their lists of indices.");
      }
      sums += 2;
    }
  }
  // Writes the results of an item, one behind the other.
  void decode(std::size_t number, const std::int64_t* sums, const Ranked* keys,
              unsigned char* results) const {
    for (std::size_t i = 0; i < number; ++i) {
      sums += items_[i].rows * items_[i].format.sums;
      keys += items_[i].rows * items_[i].format.keys;
    }
    const Item& item = items_[number];
    for (std::int64_t row = 0; row < item.rows; ++row) {
      detail::decode(item, sums + row * item.format.sums, keys + row * item.format.keys,
                     results + static_cast<std::size_t>(row) * item.bytes());
    }
  }

 private:
  [[nodiscard]] static bool covers(const Item& item) {
    return item.placement.kind == Placement::Kind::box ||
           item.placement.kind == Placement::Kind::list;
  }
  [[nodiscard]] std::int64_t count(std::int64_t Format::*each) const {
    std::int64_t all = 0;
    for (const Item& item : items_) {
      all += item.rows * item.format.*each;
    }
    return all;
  }

  std::vector<Item> items_;
};

}  // namespace isofold::team::detail
