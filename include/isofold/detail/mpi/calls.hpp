// Calls of a Team without types: at once, started, and prepared. The C++ and the C interface both
// stand on these.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <isofold/detail/mpi/communicator.hpp>
#include <isofold/detail/mpi/exchange.hpp>
#include <isofold/error.hpp>

namespace isofold::mpi::detail {

// A call that was started; wait() ends it, once.
struct StartedCall {
  StartedCall(const Communicator& comm, const Limits& limits) : exchange(comm, limits) {}
  Exchange exchange;
  PendingMessage message;

  void wait() {
    message.wait();
    exchange.finish();
  }
};

// A call that is made again and again, on a communicator of its own.
class PreparedCall {
 public:
  PreparedCall(const Communicator& of, const Limits& limits, isofold_reducer* reducer)
      : comm_(of.get()), exchange(comm_, limits), reducer_(reducer) {}

  template <class Make>
  void prepare(const Limits& limits, Make&& make) {
    exchange.prepare(reducer_, limits.first_words, std::forward<Make>(make));
    exchange.make_whole();
#if MPI_VERSION >= 4
    exchange.make_persistent(message_);
#endif
  }
  void start() {
    if (message_.is_active()) {
      throw Error(Code::invalid_argument, "A prepared call was started twice: wait for it first.");
    }
    exchange.prepare_again(reducer_);
#if MPI_VERSION >= 4
    check_mpi(MPI_Start(message_.get()), "MPI_Start");
    message_.started();
#else
    exchange.start(message_);
#endif
  }
  void wait() {
    if (!message_.is_active()) {
      throw Error(Code::invalid_argument, "A prepared call was not started: start() it first.");
    }
    message_.wait();
    exchange.finish();
  }

 private:
  Communicator comm_;

 public:
  Exchange exchange;

 private:
  isofold_reducer* reducer_;
  PendingMessage message_;  // released before its communicator
};

// A Team: its communicator, and how long the first message of the next call is, which all ranks
// know alike. `make` returns the Plan of a call, and may throw.
class TeamState {
 public:
  TeamState(MPI_Comm comm, const Limits& limits)
      : comm_(comm), limits_(limits), first_words_(limits.first_words) {}

  [[nodiscard]] const Communicator& comm() const { return comm_; }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  [[nodiscard]] std::int64_t first_words() const { return first_words_; }

  template <class Make>
  [[nodiscard]] Exchange call(isofold_reducer* reducer, Make&& make) {
    Exchange exchange(comm_, limits_);
    exchange.prepare(reducer, first_words_, std::forward<Make>(make));
    exchange.run();
    // The next call is probably as large. Messages are not kept long for one that is rare.
    first_words_ = exchange.size() <= most_first_words
                       ? std::max(limits_.first_words, exchange.size())
                       : limits_.first_words;
    return exchange;
  }
  template <class Make>
  [[nodiscard]] std::unique_ptr<StartedCall> start(isofold_reducer* reducer, Make&& make) const {
    auto started = std::make_unique<StartedCall>(comm_, limits_);
    started->exchange.prepare(reducer, limits_.first_words, std::forward<Make>(make));
    started->exchange.start(started->message);
    return started;
  }
  template <class Make>
  [[nodiscard]] std::unique_ptr<PreparedCall> prepare(isofold_reducer* reducer, Make&& make) {
    (void)call(reducer, make);  // the agreement, and the errors of all ranks
    auto prepared = std::make_unique<PreparedCall>(comm_, limits_, reducer);
    prepared->prepare(limits_, make);
    return prepared;
  }
  [[noreturn]] void fail(Code code, const std::string& sentence) const {
    Exchange exchange(comm_, limits_);
    exchange.prepare_failure(first_words_,
                             {code == Code::ok ? Code::invalid_argument : code, sentence});
    exchange.run();
    throw Error(Code::internal, "A failure that no rank noticed.");
  }

 private:
  static constexpr std::int64_t most_first_words = 8192;
  Communicator comm_;
  Limits limits_;
  std::int64_t first_words_;
};

}  // namespace isofold::mpi::detail
