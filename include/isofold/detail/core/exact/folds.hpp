// The folds of exact_v1 (docs/exact.md): which terms an element adds to which sums, and what is
// made of these. An exact fold F has
//
//   F::element_type, F::arrays, F::result_type, F::empty_is_error, empty()   as other folds do
//   F::sums                     how many sums it keeps, 1 or 2
//   F::state_type               their words: int64 numbers, which partial results add
//   terms(x, y, sink)           hands the terms of an element (of a pair, if F::arrays is 2) to a
//                               sink: sink.add<k>(z) is the term z of sum k, sink.multiply<k>(a, b)
//                               the term a * b
//   finish(state) -> result     the one rounding; the state has at least one element, and its
//                               words have been carried
//
// terms() takes numbers, and vectors of doubles, into which floats are converted exactly. A term is
// finite for vectors: whoever calls with vectors gives an element with other terms to add(), which
// knows them all.
#pragma once

#include <isofold/detail/core/exact/terms.hpp>
#include <isofold/detail/core/folds/complex.hpp>
#include <isofold/detail/core/folds/moments.hpp>
#include <isofold/detail/core/folds/products.hpp>
#include <isofold/detail/core/folds/weighted.hpp>

namespace isofold::core::exact {

// The terms that elements of T, and products of two, are.
template <class T>
using TermsOf = std::conditional_t<
    std::is_integral_v<T>, Integers,
    std::conditional_t<std::is_same_v<part_t<T>, float>, TermsOfF32, TermsOfF64>>;
template <class T>
using ProductsOf =
    std::conditional_t<std::is_same_v<part_t<T>, float>, ProductsOfF32, ProductsOfF64>;

// The words of one sum, or of two.
template <class First, class Second = void>
struct State {
  Words<First> first;
  Words<Second> second;

  template <int k>
  ISOFOLD_HOST_DEVICE auto& sum() {
    if constexpr (k == 0) {
      return first;
    } else {
      return second;
    }
  }
  ISOFOLD_HOST_DEVICE void merge(const State& other) {
    first.merge(other.first);
    second.merge(other.second);
  }
  ISOFOLD_HOST_DEVICE void subtract(const State& other) {
    first.subtract(other.first);
    second.subtract(other.second);
  }
  ISOFOLD_HOST_DEVICE void carry() {
    first.carry();
    second.carry();
  }
};
template <class First>
struct State<First, void> {
  Words<First> first;

  template <int>
  ISOFOLD_HOST_DEVICE auto& sum() {
    return first;
  }
  ISOFOLD_HOST_DEVICE void merge(const State& other) { first.merge(other.first); }
  ISOFOLD_HOST_DEVICE void subtract(const State& other) { first.subtract(other.first); }
  ISOFOLD_HOST_DEVICE void carry() { first.carry(); }
};
template <class S>
inline constexpr int words_of = static_cast<int>(sizeof(S) / sizeof(std::int64_t));

// An element as terms() takes it: floats as doubles, integers as they are.
template <class T>
ISOFOLD_HOST_DEVICE auto term_of(T x) {
  if constexpr (is_complex<T>) {
    return Complex<double>{x.re, x.im};
  } else if constexpr (is_floating<T>) {
    return static_cast<double>(x);
  } else {
    return x;
  }
}

// This tells whether the result type holds the result of carried words: sums of integers may be too
// large.
template <class Fold>
ISOFOLD_HOST_DEVICE bool result_fits(const typename Fold::state_type& state) {
  using Result = typename Fold::result_type;
  if constexpr (std::is_integral_v<Result>) {
    return fits_integer<Result>(state.first);
  } else {
    return true;
  }
}

// The sink that knows every term.
template <class Fold>
struct WordSink {
  using Part = part_t<typename Fold::element_type>;
  typename Fold::state_type& state;

  template <int k, class Z>
  ISOFOLD_HOST_DEVICE void add(Z z) const {
    exact::add(state.template sum<k>(), z);
  }
  template <int k>
  ISOFOLD_HOST_DEVICE void multiply(double a, double b) const {
    if constexpr (sizeof(Part) == 4) {
      exact::add(state.template sum<k>(), a * b);
    } else {
      add_product(state.template sum<k>(), a, b);
    }
  }
};

// Adds an element, or a pair, to a state.
template <class Fold>
ISOFOLD_HOST_DEVICE void add_element(typename Fold::state_type& state,
                                     typename Fold::element_type x, typename Fold::element_type y) {
  Fold::terms(term_of(x), term_of(y), WordSink<Fold>{state});
}

// The sink that notes whether a sum has a term that is not -0.
template <class Fold>
struct SignSink {
  typename Fold::state_type& state;

  template <int k>
  ISOFOLD_HOST_DEVICE void add(double z) const {
    state.template sum<k>().not_minus_zero |=
        bit_cast<std::uint64_t>(z) != std::uint64_t{1} << 63 ? 1 : 0;
  }
  template <int k>
  ISOFOLD_HOST_DEVICE void multiply(double x, double y) const {
    const double z = x * y;  // where it is zero but should not be, the term is not -0
    add<k>(x != 0 && y != 0 ? 1 : z);
  }
};

// This counts the terms that an element, or a pair, adds to each sum: TermCount<Fold>().of[k].
template <class Fold>
struct TermCount {
  struct Sink {
    int (&of)[2];
    template <int k, class Z>
    ISOFOLD_HOST_DEVICE void add(const Z&) const {
      of[k] += 1;
    }
    template <int k, class Z>
    ISOFOLD_HOST_DEVICE void multiply(const Z&, const Z&) const {
      of[k] += 1;
    }
  };
  int of[2] = {0, 0};

  ISOFOLD_HOST_DEVICE TermCount() {
    using T = typename Fold::element_type;
    Fold::terms(term_of(T{}), term_of(T{}), Sink{of});
  }
  ISOFOLD_HOST_DEVICE int most() const { return of[0] > of[1] ? of[0] : of[1]; }
};

// The members that a fold has of tree v1's fold of its name.
template <class Tree, class First, class Second = void>
struct Like {
  using element_type = typename Tree::element_type;
  using result_type = typename Tree::result_type;
  using state_type = State<First, Second>;
  static constexpr int arrays = Tree::arrays;
  static constexpr int sums = std::is_void_v<Second> ? 1 : 2;
  static constexpr bool empty_is_error = Tree::empty_is_error;
  ISOFOLD_HOST_DEVICE static result_type empty() { return Tree{}.empty(); }
};
// Two sums for the parts of complex results.
template <class T, class Terms>
using OfParts = std::conditional_t<is_complex<T>, Terms, void>;

template <class T>
struct Sum : Like<core::Sum<T>, TermsOf<T>, OfParts<T, TermsOf<T>>> {
  using Result = typename core::Sum<T>::result_type;
  ISOFOLD_OF_EITHER_SIDE
  template <class X, class Sink>
  ISOFOLD_HOST_DEVICE static void terms(const X& x, const X&, const Sink& sink) {
    if constexpr (is_complex<T>) {
      sink.template add<0>(x.re);
      sink.template add<1>(x.im);
    } else {
      sink.template add<0>(x);
    }
  }
  ISOFOLD_HOST_DEVICE static Result finish(const typename Sum::state_type& s) {
    if constexpr (is_complex<T>) {
      return {sum_of<part_t<T>>(s.first), sum_of<part_t<T>>(s.second)};
    } else if constexpr (is_floating<T>) {
      return sum_of<T>(s.first);
    } else {
      return integer_of<Result>(s.first);
    }
  }
};

template <class T>
struct Norm1 : Like<core::Norm1<T>, TermsOf<T>> {
  ISOFOLD_OF_EITHER_SIDE
  template <class X, class Sink>
  ISOFOLD_HOST_DEVICE static void terms(const X& x, const X&, const Sink& sink) {
    sink.template add<0>(core::magnitude(x));
  }
  ISOFOLD_HOST_DEVICE static T finish(const typename Norm1::state_type& s) {
    return sum_of<T>(s.first);
  }
};

template <class T>
struct Norm2 : Like<std::conditional_t<is_complex<T>, core::ComplexNorm2<T>, core::Norm2<T>>,
                    ProductsOf<T>> {
  ISOFOLD_OF_EITHER_SIDE
  template <class X, class Sink>
  ISOFOLD_HOST_DEVICE static void terms(const X& x, const X&, const Sink& sink) {
    if constexpr (is_complex<T>) {
      sink.template multiply<0>(x.re, x.re);
      sink.template multiply<0>(x.im, x.im);
    } else {
      sink.template multiply<0>(x, x);
    }
  }
  ISOFOLD_HOST_DEVICE static part_t<T> finish(const typename Norm2::state_type& s) {
    return root_of<part_t<T>>(s.first);
  }
};

// Complex: the first factor is conjugated.
template <class T>
struct Dot : Like<std::conditional_t<is_complex<T>, core::ComplexDot<T>, core::Dot<T>>,
                  ProductsOf<T>, OfParts<T, ProductsOf<T>>> {
  using Result = typename Dot::result_type;
  ISOFOLD_OF_EITHER_SIDE
  template <class X, class Sink>
  ISOFOLD_HOST_DEVICE static void terms(const X& x, const X& y, const Sink& sink) {
    if constexpr (is_complex<T>) {
      sink.template multiply<0>(x.re, y.re);
      sink.template multiply<0>(x.im, y.im);
      sink.template multiply<1>(x.re, y.im);
      sink.template multiply<1>(-x.im, y.re);
    } else {
      sink.template multiply<0>(x, y);
    }
  }
  ISOFOLD_HOST_DEVICE static Result finish(const typename Dot::state_type& s) {
    if constexpr (is_complex<T>) {
      return {sum_of<part_t<T>>(s.first), sum_of<part_t<T>>(s.second)};
    } else {
      return sum_of<T>(s.first);
    }
  }
};

// (x - y)^2 is x^2 - 2xy + y^2: three terms where all are finite, else one, which is not.
template <class T>
struct SquaredDistance : Like<std::conditional_t<is_complex<T>, core::ComplexSquaredDistance<T>,
                                                 core::SquaredDistance<T>>,
                              ProductsOf<T>> {
  ISOFOLD_OF_EITHER_SIDE
  template <class X, class Sink>
  ISOFOLD_HOST_DEVICE static void terms(const X& x, const X& y, const Sink& sink) {
    if constexpr (is_complex<T>) {
      square(x.re, y.re, sink);
      square(x.im, y.im, sink);
    } else {
      square(x, y, sink);
    }
  }
  ISOFOLD_HOST_DEVICE static part_t<T> finish(const typename SquaredDistance::state_type& s) {
    return sum_of<part_t<T>>(s.first);
  }

 private:
  ISOFOLD_OF_EITHER_SIDE
  template <class V, class Sink>
  ISOFOLD_HOST_DEVICE static void square(const V& x, const V& y, const Sink& sink) {
    if constexpr (std::is_same_v<V, double>) {
      if (x - x != 0 || y - y != 0) {
        const double d = x - y;
        sink.template add<0>(d * d);
        return;
      }
    }
    sink.template multiply<0>(x, x);
    sink.template multiply<0>(y, y);
    sink.template multiply<0>(-x, y);
    sink.template multiply<0>(-x, y);
  }
};

template <class T>
struct WeightedSum : Like<core::WeightedSum<T>, ProductsOf<T>, TermsOf<T>> {
  ISOFOLD_OF_EITHER_SIDE
  template <class X, class Sink>
  ISOFOLD_HOST_DEVICE static void terms(const X& x, const X& weight, const Sink& sink) {
    sink.template multiply<0>(x, weight);
    sink.template add<1>(weight);
  }
  ISOFOLD_HOST_DEVICE static isofold::WeightedSum<T> finish(
      const typename WeightedSum::state_type& s) {
    return {sum_of<T>(s.first), sum_of<T>(s.second)};
  }
};

template <class Terms>
ISOFOLD_HOST_DEVICE double mean_of(const Words<Terms>& sum) {
  return quotient_of<double>(sum, static_cast<std::uint64_t>(sum.terms));
}

// The mean, of integers too.
template <class T>
struct Mean : Like<core::Mean<T>, TermsOf<T>> {
  ISOFOLD_OF_EITHER_SIDE
  template <class X, class Sink>
  ISOFOLD_HOST_DEVICE static void terms(const X& x, const X&, const Sink& sink) {
    sink.template add<0>(x);
  }
  ISOFOLD_HOST_DEVICE static double finish(const typename Mean::state_type& s) {
    return mean_of(s.first);
  }
};

// The elements' sum and the sum of their squares, of which the moments are made.
template <class Tree>
struct Squares
    : Like<Tree, TermsOf<typename Tree::element_type>, ProductsOf<typename Tree::element_type>> {
  ISOFOLD_OF_EITHER_SIDE
  template <class X, class Sink>
  ISOFOLD_HOST_DEVICE static void terms(const X& x, const X&, const Sink& sink) {
    sink.template add<0>(x);
    sink.template multiply<1>(x, x);
  }

 protected:
  using State = typename Squares::state_type;
  ISOFOLD_HOST_DEVICE static std::uint64_t count(const State& s) {
    return static_cast<std::uint64_t>(s.first.terms);
  }

 public:
  // The sum of squared distances from the mean over `by`, or the root of that.
  ISOFOLD_HOST_DEVICE static double spread(const State& s, std::uint64_t by, bool root) {
    if (!all_finite(s.first) || by == 0) {
      return canonical_nan<double>();
    }
    const auto spread = spread_of(s.first, s.second, by);
    return root ? rounded<double>(square_root_of(spread)) : rounded<double>(spread);
  }
};
template <class T>
struct AllMoments : Squares<core::AllMoments<T>> {
  static constexpr bool is_root = false;
  ISOFOLD_HOST_DEVICE static std::uint64_t divisor(std::uint64_t) { return 1; }
  ISOFOLD_HOST_DEVICE static Moments finish(const typename AllMoments::state_type& s) {
    return {s.first.terms, mean_of(s.first), AllMoments::spread(s, 1, is_root)};
  }
};
// A variance, over the number of elements less `less`, or its root.
template <class Tree, int less, bool root>
struct SpreadOf : Squares<Tree> {
  static constexpr bool is_root = root;
  ISOFOLD_HOST_DEVICE static std::uint64_t divisor(std::uint64_t n) { return n - less; }
  ISOFOLD_HOST_DEVICE static double finish(const typename SpreadOf::state_type& s) {
    return SpreadOf::spread(s, divisor(SpreadOf::count(s)), is_root);
  }
};
template <class T>
struct Variance : SpreadOf<core::Variance<T>, 0, false> {};
template <class T>
struct SampleVariance : SpreadOf<core::SampleVariance<T>, 1, false> {};
template <class T>
struct StandardDeviation : SpreadOf<core::StandardDeviation<T>, 0, true> {};
template <class T>
struct SampleStandardDeviation : SpreadOf<core::SampleStandardDeviation<T>, 1, true> {};

// The fold that stands for all that keep the same words.
template <class Fold>
struct KeptBy {
  using type = Fold;
};
template <class T>
struct KeptBy<Mean<T>> {
  using type = Sum<T>;
};
template <class T>
struct KeptBy<Variance<T>> {
  using type = AllMoments<T>;
};
template <class T>
struct KeptBy<SampleVariance<T>> : KeptBy<Variance<T>> {};
template <class T>
struct KeptBy<StandardDeviation<T>> : KeptBy<Variance<T>> {};
template <class T>
struct KeptBy<SampleStandardDeviation<T>> : KeptBy<Variance<T>> {};

}  // namespace isofold::core::exact
