// Times the backends cuda and hip on the same NVIDIA GPU, in turns: sums of f32 and f64 by size,
// and rows. Both launch alike: cuda's overlap of launches, which HIP has not, is switched off; with
// the argument "overlap" it is left on and nothing is judged. Exit code 1 when hip is slower in a
// graph anywhere by more than 3 %; 77 without a GPU.
#include <isofold/isofold.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <bench/gpu/timing.hpp>

namespace {

using bench::Inputs;
using bench::Timer;

constexpr std::size_t pool_bytes = std::size_t{8} << 30;
constexpr int rounds = 31;
constexpr double allowed = 1.03;
constexpr const char* names[] = {"cuda", "hip"};

__global__ void fill(std::uint32_t* words, std::int64_t count) {  // numbers near 1 in f32 and f64
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step) {
    words[i] = 0x3f800000U + (static_cast<std::uint32_t>(i) * 2654435761U >> 10);
  }
}

isofold_request request(std::int32_t type, std::int64_t rows, std::int64_t length, void* result) {
  isofold_request asked{};
  asked.size = sizeof asked;
  asked.definition = ISOFOLD_DEFINITION_tree_v1;
  asked.fold = ISOFOLD_FOLD_sum;
  asked.type = type;
  asked.shape = rows == 1 ? ISOFOLD_SHAPE_array : ISOFOLD_SHAPE_rows;
  asked.rows = rows;
  asked.length = length;
  asked.stride = length;
  asked.result = result;
  return asked;
}

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

struct Both {
  Timer timer;
  char* pool = nullptr;
  void* result = nullptr;
  isofold_reducer* reducer[2] = {};
  bool good = true;

  Both() {
    BENCH_CHECK(cudaMalloc(&pool, pool_bytes));
    BENCH_CHECK(cudaMalloc(&result, std::size_t{64} << 20));
    fill<<<1024, 256>>>(reinterpret_cast<std::uint32_t*>(pool), pool_bytes / 4);
    BENCH_CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 2; ++i) {
      isofold_options options{};
      options.size = sizeof options;
      options.backend = names[i];
      options.validate = 0;  // both know all memory of the GPU: each would refuse the other's
      options.has_stream = 1;
      options.stream = timer.stream();
      isofold::check(isofold_create(&options, &reducer[i]));
    }
  }

  // One line: the median of each in a graph, where only the kernels count, and launched one by one.
  void compare(const char* type_name, std::int32_t type, std::int64_t rows, std::int64_t length) {
    const std::size_t width = type == ISOFOLD_TYPE_f64 ? 8 : 4;
    const std::size_t bytes = static_cast<std::size_t>(rows * length) * width;
    const Inputs in{pool, bytes,
                    static_cast<int>(std::clamp<std::size_t>(pool_bytes / bytes, 1, 64))};
    isofold_request asked = request(type, rows, length, result);
    std::vector<double> graphed[2];
    std::vector<double> streamed[2];
    const int launches = Timer::launches_for(bytes);
    for (int i = 0; i < 2; ++i) {
      asked.data = in.slot(0);
      isofold::check(isofold_reserve(reducer[i], &asked));
    }
    for (int round = 0; round < rounds; ++round) {
      for (int turn = 0; turn < 2; ++turn) {
        const int who = (round + turn) % 2;  // whoever comes second may find the GPU warmer
        const auto enqueue = [&](int i) {
          asked.data = in.slot(i);
          isofold::check(isofold_reduce(reducer[who], &asked));
        };
        graphed[who].push_back(timer.microseconds(launches, 3, enqueue));
        streamed[who].push_back(timer.streamed_microseconds(launches, 3, enqueue));
      }
    }
    const double ratio = median(graphed[1]) / median(graphed[0]);
    const bool fine = ratio <= allowed;
    good = good && fine;
    std::printf("| %s | %9lld x %11lld | %9.2f | %9.2f | %.3f%s | %9.2f | %9.2f | %.3f |\n",
                type_name, static_cast<long long>(rows), static_cast<long long>(length),
                median(graphed[0]), median(graphed[1]), ratio, fine ? "" : " SLOW",
                median(streamed[0]), median(streamed[1]),
                median(streamed[1]) / median(streamed[0]));
    std::fflush(stdout);
  }
};

}  // namespace

int main(int count, char** arguments) {
  const bool overlap = count > 1 && std::strcmp(arguments[1], "overlap") == 0;
  if (!overlap) {
    setenv("ISOFOLD_CUDA_OVERLAP", "0", 1);  // read at the first launch
  }
  for (const char* name : names) {
    if (isofold_backend_available(name) == 0) {
      std::printf("skipped: %s is not available: %s\n", name, isofold_backend_reason(name));
      return 77;
    }
  }
  Both both;
  std::printf("Microseconds of a sum; medians of %d rounds in turns.\n", rounds);
  std::printf("| type | rows x elements | cuda, graph | hip, graph | hip/cuda | cuda, one by one | "
              "hip, one by one | hip/cuda |\n|---|---|---|---|---|---|---|---|\n");
  struct Type {
    const char* name;
    std::int32_t number;
  };
  for (const Type type : {Type{"f32", ISOFOLD_TYPE_f32}, Type{"f64", ISOFOLD_TYPE_f64}}) {
    for (const int power : {10, 14, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29}) {
      both.compare(type.name, type.number, 1, std::int64_t{1} << power);
    }
    both.compare(type.name, type.number, 1 << 20, 64);
    both.compare(type.name, type.number, 1 << 16, 2048);
    both.compare(type.name, type.number, 1 << 10, 1 << 17);
  }
  if (overlap) {
    std::printf("cuda's launches overlapped: not judged\n");
    return 0;
  }
  std::printf("hip is %s\n", both.good ? "within 3 % of cuda in every row (graph)" : "SLOWER");
  return both.good ? 0 : 1;
}
