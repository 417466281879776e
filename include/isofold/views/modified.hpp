// The common part of views that say something more about another view: skip_nan(x), exact(x).
#pragma once

#include <utility>

#include <isofold/views/range.hpp>

namespace isofold::view_detail {

// A temporary container, which such a view keeps.
template <class R>
struct Owned {
  using element_type = typename view_of<R>::element_type;
  static constexpr bool one_result = view_of<R>::one_result;
  R container;

  operator view_of<R>() const {  // NOLINT(misc-explicit-constructor): it is the container's view
    return as_view(container);
  }
  auto to_request() const { return as_view(container).to_request(); }
  template <class Request, class Second>
  auto add_second(Request& request, const Second& second) const
      -> decltype(std::declval<const view_of<R>&>().add_second(request, second)) {
    return as_view(container).add_second(request, second);
  }
};

// Modifier is the class of such a view. The second view of a fold of two may say the same again, or
// not.
template <template <class> class Modifier, class View>
struct Modified {
  using element_type = typename View::element_type;
  static constexpr bool one_result = View::one_result;
  View view;

  template <class Request, class Second>
  auto add_second(Request& request, const Modifier<Second>& second) const
      -> decltype(view.add_second(request, second.view)) {
    return view.add_second(request, second.view);
  }
  template <class Request, class Second>
  auto add_second(Request& request, const Second& second) const
      -> decltype(view.add_second(request, second)) {
    return view.add_second(request, second);
  }
};

}  // namespace isofold::view_detail
