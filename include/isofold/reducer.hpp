// Reducer: the object that users hold to reduce views (shape.hpp) by folds (fold.hpp). It belongs
// to one device and one stream and owns its workspace; one thread uses it at a time, distinct
// Reducers in distinct threads are always safe. Everything here is inline over the C ABI
// (isofold.h), holds no arithmetic, and throws an Error (error.hpp) where the C function returns a
// code.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>

#include <isofold/backend.hpp>
#include <isofold/error.hpp>
#include <isofold/fold.hpp>
#include <isofold/guarantee.hpp>
#include <isofold/shape.hpp>

namespace isofold {

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
  // `false` skips the checks, on every call, of the kinds of pointers (docs/performance.md: their
  // cost) and of all indices of segments, gathers and batches (docs/shapes.md).
  Options& validate(bool on) {
    options_.validate = on ? 1 : 0;
    return *this;
  }
  // The options for the C ABI.
  const isofold_options& plain() const { return options_; }

 private:
  isofold_options options_{};
};

// Reduces views. Calls that return a value block until it is there. Calls that write to `out`
// return once the work is enqueued on a device backend, and when it is done on a CPU; `out` and the
// data must live that long. Each call reads the elements once, or twice for a few folds
// (docs/folds.md), and allocates only if it needs more workspace than the Reducer has.
class Reducer {
  template <class View>
  using view_of = view_detail::view_of<View>;
  template <class View>
  using element_of = typename view_detail::Traits<view_of<View>>::element_type;
  template <Fold fold, class View>
  using result_of = result_t<fold, element_of<View>>;
  // A C array is where results go, so that the second one is a view or another range.
  template <class View>
  using if_view =
      std::enable_if_t<is_view<View> || (view_detail::is_range<View> && !std::is_array_v<View>),
                       int>;
  template <class First, class Second>
  using pair_of = ViewPair<view_of<First>, view_of<Second>>;
  // A fold of a type that it is not defined for does not compile.
  template <Fold fold, class View>
  static constexpr void check_case() {
    static_assert(
        !is_view<view_of<View>> || takes<fold, computed_t<element_of<View>>>(),
        "This fold is not defined for elements of this type (docs/folds.md has the table). Means, "
        "variances, norms and dots are of floating-point elements: copy integers to double first, "
        "or divide their sum, which is exact in 64 bits.");
  }
  template <Fold fold, class... Others>
  using if_without_bounds =
      std::enable_if_t<fold != Fold::count_in_range || sizeof...(Others) < 2, int>;

 public:
  // Makes a Reducer that goes where the data is: device memory to that device's backend, host
  // memory to openmp, else reference. The environment variable ISOFOLD_BACKEND replaces this
  // default choice; an unknown or unavailable name throws backend_unavailable.
  Reducer() : Reducer(Backend::automatic) {}
  // Makes a Reducer for a named backend, which never moves data: memory it cannot reach is the
  // error wrong_memory.
  explicit Reducer(Backend backend, const Options& options = {})
      : Reducer(name_of(backend), options) {}
  // Makes a Reducer for a backend by its name; nullptr is automatic.
  explicit Reducer(const char* backend, const Options& options = {}) {
    isofold_options plain = options.plain();
    plain.backend = backend;
    check(isofold_create(&plain, &reducer_));
  }
  // A Reducer that was moved from may only be destroyed or assigned to.
  Reducer(Reducer&& other) noexcept : reducer_(std::exchange(other.reducer_, nullptr)) {}
  Reducer& operator=(Reducer&& other) noexcept {
    std::swap(reducer_, other.reducer_);
    return *this;
  }
  ~Reducer() { isofold_destroy(reducer_); }  // waits for its own work

  // Wherever a view stands, a container may: std::vector, std::span, std::array, a C array (but not
  // as the second of two, where results go), or another range with data() and size() whose elements
  // lie one behind the other. It is the array of its elements.

  // reduce(fold, view): one fold of one view of one result. It blocks, and returns the value, with
  // the guarantee of the options. A view without elements has the fold's empty value; folds without
  // one, as minimum and its kin (docs/folds.md), throw empty_input.
  template <Fold fold, class View>
  result_of<fold, View> reduce(FoldTag<fold>, const View& x) {
    static_assert(view_detail::Traits<view_of<View>>::one_result,
                  "This view has a result for each row: give reduce() memory for them.");
    result_of<fold, View> result{};
    reduce_into(FoldTag<fold>{}, x, &result, ISOFOLD_BLOCKING);
    return result;
  }
  // reduce(fold, view, out): a result for each row, `out` being memory of the backend with room for
  // as many results. A device backend writes it in the order of the stream and does not wait; an
  // error of its work comes from synchronize(). Rows without elements get the fold's empty value,
  // and a view without rows writes nothing. `out` may lie in no input. No result is to be used
  // after an error.
  template <Fold fold, class View>
  void reduce(FoldTag<fold>, const View& x, result_of<fold, View>* out) {
    reduce_into(FoldTag<fold>{}, x, out, 0);
  }
  // Folds of two arrays (dot and its kin) take two arrays, rows or boxes of one shape, whose
  // strides may differ, or segments, counted, gathers and batches of one list; axes and mask are
  // those of the first box, which the second may repeat. Different shapes throw invalid_argument.
  // The rest is as with one view.
  template <Fold fold, class View, class Second, if_view<Second> = 0>
  result_of<fold, View> reduce(FoldTag<fold>, const View& x, const Second& y) {
    return reduce(FoldTag<fold>{},
                  pair_of<View, Second>{view_detail::as_view(x), view_detail::as_view(y)});
  }
  template <Fold fold, class View, class Second, if_view<Second> = 0>
  void reduce(FoldTag<fold>, const View& x, const Second& y, result_of<fold, View>* out) {
    reduce_into(FoldTag<fold>{},
                pair_of<View, Second>{view_detail::as_view(x), view_detail::as_view(y)}, out, 0);
  }

  // Several folds of one view: reduce(fuse(sum, minimum, argmax), array(x, n)) is a std::tuple of
  // their results, each with the bits that it has alone. openmp, and cuda and hip for arrays and
  // rows, read the elements once, except for many short rows (isofold_reduce_fused). It throws
  // empty_input if one of the folds does.
  template <Fold... folds, class View>
  std::tuple<result_of<folds, View>...> reduce(Fused<folds...>, const View& x) {
    static_assert(view_detail::Traits<view_of<View>>::one_result,
                  "This view has a result for each row: give reduce() memory for them.");
    (check_case<folds, View>(), ...);
    std::tuple<result_of<folds, View>...> results{};
    std::apply(
        [&](auto&... result) {
          reduce_together({request(folds, x, &result, ISOFOLD_BLOCKING)...});
        },
        results);
    return results;
  }
  // reduce(fuse(...), view, out...): one `out` a fold, in their order, with a result for each row,
  // as reduce(fold, view, out) writes it.
  template <Fold... folds, class View, class... Results>
  void reduce(Fused<folds...>, const View& x, Results*... out) {
    static_assert(sizeof...(folds) == sizeof...(Results), "Each fold writes to memory of its own.");
    (check_case<folds, View>(), ...);
    reduce_together({request(folds, x, out, 0)...});
  }
  // Several folds of two arrays: folds of one array take the first of them, so that
  // reduce(fuse(dot, norm2), array(x, n), array(y, n)) has x's norm.
  template <Fold... folds, class View, class Second, if_view<Second> = 0>
  std::tuple<result_of<folds, View>...> reduce(Fused<folds...>, const View& x, const Second& y) {
    return reduce(Fused<folds...>{}, Both<view_of<View>, view_of<Second>>{
                                         {view_detail::as_view(x), view_detail::as_view(y)}});
  }
  template <Fold... folds, class View, class Second, class... Results, if_view<Second> = 0>
  void reduce(Fused<folds...>, const View& x, const Second& y, Results*... out) {
    reduce(Fused<folds...>{},
           Both<view_of<View>, view_of<Second>>{{view_detail::as_view(x), view_detail::as_view(y)}},
           out...);
  }

  // reduce.sum(array(x, n)), reduce.dot(array(x, n), array(y, n)), reduce.sum(rows(x, r, l), out),
  // ...: a member for each fold of the list, which is the reduce() of that fold; count_in_range
  // takes two bounds, below.
#define ISOFOLD_SUGAR(fold, number)                                                    \
  template <class View, class... Others, if_without_bounds<Fold::fold, Others...> = 0> \
  auto fold(const View& x, Others&&... others) {                                       \
    return reduce(FoldTag<Fold::fold>{}, x, others...);                                \
  }
  ISOFOLD_FOLDS(ISOFOLD_SUGAR)
#undef ISOFOLD_SUGAR

  // The number of elements x with low <= x <= high; a NaN is not counted, and an empty view has 0.
  // The call blocks.
  template <class View>
  std::int64_t count_in_range(const View& x, element_of<View> low, element_of<View> high) {
    std::int64_t result = 0;
    count_into(x, low, high, &result, ISOFOLD_BLOCKING);
    return result;
  }
  template <class View>
  // count_in_range(view, low, high, out): the counts of each row, as reduce(fold, view, out) writes
  // them.
  void count_in_range(const View& x, element_of<View> low, element_of<View> high,
                      std::int64_t* out) {
    count_into(x, low, high, out, 0);
  }

  // This tells whether this Reducer has the fold for views of this shape and type. It reads no
  // data.
  template <Fold fold, class View>
  bool supports(FoldTag<fold>, const View& x) {
    auto question = request(fold, x, nullptr, 0);
    return isofold_supports(reducer_, question.pointer()) == ISOFOLD_ok;
  }
  // Takes all the workspace that reducing this view needs, so that the call itself allocates
  // nothing; a call that a graph captures needs it. It reads the view's sizes, no data. The Reducer
  // keeps the workspace until it is destroyed.
  template <Fold fold, class View>
  void reserve(FoldTag<fold>, const View& x) {
    auto sizes = request(fold, x, nullptr, 0);
    check(isofold_reserve(reducer_, sizes.pointer()));
  }
  // Waits for this Reducer's asynchronous work and throws what failed in it.
  void synchronize() { check(isofold_synchronize(reducer_)); }
  // Makes later calls run on `stream`, ordered after earlier ones.
  void set_stream(void* stream) { check(isofold_set_stream(reducer_, stream)); }
  // The name of the backend that answered the last successful call, or of the named one; "" before
  // the first.
  const char* backend() const { return isofold_reducer_backend(reducer_); }
  // The object of the C ABI, which the Reducer keeps.
  isofold_reducer* handle() const noexcept { return reducer_; }

 private:
  // A pair of which folds of one array take the first.
  template <class First, class Second>
  struct Both : ViewPair<First, Second> {};

  template <class View>
  static auto request(Fold fold, const View& x, void* result, std::int32_t flags) {
    if constexpr (view_detail::is_range<View>) {
      return request(fold, view_detail::as_view(x), result, flags);
    } else if constexpr (is_view<View>) {
      auto made = x.to_request();
      made.plain.fold = static_cast<std::int32_t>(fold);
      made.plain.result = result;
      made.plain.flags |= flags;
      return made;
    } else {
      static_assert(sizeof(view_detail::Traits<View>) != 0);  // says what a view is
      return ArrayRequest{};
    }
  }
  template <class First, class Second>
  static auto request(Fold fold, const Both<First, Second>& x, void* result, std::int32_t flags) {
    auto made = request(fold, static_cast<const ViewPair<First, Second>&>(x), result, flags);
    if (isofold_fold_arrays(made.plain.fold) == 1) {
      made.plain.second = nullptr;
      made.plain.second_stride = 0;
    }
    return made;
  }
  template <Fold fold, class View>
  void reduce_into(FoldTag<fold>, const View& x, void* result, std::int32_t flags) {
    check_case<fold, View>();
    auto made = request(fold, x, result, flags);
    check(isofold_reduce(reducer_, made.pointer()));
  }
  template <class View>
  void count_into(const View& x, element_of<View> low, element_of<View> high, std::int64_t* result,
                  std::int32_t flags) {
    const element_of<View> range[2] = {low, high};
    auto made = request(Fold::count_in_range, x, result, flags);
    made.plain.parameters = range;
    check(isofold_reduce(reducer_, made.pointer()));
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
};

}  // namespace isofold
