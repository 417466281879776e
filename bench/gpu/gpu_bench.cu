// gpu_bench: isofold's CUDA backend beside the read limit, CUB and Thrust, in one run.
//   gpu_bench            sums of f32 and f64 by size, rows, and blocking calls: Markdown tables
//   gpu_bench --sums     the first of these only
//   gpu_bench --tune F   times every tiling at every size, in a graph and launched one by one, and
//                        writes them to the file F
#include <isofold/isofold.hpp>

#include <chrono>
#include <cmath>
#include <cstring>
#include <string>

#include "timing.hpp"

namespace {

using bench::Inputs;
using bench::Timer;

constexpr std::size_t pool_bytes = std::size_t{17} << 30;

// Sizes as powers of two, rounded to whole chunks; 1.5 times a power lies between two shapes.
constexpr double powers[] = {10., 12.,    14., 16.,    18., 19.,    20., 21., 22., 22.585, 23.,
                             24., 24.585, 25., 25.585, 26., 26.585, 27., 28., 29., 30.};
std::int64_t elements(double power) {
  return static_cast<std::int64_t>(std::llround(std::exp2(power) / 1024)) * 1024;
}

template <class T>
__global__ void fill(T* data, std::int64_t count) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step) {
    std::uint64_t s = static_cast<std::uint64_t>(i + 1) * 0x9E3779B97F4A7C15U;
    s ^= s >> 30;
    s *= 0xBF58476D1CE4E5B9U;
    s ^= s >> 27;
    s *= 0x94D049BB133111EBU;
    s ^= s >> 31;
    data[i] = static_cast<T>(static_cast<std::int32_t>(s >> 32)) * static_cast<T>(0x1p-31);
  }
}
__global__ void nothing() {}

struct Bench {
  Timer timer;
  char* pool = nullptr;
  void* result = nullptr;
  isofold_reducer* reducer = nullptr;

  Bench() {
    BENCH_CHECK(cudaMalloc(&pool, pool_bytes));
    BENCH_CHECK(cudaMalloc(&result, std::size_t{64} << 20));
    isofold_options options{};
    options.size = sizeof options;
    options.backend = "cuda";
    options.device = 0;
    options.validate = 1;
    options.has_stream = 1;
    options.stream = timer.stream();
    isofold::check(isofold_create(&options, &reducer));
  }
  template <class T>
  void fill_pool() {
    fill<<<1024, 256>>>(reinterpret_cast<T*>(pool),
                        static_cast<std::int64_t>(pool_bytes / sizeof(T)));
    BENCH_CHECK(cudaDeviceSynchronize());
  }
  Inputs inputs(std::size_t bytes) const {
    const std::size_t apart = std::max<std::size_t>(bytes, 256);
    return {pool, apart, static_cast<int>(std::clamp<std::size_t>(pool_bytes / apart, 1, 64))};
  }

  template <class T>
  static isofold_request request(const void* data, std::int64_t rows, std::int64_t length,
                                 void* result) {
    isofold_request request{};
    request.size = sizeof request;
    request.definition = ISOFOLD_DEFINITION_tree_v1;
    request.fold = ISOFOLD_FOLD_sum;
    request.type = static_cast<std::int32_t>(isofold::type_of<T>);
    request.shape = rows == 1 ? ISOFOLD_SHAPE_array : ISOFOLD_SHAPE_rows;
    request.data = data;
    request.rows = rows;
    request.length = length;
    request.stride = length;
    request.result = result;
    return request;
  }

  // Microseconds of isofold's sum with a forced schedule, or its own choice; `ran` tells what ran.
  template <class T>
  double isofold_time(std::int64_t rows, std::int64_t length, const isofold_schedule* schedule,
                      isofold_schedule* ran, int repeats, std::size_t offset = 0,
                      bool streamed = false) {
    const auto bytes = static_cast<std::size_t>(rows * length) * sizeof(T);
    const Inputs in = inputs(bytes + offset);
    isofold_request asked = request<T>(in.slot(0), rows, length, result);
    asked.schedule = schedule;
    isofold::check(isofold_reserve(reducer, &asked));
    asked.ran = ran;
    const auto enqueue = [&](int i) {
      asked.data = static_cast<const char*>(in.slot(i)) + offset;
      isofold::check(isofold_reduce(reducer, &asked));
    };
    return streamed ? timer.streamed_microseconds(Timer::launches_for(bytes), repeats, enqueue)
                    : timer.microseconds(Timer::launches_for(bytes), repeats, enqueue);
  }
  template <class T>
  double cub_time(std::int64_t n, int repeats, bool streamed = false) {
    const auto bytes = static_cast<std::size_t>(n) * sizeof(T);
    const Inputs in = inputs(bytes);
    bench::CubSum cub(sizeof(T) == 8, n);
    const auto enqueue = [&](int i) { cub.enqueue(in.slot(i), result, timer.stream()); };
    return streamed ? timer.streamed_microseconds(Timer::launches_for(bytes), repeats, enqueue)
                    : timer.microseconds(Timer::launches_for(bytes), repeats, enqueue);
  }
  double limit(std::size_t bytes, int repeats) {
    return bench::read_limit(timer, inputs(bytes), Timer::launches_for(bytes), repeats);
  }
};

template <class Call>
double blocking(Call&& call) {
  std::vector<double> times;
  for (int i = 0; i < 220; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double, std::micro> spent =
        std::chrono::steady_clock::now() - begin;
    if (i >= 20) {
      times.push_back(spent.count());
    }
  }
  std::nth_element(times.begin(), times.begin() + 100, times.end());
  return times[100];
}

template <class T>
void table_of_sums(Bench& bench, const char* name) {
  bench.fill_pool<T>();
  std::printf("\n| n (%s) | read limit | CUB Sum | isofold sum | isofold / CUB | GB/s | launched "
              "one by one:"
              " CUB | isofold | isofold / CUB | unaligned | blocks, warps x chunks |\n"
              "|---|---|---|---|---|---|---|---|---|---|---|\n",
              name);
  bench.isofold_time<T>(1, 1 << 25, nullptr, nullptr, 20);  // wake the clocks up
  for (const double power : powers) {
    const std::int64_t n = elements(power);
    const auto bytes = static_cast<std::size_t>(n) * sizeof(T);
    isofold_schedule ran{};
    constexpr int repeats = 11;
    const double limit = bench.limit(bytes, repeats);
    const double cub = bench.cub_time<T>(n, repeats);
    const double own = bench.isofold_time<T>(1, n, nullptr, &ran, repeats);
    const double skew = bench.isofold_time<T>(1, n, nullptr, nullptr, repeats, sizeof(T));
    const double cub_alone = bench.cub_time<T>(n, repeats, true);
    const double alone = bench.isofold_time<T>(1, n, nullptr, nullptr, repeats, 0, true);
    std::printf(
        "| 2^%.6g | %.2f | %.2f | %.2f | %.3f | %.0f | %.2f | %.2f | %.3f | %.2f | %d, %dx%d |\n",
        power, limit, cub, own, own / cub, static_cast<double>(bytes) / own * 1e-3, cub_alone,
        alone, alone / cub_alone, skew, ran.blocks, ran.warps, ran.chunks);
    std::fflush(stdout);
  }
}

template <class T>
void table_of_rows(Bench& bench, const char* name) {
  bench.fill_pool<T>();
  std::printf(
      "\n| rows x length (%s) | read limit | isofold sum | GB/s | unit |\n|---|---|---|---|---|\n",
      name);
  for (const auto& [rows, length] : {std::pair<std::int64_t, std::int64_t>{1048576, 64},
                                     {1000000, 100},
                                     {65536, 256},
                                     {65536, 1000},
                                     {131072, 1024},
                                     {65536, 2048},
                                     {32768, 4096},
                                     {16384, 10000},
                                     {4096, 65536},
                                     {512, 131072},
                                     {64, 4194304},
                                     {100, 5000}}) {
    const auto bytes = static_cast<std::size_t>(rows * length) * sizeof(T);
    isofold_schedule ran{};
    const double limit = bench.limit(bytes, 7);
    const double own = bench.isofold_time<T>(rows, length, nullptr, &ran, 7);
    std::printf("| %lld x %lld | %.2f | %.2f | %.0f | %d |\n", static_cast<long long>(rows),
                static_cast<long long>(length), limit, own, static_cast<double>(bytes) / own * 1e-3,
                ran.unit);
    std::fflush(stdout);
  }
}

void table_of_blocking(Bench& bench) {
  bench.fill_pool<float>();
  std::printf(
      "\n| n (f32, blocking, L2 warm) | empty kernel + synchronize | isofold | no validation |"
      " CUB + copy | Thrust |\n|---|---|---|---|---|---|\n");
  isofold_options options{};
  options.size = sizeof options;
  options.backend = "cuda";
  options.has_stream = 1;
  options.stream = bench.timer.stream();
  isofold_reducer* trusting = nullptr;
  isofold::check(isofold_create(&options, &trusting));
  for (const std::int64_t n : {1LL << 10, 1LL << 14, 1LL << 18, 1LL << 22}) {
    float host = 0;
    isofold_request asked = Bench::request<float>(bench.pool, 1, n, &host);
    asked.flags = ISOFOLD_BLOCKING;
    bench::CubSum cub(false, n);
    const double empty = blocking([&] {
      nothing<<<1, 32, 0, bench.timer.stream()>>>();
      BENCH_CHECK(cudaStreamSynchronize(bench.timer.stream()));
    });
    const double own = blocking([&] { isofold::check(isofold_reduce(bench.reducer, &asked)); });
    const double bare = blocking([&] { isofold::check(isofold_reduce(trusting, &asked)); });
    const double peer = blocking([&] {
      cub.enqueue(bench.pool, bench.result, bench.timer.stream());
      BENCH_CHECK(cudaMemcpyAsync(&host, bench.result, sizeof host, cudaMemcpyDefault,
                                  bench.timer.stream()));
      BENCH_CHECK(cudaStreamSynchronize(bench.timer.stream()));
    });
    const double thrust = blocking([&] { bench::thrust_sum(false, bench.pool, n); });
    std::printf("| %lld | %.2f | %.2f | %.2f | %.2f | %.2f |\n", static_cast<long long>(n), empty,
                own, bare, peer, thrust);
  }
  isofold_destroy(trusting);
}

// Every tiling at every size, a line each: type n warps chunks, microseconds in a graph and one by
// one.
template <class T>
void tune(Bench& bench, const char* name, std::FILE* file) {
  bench.fill_pool<T>();
  for (const double power : powers) {
    const std::int64_t n = elements(power);
    if (static_cast<std::size_t>(n) * sizeof(T) * 2 > pool_bytes) {
      break;
    }
    std::fprintf(file, "%s %lld default 0 %.3f %.3f\n", name, static_cast<long long>(n),
                 bench.isofold_time<T>(1, n, nullptr, nullptr, 5),
                 bench.isofold_time<T>(1, n, nullptr, nullptr, 5, 0, true));
    for (int warps = 1; warps <= 16; warps *= 2) {
      for (int chunks = 1; chunks <= 64 && warps * chunks <= 512; chunks *= 2) {
        const std::int64_t tiles = (n / 1024 + warps * chunks - 1) / (warps * chunks);
        if (tiles > 65536 || (tiles == 1 && warps * chunks / 2 * 1024 >= n && warps * chunks > 1)) {
          continue;
        }
        isofold_schedule wish{};
        wish.warps = warps;
        wish.chunks = chunks;
        std::fprintf(file, "%s %lld %d %d %.3f %.3f\n", name, static_cast<long long>(n), warps,
                     chunks, bench.isofold_time<T>(1, n, &wish, nullptr, 3),
                     bench.isofold_time<T>(1, n, &wish, nullptr, 3, 0, true));
      }
    }
  }
}

template <class T>
void tune_rows(Bench& bench, const char* name, std::FILE* file) {
  for (const auto& [rows, length] : {std::pair<std::int64_t, std::int64_t>{1048576, 64},
                                     {65536, 256},
                                     {65536, 1024},
                                     {65536, 2048},
                                     {8192, 4096},
                                     {32768, 4096},
                                     {2048, 8192},
                                     {16384, 8192},
                                     {1024, 16384},
                                     {8192, 16384},
                                     {512, 65536},
                                     {4096, 65536},
                                     {64, 4194304}}) {
    for (const int unit : {0, 16, 32, 64, 128, 256, 512, -2, -4, -16, -32, -64}) {
      isofold_schedule wish{};
      wish.unit = unit;
      std::fprintf(file, "%s rows %lld %lld %d %.3f\n", name, static_cast<long long>(rows),
                   static_cast<long long>(length), unit,
                   bench.isofold_time<T>(rows, length, &wish, nullptr, 3));
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  Bench bench;
  if (count == 3 && std::strcmp(arguments[1], "--tune") == 0) {
    std::FILE* file = std::fopen(arguments[2], "w");
    if (file == nullptr) {
      std::fprintf(stderr, "%s cannot be written\n", arguments[2]);
      return 2;
    }
    std::setvbuf(file, nullptr, _IOLBF, 0);
    tune<float>(bench, "f32", file);
    tune_rows<float>(bench, "f32", file);
    tune<double>(bench, "f64", file);
    tune_rows<double>(bench, "f64", file);
    std::fclose(file);
    return 0;
  }
  cudaDeviceProp device{};
  BENCH_CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("%s, medians in microseconds, inputs outside the L2\n", device.name);
  table_of_sums<float>(bench, "f32");
  table_of_sums<double>(bench, "f64");
  if (count == 2 && std::strcmp(arguments[1], "--sums") == 0) {
    return 0;
  }
  table_of_rows<float>(bench, "f32");
  table_of_rows<double>(bench, "f64");
  table_of_blocking(bench);
  isofold_destroy(bench.reducer);
  return 0;
}
