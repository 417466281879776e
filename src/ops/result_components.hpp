// The components of a fold's result: name, type and place in memory, as the result's struct says
// (result.hpp).
#pragma once

#include <cstddef>

#include <isofold/result.hpp>
#include <ops/supported_cases.hpp>

namespace isofold {

struct ComponentList {
  isofold_component component[4];
  int count = 0;
  std::size_t bytes = 0;  // of the result, without padding at its end

  // Behind those before it, where its alignment lets it lie.
  constexpr void add(const char* name, std::int32_t type, std::size_t size) {
    const std::size_t offset = (bytes + size - 1) / size * size;
    component[count++] = {name, type, static_cast<std::int32_t>(offset)};
    bytes = offset + size;
  }
};

// The public struct of a result: locations spell their padding out as folds write them.
template <class R>
struct AsDeclared {
  using type = R;
};
template <class T>
struct AsDeclared<core::LocationBytes<T>> {
  using type = Location<T>;
};
template <class T>
struct AsDeclared<core::LocationPair<T>> {
  using type = Locations<T>;
};

template <class Fold>
constexpr ComponentList components_of() {
  using Result = typename AsDeclared<typename Fold::result_type>::type;
  ComponentList all{};
  if constexpr (std::is_same_v<Result, std::uint8_t>) {
    all.add("", ISOFOLD_TYPE_boolean, sizeof(Result));
  } else if constexpr (std::is_arithmetic_v<Result>) {
    all.add("", type_number<Result>(), sizeof(Result));
  } else if constexpr (core::is_complex<Result>) {
    using Part = core::part_t<Result>;
    all.add("real", type_number<Part>(), sizeof(Part));
    all.add("imaginary", type_number<Part>(), sizeof(Part));
  } else {
    Result::components([&](const char* name, auto value) {
      all.add(name, type_number<decltype(value)>(), sizeof value);
    });
  }
  return all;
}

template <class Fold>
constexpr bool components_fill_result() {
  using Result = typename Fold::result_type;
  using Declared = typename AsDeclared<Result>::type;
  return components_of<Fold>().bytes == sizeof(Result) && sizeof(Declared) == sizeof(Result) &&
         alignof(Declared) == alignof(Result);
}

}  // namespace isofold
