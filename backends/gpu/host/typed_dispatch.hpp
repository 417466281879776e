// All that a GPU computes of one element type: which way a request goes. Explicit instantiations of
// this class are how a backend's kernels are compiled in several sources, side by side.
#pragma once

#include <backends/gpu/launch/fault_injection.hpp>
#include <backends/gpu/op/canonical.hpp>
#include <backends/gpu/plan/execute_compacted.hpp>
#include <backends/gpu/plan/execute_contiguous.hpp>
#include <backends/gpu/plan/execute_converted.hpp>
#include <backends/gpu/plan/execute_fused.hpp>
#include <backends/gpu/plan/execute_strided.hpp>
#include <request/parameters.hpp>
#include <request/validate.hpp>

namespace isofold::gpu {

// T is a type that folds compute in.
template <class Platform, class T>
class Reductions {
 public:
  explicit Reductions(Session<Platform>& session) : session_(session) {}

  std::int32_t reduce(const isofold_request& request, contract::Report& report);
  std::int32_t reserve(const isofold_request& request, contract::Report& report);
  // Sets done[i] for each request that a launch for several of them has taken.
  std::int32_t reduce_fused(const isofold_request* requests, std::int32_t count, bool* done,
                            contract::Report& report);

 private:
  // body(the fold that kernels are made for, the bytes of a result)
  template <class Body>
  std::int32_t with_fold(const isofold_request& request, contract::Report& report, Body&& body) {
    std::int32_t code = ISOFOLD_unsupported;
    const bool known = visit_case(request.fold, type_number<T>(), [&](auto fold) {
      using Fold = decltype(fold);
      if constexpr (std::is_same_v<typename Fold::element_type, T>) {
        code = body(kernel_fold<Platform>(with_parameters(fold, request)),
                    sizeof(typename Fold::result_type));
      }
    });
    return known ? code
                 : report.fail(ISOFOLD_unsupported, "Backend %s: no fold %d over element type %d.",
                               Platform::name, request.fold, request.type);
  }

  Session<Platform>& session_;
};

// Outside of the class: what is inline, each source would make for itself.
template <class Platform, class T>
std::int32_t Reductions<Platform, T>::reduce(const isofold_request& request,
                                             contract::Report& report) {
  return with_fold(request, report, [&](auto fold, std::size_t result_bytes) {
    ReducePacked<Platform> packed(session_);
    return packed.template takes<decltype(fold)>(request)
               ? packed.run(fold, request, result_bytes, report)
           : has_layout(request)
               ? ReducePlaced<Platform>(session_).run(fold, request, result_bytes, report)
           : is_converted(request)
               ? ReduceStored<Platform>(session_).run(fold, request, result_bytes, report)
               : ReduceRows<Platform>(session_).run(fold, request, result_bytes, report);
  });
}

template <class Platform, class T>
std::int32_t Reductions<Platform, T>::reserve(const isofold_request& request,
                                              contract::Report& report) {
  return with_fold(request, report, [&](auto fold, std::size_t) {
    ReducePacked<Platform> packed(session_);
    return packed.template takes<decltype(fold)>(request) ? packed.prepare(fold, request, report)
           : has_layout(request)   ? ReducePlaced<Platform>(session_).prepare(fold, request, report)
           : is_converted(request) ? ReduceStored<Platform>(session_).prepare(fold, request, report)
                                   : ReduceRows<Platform>(session_).prepare(fold, request, report);
  });
}

template <class Platform, class T>
std::int32_t Reductions<Platform, T>::reduce_fused(const isofold_request* requests,
                                                   std::int32_t count, bool* done,
                                                   contract::Report& report) {
  return ReduceFused<Platform>(session_).template run<T>(requests, count, done, report);
}

}  // namespace isofold::gpu

// A source of its own makes the kernels of one element type; the backend's own source takes them as
// made elsewhere (extern_kernels.hpp).
#define ISOFOLD_KERNELS_OF(vendor, element)                                           \
  extern template struct isofold::gpu::ListKernels<isofold::gpu::WithFaults<vendor>>; \
  template class isofold::gpu::Reductions<isofold::gpu::WithFaults<vendor>, element>;
