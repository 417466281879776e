// The sums of exact_v1 over the values of a map, in the caller's translation unit: the windows that
// docs/decisions/057 derives, over vectors as wide as the file is compiled for. backends/openmp has
// them over arrays in memory, for every instruction set.
//
// Each lane of a sum has a few doubles, that start at 1.5 * 2^p for falling p. An addition to the
// first rounds to its grid, the multiples of 2^(p - 52), and what it loses is exact and goes to the
// next. As long as the first stays between 2^p and 2^(p+1), and the last loses nothing, they hold
// the exact sum of all terms; both are tested by integer operations on bits. A tile for which a
// test fails is taken again: by another window, by more levels and the words for what is left, or,
// where a term is not finite, too large or too small to be split, by the words alone.
#pragma once

#include <limits>

#include <isofold/detail/core/exact/values.hpp>
#include <isofold/detail/core/fma.hpp>

namespace isofold::core::exact {

// The numbers of a vector: as many as the file's instruction set has in a register. (nvcc and hipcc
// know no vectors.)
#if !defined(ISOFOLD_HAS_VECTORS)
static constexpr int window_width = 1;
#elif defined(__AVX512F__)
static constexpr int window_width = 8;
#elif defined(__AVX__)
static constexpr int window_width = 4;
#else
static constexpr int window_width = 2;
#endif

template <int width>
struct WindowVectors {
#if defined(ISOFOLD_HAS_VECTORS)
  typedef double Numbers __attribute__((vector_size(width * sizeof(double))));
  typedef std::int64_t Bits __attribute__((vector_size(width * sizeof(std::int64_t))));
#endif
};
template <>
struct WindowVectors<1> {
  using Numbers = double;
  using Bits = std::int64_t;
};

// Values of a map, as doubles; zeros behind them.
template <class Fold>
struct ValueTile {
  using T = typename Fold::element_type;
  static constexpr bool is_complex = core::is_complex<T>;
  static constexpr int streams = Fold::arrays * (is_complex ? 2 : 1);
  static constexpr int most = 512;

  alignas(64) double number[std::size_t{streams}][std::size_t{most}];

  template <class Value>
  void set(int i, const Value& value) {
    set_number<0>(i, number_of<Fold, 0>(value));
    if constexpr (Fold::arrays == 2) {
      set_number<1>(i, number_of<Fold, 1>(value));
    }
  }
  void clear(int i) {
    for (auto& stream : number) {
      stream[i] = 0;
    }
  }
  // Numbers i, i + 1 ... of an array, as terms() takes them.
  template <class V, int array>
  auto at(int i) const {
    if constexpr (is_complex) {
      return Complex<V>{load<V>(number[2 * array] + i), load<V>(number[2 * array + 1] + i)};
    } else {
      return load<V>(number[array] + i);
    }
  }

 private:
  template <int array, class Number>
  void set_number(int i, const Number& x) {
    if constexpr (is_complex) {
      number[2 * array][i] = x.re;
      number[2 * array + 1][i] = x.im;
    } else {
      number[array][i] = x;
    }
  }
  template <class V>
  static V load(const double* x) {
    V v;
    memcpy(&v, x, sizeof v);
    return v;
  }
};

// Sums whose terms are doubles or products of two: everything but integers.
template <class Fold, int width>
class WindowSums {
  using T = typename Fold::element_type;
  using Part = part_t<T>;
  using V = typename WindowVectors<width>::Numbers;
  using Bits = typename WindowVectors<width>::Bits;
  using Tile = ValueTile<Fold>;
  static constexpr int sums = Fold::sums;
  static constexpr int last_array = Fold::arrays - 1;
  // A product of two doubles has 106 bits: it is two numbers, the second of which enters at the
  // second level.
  static constexpr bool splits_products = sizeof(Part) == 8;
  static constexpr bool has_products =
      !std::is_same_v<typename Fold::state_type, typename Sum<T>::state_type>;
  static constexpr int levels = 4;
  static constexpr int usual_levels = splits_products && has_products ? levels : 2;
  // Additions to one copy of the sums wait for each other.
  static constexpr int copies = sums == 1 && usual_levels == 2 ? 4 : 2;
  static constexpr int step = width * copies;

  // A lane gets at most 2^log_adds terms between two flushes.
  static constexpr int log_adds = 9;
  static constexpr int most_adds = 1 << log_adds;
  static constexpr int headroom = log_adds + 2;  // terms below 2^(p - headroom) fit a window
  static constexpr int room_above = 3;  // binades between the largest term seen and a window's top
  static constexpr int below = 53 - 2 - log_adds;  // from the p of a level to that of the next
  static constexpr int least_p = -1022 + (levels - 1) * below;  // the last grid is of subnormals
  static constexpr int most_p = 1000;
  static constexpr std::int64_t fraction = 0x000fffffffffffff;
  static constexpr std::int64_t magnitude = 0x7fffffffffffffff;

  struct Window {
    V level[std::size_t{levels}][std::size_t{copies}];
    double start[std::size_t{levels}];
    int p;
    bool is_set;
  };

 public:
  using State = typename Fold::state_type;

  WindowSums() {
    for (Window& window : window_) {
      unset(window);
    }
  }

  // Adds map(begin) to map(end - 1), each called once and in order.
  template <class Map>
  void add(const Map& map, std::int64_t begin, std::int64_t end) {
    const int fitting = most_adds / adds_of_element() * step;
    const int most = fitting < Tile::most ? fitting : Tile::most;
    Tile tile;
    for (std::int64_t first = begin; first < end; first += most) {
      const int count = end - first < most ? static_cast<int>(end - first) : most;
      for (int i = 0; i < count; ++i) {
        tile.set(i, map(first + i));
      }
      int padded = count;
      for (; padded % step != 0; ++padded) {
        tile.clear(padded);
      }
      const int adds = padded / step * adds_of_element();
      if (adds_ + adds > most_adds) {
        flush();
      }
      adds_ += adds;
      if (is_wide_ || !is_set() || !add_tile<usual_levels, false>(tile, count, padded)) {
        take_again(tile, count, padded);
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
  static int adds_of_element() {
    const int most = TermCount<Fold>().most();
    return splits_products && has_products ? 2 * most : most;
  }
  bool is_set() const {
    bool all = true;
    for (const Window& window : window_) {
      all = all && window.is_set;
    }
    return all;
  }
  static bool any_set(const Bits& bits) {
    if constexpr (width == 1) {
      return bits != 0;
    } else {
      std::int64_t any = 0;
      for (int i = 0; i < width; ++i) {
        any |= bits[i];
      }
      return any != 0;
    }
  }
  static std::int64_t sum_of_lanes(const Bits& bits) {
    if constexpr (width == 1) {
      return bits;
    } else {
      std::int64_t sum = 0;
      for (int i = 0; i < width; ++i) {
        sum += bits[i];
      }
      return sum;
    }
  }
  static Bits broadcast(std::int64_t bits) { return bits - Bits{}; }

  // Negative where the second half of so small a product is not exact; not for zeros.
  static Bits tiny_product(const V& x, const V& y, const V& product) {
    constexpr std::int64_t least = std::int64_t{1023 - 960} << 52;
    const Bits none_of_x = (bit_cast<Bits>(x) & magnitude) - 1;
    const Bits none_of_y = (bit_cast<Bits>(y) & magnitude) - 1;
    return ((bit_cast<Bits>(product) & magnitude) - least) & ~none_of_x & ~none_of_y;
  }

  // The registers of a tile.
  struct Lanes {
    V level[std::size_t{sums}][std::size_t{levels}][std::size_t{copies}];
    Bits moved = {};
    Bits lost = {};
    Bits tiny = {};
  };
  // Takes the terms of a vector of elements by so many levels; collecting, it deposits what the
  // last one loses.
  template <int used, bool collects>
  struct LaneSink {
    WindowSums& all;
    Lanes& lanes;
    const Bits (&start)[std::size_t{sums}];
    int copy;

    template <int k>
    void add(const V& z) const {
      add_from<k, 0>(z);
    }
    template <int k, int first>
    void add_from(const V& z) const {
      V rest = z;
      for (int level = first; level < used; ++level) {
        V& a = lanes.level[k][level][copy];
        const V sum = a + rest;
        rest = rest - (sum - a);
        a = sum;
        if (level == 0) {
          lanes.moved |= bit_cast<Bits>(sum) ^ start[k];
        }
      }
      if constexpr (collects) {
        all.template deposit_each<k>(rest);
      } else {
        lanes.lost |= bit_cast<Bits>(rest);
      }
    }
    template <int k>
    void multiply(const V& x, const V& y) const {
      const V product = x * y;
      add_from<k, 0>(product);
      if constexpr (splits_products) {
        lanes.tiny |= tiny_product(x, y, product);
        add_from<k, 1>(core::fma<V>(x, y, -product));
      }
    }
  };

  // Adds a tile; if not all of it fits, or is exact, it changes nothing and returns false.
  template <int used, bool collects>
  bool add_tile(const Tile& tile, int count, int padded) {
    Lanes lanes;
    Bits start[std::size_t{sums}];
    for (int k = 0; k < sums; ++k) {
      start[k] = broadcast(bit_cast<std::int64_t>(window_[k].start[0]));
      for (int level = 0; level < used; ++level) {
        for (int c = 0; c < copies; ++c) {
          lanes.level[k][level][c] = window_[k].level[level][c];
        }
      }
    }
    for (int i = 0; i < padded; i += step) {
      for (int c = 0; c < copies; ++c) {
        const int at = i + c * width;
        Fold::terms(tile.template at<V, 0>(at), tile.template at<V, last_array>(at),
                    LaneSink<used, collects>{*this, lanes, start, c});
      }
    }
    if (!collects &&
        any_set((lanes.moved & ~fraction) | (lanes.lost & magnitude) | (lanes.tiny & ~magnitude))) {
      return false;
    }
    for (int k = 0; k < sums; ++k) {
      for (int level = 0; level < used; ++level) {
        for (int c = 0; c < copies; ++c) {
          window_[k].level[level][c] = lanes.level[k][level][c];
        }
      }
    }
    count_terms(tile, count);
    return true;
  }

  // The largest bits of a term's magnitude in each sum, and whether all terms can be split.
  struct Extent {
    std::int64_t most[std::size_t{sums}] = {};
    bool is_plain = true;
  };
  struct ExtentSink {
    Extent& extent;
    template <int k>
    void add(double z) const {
      const std::int64_t bits = bit_cast<std::int64_t>(z) & magnitude;
      extent.most[k] = bits > extent.most[k] ? bits : extent.most[k];
      extent.is_plain = extent.is_plain && p_for(bits) <= most_p;
    }
    template <int k>
    void multiply(double x, double y) const {
      const double product = x * y;
      add<k>(product);
      if constexpr (splits_products) {
        const bool is_tiny = product < 0x1p-960 && product > -0x1p-960 && x != 0 && y != 0;
        extent.is_plain = extent.is_plain && !is_tiny;
      }
    }
  };
  // The p of a window into which a term of such bits just fits.
  static int p_for(std::int64_t bits) {
    const int exponent = static_cast<int>(bits >> 52) - 1023;
    return (exponent > -1023 ? exponent + 1 : -1022) + headroom;
  }

  template <class Sink>
  static void each_term(const Tile& tile, int count, const Sink& sink) {
    for (int i = 0; i < count; ++i) {
      Fold::terms(tile.template at<double, 0>(i), tile.template at<double, last_array>(i), sink);
    }
  }

  void take_again(const Tile& tile, int count, int padded) {
    Extent extent;
    each_term(tile, count, ExtentSink{extent});
    if (!extent.is_plain) {
      each_term(tile, count, WordSink<Fold>{state_});
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
    if (is_wide_ || !add_tile<usual_levels, false>(tile, count, padded)) {
      is_wide_ = true;
      add_tile<levels, true>(tile, count, padded);
      state_.carry();
    }
  }

  // Counts the terms of values that are finite.
  void count_terms(const Tile& tile, int count) {
    const TermCount<Fold> terms;
    state_.first.terms += std::int64_t{terms.of[0]} * count;
    bool is_known = state_.first.not_minus_zero != 0;
    if constexpr (sums == 2) {
      state_.second.terms += std::int64_t{terms.of[1]} * count;
      is_known = is_known && state_.second.not_minus_zero != 0;
    }
    if (!is_known) {
      each_term(tile, count, SignSink<Fold>{state_});
    }
  }

  // Whatever is added to a window that is not set yet does not fit: a NaN has no exact remainder.
  static void unset(Window& window) {
    window.is_set = false;
    window.p = 0;
    fill(window, std::numeric_limits<double>::quiet_NaN());
  }
  static void set(Window& window, int p) {
    window.p = p < least_p ? least_p : p > most_p ? most_p : p;
    window.is_set = true;
    fill(window, 1.5 * power_of_two(window.p));
  }
  static void fill(Window& window, double start) {
    for (int level = 0; level < levels; ++level) {
      window.start[level] = start;
      for (V& lanes : window.level[level]) {
        lanes = bit_cast<V>(broadcast(bit_cast<std::int64_t>(start)));
      }
      start *= 1 / static_cast<double>(std::int64_t{1} << below);
    }
  }

  // Empties the windows into the words. Those of a tile that needed all levels are chosen anew by
  // the next one, which may not.
  void flush() {
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
        // Inside one binade the bits of doubles count the steps of its grid.
        std::int64_t steps = 0;
        for (const V& lanes : window.level[level]) {
          const std::int64_t start = bit_cast<std::int64_t>(window.start[level]);
          steps += sum_of_lanes(bit_cast<Bits>(lanes) - start);
        }
        const auto bits = static_cast<std::uint64_t>(steps < 0 ? -steps : steps);
        deposit(k, bits, window.p - level * below - 52, steps < 0);
      }
      fill(window, window.start[0]);
    }
  }
  void deposit(int k, std::uint64_t bits, int exponent, bool negative) {
    if (k == 0) {
      state_.template sum<0>().deposit(bits, exponent, negative);
    } else {
      state_.template sum<1>().deposit(bits, exponent, negative);
    }
  }
  // Deposits what a window was too high for.
  template <int k>
  void deposit_each(const V& rest) {
    if (any_set(bit_cast<Bits>(rest) & magnitude)) {
      double left[std::size_t{width}];
      memcpy(left, &rest, sizeof rest);
      for (const double number : left) {
        const Parts<double> parts(number);
        state_.template sum<k>().deposit(parts.magnitude, parts.exponent, parts.negative);
      }
    }
  }

  State state_{};
  Window window_[std::size_t{sums}];
  bool is_wide_ = false;  // terms since the last flush needed all levels
  int adds_ = 0;
  std::int64_t flushes_ = 0;
};

// Sums of integers: 128 bits of at most 2^60 of them at once.
template <class Fold>
class IntegerSums {
 public:
  using State = typename Fold::state_type;

  template <class Map>
  void add(const Map& map, std::int64_t begin, std::int64_t end) {
    __extension__ typedef __int128 Wide;
    Wide sum = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      sum += number_of<Fold, 0>(map(i));
    }
    const auto magnitude = static_cast<Uint128>(sum < 0 ? -sum : sum);
    state_.first.deposit(static_cast<std::uint64_t>(magnitude), 0, sum < 0);
    state_.first.deposit(static_cast<std::uint64_t>(magnitude >> 64), 64, sum < 0);
    state_.first.terms += end - begin;
    state_.first.not_minus_zero = 1;
  }
  const State& words() {
    state_.carry();
    return state_;
  }

 private:
  State state_{};
};

// The sums of a fold over a map's values: add(map, begin, end), and words() at the end.
template <class Fold>
using ValueSums = std::conditional_t<std::is_integral_v<typename Fold::element_type>,
                                     IntegerSums<Fold>, WindowSums<Fold, window_width>>;

}  // namespace isofold::core::exact
