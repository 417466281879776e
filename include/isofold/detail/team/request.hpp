// Requests: a fold, or several, of one view, for a call that takes many of them in one message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <isofold/detail/team/item.hpp>
#include <isofold/detail/team/placement.hpp>
#include <isofold/reducer.hpp>

namespace isofold {

namespace team::detail {

// The folds that a caller names: one, or a list.
template <class Folds>
struct ListOf;
template <Fold fold>
struct ListOf<FoldTag<fold>> {
  using type = Fused<FoldTag<fold>>;
};
template <Fold fold>
struct ListOf<ExactTag<fold>> {
  using type = Fused<ExactTag<fold>>;
};
template <class... Tags>
struct ListOf<Fused<Tags...>> {
  using type = Fused<Tags...>;
};
template <class Folds, class = void>
inline constexpr bool is_folds = false;
template <class Folds>
inline constexpr bool is_folds<Folds, std::void_t<typename ListOf<Folds>::type>> = true;

// Two views by value, of which folds of one array take the first.
template <class First, class Second>
struct Pair {
  using element_type = typename view_detail::Traits<First>::element_type;
  static constexpr bool one_result = view_detail::Traits<First>::one_result;
  First first;
  Second second;
  [[nodiscard]] auto to_request() const {
    return ViewPair<First, Second>{first, second}.to_request();
  }
};
template <class First, class Second>
Placement placement_of(const Pair<First, Second>& x) {
  return placement_of(x.first);
}

}  // namespace team::detail

namespace team {

// A request of a call, made by request(); it holds the view, no elements.
template <class View, bool is_single, class... Folds>
struct Request {
  using element_type = typename view_detail::Traits<View>::element_type;
  static constexpr bool one_result = view_detail::Traits<View>::one_result;
  template <class F>
  using result_of = result_t<F::fold, element_type>;
  template <class F>
  using returned = std::conditional_t<one_result, result_of<F>, std::vector<result_of<F>>>;
  using result_type =
      std::conditional_t<is_single, std::tuple_element_t<0, std::tuple<returned<Folds>...>>,
                         std::tuple<returned<Folds>...>>;
  static constexpr std::size_t folds = sizeof...(Folds);

  View view;
  unsigned char parameters[2 * sizeof(std::int64_t)] = {};  // of count_in_range
  std::size_t parameter_bytes = 0;

  // Adds the items of this request to a plan. Errors of the view throw here.
  template <class ToPlan>
  void add_to(ToPlan& plan, std::int32_t group, std::int32_t definition) const {
    (add<Folds>(plan, group, definition), ...);
  }
  // The result, from decode(number of an item, memory).
  template <class Exchanged>
  [[nodiscard]] result_type take(const Exchanged& exchange, std::size_t first) const {
    if constexpr (is_single) {
      return take_one<Folds...>(exchange, first);
    } else {
      return take_all(exchange, first, std::make_index_sequence<folds>());
    }
  }

 private:
  template <class Exchanged, std::size_t... i>
  [[nodiscard]] result_type take_all(const Exchanged& exchange, std::size_t first,
                                     std::index_sequence<i...>) const {
    return result_type{take_one<Folds>(exchange, first + i)...};
  }
  template <class F, class Exchanged>
  [[nodiscard]] returned<F> take_one(const Exchanged& exchange, std::size_t number) const {
    using R = result_of<F>;
    if constexpr (one_result) {
      R result{};
      exchange.decode(number, &result);
      return result;
    } else {
      reducer_detail::Room<R> room(exchange.plan().items()[number].rows);
      exchange.decode(number, room.data());
      return room.take();
    }
  }
  template <class F, class ToPlan>
  void add(ToPlan& plan, std::int32_t group, std::int32_t definition) const {
    constexpr bool is_mean_of_integers =
        F::fold == Fold::mean && std::is_integral_v<computed_t<element_type>>;
    static_assert(!is_element<element_type> || takes<F::fold, computed_t<element_type>>() ||
                      is_mean_of_integers,
                  "This fold is not defined for elements of this type (docs/folds.md has the "
                  "table).");
    static_assert(is_view<View>,
                  "A Team reduces views of elements, as a Reducer does: array(x, n), box, over, "
                  "masked, ... (isofold/shape.hpp), containers, and part() of a view.");
    auto made = view.to_request();
    detail::Item item;
    item.request = *made.pointer();
    if (item.request.layout != nullptr) {
      item.layout = *item.request.layout;
    }
    item.request.fold = static_cast<std::int32_t>(F::fold);
    if (F::is_exact || item.request.definition == ISOFOLD_DEFINITION_exact_v1) {
      item.request.definition = ISOFOLD_DEFINITION_exact_v1;
    } else {
      item.request.definition = definition;
    }
    if (isofold_fold_arrays(item.request.fold) == 1) {
      item.request.second = nullptr;
      item.request.second_stride = 0;
    }
    item.placement = detail::placement_of(view);
    item.group = group;
    item.parameter_bytes = parameter_bytes;
    std::memcpy(item.parameters, parameters, parameter_bytes);
    plan.add(std::move(item));
  }
};

namespace detail {

template <bool is_single, class View, class... Folds>
Request<View, is_single, Folds...> make_request(Fused<Folds...>, View view) {
  return {std::move(view)};
}
template <class T>
inline constexpr bool is_request = false;
template <class View, bool is_single, class... Folds>
inline constexpr bool is_request<Request<View, is_single, Folds...>> = true;
template <class... T>
using if_requests = std::enable_if_t<(sizeof...(T) > 0) && (is_request<T> && ...), int>;
template <class T>
using if_folds = std::enable_if_t<is_folds<T>, int>;
template <class T>
using if_second_view = std::enable_if_t<is_view<view_detail::view_of<T>>, int>;

}  // namespace detail

// A request of a call with several: team.reduce(reduce, request(sum, exact(rho)), request(fuse(
// minimum, maximum), t), ...) is a std::tuple of their results, by one message. `folds` is a fold,
// exact(fold), or fuse() of such; its result a value, or of several folds a std::tuple. Views and
// containers are as a Reducer takes them.
template <class Folds, class View, detail::if_folds<Folds> = 0>
[[nodiscard]] auto request(Folds, const View& x) {
  return detail::make_request<is_fold_tag<Folds>, view_detail::view_of<View>>(
      typename detail::ListOf<Folds>::type{}, view_detail::as_view(x));
}
// A request of two views, for dot and its kin; folds of one array take the first.
template <class Folds, class View, class Second, detail::if_folds<Folds> = 0,
          detail::if_second_view<Second> = 0>
[[nodiscard]] auto request(Folds, const View& x, const Second& y) {
  using Both = detail::Pair<view_detail::view_of<View>, view_detail::view_of<Second>>;
  return detail::make_request<is_fold_tag<Folds>, Both>(
      typename detail::ListOf<Folds>::type{},
      Both{view_detail::as_view(x), view_detail::as_view(y)});
}
// The number of elements x with low <= x <= high; bounds as count_in_range of a Reducer has them.
template <class View>
[[nodiscard]] auto request(
    FoldTag<Fold::count_in_range> fold, const View& x,
    reducer_detail::Bound<typename view_detail::Traits<view_detail::view_of<View>>::element_type>
        low,
    reducer_detail::Bound<typename view_detail::Traits<view_detail::view_of<View>>::element_type>
        high) {
  auto made = request(fold, x);
  const typename decltype(low)::element_type range[2] = {low.value, high.value};
  static_assert(sizeof range <= sizeof made.parameters, "Two elements fit.");
  std::memcpy(made.parameters, range, sizeof range);
  made.parameter_bytes = sizeof range;
  return made;
}

}  // namespace team
}  // namespace isofold
