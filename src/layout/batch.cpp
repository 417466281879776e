// Batches: a row is an array of its own; lists hold its address and its length.
#include <layout/batch.hpp>

#include <cinttypes>
#include <cstdio>

#include <layout/checks.hpp>
#include <layout/kinds.hpp>
#include <request/validate_counts.hpp>

namespace isofold {

using backend_interface::Report;

std::int32_t validate_batch_lists(const isofold_request& request, std::int64_t count,
                                  const CaseFacts& facts, Report& report) {
  const std::int32_t code =
      validate_index_list("ends", request.layout->ends, count, request, facts, report);
  CaseFacts of_pointers = facts;
  of_pointers.element_bytes = sizeof(void*);
  of_pointers.element_alignment = alignof(void*);
  return code != ISOFOLD_ok
             ? code
             : for_each_array(request, facts, array_names, [&](const char* what, const void* data) {
                 return validate_input(what, data, count, request, of_pointers, report);
               });
}

std::int32_t validate_batch_lengths(const isofold_request& request, std::int64_t count,
                                    const CaseFacts& facts, const InParts& in_parts,
                                    Report& report) {
  Reach reach;
  return validate_range("lengths", *request.layout, request.layout->ends, count,
                        INT64_MAX / facts.element_bytes, in_parts, &reach, report);
}

namespace {

// Each array of a batch, concatenated or not, is judged as one.
std::int32_t validate_arrays(const char* what, const void* list, std::int64_t count,
                             const isofold_request& request, const CaseFacts& facts,
                             Report& report) {
  const auto* const arrays = static_cast<const void* const*>(list);
  for (std::int64_t r = 0; r < count; ++r) {
    const auto length = index_at(*request.layout, request.layout->ends, r);
    if (validate_input(what, arrays[r], length, request, facts, report) != ISOFOLD_ok) {
      char name[64];
      std::snprintf(name, sizeof name, "%s %" PRId64, what, r);
      return validate_input(name, arrays[r], length, request, facts, report);
    }
  }
  return ISOFOLD_ok;
}

}  // namespace

std::int32_t validate_batch_arrays(const isofold_request& request, std::int64_t count,
                                   const CaseFacts& facts, Report& report) {
  constexpr const char* names[2] = {"arrays'", "second arrays'"};
  return for_each_array(request, facts, names, [&](const char* what, const void* list) {
    return validate_arrays(what, list, count, request, facts, report);
  });
}

namespace {

class BatchRows final : public PackedRows {
 public:
  using PackedRows::PackedRows;

  std::int64_t length(std::int64_t row) const override {
    return index_at(layout_, layout_.ends, row);
  }
  std::int64_t elements() const override { return sum_of_lengths(); }
  const void* elements(int which, std::int64_t row, std::int64_t first, std::int64_t,
                       void*) const override {
    return static_cast<const char* const*>(array(which))[row] + first * element_bytes_;
  }
  bool lie_in_line() const override { return true; }
};

class BatchLayout final : public Layout {
 public:
  std::int32_t validate(const isofold_request& request, const CaseFacts& facts, bool with_pointers,
                        Report& report) const override {
    const std::int32_t code = validate_list_counts(request, facts, request.length == 0, report);
    return code != ISOFOLD_ok || !with_pointers || request.rows == 0
               ? code
               : validate_batch_lists(request, request.rows, facts, report);
  }
  std::int32_t validate_indices(const isofold_request& request, const CaseFacts& facts,
                                const InParts& in_parts, Report& report) const override {
    const std::int32_t code =
        validate_batch_lengths(request, request.rows, facts, in_parts, report);
    return code != ISOFOLD_ok ? code : validate_batch_arrays(request, request.rows, facts, report);
  }
  std::int64_t entries(const isofold_request& request) const override { return request.rows; }
  bool has_one_result(const isofold_request&) const override { return false; }
  bool is_ragged() const override { return true; }
  const PackedRows* rows(void* room, const RowsOf& of) const override {
    return of.make<BatchRows>(room);
  }
};

}  // namespace

const Layout& batch_layout() noexcept {
  static const BatchLayout layout;
  return layout;
}

}  // namespace isofold
