// Exact: a partial result of exact_v1, for data that are spread over processes, devices or time, in
// any way: there is no order and no numbering of elements. Partial results are merged by adding
// their words, which are 64-bit integers, so that a sum of integers by MPI or NCCL merges them:
//
//   isofold::Exact<isofold::Fold::sum, double> local;
//   local.add(reduce, isofold::interior(field, 1));
//   MPI_Allreduce(MPI_IN_PLACE, local.words(), local.word_count(), MPI_INT64_T, MPI_SUM, comm);
//   const double total = local.finish();  // the same bits on any number of ranks
//
// A sum in one call needs none of it: reduce.sum(exact(x)), with exact() of views/exact.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <isofold/error.hpp>
#include <isofold/fold.hpp>
#include <isofold/reducer.hpp>

namespace isofold {

// The partial result of a fold that keeps sums (docs/exact.md) over elements T; Widened<float> for
// floats whose result is a double. Errors throw, and leave it as it was.
template <Fold fold, class T>
class Exact {
  static constexpr std::int32_t number = static_cast<std::int32_t>(fold);
  static constexpr std::int32_t computed = element_number<computed_t<T>>();

 public:
  // Makes the partial result of no elements. A fold that keeps no sums throws unsupported.
  Exact() : words_(static_cast<std::size_t>(isofold_exact_words(number, computed))) {
    if (words_.empty()) {  // asked again for its sentence
      std::int64_t zero = 0;
      check(isofold_exact_merge(number, computed, &zero, &zero, 1));
    }
  }

  // Adds the elements of a view of one result (an array, a box, ...), which `reducer` reads; it
  // blocks. Of a fold of two arrays, both.
  template <class View>
  void add(Reducer& reducer, const View& x) {
    add_request(reducer, view_detail::as_view(x));
  }
  template <class View, class Second>
  void add(Reducer& reducer, const View& x, const Second& y) {
    using Pair = ViewPair<view_detail::view_of<View>, view_detail::view_of<Second>>;
    add_request(reducer, Pair{view_detail::as_view(x), view_detail::as_view(y)});
  }
  // Adds the elements of another partial result, or takes them away again (which must have been
  // added before; a sum that is zero afterwards is +0).
  void merge(const Exact& other) { merge(other, 1); }
  void subtract(const Exact& other) { merge(other, -1); }

  // The words: whoever adds those of up to 2^30 partial results, one by one, merges them.
  [[nodiscard]] std::int64_t* words() noexcept { return words_.data(); }
  [[nodiscard]] const std::int64_t* words() const noexcept { return words_.data(); }
  // As an int, which MPI counts by.
  [[nodiscard]] int word_count() const noexcept { return static_cast<int>(words_.size()); }

  // The result, rounded once; of no elements the fold's empty value. A sum of integers that its
  // type does not hold throws out_of_range, words that are no partial result mismatch.
  [[nodiscard]] result_t<fold, T> finish() const {
    result_t<fold, T> result{};
    check(isofold_exact_finish(number, computed, words_.data(), &result));
    return result;
  }

  // Little-endian bytes (docs/exact.md), as many for every partial result of this fold and type.
  [[nodiscard]] std::vector<unsigned char> to_bytes() const {
    std::size_t bytes = max_bytes();
    std::vector<unsigned char> memory(bytes);
    check(isofold_exact_to_bytes(number, computed, words_.data(), memory.data(), &bytes));
    return memory;
  }
  // Reads such bytes, which zeros may follow. Others, and changed ones, throw mismatch.
  [[nodiscard]] static Exact from_bytes(const void* memory, std::size_t bytes) {
    Exact made;
    check(isofold_exact_from_bytes(number, computed, memory, bytes, made.words()));
    return made;
  }
  [[nodiscard]] static std::size_t max_bytes() {
    std::size_t bytes = 0;
    const Exact empty;
    check(isofold_exact_to_bytes(number, computed, empty.words(), nullptr, &bytes));
    return bytes;
  }

 private:
  template <class View>
  void add_request(Reducer& reducer, const View& x) {
    static_assert(
        view_detail::Traits<View>::one_result,
        "A partial result is of one row: give the view without its axes, or a row of it.");
    static_assert(
        std::is_same_v<computed_t<typename view_detail::Traits<View>::element_type>, computed_t<T>>,
        "The elements of this view are of another type than those of this partial result.");
    auto request = x.to_request();
    std::vector<std::int64_t> added(words_.size());
    request.plain.definition = ISOFOLD_DEFINITION_exact_v1;
    request.plain.fold = number;
    request.plain.result = added.data();
    request.plain.flags |= ISOFOLD_BLOCKING | ISOFOLD_STATE;
    check(isofold_reduce(reducer.handle(), request.pointer()));
    check(isofold_exact_merge(number, computed, words_.data(), added.data(), 1));
  }
  void merge(const Exact& other, std::int32_t sign) {
    check(isofold_exact_merge(number, computed, words_.data(), other.words_.data(), sign));
  }

  std::vector<std::int64_t> words_;
};

}  // namespace isofold
