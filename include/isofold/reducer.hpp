// Reducer: the object that users hold. It belongs to one device and one stream and owns its
// workspace; one thread uses it at a time, distinct Reducers in distinct threads are always safe.
// Everything here is inline over the C ABI and holds no arithmetic.
#pragma once

#include <cstdint>
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
  // false: skip the check of the kinds of pointers on every call (docs/performance.md: its cost).
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

  // reduce.sum(array(x, n)), reduce.sum(rows(x, r, l), out), ... one for each fold of the list.
#define ISOFOLD_SUGAR(name, number)          \
  template <class Shape>                     \
  auto name(Shape x) {                       \
    return reduce(FoldTag<Fold::name>{}, x); \
  }                                          \
  template <class Shape, class Out>          \
  void name(Shape x, Out* out) {             \
    reduce(FoldTag<Fold::name>{}, x, out);   \
  }
  ISOFOLD_FOLDS(ISOFOLD_SUGAR)
#undef ISOFOLD_SUGAR

  // Asked first: whether this Reducer can do it. Reads no data.
  template <Fold fold, class Shape>
  bool supports(FoldTag<fold>, Shape x) {
    const Request question = request(fold, x, nullptr, 0);
    return isofold_supports(reducer_, &question.plain) == ISOFOLD_ok;
  }
  // Takes all the workspace that reducing this shape needs, so that the call allocates nothing.
  template <Fold fold, class Shape>
  void reserve(FoldTag<fold>, Shape x) {
    const Request sizes = request(fold, x, nullptr, 0);
    check(isofold_reserve(reducer_, &sizes.plain));
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
             static_cast<std::int32_t>(type_of<T>), shape, flags, 0, x.data, x.rows, x.length,
             x.stride, result, nullptr, nullptr}};
  }
  std::int32_t call(const Request& request) { return isofold_reduce(reducer_, &request.plain); }

  isofold_reducer* reducer_ = nullptr;
};

}  // namespace isofold
