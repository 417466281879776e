// The dispatch of requests of one element type to their folds, for Instance. A backend's kernels
// are compiled in several sources, side by side: each makes FoldReductions of some kinds of folds,
// or ListReductions (units.cmake).
#pragma once

#include <backends/gpu/launch/fault_injection.hpp>
#include <backends/gpu/op/canonical.hpp>
#include <backends/gpu/plan/execute.hpp>
#include <backends/gpu/plan/execute_exact.hpp>
#include <backends/gpu/plan/execute_fused.hpp>
#include <ops/case_names.hpp>
#include <ops/exact_cases.hpp>
#include <request/parameters.hpp>
#include <request/validate.hpp>

namespace isofold::gpu {

// Folds whose kernels one source makes.
enum class FoldKind { sums, counts, extrema, places, statistics, pairs };

// The kind of a kernels' fold: cases that share their kernels are of one kind.
template <class Fold>
constexpr FoldKind kind_of() {
  return Fold::arrays == 2                 ? FoldKind::pairs
         : Fold::stages == 2               ? FoldKind::statistics
         : core::HoldsIndices<Fold>::value ? FoldKind::places
         : is_count<Fold>                  ? FoldKind::counts
         : Fold::empty_is_error            ? FoldKind::extrema
                                           : FoldKind::sums;
}

// T is a type that folds compute in.
template <class Platform, class T, FoldKind kind>
class FoldReductions {
 public:
  explicit FoldReductions(Session<Platform>& session) : session_(session) {}

  std::int32_t reduce(const isofold_request& request, backend_interface::Report& report);
  std::int32_t reserve(const isofold_request& request, backend_interface::Report& report);

 private:
  enum class Doing { reduce, reserve };
  // The one place that looks up the fold.
  std::int32_t execute(Doing doing, const isofold_request& request,
                       backend_interface::Report& report);

  Session<Platform>& session_;
};

// Several folds in one read.
template <class Platform, class T>
class ListReductions {
 public:
  explicit ListReductions(Session<Platform>& session) : session_(session) {}

  // Sets done[i] for each request that a launch for several of them serves.
  std::int32_t reduce_fused(const isofold_request* requests, std::int32_t count, bool* done,
                            backend_interface::Report& report);

 private:
  Session<Platform>& session_;
};

// This tells whether the build has the kernels of exact_v1 (ISOFOLD_EXACT_KERNELS in units.cmake).
#if defined(ISOFOLD_WITH_EXACT_KERNELS)
inline constexpr bool has_exact_kernels = true;
#else
inline constexpr bool has_exact_kernels = false;
#endif

// The sums of exact_v1.
template <class Platform, class T>
class ExactReductions {
 public:
  explicit ExactReductions(Session<Platform>& session) : session_(session) {}

  std::int32_t reduce(const isofold_request& request, backend_interface::Report& report);
  std::int32_t reserve(const isofold_request& request, backend_interface::Report& report);
  // Rounds words, which are the request's data.
  std::int32_t finish(const isofold_request& request, backend_interface::Report& report);
  // Reduces those requests of a list that are for exact_v1, together where one pass gathers their
  // words, and sets done[i] for each.
  std::int32_t reduce_fused(const isofold_request* requests, std::int32_t count, bool* done,
                            backend_interface::Report& report);

 private:
  // use(the execution of the request): the one place that looks up its fold.
  template <class Use>
  std::int32_t with_execution(const isofold_request& request, backend_interface::Report& report,
                              Use&& use);

  Session<Platform>& session_;
};

// use(the reductions of the request's fold, over elements of T)
template <class Platform, class T, class Use>
std::int32_t with_reductions(Session<Platform>& session, const isofold_request& request,
                             backend_interface::Report& report, Use&& use) {
  if constexpr (has_exact_kernels) {
    if (is_exact(request)) {
      return use(ExactReductions<Platform, T>(session));
    }
  }
  std::int32_t code = ISOFOLD_unsupported;
  const bool known = visit_folds<T>(request.fold, [&](auto fold) {
    constexpr FoldKind kind = kind_of<KernelFoldFor<Platform, decltype(fold)>>();
    code = use(FoldReductions<Platform, T, kind>(session));
  });
  return known ? code
               : report.fail(ISOFOLD_unsupported, "Backend %s has no kernels of fold %s over %s.",
                             Platform::name, fold_name(request.fold), type_name(request.type));
}

// Outside of the classes: what is inline, each source would make for itself.
template <class Platform, class T, FoldKind kind>
std::int32_t FoldReductions<Platform, T, kind>::execute(Doing doing, const isofold_request& request,
                                                        backend_interface::Report& report) {
  std::int32_t code = ISOFOLD_unsupported;
  visit_folds<T>(request.fold, [&](auto asked) {
    using Asked = decltype(asked);
    using Fold = KernelFoldFor<Platform, Asked>;
    if constexpr (kind_of<Fold>() == kind) {
      const Fold fold = kernel_fold<Platform>(with_parameters(asked, request));
      const Execute<Platform, Fold> execution(session_, fold, facts_of<Fold>(Asked::empty_is_error),
                                              sizeof(typename Asked::result_type));
      code = doing == Doing::reduce ? execution.reduce(request, report)
                                    : execution.reserve(request, report);
    }
  });
  return code;
}

template <class Platform, class T, FoldKind kind>
std::int32_t FoldReductions<Platform, T, kind>::reduce(const isofold_request& request,
                                                       backend_interface::Report& report) {
  return execute(Doing::reduce, request, report);
}

template <class Platform, class T, FoldKind kind>
std::int32_t FoldReductions<Platform, T, kind>::reserve(const isofold_request& request,
                                                        backend_interface::Report& report) {
  return execute(Doing::reserve, request, report);
}

template <class Platform, class T>
template <class Use>
std::int32_t ExactReductions<Platform, T>::with_execution(const isofold_request& request,
                                                          backend_interface::Report& report,
                                                          Use&& use) {
  std::int32_t code = ISOFOLD_unsupported;
  const bool known = visit_exact_fold<T>(request.fold, [&](auto fold) {
    using Kept = typename exact::KeptBy<decltype(fold)>::type;
    ExactList<Kept> list;
    list.add(fold, request);
    code = use(ExecuteExact<Platform, Kept>(session_, list));
  });
  return known ? code
               : report.fail(ISOFOLD_unsupported,
                             "Backend %s was built without the kernels of exact_v1's %s over %s; "
                             "openmp has all of them.",
                             Platform::name, fold_name(request.fold), type_name(request.type));
}

template <class Platform, class T>
std::int32_t ExactReductions<Platform, T>::reduce(const isofold_request& request,
                                                  backend_interface::Report& report) {
  return with_execution(request, report, [&](auto execution) { return execution.reduce(report); });
}

template <class Platform, class T>
std::int32_t ExactReductions<Platform, T>::reserve(const isofold_request& request,
                                                   backend_interface::Report& report) {
  return with_execution(request, report, [&](auto execution) { return execution.reserve(report); });
}

template <class Platform, class T>
std::int32_t ExactReductions<Platform, T>::finish(const isofold_request& request,
                                                  backend_interface::Report& report) {
  return with_execution(request, report, [&](auto execution) { return execution.finish(report); });
}

template <class Platform, class T>
std::int32_t ExactReductions<Platform, T>::reduce_fused(const isofold_request* requests,
                                                        std::int32_t count, bool* done,
                                                        backend_interface::Report& report) {
  std::int32_t code = ISOFOLD_ok;
  // Reduces request number `first`, of a fold that Kept's words are those of, and all others whose
  // words are among them, if a kernel has several results.
  const auto reduce_kept_by = [&](auto kept, std::int32_t first) {
    using Kept = decltype(kept);
    constexpr int most = ExactRows<Kept>::most_results;
    ExactList<Kept> list;
    for (std::int32_t i = most == 1 ? first : 0; i < count; ++i) {
      if (is_exact(requests[i]) && !done[i] && list.count() < most) {
        visit_exact_fold<T>(requests[i].fold, [&](auto fold) {
          if constexpr (exact::is_part_of<Kept, decltype(fold)>) {
            list.add(fold, requests[i]);
            done[i] = true;
          }
        });
      }
    }
    code = ExecuteExact<Platform, Kept>(session_, list).reduce(report);
  };
  // Folds that keep two sums come first, for others are part of them.
  for (const bool both : {true, false}) {
    for (std::int32_t i = 0; i < count && code == ISOFOLD_ok; ++i) {
      if (is_exact(requests[i]) && !done[i]) {
        const bool known = visit_exact_fold<T>(requests[i].fold, [&](auto fold) {
          using Kept = typename exact::KeptBy<decltype(fold)>::type;
          if ((Kept::sums == 2) == both) {
            reduce_kept_by(Kept{}, i);
          }
        });
        code = known ? code : reduce(requests[i], report);  // which says so
      }
    }
  }
  return code;
}

template <class Platform, class T>
std::int32_t ListReductions<Platform, T>::reduce_fused(const isofold_request* requests,
                                                       std::int32_t count, bool* done,
                                                       backend_interface::Report& report) {
  return ReduceFused<Platform>(session_).template run<T>(requests, count, done, report);
}

}  // namespace isofold::gpu

// A source of its own makes the kernels of some folds of one element type, or those for lists of
// folds; the backend's own source declares them extern (extern_kernels.hpp).
#define ISOFOLD_KERNELS_OF(vendor, element, kind)                                        \
  extern template struct isofold::gpu::ListKernels<isofold::gpu::WithFaults<vendor>>;    \
  template class isofold::gpu::FoldReductions<isofold::gpu::WithFaults<vendor>, element, \
                                              isofold::gpu::FoldKind::kind>;
#define ISOFOLD_LISTS_OF(vendor, element) \
  template class isofold::gpu::ListReductions<isofold::gpu::WithFaults<vendor>, element>;
#define ISOFOLD_EXACT_OF(vendor, element)                                             \
  extern template struct isofold::gpu::ListKernels<isofold::gpu::WithFaults<vendor>>; \
  template class isofold::gpu::ExactReductions<isofold::gpu::WithFaults<vendor>, element>;
