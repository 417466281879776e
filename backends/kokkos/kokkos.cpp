// The Kokkos backend: Kokkos::parallel_reduce and nothing of the other backends' loops, so that it
// is an independent check of them. Kokkos chooses the order of combination, hence within_bound
// only.
#include <algorithm>
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>

#include <api/float_environment.hpp>
#include <backend/host_backend.hpp>
#include <backends/kokkos/fold_reducer.hpp>
#include <backends/kokkos/offered.hpp>
#include <backends/kokkos/runtime.hpp>
#include <isofold/detail/core/chunk.hpp>
#include <ops/case_names.hpp>
#include <request/parameters.hpp>

namespace isofold::kokkos_backend {
namespace {

// Elements that one call of the functor folds. Each call holds the floating-point environment in
// the thread that runs it, whose cost this many elements make negligible.
constexpr std::int64_t elements_per_call = 4096;

// The state of element i alone.
template <class Fold>
typename Fold::state_type state_of(const Fold& fold, const core::Elements<Fold>& row,
                                   std::int64_t i) {
  const auto pass = core::first_pass(fold);
  using Pass = core::FirstPass<Fold>;
  const auto x = core::value_of<Pass>(row.data[i]);
  if constexpr (Fold::arrays == 2) {
    return core::chunk_state(fold, pass.lift(x, core::value_of<Pass>(row.second[i]), 0), i, 1);
  } else {
    return core::chunk_state(fold, pass.lift(x, 0), i, 1);
  }
}

template <class Fold>
struct FoldElements {
  Fold fold;
  core::Elements<Fold> row;
  std::int64_t length;

  void operator()(std::int64_t call, Partial<typename Fold::state_type>& partial) const {
    const FloatEnvironment environment;
    const std::int64_t begin = call * elements_per_call;
    const std::int64_t end = std::min(length, begin + elements_per_call);
    auto state = partial.occupied ? fold.combine(partial.state, state_of(fold, row, begin))
                                  : state_of(fold, row, begin);
    for (std::int64_t i = begin + 1; i < end; ++i) {
      state = fold.combine(state, state_of(fold, row, i));
    }
    partial.state = state;
    partial.occupied = true;
  }
};

template <class Fold>
typename Fold::result_type reduce_row(Fold fold, core::Elements<Fold> row, std::int64_t length) {
  if (length == 0) {
    return fold.empty();
  }
  const std::int64_t calls = (length - 1) / elements_per_call + 1;
  Partial<typename Fold::state_type> total{};
  Kokkos::parallel_reduce("isofold",
                          Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, calls),
                          FoldElements<Fold>{fold, row, length}, FoldReducer<Fold>(fold, total));
  Space().fence();
  return fold.finish(total.state, length);
}

template <class Fold>
void reduce_rows(Fold fold, const isofold_request& request) {
  const core::Elements<Fold> data{static_cast<const typename Fold::element_type*>(request.data),
                                  static_cast<const typename Fold::element_type*>(request.second)};
  auto* results = static_cast<typename Fold::result_type*>(request.result);
  for (std::int64_t row = 0; row < request.rows; ++row) {
    core::Elements<Fold> x = data;
    if (request.length != 0) {
      x.data += row * request.stride;
      x.second = Fold::arrays == 2 ? x.second + row * request.second_stride : nullptr;
    }
    results[row] = reduce_row(fold, x, request.length);
  }
}

std::int32_t threads() { return static_cast<std::int32_t>(Space().concurrency()); }

// Kokkos' host spaces are started, and run kernels, from one thread at a time.
std::mutex calls;

class KokkosBackend final : public HostBackend {
 public:
  const char* name() const noexcept override { return "kokkos"; }

  std::int32_t available(backend_interface::Report& report) noexcept override {
    describe(report);
    return ISOFOLD_ok;
  }

  std::int32_t supports(const isofold_request& request, std::int32_t guarantee,
                        backend_interface::Report& report) noexcept override {
    if (guarantee != ISOFOLD_GUARANTEE_within_bound) {
      return report.fail(
          ISOFOLD_unsupported,
          "Backend kokkos cannot give the guarantee same_bits, for Kokkos chooses the order of "
          "combination: it supports within_bound. Ask for within_bound, or use a backend that has "
          "same_bits (reference, openmp, cuda, hip).");
    }
    if ((request.flags & ISOFOLD_STATE) != 0) {
      return report.fail(
          ISOFOLD_unsupported,
          "Backend kokkos writes results, not states: a Forest is made of tree v1's nodes, which "
          "need the guarantee same_bits. Use a backend that has it (reference, openmp, cuda, "
          "hip).");
    }
    bool offered = true;
    visit_case(request.fold, request.type,
               [&](auto fold) { offered = is_offered<decltype(fold)>; });
    if (!offered) {
      return report.fail(
          ISOFOLD_unsupported,
          "Backend kokkos has no reducer for the fold %s. Use a backend that has it (reference, "
          "openmp, cuda, hip).",
          fold_name(request.fold));
    }
    return HostBackend::supports(request, guarantee, report);
  }

  backend_interface::Instance* open(const isofold_options& options, std::int32_t* code,
                                    backend_interface::Report& report) noexcept override;
};

KokkosBackend kokkos_backend;

class KokkosInstance final : public backend_interface::Instance {
 public:
  explicit KokkosInstance(std::int32_t guarantee) : guarantee_(guarantee) {}

  std::int32_t reduce(const isofold_request& request,
                      backend_interface::Report& report) noexcept override {
    std::int32_t code = kokkos_backend.supports(request, guarantee_, report);
    if (code != ISOFOLD_ok) {
      return code;
    }
    try {
      const std::lock_guard<std::mutex> lock(calls);
      code = ensure_running(report);
      return code != ISOFOLD_ok ? code : reduce_running(request, report);
    } catch (const std::exception& error) {
      return report.fail(ISOFOLD_internal, "Kokkos failed: %s", error.what());
    } catch (...) {
      return report.fail(ISOFOLD_internal, "Kokkos failed without saying why.");
    }
  }

 private:
  static std::int32_t reduce_running(const isofold_request& request,
                                     backend_interface::Report& report) {
    const isofold_schedule ran{threads(), 0, 0, 0, 0, 0, 0, 0};
    if (request.schedule != nullptr && !can_run(*request.schedule, ran)) {
      return report.fail(ISOFOLD_unsupported,
                         "Backend kokkos cannot be given a schedule: Kokkos decides, and runs %d "
                         "thread(s) here. Leave every field 0.",
                         ran.threads);
    }
    const FloatEnvironment environment;
    visit_case(request.fold, request.type, [&](auto fold) {
      if constexpr (is_offered<decltype(fold)>) {
        reduce_rows(with_parameters(fold, request), request);
      }
    });
    if (request.ran != nullptr) {
      *request.ran = ran;
    }
    return ISOFOLD_ok;
  }

  // This tells whether a schedule forces nothing, or just the threads that run anyway.
  static bool can_run(const isofold_schedule& asked, const isofold_schedule& ran) {
    return (asked.threads == 0 || asked.threads == ran.threads) && asked.vector_bits == 0 &&
           asked.streams == 0 && asked.blocks == 0 && asked.warps == 0 && asked.chunks == 0 &&
           asked.wave_width == 0 && asked.unit == 0;
  }

  std::int32_t guarantee_;
};

backend_interface::Instance* KokkosBackend::open(const isofold_options& options, std::int32_t* code,
                                                 backend_interface::Report& report) noexcept {
  auto* instance = new (std::nothrow) KokkosInstance(options.guarantee);
  *code = instance != nullptr ? ISOFOLD_ok
                              : report.fail(ISOFOLD_out_of_memory, "No memory for a reducer.");
  return instance;
}

}  // namespace
}  // namespace isofold::kokkos_backend

ISOFOLD_EXPORT_BACKEND(kokkos, isofold::kokkos_backend::kokkos_backend)
