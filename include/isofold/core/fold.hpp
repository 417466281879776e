// The fold concept: what a reduction computes, as one small host+device struct.
// A fold F is copyable and has, for element x, index i of x in its row, states a (left) and b:
//
//   F::element_type, F::state_type, F::result_type
//   lift(x, i) -> state              accumulate(s, x, i) -> state   (by default combine(s, lift))
//   combine(a, b) -> state           finish(s, n) -> result          empty() -> result for n = 0
//   F::commutative_bits         combine(a, b) has the bits of combine(b, a), NaN payloads aside
//   F::has_padding, padding()   combine(s, padding()) is s, bit for bit, for every s but NaN
//   F::empty_is_error           a blocking scalar call on no elements is the error empty_input
//
// States are trivially copyable. Two optional properties let CPU walks run on SIMD vectors:
//
//   F::lift_is_conversion       lift(x, i) is x as a state_type, accumulate is the default, and
//                               combine also takes GNU vectors of states
//   F::selects                  the result is an element: see folds/extremum.hpp
#pragma once

#include <type_traits>

#include <isofold/core/number.hpp>

namespace isofold::core {

template <class Fold>
struct CheckFold {
  static_assert(std::is_trivially_copyable_v<Fold> &&
                    std::is_trivially_copyable_v<typename Fold::state_type>,
                "Folds and states travel to devices and into Forests as bytes.");
  static_assert(std::is_same_v<decltype(Fold::commutative_bits), const bool> &&
                    std::is_same_v<decltype(Fold::has_padding), const bool> &&
                    std::is_same_v<decltype(Fold::empty_is_error), const bool>,
                "A fold states its three properties.");
  static constexpr bool value = true;
};

}  // namespace isofold::core
