// The fold concept, for those who write folds and kernels: a fold says what a reduction computes,
// as one small host and device struct.
//
// A pass folds one chunk's elements to one value. It is a copyable struct P with
//
//   P::element_type             what lies in memory; P::value_type what it becomes, exactly
//   lane<V>                     what a lane holds: V, Two<V>, Indexed<...> (lane.hpp); V is
//                               value_type, or a vector of them if P::on_vectors
//   lift(x, i), accumulate(s, x, i)   x (and, with two arrays, y) of type V; i: the index in the
//                               chunk, integers of V's shape
//   combine(a, b)               commutative bit for bit, NaN payloads aside
//   P::has_identity, lane_identity<V>() combine(s, padding) is s, bit for bit, for every s but NaN,
//                               and accumulate(padding, x, i) is lift(x, i)
//
// A fold F is copyable and has
//
//   F::element_type, F::state_type, F::result_type (a number, or a struct of result.hpp)
//   F::arrays                   1, or 2: elements are pairs from two arrays
//   F::stages                   how many passes a chunk takes
//     1: first()                the pass; F itself by default
//        chunk(s, begin, n)     the chunk's state from the pass over its n elements, the first of
//                               which has index `begin` in its row; s itself by default
//     2: first(), second(s1, n), chunk(s1, s2, n)
//        is_likely(s1), likely_second(s1, n)   optional: the same pass, to the bit, in fewer
//                               operations, if s1 is likely
//        one_pass(), is_enough(s), chunk(s, n)   optional: one pass that makes the same state, to
//                               the bit, if its value is enough
//   combine(a, b)               two states, a the left one
//   finish(s, n) -> result      empty() -> result for n = 0
//   F::commutative_bits         combine(a, b) has the bits of combine(b, a), NaN payloads aside
//   F::has_identity, identity()   as above, for states
//   moved(s, by)                if states hold indices: the state of elements `by` further on
//   F::parameters, take(x)      if it needs parameters: how many elements, and what they are
//   F::empty_is_error           a blocking call on no elements is the error empty_input
//
// States are trivially copyable. The simplest folds are their own pass: sum.hpp.
#pragma once

#include <isofold/detail/core/lane.hpp>
#include <isofold/result.hpp>

namespace isofold::core {

// The members of a fold that is its own pass, over one array.
struct OnePass {
  static constexpr int arrays = 1;
  static constexpr int stages = 1;
};

template <class Fold, class = void>
struct IsItsOwnPass : std::true_type {};
template <class Fold>
struct IsItsOwnPass<Fold, std::void_t<decltype(std::declval<Fold>().first())>> : std::false_type {};
template <class Fold>
inline constexpr bool is_its_own_pass = IsItsOwnPass<Fold>::value;

template <class Fold>
ISOFOLD_HOST_DEVICE inline auto first_pass(const Fold& fold) {
  if constexpr (is_its_own_pass<Fold>) {
    return fold;
  } else {
    return fold.first();
  }
}
template <class Fold>
using FirstPass = decltype(first_pass(std::declval<Fold>()));

template <class Fold, class = void>
struct HasLikelySecond : std::false_type {};
template <class Fold>
struct HasLikelySecond<Fold, std::void_t<decltype(&Fold::is_likely)>> : std::true_type {};
template <class Fold>
inline constexpr bool has_likely_second = HasLikelySecond<Fold>::value;

template <class Fold, class = void>
struct HasOnePass : std::false_type {};
template <class Fold>
struct HasOnePass<Fold, std::void_t<decltype(std::declval<Fold>().one_pass())>> : std::true_type {};
template <class Fold>
inline constexpr bool has_one_pass = HasOnePass<Fold>::value;

template <class Pass>
using LaneOf = typename Pass::template lane<typename Pass::value_type>;

// The padding of a pass; if a fold is its own pass, the fold's padding.
template <class Pass, class = void>
struct IsFold : std::false_type {};
template <class Pass>
struct IsFold<Pass, std::void_t<typename Pass::state_type>> : std::true_type {};
template <class Pass>
ISOFOLD_HOST_DEVICE inline LaneOf<Pass> lane_identity(const Pass& pass) {
  if constexpr (IsFold<Pass>::value) {
    return pass.identity();
  } else {
    return pass.template lane_identity<typename Pass::value_type>();
  }
}

// The state of a chunk of a one-stage fold.
template <class Fold>
ISOFOLD_HOST_DEVICE inline typename Fold::state_type chunk_state(
    const Fold& fold, LaneOf<FirstPass<Fold>> lane, [[maybe_unused]] std::int64_t begin,
    [[maybe_unused]] int count) {
  static_assert(Fold::stages == 1, "Two-stage folds make their chunk of two values.");
  if constexpr (is_its_own_pass<Fold>) {
    return lane;
  } else {
    return fold.chunk(lane, begin, count);
  }
}

// The elements of one row: an array, or two side by side.
template <class Fold>
struct Elements {
  const typename Fold::element_type* data = nullptr;
  const typename Fold::element_type* second = nullptr;  // for folds of two arrays

  ISOFOLD_HOST_DEVICE Elements from(std::int64_t i) const {
    return {data + i, Fold::arrays == 2 ? second + i : nullptr};
  }
};

// The state of elements that lie `by` further on in their row than it says, for folds whose states
// hold indices; else the state itself.
template <class Fold, class = void>
struct HoldsIndices : std::false_type {};
template <class Fold>
struct HoldsIndices<Fold, std::void_t<decltype(&Fold::moved)>> : std::true_type {};
template <class Fold>
inline typename Fold::state_type moved_state(typename Fold::state_type state,
                                             [[maybe_unused]] std::int64_t by) {
  if constexpr (HoldsIndices<Fold>::value) {
    return Fold::moved(state, by);
  } else {
    return state;
  }
}

// An element as the value that a pass takes: a conversion that changes nothing, signed integers
// extended by their sign.
template <class Pass>
ISOFOLD_HOST_DEVICE inline typename Pass::value_type value_of(typename Pass::element_type x) {
  if constexpr (is_complex<typename Pass::element_type>) {
    return {x.re, x.im};
  } else {
    return static_cast<typename Pass::value_type>(x);
  }
}

inline constexpr int most_state_bytes = 64;

template <class Fold>
struct CheckFold {
  static_assert(std::is_trivially_copyable_v<Fold> &&
                    std::is_trivially_copyable_v<typename Fold::state_type>,
                "Folds and states travel to devices and into Forests as bytes.");
  static_assert(std::is_same_v<decltype(Fold::commutative_bits), const bool> &&
                    std::is_same_v<decltype(Fold::has_identity), const bool> &&
                    std::is_same_v<decltype(Fold::empty_is_error), const bool>,
                "A fold states its three properties.");
  static_assert((Fold::arrays == 1 || Fold::arrays == 2) &&
                    (Fold::stages == 1 || Fold::stages == 2),
                "A fold has one or two arrays and one or two stages.");
  static_assert(sizeof(typename Fold::state_type) % 4 == 0 &&
                    sizeof(typename Fold::state_type) <= most_state_bytes,
                "States travel in 32-bit words, and shared memory holds many of them.");
  static constexpr bool value = true;
};

}  // namespace isofold::core
