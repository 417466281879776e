// The text of the last error, one for each thread, behind isofold_last_error().
#include <api/errors.hpp>

#include <cstring>

namespace isofold {
namespace {
thread_local char last_error[sizeof(backend_interface::Report::message)] = "";
}

std::int32_t keep_error(std::int32_t code, const backend_interface::Report& report) noexcept {
  std::memcpy(last_error, report.message, sizeof last_error - 1);
  return code;
}

}  // namespace isofold

extern "C" const char* isofold_last_error(void) { return isofold::last_error; }
