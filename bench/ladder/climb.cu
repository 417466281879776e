// Data, answers and times of the ladder. Elements are whole numbers in [-255, 255], either sign as
// often: partial sums stay whole and below 2^21 (the sum of 2^25 elements in order never exceeds
// 1579219), so that f32 is exact and every order of additions gives the one answer.
#include "climb.hpp"

#include <cstring>
#include <stdexcept>

#include "../gpu/timing.hpp"
#include "rungs.hpp"

namespace bench::ladder {
namespace {

__host__ __device__ inline int element(std::int64_t i) {
  std::uint64_t s = static_cast<std::uint64_t>(i + 1) * 0x9E3779B97F4A7C15U;
  s ^= s >> 32;
  s *= 0xD6E8FEB86659FD93U;
  const int size = static_cast<int>(s >> 56);
  return (s >> 55 & 1U) != 0 ? size : -size;
}

template <class T>
__global__ void fill(T* data, std::int64_t count) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    data[i] = static_cast<T>(element(i));
  }
}

class Climber {
 public:
  explicit Climber(int rounds) : rounds_(rounds) {
    cudaDeviceProp properties{};
    BENCH_CHECK(cudaGetDeviceProperties(&properties, 0));
    device_ = properties.name;
    std::size_t free_bytes = 0;
    std::size_t all_bytes = 0;
    BENCH_CHECK(cudaMemGetInfo(&free_bytes, &all_bytes));
    bytes_ = std::min(std::size_t{4} << 30, free_bytes / 2) / 4096 * 4096;
    BENCH_CHECK(cudaMalloc(&data_, bytes_));
    BENCH_CHECK(cudaMalloc(&results_, 1 << 20));
    BENCH_CHECK(cudaMalloc(&workspace_, 4 << 20));
  }
  Climber(const Climber&) = delete;
  Climber& operator=(const Climber&) = delete;
  ~Climber() {
    cudaFree(data_);
    cudaFree(results_);
    cudaFree(workspace_);
  }

  void climb(const Ladder& ladder, std::vector<Record>& records) {
    const std::size_t bytes = static_cast<std::size_t>(ladder.rows * ladder.length) * 4;
    if (bytes > bytes_) {
      throw std::runtime_error("The ladder needs " + std::to_string(2 * bytes) +
                               " free bytes on the device.");
    }
    fill_with(ladder.type);
    for (const Rung* rung : ladder.rungs) {
      check(*rung, ladder);
    }
    const Inputs inputs{data_, bytes, static_cast<int>(std::min<std::size_t>(bytes_ / bytes, 64))};
    const int limit_launches = Timer::launches_for(bytes);
    const double limit = read_limit(timer_, inputs, limit_launches, rounds_) * 1e-6;
    const std::vector<LinearisedMask> times = times_of(ladder, inputs);
    double before = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      records.push_back(record_of(*ladder.rungs[i], ladder, times[i], limit));
      records.back().ratios = {
          {"speedup_over_rung_before", before == 0 ? 1 : before / times[i].median}};
      before = times[i].median;
    }
  }

 private:
  void fill_with(const std::string& type) {
    const auto count = static_cast<std::int64_t>(bytes_ / 4);
    if (type == "f32") {
      fill<<<1024, 256>>>(reinterpret_cast<float*>(data_), count);
    } else {
      fill<<<1024, 256>>>(reinterpret_cast<std::int32_t*>(data_), count);
    }
    BENCH_CHECK(cudaGetLastError());
    BENCH_CHECK(cudaDeviceSynchronize());
  }

  Work work(const void* data, std::int64_t rows, std::int64_t length) const {
    return {data, rows, length, results_, workspace_, timer_.stream()};
  }

  // This tells whether the rung's answers over the first elements are those of rows x length of
  // them.
  bool right(const Rung& rung, const Ladder& ladder, std::int64_t rows, std::int64_t length,
             std::int64_t expected_length) {
    BENCH_CHECK(cudaMemsetAsync(results_, 0xff, 1 << 20, timer_.stream()));
    rung.enqueue(work(data_, rows, length));
    BENCH_CHECK(cudaGetLastError());
    BENCH_CHECK(cudaStreamSynchronize(timer_.stream()));
    // A sum of i32 by isofold has 64 bits; of one small array its lower half is the answer.
    std::vector<std::int32_t> bits(static_cast<std::size_t>(rows));
    BENCH_CHECK(cudaMemcpy(bits.data(), results_, bits.size() * 4, cudaMemcpyDefault));
    for (std::int64_t row = 0; row < rows; ++row) {
      std::int64_t sum = 0;
      for (std::int64_t i = 0; i < expected_length; ++i) {
        sum += element(row * length + i);
      }
      const std::int32_t found = bits[static_cast<std::size_t>(row)];
      float found_float = 0;
      std::memcpy(&found_float, &found, 4);
      const bool same = std::string(ladder.type) == "f32" ? found_float == static_cast<float>(sum)
                                                          : found == static_cast<std::int32_t>(sum);
      if (!same) {
        return false;
      }
    }
    return true;
  }

  void check(const Rung& rung, const Ladder& ladder) {
    struct Size {
      std::int64_t rows;
      std::int64_t length;
    };
    std::vector<Size> sizes;
    if (ladder.rows == 1) {
      sizes = {{1, 1}, {1, 31}, {1, 257}, {1, 131073}, {1, 1000003}};
    } else {
      sizes = {{1, 1}, {7, 33}, {1001, 257}};
    }
    sizes.push_back({ladder.rows, ladder.length});
    for (const Size& size : sizes) {
      if (!right(rung, ladder, size.rows, size.length, size.length)) {
        throw std::runtime_error("The rung '" + std::string(rung.name) + "' gives a wrong sum of " +
                                 std::to_string(size.rows) + " x " + std::to_string(size.length) +
                                 " " + ladder.type + ".");
      }
    }
    // The check itself is checked: one element too many must be noticed.
    std::int64_t length = 1000;
    while (element(length) == 0) {
      ++length;
    }
    if (right(rung, ladder, 1, length, length + 1)) {
      throw std::runtime_error("The check of the ladder's answers does not see a missing element.");
    }
  }

  // Round by round, all rungs in turn, each over inputs that the L2 does not hold.
  std::vector<LinearisedMask> times_of(const Ladder& ladder, const Inputs& inputs) {
    std::vector<std::vector<double>> seconds(ladder.rungs.size());
    std::vector<int> launches(ladder.rungs.size());
    for (int round = -1; round < rounds_; ++round) {
      for (std::size_t r = 0; r < ladder.rungs.size(); ++r) {
        const auto enqueue = [&](int i) {
          ladder.rungs[r]->enqueue(work(inputs.slot(i), ladder.rows, ladder.length));
        };
        if (round < 0) {
          // About 2 ms a round, and one launch of what takes longer.
          const double once = timer_.microseconds(1, 1, enqueue);
          launches[r] = static_cast<int>(std::clamp(2000.0 / once, 1.0, 64.0));
        } else {
          seconds[r].push_back(timer_.microseconds(launches[r], 1, enqueue) * 1e-6);
        }
      }
    }
    std::vector<LinearisedMask> times;
    for (const std::vector<double>& of_rung : seconds) {
      times.push_back(linearised_mask_of(of_rung));
    }
    return times;
  }

  Record record_of(const Rung& rung, const Ladder& ladder, const LinearisedMask& time,
                   double limit) const {
    const bool own = std::string(rung.name) == "isofold";
    Record r;
    r.program = "ladder_bench";
    r.device = device_;
    r.name = rung.name;
    r.backend = "cuda";
    r.guarantee = own ? "same_bits" : "";
    r.fold = "sum";
    r.type = ladder.type;
    r.shape = ladder.rows == 1 ? "array" : "rows";
    r.rows = ladder.rows;
    r.length = ladder.length;
    r.bytes = ladder.rows * ladder.length * 4;
    r.time = time;
    r.limit = limit;
    r.note = rung.step;
    return r;
  }

  int rounds_;
  Timer timer_;
  std::string device_;
  char* data_ = nullptr;
  std::size_t bytes_ = 0;
  void* results_ = nullptr;
  void* workspace_ = nullptr;
};

}  // namespace

std::vector<Record> climb(int rounds) {
  Climber climber(rounds);
  std::vector<Record> records;
  for (const Ladder& ladder : ladders()) {
    climber.climb(ladder, records);
  }
  return records;
}

}  // namespace bench::ladder
