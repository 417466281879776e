// Folds of integers that serve several cases with one set of kernels: signed and unsigned elements,
// and both ends of their order. These kernels read integers as signed ones, T; an argument tells
// the cases apart. States are those of core/folds, bit for bit.
#pragma once

#include <isofold/detail/core/folds/bitwise.hpp>
#include <isofold/detail/core/folds/extent.hpp>
#include <isofold/detail/core/folds/location.hpp>
#include <isofold/detail/core/folds/product.hpp>

namespace isofold::gpu {

// Exchanged with this, the bits of T are signed integers in the order of T, or in the reverse one.
template <class T>
constexpr std::make_signed_t<T> turned_for(core::Toward toward) {
  using Signed = std::make_signed_t<T>;
  return static_cast<Signed>((std::is_unsigned_v<T> ? core::lowest_value<Signed> : Signed{0}) ^
                             (toward == core::Toward::highest ? Signed{-1} : Signed{0}));
}

template <class T>
struct TurnedExtremumPass {
  using element_type = T;
  using value_type = T;
  template <class V>
  using lane = V;
  static constexpr bool has_identity = true;
  T turned;

  template <class V>
  ISOFOLD_ARITHMETIC V lift(V x, core::signed_t<V>) const {
    return x ^ turned;
  }
  template <class V>
  ISOFOLD_ARITHMETIC V accumulate(V s, V x, core::signed_t<V> i) const {
    return combine(s, lift(x, i));
  }
  template <class Lane>
  ISOFOLD_ARITHMETIC Lane combine(Lane a, Lane b) const {
    return b < a ? b : a;
  }
  template <class V>
  ISOFOLD_ARITHMETIC V lane_identity() const {
    return core::highest_value<T>;
  }
};

template <class T>
struct TurnedExtremum : core::OnePass {
  using element_type = T;
  using state_type = T;
  using result_type = T;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = true;
  static constexpr bool empty_is_error = true;
  T turned;

  ISOFOLD_HOST_DEVICE TurnedExtremumPass<T> first() const { return {turned}; }
  ISOFOLD_HOST_DEVICE T chunk(T lane, std::int64_t, int) const { return lane ^ turned; }
  ISOFOLD_HOST_DEVICE T combine(T a, T b) const { return (b ^ turned) < (a ^ turned) ? b : a; }
  ISOFOLD_HOST_DEVICE T identity() const { return core::highest_value<T> ^ turned; }
  ISOFOLD_HOST_DEVICE T finish(T s, std::int64_t) const { return s; }
  ISOFOLD_HOST_DEVICE T empty() const { return identity(); }
};

template <class T>
struct TurnedEndsPass {
  using element_type = T;
  using value_type = T;
  template <class V>
  using lane = core::Two<V>;
  static constexpr bool has_identity = true;
  T turned;

  template <class V>
  ISOFOLD_ARITHMETIC lane<V> lift(V x, core::signed_t<V>) const {
    const V key = x ^ turned;
    return {key, key};
  }
  template <class V>
  ISOFOLD_ARITHMETIC lane<V> accumulate(lane<V> s, V x, core::signed_t<V> i) const {
    return combine(s, lift(x, i));
  }
  template <class Lane>
  ISOFOLD_ARITHMETIC Lane combine(Lane a, Lane b) const {
    return {b.first < a.first ? b.first : a.first, a.second < b.second ? b.second : a.second};
  }
  template <class V>
  ISOFOLD_ARITHMETIC lane<V> lane_identity() const {
    return {core::highest_value<T>, core::lowest_value<T>};
  }
};

template <class T>
struct TurnedEnds : core::OnePass {
  using element_type = T;
  using state_type = core::Two<T>;
  using result_type = core::Two<T>;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = true;
  static constexpr bool empty_is_error = true;
  T turned;

  ISOFOLD_HOST_DEVICE TurnedEndsPass<T> first() const { return {turned}; }
  ISOFOLD_HOST_DEVICE state_type chunk(state_type lane, std::int64_t, int) const {
    return exchanged(lane);
  }
  ISOFOLD_HOST_DEVICE state_type combine(state_type a, state_type b) const {
    return exchanged(first().combine(exchanged(a), exchanged(b)));
  }
  ISOFOLD_HOST_DEVICE state_type identity() const {
    return exchanged(first().template lane_identity<T>());
  }
  ISOFOLD_HOST_DEVICE result_type finish(state_type s, std::int64_t) const { return s; }
  ISOFOLD_HOST_DEVICE result_type empty() const { return identity(); }

 private:
  ISOFOLD_HOST_DEVICE state_type exchanged(state_type ends) const {
    return {ends.first ^ turned, ends.second ^ turned};
  }
};

// Keys as core::Keys makes them; those of the lower end are exchanged with `turned`.
template <class T>
struct TurnedPlacesPass {
  using element_type = T;
  using value_type = T;
  template <class V>
  using lane = core::Two<core::Indexed<V>>;
  using Keys = core::Keys<T, core::Toward::lowest>;
  static constexpr bool has_identity = true;
  T turned;

  template <class V>
  ISOFOLD_ARITHMETIC lane<V> lift(V x, core::signed_t<V> i) const {
    const V key = x ^ turned;
    return {{key, i}, {~key, i}};
  }
  template <class V>
  ISOFOLD_ARITHMETIC lane<V> accumulate(lane<V> s, V x, core::signed_t<V> i) const {
    return combine(s, lift(x, i));
  }
  template <class Lane>
  ISOFOLD_ARITHMETIC Lane combine(Lane a, Lane b) const {
    return {Keys::smaller(a.first, b.first), Keys::smaller(a.second, b.second)};
  }
  template <class V>
  ISOFOLD_ARITHMETIC lane<V> lane_identity() const {
    constexpr T most = core::highest_value<T>;
    return {{most, most}, {most, most}};
  }
};

template <class T>
struct TurnedPlaces : core::LocateBoth<T> {
  T turned;
  explicit TurnedPlaces(T keys_turned) : turned(keys_turned) {}
  ISOFOLD_HOST_DEVICE TurnedPlacesPass<T> first() const { return {turned}; }
  friend bool operator==(const TurnedPlaces& a, const TurnedPlaces& b) {
    return a.turned == b.turned;
  }
};

// Sums and products of 32 bits are those of 64 bits, Wide, to which elements are extended: by their
// sign if `signs` has all bits, by zeros if it has none.
template <class Wide>
struct ExtendedPass {
  using element_type = std::int32_t;
  using value_type = std::int32_t;
  template <class V>
  using lane = std::uint64_t;
  static constexpr bool has_identity = true;
  std::uint32_t signs;

  ISOFOLD_ARITHMETIC std::uint64_t lift(std::int32_t x, std::int32_t) const {
    const std::uint32_t upper = static_cast<std::uint32_t>(x >> 31) & signs;
    return std::uint64_t{upper} << 32 | static_cast<std::uint32_t>(x);
  }
  ISOFOLD_ARITHMETIC std::uint64_t accumulate(std::uint64_t s, std::int32_t x,
                                              std::int32_t i) const {
    return combine(s, lift(x, i));
  }
  ISOFOLD_ARITHMETIC std::uint64_t combine(std::uint64_t a, std::uint64_t b) const {
    return Wide{}.combine(a, b);
  }
  template <class V>
  ISOFOLD_ARITHMETIC std::uint64_t lane_identity() const {
    return Wide{}.identity();
  }
};

template <class Wide>
struct Extended : core::OnePass {
  using element_type = std::int32_t;
  using state_type = std::uint64_t;
  using result_type = std::uint64_t;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = true;
  static constexpr bool empty_is_error = false;
  std::uint32_t signs;

  ISOFOLD_HOST_DEVICE ExtendedPass<Wide> first() const { return {signs}; }
  ISOFOLD_HOST_DEVICE std::uint64_t chunk(std::uint64_t lane, std::int64_t, int) const {
    return lane;
  }
  ISOFOLD_HOST_DEVICE std::uint64_t combine(std::uint64_t a, std::uint64_t b) const {
    return Wide{}.combine(a, b);
  }
  ISOFOLD_HOST_DEVICE std::uint64_t identity() const { return Wide{}.identity(); }
  ISOFOLD_HOST_DEVICE std::uint64_t finish(std::uint64_t s, std::int64_t) const { return s; }
  ISOFOLD_HOST_DEVICE std::uint64_t empty() const { return Wide{}.empty(); }
};

// Bits that are in one of the elements, or in an odd number of them (`exclusive` has all bits);
// those that are in all of them are the complement, `turned`, of the complements' union.
template <class T>
struct TurnedBitsPass {
  using element_type = T;
  using value_type = T;
  template <class V>
  using lane = V;
  static constexpr bool has_identity = true;
  T turned;
  T exclusive;

  template <class V>
  ISOFOLD_ARITHMETIC V lift(V x, core::signed_t<V>) const {
    return x ^ turned;
  }
  template <class V>
  ISOFOLD_ARITHMETIC V accumulate(V s, V x, core::signed_t<V> i) const {
    return combine(s, lift(x, i));
  }
  template <class Lane>
  ISOFOLD_ARITHMETIC Lane combine(Lane a, Lane b) const {
    return (a | b) & ~(a & b & exclusive);
  }
  template <class V>
  ISOFOLD_ARITHMETIC V lane_identity() const {
    return 0;
  }
};

template <class T>
struct TurnedBits : core::OnePass {
  using element_type = T;
  using state_type = T;
  using result_type = T;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = true;
  static constexpr bool empty_is_error = false;
  T turned;
  T exclusive;

  ISOFOLD_HOST_DEVICE TurnedBitsPass<T> first() const { return {turned, exclusive}; }
  ISOFOLD_HOST_DEVICE T chunk(T lane, std::int64_t, int) const { return lane ^ turned; }
  ISOFOLD_HOST_DEVICE T combine(T a, T b) const {
    return first().combine(a ^ turned, b ^ turned) ^ turned;
  }
  ISOFOLD_HOST_DEVICE T identity() const { return turned; }
  ISOFOLD_HOST_DEVICE T finish(T s, std::int64_t) const { return s; }
  ISOFOLD_HOST_DEVICE T empty() const { return turned; }
};

}  // namespace isofold::gpu
