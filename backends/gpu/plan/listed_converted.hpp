// The kernel on the list (plan/select.hpp) for arrays and rows of elements of another type than
// folds compute in (convert.hpp): ReduceByBlocks alone, however short the rows are.
#pragma once

#include <backends/gpu/input/contiguous_converted.hpp>
#include <backends/gpu/plan/listed_rows.hpp>

namespace isofold::gpu {

template <class Platform, class Fold>
struct ConvertedRows : ListedKernel {
  using Element = typename Fold::element_type;
  using Narrow = NarrowLanes<Element>;
  static constexpr bool exists = is_computed_from_others<Element>;

  enum class Loads { narrow, halves, staged_words };
  struct Plan {
    Loads loads;
    gpu::Plan plan;
  };

  static bool is_for(const Problem& problem) {
    return problem.input == Input::rows && problem.converted;
  }
  static std::optional<Plan> plan(const Problem& problem) {
    const Loads loads = loads_of(problem);
    std::optional<Plan> plan;
    with_lanes(problem, loads, [&](auto lanes) {
      using Lanes = decltype(lanes);
      RowsProblem at =
          rows_problem_of<Fold>(problem.rows, problem.length, Lanes::per_load > 1, problem.device);
      at.team = Lanes::team;
      at.staged_threads = stored_threads<Lanes>(problem.device);
      at.in_bulk = false;
      const int most_threads = at.staged_threads > 0
                                   ? at.staged_threads
                                   : ReduceByBlocks<StoredRows<Fold>, Lanes>::max_threads;
      plan = Plan{loads, plan_grid(at, wish_of(problem), most_threads)};
      return Status{};
    });
    return plan;
  }
  static Needs needs(const Problem& problem, const Plan& plan) {
    return needs_of_grid(problem, plan.plan);
  }
  static Status load(const Problem& problem) {
    Status loaded;
    if constexpr (may_have_slow_fences<Platform>) {
      loaded = Platform::template load<CombineNodes<Rows<Fold>>>();
    }
    for (const Loads loads : {Loads::narrow, Loads::halves, Loads::staged_words}) {
      loaded = !loaded.ok() ? loaded : with_lanes(problem, loads, [](auto lanes) {
        return Platform::template load<ReduceByBlocks<StoredRows<Fold>, decltype(lanes)>>();
      });
    }
    return loaded;
  }
  static Status launch(const Plan& plan, const Call<Platform, Fold>& call) {
    const StoredRows<Fold> rows{call.rows, call.problem.request.type,
                                static_cast<std::int32_t>(call.problem.stored_bytes)};
    return with_lanes(call.problem, plan.loads, [&](auto lanes) {
      return launch_grid<decltype(lanes)>(call, rows, plan.plan);
    });
  }
  static void describe(const Problem& problem, const Plan& plan, isofold_schedule& ran) {
    ran = gpu::describe(plan.plan,
                        rows_problem_of<Fold>(problem.rows, problem.length, false, problem.device));
  }

 private:
  // Threads of a multiprocessor, where chunks go through shared memory; 0: by way of registers.
  template <class Lanes>
  static int stored_threads(const TunedDevice& device) {
    if constexpr (are_staged_words<Lanes>) {
      return fitting_threads<typename StagedChunks<StoredRows<Fold>, Lanes>::OneStage>(
          device, kept_bytes<Fold>(device));
    } else {
      return 0;
    }
  }

  // use(word{}) for the words that elements which are computed with as Fold's are stored in.
  template <class Use>
  static Status with_words(std::int64_t bytes, Use&& use) {
    if constexpr (std::is_same_v<Element, double>) {
      return use(float{});
    } else if constexpr (std::is_same_v<Element, float>) {
      return use(std::uint16_t{});
    } else {
      return bytes == 1 ? use(std::uint8_t{}) : use(std::uint16_t{});
    }
  }
  // use(lanes{}) of these loads, or of narrow ones where the fold or the platform has none such.
  template <class Use>
  static Status with_lanes(const Problem& problem, Loads loads, Use&& use) {
    if constexpr (may_have_stages<Platform> && has_staged_words<Fold>) {
      if (loads == Loads::staged_words && problem.device.has_stages) {
        return with_words(problem.stored_bytes,
                          [&](auto word) { return use(StagedWords<decltype(word)>{}); });
      }
    }
    if constexpr (takes_wide_halves<Fold>()) {
      if (loads == Loads::halves) {
        return use(WideHalves{});
      }
    }
    return use(Narrow{});
  }

  // This tells whether there are chunks for all teams, which are small: those of a warp in each
  // row, and some for each multiprocessor.
  static bool stages_words(const Problem& problem) {
    const TunedDevice& device = problem.device;
    const std::int64_t lanes_of_thread = 16 / problem.stored_bytes;
    const std::int64_t chunks = core::chunk_count(problem.length);
    const std::int64_t teams = device.wave_width * lanes_of_thread / core::lanes;
    return chunks >= teams &&
           chunks >= ceil_divide(device.tuning->staged.word_chunks * device.multiprocessors,
                                 problem.rows);
  }
  // The loads that the rows allow.
  static Loads loads_of(const Problem& problem) {
    if constexpr (may_have_stages<Platform> && has_staged_words<Fold>) {
      if (problem.device.has_stages && problem.alignment >= 16 && stages_words(problem)) {
        return Loads::staged_words;
      }
    }
    if constexpr (takes_wide_halves<Fold>()) {
      if (problem.alignment >= 8) {
        return Loads::halves;
      }
    }
    return Loads::narrow;
  }
};

}  // namespace isofold::gpu
