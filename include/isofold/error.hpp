// Error, which functions of the C++ interface throw: a code, and a sentence with the
// offending value and the way out. After any error but device_lost nothing is lost and the next
// call works.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include <isofold/isofold.h>

namespace isofold {

enum class Code : std::int32_t {
#define ISOFOLD_ENUMERATE(name, number) name = number,
  // invalid_argument     null with n > 0; a negative or overflowing count, stride or size
  // empty_input          blocking minimum or maximum of no elements
  // unsupported          the backend has no such case, or not under that guarantee
  // backend_unavailable  not built, not loadable, no device; the sentence says which
  // wrong_memory         data or result lie where the named backend cannot reach them
  // misaligned           a pointer that is no multiple of its element
  // overlap              the result lies inside the input
  // out_of_memory        workspace could not be allocated
  // capture              a blocking call, or one without reserved workspace, in a graph capture
  // device_lost          sticky: the device's context is gone
  // device_failure       a launch or a copy failed; asynchronous ones surface at the next call
  // incomplete           a Forest that does not cover its array yet
  // mismatch             Forests of different folds, types, counts or definitions
  // out_of_range         an exact sum of integers that its 64 bits do not hold
  // internal             a defect of isofold: please report it
  ISOFOLD_ERROR_CODES(ISOFOLD_ENUMERATE)
#undef ISOFOLD_ENUMERATE
};

class Error : public std::runtime_error {
 public:
  Error(Code code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  [[nodiscard]] Code code() const noexcept { return code_; }

 private:
  Code code_;
};

// Throws the error that a C function of isofold.h has just reported; does nothing for ok.
inline void check(std::int32_t code) {
  if (code != ISOFOLD_ok) {
    throw Error(static_cast<Code>(code), isofold_last_error());
  }
}

}  // namespace isofold
