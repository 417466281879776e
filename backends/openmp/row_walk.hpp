// Rows and arrays, by one thread or several: blocks of chunks to nodes, nodes to the root.
// Folds without lanes on vectors take the plain way, chunk by chunk.
#pragma once

#include <float_environment.hpp>
#include <isofold/core/chunk.hpp>
#include <isofold/core/run.hpp>
#include <omp.h>

#include "block_fold.hpp"

namespace isofold::openmp {
namespace {

using isofold_openmp::Plan;

template <class Fold, int bits>
class RowWalk {
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;
  using Run = core::Run<Fold>;
  using Block = BlockFold<Lanes<Fold, bits>>;
  static_assert(sizeof(Run) <= isofold_openmp::run_bytes && std::is_trivially_copyable_v<Run>,
                "Threads leave their runs in slots of run_bytes bytes.");

  static constexpr bool vectorised = has_lanes<Fold>;
  // Rows are folded, and shared between threads, in aligned nodes of at most this level.
  static constexpr int most_level = vectorised ? block_level : 0;

 public:
  // An array of at most a chunk first, before anything that needs a frame of vectors.
  static int walk(const isofold_request& request, const Plan& plan) {
    if constexpr (vectorised) {
      const bool small = plan.threads <= 1 && request.rows == 1 && request.length != 0 &&
                         request.length <= core::chunk_elements;
      if (__builtin_expect(small, 1)) {
        write(request, 0, Block::fold_one(row_at(request, 0), request.length));
        return 1;
      }
    }
    return walk_rows(request, plan);
  }

 private:
  static __attribute__((noinline)) int walk_rows(const isofold_request& request, const Plan& plan) {
    if (request.length == 0) {
      for (std::int64_t row = 0; row < request.rows; ++row) {
        static_cast<typename Fold::result_type*>(request.result)[row] = Fold{}.empty();
      }
      return 1;
    }
    if (plan.threads <= 1) {
      fold_rows(request, plan, 0, request.rows);
      return 1;
    }
    // Rows to threads where every thread gets several; else threads share each row.
    return request.rows >= 4 * std::int64_t{plan.threads} ? share_rows(request, plan)
                                                          : share_each_row(request, plan);
  }

  static const Element* row_at(const isofold_request& request, std::int64_t row) {
    return static_cast<const Element*>(request.data) + row * request.stride;
  }
  static ISOFOLD_INLINE void write(const isofold_request& request, std::int64_t row, State root) {
    if ((request.flags & ISOFOLD_STATE) != 0) {
      static_cast<State*>(request.result)[row] = root;
    } else {
      static_cast<typename Fold::result_type*>(request.result)[row] =
          Fold{}.finish(root, request.length);
    }
  }

  static ISOFOLD_INLINE void fold_rows(const isofold_request& request, const Plan& plan,
                                       std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const Element* x = row_at(request, row);
      const std::int64_t n = request.length;
      write(request, row, plan.streams == 2 ? fold_row<2>(x, n) : fold_row<1>(x, n));
    }
  }

  template <int streams>
  static ISOFOLD_INLINE State fold_row(const Element* x, std::int64_t n) {
    if constexpr (vectorised) {
      if (n <= core::chunk_elements) {
        return Block::fold_one(x, n);
      }
      if (n <= block_elements) {
        return Block::template fold<streams>(x, n);
      }
    }
    return fold_long_row<streams>(x, n);
  }
  template <int streams>
  static State fold_long_row(const Element* x, std::int64_t n) {
    Run run(Fold{});
    push_nodes<streams>(run, x, n, most_level, 0, node_count(n, most_level));
    return run.root();
  }

  static std::int64_t node_count(std::int64_t n, int level) {
    const std::int64_t chunks = core::chunk_count(n);
    return (chunks >> level) + ((chunks & ((std::int64_t{1} << level) - 1)) != 0);
  }
  // As large as they can be with no thread getting more than 1/16 above an equal share, for small
  // nodes are folded more slowly.
  static int shared_level(std::int64_t n, int threads) {
    const std::int64_t chunks = core::chunk_count(n);
    int level = most_level;
    while (level > 0 &&
           (share(node_count(n, level), 1, threads) << level) * threads > chunks + chunks / 16) {
      --level;
    }
    return level;
  }

  // Pushes the nodes [begin, end) of a level; the row's last one may be incomplete.
  template <int streams>
  static __attribute__((noinline)) void push_nodes(Run& run, const Element* x, std::int64_t n,
                                                   int level, std::int64_t begin,
                                                   std::int64_t end) {
    const std::int64_t elements = std::int64_t{core::chunk_elements} << level;
    for (std::int64_t node = begin; node < end; ++node) {
      const std::int64_t first = node * elements;
      const std::int64_t count = n - first < elements ? n - first : elements;
      if constexpr (vectorised) {
        run.push(level, node, Block::template fold<streams>(x + first, count));
      } else {
        run.push(0, node, core::fold_chunk(Fold{}, x + first, first, static_cast<int>(count)));
      }
    }
  }

  static int share_rows(const isofold_request& request, const Plan& plan) {
    int granted = 1;
#pragma omp parallel num_threads(plan.threads)
    {
      const FloatEnvironment environment;
      const int threads = omp_get_num_threads();
      const int thread = omp_get_thread_num();
      fold_rows(request, plan, share(request.rows, thread, threads),
                share(request.rows, thread + 1, threads));
      if (thread == 0) {
        granted = threads;
      }
    }
    return granted;
  }

  static int share_each_row(const isofold_request& request, const Plan& plan) {
    int granted = 1;
    for (std::int64_t row = 0; row < request.rows; ++row) {
      const Element* x = row_at(request, row);
      const std::int64_t n = request.length;
#pragma omp parallel num_threads(plan.threads)
      {
        const FloatEnvironment environment;
        const int threads = omp_get_num_threads();
        const int thread = omp_get_thread_num();
        Run run(Fold{});
        const int level = shared_level(n, threads);
        const std::int64_t nodes = node_count(n, level);
        const std::int64_t begin = share(nodes, thread, threads);
        const std::int64_t end = share(nodes, thread + 1, threads);
        plan.streams == 2 ? push_nodes<2>(run, x, n, level, begin, end)
                          : push_nodes<1>(run, x, n, level, begin, end);
        std::memcpy(slot(plan, thread), &run, sizeof run);
        if (thread == 0) {
          granted = threads;
        }
      }
      write(request, row, join(plan, granted));
    }
    return granted;
  }

  // The bound between threads: begin of the share of `thread` out of `count` items.
  static std::int64_t share(std::int64_t count, int thread, int threads) {
    const std::int64_t each = count / threads;
    const std::int64_t more = count % threads;
    return thread * each + (thread < more ? thread : more);
  }
  static char* slot(const Plan& plan, int thread) {
    return static_cast<char*>(plan.runs) +
           static_cast<std::size_t>(thread) * isofold_openmp::run_bytes;
  }
  // Only the threads that ran have left a run.
  static State join(const Plan& plan, int granted) {
    Run run = left_by(plan, 0);
    for (int thread = 1; thread < granted; ++thread) {
      run.append(left_by(plan, thread));
    }
    return run.root();
  }
  static Run left_by(const Plan& plan, int thread) {
    Run run(Fold{});
    std::memcpy(&run, slot(plan, thread), sizeof run);
    return run;
  }
};

}  // namespace
}  // namespace isofold::openmp
