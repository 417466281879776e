// workloads_bench: isofold's CUDA backend over the workloads that decisions about special cases
// name (docs/decisions). One line each, `name|microseconds|hash of the results|read limit`, for a
// script that compares the modules of two builds (ISOFOLD_BACKEND_PATH); their hashes must be
// equal.
//   workloads_bench [--only WORDS] [--limits]
#include <isofold/isofold.hpp>

#include <cinttypes>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "timing.hpp"

namespace {

using bench::Timer;

constexpr std::size_t pool_bytes = std::size_t{4} << 30;
constexpr std::size_t result_bytes = std::size_t{256} << 20;
constexpr std::int64_t n = std::int64_t{1} << 27;
constexpr int repeats = 9;

__host__ __device__ std::uint64_t mixed(std::uint64_t s) {
  s = (s + 1) * 0x9E3779B97F4A7C15U;
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
    const auto number =
        static_cast<T>(static_cast<std::int32_t>(mixed(static_cast<std::uint64_t>(i)) >> 32));
    data[i] = std::is_floating_point_v<T> ? number * static_cast<T>(0x1p-31) : number;
  }
}
// Half of a mask's bytes, so many at once.
__global__ void fill_mask(unsigned char* mask, std::int64_t bytes, int run, bool of_bits) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < bytes;
       i += step) {
    const auto drawn = mixed(static_cast<std::uint64_t>(i / run)) >> 40;
    mask[i] = static_cast<unsigned char>(!of_bits  ? drawn & 1U
                                         : run > 1 ? (drawn & 1U) * 255U
                                                   : drawn);
  }
}

// A device copy of a list.
template <class Entry>
class List {
 public:
  explicit List(const std::vector<Entry>& list) {
    BENCH_CHECK(cudaMalloc(&memory_, std::max<std::size_t>(list.size(), 1) * sizeof(Entry)));
    BENCH_CHECK(cudaMemcpy(memory_, list.data(), list.size() * sizeof(Entry), cudaMemcpyDefault));
  }
  ~List() { cudaFree(memory_); }
  List(const List&) = delete;
  List& operator=(const List&) = delete;
  const Entry* data() const { return static_cast<const Entry*>(memory_); }

 private:
  void* memory_ = nullptr;
};

class Random {
 public:
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(mixed(state_++) % static_cast<std::uint64_t>(bound));
  }

 private:
  std::uint64_t state_ = 0;
};

struct Bench {
  Timer timer;
  char* pool = nullptr;
  unsigned char* mask = nullptr;
  char* result = nullptr;
  isofold_reducer* reducer = nullptr;
  std::string only;
  bool has_limits = false;
  std::map<std::size_t, double> limits;

  Bench() {
    BENCH_CHECK(cudaMalloc(&pool, pool_bytes));
    BENCH_CHECK(cudaMalloc(&mask, n + 64));
    BENCH_CHECK(cudaMalloc(&result, result_bytes));
    isofold_options options{};
    options.size = sizeof options;
    options.backend = "cuda";
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
  bool is_asked(const std::string& name) const { return name.find(only) != std::string::npos; }

  template <class T>
  isofold_request request(int fold, int shape, std::int64_t rows, std::int64_t length,
                          isofold_layout* layout = nullptr, std::int64_t first = 0) const {
    isofold_request asked{};
    asked.size = sizeof asked;
    asked.definition = ISOFOLD_DEFINITION_tree_v1;
    asked.fold = fold;
    asked.type = static_cast<std::int32_t>(isofold::type_of<T>);
    asked.shape = shape;
    asked.data = reinterpret_cast<const T*>(pool) + first;
    asked.rows = rows;
    asked.length = asked.stride = length;
    asked.result = result;
    if (layout != nullptr) {
      layout->size = sizeof *layout;
      asked.layout = layout;
      asked.stride = 0;
    }
    return asked;
  }

  // FNV-1a of a MiB at most of what the requests have left.
  std::uint64_t hash_of(const std::vector<isofold_request>& asked) const {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const isofold_request& each : asked) {
      const auto bytes = static_cast<std::size_t>(each.rows) *
                         static_cast<std::size_t>(isofold_result_bytes(each.fold, each.type));
      std::vector<unsigned char> found(std::min(bytes, std::size_t{1} << 20));
      BENCH_CHECK(cudaMemcpy(found.data(), each.result, found.size(), cudaMemcpyDefault));
      for (const unsigned char byte : found) {
        hash = (hash ^ byte) * 0x100000001b3U;
      }
    }
    return hash;
  }
  double limit(std::size_t bytes) {
    if (!has_limits || bytes > pool_bytes) {
      return 0;
    }
    double& known = limits[bytes];
    if (known == 0) {
      const bench::Inputs all{pool, bytes / 256 * 256, bytes < (64U << 20) ? 32 : 1};
      known = bench::read_limit(timer, all, Timer::launches_for(bytes), 5);
    }
    return known;
  }
  // Requests that are one call; arrays come from several places, as far as `apart` says.
  void measure(const std::string& name, std::vector<isofold_request> asked, std::size_t bytes,
               std::size_t apart = 0) {
    if (!is_asked(name)) {
      return;
    }
    for (isofold_request& each : asked) {
      each.result = result + static_cast<std::size_t>(&each - asked.data()) * (result_bytes / 8);
      isofold::check(isofold_reserve(reducer, &each));
    }
    const int slots =
        apart > 0 ? static_cast<int>(std::min<std::size_t>(32, pool_bytes / apart)) : 1;
    const void* const first = asked[0].data;
    const auto enqueue = [&](int i) {
      for (isofold_request& each : asked) {
        each.data = slots == 1 ? first
                               : static_cast<const char*>(first) +
                                     static_cast<std::size_t>(i % slots) * apart;
      }
      isofold::check(asked.size() == 1
                         ? isofold_reduce(reducer, asked.data())
                         : isofold_reduce_fused(reducer, asked.data(),
                                                static_cast<std::int32_t>(asked.size())));
    };
    enqueue(0);
    isofold::check(isofold_synchronize(reducer));
    const std::uint64_t hash = hash_of(asked);
    const double time = timer.microseconds(Timer::launches_for(bytes), repeats, enqueue);
    isofold::check(isofold_synchronize(reducer));
    std::printf("%s|%.2f|%016" PRIx64 "|%.1f\n", name.c_str(), time, hash, limit(bytes));
    std::fflush(stdout);
  }
};

template <class T>
std::string words(int fold, const std::string& what) {
  return std::string(isofold_fold_name(fold)) + ' ' +
         isofold_type_name(static_cast<int>(isofold::type_of<T>)) + ' ' + what;
}

// ---- arrays, and rows, which begin at an odd element or not ------------------------------------

template <class T>
void array(Bench& bench, int fold, int power, std::int64_t first = 0) {
  const std::int64_t length = std::int64_t{1} << power;
  const std::size_t bytes = static_cast<std::size_t>(length) * sizeof(T);
  bench.measure(words<T>(fold, "array 2^" + std::to_string(power) +
                                   (first > 0 ? ", " + std::to_string(first) + " off" : "")),
                {bench.request<T>(fold, ISOFOLD_SHAPE_array, 1, length, nullptr, first)}, bytes,
                std::max<std::size_t>(bytes + 256, 1024));
}
template <class T>
void rows(Bench& bench, int fold, std::int64_t count, std::int64_t length) {
  bench.measure(words<T>(fold, "rows " + std::to_string(count) + " x " + std::to_string(length)),
                {bench.request<T>(fold, ISOFOLD_SHAPE_rows, count, length)},
                static_cast<std::size_t>(count * length) * sizeof(T));
}
void arrays(Bench& bench) {
  for (const int power : {12, 16, 18, 20, 22, 25, 27, 29}) {
    for (const int fold : {ISOFOLD_FOLD_argmin, ISOFOLD_FOLD_argmax, ISOFOLD_FOLD_argminmax}) {
      array<float>(bench, fold, power);
    }
  }
  array<float>(bench, ISOFOLD_FOLD_sum, 27, 1);
  rows<float>(bench, ISOFOLD_FOLD_argmin, 65536, 2048);
  rows<float>(bench, ISOFOLD_FOLD_sum, 16384, 9999);
}

// ---- lists of folds ----------------------------------------------------------------------------

void lists(Bench& bench) {
  const std::vector<int> lists[] = {
      {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_minimum, ISOFOLD_FOLD_maximum, ISOFOLD_FOLD_argmax},
      {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_argmin, ISOFOLD_FOLD_argmax},
      {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_argminmax}};
  for (const std::vector<int>& folds : lists) {
    std::string names;
    for (const int fold : folds) {
      names += std::string(names.empty() ? "" : "+") + isofold_fold_name(fold);
    }
    for (const int power : {16, 20, 25, 27, 29, 0}) {
      const std::int64_t count = power > 0 ? 1 : 65536;
      const std::int64_t length = power > 0 ? std::int64_t{1} << power : 2048;
      std::vector<isofold_request> asked;
      for (const int fold : folds) {
        asked.push_back(bench.request<float>(
            fold, power > 0 ? ISOFOLD_SHAPE_array : ISOFOLD_SHAPE_rows, count, length));
      }
      const std::size_t bytes = static_cast<std::size_t>(count * length) * sizeof(float);
      bench.measure("list " + names + " f32 " +
                        (power > 0 ? "2^" + std::to_string(power) : "rows 65536 x 2048"),
                    asked, bytes, power > 0 ? bytes + 256 : 0);
    }
  }
}

// ---- masks -------------------------------------------------------------------------------------

template <class T>
void masked(Bench& bench, bool of_bits, int run, isofold_layout layout, const std::string& what,
            std::int64_t first = 0, int off = 0) {
  const std::string name =
      words<T>(ISOFOLD_FOLD_sum, "half of " + what + (run > 1 ? " in runs of 64" : "") + " by " +
                                     (off > 0 ? "odd " : "") + (of_bits ? "bits" : "bytes"));
  if (!bench.is_asked(name)) {
    return;
  }
  std::int64_t entries = 1;
  for (int d = 0; d < layout.dimensions; ++d) {
    entries *= layout.extents[d];
  }
  const std::int64_t bytes = of_bits ? (entries + 7) / 8 : entries;
  fill_mask<<<1024, 256>>>(bench.mask + off, bytes, of_bits ? std::max(run / 8, 1) : run, of_bits);
  BENCH_CHECK(cudaDeviceSynchronize());
  layout.mask = bench.mask + off;
  layout.mask_type = of_bits ? ISOFOLD_MASK_bits : ISOFOLD_MASK_bytes;
  bench.measure(name,
                {bench.request<T>(ISOFOLD_FOLD_sum, ISOFOLD_SHAPE_box, 1, entries, &layout, first)},
                static_cast<std::size_t>(run > 1 ? entries / 2 : entries) * sizeof(T) +
                    static_cast<std::size_t>(bytes));
}
isofold_layout line_of(std::int64_t entries) {
  isofold_layout line{};
  line.dimensions = 1;
  line.extents[0] = entries;
  line.strides[0] = 1;
  return line;
}
template <class T>
void all_masked(Bench& bench) {
  for (const bool of_bits : {false, true}) {
    for (const int power : {14, 17, 20, 22, 24, 27}) {
      const isofold_layout line = line_of(std::int64_t{1} << power);
      const std::string what = "2^" + std::to_string(power);
      masked<T>(bench, of_bits, 1, line, what);
      masked<T>(bench, of_bits, 64, line, what);
    }
    masked<T>(bench, of_bits, 1, line_of(n - 1000), "2^27", 1, of_bits ? 4 : 1);
    for (const std::int64_t side : {64, 128, 512}) {
      isofold_layout interior{};
      interior.dimensions = 3;
      const std::int64_t step = side + 2;
      const std::int64_t strides[] = {step * step, step, 1};
      for (int d = 0; d < 3; ++d) {
        interior.extents[d] = side;
        interior.strides[d] = strides[d];
      }
      masked<T>(bench, of_bits, 1, interior, "an interior of " + std::to_string(side) + "^3",
                step * step + step + 1);
    }
  }
}

// ---- segments, and batches ---------------------------------------------------------------------

// Offsets of segments of so many elements in all.
template <class Length>
std::vector<std::int64_t> offsets_of(std::int64_t all, Length&& length) {
  std::vector<std::int64_t> offsets{0};
  while (offsets.back() < all) {
    offsets.push_back(std::min(all, offsets.back() + length()));
  }
  return offsets;
}

template <class T>
void segments(Bench& bench, int fold, const std::string& what,
              const std::vector<std::int64_t>& offsets, const List<std::int64_t>& list,
              bool apart = false) {
  isofold_layout layout{};
  layout.begins = list.data();
  layout.ends = apart ? list.data() + 1 : nullptr;
  layout.index_type = ISOFOLD_TYPE_i64;
  layout.elements = offsets.back();
  const auto count = static_cast<std::int64_t>(offsets.size()) - 1;
  bench.measure(words<T>(fold, "segments of " + what + (apart ? ", begins and ends" : "")),
                {bench.request<T>(fold, ISOFOLD_SHAPE_segments, count, 0, &layout, 1)},
                static_cast<std::size_t>(offsets.back()) * sizeof(T) + offsets.size() * 8);
}
void segments_of_types(Bench& bench, const std::string& what,
                       const std::vector<std::int64_t>& offsets, std::int64_t mean,
                       std::int32_t type) {
  const List<std::int64_t> list(offsets);
  if (type == ISOFOLD_TYPE_f32) {
    segments<float>(bench, ISOFOLD_FOLD_sum, what, offsets, list);
    if (mean >= 256) {
      segments<float>(bench, ISOFOLD_FOLD_maximum, what, offsets, list);
      segments<float>(bench, ISOFOLD_FOLD_argmin, what, offsets, list);
      segments<float>(bench, ISOFOLD_FOLD_sum, what, offsets, list, true);
    }
  } else if (type == ISOFOLD_TYPE_f64) {
    segments<double>(bench, ISOFOLD_FOLD_sum, what, offsets, list);
  } else if (mean >= 256) {
    segments<std::int32_t>(bench, ISOFOLD_FOLD_sum, what, offsets, list);
  }
}
void all_segments(Bench& bench, std::int32_t type) {
  for (const int power : {22, 27}) {
    const std::int64_t all = std::int64_t{1} << power;
    const std::string in_all = power == 27 ? "" : ", 2^" + std::to_string(power) + " in all";
    for (const std::int64_t mean :
         {16, 64, 128, 256, 320, 400, 512, 768, 1024, 2048, 4096, 16384, 65536, 300000}) {
      Random random;
      segments_of_types(bench, "mean " + std::to_string(mean) + in_all,
                        offsets_of(all, [&] { return random.below(2 * mean + 1); }), mean, type);
    }
    for (const std::int64_t length : {400, 1000, 1024, 2048, 4096, 5000}) {
      segments_of_types(bench, "exactly " + std::to_string(length) + in_all,
                        offsets_of(all, [&] { return length; }), length, type);
    }
  }
  Random random;
  segments_of_types(
      bench, "a power law",
      offsets_of(n,
                 [&] {
                   const double u = static_cast<double>(random.below(1 << 30) + 1) * 0x1p-30;
                   return static_cast<std::int64_t>(std::min(4 * std::pow(u, -0.8), 4e6));
                 }),
      19, type);
  std::int64_t made = 0;
  segments_of_types(bench, "67 and one of half of all",
                    offsets_of(n, [&] { return ++made == 1000 ? n / 2 : random.below(135); }), 67,
                    type);
}

template <class T>
void batches(Bench& bench) {
  for (const std::int64_t mean : {400, 1000, 5000, 50000}) {
    Random random;
    std::vector<const T*> arrays;
    std::vector<std::int64_t> lengths;
    std::int64_t total = 0;
    while (total < n) {
      lengths.push_back(1 + random.below(2 * mean));
      arrays.push_back(reinterpret_cast<const T*>(bench.pool) + total);
      total += lengths.back();
    }
    const List<const T*> list(arrays);
    const List<std::int64_t> ends(lengths);
    isofold_layout layout{};
    layout.ends = ends.data();
    layout.index_type = ISOFOLD_TYPE_i64;
    isofold_request asked = bench.request<T>(ISOFOLD_FOLD_sum, ISOFOLD_SHAPE_batch,
                                             static_cast<std::int64_t>(arrays.size()), 0, &layout);
    asked.data = list.data();
    bench.measure(words<T>(ISOFOLD_FOLD_sum, "batch of arrays of mean " + std::to_string(mean)),
                  {asked}, static_cast<std::size_t>(total) * sizeof(T) + arrays.size() * 16);
  }
}

}  // namespace

int main(int count, char** arguments) {
  Bench bench;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--limits") == 0) {
      bench.has_limits = true;
    } else if (std::strcmp(arguments[i], "--only") == 0 && i + 1 < count) {
      bench.only = arguments[++i];
    } else {
      std::fprintf(stderr, "usage: %s [--only WORDS] [--limits]\n", arguments[0]);
      return 2;
    }
  }
  bench.fill_pool<float>();
  arrays(bench);
  lists(bench);
  all_masked<float>(bench);
  all_segments(bench, ISOFOLD_TYPE_f32);
  batches<float>(bench);
  bench.fill_pool<std::int32_t>();
  all_segments(bench, ISOFOLD_TYPE_i32);
  batches<std::int32_t>(bench);
  bench.fill_pool<double>();
  for (const int power : {12, 20, 27}) {
    array<double>(bench, ISOFOLD_FOLD_argmin, power);
  }
  all_masked<double>(bench);
  all_segments(bench, ISOFOLD_TYPE_f64);
  isofold_destroy(bench.reducer);
  return 0;
}
