// The base of every backend on host memory: one device (the CPU), memory from the C++ heap. A host
// backend adds its name, its description and its Instance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

#include <backend/interface.hpp>
#include <layout/index_in_array.hpp>
#include <layout/layout.hpp>
#include <ops/case_names.hpp>
#include <ops/exact_cases.hpp>
#include <request/converted_elements.hpp>
#include <request/supports_case.hpp>

namespace isofold {

class HostBackend : public backend_interface::Backend {
 public:
  std::int32_t device_name(std::int32_t, char* text, std::size_t bytes) noexcept override {
    std::snprintf(text, bytes, "host CPU");
    return ISOFOLD_ok;
  }

  std::int32_t supports(const isofold_request& request, std::int32_t,
                        backend_interface::Report& report) noexcept override {
    return supports_case(*this, request, report);
  }

  std::int32_t allocate(std::int32_t, std::size_t bytes, void** memory,
                        backend_interface::Report& report) noexcept override {
    *memory = ::operator new(std::max<std::size_t>(bytes, 1), alignment, std::nothrow);
    return *memory != nullptr ? ISOFOLD_ok
                              : report.fail(ISOFOLD_out_of_memory,
                                            "%zu bytes of host memory are not available.", bytes);
  }
  void release(std::int32_t, void* memory) noexcept override {
    ::operator delete(memory, alignment);
  }
  std::int32_t copy(std::int32_t, void* destination, const void* source, std::size_t bytes,
                    backend_interface::Report&) noexcept override {
    if (bytes != 0) {
      std::memmove(destination, source, bytes);
    }
    return ISOFOLD_ok;
  }

 private:
  static constexpr std::align_val_t alignment{64};  // a cache line and an AVX-512 register
};

// Runs reduce(packed) for requests over the rows of `input`, which has a layout; its mask is
// counted `in_parts`. Indices of locations become those of the array then. It refuses a blocking
// call on no elements, which only the mask or the lengths can tell.
template <class Reduce>
std::int32_t reduce_packed(const isofold_request& input, const isofold_request* requests,
                           std::int32_t count, backend_interface::Report& report,
                           const InParts& in_parts, Reduce&& reduce) {
  try {
    const RowsOfRequest packed(input, stored_bytes(input), stored_alignment(input.type), in_parts);
    const bool blocking = (input.flags & ISOFOLD_BLOCKING) != 0;
    for (std::int32_t i = 0; blocking && packed->length(0) == 0 && i < count; ++i) {
      bool is_error = false;
      visit_fold_of(requests[i], [&](auto fold) { is_error = decltype(fold)::empty_is_error; });
      if (is_error && (input.flags & ISOFOLD_STATE) == 0) {
        return report.fail(ISOFOLD_empty_input,
                           "The %s of no elements has no value, and %s; reduce into memory to get "
                           "the empty value of docs/folds.md.",
                           fold_name(requests[i].fold), layout_of(input).why_empty());
      }
    }
    const std::int32_t code = reduce(*packed);
    for (std::int32_t i = 0; code == ISOFOLD_ok && i < count; ++i) {
      number_in_array(requests[i], *packed, in_parts);
    }
    return code;
  } catch (const std::exception&) {  // bad_alloc, or length_error where nothing could hold it
    return report.fail(ISOFOLD_out_of_memory, "Host memory ran out for counting the %s.",
                       layout_of(input).what_is_counted());
  }
}

}  // namespace isofold
