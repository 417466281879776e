// Team: reductions over the ranks of an MPI communicator, with the same bits for any number of
// ranks and any decomposition. A header over the C ABI: your mpicxx compiles it, the library links
// no MPI.
//
//   isofold::Reducer reduce;
//   isofold::mpi::Team team(MPI_COMM_WORLD);                          // collective
//   double mass = team.sum(reduce, exact(interior(box(rho, {nz, ny, nx}), 1)));
//   auto hottest = team.argmax(reduce, part(t, {NZ, NY, NX}, {z0, y0, x0}));
//
// Each call of a Team is collective: all its ranks make the same calls in the same order, as with
// MPI's own. Each rank reduces its elements by its Reducer, on its own backend; integers travel.
// docs/scale_out.md has the promises, what they cost, and recipes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <isofold/detail/mpi/calls.hpp>
#include <isofold/detail/mpi/communicator.hpp>
#include <isofold/detail/mpi/exchange.hpp>
#include <isofold/detail/mpi/slices.hpp>
#include <isofold/detail/team/placement.hpp>
#include <isofold/detail/team/results.hpp>
#include <isofold/isofold.hpp>

namespace isofold::mpi {

using team::layers;
using team::part;
using team::request;
using team::scattered;

// A call that was started: its messages are on their way, and the elements may change.
template <class... Requests>
class Pending {
 public:
  // Collective: the results, or the error of all ranks. All ranks wait in the same order. Once.
  [[nodiscard]] detail::results_t<Requests...> wait() {
    const std::unique_ptr<detail::StartedCall> call = std::move(call_);
    if (call == nullptr) {
      throw Error(Code::invalid_argument, "A call that was waited for already.");
    }
    call->wait();
    return detail::take_results(call->exchange, requests_, std::index_sequence_for<Requests...>());
  }
  Pending(Pending&&) noexcept = default;
  Pending& operator=(Pending&&) = delete;
  // Collective if nobody waited: it waits, and drops the results and errors.
  ~Pending() {
    if (call_ != nullptr && detail::mpi_is_running()) {
      (void)detail::failure_of([&] { call_->wait(); });
    }
  }

 private:
  friend class Team;
  Pending(std::unique_ptr<detail::StartedCall> call, std::tuple<Requests...> requests)
      : call_(std::move(call)), requests_(std::move(requests)) {}
  std::unique_ptr<detail::StartedCall> call_;
  std::tuple<Requests...> requests_;
};

// A call that is made again and again on the same views, by a persistent request where MPI has
// them (MPI 4). It refers to the Reducer and to the memory of the views, and has a communicator of
// its own. Destroying it is collective.
template <class... Requests>
class Prepared {
 public:
  // Collective: reduces this rank's elements as they are now, and starts the message. Errors wait
  // for wait(). A start before the last one was waited for throws invalid_argument.
  void start() { call_->start(); }
  // Collective: the results of the last start, or the error of all ranks.
  [[nodiscard]] detail::results_t<Requests...> wait() {
    call_->wait();
    return detail::take_results(call_->exchange, requests_, std::index_sequence_for<Requests...>());
  }

 private:
  friend class Team;
  Prepared(std::unique_ptr<detail::PreparedCall> call, std::tuple<Requests...> requests)
      : call_(std::move(call)), requests_(std::move(requests)) {}
  std::unique_ptr<detail::PreparedCall> call_;
  std::tuple<Requests...> requests_;
};

class Slice;

// The ranks of a communicator. One thread of each rank uses it at a time.
class Team {
 public:
  // Collective: duplicates the communicator, which stays the caller's. Throws invalid_argument on
  // MPI_COMM_NULL, on intercommunicators, and without MPI_Init(); device_failure if MPI fails.
  explicit Team(MPI_Comm comm, const Limits& limits = {})
      : state_(std::make_unique<detail::TeamState>(comm, limits)) {}
  // A Team that was moved from may only be destroyed or assigned to; a Slice of it is of no use.
  Team(Team&&) noexcept = default;
  Team& operator=(Team&&) noexcept = default;
  // Collective: releases the duplicate; after MPI_Finalize() it does nothing.
  ~Team() = default;

  [[nodiscard]] int rank() const noexcept { return state_->comm().rank(); }
  [[nodiscard]] int size() const noexcept { return state_->comm().size(); }
  // The duplicate, for messages of the caller's own: those never meet a Team's if they are point to
  // point, and not while a call is pending.
  [[nodiscard]] MPI_Comm communicator() const noexcept { return state_->comm().get(); }

  // reduce(reducer, folds, view): `folds` is a fold, exact(fold), or fuse() of such; the view is a
  // rank's own elements, of any shape that the Reducer takes, or part(), scattered() or layers() of
  // it. It blocks, and returns to all ranks what a Reducer would return of all elements: the value,
  // a std::tuple of them, or for views with several results std::vectors of as many.
  //
  // Folds: all of exact_v1 (docs/exact.md), if the view is exact(x), the fold exact(fold), or the
  // Reducer's definition exact_v1; sums of integers; minimum, maximum, minmax, absolute_maximum;
  // locations of a part() or scattered(), by global index; counts, any, all, none, bits. Others
  // are `unsupported`.
  //
  // An empty rank gives an empty view. Only if no rank has an element do folds throw empty_input,
  // as those of a Reducer do. A NaN is a result.
  //
  // Errors are the same on all ranks: of a rank's own reduction, with its number in front; of a
  // disagreement (fold, type, definition, number of results, total), `mismatch` with both requests;
  // of gaps and overlaps of parts, `mismatch`. Afterwards the Team works as before.
  //
  // Cost: the local reduction and one message of 1280 bytes, or as long as the last call's; one
  // more for what does not fit, and for extrema on many ranks (docs/scale_out.md).
  template <class Folds, class View, detail::if_folds<Folds> = 0>
  [[nodiscard]] auto reduce(Reducer& reducer, Folds folds, const View& x) {
    return call(reducer, request(folds, x));
  }
  // Folds of two arrays take two views; beside them folds of one array take the first.
  template <class Folds, class View, class Second, detail::if_folds<Folds> = 0,
            detail::if_second_view<Second> = 0>
  [[nodiscard]] auto reduce(Reducer& reducer, Folds folds, const View& x, const Second& y) {
    return call(reducer, request(folds, x, y));
  }
  // Several requests in one message: a std::tuple of their results.
  template <class... Requests, detail::if_requests<Requests...> = 0>
  [[nodiscard]] auto reduce(Reducer& reducer, const Requests&... requests) {
    return call(reducer, requests...);
  }

  // team.sum(reducer, exact(x)), team.dot(reducer, exact(x), exact(y)), team.argmax(reducer,
  // part(...)), team.count_in_range(reducer, x, low, high), ...: the reduce() of that fold.
#define ISOFOLD_TEAM_FOLD(fold, number)                                               \
  template <class View, class... Others>                                              \
  [[nodiscard]] auto fold(Reducer& reducer, const View& x, const Others&... others) { \
    return call(reducer, request(FoldTag<Fold::fold>{}, x, others...));               \
  }
  ISOFOLD_FOLDS(ISOFOLD_TEAM_FOLD)
#undef ISOFOLD_TEAM_FOLD

  // Collective: reduces this rank's elements, starts the message, and returns; `later.wait()` has
  // the results or throws. `folds` and views, or requests, as for reduce(). Errors wait for wait().
  template <class Folds, class View, detail::if_folds<Folds> = 0>
  [[nodiscard]] auto start(Reducer& reducer, Folds folds, const View& x) {
    return start_requests(reducer, request(folds, x));
  }
  template <class Folds, class View, class Second, detail::if_folds<Folds> = 0,
            detail::if_second_view<Second> = 0>
  [[nodiscard]] auto start(Reducer& reducer, Folds folds, const View& x, const Second& y) {
    return start_requests(reducer, request(folds, x, y));
  }
  template <class... Requests, detail::if_requests<Requests...> = 0>
  [[nodiscard]] auto start(Reducer& reducer, const Requests&... requests) {
    return start_requests(reducer, requests...);
  }

  // Collective: a call that will be made many times on these views, of which the elements are read
  // at each start(). Ranks agree on it here, once, with the errors of reduce(), for which the
  // elements are read, too. The message is as long as the call needs.
  template <class Folds, class View, detail::if_folds<Folds> = 0>
  [[nodiscard]] auto prepare(Reducer& reducer, Folds folds, const View& x) {
    return prepare_requests(reducer, request(folds, x));
  }
  template <class Folds, class View, class Second, detail::if_folds<Folds> = 0,
            detail::if_second_view<Second> = 0>
  [[nodiscard]] auto prepare(Reducer& reducer, Folds folds, const View& x, const Second& y) {
    return prepare_requests(reducer, request(folds, x, y));
  }
  template <class... Requests, detail::if_requests<Requests...> = 0>
  [[nodiscard]] auto prepare(Reducer& reducer, const Requests&... requests) {
    return prepare_requests(reducer, requests...);
  }

  // This rank's elements [first, first + count) of an array of `total`, for folds of tree v1, whose
  // bits are those of the whole array reduced at once: slice(...).sum(reducer, array(x, count)).
  // Not collective; its calls are.
  [[nodiscard]] Slice slice(AnyInteger first, AnyInteger count, AnyInteger total);

  // Collective with a call that the other ranks make, of any kind but start() and prepare(): this
  // rank cannot make it, because of `error`, and so all ranks, this one too, throw that error. For
  // ranks that leave: catch (const std::exception& e) { team.fail(e); }
  [[noreturn]] void fail(const std::exception& error) {
    const auto* const known = dynamic_cast<const Error*>(&error);
    fail(known != nullptr ? known->code() : Code::invalid_argument, error.what());
  }
  [[noreturn]] void fail(Code code, const std::string& sentence) { state_->fail(code, sentence); }

 private:
  friend class Slice;

  template <class... Requests>
  detail::results_t<Requests...> call(Reducer& reducer, const Requests&... requests) {
    const std::tuple<const Requests&...> all(requests...);
    detail::Exchange exchange =
        state_->call(reducer.handle(), [&] { return detail::plan_of(all, reducer.definition()); });
    return detail::take_results(exchange, std::tuple<Requests...>(requests...),
                                std::index_sequence_for<Requests...>());
  }
  template <class... Requests>
  Pending<Requests...> start_requests(Reducer& reducer, const Requests&... requests) {
    std::tuple<Requests...> all(requests...);
    auto started =
        state_->start(reducer.handle(), [&] { return detail::plan_of(all, reducer.definition()); });
    return {std::move(started), std::move(all)};
  }
  template <class... Requests>
  Prepared<Requests...> prepare_requests(Reducer& reducer, const Requests&... requests) {
    std::tuple<Requests...> all(requests...);
    auto prepared = state_->prepare(reducer.handle(),
                                    [&] { return detail::plan_of(all, reducer.definition()); });
    return {std::move(prepared), std::move(all)};
  }

  std::unique_ptr<detail::TeamState> state_;
};

// A contiguous range of a global array, for folds that have an order: made by Team::slice(). It
// refers to the Team.
class Slice {
 public:
  // Collective: a fold, or fuse() of several, of the array of all ranks' slices, with the bits that
  // a Reducer has of the whole array: all folds of one array without parameters. `x` is this rank's
  // slice, an array or a container of as many elements as slice() was told; locations are indices
  // of the whole. Gaps are `incomplete`, elements that two ranks have `overlap`, other errors as of
  // Team::reduce(), on all ranks. Cost: two messages, of 1280 bytes, and of some hundred bytes a
  // rank where slices begin at multiples of 1024 elements, else of up to 8 KiB more for each cut
  // between chunks.
  template <Fold fold, class View>
  [[nodiscard]] auto reduce(Reducer& reducer, FoldTag<fold>, const View& x) {
    return std::get<0>(reduce(reducer, Fused<FoldTag<fold>>{}, x));
  }
  template <class... Tags, class View>
  [[nodiscard]] auto reduce(Reducer& reducer, Fused<Tags...>, const View& x) {
    using T = typename view_detail::Traits<view_detail::view_of<View>>::element_type;
    static_assert(!(Tags::is_exact || ...),
                  "A slice has folds of tree v1; exact_v1 needs none: team.reduce(reducer, "
                  "exact(fold), x).");
    static_assert((takes<Tags::fold, computed_t<T>>() && ...),
                  "This fold is not defined for elements of this type (docs/folds.md).");
    const std::int32_t numbers[] = {static_cast<std::int32_t>(Tags::fold)...};
    std::tuple<result_t<Tags::fold, T>...> results{};
    std::apply(
        [&](auto&... result) {
          void* const out[] = {&result...};
          isofold_request plain{};
          plain.type = element_number<T>();
          const detail::Failure failure = detail::failure_of([&] {
            auto request = view_detail::as_view(x).to_request();
            plain = *request.pointer();
          });
          if (plain.definition == ISOFOLD_DEFINITION_tree_v1) {
            plain.definition = static_cast<std::int32_t>(reducer.definition());
          }
          detail::reduce_slices(*team_->state_, reducer.handle(), failure,
                                {numbers, sizeof...(Tags), plain, slice_}, out);
        },
        results);
    return results;
  }
#define ISOFOLD_SLICE_FOLD(fold, number)                     \
  template <class View>                                      \
  [[nodiscard]] auto fold(Reducer& reducer, const View& x) { \
    return reduce(reducer, FoldTag<Fold::fold>{}, x);        \
  }
  ISOFOLD_FOLDS(ISOFOLD_SLICE_FOLD)
#undef ISOFOLD_SLICE_FOLD

 private:
  friend class Team;
  Slice(Team& team, detail::SliceOf slice) : team_(&team), slice_(slice) {}
  Team* team_;
  detail::SliceOf slice_;
};

inline Slice Team::slice(AnyInteger first, AnyInteger count, AnyInteger total) {
  return {*this, {first, count, total}};
}

}  // namespace isofold::mpi
