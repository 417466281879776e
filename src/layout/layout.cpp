// The kinds of layouts, and the checks that all of them have in common.
#include <layout/layout.hpp>

#include <layout/kinds.hpp>
#include <request/validate_counts.hpp>

namespace isofold {

// Rows that lie in line, or of which a single element does.
const void* Layout::address(const isofold_request& request, std::int64_t element_bytes,
                            std::int64_t row, std::int64_t index) const {
  const RowsOfRequest rows(request, element_bytes, 1);
  return index < rows->length(row) ? rows->elements(0, row, index, 1, nullptr) : nullptr;
}

const Layout* layout_of(std::int32_t shape) noexcept {
  switch (shape) {
#define ISOFOLD_LAYOUT_OF(name, number) \
  case number: return &name##_layout();
    ISOFOLD_LAYOUTS(ISOFOLD_LAYOUT_OF)
#undef ISOFOLD_LAYOUT_OF
    default: return nullptr;
  }
}

std::int32_t validate_layout(const isofold_request& request, const CaseFacts& facts,
                             bool with_pointers, backend_interface::Report& report) noexcept {
  if ((request.flags & ISOFOLD_STATE) != 0 && request.definition != ISOFOLD_DEFINITION_exact_v1) {
    return report.fail(
        ISOFOLD_unsupported,
        "States, the material of a Forest, are of arrays and rows: pack the elements first, or "
        "take the words of exact_v1.");
  }
  const Layout& layout = layout_of(request);
  std::int32_t code = layout.validate(request, facts, with_pointers, report);
  if (code != ISOFOLD_ok) {
    return code;
  }
  if (with_pointers && request.rows != 0) {
    code = validate_result_and_arguments(request, facts, report);
    if (code == ISOFOLD_ok && layout.has_one_result(request)) {
      code = validate_empty(request, facts.empty_is_error, report);
    }
  }
  return code;
}

}  // namespace isofold
