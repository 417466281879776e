// Forest: a mergeable partial result of one array whose count is known, for arrays that are spread
// over processes, files or time. It is a set of disjoint pieces, cut between any two elements;
// merging is associative and commutative, and finish() has the bits of the array reduced at once.
// It keeps the states of whole subtrees, and the elements at the cuts (docs/tree.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <isofold/error.hpp>
#include <isofold/fold.hpp>
#include <isofold/reducer.hpp>

namespace isofold {

// The Forest of a fold of one array without parameters over elements T. Errors throw, and leave the
// Forest as it was.
template <Fold fold, class T>
class Forest {
  static_assert(accumulator_of<T> == 0,
                "A Forest computes as its elements do: convert them first.");

 public:
  // Makes an empty partial result of an array of `count` elements; a count of 0 is complete at
  // once. A negative count throws invalid_argument, a fold that has no Forest unsupported.
  explicit Forest(AnyInteger count) {
    check(isofold_forest_create(static_cast<std::int32_t>(fold), element_number<T>(), count,
                                &forest_));
  }
  // A copy has all pieces of `other`; a Forest that was moved from may only be destroyed or
  // assigned to.
  Forest(const Forest& other) { check(isofold_forest_copy(other.forest_, &forest_)); }
  Forest(Forest&& other) noexcept : forest_(std::exchange(other.forest_, nullptr)) {}
  Forest& operator=(Forest other) noexcept {
    std::swap(forest_, other.forest_);
    return *this;
  }
  ~Forest() { isofold_forest_destroy(forest_); }

  // Adds the elements [first, first + count), in any order of calls; `data` points at element
  // `first`, in host memory. Elements that are there already throw overlap. The call folds whole
  // subtrees, and copies less than a chunk of 1024 elements on either side.
  void add(const T* data, AnyInteger first, AnyInteger count) {
    check(isofold_forest_add(forest_, nullptr, data, first, count));
  }
  // Adds elements as above, folded by `reducer`: `data` lies in memory that this Reducer reads.
  void add(Reducer& reducer, const T* data, AnyInteger first, AnyInteger count) {
    check(isofold_forest_add(forest_, reducer.handle(), data, first, count));
  }
  // Adds the elements of a container, of which the first is element `first` of the array.
  template <class R, view_detail::if_range<R> = 0>
  void add(const R& x, AnyInteger first = 0) {
    add(elements_of(x).data, first, elements_of(x).count);
  }
  template <class R, view_detail::if_range<R> = 0>
  void add(Reducer& reducer, const R& x, AnyInteger first = 0) {
    add(reducer, elements_of(x).data, first, elements_of(x).count);
  }
  // Unites `other` into this Forest. Common elements throw overlap, another count mismatch.
  void merge(const Forest& other) { check(isofold_forest_merge(forest_, other.forest_)); }
  // This tells whether all of [0, count) has been added.
  [[nodiscard]] bool complete() const { return isofold_forest_complete(forest_) != 0; }
  // The result, with the bits of the array reduced at once. Until [0, count) is covered it throws
  // incomplete, naming the missing ranges. An array without elements has the fold's empty value
  // (docs/folds.md).
  [[nodiscard]] result_t<fold, T> finish() const {
    result_t<fold, T> result{};
    check(isofold_forest_finish(forest_, &result));
    return result;
  }

  // The Forest as little-endian bytes (docs/tree.md), for files and messages. A Forest of one
  // contiguous range needs at most max_bytes(), so such a Forest can be an MPI datatype of that
  // constant size.
  [[nodiscard]] std::vector<unsigned char> to_bytes() const {
    std::size_t bytes = 0;
    isofold_forest_to_bytes(forest_, nullptr, &bytes);
    std::vector<unsigned char> memory(bytes);
    check(isofold_forest_to_bytes(forest_, memory.data(), &bytes));
    return memory;
  }
  // Makes a Forest of such bytes. Bytes of another fold, type, format or definition throw mismatch,
  // and so do bytes that were cut or changed. Zeros may follow them: a message of max_bytes() is
  // read as it came.
  [[nodiscard]] static Forest from_bytes(const void* memory, std::size_t bytes) {
    isofold_forest* forest = nullptr;
    check(isofold_forest_from_bytes(memory, bytes, &forest));
    Forest result(Owned{forest});
    std::int32_t stored_fold = 0;
    std::int32_t stored_type = 0;
    isofold_forest_describe(forest, &stored_fold, &stored_type, nullptr);
    if (stored_fold != static_cast<std::int32_t>(fold) || stored_type != element_number<T>()) {
      throw Error(Code::mismatch, std::string("These bytes hold a Forest of ") +
                                      isofold_fold_name(stored_fold) + " over " +
                                      isofold_type_name(stored_type) +
                                      "; read them with a Forest of that fold and type.");
    }
    return result;
  }
  // The same of a container of bytes: to_bytes(), or a std::vector, std::span or std::array of
  // unsigned char, char or std::byte.
  template <class R, view_detail::if_range<R> = 0>
  [[nodiscard]] static Forest from_bytes(const R& bytes) {
    static_assert(sizeof(view_detail::pointed_to<R>) == 1,
                  "The bytes of a Forest are unsigned char, char or std::byte.");
    const auto stored = view_detail::array_of(bytes);
    return from_bytes(static_cast<const void*>(stored.data),
                      static_cast<std::size_t>(stored.count));
  }
  // The most bytes that a Forest of one contiguous range needs; a constant of the fold and the
  // type.
  [[nodiscard]] static std::size_t max_bytes() {
    return isofold_forest_max_bytes(static_cast<std::int32_t>(fold), element_number<T>());
  }

 private:
  template <class R>
  static auto elements_of(const R& x) {
    static_assert(std::is_same_v<view_detail::pointed_to<R>, T>,
                  "A Forest takes elements of its own type.");
    return view_detail::array_of(x);
  }
  // The bare pointer would make Forest(0), of no elements, ambiguous.
  struct Owned {
    isofold_forest* forest;
  };
  explicit Forest(Owned owned) : forest_(owned.forest) {}
  isofold_forest* forest_ = nullptr;
};

}  // namespace isofold
