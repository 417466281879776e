// How nodes of the tree are made, for the one walk over rows and threads (row_walk.hpp):
//   BlockNodes  of a fold that has a walk for blocks of chunks (block_fold.hpp): the fast ones
//   ChunkNodes  of any fold, chunk by chunk through function pointers, so that the walk is compiled
//               once for all of them
//   StagedNodes of any fold, piece by piece through function pointers, for elements that are not
//               those that the fold takes, or not one after the other (stage.hpp)
#pragma once

#include <any_fold.hpp>
#include <isofold/core/run.hpp>

#include "block_fold.hpp"
#include "chunk_fold.hpp"
#include "stage.hpp"

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
  static constexpr bool is_ragged() { return false; }
  ISOFOLD_INLINE std::int64_t length(std::int64_t) const { return request.length; }
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

// Joining and writing the states of any fold.
struct AnyNodes {
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

  const isofold_request& request;
  const AnyFold& fold;

  Combine combine() const { return {&fold}; }
  void write(std::int64_t row, const State& root, std::int64_t length) const {
    char* const results = static_cast<char*>(request.result);
    if ((request.flags & ISOFOLD_STATE) != 0) {
      std::memcpy(results + row * static_cast<std::int64_t>(fold.state_bytes), root.bytes,
                  fold.state_bytes);
    } else {
      fold.finish(root.bytes, length, result(row));
    }
  }
  void write_empty(std::int64_t row) const { fold.empty(result(row)); }

 private:
  char* result(std::int64_t row) const {
    return static_cast<char*>(request.result) + row * static_cast<std::int64_t>(fold.result_bytes);
  }
};

struct ChunkNodes : AnyNodes {
  struct Row {
    const char* data;
    const char* second;
  };
  static constexpr int most_level = 0;

  static constexpr bool is_ragged() { return false; }
  std::int64_t length(std::int64_t) const { return request.length; }
  void write(std::int64_t row, const State& root) const {
    AnyNodes::write(row, root, request.length);
  }
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
};

// Folds that have a walk for blocks fold several chunks at once from the buffer.
template <class Fold>
inline constexpr int piece_level = has_lanes<Fold> ? 2 : 0;

template <int bits>
struct PieceOnVectors {
  template <class Fold>
  static typename Fold::state_type fold(const Fold& fold, const core::Elements<Fold>& x,
                                        std::int64_t begin, int count) {
    if constexpr (has_lanes<Fold>) {
      return BlockFold<Lanes<Fold, bits>>::template fold<1>(x.data, count);
    } else {
      return fold_chunk_on_vectors<Fold, bits>(fold, x, begin, count);
    }
  }
};

// A piece is a node of at most most_level, or the row's last.
template <int level>
struct StagedNodes : AnyNodes {
  using Row = std::int64_t;  // its number
  static constexpr int most_level = level;
  // Folds of two arrays go chunk by chunk.
  static constexpr int arrays = level == 0 ? 2 : 1;
  using Room = StageRoom<(core::chunk_elements << level)>;

  const Stage& stage;

  // Whether rows have lengths of their own.
  bool is_ragged() const {
    return stage.packed != nullptr && request.shape != ISOFOLD_SHAPE_gather;
  }
  std::int64_t length(std::int64_t row) const {
    return stage.packed != nullptr ? isofold_packed::length_of(*stage.packed, row) : request.length;
  }
  void write(std::int64_t row, const State& root) const { AnyNodes::write(row, root, length(row)); }
  Row row_at(std::int64_t row) const { return row; }
  template <int streams>
  State short_row(Row row, std::int64_t n) const {
    return fold_piece({row, 0, n});
  }
  template <int streams>
  State node(Row row, std::int64_t first, std::int64_t count) const {
    return fold_piece({row, first, count});
  }

 private:
  State fold_piece(const Piece& piece) const {
    Room room[arrays];
    const void* x = deliver(stage, request, 0, piece, room[0]);
    const void* y = nullptr;
    if constexpr (arrays == 2) {
      y = request.second == nullptr ? nullptr : deliver(stage, request, 1, piece, room[1]);
    }
    AnyState state;
    fold.chunk(request, x, y, piece.first, static_cast<int>(piece.count), state.bytes);
    return state;
  }
};

}  // namespace
}  // namespace isofold::openmp
