// One Reducer's share of a GPU as the contract asks for it: each request goes to its element type.
#pragma once

#include <backends/gpu/reductions.hpp>
#include <backends/gpu/session.hpp>
#include <contract.hpp>
#include <stored_elements.hpp>

namespace isofold::gpu {

template <class Platform>
class Instance final : public contract::Instance {
 public:
  // `validates`: index lists are checked as they are read.
  Instance(int device, const DeviceFacts& facts, void* stream, bool validates)
      : session_(device, facts, stream, validates) {}

  std::int32_t reduce(const isofold_request& request, contract::Report& report) noexcept override {
    return session_.on_device(report, [&] {
      return with_type(request, report,
                       [&](auto reductions) { return reductions.reduce(request, report); });
    });
  }

  // Arrays and rows are read once for all folds of a list that have a place in a kernel for
  // several; the others have launches of their own, as have all in a graph capture that finds no
  // workspace or no kernel loaded.
  std::int32_t reduce_fused(const isofold_request* requests, std::int32_t count,
                            contract::Report& report) noexcept override {
    return session_.on_device(report, [&] {
      bool done[ISOFOLD_MOST_FUSED]{};
      std::int32_t code = with_type(requests[0], report, [&](auto reductions) {
        return reductions.reduce_fused(requests, count, done, report);
      });
      for (std::int32_t i = 0; i < count && code == ISOFOLD_ok; ++i) {
        code = done[i] ? ISOFOLD_ok : reduce(requests[i], report);
      }
      return code;
    });
  }

  std::int32_t reserve(const isofold_request& request, contract::Report& report) noexcept override {
    return session_.on_device(report, [&] {
      return with_type(request, report,
                       [&](auto reductions) { return reductions.reserve(request, report); });
    });
  }

  std::int32_t synchronize(contract::Report& report) noexcept override {
    return session_.on_device(report, [&] { return session_.synchronize(report); });
  }

  std::int32_t set_stream(void* stream, contract::Report& report) noexcept override {
    return session_.on_device(report, [&] { return session_.set_stream(stream, report); });
  }

 private:
  // use(the reductions of the type that is computed in)
  template <class Use>
  std::int32_t with_type(const isofold_request& request, contract::Report& report, Use&& use) {
    switch (computed_type(request)) {
#define ISOFOLD_REDUCTIONS(name, number, element) \
  case number: return use(Reductions<Platform, element>(session_));
      ISOFOLD_COMPUTED_TYPES(ISOFOLD_REDUCTIONS)
#undef ISOFOLD_REDUCTIONS
      default:
        return report.fail(ISOFOLD_unsupported, "Backend %s computes nothing of element type %d.",
                           Platform::name, request.type);
    }
  }

  Session<Platform> session_;
};

}  // namespace isofold::gpu
