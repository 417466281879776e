// Locations of the extremum: argmin, argmax and their _last variants, argabsmax of magnitudes, and
// argminmax, two at once.
// Elements become integer keys whose order is that of docs/folds.md (NaN first, -0 before +0), so
// that one comparison of keys, and of indices if keys tie, is total and free of order.
#pragma once

#include <isofold/detail/core/folds/extremum.hpp>

namespace isofold::core {

// Location<T> as it lies in memory, its padding spelled out.
template <class T, int bytes = sizeof(T)>
struct LocationBytes {
  T value;
  std::int64_t index;
};
template <class T>
struct LocationBytes<T, 4> {
  T value;
  std::uint32_t zero;
  std::int64_t index;
};

template <class T>
struct LocationPair {
  LocationBytes<T> minimum;
  LocationBytes<T> maximum;
};

// The smallest key wins, among tied ones the smallest index. With `last`, indices are kept as their
// complement, which turns their order round.
template <class T, Toward toward>
struct Keys {
  using Key = signed_t<T>;
  static constexpr int sign_bit = 8 * static_cast<int>(sizeof(T)) - 1;

  // An integer in the order of the values, except for NaNs.
  template <class V>
  ISOFOLD_ARITHMETIC static signed_t<V> ordered(V x) {
    using Signed = signed_t<V>;
    const Signed bits = same_bits_as<Signed>(x);
    if constexpr (is_floating<T>) {
      return mirrored(bits);
    } else if constexpr (std::is_unsigned_v<T>) {
      return bits ^ splat<Signed>(lowest_value<Key>);
    } else {
      return bits;
    }
  }
  template <class V>
  ISOFOLD_ARITHMETIC static signed_t<V> of(V x) {
    using Signed = signed_t<V>;
    Signed key = ordered(x);
    key = toward == Toward::highest ? ~key : key;
    if constexpr (is_floating<T>) {
      key = x != x ? splat<Signed>(lowest_value<Key>) : key;  // the key of every NaN
    }
    return key;
  }
  ISOFOLD_HOST_DEVICE static T value(Key key) {
    if constexpr (is_floating<T>) {
      if (key == lowest_value<Key>) {
        return canonical_nan<T>();
      }
    }
    key = toward == Toward::highest ? ~key : key;
    if constexpr (is_floating<T>) {
      key = mirrored(key);
    } else if constexpr (std::is_unsigned_v<T>) {
      key ^= lowest_value<Key>;
    }
    return bit_cast<T>(key);
  }

  template <class I>
  ISOFOLD_ARITHMETIC static Indexed<I> smaller(Indexed<I> a, Indexed<I> b) {
    const auto take_b = (b.key < a.key) | ((b.key == a.key) & (b.index < a.index));
    return {take_b ? b.key : a.key, take_b ? b.index : a.index};
  }

 private:
  // Maps the bits of floating-point numbers, read as signed integers, to the order of the numbers,
  // and back.
  template <class I>
  ISOFOLD_ARITHMETIC static I mirrored(I bits) {
    return bits ^ ((bits >> sign_bit) & splat<I>(highest_value<Key>));
  }
};

// The state above the chunk, without padding: keys and indices of 64 bits.
using LocationState = Indexed<std::int64_t>;

template <class T, Toward toward>
ISOFOLD_HOST_DEVICE inline LocationBytes<T> location_of(LocationState s, bool last) {
  using Of = Keys<T, toward>;
  LocationBytes<T> location{};
  location.value = Of::value(static_cast<typename Of::Key>(s.key));
  location.index = last ? ~s.index : s.index;
  return location;
}

// The location of a lane in its chunk, as a location in the row.
template <class I>
ISOFOLD_HOST_DEVICE inline LocationState in_row(Indexed<I> lane, std::int64_t begin, bool last) {
  const std::int64_t index = lane.index;
  return {lane.key, last ? ~(begin + ~index) : begin + index};
}

template <class T, Toward toward>
struct LocatePass {
  using element_type = T;
  using value_type = T;
  template <class V>
  using lane = Indexed<signed_t<V>>;
  static constexpr bool has_identity = true;
  static constexpr bool on_vectors = true;
  bool last;

  template <class V>
  ISOFOLD_ARITHMETIC lane<V> lift(V x, signed_t<V> i) const {
    return {Keys<T, toward>::of(x), last ? ~i : i};
  }
  template <class V>
  ISOFOLD_ARITHMETIC lane<V> accumulate(lane<V> s, V x, signed_t<V> i) const {
    return combine(s, lift(x, i));
  }
  template <class Lane>
  ISOFOLD_ARITHMETIC Lane combine(Lane a, Lane b) const {
    return Keys<T, toward>::smaller(a, b);
  }
  template <class V>
  ISOFOLD_ARITHMETIC lane<V> lane_identity() const {
    const auto most = splat<signed_t<V>>(highest_value<signed_t<T>>);
    return {most, most};
  }
};

template <class T, Toward toward, bool last>
struct Locate : OnePass {
  using element_type = T;
  using state_type = LocationState;
  using result_type = LocationBytes<T>;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = true;
  static constexpr bool empty_is_error = true;

  ISOFOLD_HOST_DEVICE LocatePass<T, toward> first() const { return {last}; }
  template <class Lane>
  ISOFOLD_HOST_DEVICE state_type chunk(Lane lane, std::int64_t begin, int) const {
    return in_row(lane, begin, last);
  }
  ISOFOLD_HOST_DEVICE state_type combine(state_type a, state_type b) const {
    return Keys<T, toward>::smaller(a, b);
  }
  ISOFOLD_HOST_DEVICE state_type identity() const {
    return {highest_value<std::int64_t>, highest_value<std::int64_t>};
  }
  // The state of elements that lie `by` further on in their row.
  ISOFOLD_HOST_DEVICE static state_type moved(state_type s, std::int64_t by) {
    return {s.key, last ? s.index - by : s.index + by};
  }
  ISOFOLD_HOST_DEVICE result_type finish(state_type s, std::int64_t) const {
    return location_of<T, toward>(s, last);
  }
  ISOFOLD_HOST_DEVICE result_type empty() const {
    result_type location{};
    location.value = Extremum<T, toward>{}.empty();
    location.index = -1;
    return location;
  }
};

template <class T>
using ArgMin = Locate<T, Toward::lowest, false>;
template <class T>
using ArgMax = Locate<T, Toward::highest, false>;
template <class T>
using ArgMinLast = Locate<T, Toward::lowest, true>;
template <class T>
using ArgMaxLast = Locate<T, Toward::highest, true>;

template <class T>
struct LocateMagnitudePass : LocatePass<T, Toward::highest> {
  template <class V>
  ISOFOLD_ARITHMETIC Indexed<signed_t<V>> lift(V x, signed_t<V> i) const {
    return LocatePass<T, Toward::highest>::lift(magnitude(x), i);
  }
  template <class V>
  ISOFOLD_ARITHMETIC Indexed<signed_t<V>> accumulate(Indexed<signed_t<V>> s, V x,
                                                     signed_t<V> i) const {
    return this->combine(s, lift(x, i));
  }
};

template <class T>
struct ArgAbsMax : ArgMax<T> {
  ISOFOLD_HOST_DEVICE LocateMagnitudePass<T> first() const { return {{false}}; }
  ISOFOLD_HOST_DEVICE LocationBytes<T> empty() const {
    LocationBytes<T> location{};
    location.index = -1;
    return location;
  }
};

template <class T>
struct LocateBothPass {
  using element_type = T;
  using value_type = T;
  template <class V>
  using lane = Two<Indexed<signed_t<V>>>;
  static constexpr bool has_identity = true;
  static constexpr bool on_vectors = true;
  using Lowest = LocatePass<T, Toward::lowest>;
  using Highest = LocatePass<T, Toward::highest>;

  template <class V>
  ISOFOLD_ARITHMETIC lane<V> lift(V x, signed_t<V> i) const {
    return {Lowest{false}.lift(x, i), Highest{false}.lift(x, i)};
  }
  template <class V>
  ISOFOLD_ARITHMETIC lane<V> accumulate(lane<V> s, V x, signed_t<V> i) const {
    return combine(s, lift(x, i));
  }
  template <class Lane>
  ISOFOLD_ARITHMETIC Lane combine(Lane a, Lane b) const {
    return {Lowest{false}.combine(a.first, b.first), Highest{false}.combine(a.second, b.second)};
  }
  template <class V>
  ISOFOLD_ARITHMETIC lane<V> lane_identity() const {
    return {Lowest{false}.template lane_identity<V>(), Highest{false}.template lane_identity<V>()};
  }
};

template <class T>
struct LocateBoth : OnePass {
  using element_type = T;
  using state_type = Two<LocationState>;
  using result_type = LocationPair<T>;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = true;
  static constexpr bool empty_is_error = true;
  using Lowest = Locate<T, Toward::lowest, false>;
  using Highest = Locate<T, Toward::highest, false>;

  ISOFOLD_HOST_DEVICE LocateBothPass<T> first() const { return {}; }
  template <class Lane>
  ISOFOLD_HOST_DEVICE state_type chunk(Lane lane, std::int64_t begin, int) const {
    return {in_row(lane.first, begin, false), in_row(lane.second, begin, false)};
  }
  ISOFOLD_HOST_DEVICE state_type combine(state_type a, state_type b) const {
    return {Lowest{}.combine(a.first, b.first), Highest{}.combine(a.second, b.second)};
  }
  ISOFOLD_HOST_DEVICE state_type identity() const {
    return {Lowest{}.identity(), Highest{}.identity()};
  }
  ISOFOLD_HOST_DEVICE static state_type moved(state_type s, std::int64_t by) {
    return {Lowest::moved(s.first, by), Highest::moved(s.second, by)};
  }
  ISOFOLD_HOST_DEVICE result_type finish(state_type s, std::int64_t n) const {
    return {Lowest{}.finish(s.first, n), Highest{}.finish(s.second, n)};
  }
  ISOFOLD_HOST_DEVICE result_type empty() const { return {Lowest{}.empty(), Highest{}.empty()}; }
};

}  // namespace isofold::core
