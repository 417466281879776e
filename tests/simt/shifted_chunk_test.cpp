// Chunks that begin anywhere, read by loads of 16 bytes: at each shift, of lengths around every
// limit, as loops fold them. No load touches memory in front of the chunk or behind it.
#include <gtest/gtest.h>

#include <vector>

#include <backends/gpu/collective/chunk_unaligned.hpp>
#include <conformance/judge.hpp>
#include <isofold/detail/core/chunk.hpp>
#include <isofold/detail/core/folds/moments.hpp>
#include <isofold/detail/core/folds/sum.hpp>

#include "on_device.hpp"

namespace {

using isofold::simt::launch;
using isofold::simt::OnDevice;
using isofold::simt::Random;
namespace conformance = isofold::conformance;  // core has a bits_of, too
namespace core = isofold::core;
namespace gpu = isofold::gpu;

// How many loads a thread made of other elements than its chunk's, and of 16 bytes.
struct Loads {
  int outside = 0;
  int wide = 0;
};

template <class Group>
struct Watched : Group {
  const char* begin;
  const char* end;
  Loads* loads;

  template <class T, int count>
  gpu::Pack<T, count> load(const T* address) const {
    const auto* const at = reinterpret_cast<const char*>(address);
    loads->outside += at < begin || at + sizeof(T) * count > end ? 1 : 0;
    loads->wide += sizeof(T) * count == 16 ? 1 : 0;
    return Group::template load<T, count>(address);
  }
};

// A warp whose teams fold a chunk each, `apart` elements after one another.
template <class Fold>
struct FoldShifted {
  static constexpr int max_threads = 64;
  Fold fold;
  const float* x;
  int count;
  int apart;
  bool whole;
  typename Fold::state_type* states;  // of each thread
  Loads* loads;

  template <class Group>
  void operator()(const Group& group) const {
    constexpr int team = gpu::WideLanes<float>::team;
    const float* const mine = x + group.thread() / team * apart;
    const Watched<Group> watched{group, reinterpret_cast<const char*>(mine),
                                 reinterpret_cast<const char*>(mine + count),
                                 loads + group.thread()};
    states[group.thread()] =
        gpu::fold_shifted_chunk(watched, fold, mine, 0, count, whole, group.thread() % team);
  }
};

template <int width, class Fold>
void fold_at_each_shift(const Fold& fold) {
  using State = typename Fold::state_type;
  constexpr int apart = core::chunk_elements + 1;  // so that each team has another shift
  Random random(width);
  std::vector<float> x(4 + static_cast<std::size_t>(4 * apart));
  for (float& each : x) {
    each = static_cast<float>(random.below(20000)) / 700 - 9;
  }
  const OnDevice<width, float> data(x);
  for (int shift = 0; shift < 4; ++shift) {
    for (const int count : {128, 129, 130, 131, 189, 190, 191,  192,  193,  255,
                            256, 257, 700, 959, 960, 961, 1021, 1022, 1023, 1024}) {
      for (const bool whole : {false, true}) {
        if (whole && count < core::chunk_elements) {
          continue;
        }
        const OnDevice<width, State> states{std::vector<State>(width)};
        const OnDevice<width, Loads> loads{std::vector<Loads>(width)};
        launch<width>(FoldShifted<Fold>{fold, data.data() + shift, count, apart, whole,
                                        states.data(), loads.data()},
                      1, 1, 0);
        const auto found = states.content();
        const auto made = loads.content();
        for (std::size_t thread = 0; thread < width; ++thread) {
          const std::size_t first = static_cast<std::size_t>(shift) + thread / 16 * apart;
          const State wanted = core::fold_chunk(fold, {x.data() + first}, 0, count);
          ASSERT_EQ(conformance::bits_of(wanted), conformance::bits_of(found[thread]))
              << "shift " << shift << ", " << count << " elements, thread " << thread;
          ASSERT_EQ(0, made[thread].outside)
              << "shift " << shift << ", " << count << " elements, thread " << thread;
          ASSERT_LE(15, made[thread].wide);
        }
      }
    }
  }
}

TEST(ShiftedChunk, Sum) {
  fold_at_each_shift<32>(core::Sum<float>{});
  fold_at_each_shift<64>(core::Sum<float>{});
}
TEST(ShiftedChunk, Moments) { fold_at_each_shift<32>(core::AllMoments<float>{}); }

}  // namespace
