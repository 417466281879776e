// Reductions with folds of the caller's own, header-only: transform_reduce(n, map, fold) evaluates
// tree v1 over map(0), map(1), ... map(n - 1) in the caller's translation unit, on all threads that
// OpenMP grants there, else on one. The bits do not depend on how many. (docs/user_folds.md)
//
// A fold F is a trivially copyable struct with
//
//   F::state_type               trivially copyable, at most 64 bytes
//   lift(x) -> state            from what map returns
//   combine(a, b) -> state      associative and commutative up to rounding
//   accumulate(s, x) -> state   optional: combine(s, lift(x)), perhaps cheaper or rounded less
//   finish(s, n) -> result      optional: s itself
//   empty() -> result           for n = 0; without it no elements are the error empty_input
//
// The folds of detail/core/folds over one array are such folds, too: over equal values they have
// the bits of Reducer.
//
// map is called once for each index, in no order, from several threads at once.
#pragma once

#include <cfenv>
#include <cstdint>
#include <memory>
#include <string>

#include <isofold/detail/core/chunk.hpp>
#include <isofold/detail/core/run.hpp>
#include <isofold/detail/core/user_fold.hpp>
#include <isofold/error.hpp>

#if defined(_OPENMP)
#include <omp.h>
#endif

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__NO_SIGNED_ZEROS__) || \
    defined(__RECIPROCAL_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
#error \
    "isofold/transform_reduce.hpp compiles your fold with your flags, and these allow other bits: leave out -ffast-math, -Ofast and their parts for this file."
#endif

namespace isofold {
namespace transform_detail {

// Checks what no macro tells: whether this translation unit makes one rounding of a * b + c, and
// whether the calling thread flushes subnormals or rounds other than to nearest. It is static, so
// that each unit asks for itself.
static inline void check_arithmetic() {
  const volatile float factor = 1.0F + 0x1p-12F;
  const float x = factor;
  const volatile float rounded = x * x;
  const float product = rounded;
  const float y = factor;  // read again: a product that is used twice would not be contracted
  if (y * y - product != 0) {
    throw Error(Code::unsupported,
                "This file is compiled so that a * b + c may be rounded once, which depends on the "
                "machine: add -ffp-contract=off to its flags, and write fma where you mean it.");
  }
  const volatile float subnormal = 0x1p-140F;
  if (subnormal * 1.0F == 0 || std::fegetround() != FE_TONEAREST) {
    throw Error(Code::unsupported,
                "The calling thread flushes subnormals to zero or does not round to nearest, which "
                "changes bits: reset its floating-point environment around the call.");
  }
}

// Tree v1 over the values that `map` returns.
template <class Map, class Fold>
class Tree {
 public:
  using State = typename Fold::state_type;
  using Run = core::Run<Fold>;
  static_assert(core::check_user_fold<Fold>(),
                "isofold/detail/core/user_fold.hpp says what a fold is.");

  Tree(const Map& map, const Fold& fold, std::int64_t n) : map_(map), fold_(fold), n_(n) {}

  State root() const {
    const std::int64_t chunks = core::chunk_count(n_);
#if defined(_OPENMP)
    const int most = omp_in_parallel() != 0 ? 1 : omp_get_max_threads();
    const int threads =
        chunks / least_chunks < most ? static_cast<int>(chunks / least_chunks) : most;
    if (threads > 1) {
      return shared_root(chunks, threads);
    }
#endif
    return run(0, chunks).root();
  }

 private:
  static constexpr std::int64_t least_chunks = 16;  // worth a thread

#if defined(_OPENMP)
  State shared_root(std::int64_t chunks, int threads) const {
    const std::unique_ptr<Part[]> parts(new Part[static_cast<std::size_t>(threads)]);
    int granted = 1;
#pragma omp parallel num_threads(threads)
    {
      const int thread = omp_get_thread_num();
      const int all = omp_get_num_threads();
      const Run mine = run(chunks * thread / all, chunks * (thread + 1) / all);
      for (int i = 0; i < mine.size(); ++i) {
        parts[static_cast<std::size_t>(thread)].node[i] = mine[i];
      }
      parts[static_cast<std::size_t>(thread)].size = mine.size();
      if (thread == 0) {
        granted = all;
      }
    }
    Run whole(fold_);
    for (int thread = 0; thread < granted; ++thread) {
      const Part& part = parts[static_cast<std::size_t>(thread)];
      for (int i = 0; i < part.size; ++i) {
        whole.push(part.node[i].level, part.node[i].index, part.node[i].state);
      }
    }
    return whole.root();
  }
  struct Part {
    int size = 0;
    core::Node<State> node[2 * (core::max_root_level + 1) + 1];
  };
#endif

  Run run(std::int64_t begin, std::int64_t end) const {
    Run made(fold_);
    for (std::int64_t chunk = begin; chunk < end; ++chunk) {
      made.push(0, chunk, chunk_state(chunk << core::chunk_shift));
    }
    return made;
  }

  State chunk_state(std::int64_t begin) const {
    const int count =
        n_ - begin < core::chunk_elements ? static_cast<int>(n_ - begin) : core::chunk_elements;
    if constexpr (core::is_of_library<Fold>) {
      using Element = typename Fold::element_type;
      Element element[core::chunk_elements];
      for (int i = 0; i < count; ++i) {
        element[i] = core::as_element<Element>(map_(begin + i));
      }
      return core::fold_chunk(fold_, core::Elements<Fold>{element, nullptr}, begin, count);
    } else {
      return lane_by_lane(begin, count);
    }
  }

  State lane_by_lane(std::int64_t begin, int count) const {
    const int occupied = count < core::lanes ? count : core::lanes;
    State lane[core::lanes];
    for (int i = 0; i < occupied; ++i) {
      lane[i] = fold_.lift(map_(begin + i));
    }
    for (int row = core::lanes; row < count; row += core::lanes) {
      const int here = count - row < core::lanes ? count - row : core::lanes;
      for (int i = 0; i < here; ++i) {
        lane[i] = core::accumulated(fold_, lane[i], map_(begin + row + i));
      }
    }
    for (int half = core::lanes / 2; half >= 1; half /= 2) {
      for (int i = 0; i < half && i + half < occupied; ++i) {
        lane[i] = fold_.combine(lane[i], lane[i + half]);
      }
    }
    return lane[0];
  }

  const Map& map_;
  const Fold& fold_;
  std::int64_t n_;
};

}  // namespace transform_detail

// finish(root, n) of the fold over map(0) ... map(n - 1). Throws Error: invalid_argument for a
// negative n, empty_input for n = 0 where the fold has no empty(), unsupported where the arithmetic
// of this file or thread would give other bits. Exceptions of map and fold must not leave them.
template <class Map, class Fold>
auto transform_reduce(std::int64_t n, const Map& map, const Fold& fold) {
  using Tree = transform_detail::Tree<Map, Fold>;
  transform_detail::check_arithmetic();
  if (n < 0) {
    throw Error(Code::invalid_argument,
                "transform_reduce over " + std::to_string(n) + " elements: n cannot be negative.");
  }
  if (n == 0) {
    if constexpr (core::allows_empty<Fold>()) {
      return static_cast<core::ResultOf<Fold>>(fold.empty());
    } else {
      throw Error(
          Code::empty_input,
          "transform_reduce over no elements: the fold has no value for them; test for n = 0.");
    }
  }
  return core::finished(fold, Tree(map, fold, n).root(), n);
}

}  // namespace isofold
