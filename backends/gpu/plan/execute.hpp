// The execution of a request by a plan and its launches, for the dispatch by type: reserve()
// reserves what the plan needs, reduce() launches it. Both ask the list of kernels (select.hpp) for
// the plan, so they cannot disagree.
#pragma once

#include <backends/gpu/launch/session.hpp>
#include <backends/gpu/plan/index_in_array.hpp>
#include <backends/gpu/plan/select.hpp>

namespace isofold::gpu {

template <class Platform, class Fold>
class Execute {
 public:
  // `fold` as kernels are made for it; `facts` and `result_bytes` of the one that was asked for.
  Execute(Session<Platform>& session, const Fold& fold, const FoldFacts& facts,
          std::size_t result_bytes)
      : session_(session), fold_(fold), facts_(facts), result_bytes_(result_bytes) {}

  std::int32_t reduce(const isofold_request& request, backend_interface::Report& report) const {
    if (request.rows == 0) {
      return ISOFOLD_ok;
    }
    if (const auto code = take_fault(request, report); code != ISOFOLD_ok) {
      return code;
    }
    const Problem problem(request, session_.facts(), facts_, session_.workspace().fault());
    std::int32_t code = ISOFOLD_ok;
    const bool is_taken =
        ListedKernels::with_plan<Platform, Fold>(problem, [&](auto kernel, const auto& plan) {
          const Needs needs = kernel.needs(problem, plan);
          code = session_.enqueue(
              request, needs.bytes, needs.counters, report,
              [&](bool capturing) { return kernel.launch(plan, call(problem, capturing)); });
          if (code == ISOFOLD_ok && request.ran != nullptr) {
            kernel.describe(problem, plan, *request.ran);
          }
        });
    if (!is_taken) {
      return no_kernel(report);
    }
    if (code == ISOFOLD_ok && has_indices && numbers_in_array(problem)) {
      code = number_in_array(problem, report);
    }
    return code == ISOFOLD_ok ? session_.finish(request, result_bytes_, facts_.state_bytes, report)
                              : code;
  }

  std::int32_t reserve(const isofold_request& request, backend_interface::Report& report) const {
    if (const auto code = take_fault(request, report); code != ISOFOLD_ok) {
      return code;
    }
    Problem problem(request, session_.facts(), facts_, session_.workspace().fault());
    const Status loaded = ListedKernels::load<Platform, Fold>(problem);
    if (!loaded.ok()) {
      return session_.fail(loaded, "loading the kernels", report);
    }
    // Data may lie anywhere when the call comes.
    std::int32_t code = ISOFOLD_ok;
    bool is_taken = true;
    for (problem.alignment = most_alignment;
         problem.alignment > 0 && code == ISOFOLD_ok && is_taken; problem.alignment /= 2) {
      is_taken =
          ListedKernels::with_plan<Platform, Fold>(problem, [&](auto kernel, const auto& plan) {
            const Needs needs = kernel.needs(problem, plan);
            code = session_.reserve(needs.bytes, needs.counters, report);
          });
      if (problem.has_places()) {
        break;  // their plans do not depend on it
      }
    }
    if (code == ISOFOLD_ok && has_indices && numbers_in_array(problem)) {
      const Status numbering = ListKernels<Platform>::load_numbering();
      code = numbering.ok() ? session_.reserve(NumberInArray<Platform>(problem).bytes(), 0, report)
                            : session_.fail(numbering, "loading the kernels", report);
    }
    return is_taken ? code : no_kernel(report);
  }

 private:
  static constexpr bool has_indices = core::HoldsIndices<Fold>::value;

  std::int32_t number_in_array(const Problem& problem, backend_interface::Report& report) const {
    const NumberInArray<Platform> numbering(problem);
    return session_.enqueue(problem.request, numbering.bytes(), 0, report, [&](bool capturing) {
      return numbering.launch(result_of(problem.request), session_.workspace().nodes(), capturing,
                              session_.stream());
    });
  }
  // Returns the memory into which the launches write the results.
  void* result_of(const isofold_request& request) const {
    const auto& workspace = session_.workspace();
    return (request.flags & ISOFOLD_BLOCKING) != 0 ? workspace.result()
           : workspace.has_front()                 ? workspace.front()
                                                   : request.result;
  }

  std::int32_t take_fault(const isofold_request& request, backend_interface::Report& report) const {
    return Problem::needs_fault(request, facts_, session_.validates()) ? session_.take_fault(report)
                                                                       : ISOFOLD_ok;
  }
  static std::int32_t no_kernel(backend_interface::Report& report) {
    return report.fail(ISOFOLD_unsupported, "Backend %s: no kernel takes this input.",
                       Platform::name);
  }

  // Made where the workspace has been taken, for it may move then.
  Call<Platform, Fold> call(const Problem& problem, bool capturing) const {
    using Element = typename Fold::element_type;
    const isofold_request& request = problem.request;
    const auto& workspace = session_.workspace();
    const Rows<Fold> rows{
        fold_,
        {static_cast<const Element*>(request.data), static_cast<const Element*>(request.second)},
        request.rows,
        request.length,
        request.stride,
        request.second_stride,
        result_of(request),
        (request.flags & ISOFOLD_STATE) != 0};
    return {problem,           rows,     workspace.nodes(), workspace.counters(), workspace.fault(),
            session_.stream(), capturing};
  }

  Session<Platform>& session_;
  const Fold& fold_;
  FoldFacts facts_;
  std::size_t result_bytes_;
};

}  // namespace isofold::gpu
