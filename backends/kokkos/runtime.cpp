// Starting Kokkos lazily and stopping it only if it was started here.
#include <backends/kokkos/runtime.hpp>

#include <cstdlib>
#include <exception>

#include <backends/kokkos/fold_reducer.hpp>

namespace isofold::kokkos_backend {
namespace {

bool was_running = false;

// Runs before the destructors of whatever Kokkos made while it was initialised. The application may
// have finalised Kokkos by then, whoever started it.
void finalize_at_exit() {
  if (Kokkos::is_initialized()) {
    Kokkos::finalize();
  }
}

// Warnings (thread binding, for one) would be written to the application's standard error.
void initialize_quietly() {
#if KOKKOS_VERSION >= 30700
  Kokkos::initialize(Kokkos::InitializationSettings().set_disable_warnings(true));
#else
  Kokkos::InitArguments arguments;
  arguments.disable_warnings = true;
  Kokkos::initialize(arguments);
#endif
}

bool is_finalized() {
#if KOKKOS_VERSION >= 30700
  return Kokkos::is_finalized();
#else
  return was_running && !Kokkos::is_initialized();
#endif
}

}  // namespace

void describe(backend_interface::Report& report) noexcept {
  report.fail(ISOFOLD_ok, "Kokkos %d.%d.%d, %s", KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100,
              KOKKOS_VERSION % 100, Space::name());
}

std::int32_t ensure_running(backend_interface::Report& report) noexcept {
  if (Kokkos::is_initialized()) {
    was_running = true;
    return ISOFOLD_ok;
  }
  if (is_finalized()) {
    return report.fail(ISOFOLD_backend_unavailable,
                       "Kokkos has been finalized and cannot be started again in this process: "
                       "reduce before Kokkos::finalize(), or use another backend.");
  }
  try {
    initialize_quietly();
  } catch (const std::exception& error) {
    return report.fail(ISOFOLD_backend_unavailable, "Kokkos could not be initialized: %s",
                       error.what());
  } catch (...) {
    return report.fail(ISOFOLD_backend_unavailable, "Kokkos could not be initialized.");
  }
  std::atexit(finalize_at_exit);
  was_running = true;
  return ISOFOLD_ok;
}

}  // namespace isofold::kokkos_backend
