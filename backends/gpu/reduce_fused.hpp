// Several folds of one array or of rows at once: the list that one launch takes.
#pragma once

#include <algorithm>
#include <cstring>

#include <backends/gpu/fused_fold.hpp>
#include <backends/gpu/kernel_folds.hpp>
#include <backends/gpu/reduce_rows.hpp>
#include <parameters.hpp>
#include <stored_elements.hpp>
#include <validate_layout.hpp>

namespace isofold::gpu {

template <class Platform>
class ReduceFused : ReduceRows<Platform> {
  using Base = ReduceRows<Platform>;
  using Base::session_;

 public:
  using Base::Base;

  template <class T>
  std::int32_t run(const isofold_request* requests, std::int32_t count, bool* done,
                   contract::Report& report) {
    const isofold_request& input = requests[0];
    const bool forced = std::any_of(requests, requests + count,
                                    [](const auto& each) { return each.schedule != nullptr; });
    if (has_layout(input) || is_converted(input) || forced || input.rows == 0 ||
        input.length == 0) {
      return ISOFOLD_ok;
    }
    return Base::template is_wide<core::Sum<T>>(input)
               ? run<T, WideLanes<T>>(requests, count, done, report)
               : run<T, NarrowLanes<T>>(requests, count, done, report);
  }

 private:
  // What a list of folds needs besides its entries.
  struct FusedNeeds {
    int on_list = 0;
    int request[ISOFOLD_MOST_FUSED]{};  // of each entry
    std::size_t state_bytes[ISOFOLD_MOST_FUSED]{};
    std::size_t result_bytes[ISOFOLD_MOST_FUSED]{};
  };

  // Puts the request on the list, if its fold is on the menu.
  template <class T, class Kernel>
  static void enlist(const isofold_request& request, int number, Kernel& kernel,
                     FusedNeeds& needs) {
    visit_case(request.fold, request.type, [&](auto fold) {
      using Fold = decltype(fold);
      if constexpr (std::is_same_v<typename Fold::element_type, T> && Fold::arrays == 1) {
        const auto ours = kernel_fold<Platform>(with_parameters(fold, request));
        using Ours = std::decay_t<decltype(ours)>;
        constexpr int on_menu = Kernel::Menu::template number_of<Ours>();
        if constexpr (on_menu < Kernel::Menu::length) {
          const int i = needs.on_list++;
          FusedEntry& entry = kernel.entry[i];
          std::memcpy(entry.fold, static_cast<const void*>(&ours), sizeof ours);
          entry.number = on_menu;
          entry.write_state = (request.flags & ISOFOLD_STATE) != 0;
          needs.request[i] = number;
          needs.state_bytes[i] = sizeof(typename Ours::state_type);
          needs.result_bytes[i] =
              entry.write_state ? needs.state_bytes[i] : sizeof(typename Fold::result_type);
        }
      }
    });
  }

  template <class T, class Lanes>
  std::int32_t run(const isofold_request* requests, std::int32_t count, bool* done,
                   contract::Report& report) {
    using Kernel = FusedFold<Platform, T, Lanes>;
    const isofold_request& input = requests[0];
    Kernel kernel{};
    FusedNeeds needs;
    for (int i = 0; i < count; ++i) {
      enlist<T>(requests[i], i, kernel, needs);
    }
    bool capturing = false;
    if (const Status asked = Platform::capturing(session_.stream(), &capturing); !asked.ok()) {
      return session_.fail(asked, "asking whether the stream is being captured", report);
    }
    const Situation at = this->template situation<core::Sum<T>>(input, Lanes::per_load > 1);
    const TilePlan plan = plan_tiles(at.rows, at.length, at.team, at.device, Kernel::max_threads);
    std::size_t node_begin[ISOFOLD_MOST_FUSED];
    std::size_t node_bytes = 0;
    std::size_t shared_bytes = 0;
    for (int i = 0; i < needs.on_list; ++i) {
      node_begin[i] = node_bytes;
      kernel.entry[i].states_begin = static_cast<int>(shared_bytes);
      if (plan.tiles > 1) {
        node_bytes +=
            aligned(needs.state_bytes[i] * static_cast<std::size_t>(input.rows * plan.tiles));
      }
      shared_bytes += aligned(needs.state_bytes[i] << plan.tile_shift);
    }
    const std::int64_t counters = plan.tiles > 1 ? input.rows : 0;
    if (needs.on_list < 2 ||
        (capturing && !(session_.workspace().holds(node_bytes, counters) &&
                        session_.fused_loaded(input.type, Lanes::per_load > 1)))) {
      return ISOFOLD_ok;
    }
    kernel.data = static_cast<const T*>(input.data);
    kernel.rows = input.rows;
    kernel.length = input.length;
    kernel.stride = input.stride;
    kernel.tiles = plan.tiles;
    kernel.tile_shift = plan.tile_shift;
    kernel.flag_begin = static_cast<int>(shared_bytes);
    kernel.folds = needs.on_list;
    Launch size = plan.launch;
    size.shared_bytes = shared_bytes + Kernel::flag_bytes;
    const bool blocking = (input.flags & ISOFOLD_BLOCKING) != 0;
    std::int32_t code = session_.enqueue(input, node_bytes, counters, report, [&](bool in_capture) {
      kernel.counters = session_.workspace().counters();
      for (int i = 0; i < needs.on_list; ++i) {
        kernel.entry[i].nodes = static_cast<char*>(session_.workspace().nodes()) + node_begin[i];
        kernel.entry[i].result =
            blocking ? session_.workspace().result(i) : requests[needs.request[i]].result;
      }
      size.capturing = in_capture;
      return Platform::launch(kernel, size, session_.stream());
    });
    if (code == ISOFOLD_ok && blocking) {
      code = session_.wait(report);
    }
    for (int i = 0; i < needs.on_list && code == ISOFOLD_ok; ++i) {
      const isofold_request& request = requests[needs.request[i]];
      if (blocking) {
        std::memcpy(request.result, session_.workspace().result(i), needs.result_bytes[i]);
      }
      done[needs.request[i]] = true;
    }
    if (code == ISOFOLD_ok && !capturing) {
      session_.fused_loaded(input.type, Lanes::per_load > 1) = true;
    }
    return code;
  }
};

}  // namespace isofold::gpu
