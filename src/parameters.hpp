// Folds that take parameters beside their elements: count_in_range.
#pragma once

#include <type_traits>

#include <isofold/isofold.h>

namespace isofold {

template <class Fold, class = void>
struct TakesParameters : std::false_type {};
template <class Fold>
struct TakesParameters<Fold, std::void_t<decltype(Fold::parameters)>> : std::true_type {};

// The fold with the parameters of a request.
template <class Fold>
Fold with_parameters(Fold fold, [[maybe_unused]] const isofold_request& request) {
  if constexpr (TakesParameters<Fold>::value) {
    fold.take(static_cast<const typename Fold::element_type*>(request.parameters));
  }
  return fold;
}

}  // namespace isofold
