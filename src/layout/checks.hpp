// Checks that kinds of layouts share: stretches of memory, and lists of indices.
#pragma once

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <mutex>

#include <backend/interface.hpp>
#include <backend/parts.hpp>
#include <layout/indices.hpp>
#include <request/validate.hpp>

namespace isofold {

// The stretch of memory that is used: the offsets, in elements, of its first and its last one.
struct Reach {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  std::int64_t elements = 1;
};
// Validates that stretch from `data` on as an array is validated.
std::int32_t validate_reach(const char* what, const void* data, const Reach& reach,
                            const isofold_request& request, const CaseFacts& facts,
                            backend_interface::Report& report);

// Validates an array of the layout, in which the result may not lie either.
std::int32_t validate_list(const char* what, const void* list, std::int64_t entries,
                           std::int64_t entry_bytes, const isofold_request& request,
                           const CaseFacts& facts, backend_interface::Report& report);
// Validates one of begins, ends or indices.
std::int32_t validate_index_list(const char* what, const void* list, std::int64_t entries,
                                 const isofold_request& request, const CaseFacts& facts,
                                 backend_interface::Report& report);

// Validates the counts of results, and of entries if length counts some, so that no product of them
// overflows from here on.
std::int32_t validate_bytes(const isofold_request& request, const CaseFacts& facts,
                            bool counts_entries, backend_interface::Report& report);
// Validates what kinds with lists of indices have in common: counts, which the kind knows to be
// `right` or not, the type of the indices, and the number of elements that are said to lie at data.
std::int32_t validate_list_counts(const isofold_request& request, const CaseFacts& facts,
                                  bool right, backend_interface::Report& report);

// Calls judge(what, data) for the array, and for the second one if the fold takes two; `whats` name
// them.
template <class Judge>
std::int32_t for_each_array(const isofold_request& request, const CaseFacts& facts,
                            const char* const (&whats)[2], Judge&& judge) {
  const std::int32_t code = judge(whats[0], request.data);
  return code != ISOFOLD_ok || facts.arrays == 1 ? code : judge(whats[1], request.second);
}
inline constexpr const char* array_names[2] = {"data", "second array's"};

// The end of the elements: no entry names an element from here on.
inline std::int64_t end_of_elements(const isofold_request& request, const CaseFacts& facts) {
  const std::int64_t known = request.layout->elements;
  return known > 0 ? known : INT64_MAX / facts.element_bytes;
}

// Each entry lies between 0 and `high`; from the lowest to the highest, that is `reach`.
std::int32_t validate_range(const char* what, const isofold_layout& layout, const void* list,
                            std::int64_t count, std::int64_t high, const InParts& in_parts,
                            Reach* reach, backend_interface::Report& report);

// The elements that rows name, from the first to the last, and the first row that is wrong, or
// none.
struct Named {
  std::int64_t wrong = INT64_MAX;
  std::int64_t lowest = INT64_MAX;
  std::int64_t highest = -1;

  void add(std::int64_t begin, std::int64_t end) {
    if (end > begin) {
      lowest = std::min(lowest, begin);
      highest = std::max(highest, end - 1);
    }
  }
  void add(const Named& other) {
    wrong = std::min(wrong, other.wrong);
    lowest = std::min(lowest, other.lowest);
    highest = std::max(highest, other.highest);
  }
  Reach reach() const { return {lowest, highest, highest < lowest ? 0 : highest - lowest + 1}; }
};

// name(row, &here) says what a row names, and whether it may.
template <class Name>
Named named_by(std::int64_t rows, const InParts& in_parts, Name&& name) {
  Named all;
  std::mutex mutex;
  in_parts(rows, [&](std::int64_t first, std::int64_t last) {
    Named here;
    for (std::int64_t r = first; r < last; ++r) {
      if (!name(r, &here)) {
        here.wrong = r;
        break;
      }
    }
    const std::lock_guard lock(mutex);
    all.add(here);
  });
  return all;
}

}  // namespace isofold
