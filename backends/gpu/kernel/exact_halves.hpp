// The kernel of exact_v1 for sums of 16-bit floats that lie side by side. Their significands have
// 11 or 8 bits, so that one double nearly always holds a thread's sum: an addition an element. A
// piece for which that fails is added again, in windows.
#pragma once

#include <backends/gpu/input/halves.hpp>
#include <backends/gpu/kernel/exact_sums.hpp>

namespace isofold::gpu {

// True for folds of one sum whose terms are elements.
template <class Fold>
inline constexpr bool sums_halves =
    Fold::arrays == 1 && Fold::sums == 1 &&
    std::is_same_v<typename Fold::element_type, float>&&
        std::is_same_v<typename Fold::state_type, exact::State<exact::TermsOf<float>>>;

// The upper half of `word`, a 16-bit float, as a double that is smaller by a power of two: its bits
// are moved to where a double has them, without a conversion, which takes longer than reading them.
// Finite ones are exact, subnormal ones, too.
template <int shift, std::uint32_t mask>
ISOFOLD_DEVICE double scaled_half(std::uint32_t word) {
  const auto moved = static_cast<std::uint32_t>(static_cast<std::int32_t>(word) >> shift) & mask;
  return core::bit_cast<double>(static_cast<std::uint64_t>(moved) << 32);
}

template <class Add>
struct OneSumSink {
  const Add& add_term;
  template <int>
  ISOFOLD_DEVICE void add(double z) const {
    add_term(z);
  }
};

// The sum of a thread's f16: multiples of 2^-24 below 2^16, so that a double holds 2^13 of them. It
// is exact in any order; few additions wait for one another.
template <class Fold>
class SumOfF16 {
  static constexpr double unscale = 0x1p+1008;

 public:
  static constexpr int most = 1 << 13;  // elements
  static constexpr int p = 28;          // the window whose grid has all f16
  static constexpr bool chooses_window = false;
  ISOFOLD_DEVICE static bool takes(const ExactWindow&) { return true; }
  ISOFOLD_DEVICE explicit SumOfF16(const ExactWindow&) {}

  ISOFOLD_DEVICE void clear() { first_ = second_ = third_ = fourth_ = 0; }
  ISOFOLD_DEVICE void add(const EightHalves& eight) {
    add_four(eight.value[0], eight.value[1]);
    add_four(eight.value[2], eight.value[3]);
  }
  ISOFOLD_DEVICE bool is_exact() const { return (carried_ & two_minus_zeros) == 0; }
  // The sum in steps of the window's grid.
  ISOFOLD_DEVICE std::int64_t steps() const {
    const double sum = (first_ + second_) + (third_ + fourth_);
    return static_cast<std::int64_t>(sum * unscale * 0x1p+24);
  }

 private:
  ISOFOLD_DEVICE void add_four(std::uint32_t two, std::uint32_t others) {
    add_half(first_, two << 16);
    add_half(second_, two);
    add_half(third_, others << 16);
    add_half(fourth_, others);
    // An exponent of ones, which is no finite number's, is carried into the sign.
    carried_ |= (two & 0x7fff7fffU) + 0x04000400U;
    carried_ |= (others & 0x7fff7fffU) + 0x04000400U;
  }
  ISOFOLD_DEVICE static void add_half(double& part, std::uint32_t word) {
    const auto add_term = [&](double z) { part += z; };
    Fold::terms(scaled_half<6, 0x81fffc00U>(word), 0.0, OneSumSink<decltype(add_term)>{add_term});
  }
  double first_ = 0;
  double second_ = 0;
  double third_ = 0;
  double fourth_ = 0;
  std::uint32_t carried_ = 0;
};

// The sum of a thread's bf16: a level of the warp's window (exact_windows.hpp), scaled.
template <class Fold>
class SumOfBf16 {
  static constexpr double scale = 0x1p-896;
  // The scaled grid is one of normal doubles or of subnormal ones, and what is not finite, 2^128
  // and more, leaves the window.
  static constexpr int least_p = -120;
  static constexpr int most_p = 128;

 public:
  static constexpr int most = ExactBudget::most_adds;  // elements
  static constexpr bool chooses_window = true;
  static constexpr std::uint32_t bits_of_one = 0x3f80;
  // Returns the p of a window for elements whose largest has these bits.
  ISOFOLD_DEVICE static int p_for(std::uint32_t magnitude) {
    return static_cast<int>(magnitude >> 7) - 126 + ExactBudget::headroom + ExactBudget::room_above;
  }
  ISOFOLD_DEVICE static bool takes(const ExactWindow& window) {
    return window.is_set != 0 && least_p <= window.p && window.p <= most_p;
  }
  ISOFOLD_DEVICE explicit SumOfBf16(const ExactWindow& window)
      : p(window.p), start_(window.start[0] * scale), level_(start_) {}

  ISOFOLD_DEVICE void clear() { level_ = start_; }
  ISOFOLD_DEVICE void add(const EightHalves& eight) {
    for (const std::uint32_t two : eight.value) {
      add_half(two << 16);
      add_half(two);
    }
  }
  ISOFOLD_DEVICE bool is_exact() const { return ((moved_ & 0xfff00000U) | lost_ << 1) == 0; }
  ISOFOLD_DEVICE std::int64_t steps() const {
    return core::bit_cast<std::int64_t>(level_) - core::bit_cast<std::int64_t>(start_);
  }

  int p;

 private:
  ISOFOLD_DEVICE void add_half(std::uint32_t word) {
    const auto add_term = [&](double z) {
      const double sum = level_ + z;
      // (Bits that get lost are of the upper word, as all of an element's.)
      lost_ |= upper(z - (sum - level_));
      level_ = sum;
      moved_ |= upper(level_) ^ upper(start_);
    };
    Fold::terms(scaled_half<3, 0x8fffe000U>(word), 0.0, OneSumSink<decltype(add_term)>{add_term});
  }
  ISOFOLD_DEVICE static std::uint32_t upper(double x) {
    return static_cast<std::uint32_t>(core::bit_cast<std::uint64_t>(x) >> 32);
  }
  double start_;
  double level_;
  std::uint32_t moved_ = 0;
  std::uint32_t lost_ = 0;
};

// Both kernels add a thread's elements in doubles, and in windows if that fails: this has the ways
// to do so.
template <class Fold>
struct AddHalvesExactly : SumExactly<Fold, std::uint16_t> {
  using Base = SumExactly<Fold, std::uint16_t>;
  using typename Base::Room;

 protected:
  ISOFOLD_DEVICE static const std::uint16_t* halves_of(const ExactRow& row) {
    return reinterpret_cast<const std::uint16_t*>(row.base[0]) + row.first[0];
  }
  // The sum of a thread, with the bits of its elements that are not -0.
  template <class Sum>
  struct Added : Sum {
    std::uint32_t signs = 0;
    ISOFOLD_DEVICE explicit Added(const ExactWindow& window) : Sum(window) {}
    ISOFOLD_DEVICE void take(const EightHalves& eight) {
      this->add(eight);
      for (const std::uint32_t two : eight.value) {
        signs |= two ^ two_minus_zeros;
      }
    }
    ISOFOLD_DEVICE void take_one(std::uint32_t half) {
      EightHalves eight = eight_minus_zeros();
      eight.value[0] = half | 0x80000000U;
      take(eight);
    }
  };

  // This tells whether the term of -0 is -0.
  ISOFOLD_DEVICE static bool keeps_minus_zero() {
    double term = 0;
    const auto keep = [&](double z) { term = z; };
    Fold::terms(-0.0, 0.0, OneSumSink<decltype(keep)>{keep});
    return core::bit_cast<std::uint64_t>(term) != 0;
  }
  // Chooses a window for the elements of a warp's first loads.
  template <class Sum, class Group>
  ISOFOLD_DEVICE static void choose_window(const Group& group, Room& room,
                                           const LoadedHalves& loaded) {
    if (room.window[0].is_set != 0) {
      return;
    }
    std::uint32_t most = 0;
#pragma unroll
    for (const EightHalves& eight : loaded.x) {
      for (const std::uint32_t two : eight.value) {
        const std::uint32_t upper = two >> 16 & 0x7fffU;
        const std::uint32_t lower = two & 0x7fffU;
        most = upper > most ? upper : most;
        most = lower > most ? lower : most;
      }
    }
#pragma unroll
    for (int distance = 1; distance < Group::wave_width; distance *= 2) {
      const std::uint32_t other = exchange(group, most, distance);
      most = other > most ? other : most;
    }
    group.warp_barrier();
    if (group.thread() % Group::wave_width == 0) {
      room.window[0].set(Sum::p_for(most > 0 ? most : Sum::bits_of_one), 2);
    }
    group.warp_barrier();
  }
  // Adds all loads of a share, the first of which are in `next`. flush() is due when the sum may
  // take no more; it tells whether all was exact. Collective: every lane of the warp must call.
  template <bool is_team, class Sum, class Group, class Share, class Flush>
  ISOFOLD_DEVICE static bool add_batches(const Group& group, const Share& share, LoadedHalves& next,
                                         Added<Sum>& sum, std::int64_t& taken, Flush&& flush) {
    constexpr int most_batches = Sum::most / LoadedHalves::count - 1;
    int batches = 0;
    // (Rows that begin elsewhere may have one load less: teams of a warp stay together.)
    const std::int64_t end = is_team ? share.common_end() : share.end;
    return share.each_batch(group, next, end, [&](const LoadedHalves& now, std::int64_t first) {
#pragma unroll
      for (const EightHalves& eight : now.x) {
        sum.take(eight);
      }
      const std::int64_t left = share.end - first;
      taken += (left < Share::batch ? left : Share::batch) * halves_per_load;
      if (++batches < most_batches) {
        return true;
      }
      batches = 0;
      return flush();
    });
  }
  template <class Group, class Share>
  ISOFOLD_DEVICE_APART void add_in_windows(const Group group, Room& room,
                                           const Share& share) const {
    typename Base::template Lanes<Group> lanes(group, this->source, room);
    for (std::int64_t first = share.first; first < share.end; first += share.step) {
      const std::int64_t left = share.end - first;
      const std::int64_t begin = share.head + first * halves_per_load;
      this->add_elements(group, lanes, room, begin,
                         begin + (left < Share::batch ? left : Share::batch) * halves_per_load, 0,
                         1);
    }
    if (share.has_ends) {
      this->add_elements(group, lanes, room, 0, share.head, 0, 1);
      this->add_elements(group, lanes, room, share.tail(), share.length, 0, 1);
    }
    lanes.end_row();
  }
};

// A warp or a block takes a row.
template <class Fold>
struct SumHalvesExactly : AddHalvesExactly<Fold> {
  static constexpr int max_threads = 512;
  using Base = AddHalvesExactly<Fold>;
  using typename Base::Room;
  template <class Sum>
  using Added = typename Base::template Added<Sum>;

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    arguments_of(group, this).run(group);
  }

 private:
  template <class Group>
  ISOFOLD_DEVICE void run(const Group& group) const {
    if (this->source.stored.type == ISOFOLD_TYPE_bf16) {
      run_by<SumOfBf16<Fold>>(group);
    } else {
      run_by<SumOfF16<Fold>>(group);
    }
  }
  template <class Sum, class Group>
  ISOFOLD_DEVICE void run_by(const Group& group) const {
    using Share = HalvesShare<Group::wave_width>;
    Room& room = this->begin_room(group);
    const typename Base::Sharers of(*this, group);
    this->for_pieces(group, room, [&](std::int64_t unit) {
      const Share share(Base::halves_of(room.row), room.row.length, this->piece_of(unit),
                        this->pieces, of.own, of.sharers);
      if (!add_in_doubles<Sum>(group, room, share)) {
        this->add_in_windows(group, room, share);
      }
    });
  }
  // Adds the share. This tells whether doubles held the sum; if not, nothing has been added.
  // Collective: every lane of the warp must call.
  template <class Sum, class Group, class Share>
  ISOFOLD_DEVICE bool add_in_doubles(const Group& group, Room& room, const Share& share) const {
    ExactWindow& window = room.window[0];
    LoadedHalves next = share.load(group, share.first);
    if constexpr (Sum::chooses_window) {
      Base::template choose_window<Sum>(group, room, next);
    }
    const int lane = group.thread() % Group::wave_width;
    Added<Sum> sum(window);
    std::int64_t taken = 0;
    const auto flush = [&] {
      const std::int64_t steps = sum_over_warp(group, sum.steps());
      sum.clear();
      const bool is_exact = all_of_warp(group, sum.is_exact());
      if (lane == 0) {
        if (window.p != sum.p) {
          window.set(sum.p, 2);
        }
        window.template hold<2>({steps, 0});
      }
      return is_exact;
    };
    bool is_exact = Sum::takes(window) &&
                    Base::template add_batches<false>(group, share, next, sum, taken, flush);
    if (is_exact && share.has_ends) {
      const std::int64_t tail = share.tail();
      sum.take_one(share.load_one(group, lane < share.head ? lane : tail + lane - share.head));
      taken += share.head + (share.length - tail);
    }
    is_exact = is_exact && flush();
    const bool is_known =
        Base::keeps_minus_zero() ? !all_of_warp(group, sum.signs == 0) : taken > 0;
    group.warp_barrier();
    if (lane == 0) {
      if (is_exact) {
        room.words.first.terms += taken;
        room.words.first.not_minus_zero |= is_known ? 1 : 0;
      } else {
        window.clear();
        window.unset();
      }
    }
    group.warp_barrier();
    return is_exact;
  }
};

// A team of a warp's lanes takes a row, where there are many: the end of several rows costs a warp
// as much as that of one.
template <class Fold>
struct SumHalfRowsExactly : AddHalvesExactly<Fold> {
  static constexpr int max_threads = 512;
  using Base = AddHalvesExactly<Fold>;
  using typename Base::Room;
  template <class Sum>
  using Added = typename Base::template Added<Sum>;
  static constexpr int team = 8;
  static constexpr std::int64_t most_elements = std::int64_t{2048} * team;
  static_assert(most_elements / team <= SumOfF16<Fold>::most, "A thread's f16 are added at once.");

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    arguments_of(group, this).run(group);
  }

 private:
  template <class Group>
  ISOFOLD_DEVICE void run(const Group& group) const {
    if (this->source.stored.type == ISOFOLD_TYPE_bf16) {
      run_by<SumOfBf16<Fold>>(group);
    } else {
      run_by<SumOfF16<Fold>>(group);
    }
  }
  // The first loads of rows are on their way while those before end.
  template <class Sum, class Group>
  ISOFOLD_DEVICE void run_by(const Group& group) const {
    using OfTeam = HalvesShare<team>;
    constexpr int teams = Group::wave_width / team;
    using Waiting = WaitingRows<Fold>;
    static_assert(Waiting::most % teams == 0, "All rows of a warp may wait, or none.");
    Room& room = this->begin_room(group);
    const WarpPlace<Group> place(group);
    Waiting& waiting = this->waiting_rows(group);
    const std::int64_t step = group.blocks() * place.warps * teams;
    const std::int64_t of_warp = (group.block() * place.warps + place.warp) * teams;
    const auto row_of = [&](std::int64_t first) {
      const std::int64_t row = first + place.thread / team;
      return row < this->rows ? row : this->rows - 1;
    };
    const auto share_of = [&](std::int64_t first) {
      return OfTeam(Base::halves_of(this->source.plain_row(row_of(first))), this->source.length);
    };
    OfTeam share = share_of(of_warp);
    LoadedHalves next = share.load(group, share.first);
    for (std::int64_t first = of_warp; first < this->rows; first += step) {
      if constexpr (Sum::chooses_window) {
        Base::template choose_window<Sum>(group, room, next);
      }
      Added<Sum> sum(room.window[0]);
      std::int64_t taken = 0;
      bool is_exact = Sum::takes(room.window[0]);
      Base::template add_batches<true>(group, share, next, sum, taken, [] { return true; });
      const int lane = place.thread % team;
      sum.take_one(share.load_one(group, lane < share.head ? lane : share.length));
      sum.take_one(share.load_one(group, share.tail() + lane));
      share = share_of(first + step);
      next = share.load(group, share.first);
      std::int64_t steps = sum.steps();
#pragma unroll
      for (int distance = 1; distance < team; distance *= 2) {
        steps += exchange(group, steps, distance);
      }
      const auto signs = group.ballot(!Base::keeps_minus_zero() || sum.signs != 0);
      is_exact = all_of_warp(group, is_exact && sum.is_exact());
      if (is_exact) {
        const int number = waiting.count;
        group.warp_barrier();
        if (lane == 0) {
          auto& kept = waiting.of[number + place.thread / team];
          kept.row = row_of(first);
          kept.sum[0].held.clear();
          kept.sum[0].held.p = sum.p;
          kept.sum[0].held.template hold<2>({steps, 0});
          kept.sum[0].terms = this->source.length;
          kept.sum[0].not_minus_zero = (signs >> place.thread & ((1U << team) - 1)) != 0 ? 1 : 0;
        }
        if (place.thread == 0) {
          waiting.count =
              number + static_cast<int>(this->rows - first < teams ? this->rows - first : teams);
        }
        group.warp_barrier();
      } else {
        for (std::int64_t row = first; row < first + teams && row < this->rows; ++row) {
          add_row_in_windows(group, room, row);
        }
      }
      if (first + step >= this->rows || waiting.count + teams > Waiting::most) {
        this->finish_waiting(group, room);
      }
    }
  }

  // Adds a row in windows, because a team could not add it in doubles.
  template <class Group>
  ISOFOLD_DEVICE_APART void add_row_in_windows(const Group group, Room& room,
                                               std::int64_t row) const {
    group.warp_barrier();
    if (group.thread() % Group::wave_width == 0) {
      room.row = this->source.plain_row(row);
      room.window[0].clear();
      room.window[0].unset();
    }
    group.warp_barrier();
    this->add_in_windows(
        group, room,
        HalvesShare<Group::wave_width>(Base::halves_of(room.row), this->source.length));
    if (this->finish(group, room, nullptr, row)) {
      this->finish_waiting(group, room);
    }
  }
};

}  // namespace isofold::gpu
