// A pretend NCCL over emulated GPUs: the functions and names that isofold/nccl.hpp uses, with sums
// and maxima of int64 in host memory, which emulated GPUs share. A group of calls ends when all
// ranks have made theirs, from one thread or from several. Counts that differ are an error, where
// the real library would hang.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <simulator/machine.hpp>

using cudaStream_t = void*;
enum ncclResult_t { ncclSuccess = 0, ncclInternalError = 3, ncclInvalidUsage = 5 };
enum ncclDataType_t { ncclInt64 = 4 };
enum ncclRedOp_t { ncclSum = 0, ncclMax = 2 };

namespace pretend {

struct Call {
  const std::int64_t* from;
  std::int64_t* to;
  std::size_t count;
  ncclRedOp_t op;
  void* stream;
  int rank;
};

struct World {
  explicit World(int of) : ranks(of) {}
  int ranks;
  std::mutex mutex;
  std::condition_variable done;
  std::vector<Call> calls;
  std::int64_t generation = 0;
  ncclResult_t result = ncclSuccess;

  ncclResult_t run() const {
    std::vector<std::int64_t> all(calls.front().count);
    for (const Call& call : calls) {
      if (call.count != all.size() || call.op != calls.front().op) {
        return ncclInvalidUsage;
      }
      isofold::simt::machine(32).synchronize(call.stream);
      for (std::size_t i = 0; i < all.size(); ++i) {
        const bool is_first = &call == &calls.front();
        const std::int64_t word = call.from[i];
        all[i] = call.op == ncclSum ? all[i] + word
                 : is_first         ? word
                                    : (word > all[i] ? word : all[i]);
      }
    }
    for (const Call& call : calls) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        call.to[i] = all[i];
      }
    }
    return ncclSuccess;
  }
  // Adds calls of a thread, and waits for those of all ranks.
  ncclResult_t join(const std::vector<Call>& own) {
    std::unique_lock<std::mutex> lock(mutex);
    calls.insert(calls.end(), own.begin(), own.end());
    const std::int64_t before = generation;
    if (calls.size() == static_cast<std::size_t>(ranks)) {
      result = run();
      calls.clear();
      ++generation;
      done.notify_all();
    } else {
      done.wait(lock, [&] { return generation != before; });
    }
    return result;
  }
};

struct Comm {
  std::shared_ptr<World> world;
  int rank;
  int device;
};

struct Group {
  int depth = 0;
  std::shared_ptr<World> world;
  std::vector<Call> calls;
};
inline Group& group() {
  thread_local Group own;
  return own;
}

// Communicators of `ranks` emulated GPUs, of which there are fewer than that.
inline std::vector<Comm> communicators(int ranks) {
  const auto world = std::make_shared<World>(ranks);
  std::vector<Comm> made;
  for (int rank = 0; rank < ranks; ++rank) {
    made.push_back({world, rank, rank % isofold::simt::Machine::devices});
  }
  return made;
}

}  // namespace pretend

using ncclComm_t = pretend::Comm*;

inline const char* ncclGetErrorString(ncclResult_t code) {
  return code == ncclInvalidUsage ? "calls of different lengths" : "a pretended error";
}
inline ncclResult_t ncclCommUserRank(ncclComm_t comm, int* rank) {
  *rank = comm->rank;
  return ncclSuccess;
}
inline ncclResult_t ncclCommCount(ncclComm_t comm, int* count) {
  *count = comm->world->ranks;
  return ncclSuccess;
}
inline ncclResult_t ncclCommCuDevice(ncclComm_t comm, int* device) {
  *device = comm->device;
  return ncclSuccess;
}
inline ncclResult_t ncclGroupStart() {
  ++pretend::group().depth;
  return ncclSuccess;
}
inline ncclResult_t ncclGroupEnd() {
  pretend::Group& own = pretend::group();
  if (--own.depth > 0 || own.calls.empty()) {
    return ncclSuccess;
  }
  const std::vector<pretend::Call> calls = std::exchange(own.calls, {});
  return own.world->join(calls);
}
inline ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t,
                                  ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  pretend::Group& own = pretend::group();
  own.world = comm->world;
  own.calls.push_back({static_cast<const std::int64_t*>(from), static_cast<std::int64_t*>(to),
                       count, op, stream, comm->rank});
  if (own.depth > 0) {
    return ncclSuccess;
  }
  own.depth = 1;
  return ncclGroupEnd();
}
