// The suite's expectations of a fold, independent of the tree and of the fold's struct: what it
// returns for no elements, its exact result where every order has one, the bound of its error, and
// the data that show its bugs. expectations/ has a file for each fold, or for folds of one formula;
// the sections ask through this interface.
#pragma once

#include <any>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "bounds.hpp"
#include "exact_prefixes.hpp"
#include "test_data.hpp"
#include <isofold/detail/core/complex.hpp>
#include <isofold/detail/core/number.hpp>
#include <isofold/result.hpp>

namespace isofold::conformance {

using test_data::Recipe;

// The kinds of elements that a fold takes, as a set.
using Kinds = unsigned;
inline constexpr Kinds floating = 1;
inline constexpr Kinds integers = 2;
inline constexpr Kinds complex = 4;
inline constexpr Kinds real = floating | integers;

template <class T>
constexpr Kinds kind_of() {
  return core::is_complex<T> ? complex : std::is_integral_v<T> ? integers : floating;
}

// The markers of a fold among neutral elements: distinct bits, which add up to a
// fingerprint of those that were seen; factors of 2 or elements that count, which count them; one
// outlier, the last, that decides an extremum.
enum class Marking { none, bits, factors, counted, lowest, highest };

// A fold's expectation, by the number of an element type, whose elements and results `any`, `void`
// and vectors of T stand for.
class Expectation {
 public:
  virtual ~Expectation() = default;

  virtual bool takes(std::int32_t type) const = 0;
  // How a golden line calls the result of several components; with `_` at its end, the type
  // follows.
  virtual const char* result_word() const = 0;
  virtual bool empty_is_error() const = 0;
  // Floating-point results depend on the order of combination.
  virtual bool rounds() const = 0;
  // The sign of a zero depends on the order; that of a complex zero part, on the factors, too.
  virtual bool zero_has_any_sign() const = 0;
  virtual bool parts_have_any_sign() const = 0;
  // One of the few folds that go through every shape of every walk; others walk as they do.
  virtual bool leads() const = 0;
  virtual Marking marking() const = 0;
  virtual Recipe random_recipe() const = 0;
  // A second kind of data: where a lost or doubled element, or an absent lane's zero, shows best.
  virtual Recipe telling_recipe() const = 0;
  virtual std::vector<Recipe> bound_recipes() const = 0;

  virtual std::any empty(std::int32_t type) const = 0;  // R
  virtual void intrude(std::int32_t type, void* element) const = 0;
  // Changes elements of the recipe so that more results are exact, or stay in range.
  virtual void make_exact(std::int32_t type, Recipe recipe, void* elements) const = 0;
  virtual void balance(std::int32_t type, void* elements) const = 0;
  virtual std::any exact(std::int32_t type, Recipe recipe, const void* x,
                         const void* y) const = 0;  // Prefixes<R>
  virtual std::vector<Judgement> judgements(std::int32_t type, const void* sample,
                                            const void* result) const = 0;
};

// `fold` is one of the library's list.
const Expectation& expectation_of(std::int32_t fold);

// The parameters of count_in_range in all tests: docs/test_data.md. Any two elements where it has
// no such case.
template <class T>
const T* range_of_tests() {
  constexpr int bits = 8 * sizeof(T);
  if constexpr (std::is_floating_point_v<T>) {
    static constexpr T range[2] = {T{-0.25}, T{0.5}};
    return range;
  } else if constexpr (core::is_complex<T>) {
    static constexpr T range[2] = {};
    return range;
  } else if constexpr (std::is_signed_v<T>) {
    static constexpr T range[2] = {-(T{1} << (bits - 2)), T{1} << (bits - 3)};
    return range;
  } else {
    static constexpr T range[2] = {T{1} << (bits - 3), T{1} << (bits - 1)};
    return range;
  }
}

// The defaults that most folds share: a fold's own struct derives from it, says what differs, and
// has
//
//   kinds                                   the elements that it takes
//   R empty<T>()                            the column "no elements" of docs/folds.md
//   Prefixes<R> exact<T>(recipe, x, y)      the results of all prefixes that are exact in any order
//   judgements(Sample<T>, R)                errors and their bounds, where it rounds
struct Expected {
  static constexpr const char* result_word = "";
  static constexpr bool empty_is_error = false;
  static constexpr bool rounds = false;
  static constexpr bool zero_has_any_sign = false;
  static constexpr bool parts_have_any_sign = false;
  static constexpr bool leads = false;
  static constexpr Marking marking = Marking::none;
  static constexpr Recipe random_recipe = Recipe::uniform;
  static constexpr Recipe telling_recipe = Recipe::lanes;
  static std::vector<Recipe> bound_recipes() {
    return {Recipe::uniform, Recipe::normal, Recipe::near_one, Recipe::wide};
  }
  // The value that stands around the elements: whichever fold reads it has another result.
  template <class T>
  static T intruder() {
    if constexpr (core::is_complex<T>) {
      constexpr auto nan = std::numeric_limits<core::part_t<T>>::quiet_NaN();
      return {nan, nan};
    } else if constexpr (std::is_floating_point_v<T>) {
      return std::numeric_limits<T>::quiet_NaN();
    } else {
      return std::numeric_limits<T>::max();
    }
  }
  template <class T>
  static void make_exact(Recipe, std::vector<T>&) {}
  template <class T>
  static void balance(std::vector<T>&) {}
  template <class T, class R>
  static std::vector<Judgement> judgements(const Sample<T>&, const R&) {
    return {};
  }
};

template <class Fold>
class ExpectationOf final : public Expectation {
 public:
  bool takes(std::int32_t type) const override {
    return visit(type, [](auto) {});
  }
  const char* result_word() const override { return Fold::result_word; }
  bool empty_is_error() const override { return Fold::empty_is_error; }
  bool rounds() const override { return Fold::rounds; }
  bool zero_has_any_sign() const override { return Fold::zero_has_any_sign; }
  bool parts_have_any_sign() const override { return Fold::parts_have_any_sign; }
  bool leads() const override { return Fold::leads; }
  Marking marking() const override { return Fold::marking; }
  Recipe random_recipe() const override { return Fold::random_recipe; }
  Recipe telling_recipe() const override { return Fold::telling_recipe; }
  std::vector<Recipe> bound_recipes() const override { return Fold::bound_recipes(); }

  std::any empty(std::int32_t type) const override {
    std::any result;
    visit(type, [&](auto element) { result = Fold::template empty<decltype(element)>(); });
    return result;
  }
  void intrude(std::int32_t type, void* element) const override {
    visit(type, [&](auto t) {
      *static_cast<decltype(t)*>(element) = Fold::template intruder<decltype(t)>();
    });
  }
  void make_exact(std::int32_t type, Recipe recipe, void* elements) const override {
    visit(type, [&](auto t) {
      Fold::make_exact(recipe, *static_cast<std::vector<decltype(t)>*>(elements));
    });
  }
  void balance(std::int32_t type, void* elements) const override {
    visit(type, [&](auto t) { Fold::balance(*static_cast<std::vector<decltype(t)>*>(elements)); });
  }
  std::any exact(std::int32_t type, Recipe recipe, const void* x, const void* y) const override {
    std::any prefixes;
    visit(type, [&](auto t) {
      using Array = const std::vector<decltype(t)>*;
      prefixes = Fold::exact(recipe, *static_cast<Array>(x), *static_cast<Array>(y));
    });
    return prefixes;
  }
  std::vector<Judgement> judgements(std::int32_t type, const void* sample,
                                    const void* result) const override {
    std::vector<Judgement> all;
    visit(type, [&](auto t) {
      using T = decltype(t);
      if constexpr (!std::is_integral_v<T>) {  // whose results are exact
        using R = decltype(Fold::template empty<T>());
        all = Fold::judgements(*static_cast<const Sample<T>*>(sample),
                               *static_cast<const R*>(result));
      }
    });
    return all;
  }

 private:
  template <class Use>
  static bool visit(std::int32_t type, Use&& use) {
    bool takes = false;
#define ISOFOLD_VISIT(name, number, c_type)               \
  if constexpr ((Fold::kinds & kind_of<c_type>()) != 0) { \
    if (type == number) {                                 \
      use(c_type{});                                      \
      takes = true;                                       \
    }                                                     \
  }
    ISOFOLD_COMPUTED_TYPES(ISOFOLD_VISIT)
#undef ISOFOLD_VISIT
    return takes;
  }
};

// Ends each struct of expectations/: the fold `name` of the library's list is expected as it says.
#define ISOFOLD_EXPECT(name, ...)                  \
  const Expectation& expected_##name() {           \
    static const ExpectationOf<__VA_ARGS__> all{}; \
    return all;                                    \
  }

}  // namespace isofold::conformance
