// The execution of several folds of one array or two, or of rows, at once, for the dispatch by
// type: ReduceFused divides the requests into lists, each of which is one launch.
#pragma once

#include <algorithm>
#include <cstring>

#include <backends/gpu/kernel/fused_ops.hpp>
#include <backends/gpu/launch/session.hpp>
#include <backends/gpu/op/canonical.hpp>
#include <backends/gpu/plan/fused_list.hpp>
#include <backends/gpu/plan/listed_rows.hpp>

namespace isofold::gpu {

template <class Platform>
class ReduceFused {
 public:
  explicit ReduceFused(Session<Platform>& session) : session_(session) {}

  // Lists of one array, or of two that take some of one array along.
  template <class T>
  std::int32_t run(const isofold_request* requests, std::int32_t count, bool* done,
                   backend_interface::Report& report) {
    const isofold_request& input = requests[0];
    const bool forced = std::any_of(requests, requests + count,
                                    [](const auto& each) { return each.schedule != nullptr; });
    if (has_layout(input) || is_converted(input) || forced || input.rows == 0 ||
        input.length == 0) {
      return ISOFOLD_ok;
    }
    if constexpr (core::is_floating<T> || core::is_complex<T>) {
      const auto* const pair = std::find_if(
          requests, requests + count, [](const auto& each) { return each.second != nullptr; });
      if (pair != requests + count) {
        const std::int32_t code = run_list<T, 2>(*pair, requests, count, done, report);
        if (code != ISOFOLD_ok) {
          return code;
        }
      }
    }
    return run_list<T, 1>(input, requests, count, done, report);
  }

 private:
  // Twice the tile halves what its end costs, where two blocks' states, and their chunks in bulk,
  // still fit. Parts that come again from L1 lose by it (docs/decisions/048).
  template <class Kernel, class List>
  static int most_listed_shift(const List& list, const TunedDevice& device) {
    constexpr int larger = most_tile_shift + 1;
    constexpr bool held_at_once = Kernel::parts == 1;
    const bool gains = held_at_once || (Kernel::has_stage && device.has_bulk_copies);
    const std::size_t bytes =
        list.states_bytes(larger) +
        (held_at_once ? 0 : device.tuning->fused.bulk_bytes + list_further_bytes);
    return gains && 2 * bytes <= device.shared_bytes ? larger : most_tile_shift;
  }
  // Chunks in parts whose launch has no stage come again for each fold, from L1 as long as they are
  // there: the chunks of one block are (eight warps have 128 KB, of two c128 arrays 256), those of
  // two are not. So each multiprocessor gets one block, where its chunks fill L1 or tiles have many
  // rounds. docs/decisions/015
  template <class Kernel>
  static void keep_in_l1(TilePlan& plan, const RowsProblem& at) {
    const std::int64_t l1_bytes = at.device.tuning->fused.l1_bytes;
    const std::int64_t block_bytes =
        std::int64_t{plan.launch.threads / at.team} * Kernel::chunk_bytes;
    if (Kernel::parts > 1 && l1_bytes > 0 && plan.launch.threads == tile_threads &&
        (block_bytes >= l1_bytes || has_many_rounds(plan, at))) {
      plan.launch.blocks = std::min<std::int64_t>(plan.launch.blocks, at.device.multiprocessors);
    }
  }
  // Rows of as many chunks give some folds a warp each, above the chunks. (A tile of AMD's wider
  // waves would have 16 chunks; nothing was measured there: docs/decisions/048.)
  static int least_listed_shift(int entries, const RowsProblem& at) {
    const int threads = std::min(entries, at.device.tuning->fused.row_warps) * at.device.wave_width;
    return std::max(least_tile_shift, ceil_shift(ceil_divide(threads, at.team)));
  }

  template <class T, int arrays>
  std::int32_t run_list(const isofold_request& input, const isofold_request* requests,
                        std::int32_t count, bool* done, backend_interface::Report& report) {
    if constexpr (std::is_same_v<ListedFolds<T, arrays>, FoldNames<>>) {
      return ISOFOLD_ok;  // this build has no lists of such elements
    } else {
      using Wide = WideLanes<KernelElement<T>>;
      using Narrow = NarrowLanes<KernelElement<T>>;
      const bool wide = alignment_of(input, arrays, sizeof(T)) >= wide_bytes<KernelElement<T>>;
      return wide ? run_kernel<T, Wide, arrays>(input, requests, count, done, report)
                  : run_kernel<T, Narrow, arrays>(input, requests, count, done, report);
    }
  }

  template <class T, class Lanes, int arrays>
  std::int32_t run_kernel(const isofold_request& input, const isofold_request* requests,
                          std::int32_t count, bool* done, backend_interface::Report& report) {
    using Element = KernelElement<T>;
    using Kernel = ReduceFusedOps<Platform, Element, Lanes, arrays>;
    Kernel kernel{};
    FusedList<Platform, T, Kernel> list(kernel, requests, count, done);
    bool capturing = false;
    if (const Status asked = Platform::capturing(session_.stream(), &capturing); !asked.ok()) {
      return session_.fail(asked, "asking whether the stream is being captured", report);
    }
    const RowsProblem at = rows_problem_of<core::Sum<T>>(input.rows, input.length,
                                                         Lanes::per_load > 1, session_.facts());
    if (!takes_lists(at)) {
      return ISOFOLD_ok;
    }
    TilePlan plan = plan_tiles(at.rows, at.length, at.team, at.device, Kernel::max_threads,
                               most_listed_shift<Kernel>(list, at.device),
                               least_listed_shift(list.entries(), at));
    int staged_threads = 0;
    if constexpr (Kernel::has_stage) {
      staged_threads = threads_of_staged_lists(
          {Kernel::in_bulk, Kernel::ChunkStage::bytes(1), list.states_bytes(plan.tile_shift)}, plan,
          at);
    }
    if (staged_threads > 0) {
      plan.launch.threads = staged_threads;
    } else {
      keep_in_l1<Kernel>(plan, at);
    }
    std::size_t node_begin[ISOFOLD_MOST_FUSED]{};
    std::size_t node_bytes = 0;
    for (int i = 0; i < list.entries() && plan.tiles > 1; ++i) {
      node_begin[i] = node_bytes;
      node_bytes +=
          aligned(list.state_bytes()[i] * static_cast<std::size_t>(input.rows * plan.tiles));
    }
    const std::int64_t counters = plan.tiles > 1 ? input.rows : 0;
    if (list.results() < 2 ||
        (capturing && !(session_.workspace().holds(node_bytes, counters) &&
                        session_.fused_loaded(input.type, arrays, Lanes::consecutive)))) {
      return ISOFOLD_ok;
    }
    kernel.data[0] = static_cast<const Element*>(input.data);
    kernel.stride[0] = input.stride;
    if constexpr (arrays == 2) {
      kernel.data[1] = static_cast<const Element*>(input.second);
      kernel.stride[1] = input.second_stride;
    }
    kernel.rows = input.rows;
    kernel.length = input.length;
    kernel.tiles = plan.tiles;
    kernel.tile_shift = plan.tile_shift;
    Launch size = plan.launch;
    size.shared_bytes = kernel.lay_out(list.state_bytes(), plan.launch.threads, staged_threads > 0);
    const bool blocking = (input.flags & ISOFOLD_BLOCKING) != 0;
    std::int32_t code = session_.enqueue(input, node_bytes, counters, report, [&](bool in_capture) {
      kernel.counters = session_.workspace().counters();
      for (int i = 0; i < list.entries(); ++i) {
        kernel.entry[i].nodes = static_cast<char*>(session_.workspace().nodes()) + node_begin[i];
      }
      for (int i = 0; i < list.results(); ++i) {
        list.write_to(i,
                      blocking ? session_.workspace().result(i) : requests[list.request(i)].result);
      }
      size.capturing = in_capture;
      return Platform::launch(kernel, size, session_.stream());
    });
    if (code == ISOFOLD_ok && blocking) {
      code = session_.wait(report);
    }
    for (int i = 0; i < list.results() && code == ISOFOLD_ok; ++i) {
      const isofold_request& request = requests[list.request(i)];
      if (blocking) {
        std::memcpy(request.result, session_.workspace().result(i), list.result_bytes(i));
      }
      done[list.request(i)] = true;
    }
    if (code == ISOFOLD_ok && !capturing) {
      session_.fused_loaded(input.type, arrays, Lanes::consecutive) = true;
    }
    return code;
  }

  Session<Platform>& session_;
};

}  // namespace isofold::gpu
