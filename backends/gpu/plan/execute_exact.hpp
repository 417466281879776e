// The execution of requests for exact_v1 whose words one pass gathers: how rows are shared between
// warps and blocks, and the launches. It has one kernel for all shapes, one for rows that lie in
// line, one for many short ones of these, two for 16-bit floats, and one that rounds words that
// were added elsewhere.
#pragma once

#include <algorithm>
#include <cstring>

#include <backends/gpu/kernel/exact_finish.hpp>
#include <backends/gpu/kernel/exact_halves.hpp>
#include <backends/gpu/kernel/exact_short_rows.hpp>
#include <backends/gpu/kernel/exact_sums.hpp>
#include <backends/gpu/launch/session.hpp>
#include <backends/gpu/plan/exact_list.hpp>
#include <backends/gpu/plan/list_launches.hpp>
#include <backends/gpu/plan/problem.hpp>
#include <backends/gpu/plan/warps_of_row.hpp>

namespace isofold::gpu {

template <class Platform, class Fold>
class ExecuteExact {
  using T = typename Fold::element_type;
  using State = typename Fold::state_type;
  using Tile = ExactTile<Fold>;
  static constexpr int words = exact::words_of<State>;
  static constexpr bool has_stored_line = !std::is_void_v<StoredWord<T>>;
  using StoredLine = std::conditional_t<sums_halves<Fold>, SumHalvesExactly<Fold>,
                                        SumExactly<Fold, StoredWord<T>>>;

 public:
  using List = ExactList<Fold>;

  ExecuteExact(Session<Platform>& session, const List& list) : session_(session), list_(list) {}

  std::int32_t reduce(backend_interface::Report& report) const {
    const isofold_request& input = list_.input();
    if (input.rows == 0) {
      return ISOFOLD_ok;
    }
    if (const auto code = take_fault(report); code != ISOFOLD_ok) {
      return code;
    }
    const Problem problem(input, session_.facts(), facts(), session_.workspace().fault());
    const Plan plan(problem, list_.count());
    std::int32_t code =
        session_.enqueue(input, plan.bytes, plan.counters, report,
                         [&](bool capturing) { return launch(problem, plan, capturing); });
    if (code != ISOFOLD_ok || !is_blocking(input)) {
      return code;
    }
    code = session_.wait(report);
    for (int i = 0; i < list_.count() && code == ISOFOLD_ok; ++i) {
      code = bring(i, report);
    }
    return code;
  }

  std::int32_t reserve(backend_interface::Report& report) const {
    if (const auto code = take_fault(report); code != ISOFOLD_ok) {
      return code;
    }
    const Problem problem(list_.input(), session_.facts(), facts(), session_.workspace().fault());
    Status loaded = Platform::template load<SumExactly<Fold, void>>();
    loaded = loaded.ok() ? Platform::template load<SumExactly<Fold, T>>() : loaded;
    if constexpr (has_stored_line) {
      loaded = loaded.ok() ? Platform::template load<StoredLine>() : loaded;
    }
    if constexpr (sums_halves<Fold>) {
      loaded = loaded.ok() ? Platform::template load<SumHalfRowsExactly<Fold>>() : loaded;
    }
    if constexpr (SumShortRowsExactly<Fold>::takes_fold) {
      loaded = loaded.ok() ? Platform::template load<SumShortRowsExactly<Fold>>() : loaded;
    }
    loaded = loaded.ok() && problem.input == Input::joined ? ListKernels<Platform>::load_lengths()
                                                           : loaded;
    if (!loaded.ok()) {
      return session_.fail(loaded, "loading the kernels", report);
    }
    const Plan plan(problem, list_.count());
    return session_.reserve(plan.bytes, plan.counters, report);
  }

  // Rounds words, which are the request's data, a row after the other.
  std::int32_t finish(backend_interface::Report& report) const {
    const isofold_request& request = list_.input();
    if (has_range()) {
      if (const auto code = session_.take_fault(report); code != ISOFOLD_ok) {
        return code;
      }
    }
    FinishExactly<Fold> kernel{};
    kernel.rows = request.rows;
    kernel.results = 1;
    kernel.result[0] = {request.result, list_[0].fold};
    kernel.range_fault = static_cast<Fault*>(session_.workspace().fault());
    kernel.summed = static_cast<const std::int64_t*>(request.data);
    const TunedDevice& device = session_.facts();
    Launch size;
    const std::int64_t warps =
        std::min<std::int64_t>(request.rows, FinishExactly<Fold>::max_threads / device.wave_width);
    size.threads = static_cast<int>(warps) * device.wave_width;
    size.blocks = std::min<std::int64_t>(ceil_divide(request.rows, warps),
                                         8 * std::int64_t{device.multiprocessors});
    size.shared_bytes = FinishExactly<Fold>::shared_bytes(static_cast<int>(warps));
    return session_.enqueue(request, 0, 0, report, [&](bool capturing) {
      size.capturing = capturing;
      return Platform::launch(kernel, size, session_.stream());
    });
  }

 private:
  FoldFacts facts() const {
    const bool empty_is_error = std::any_of(list_.begin(), list_.end(),
                                            [](const auto& each) { return each.empty_is_error; });
    return {Fold::arrays, false, sizeof(T), sizeof(State), empty_is_error};
  }
  bool has_range() const {
    return std::any_of(list_.begin(), list_.end(), [](const auto& each) { return each.has_range; });
  }
  static bool is_blocking(const isofold_request& request) {
    return (request.flags & ISOFOLD_BLOCKING) != 0;
  }
  static bool writes_words(const isofold_request& request) {
    return (request.flags & ISOFOLD_STATE) != 0;
  }
  std::int32_t take_fault(backend_interface::Report& report) const {
    const bool needs =
        has_range() || Problem::needs_fault(list_.input(), facts(), session_.validates());
    return needs ? session_.take_fault(report) : ISOFOLD_ok;
  }

  // Returns the memory into which a launch writes result number i.
  void* memory_of(int i) const {
    const auto& workspace = session_.workspace();
    const isofold_request& request = *list_[i].request;
    return !is_blocking(request)   ? request.result
           : writes_words(request) ? static_cast<State*>(workspace.nodes()) + i
                                   : workspace.result(i);
  }
  // Brings the result of a blocking call to the host.
  std::int32_t bring(int i, backend_interface::Report& report) const {
    const isofold_request& request = *list_[i].request;
    if (!writes_words(request)) {
      std::memcpy(request.result, memory_of(i), list_[i].result_bytes);
      return ISOFOLD_ok;
    }
    const Status copied = Platform::copy(request.result, memory_of(i), list_[i].words_bytes);
    return copied.ok() ? ISOFOLD_ok : session_.fail(copied, "copying the words", report);
  }

  // The shares of rows; it depends on no address.
  struct Plan {
    bool in_line;  // elements of a row lie side by side
    bool by_threads = false;
    bool by_teams = false;
    bool by_blocks = false;
    std::int64_t pieces = 1;
    Launch size;
    std::size_t lists = 0;  // bytes in front of the workspace: of joined arrays
    std::size_t bytes = 0;
    std::int64_t counters = 0;

    // `results`: how many results a row has.
    Plan(const Problem& problem, int results)
        : in_line(problem.input == Input::rows && (!problem.converted || has_stored_line) &&
                  static_cast<std::int64_t>(problem.alignment) >= problem.stored_bytes &&
                  (SumExactly<Fold, T>::chooses_anywhere || problem.alignment == most_alignment ||
                   problem.length >= 4 * Tile::count * problem.device.wave_width)) {
      const DeviceFacts& device = problem.device;
      const int width = device.wave_width;
      constexpr int most_threads = SumExactly<Fold, T>::max_threads;
      static_assert(most_threads == SumHalvesExactly<Fold>::max_threads,
                    "Shares are one kernel's.");
      const int most_warps = most_threads / width;
      const std::int64_t multiprocessors = device.multiprocessors;
      const std::int64_t all_warps = multiprocessors * most_warps;
      const std::int64_t rows = problem.rows;
      const bool adds_halves = sums_halves<Fold> && in_line && problem.converted;
      const std::int64_t tile =
          std::int64_t{adds_halves ? LoadedHalves::count : Tile::count} * width;
      const std::int64_t tiles = std::max<std::int64_t>(1, ceil_divide(length_of(problem), tile));
      // Two warps of each multiprocessor have a row for every thread.
      by_threads = SumShortRowsExactly<Fold>::takes_fold && in_line && !problem.converted &&
                   problem.alignment == most_alignment && !writes_words(problem.request) &&
                   0 < problem.length &&
                   problem.length <= SumShortRowsExactly<Fold>::most_elements &&
                   rows >= 2 * width * multiprocessors;
      const int teams = width / SumHalfRowsExactly<Fold>::team;
      by_teams = adds_halves && !writes_words(problem.request) && 0 < problem.length &&
                 problem.length <= SumHalfRowsExactly<Fold>::most_elements &&
                 rows >= teams * all_warps;
      by_blocks = !by_threads && !by_teams && tiles > 4 && rows < 2 * all_warps;
      std::int64_t warps = most_warps;
      std::int64_t units = rows;
      if (by_blocks) {
        warps = std::min<std::int64_t>(most_warps, tiles);
        if (rows >= 2 * multiprocessors) {
          warps = warps_of_row(tiles, rows, all_warps, most_warps);
        } else {
          const std::int64_t wanted =
              rows == 1 ? multiprocessors : ceil_divide(4 * multiprocessors, rows);
          pieces = std::max<std::int64_t>(1, std::min(wanted, tiles / most_warps));
        }
        units = rows * pieces;
      } else {
        warps = std::clamp<std::int64_t>(ceil_divide(rows, multiprocessors), 1, most_warps);
        units = ceil_divide(rows, warps * (by_threads ? width : by_teams ? teams : 1));
      }
      size.threads = static_cast<int>(warps) * width;
      size.blocks = std::min(units, multiprocessors * (by_blocks ? most_warps / warps : 1));
      size.shared_bytes = SumExactly<Fold, T>::shared_bytes(static_cast<int>(warps), by_blocks);
      if (problem.input == Input::joined) {
        lists = aligned(static_cast<std::size_t>(problem.length + 1 + ListedLengths::most_tiles) *
                        sizeof(std::int64_t));
      }
      const bool brings_words = writes_words(problem.request) && is_blocking(problem.request);
      // Words that are brought to the host lie first.
      bytes = brings_words ? aligned(static_cast<std::size_t>(results) * sizeof(State)) : 0;
      lists = lists > 0 ? (bytes += lists, lists) : 0;
      counters = pieces > 1 ? rows * (2 * words + 1) : 0;
    }

   private:
    // Elements of a row, as far as the host knows.
    static std::int64_t length_of(const Problem& problem) {
      constexpr std::int64_t many = std::int64_t{1} << 20;
      const isofold_request& request = problem.request;
      if (problem.input == Input::joined) {
        return request.layout->elements > 0 ? request.layout->elements : many * 64;
      }
      if (!problem.is_ragged()) {
        return problem.length;
      }
      if (request.length > 0) {
        return request.length;
      }
      return request.layout->elements > 0 ? ceil_divide(request.layout->elements, problem.rows)
                                          : many;
    }
  };

  Status launch(const Problem& problem, const Plan& plan, bool capturing) const {
    const isofold_request& request = problem.request;
    ExactSource source{};
    source.data[0] = request.data;
    source.data[1] = request.second;
    source.length = problem.length;
    source.stride[0] = request.stride;
    source.stride[1] = request.second_stride;
    source.converted = problem.converted;
    source.stored = {request.type, static_cast<std::int32_t>(problem.stored_bytes)};
    if (problem.places.has_value()) {
      source.has_places = true;
      source.places = *problem.places;
    }
    if (problem.masked && problem.has_places()) {
      source.mask = static_cast<const unsigned char*>(request.layout->mask);
      source.mask_of_bits = request.layout->mask_type == ISOFOLD_MASK_bits;
    }
    if (problem.input == Input::joined) {
      if (const Status joined = join(problem, plan, source, capturing); !joined.ok()) {
        return joined;
      }
    }
    if constexpr (SumShortRowsExactly<Fold>::takes_fold) {
      if (plan.by_threads) {
        return launch(SumShortRowsExactly<Fold>{}, problem, plan, source, capturing);
      }
    }
    if constexpr (sums_halves<Fold>) {
      if (plan.by_teams) {
        return launch(SumHalfRowsExactly<Fold>{}, problem, plan, source, capturing);
      }
    }
    if (!plan.in_line) {
      return launch(SumExactly<Fold, void>{}, problem, plan, source, capturing);
    }
    if constexpr (has_stored_line) {
      if (problem.converted) {
        return launch(StoredLine{}, problem, plan, source, capturing);
      }
    }
    return launch(SumExactly<Fold, T>{}, problem, plan, source, capturing);
  }
  template <class Kernel>
  Status launch(Kernel kernel, const Problem& problem, const Plan& plan, const ExactSource& source,
                bool capturing) const {
    const isofold_request& request = problem.request;
    const auto& workspace = session_.workspace();
    kernel.source = source;
    kernel.rows = request.rows;
    kernel.pieces = plan.pieces;
    kernel.by_pieces = Divisor(plan.pieces);
    kernel.by_blocks = plan.by_blocks;
    kernel.is_aligned = problem.alignment == most_alignment;
    kernel.results = list_.count();
    for (int i = 0; i < list_.count(); ++i) {
      kernel.result[i] = {memory_of(i), list_[i].fold};
    }
    kernel.writes_words = writes_words(request);
    kernel.empty_fault = problem.empty_fault;
    kernel.range_fault = static_cast<Fault*>(workspace.fault());
    kernel.row_words = reinterpret_cast<std::int64_t*>(workspace.counters());
    kernel.row_count = plan.pieces > 1 ? workspace.counters() + request.rows * 2 * words : nullptr;
    Launch size = plan.size;
    size.capturing = capturing;
    return Platform::launch(kernel, size, session_.stream());
  }

  // Finds where each of the joined arrays begins.
  Status join(const Problem& problem, const Plan& plan, ExactSource& source, bool capturing) const {
    const isofold_request& request = problem.request;
    const isofold_layout& layout = *request.layout;
    source.joined.count = problem.length;
    source.joined.before = reinterpret_cast<std::int64_t*>(
        static_cast<char*>(session_.workspace().nodes()) + plan.bytes - plan.lists);
    return ListKernels<Platform>::join_lengths(
        {source.joined,
         layout.ends,
         layout.index_type != ISOFOLD_TYPE_i32,
         {request.data, request.second},
         layout.elements > 0 ? layout.elements : std::int64_t{1} << joined_most_shift,
         static_cast<Fault*>(session_.workspace().fault()),
         ListedLengths::tile_of(problem.length, ScatterLengths::max_threads)},
        problem.length, problem.device, capturing, session_.stream());
  }

  Session<Platform>& session_;
  const List& list_;
};

}  // namespace isofold::gpu
