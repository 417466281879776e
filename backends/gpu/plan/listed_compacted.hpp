// The kernels on the list (plan/select.hpp) whose elements warps compact into shared memory first:
// elements that a mask selects and concatenated arrays, whose launches over lists come first, and
// boxes in long runs.
#pragma once

#include <backends/gpu/input/compacted.hpp>
#include <backends/gpu/input/masked_source.hpp>
#include <backends/gpu/kernel/rows_compacted.hpp>
#include <backends/gpu/plan/list_launches.hpp>
#include <backends/gpu/plan/nodes.hpp>

namespace isofold::gpu {

// Rows whose elements must be sought (rows_compacted.hpp).
struct CompactedProblem {
  std::int64_t rows;
  std::int64_t length;  // of the longest row that may come
  int most_shift;       // of a tile's chunks
  bool has_runs;        // as in CompactedPlaces
  bool is_joined;
  std::size_t warp_bytes;  // of shared memory
  int most_threads;        // of a multiprocessor, for registers
  TunedDevice device;
  bool rows_first = false;    // as in RowUnits
  bool side_by_side = false;  // neighbouring rows' entries are, under a mask
};

// Warps that a multiprocessor has at once, by blocks of so many.
inline std::int64_t compacted_warps(const CompactedProblem& at, std::int64_t block) {
  return block * blocks_at_once(at.device, block * at.device.wave_width,
                                static_cast<std::size_t>(block) * at.warp_bytes, at.most_threads);
}
// So many of a block that there are most of them at once.
inline std::int64_t warps_of_compacted_block(const CompactedProblem& at) {
  const CompactedTuning& tuning = at.device.tuning->compacted;
  // It has at most half of the threads that bound its registers, as needs_registers asks.
  const int threads =
      std::min(at.has_runs ? tuning.runs_threads : tuning.threads, at.most_threads / 2);
  const std::int64_t most = std::min<std::int64_t>(
      threads / at.device.wave_width, static_cast<std::int64_t>(shared_memory / at.warp_bytes));
  std::int64_t best = floor_power(std::max<std::int64_t>(1, most));
  for (std::int64_t block = best / 2; block >= tuning.least_block; block /= 2) {
    best = compacted_warps(at, block) > compacted_warps(at, best) ? block : best;
  }
  return best;
}

// Shares of each of some rows under a mask: as many as all warps take in one round, if that leaves
// few of them without one; else a share for each, some in a second round.
inline std::int64_t even_shares(std::int64_t rows, std::int64_t all_warps, int even_eighths) {
  const std::int64_t in_one_round = all_warps / rows;
  return 8 * in_one_round * rows >= even_eighths * all_warps ? in_one_round
                                                             : ceil_divide(all_warps, rows);
}

// How many tiles there are, and who takes them. A box of runs tells at once where a walk begins: a
// share is a tile there, and tiles that are folded at the same time lie near one another. Masks and
// joined arrays must seek it: each warp that runs has a share, of so many tiles that shares are
// even, but of no more chunks than CompactedTuning::share.
inline CompactedPlan plan_compacted(const CompactedProblem& at) {
  const CompactedTuning& tuning = at.device.tuning->compacted;
  const int wave_width = at.device.wave_width;
  const std::int64_t chunks = core::chunk_count(at.length);
  const std::int64_t block = warps_of_compacted_block(at);
  const std::int64_t all_warps = compacted_warps(at, block) * at.device.multiprocessors;
  const std::int64_t most_tile = std::int64_t{1} << at.most_shift;
  CompactedPlan plan;
  CompactedTiles& tiles = plan.tiles;
  tiles.most_shift = at.most_shift;
  std::int64_t all = 1;  // shares
  if (chunks > most_tile || (chunks > 1 && (at.rows == 1 || at.rows < all_warps))) {
    const int each = at.has_runs    ? tuning.runs_tiles
                     : at.is_joined ? tuning.joined_tiles
                                    : tuning.mask_tiles;
    tiles.enough = ceil_divide(each * all_warps, at.rows);
    if (at.has_runs) {
      tiles.enough = std::min(tiles.enough, std::max(ceil_divide(all_warps, at.rows),
                                                     chunks >> tuning.runs_tile_shift));
    }
    tiles.most = std::min(chunks, std::max(2 * tiles.enough, ceil_divide(chunks, most_tile)));
    // Even shares of columns are no better (docs/decisions/049).
    const std::int64_t shares =
        at.is_joined      ? ceil_divide(all_warps * tuning.joined_rounds, at.rows)
        : at.side_by_side ? ceil_divide(all_warps, at.rows)
                          : even_shares(at.rows, all_warps, tuning.even_eighths);
    const std::int64_t least = at.is_joined ? 1 : chunks / tuning.share;
    // As many for each warp.
    all = at.has_runs ? tiles.most
                      : std::min(tiles.most, ceil_divide(std::max(shares, least), shares) * shares);
    plan_nodes(at.rows, at.device, plan);
  }
  tiles.share(at.rows, all, at.rows_first);
  plan.launch.threads = static_cast<int>(block) * wave_width;
  plan.launch.shared_bytes = static_cast<std::size_t>(block) * at.warp_bytes;
  plan.launch.blocks = std::min(ceil_divide(at.rows * tiles.shares, block),
                                tuning.rounds * ceil_divide(all_warps, block));
  return plan;
}

// This tells whether a box lies in runs of so many elements (strided_runs.hpp; 0: they do not lie
// side by side). A row that is one run has no ends to step over; few elements are folded sooner by
// one launch.
inline bool are_runs(const Problem& at, std::int64_t run) {
  const CompactedTuning& tuning = at.device.tuning->compacted;
  const std::int64_t chunks = core::chunk_count(at.length);
  return run >= least_run && run * at.fold.element_bytes >= tuning.least_run_bytes &&
         run < at.length && chunks >= tuning.least_run_chunks &&
         chunks * at.rows >= std::int64_t{tuning.least_run_chunks} * at.device.multiprocessors;
}

// `at` with what depends on the kernel that packs, for rows that come as `Source`.
template <class Fold, class Source>
CompactedPlan plan_compacted_by(CompactedProblem at) {
  using Kernel = ReduceCompacted<Fold, Source>;
  at.warp_bytes = Kernel::bytes_of_warp();
  at.most_threads = Kernel::max_threads;
  return plan_compacted(at);
}

// On the list of kernels: a box in long runs, without a mask, of elements as they are computed
// with.
template <class Platform, class Fold>
struct RunsOfBoxes : ListedKernel {
  using Kernel = ReduceCompacted<Fold, RunSource>;
  using Plan = CompactedPlan;

  static bool is_for(const Problem& problem) { return problem.is_plain_box(); }
  static std::optional<CompactedPlan> plan(const Problem& problem) {
    if (!are_runs(problem, run_length(*problem.request.layout, Fold::arrays == 2))) {
      return std::nullopt;
    }
    return plan_compacted_by<Fold, RunSource>({problem.rows, problem.length,
                                               CompactedTiles{}.most_shift, true, false, 0, 0,
                                               problem.device});
  }
  static Needs needs(const Problem& problem, const CompactedPlan& plan) {
    return needs_of_tiles(problem, plan);
  }
  static Status load(const Problem&) {
    return load_all<Platform, Kernel, CombineTiles<Fold, CompactedPlaces>>();
  }
  static Status launch(const CompactedPlan& plan, const Call<Platform, Fold>& call) {
    return launch_tiles(call, plan, [&](auto* nodes) {
      return call.launch(Kernel{call.rows, RunSource{*call.problem.places, call.problem.length},
                                plan.tiles, nodes},
                         plan.launch);
    });
  }
};

// On the list of kernels: what a mask takes, and joined arrays. The lists come first in the
// workspace (counts of a mask, or sums of lengths), then a mask's bits, then nodes.
template <class Platform, class Fold>
struct CompactedRows : ListedKernel {
  struct Plan {
    CompactedPlaces source;
    CompactedPlan compacted;
    std::size_t bits;   // where they begin in the workspace
    std::size_t nodes;  // likewise
  };

  static bool is_for(const Problem& problem) {
    return problem.input == Input::joined || (problem.masked && problem.has_places());
  }
  static std::optional<Plan> plan(const Problem& problem) {
    Plan plan{source_of(problem), {}, 0, 0};
    const CompactedPlaces& source = plan.source;
    CompactedProblem at{problem.rows,
                        source.joins ? most_joined(problem.request) : problem.length,
                        source.joins ? CompactedTiles::largest_shift : CompactedTiles{}.most_shift,
                        false,
                        source.joins,
                        0,
                        0,
                        problem.device};
    at.rows_first = !source.joins && source.masked.rows_first();
    at.side_by_side = at.rows_first && source.masked.neighbours() > 0;
    with_source(problem, source, [&](const auto& stored) {
      plan.compacted = plan_compacted_by<Fold, std::decay_t<decltype(stored)>>(at);
      return Status{};
    });
    const auto size = [](std::int64_t count, std::size_t one) {
      return aligned(static_cast<std::size_t>(count) * one);
    };
    plan.bits = size(
        source.joins ? source.joined.count + 1 + ListedLengths::most_tiles : source.masked.counts(),
        sizeof(std::int64_t));
    plan.nodes =
        plan.bits + size(source.joins ? 0 : source.masked.bit_words(), sizeof(std::uint32_t));
    return plan;
  }
  static Needs needs(const Problem& problem, const Plan& plan) {
    const Needs tiles = needs_of_tiles(problem, plan.compacted);
    return {plan.nodes + aligned(tiles.bytes), tiles.counters};
  }
  static Status load(const Problem& problem) {
    const Status loaded = problem.input == Input::joined ? ListKernels<Platform>::load_lengths()
                                                         : ListKernels<Platform>::load_mask();
    if (!loaded.ok()) {
      return loaded;
    }
    const Status nodes = Platform::template load<CombineTiles<Fold, CompactedPlaces>>();
    return !nodes.ok() ? nodes : with_source(problem, source_of(problem), [](const auto& stored) {
      return Platform::template load<ReduceCompacted<Fold, std::decay_t<decltype(stored)>>>();
    });
  }
  static Status launch(const Plan& plan, const Call<Platform, Fold>& call) {
    using State = typename Fold::state_type;
    auto* const memory = static_cast<char*>(call.memory);
    CompactedPlaces source = plan.source;
    source.joined.before = reinterpret_cast<std::int64_t*>(memory);
    source.masked.selected_before = reinterpret_cast<std::int64_t*>(memory);
    source.masked.taken = reinterpret_cast<std::uint32_t*>(memory + plan.bits);
    char* const node_memory = memory + plan.nodes;
    auto* const nodes = plan.compacted.groups > 0 ? reinterpret_cast<State*>(node_memory) : nullptr;
    Status launched = launch_lists(source, call);
    launched = !launched.ok() ? launched : with_source(call.problem, source, [&](const auto& each) {
      using Kernel = ReduceCompacted<Fold, std::decay_t<decltype(each)>>;
      return call.launch(Kernel{call.rows, each, plan.compacted.tiles, nodes},
                         plan.compacted.launch);
    });
    return launched.ok() && nodes != nullptr
               ? launch_nodes(call, source, plan.compacted, nodes,
                              reinterpret_cast<State*>(node_memory +
                                                       node_bytes(call.problem, plan.compacted)))
               : launched;
  }

 private:
  static CompactedPlaces source_of(const Problem& problem) {
    if (problem.input != Input::joined) {
      return masked_source<Fold>(problem);
    }
    CompactedPlaces source;
    source.empty_fault = problem.empty_fault;
    source.joins = true;
    source.joined.count = problem.length;
    return source;
  }

  // use(where the elements come from, as its kernel has it)
  template <class Use>
  static Status with_source(const Problem& problem, const CompactedPlaces& places, Use&& use) {
    if constexpr (Pieces<Fold>::group > 0) {
      if (places.is_line) {
        return use(LineSource{places});
      }
    }
    return with_stored<Fold>(problem, [&](auto stored) {
      return use(CompactedSourceOf<decltype(stored)>{places, stored});
    });
  }

  // Elements that joined arrays may have in all.
  static std::int64_t most_joined(const isofold_request& request) {
    const std::int64_t known = request.layout->elements;
    return known > 0 ? known : std::int64_t{1} << joined_most_shift;
  }

  static Status launch_lists(const CompactedPlaces& source, const Call<Platform, Fold>& call) {
    using Lists = ListKernels<Platform>;
    const Problem& problem = call.problem;
    if (!source.joins) {
      return Lists::count_mask(source.masked, linearised_mask_of<Fold>(problem), problem.device,
                               call.capturing, call.stream);
    }
    const isofold_request& request = problem.request;
    const isofold_layout& layout = *request.layout;
    return Lists::join_lengths(
        {source.joined,
         layout.ends,
         layout.index_type != ISOFOLD_TYPE_i32,
         {request.data, request.second},
         most_joined(request),
         static_cast<Fault*>(call.fault),
         ListedLengths::tile_of(request.length, ScatterLengths::max_threads)},
        request.length, problem.device, call.capturing, call.stream);
  }
};

}  // namespace isofold::gpu
