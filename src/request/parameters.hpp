// Parameters that a fold takes beside its elements: those of count_in_range.
#pragma once

#include <type_traits>

#include <request/converted_elements.hpp>

namespace isofold {

template <class Fold, class = void>
struct TakesParameters : std::false_type {};
template <class Fold>
struct TakesParameters<Fold, std::void_t<decltype(Fold::parameters)>> : std::true_type {};

// The fold with the parameters of a request, which are elements of its type.
template <class Fold>
Fold with_parameters(Fold fold, [[maybe_unused]] const isofold_request& request) {
  if constexpr (TakesParameters<Fold>::value) {
    typename Fold::element_type buffer[Fold::parameters];
    fold.take(as_computed(request, request.parameters, Fold::parameters, buffer));
  }
  return fold;
}

}  // namespace isofold
