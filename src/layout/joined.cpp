// Joined (concatenated) batches: one row, whose elements lie in many arrays.
#include <layout/batch.hpp>
#include <layout/checks.hpp>
#include <layout/kinds.hpp>
#include <layout/words.hpp>

#include <algorithm>
#include <cinttypes>
#include <vector>

namespace isofold {
namespace {

using backend_interface::Report;

// Validates that lengths, which are not negative, add up to no more than there may be.
std::int32_t validate_total(const isofold_request& request, const CaseFacts& facts,
                            Report& report) {
  const std::int64_t most = end_of_elements(request, facts);
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < request.length; ++i) {
    const auto length = index_at(*request.layout, request.layout->ends, i);
    if (length > most - total) {
      return report.fail(ISOFOLD_invalid_argument,
                         "Entry %" PRId64 " of the lengths, %" PRId64
                         ", takes the joined arrays beyond %" PRId64 " elements, %s.",
                         i, length, most,
                         request.layout->elements > 0 ? "the most that the layout says there are"
                                                      : "which are 2^63 - 1 bytes");
    }
    total += length;
  }
  return ISOFOLD_ok;
}

class JoinedRows final : public PackedRows {
 public:
  explicit JoinedRows(const RowsOf& of) : PackedRows(of) {
    joined_before_.resize(static_cast<std::size_t>(request_.length) + 1);
    with_indices(layout_, layout_.ends, [&](const auto* lengths) {
      for (std::size_t i = 0; i + 1 < joined_before_.size(); ++i) {
        joined_before_[i + 1] = joined_before_[i] + lengths[i];
      }
    });
  }

  std::int64_t length(std::int64_t) const override { return joined_before_.back(); }
  std::int64_t elements() const override { return sum_of_lengths(); }
  // The elements stay where they lie, if one array has them all.
  const void* elements(int which, std::int64_t, std::int64_t first, std::int64_t count,
                       void* room) const override {
    const auto* const arrays = static_cast<const char* const*>(array(which));
    // The last array that begins no later: the one that has the element, for it is not empty.
    const auto after = std::upper_bound(joined_before_.begin(), joined_before_.end(), first);
    auto i = static_cast<std::size_t>(after - joined_before_.begin()) - 1;
    const char* from = arrays[i] + (first - joined_before_[i]) * element_bytes_;
    const std::int64_t here = joined_before_[i + 1] - first;
    if (here >= count) {
      return from;
    }
    char* to = copy_run(from, 1, here * element_bytes_, static_cast<char*>(room));
    for (std::int64_t left = count - here; left > 0;) {
      ++i;
      const std::int64_t run = std::min(left, joined_before_[i + 1] - joined_before_[i]);
      to = run == 0 ? to : copy_run(arrays[i], 1, run * element_bytes_, to);
      left -= run;
    }
    return room;
  }

 private:
  std::vector<std::int64_t> joined_before_;  // elements before each of the arrays; and all
};

class JoinedLayout final : public Layout {
 public:
  std::int32_t validate(const isofold_request& request, const CaseFacts& facts, bool with_pointers,
                        Report& report) const override {
    const std::int32_t code = validate_list_counts(request, facts, request.rows == 1, report);
    return code != ISOFOLD_ok || !with_pointers || request.length == 0
               ? code
               : validate_batch_lists(request, request.length, facts, report);
  }
  std::int32_t validate_indices(const isofold_request& request, const CaseFacts& facts,
                                const InParts& in_parts, Report& report) const override {
    std::int32_t code = validate_batch_lengths(request, request.length, facts, in_parts, report);
    code = code == ISOFOLD_ok ? validate_total(request, facts, report) : code;
    return code != ISOFOLD_ok ? code
                              : validate_batch_arrays(request, request.length, facts, report);
  }
  std::int64_t entries(const isofold_request& request) const override { return request.length; }
  bool has_one_result(const isofold_request&) const override { return true; }
  bool is_ragged() const override { return true; }
  const PackedRows* rows(void* room, const RowsOf& of) const override {
    return of.make<JoinedRows>(room);
  }
  const char* why_empty() const override { return "all the joined arrays are empty"; }
  const char* what_is_counted() const override { return "elements of the joined arrays"; }
};

}  // namespace

const Layout& joined_layout() noexcept {
  static const JoinedLayout layout;
  return layout;
}

}  // namespace isofold
