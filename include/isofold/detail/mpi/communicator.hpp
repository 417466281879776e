// A duplicate of the user's communicator, requests that are released, and MPI's errors as Errors.
#pragma once

// The C++ bindings of old MPIs are not used, and would warn.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include <isofold/detail/team/ranks.hpp>
#include <isofold/error.hpp>

namespace isofold::mpi::detail {

using namespace team::detail;

// Throws device_failure for an MPI function that failed; `what` is its name.
inline void check_mpi(int code, const char* what) {
  if (code == MPI_SUCCESS) {
    return;
  }
  char text[MPI_MAX_ERROR_STRING + 1] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error(Code::device_failure,
              std::string(what) + " failed: " + text +
                  ". The ranks may be out of step: end the program, or make a new Team.");
}

[[nodiscard]] inline bool mpi_is_running() {
  int started = 0;
  int ended = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  return started != 0 && ended == 0;
}

// A duplicate, so that messages of the library never meet those of the user. Its errors are
// returned, and do not end the program. It may outlive MPI_Finalize(), and is left to that then.
class Communicator final : public Ranks {
 public:
  explicit Communicator(MPI_Comm of) {
    if (!mpi_is_running()) {
      throw Error(Code::invalid_argument,
                  "A Team needs MPI: make it after MPI_Init() and before MPI_Finalize().");
    }
    if (of == MPI_COMM_NULL) {
      throw Error(Code::invalid_argument,
                  "A Team of MPI_COMM_NULL: ranks outside of a communicator make no Team of it.");
    }
    int is_inter = 0;
    check_mpi(MPI_Comm_test_inter(of, &is_inter), "MPI_Comm_test_inter");
    if (is_inter != 0) {
      throw Error(Code::invalid_argument,
                  "A Team of an intercommunicator, which has two groups: merge them by "
                  "MPI_Intercomm_merge() first.");
    }
    check_mpi(MPI_Comm_dup(of, &comm_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  Communicator(Communicator&& other) noexcept
      : Ranks(),
        comm_(std::exchange(other.comm_, MPI_COMM_NULL)),
        rank_(other.rank_),
        size_(other.size_) {}
  Communicator& operator=(Communicator&& other) noexcept {
    std::swap(comm_, other.comm_);
    std::swap(rank_, other.rank_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Communicator() override {
    if (comm_ != MPI_COMM_NULL && mpi_is_running()) {
      MPI_Comm_free(&comm_);
    }
  }

  [[nodiscard]] MPI_Comm get() const noexcept { return comm_; }
  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept override { return size_; }
  void all_reduce(std::int64_t* words, std::int64_t count, Combine by) const override {
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    while (count > 0) {
      const auto now = static_cast<int>(std::min(count, most));
      check_mpi(MPI_Allreduce(MPI_IN_PLACE, words, now, MPI_INT64_T,
                              by == Combine::sum ? MPI_SUM : MPI_MAX, comm_),
                "MPI_Allreduce");
      words += now;
      count -= now;
    }
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

// A request of MPI, which is waited for and released in any case.
class PendingMessage {
 public:
  PendingMessage() = default;
  PendingMessage(const PendingMessage&) = delete;
  PendingMessage& operator=(const PendingMessage&) = delete;
  ~PendingMessage() {
    if (request_ == MPI_REQUEST_NULL || !mpi_is_running()) {
      return;
    }
    if (is_active_) {
      MPI_Wait(&request_, MPI_STATUS_IGNORE);
    }
    if (request_ != MPI_REQUEST_NULL) {  // a persistent one
      MPI_Request_free(&request_);
    }
  }

  [[nodiscard]] MPI_Request* get() noexcept { return &request_; }
  [[nodiscard]] bool is_active() const noexcept { return is_active_; }
  void started() noexcept { is_active_ = true; }
  void wait() {
    is_active_ = false;
    check_mpi(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait");
  }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
  bool is_active_ = false;
};

}  // namespace isofold::mpi::detail
