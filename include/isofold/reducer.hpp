// Reducer: the object that users hold. It belongs to one device and one stream and owns its
// workspace; one thread uses it at a time, distinct Reducers in distinct threads are always safe.
// Everything here is inline over the C ABI and holds no arithmetic.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <isofold/backend.hpp>
#include <isofold/error.hpp>
#include <isofold/fold.hpp>
#include <isofold/guarantee.hpp>
#include <isofold/shape.hpp>

namespace isofold {

// How a Reducer works; every setting returns the object, so they chain.
class Options {
 public:
  Options() {
    options_.size = sizeof(options_);
    options_.device = -1;
    options_.guarantee = ISOFOLD_GUARANTEE_same_bits;
    options_.validate = 1;
  }
  // The caller's stream (cudaStream_t, hipStream_t); device backends otherwise use the default one,
  // which non-blocking streams do not wait for, nor it for them.
  Options& stream(void* stream) {
    options_.stream = stream;
    options_.has_stream = 1;
    return *this;
  }
  Options& device(std::int32_t number) {
    options_.device = number;
    return *this;
  }
  // Most CPU threads a call may use. Never changes a bit.
  Options& threads(std::int32_t most) {
    options_.threads = most;
    return *this;
  }
  Options& guarantee(Guarantee guarantee) {
    options_.guarantee = static_cast<std::int32_t>(guarantee);
    return *this;
  }
  // false: skip the checks, on every call, of the kinds of pointers (docs/performance.md: their
  // cost) and of all indices of segments, gathers and batches (docs/shapes.md).
  Options& validate(bool on) {
    options_.validate = on ? 1 : 0;
    return *this;
  }
  const isofold_options& plain() const { return options_; }

 private:
  isofold_options options_{};
};

class Reducer {
 public:
  // Goes where the data is: device memory to that device's backend, host memory to openmp, else
  // reference. ISOFOLD_BACKEND replaces this default choice; an unknown or unavailable name throws.
  Reducer() : Reducer(Backend::automatic) {}
  // A named backend never moves data: memory it cannot reach is the error wrong_memory.
  explicit Reducer(Backend backend, const Options& options = {})
      : Reducer(name_of(backend), options) {}
  // By name; nullptr is automatic.
  explicit Reducer(const char* backend, const Options& options = {}) {
    isofold_options plain = options.plain();
    plain.backend = backend;
    check(isofold_create(&plain, &reducer_));
  }
  Reducer(Reducer&& other) noexcept : reducer_(std::exchange(other.reducer_, nullptr)) {}
  Reducer& operator=(Reducer&& other) noexcept {
    std::swap(reducer_, other.reducer_);
    return *this;
  }
  ~Reducer() { isofold_destroy(reducer_); }  // waits for its own work

  // The one generic entry. Array without `out`: blocks and returns the value.
  template <Fold fold, class T>
  result_t<fold, T> reduce(FoldTag<fold>, Array<T> x) {
    result_t<fold, T> result{};
    check(call(request(fold, x, &result, ISOFOLD_BLOCKING)));
    return result;
  }
  // With `out`: one result an array or row, in memory of the backend, in order of the stream.
  template <Fold fold, class T>
  void reduce(FoldTag<fold>, Array<T> x, result_t<fold, T>* out) {
    check(call(request(fold, x, out, 0)));
  }
  template <Fold fold, class T>
  void reduce(FoldTag<fold>, Rows<T> x, result_t<fold, T>* out) {
    check(call(request(fold, x, out, 0)));
  }

  // Boxes, all or some of their axes, gathers, segments and batches, joined or not (shape.hpp).
  // Without `out`: of one result, blocking.
  template <Fold fold, class T>
  result_t<fold, T> reduce(FoldTag<fold> tag, Box<T> x) {
    return reduce(tag, Axes<T>{x, 0, {}});
  }
  template <Fold fold, class T>
  void reduce(FoldTag<fold> tag, Box<T> x, result_t<fold, T>* out) {
    reduce(tag, Axes<T>{x, 0, {}}, out);
  }
  template <Fold fold, class T>
  result_t<fold, T> reduce(FoldTag<fold>, Axes<T> x) {
    result_t<fold, T> result{};
    check(call(request(fold, x, &result, ISOFOLD_BLOCKING)));
    return result;
  }
  template <Fold fold, class T>
  void reduce(FoldTag<fold>, Axes<T> x, result_t<fold, T>* out) {
    check(call(request(fold, x, out, 0)));
  }
  template <Fold fold, class T, class Index>
  result_t<fold, T> reduce(FoldTag<fold>, Gather<T, Index> x) {
    result_t<fold, T> result{};
    check(call(request(fold, x, &result, ISOFOLD_BLOCKING)));
    return result;
  }
  template <Fold fold, class T, class Index>
  void reduce(FoldTag<fold>, Gather<T, Index> x, result_t<fold, T>* out) {
    check(call(request(fold, x, out, 0)));
  }
  template <Fold fold, class T, class Index>
  void reduce(FoldTag<fold>, Segments<T, Index> x, result_t<fold, T>* out) {
    check(call(request(fold, x, out, 0)));
  }
  template <Fold fold, class T, class Index>
  void reduce(FoldTag<fold>, Counted<T, Index> x, result_t<fold, T>* out) {
    check(call(request(fold, x, out, 0)));
  }
  template <Fold fold, class T, class Index>
  void reduce(FoldTag<fold>, Batch<T, Index> x, result_t<fold, T>* out) {
    check(call(request(fold, x, out, 0)));
  }
  template <Fold fold, class T, class Index>
  result_t<fold, T> reduce(FoldTag<fold>, Joined<T, Index> x) {
    result_t<fold, T> result{};
    check(call(request(fold, x, &result, ISOFOLD_BLOCKING)));
    return result;
  }
  template <Fold fold, class T, class Index>
  void reduce(FoldTag<fold>, Joined<T, Index> x, result_t<fold, T>* out) {
    check(call(request(fold, x, out, 0)));
  }

  // Folds of two arrays: of the same shape, or the error invalid_argument.
  template <Fold fold, class T>
  result_t<fold, T> reduce(FoldTag<fold>, Array<T> x, Array<T> y) {
    result_t<fold, T> result{};
    check(call(pair(request(fold, x, &result, ISOFOLD_BLOCKING), x, y)));
    return result;
  }
  template <Fold fold, class T>
  void reduce(FoldTag<fold>, Array<T> x, Array<T> y, result_t<fold, T>* out) {
    check(call(pair(request(fold, x, out, 0), x, y)));
  }
  template <Fold fold, class T>
  void reduce(FoldTag<fold>, Rows<T> x, Rows<T> y, result_t<fold, T>* out) {
    check(call(pair(request(fold, x, out, 0), x, y)));
  }

  // Of two boxes, whose strides may differ; axes and masks are those of the first.
  template <Fold fold, class T>
  result_t<fold, T> reduce(FoldTag<fold> tag, Box<T> x, Box<T> y) {
    return reduce(tag, Axes<T>{x, 0, {}}, y);
  }
  template <Fold fold, class T>
  void reduce(FoldTag<fold> tag, Box<T> x, Box<T> y, result_t<fold, T>* out) {
    reduce(tag, Axes<T>{x, 0, {}}, y, out);
  }
  template <Fold fold, class T>
  result_t<fold, T> reduce(FoldTag<fold>, Axes<T> x, Box<T> y) {
    result_t<fold, T> result{};
    check(call(pair(request(fold, x, &result, ISOFOLD_BLOCKING), x.box, y)));
    return result;
  }
  template <Fold fold, class T>
  void reduce(FoldTag<fold>, Axes<T> x, Box<T> y, result_t<fold, T>* out) {
    check(call(pair(request(fold, x, out, 0), x.box, y)));
  }

  // Of two joined batches, which have one list of lengths.
  template <Fold fold, class T, class Index>
  result_t<fold, T> reduce(FoldTag<fold>, Joined<T, Index> x, Joined<T, Index> y) {
    result_t<fold, T> result{};
    check(call(pair(request(fold, x, &result, ISOFOLD_BLOCKING), x, y)));
    return result;
  }
  template <Fold fold, class T, class Index>
  void reduce(FoldTag<fold>, Joined<T, Index> x, Joined<T, Index> y, result_t<fold, T>* out) {
    check(call(pair(request(fold, x, out, 0), x, y)));
  }

  // Several folds of one shape: reduce(fuse(sum, minimum, argmax), array(x, n)) is a std::tuple of
  // their results, each with the bits that it has alone. openmp reads the elements once.
  template <Fold... folds, class T>
  std::tuple<result_t<folds, T>...> reduce(Fused<folds...>, Array<T> x) {
    return fused_value(Fused<folds...>{}, x, static_cast<T*>(nullptr));
  }
  template <Fold... folds, class T>
  std::tuple<result_t<folds, T>...> reduce(Fused<folds...>, Box<T> x) {
    return fused_value(Fused<folds...>{}, Axes<T>{x, 0, {}}, static_cast<T*>(nullptr));
  }
  template <Fold... folds, class T>
  std::tuple<result_t<folds, T>...> reduce(Fused<folds...>, Axes<T> x) {
    return fused_value(Fused<folds...>{}, x, static_cast<T*>(nullptr));
  }
  // With one `out` a fold, in their order: one result an array or row.
  template <Fold... folds, class Shape, class... Results>
  void reduce(Fused<folds...>, Shape x, Results*... out) {
    static_assert(sizeof...(folds) == sizeof...(Results), "Each fold writes to memory of its own.");
    reduce_together({request(folds, x, out, 0)...});
  }

  // Of two arrays of the same shape: folds of one array take the first of them, so that
  // reduce(fuse(dot, norm2), array(x, n), array(y, n)) has x's norm.
  template <Fold... folds, class T>
  std::tuple<result_t<folds, T>...> reduce(Fused<folds...>, Array<T> x, Array<T> y) {
    return fused_value(Fused<folds...>{}, pair_of(x, y), static_cast<T*>(nullptr));
  }
  template <Fold... folds, class T>
  std::tuple<result_t<folds, T>...> reduce(Fused<folds...>, Box<T> x, Box<T> y) {
    return reduce(Fused<folds...>{}, Axes<T>{x, 0, {}}, y);
  }
  template <Fold... folds, class T>
  std::tuple<result_t<folds, T>...> reduce(Fused<folds...>, Axes<T> x, Box<T> y) {
    return fused_value(Fused<folds...>{}, pair_of(x, y), static_cast<T*>(nullptr));
  }
  template <Fold... folds, class Shape, class Second, class... Results,
            std::enable_if_t<!std::is_pointer_v<Second>, int> = 0>
  void reduce(Fused<folds...>, Shape x, Second y, Results*... out) {
    static_assert(sizeof...(folds) == sizeof...(Results), "Each fold writes to memory of its own.");
    reduce_together({request(folds, pair_of(x, y), out, 0)...});
  }

  // reduce.sum(array(x, n)), reduce.dot(array(x, n), array(y, n)), reduce.sum(rows(x, r, l), out),
  // ... one for each fold of the list.
#define ISOFOLD_SUGAR(name, number)                     \
  template <class Shape, class... Others>               \
  auto name(Shape x, Others... others) {                \
    return reduce(FoldTag<Fold::name>{}, x, others...); \
  }
  ISOFOLD_FOLDS(ISOFOLD_SUGAR)
#undef ISOFOLD_SUGAR

  // How many elements x have low <= x <= high; a NaN has not.
  template <class T, template <class, class...> class Shape, class... Index>
  std::int64_t count_in_range(Shape<T, Index...> x, std::common_type_t<T> low,
                              std::common_type_t<T> high) {
    const T range[2] = {low, high};
    std::int64_t result = 0;
    auto asked = request(Fold::count_in_range, x, &result, ISOFOLD_BLOCKING);
    asked.plain.parameters = range;
    check(call(asked));
    return result;
  }
  template <class T, template <class, class...> class Shape, class... Index>
  void count_in_range(Shape<T, Index...> x, std::common_type_t<T> low, std::common_type_t<T> high,
                      std::int64_t* out) {
    const T range[2] = {low, high};
    auto asked = request(Fold::count_in_range, x, out, 0);
    asked.plain.parameters = range;
    check(call(asked));
  }

  // Asked first: whether this Reducer can do it. Reads no data.
  template <Fold fold, class Shape>
  bool supports(FoldTag<fold>, Shape x) {
    auto question = request(fold, x, nullptr, 0);
    return isofold_supports(reducer_, plain_of(question)) == ISOFOLD_ok;
  }
  // Takes all the workspace that reducing this shape needs, so that the call allocates nothing.
  template <Fold fold, class Shape>
  void reserve(FoldTag<fold>, Shape x) {
    auto sizes = request(fold, x, nullptr, 0);
    check(isofold_reserve(reducer_, plain_of(sizes)));
  }
  // Waits for asynchronous work and throws what failed in it.
  void synchronize() { check(isofold_synchronize(reducer_)); }
  // Later calls run on `stream`, ordered after earlier ones.
  void set_stream(void* stream) { check(isofold_set_stream(reducer_, stream)); }
  // The backend that answered the last call.
  const char* backend() const { return isofold_reducer_backend(reducer_); }
  isofold_reducer* handle() const noexcept { return reducer_; }

 private:
  struct Request {
    isofold_request plain;
  };
  template <Fold... folds, class Shape, class T>
  std::tuple<result_t<folds, T>...> fused_value(Fused<folds...>, Shape x, T*) {
    std::tuple<result_t<folds, T>...> results{};
    std::apply(
        [&](auto&... result) {
          reduce_together({request(folds, x, &result, ISOFOLD_BLOCKING)...});
        },
        results);
    return results;
  }
  // Requests of one shape: their layouts, if they have any, are equal, so the first serves all.
  template <class Made>
  void reduce_together(std::initializer_list<Made> made) {
    isofold_request plain[ISOFOLD_MOST_FUSED];
    Made first = *made.begin();
    std::int32_t count = 0;
    for (const Made& request : made) {
      plain[count] = request.plain;
      plain[count++].layout = plain_of(first)->layout;
    }
    check(isofold_reduce_fused(reducer_, plain, count));
  }
  template <class T>
  static Request request(Fold fold, Array<T> x, void* result, std::int32_t flags) {
    return request(fold, ISOFOLD_SHAPE_array, Rows<T>{x.data, 1, x.count, x.count}, result, flags);
  }
  template <class T>
  static Request request(Fold fold, Rows<T> x, void* result, std::int32_t flags) {
    return request(fold, ISOFOLD_SHAPE_rows, x, result, flags);
  }
  template <class T>
  static Request request(Fold fold, std::int32_t shape, Rows<T> x, void* result,
                         std::int32_t flags) {
    return {{sizeof(isofold_request), ISOFOLD_DEFINITION_tree_v1, static_cast<std::int32_t>(fold),
             static_cast<std::int32_t>(type_of<T>), shape, flags, accumulator_of<T>, x.data, x.rows,
             x.length, x.stride, result, nullptr, nullptr, nullptr, 0, nullptr, nullptr}};
  }

  // A request with a layout, which the request points to only when it is used.
  struct LaidOut {
    isofold_request plain;
    isofold_layout layout;
  };
  template <class T>
  static LaidOut request(Fold fold, Axes<T> x, void* result, std::int32_t flags) {
    isofold_layout layout{};
    layout.size = sizeof layout;
    layout.dimensions = x.box.dimensions;
    layout.kept = x.kept;
    std::int64_t rows = 1;
    std::int64_t length = 1;
    for (std::int32_t d = 0; d < x.box.dimensions && d < ISOFOLD_MOST_DIMENSIONS; ++d) {
      layout.extents[d] = x.box.extents[d];
      layout.strides[d] = x.box.strides[d];
      // Unsigned: a product that overflows is refused with the layout, and must not trap here.
      std::int64_t& product = (x.kept >> d & 1U) != 0 ? rows : length;
      product = static_cast<std::int64_t>(static_cast<std::uint64_t>(product) *
                                          static_cast<std::uint64_t>(x.box.extents[d]));
    }
    layout.mask = x.mask.entries;
    layout.mask_type = x.mask.type;
    const Rows<T> of{x.box.data, rows, length, 0};
    return {request(fold, ISOFOLD_SHAPE_box, of, result, flags).plain, layout};
  }
  template <class T>
  static LaidOut request(Fold fold, Box<T> x, void* result, std::int32_t flags) {
    return request(fold, Axes<T>{x, 0, {}}, result, flags);
  }
  template <class Index>
  static isofold_layout lists(std::int64_t elements, const Index* begins, const Index* ends,
                              const Index* indices) {
    static_assert(std::is_same_v<Index, std::int32_t> || std::is_same_v<Index, std::int64_t>,
                  "Offsets, lengths and indices are std::int32_t or std::int64_t.");
    isofold_layout layout{};
    layout.size = sizeof layout;
    layout.index_type = static_cast<std::int32_t>(type_of<Index>);
    layout.begins = begins;
    layout.ends = ends;
    layout.indices = indices;
    layout.elements = elements;
    return layout;
  }
  template <class T, class Index>
  static LaidOut request(Fold fold, Segments<T, Index> x, void* result, std::int32_t flags) {
    const Rows<T> of{x.data, x.count, 0, 0};
    return {request(fold, ISOFOLD_SHAPE_segments, of, result, flags).plain,
            lists<Index>(x.elements, x.begins, x.ends, nullptr)};
  }
  template <class T, class Index>
  static LaidOut request(Fold fold, Counted<T, Index> x, void* result, std::int32_t flags) {
    const Rows<T> of{x.data, x.rows, x.capacity, x.stride};
    const std::int64_t elements = x.rows > 0 ? (x.rows - 1) * x.stride + x.capacity : 0;
    return {request(fold, ISOFOLD_SHAPE_segments, of, result, flags).plain,
            lists<Index>(elements, nullptr, x.counts, nullptr)};
  }
  template <class T, class Index>
  static LaidOut request(Fold fold, Gather<T, Index> x, void* result, std::int32_t flags) {
    const Rows<T> of{x.data, 1, x.count, 0};
    return {request(fold, ISOFOLD_SHAPE_gather, of, result, flags).plain,
            lists<Index>(x.elements, nullptr, nullptr, x.indices)};
  }
  template <class T, class Index>
  static LaidOut request(Fold fold, Batch<T, Index> x, void* result, std::int32_t flags) {
    const Rows<T> of{reinterpret_cast<const T*>(x.arrays), x.count, 0, 0};
    return {request(fold, ISOFOLD_SHAPE_batch, of, result, flags).plain,
            lists<Index>(0, nullptr, x.lengths, nullptr)};
  }
  template <class T, class Index>
  static LaidOut request(Fold fold, Joined<T, Index> x, void* result, std::int32_t flags) {
    const Rows<T> of{reinterpret_cast<const T*>(x.arrays.arrays), 1, x.arrays.count, 0};
    return {request(fold, ISOFOLD_SHAPE_joined, of, result, flags).plain,
            lists<Index>(x.elements, nullptr, x.arrays.lengths, nullptr)};
  }
  // "3 by 4".
  template <class T>
  static std::string text_of(const Box<T>& x) {
    std::string text;
    for (std::int32_t d = 0; d < x.dimensions && d < ISOFOLD_MOST_DIMENSIONS; ++d) {
      text += (d == 0 ? "" : " by ") + std::to_string(x.extents[d]);
    }
    return text;
  }
  template <class T>
  static LaidOut pair(LaidOut asked, const Box<T>& x, const Box<T>& y) {
    bool same = x.dimensions == y.dimensions;
    for (std::int32_t d = 0; same && d < x.dimensions && d < ISOFOLD_MOST_DIMENSIONS; ++d) {
      same = x.extents[d] == y.extents[d];
      asked.layout.second_strides[d] = y.strides[d];
    }
    if (!same) {
      throw Error(Code::invalid_argument, "The two boxes have different extents: " + text_of(x) +
                                              " and " + text_of(y) + ".");
    }
    asked.plain.second = y.data;
    return asked;
  }
  template <class T, class Index>
  static LaidOut pair(LaidOut asked, Joined<T, Index> x, Joined<T, Index> y) {
    if (x.arrays.count != y.arrays.count || x.arrays.lengths != y.arrays.lengths) {
      throw Error(Code::invalid_argument,
                  "The two joined batches, of " + std::to_string(x.arrays.count) + " and " +
                      std::to_string(y.arrays.count) +
                      " arrays, have a list of lengths each: give both the same list.");
    }
    asked.plain.second = y.arrays.arrays;
    if (y.elements > 0 && (x.elements == 0 || y.elements < x.elements)) {
      asked.layout.elements = y.elements;
    }
    return asked;
  }
  template <class T>
  static Request pair(Request asked, Array<T> x, Array<T> y) {
    return pair(asked, Rows<T>{x.data, 1, x.count, x.count}, Rows<T>{y.data, 1, y.count, y.count});
  }
  template <class T>
  static Request pair(Request asked, Rows<T> x, Rows<T> y) {
    if (x.rows != y.rows || x.length != y.length) {
      throw Error(Code::invalid_argument,
                  "The two arrays have different shapes: " + std::to_string(x.rows) + " rows of " +
                      std::to_string(x.length) + " elements and " + std::to_string(y.rows) +
                      " rows of " + std::to_string(y.length) + ".");
    }
    asked.plain.second = y.data;
    asked.plain.second_stride = y.stride;
    return asked;
  }
  // Two arrays for several folds, some of which take the first alone.
  template <class First, class Second>
  struct Pair {
    First first;
    Second second;
  };
  template <class First, class Second>
  static Pair<First, Second> pair_of(First x, Second y) {
    return {x, y};
  }
  template <class T>
  static Pair<Axes<T>, Box<T>> pair_of(Box<T> x, Box<T> y) {
    return {Axes<T>{x, 0, {}}, y};
  }
  template <class Shape>
  static Shape compared(Shape x) {
    return x;
  }
  template <class T>
  static Box<T> compared(const Axes<T>& x) {
    return x.box;
  }
  template <class First, class Second>
  static auto request(Fold fold, Pair<First, Second> x, void* result, std::int32_t flags) {
    auto asked = pair(request(fold, x.first, result, flags), compared(x.first), x.second);
    if (isofold_fold_arrays(asked.plain.fold) == 1) {
      asked.plain.second = nullptr;
      asked.plain.second_stride = 0;
    }
    return asked;
  }
  std::int32_t call(const Request& request) { return isofold_reduce(reducer_, &request.plain); }
  std::int32_t call(LaidOut request) { return isofold_reduce(reducer_, plain_of(request)); }
  static const isofold_request* plain_of(Request& request) { return &request.plain; }
  static const isofold_request* plain_of(LaidOut& request) {
    request.plain.layout = &request.layout;
    return &request.plain;
  }

  isofold_reducer* reducer_ = nullptr;
};

}  // namespace isofold
