// Products; those of integers are modulo 2^64.
#include <conformance/bound_of_complex.hpp>
#include <conformance/exact_complex.hpp>
#include <conformance/expectation.hpp>

namespace isofold::conformance {
namespace {

// A floating-point product of integers is odd · 2^exponent, exact in every order while the odd part
// is at most 2^24 or 2^53 and the whole stays finite. A zero makes it a zero, with the sign that
// the number of negative factors gives.
template <class T>
class ExactProduct {
 public:
  // False when the next factor leaves what is exact in every order.
  bool take(T x) {
    negative_ ^= x < 0;
    zero_ |= x == 0;
    std::uint64_t m = magnitude(x);
    for (; m != 0 && m % 2 == 0; m /= 2) {
      ++exponent_;
    }
    odd_ *= m == 0 ? 1 : m;
    return m <= largest_exact<T> && odd_ <= largest_exact<T> &&
           exponent_ + std::numeric_limits<T>::digits < std::numeric_limits<T>::max_exponent;
  }
  T value() const {
    T product = static_cast<T>(zero_ ? 0 : odd_);
    for (int i = 0; i < exponent_; ++i) {
      product *= 2;
    }
    return negative_ ? -product : product;
  }

 private:
  std::uint64_t odd_ = 1;
  int exponent_ = 0;
  bool zero_ = false;
  bool negative_ = false;
};

// A product of Gaussian integers is 2^exponent times one whose parts are at most the product of
// |re| + |im| of the factors, each divided by its powers of two; so is every part of every product
// on the way, and the real products that it is made of. The product is exact in every order while
// that is at most 2^24 or 2^53 and the whole stays finite.
template <class T>
class ExactComplexProduct {
 public:
  using Part = core::part_t<T>;
  // False when the next factor leaves what is exact in every order.
  bool take(T factor) {
    auto re = whole(factor.re);
    auto im = whole(factor.im);
    for (; (re != 0 || im != 0) && re % 2 == 0 && im % 2 == 0; re /= 2, im /= 2) {
      ++exponent_;
    }
    const std::uint64_t sum = magnitude(re) + magnitude(im);
    if (sum > largest_exact<Part> / largest_) {
      return false;
    }
    largest_ *= std::max<std::uint64_t>(sum, 1);
    const std::int64_t before = re_;
    re_ = re_ * re - im_ * im;
    im_ = before * im + im_ * re;
    return exponent_ + std::numeric_limits<Part>::digits < std::numeric_limits<Part>::max_exponent;
  }
  core::Complex<Part> value() const {
    return {std::ldexp(static_cast<Part>(re_), exponent_),
            std::ldexp(static_cast<Part>(im_), exponent_)};
  }

 private:
  std::int64_t re_ = 1;
  std::int64_t im_ = 0;
  std::uint64_t largest_ = 1;
  int exponent_ = 0;
};

struct Product : Expected {
  static constexpr Kinds kinds = real | complex;
  static constexpr bool rounds = true;
  static constexpr bool parts_have_any_sign = true;
  static constexpr bool leads = true;
  static constexpr Marking marking = Marking::factors;
  static constexpr Recipe random_recipe = Recipe::near_one;  // neither vanishes nor overflows
  static constexpr Recipe telling_recipe = Recipe::signs;
  static std::vector<Recipe> bound_recipes() { return {Recipe::near_one}; }

  template <class T>
  static core::wide_t<T> empty() {
    if constexpr (core::is_complex<T>) {
      return {1, 0};
    } else {
      return 1;
    }
  }

  // Turns signs as factors into 1, -1, i and -i, whose products have no end.
  template <class T>
  static void make_exact(Recipe recipe, std::vector<T>& data) {
    if constexpr (core::is_complex<T>) {
      for (std::size_t i = 0; i < data.size() && recipe == Recipe::signs; ++i) {
        const auto [re, im] = data[i];
        data[i] = re > 0 ? T{im, 0} : T{0, im};
      }
    }
  }
  // Complex factors near 1 + i have moduli near the square root of 2, whose product overflows soon.
  // They are halved by turns of a chunk's rows and of its lanes, so that the products of a lane,
  // and with them those of a chunk, have moduli near 1.
  template <class T>
  static void balance(std::vector<T>& factors) {
    if constexpr (core::is_complex<T>) {
      using Part = core::part_t<T>;
      for (std::size_t i = 0; i < factors.size(); ++i) {
        const Part scale = (i + i / 64) % 2 == 0 ? Part{1} : Part{0.5};
        factors[i] = {factors[i].re * scale, factors[i].im * scale};
      }
    }
  }

  template <class T>
  static Prefixes<core::wide_t<T>> exact(Recipe, const std::vector<T>& x, const std::vector<T>&) {
    using R = core::wide_t<T>;
    Prefixes<R> prefixes;
    if constexpr (std::is_integral_v<T>) {
      std::uint64_t product = 1;
      for (T factor : x) {
        product *= static_cast<std::uint64_t>(static_cast<R>(factor));
        prefixes.push_back(static_cast<R>(product));
      }
    } else {
      std::conditional_t<core::is_complex<T>, ExactComplexProduct<T>, ExactProduct<T>> product;
      for (T factor : x) {
        if (!product.take(factor)) {
          break;
        }
        prefixes.push_back(product.value());
      }
    }
    return prefixes;
  }

  // The reference is 2^11 times finer than f64 or c128: its own error is 1/2048 of the bound, which
  // the factor 1.001 covers. Below the normal range the relative bound does not hold.
  template <class T>
  static std::vector<Judgement> judgements(const Sample<T>& sample, T result) {
    Long product = 1;
    for (std::int64_t i = 0; i < sample.n; ++i) {
      product *= static_cast<Long>(sample.x[i]);
    }
    const auto value = static_cast<Long>(result);
    return {{"product", std::fabs(value - product),
             std::fabs(value) >= static_cast<Long>(std::numeric_limits<T>::min())
                 ? gamma<T>(sample.n - 1) * std::fabs(product) * 1.001L
                 : std::numeric_limits<Long>::infinity(),
             std::fabs(product)}};
  }

  // Each multiplication of complex numbers errs by at most √5·u of the modulus of its result
  // (Brent, Percival, Zimmermann, "Error bounds on complex floating-point multiplication", 2007),
  // and n elements make n - 1 of them. The balanced factors keep all moduli far from the ends of
  // the range, so that an underflow in one part is nothing beside the other one; below 2^-60 that
  // would not be known.
  template <class T, class Part>
  static std::vector<Judgement> judgements(const Sample<T>& sample, core::Complex<Part> result) {
    core::Complex<Long> product{1, 0};
    for (std::int64_t i = 0; i < sample.n; ++i) {
      const auto re = static_cast<Long>(sample.x[i].re);
      const auto im = static_cast<Long>(sample.x[i].im);
      product = {product.re * re - product.im * im, product.re * im + product.im * re};
    }
    const Long modulus = modulus_of(product);
    const Long error = std::hypot(static_cast<Long>(result.re) - product.re,
                                  static_cast<Long>(result.im) - product.im);
    const Long all = static_cast<Long>(sample.n - 1) * std::sqrt(5.0L) * unit_roundoff<Part>;
    const bool known = modulus >= 0x1p-60L && all < 1;
    return {{"product", error,
             known ? all / (1 - all) * modulus * 1.001L : std::numeric_limits<Long>::infinity(),
             modulus}};
  }
};

}  // namespace

ISOFOLD_EXPECT(product, Product)

}  // namespace isofold::conformance
