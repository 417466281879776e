// Rows and arrays, by one thread or several: blocks of chunks to nodes, nodes to the root.
#pragma once

#include <api/float_environment.hpp>
#include <omp.h>

#include "column_runs.hpp"
#include "nodes.hpp"

namespace isofold::openmp {
namespace {

using isofold_openmp::Plan;

// This tells whether every thread gets several rows; if not, threads share each row.
inline bool has_rows_for_all(const isofold_request& request, const Plan& plan) {
  return plan.threads <= 1 || request.rows >= 4 * std::int64_t{plan.threads};
}

template <class Nodes>
class RowLoop {
  using State = typename Nodes::State;
  using Row = typename Nodes::Row;
  using Run = core::Run<typename Nodes::Combine>;
  static_assert(sizeof(Run) <= Nodes::run_bytes && std::is_trivially_copyable_v<Run>,
                "Threads leave their runs in slots of run_bytes bytes.");

  template <class Any, class = void>
  struct TakesColumns : std::false_type {};
  template <class Any>
  struct TakesColumns<Any, std::void_t<decltype(&Any::columns_from)>> : std::true_type {};
  static constexpr bool takes_columns = TakesColumns<Nodes>::value;

  // Rows are folded, and shared between threads, in aligned nodes of at most nodes.most_level(). A
  // row with a length of its own that has so many elements is worth sharing between threads.
  static constexpr std::int64_t long_row = std::int64_t{1} << 18;

 public:
  // An array of at most a chunk comes first, before anything that needs a frame of vectors.
  static int walk(const Nodes& nodes, const Plan& plan) {
    if (__builtin_expect(plan.threads <= 1 && nodes.request.rows == 1, 1)) {
      const std::int64_t n = nodes.length(0);
      if (__builtin_expect(n != 0 && n <= core::chunk_elements, 1)) {
        nodes.write(0, nodes.template short_row<1>(nodes.row_at(0), n), n);
        return 1;
      }
    }
    return walk_rows(nodes, plan);
  }

  // This tells whether several rows are folded at once: those that lie side by side (columns), or
  // take turns. Threads share the rows, or the chunks of all of them, if all are taken at once.
  static bool walks_columns(const Nodes& nodes, const Plan& plan) {
    const isofold_request& request = nodes.request;
    if (request.rows <= 1 || request.length == 0) {
      return false;
    }
    const std::int64_t columns = nodes.columns_from(0, request.rows);
    return columns > 1 && (has_rows_for_all(request, plan) ||
                           (columns == request.rows && shares_chunks(request, plan)));
  }

 private:
  static bool shares_chunks(const isofold_request& request, const Plan& plan) {
    return core::chunk_count(request.length) >= plan.threads;
  }
  static __attribute__((noinline)) int walk_rows(const Nodes& nodes, const Plan& plan) {
    const isofold_request& request = nodes.request;
    if (request.length == 0 && !nodes.is_ragged()) {
      for (std::int64_t row = 0; row < request.rows; ++row) {
        nodes.write_empty(row);
      }
      return 1;
    }
    if constexpr (takes_columns) {
      if (walks_columns(nodes, plan)) {
        return walk_columns(nodes, plan);
      }
    }
    if (plan.threads <= 1) {
      fold_rows(nodes, plan, 0, request.rows);
      return 1;
    }
    if (nodes.is_ragged()) {
      return share_ragged_rows(nodes, plan);
    }
    return has_rows_for_all(request, plan) ? share_rows(nodes, plan) : share_each_row(nodes, plan);
  }

  static void fold_rows(const Nodes& nodes, const Plan& plan, std::int64_t begin,
                        std::int64_t end) {
    if constexpr (std::is_same_v<Nodes, ChunkNodes>) {
      if (nodes.are_rows_of_blocks()) {
        return nodes.fold.rows[plan.streams - 1](nodes.request, begin, end);
      }
    }
    for (std::int64_t row = begin; row < end; ++row) {
      fold_row(nodes, plan, row, nodes.length(row));
    }
  }
  static void fold_row(const Nodes& nodes, const Plan& plan, std::int64_t row, std::int64_t n) {
    if (__builtin_expect(n == 0, 0)) {
      nodes.write_empty(row);
      return;
    }
    const Row x = nodes.row_at(row);
    nodes.write(row,
                plan.streams == one_stream ? fold_row<one_stream>(nodes, x, n)
                                           : fold_row<two_streams>(nodes, x, n),
                n);
  }

  // Threads share the chunks of columns that one loop takes, so that each reads whole lines; they
  // share the columns themselves where there are more.
  static int walk_columns(const Nodes& nodes, const Plan& plan) {
    const std::int64_t rows = nodes.request.rows;
    if (plan.threads <= 1) {
      fold_columns(nodes, 0, rows);
      return 1;
    }
    if (nodes.columns_from(0, rows) == rows && shares_chunks(nodes.request, plan)) {
      return share_chunks_of_columns(nodes, plan);
    }
    const std::int64_t unit = nodes.columns_apart(rows);
    const std::int64_t units = (rows + unit - 1) / unit;
    int granted = 1;
#pragma omp parallel num_threads(plan.threads)
    {
      const FloatEnvironment environment;
      const int threads = omp_get_num_threads();
      const int thread = omp_get_thread_num();
      const std::int64_t end = share(units, thread + 1, threads) * unit;
      fold_columns(nodes, share(units, thread, threads) * unit, end < rows ? end : rows);
      if (thread == 0) {
        granted = threads;
      }
    }
    return granted;
  }
  static void fold_columns(const Nodes& nodes, std::int64_t begin, std::int64_t end) {
    const std::int64_t chunks = core::chunk_count(nodes.request.length);
    for (std::int64_t row = begin; row < end;) {
      const int columns = nodes.columns_from(row, end);
      fold_chunks_of_columns(nodes, row, columns, 0, chunks, [&](const unsigned char* roots) {
        nodes.write_rows(row, columns, roots);
      });
      row += columns;
    }
  }
  // Calls use(the nodes over the chunks [begin, end) of so many rows).
  template <class Use>
  static __attribute__((noinline)) void fold_chunks_of_columns(const Nodes& nodes, std::int64_t row,
                                                               int columns, std::int64_t begin,
                                                               std::int64_t end, Use&& use) {
    ColumnRuns runs(nodes.fold, columns);
    nodes.push_chunks(runs, row, columns, begin, end);
    use(runs.roots());
  }
  static __attribute__((noinline)) int share_chunks_of_columns(const Nodes& nodes,
                                                               const Plan& plan) {
    const std::int64_t n = nodes.request.length;
    const auto columns = static_cast<int>(nodes.request.rows);
    const std::size_t bytes = static_cast<std::size_t>(columns) * nodes.fold.state_bytes;
    alignas(64) unsigned char states[ColumnRuns::bytes / 2];
    int level = shared_level(nodes, n, plan.threads);
    while (static_cast<std::size_t>(node_count(n, level)) * bytes > sizeof states) {
      ++level;
    }
    const std::int64_t all = node_count(n, level);
    const std::int64_t chunks = core::chunk_count(n);
    int granted = 1;
#pragma omp parallel num_threads(plan.threads)
    {
      const FloatEnvironment environment;
      const int threads = omp_get_num_threads();
      const int thread = omp_get_thread_num();
      const std::int64_t end = share(all, thread + 1, threads);
      for (std::int64_t node = share(all, thread, threads); node < end; ++node) {
        const std::int64_t last = (node + 1) << level;
        fold_chunks_of_columns(nodes, 0, columns, node << level, last < chunks ? last : chunks,
                               [&](const unsigned char* roots) {
                                 std::memcpy(states + static_cast<std::size_t>(node) * bytes, roots,
                                             bytes);
                               });
      }
      if (thread == 0) {
        granted = threads;
      }
    }
    join_columns(nodes, states, all, bytes);
    return granted;
  }
  // Writes all rows, of whose nodes there are so many. (A frame of its own: of what runs need on
  // the stack no thread's part is below.)
  static __attribute__((noinline)) void join_columns(const Nodes& nodes,
                                                     const unsigned char* states, std::int64_t all,
                                                     std::size_t bytes) {
    const auto columns = static_cast<int>(nodes.request.rows);
    ColumnRuns runs(nodes.fold, columns);
    for (std::int64_t node = 0; node < all; ++node) {
      std::memcpy(runs.next(), states + static_cast<std::size_t>(node) * bytes, bytes);
      runs.push();
    }
    nodes.write_rows(0, columns, runs.roots());
  }

  template <int streams>
  static State fold_row(const Nodes& nodes, const Row& x, std::int64_t n) {
    return n <= std::int64_t{core::chunk_elements} << nodes.most_level()
               ? nodes.template short_row<streams>(x, n)
               : fold_long_row<streams>(nodes, x, n);
  }
  template <int streams>
  static State fold_long_row(const Nodes& nodes, const Row& x, std::int64_t n) {
    Run run(nodes.combine());
    const int level = nodes.most_level();
    push_nodes<streams>(run, nodes, x, n, level, 0, node_count(n, level));
    return run.root();
  }

  static std::int64_t node_count(std::int64_t n, int level) {
    const std::int64_t chunks = core::chunk_count(n);
    return (chunks >> level) + ((chunks & ((std::int64_t{1} << level) - 1)) != 0);
  }
  // The level of shared nodes: as large as they can be with no thread getting more than 1/16 above
  // an equal share, for small nodes are folded more slowly.
  static int shared_level(const Nodes& nodes, std::int64_t n, int threads) {
    const std::int64_t chunks = core::chunk_count(n);
    int level = nodes.most_level();
    while (level > 0 &&
           (share(node_count(n, level), 1, threads) << level) * threads > chunks + chunks / 16) {
      --level;
    }
    return level;
  }

  // Pushes the nodes [begin, end) of a level; the row's last one may be incomplete.
  template <int streams>
  static __attribute__((noinline)) void push_nodes(Run& run, const Nodes& nodes, const Row& x,
                                                   std::int64_t n, int level, std::int64_t begin,
                                                   std::int64_t end) {
    const std::int64_t elements = std::int64_t{core::chunk_elements} << level;
    for (std::int64_t node = begin; node < end; ++node) {
      const std::int64_t first = node * elements;
      const std::int64_t count = n - first < elements ? n - first : elements;
      run.push(level, node, nodes.template node<streams>(x, first, count));
    }
  }

  static int share_rows(const Nodes& nodes, const Plan& plan) {
    int granted = 1;
#pragma omp parallel num_threads(plan.threads)
    {
      const FloatEnvironment environment;
      const int threads = omp_get_num_threads();
      const int thread = omp_get_thread_num();
      fold_rows(nodes, plan, share(nodes.request.rows, thread, threads),
                share(nodes.request.rows, thread + 1, threads));
      if (thread == 0) {
        granted = threads;
      }
    }
    return granted;
  }

  // Short rows go to whichever thread is free, some at a time; long ones are shared by all.
  static int share_ragged_rows(const Nodes& nodes, const Plan& plan) {
    const std::int64_t rows = nodes.request.rows;
    const std::int64_t share_of_one = rows / (16 * std::int64_t{plan.threads});
    const std::int64_t some = share_of_one < 1 ? 1 : share_of_one > 256 ? 256 : share_of_one;
    int granted = 1;
    bool any_long = false;
#pragma omp parallel num_threads(plan.threads) reduction(|| : any_long)
    {
      const FloatEnvironment environment;
#pragma omp for schedule(dynamic)
      for (std::int64_t begin = 0; begin < rows; begin += some) {
        const std::int64_t end = rows - begin < some ? rows : begin + some;
        for (std::int64_t row = begin; row < end; ++row) {
          const std::int64_t n = nodes.length(row);
          if (n >= long_row) {
            any_long = true;
          } else {
            fold_row(nodes, plan, row, n);
          }
        }
      }
      if (omp_get_thread_num() == 0) {
        granted = omp_get_num_threads();
      }
    }
    for (std::int64_t row = 0; any_long && row < rows; ++row) {
      if (nodes.length(row) >= long_row) {
        granted = share_row(nodes, plan, row);
      }
    }
    return granted;
  }

  static int share_each_row(const Nodes& nodes, const Plan& plan) {
    int granted = 1;
    for (std::int64_t row = 0; row < nodes.request.rows; ++row) {
      granted = share_row(nodes, plan, row);
    }
    return granted;
  }

  static int share_row(const Nodes& nodes, const Plan& plan, std::int64_t row) {
    int granted = 1;
    const Row x = nodes.row_at(row);
    const std::int64_t n = nodes.length(row);
#pragma omp parallel num_threads(plan.threads)
    {
      const FloatEnvironment environment;
      const int threads = omp_get_num_threads();
      const int thread = omp_get_thread_num();
      Run run(nodes.combine());
      const int level = shared_level(nodes, n, threads);
      const std::int64_t all = node_count(n, level);
      const std::int64_t begin = share(all, thread, threads);
      const std::int64_t end = share(all, thread + 1, threads);
      plan.streams != one_stream ? push_nodes<two_streams>(run, nodes, x, n, level, begin, end)
                                 : push_nodes<one_stream>(run, nodes, x, n, level, begin, end);
      std::memcpy(slot(plan, thread), &run, sizeof run);
      if (thread == 0) {
        granted = threads;
      }
    }
    nodes.write(row, join(nodes, plan, granted), n);
    return granted;
  }

  // The bound between threads: begin of the share of `thread` out of `count` items.
  static std::int64_t share(std::int64_t count, int thread, int threads) {
    const std::int64_t each = count / threads;
    const std::int64_t more = count % threads;
    return thread * each + (thread < more ? thread : more);
  }
  static char* slot(const Plan& plan, int thread) {
    return static_cast<char*>(plan.runs) + static_cast<std::size_t>(thread) * Nodes::run_bytes;
  }
  // Only the threads that ran have left a run.
  static State join(const Nodes& nodes, const Plan& plan, int granted) {
    Run run = left_by(nodes, plan, 0);
    for (int thread = 1; thread < granted; ++thread) {
      run.append(left_by(nodes, plan, thread));
    }
    return run.root();
  }
  static Run left_by(const Nodes& nodes, const Plan& plan, int thread) {
    Run run(nodes.combine());
    std::memcpy(&run, slot(plan, thread), sizeof run);
    return run;
  }
};

}  // namespace
}  // namespace isofold::openmp
