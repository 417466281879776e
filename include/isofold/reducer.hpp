// Reducer: the object that users hold to reduce views (shape.hpp) by folds (fold.hpp). It belongs
// to one device and one stream and owns its workspace; one thread uses it at a time, distinct
// Reducers in distinct threads are always safe. Everything here is inline over the C ABI
// (isofold.h), holds no arithmetic, and throws an Error (error.hpp) where the C function returns a
// code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <isofold/backend.hpp>
#include <isofold/error.hpp>
#include <isofold/fold.hpp>
#include <isofold/guarantee.hpp>
#include <isofold/named_fold.hpp>
#include <isofold/shape.hpp>

namespace isofold {

namespace reducer_detail {

// Memory for the results of `rows` rows, which becomes a vector. The library refuses numbers of
// rows that no memory could hold; there is none for those.
template <class R>
std::size_t room_for(std::int64_t rows) {
  constexpr std::int64_t most =
      std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(sizeof(R));
  return rows >= 0 && rows <= most ? static_cast<std::size_t>(rows) : 0;
}
template <class R>
class Room {
 public:
  explicit Room(std::int64_t rows) : results_(room_for<R>(rows)) {}
  R* data() { return results_.data(); }
  std::vector<R> take() { return std::move(results_); }

 private:
  std::vector<R> results_;
};
// A vector of bool has no memory that results could go to.
template <>
class Room<bool> {
 public:
  explicit Room(std::int64_t rows)
      : count_(room_for<bool>(rows)), results_(std::make_unique<bool[]>(count_)) {}
  bool* data() { return results_.get(); }
  std::vector<bool> take() { return std::vector<bool>(data(), data() + count_); }

 private:
  std::size_t count_;
  std::unique_ptr<bool[]> results_;
};

[[nodiscard]] constexpr bool takes_two(Fold fold) {
  return fold == Fold::dot || fold == Fold::squared_distance || fold == Fold::dot_with_bound ||
         fold == Fold::weighted_sum;
}

// A bound of count_in_range, of elements T, from a number of any type.
template <class T>
struct Bound {
  using element_type = T;
  T value;
  // NOLINTBEGIN(misc-explicit-constructor): it stands for the number.
  template <class Number>
  Bound(Number number) : value(as_element(number)) {}
  // NOLINTEND(misc-explicit-constructor)

 private:
  template <class Number>
  static T as_element(Number number) {
    if constexpr (std::is_same_v<Number, T>) {
      return number;
    } else if constexpr (std::is_integral_v<T> && std::is_arithmetic_v<Number>) {
      return integer(number);
    } else if constexpr (accumulator_of<T> != 0 && std::is_arithmetic_v<Number>) {
      return {static_cast<decltype(T::value)>(number)};  // which will be widened
    } else if constexpr (std::is_convertible_v<Number, T>) {
      return static_cast<T>(number);
    } else {
      static_assert(std::is_convertible_v<Number, T>,
                    "count_in_range(x, low, high) takes two bounds, which are elements, or numbers "
                    "that become ones.");
      return T{};
    }
  }
  template <class Number>
  static bool fits(Number number) {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_same_v<Number, bool>) {
      return true;
    } else if constexpr (std::is_integral_v<Number>) {
      return number < 0
                 ? std::is_signed_v<T> &&
                       static_cast<std::int64_t>(number) >= static_cast<std::int64_t>(Limits::min())
                 : static_cast<std::uint64_t>(number) <= static_cast<std::uint64_t>(Limits::max());
    } else {
      // Both ends are powers of two, or zero, which any such Number has; a NaN is in no range.
      constexpr T middle = Limits::max() / 2 + 1;
      const auto half = static_cast<Number>(middle);
      return number >= static_cast<Number>(Limits::min()) && number < half + half &&
             static_cast<Number>(static_cast<T>(number)) == number;
    }
  }
  template <class Number>
  static T integer(Number number) {
    using Limits = std::numeric_limits<T>;
    if (!fits(number)) {
      throw Error(Code::invalid_argument,
                  "The bound " + std::to_string(number) +
                      " of count_in_range is no element: elements are integers from " +
                      std::to_string(Limits::min()) + " to " + std::to_string(Limits::max()) + ".");
    }
    return static_cast<T>(number);
  }
};

}  // namespace reducer_detail

// How a Reducer works; every setting returns the object, so they chain. The defaults: the device
// where the data lie, its default stream, all CPU threads, same bits, validation.
class Options {
 public:
  Options() {
    options_.size = sizeof(options_);
    options_.device = -1;
    options_.guarantee = ISOFOLD_GUARANTEE_same_bits;
    options_.validate = 1;
  }
  // The caller's stream (cudaStream_t, hipStream_t); device backends otherwise use the default one,
  // which non-blocking streams do not wait for, nor it for them. The Reducer does not own the
  // stream, which must outlive its calls.
  Options& stream(void* stream) {
    options_.stream = stream;
    options_.has_stream = 1;
    return *this;
  }
  // The number of the device, from 0; -1, the default: that of the data.
  Options& device(std::int32_t number) {
    options_.device = number;
    return *this;
  }
  // Most CPU threads a call may use; 0, the default: as many as OpenMP grants and the quota
  // of a container allows (docs/guarantees.md). The number never changes a bit.
  Options& threads(std::int32_t most) {
    options_.threads = most;
    return *this;
  }
  // The promise that every call keeps about its bits (guarantee.hpp).
  Options& guarantee(Guarantee guarantee) {
    options_.guarantee = static_cast<std::int32_t>(guarantee);
    return *this;
  }
  // The definition of the bits, for views that do not say exact(x) themselves; tree_v1 is the
  // default.
  Options& definition(Definition definition) {
    definition_ = definition;
    return *this;
  }
  // `false` skips the checks, on every call, of the kinds of pointers (docs/performance.md: their
  // cost) and of all indices of segments, gathers and batches (docs/shapes.md).
  Options& validate(bool on) {
    options_.validate = on ? 1 : 0;
    return *this;
  }
  // The options for the C ABI.
  [[nodiscard]] const isofold_options& plain() const { return options_; }
  // The definition, which in the C ABI each request has for itself.
  [[nodiscard]] Definition definition() const { return definition_; }

 private:
  isofold_options options_{};
  Definition definition_ = Definition::tree_v1;
};

// Reduces views. Calls that return a value block until it is there. Calls that write to `out`
// return once the work is enqueued on a device backend, and when it is done on a CPU; `out` and the
// data must live that long. Each call reads the elements once, or twice for a few folds
// (docs/folds.md), and allocates only if it needs more workspace than the Reducer has.
class Reducer {
  template <class View>
  using view_of = view_detail::view_of<View>;
  // Of pointers to void the view says that they have no elements.
  template <class View, class T = typename view_detail::Traits<view_of<View>>::element_type>
  using element_of = std::conditional_t<std::is_void_v<T>, std::int32_t, T>;
  template <class View>
  static constexpr bool has_one_result = view_detail::Traits<view_of<View>>::one_result;
  template <Fold fold, class View>
  using result_of = result_t<fold, element_of<View>>;
  // A call returns the result, or a vector of one for each row.
  template <class Result, class View>
  using returned = std::conditional_t<has_one_result<View>, Result, std::vector<Result>>;
  template <class R>
  using Room = reducer_detail::Room<R>;
  // A second array, which folds of two take. Behind several folds a C array is where results go.
  template <class View>
  static constexpr bool is_second = is_view<View> || view_detail::is_container<View>;
  template <class View>
  using if_view = std::enable_if_t<is_second<View> && !std::is_array_v<View>, int>;
  template <Fold fold, class View>
  using if_second = std::enable_if_t<is_second<View> && reducer_detail::takes_two(fold), int>;
  template <Fold fold, class View>
  using if_takes =
      std::enable_if_t<!reducer_detail::takes_two(fold) || view_detail::is_pair_of<View>, int>;
  template <class Tag>
  using if_tag = std::enable_if_t<is_fold_tag<Tag>, int>;
  template <class First, class Second>
  using pair_of = ViewPair<view_of<First>, view_of<Second>>;
  // A bound is given in the elements' type; types that are no elements are refused by the view.
  template <class View>
  using bound_of = reducer_detail::Bound<
      std::conditional_t<is_element<element_of<View>>, element_of<View>, std::int32_t>>;
  // A fold of a type that it is not defined for does not compile.
  template <Fold fold, class View, bool is_exact = view_detail::is_exact<view_of<View>>>
  static constexpr void check_case() {
    using T = computed_t<element_of<View>>;
    constexpr bool is_right = !is_view<view_of<View>> || view_detail::is_no_pair<View> ||
                              !is_element<element_of<View>> || takes<fold, T>() ||
                              (is_exact && fold == Fold::mean && std::is_integral_v<T>);
    constexpr bool is_of_bits =
        fold == Fold::bit_and || fold == Fold::bit_or || fold == Fold::bit_xor;
    constexpr bool is_real = std::is_same_v<real_t<T>, T>;
    static_assert(is_right || !is_of_bits,
                  "This fold is not defined for elements of this type: bit_and, bit_or and bit_xor "
                  "are of integers; copy the bits of others to integers of as many bytes first.");
    static_assert(
        is_right || is_of_bits || is_real,
        "This fold is not defined for elements of this type: complex elements have sum, "
        "product, dot, squared_distance, norm1, norm2 and absolute_maximum, and no order; "
        "reduce one part of each as box(parts, {n}, {2}) for the others.");
    static_assert(
        is_right || is_of_bits || !is_real,
        "This fold is not defined for elements of this type (docs/folds.md has the table). Means, "
        "variances, norms and dots are of floating-point elements: copy integers to double first; "
        "their mean is also mean(exact(x)).");
  }
  // A fold that takes more than one view does not compile without the rest.
  template <Fold fold, class View>
  static constexpr void check_arguments() {
    constexpr bool is_right = is_view<view_of<View>> && is_element<element_of<View>>;
    static_assert(!is_right || !reducer_detail::takes_two(fold) || view_detail::is_pair_of<View>,
                  "This fold takes two arrays, as dot(x, y): give it a second view.");
    static_assert(!is_right || fold != Fold::count_in_range,
                  "count_in_range takes two bounds: count_in_range(x, low, high), alone, and then "
                  "perhaps a pointer to memory for its results.");
  }
  template <Fold fold, class... Others>
  using if_without_bounds =
      std::enable_if_t<fold != Fold::count_in_range || sizeof...(Others) < 2, int>;

 public:
  // Makes a Reducer that goes where the data is: device memory to that device's backend, host
  // memory to openmp, else reference. The environment variable ISOFOLD_BACKEND replaces this
  // default choice; an unknown or unavailable name throws backend_unavailable.
  Reducer() : Reducer(Backend::automatic) {}
  explicit Reducer(const Options& options) : Reducer(Backend::automatic, options) {}
  // Makes a Reducer for a named backend, which never moves data: memory it cannot reach is the
  // error wrong_memory.
  explicit Reducer(Backend backend, const Options& options = {})
      : Reducer(name_of(backend), options) {}
  // Makes a Reducer for a backend by its name; nullptr is automatic.
  explicit Reducer(const std::string& backend, const Options& options = {})
      : Reducer(backend.c_str(), options) {}
  explicit Reducer(const char* backend, const Options& options = {})
      : definition_(static_cast<std::int32_t>(options.definition())) {
    isofold_options plain = options.plain();
    plain.backend = backend;
    check(isofold_create(&plain, &reducer_));
  }
  // A Reducer that was moved from may only be destroyed or assigned to.
  Reducer(Reducer&& other) noexcept
      : reducer_(std::exchange(other.reducer_, nullptr)), definition_(other.definition_) {}
  Reducer& operator=(Reducer&& other) noexcept {
    std::swap(reducer_, other.reducer_);
    std::swap(definition_, other.definition_);
    return *this;
  }
  ~Reducer() { isofold_destroy(reducer_); }  // waits for its own work

  // Wherever a view stands, a container may: std::vector, std::span, std::array, a C array, or
  // another range with data() and size() whose elements lie one behind the other. It is the array
  // of its elements. A std::mdspan, and a C array of several dimensions, is its box.

  // reduce(fold, view): one fold of one view. It blocks, and returns the value, with the guarantee
  // of the options; of a view with a result for each row (rows, over, segments, counted, batch) it
  // returns a std::vector of them, in order. A view of one result without elements has the fold's
  // empty value; folds without one, as minimum and its kin (docs/folds.md), throw empty_input. Rows
  // without elements are as below. A vector takes host memory (std::bad_alloc), and of a device's
  // data memory of the device, too, for the call: where that counts, give `out`.
  template <Fold fold, class View>
  [[nodiscard]] returned<result_of<fold, View>, View> reduce(FoldTag<fold>, const View& x) {
    check_case<fold, View>();
    check_arguments<fold, View>();
    return returned_by<result_of<fold, View>>(request(fold, x, nullptr, ISOFOLD_BLOCKING), x);
  }
  // reduce(fold, view, out): a result for each row, `out` being memory of the backend with room for
  // as many results. A device backend writes it in the order of the stream and does not wait; an
  // error of its work comes from synchronize(). Rows without elements get the fold's empty value,
  // and a view without rows writes nothing. `out` may lie in no input. No result is to be used
  // after an error.
  template <Fold fold, class View, if_takes<fold, View> = 0>
  void reduce(FoldTag<fold>, const View& x, result_of<fold, View>* out) {
    reduce_into(FoldTag<fold>{}, x, out);
  }
  // Folds of two arrays (dot and its kin) take two arrays, rows or boxes of one shape, whose
  // strides may differ, or segments, counted rows, gathers or batches (joined or not) of one list,
  // by its address; axes and mask are those of the first, which the second box may repeat.
  // Different shapes throw invalid_argument.
  // The rest is as with one view.
  template <Fold fold, class View, class Second, if_second<fold, Second> = 0>
  [[nodiscard]] returned<result_of<fold, View>, View> reduce(FoldTag<fold>, const View& x,
                                                             const Second& y) {
    return reduce(FoldTag<fold>{},
                  pair_of<View, Second>{view_detail::as_view(x), view_detail::as_view(y)});
  }
  template <Fold fold, class View, class Second, if_second<fold, Second> = 0>
  void reduce(FoldTag<fold>, const View& x, const Second& y, result_of<fold, View>* out) {
    reduce_into(FoldTag<fold>{},
                pair_of<View, Second>{view_detail::as_view(x), view_detail::as_view(y)}, out);
  }

  // Several folds of one view: reduce(fuse(sum, minimum, argmax), array(x, n)) is a std::tuple of
  // their results (of rows: of vectors), each with the bits that it has alone. openmp, and cuda and
  // hip for arrays and rows, read the elements once, except for many short rows
  // (isofold_reduce_fused). It throws empty_input if one of the folds does.
  template <class... Tags, class View>
  [[nodiscard]] std::tuple<returned<result_of<Tags::fold, View>, View>...> reduce(Fused<Tags...>,
                                                                                  const View& x) {
    (check_tag<Tags, View>(), ...);
    if constexpr (has_one_result<View>) {
      std::tuple<result_of<Tags::fold, View>...> results{};
      std::apply(
          [&](auto&... result) {
            reduce_together({request_of<Tags>(x, &result, ISOFOLD_BLOCKING)...});
          },
          results);
      return results;
    } else {
      auto sizes = request(Fold::sum, x, nullptr, ISOFOLD_BLOCKING);
      std::tuple<Room<result_of<Tags::fold, View>>...> rooms{
          room_for_rows<result_of<Tags::fold, View>>(sizes)...};
      return std::apply(
          [&](auto&... room) {
            reduce_together({request_of<Tags>(x, room.data(), ISOFOLD_BLOCKING)...});
            return std::make_tuple(room.take()...);
          },
          rooms);
    }
  }
  // reduce(fuse(...), view, out...): one `out` a fold, in their order, with a result for each row,
  // as reduce(fold, view, out) writes it.
  template <class... Tags, class View, class First, class... Results>
  void reduce(Fused<Tags...>, const View& x, First* first, Results*... out) {
    constexpr bool is_right =
        std::is_same_v<std::tuple<First, Results...>, std::tuple<result_of<Tags::fold, View>...>>;
    static_assert(is_right,
                  "Each fold of fuse() writes to memory of its own, of the type of its results: "
                  "reduce(fuse(sum, argmax), x, sums, places).");
    if constexpr (is_right) {
      (check_tag<Tags, View>(), ...);
      write_together<Tags...>(x, first, out...);
    }
  }
  // Several folds of two arrays: folds of one array take the first of them, so that
  // reduce(fuse(dot, norm2), array(x, n), array(y, n)) has x's norm.
  template <class... Tags, class View, class Second, if_view<Second> = 0>
  [[nodiscard]] std::tuple<returned<result_of<Tags::fold, View>, View>...> reduce(
      Fused<Tags...> folds, const View& x, const Second& y) {
    return reduce(folds, Both<view_of<View>, view_of<Second>>{
                             {view_detail::as_view(x), view_detail::as_view(y)}});
  }
  template <class... Tags, class View, class Second, class... Results, if_view<Second> = 0>
  void reduce(Fused<Tags...> folds, const View& x, const Second& y, Results*... out) {
    reduce(folds,
           Both<view_of<View>, view_of<Second>>{{view_detail::as_view(x), view_detail::as_view(y)}},
           out...);
  }

  // exact(fold) is the fold by exact_v1, as it is of exact(view). fuse() takes it beside others,
  // and then reads the elements once for those and once for each exact fold.
  template <Fold fold, class View>
  [[nodiscard]] auto reduce(ExactTag<fold>, const View& x) {
    return reduce(FoldTag<fold>{}, exact(x));
  }
  template <Fold fold, class View>
  void reduce(ExactTag<fold>, const View& x, result_of<fold, View>* out) {
    reduce(FoldTag<fold>{}, exact(x), out);
  }
  template <Fold fold, class View, class Second, if_second<fold, Second> = 0>
  [[nodiscard]] auto reduce(ExactTag<fold>, const View& x, const Second& y) {
    return reduce(FoldTag<fold>{}, exact(x), exact(y));
  }
  template <Fold fold, class View, class Second, if_second<fold, Second> = 0>
  void reduce(ExactTag<fold>, const View& x, const Second& y, result_of<fold, View>* out) {
    reduce(FoldTag<fold>{}, exact(x), exact(y), out);
  }

  // reduce.sum(array(x, n)), reduce.dot(array(x, n), array(y, n)), reduce.sum(rows(x, r, l), out),
  // ...: a member for each fold of the list, which is the reduce() of that fold; count_in_range
  // takes two bounds, below. Elements of one type may stand in braces: reduce.sum({1.5, 2.5}).
  // Other calls, and those of a const Reducer, are refused in one sentence.
#define ISOFOLD_SUGAR(fold, number)                                                             \
  template <class View, class... Others, if_without_bounds<Fold::fold, Others...> = 0>          \
  [[nodiscard]] auto fold(const View& x, Others&&... others) {                                  \
    return reduce(FoldTag<Fold::fold>{}, x, others...);                                         \
  }                                                                                             \
  template <class T>                                                                            \
  [[nodiscard]] auto fold(std::initializer_list<T> x) {                                         \
    return reduce(FoldTag<Fold::fold>{}, x);                                                    \
  }                                                                                             \
  template <class T>                                                                            \
  [[nodiscard]] auto fold(std::initializer_list<T> x, std::initializer_list<T> y) {             \
    return reduce(FoldTag<Fold::fold>{}, x, y);                                                 \
  }                                                                                             \
  template <class None = void, class... Others>                                                 \
  detail::NoResult fold(std::initializer_list<detail::Anything>, Others&&...) {                 \
    return refuse_mixed<None>();                                                                \
  }                                                                                             \
  template <class None = void>                                                                  \
  detail::NoResult fold(std::initializer_list<detail::Anything>,                                \
                        std::initializer_list<detail::Anything>) {                              \
    return refuse_mixed<None>();                                                                \
  }                                                                                             \
  template <class None = void>                                                                  \
  detail::NoResult fold(ISOFOLD_ANYTHING, ISOFOLD_ANYTHING, ISOFOLD_ANYTHING, ISOFOLD_ANYTHING) \
      const {                                                                                   \
    return refuse_call<detail::never<None>, Fold::fold>();                                      \
  }
  ISOFOLD_FOLDS(ISOFOLD_SUGAR)
#undef ISOFOLD_SUGAR

  // The number of elements x with low <= x <= high; a NaN is not counted, and an empty view has 0.
  // The bounds become elements: of floating point rounded, while a number that is no integer of the
  // elements' type (0.5, or 300 of bytes) throws invalid_argument. The call blocks. Of rows it
  // returns a std::vector of their numbers.
  template <class View>
  [[nodiscard]] returned<std::int64_t, View> count_in_range(const View& x, bound_of<View> low,
                                                            bound_of<View> high) {
    check_case<Fold::count_in_range, View>();
    const typename bound_of<View>::element_type range[2] = {low.value, high.value};
    auto made = request(Fold::count_in_range, x, nullptr, ISOFOLD_BLOCKING);
    made.plain.parameters = range;
    return returned_by<std::int64_t>(std::move(made), x);
  }
  // count_in_range(view, low, high, out): the counts of each row, as reduce(fold, view, out) writes
  // them.
  template <class View>
  void count_in_range(const View& x, bound_of<View> low, bound_of<View> high, std::int64_t* out) {
    check_case<Fold::count_in_range, View>();
    const typename bound_of<View>::element_type range[2] = {low.value, high.value};
    auto made = request(Fold::count_in_range, x, out, 0);
    made.plain.parameters = range;
    run(made);
  }

  // A fold that is known at run time: reduce.fold("sum", x), or by its number, reduce.fold(which,
  // x) with a Fold. It returns an AnyResult (named_fold.hpp), or of rows a std::vector of them, and
  // is as reduce(fold, view) else. A name that is none throws invalid_argument and says which was
  // probably meant; a fold that elements of this type do not have throws unsupported. Folds of two
  // arrays take two.
  template <class View>
  [[nodiscard]] returned<AnyResult, View> fold(Fold which, const View& x) {
    check_call(which, view_detail::is_pair_of<View> ? 2 : 1);
    return any_returned_by(request(which, x, nullptr, ISOFOLD_BLOCKING), x);
  }
  template <class View, class Second, std::enable_if_t<is_second<Second>, int> = 0>
  [[nodiscard]] returned<AnyResult, View> fold(Fold which, const View& x, const Second& y) {
    return fold(which, pair_of<View, Second>{view_detail::as_view(x), view_detail::as_view(y)});
  }
  template <class View>
  [[nodiscard]] returned<AnyResult, View> fold(const std::string& name, const View& x) {
    return fold(fold_named(name), x);
  }
  template <class View, class Second, std::enable_if_t<is_second<Second>, int> = 0>
  [[nodiscard]] returned<AnyResult, View> fold(const std::string& name, const View& x,
                                               const Second& y) {
    return fold(fold_named(name), x, y);
  }

  // Calls that none of the above takes, in one sentence.
  template <class None = void>
  detail::NoResult reduce(ISOFOLD_ANYTHING, ISOFOLD_ANYTHING, ISOFOLD_ANYTHING,
                          ISOFOLD_ANYTHING) const {
    return refuse_call<detail::never<None>>();
  }
  template <class None = void>
  detail::NoResult fold(ISOFOLD_ANYTHING, ISOFOLD_ANYTHING, ISOFOLD_ANYTHING,
                        ISOFOLD_ANYTHING) const {
    return refuse_call<detail::never<None>>();
  }
  // A number in place of memory for results; 0 would be a null pointer.
  template <class Tag, class View, class Number,
            std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>
  detail::NoResult reduce(Tag, const View&, Number) {
    return refuse_call<detail::never<Number>>();
  }

  // This tells whether this Reducer has the fold for views of this shape and type; folds of two
  // arrays may have both, or the first. It reads no data.
  template <class Tag, class View, if_tag<Tag> = 0>
  [[nodiscard]] bool supports(Tag, const View& x) {
    auto question = request_of<Tag>(x, nullptr, 0);
    return isofold_supports(reducer_, question.pointer()) == ISOFOLD_ok;
  }
  template <class Tag, class View, class Second, if_second<Tag::fold, Second> = 0>
  [[nodiscard]] bool supports(Tag fold, const View& x, const Second& y) {
    return supports(fold, pair_of<View, Second>{view_detail::as_view(x), view_detail::as_view(y)});
  }
  // Takes all the workspace that reducing this view needs, so that the call itself allocates
  // nothing; a call that a graph captures needs it. It reads the view's sizes, no data. The Reducer
  // keeps the workspace until it is destroyed. Folds of two arrays may have both, or the first.
  template <class Tag, class View, if_tag<Tag> = 0>
  void reserve(Tag, const View& x) {
    auto sizes = request_of<Tag>(x, nullptr, 0);
    check(isofold_reserve(reducer_, sizes.pointer()));
  }
  template <class Tag, class View, class Second, if_second<Tag::fold, Second> = 0>
  void reserve(Tag fold, const View& x, const Second& y) {
    reserve(fold, pair_of<View, Second>{view_detail::as_view(x), view_detail::as_view(y)});
  }
  // Waits for this Reducer's asynchronous work and throws what failed in it.
  void synchronize() { check(isofold_synchronize(reducer_)); }
  // Makes later calls run on `stream`, ordered after earlier ones.
  void set_stream(void* stream) { check(isofold_set_stream(reducer_, stream)); }
  // The name of the backend that answered the last successful call, or of the named one; "" before
  // the first.
  [[nodiscard]] const char* backend() const { return isofold_reducer_backend(reducer_); }
  // The definition of its options, for views that do not say exact(x) themselves.
  [[nodiscard]] Definition definition() const noexcept {
    return static_cast<Definition>(definition_);
  }
  // The object of the C ABI, which the Reducer keeps.
  [[nodiscard]] isofold_reducer* handle() const noexcept { return reducer_; }

 private:
  template <bool is_right, Fold fold = Fold::sum>
  static constexpr detail::NoResult refuse_call() {
    static_assert(is_right || fold != Fold::count_in_range,
                  "count_in_range takes two bounds: count_in_range(x, low, high), and then perhaps "
                  "a pointer to std::int64_t, for the counts. A Reducer keeps workspace, so it is "
                  "not const.");
    static_assert(is_right || fold == Fold::count_in_range,
                  "A fold takes a view, or two (dot and its kin), and then perhaps a pointer to "
                  "memory for its results, of their type: sum(x), reduce(isofold::sum, x), or "
                  "fold(\"sum\", x), which returns them; several folds are fuse(sum, mean). A "
                  "pointer and a count are array(x, n), and dimensions to reduce over(x, {0}). A "
                  "Reducer keeps workspace, so it is not const.");
    return {};
  }
  template <class None>
  static constexpr detail::NoResult refuse_mixed() {
    static_assert(
        detail::never<None>,
        "Elements in braces are of one type: {1.5, 2.0}, not {1.5, 2} and not {}. A pointer "
        "and a count are array(x, n).");
    return {};
  }

  template <class Tag, class View>
  static constexpr void check_tag() {
    check_case<Tag::fold, View, Tag::is_exact || view_detail::is_exact<view_of<View>>>();
    check_arguments<Tag::fold, View>();
  }

  // A pair of which folds of one array take the first.
  template <class First, class Second>
  struct Both : ViewPair<First, Second> {};

  template <class Tag, class View>
  auto request_of(const View& x, void* result, std::int32_t flags) const {
    auto made = request(Tag::fold, x, result, flags);
    if (Tag::is_exact) {
      made.plain.definition = ISOFOLD_DEFINITION_exact_v1;
    }
    return made;
  }
  template <class View>
  auto request(Fold fold, const View& x, void* result, std::int32_t flags) const {
    if constexpr (view_detail::is_container<View>) {
      return request(fold, view_detail::as_view(x), result, flags);
    } else if constexpr (is_view<View>) {
      auto made = x.to_request();
      made.plain.fold = static_cast<std::int32_t>(fold);
      made.plain.result = result;
      made.plain.flags |= flags;
      if (made.plain.definition == ISOFOLD_DEFINITION_tree_v1) {
        made.plain.definition = definition_;
      }
      return made;
    } else {
      view_detail::refuse_what_is_no_view<View>();
      return ArrayRequest{};
    }
  }
  template <class First, class Second>
  auto request(Fold fold, const Both<First, Second>& x, void* result, std::int32_t flags) const {
    auto made = request(fold, static_cast<const ViewPair<First, Second>&>(x), result, flags);
    if (isofold_fold_arrays(made.plain.fold) == 1) {
      made.plain.second = nullptr;
      made.plain.second_stride = 0;
    }
    return made;
  }
  template <Fold fold, class View>
  void reduce_into(FoldTag<fold>, const View& x, void* result) {
    check_case<fold, View>();
    auto made = request(fold, x, result, 0);
    run(made);
  }
  template <class Made>
  void run(Made& made) {
    check(isofold_reduce(reducer_, made.pointer()));
  }
  // Memory for the results of a request. Where it cannot be had, the library says what is wrong
  // with the number of rows, if something is.
  template <class R, class Made>
  Room<R> room_for_rows(Made& made) {
    try {
      return Room<R>(made.plain.rows);
    } catch (const std::bad_alloc&) {
      check(isofold_supports(reducer_, made.pointer()));
      throw;
    }
  }
  // The results of a blocking request of `View`.
  template <class Result, class Made, class View>
  returned<Result, View> returned_by(Made made, const View&) {
    if constexpr (has_one_result<View>) {
      Result result{};
      made.plain.result = &result;
      run(made);
      return result;
    } else {
      auto room = room_for_rows<Result>(made);
      made.plain.result = room.data();
      run(made);
      return room.take();
    }
  }
  // As above, of a fold that only the request tells. Results lie one behind the other.
  template <class Made, class View>
  returned<AnyResult, View> any_returned_by(Made made, const View&) {
    constexpr auto computed = static_cast<Type>(element_number<computed_t<element_of<View>>>());
    // A mean of integers, which exact(x) has, is as one of f64.
    const bool is_mean_of_integers = std::is_integral_v<computed_t<element_of<View>>> &&
                                     made.plain.fold == static_cast<std::int32_t>(Fold::mean);
    const Type type = is_mean_of_integers ? Type::f64 : computed;
    const auto fold = static_cast<Fold>(made.plain.fold);
    const std::int64_t bytes =
        isofold_result_bytes(made.plain.fold, static_cast<std::int32_t>(type));
    struct Largest {
      alignas(std::max_align_t) unsigned char memory[AnyResult::most_bytes];
    };
    auto room = room_for_rows<Largest>(made);
    made.plain.result = room.data();
    run(made);
    const std::vector<Largest> results = room.take();
    const auto at = [&](std::size_t row) {
      return AnyResult(fold, type, results.front().memory + row * static_cast<std::size_t>(bytes));
    };
    if constexpr (has_one_result<View>) {
      return at(0);
    } else {
      std::vector<AnyResult> all;
      all.reserve(results.size());
      for (std::size_t row = 0; row < results.size(); ++row) {
        all.push_back(at(row));
      }
      return all;
    }
  }
  // Refuses a fold that is not called with a number of views, which may be no fold at all.
  static void check_call(Fold fold, std::int32_t views) {
    const std::int32_t arrays = isofold_fold_arrays(static_cast<std::int32_t>(fold));
    if (arrays != 0 && arrays != views) {
      throw Error(Code::invalid_argument,
                  std::string("The fold ") + name_of(fold) +
                      (arrays == 2 ? " takes two arrays: give it a second view."
                                   : " takes one array: leave the second view out."));
    }
    if (isofold_fold_parameters(static_cast<std::int32_t>(fold)) != 0) {
      throw Error(Code::invalid_argument, std::string("The fold ") + name_of(fold) +
                                              " needs two bounds: call " + name_of(fold) +
                                              "(view, low, high).");
    }
  }
  template <class... Tags, class View, class... Results>
  void write_together(const View& x, Results*... out) {
    reduce_together({request_of<Tags>(x, out, 0)...});
  }
  // Requests of one view: their layouts, if they have any, are equal, so the first serves all.
  template <class Made>
  void reduce_together(std::initializer_list<Made> made) {
    isofold_request plain[ISOFOLD_MOST_FUSED];
    Made first = *made.begin();
    std::int32_t count = 0;
    for (const Made& request : made) {
      plain[count] = request.plain;
      plain[count++].layout = first.pointer()->layout;
    }
    check(isofold_reduce_fused(reducer_, plain, count));
  }

  isofold_reducer* reducer_ = nullptr;
  std::int32_t definition_ = ISOFOLD_DEFINITION_tree_v1;
};

}  // namespace isofold
