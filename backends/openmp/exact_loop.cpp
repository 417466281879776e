// exact_v1 over rows and threads. Its sums have no order, so threads take whatever is next, and
// elements are read as they lie in memory.
#include "exact_loop.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <api/float_environment.hpp>
#include <backend/write_exact.hpp>
#include <isofold/detail/core/exact/parts.hpp>
#include <isofold/detail/core/tree.hpp>
#include <omp.h>
#include <ops/exact_cases.hpp>

#include "stage.hpp"

namespace isofold::openmp {
namespace {

namespace exact = core::exact;
using backend_interface::Report;
using isofold_openmp::ExactFold;
using isofold_openmp::Plan;
using isofold_openmp::VectorFolds;

// The sums of one thread.
struct Room {
  alignas(
      isofold_openmp::exact_room_alignment) unsigned char bytes[isofold_openmp::exact_room_bytes];
};

// The loop that gathers the words of Fold, which stands for all folds that keep the same.
template <class Fold>
class ExactLoop {
  using T = typename Fold::element_type;
  using State = typename Fold::state_type;

  // A row of so many elements is worth sharing between threads.
  static constexpr std::int64_t long_row = std::int64_t{1} << 18;
  static constexpr int most_columns = 16;  // of doubles, two lines of the cache

 public:
  ExactLoop(const VectorFolds& folds, const isofold_request& input, const isofold_request* requests,
            int count, const Plan& plan, Report& report)
      : fold_(*folds.exact[input.fold - 1][computed_type(input) - 1]),
        request_(input),
        results_(count),
        plan_(plan),
        stage_(stage_of(folds, input, plan.packed)),
        report_(report),
        has_mask_(plan.packed != nullptr && isofold_packed::has_mask(*plan.packed)),
        is_in_line_(stage_.convert == nullptr &&
                    (plan.packed == nullptr || isofold_packed::lie_in_line(*plan.packed))) {
    for (int i = 0; i < count; ++i) {
      visit_exact_fold<T>(requests[i].fold, [&](auto asked) {
        using Asked = decltype(asked);
        if constexpr (exact::is_part_of<Fold, Asked>) {
          result_[i] = {requests + i, write_part<Asked>};
        }
      });
    }
  }

  std::int32_t walk(int* granted) {
    const std::int64_t rows = request_.rows;
    *granted = 1;
    if (plan_.threads <= 1) {
      add_rows(0, rows, false);
      return code_;
    }
    if (rows >= std::int64_t{4} * plan_.threads) {
      *granted = share_rows();
    } else {
      for (std::int64_t row = 0; row < rows; ++row) {
        *granted = share_row(row);
      }
    }
    return code_;
  }

 private:
  std::int64_t length(std::int64_t row) const { return row_length(stage_, request_, row); }

  // Adds the elements [begin, end) of a row, `begin` being a multiple of a chunk.
  void add_range(void* room, std::int64_t row, std::int64_t begin, std::int64_t end) const {
    if (has_mask_) {
      for_taken_chunks(
          stage_, request_, {row, begin, end - begin},
          [&](const void* x, const void* y, int count) { fold_.add(room, x, y, count); });
      return;
    }
    if (is_in_line_) {
      const Piece all{row, begin, end - begin};
      fold_.add(room, gather(stage_, request_, 0, all, nullptr),
                Fold::arrays == 2 ? gather(stage_, request_, 1, all, nullptr) : nullptr,
                end - begin);
      return;
    }
    StageRoom<core::chunk_elements> rooms[Fold::arrays];
    for (std::int64_t first = begin; first < end; first += core::chunk_elements) {
      const Piece piece{row, first, std::min<std::int64_t>(core::chunk_elements, end - first)};
      const void* const x = deliver(stage_, request_, 0, piece, rooms[0]);
      const void* const y = Fold::arrays == 2
                                ? deliver(stage_, request_, 1, piece, rooms[Fold::arrays - 1])
                                : nullptr;
      fold_.add(room, x, y, piece.count);
    }
  }
  State words_of(void* room) const {
    State state;
    std::memcpy(static_cast<void*>(&state), fold_.words(room), sizeof state);
    return state;
  }
  template <class Asked>
  static std::int32_t write_part(const isofold_request& request, std::int64_t row,
                                 const State& words, Report& report) {
    return write_exact<Asked>(request, row, exact::part_of<Asked>(words), report);
  }
  // The first row of those that have no result says why.
  void write(std::int64_t row, const State& words) {
    for (int i = 0; i < results_; ++i) {
      Report report;
      if (const std::int32_t code = result_[i].write(*result_[i].request, row, words, report);
          __builtin_expect(code != ISOFOLD_ok, 0)) {
#pragma omp critical(isofold_exact_failure)
        if (code_ == ISOFOLD_ok || row < failed_row_) {
          code_ = code;
          failed_row_ = row;
          report_ = report;
        }
      }
    }
  }

  void add_row(std::int64_t row, std::int64_t n) {
    Room room;
    fold_.begin(room.bytes);
    add_range(room.bytes, row, 0, n);
    write(row, words_of(room.bytes));
  }
  // Rows that lie side by side are gathered together: each alone would bring the lines of all.
  int columns_from(std::int64_t row, std::int64_t end) const {
    return plan_.packed == nullptr || has_mask_
               ? 1
               : std::min(most_columns, columns_at(stage_, row, end, {0, 0}));
  }
  __attribute__((noinline)) void add_columns(std::int64_t row, int columns) {
    const std::int64_t n = request_.length;
    Room room[most_columns];
    ColumnRoom gathered[Fold::arrays];
    alignas(64) unsigned char converted[Fold::arrays][core::chunk_elements * sizeof(double)];
    for (int c = 0; c < columns; ++c) {
      fold_.begin(room[c].bytes);
    }
    const std::int64_t pitch = core::chunk_elements + line_bytes / stage_.element_bytes;
    for (std::int64_t first = 0; first < n; first += core::chunk_elements) {
      const std::int64_t count = std::min<std::int64_t>(core::chunk_elements, n - first);
      for (int which = 0; which < Fold::arrays; ++which) {
        isofold_packed::gather_columns(*plan_.packed, which, row, columns, first, count,
                                       gathered[which].gathered, pitch);
      }
      for (int c = 0; c < columns; ++c) {
        const void* x[2] = {nullptr, nullptr};
        for (int which = 0; which < Fold::arrays; ++which) {
          x[which] = gathered[which].gathered + c * pitch * stage_.element_bytes;
          if (stage_.convert != nullptr) {
            stage_.convert(x[which], count, converted[which]);
            x[which] = converted[which];
          }
        }
        fold_.add(room[c].bytes, x[0], x[1], count);
      }
    }
    for (int c = 0; c < columns; ++c) {
      write(row + c, words_of(room[c].bytes));
    }
  }

  // Adds rows, and leaves out long ones if they are to be shared; whether there were any.
  bool add_rows(std::int64_t begin, std::int64_t end, bool leaves_long) {
    bool any_long = false;
    for (std::int64_t row = begin; row < end;) {
      const int columns = columns_from(row, end);
      if (columns > 1) {
        add_columns(row, columns);
        row += columns;
        continue;
      }
      const std::int64_t n = length(row);
      if (leaves_long && n >= long_row) {
        any_long = true;
      } else {
        add_row(row, n);
      }
      ++row;
    }
    return any_long;
  }

  // Rows go to whichever thread is free, some at a time; afterwards all threads share each long
  // one.
  int share_rows() {
    const std::int64_t rows = request_.rows;
    const std::int64_t share = rows / (16 * std::int64_t{plan_.threads});
    const std::int64_t some = std::clamp<std::int64_t>(share / most_columns * most_columns, 1, 256);
    int granted = 1;
    bool any_long = false;
#pragma omp parallel num_threads(plan_.threads) reduction(|| : any_long)
    {
      const FloatEnvironment environment;
#pragma omp for schedule(dynamic)
      for (std::int64_t begin = 0; begin < rows; begin += some) {
        any_long = add_rows(begin, std::min(rows, begin + some), true) || any_long;
      }
      if (omp_get_thread_num() == 0) {
        granted = omp_get_num_threads();
      }
    }
    for (std::int64_t row = 0; any_long && row < rows; ++row) {
      if (columns_from(row, rows) <= 1 && length(row) >= long_row) {
        granted = share_row(row);
      }
    }
    return granted;
  }

  int share_row(std::int64_t row) {
    const std::int64_t n = length(row);
    const std::int64_t chunks = core::chunk_count(n);
    int granted = 1;
    State all{};
#pragma omp parallel num_threads(plan_.threads)
    {
      const FloatEnvironment environment;
      const std::int64_t threads = omp_get_num_threads();
      const std::int64_t thread = omp_get_thread_num();
      const std::int64_t begin = chunks * thread / threads * core::chunk_elements;
      const std::int64_t end = chunks * (thread + 1) / threads * core::chunk_elements;
      if (begin < n) {
        Room room;
        fold_.begin(room.bytes);
        add_range(room.bytes, row, begin, std::min(end, n));
        const State words = words_of(room.bytes);
#pragma omp critical(isofold_exact_merge)
        all.merge(words);
      }
      if (thread == 0) {
        granted = static_cast<int>(threads);
      }
    }
    all.carry();
    write(row, all);
    return granted;
  }

  // A result of each row, of its words.
  struct Result {
    const isofold_request* request;
    std::int32_t (*write)(const isofold_request&, std::int64_t, const State&, Report&);
  };

  const ExactFold& fold_;
  const isofold_request& request_;
  Result result_[ISOFOLD_MOST_FUSED];
  const int results_;
  const Plan& plan_;
  const Stage stage_;
  Report& report_;
  const bool has_mask_;
  const bool is_in_line_;
  std::int32_t code_ = ISOFOLD_ok;
  std::int64_t failed_row_ = 0;
};

// visit(the fold that keeps the words of the request's one)
template <class Visit>
void visit_kept(const isofold_request& request, Visit&& visit) {
  visit_exact_case(request.fold, computed_type(request),
                   [&](auto fold) { visit(typename exact::KeptBy<decltype(fold)>::type{}); });
}

// The first request's fold keeps the words of Kept.
template <class Kept>
int put_parts_first(isofold_request* requests, int count) {
  const auto is_part = [](const isofold_request& request) {
    bool is = false;
    visit_exact_fold<typename Kept::element_type>(
        request.fold, [&](auto fold) { is = exact::is_part_of<Kept, decltype(fold)>; });
    return is;
  };
  return static_cast<int>(std::partition(requests + 1, requests + count, is_part) - requests);
}

}  // namespace
}  // namespace isofold::openmp

namespace isofold_openmp {

int put_together(isofold_request* requests, int count) {
  const auto keeps_two = [](const isofold_request& request) {
    bool is = false;
    isofold::openmp::visit_kept(request, [&](auto kept) { is = decltype(kept)::sums == 2; });
    return is;
  };
  isofold_request* const widest = std::find_if(requests, requests + count, keeps_two);
  std::swap(*requests, widest != requests + count ? *widest : *requests);
  int together = 1;
  isofold::openmp::visit_kept(*requests, [&](auto kept) {
    together = isofold::openmp::put_parts_first<decltype(kept)>(requests, count);
  });
  return together;
}

std::int32_t walk_exactly(const VectorFolds& folds, const isofold_request& input,
                          const isofold_request* requests, int count, const Plan& plan,
                          int* granted, isofold::backend_interface::Report& report) {
  std::int32_t code = ISOFOLD_ok;
  isofold::openmp::visit_kept(input, [&](auto kept) {
    isofold::openmp::ExactLoop<decltype(kept)> loop(folds, input, requests, count, plan, report);
    code = loop.walk(granted);
  });
  return code;
}

}  // namespace isofold_openmp
