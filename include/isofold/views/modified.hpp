// The common part of views that say something more about another view: skip_nan(x), exact(x).
#pragma once

#include <isofold/views/range.hpp>

namespace isofold::view_detail {

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
