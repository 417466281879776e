// Who starts and stops Kokkos. It is initialised at the first reduction if the application has not
// done it; what the application initialised is the application's to finalise.
#pragma once

#include <cstdint>

#include <backend/interface.hpp>

namespace isofold::kokkos_backend {

// "Kokkos 3.4.1, Serial". Starts nothing.
void describe(contract::Report& report) noexcept;

// ok when Kokkos runs, initialised by us if by nobody; else the reason. The caller holds the lock
// that serialises this backend's calls.
std::int32_t ensure_running(contract::Report& report) noexcept;

}  // namespace isofold::kokkos_backend
