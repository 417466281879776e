// transform_reduce on a GPU: checks, workspace and the one launch, for any platform. Users take it
// as isofold::DeviceReducer (isofold/device_reducer.hpp).
#pragma once

#include <math.h>  // the device's sqrtf and fmaf, in the global namespace

#include <atomic>
#include <string>

#include <isofold/detail/gpu/device_scope.hpp>
#include <isofold/detail/gpu/exact_map.hpp>
#include <isofold/detail/gpu/map_fold.hpp>
#include <isofold/detail/gpu/tile_plan.hpp>
#include <isofold/detail/gpu/workspace.hpp>
#include <isofold/error.hpp>

namespace isofold::gpu {

// Checks what no macro tells: whether device code of this file makes one rounding of a * b + c,
// flushes subnormals, or rounds quotients and square roots another way. File is a type of the
// file's own.
template <class File>
struct CheckArithmetic {
  static constexpr int max_threads = 64;
  static constexpr std::uint32_t contracts = 1;
  static constexpr std::uint32_t flushes = 2;
  static constexpr std::uint32_t approximates = 4;
  static constexpr std::uint32_t asked = 8;
  std::uint32_t* found;

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    if (group.block() != 0 || group.thread() != 0) {
      return;
    }
    *found = asked | (one_rounding() ? contracts : 0) | (loses_subnormals() ? flushes : 0) |
             (rounds_otherwise() ? approximates : 0);
  }

 private:
  ISOFOLD_DEVICE static bool one_rounding() {
    const volatile float factor = 1.0F + 0x1p-12F;
    const float x = factor;
    const volatile float rounded = x * x;
    const float product = rounded;
    const float y = factor;  // read again: a product that is used twice would not be contracted
    return y * y - product != 0;
  }
  ISOFOLD_DEVICE static bool loses_subnormals() {
    const volatile float subnormal = 0x1p-140F;
    const volatile float half = subnormal * 0.5F;
    const float kept = half;
    std::uint32_t bits;
    memcpy(&bits, &kept, sizeof bits);
    return bits == 0;
  }
  // The remainders of both are numbers of 24 bits. The nearest result in [1, 2) has a remainder of
  // at most half of its last place times the divisor, or times twice the root.
  ISOFOLD_DEVICE static bool rounds_otherwise() {
    bool otherwise = false;
#pragma unroll 1
    for (int i = 1; i <= 64; ++i) {
      const volatile float divisor = 1.0F + static_cast<float>(i) * 0x1.2492p-7F;
      const volatile float dividend = divisor * (1.0F + static_cast<float>(i) * 0x1.7ap-7F);
      const float y = divisor;
      const float x = dividend;
      const volatile float quotient = x / y;
      const volatile float root = sqrtf(y);
      const float q = quotient;
      const float r = root;
      const float left = fmaf(-q, y, x);
      const float left_of_root = fmaf(-r, r, y);
      otherwise = otherwise || left > 0x1p-24F * y || left < -0x1p-24F * y ||
                  left_of_root > 0x1.000002p-23F * r || left_of_root < -0x1.000002p-23F * r;
    }
    return otherwise;
  }
};

template <class Platform>
class TransformReducer {
 public:
  // Works on the current device and one of its streams: a vendor's handle, which must live as long
  // as this object, or null for the default stream. Throws Error: backend_unavailable,
  // device_failure.
  explicit TransformReducer(void* stream = nullptr) : stream_(stream) {
    check(FirstUse<Platform>::asked(), "beginning");
    check(Platform::current_device(&device_), "asking for the current device");
    check(Platform::device_facts(device_, &facts_), "asking for the device");
    FirstUse<Platform>::used();
  }
  ~TransformReducer() { release(); }
  TransformReducer(const TransformReducer&) = delete;
  TransformReducer& operator=(const TransformReducer&) = delete;

  // Returns finish(root, n) of the fold over map(0) ... map(n - 1), computed on the device; waits
  // for it. Throws Error: invalid_argument for a negative n, empty_input for n = 0 if the fold has
  // no value for it, unsupported if this file's device code would give other bits, capture inside a
  // graph capture. What is no fold is refused at compile time.
  template <class Map, class Fold, class File>
  auto reduce(std::int64_t n, const Map& map, const Fold& fold, File) {
    if constexpr (core::check_user_fold<Fold>()) {
      return reduce_and_wait<File>(n, map, fold);
    } else {
      return core::NoResult{};
    }
  }

  // Writes that result to memory that the device can write, in the order of the stream, without
  // waiting. Before a call inside a graph capture there must have been one outside, for as many
  // elements.
  template <class Map, class Fold, class File>
  void reduce(std::int64_t n, const Map& map, const Fold& fold, core::ResultOf<Fold>* result,
              File) {
    if constexpr (core::check_user_fold<Fold>()) {
      const DeviceScope<Platform> scope(device_);
      check(scope.status(), "making the device current");
      if (result == nullptr) {
        throw Error(Code::invalid_argument,
                    "transform_reduce has nowhere to write its result (null).");
      }
      enqueue(n, map, fold, result, File{}, is_capturing());
    }
  }

  // Waits for the stream. Failures of earlier calls that did not wait are thrown here.
  void synchronize() {
    const DeviceScope<Platform> scope(device_);
    check(scope.status(), "making the device current");
    if (is_capturing()) {
      throw Error(Code::capture,
                  "synchronize() waits, which a graph capture of its stream cannot hold; call it "
                  "after the capture.");
    }
    wait();
  }

 private:
  template <class File, class Map, class Fold>
  core::ResultOf<Fold> reduce_and_wait(std::int64_t n, const Map& map, const Fold& fold) {
    using Result = core::ResultOf<Fold>;
    static_assert(sizeof(Result) <= Workspace<Platform>::all_results_bytes &&
                      alignof(Result) <= Workspace<Platform>::result_bytes,
                  "Results that a call returns have at most 512 bytes.");
    const DeviceScope<Platform> scope(device_);
    check(scope.status(), "making the device current");
    if (is_capturing()) {
      throw Error(Code::capture,
                  "transform_reduce that returns its result waits, which a graph capture cannot "
                  "hold: give it memory of the device for the result.");
    }
    check(workspace_.take_result(), "allocating room for the result");
    auto* const result = static_cast<Result*>(workspace_.result());
    enqueue(n, map, fold, result, File{}, false);
    wait();
    return *result;
  }

  template <class Map, class Fold, class File>
  void enqueue(std::int64_t n, const Map& map, const Fold& fold, core::ResultOf<Fold>* result, File,
               bool capturing) {
    static_assert(std::is_trivially_copyable_v<core::ResultOf<Fold>>,
                  "Results come from the device as they are: they are trivially copyable.");
    check_arithmetic<File>(capturing);
    if (n < 0) {
      throw Error(Code::invalid_argument, "transform_reduce over " + std::to_string(n) +
                                              " elements: n cannot be negative.");
    }
    pending_ = pending_ || !capturing;
    if (n > 0) {
      if constexpr (core::is_exact<Fold>) {
        launch_exact<File>(n, map, fold, result, capturing);
      } else {
        launch<File>(n, map, fold, result, capturing);
      }
    } else if constexpr (core::allows_empty<Fold>()) {
      check(Platform::launch(EmptyMap<Fold, File>{fold, result},
                             Launch{1, facts_.wave_width, 0, capturing}, stream_),
            "launching");
    } else {
      throw Error(Code::empty_input,
                  "transform_reduce over no elements: the fold has no value for them; test for n = "
                  "0.");
    }
  }

  template <class File, class Map, class Fold>
  void launch(std::int64_t n, const Map& map, const Fold& fold, core::ResultOf<Fold>* result,
              bool capturing) {
    using Kernel = MapFold<Map, Fold, File>;
    using State = typename Kernel::State;
    using Mapped = MappedRows<Map, Fold, File>;
    const TilePlan plan = plan_tiles(1, n, MapLanes<Fold>::team, facts_, Kernel::max_threads);
    take_workspace(plan.tiles > 1 ? static_cast<std::size_t>(plan.tiles) * sizeof(State) : 0,
                   plan.tiles > 1 ? 1 : 0, capturing);
    const int tile_chunks = 1 << plan.tile_shift;
    const int capacity = std::max(tile_chunks, plan.tiles > 1 ? node_states : 1);
    auto* const nodes = static_cast<State*>(workspace_.nodes());
    const bool nodes_later = may_have_slow_fences<Platform> && facts_.slow_fences && plan.tiles > 1;
    const Mapped rows{{fold}, map, 1, n, result};
    Launch size = plan.launch;
    size.capturing = capturing;
    size.shared_bytes = BlockMemory<State>::bytes(capacity, facts_.wave_width);
    Status launched =
        Platform::launch(Kernel{rows, plan.tiles, tile_chunks, plan.tile_shift, capacity, nodes,
                                nodes_later ? nullptr : workspace_.counters()},
                         size, stream_);
    if constexpr (may_have_slow_fences<Platform>) {
      if (nodes_later && launched.ok()) {
        size.blocks = 1;
        launched = Platform::launch(CombineNodes<Mapped>{rows, plan.tiles, capacity, nodes}, size,
                                    stream_);
      }
    }
    counters_in_doubt_ = !launched.ok();
    check(launched, "launching");
  }

  template <class File, class Map, class Fold>
  void launch_exact(std::int64_t n, const Map& map, const Fold&, core::ResultOf<Fold>* result,
                    bool capturing) {
    using Kernel = SumMapExactly<Map, Fold, File>;
    static_assert(!std::is_integral_v<typename Fold::result_type>,
                  "A device cannot report that an exact sum of integers does not fit into 64 bits: "
                  "take core::Sum, which wraps, or the mean.");
    constexpr std::int64_t of_thread = 8;
    const std::int64_t of_block = of_thread * Kernel::threads;
    const std::int64_t wanted =
        std::min<std::int64_t>(ceil_divide(n, of_block), std::int64_t{2} * facts_.multiprocessors);
    const std::int64_t needed = ceil_divide(n, Kernel::most_values_of_block);
    const std::int64_t blocks = std::min(std::max(wanted, needed), most_blocks);
    // The counter has the first 16 bytes, as every launch's has.
    constexpr std::int64_t front = 4;
    take_workspace(0, blocks > 1 ? front + 2 * Kernel::words : 0, capturing);
    auto* const counter = workspace_.counters();
    auto* const words = blocks > 1 ? reinterpret_cast<std::int64_t*>(counter + front) : nullptr;
    const Launch size{blocks, Kernel::threads, Kernel::shared_bytes, capturing};
    const Status launched = Platform::launch(Kernel{map, n, result, words, counter}, size, stream_);
    counters_in_doubt_ = !launched.ok();
    check(launched, "launching");
  }

  // Takes room for nodes, and counters that are zero.
  void take_workspace(std::size_t node_bytes, std::int64_t counters, bool capturing) {
    const bool holds = workspace_.holds(node_bytes, counters) && !counters_in_doubt_;
    if (capturing && !holds) {
      throw Error(Code::capture,
                  "transform_reduce finds no workspace for so many elements, and a graph capture "
                  "cannot allocate any: call it once before the capture.");
    }
    if (capturing) {
      workspace_.keep();
    }
    if (counters_in_doubt_) {
      check(workspace_.zero_counters(stream_), "clearing the workspace");
      counters_in_doubt_ = false;
    }
    check(workspace_.take(node_bytes, counters, stream_), "allocating the workspace");
  }

  // Runs once for each file that calls.
  template <class File>
  void check_arithmetic(bool capturing) {
    using Check = CheckArithmetic<File>;
    static std::atomic<std::uint32_t> known{0};  // on two threads at once, both find the same
    std::uint32_t found = known.load(std::memory_order_relaxed);
    if (found == 0) {
      if (capturing) {
        throw Error(Code::capture,
                    "The first transform_reduce of a file tests its arithmetic, which a graph "
                    "capture cannot hold: call it once before the capture.");
      }
      check(workspace_.take_result(), "allocating room for the result");
      auto* const answer = static_cast<std::uint32_t*>(workspace_.result());
      check(Platform::launch(Check{answer}, Launch{1, Check::max_threads, 0, false}, stream_),
            "launching");
      wait();
      found = *answer;
      known.store(found, std::memory_order_relaxed);
    }
    const char* const wrong = (found & Check::contracts) != 0
                                  ? "may round a * b + c once, which depends on the compiler"
                              : (found & Check::flushes) != 0 ? "flushes subnormals to zero"
                              : (found & Check::approximates) != 0
                                  ? "does not round quotients or square roots to the nearest number"
                                  : nullptr;
    if (wrong != nullptr) {
      throw Error(Code::unsupported,
                  std::string("Device code of this file ") + wrong +
                      ": compile it with -fmad=false (nvcc) or -ffp-contract=off (hipcc), without "
                      "fast math and its parts, and write fma where you mean it.");
    }
  }

  bool is_capturing() {
    bool capturing = false;
    check(Platform::capturing(stream_, &capturing), "asking whether the stream is being captured");
    return capturing;
  }

  void wait() {
    const Status waited = Platform::synchronize(stream_);
    counters_in_doubt_ = counters_in_doubt_ || !waited.ok();
    check(waited, "waiting for the device");
    pending_ = false;
  }

  void release() {
    if (!FirstUse<Platform>::asked().ok()) {
      return;  // all of it is the parent's
    }
    const DeviceScope<Platform> scope(device_);
    if (pending_) {
      Platform::synchronize(stream_);
    }
    workspace_.release();
  }

  void check(const Status& status, const char* doing) const {
    if (!status.ok()) {
      throw Error(static_cast<Code>(status.code),
                  std::string("transform_reduce on ") + Platform::name + ", device " +
                      std::to_string(device_) + ", " + doing + ": " + status.text + ".");
    }
  }

  int device_ = 0;
  DeviceFacts facts_;
  void* stream_;
  bool pending_ = false;            // work that nobody has waited for
  bool counters_in_doubt_ = false;  // a launch failed: they may not be zero
  Workspace<Platform> workspace_;
};

}  // namespace isofold::gpu
