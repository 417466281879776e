// The tools of tests of single kernels on emulated GPUs: device memory, a launch, and a fold of
// elements as loops find them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include <isofold/detail/core/chunk.hpp>
#include <isofold/detail/core/run.hpp>

#include <simulator/platform.hpp>

namespace isofold::simt {

// A copy of host data in an emulated GPU's memory.
template <int width, class T>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<T>& x) : bytes_(x.size() * sizeof(T)) {
    EXPECT_TRUE(Platform<width>::allocate(&memory_, bytes_).ok());
    EXPECT_TRUE(Platform<width>::copy(memory_, x.data(), bytes_).ok());
  }
  ~OnDevice() { Platform<width>::release(memory_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  T* data() const { return static_cast<T*>(memory_); }
  std::vector<T> content() const {
    std::vector<T> x(bytes_ / sizeof(T));
    EXPECT_TRUE(Platform<width>::copy(x.data(), memory_, bytes_).ok());
    return x;
  }
  T at(std::int64_t i) const {
    T x{};
    EXPECT_TRUE(Platform<width>::copy(&x, data() + i, sizeof x).ok());
    return x;
  }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_;
};

template <int width, class Kernel>
void launch(const Kernel& kernel, std::int64_t blocks, int warps, std::size_t shared_bytes) {
  gpu::Launch size;
  size.blocks = blocks;
  size.threads = warps * width;
  size.shared_bytes = shared_bytes;
  const gpu::Status launched = Platform<width>::launch(kernel, size, nullptr);
  ASSERT_TRUE(launched.ok()) << launched.text;
  const gpu::Status ran = Platform<width>::synchronize(nullptr);
  ASSERT_TRUE(ran.ok()) << ran.text;
}

// All elements of x, at least one, and of y where the fold takes two arrays, as the reference folds
// them: the state.
template <class Fold>
typename Fold::state_type root_of(const Fold& fold,
                                  const std::vector<typename Fold::element_type>& x,
                                  const std::vector<typename Fold::element_type>& y) {
  const auto length = static_cast<std::int64_t>(x.size());
  core::Run<Fold> run(fold);
  for (std::int64_t begin = 0; begin < length; begin += core::chunk_elements) {
    const auto count =
        static_cast<int>(std::min<std::int64_t>(length - begin, core::chunk_elements));
    const core::Elements<Fold> chunk{x.data() + begin, y.data() + begin};
    run.push(0, begin >> core::chunk_shift, core::fold_chunk(fold, chunk, begin, count));
  }
  return run.root();
}

// The result of any number of elements, folded likewise.
template <class Fold>
typename Fold::result_type folded(const Fold& fold,
                                  const std::vector<typename Fold::element_type>& x,
                                  const std::vector<typename Fold::element_type>& y) {
  return x.empty() ? fold.empty()
                   : fold.finish(root_of(fold, x, y), static_cast<std::int64_t>(x.size()));
}

// Elements at places of x and y, one after the other.
template <class Fold>
typename Fold::result_type packed_and_folded(const Fold& fold,
                                             const std::vector<std::int64_t>& places,
                                             const std::vector<typename Fold::element_type>& x,
                                             const std::vector<typename Fold::element_type>& y) {
  std::vector<typename Fold::element_type> compacted[2];
  for (const std::int64_t at : places) {
    compacted[0].push_back(x[static_cast<std::size_t>(at)]);
    compacted[1].push_back(y[static_cast<std::size_t>(at)]);
  }
  return folded(fold, compacted[0], compacted[1]);
}

}  // namespace isofold::simt
