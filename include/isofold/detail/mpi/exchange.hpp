// Exchange: the messages of one call. The first one has the same length on all ranks, whatever they
// ask for, so that a disagreement is noticed and never a hang:
//
//   1  MPI_SUM   header (agreement.hpp), sums, and, of few ranks, keys in slots, one for each rank
//   2  MPI_SUM   the rest of these, where they do not fit
//   3  MPI_MAX   keys, of many ranks; and once more for the indices of locations among ties
//
// Slots are an allgather by addition: each rank adds its keys to slots of zeros.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <isofold/detail/mpi/communicator.hpp>
#include <isofold/detail/team/agreement.hpp>
#include <isofold/detail/team/plan.hpp>

namespace isofold::mpi {

// The places where messages are cut; the same on all ranks. No value of these changes a bit, and
// nobody but tests needs others.
struct Limits {
  std::int64_t first_words = 160;  // of the first message, at least: an f64 dot fits
  std::int64_t slot_words = 2048;  // of all slots, at most: 16 KiB
};

namespace detail {

class Exchange {
 public:
  Exchange(const Communicator& comm, const Limits& limits) : comm_(&comm), limits_(limits) {}

  // Evaluates the plan that `make` returns, and writes the message, whose first part has `first`
  // words. Whatever fails is kept for run() or wait(). Not collective.
  template <class Make>
  void prepare(isofold_reducer* reducer, std::int64_t first, Make&& make) {
    first_ = first;
    message_.assign(static_cast<std::size_t>(first), 0);
    failure_ = failure_of([&] {
      plan_ = make();
      lay_out();
      fill(reducer);
    });
    write_head();
  }
  // As above, of the plan that there is, whose first message may be a persistent one: it does not
  // move if the plan is as large as before.
  void prepare_again(isofold_reducer* reducer) {
    std::fill(message_.begin(), message_.end(), 0);
    failure_ = failure_of([&] { fill(reducer); });
    write_head();
  }
  // Takes part in a call of the other ranks with an error of this rank's own.
  void prepare_failure(std::int64_t first, Failure failure) {
    first_ = first;
    message_.assign(static_cast<std::size_t>(first), 0);
    failure_ = std::move(failure);
    write_head();
  }

  // Collective: all messages. It throws the same error on all ranks, or none.
  void run() {
    comm_->all_reduce(message_.data(), first_, Combine::sum);
    finish();
  }
  // Collective: starts the first message, and ends it with the ones that follow.
  void start(PendingMessage& pending) {
    check_mpi(MPI_Iallreduce(MPI_IN_PLACE, message_.data(), static_cast<int>(first_), MPI_INT64_T,
                             MPI_SUM, comm_->get(), pending.get()),
              "MPI_Iallreduce");
    pending.started();
  }
  // Makes the first message all of it; after prepare(), whether or not the elements could be read.
  void make_whole() { first_ = std::max(first_, size_); }
#if MPI_VERSION >= 4
  // Collective: makes the first message a persistent one.
  void make_persistent(PendingMessage& pending) {
    check_mpi(MPI_Allreduce_init(MPI_IN_PLACE, message_.data(), static_cast<int>(first_),
                                 MPI_INT64_T, MPI_SUM, comm_->get(), MPI_INFO_NULL, pending.get()),
              "MPI_Allreduce_init");
  }
#endif
  // Collective, behind the first message.
  void finish() {
    if (judge(message_.data(), comm_->size()) != Verdict::agreed) {
      throw_together(*comm_, {{comm_->rank(), failure_, hash_, failure_ ? "" : plan_.text()}});
    }
    comm_->all_reduce(message_.data() + first_, size_ - first_, Combine::sum);
    if (has_slots_) {
      take_slots();
    } else if (!keys_.empty()) {
      exchange_keys();
    }
    plan_.check_coverage(sums() + plan_.sums() - plan_.coverage_words());
  }

  // The words of the message, header and slots included.
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  // The results of item `number`, behind finish().
  void decode(std::size_t number, void* results) const {
    plan_.decode(number, sums(), keys_.data(), static_cast<unsigned char*>(results));
  }

 private:
  [[nodiscard]] const std::int64_t* sums() const { return message_.data() + header_words; }
  [[nodiscard]] std::int64_t slot_words() const { return plan_.has_locations() ? 2 : 1; }

  void lay_out() {
    const std::int64_t each = plan_.keys() * slot_words();
    has_slots_ = each > 0 && each <= limits_.slot_words / comm_->size();
    slots_ = header_words + plan_.sums();
    size_ = slots_ + (has_slots_ ? each * comm_->size() : 0);
    message_.resize(static_cast<std::size_t>(std::max(size_, first_)));
  }
  void fill(isofold_reducer* reducer) {
    plan_.evaluate(reducer);
    keys_.assign(static_cast<std::size_t>(plan_.keys()), Ranked{});
    const Rank rank{comm_->rank(), comm_->size()};
    plan_.encode(rank, message_.data() + header_words, keys_.data());
    if (!has_slots_) {
      return;
    }
    std::int64_t* at = message_.data() + slots_ + plan_.keys() * slot_words() * rank.rank;
    for (const Ranked& key : keys_) {
      *at++ = key.key;
      if (slot_words() == 2) {
        *at++ = key.order;
      }
    }
  }
  void write_head() {
    hash_ = plan_.hash();
    if (failure_) {
      std::fill(message_.begin(), message_.end(), 0);
    }
    add_header(message_.data(), static_cast<bool>(failure_), hash_);
  }

  void take_slots() {
    const std::int64_t* at = message_.data() + slots_;
    std::fill(keys_.begin(), keys_.end(), Ranked{});
    for (int rank = 0; rank < comm_->size(); ++rank) {
      for (Ranked& best : keys_) {
        Ranked here{*at++, least_key};
        if (slot_words() == 2) {
          here.order = *at++;
        }
        best = beats(here, best) ? here : best;
      }
    }
  }
  void exchange_keys() {
    const std::size_t count = keys_.size();
    std::vector<std::int64_t> words(count);
    std::transform(keys_.begin(), keys_.end(), words.begin(),
                   [](const Ranked& key) { return key.key; });
    comm_->all_reduce(words.data(), static_cast<std::int64_t>(count), Combine::maximum);
    for (std::size_t k = 0; k < count; ++k) {
      if (keys_[k].key != words[k]) {
        keys_[k] = {words[k], least_key};
      }
    }
    if (!plan_.has_locations()) {
      return;
    }
    std::transform(keys_.begin(), keys_.end(), words.begin(),
                   [](const Ranked& key) { return key.order; });
    comm_->all_reduce(words.data(), static_cast<std::int64_t>(count), Combine::maximum);
    for (std::size_t k = 0; k < count; ++k) {
      keys_[k].order = words[k];
    }
  }

  const Communicator* comm_;
  Limits limits_;
  Plan plan_;
  Failure failure_;
  std::uint64_t hash_ = 0;
  std::vector<std::int64_t> message_;
  std::vector<Ranked> keys_;
  std::int64_t first_ = 0;
  std::int64_t size_ = 0;
  std::int64_t slots_ = 0;
  bool has_slots_ = false;
};

}  // namespace detail
}  // namespace isofold::mpi
