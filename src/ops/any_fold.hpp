// A fold behind function pointers, for loops that would otherwise be compiled once for each of
// about a hundred cases. States and results are bytes of the sizes given.
#pragma once

#include <cstddef>
#include <cstring>

#include <isofold/detail/core/chunk.hpp>
#include <ops/supported_cases.hpp>
#include <request/parameters.hpp>

namespace isofold {

struct AnyFold {
  std::size_t element_bytes;
  std::size_t state_bytes;
  std::size_t result_bytes;
  // The state of `count` elements, 1 to 1024; `request` has the fold's parameters.
  void (*chunk)(const isofold_request& request, const void* data, const void* second,
                std::int64_t begin, int count, void* state);
  void (*combine)(const void* left, const void* right, void* state);  // `state` may be either
  void (*move)(void* state, std::int64_t by);                         // core::moved_state
  void (*finish)(const void* root, std::int64_t count, void* result);
  void (*empty)(void* result);
};

// The functions of a fold that do not depend on how its chunks are folded.
template <class Fold>
struct FoldOfBytes {
  using State = typename Fold::state_type;

  template <class Value>
  static Value get(const void* bytes) {
    Value value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
  template <class Value>
  static void put(void* bytes, const Value& value) {
    std::memcpy(bytes, &value, sizeof value);
  }
  static void combine(const void* left, const void* right, void* state) {
    put(state, Fold{}.combine(get<State>(left), get<State>(right)));
  }
  static void move(void* state, std::int64_t by) {
    put(state, core::moved_state<Fold>(get<State>(state), by));
  }
  static void finish(const void* root, std::int64_t count, void* result) {
    put(result, Fold{}.finish(get<State>(root), count));
  }
  static void empty(void* result) { put(result, Fold{}.empty()); }
};

// FoldChunk::fold(fold, elements, begin, count) makes a chunk's state.
template <class Fold, class FoldChunk>
struct Erased : FoldOfBytes<Fold> {
  using Element = typename Fold::element_type;
  using Bytes = FoldOfBytes<Fold>;

  static void chunk(const isofold_request& request, const void* data, const void* second,
                    std::int64_t begin, int count, void* state) {
    const core::Elements<Fold> x{static_cast<const Element*>(data),
                                 static_cast<const Element*>(second)};
    Bytes::put(state, FoldChunk::fold(with_parameters(Fold{}, request), x, begin, count));
  }

  static constexpr AnyFold fold{sizeof(Element),
                                sizeof(typename Fold::state_type),
                                sizeof(typename Fold::result_type),
                                chunk,
                                Bytes::combine,
                                Bytes::move,
                                Bytes::finish,
                                Bytes::empty};
};

}  // namespace isofold
