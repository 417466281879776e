// Arrays and rows of elements that are stored in another type than folds compute in (convert.hpp):
// which loads they allow, and their launch.
#pragma once

#include <backends/gpu/input/contiguous_converted.hpp>
#include <backends/gpu/plan/execute_contiguous.hpp>
#include <request/converted_elements.hpp>

namespace isofold::gpu {

template <class Platform>
class ReduceStored : ReduceRows<Platform> {
  using Base = ReduceRows<Platform>;
  using Base::session_;

 public:
  using Base::Base;

  template <class Fold>
  std::int32_t run(Fold fold, const isofold_request& request, std::size_t result_bytes,
                   contract::Report& report) {
    if constexpr (!is_computed_from_others<typename Fold::element_type>) {
      return report.fail(ISOFOLD_internal, "No elements are computed with as such.");
    } else {
      if (request.rows == 0) {
        return ISOFOLD_ok;
      }
      const std::int32_t code = with_stored_lanes<Fold>(request, [&](auto lanes) {
        using Lanes = decltype(lanes);
        const Plan planned = plan_converted<Lanes, Fold>(request);
        const auto launch_rows = [&](bool capturing) {
          const StoredRows<Fold> rows{this->rows_of(fold, request), request.type,
                                      static_cast<std::int32_t>(stored_bytes(request))};
          Launch size = planned.launch;
          size.capturing = capturing;
          return request.length == 0
                     ? Platform::launch(EmptyRows<Fold>{rows}, size, session_.stream())
                     : this->template launch_grid<Lanes>(rows, planned, size);
        };
        const std::int32_t enqueued =
            session_.enqueue(request, Base::template node_bytes<Fold>(planned), planned.counters(),
                             report, launch_rows);
        if (enqueued == ISOFOLD_ok && request.ran != nullptr) {
          *request.ran = describe(planned, this->template situation<Fold>(request, false));
        }
        return enqueued;
      });
      return code == ISOFOLD_ok
                 ? session_.finish(request, result_bytes, sizeof(typename Fold::state_type), report)
                 : code;
    }
  }

  template <class Fold>
  std::int32_t prepare(Fold, const isofold_request& request, contract::Report& report) {
    if constexpr (!is_computed_from_others<typename Fold::element_type>) {
      return report.fail(ISOFOLD_internal, "No elements are computed with as such.");
    } else {
      using Narrow = NarrowLanes<typename Fold::element_type>;
      Status loaded = Platform::template load<EmptyRows<Fold>>();
      loaded = loaded.ok() ? Platform::template load<GridFold<StoredRows<Fold>, Narrow>>() : loaded;
      std::int32_t code = take_converted<Narrow, Fold>(request, report);
      if constexpr (takes_wide_halves<Fold>()) {
        loaded = loaded.ok() ? Platform::template load<GridFold<StoredRows<Fold>, WideHalves>>()
                             : loaded;
        code = code == ISOFOLD_ok ? take_converted<WideHalves, Fold>(request, report) : code;
      }
      if constexpr (may_have_stages<Platform> && has_staged_words<Fold>) {
        if (session_.facts().has_stages && code == ISOFOLD_ok) {
          code = with_words<Fold>(stored_bytes(request), [&](auto word) {
            using Lanes = StagedWords<decltype(word)>;
            loaded =
                loaded.ok() ? Platform::template load<GridFold<StoredRows<Fold>, Lanes>>() : loaded;
            return take_converted<Lanes, Fold>(request, report);
          });
        }
      }
      if constexpr (may_have_slow_fences<Platform>) {
        loaded = loaded.ok() ? Platform::template load<NodesFold<Rows<Fold>>>() : loaded;
      }
      if (!loaded.ok()) {
        return session_.fail(loaded, "loading the kernels", report);
      }
      return code;
    }
  }

 private:
  // By GridFold alone, however short the rows.
  template <class Lanes, class Fold>
  Plan plan_converted(const isofold_request& request) const {
    static constexpr isofold_schedule none{};
    Situation at = this->template situation<Fold>(request, Lanes::per_load > 1);
    at.team = Lanes::team;
    at.staged_threads = stored_threads<Lanes, Fold>();
    at.in_bulk = false;
    const auto& wish = request.schedule != nullptr ? *request.schedule : none;
    const int most_threads =
        at.staged_threads > 0 ? at.staged_threads : GridFold<StoredRows<Fold>, Lanes>::max_threads;
    return request.length == 0 || request.rows == 0 ? make_plan(at, wish, most_threads)
                                                    : plan_grid(at, wish, most_threads);
  }

  // Of a multiprocessor, where chunks go through shared memory; 0: by way of registers.
  template <class Lanes, class Fold>
  int stored_threads() const {
    if constexpr (are_staged_words<Lanes>) {
      return fitting_threads<typename StagedChunks<StoredRows<Fold>, Lanes>::OneStage>(
          session_.facts(), Base::template kept_bytes<Fold>());
    } else {
      return 0;
    }
  }

  // use(word{}) for the words that elements which are computed with as Fold's are stored in.
  template <class Fold, class Use>
  static std::int32_t with_words(std::int64_t bytes, Use&& use) {
    using Element = typename Fold::element_type;
    if constexpr (std::is_same_v<Element, double>) {
      return use(float{});
    } else if constexpr (std::is_same_v<Element, float>) {
      return use(std::uint16_t{});
    } else {
      return bytes == 1 ? use(std::uint8_t{}) : use(std::uint16_t{});
    }
  }

  // Whether there are chunks for all teams, which are small: those of a warp in each row, and some
  // for each multiprocessor.
  bool stages_words(const isofold_request& request, std::int64_t lanes_of_thread) const {
    const std::int64_t chunks = core::chunk_count(request.length);
    const std::int64_t teams = session_.facts().wave_width * lanes_of_thread / core::lanes;
    return chunks >= teams &&
           chunks >=
               ceil_divide(staged_word_chunks * session_.facts().multiprocessors, request.rows);
  }

  // use(lanes{}) for the loads that the rows allow.
  template <class Fold, class Use>
  std::int32_t with_stored_lanes(const isofold_request& request, Use&& use) const {
    if constexpr (may_have_stages<Platform> && has_staged_words<Fold>) {
      const std::int64_t bytes = stored_bytes(request);
      if (session_.facts().has_stages && stages_words(request, 16 / bytes) &&
          Base::is_aligned(request, Fold::arrays, static_cast<std::size_t>(bytes), 16)) {
        return with_words<Fold>(bytes,
                                [&](auto word) { return use(StagedWords<decltype(word)>{}); });
      }
    }
    if constexpr (takes_wide_halves<Fold>()) {
      if (Base::is_aligned(request, Fold::arrays, sizeof(std::uint16_t), 8)) {
        return use(WideHalves{});
      }
    }
    return use(NarrowLanes<typename Fold::element_type>{});
  }

  template <class Lanes, class Fold>
  std::int32_t take_converted(const isofold_request& request, contract::Report& report) {
    const Plan planned = plan_converted<Lanes, Fold>(request);
    return session_.reserve(Base::template node_bytes<Fold>(planned), planned.counters(), report);
  }
};

}  // namespace isofold::gpu
