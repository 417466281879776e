// Slices: folds of tree v1 over an array of which each rank has a contiguous range, by Forests. Two
// messages: an agreement, with the length of each rank's bytes if there are few ranks, and an
// allgather of blocks of one size, which every rank merges in the order of ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <isofold/detail/mpi/calls.hpp>
#include <isofold/detail/mpi/communicator.hpp>
#include <isofold/detail/team/agreement.hpp>
#include <isofold/error.hpp>
#include <isofold/isofold.h>

namespace isofold::mpi::detail {

// A Forest of the C ABI that is destroyed in any case.
class OwnedForest {
 public:
  OwnedForest() = default;
  OwnedForest(const OwnedForest&) = delete;
  OwnedForest& operator=(const OwnedForest&) = delete;
  OwnedForest(OwnedForest&& other) noexcept : forest_(std::exchange(other.forest_, nullptr)) {}
  OwnedForest& operator=(OwnedForest&&) = delete;
  ~OwnedForest() { isofold_forest_destroy(forest_); }
  [[nodiscard]] isofold_forest* get() const { return forest_; }
  [[nodiscard]] isofold_forest** out() { return &forest_; }

 private:
  isofold_forest* forest_ = nullptr;
};

struct SliceOf {
  std::int64_t first;
  std::int64_t count;
  std::int64_t total;
};

// A slice's folds: the same element type and range for all.
struct SlicePlan {
  const std::int32_t* folds;
  std::size_t count;
  isofold_request request;  // the local array, whose length is that of the slice
  SliceOf slice;

  [[nodiscard]] std::uint64_t hash() const {
    Hash hash;
    hash.add("slice");
    hash.add(request.type);
    hash.add(slice.total);
    hash.add(folds, count * sizeof *folds);
    return hash.value();
  }
  [[nodiscard]] std::string text() const {
    std::string made;
    for (std::size_t i = 0; i < count; ++i) {
      made += (i == 0 ? "" : ", ") + std::string(isofold_fold_name(folds[i]));
    }
    return made + " by slices over " + isofold_type_name(request.type) + " of " +
           std::to_string(slice.total) + " elements";
  }
};

// This rank's Forests as bytes, each from a multiple of `block` bytes on, or of the most that one
// can have.
[[nodiscard]] inline std::vector<unsigned char> forests_of(isofold_reducer* reducer,
                                                           const SlicePlan& plan,
                                                           std::vector<std::size_t>& lengths) {
  const SliceOf& slice = plan.slice;
  const isofold_request& request = plan.request;
  if (request.shape != ISOFOLD_SHAPE_array || request.accumulator != 0 || request.flags != 0) {
    throw Error(Code::unsupported,
                "A slice is an array as it lies in memory: neither a box or a list, nor widened(x) "
                "or skip_nan(x). exact(view) has the sums of all views.");
  }
  if (request.definition == ISOFOLD_DEFINITION_exact_v1) {
    throw Error(Code::unsupported,
                "A slice by exact_v1: exact sums need no slices, call the Team itself.");
  }
  if (request.length != slice.count) {
    throw Error(Code::invalid_argument,
                "A slice of " + std::to_string(slice.count) + " elements, and an array of " +
                    std::to_string(request.length) + ": they must be the same.");
  }
  std::vector<unsigned char> all;
  for (std::size_t i = 0; i < plan.count; ++i) {
    OwnedForest forest;
    check(isofold_forest_create(plan.folds[i], request.type, slice.total, forest.out()));
    if (slice.count != 0 || slice.first < 0 || slice.first > slice.total) {
      check(isofold_forest_add(forest.get(), reducer, request.data, slice.first, slice.count));
    }
    std::size_t bytes = 0;
    isofold_forest_to_bytes(forest.get(), nullptr, &bytes);
    const std::size_t begin = all.size();
    all.resize(begin + bytes);
    check(isofold_forest_to_bytes(forest.get(), all.data() + begin, &bytes));
    lengths.push_back(bytes);
  }
  return all;
}

// Collective: writes the result of each fold to results[i]; `failure` is what kept this rank from
// making its request.
inline void reduce_slices(const TeamState& team, isofold_reducer* reducer, Failure failure,
                          const SlicePlan& plan, void* const* results) {
  const Communicator& comm = team.comm();
  const std::int64_t first = team.first_words();
  const std::uint64_t hash = plan.hash();
  std::vector<std::int64_t> message(static_cast<std::size_t>(first), 0);
  std::vector<std::size_t> lengths;
  std::vector<unsigned char> own;
  if (!failure) {
    failure = failure_of([&] { own = forests_of(reducer, plan, lengths); });
  }
  const auto folds = static_cast<std::int64_t>(plan.count);
  const bool has_lengths = folds * comm.size() <= team.limits().first_words - header_words;
  if (has_lengths && !failure) {
    std::int64_t* at = message.data() + header_words + folds * comm.rank();
    for (const std::size_t length : lengths) {
      *at++ = static_cast<std::int64_t>(length);
    }
  }
  add_header(message.data(), static_cast<bool>(failure), hash);
  comm.all_reduce(message.data(), first, Combine::sum);
  if (judge(message.data(), comm.size()) != Verdict::agreed) {
    throw_together(comm, {{comm.rank(), failure, hash, plan.text()}});
  }

  // The blocks of a fold are as long as the longest one.
  std::vector<std::size_t> blocks(plan.count);
  std::size_t bytes = 0;
  for (std::size_t f = 0; f < plan.count; ++f) {
    blocks[f] = isofold_forest_max_bytes(plan.folds[f], plan.request.type);
    if (has_lengths) {
      blocks[f] = 0;
      for (int rank = 0; rank < comm.size(); ++rank) {
        const auto at = static_cast<std::size_t>(header_words + folds * rank) + f;
        blocks[f] = std::max(blocks[f], static_cast<std::size_t>(message[at]));
      }
    }
    bytes += blocks[f];
  }
  std::vector<unsigned char> block(bytes, 0);
  std::size_t from = 0;
  std::size_t to = 0;
  for (std::size_t f = 0; f < plan.count; ++f) {
    std::copy_n(own.data() + from, lengths[f], block.data() + to);
    from += lengths[f];
    to += blocks[f];
  }
  std::vector<unsigned char> all(bytes * static_cast<std::size_t>(comm.size()));
  check_mpi(MPI_Allgather(block.data(), static_cast<int>(bytes), MPI_BYTE, all.data(),
                          static_cast<int>(bytes), MPI_BYTE, comm.get()),
            "MPI_Allgather");
  // From here on all ranks compute the same, errors included.
  from = 0;
  for (std::size_t f = 0; f < plan.count; ++f) {
    OwnedForest whole;
    check(isofold_forest_create(plan.folds[f], plan.request.type, plan.slice.total, whole.out()));
    for (int rank = 0; rank < comm.size(); ++rank) {
      OwnedForest part;
      check(isofold_forest_from_bytes(all.data() + bytes * static_cast<std::size_t>(rank) + from,
                                      blocks[f], part.out()));
      check(isofold_forest_merge(whole.get(), part.get()));
    }
    check(isofold_forest_finish(whole.get(), results[f]));
    from += blocks[f];
  }
}

}  // namespace isofold::mpi::detail
