// The windows of exact_v1's sums: what a warp keeps of a row in registers and in shared memory.
// docs/decisions/057 derives their budget, as for CPUs (backends/openmp/exact_sums.hpp).
//
// Each thread has two or three doubles of a sum, its levels, that start at 1.5 * 2^p, 1.5 * 2^q and
// so on, p being the warp's. An addition to the first rounds to its grid, the multiples of
// 2^(p - 52); what it loses is exact and goes to the next level, whose grid is finer. As long as
// the first stays between 2^p and 2^(p+1), and the last loses nothing, they hold the exact sum of
// all terms. Two integer operations a term test that, and one vote a tile. A tile that fails is
// added again without the terms that are too large, which go to words one by one; if that fails,
// too, each of its terms is taken by itself.
#pragma once

#include <backends/gpu/input/exact_source.hpp>
#include <backends/gpu/op/exact_finish.hpp>
#include <isofold/detail/core/fma.hpp>
#include <isofold/detail/gpu/warp_fold.hpp>

namespace isofold::gpu {

struct ExactBudget {
  // A thread gets at most 2^log_adds terms between two flushes.
  static constexpr int log_adds = 9;
  static constexpr int most_adds = 1 << log_adds;
  static constexpr int headroom = log_adds + 2;  // terms below 2^(p - headroom) fit a window
  static constexpr int room_above = 3;  // binades between the largest seen and a window's top
  static constexpr int from_p_to_q = 53 - 2 - log_adds;  // from a level to the next
  static constexpr int most_p = 1000;

  // The last level's grid is that of subnormal numbers.
  ISOFOLD_DEVICE static constexpr int least_p(int levels) {
    return -1022 + (levels - 1) * from_p_to_q;
  }
  // The bits of 2^(p - headroom).
  ISOFOLD_DEVICE static constexpr std::uint64_t limit_of(int p) {
    return static_cast<std::uint64_t>(p - headroom + 1023) << 52;
  }
  // The p of a window into which a term of such bits just fits.
  ISOFOLD_DEVICE static constexpr int p_for(std::uint64_t bits) {
    const int exponent = static_cast<int>(bits >> 52) - 1023;
    return (exponent > -1023 ? exponent + 1 : -1022) + headroom;
  }
  // A product's magnitude below this may have an error that is no double.
  static constexpr double least_split = 0x1p-960;
};
inline constexpr std::uint64_t magnitude_bits = 0x7fffffffffffffff;

// Adds an integer of 128 bits times 2^exponent. One thread calls.
template <class Terms>
ISOFOLD_DEVICE void deposit_wide(exact::Words<Terms>& words, SignedWide sum, int exponent) {
  const bool negative = sum < 0;
  const auto magnitude = static_cast<exact::Uint128>(negative ? -sum : sum);
  words.deposit(static_cast<std::uint64_t>(magnitude), exponent, negative);
  words.deposit(static_cast<std::uint64_t>(magnitude >> 64), exponent + 64, negative);
}

// A HeldSum is the sum of all terms that a window has gathered. `held` counts multiples of
// 2^exponent(), which the first two levels add, and `held_low` multiples of 2^low_exponent(), which
// the third one adds. `held` of integers counts ones.
struct HeldSum {
  SignedWide held;
  SignedWide held_low;
  int p;

  // Sums are rounded by round_to() if they reach 2^least_exponent, and all their bits have powers
  // that are normal doubles.
  template <class T>
  static constexpr int least_exponent = sizeof(T) == 4 ? std::numeric_limits<T>::min_exponent
                                                       : -900;

  ISOFOLD_DEVICE int exponent() const { return p - ExactBudget::from_p_to_q - 52; }
  ISOFOLD_DEVICE int low_exponent() const { return exponent() - ExactBudget::from_p_to_q; }
  ISOFOLD_DEVICE bool holds() const { return held != 0 || held_low != 0; }
  ISOFOLD_DEVICE void clear() {
    held = 0;
    held_low = 0;
  }
  // Counts in the grids of the window `lower`, no higher than this one. This tells whether the
  // sums of a block's warps fit there.
  ISOFOLD_DEVICE bool move_to_window(int lower) {
    const int shift = p - lower;
    const SignedWide most = SignedWide{1} << (shift < 120 ? 120 - shift : 0);
    const bool fits = -most < held && held < most && -most < held_low && held_low < most;
    held = fits ? held * (SignedWide{1} << shift) : 0;
    held_low = fits ? held_low * (SignedWide{1} << shift) : 0;
    p = lower;
    return fits;
  }
  template <int levels>
  ISOFOLD_DEVICE void hold(const std::int64_t (&steps)[levels]) {
    held +=
        static_cast<SignedWide>(steps[0]) * (SignedWide{1} << ExactBudget::from_p_to_q) + steps[1];
    if constexpr (levels == 3) {
      held_low += steps[2];
    }
  }

  // Rounds what is held to T, once. This tells whether there is a result: zero, and what is no
  // normal number of T, have none.
  template <class T>
  ISOFOLD_DEVICE bool round_to(T& result) const {
    constexpr int between = ExactBudget::from_p_to_q;
    const SignedWide below = held_low & ((SignedWide{1} << between) - 1);
    SignedWide sum = held + (held_low >> between);
    bool has_rest = below != 0;
    int place = exponent();
    constexpr SignedWide most_shifted = SignedWide{1} << (126 - between);
    if (-most_shifted < sum && sum < most_shifted) {
      sum = sum * (SignedWide{1} << between) + below;
      has_rest = false;
      place = low_exponent();
    }
    if (sum == 0) {
      return false;
    }
    const bool negative = sum < 0;
    auto magnitude = static_cast<exact::Uint128>(negative ? -sum : sum);
    magnitude -= negative && has_rest ? 1 : 0;
    // 64 bits are converted, the last of which is set if any that follow are.
    const auto upper = static_cast<std::uint64_t>(magnitude >> 64);
    const int dropped = upper != 0 ? core::bit_width(upper) : 0;
    const auto leading = static_cast<std::uint64_t>(magnitude >> dropped);
    has_rest = has_rest || static_cast<exact::Uint128>(leading) << dropped != magnitude;
    place += dropped;
    const int highest = place + core::bit_width(leading);
    if (highest < least_exponent<T> || highest >= std::numeric_limits<T>::max_exponent) {
      return false;
    }
    const auto rounded = static_cast<double>(static_cast<T>(leading | (has_rest ? 1 : 0)));
    const auto value = static_cast<T>(rounded * core::power_of_two(place));
    result = negative ? -value : value;
    return true;
  }
  // Returns what is held as digits that lie near each other.
  ISOFOLD_DEVICE NearDigits digits() const {
    constexpr int shift = ExactBudget::from_p_to_q - 32;  // of `held`, beyond the first digit
    static_assert(0 <= shift && shift < 32, "`held` begins within the second digit.");
    std::int64_t digit[std::size_t{NearDigits::count}] = {};
    const auto add = [&digit](int first, SignedWide sum) {
#pragma unroll
      for (int j = 0; j < 3; ++j, sum >>= 32) {
        digit[first + j] += static_cast<std::uint32_t>(sum);
      }
      digit[first + 3] += static_cast<std::int64_t>(sum);
    };
    add(0, held_low);
    digit[1] += static_cast<std::int64_t>(static_cast<std::uint64_t>(held) << shift & 0xffffffffU);
    add(2, held >> (32 - shift));
    return NearDigits(digit, low_exponent());
  }
};

template <class Terms>
ISOFOLD_DEVICE void deposit_held(exact::Words<Terms>& words, const HeldSum& sum) {
  deposit_wide(words, sum.held, sum.exponent());
  deposit_wide(words, sum.held_low, sum.low_exponent());
}

// A sum of a warp, in shared memory.
struct ExactWindow : HeldSum {
  static constexpr int most_levels = 3;
  // The first is NaN if the window is not set: nothing fits.
  double start[std::size_t{most_levels}];
  int is_set;

  ISOFOLD_DEVICE void unset() {
    start[0] = core::canonical_nan<double>();
    start[1] = start[2] = 0;
    is_set = 0;
  }
  ISOFOLD_DEVICE void set(int wanted, int levels) {
    const int least = ExactBudget::least_p(levels);
    p = wanted < least ? least : wanted > ExactBudget::most_p ? ExactBudget::most_p : wanted;
    for (int level = 0; level < levels; ++level) {
      start[level] = 1.5 * core::power_of_two(p - level * ExactBudget::from_p_to_q);
    }
    is_set = 1;
  }
};

template <class Group, class T>
ISOFOLD_DEVICE T sum_over_warp(const Group& group, T sum) {
#pragma unroll
  for (int distance = 1; distance < Group::wave_width; distance *= 2) {
    sum += exchange(group, sum, distance);
  }
  return sum;
}

// A row whose sums are held, and wait until others can be rounded beside them.
template <class Fold>
struct WaitingRow {
  struct Sum {
    HeldSum held;
    std::int64_t terms;
    std::int64_t not_minus_zero;

    template <class Terms>
    ISOFOLD_DEVICE void take(const HeldSum& sum, const exact::Words<Terms>& words) {
      held = sum;
      terms = words.terms;
      not_minus_zero = words.not_minus_zero;
    }
    // Takes the sums of all of the warp's lanes. This tells whether they fit one window.
    // Collective: every lane of the warp must call.
    template <class Group>
    ISOFOLD_DEVICE bool gather(const Group& group) {
      int lower = held.holds() ? held.p : ExactBudget::most_p;
#pragma unroll
      for (int distance = 1; distance < Group::wave_width; distance *= 2) {
        const int other = exchange(group, lower, distance);
        lower = other < lower ? other : lower;
      }
      const bool fits = !held.holds() || held.move_to_window(lower);
      held.p = lower;
      held.held = sum_over_warp(group, held.held);
      held.held_low = sum_over_warp(group, held.held_low);
      terms = sum_over_warp(group, terms);
      not_minus_zero = sum_over_warp(group, not_minus_zero) != 0 ? 1 : 0;
      return fits;
    }
    ISOFOLD_DEVICE NearDigits digits() const {
      NearDigits found = held.digits();
      found.all_minus_zero = terms > 0 && not_minus_zero == 0;
      return found;
    }
    template <class Terms>
    ISOFOLD_DEVICE void move_to(exact::Words<Terms>& words) const {
      words.terms = terms;
      words.not_minus_zero = not_minus_zero;
      deposit_held(words, held);
    }
  };
  Sum sum[std::size_t{Fold::sums}];
  std::int64_t row;
};
// The rows that wait for a warp, in its shared memory.
template <class Fold, bool any = has_near_results<Fold>>
struct WaitingRows {
  static constexpr int most = 16;
  WaitingRow<Fold> of[std::size_t{most}];
  std::int32_t count;
};
template <class Fold>
struct WaitingRows<Fold, false> {};

// A warp's shared memory.
template <class Fold>
struct alignas(16) ExactRoom {
  using State = typename Fold::state_type;
  ExactWindow window[std::size_t{Fold::sums}];
  ExactRow row;
  State words;
  std::int32_t is_touched;  // words have digits, or terms that are not finite
  std::int32_t deposits;    // calls since digits were carried
};

// Words::deposit() by many threads at once.
template <class Group, class Terms>
ISOFOLD_DEVICE void deposit_together(const Group& group, exact::Words<Terms>& words, double z) {
  const exact::Parts<double> parts(z);
  int place = parts.exponent + exact::Words<Terms>::bias;
  std::uint64_t magnitude = parts.magnitude;
  if (place < 0) {
    magnitude = place > -64 ? magnitude >> -place : 0;
    place = 0;
  }
  int k = place / 32;
  auto rest = static_cast<exact::Uint128>(magnitude) << place % 32;
  for (; rest != 0; ++k, rest >>= 32) {
    const auto piece = static_cast<std::int64_t>(static_cast<std::uint32_t>(rest));
    group.add(words.digit + k, parts.negative ? -piece : piece);
  }
}

// Moves what is beyond 32 bits of each digit to the next one, once. Collective: every lane of the
// warp must call.
template <class Group, class Terms>
ISOFOLD_DEVICE void carry_once(const Group& group, exact::Words<Terms>& words) {
  constexpr int digits = exact::Words<Terms>::digits;
  constexpr int each = (digits + Group::wave_width - 1) / Group::wave_width;
  const int lane = group.thread() % Group::wave_width;
  std::int64_t own[each];
  for (int j = 0; j < each; ++j) {
    const int k = lane + j * Group::wave_width;
    const std::int64_t below = k > 0 && k < digits ? words.digit[k - 1] >> 32 : 0;
    const std::int64_t all = k < digits ? words.digit[k] : 0;
    own[j] = (k < digits - 1 ? all & 0xffffffff : all) + below;
  }
  group.warp_barrier();
  for (int j = 0; j < each; ++j) {
    const int k = lane + j * Group::wave_width;
    if (k < digits) {
      words.digit[k] = own[j];
    }
  }
  group.warp_barrier();
}

// Hands the two terms of a product, or the one that it is exactly, to term(); tells whether they
// are no exact halves.
template <class Part, class Term>
ISOFOLD_DEVICE bool split_product(double x, double y, Term&& term) {
  const double p = x * y;
  term(p);
  if constexpr (sizeof(Part) == 8) {
    term(core::fma(x, y, -p));
    const bool is_tiny = p < ExactBudget::least_split && p > -ExactBudget::least_split;
    return is_tiny && x != 0 && y != 0;
  } else {
    return false;
  }
}

// The levels of a thread's sums.
template <class Fold>
class ExactLevels {
 protected:
  using T = typename Fold::element_type;
  using Part = core::part_t<T>;
  using B = ExactBudget;
  static constexpr int sums = Fold::sums;
  // Two levels hold floats, and their products, of 28 binades or more; doubles need a third.
  static constexpr int levels = sizeof(Part) == 8 ? 3 : 2;
  using OfSum = double[std::size_t{levels}];
  struct Levels {
    OfSum of[std::size_t{sums}];
  };

  ISOFOLD_DEVICE static int adds_of_element() {
    const int most = exact::TermCount<Fold>().most();
    return sizeof(Part) == 8 ? 2 * most : most;
  }
  ISOFOLD_DEVICE static std::uint32_t upper(double x) {
    return static_cast<std::uint32_t>(core::bit_cast<std::uint64_t>(x) >> 32);
  }
  // Adds a term to the levels of a sum; returns what the last one loses.
  ISOFOLD_DEVICE static double add_to(OfSum& level, double z) {
#pragma unroll
    for (int l = 0; l < levels; ++l) {
      const double sum = level[l] + z;
      z = z - (sum - level[l]);
      level[l] = sum;
    }
    return z;
  }

  // This tells whether a thread's terms have fitted.
  struct Fit {
    std::uint32_t moved[std::size_t{sums}];  // how the first levels' upper bits have changed
    std::uint32_t lost;
    bool tiny;

    ISOFOLD_DEVICE bool is_good() const {
      std::uint32_t all = moved[0];
      if constexpr (sums == 2) {
        all |= moved[1];
      }
      return ((all & 0xfff00000U) | lost) == 0 && !tiny;
    }
  };
  struct LevelSink {
    ExactLevels& all;
    Fit& fit;

    template <int k>
    ISOFOLD_DEVICE void add(double z) const {
      const auto last = core::bit_cast<std::uint64_t>(add_to(all.sum_.of[k], z));
      fit.moved[k] |= upper(all.sum_.of[k][0]) ^ all.start_[k];
      fit.lost |= static_cast<std::uint32_t>(last) | static_cast<std::uint32_t>(last >> 32) << 1;
    }
    template <int k>
    ISOFOLD_DEVICE void multiply(double x, double y) const {
      const bool is_tiny = split_product<Part>(x, y, [&](double z) { add<k>(z); });
      fit.tiny = fit.tiny || is_tiny;
    }
  };
  ISOFOLD_DEVICE void add(T x, T y, Fit& fit) {
    Fold::terms(exact::term_of(x), exact::term_of(y), LevelSink{*this, fit});
  }
  ISOFOLD_DEVICE void begin(int k, const ExactWindow& window) {
#pragma unroll
    for (int l = 0; l < levels; ++l) {
      sum_.of[k][l] = window.start[l];
    }
    start_[k] = upper(sum_.of[k][0]);
  }
  ISOFOLD_DEVICE static std::int64_t steps(double level, double start) {
    return core::bit_cast<std::int64_t>(level) - core::bit_cast<std::int64_t>(start);
  }

  // `most[k]`: the largest bits of a term's magnitude; `is_odd`: an element that the definition
  // itself must add, because a term of it is not finite, too large or too small to be exact here.
  struct ExtentSink {
    std::uint64_t (&most)[std::size_t{sums}];
    bool& is_odd;
    template <int k>
    ISOFOLD_DEVICE void add(double z) const {
      const std::uint64_t bits = core::bit_cast<std::uint64_t>(z) & magnitude_bits;
      is_odd = is_odd || bits >= B::limit_of(B::most_p);
      most[k] = bits > most[k] ? bits : most[k];
    }
    template <int k>
    ISOFOLD_DEVICE void multiply(double x, double y) const {
      const bool is_tiny = split_product<Part>(x, y, [&](double z) { add<k>(z); });
      is_odd = is_odd || is_tiny;
    }
  };
  ISOFOLD_DEVICE static bool is_odd(T x, T y, std::uint64_t (&most)[std::size_t{sums}]) {
    bool is_odd = false;
    Fold::terms(exact::term_of(x), exact::term_of(y), ExtentSink{most, is_odd});
    return is_odd;
  }
  // Notes which sums have a finite term that is not -0.
  struct SignSink {
    bool (&known)[2];
    template <int k>
    ISOFOLD_DEVICE void add(double z) const {
      const bool is_minus_zero = core::bit_cast<std::uint64_t>(z) == std::uint64_t{1} << 63;
      known[k] = known[k] || (is_finite(z) && !is_minus_zero);
    }
    template <int k>
    ISOFOLD_DEVICE void multiply(double x, double y) const {
      const double z = x * y;  // where it is zero but should not be, the term is not -0
      if (is_finite(x) && is_finite(y)) {
        add<k>(x != 0 && y != 0 ? 1 : z);
      }
    }
    ISOFOLD_DEVICE static bool is_finite(double x) { return x - x == 0; }
  };

  Levels sum_;
  std::uint32_t start_[std::size_t{sums}];
};

// Floating-point sums of a warp. Its members are collective: every lane of the warp must call.
// The elements of each row are Words that lie side by side; void: of any type, anywhere.
template <class Fold, class Group, class Word>
class ExactLanes : ExactLevels<Fold> {
  using Base = ExactLevels<Fold>;
  using Base::adds_of_element;
  using Base::is_odd;
  using Base::levels;
  using Base::start_;
  using Base::sum_;
  using Base::sums;
  using typename Base::B;
  using typename Base::ExtentSink;
  using typename Base::Fit;
  using typename Base::Levels;
  using typename Base::OfSum;
  using typename Base::Part;
  using typename Base::SignSink;
  using typename Base::T;
  using Room = ExactRoom<Fold>;
  using Taken = ExactSource::Taken<T>;
  static constexpr int width = Group::wave_width;

 public:
  ISOFOLD_DEVICE static void begin_room(Room& room) {
    for (ExactWindow& window : room.window) {
      window.clear();
      window.p = 0;
      window.unset();
    }
  }

  ISOFOLD_DEVICE ExactLanes(const Group& group, const ExactSource& source, Room& room)
      : group_(group), source_(source), room_(room) {
    restart();
  }

  // Adds a tile of the row: `count` elements of each thread, which element(j) returns as pairs, and
  // whose numbers in the row are number(j); missing ones are zero. They are those from number
  // `first` to `end`, of which `taken` are there.
  template <int count, class Element, class Number>
  ISOFOLD_DEVICE void add_tile(std::int64_t first, std::int64_t end, int taken, Element&& element,
                               Number&& number) {
    static_assert(count <= most_of_thread, "The next tile fits the budget.");
    const Levels before = sum_;
    Fit fit{};
#pragma unroll
    for (int j = 0; j < count; ++j) {
      const auto pair = element(j);
      this->add(pair.x, pair.y, fit);
    }
    if (!all_of_warp(group_, fit.is_good())) {
      sum_ = before;
      const std::uint32_t marked = is_set_ ? too_large<count>(element) : 0;
      const int all_marked = sum_over_warp(group_, core::popcount(marked));
      bool is_good = 0 < all_marked && all_marked <= count * width / few;
      if (is_good) {
        fit = Fit{};
#pragma unroll
        for (int j = 0; j < count; ++j) {
          const auto pair = element(j);
          const bool is_left = (marked >> j & 1) == 0;
          this->add(is_left ? pair.x : T{}, is_left ? pair.y : T{}, fit);
        }
        is_good = all_of_warp(group_, fit.is_good());
      }
      if (!is_good) {
        sum_ = before;
        flush();
        take_again(group_, source_, room_, first, end);
        restart();
        return;
      }
      for (int j = 0; j < count; ++j) {
        if (!all_of_warp(group_, (marked >> j & 1) == 0)) {
          add_marked(group_, source_, room_, number(j), end, (marked >> j & 1) != 0);
        }
      }
      carry_deposits(group_, room_);
      taken -= all_marked;
    }
    adds_ += count * adds_of_element();
    taken_ += taken;
    if (known_ != (1U << sums) - 1) {
      note_signs(fit.moved, first, end);
    }
    // Here, and not before a tile, few registers live across the call.
    if (adds_ + most_of_thread * adds_of_element() > B::most_adds) {
      flush();
    }
  }
  static constexpr int most_of_thread = 16;  // elements of a tile

  // Chooses the windows that are not set for the tile that is in registers, unless the definition
  // itself must add some of it. The accumulators are at their start: a tile that finds such a
  // window is taken again.
  template <int count, class Element>
  ISOFOLD_DEVICE void choose_windows(Element&& element) {
    if (is_set_) {
      return;
    }
    std::uint64_t most[sums] = {};
    bool is_odd = false;
#pragma unroll
    for (int j = 0; j < count; ++j) {
      const auto pair = element(j);
      Fold::terms(exact::term_of(pair.x), exact::term_of(pair.y), ExtentSink{most, is_odd});
    }
    if (!all_of_warp(group_, !is_odd)) {
      return;
    }
    group_.warp_barrier();  // others have read the windows that are not set
#pragma unroll
    for (int k = 0; k < sums; ++k) {
      const Extent extent = extent_over_warp(group_, most[k]);
      const int low = B::p_for(extent.least) + B::room_above;
      const int high = B::p_for(extent.largest);
      if (group_.thread() % width == 0 && room_.window[k].is_set == 0) {
        room_.window[k].set((high > low + outlier ? low : high) + B::room_above, levels);
      }
    }
    group_.warp_barrier();
    restart();
  }
  // Ends a row, or a part of it: all is in the window's `held`, or in words.
  ISOFOLD_DEVICE void end_row() {
    flush();
    if (group_.thread() % width == 0) {
      room_.words.first.terms += taken_ * exact::TermCount<Fold>().of[0];
      room_.words.first.not_minus_zero |= known_ & 1;
      if constexpr (sums == 2) {
        room_.words.second.terms += taken_ * exact::TermCount<Fold>().of[1];
        room_.words.second.not_minus_zero |= known_ >> 1;
      }
    }
    group_.warp_barrier();
    taken_ = 0;
    known_ = 0;
  }

  // Moves `held` to words. One thread calls.
  ISOFOLD_DEVICE static void move_held(Room& room) {
    move_held<0>(room);
    if constexpr (sums == 2) {
      move_held<1>(room);
    }
  }

 private:
  template <int k>
  ISOFOLD_DEVICE static void move_held(Room& room) {
    ExactWindow& window = room.window[k];
    if (window.holds()) {
      deposit_held(room.words.template sum<k>(), window);
      window.clear();
      room.is_touched = 1;
    }
  }

  ISOFOLD_DEVICE void restart() {
    is_set_ = true;
#pragma unroll
    for (int k = 0; k < sums; ++k) {
      is_set_ = is_set_ && room_.window[k].is_set != 0;
      this->begin(k, room_.window[k]);
    }
    adds_ = 0;
  }
  // A term that lies so many binades above the others gets no window.
  static constexpr int outlier = 24;

  // The largest of the threads' terms, and the least of those that each has as its largest.
  struct Extent {
    std::uint64_t largest;
    std::uint64_t least;
  };
  ISOFOLD_DEVICE static Extent extent_over_warp(const Group& group, std::uint64_t most) {
    Extent extent{most, most == 0 ? magnitude_bits : most};
#pragma unroll
    for (int distance = 1; distance < width; distance *= 2) {
      const Extent other = exchange(group, extent, distance);
      extent.largest = other.largest > extent.largest ? other.largest : extent.largest;
      extent.least = other.least < extent.least ? other.least : extent.least;
    }
    return extent;
  }

  ISOFOLD_DEVICE void flush() {
#pragma unroll
    for (int k = 0; k < sums; ++k) {
      hold(group_, room_.window[k], sum_.of[k]);
    }
    restart();
  }
  // Adds to what is held what the levels of all threads are away from their start. Inside one
  // binade the bits of doubles count the steps of its grid.
  struct OneSum {
    double level[std::size_t{levels}];
  };
  ISOFOLD_DEVICE static void hold(const Group& group, ExactWindow& window, const OfSum& level) {
    OneSum sum;
#pragma unroll
    for (int l = 0; l < levels; ++l) {
      sum.level[l] = level[l];
    }
    hold_sum(group, window, sum);
  }
  ISOFOLD_DEVICE_APART static void hold_sum(const Group group, ExactWindow& window, OneSum sum) {
    std::int64_t steps[std::size_t{levels}];
#pragma unroll
    for (int l = 0; l < levels; ++l) {
      steps[l] = sum_over_warp(group, Base::steps(sum.level[l], window.start[l]));
    }
    group.warp_barrier();
    if (group.thread() % width == 0) {
      window.hold(steps);
    }
    group.warp_barrier();
  }

  // Notes whether a sum has a term that is not -0. One that has moved the accumulator is none.
  ISOFOLD_DEVICE void note_signs(const std::uint32_t (&moved)[std::size_t{sums}],
                                 std::int64_t first, std::int64_t end) {
#pragma unroll
    for (int k = 0; k < sums; ++k) {
      known_ |= all_of_warp(group_, moved[k] == 0) ? 0 : 1U << k;
    }
    if (known_ != (1U << sums) - 1) {
      known_ |= signs_of(group_, source_, room_, first, end);
    }
  }
  ISOFOLD_DEVICE_APART static std::uint32_t signs_of(const Group group, const ExactSource& source,
                                                     Room& room, std::int64_t first,
                                                     std::int64_t end) {
    bool known[2] = {false, false};
    for (std::int64_t i = first + group.thread() % width; i < end; i += width) {
      const Taken taken = reload(group, source, room, i, end);
      if (taken.is_there) {
        Fold::terms(exact::term_of(taken.x), exact::term_of(taken.y), SignSink{known});
      }
    }
    return (all_of_warp(group, !known[0]) ? 0U : 1U) | (all_of_warp(group, !known[1]) ? 0U : 2U);
  }

  // An element of a tile that has been loaded before.
  ISOFOLD_DEVICE static Taken reload(const Group& group, const ExactSource& source, Room& room,
                                     std::int64_t i, std::int64_t end) {
    if constexpr (std::is_void_v<Word>) {
      return source.template reload<T, Fold::arrays>(group, room.row, i, end);
    } else {
      Taken taken[1];
      source.template load_line<T, Word, Fold::arrays>(group, room.row, i, 0, end, taken);
      return taken[0];
    }
  }

  // ---- a tile that failed ----------------------------------------------------------------------
  struct OverSink {
    const std::uint64_t (&limit)[sums];
    std::uint32_t (&over)[sums];
    template <int k>
    ISOFOLD_DEVICE void add(double z) const {
      over[k] += (core::bit_cast<std::uint64_t>(z) & magnitude_bits) >= limit[k] ? 1 : 0;
    }
    template <int k>
    ISOFOLD_DEVICE void multiply(double x, double y) const {
      split_product<Part>(x, y, [&](double z) { add<k>(z); });
    }
  };

  // The elements of a tile, as bits, that have a term above its window, or one that the definition
  // itself must add.
  template <int count, class Element>
  ISOFOLD_DEVICE std::uint32_t too_large(Element&& element) const {
    std::uint64_t limit[sums];
    for (int k = 0; k < sums; ++k) {
      limit[k] = B::limit_of(room_.window[k].p);
    }
    std::uint32_t marked = 0;
#pragma unroll
    for (int j = 0; j < count; ++j) {
      const auto pair = element(j);
      std::uint64_t most[sums] = {};
      const bool is_special = is_odd(pair.x, pair.y, most);
      bool is_over = is_special;
      for (int k = 0; k < sums; ++k) {
        is_over = is_over || most[k] >= limit[k];
      }
      marked |= is_over ? 1U << j : 0;
    }
    return marked;
  }
  // The definition itself adds the element number i of each thread that has one: one after the
  // other.
  ISOFOLD_DEVICE_APART static void add_marked(const Group group, const ExactSource& source,
                                              Room& room, std::int64_t i, std::int64_t end,
                                              bool has_one) {
    const Taken taken = reload(group, source, room, has_one ? i : end - 1, end);
    take_turns(group, room, taken, has_one);
    if (group.thread() % width == 0) {
      room.is_touched = 1;
      room.deposits += 1;
    }
    group.warp_barrier();
  }
  ISOFOLD_DEVICE static void take_turns(const Group& group, Room& room, const Taken& taken,
                                        bool has_one) {
    const auto those = group.ballot(has_one);
    for (int turn = 0; turn < width; ++turn) {
      if ((those >> turn & 1U) != 0) {
        if (turn == group.thread() % width) {
          exact::add_element<Fold>(room.words, taken.x, taken.y);
        }
        group.warp_barrier();
      }
    }
  }

  // Takes each term by itself: what lies above the window goes to words, as does what the last
  // level loses.
  struct CollectSink {
    const Group& group;
    Room& room;
    const std::uint64_t (&limit)[sums];
    Levels& sum;
    std::uint32_t (&lost)[sums];
    bool& deposited;

    template <int k>
    ISOFOLD_DEVICE void add(double z) const {
      double left = z;
      if ((core::bit_cast<std::uint64_t>(z) & magnitude_bits) < limit[k]) {
        left = Base::add_to(sum.of[k], z);
        lost[k] += left != 0 ? 1 : 0;
      }
      if (left != 0) {
        deposit_together(group, room.words.template sum<k>(), left);
        deposited = true;
      }
    }
    template <int k>
    ISOFOLD_DEVICE void multiply(double x, double y) const {
      split_product<Part>(x, y, [&](double z) { add<k>(z); });
    }
  };

  template <class Use>
  ISOFOLD_DEVICE static void for_each(const Group& group, const ExactSource& source, Room& room,
                                      std::int64_t first, std::int64_t end, Use&& use) {
    for (std::int64_t i = first + group.thread() % width; i < end; i += width) {
      const Taken taken = reload(group, source, room, i, end);
      if (taken.is_there) {
        use(taken);
      }
    }
  }

  // Adds the elements [first, end) of the row. The accumulators have been flushed.
  ISOFOLD_DEVICE_APART static void take_again(const Group group, const ExactSource& source,
                                              Room& room, std::int64_t first, std::int64_t end) {
    const int lane = group.thread() % width;
    // The extent of the terms, and how many of them are above the windows.
    std::uint64_t most[sums] = {};
    std::uint32_t odd = 0;
    std::uint32_t over[sums] = {};
    std::uint64_t limit[sums];
    for (int k = 0; k < sums; ++k) {
      limit[k] = room.window[k].is_set != 0 ? B::limit_of(room.window[k].p) : 0;
    }
    for_each(group, source, room, first, end, [&](const Taken& taken) {
      std::uint64_t own[sums] = {};
      if (is_odd(taken.x, taken.y, own)) {
        ++odd;
        return;
      }
      for (int k = 0; k < sums; ++k) {
        most[k] = own[k] > most[k] ? own[k] : most[k];
      }
      Fold::terms(exact::term_of(taken.x), exact::term_of(taken.y), OverSink{limit, over});
    });
    odd = sum_over_warp(group, odd);
    const auto some = static_cast<std::uint32_t>((end - first) / few) + 1;
    for (int k = 0; k < sums; ++k) {
      if (sum_over_warp(group, over[k]) >= some) {
        choose_window(group, source, room, first, end, k, most[k], some);
      }
      limit[k] = room.window[k].is_set != 0 ? B::limit_of(room.window[k].p) : 0;
    }
    group.warp_barrier();

    Levels sum;
    for (int k = 0; k < sums; ++k) {
      for (int l = 0; l < levels; ++l) {
        sum.of[k][l] = room.window[k].start[l];
      }
    }
    std::uint32_t lost[sums] = {};
    bool deposited = false;
    bool known[2] = {false, false};
    std::uint32_t plain = 0;
    for_each(group, source, room, first, end, [&](const Taken& taken) {
      std::uint64_t own[sums] = {};
      if (!is_odd(taken.x, taken.y, own)) {
        ++plain;
        Fold::terms(exact::term_of(taken.x), exact::term_of(taken.y), SignSink{known});
        Fold::terms(exact::term_of(taken.x), exact::term_of(taken.y),
                    CollectSink{group, room, limit, sum, lost, deposited});
      }
    });
    for (int k = 0; k < sums; ++k) {
      hold(group, room.window[k], sum.of[k]);
    }
    if (odd != 0) {
      add_odd(group, source, room, first, end);
    }
    plain = sum_over_warp(group, plain);
    const bool any_deposited = !all_of_warp(group, !deposited);
    const bool of_first = !all_of_warp(group, !known[0]);
    const bool of_second = !all_of_warp(group, !known[1]);
    for (int k = 0; k < sums; ++k) {
      lost[k] = sum_over_warp(group, lost[k]);
    }
    if (lane == 0) {
      room.words.first.terms += std::int64_t{plain} * exact::TermCount<Fold>().of[0];
      room.words.first.not_minus_zero |= of_first ? 1 : 0;
      if constexpr (sums == 2) {
        room.words.second.terms += std::int64_t{plain} * exact::TermCount<Fold>().of[1];
        room.words.second.not_minus_zero |= of_second ? 1 : 0;
      }
      room.is_touched |= any_deposited || odd != 0 ? 1 : 0;
      room.deposits += 1;
      drop<0>(room, lost[0] >= 4 * some);
      if constexpr (sums == 2) {
        drop<1>(room, lost[1] >= 4 * some);
      }
    }
    group.warp_barrier();
    carry_deposits(group, room);
  }
  ISOFOLD_DEVICE static void carry_deposits(const Group& group, Room& room) {
    if (room.deposits >= most_deposits) {
      carry_once(group, room.words.first);
      if constexpr (sums == 2) {
        carry_once(group, room.words.second);
      }
      if (group.thread() % width == 0) {
        room.deposits = 0;
      }
      group.warp_barrier();
    }
  }
  // Terms above a window, or that it loses, are few if there are fewer than one in so many.
  static constexpr int few = 32;
  // A tile deposits fewer than 2^14 pieces.
  static constexpr int most_deposits = 1 << 15;

  // A window that terms were too small for: the next tile chooses another one.
  template <int k>
  ISOFOLD_DEVICE static void drop(Room& room, bool is_too_high) {
    if (is_too_high && room.window[k].is_set != 0) {
      move_held<k>(room);
      room.window[k].unset();
    }
  }

  // Chooses the window of a sum for a tile: for the least of the threads' largest terms, if few
  // terms are above it then, else for the largest term. Outliers leave no trace in it.
  ISOFOLD_DEVICE static void choose_window(const Group& group, const ExactSource& source,
                                           Room& room, std::int64_t first, std::int64_t end, int k,
                                           std::uint64_t most, std::uint32_t some) {
    const Extent extent = extent_over_warp(group, most);
    int p = B::p_for(extent.largest);
    if (const int low = B::p_for(extent.least) + B::room_above; low < p) {
      std::uint64_t limit[sums] = {};
      limit[k] = B::limit_of(low < B::least_p(levels) ? B::least_p(levels) : low);
      std::uint32_t over[sums] = {};
      for_each(group, source, room, first, end, [&](const Taken& taken) {
        std::uint64_t own[sums] = {};
        if (!is_odd(taken.x, taken.y, own)) {
          Fold::terms(exact::term_of(taken.x), exact::term_of(taken.y), OverSink{limit, over});
        }
      });
      p = sum_over_warp(group, over[k]) < some ? low : p;
    }
    group.warp_barrier();
    if (group.thread() % width == 0) {
      if (k == 0) {
        move_held<0>(room);
      } else {
        move_held<sums - 1>(room);
      }
      room.window[k].set(p + B::room_above, levels);
    }
    group.warp_barrier();
  }

  // The definition itself, one thread after the other.
  ISOFOLD_DEVICE static void add_odd(const Group& group, const ExactSource& source, Room& room,
                                     std::int64_t first, std::int64_t end) {
    const int lane = group.thread() % width;
    group.warp_barrier();
    for (std::int64_t i = first; i < end; i += width) {
      Taken taken{T{}, T{}, false};
      if (i + lane < end) {
        taken = reload(group, source, room, i + lane, end);
      }
      std::uint64_t own[sums] = {};
      take_turns(group, room, taken, taken.is_there && is_odd(taken.x, taken.y, own));
    }
    group.warp_barrier();
  }

  Group group_;
  const ExactSource& source_;
  Room& room_;
  bool is_set_ = false;  // all windows are
  int adds_ = 0;
  std::uint32_t known_ = 0;  // sums with a term that is not -0
  std::int64_t taken_ = 0;   // elements
};

// Sums of integers of a warp: 64-bit sums of halves.
template <class Fold, class Group>
class ExactIntegers {
  using T = typename Fold::element_type;
  using Room = ExactRoom<Fold>;

 public:
  ISOFOLD_DEVICE static void begin_room(Room& room) { room.window[0].clear(); }

  ISOFOLD_DEVICE ExactIntegers(const Group& group, const ExactSource&, Room& room)
      : group_(group), room_(room) {}

  template <int count, class Element, class Number>
  ISOFOLD_DEVICE void add_tile(std::int64_t, std::int64_t, int taken, Element&& element, Number&&) {
#pragma unroll
    for (int j = 0; j < count; ++j) {
      const T x = element(j).x;
      if constexpr (sizeof(T) == 4) {
        low_ += x;
      } else {
        low_ += static_cast<std::int64_t>(x & T{0xffffffff});
        high_ += static_cast<std::int64_t>(x >> 32);
      }
    }
    taken_ += taken;
    if (++tiles_ == most_tiles) {
      flush();
    }
  }
  template <int count, class Element>
  ISOFOLD_DEVICE void choose_windows(Element&&) {}
  ISOFOLD_DEVICE void end_row() {
    flush();
    if (group_.thread() % Group::wave_width == 0) {
      room_.words.first.terms += taken_;
      room_.words.first.not_minus_zero |= taken_ > 0 ? 1 : 0;
    }
    group_.warp_barrier();
    taken_ = 0;
  }
  ISOFOLD_DEVICE static void move_held(Room& room) {
    if (room.window[0].held != 0) {
      deposit_wide(room.words.first, room.window[0].held, 0);
      room.window[0].held = 0;
      room.is_touched = 1;
    }
  }

 private:
  static constexpr int most_tiles = 1 << 18;  // of at most 16 elements a thread, 64 threads

  ISOFOLD_DEVICE void flush() {
    const std::int64_t low = sum_over_warp(group_, low_);
    const std::int64_t high = sum_over_warp(group_, high_);
    group_.warp_barrier();
    if (group_.thread() % Group::wave_width == 0) {
      room_.window[0].held += static_cast<SignedWide>(high) * (SignedWide{1} << 32) + low;
    }
    group_.warp_barrier();
    low_ = 0;
    high_ = 0;
    tiles_ = 0;
  }

  Group group_;
  Room& room_;
  std::int64_t low_ = 0;
  std::int64_t high_ = 0;
  std::int64_t taken_ = 0;
  int tiles_ = 0;
};

}  // namespace isofold::gpu
