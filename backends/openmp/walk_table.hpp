// The table of walks of one instruction set. Included by each walk_*.cpp, after nothing else.
#pragma once

#include "walk_scope.hpp"

#include <ops/supported_cases.hpp>

#include "row_walk.hpp"
#include "slab_walk.hpp"

namespace isofold::openmp {
namespace {

// The fold as it reads data from memory.
template <class Fold, int bits>
const AnyFold& from_memory([[maybe_unused]] const Plan& plan) {
  if constexpr (may_ask_ahead<bits>) {
    if (plan.streams == asked_ahead) {
      return Erased<Fold, OnVectors<bits, asked_ahead>>::fold;
    }
  }
  return Erased<Fold, OnVectors<bits, two_streams>>::fold;
}

// Of rows that lie in line each, those of `packed` or those of the request.
template <class Fold, int bits>
int walk_lines(const isofold_request& request, const isofold_packed::PackedRows* packed,
               const Plan& plan) {
  using Near = OnVectors<bits, one_stream>;
  using Nodes = ChunkNodes<Near::template level<Fold>>;
  return RowWalk<Nodes>::walk(
      {{request, Erased<Fold, Near>::fold}, from_memory<Fold, bits>(plan), packed}, plan);
}

template <class Fold, int bits>
int walk(const isofold_request& request, const Plan& plan) {
  if constexpr (has_lanes<Fold>) {
    return RowWalk<BlockNodes<Fold, bits>>::walk({request, plan.streams == asked_ahead}, plan);
  } else {
    return walk_lines<Fold, bits>(request, nullptr, plan);
  }
}

// Of elements that are not those that the fold takes, or not one after the other.
template <class Fold, int bits>
int walk_staged(const isofold_request& request, const Plan& plan) {
  using Nodes = StagedNodes<piece_level<Fold>>;
  using Chunks = StagedNodes<0>;
  static_assert(sizeof(typename Fold::element_type) <= Nodes::Room::most_bytes,
                "A stage has room for the elements of a piece.");
  const Stage stage = stage_of(request, plan.packed);
  const AnyFold& fold = Erased<Fold, OnVectors<bits, one_stream>>::fold;
  if (stage.convert == nullptr && plan.packed != nullptr) {
    if (isofold_packed::lie_in_line(*plan.packed)) {
      return walk_lines<Fold, bits>(request, plan.packed, plan);
    }
    const RunNodes nodes{
        {request, fold}, Erased<Fold, OnVectors<bits, two_streams>>::fold, *plan.packed};
    if (isofold_packed::has_long_runs(*plan.packed) ||
        RowWalk<RunNodes>::walks_columns(nodes, plan)) {
      return RowWalk<RunNodes>::walk(nodes, plan);
    }
  }
  if (plan.states != nullptr) {
    return SlabWalk({request, fold}, stage, plan).walk();
  }
  if (plan.packed != nullptr && isofold_packed::has_mask(*plan.packed)) {
    return RowWalk<TakenNodes<Chunks>>::walk({{{request, fold}, stage}}, plan);
  }
  // Four chunks of doubles fill an L1 of 32 KiB, and what they are gathered from is read through it
  // (2^24 of 2^25 doubles 23 ms, chunk by chunk 16).
  return request.shape == ISOFOLD_SHAPE_gather
             ? RowWalk<Chunks>::walk({{request, fold}, stage}, plan)
             : RowWalk<Nodes>::walk({{request, fold}, stage}, plan);
}

// Columns, and slabs, are taken side by side by each fold in turn, which reads less of memory than
// all folds at once do one after the other.
template <int bits>
int walk_fused(const isofold_request* requests, int count, const Plan& plan) {
  const bool are_columns = plan.packed != nullptr && requests[0].length > 0 &&
                           has_rows_for_all(requests[0], plan) &&
                           isofold_packed::columns_of(*plan.packed, 0) > 1;
  if (are_columns || plan.states != nullptr) {
    int granted = 1;
    for (int i = 0; i < count; ++i) {
      visit_case(requests[i].fold, computed_type(requests[i]), [&](auto fold) {
        granted = walk_staged<decltype(fold), bits>(requests[i], plan);
      });
    }
    return granted;
  }
  const AnyFold* fold_of[ISOFOLD_MOST_FUSED]{};
  const isofold_request* input = requests;  // one that has all arrays
  for (int i = 0; i < count; ++i) {
    visit_case(requests[i].fold, computed_type(requests[i]), [&](auto fold) {
      fold_of[i] = &Erased<decltype(fold), OnVectors<bits, one_stream>>::fold;
    });
    input = requests[i].second != nullptr ? requests + i : input;
  }
  const Stage stage = stage_of(*input, plan.packed);
  const FusedNodes nodes{*input, requests, {fold_of, count}, stage};
  return plan.packed != nullptr && isofold_packed::has_mask(*plan.packed)
             ? RowWalk<TakenNodes<FusedNodes>>::walk({nodes}, plan)
             : RowWalk<FusedNodes>::walk(nodes, plan);
}

}  // namespace
}  // namespace isofold::openmp

namespace isofold_openmp {

// Called only where the instruction set exists, and no static object of these units has a
// constructor: a machine without it never runs an instruction of theirs.
void ISOFOLD_JOIN(fill, ISOFOLD_WALK_NAME)(Walks& walks) {
  walks.vector_bits = ISOFOLD_WALK_BITS;
  walks.fused = isofold::openmp::walk_fused<ISOFOLD_WALK_BITS>;
  for (int fold = 1; fold <= folds; ++fold) {
    for (int type = 1; type <= types; ++type) {
      isofold::visit_case(fold, type, [&](auto f) {
        walks.of[fold - 1][type - 1] = isofold::openmp::walk<decltype(f), ISOFOLD_WALK_BITS>;
        walks.staged[fold - 1][type - 1] =
            isofold::openmp::walk_staged<decltype(f), ISOFOLD_WALK_BITS>;
      });
    }
  }
}

}  // namespace isofold_openmp
