// Team: reductions over GPUs by NCCL (or RCCL, whose names are the same), with the same bits for
// any number of GPUs and any decomposition. Elements, messages and results stay on the devices, in
// the order of a stream, also in a CUDA graph. A header over the C ABI: the library links no NCCL.
//
//   isofold::Reducer reduce(isofold::Backend::cuda, isofold::Options{}.device(gpu));
//   isofold::nccl::Team team({comm, &reduce, stream});              // one GPU of this process
//   auto step = team.prepare(exact(isofold::sum), isofold::array(x, n));      // collective
//   step.enqueue();                        // on the stream; capturable; nobody waits
//   const double* total = step.on_device<double>();                 // every GPU has it
//
// docs/scale_out.md has the promises, what they cost, and recipes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <isofold/detail/nccl/device_call.hpp>
#include <isofold/isofold.hpp>

namespace isofold::nccl {

using team::layers;
using team::part;
using team::request;

// A call that was prepared: it refers to the Team, the Reducers and the memory of the views.
template <class... Requests>
class Prepared {
 public:
  // Enqueues the reduction of the elements as they will be then, on every member's stream: nobody
  // waits, and a graph capture of the streams takes it. All ranks enqueue alike. Errors of a rank's
  // own wait for check(); in a capture they are thrown.
  void enqueue() { call_->enqueue(); }
  // Collective, and waits: the errors since the last check, the same on all ranks. After a graph
  // was launched it says what its kernels found.
  void check() { call_->check(); }
  // Collective, and waits: check(), and the results of the last enqueue().
  [[nodiscard]] team::detail::results_t<Requests...> results() {
    call_->check();
    return team::detail::take_results(*call_, requests_, std::index_sequence_for<Requests...>());
  }
  // Returns where the result number `number`, counting folds, is written on a member's device: an
  // R, or as many as the view has results. Of no elements it is the fold's empty value
  // (docs/folds.md).
  template <class R>
  [[nodiscard]] const R* on_device(int member = 0, int number = 0) const {
    return static_cast<const R*>(call_->results(member, static_cast<std::size_t>(number)));
  }

 private:
  friend class Team;
  Prepared(std::unique_ptr<detail::DeviceCall> call, std::tuple<Requests...> requests)
      : call_(std::move(call)), requests_(std::move(requests)) {}
  std::unique_ptr<detail::DeviceCall> call_;
  std::tuple<Requests...> requests_;
};

// The GPUs of a group of NCCL communicators, of which this process has one or several. One thread
// uses it at a time; several processes, or threads with a Team each, make the same calls in the
// same order. It must outlive what it prepared.
class Team {
 public:
  // Not collective. Throws invalid_argument for a Reducer that names no backend.
  explicit Team(const Member& member) : Team(std::vector<Member>{member}) {}
  // Several GPUs of this process, in the order in which calls number them.
  explicit Team(const std::vector<Member>& members) {
    if (members.empty()) {
      throw Error(Code::invalid_argument, "A Team of no GPU: give it a Member for each.");
    }
    for (const Member& member : members) {
      gpus_.emplace_back(member);
    }
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  [[nodiscard]] int rank(int member = 0) const {
    return gpus_[static_cast<std::size_t>(member)].rank();
  }
  [[nodiscard]] int size() const { return gpus_.front().ranks(); }

  // Collective, and waits: prepares a call on the views, which lie on this process's one GPU, by a
  // first run. Folds are those of mpi::Team: exact(fold) or exact(view), extrema, locations of a
  // part() without a mask, counts, bits, sums of integers. Errors are the same on all ranks: of a
  // rank's own, with its number in front; `mismatch` if ranks ask for different things, or if parts
  // leave gaps or overlap.
  template <class Folds, class View, team::detail::if_folds<Folds> = 0>
  [[nodiscard]] auto prepare(Folds folds, const View& x) {
    return prepare(request(folds, x));
  }
  template <class Folds, class View, class Second, team::detail::if_folds<Folds> = 0,
            team::detail::if_second_view<Second> = 0>
  [[nodiscard]] auto prepare(Folds folds, const View& x, const Second& y) {
    return prepare(request(folds, x, y));
  }
  template <class... Requests, team::detail::if_requests<Requests...> = 0>
  [[nodiscard]] auto prepare(const Requests&... requests) {
    if (gpus_.size() != 1) {
      throw Error(Code::invalid_argument,
                  "This process has several GPUs in the Team, and a call for one: write "
                  "prepare_each([&](int member) { return std::tuple(request(...)); }).");
    }
    return prepare_each([&](int) { return std::tuple<Requests...>(requests...); });
  }
  // As above for several GPUs: make(member) returns a std::tuple of requests of its views.
  template <class Make>
  [[nodiscard]] auto prepare_each(Make&& make) {
    return prepare_tuple(make, static_cast<decltype(make(0))*>(nullptr));
  }

 private:
  template <class Make, class... Requests>
  Prepared<Requests...> prepare_tuple(Make&& make, const std::tuple<Requests...>*) {
    auto call = std::make_unique<detail::DeviceCall>(gpus_);
    call->prepare([&](int member) {
      return team::detail::plan_of(make(member),
                                   gpus_[static_cast<std::size_t>(member)].definition());
    });
    return {std::move(call), make(0)};
  }

  std::vector<detail::Gpu> gpus_;
};

}  // namespace isofold::nccl
