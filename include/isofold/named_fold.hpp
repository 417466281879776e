// Folds that are known by name, or number, at run time, and the result of any of them:
// reduce.fold("sum", x) (reducer.hpp).
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <isofold/detail/nearest_name.hpp>
#include <isofold/element.hpp>
#include <isofold/error.hpp>
#include <isofold/fold.hpp>
#include <isofold/result.hpp>

namespace isofold {

// "sum" for Fold::sum; "" for a number that is no fold.
[[nodiscard]] inline const char* name_of(Fold fold) {
  return isofold_fold_name(static_cast<std::int32_t>(fold));
}

// All folds, in the order of docs/folds.md's numbers.
[[nodiscard]] inline std::vector<std::string> fold_names() {
  return {
#define ISOFOLD_NAME(name, number) #name,
      ISOFOLD_FOLDS(ISOFOLD_NAME)
#undef ISOFOLD_NAME
  };
}

// The fold of that name, as the enumerators of Fold are spelt; nothing if there is none.
[[nodiscard]] inline std::optional<Fold> find_fold(const std::string& name) {
#define ISOFOLD_FIND(fold, number) \
  if (name == #fold) {             \
    return Fold::fold;             \
  }
  ISOFOLD_FOLDS(ISOFOLD_FIND)
#undef ISOFOLD_FIND
  return std::nullopt;
}

// The fold of that name. Another name throws invalid_argument, with the one that was probably
// meant.
[[nodiscard]] inline Fold fold_named(const std::string& name) {
  const std::optional<Fold> fold = find_fold(name);
  const std::string without_nan = name.compare(0, 3, "nan") == 0 ? name.substr(3) : "";
  const std::string meant = detail::nearest_name(without_nan, fold_names());
  if (!fold.has_value() && !without_nan.empty() && !meant.empty()) {
    throw Error(Code::invalid_argument, "'" + name + "' is no fold; skip_nan(x) leaves NaNs out: " +
                                            "reduce.fold(\"" + meant + "\", skip_nan(x)).");
  }
  if (!fold.has_value()) {
    throw Error(Code::invalid_argument, detail::no_such_name("fold", name, fold_names()) + ".");
  }
  return *fold;
}

// A component of a result: a bool, or one of the real types that folds compute in (lists.h).
#define ISOFOLD_OR(name, number, c_type) , c_type
using Number = std::variant<bool ISOFOLD_REAL_TYPES(ISOFOLD_OR)>;
#undef ISOFOLD_OR

// The result of any fold. Its components are those of docs/folds.md, by name and in order; a result
// of one component has the name "", and a complex number has "real" and "imaginary". It is cheap to
// copy.
class AnyResult {
 public:
  static constexpr std::size_t most_bytes = 32;  // that a result has
  struct Component {
    std::string name;
    Number value;
  };

  // The result that lies at `memory`, of a fold over elements that are computed in `type`.
  AnyResult(Fold fold, Type type, const void* memory) : fold_(fold), type_(type) {
    std::memcpy(memory_, memory, bytes());
  }

  [[nodiscard]] Fold fold() const noexcept { return fold_; }
  // The type that the elements are computed in (computed_t): f32 for those of f16.
  [[nodiscard]] Type type() const noexcept { return type_; }

  // All components: for (const auto& [name, value] : result.components()) std::visit(..., value).
  [[nodiscard]] std::vector<Component> components() const {
    std::vector<Component> made;
    for (const isofold_component& component : described()) {
      made.push_back({component.name, number(component)});
    }
    return made;
  }

  // The result as the type that the fold has over these elements: as<float>() of a sum of floats,
  // as<Location<double>>() of an argmin of doubles. Another type throws invalid_argument.
  template <class R>
  [[nodiscard]] R as() const {
    std::vector<Named> wanted;
    if constexpr (std::is_arithmetic_v<R>) {
      wanted.push_back({"", component_type<R>()});
    } else if constexpr (!std::is_same_v<real_t<R>, R>) {
      wanted = {{"real", component_type<real_t<R>>()}, {"imaginary", component_type<real_t<R>>()}};
    } else {
      R::components([&](const char* name, auto value) {
        wanted.push_back({name, component_type<decltype(value)>()});
      });
    }
    std::vector<Named> found;
    for (const isofold_component& component : described()) {
      found.push_back({component.name, component.type});
    }
    if (wanted != found || sizeof(R) != bytes()) {
      throw Error(Code::invalid_argument,
                  std::string("The result of ") + name_of(fold_) + " over " +
                      isofold_type_name(static_cast<std::int32_t>(type_)) + " is " +
                      text_of(found) + ", not " + text_of(wanted) + ".");
    }
    R result;
    std::memcpy(static_cast<void*>(&result), memory_, sizeof result);
    return result;
  }

 private:
  static constexpr std::int32_t most_components = 4;
  using Named = std::pair<std::string, std::int32_t>;  // a component's name and isofold_type

  template <class T>
  static constexpr std::int32_t component_type() {
    if constexpr (std::is_same_v<T, bool>) {
      return ISOFOLD_TYPE_boolean;
    } else {
      return static_cast<std::int32_t>(type_of<T>);
    }
  }

  // "value (f32), index (i64)".
  static std::string text_of(const std::vector<Named>& components) {
    std::string text;
    for (const auto& [name, type] : components) {
      const std::string of_type =
          type == ISOFOLD_TYPE_boolean ? "boolean" : isofold_type_name(type);
      text += (text.empty() ? "" : ", ") +
              (name.empty() ? "of type " + of_type : name + " (" + of_type + ")");
    }
    return text;
  }

  [[nodiscard]] std::size_t bytes() const {
    return static_cast<std::size_t>(
        isofold_result_bytes(static_cast<std::int32_t>(fold_), static_cast<std::int32_t>(type_)));
  }
  std::vector<isofold_component> described() const {
    std::vector<isofold_component> components(most_components);
    components.resize(static_cast<std::size_t>(isofold_result_components(
        static_cast<std::int32_t>(fold_), static_cast<std::int32_t>(type_), components.data(),
        most_components)));
    return components;
  }
  template <class T>
  T at(std::int32_t offset) const {
    T value;
    std::memcpy(&value, memory_ + offset, sizeof value);
    return value;
  }
  Number number(const isofold_component& component) const {
    switch (component.type) {
#define ISOFOLD_READ(name, number, c_type) \
  case ISOFOLD_TYPE_##name: return at<c_type>(component.offset);
      ISOFOLD_REAL_TYPES(ISOFOLD_READ)
#undef ISOFOLD_READ
      default: return at<bool>(component.offset);
    }
  }

  Fold fold_;
  Type type_;
  unsigned char memory_[most_bytes] = {};
};

}  // namespace isofold
