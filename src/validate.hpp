// The input contract: what a request must satisfy before any backend sees it.
// Reads no data; every refusal is a sentence with the offending value and the way out.
#pragma once

#include <contract.hpp>

namespace isofold {

// Sizes, enumerators, null pointers, alignment, overflow and overlap.
// `with_pointers` is false for questions about a request that will only run later (supports,
// reserve).
std::int32_t validate(const isofold_request& request, bool with_pointers,
                      contract::Report& report) noexcept;

// False where host memory is all there is: then no pointer needs a question.
bool devices_exist();

// Where data and result lie, against where `backend` (on `device`) can reach. `data_chose` says
// that the backend was chosen by where the data lie, so only the result is in question.
std::int32_t validate_places(const isofold_request& request, const char* backend,
                             bool has_device_memory, std::int32_t device, bool data_chose,
                             contract::Report& report);

// Where a pointer points, asked of every backend with memory of its own.
struct Located {
  contract::Place place;
  contract::Backend* backend = nullptr;  // the vendor that knows it; nullptr for plain host memory
};
Located locate(const void* pointer);

}  // namespace isofold
