// Results as bytes without padding: what tests compare, and hash.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <isofold/isofold.hpp>

namespace bits {

template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
void add(std::string& to, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  to.append(bytes, sizeof value);
}
template <class T>
void add(std::string& to, const std::complex<T>& z) {
  add(to, z.real());
  add(to, z.imag());
}
template <class T>
void add(std::string& to, const isofold::Location<T>& at) {
  add(to, at.value);
  add(to, at.index);
}
template <class T>
void add(std::string& to, const isofold::Locations<T>& at) {
  add(to, at.minimum);
  add(to, at.maximum);
}
template <class T>
void add(std::string& to, const isofold::Extent<T>& extent) {
  add(to, extent.minimum);
  add(to, extent.maximum);
}
inline void add(std::string& to, const isofold::Moments& moments) {
  add(to, moments.count);
  add(to, moments.mean);
  add(to, moments.m2);
}
template <class T>
void add(std::string& to, const isofold::WeightedSum<T>& sum) {
  add(to, sum.sum);
  add(to, sum.weight);
}
template <class T>
void add(std::string& to, const std::vector<T>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    add(to, static_cast<T>(values[i]));
  }
}
template <class... T>
void add(std::string& to, const std::tuple<T...>& values) {
  std::apply([&](const auto&... value) { (add(to, value), ...); }, values);
}

template <class R>
[[nodiscard]] std::string of(const R& result) {
  std::string made;
  add(made, result);
  return made;
}

}  // namespace bits
