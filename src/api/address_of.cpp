// The exported function that tells the address of an element by its index, as results of locations
// have it.
#include <cinttypes>
#include <vector>

#include <api/errors.hpp>
#include <layout/layout.hpp>
#include <layout/number_mask.hpp>
#include <request/nan_format.hpp>
#include <request/validate_counts.hpp>
#include <request/whole_structs.hpp>

namespace isofold {
namespace {

using backend_interface::Report;

// Validates all of a request but its result, which is not written.
std::int32_t validate_input_alone(const isofold_request& request, CaseFacts* facts,
                                  Report& report) {
  std::int32_t code = validate_kind(request, facts, report);
  code = code == ISOFOLD_ok ? validate_arguments(request, *facts, report) : code;
  if (code != ISOFOLD_ok) {
    return code;
  }
  if (has_layout(request)) {
    code = layout_of(request).validate(request, *facts, true, report);
    return code == ISOFOLD_ok && devices_exist() ? validate_host_lists(request, report) : code;
  }
  code = validate_counts(request, *facts, false, report);
  return code == ISOFOLD_ok
             ? validate_input("data", request.data, reach_of(request, request.stride), request,
                              *facts, report)
             : code;
}

// Puts a valid request that leaves out NaNs under the mask that does, for which its elements are
// read.
std::int32_t mask_numbers(isofold_request* request, isofold_layout* layout,
                          std::vector<unsigned char>* marks, Report& report) {
  const isofold_request given = *request;
  const std::int32_t code =
      devices_exist() ? validate_host_elements(given, report) : std::int32_t{ISOFOLD_ok};
  if (code == ISOFOLD_ok && given.rows != 0 && given.length != 0 &&
      nan_format(given.type).parts > 0) {
    make_box(given, request, layout);
    marks->resize(static_cast<std::size_t>(given.rows * given.length));
    mark_numbers(*request, in_turn, marks->data());
    set_mask(layout, marks->data(), ISOFOLD_MASK_bytes);
  }
  return code;
}

const void* find(const isofold_request& request, std::int64_t element_bytes, std::int64_t row,
                 std::int64_t index) {
  if (index < 0 || row < 0 || row >= request.rows) {
    return nullptr;
  }
  if (has_layout(request)) {
    return layout_of(request).address(request, element_bytes, row, index);
  }
  return index < request.length ? static_cast<const char*>(request.data) +
                                      (row * request.stride + index) * element_bytes
                                : nullptr;
}

std::int32_t address_of(const isofold_request* given, std::int64_t row, std::int64_t index,
                        const void** address, Report& report) {
  WholeRequest whole;
  std::int32_t code = take_request(given, &whole, report);
  if (code != ISOFOLD_ok) {
    return code;
  }
  isofold_request request = *whole.request;
  request.result = nullptr;
  const bool skips = (request.flags & ISOFOLD_SKIP_NAN) != 0;
  request.flags &= ~ISOFOLD_SKIP_NAN;
  CaseFacts facts;
  isofold_layout layout;
  std::vector<unsigned char> marks;
  if (!has_packed_index(request) && request.shape == ISOFOLD_SHAPE_box &&
      request.layout != nullptr) {  // whatever the mask takes
    layout = *request.layout;
    set_mask(&layout, nullptr, 0);
    request.layout = &layout;
  }
  code = validate_input_alone(request, &facts, report);
  if (code == ISOFOLD_ok && skips && !is_box(request)) {
    code = refuse_no_box(request, report);
  }
  if (code == ISOFOLD_ok && skips && has_packed_index(request)) {
    code = mask_numbers(&request, &layout, &marks, report);
  }
  if (code != ISOFOLD_ok) {
    return code;
  }
  const void* const found = find(request, facts.element_bytes, row, index);
  const bool is_none = index == -1 && row >= 0 && row < request.rows;
  if (found == nullptr && !is_none) {
    return report.fail(ISOFOLD_invalid_argument,
                       "Row %" PRId64 " of %" PRId64 " has no element of index %" PRId64
                       ": rows and elements are numbered from 0, and -1 stands for none; give the "
                       "request, and the mask or the lists, with which the index was found.",
                       row, request.rows, index);
  }
  *address = found;
  return ISOFOLD_ok;
}

}  // namespace
}  // namespace isofold

int32_t isofold_address_of(const isofold_request* request, int64_t row, int64_t index,
                           const void** address) {
  return isofold::guarded(
      [&] {
        isofold::backend_interface::Report report;
        const std::int32_t code = isofold::address_of(request, row, index, address, report);
        return code == ISOFOLD_ok ? code : isofold::keep_error(code, report);
      },
      request, address);
}
