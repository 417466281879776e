// Checks that kinds of layouts share.
#include <layout/checks.hpp>

#include <request/validate_counts.hpp>

namespace isofold {

using backend_interface::Report;

std::int32_t validate_reach(const char* what, const void* data, const Reach& reach,
                            const isofold_request& request, const CaseFacts& facts,
                            Report& report) {
  if (data == nullptr || reach.elements == 0) {
    return validate_input(what, nullptr, reach.elements, request, facts, report);
  }
  // Addresses are compared as numbers: a pointer beyond the address space is undefined.
  auto first = reinterpret_cast<std::uintptr_t>(data);
  std::uintptr_t end = 0;
  if (__builtin_add_overflow(first, reach.lowest * facts.element_bytes, &first) ||
      __builtin_add_overflow(first, reach.elements * facts.element_bytes, &end)) {
    return report.fail(ISOFOLD_invalid_argument,
                       "The %s pointer %p, with %" PRId64 " elements before it and %" PRId64
                       " in all, reaches beyond the addresses that there are; check the strides.",
                       what, data, -reach.lowest, reach.elements);
  }
  return validate_input(what, reinterpret_cast<const void*>(first), reach.elements, request, facts,
                        report);
}

std::int32_t validate_list(const char* what, const void* list, std::int64_t entries,
                           std::int64_t entry_bytes, const isofold_request& request,
                           const CaseFacts& facts, Report& report) {
  if (list == nullptr) {
    return report.fail(ISOFOLD_invalid_argument,
                       "The layout's %s are null, yet %" PRId64 " entries are to be read.", what,
                       entries);
  }
  CaseFacts of_list = facts;
  of_list.element_bytes = entry_bytes;
  of_list.element_alignment = entry_bytes;
  return validate_input(what, list, entries, request, of_list, report);
}

std::int32_t validate_index_list(const char* what, const void* list, std::int64_t entries,
                                 const isofold_request& request, const CaseFacts& facts,
                                 Report& report) {
  return validate_list(what, list, entries, index_bytes(request.layout->index_type), request, facts,
                       report);
}

std::int32_t validate_bytes(const isofold_request& request, const CaseFacts& facts,
                            bool counts_entries, Report& report) {
  const std::int64_t most = INT64_MAX / std::max(facts.result_bytes, std::int64_t{8}) - 1;
  return request.rows > most || (counts_entries && request.length > most)
             ? report.fail(ISOFOLD_invalid_argument,
                           "%" PRId64 " rows and length %" PRId64
                           ": the results or the index arrays overflow 2^63 - 1 bytes.",
                           request.rows, request.length)
             : std::int32_t{ISOFOLD_ok};
}

std::int32_t validate_list_counts(const isofold_request& request, const CaseFacts& facts,
                                  bool right, Report& report) {
  const isofold_layout& layout = *request.layout;
  const std::int32_t code = validate_bytes(request, facts, true, report);
  if (code != ISOFOLD_ok) {
    return code;
  }
  if (index_bytes(layout.index_type) == 0) {
    return report.fail(
        ISOFOLD_invalid_argument,
        "Indices of type %d (%s): they are integers, i32 (%d), i64 (%d), u64 (%d) or "
        "others of 8 to 32 bits.",
        layout.index_type, isofold_type_name(layout.index_type), ISOFOLD_TYPE_i32, ISOFOLD_TYPE_i64,
        ISOFOLD_TYPE_u64);
  }
  if (request.rows < 0 || request.length < 0 || !right) {
    return report.fail(ISOFOLD_invalid_argument,
                       "%" PRId64 " rows and length %" PRId64
                       ": a gather and a joined batch have 1 row, and length counts the indices or "
                       "arrays; segments and batches have length 0.",
                       request.rows, request.length);
  }
  if (layout.elements < 0 || layout.elements > INT64_MAX / facts.element_bytes) {
    return report.fail(ISOFOLD_invalid_argument,
                       "The layout says that %" PRId64
                       " elements lie at data, or in arrays: there are 0, for a number that is not "
                       "known, to 2^63 - 1 bytes of them.",
                       layout.elements);
  }
  return ISOFOLD_ok;
}

namespace {

// The lowest and the highest of some entries. They are found without a branch an entry and with the
// widest vectors of the machine, so that it takes little more than reading the entries does
// (docs/decisions/039).
template <class Index>
struct Bounds {
  Index lowest;
  Index highest;
};
template <class Index>
inline __attribute__((always_inline)) Bounds<Index> find_bounds(const Index* indices,
                                                                std::int64_t count) {
  Bounds<Index> bounds{indices[0], indices[0]};
  for (std::int64_t i = 1; i < count; ++i) {
    bounds.lowest = std::min(bounds.lowest, indices[i]);
    bounds.highest = std::max(bounds.highest, indices[i]);
  }
  return bounds;
}
#if defined(__x86_64__)
template <class Index>
__attribute__((target("avx2"))) Bounds<Index> bounds_by_avx2(const Index* indices,
                                                             std::int64_t count) {
  return find_bounds(indices, count);
}
#endif
template <class Index>
Bounds<Index> bounds_of(const Index* indices, std::int64_t count) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") != 0) {
    return bounds_by_avx2(indices, count);
  }
#endif
  return find_bounds(indices, count);
}

// Joins the bounds of all parts.
template <class Index>
Bounds<Index> bounds_of(const Index* indices, std::int64_t count, const InParts& in_parts) {
  Bounds<Index> all{indices[0], indices[0]};
  std::mutex mutex;
  in_parts(count, [&](std::int64_t first, std::int64_t last) {
    if (first < last) {
      const Bounds<Index> here = bounds_of(indices + first, last - first);
      const std::lock_guard lock(mutex);
      all = {std::min(all.lowest, here.lowest), std::max(all.highest, here.highest)};
    }
  });
  return all;
}

template <class Index>
std::int32_t validate_typed_range(const char* what, const isofold_layout& layout,
                                  const Index* indices, std::int64_t count, std::int64_t high,
                                  const InParts& in_parts, Reach* reach, Report& report) {
  if (count == 0) {
    *reach = {high, 0, 0};
    return ISOFOLD_ok;
  }
  const auto bounds = bounds_of(indices, count, in_parts);
  const std::int64_t lowest = bounds.lowest;
  const std::int64_t highest = bounds.highest;
  if (lowest < 0 || highest > high) {
    const Index* const wrong = std::find_if(
        indices, indices + count, [=](std::int64_t index) { return index < 0 || index > high; });
    return report.fail(ISOFOLD_invalid_argument,
                       "Entry %" PRId64 " of the %s is %s, which is not between 0 and %" PRId64 ".",
                       static_cast<std::int64_t>(wrong - indices), what,
                       IndexText(layout, *wrong).digits, high);
  }
  *reach = {lowest, highest, highest - lowest + 1};
  return ISOFOLD_ok;
}

}  // namespace

std::int32_t validate_range(const char* what, const isofold_layout& layout, const void* list,
                            std::int64_t count, std::int64_t high, const InParts& in_parts,
                            Reach* reach, Report& report) {
  return with_indices(layout, list, [&](const auto* indices) {
    return validate_typed_range(what, layout, indices, count, high, in_parts, reach, report);
  });
}

}  // namespace isofold
