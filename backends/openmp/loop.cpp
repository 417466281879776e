// The loop over rows and threads: which nodes a request is folded in (nodes.hpp).
#include "loop.hpp"

#include <request/converted_elements.hpp>

#include "row_loop.hpp"
#include "slab_loop.hpp"

namespace isofold::openmp {
namespace {

using isofold_openmp::Plan;
using isofold_openmp::VectorFold;
using isofold_openmp::VectorFolds;

const VectorFold& fold_of(const VectorFolds& folds, const isofold_request& request) {
  return *folds.of[request.fold - 1][computed_type(request) - 1];
}

// Each row lies in line: those of `packed`, or those of the request.
int walk_lines(const VectorFold& fold, const isofold_request& request,
               const isofold_packed::PackedRows* packed, const Plan& plan) {
  return RowLoop<ChunkNodes>::walk({{request, fold}, plan.streams, packed}, plan);
}

// Elements are not those that the fold takes, or do not lie one after the other.
int walk_staged(const VectorFolds& folds, const isofold_request& request, const Plan& plan) {
  using Chunks = StagedNodes<0>;
  using Groups = StagedNodes<group_level>;
  const VectorFold& fold = fold_of(folds, request);
  const Stage stage = stage_of(folds, request, plan.packed);
  if (stage.convert == nullptr && plan.packed != nullptr) {
    if (isofold_packed::lie_in_line(*plan.packed)) {
      return walk_lines(fold, request, plan.packed, plan);
    }
    const RunNodes nodes{{request, fold}, *plan.packed};
    if (isofold_packed::has_long_runs(*plan.packed) ||
        RowLoop<RunNodes>::walks_columns(nodes, plan)) {
      return RowLoop<RunNodes>::walk(nodes, plan);
    }
  }
  if (plan.states != nullptr) {
    return SlabLoop({request, fold}, stage, plan).walk();
  }
  if (plan.packed != nullptr && isofold_packed::has_mask(*plan.packed)) {
    return RowLoop<TakenNodes<Chunks>>::walk({{{request, fold}, stage}}, plan);
  }
  // Gathers go chunk by chunk: four chunks of doubles fill an L1 of 32 KiB, through which the
  // elements are read that they are gathered from (docs/decisions/049).
  return request.shape == ISOFOLD_SHAPE_gather || fold.piece == 0
             ? RowLoop<Chunks>::walk({{request, fold}, stage}, plan)
             : RowLoop<Groups>::walk({{request, fold}, stage}, plan);
}

}  // namespace
}  // namespace isofold::openmp

namespace isofold_openmp {

using namespace isofold::openmp;

int walk(const VectorFolds& folds, const isofold_request& request, const Plan& plan) {
  const VectorFold* const fold = direct_fold(folds, request);
  return fold != nullptr ? walk_lines(*fold, request, nullptr, plan)
                         : walk_staged(folds, request, plan);
}

// Columns, and slabs, are taken side by side by each fold in turn, which reads less of memory than
// all folds at once do one after the other.
int walk_fused(const VectorFolds& folds, const isofold_request* requests, int count,
               const Plan& plan) {
  const bool are_columns = plan.packed != nullptr && requests[0].length > 0 &&
                           has_rows_for_all(requests[0], plan) &&
                           isofold_packed::columns_of(*plan.packed, 0) > 1;
  if (are_columns || plan.states != nullptr) {
    int granted = 1;
    for (int i = 0; i < count; ++i) {
      granted = walk_staged(folds, requests[i], plan);
    }
    return granted;
  }
  const VectorFold* fold[ISOFOLD_MOST_FUSED]{};
  const isofold_request* input = requests;  // one that has all arrays
  for (int i = 0; i < count; ++i) {
    fold[i] = &fold_of(folds, requests[i]);
    input = requests[i].second != nullptr ? requests + i : input;
  }
  const Stage stage = stage_of(folds, *input, plan.packed);
  const FusedNodes nodes{*input, requests, {fold, count}, stage};
  return plan.packed != nullptr && isofold_packed::has_mask(*plan.packed)
             ? RowLoop<TakenNodes<FusedNodes>>::walk({nodes}, plan)
             : RowLoop<FusedNodes>::walk(nodes, plan);
}

}  // namespace isofold_openmp
