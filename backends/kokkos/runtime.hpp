// Starting and stopping Kokkos, for kokkos.cpp. It is initialised at the first reduction if the
// application has not done it; an application that initialised Kokkos also finalises it.
#pragma once

#include <cstdint>

#include <backend/interface.hpp>

namespace isofold::kokkos_backend {

// "Kokkos 3.4.1, Serial". Starts nothing.
void describe(backend_interface::Report& report) noexcept;

// ok when Kokkos runs, initialised here if it was not before; else the reason. The caller holds the
// lock that serialises this backend's calls.
std::int32_t ensure_running(backend_interface::Report& report) noexcept;

}  // namespace isofold::kokkos_backend
