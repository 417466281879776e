// The sums of exact_v1 on the vectors of one instruction set: millions of terms for each time that
// one is taken apart into words. docs/decisions/057 derives the windows and their budget.
//
// Each lane of a sum has a few doubles, that start at 1.5 * 2^p for falling p. An addition to the
// first rounds to its grid, the multiples of 2^(p - 52), and what it loses is exact and goes to the
// next. As long as the first stays between 2^p and 2^(p+1), and the last loses nothing, they hold
// the exact sum of all terms; both are tested by two bit operations a vector. A tile of elements
// for which a test fails is taken again: by another window, by more levels, term by term where
// terms are too small for these, too, or by the definition itself where terms are not finite.
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
  using SumsOfElements = typename exact::Sum<T>::state_type;
  static constexpr bool is_complex = core::is_complex<T>;
  static constexpr int width = bits_ / 64;
  using V = Vector<double, width>;
  using Bits = Vector<std::int64_t, width>;
  using X = std::conditional_t<is_complex, core::Complex<V>, V>;
  static constexpr int sums = Fold::sums;
  static constexpr bool splits_products = sizeof(Part) == 8;
  // A product of two doubles has 106 bits; the second half of it enters at the second level.
  static constexpr bool has_products = !std::is_same_v<typename Fold::state_type, SumsOfElements>;
  static constexpr int levels = 4;
  static constexpr int usual_levels = splits_products && has_products ? levels : 2;

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
  static constexpr int below = 53 - 2 - log_adds;  // from the p of a level to that of the next
  // The last level's grid is that of subnormal numbers.
  static constexpr int least_p = -1022 + (levels - 1) * below;
  static constexpr int most_p = 1000;
  struct Window {
    V level[levels][copies];
    double start[levels];
    int p;
    bool is_set;
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
      if (__builtin_expect(
              is_wide_ || !is_set() || !add_tile<usual_levels, false>(x + first, second, count),
              0)) {
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
  // A lane takes as many numbers for each element, of the sum that gets most of them.
  static ISOFOLD_INLINE int most_terms() {
    const int most = exact::TermCount<Fold>().most();
    return splits_products ? 2 * most : most;
  }

  // This tells whether the windows were chosen; one that was not takes no term.
  bool is_set() const {
    bool all = true;
    for (const Window& window : window_) {
      all = all && window.is_set;
    }
    return all;
  }

  // Numbers as doubles. GCC 12 makes four instructions of a conversion to 512 bits.
  static ISOFOLD_INLINE V doubles(Vector<Part, width> x) {
#if defined(__AVX512F__)
    if constexpr (sizeof(Part) == 4 && sizeof(V) == 64) {
      constexpr __mmask8 all = 0xff;
      return (V)_mm512_maskz_cvtps_pd(all, (__m256)x);
    }
#endif
    return __builtin_convertvector(x, V);
  }
  // Loads `count` elements, 1 to width, the others being zero.
  static ISOFOLD_INLINE X load_elements(const T* x, int count) {
    using P = Vector<Part, width>;
    if constexpr (is_complex) {
      const core::Complex<P> z = load_complex<P>(reinterpret_cast<const Part*>(x), count);
      return {doubles(z.re), doubles(z.im)};
    } else {
      const P z = count == width ? load<P>(x) : load_first<P>(x, count, P{});
      return doubles(z);
    }
  }
  // Memory is asked for so far ahead (docs/decisions/037).
  static constexpr std::int64_t ahead = 2048;
  static ISOFOLD_INLINE void prefetch(const T* x) {
    __builtin_prefetch(reinterpret_cast<const char*>(x) + ahead);
  }
  // Calls use(x, y, copy) for all elements, vector by vector.
  template <class Use>
  static ISOFOLD_INLINE void for_vectors(const T* x, const T* y, int count, Use&& use) {
    constexpr int step = width * copies;
    int i = 0;
    for (; i + step <= count; i += step) {
#pragma GCC unroll 4
      for (int c = 0; c < copies; ++c) {
        prefetch(x + i + c * width);
        if constexpr (Fold::arrays == 2) {
          prefetch(y + i + c * width);
        }
        use(load_elements(x + i + c * width, width), load_elements(y + i + c * width, width), c);
      }
    }
    for (; i < count; i += width) {
      const int left = count - i < width ? count - i : width;
      use(load_elements(x + i, left), load_elements(y + i, left), 0);
    }
  }

  // The second half of so small a product is not exact, unless a factor is zero.
  static ISOFOLD_INLINE Bits is_tiny(const V& x, const V& y, const V& product) {
    const V none{};
    const V magnitude = product < none ? -product : product;
    return (magnitude < none + 0x1p-960) & (x != none) & (y != none);
  }

  // The registers of a tile.
  struct Lanes {
    V level[sums][levels][copies];
    Bits moved = {};
    Bits lost = {};
    Bits tiny = {};
  };
  // Takes the terms of a vector of elements by so many levels; collecting, it deposits what the
  // last one loses.
  template <int used, bool collects>
  struct LaneSink {
    ExactSums& all;
    Lanes& lanes;
    const Bits (&start)[sums];
    int copy;

    template <int k>
    ISOFOLD_INLINE void add(const V& z) const {
      add_from<k, 0>(z);
    }
    template <int k, int first>
    ISOFOLD_INLINE void add_from(const V& z) const {
      V rest = z;
#pragma GCC unroll 4
      for (int level = first; level < used; ++level) {
        V& a = lanes.level[k][level][copy];
        const V sum = a + rest;
        rest = rest - (sum - a);
        a = sum;
        if (level == 0) {
          lanes.moved |= (Bits)sum ^ start[k];
        }
      }
      if constexpr (collects) {
        all.template deposit<k>(rest);
      } else {
        lanes.lost |= (Bits)rest;
      }
    }
    template <int k>
    ISOFOLD_INLINE void multiply(const V& x, const V& y) const {
      const V product = x * y;
      add_from<k, 0>(product);
      if constexpr (splits_products) {
        lanes.tiny |= is_tiny(x, y, product);
        add_from<k, 1>(core::fma(x, y, -product));
      }
    }
  };

  // Adds a tile; if not all of it fits, or is exact, it changes nothing and returns false.
  template <int used, bool collects>
  bool add_tile(const T* x, const T* y, int count) {
    Lanes lanes;
    Bits start[sums];
    for (int k = 0; k < sums; ++k) {
      start[k] = (Bits)broadcast<V>(window_[k].start[0]);
#pragma GCC unroll 4
      for (int level = 0; level < used; ++level) {
#pragma GCC unroll 4
        for (int c = 0; c < copies; ++c) {
          lanes.level[k][level][c] = window_[k].level[level][c];
        }
      }
    }
    for_vectors(
        x, y, count, [&](const X& u, const X& v, int c) __attribute__((always_inline)) {
          Fold::terms(u, v, LaneSink<used, collects>{*this, lanes, start, c});
        });
    constexpr std::int64_t fraction = 0x000fffffffffffff;
    constexpr std::int64_t magnitude = 0x7fffffffffffffff;
    const Bits failed = (lanes.moved & ~fraction) | (lanes.lost & magnitude) | lanes.tiny;
    if (!collects && __builtin_expect(any_set(failed), 0)) {
      return false;
    }
    for (int k = 0; k < sums; ++k) {
#pragma GCC unroll 4
      for (int level = 0; level < used; ++level) {
#pragma GCC unroll 4
        for (int c = 0; c < copies; ++c) {
          window_[k].level[level][c] = lanes.level[k][level][c];
        }
      }
    }
    count_terms(x, y, count);
    return true;
  }

  // This finds the largest term of each sum, most[k], and products too small to be split.
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
      const V product = x * y;
      add<k>(product);
      if constexpr (splits_products) {
        tiny |= is_tiny(x, y, product);
      }
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
    if (is_wide_ || !add_tile<usual_levels, false>(x, y, count)) {
      is_wide_ = true;
      add_tile<levels, true>(x, y, count);
      state_.carry();
    }
  }

  // Counts the terms of elements that are finite.
  ISOFOLD_INLINE void count_terms(const T* x, const T* y, int count) {
    const exact::TermCount<Fold> terms;
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
    fill(window, std::numeric_limits<double>::quiet_NaN());
  }
  static void set(Window& window, int p) {
    window.p = p < least_p ? least_p : p > most_p ? most_p : p;
    window.is_set = true;
    fill(window, 1.5 * core::power_of_two(window.p));
  }
  static void fill(Window& window, double start) {
    for (int level = 0; level < levels; ++level) {
      window.start[level] = start;
      for (V& lanes : window.level[level]) {
        lanes = broadcast<V>(start);
      }
      start *= 1 / static_cast<double>(std::int64_t{1} << below);
    }
  }

  // Empties the windows into the words. Those of a tile that needed all levels are chosen anew by
  // the next one, which may not.
  __attribute__((noinline)) void flush() {
    for (int k = 0; k < sums; ++k) {
      flush(k);
      if (is_wide_) {
        unset(window_[k]);
      }
    }
    is_wide_ = false;
    adds_ = 0;
    if (++flushes_ == std::int64_t{1} << 20) {
      state_.carry();
      flushes_ = 0;
    }
  }
  void flush(int k) {
    Window& window = window_[k];
    if (window.is_set) {
      for (int level = 0; level < levels; ++level) {
        deposit(k, steps(window.level[level], window.start[level]), window.p - level * below - 52);
      }
      fill(window, window.start[0]);
    }
  }
  // Returns the distance of all lanes of an accumulator from its start, in steps of its grid:
  // inside one binade the bits of doubles count these.
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
  bool is_wide_ = false;  // terms since the last flush needed all levels
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
