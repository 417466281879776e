// The kernel of exact_v1 over the values of a map, for DeviceReducer. A sum has no order: warps
// take tiles as they come, and keep windows of three doubles a sum in each thread
// (docs/decisions/057 derives them). A tile that does not fit is mapped again, under a window of
// its own, and what that is too high for goes to words of the block in shared memory. Blocks add
// their words to words in device memory; the last of them rounds, and leaves zeros there for the
// next launch.
#pragma once

#include <isofold/detail/core/exact/values.hpp>
#include <isofold/detail/core/fma.hpp>
#include <isofold/detail/gpu/chunk_fold.hpp>
#include <isofold/detail/gpu/warp_fold.hpp>

namespace isofold::gpu {

struct MapWindow {
  // A thread gets at most 2^log_adds terms between two flushes.
  static constexpr int log_adds = 9;
  static constexpr int most_adds = 1 << log_adds;
  static constexpr int levels = 3;
  static constexpr int headroom = log_adds + 2;  // terms below 2^(p - headroom) fit a window
  static constexpr int room_above = 3;  // binades between the largest seen and a window's top
  static constexpr int below = 53 - 2 - log_adds;  // from the p of a level to that of the next
  static constexpr int least_p = -1022 + (levels - 1) * below;  // the last grid is of subnormals
  static constexpr int most_p = 1000;
  static constexpr std::uint64_t magnitude = 0x7fffffffffffffff;

  // The p of a window into which a term of such bits just fits.
  ISOFOLD_DEVICE static int p_for(std::uint64_t bits) {
    const int exponent = static_cast<int>(bits >> 52) - 1023;
    return (exponent > -1023 ? exponent + 1 : -1022) + headroom;
  }
  ISOFOLD_DEVICE static int p_with_room(std::uint64_t bits) {
    const int p = p_for(bits) + room_above;
    return p < least_p ? least_p : p > most_p ? most_p : p;
  }
  ISOFOLD_DEVICE static double start(int p, int level) {
    return 1.5 * core::power_of_two(p - level * below);
  }
};

// Words::deposit() by many threads at once.
template <class Group, class Terms>
ISOFOLD_DEVICE void deposit_shared(const Group& group, core::exact::Words<Terms>& words,
                                   std::uint64_t magnitude, int exponent, bool negative) {
  int place = exponent + core::exact::Words<Terms>::bias;
  if (place < 0) {  // the bits below the lowest digit are zeros
    magnitude = place > -64 ? magnitude >> -place : 0;
    place = 0;
  }
  int k = place / 32;
  auto rest = static_cast<core::exact::Uint128>(magnitude) << place % 32;
  for (; rest != 0; ++k, rest >>= 32) {
    const auto piece = static_cast<std::int64_t>(static_cast<std::uint32_t>(rest));
    group.add(words.digit + k, negative ? -piece : piece);
  }
}
template <class Group, class Terms>
ISOFOLD_DEVICE void deposit_steps(const Group& group, core::exact::Words<Terms>& words,
                                  std::int64_t steps, int exponent) {
  const auto bits = static_cast<std::uint64_t>(steps);
  deposit_shared(group, words, steps < 0 ? ~bits + 1 : bits, exponent, steps < 0);
}
template <class Group>
ISOFOLD_DEVICE std::int64_t steps_of_warp(const Group& group, std::int64_t steps) {
#pragma unroll
  for (int distance = 1; distance < Group::wave_width; distance *= 2) {
    steps += exchange(group, steps, distance);
  }
  return steps;
}

// The sums of a warp over a map's values. Its members are collective: every lane of the warp must
// call. `State` is the block's, in shared memory.
template <class Group, class Map, class Fold>
class MapSums {
  using T = typename Fold::element_type;
  using Part = core::part_t<T>;
  using State = typename Fold::state_type;
  using W = MapWindow;
  static constexpr int sums = Fold::sums;
  static constexpr int levels = W::levels;
  static constexpr int last_array = Fold::arrays - 1;
  static constexpr bool splits_products = sizeof(Part) == 8;
  static constexpr int width = Group::wave_width;

 public:
  static constexpr int per_thread = 8 / (Fold::arrays * (core::is_complex<T> ? 2 : 1));
  static constexpr std::int64_t tile = std::int64_t{per_thread} * width;

  ISOFOLD_DEVICE MapSums(const Group& group, const Map& map, State& state)
      : group_(group), map_(map), state_(state) {
    for (int k = 0; k < sums; ++k) {
      windows_.p[k] = W::least_p;
    }
    restart();
  }

  // Adds the values of [begin, end), a tile or less.
  ISOFOLD_DEVICE void add(std::int64_t begin, std::int64_t end) {
    if (is_set_ && end - begin == tile && add_whole(begin)) {
      adds_ += per_thread * adds_of_element();
      if (adds_ + per_thread * adds_of_element() > W::most_adds) {
        flush(group_, state_, windows_, level_);
        restart();
      }
      return;
    }
    flush(group_, state_, windows_, level_);
    windows_ = add_anew(group_, map_, state_, begin, end);
    is_set_ = true;
    restart();
  }

  ISOFOLD_DEVICE void finish() {
    flush(group_, state_, windows_, level_);
    note_seen(group_, state_, seen_);
  }

 private:
  struct Windows {
    int p[std::size_t{sums}];
  };
  using Levels = double[std::size_t{sums}][std::size_t{levels}];

  ISOFOLD_DEVICE static int adds_of_element() {
    const int most = core::exact::TermCount<Fold>().most();
    return splits_products ? 2 * most : most;
  }
  ISOFOLD_DEVICE static std::uint32_t upper(double x) {
    return static_cast<std::uint32_t>(core::bit_cast<std::uint64_t>(x) >> 32);
  }
  // Not zero for any number but -0.
  ISOFOLD_DEVICE static std::uint32_t not_minus_zero(double z) {
    const auto bits = core::bit_cast<std::uint64_t>(z);
    return (static_cast<std::uint32_t>(bits >> 32) ^ 0x80000000U) |
           static_cast<std::uint32_t>(bits);
  }
  ISOFOLD_DEVICE static bool is_tiny(double x, double y, double product) {
    return product < 0x1p-960 && product > -0x1p-960 && x != 0 && y != 0;
  }
  template <int first>
  ISOFOLD_DEVICE static double taken(double (&level)[std::size_t{levels}], double z) {
    double rest = z;
#pragma unroll
    for (int l = first; l < levels; ++l) {
      const double sum = level[l] + rest;
      rest = rest - (sum - level[l]);
      level[l] = sum;
    }
    return rest;
  }

  ISOFOLD_DEVICE void restart() {
#pragma unroll
    for (int k = 0; k < sums; ++k) {
#pragma unroll
      for (int l = 0; l < levels; ++l) {
        level_[k][l] = W::start(windows_.p[k], l);
      }
    }
    adds_ = 0;
  }

  // Takes terms that are finite and fit, and finds whether they did.
  struct LaneSink {
    Levels& level;
    const std::uint32_t (&start)[std::size_t{sums}];
    std::uint32_t (&seen)[std::size_t{sums}];
    std::uint32_t& moved;
    std::uint32_t& lost;
    bool& tiny;

    template <int k>
    ISOFOLD_DEVICE void add(double z) const {
      seen[k] |= not_minus_zero(z);
      take<k, 0>(z);
    }
    template <int k>
    ISOFOLD_DEVICE void multiply(double x, double y) const {
      const double product = x * y;
      add<k>(product);
      if constexpr (splits_products) {
        take<k, 1>(core::fma(x, y, -product));
        tiny = tiny || is_tiny(x, y, product);
      }
    }

   private:
    template <int k, int first>
    ISOFOLD_DEVICE void take(double z) const {
      const auto rest = core::bit_cast<std::uint64_t>(taken<first>(level[k], z));
      moved |= upper(level[k][0]) ^ start[k];
      lost |= static_cast<std::uint32_t>(rest) | static_cast<std::uint32_t>(rest >> 32) << 1;
    }
  };

  // Adds a whole tile, if it fits; else it changes nothing and returns false.
  ISOFOLD_DEVICE bool add_whole(std::int64_t begin) {
    const std::int64_t mine = begin + group_.thread() % width;
    using Number = decltype(core::exact::number_of<Fold, 0>(map_(mine)));
    Number x[std::size_t{per_thread}];
    Number y[Fold::arrays == 2 ? std::size_t{per_thread} : 1];
#pragma unroll
    for (int j = 0; j < per_thread; ++j) {
      const auto value = map_(mine + j * width);
      x[j] = core::exact::number_of<Fold, 0>(value);
      if constexpr (Fold::arrays == 2) {
        y[j] = core::exact::number_of<Fold, last_array>(value);
      }
    }
    if constexpr (has_loads_issued<Group>) {
      group_.loads_issued();
    }
    Levels before;
    std::uint32_t start[std::size_t{sums}];
#pragma unroll
    for (int k = 0; k < sums; ++k) {
      start[k] = upper(W::start(windows_.p[k], 0));
#pragma unroll
      for (int l = 0; l < levels; ++l) {
        before[k][l] = level_[k][l];
      }
    }
    std::uint32_t moved = 0;
    std::uint32_t lost = 0;
    bool tiny = false;
#pragma unroll
    for (int j = 0; j < per_thread; ++j) {
      Fold::terms(x[j], Fold::arrays == 2 ? y[Fold::arrays == 2 ? j : 0] : x[j],
                  LaneSink{level_, start, seen_, moved, lost, tiny});
    }
    if (all_of_warp(group_, ((moved & 0xfff00000U) | lost) == 0 && !tiny)) {
      return true;
    }
#pragma unroll
    for (int k = 0; k < sums; ++k) {
#pragma unroll
      for (int l = 0; l < levels; ++l) {
        level_[k][l] = before[k][l];
      }
    }
    return false;
  }

  // Adds to the words what the levels of all threads are away from their start. Inside one binade
  // the bits of doubles count the steps of its grid.
  ISOFOLD_DEVICE static void flush(const Group& group, State& state, const Windows& windows,
                                   const Levels& level) {
    flush_sum<0>(group, state, windows.p[0], level[0]);
    if constexpr (sums == 2) {
      flush_sum<1>(group, state, windows.p[sums - 1], level[sums - 1]);
    }
  }
  template <int k>
  ISOFOLD_DEVICE static void flush_sum(const Group& group, State& state, int p,
                                       const double (&level)[std::size_t{levels}]) {
#pragma unroll
    for (int l = 0; l < levels; ++l) {
      const std::int64_t steps =
          steps_of_warp(group, core::bit_cast<std::int64_t>(level[l]) -
                                   core::bit_cast<std::int64_t>(W::start(p, l)));
      if (group.thread() % width == 0) {
        deposit_steps(group, state.template sum<k>(), steps, p - l * W::below - 52);
      }
    }
  }
  ISOFOLD_DEVICE static void note_seen(const Group& group, State& state,
                                       const std::uint32_t (&seen)[std::size_t{sums}]) {
    const bool first = !all_of_warp(group, seen[0] == 0);
    const bool second = !all_of_warp(group, seen[sums - 1] == 0);
    if (group.thread() % width == 0) {
      group.add(&state.template sum<0>().not_minus_zero, first ? 1 : 0);
      if constexpr (sums == 2) {
        group.add(&state.template sum<1>().not_minus_zero, second ? 1 : 0);
      }
    }
  }

  // ---- a tile that does not fit, or is not whole -----------------------------------------------
  // `most[k]`: the largest bits of a term's magnitude; `is_odd`: a term is not finite, too large or
  // too small to be exact here, so that the element goes to words as it is.
  struct ExtentSink {
    std::uint64_t (&most)[std::size_t{sums}];
    bool& is_odd;
    template <int k>
    ISOFOLD_DEVICE void add(double z) const {
      const std::uint64_t bits = core::bit_cast<std::uint64_t>(z) & W::magnitude;
      is_odd = is_odd || W::p_for(bits) > W::most_p;
      most[k] = bits > most[k] ? bits : most[k];
    }
    template <int k>
    ISOFOLD_DEVICE void multiply(double x, double y) const {
      const double product = x * y;
      add<k>(product);
      if constexpr (splits_products) {
        is_odd = is_odd || is_tiny(x, y, product);
      }
    }
  };
  // Takes terms that fit, and deposits what the last level loses.
  struct CollectSink {
    const Group& group;
    State& state;
    Levels& level;
    std::uint32_t (&seen)[std::size_t{sums}];

    template <int k>
    ISOFOLD_DEVICE void add(double z) const {
      seen[k] |= not_minus_zero(z);
      take<k, 0>(z);
    }
    template <int k>
    ISOFOLD_DEVICE void multiply(double x, double y) const {
      const double product = x * y;
      add<k>(product);
      if constexpr (splits_products) {
        take<k, 1>(core::fma(x, y, -product));
      }
    }

   private:
    template <int k, int first>
    ISOFOLD_DEVICE void take(double z) const {
      const core::exact::Parts<double> rest(taken<first>(level[k], z));
      if (rest.magnitude != 0) {
        deposit_shared(group, state.template sum<k>(), rest.magnitude, rest.exponent,
                       rest.negative);
      }
    }
  };
  // Adds any term to the words, as core::exact::WordSink does.
  struct OddSink {
    const Group& group;
    State& state;
    std::uint32_t (&seen)[std::size_t{sums}];

    template <int k>
    ISOFOLD_DEVICE void add(double z) const {
      const core::exact::Parts<double> parts(z);
      seen[k] |= not_minus_zero(z);
      if (parts.finite) {
        deposit_shared(group, state.template sum<k>(), parts.magnitude, parts.exponent,
                       parts.negative);
      } else {
        count<k>(parts.is_nan(), parts.negative);
      }
    }
    template <int k>
    ISOFOLD_DEVICE void multiply(double x, double y) const {
      if constexpr (!splits_products) {
        add<k>(x * y);
      } else {
        const core::exact::Parts<double> a(x);
        const core::exact::Parts<double> b(y);
        const bool negative = a.negative != b.negative;
        const bool is_zero = a.magnitude == 0 || b.magnitude == 0;
        seen[k] |= is_zero && negative ? 0 : 1;
        if (!a.finite || !b.finite) {  // infinity times zero is NaN
          count<k>(a.is_nan() || b.is_nan() || is_zero, negative);
          return;
        }
        const auto product = static_cast<core::exact::Uint128>(a.magnitude) * b.magnitude;
        const int exponent = a.exponent + b.exponent;
        deposit_shared(group, state.template sum<k>(), static_cast<std::uint64_t>(product),
                       exponent, negative);
        deposit_shared(group, state.template sum<k>(), static_cast<std::uint64_t>(product >> 64),
                       exponent + 64, negative);
      }
    }

   private:
    template <int k>
    ISOFOLD_DEVICE void count(bool is_nan, bool negative) const {
      auto& sum = state.template sum<k>();
      seen[k] |= 1;
      group.add(is_nan ? &sum.nans : negative ? &sum.minus_infinities : &sum.plus_infinities, 1);
    }
  };

  ISOFOLD_OF_EITHER_SIDE
  template <class Sink, class Value>
  ISOFOLD_DEVICE static void terms_of(const Value& value, const Sink& sink) {
    Fold::terms(core::exact::number_of<Fold, 0>(value),
                core::exact::number_of<Fold, last_array>(value), sink);
  }

  // Adds the values of [begin, end); returns the windows of their own that they took. The levels
  // have been flushed.
  ISOFOLD_DEVICE_APART static Windows add_anew(const Group group, const Map& map, State& state,
                                               std::int64_t begin, std::int64_t end) {
    const std::int64_t mine = begin + group.thread() % width;
    std::uint64_t most[std::size_t{sums}] = {};
    std::uint32_t seen[std::size_t{sums}] = {};
#pragma unroll 1
    for (std::int64_t i = mine; i < end; i += width) {
      const auto value = map(i);
      std::uint64_t own[std::size_t{sums}] = {};
      bool is_odd = false;
      terms_of(value, ExtentSink{own, is_odd});
      if (is_odd) {
        terms_of(value, OddSink{group, state, seen});
      }
      for (int k = 0; k < sums; ++k) {
        most[k] = !is_odd && own[k] > most[k] ? own[k] : most[k];
      }
    }
    Windows windows;
    Levels level;
    for (int k = 0; k < sums; ++k) {
      for (int distance = 1; distance < width; distance *= 2) {
        const std::uint64_t other = exchange(group, most[k], distance);
        most[k] = other > most[k] ? other : most[k];
      }
      windows.p[k] = W::p_with_room(most[k]);
      for (int l = 0; l < levels; ++l) {
        level[k][l] = W::start(windows.p[k], l);
      }
    }
#pragma unroll 1
    for (std::int64_t i = mine; i < end; i += width) {
      const auto value = map(i);
      std::uint64_t own[std::size_t{sums}] = {};
      bool is_odd = false;
      terms_of(value, ExtentSink{own, is_odd});
      if (!is_odd) {
        terms_of(value, CollectSink{group, state, level, seen});
      }
    }
    flush(group, state, windows, level);
    note_seen(group, state, seen);
    return windows;
  }

  Group group_;
  const Map& map_;
  State& state_;
  Windows windows_;
  Levels level_;
  std::uint32_t seen_[std::size_t{sums}] = {};
  int adds_ = 0;
  bool is_set_ = false;
};

// Integers: sums of halves of 32 bits, which 2^31 elements of a thread do not overflow.
template <class Group, class Map, class Fold>
class MapIntegers {
  using State = typename Fold::state_type;
  static constexpr int width = Group::wave_width;

 public:
  static constexpr int per_thread = 8;
  static constexpr std::int64_t tile = std::int64_t{per_thread} * width;

  ISOFOLD_DEVICE MapIntegers(const Group& group, const Map& map, State& state)
      : group_(group), map_(map), state_(state) {}
  ISOFOLD_DEVICE void add(std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin + group_.thread() % width; i < end; i += width) {
      const auto x = core::exact::number_of<Fold, 0>(map_(i));
      if constexpr (sizeof x == 4) {
        low_ += x;
      } else {
        low_ += static_cast<std::int64_t>(x & 0xffffffff);
        high_ += static_cast<std::int64_t>(x >> 32);
      }
    }
  }
  ISOFOLD_DEVICE void finish() {
    const std::int64_t low = steps_of_warp(group_, low_);
    const std::int64_t high = steps_of_warp(group_, high_);
    if (group_.thread() % width == 0) {
      deposit_steps(group_, state_.first, low, 0);
      deposit_steps(group_, state_.first, high, 32);
      group_.add(&state_.first.not_minus_zero, 1);
    }
  }

 private:
  Group group_;
  const Map& map_;
  State& state_;
  std::int64_t low_ = 0;
  std::int64_t high_ = 0;
};

// File is a type of the file that calls, as in MapFold.
template <class Map, class Fold, class File>
struct SumMapExactly {
  using State = typename Fold::state_type;
  using Result = typename Fold::result_type;
  using First = decltype(State::first);
  static constexpr int threads = 256;      // of a block
  static constexpr int max_threads = 512;  // that many bound its registers, so that two blocks fit
  static constexpr int words = core::exact::words_of<State>;
  static constexpr int first_words = core::exact::words_of<First>;
  static constexpr int counts = 5;  // words before the digits
  // A block must not take more: each value adds to a digit of the block's 16 times at most, and
  // 2^31 additions fit.
  static constexpr std::int64_t most_values_of_block = std::int64_t{1} << 24;
  static constexpr std::size_t shared_bytes = aligned(sizeof(State)) + 16;

  Map map;
  std::int64_t n;  // at least 1
  Result* result;
  // For more than one block: `words` words, and a counter of blocks, zero between launches.
  std::int64_t* device_words;
  std::uint32_t* counter;

  template <class Group>
  using Sums = std::conditional_t<std::is_integral_v<typename Fold::element_type>,
                                  MapIntegers<Group, Map, Fold>, MapSums<Group, Map, Fold>>;

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    static_assert(core::check_values<Fold, std::decay_t<decltype(map(n))>>(),
                  "The fold does not take what map returns.");
    const WarpPlace<Group> place(group);
    auto& state = *static_cast<State*>(group.shared());
    auto* const all = reinterpret_cast<std::int64_t*>(&state);
    for (int i = group.thread(); i < words; i += group.threads()) {
      all[i] = 0;
    }
    group.barrier();
    add_share(group, place, state);
    group.barrier();
    if (group.blocks() > 1 && !is_last_of_all(group, all)) {
      return;
    }
    if (group.thread() == 0) {
      write(state);
    }
  }

 private:
  template <class Group>
  ISOFOLD_DEVICE void add_share(const Group& group, const WarpPlace<Group>& place,
                                State& state) const {
    constexpr std::int64_t tile = Sums<Group>::tile;
    Sums<Group> sums(group, map, state);
    const std::int64_t step = group.blocks() * place.warps * tile;
#pragma unroll 1
    for (std::int64_t begin = (group.block() * place.warps + place.warp) * tile; begin < n;
         begin += step) {
      sums.add(begin, n - begin < tile ? n : begin + tile);
    }
    sums.finish();
  }

  // One thread calls. Rounding has registers of its own: it would take those of the loop.
  ISOFOLD_DEVICE_APART void write(State& state) const {
    const core::exact::TermCount<Fold> terms;
    state.first.terms = n * terms.of[0];
    if constexpr (Fold::sums == 2) {
      state.second.terms = n * terms.of[1];
    }
    state.carry();
    *result = Fold::finish(state);
  }

  // The words of all blocks, in the last one of them to come here.
  template <class Group>
  ISOFOLD_DEVICE bool is_last_of_all(const Group& group, std::int64_t* all) const {
    for (int i = group.thread(); i < words; i += group.threads()) {
      if (const std::int64_t word = carried_word(all, i); word != 0) {
        group.add(device_words + i, word);
      }
    }
    auto* const flag =
        reinterpret_cast<int*>(static_cast<char*>(group.shared()) + aligned(sizeof(State)));
    group.barrier();
    if (group.thread() == 0) {
      const bool last = group.arrive(counter) == static_cast<std::uint32_t>(group.blocks() - 1);
      if (last) {
        *counter = 0;
      }
      *flag = last;
    }
    group.barrier();
    if (*flag == 0) {
      return false;
    }
    for (int i = group.thread(); i < words; i += group.threads()) {
      all[i] = device_words[i];
      device_words[i] = 0;
    }
    group.barrier();
    return true;
  }
  // A word whose digit is carried once, so that no sum of blocks overflows.
  ISOFOLD_DEVICE static std::int64_t carried_word(const std::int64_t* all, int i) {
    const int own = i < first_words ? i : i - first_words;
    const bool is_last = i == first_words - 1 || i == words - 1;
    const std::int64_t kept = own < counts || is_last ? all[i] : all[i] & 0xffffffff;
    return kept + (own > counts ? all[i - 1] >> 32 : 0);
  }
};

}  // namespace isofold::gpu
