// gpu_bench: isofold's CUDA backend beside the read limit, CUB and Thrust, in one run.
//   gpu_bench            every table below, as Markdown
//   gpu_bench --sums     sums of f32 and f64 by size
//   gpu_bench --kinds    sum, minimum and maximum of every type beside CUB
//   gpu_bench --folds    every fold of floating-point elements beside the read limit
//   gpu_bench --folds argmin,minmax   these alone; so do --complex, --short, and --lists: of these
//   gpu_bench --complex  every fold of complex elements, likewise
//   gpu_bench --stored   elements of 8 and 16 bits, and f32 computed with in f64
//   gpu_bench --short    the same over rows of 3 to 1000 elements
//   gpu_bench --lists    several folds at once, and one after the other
//   gpu_bench --rows     rows of many lengths and strides, beside CUB's segmented sums
//   gpu_bench --same     CUB's sums with gpu_to_gpu determinism
//   gpu_bench --exact    sums by exact_v1, of ordinary and of spread data, beside tree v1 and CUB
//   gpu_bench --sweep    200 random shapes, and the worst of them
//   gpu_bench --calls    blocking calls, and what enqueuing costs the host
//   gpu_bench --tune F   times every tiling of sums at every size, in a graph and launched one by
//                        one, and every way to share rows, and writes them to the file F
//   gpu_bench --tune F argmin,moments   the tilings of these folds
//   ... --json F         also writes the sums (in graphs) and the rows to the file F, as
//                        bench/plot.py draws them
#include <isofold/isofold.hpp>

#include <chrono>
#include <cmath>
#include <complex>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "../record.hpp"
#include "timing.hpp"

namespace {

using bench::Inputs;
using bench::Timer;

constexpr std::size_t pool_bytes = std::size_t{17} << 30;
constexpr std::size_t result_bytes = std::size_t{1} << 30;

// Folds that are asked for by their names, with commas between; an empty list asks for all.
class AskedFolds {
 public:
  AskedFolds() = default;
  explicit AskedFolds(const char* names) : names_(std::string(",") + names + ",") {
    for (std::size_t begin = 1; begin < names_.size();) {
      const std::size_t end = names_.find(',', begin);
      if (const std::string name = names_.substr(begin, end - begin); !is_fold(name)) {
        std::fprintf(stderr, "no fold is called \"%s\"\n", name.c_str());
        std::exit(2);
      }
      begin = end + 1;
    }
  }
  bool has(int fold) const {
    return names_.empty() ||
           names_.find(std::string(",") + isofold_fold_name(fold) + ",") != std::string::npos;
  }

 private:
  static bool is_fold(const std::string& name) {
    for (int fold = 1; isofold_fold_name(fold)[0] != '\0'; ++fold) {
      if (name == isofold_fold_name(fold)) {
        return true;
      }
    }
    return false;
  }

  std::string names_;
};

// Sizes as powers of two, rounded to whole chunks; 1.5 times a power lies between two shapes.
constexpr double powers[] = {10., 12.,    14., 16.,    18., 19.,    20., 21., 22., 22.585, 23.,
                             24., 24.585, 25., 25.585, 26., 26.585, 27., 28., 29., 30.,    31.};
std::int64_t elements(double power) {
  return static_cast<std::int64_t>(std::llround(std::exp2(power) / 1024)) * 1024;
}

__device__ std::uint64_t random_word(std::int64_t i) {
  std::uint64_t s = static_cast<std::uint64_t>(i + 1) * 0x9E3779B97F4A7C15U;
  s ^= s >> 30;
  s *= 0xBF58476D1CE4E5B9U;
  s ^= s >> 27;
  s *= 0x94D049BB133111EBU;
  return s ^ s >> 31;
}
template <class T>
__global__ void fill(T* data, std::int64_t count) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step) {
    const std::uint64_t s = random_word(i);
    const auto number = static_cast<T>(static_cast<std::int32_t>(s >> 32));
    data[i] = std::is_floating_point_v<T> ? number * static_cast<T>(0x1p-31) : number;
  }
}
// Elements whose exponents are uniform over so many binades, all if there are more than the type
// has; one in 1000 is far above the others if `outliers` says so.
template <class T>
__global__ void spread(T* data, std::int64_t count, int binades, bool outliers) {
  constexpr int digits = sizeof(T) == 4 ? 24 : 53;
  constexpr int field = sizeof(T) == 4 ? 254 : 2046;  // of the largest exponent
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const int of = binades < field ? binades : field;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step) {
    const std::uint64_t s = random_word(i);
    const int random = static_cast<int>(s >> 40);
    const int exponent = outliers && random % 1000 == 0 ? field / 2 + (sizeof(T) == 4 ? 100 : 660)
                                                        : (field - of) / 2 + 1 + random % of;
    const Bits bits = (static_cast<Bits>(s) << (sizeof(T) * 8 - 1)) |
                      (static_cast<Bits>(exponent) << (digits - 1)) |
                      (static_cast<Bits>(s >> 1) & ((Bits{1} << (digits - 1)) - 1));
    memcpy(data + i, &bits, sizeof bits);
  }
}
__global__ void nothing() {}

struct Bench {
  Timer timer;
  char* pool = nullptr;
  void* result = nullptr;
  isofold_reducer* reducer = nullptr;
  int filled_ = 0;  // type of the numbers in the pool

  Bench() {
    BENCH_CHECK(cudaMalloc(&pool, pool_bytes));
    BENCH_CHECK(cudaMalloc(&result, result_bytes));
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
    filled_ = static_cast<int>(isofold::type_of<T>);
    using Part = isofold::real_t<T>;
    fill<<<1024, 256>>>(reinterpret_cast<Part*>(pool),
                        static_cast<std::int64_t>(pool_bytes / sizeof(Part)));
    BENCH_CHECK(cudaDeviceSynchronize());
  }
  template <class T>
  void spread_pool(int binades, bool outliers = false) {
    filled_ = 0;
    spread<<<1024, 256>>>(reinterpret_cast<T*>(pool),
                          static_cast<std::int64_t>(pool_bytes / sizeof(T)), binades, outliers);
    BENCH_CHECK(cudaDeviceSynchronize());
  }
  template <class T>
  void fill_pool_once() {
    if (filled_ != static_cast<int>(isofold::type_of<T>)) {
      fill_pool<T>();
    }
  }
  Inputs inputs(std::size_t bytes) const {
    const std::size_t apart = (std::max<std::size_t>(bytes, 256) + 255) / 256 * 256;
    return {pool, apart, static_cast<int>(std::clamp<std::size_t>(pool_bytes / apart, 1, 64))};
  }

  // One fold and its input: rows of `length` elements, `stride` apart, the first `offset` bytes
  // from where inputs begin.
  struct Work {
    int fold = ISOFOLD_FOLD_sum;
    std::int64_t rows = 1;
    std::int64_t length = 0;
    std::int64_t stride = 0;
    std::size_t offset = 0;
    std::int32_t definition = ISOFOLD_DEFINITION_tree_v1;
    std::int64_t elements() const { return (rows - 1) * stride + length; }  // gaps included
  };
  static Work array(std::int64_t n, int fold = ISOFOLD_FOLD_sum) { return {fold, 1, n, n, 0}; }
  static Work exact(Work work) {
    work.definition = ISOFOLD_DEFINITION_exact_v1;
    return work;
  }

  template <class T>
  static isofold_request request(const void* data, const Work& work, void* result) {
    isofold_request request{};
    request.size = sizeof request;
    request.definition = work.definition;
    request.fold = work.fold;
    request.accumulator = isofold::accumulator_of<T>;
    request.type = static_cast<std::int32_t>(isofold::type_of<T>);
    request.shape = work.rows == 1 ? ISOFOLD_SHAPE_array : ISOFOLD_SHAPE_rows;
    request.data = data;
    request.rows = work.rows;
    request.length = work.length;
    request.stride = work.stride;
    request.result = result;
    request.parameters = some_range<T>;
    request.second =
        isofold_fold_arrays(work.fold) == 2 ? second_of(data, bytes_of<T>(work)) : nullptr;
    request.second_stride = work.stride;
    if (isofold_fold_parameters(work.fold) == 0) {
      request.parameters = nullptr;
    }
    return request;
  }
  // The bytes of one array, after which a second one begins; every input has room for it where a
  // fold takes two.
  template <class T>
  static std::size_t bytes_of(const Work& work) {
    return (static_cast<std::size_t>(work.elements()) * sizeof(T) + 255) / 256 * 256;
  }
  static const void* second_of(const void* data, std::size_t bytes) {
    return static_cast<const char*>(data) + bytes;
  }
  template <class T>
  static constexpr T some_range[2] = {0, 1};

  // Microseconds of isofold with a forced schedule, or its own choice; `ran` tells what ran.
  template <class T>
  double isofold_time(const Work& work, const isofold_schedule* schedule, isofold_schedule* ran,
                      int repeats, bool streamed = false) {
    const bool two = isofold_fold_arrays(work.fold) == 2;
    const auto bytes =
        two ? 2 * bytes_of<T>(work) : static_cast<std::size_t>(work.elements()) * sizeof(T);
    const Inputs in = inputs(bytes + work.offset);
    isofold_request asked = request<T>(in.slot(0), work, result);
    asked.schedule = schedule;
    isofold::check(isofold_reserve(reducer, &asked));
    asked.ran = ran;
    const auto enqueue = [&](int i) {
      asked.data = static_cast<const char*>(in.slot(i)) + work.offset;
      asked.second = two ? second_of(asked.data, bytes_of<T>(work)) : nullptr;
      isofold::check(isofold_reduce(reducer, &asked));
    };
    return streamed ? timer.streamed_microseconds(Timer::launches_for(bytes), repeats, enqueue)
                    : timer.microseconds(Timer::launches_for(bytes), repeats, enqueue);
  }
  // The bytes of the arrays that the folds take.
  template <class T>
  static std::size_t bytes_of(const Work& work, const std::vector<int>& folds) {
    const bool two = std::any_of(folds.begin(), folds.end(),
                                 [](int fold) { return isofold_fold_arrays(fold) == 2; });
    return two ? 2 * bytes_of<T>(work) : static_cast<std::size_t>(work.elements()) * sizeof(T);
  }
  // Microseconds of several folds at once.
  template <class T>
  double fused_time(const Work& work, const std::vector<int>& folds, int repeats) {
    const std::size_t bytes = bytes_of<T>(work, folds);
    const Inputs in = inputs(bytes);
    std::vector<isofold_request> asked;
    for (const int fold : folds) {
      Work one = work;
      one.fold = fold;
      asked.push_back(request<T>(
          in.slot(0), one,
          static_cast<char*>(result) + asked.size() * (result_bytes / ISOFOLD_MOST_FUSED)));
      isofold::check(isofold_reserve(reducer, &asked.back()));
    }
    const auto enqueue = [&](int i) {
      for (isofold_request& each : asked) {
        each.data = in.slot(i);
        each.second = each.second != nullptr ? second_of(each.data, bytes_of<T>(work)) : nullptr;
      }
      isofold::check(
          isofold_reduce_fused(reducer, asked.data(), static_cast<std::int32_t>(asked.size())));
    };
    enqueue(0);  // a capture takes the kernel for several folds if it has run before
    return timer.microseconds(Timer::launches_for(bytes), repeats, enqueue);
  }
  template <class T>
  double cub_time(int fold, std::int64_t n, int repeats, bool streamed = false) {
    const auto bytes = static_cast<std::size_t>(n) * sizeof(T);
    const Inputs in = inputs(bytes);
    bench::CubReduce cub(fold, static_cast<int>(isofold::type_of<T>), n);
    const auto enqueue = [&](int i) { cub.enqueue(in.slot(i), result, timer.stream()); };
    return streamed ? timer.streamed_microseconds(Timer::launches_for(bytes), repeats, enqueue)
                    : timer.microseconds(Timer::launches_for(bytes), repeats, enqueue);
  }
  // CUB's time grows with the segments: few calls where there are many.
  template <class T>
  double segments_time(const Work& work, int repeats) {
    const auto bytes = static_cast<std::size_t>(work.elements()) * sizeof(T);
    const Inputs in = inputs(bytes);
    bench::CubSegments cub(sizeof(T) == 8, work.rows, work.length, work.stride);
    const int launches = static_cast<int>(
        std::clamp<std::int64_t>(2000000 / work.rows, 2, Timer::launches_for(bytes)));
    return timer.microseconds(launches, repeats,
                              [&](int i) { cub.enqueue(in.slot(i), result, timer.stream()); });
  }
  // The time is negative where this CCCL has no such sum.
  template <class T>
  double gpu_to_gpu_time(std::int64_t n, int repeats) {
    const auto bytes = static_cast<std::size_t>(n) * sizeof(T);
    const Inputs in = inputs(bytes);
    const auto enqueue = [&](int i) {
      return bench::cub_gpu_to_gpu_sum(sizeof(T) == 8, in.slot(i), result, n, timer.stream());
    };
    return enqueue(0) ? timer.streamed_microseconds(Timer::launches_for(bytes), repeats, enqueue)
                      : -1.;
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

// The lines for bench/plot.py, where a file for them was asked for.
struct Records {
  std::FILE* file = nullptr;
  std::string device;

  void add(const char* name, const Bench::Work& work, const char* type, std::size_t bytes,
           double microseconds, double limit, const char* note) const {
    if (file == nullptr) {
      return;
    }
    const bool own = std::strcmp(name, "isofold") == 0;
    bench::Record r;
    r.program = "gpu_bench";
    r.device = device;
    r.name = name;
    r.backend = own ? "cuda" : "";
    r.guarantee = own ? "same_bits" : "";
    r.fold = isofold_fold_name(work.fold);
    r.type = type;
    r.shape = work.rows == 1 ? "array" : "rows";
    r.rows = work.rows;
    r.length = work.length;
    r.bytes = static_cast<std::int64_t>(bytes);
    r.time = {microseconds * 1e-6, microseconds * 1e-6, 0};  // the Timer gives the median alone
    r.limit = limit * 1e-6;
    r.note = note;
    std::fputs(bench::json_of(r).c_str(), file);
    std::fflush(file);
  }
};
Records records;

template <class T>
void table_of_sums(Bench& bench, const char* name) {
  bench.fill_pool<T>();
  std::printf(
      "\n| n (%s) | read limit | CUB, in a graph | isofold, in a graph | isofold / CUB | CUB |"
      " isofold | isofold / CUB | share of the limit | not aligned | blocks, warps x chunks |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n",
      name);
  bench.isofold_time<T>(Bench::array(1 << 25), nullptr, nullptr, 20);  // wake the clocks up
  for (const double power : powers) {
    const auto work = Bench::array(elements(power));
    const auto bytes = static_cast<std::size_t>(work.length) * sizeof(T);
    if (2 * bytes > pool_bytes) {
      continue;
    }
    auto shifted = work;
    shifted.offset = sizeof(T);
    isofold_schedule ran{};
    constexpr int repeats = 11;
    const double limit = bench.limit(bytes, repeats);
    const double cub = bench.cub_time<T>(work.fold, work.length, repeats);
    const double own = bench.isofold_time<T>(work, nullptr, &ran, repeats);
    const double skew = bench.isofold_time<T>(shifted, nullptr, nullptr, repeats);
    const double cub_alone = bench.cub_time<T>(work.fold, work.length, repeats, true);
    const double alone = bench.isofold_time<T>(work, nullptr, nullptr, repeats, true);
    std::printf("| 2^%.6g | %.2f | %.2f | %.2f | %.3f | %.2f | %.2f | %.3f | %.0f %% | %.2f |"
                " %d, %dx%d |\n",
                power, limit, cub, own, own / cub, cub_alone, alone, alone / cub_alone,
                100 * limit / own, skew, ran.blocks, ran.warps, ran.chunks);
    std::fflush(stdout);
    records.add("isofold", work, name, bytes, own, limit, "in a graph");
    records.add("CUB", work, name, bytes, cub, limit, "in a graph");
    records.add("CUB, one by one", work, name, bytes, cub_alone, limit, "launched one by one");
    records.add("read limit", work, name, bytes, limit, limit, "in a graph");
  }
}

// Times over CUB's, in a graph and launched one by one.
template <class T>
void table_of_kinds(Bench& bench, const char* name) {
  bench.fill_pool<T>();
  for (const int fold : {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_minimum, ISOFOLD_FOLD_maximum}) {
    std::printf("| %s %s |", isofold_fold_name(fold), name);
    for (const double power : {10., 12.3, 14.6, 16., 18., 20., 21.4, 22.585, 24., 26.585, 28.}) {
      const auto work = Bench::array(elements(power), fold);
      for (const bool streamed : {false, true}) {
        const double cub = bench.cub_time<T>(fold, work.length, 7, streamed);
        const double own = bench.isofold_time<T>(work, nullptr, nullptr, 7, streamed);
        std::printf(" %.2f%s", own / cub, streamed ? " |" : ",");
      }
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}
void tables_of_kinds(Bench& bench) {
  std::printf(
      "\n| isofold / CUB: in a graph, one by one | 2^10 | 2^12.3 | 2^14.6 | 2^16 | 2^18 | 2^20 |"
      " 2^21.4 | 2^22.585 | 2^24 | 2^26.585 | 2^28 |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
#define BENCH_KIND(name, number, c_type) table_of_kinds<c_type>(bench, #name);
  ISOFOLD_REAL_TYPES(BENCH_KIND)
#undef BENCH_KIND
}

// Every fold that takes elements of the type, by size, and over rows; locations beside CUB's.
template <class T>
void table_of_folds(Bench& bench, const char* name, const AskedFolds& asked) {
  bench.fill_pool<T>();
  constexpr double sizes[] = {20, 25, 27, 29};
  std::printf(
      "\n| %s, microseconds (share of the limit) | 2^20 | 2^25 | 2^27 | 2^29 | CUB / isofold"
      " | rows 65536 x 2048 |\n|---|---|---|---|---|---|---|\n",
      name);
  bench.isofold_time<T>(Bench::array(1 << 25), nullptr, nullptr, 20);  // wake the clocks up
  const auto cell = [&](const Bench::Work& work) {
    const auto arrays = static_cast<std::size_t>(isofold_fold_arrays(work.fold));
    const auto bytes = arrays * static_cast<std::size_t>(work.elements()) * sizeof(T);
    if (bytes > pool_bytes) {
      std::printf(" |");
      return 0.;
    }
    const double limit = bench.limit(bytes, 5);
    const double own = bench.isofold_time<T>(work, nullptr, nullptr, 5);
    std::printf(" %.2f (%.0f %%) |", own, 100 * limit / own);
    records.add("isofold", work, name, bytes, own, limit, "in a graph");
    return own;
  };
#define BENCH_NUMBER(fold, number) number,
  for (const int fold : {ISOFOLD_FOLDS(BENCH_NUMBER)}) {
#undef BENCH_NUMBER
    if (isofold_result_bytes(fold, static_cast<int>(isofold::type_of<T>)) == 0 ||
        !asked.has(fold)) {
      continue;
    }
    std::printf("| %s |", isofold_fold_name(fold));
    std::string beside;
    for (const double power : sizes) {
      const auto work = Bench::array(elements(power), fold);
      const double own = cell(work);
      if constexpr (std::is_arithmetic_v<T>) {
        if (fold != ISOFOLD_FOLD_argmin && fold != ISOFOLD_FOLD_argmax) {
          continue;
        }
        char ratio[16];
        std::snprintf(ratio, sizeof ratio, " %.2f", bench.cub_time<T>(fold, work.length, 5) / own);
        beside += ratio;
      }
    }
    std::printf("%s |", beside.c_str());
    cell({fold, 65536, 2048, 2048, 0});
    std::printf("\n");
    std::fflush(stdout);
  }
}

// Every fold over short rows, of 2^27 elements in all or 2^24 rows: the share is that of what it
// takes to read them at the limit, and to write the results as fast.
template <class T>
void table_of_short_rows(Bench& bench, const char* name, const AskedFolds& asked) {
  bench.fill_pool<T>();
  constexpr std::int64_t lengths[] = {3, 8, 17, 64, 128, 256, 400, 512, 640, 1000};
  std::printf("\n| short rows of %s, microseconds (share of the limit) |", name);
  for (const std::int64_t length : lengths) {
    std::printf(" %lld |", static_cast<long long>(length));
  }
  std::printf("\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  bench.isofold_time<T>(Bench::array(1 << 25), nullptr, nullptr, 20);  // wake the clocks up
#define BENCH_NUMBER(fold, number) number,
  for (const int fold : {ISOFOLD_FOLDS(BENCH_NUMBER)}) {
#undef BENCH_NUMBER
    const std::int64_t one = isofold_result_bytes(fold, static_cast<int>(isofold::type_of<T>));
    if (one == 0 || !asked.has(fold)) {
      continue;
    }
    std::printf("| %s |", isofold_fold_name(fold));
    for (const std::int64_t length : lengths) {
      const std::int64_t rows = std::min((std::int64_t{1} << 27) / length, std::int64_t{1} << 24);
      const Bench::Work work{fold, rows, length, length, 0};
      const auto bytes =
          static_cast<std::size_t>(isofold_fold_arrays(fold) * work.elements()) * sizeof(T);
      const double limit = bench.limit(bytes + static_cast<std::size_t>(rows * one), 3);
      const double own = bench.isofold_time<T>(work, nullptr, nullptr, 3);
      std::printf(" %.0f (%.0f %%) |", own, 100 * limit / own);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

template <class T>
void table_of_rows(Bench& bench, const char* name) {
  bench.fill_pool<T>();
  std::printf(
      "\n| rows x length (%s), stride | read limit | isofold sum | GB/s | share of the limit |"
      " share with results | CUB segmented | CUB / isofold | unit | blocks, warps x chunks |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n",
      name);
  constexpr std::int64_t shapes[][3] = {{16777216, 1, 1},       {16777216, 4, 4},
                                        {8388608, 7, 7},        {4194304, 16, 16},
                                        {4194304, 17, 17},      {2097152, 32, 32},
                                        {1048576, 64, 64},      {1048576, 63, 63},
                                        {1048576, 64, 65},      {1000000, 100, 100},
                                        {500000, 129, 129},     {65536, 256, 256},
                                        {262144, 256, 256},     {262144, 255, 255},
                                        {262144, 256, 257},     {65536, 1000, 1000},
                                        {65536, 1023, 1023},    {131072, 1024, 1024},
                                        {131072, 1025, 1025},   {65536, 1500, 1501},
                                        {65536, 2048, 2048},    {65536, 2047, 2047},
                                        {65536, 2048, 2049},    {32768, 4096, 4096},
                                        {16384, 10000, 10000},  {16384, 9999, 9999},
                                        {4096, 65536, 65536},   {4096, 65535, 65535},
                                        {512, 131072, 131072},  {64, 4194304, 4194304},
                                        {64, 4194303, 4194303}, {3, 1000000000, 1000000000},
                                        {100, 5000, 5000},      {1000, 64, 64},
                                        {10, 1000, 1000}};
  for (const auto& [rows, length, stride] : shapes) {
    const Bench::Work work{ISOFOLD_FOLD_sum, rows, length, stride, 0};
    const auto bytes = static_cast<std::size_t>(work.elements()) * sizeof(T);
    if (bytes > pool_bytes) {
      continue;
    }
    isofold_schedule ran{};
    const double limit = bench.limit(bytes, 5);
    const double own = bench.isofold_time<T>(work, nullptr, &ran, 5);
    const double cub = bench.segments_time<T>(work, 3);
    // The time to read as fast as that, and to write the results as fast.
    const double both = limit * (1 + static_cast<double>(rows * std::int64_t{sizeof(T)}) /
                                         static_cast<double>(bytes));
    std::printf("| %lld x %lld, %lld | %.2f | %.2f | %.0f | %.0f %% | %.0f %% | %.2f | %.2f | %d |"
                " %d, %dx%d |\n",
                static_cast<long long>(rows), static_cast<long long>(length),
                static_cast<long long>(stride), limit, own, static_cast<double>(bytes) / own * 1e-3,
                100 * limit / own, 100 * both / own, cub, cub / own, ran.unit, ran.blocks,
                ran.warps, ran.chunks);
    std::fflush(stdout);
    if (stride == length) {
      records.add("isofold", work, name, bytes, own, limit, "in a graph");
      records.add("CUB segmented", work, name, bytes, cub, limit, "in a graph");
    }
  }
}

// Sums with the same bits on every GPU, by CUB and by isofold, launched one by one.
template <class T>
void table_of_gpu_to_gpu(Bench& bench, const char* name) {
  bench.fill_pool<T>();
  if (bench.gpu_to_gpu_time<T>(1024, 1) < 0) {
    std::printf("\nCUB's gpu_to_gpu sums of %s: skipped, they came with CCCL 3.1"
                " (ISOFOLD_BENCH_CCCL)\n",
                name);
    return;
  }
  std::printf("\n| n (%s), one by one | CUB | CUB gpu_to_gpu | isofold | gpu_to_gpu / isofold |\n"
              "|---|---|---|---|---|\n",
              name);
  for (const double power : {10., 16., 20., 22., 24., 25., 27., 29.}) {
    const std::int64_t n = elements(power);
    const double cub = bench.cub_time<T>(ISOFOLD_FOLD_sum, n, 5, true);
    const double equal = bench.gpu_to_gpu_time<T>(n, 5);
    const double own = bench.isofold_time<T>(Bench::array(n), nullptr, nullptr, 5, true);
    std::printf("| 2^%.6g | %.2f | %.2f | %.2f | %.2f |\n", power, cub, equal, own, equal / own);
  }
}

// A time, or a dash for one that was not to be had.
std::string time_text(double microseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", microseconds);
  return microseconds > 0 ? text : "-";
}

// Sums by both definitions, and those of exact_v1 over other data than ordinary ones.
template <class T>
void table_of_exact(Bench& bench, const char* name) {
  bench.fill_pool<T>();
  std::printf(
      "\n| n (%s), in graphs | read limit | CUB | gpu_to_gpu, one by one | tree v1 | exact_v1 |"
      " share of the limit | CUB / exact_v1 |\n|---|---|---|---|---|---|---|---|\n",
      name);
  const auto exact_time = [&](const Bench::Work& work) {
    return bench.isofold_time<T>(Bench::exact(work), nullptr, nullptr, 5);
  };
  const auto tree_time = [&](const Bench::Work& work) {
    try {
      return bench.isofold_time<T>(work, nullptr, nullptr, 5);
    } catch (const isofold::Error&) {  // a build with few kernels of tree v1
      return 0.;
    }
  };
  for (const double power : {10., 16., 20., 22., 23., 24., 25., 26., 27., 28., 29.}) {
    const std::int64_t n = elements(power);
    const Bench::Work work = Bench::array(n);
    const double limit = bench.limit(static_cast<std::size_t>(n) * sizeof(T), 3);
    const double cub = bench.cub_time<T>(ISOFOLD_FOLD_sum, n, 5);
    const double equal = bench.gpu_to_gpu_time<T>(n, 5);
    const double own = exact_time(work);
    std::printf("| 2^%.6g | %.2f | %.2f | %s | %s | %.2f | %.1f %% | %.3f |\n", power, limit, cub,
                time_text(equal).c_str(), time_text(tree_time(work)).c_str(), own,
                100 * limit / own, cub / own);
  }
  const auto line = [&](const char* what, const Bench::Work& work, bool compares) {
    const std::size_t bytes =
        static_cast<std::size_t>(work.rows * work.length * isofold_fold_arrays(work.fold)) *
        sizeof(T);
    const double limit = bench.limit(bytes, 3);
    const double own = exact_time(work);
    std::printf("| %s | %.2f | %s | %.2f | %.1f %% |\n", what, limit,
                time_text(compares ? tree_time(work) : 0).c_str(), own, 100 * limit / own);
  };
  std::printf("\n| %s | read limit | tree v1 | exact_v1 | share of the limit |\n"
              "|---|---|---|---|---|\n",
              name);
  const std::int64_t n = elements(26);
  for (const int fold :
       {ISOFOLD_FOLD_dot, ISOFOLD_FOLD_norm2, ISOFOLD_FOLD_mean, ISOFOLD_FOLD_variance}) {
    line(isofold_fold_name(fold), Bench::array(n, fold), true);
  }
  // Several of one read; their folds alone are lines above.
  const std::vector<int> list{ISOFOLD_FOLD_sum, ISOFOLD_FOLD_mean, ISOFOLD_FOLD_variance};
  const auto line_of_list = [&](const char* what, const Bench::Work& work) {
    const double limit =
        bench.limit(static_cast<std::size_t>(work.rows * work.length) * sizeof(T), 3);
    const double own = bench.fused_time<T>(Bench::exact(work), list, 5);
    std::printf("| %s | %.2f | - | %.2f | %.1f %% |\n", what, limit, own, 100 * limit / own);
  };
  line_of_list("sum, mean and variance", Bench::array(n));
  line("rows 65536 x 2048", {ISOFOLD_FOLD_sum, 65536, 2048, 2048}, true);
  line("rows 65536 x 2048, variance", {ISOFOLD_FOLD_variance, 65536, 2048, 2048}, true);
  line_of_list("rows 65536 x 2048, sum, mean and variance", {0, 65536, 2048, 2048});
  line("rows 1048576 x 64", {ISOFOLD_FOLD_sum, 1048576, 64, 64}, true);
  line("rows 1048576 x 64, variance", {ISOFOLD_FOLD_variance, 1048576, 64, 64}, true);
  line_of_list("rows 1048576 x 64, sum, mean and variance", {0, 1048576, 64, 64});
  line("rows 1000 x 100000", {ISOFOLD_FOLD_sum, 1000, 100000, 100000}, true);
  bench.spread_pool<T>(1, true);
  line("2^26, an outlier in 1000", Bench::array(n), false);
  for (const int binades : {1, 20, 40, 60, 70, 80, 100, 130, 170, 254, 500, 1000, 2046}) {
    if (binades <= (sizeof(T) == 4 ? 254 : 2046)) {
      bench.spread_pool<T>(binades);
      line(("2^26, over binades: " + std::to_string(binades)).c_str(), Bench::array(n), false);
    }
  }
}

// Elements whose type in memory is another than the one that is computed in.
template <class T>
void lines_of_stored(Bench& bench, const char* name, const std::vector<int>& folds) {
  for (const int fold : folds) {
    std::printf("| %s of %s |", isofold_fold_name(fold), name);
    for (const double power : {20., 25., 27., 29., 30., 0.}) {
      Bench::Work work = Bench::array(elements(power), fold);
      if (power == 0) {
        work = {fold, 65536, 2048, 2048, 0};
      }
      const auto bytes = static_cast<std::size_t>(work.elements()) * sizeof(T) *
                         static_cast<std::size_t>(isofold_fold_arrays(fold));
      const double limit = bench.limit(bytes, 5);
      const double own = bench.isofold_time<T>(work, nullptr, nullptr, 5);
      std::printf(" %.2f (%.0f %%) |", own, 100 * limit / own);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}
void table_of_stored(Bench& bench) {
  bench.fill_pool<std::uint32_t>();
  std::printf("\n| stored elements: time (share of the limit of their bytes) | 2^20 | 2^25 | 2^27 |"
              " 2^29 | 2^30 | rows 65536 x 2048 |\n|---|---|---|---|---|---|---|\n");
  const std::vector<int> floats = {
      ISOFOLD_FOLD_sum,         ISOFOLD_FOLD_maximum, ISOFOLD_FOLD_norm2, ISOFOLD_FOLD_moments,
      ISOFOLD_FOLD_log_sum_exp, ISOFOLD_FOLD_argmax,  ISOFOLD_FOLD_dot};
  lines_of_stored<isofold_f16>(bench, "f16", floats);
  lines_of_stored<isofold_bf16>(bench, "bf16", floats);
  lines_of_stored<isofold::Widened<float>>(bench, "f32 in f64",
                                           {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_dot});
  lines_of_stored<std::int8_t>(bench, "i8", {ISOFOLD_FOLD_sum});
  lines_of_stored<std::uint16_t>(bench, "u16", {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_maximum});
}

struct List {
  const char* text;
  std::vector<int> folds;
};
template <class T>
std::vector<List> lists() {
  const List pairs[] = {
      {"dot, norm2", {ISOFOLD_FOLD_dot, ISOFOLD_FOLD_norm2}},
      {"dot, squared_distance, sum, norm2",
       {ISOFOLD_FOLD_dot, ISOFOLD_FOLD_squared_distance, ISOFOLD_FOLD_sum, ISOFOLD_FOLD_norm2}}};
  if constexpr (!std::is_floating_point_v<T>) {
    return {
        {"sum, norm2", {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_norm2}},
        {"sum, absolute_maximum, norm1, norm2",
         {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_absolute_maximum, ISOFOLD_FOLD_norm1, ISOFOLD_FOLD_norm2}},
        pairs[0],
        pairs[1]};
  } else {
    return {{"sum, minimum", {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_minimum}},
            {"sum, minimum, maximum, argmax",
             {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_minimum, ISOFOLD_FOLD_maximum, ISOFOLD_FOLD_argmax}},
            {"sum, minmax, mean, norm2",
             {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_minmax, ISOFOLD_FOLD_mean, ISOFOLD_FOLD_norm2}},
            {"sum, product, minimum, maximum, absolute_maximum, norm1, norm2, count_nan",
             {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_product, ISOFOLD_FOLD_minimum, ISOFOLD_FOLD_maximum,
              ISOFOLD_FOLD_absolute_maximum, ISOFOLD_FOLD_norm1, ISOFOLD_FOLD_norm2,
              ISOFOLD_FOLD_count_nan}},
            pairs[0],
            pairs[1]};
  }
}

// Several folds at once, and after that each in a launch of its own.
template <class T>
void table_of_lists(Bench& bench, const char* name, const AskedFolds& asked) {
  bench.fill_pool<T>();
  std::printf("\n| several folds of %s: together (share of the limit), one after the other | 2^13 |"
              " 2^16 | 2^20 | 2^25 | 2^27 | 2^29 | rows 65536 x 2048 | 2^19 x 256 | 2^21 x 64 |\n"
              "|---|---|---|---|---|---|---|---|---|---|\n",
              name);
  const Bench::Work works[] = {Bench::array(elements(13)),
                               Bench::array(elements(16)),
                               Bench::array(elements(20)),
                               Bench::array(elements(25)),
                               Bench::array(elements(27)),
                               Bench::array(elements(29)),
                               {ISOFOLD_FOLD_sum, 65536, 2048, 2048, 0},
                               {ISOFOLD_FOLD_sum, 1 << 19, 256, 256, 0},
                               {ISOFOLD_FOLD_sum, 1 << 21, 64, 64, 0}};
  for (const auto& [text, folds] : lists<T>()) {
    if (!std::all_of(folds.begin(), folds.end(), [&](int fold) { return asked.has(fold); })) {
      continue;
    }
    std::printf("| %s |", text);
    for (Bench::Work work : works) {
      const double limit = bench.limit(Bench::bytes_of<T>(work, folds), 5);
      const double together = bench.fused_time<T>(work, folds, 5);
      double apart = 0;
      for (const int fold : folds) {
        work.fold = fold;
        apart += bench.isofold_time<T>(work, nullptr, nullptr, 3);
      }
      std::printf(" %.2f (%.0f %%), %.2f |", together, 100 * limit / together, apart);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

// Random shapes, to find cliffs: arrays of any length and alignment, rows of any length and stride.
class Sweep {
 public:
  explicit Sweep(Bench& bench) : bench_(bench) {
    for (double power = 12; power <= 30; power += 0.5) {
      const auto bytes = static_cast<std::size_t>(std::exp2(power)) / 16 * 16;
      limits_.push_back({static_cast<double>(bytes), bench_.limit(bytes, 3)});
    }
  }
  void run(int shapes) {
    for (int i = 0; i < shapes; ++i) {
      draw() % 2 == 0 ? one<float>("f32") : one<double>("f64");
    }
    std::sort(found_.begin(), found_.end(),
              [](const Found& a, const Found& b) { return a.share < b.share; });
    std::printf("\n%d random shapes; the worst of those of so many bytes:\n\n"
                "| shape | read limit | isofold sum | share of the limit |\n|---|---|---|---|\n",
                shapes);
    report(0, 1 << 20, "below 1 MiB");
    report(1 << 20, 16 << 20, "1 to 16 MiB");
    report(16 << 20, std::int64_t{1} << 40, "above 16 MiB");
  }

 private:
  struct Found {
    double share, limit, own;
    std::int64_t bytes;
    std::string text;
  };
  std::uint64_t draw() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return state_ >> 33;
  }
  std::int64_t log_uniform(double low, double high) {
    return static_cast<std::int64_t>(
        std::exp2(low + (high - low) * static_cast<double>(draw()) * 0x1p-31));
  }
  double limit_of(double bytes) const {
    std::size_t i = 1;
    while (i + 1 < limits_.size() && limits_[i].first < bytes) {
      ++i;
    }
    const auto& [x0, y0] = limits_[i - 1];
    const auto& [x1, y1] = limits_[i];
    return std::max(limits_[0].second, y0 + (y1 - y0) * (bytes - x0) / (x1 - x0));
  }
  template <class T>
  void one(const char* name) {
    bench_.fill_pool_once<T>();
    Bench::Work work;
    work.offset = draw() % 4 * sizeof(T);
    work.length = log_uniform(10, 27.9);
    if (draw() % 2 == 0) {
      const std::int64_t all = log_uniform(14, 27);
      work.length = std::min(all, log_uniform(0, 20));
      work.rows = std::max<std::int64_t>(2, all / work.length);
    }
    constexpr std::int64_t gaps[] = {0, 0, 1, 3, 4, 7};
    work.stride = work.length + gaps[draw() % 6];
    const auto bytes = work.elements() * static_cast<std::int64_t>(sizeof(T));
    isofold_schedule ran{};
    const double own = bench_.isofold_time<T>(work, nullptr, &ran, 5);
    const double limit = limit_of(static_cast<double>(bytes));
    char text[200];
    std::snprintf(text, sizeof text, "%s %lld x %lld, stride %lld, %zu bytes off (unit %d)", name,
                  static_cast<long long>(work.rows), static_cast<long long>(work.length),
                  static_cast<long long>(work.stride), work.offset, ran.unit);
    found_.push_back({limit / own, limit, own, bytes, text});
  }
  void report(std::int64_t from, std::int64_t to, const char* name) const {
    int count = 0;
    for (const Found& found : found_) {
      if (found.bytes >= from && found.bytes < to && ++count <= 8) {
        std::printf("| %s: %s | %.2f | %.2f | %.0f %% |\n", name, found.text.c_str(), found.limit,
                    found.own, 100 * found.share);
      }
    }
  }

  Bench& bench_;
  std::uint64_t state_ = 20261121;
  std::vector<std::pair<double, double>> limits_;
  std::vector<Found> found_;
};

// Host microseconds to enqueue one call, the best of several bursts that fit into the launch queue.
template <class Call>
double enqueued(cudaStream_t stream, Call&& call) {
  double best = 1e30;
  for (int burst = 0; burst < 50; ++burst) {
    constexpr int calls = 200;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) {
      call();
    }
    const std::chrono::duration<double, std::micro> spent =
        std::chrono::steady_clock::now() - begin;
    BENCH_CHECK(cudaStreamSynchronize(stream));
    best = std::min(best, spent.count() / calls);
  }
  return best;
}

void table_of_enqueuing(Bench& bench) {
  isofold_options options{};
  options.size = sizeof options;
  options.backend = "cuda";
  options.has_stream = 1;
  options.stream = bench.timer.stream();
  isofold_reducer* trusting = nullptr;
  isofold::check(isofold_create(&options, &trusting));
  std::printf("\n| n (f32), host microseconds a call | empty kernel | isofold | no validation |\n"
              "|---|---|---|---|\n");
  for (const std::int64_t n : {1LL << 10, 1LL << 14, 1LL << 16}) {
    const isofold_request asked = Bench::request<float>(bench.pool, Bench::array(n), bench.result);
    const double empty =
        enqueued(bench.timer.stream(), [&] { nothing<<<1, 32, 0, bench.timer.stream()>>>(); });
    const double own = enqueued(bench.timer.stream(),
                                [&] { isofold::check(isofold_reduce(bench.reducer, &asked)); });
    const double bare =
        enqueued(bench.timer.stream(), [&] { isofold::check(isofold_reduce(trusting, &asked)); });
    std::printf("| %lld | %.2f | %.2f | %.2f |\n", static_cast<long long>(n), empty, own, bare);
  }
  isofold_destroy(trusting);
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
    isofold_request asked = Bench::request<float>(bench.pool, Bench::array(n), &host);
    asked.flags = ISOFOLD_BLOCKING;
    bench::CubReduce cub(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f32, n);
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

// Every tiling of a fold over 2^power elements, a line each: type, fold, n, warps, chunks, blocks,
// microseconds in a graph and one by one. Blocks of 2 to 16 warps, so many a multiprocessor that
// all of them together take the array in about one wave, or in several.
template <class T>
void tune(Bench& bench, const char* name, int fold, double power, std::FILE* file) {
  bench.fill_pool_once<T>();
  constexpr int multiprocessors = 132;
  constexpr int chunks_at_once = sizeof(T) == 4 ? 2 : 1;  // by a warp
  const std::int64_t n = elements(power);
  if (static_cast<std::size_t>(n) * sizeof(T) * 2 > pool_bytes) {
    return;
  }
  const Bench::Work work = Bench::array(n, fold);
  const auto line = [&](const isofold_schedule* wish, int repeats) {
    isofold_schedule ran{};
    const double graph = bench.isofold_time<T>(work, wish, &ran, repeats);
    const double alone = bench.isofold_time<T>(work, wish, nullptr, repeats, true);
    std::fprintf(file, "%s %s 2^%.6g %s %d %d %d %.3f %.3f\n", name, isofold_fold_name(fold), power,
                 wish == nullptr ? "default" : "wish", ran.warps, ran.chunks, ran.blocks, graph,
                 alone);
  };
  line(nullptr, 5);
  for (const int warps : {2, 4, 8, 12, 16}) {
    std::int64_t before = 0;
    for (const double blocks : {0.5, 1., 2., 3., 4., 8., 16., 32.}) {
      const double step = blocks * multiprocessors * warps * chunks_at_once * 1024;
      const auto rounds = static_cast<std::int64_t>(std::ceil(static_cast<double>(n) / step));
      const std::int64_t tile = rounds * warps * chunks_at_once;
      if (rounds == before || tile > 1024 || tile * 1024 > n) {
        continue;
      }
      before = rounds;
      isofold_schedule wish{};
      wish.warps = warps;
      wish.chunks = static_cast<std::int32_t>(rounds * chunks_at_once);
      line(&wish, 3);
    }
  }
}
template <class T>
void tune_folds(Bench& bench, const char* name, const AskedFolds& folds, std::FILE* file) {
  for (int fold = 1; isofold_fold_name(fold)[0] != '\0'; ++fold) {
    for (const double power : powers) {
      if (folds.has(fold)) {
        tune<T>(bench, name, fold, power, file);
      }
    }
  }
}

// Every way to share rows, a line each: type rows length unit blocks, microseconds in a graph.
template <class T>
void tune_rows(Bench& bench, const char* name, std::FILE* file) {
  const auto line = [&](std::int64_t rows, std::int64_t length, int unit, int blocks) {
    isofold_schedule wish{};
    wish.unit = unit;
    wish.blocks = blocks;
    std::fprintf(
        file, "%s rows %lld %lld %d %d %.3f\n", name, static_cast<long long>(rows),
        static_cast<long long>(length), unit, blocks,
        bench.isofold_time<T>({ISOFOLD_FOLD_sum, rows, length, length, 0}, &wish, nullptr, 3));
  };
  for (const std::int64_t length : {1, 3, 4, 7, 16, 17, 32, 63, 64, 100, 129, 256, 384, 500}) {
    for (const int blocks : {0, 528, 1056, 2112, 4224, 8448}) {
      line((1 << 26) / std::max<std::int64_t>(length, 4), length, 4, blocks);
    }
  }
  for (const auto& [rows, length] : {std::pair<std::int64_t, std::int64_t>{65536, 600},
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
      line(rows, length, unit, 0);
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count >= 3 && std::strcmp(arguments[count - 2], "--json") == 0) {
    records.file = std::fopen(arguments[count - 1], "w");
    if (records.file == nullptr) {
      std::fprintf(stderr, "%s cannot be written\n", arguments[count - 1]);
      return 2;
    }
    count -= 2;
  }
  Bench bench;
  if (count >= 3 && std::strcmp(arguments[1], "--tune") == 0) {
    std::FILE* file = std::fopen(arguments[2], "w");
    if (file == nullptr) {
      std::fprintf(stderr, "%s cannot be written\n", arguments[2]);
      return 2;
    }
    std::setvbuf(file, nullptr, _IOLBF, 0);
    const AskedFolds folds(count > 3 ? arguments[3] : "sum");
    tune_folds<float>(bench, "f32", folds, file);
    tune_folds<double>(bench, "f64", folds, file);
    if (count == 3) {
      tune_rows<float>(bench, "f32", file);
      tune_rows<double>(bench, "f64", file);
    }
    std::fclose(file);
    return 0;
  }
  const AskedFolds folds = count > 2 ? AskedFolds(arguments[2]) : AskedFolds();
  const auto asked = [&](const char* table) {
    return count < 2 || std::strcmp(arguments[1], table) == 0;
  };
  cudaDeviceProp device{};
  BENCH_CHECK(cudaGetDeviceProperties(&device, 0));
  records.device = device.name;
  std::printf("%s, medians in microseconds, inputs outside the L2\n", device.name);
  if (asked("--sums")) {
    table_of_sums<float>(bench, "f32");
    table_of_sums<double>(bench, "f64");
  }
  if (asked("--kinds")) {
    tables_of_kinds(bench);
  }
  if (asked("--folds")) {
    table_of_folds<float>(bench, "f32", folds);
    table_of_folds<double>(bench, "f64", folds);
  }
  if (asked("--complex")) {
    table_of_folds<std::complex<float>>(bench, "c64", folds);
    table_of_folds<std::complex<double>>(bench, "c128", folds);
  }
  if (asked("--stored")) {
    table_of_stored(bench);
  }
  if (asked("--short")) {
    table_of_short_rows<float>(bench, "f32", folds);
    table_of_short_rows<double>(bench, "f64", folds);
    table_of_short_rows<std::complex<float>>(bench, "c64", folds);
    table_of_short_rows<std::complex<double>>(bench, "c128", folds);
  }
  if (asked("--lists")) {
    table_of_lists<float>(bench, "f32", folds);
    table_of_lists<double>(bench, "f64", folds);
    table_of_lists<std::complex<float>>(bench, "c64", folds);
    table_of_lists<std::complex<double>>(bench, "c128", folds);
  }
  if (asked("--rows")) {
    table_of_rows<float>(bench, "f32");
    table_of_rows<double>(bench, "f64");
  }
  if (asked("--same")) {
    table_of_gpu_to_gpu<float>(bench, "f32");
    table_of_gpu_to_gpu<double>(bench, "f64");
  }
  if (asked("--exact")) {
    table_of_exact<float>(bench, "f32");
    table_of_exact<double>(bench, "f64");
  }
  if (asked("--sweep")) {
    Sweep(bench).run(200);
  }
  if (asked("--calls")) {
    table_of_blocking(bench);
    table_of_enqueuing(bench);
  }
  isofold_destroy(bench.reducer);
  return 0;
}
