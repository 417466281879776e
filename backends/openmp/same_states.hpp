// Folds that compute the same states and finish them to different results: they share the code of
// one of them. Signed and unsigned integers do likewise, where their bits are the same.
#pragma once

#include <type_traits>

#include <ops/supported_cases.hpp>
#include <request/parameters.hpp>

namespace isofold::openmp {
namespace {

// The fold of argmin and argmin_last, or of argmax and argmax_last.
template <class T, core::Toward toward>
struct LocateEither : core::Locate<T, toward, false> {
  bool last = false;
  core::LocatePass<T, toward> first() const { return {last}; }
  template <class Lane>
  core::LocationState chunk(Lane lane, std::int64_t begin, int) const {
    return core::in_row(lane, begin, last);
  }
};

// same_states_t<Fold>: the fold that computes the states of Fold, of the same bytes.
template <class Fold>
struct SameStates {
  using type = Fold;
};
template <class Fold>
using same_states_t = typename SameStates<Fold>::type;

template <class T, bool is_integer = std::is_integral_v<T>>
struct Unsigned {
  using type = std::make_unsigned_t<T>;
};
template <class T>
struct Unsigned<T, false> {
  using type = T;
};
template <class T>
using unsigned_t = typename Unsigned<T>::type;

template <>
struct SameStates<core::Sum<std::int64_t>> {
  using type = core::Sum<std::uint64_t>;
};
template <>
struct SameStates<core::Product<std::int64_t>> {
  using type = core::Product<std::uint64_t>;
};
template <class T, core::BitOperation operation>
struct SameStates<core::Bitwise<T, operation>> {
  using type = core::Bitwise<unsigned_t<T>, operation>;
};
template <class T, core::Answer answer>
struct SameStates<core::Count<T, core::Match::nonzero, answer>> {
  using type = core::CountNonzero<unsigned_t<T>>;
};
template <class T>
struct SameStates<core::CountNan<T>> {
  using type = core::CountNan<unsigned_t<T>>;
};
template <class T, core::Toward toward, bool last>
struct SameStates<core::Locate<T, toward, last>> {
  using type = LocateEither<T, toward>;
};
template <class T>
struct SameStates<core::Mean<T>> {
  using type = core::AllMoments<T>;
};
template <class T>
struct SameStates<core::Variance<T>> {
  using type = core::AllMoments<T>;
};
template <class T>
struct SameStates<core::SampleVariance<T>> {
  using type = core::AllMoments<T>;
};
template <class T>
struct SameStates<core::StandardDeviation<T>> {
  using type = core::AllMoments<T>;
};
template <class T>
struct SameStates<core::SampleStandardDeviation<T>> {
  using type = core::AllMoments<T>;
};
template <class T>
struct SameStates<core::SoftmaxOf<T>> {
  using type = core::LogSumExp<T>;
};
template <class T>
struct SameStates<core::MeanWithBound<T>> {
  using type = core::SumWithBound<T>;
};

// The fold that computes states, as a request asks for it.
template <class Fold>
struct OfRequest {
  static Fold fold(const isofold_request& request) { return with_parameters(Fold{}, request); }
};
template <class T, core::Toward toward>
struct OfRequest<LocateEither<T, toward>> {
  static LocateEither<T, toward> fold(const isofold_request& request) {
    LocateEither<T, toward> fold;
    fold.last =
        request.fold == ISOFOLD_FOLD_argmin_last || request.fold == ISOFOLD_FOLD_argmax_last;
    return fold;
  }
};

}  // namespace
}  // namespace isofold::openmp
