// The input contract: a request must satisfy it before any backend sees it. The checks read no
// data; every refusal is a sentence with the offending value and the way out.
#pragma once

#include <backend/interface.hpp>

namespace isofold {

// Facts about a case by which counts and pointers are judged.
struct CaseFacts {
  std::int64_t element_bytes = 0;
  std::int64_t element_alignment = 0;  // less than their bytes for complex elements
  std::int64_t result_bytes = 0;
  std::int64_t result_alignment = 0;
  std::int32_t arrays = 1;
  bool empty_is_error = false;
  bool parameters = false;  // whether the fold takes parameters
};

// Validates the kind of a request, that is everything but counts and pointers: its
// definition, fold, type, accumulator, shape and flags; and whether there is a layout.
std::int32_t validate_kind(const isofold_request& request, CaseFacts* facts,
                           backend_interface::Report& report) noexcept;
inline bool same_kind(const isofold_request& a, const isofold_request& b) noexcept {
  return a.definition == b.definition && a.fold == b.fold && a.type == b.type &&
         a.shape == b.shape && a.flags == b.flags && a.accumulator == b.accumulator &&
         a.layout == b.layout;
}

// This tells whether a layout finds the elements: neither an array nor rows.
inline bool has_layout(const isofold_request& request) noexcept {
  return request.shape > ISOFOLD_SHAPE_rows;
}
// This tells whether indices of locations count packed elements, and not those of the array.
inline bool has_packed_index(const isofold_request& request) noexcept {
  return (request.flags & ISOFOLD_PACKED_INDEX) != 0;
}

// These are a fold's inputs beside one array, where there is any of it: the second array,
// parameters.
std::int32_t validate_arguments(const isofold_request& request, const CaseFacts& facts,
                                backend_interface::Report& report) noexcept;

// False if host memory is all there is: then no pointer needs a question.
bool devices_exist();

// The memory that a backend can reach.
struct BackendReach {
  const char* backend;
  std::int32_t device;  // -1: it computes on the host
  bool host_memory;     // ordinary host memory, which few devices reach
};

// Validates the memory of data and result against that. `data_chose` says that the backend was
// chosen by the place of the data, so only the result is in question.
std::int32_t validate_places(const isofold_request& request, const BackendReach& reach,
                             bool data_chose, backend_interface::Report& report);

// Validates that the host reads the elements.
std::int32_t validate_host_elements(const isofold_request& request,
                                    backend_interface::Report& report);
// Validates that the host reads what a layout points to, and the list of a batch's arrays.
std::int32_t validate_host_lists(const isofold_request& request, backend_interface::Report& report);

// The memory of a pointer, asked of every backend with memory of its own. The code is not ok if
// none knows the pointer and one of them cannot tell.
struct Located {
  backend_interface::Place place;
  backend_interface::Backend* backend =
      nullptr;  // the vendor that knows it; nullptr for plain host memory
};
std::int32_t locate(const void* pointer, Located* located, backend_interface::Report& report);

}  // namespace isofold
