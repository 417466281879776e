// The kernel of exact_v1 for many short rows that lie in line: each thread takes a row, so that no
// sum goes from thread to thread, and all rows of a warp are rounded at once. The warp takes those
// rows together whose terms do not fit a thread's window.
#pragma once

#include <backends/gpu/kernel/exact_sums.hpp>

namespace isofold::gpu {

// The sums of one row by one thread.
template <class Fold>
class ExactRowSums : ExactLevels<Fold> {
  using Base = ExactLevels<Fold>;
  using Base::sums;
  using typename Base::B;
  using typename Base::Fit;
  using typename Base::T;
  static constexpr int per_load = 16 / static_cast<int>(sizeof(T));
  static constexpr int loads = 4 / Fold::arrays;
  static constexpr int last_array = Fold::arrays - 1;

 public:
  static constexpr int most_elements = 128;

  ISOFOLD_DEVICE ExactRowSums() {
    for (int k = 0; k < sums; ++k) {
      window_[k].unset();
    }
  }

  // Sums the n elements at x[0], of pairs with those at x[1]; tells whether their terms fitted the
  // windows of the row before, or those that are made for them.
  template <class Group>
  ISOFOLD_DEVICE bool sum(const Group& group, const T* const (&x)[2], int n) {
    bool is_odd = false;
    // The loop has one call of add_all(), which AMD's compiler inlines.
    ISOFOLD_NOT_UNROLLED
    for (int turn = 0; turn < 2 && !is_odd; ++turn) {
      if (turn == 1) {
        std::uint64_t most[sums] = {};
        for_each(group, x, n, [&](T a, T b) { is_odd = Base::is_odd(a, b, most) || is_odd; });
        for (int k = 0; k < sums; ++k) {
          window_[k].set(B::p_for(most[k]) + B::room_above, Base::levels);
        }
      }
      if (!is_odd && add_all(group, x, n)) {
        return true;
      }
    }
    return false;
  }

  // The digits of sum k.
  template <class Group>
  ISOFOLD_DEVICE NearDigits digits(const Group& group, const T* const (&x)[2], int n, int k) {
    std::int64_t steps[std::size_t{Base::levels}];
    for (int l = 0; l < Base::levels; ++l) {
      steps[l] = Base::steps(this->sum_.of[k][l], window_[k].start[l]);
    }
    window_[k].clear();
    window_[k].hold(steps);
    NearDigits found = window_[k].digits();
    if (found.zero) {
      bool known[2] = {false, false};
      for_each(group, x, n, [&](T a, T b) {
        Fold::terms(exact::term_of(a), exact::term_of(b), typename Base::SignSink{known});
      });
      found.all_minus_zero = !known[k];
    }
    return found;
  }

 private:
  template <class Group>
  ISOFOLD_DEVICE bool add_all(const Group& group, const T* const (&x)[2], int n) {
    static_assert(most_elements * 4 <= B::most_adds, "A row fits the budget.");
    for (int k = 0; k < sums; ++k) {
      this->begin(k, window_[k]);
    }
    Fit fit{};
    for_each(group, x, n, [&](T a, T b) { this->add(a, b, fit); });
    return fit.is_good();
  }

  struct Loaded {
    Pack<T, per_load> of[Fold::arrays][std::size_t{loads}];
  };
  // use(x, y) for each element or pair. The next elements are on their way while some are used.
  template <class Group, class Use>
  ISOFOLD_DEVICE static void for_each(const Group& group, const T* const (&x)[2], int n,
                                      Use&& use) {
    constexpr int together = loads * per_load;
    const auto load = [&](int from) {
      Loaded loaded;
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
#pragma unroll
        for (int j = 0; j < loads; ++j) {
          loaded.of[a][j] = group.template load<T, per_load>(x[a] + from + j * per_load);
        }
      }
      return loaded;
    };
    const int whole = n / together * together;
    if (whole > 0) {
      Loaded next = load(0);
#pragma unroll 1
      for (int from = 0; from < whole; from += together) {
        const Loaded now = next;
        if (from + together < whole) {
          next = load(from + together);
        }
#pragma unroll
        for (int j = 0; j < together; ++j) {
          use(now.of[0][j / per_load].value[j % per_load],
              now.of[last_array][j / per_load].value[j % per_load]);
        }
      }
    }
#pragma unroll 1
    for (int i = whole; i < n; ++i) {
      use(load_element(group, x[0] + i), load_element(group, x[last_array] + i));
    }
  }

  ExactWindow window_[std::size_t{sums}];
};

template <class Fold>
struct SumShortRowsExactly : SumExactly<Fold, typename Fold::element_type> {
  using Base = SumExactly<Fold, typename Fold::element_type>;
  using typename Base::Room;
  using typename Base::T;
  // Folds whose results are made of few digits, and rows of at least one element.
  static constexpr bool takes_fold = has_near_results<Fold>;
  static constexpr std::int64_t most_elements = ExactRowSums<Fold>::most_elements;

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    arguments_of(group, this).run(group);
  }

 private:
  template <class Group>
  ISOFOLD_DEVICE void run(const Group& group) const {
    constexpr int width = Group::wave_width;
    const WarpPlace<Group> place(group);
    Room& room = this->begin_room(group);
    const auto n = static_cast<int>(this->source.length);
    ExactRowSums<Fold> sums;
    const std::int64_t step = group.blocks() * place.warps * width;
    for (std::int64_t first = (group.block() * place.warps + place.warp) * width;
         first < this->rows; first += step) {
      const std::int64_t row = first + place.thread;
      const bool is_there = row < this->rows;
      bool fits = true;
      if (is_there) {
        const ExactRow at = this->source.plain_row(row);
        const T* const x[2] = {reinterpret_cast<const T*>(at.base[0]) + at.first[0],
                               reinterpret_cast<const T*>(at.base[1]) + at.first[1]};
        fits = sums.sum(group, x, n);
        if (fits) {
          NearDigits digits[std::size_t{Fold::sums}];
          for (int k = 0; k < Fold::sums; ++k) {
            digits[k] = sums.digits(group, x, n, k);
          }
          fits = this->finish_near_sums(group, n * std::int64_t{exact::TermCount<Fold>().of[0]},
                                        digits, row);
        }
      }
      group.warp_barrier();
      const auto left = group.ballot(!fits);
      for (int turn = 0; turn < width; ++turn) {
        if ((left >> turn & 1U) != 0) {
          add_by_warp(group, room, first + turn);
        }
      }
    }
  }

  template <class Group>
  ISOFOLD_DEVICE_APART void add_by_warp(const Group group, Room& room, std::int64_t row) const {
    if (group.thread() % Group::wave_width == 0) {
      room.row = this->source.plain_row(row);
    }
    group.warp_barrier();
    typename Base::template Lanes<Group> lanes(group, this->source, room);
    this->add_piece(group, lanes, room, 0, 0, 1);
    lanes.end_row();
    this->finish(group, room, nullptr, row);
    this->finish_waiting(group, room);
  }
};

}  // namespace isofold::gpu
