// The parts of bounds over complex elements.
//
// Two terms an element, each added by a rounding of its own: the first rounds a product and adds
// another one, the 15 after it in a lane add two each, and 6 + (h - 21) combinations follow. The
// longest path of tree v1 has 2 + 30 + 6 + (h - 21) = h + 17 roundings; in any other order there
// are 2n at most.
#pragma once

#include <cmath>
#include <vector>

#include "bounds.hpp"
#include <isofold/detail/core/complex.hpp>

namespace isofold::conformance {

// The longest path of a sum of two terms an element.
template <class T>
std::int64_t height_of_pairs(const Sample<T>& sample) {
  return sample.in_tree_order ? tree_height(sample.n) + 17 : 2 * sample.n;
}

// Underflow loses half the smallest subnormal at most in each of 2n roundings, of which the rest
// may make a little more.
template <class Part>
Long least_of_pairs(std::int64_t n) {
  return 2 * least_of<Part>(n);
}

// A part of a sum of complex terms: the exact sum, and that of its real terms' magnitudes.
class PartOfSum {
 public:
  void add(double a) {
    sum_.add(a);
    magnitudes_.add(std::fabs(a));
  }
  void add_term(double a, double b) {
    add_product(sum_, a, b);
    add_product(magnitudes_, std::fabs(a), std::fabs(b));
  }
  Judgement judged(const char* what, Long part, Long relative, Long absolute) {
    const Long magnitudes = magnitudes_.value();
    return {what, distance(sum_, part), relative * magnitudes + absolute, magnitudes};
  }

 private:
  ExactSum sum_;
  ExactSum magnitudes_;
};

// Part by part, each within the same multiple of its terms' magnitudes.
template <class Part>
std::vector<Judgement> judge_parts(PartOfSum (&parts)[2], core::Complex<Part> result, Long relative,
                                   Long absolute = 0) {
  return {parts[0].judged("real part", static_cast<Long>(result.re), relative, absolute),
          parts[1].judged("imaginary part", static_cast<Long>(result.im), relative, absolute)};
}

// A real result near one that is known to 2^11 times its precision, of real or complex elements.
inline std::vector<Judgement> judge_near(const char* what, Long result, Long exact, Long relative,
                                         Long absolute = 0) {
  return {{what, std::fabs(result - exact), relative * exact + absolute, exact}};
}

template <class T>
Long modulus_of(const T& z) {
  return std::hypot(static_cast<Long>(z.re), static_cast<Long>(z.im));
}

}  // namespace isofold::conformance
