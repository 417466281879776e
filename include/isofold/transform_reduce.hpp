// Reductions with folds of the caller's own, header-only: transform_reduce(n, map, fold) evaluates
// tree v1 over map(0), map(1), ... map(n - 1) in the caller's translation unit, on all threads that
// OpenMP grants there and that can be started, else on one. The bits do not depend on how many.
// (docs/user_folds.md)
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
// A member that does not fit is an error at compile time; fold_of(lift, combine[, finish])
// (isofold/fold_of.hpp) makes a fold of lambdas.
//
// The folds of detail/core/folds over one array are such folds, too: over equal values they have
// the bits of Reducer.
//
// The folds of detail/core/exact are those of exact_v1 (docs/exact.md): the real value over what
// the map returns, rounded once. A fold of two arrays takes a map to pairs.
//
//   const double energy = transform_reduce(
//       n, [&](std::int64_t i) { return m[i] * v[i] * v[i]; }, core::exact::Sum<double>{});
//   const double dot = transform_reduce(
//       n, [&](std::int64_t i) { return std::pair(x[i], y[i]); }, core::exact::Dot<double>{});
//
// map is called once for each index, in no order, from several threads at once.
#pragma once

#include <cfenv>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include <isofold/detail/core/chunk.hpp>
#include <isofold/detail/core/exact/windows.hpp>
#include <isofold/detail/core/run.hpp>
#include <isofold/detail/core/user_fold.hpp>
#include <isofold/detail/cpu/team.hpp>
#include <isofold/error.hpp>
#include <isofold/fold_of.hpp>

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

  Tree(const Map& map, const Fold& fold, std::int64_t n) : map_(map), fold_(fold), n_(n) {}

  State root() const {
    const std::int64_t chunks = core::chunk_count(n_);
#if defined(_OPENMP)
    const std::int64_t most = chunks / detail::least_for_team(least_chunks);
    if (most > 1) {
      const int granted = detail::default_threads();
      const int threads =
          detail::startable_threads(most < granted ? static_cast<int>(most) : granted);
      if (threads > 1) {
        return shared_root(chunks, threads);
      }
    }
#endif
    Run whole(fold_);
    push_chunks(whole, 0, chunks);
    return whole.root();
  }

 private:
  static constexpr std::int64_t least_chunks = 16;  // worth a thread

#if defined(_OPENMP)
  // The nodes of a thread's share; if an exception ended it, those before that.
  struct Part {
    int size = 0;
    core::Node<State> node[core::run_capacity];
    std::exception_ptr thrown;

    void take(const Tree& tree, std::int64_t begin, std::int64_t end) {
      Run mine(tree.fold_);
      try {
        tree.push_chunks(mine, begin, end);
      } catch (...) {
        thrown = std::current_exception();
      }
      size = mine.size();
      for (int i = 0; i < size; ++i) {
        node[i] = mine[i];
      }
    }
  };

  // Throws what one thread would throw: the parts before an exception are whole.
  State shared_root(std::int64_t chunks, int threads) const {
    const std::unique_ptr<Part[]> parts(new Part[static_cast<std::size_t>(threads)]);
    int granted = 1;
    detail::on_team(threads, [&](int team) {
#pragma omp parallel num_threads(team)
      {
        const int thread = omp_get_thread_num();
        const int all = omp_get_num_threads();
        parts[static_cast<std::size_t>(thread)].take(*this, chunks * thread / all,
                                                     chunks * (thread + 1) / all);
        if (thread == 0) {
          granted = all;
        }
      }
    });
    Run whole(fold_);
    for (int thread = 0; thread < granted; ++thread) {
      const Part& part = parts[static_cast<std::size_t>(thread)];
      for (int i = 0; i < part.size; ++i) {
        whole.push(part.node[i].level, part.node[i].index, part.node[i].state);
      }
      if (part.thrown != nullptr) {
        std::rethrow_exception(part.thrown);
      }
    }
    return whole.root();
  }
#endif

  void push_chunks(Run& run, std::int64_t begin, std::int64_t end) const {
    for (std::int64_t chunk = begin; chunk < end; ++chunk) {
      run.push(0, chunk, chunk_state(chunk << core::chunk_shift));
    }
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

// The words of an exact fold over the values that `map` returns.
template <class Map, class Fold>
class ExactWords {
 public:
  using State = typename Fold::state_type;

  ExactWords(const Map& map, std::int64_t n) : map_(map), n_(n) {}

  State words() const {
#if defined(_OPENMP)
    const std::int64_t most = n_ / detail::least_for_team(least_values);
    if (most > 1) {
      const int granted = detail::default_threads();
      const int threads =
          detail::startable_threads(most < granted ? static_cast<int>(most) : granted);
      if (threads > 1) {
        return shared_words(threads);
      }
    }
#endif
    return words_of(0, n_);
  }

 private:
  static constexpr std::int64_t least_values = 16384;  // worth a thread

  State words_of(std::int64_t begin, std::int64_t end) const {
    core::exact::ValueSums<Fold> sums;
    sums.add(map_, begin, end);
    return sums.words();
  }

#if defined(_OPENMP)
  struct Part {
    State words;
    std::exception_ptr thrown;
  };

  // Throws what one thread would throw: that of the lowest element.
  State shared_words(int threads) const {
    const std::unique_ptr<Part[]> parts(new Part[static_cast<std::size_t>(threads)]);
    int granted = 1;
    detail::on_team(threads, [&](int team) {
#pragma omp parallel num_threads(team)
      {
        const int thread = omp_get_thread_num();
        const int all = omp_get_num_threads();
        Part& part = parts[static_cast<std::size_t>(thread)];
        try {
          part.words = words_of(share(thread, all), share(thread + 1, all));
        } catch (...) {
          part.thrown = std::current_exception();
        }
        if (thread == 0) {
          granted = all;
        }
      }
    });
    State whole{};
    for (int thread = 0; thread < granted; ++thread) {
      const Part& part = parts[static_cast<std::size_t>(thread)];
      if (part.thrown != nullptr) {
        std::rethrow_exception(part.thrown);
      }
      whole.merge(part.words);
    }
    whole.carry();
    return whole;
  }
  std::int64_t share(int thread, int all) const {
    return n_ / all * thread + n_ % all * thread / all;
  }
#endif

  const Map& map_;
  std::int64_t n_;
};

template <class Map, class Fold>
auto exact_result(std::int64_t n, const Map& map, const Fold& fold) {
  const auto words = ExactWords<Map, Fold>(map, n).words();
  if (!core::exact::result_fits<Fold>(words)) {
    throw Error(Code::out_of_range,
                "transform_reduce over " + std::to_string(n) +
                    " integers: their sum does not fit into 64 bits; take their mean, or sum them "
                    "as numbers of double.");
  }
  return core::finished(fold, words, n);
}

// The reduction by a fold that has been found right.
template <class Map, class Fold>
auto reduce(std::int64_t n, const Map& map, const Fold& fold) {
  check_arithmetic();
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
  if constexpr (core::is_exact<Fold>) {
    return exact_result(n, map, fold);
  } else {
    return core::finished(fold, Tree<Map, Fold>(map, fold, n).root(), n);
  }
}

template <class Map, class Fold>
auto reduce_if_right(std::int64_t n, const Map& map, const Fold& fold) {
  if constexpr (!core::MapsTo<Map>::value) {
    static_assert(core::MapsTo<Map>::value,
                  "map is a function that takes an index, a std::int64_t, and returns a value.");
    return core::NoResult{};
  } else {
    using Value = typename core::MapsTo<Map>::type;
    using Stated = std::decay_t<decltype(fold_of_detail::for_values<Value>(fold))>;
    if constexpr (core::check_user_fold<Stated, Value>()) {
      return reduce<Map, Stated>(n, map, fold_of_detail::for_values<Value>(fold));
    } else {
      return core::NoResult{};
    }
  }
}

}  // namespace transform_detail

// Returns finish(root, n) of the fold over map(0) ... map(n - 1). Throws Error: invalid_argument
// for a negative n, empty_input for n = 0 where the fold has no empty(), unsupported where the
// arithmetic of this file or thread would give other bits, out_of_range for an exact sum of
// integers that 64 bits do not hold. An exception of map or fold comes to the
// caller; of several it is the one that a single thread meets first, that of the lowest element,
// for any number of threads. (Other threads end their shares before.) What is no fold, and a member
// of a fold that does not fit, is refused at compile time.
template <class Map, class Fold>
[[nodiscard]] auto transform_reduce(std::int64_t n, const Map& map, const Fold& fold) {
  return transform_detail::reduce_if_right(n, map, fold);
}
ISOFOLD_REFUSE(
    transform_reduce,
    "transform_reduce(n, map, fold) takes the number of elements, a map of an index, and "
    "a fold, such as fold_of(lift, combine); elements x are those of the map "
    "[&](std::int64_t i) { return x[i]; }.",
    detail::NoResult)

}  // namespace isofold
