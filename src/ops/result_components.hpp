// What the components of a fold's result are: name, type and place in memory.
#pragma once

#include <cstddef>

#include <ops/supported_cases.hpp>

namespace isofold {

// The result of several components that a fold has, in docs/folds.md's words. Whether they lie in
// memory as result.hpp says is asserted where this is used.
struct ComponentList {
  isofold_component component[4];
  int count = 0;

  constexpr void add(const char* name, std::int32_t type, std::size_t offset) {
    component[count++] = {name, type, static_cast<std::int32_t>(offset)};
  }
};

// By the type of the result.
template <class T, class R>
struct ComponentsOf {
  static constexpr ComponentList list() {
    ComponentList all{};
    constexpr bool boolean = std::is_same_v<R, std::uint8_t>;
    all.add("", boolean ? ISOFOLD_TYPE_boolean : type_number<R>(), 0);
    return all;
  }
};
template <class T, class S>
struct ComponentsOf<T, core::Complex<S>> {
  static constexpr ComponentList list() {
    ComponentList all{};
    all.add("real", type_number<S>(), 0);
    all.add("imaginary", type_number<S>(), sizeof(S));
    return all;
  }
};
template <class T>
struct ComponentsOf<T, core::LocationBytes<T>> {
  static constexpr ComponentList list() {
    ComponentList all{};
    using Location = core::LocationBytes<T>;
    all.add("value", type_number<T>(), offsetof(Location, value));
    all.add("index", ISOFOLD_TYPE_i64, offsetof(Location, index));
    return all;
  }
};
template <class T>
struct ComponentsOf<T, core::LocationPair<T>> {
  static constexpr ComponentList list() {
    constexpr std::size_t second = sizeof(core::LocationBytes<T>);
    using Location = core::LocationBytes<T>;
    constexpr std::size_t index = offsetof(Location, index);
    ComponentList all{};
    all.add("minimum", type_number<T>(), 0);
    all.add("minimum_index", ISOFOLD_TYPE_i64, index);
    all.add("maximum", type_number<T>(), second);
    all.add("maximum_index", ISOFOLD_TYPE_i64, second + index);
    return all;
  }
};
template <class T>
struct ComponentsOf<T, core::MomentsResult> {
  static constexpr ComponentList list() {
    ComponentList all{};
    all.add("count", ISOFOLD_TYPE_i64, offsetof(core::MomentsResult, count));
    all.add("mean", ISOFOLD_TYPE_f64, offsetof(core::MomentsResult, mean));
    all.add("m2", ISOFOLD_TYPE_f64, offsetof(core::MomentsResult, m2));
    return all;
  }
};

// Two of the element's type; the fold says what they are.
template <class Fold>
struct PairNames {
  static constexpr const char* first = "value";
  static constexpr const char* second = "bound";
};
template <class T>
struct PairNames<core::MinimumMaximum<T>> {
  static constexpr const char* first = "minimum";
  static constexpr const char* second = "maximum";
};
template <class T>
struct PairNames<core::SoftmaxOf<T>> {
  static constexpr const char* first = "maximum";
  static constexpr const char* second = "sum";
};
template <class T>
struct PairNames<core::WeightedSum<T>> {
  static constexpr const char* first = "sum";
  static constexpr const char* second = "weight";
};

template <class Fold>
constexpr ComponentList components_of() {
  using T = typename Fold::element_type;
  using R = typename Fold::result_type;
  if constexpr (std::is_same_v<R, core::Two<T>>) {
    ComponentList all{};
    all.add(PairNames<Fold>::first, type_number<T>(), 0);
    all.add(PairNames<Fold>::second, type_number<T>(), sizeof(T));
    return all;
  } else {
    return ComponentsOf<T, R>::list();
  }
}

}  // namespace isofold
