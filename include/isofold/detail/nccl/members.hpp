// The GPUs that this process has of a group of NCCL's: their communicators, memory, and sums.
#pragma once

// RCCL has NCCL's names in a header of its own.
#if defined(__HIP_PLATFORM_AMD__)
#include <rccl/rccl.h>
#else
#include <nccl.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <isofold/detail/team/agreement.hpp>
#include <isofold/error.hpp>
#include <isofold/reducer.hpp>

namespace isofold::nccl {

namespace detail {
template <class Result, class... Arguments>
std::tuple<Arguments...> arguments_of(Result (*)(Arguments...));
}  // namespace detail
// A stream of the vendor's, by the last argument of the all-reduce.
using Stream = std::tuple_element_t<6, decltype(detail::arguments_of(&ncclAllReduce))>;

// A GPU of this process: its communicator, a Reducer that names its backend and this device, and
// the stream of both. The Team gives the stream to the Reducer, and owns none of them.
struct Member {
  ncclComm_t comm;
  Reducer* reducer;
  Stream stream;
};

namespace detail {

using namespace team::detail;

// Throws device_failure for a function of NCCL's that failed; `what` is its name.
inline void check_nccl(ncclResult_t code, const char* what) {
  if (code != ncclSuccess) {
    throw Error(Code::device_failure, std::string(what) + " failed: " + ncclGetErrorString(code) +
                                          ". The GPUs may be out of step: end the program, or make "
                                          "new communicators and a new Team (NCCL_DEBUG=INFO says "
                                          "more).");
  }
}

// Memory of a device, zeros at first.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(const char* backend, std::int32_t device, std::size_t bytes)
      : backend_(backend), device_(device) {
    check(isofold_allocate(backend, device, std::max<std::size_t>(bytes, 8), &memory_));
    const std::vector<unsigned char> zeros(bytes);
    write(zeros.data(), bytes);
  }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  DeviceMemory(DeviceMemory&& other) noexcept { *this = std::move(other); }
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(backend_, other.backend_);
    std::swap(device_, other.device_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~DeviceMemory() {
    if (memory_ != nullptr) {
      isofold_release(backend_, device_, memory_);
    }
  }

  [[nodiscard]] void* at(std::int64_t bytes = 0) const {
    return static_cast<unsigned char*>(memory_) + bytes;
  }
  [[nodiscard]] std::int64_t* words(std::int64_t from = 0) const {
    return static_cast<std::int64_t*>(memory_) + from;
  }
  // These wait for the copy, and for no stream.
  void write(const void* from, std::size_t bytes) const {
    check(isofold_copy(backend_, device_, memory_, from, bytes));
  }
  void read(void* to, std::size_t bytes, std::int64_t offset = 0) const {
    check(isofold_copy(backend_, device_, to, at(offset), bytes));
  }

 private:
  const char* backend_ = nullptr;
  std::int32_t device_ = 0;
  void* memory_ = nullptr;
};

class Gpu {
 public:
  explicit Gpu(const Member& member) : member_(member) {
    if (member.comm == nullptr || member.reducer == nullptr) {
      throw Error(Code::invalid_argument,
                  "A member of a Team without a communicator or without a Reducer.");
    }
    backend_ = isofold_reducer_backend(member.reducer->handle());
    if (backend_[0] == '\0') {
      throw Error(Code::invalid_argument,
                  "A Reducer of no backend of its own: name one and the communicator's device, "
                  "Reducer(Backend::cuda, Options{}.device(0)).");
    }
    check_nccl(ncclCommUserRank(member.comm, &rank_), "ncclCommUserRank");
    check_nccl(ncclCommCount(member.comm, &ranks_), "ncclCommCount");
    check_nccl(ncclCommCuDevice(member.comm, &device_), "ncclCommCuDevice");
    check(isofold_set_stream(member.reducer->handle(), member.stream));
    talk_ = memory(most_talk * sizeof(std::int64_t));
  }

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int ranks() const noexcept { return ranks_; }
  [[nodiscard]] isofold_reducer* reducer() const noexcept { return member_.reducer->handle(); }
  [[nodiscard]] Definition definition() const { return member_.reducer->definition(); }
  [[nodiscard]] DeviceMemory memory(std::size_t bytes) const { return {backend_, device_, bytes}; }
  [[nodiscard]] const DeviceMemory& talk() const noexcept { return talk_; }
  void all_reduce(const std::int64_t* from, std::int64_t* to, std::int64_t count,
                  ncclRedOp_t op) const {
    check_nccl(ncclAllReduce(from, to, static_cast<std::size_t>(count), ncclInt64, op, member_.comm,
                             member_.stream),
               "ncclAllReduce");
  }
  void wait() const { check(isofold_synchronize(reducer())); }

  static constexpr std::int64_t most_talk = 512;  // words

 private:
  Member member_;
  const char* backend_ = "";
  int rank_ = 0;
  int ranks_ = 1;
  int device_ = 0;
  DeviceMemory talk_;
};

// Calls of NCCL's for all members at once: body(member) for each of them.
template <class Body>
void together(const std::vector<Gpu>& gpus, Body&& body) {
  check_nccl(ncclGroupStart(), "ncclGroupStart");
  const Failure failure = failure_of([&] {
    for (const Gpu& gpu : gpus) {
      body(gpu);
    }
  });
  check_nccl(ncclGroupEnd(), "ncclGroupEnd");
  if (failure) {
    throw Error(failure.code, failure.sentence);
  }
}

// The ranks tell each other this through the memory of their devices. It waits.
class Talk final : public Ranks {
 public:
  explicit Talk(const std::vector<Gpu>& gpus) : gpus_(&gpus) {}
  [[nodiscard]] int size() const noexcept override { return gpus_->front().ranks(); }
  void all_reduce(std::int64_t* words, std::int64_t count, Combine by) const override {
    while (count > 0) {
      const std::int64_t now = std::min(count, Gpu::most_talk);
      const auto bytes = static_cast<std::size_t>(now) * sizeof(std::int64_t);
      // One member speaks for all of this process.
      const std::vector<std::int64_t> zeros(static_cast<std::size_t>(now));
      for (const Gpu& gpu : *gpus_) {
        const bool speaks = &gpu == &gpus_->front() || by == Combine::maximum;
        gpu.talk().write(speaks ? words : zeros.data(), bytes);
      }
      together(*gpus_, [&](const Gpu& gpu) {
        gpu.all_reduce(gpu.talk().words(), gpu.talk().words(), now,
                       by == Combine::sum ? ncclSum : ncclMax);
      });
      for (const Gpu& gpu : *gpus_) {
        gpu.wait();
      }
      gpus_->front().talk().read(words, bytes);
      words += now;
      count -= now;
    }
  }

 private:
  const std::vector<Gpu>* gpus_;
};

}  // namespace detail
}  // namespace isofold::nccl
