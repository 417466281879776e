// Shapes whose kernels small requests do not reach by themselves: many short rows of every length
// and stride, and tiles of any number of chunks.
#include <complex>
#include <limits>
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

// Results without the bytes between their components, which are never written.
std::vector<unsigned char> components_of(const std::vector<unsigned char>& results,
                                         const isofold_request& request) {
  isofold_component components[16];
  const int count = isofold_result_components(request.fold, request.type, components, 16);
  const auto bytes = static_cast<std::size_t>(isofold_result_bytes(request.fold, request.type));
  std::vector<unsigned char> all;
  for (std::size_t row = 0; row < static_cast<std::size_t>(request.rows); ++row) {
    for (int c = 0; c < count; ++c) {
      const auto begin =
          results.begin() + static_cast<std::ptrdiff_t>(row * bytes) + components[c].offset;
      all.insert(all.end(), begin, begin + isofold_type_bytes(components[c].type));
    }
  }
  all.insert(all.end(), results.begin() + static_cast<std::ptrdiff_t>(bytes) * request.rows,
             results.end());
  return all;
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
    expect_same<T>(fold, shape, begin, x.data(), nullptr, nullptr, schedule);
  }

  // expect_same() for data that are there already, on the device and for the reference.
  template <class T>
  void expect_same(std::int32_t fold, const Shape& shape, const T* on_device, const T* x,
                   const T* second_on_device, const T* second, const isofold_schedule* schedule) {
    isofold_request asked = request_for(fold, on_device, shape, nullptr);
    isofold_request same = request_for(fold, x, shape, nullptr);
    asked.second = second_on_device;
    same.second = second;
    asked.second_stride = same.second_stride = second != nullptr ? shape.stride + 1 : 0;
    asked.schedule = schedule;
    const auto bytes =
        static_cast<std::size_t>(shape.rows * isofold_result_bytes(fold, asked.type));
    constexpr std::size_t behind = 8;
    constexpr unsigned char untouched = 0x5c;
    std::vector<unsigned char> expected(bytes + behind, untouched);
    std::vector<unsigned char> found(expected);
    const Memory results(found.size());
    CUDA_OK(cudaMemcpy(results.floats(), found.data(), found.size(), cudaMemcpyHostToDevice));
    asked.result = results.floats();
    same.result = expected.data();
    isofold::check(isofold_reduce(device_->handle(), &asked));
    device_->synchronize();
    CUDA_OK(cudaMemcpy(found.data(), results.floats(), found.size(), cudaMemcpyDeviceToHost));
    isofold::check(isofold_reduce(reference_->handle(), &same));
    ASSERT_EQ(components_of(expected, same), components_of(found, asked))
        << isofold_fold_name(fold) << ", " << sizeof(T) << " bytes, " << shape.rows << " x "
        << shape.length << ", stride " << shape.stride;
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

// Folds of two arrays, of two passes (by the likely second one and by the other), of lanes of
// several numbers, and of complex elements.
template <class T>
std::vector<T> rows_of_all_kinds(std::int64_t n, std::int64_t seed) {
  auto x = numbers<T>(n);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t at = i + static_cast<std::size_t>(seed);
    if (at % 2003 == 0) {
      x[i] = std::numeric_limits<T>::quiet_NaN();
    } else if (at % 997 == 0) {
      x[i] = std::numeric_limits<T>::max();  // its square overflows
    } else if (at % 5 == 0) {
      x[i] = at % 2 == 0 ? x[i / 2] : T{0};  // locations of equal elements
    }
  }
  return x;
}
TEST_F(Shapes, ShortRowsOfEveryFold) {
  const auto ask_all = [&](auto zero) {
    using T = decltype(zero);
    constexpr std::int64_t most_rows = 2311;
    constexpr std::int64_t most = most_rows * 520;
    const auto x = rows_of_all_kinds<T>(most, 0);
    const auto y = rows_of_all_kinds<T>(most, 77);
    const Memory x_memory(most * sizeof(T));
    const Memory y_memory(most * sizeof(T));
    const auto put = [](const Memory& memory, const std::vector<T>& values) {
      T* const begin = reinterpret_cast<T*>(memory.floats());
      CUDA_OK(cudaMemcpy(begin, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    };
    put(x_memory, x);
    put(y_memory, y);
    const T* const on_device = reinterpret_cast<const T*>(x_memory.floats());
    const T* const second_on_device = reinterpret_cast<const T*>(y_memory.floats());
    for (std::int64_t length = 1; length <= 515; length += length < 34 ? 1 : 15) {
      const Shape shape{length < 34 ? most_rows : 300 + length % 7, length, length + length % 3};
      for (const auto fold : {ISOFOLD_FOLD_argmin, ISOFOLD_FOLD_argmax_last, ISOFOLD_FOLD_argminmax,
                              ISOFOLD_FOLD_minmax, ISOFOLD_FOLD_norm2, ISOFOLD_FOLD_moments,
                              ISOFOLD_FOLD_log_sum_exp, ISOFOLD_FOLD_sum_with_bound}) {
        expect_same<T>(fold, shape, on_device, x.data(), nullptr, nullptr, nullptr);
        if (HasFatalFailure()) {
          return;
        }
      }
      expect_same<T>(ISOFOLD_FOLD_dot, shape, on_device, x.data(), second_on_device, y.data(),
                     nullptr);
      if (HasFatalFailure()) {
        return;
      }
      const Shape complex{shape.rows / 2, length, length};
      using Complex = std::complex<T>;
      const auto as_complex = [](const T* values) {
        return reinterpret_cast<const Complex*>(values);
      };
      for (const auto fold : {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_norm2}) {
        expect_same<Complex>(fold, complex, as_complex(on_device), as_complex(x.data()), nullptr,
                             nullptr, nullptr);
      }
      expect_same<Complex>(ISOFOLD_FOLD_dot, {complex.rows - 1, length, length},
                           as_complex(on_device), as_complex(x.data()),
                           as_complex(second_on_device), as_complex(y.data()), nullptr);
      if (HasFatalFailure()) {
        return;
      }
    }
  };
  ask_all(float{});
  ask_all(double{});
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

// Lists of long arrays, with the bits of each fold alone. Elements are made of Numbers.
template <class T, class Number = T>
void compare_lists_of(const isofold::Reducer& device, const std::vector<std::int32_t>& folds,
                      std::int64_t length, std::int64_t rows = 1) {
  const std::size_t each = 64 * static_cast<std::size_t>(rows);  // bytes, room for any results
  // elements from the first array's beginning to the second's
  constexpr std::int64_t further = 16384;
  const std::vector<Number> x = numbers<Number>(
      (rows * length + further) * static_cast<std::int64_t>(sizeof(T) / sizeof(Number)));
  const Memory data(x.size() * sizeof(Number));
  CUDA_OK(cudaMemcpy(data.floats(), x.data(), x.size() * sizeof(Number), cudaMemcpyHostToDevice));
  const T* const elements = reinterpret_cast<const T*>(data.floats());
  const Memory results(2 * folds.size() * each);
  std::vector<unsigned char> found(2 * folds.size() * each);
  CUDA_OK(cudaMemcpy(results.floats(), found.data(), found.size(), cudaMemcpyHostToDevice));
  auto* const result = reinterpret_cast<unsigned char*>(results.floats());
  std::vector<isofold_request> list;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    list.push_back(request_for(folds[i], elements, {rows, length, length},
                               result + (folds.size() + i) * each));
    if (folds[i] == ISOFOLD_FOLD_dot || folds[i] == ISOFOLD_FOLD_squared_distance) {
      list.back().second = elements + further;
      list.back().second_stride = length;
    }
    isofold::check(isofold_reduce(device.handle(), &list.back()));
    list.back().result = result + i * each;
  }
  isofold::check(
      isofold_reduce_fused(device.handle(), list.data(), static_cast<std::int32_t>(list.size())));
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaMemcpy(found.data(), results.floats(), found.size(), cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < folds.size(); ++i) {
    const auto at = [&](std::size_t number) {
      const auto begin = found.begin() + static_cast<std::ptrdiff_t>(number * each);
      const std::vector<unsigned char> bytes(begin, begin + each);
      return components_of(bytes, list[i]);
    };
    EXPECT_EQ(at(folds.size() + i), at(i))
        << isofold_fold_name(folds[i]) << " of " << length << " elements of " << sizeof(T);
  }
}

// Lists whose chunks may come through shared memory.
TEST_F(Shapes, ListsOfLongArrays) {
  const std::vector<std::int32_t> lists[] = {
      {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_minimum},
      {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_minmax, ISOFOLD_FOLD_mean, ISOFOLD_FOLD_norm2},
      {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_minimum, ISOFOLD_FOLD_maximum, ISOFOLD_FOLD_argmax},
      {ISOFOLD_FOLD_argminmax, ISOFOLD_FOLD_minimum, ISOFOLD_FOLD_argmin_last},
      {ISOFOLD_FOLD_argmax, ISOFOLD_FOLD_moments, ISOFOLD_FOLD_log_sum_exp, ISOFOLD_FOLD_argminmax,
       ISOFOLD_FOLD_norm1, ISOFOLD_FOLD_count_nan, ISOFOLD_FOLD_sum_with_bound,
       ISOFOLD_FOLD_absolute_maximum}};
  for (const auto& folds : lists) {
    for (const std::int64_t length :
         {(std::int64_t{1} << 25) + 4133, (std::int64_t{1} << 26) + 1}) {
      compare_lists_of<float>(*device_, folds, length);
      compare_lists_of<double>(*device_, folds, length);
    }
  }
}

// Lists whose chunks come in parts, through shared memory.
TEST_F(Shapes, ListsOfLongPairs) {
  const std::int64_t length = (std::int64_t{1} << 24) + 70001;
  for (const auto& folds :
       {std::vector<std::int32_t>{ISOFOLD_FOLD_dot, ISOFOLD_FOLD_norm2},
        std::vector<std::int32_t>{ISOFOLD_FOLD_sum, ISOFOLD_FOLD_squared_distance,
                                  ISOFOLD_FOLD_norm2, ISOFOLD_FOLD_dot},
        std::vector<std::int32_t>{ISOFOLD_FOLD_norm2, ISOFOLD_FOLD_sum}}) {
    compare_lists_of<float>(*device_, folds, 2 * length);
    compare_lists_of<double>(*device_, folds, length);
    compare_lists_of<std::complex<double>, double>(*device_, folds, length / 4);
    for (const std::int64_t row : {1024, 1500, 2048, 3004}) {
      compare_lists_of<float>(*device_, folds, row, 2048);
      compare_lists_of<double>(*device_, folds, row, 2048);
      compare_lists_of<std::complex<double>, double>(*device_, folds, row, 2048);
    }
  }
}

}  // namespace
