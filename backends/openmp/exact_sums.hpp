// The sums of exact_v1 on the vectors of one instruction set: millions of terms for each time that
// one is taken apart into words. docs/decisions/057 derives the windows and their budget.
//
// Each lane of a sum has two doubles, a and b, that start at 1.5 * 2^p and 1.5 * 2^q. An addition
// to a rounds to a's grid, the multiples of 2^(p - 52), and what it loses is exact and goes to b,
// whose grid begins 2^q. As long as a stays between 2^p and 2^(p+1), and b loses nothing, a and b
// hold the exact sum of all terms; both are tested by two bit operations a vector. A tile of
// elements for which a test fails is taken again: by another window, term by term where terms are
// too small for the window, or by the definition itself where terms are not finite.
#pragma once

#include <algorithm>
#include <limits>

#include <isofold/detail/core/tree.hpp>
#include <ops/exact_cases.hpp>

#include "vector.hpp"

namespace isofold::openmp {
namespace {

namespace exact = core::exact;

// Sums whose terms are doubles or products of two: everything but integers.
template <class Fold, int bits_>
class ExactSums {
  using T = typename Fold::element_type;
  using Part = core::part_t<T>;
  static constexpr bool is_complex = core::is_complex<T>;
  static constexpr int width = bits_ / 64;
  using V = Vector<double, width>;
  using Bits = Vector<std::int64_t, width>;
  using X = std::conditional_t<is_complex, core::Complex<V>, V>;
  static constexpr int sums = Fold::sums;
  static constexpr bool splits_products = sizeof(Part) == 8;

 public:
  using State = typename Fold::state_type;

 private:
  // As many copies of the sums as registers hold, so that additions wait less for each other.
  static constexpr int copies = registers == 32 && sums == 1 ? 4 : 2;
  // A lane gets at most 2^log_adds terms between two flushes.
  static constexpr int log_adds = 9;
  static constexpr int most_adds = 1 << log_adds;

  // The window of a sum: terms below 2^(p - headroom) fit it.
  static constexpr int headroom = log_adds + 2;
  static constexpr int room_above =
      3;  // binades between the largest term seen and the window's top
  static constexpr int from_p_to_q = 53 - 2 - log_adds;
  static constexpr int least_p = -1022 + from_p_to_q;  // b's grid is that of subnormal numbers
  static constexpr int most_p = 1000;
  struct Window {
    V a[copies];
    V b[copies];
    double start_a;
    double start_b;
    int p;
    bool is_set;
    bool was_too_high;  // terms were too small for it
  };

  // The largest bits of a term's magnitude, and whether a product is too small to be split.
  struct Extent {
    std::int64_t most[sums];
    bool is_plain;
  };

 public:
  ExactSums() {
    for (Window& window : window_) {
      unset(window);
    }
  }

  // Adds n elements, or pairs.
  void add(const T* x, const T* y, std::int64_t n) {
    constexpr int step = width * copies;
    const int tile = std::min(core::chunk_elements, most_adds / most_terms() * step);
    for (std::int64_t first = 0; first < n; first += tile) {
      const auto count = static_cast<int>(n - first < tile ? n - first : tile);
      const T* const second = Fold::arrays == 2 ? y + first : x + first;
      const int adds = (count / step + (count % step + width - 1) / width) * most_terms();
      if (adds_ + adds > most_adds) {
        flush();
      }
      adds_ += adds;
      if (__builtin_expect(!add_tile<false>(x + first, second, count), 0)) {
        take_again(x + first, second, count);
      }
    }
  }

  // Ends with the words of all that was added.
  const State& words() {
    flush();
    state_.carry();
    return state_;
  }

 private:
  // How many terms an element adds to a sum.
  struct CountSink {
    int (&terms)[2];
    template <int k, class Z>
    void add(const Z&) const {
      terms[k] += 1;
    }
    template <int k, class Z>
    void multiply(const Z&, const Z&) const {
      terms[k] += 1;
    }
  };
  struct Terms {
    int of[2] = {0, 0};
    Terms() { Fold::terms(exact::term_of(T{}), exact::term_of(T{}), CountSink{of}); }
  };
  static ISOFOLD_INLINE int most_terms() {
    const Terms terms;
    const int most = terms.of[0] > terms.of[1] ? terms.of[0] : terms.of[1];
    return splits_products ? 2 * most : most;
  }

  // Loads `count` elements, 1 to width, the others being zero.
  static ISOFOLD_INLINE X load_elements(const T* x, int count) {
    using P = Vector<Part, width>;
    if constexpr (is_complex) {
      const core::Complex<P> z = load_complex<P>(reinterpret_cast<const Part*>(x), count);
      return {__builtin_convertvector(z.re, V), __builtin_convertvector(z.im, V)};
    } else {
      const P z = count == width ? load<P>(x) : load_first<P>(x, count, P{});
      return __builtin_convertvector(z, V);
    }
  }
  // Calls use(x, y, copy) for all elements, vector by vector.
  template <class Use>
  static ISOFOLD_INLINE void for_vectors(const T* x, const T* y, int count, Use&& use) {
    constexpr int step = width * copies;
    int i = 0;
    for (; i + step <= count; i += step) {
#pragma GCC unroll 4
      for (int c = 0; c < copies; ++c) {
        use(load_elements(x + i + c * width, width), load_elements(y + i + c * width, width), c);
      }
    }
    for (; i < count; i += width) {
      const int left = count - i < width ? count - i : width;
      use(load_elements(x + i, left), load_elements(y + i, left), 0);
    }
  }

  // A term of a product that has no more bits below, or whose second half is not exact: its
  // magnitude is below this, and no factor is zero.
  static constexpr double least_split = 0x1p-960;
  template <class Term>
  static ISOFOLD_INLINE void for_halves(const V& x, const V& y, Bits& tiny, Term&& term) {
    const V p = x * y;
    term(p);
    if constexpr (splits_products) {
      const V none{};
      const V magnitude = p < none ? -p : p;
      tiny |= (magnitude < none + least_split) & (x != none) & (y != none);
      term(core::fma(x, y, -p));
    }
  }

  // The registers of a tile.
  struct Lanes {
    V a[sums][copies];
    V b[sums][copies];
    Bits moved = {};
    Bits lost = {};
    Bits tiny = {};
  };
  // Takes the terms of a vector of elements; collecting, it deposits what b loses.
  template <bool collects>
  struct LaneSink {
    ExactSums& all;
    Lanes& lanes;
    const Bits (&start)[sums];
    int copy;

    template <int k>
    ISOFOLD_INLINE void add(const V& z) const {
      V& a = lanes.a[k][copy];
      V& b = lanes.b[k][copy];
      const V new_a = a + z;
      const V rest = z - (new_a - a);
      a = new_a;
      lanes.moved |= (Bits)new_a ^ start[k];
      const V new_b = b + rest;
      const V last = rest - (new_b - b);
      b = new_b;
      if constexpr (collects) {
        all.template deposit<k>(last);
      } else {
        lanes.lost |= (Bits)last;
      }
    }
    template <int k>
    ISOFOLD_INLINE void multiply(const V& x, const V& y) const {
      for_halves(x, y, lanes.tiny, [&](const V& z) { add<k>(z); });
    }
  };

  // Adds a tile; if not all of it fits, or is exact, it changes nothing and returns false.
  template <bool collects>
  bool add_tile(const T* x, const T* y, int count) {
    Lanes lanes;
    Bits start[sums];
    for (int k = 0; k < sums; ++k) {
      start[k] = (Bits)broadcast<V>(window_[k].start_a);
#pragma GCC unroll 4
      for (int c = 0; c < copies; ++c) {
        lanes.a[k][c] = window_[k].a[c];
        lanes.b[k][c] = window_[k].b[c];
      }
    }
    for_vectors(
        x, y, count, [&](const X& u, const X& v, int c) __attribute__((always_inline)) {
          Fold::terms(u, v, LaneSink<collects>{*this, lanes, start, c});
        });
    constexpr std::int64_t fraction = 0x000fffffffffffff;
    constexpr std::int64_t magnitude = 0x7fffffffffffffff;
    const Bits failed = (lanes.moved & ~fraction) | (lanes.lost & magnitude) | lanes.tiny;
    if (!collects && __builtin_expect(any_set(failed), 0)) {
      return false;
    }
    for (int k = 0; k < sums; ++k) {
#pragma GCC unroll 4
      for (int c = 0; c < copies; ++c) {
        window_[k].a[c] = lanes.a[k][c];
        window_[k].b[c] = lanes.b[k][c];
      }
    }
    count_terms(x, y, count);
    return true;
  }

  // Where is_plain, most[k] is the largest of sum k's terms; there is none that is not finite.
  struct ExtentSink {
    Bits (&most)[sums];
    Bits& tiny;

    template <int k>
    ISOFOLD_INLINE void add(const V& z) const {
      const Bits bits = (Bits)z & 0x7fffffffffffffff;
      most[k] = bits > most[k] ? bits : most[k];
    }
    template <int k>
    ISOFOLD_INLINE void multiply(const V& x, const V& y) const {
      for_halves(x, y, tiny, [&](const V& z) { add<k>(z); });
    }
  };
  static __attribute__((noinline)) Extent extent_of(const T* x, const T* y, int count) {
    Bits most[sums] = {};
    Bits tiny{};
    for_vectors(x, y, count, [&](const X& u, const X& v, int) {
      Fold::terms(u, v, ExtentSink{most, tiny});
    });
    Extent extent{{}, !any_set(tiny)};
    for (int k = 0; k < sums; ++k) {
      for (int i = 0; i < width; ++i) {
        extent.most[k] = most[k][i] > extent.most[k] ? most[k][i] : extent.most[k];
      }
      extent.is_plain = extent.is_plain && p_for(extent.most[k]) <= most_p;
    }
    return extent;
  }
  // The p of a window into which a term of such bits just fits.
  static int p_for(std::int64_t bits) {
    const int exponent = static_cast<int>(bits >> 52) - 1023;
    return (exponent > -1023 ? exponent + 1 : -1022) + headroom;
  }

  __attribute__((noinline)) void take_again(const T* x, const T* y, int count) {
    const Extent extent = extent_of(x, y, count);
    if (!extent.is_plain) {
      for (int i = 0; i < count; ++i) {
        exact::add_element<Fold>(state_, x[i], y[i]);
      }
      state_.carry();
      return;
    }
    for (int k = 0; k < sums; ++k) {
      Window& window = window_[k];
      const int p = p_for(extent.most[k]);
      if (!window.is_set || p > window.p) {
        flush(k);
        set(window, p + room_above);
      }
    }
    if (!add_tile<false>(x, y, count)) {
      for (Window& window : window_) {
        window.was_too_high = true;
      }
      add_tile<true>(x, y, count);
      state_.carry();
    }
  }

  // Counts the terms of elements that are finite.
  ISOFOLD_INLINE void count_terms(const T* x, const T* y, int count) {
    const Terms terms;
    state_.first.terms += std::int64_t{terms.of[0]} * count;
    bool is_known = state_.first.not_minus_zero != 0;
    if constexpr (sums == 2) {
      state_.second.terms += std::int64_t{terms.of[1]} * count;
      is_known = is_known && state_.second.not_minus_zero != 0;
    }
    if (__builtin_expect(!is_known, 0)) {
      note_signs(x, y, count);
    }
  }
  struct SignSink {
    State& state;
    template <int k>
    void add(double z) const {
      state.template sum<k>().not_minus_zero |=
          core::bit_cast<std::uint64_t>(z) != std::uint64_t{1} << 63 ? 1 : 0;
    }
    template <int k>
    void multiply(double x, double y) const {
      const double z = x * y;  // where it is zero but should not be, other terms are not -0
      add<k>(x != 0 && y != 0 ? 1 : z);
    }
  };
  __attribute__((noinline)) void note_signs(const T* x, const T* y, int count) {
    for (int i = 0; i < count; ++i) {
      Fold::terms(exact::term_of(x[i]), exact::term_of(y[i]), SignSink{state_});
    }
  }

  // Whatever is added to a window that is not set yet does not fit: a NaN has no exact remainder.
  static void unset(Window& window) {
    window.is_set = false;
    window.was_too_high = false;
    clear(window, std::numeric_limits<double>::quiet_NaN(), 0);
  }
  static void clear(Window& window, double start_a, double start_b) {
    window.start_a = start_a;
    window.start_b = start_b;
    for (int c = 0; c < copies; ++c) {
      window.a[c] = broadcast<V>(start_a);
      window.b[c] = broadcast<V>(start_b);
    }
  }
  static void set(Window& window, int p) {
    window.p = p < least_p ? least_p : p > most_p ? most_p : p;
    window.is_set = true;
    window.was_too_high = false;
    clear(window, 1.5 * core::power_of_two(window.p),
          1.5 * core::power_of_two(window.p - from_p_to_q));
  }

  // Empties the windows into the words. One that was too high is chosen anew by the next tile.
  __attribute__((noinline)) void flush() {
    for (int k = 0; k < sums; ++k) {
      flush(k);
      Window& window = window_[k];
      if (window.was_too_high) {
        unset(window);
      }
    }
    adds_ = 0;
    if (++flushes_ == std::int64_t{1} << 20) {
      state_.carry();
      flushes_ = 0;
    }
  }
  void flush(int k) {
    Window& window = window_[k];
    if (window.is_set) {
      deposit(k, steps(window.a, window.start_a), window.p - 52);
      deposit(k, steps(window.b, window.start_b), window.p - from_p_to_q - 52);
      clear(window, window.start_a, window.start_b);
    }
  }
  // How many steps of its grid all lanes of an accumulator are away from its start: inside one
  // binade the bits of doubles count these.
  static std::int64_t steps(const V (&lanes)[copies], double start) {
    Bits sum{};
    const Bits from = (Bits)broadcast<V>(start);
    for (int c = 0; c < copies; ++c) {
      sum += (Bits)lanes[c] - from;
    }
    std::int64_t all = 0;
    for (int i = 0; i < width; ++i) {
      all += sum[i];
    }
    return all;
  }
  void deposit(int k, std::int64_t steps, int exponent) {
    const bool negative = steps < 0;
    const auto magnitude = static_cast<std::uint64_t>(negative ? -steps : steps);
    if (k == 0) {
      state_.template sum<0>().deposit(magnitude, exponent, negative);
    } else {
      state_.template sum<1>().deposit(magnitude, exponent, negative);
    }
  }
  // Deposits what a window was too high for.
  template <int k>
  ISOFOLD_INLINE void deposit(const V& rest) {
    if (any_set((Bits)rest & 0x7fffffffffffffff)) {
      deposit_each<k>(rest);
    }
  }
  template <int k>
  __attribute__((noinline)) void deposit_each(const V& rest) {
    for (int i = 0; i < width; ++i) {
      const exact::Parts<double> parts(rest[i]);
      state_.template sum<k>().deposit(parts.magnitude, parts.exponent, parts.negative);
    }
  }

  State state_{};
  Window window_[sums];
  int adds_ = 0;
  std::int64_t flushes_ = 0;
};

// Sums of integers: 64-bit sums of halves, of at most 2^30 elements at once.
template <class Fold, int bits>
class ExactIntegers {
  using T = typename Fold::element_type;

 public:
  using State = typename Fold::state_type;

  void add(const T* x, const T*, std::int64_t n) {
    constexpr std::int64_t most = std::int64_t{1} << 30;
    for (std::int64_t first = 0; first < n; first += most) {
      add_some(x + first, n - first < most ? n - first : most);
    }
  }
  const State& words() {
    state_.carry();
    return state_;
  }

 private:
  void add_some(const T* x, std::int64_t n) {
    std::int64_t low = 0;
    std::int64_t high = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      if constexpr (sizeof(T) == 4) {
        low += x[i];
      } else {
        low += static_cast<std::int64_t>(x[i] & T{0xffffffff});
        high += static_cast<std::int64_t>(x[i] >> 32);
      }
    }
    deposit(low, 0);
    deposit(high, 32);
    state_.first.terms += n;
    state_.first.not_minus_zero = 1;
    state_.carry();
  }
  void deposit(std::int64_t sum, int exponent) {
    state_.first.deposit(static_cast<std::uint64_t>(sum < 0 ? -sum : sum), exponent, sum < 0);
  }

  State state_{};
};

}  // namespace
}  // namespace isofold::openmp
