// The plan of several requests, and their results as a call returns them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <isofold/detail/team/plan.hpp>
#include <isofold/detail/team/request.hpp>

namespace isofold::team::detail {

// A call's results are given back in one of two ways: that of one request, or a tuple.
template <class... Requests>
using results_t =
    std::conditional_t<sizeof...(Requests) == 1,
                       std::tuple_element_t<0, std::tuple<typename Requests::result_type...>>,
                       std::tuple<typename Requests::result_type...>>;

template <class Exchange, class... Requests, std::size_t... i>
results_t<Requests...> take_results(const Exchange& exchange,
                                    const std::tuple<Requests...>& requests,
                                    std::index_sequence<i...>) {
  if constexpr (sizeof...(Requests) == 1) {
    return std::get<0>(requests).take(exchange, 0);
  } else {
    constexpr std::size_t counts[] = {Requests::folds...};
    const auto first = [&](std::size_t request) {
      std::size_t items = 0;
      for (std::size_t r = 0; r < request; ++r) {
        items += counts[r];
      }
      return items;
    };
    return results_t<Requests...>{std::get<i>(requests).take(exchange, first(i))...};
  }
}

template <class... Requests>
Plan plan_of(const std::tuple<Requests...>& requests, Definition definition) {
  Plan plan;
  std::int32_t group = 0;
  std::apply(
      [&](const auto&... request) {
        (request.add_to(plan, group++, static_cast<std::int32_t>(definition)), ...);
      },
      requests);
  return plan;
}

}  // namespace isofold::team::detail
