// The last error of each thread, and the guard at the library's edge that lets no exception pass.
// Every exported function uses both.
#pragma once

#include <cstdint>
#include <new>

#include <backend/interface.hpp>

namespace isofold {

// Keeps the report's sentence for isofold_last_error() and returns `code`.
std::int32_t keep_error(std::int32_t code, const backend_interface::Report& report) noexcept;

template <class... Values>
std::int32_t fail(isofold_code code, const char* format, Values... values) noexcept {
  backend_interface::Report report;
  return keep_error(report.fail(code, format, values...), report);
}

// Runs a function that may allocate; a failed allocation becomes the error out_of_memory. Pointers
// that the function dereferences come after it; a null among them is refused.
template <class Function, class... Pointers>
std::int32_t guarded(Function&& function, const Pointers*... needed) noexcept {
  if ((false || ... || (needed == nullptr))) {
    return fail(ISOFOLD_invalid_argument,
                "A pointer that this function follows is null; isofold.h says what it takes.");
  }
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return fail(ISOFOLD_out_of_memory, "Host memory ran out; nothing was changed.");
  } catch (...) {
    return fail(ISOFOLD_internal, "An unexpected exception reached the library's edge.");
  }
}

}  // namespace isofold
