// The kernel on the list (plan/select.hpp) for many rows of 16-bit floats in which the place of the
// extremum is searched.
#pragma once

#include <backends/gpu/kernel/locate_halves.hpp>
#include <backends/gpu/plan/kernel.hpp>
#include <backends/gpu/plan/warps_of_row.hpp>

namespace isofold::gpu {

template <class Platform, class Fold>
struct LocatedHalves : ListedKernel {
  static constexpr bool exists = locates_halves<Fold>;
  using Kernel = LocateHalves<Fold>;
  struct Plan {
    bool by_teams;
    Launch launch;
  };

  static bool is_for(const Problem& problem) {
    return problem.input == Input::rows && problem.converted;
  }
  // One long row is a matter of ReduceByBlocks, and so is whoever asks for a schedule of his own.
  static std::optional<Plan> plan(const Problem& problem) {
    const DeviceFacts& device = problem.device;
    const std::int64_t multiprocessors = device.multiprocessors;
    if (problem.rows < 2 * multiprocessors || problem.alignment < 2 ||
        problem.request.schedule != nullptr) {
      return std::nullopt;
    }
    constexpr std::int64_t longest_of_team = std::int64_t{2048} * Kernel::team;
    const int width = device.wave_width;
    const std::int64_t most_warps = Kernel::max_threads / width;
    const std::int64_t all_warps = most_warps * multiprocessors;
    const std::int64_t teams = width / Kernel::team;
    Plan plan{};
    plan.by_teams = problem.length <= longest_of_team && problem.rows >= teams * all_warps;
    const std::int64_t tiles =
        std::max<std::int64_t>(1, problem.length / (std::int64_t{LoadedHalves::count} * width));
    const std::int64_t warps =
        plan.by_teams ? most_warps : warps_of_row(tiles, problem.rows, all_warps, most_warps);
    const std::int64_t units =
        plan.by_teams ? ceil_divide(problem.rows, warps * teams) : problem.rows;
    plan.launch.threads = static_cast<int>(warps) * width;
    plan.launch.blocks = std::min(units, multiprocessors * (most_warps / warps));
    plan.launch.shared_bytes = Kernel::shared_bytes(static_cast<int>(warps));
    return plan;
  }
  static Status load(const Problem&) { return Platform::template load<Kernel>(); }
  static Status launch(const Plan& plan, const Call<Platform, Fold>& call) {
    return call.launch(
        Kernel{call.rows, call.problem.request.type == ISOFOLD_TYPE_bf16, plan.by_teams},
        plan.launch);
  }
};

}  // namespace isofold::gpu
