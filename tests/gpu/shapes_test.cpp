// Shapes of the GPU walk that small requests do not reach by themselves: many short rows of every
// length and stride, and tiles of any number of chunks.
#include <complex>
#include <memory>
#include <type_traits>

#include "gpu_support.hpp"

using namespace gpu_test;

namespace {

struct Shape {
  std::int64_t rows;
  std::int64_t length;
  std::int64_t stride;
};

template <class T>
std::vector<T> numbers(std::int64_t n) {
  std::vector<T> x(static_cast<std::size_t>(n));
  const auto from = uniform(n);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = std::is_floating_point_v<T> ? static_cast<T>(from[i]) : static_cast<T>(from[i] * 2e9F);
  }
  return x;
}

template <class T>
isofold_request request_for(std::int32_t fold, const T* data, const Shape& shape, void* result) {
  isofold_request request{};
  request.size = sizeof request;
  request.definition = ISOFOLD_DEFINITION_tree_v1;
  request.fold = fold;
  request.type = static_cast<std::int32_t>(isofold::type_of<T>);
  request.shape = ISOFOLD_SHAPE_rows;
  request.data = data;
  request.rows = shape.rows;
  request.length = shape.length;
  request.stride = shape.stride;
  request.result = result;
  return request;
}

class Shapes : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_DEVICE();
    device_ = std::make_unique<isofold::Reducer>(backend());
    reference_ = std::make_unique<isofold::Reducer>("reference");
  }

  // Compares every row's bytes with the reference's; the space behind the results stays untouched.
  template <class T>
  void compare(std::int32_t fold, const Shape& shape, std::size_t offset = 0,
               const isofold_schedule* schedule = nullptr) {
    const std::int64_t elements = (shape.rows - 1) * shape.stride + shape.length;
    const auto x = numbers<T>(elements);
    const Memory data((x.size() + offset) * sizeof(T));
    T* const begin = reinterpret_cast<T*>(data.floats()) + offset;
    CUDA_OK(cudaMemcpy(begin, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice));
    const auto rows = static_cast<std::size_t>(shape.rows);
    constexpr std::uint64_t untouched = 0x5ca1ab1e5ca1ab1eU;
    std::vector<std::uint64_t> expected(rows + 1, untouched);
    std::vector<std::uint64_t> found(rows + 1, untouched);
    const Memory results(found.size() * 8);
    CUDA_OK(cudaMemcpy(results.floats(), found.data(), found.size() * 8, cudaMemcpyHostToDevice));

    isofold_request asked = request_for(fold, begin, shape, results.floats());
    asked.schedule = schedule;
    isofold::check(isofold_reduce(device_->handle(), &asked));
    device_->synchronize();
    CUDA_OK(cudaMemcpy(found.data(), results.floats(), found.size() * 8, cudaMemcpyDeviceToHost));
    const isofold_request same = request_for(fold, x.data(), shape, expected.data());
    isofold::check(isofold_reduce(reference_->handle(), &same));
    ASSERT_EQ(expected, found) << isofold_fold_name(fold) << ", " << sizeof(T) << " bytes, "
                               << shape.rows << " x " << shape.length << ", stride "
                               << shape.stride;
  }

  std::unique_ptr<isofold::Reducer> device_;
  std::unique_ptr<isofold::Reducer> reference_;
};

TEST_F(Shapes, ShortRowsOfEveryLength) {
  for (std::int64_t length = 1; length <= 530; length += length < 140 ? 1 : 13) {
    // One row more than several warps take at once, and a number that fills none.
    for (const std::int64_t rows : {std::int64_t{257}, 128 + length % 97}) {
      compare<float>(ISOFOLD_FOLD_sum, {rows, length, length + length % 3});
      compare<double>(ISOFOLD_FOLD_sum, {rows, length, length + length % 2});
      compare<float>(ISOFOLD_FOLD_minimum, {rows, length, length});
      compare<std::int32_t>(ISOFOLD_FOLD_sum, {rows, length, length + 1}, 1);
      if (HasFatalFailure()) {
        return;
      }
    }
  }
}

TEST_F(Shapes, RowsAroundAChunk) {
  for (const std::int64_t length :
       {511, 512, 513, 700, 1000, 1023, 1024, 1025, 1100, 1500, 2047, 2048, 2049, 5000, 8191}) {
    for (const std::int64_t rows : {3, 2200}) {
      compare<float>(ISOFOLD_FOLD_sum, {rows, length, length});
      compare<float>(ISOFOLD_FOLD_sum, {rows, length, (length + 7) / 4 * 4});
      compare<double>(ISOFOLD_FOLD_maximum, {rows, length, length + 1}, 1);
      if (HasFatalFailure()) {
        return;
      }
    }
  }
}

// The elements of a chunk span more bytes than 31 bits count.
template <class T>
void compare_far_apart(isofold::Reducer& device, isofold::Reducer& reference) {
  constexpr std::int64_t n = 1500;
  constexpr std::int64_t pitch = std::int64_t{4} << 20;  // bytes from one element to the next
  std::vector<T> x(n);
  const auto parts = uniform(2 * n);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if constexpr (std::is_floating_point_v<T>) {
      x[i] = parts[i];
    } else {
      x[i] = {parts[2 * i], parts[2 * i + 1]};
    }
  }
  const Memory data(static_cast<std::size_t>(n * pitch));
  T* const begin = reinterpret_cast<T*>(data.floats());
  CUDA_OK(
      cudaMemcpy2D(begin, pitch, x.data(), sizeof(T), sizeof(T), x.size(), cudaMemcpyHostToDevice));
  constexpr std::int64_t stride = pitch / std::int64_t{sizeof(T)};
  EXPECT_EQ(reference.sum(isofold::array(x.data(), n)),
            device.sum(isofold::box(begin, {n}, {stride})));
}
TEST_F(Shapes, ElementsMegabytesApart) {
  std::size_t free = 0;
  std::size_t all = 0;
  CUDA_OK(cudaMemGetInfo(&free, &all));
  if (free < std::size_t{8} << 30) {
    GTEST_SKIP() << "8 GiB of device memory are not free";
  }
  compare_far_apart<float>(*device_, *reference_);
  compare_far_apart<double>(*device_, *reference_);
  compare_far_apart<std::complex<float>>(*device_, *reference_);
  compare_far_apart<std::complex<double>>(*device_, *reference_);
}

TEST_F(Shapes, TilesOfAnyNumberOfChunks) {
  for (const int warps : {1, 2, 3, 5, 7, 12, 16}) {
    for (const int chunks : {1, 2, 3, 5, 6, 11, 23, 31, 64}) {
      isofold_schedule wish{};
      wish.warps = warps;
      wish.chunks = chunks;
      for (const std::int64_t n : {1024 * 97 + 5, 1024 * 700 + 77, 1024 * 3000}) {
        compare<float>(ISOFOLD_FOLD_sum, {1, n, n}, 0, &wish);
        compare<double>(ISOFOLD_FOLD_sum, {2, n / 2, n / 2}, 0, &wish);
        if (HasFatalFailure()) {
          return;
        }
      }
    }
  }
}

}  // namespace
