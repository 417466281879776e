// One Reducer's share of a GPU as the backend interface asks for it: Instance sends each request to
// its fold and element type.
#pragma once

#include <algorithm>

#include <backend/interface.hpp>
#include <backends/gpu/host/typed_dispatch.hpp>
#include <backends/gpu/launch/session.hpp>
#include <layout/rows_in_memory.hpp>
#include <request/converted_elements.hpp>

namespace isofold::gpu {

template <class Platform>
class Instance final : public backend_interface::Instance {
 public:
  // `validates`: index lists are checked as they are read.
  Instance(int device, const DeviceFacts& facts, void* stream, bool validates)
      : session_(device, facts, stream, validates) {}

  std::int32_t reduce(const isofold_request& request,
                      backend_interface::Report& report) noexcept override {
    return session_.on_device(report, [&] {
      return differ_in_memory(request) ? reduce_in_memory_order(RowsInMemory(request), report)
                                       : reduce_as_asked(request, report);
    });
  }

  // Arrays and rows are read once for all folds of a list that have a place in a kernel for
  // several; the others have launches of their own, as have all in a graph capture that finds no
  // workspace or no kernel loaded. Any input is read once for all sums of exact_v1 whose words are
  // among those of one of them.
  std::int32_t reduce_fused(const isofold_request* requests, std::int32_t count,
                            backend_interface::Report& report) noexcept override {
    return session_.on_device(report, [&] {
      bool done[ISOFOLD_MOST_FUSED]{};
      std::int32_t code = with_type(requests[0], report, [&](auto element) {
        using T = decltype(element);
        if constexpr (has_exact_kernels) {
          const std::int32_t failed =
              ExactReductions<Platform, T>(session_).reduce_fused(requests, count, done, report);
          if (failed != ISOFOLD_ok) {
            return failed;
          }
        }
        return ListReductions<Platform, T>(session_).reduce_fused(requests, count, done, report);
      });
      for (std::int32_t i = 0; i < count && code == ISOFOLD_ok; ++i) {
        code = done[i] ? ISOFOLD_ok : reduce(requests[i], report);
      }
      return code;
    });
  }

  std::int32_t mark_elements(const isofold_request& request, const void** bits,
                             backend_interface::Report& report) noexcept override {
    return session_.on_device(report, [&] {
      const std::int64_t entries = request.rows * request.length;
      const std::int32_t code = session_.take_marks(MarkElements::bytes(entries), report);
      *bits = session_.marks();
      const isofold_layout& layout = *request.layout;
      const auto mark = [&](bool capturing) {
        return ListKernels<Platform>::mark(
            {{request.data, request.second},
             (request.flags & ISOFOLD_SKIP_NAN) != 0 ? nan_format(request.type) : NanFormat{},
             static_cast<const unsigned char*>(layout.mask),
             layout.mask_type == ISOFOLD_MASK_bits,
             entries,
             Axes(layout, ~0U, request.second != nullptr),
             session_.marks()},
            capturing, session_.stream());
      };
      return code == ISOFOLD_ok ? session_.enqueue(request, 0, 0, report, mark) : code;
    });
  }

  std::int32_t write_partial(const backend_interface::PartialRows& rows, const void* results,
                             std::int64_t* words,
                             backend_interface::Report& report) noexcept override {
    return enqueue_rows(report, [&](bool capturing) {
      return ListKernels<Platform>::write({rows, static_cast<const unsigned char*>(results), words},
                                          capturing, session_.stream());
    });
  }
  std::int32_t finish_partial(const backend_interface::PartialRows& rows, const std::int64_t* words,
                              void* results, backend_interface::Report& report) noexcept override {
    return enqueue_rows(report, [&](bool capturing) {
      return ListKernels<Platform>::finish({rows, words, static_cast<unsigned char*>(results)},
                                           capturing, session_.stream());
    });
  }
  std::int32_t finish_exact(const isofold_request& request,
                            backend_interface::Report& report) noexcept override {
    return session_.on_device(report, [&] {
      return with_type(request, report, [&](auto element) {
        if constexpr (has_exact_kernels) {
          return ExactReductions<Platform, decltype(element)>(session_).finish(request, report);
        } else {
          static_cast<void>(element);
          return report.fail(ISOFOLD_unsupported,
                             "Backend %s has no kernels of exact_v1, so that it finishes no words.",
                             Platform::name);
        }
      });
    });
  }

  std::int32_t reserve(const isofold_request& request,
                       backend_interface::Report& report) noexcept override {
    return session_.on_device(report, [&] {
      if ((request.flags & ISOFOLD_SKIP_NAN) != 0) {
        const std::int32_t code = reserve_marks(request, report);
        if (code != ISOFOLD_ok) {
          return code;
        }
      }
      if (!differ_in_memory(request)) {
        return reserve_as_asked(request, report);
      }
      const RowsInMemory rows(request);
      const ResultsInFront in_front(session_.workspace(), rows);
      const Status loaded = ListKernels<Platform>::load_scatter();
      return loaded.ok() ? reserve_as_asked(rows.request(), report)
                         : session_.fail(loaded, "loading the kernels", report);
    });
  }

  std::int32_t synchronize(backend_interface::Report& report) noexcept override {
    return session_.on_device(report, [&] { return session_.synchronize(report); });
  }

  std::int32_t set_stream(void* stream, backend_interface::Report& report) noexcept override {
    return session_.on_device(report, [&] { return session_.set_stream(stream, report); });
  }

  bool reaches_host_memory() const noexcept override {
    return session_.facts().reaches_host_memory;
  }

 private:
  template <class Launching>
  std::int32_t enqueue_rows(backend_interface::Report& report, Launching&& launching) noexcept {
    return session_.on_device(
        report, [&] { return session_.enqueue(isofold_request{}, 0, 0, report, launching); });
  }

  // Sums of exact_v1 take the rows as they are numbered.
  static bool differ_in_memory(const isofold_request& request) {
    return !is_exact(request) && RowsInMemory::differ(request);
  }

  std::int32_t reduce_as_asked(const isofold_request& request, backend_interface::Report& report) {
    return with_fold(request, report,
                     [&](auto reductions) { return reductions.reduce(request, report); });
  }
  std::int32_t reserve_as_asked(const isofold_request& request, backend_interface::Report& report) {
    return with_fold(request, report,
                     [&](auto reductions) { return reductions.reserve(request, report); });
  }

  std::int32_t reserve_marks(const isofold_request& request, backend_interface::Report& report) {
    const Status loaded = ListKernels<Platform>::load_marking();
    return loaded.ok()
               ? session_.take_marks(MarkElements::bytes(request.rows * request.length), report)
               : session_.fail(loaded, "loading the kernels", report);
  }

  // Results that go to the workspace first, in the order of memory.
  struct ResultsInFront {
    Workspace<Platform>& workspace;
    ResultsInFront(Workspace<Platform>& of, const RowsInMemory& rows) : workspace(of) {
      workspace.set_front(static_cast<std::size_t>(rows.request().rows) * rows.result_bytes());
    }
    ~ResultsInFront() { workspace.set_front(0); }
    ResultsInFront(const ResultsInFront&) = delete;
    ResultsInFront& operator=(const ResultsInFront&) = delete;
  };
  std::int32_t reduce_in_memory_order(const RowsInMemory& rows, backend_interface::Report& report) {
    const isofold_request& request = rows.request();
    const ResultsInFront in_front(session_.workspace(), rows);
    const std::int32_t code = reduce_as_asked(request, report);
    return code != ISOFOLD_ok ? code : session_.enqueue(request, 0, 0, report, [&](bool capturing) {
      return ListKernels<Platform>::scatter(
          {session_.workspace().front(), request.result, static_cast<int>(rows.result_bytes()),
           request.rows, Axes(rows.results(), ~0U, false)},
          capturing, session_.stream());
    });
  }

  // use(the reductions of the fold over the type that is computed in)
  template <class Use>
  std::int32_t with_fold(const isofold_request& request, backend_interface::Report& report,
                         Use&& use) {
    return with_type(request, report, [&](auto element) {
      return with_reductions<Platform, decltype(element)>(session_, request, report, use);
    });
  }

  // use(an element of the type that is computed in)
  template <class Use>
  std::int32_t with_type(const isofold_request& request, backend_interface::Report& report,
                         Use&& use) {
    switch (computed_type(request)) {
#define ISOFOLD_ELEMENT(name, number, element) \
  case number: return use(element{});
      ISOFOLD_COMPUTED_TYPES(ISOFOLD_ELEMENT)
#undef ISOFOLD_ELEMENT
      default:
        return report.fail(ISOFOLD_unsupported, "Backend %s computes nothing of element type %d.",
                           Platform::name, request.type);
    }
  }

  Session<Platform> session_;
};

}  // namespace isofold::gpu
