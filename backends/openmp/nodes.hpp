// How nodes of the tree are made, for the one walk over rows and threads (row_walk.hpp):
//   BlockNodes  of a fold that has a walk for blocks of chunks (block_fold.hpp): the fast ones
//   ChunkNodes  of any fold, chunk by chunk through function pointers, so that the walk is compiled
//               once for all of them
#pragma once

#include <any_fold.hpp>
#include <isofold/core/run.hpp>

#include "block_fold.hpp"
#include "chunk_fold.hpp"

namespace isofold::openmp {
namespace {

template <class Fold, int bits>
struct BlockNodes {
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;
  using Combine = Fold;
  using Row = const Element*;
  using Block = BlockFold<Lanes<Fold, bits>>;
  static constexpr int most_level = block_level;

  const isofold_request& request;

  ISOFOLD_INLINE Combine combine() const { return {}; }
  ISOFOLD_INLINE Row row_at(std::int64_t row) const {
    return static_cast<const Element*>(request.data) + row * request.stride;
  }
  // The whole row, of at most a block.
  template <int streams>
  ISOFOLD_INLINE State short_row(Row x, std::int64_t n) const {
    return n <= core::chunk_elements ? Block::fold_one(x, n) : Block::template fold<streams>(x, n);
  }
  // The node of a row whose elements are [first, first + count).
  template <int streams>
  ISOFOLD_INLINE State node(Row x, std::int64_t first, std::int64_t count) const {
    return Block::template fold<streams>(x + first, count);
  }
  ISOFOLD_INLINE void write(std::int64_t row, const State& root) const {
    if (__builtin_expect((request.flags & ISOFOLD_STATE) != 0, 0)) {
      static_cast<State*>(request.result)[row] = root;
    } else {
      static_cast<typename Fold::result_type*>(request.result)[row] =
          Fold{}.finish(root, request.length);
    }
  }
  void write_empty(std::int64_t row) const {
    static_cast<typename Fold::result_type*>(request.result)[row] = Fold{}.empty();
  }
};

// A state of any fold.
struct AnyState {
  alignas(16) unsigned char bytes[core::most_state_bytes];
};

template <int bits>
struct ChunkOnVectors {
  template <class Fold>
  static typename Fold::state_type fold(const Fold& fold, const core::Elements<Fold>& x,
                                        std::int64_t begin, int count) {
    return fold_chunk_on_vectors<Fold, bits>(fold, x, begin, count);
  }
};

struct ChunkNodes {
  using State = AnyState;
  struct Combine {
    using state_type = AnyState;
    const AnyFold* fold;
    AnyState combine(const AnyState& left, const AnyState& right) const {
      AnyState state;
      fold->combine(left.bytes, right.bytes, state.bytes);
      return state;
    }
  };
  struct Row {
    const char* data;
    const char* second;
  };
  static constexpr int most_level = 0;

  const isofold_request& request;
  const AnyFold& fold;

  Combine combine() const { return {&fold}; }
  Row row_at(std::int64_t row) const {
    const auto bytes = static_cast<std::int64_t>(fold.element_bytes);
    const auto* second = static_cast<const char*>(request.second);
    return {static_cast<const char*>(request.data) + row * request.stride * bytes,
            second != nullptr ? second + row * request.second_stride * bytes : nullptr};
  }
  template <int streams>
  State short_row(const Row& x, std::int64_t n) const {
    return node<streams>(x, 0, n);
  }
  template <int streams>
  State node(const Row& x, std::int64_t first, std::int64_t count) const {
    const std::int64_t offset = first * static_cast<std::int64_t>(fold.element_bytes);
    AnyState state;
    fold.chunk(request, x.data + offset, x.second != nullptr ? x.second + offset : nullptr, first,
               static_cast<int>(count), state.bytes);
    return state;
  }
  void write(std::int64_t row, const State& root) const {
    char* const results = static_cast<char*>(request.result);
    if ((request.flags & ISOFOLD_STATE) != 0) {
      std::memcpy(results + row * static_cast<std::int64_t>(fold.state_bytes), root.bytes,
                  fold.state_bytes);
    } else {
      fold.finish(root.bytes, request.length, result(row));
    }
  }
  void write_empty(std::int64_t row) const { fold.empty(result(row)); }

 private:
  char* result(std::int64_t row) const {
    return static_cast<char*>(request.result) + row * static_cast<std::int64_t>(fold.result_bytes);
  }
};

}  // namespace
}  // namespace isofold::openmp
