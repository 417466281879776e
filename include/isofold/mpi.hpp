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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <isofold/detail/mpi/communicator.hpp>
#include <isofold/detail/mpi/exchange.hpp>
#include <isofold/detail/mpi/placement.hpp>
#include <isofold/detail/mpi/request.hpp>
#include <isofold/detail/mpi/slices.hpp>
#include <isofold/isofold.hpp>

namespace isofold::mpi {

namespace detail {

// How a call's results are given back: that of one request, or a tuple.
template <class... Requests>
using results_t =
    std::conditional_t<sizeof...(Requests) == 1,
                       std::tuple_element_t<0, std::tuple<typename Requests::result_type...>>,
                       std::tuple<typename Requests::result_type...>>;

template <class... Requests, std::size_t... i>
results_t<Requests...> take_results(Exchange& exchange, const std::tuple<Requests...>& requests,
                                    std::index_sequence<i...>) {
  if constexpr (sizeof...(Requests) == 1) {
    return std::get<0>(requests).take(exchange, 0);
  } else {
    constexpr std::size_t counts[] = {Requests::folds...};
    const auto first = [&](std::size_t request) {
      std::size_t items = 0;
      for (std::size_t r = 0; r < request; ++r) {
        items += counts[r];
      }
      return items;
    };
    return results_t<Requests...>{std::get<i>(requests).take(exchange, first(i))...};
  }
}

template <class... Requests>
Plan plan_of(const std::tuple<Requests...>& requests, Definition definition) {
  Plan plan;
  std::int32_t group = 0;
  std::apply(
      [&](const auto&... request) {
        (request.add_to(plan, group++, static_cast<std::int32_t>(definition)), ...);
      },
      requests);
  return plan;
}

}  // namespace detail

// A call that was started: its messages are on their way, and the elements may change.
template <class... Requests>
class Pending {
 public:
  // Collective: the results, or the error of all ranks. All ranks wait in the same order. Once.
  [[nodiscard]] detail::results_t<Requests...> wait() {
    const std::unique_ptr<State> state = std::move(state_);
    if (state == nullptr) {
      throw Error(Code::invalid_argument, "A call that was waited for already.");
    }
    state->message.wait();
    state->exchange.finish();
    return detail::take_results(state->exchange, state->requests,
                                std::index_sequence_for<Requests...>());
  }
  Pending(Pending&&) noexcept = default;
  Pending& operator=(Pending&&) = delete;
  // Collective if nobody waited: it waits, and drops the results and errors.
  ~Pending() {
    if (state_ != nullptr && detail::mpi_is_running()) {
      (void)detail::failure_of([&] { (void)wait(); });
    }
  }

 private:
  friend class Team;
  struct State {
    detail::Exchange exchange;
    std::tuple<Requests...> requests;
    detail::PendingMessage message;
  };
  explicit Pending(std::unique_ptr<State> state) : state_(std::move(state)) {}
  std::unique_ptr<State> state_;
};

// A call that is made again and again on the same views, by a persistent request where MPI has
// them (MPI 4). It refers to the Reducer and to the memory of the views, and has a communicator of
// its own. Destroying it is collective.
template <class... Requests>
class Prepared {
 public:
  // Collective: reduces this rank's elements as they are now, and starts the message. Errors wait
  // for wait(). A start before the last one was waited for throws invalid_argument.
  void start() {
    State& state = *state_;
    if (state.message.is_active()) {
      throw Error(Code::invalid_argument, "A prepared call was started twice: wait for it first.");
    }
    state.exchange.prepare_again(state.reducer->handle());
#if MPI_VERSION >= 4
    detail::check_mpi(MPI_Start(state.message.get()), "MPI_Start");
    state.message.started();
#else
    state.exchange.start(state.message);
#endif
  }
  // Collective: the results of the last start, or the error of all ranks.
  [[nodiscard]] detail::results_t<Requests...> wait() {
    State& state = *state_;
    if (!state.message.is_active()) {
      throw Error(Code::invalid_argument, "A prepared call was not started: start() it first.");
    }
    state.message.wait();
    state.exchange.finish();
    return detail::take_results(state.exchange, state.requests,
                                std::index_sequence_for<Requests...>());
  }

 private:
  friend class Team;
  struct State {
    detail::Communicator comm;
    detail::Exchange exchange;
    std::tuple<Requests...> requests;
    Reducer* reducer;
    detail::PendingMessage message;
  };
  explicit Prepared(std::unique_ptr<State> state) : state_(std::move(state)) {}
  std::unique_ptr<State> state_;
};

class Slice;

// The ranks of a communicator. One thread of each rank uses it at a time.
class Team {
 public:
  // Collective: duplicates the communicator, which stays the caller's. Throws invalid_argument on
  // MPI_COMM_NULL, on intercommunicators, and without MPI_Init(); device_failure if MPI fails.
  explicit Team(MPI_Comm comm, const Limits& limits = {})
      : comm_(std::make_unique<detail::Communicator>(comm)),
        limits_(limits),
        first_words_(limits.first_words) {}
  // A Team that was moved from may only be destroyed or assigned to; a Slice of it is of no use.
  Team(Team&&) noexcept = default;
  Team& operator=(Team&&) noexcept = default;
  // Collective: releases the duplicate; after MPI_Finalize() it does nothing.
  ~Team() = default;

  [[nodiscard]] int rank() const noexcept { return comm_->rank(); }
  [[nodiscard]] int size() const noexcept { return comm_->size(); }
  // The duplicate, for messages of the caller's own: those never meet a Team's if they are point to
  // point, and not while a call is pending.
  [[nodiscard]] MPI_Comm communicator() const noexcept { return comm_->get(); }

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
  [[noreturn]] void fail(Code code, const std::string& sentence) {
    detail::Exchange exchange(*comm_, limits_);
    exchange.prepare_failure(first_words_,
                             {code == Code::ok ? Code::invalid_argument : code, sentence});
    exchange.run();
    throw Error(Code::internal, "A failure that no rank noticed.");
  }

 private:
  friend class Slice;
  // Messages are not kept longer than this for a call that may not come again.
  static constexpr std::int64_t most_first_words = 8192;

  template <class... Requests>
  detail::results_t<Requests...> call(Reducer& reducer, const Requests&... requests) {
    const std::tuple<const Requests&...> all(requests...);
    detail::Exchange exchange(*comm_, limits_);
    exchange.prepare(reducer.handle(), first_words_,
                     [&] { return detail::plan_of(all, reducer.definition()); });
    exchange.run();
    first_words_ = exchange.size() <= most_first_words
                       ? std::max(limits_.first_words, exchange.size())
                       : limits_.first_words;
    return detail::take_results(exchange, std::tuple<Requests...>(requests...),
                                std::index_sequence_for<Requests...>());
  }
  template <class... Requests>
  Pending<Requests...> start_requests(Reducer& reducer, const Requests&... requests) {
    using State = typename Pending<Requests...>::State;
    std::unique_ptr<State> state(new State{{*comm_, limits_}, {requests...}, {}});
    state->exchange.prepare(reducer.handle(), limits_.first_words,
                            [&] { return detail::plan_of(state->requests, reducer.definition()); });
    state->exchange.start(state->message);
    return Pending<Requests...>(std::move(state));
  }
  template <class... Requests>
  Prepared<Requests...> prepare_requests(Reducer& reducer, const Requests&... requests) {
    (void)call(reducer, requests...);
    using State = typename Prepared<Requests...>::State;
    std::unique_ptr<State> state(new State{
        detail::Communicator(comm_->get()), {*comm_, limits_}, {requests...}, &reducer, {}});
    state->exchange = detail::Exchange(state->comm, limits_);
    state->exchange.prepare(reducer.handle(), limits_.first_words,
                            [&] { return detail::plan_of(state->requests, reducer.definition()); });
    state->exchange.make_whole();
#if MPI_VERSION >= 4
    state->exchange.make_persistent(state->message);
#endif
    return Prepared<Requests...>(std::move(state));
  }

  std::unique_ptr<detail::Communicator> comm_;
  Limits limits_;
  std::int64_t first_words_;  // of the first message; all ranks have the same number
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
    return std::get<0>(reduce(reducer, Fused<fold>{}, x));
  }
  template <Fold... folds, class View>
  [[nodiscard]] auto reduce(Reducer& reducer, Fused<folds...>, const View& x) {
    using T = typename view_detail::Traits<view_detail::view_of<View>>::element_type;
    static_assert((takes<folds, computed_t<T>>() && ...),
                  "This fold is not defined for elements of this type (docs/folds.md).");
    const std::int32_t numbers[] = {static_cast<std::int32_t>(folds)...};
    std::tuple<result_t<folds, T>...> results{};
    std::apply(
        [&](auto&... result) {
          void* const out[] = {&result...};
          auto request = view_detail::as_view(x).to_request();
          request.plain.definition = request.plain.definition == ISOFOLD_DEFINITION_tree_v1
                                         ? static_cast<std::int32_t>(reducer.definition())
                                         : request.plain.definition;
          detail::reduce_slices(*team_->comm_, team_->limits_, team_->first_words_,
                                reducer.handle(),
                                {numbers, sizeof...(folds), *request.pointer(), slice_}, out);
        },
        results);
    team_->first_words_ = team_->limits_.first_words;
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
