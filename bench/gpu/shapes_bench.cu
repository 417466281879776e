// shapes_bench: isofold's CUDA backend on shapes beyond arrays and rows, beside the read limit of
// as many bytes as each must read, and CUB's segmented sums. Markdown tables; --json F writes the
// lines to the file F too, --only W keeps the lines of shapes that have W in their words, --hashes
// prints a hash of the first MiB of each line's results.
#include <isofold/isofold.hpp>

#include <cinttypes>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "../record.hpp"
#include "timing.hpp"

namespace {

using bench::Timer;

constexpr std::size_t pool_bytes = std::size_t{10} << 30;
constexpr std::int64_t n = std::int64_t{1} << 27;
constexpr int launches = 4;
constexpr int repeats = 5;

template <class T>
__global__ void fill(T* data, std::int64_t count) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step) {
    const auto word = static_cast<std::uint32_t>(static_cast<std::uint64_t>(i) * 2654435761U >> 8);
    data[i] = static_cast<T>(static_cast<std::int32_t>(word)) * static_cast<T>(0x1p-31);
  }
}

// A device copy of a list.
template <class Entry>
class List {
 public:
  explicit List(const std::vector<Entry>& list) {
    const std::size_t bytes = std::max<std::size_t>(list.size(), 1) * sizeof(Entry);
    BENCH_CHECK(cudaMalloc(&memory_, bytes));
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
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::int64_t>((state_ >> 33) * static_cast<std::uint64_t>(bound) >> 31);
  }

 private:
  std::uint64_t state_ = 1;
};

// Offsets of segments of n elements in all.
template <class Length>
std::vector<std::int64_t> offsets_of(Length&& length) {
  std::vector<std::int64_t> offsets{0};
  while (offsets.back() < n) {
    offsets.push_back(std::min(n, offsets.back() + length()));
  }
  return offsets;
}

struct Bench {
  Timer timer;
  void* pool = nullptr;
  void* result = nullptr;
  isofold_reducer* reducer = nullptr;
  std::FILE* file = nullptr;
  std::string device;
  std::string only;  // part of the shapes' words
  bool hashes = false;

  bool is_asked(const std::string& what) const { return what.find(only) != std::string::npos; }

  // FNV-1a of the results that are there, of 1 MiB of them at most.
  std::uint64_t hash_of_results(const isofold_request& asked, std::size_t element_bytes) const {
    constexpr std::size_t most = std::size_t{1} << 20;
    std::vector<unsigned char> bytes(
        std::min(most, static_cast<std::size_t>(asked.rows) * element_bytes));
    BENCH_CHECK(cudaMemcpy(bytes.data(), result, bytes.size(), cudaMemcpyDefault));
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const unsigned char byte : bytes) {
      hash = (hash ^ byte) * 0x100000001b3U;
    }
    return hash;
  }

  Bench() {
    BENCH_CHECK(cudaMalloc(&pool, pool_bytes));
    BENCH_CHECK(cudaMalloc(&result, std::size_t{512} << 20));
    isofold_options options{};
    options.size = sizeof options;
    options.backend = "cuda";
    options.validate = 1;
    options.has_stream = 1;
    options.stream = timer.stream();
    isofold::check(isofold_create(&options, &reducer));
    cudaDeviceProp properties{};
    BENCH_CHECK(cudaGetDeviceProperties(&properties, 0));
    device = properties.name;
  }

  template <class T>
  void fill_pool() {
    fill<<<1024, 256>>>(static_cast<T*>(pool), static_cast<std::int64_t>(pool_bytes / sizeof(T)));
    BENCH_CHECK(cudaDeviceSynchronize());
  }

  template <class T>
  isofold_request request(int fold, int shape, std::int64_t rows, std::int64_t length,
                          isofold_layout& layout) const {
    layout.size = sizeof layout;
    isofold_request request{};
    request.size = sizeof request;
    request.definition = ISOFOLD_DEFINITION_tree_v1;
    request.fold = fold;
    request.type = static_cast<std::int32_t>(isofold::type_of<T>);
    request.shape = shape;
    request.data = pool;
    request.rows = rows;
    request.length = length;
    request.result = result;
    request.layout = &layout;
    return request;
  }

  // One line: what is folded, and the bytes that must be read for it.
  void measure(const std::string& what, const isofold_request& asked, std::size_t bytes,
               double peer = 0) {
    if (!is_asked(what)) {
      return;
    }
    isofold::check(isofold_reserve(reducer, &asked));
    const auto enqueue = [&](int) { isofold::check(isofold_reduce(reducer, &asked)); };
    const bench::Inputs inputs{static_cast<const char*>(pool), bytes / 256 * 256, 1};
    const double limit = bench::read_limit(timer, inputs, launches, repeats);
    const double own = timer.microseconds(launches, repeats, enqueue);
    isofold::check(isofold_synchronize(reducer));
    std::printf("| %s %s, %s | %.1f | %.1f | %.0f | %.0f %% |", isofold_fold_name(asked.fold),
                isofold_type_name(asked.type), what.c_str(), limit, own,
                static_cast<double>(bytes) / own * 1e-3, 100 * limit / own);
    peer > 0 ? std::printf(" %.1f | %.2f |", peer, peer / own) : std::printf(" | |");
    if (hashes) {
      const std::size_t element_bytes = asked.type == ISOFOLD_TYPE_f64 ? 8 : 4;
      std::printf(" %016" PRIx64 " |", hash_of_results(asked, element_bytes));
    }
    std::printf("\n");
    std::fflush(stdout);
    record("isofold", what, asked, bytes, own, limit);
    if (peer > 0) {
      record("CUB segmented", what, asked, bytes, peer, limit);
    }
  }

  void record(const char* name, const std::string& what, const isofold_request& asked,
              std::size_t bytes, double microseconds, double limit) const {
    if (file == nullptr) {
      return;
    }
    bench::Record r;
    r.program = "shapes_bench";
    r.device = device;
    r.name = name;
    r.backend = std::strcmp(name, "isofold") == 0 ? "cuda" : "";
    r.fold = isofold_fold_name(asked.fold);
    r.type = isofold_type_name(asked.type);
    r.shape = what;
    r.rows = asked.rows;
    r.length = asked.length;
    r.bytes = static_cast<std::int64_t>(bytes);
    r.time = {microseconds * 1e-6, microseconds * 1e-6, 0};
    r.limit = limit * 1e-6;
    std::fputs(bench::json_of(r).c_str(), file);
  }
};

template <class T>
void segments(Bench& bench, const std::string& what, const std::vector<std::int64_t>& offsets) {
  const auto rows = static_cast<std::int64_t>(offsets.size()) - 1;
  const std::string words = std::to_string(rows) + " segments, " + what;
  if (!bench.is_asked(words)) {
    return;
  }
  const List<std::int64_t> list(offsets);
  bench::CubRagged cub(sizeof(T) == 8, rows, list.data());
  const double peer = bench.timer.microseconds(rows > 5000000 ? 1 : 2, 3, [&](int) {
    cub.enqueue(bench.pool, bench.result, bench.timer.stream());
  });
  isofold_layout layout{};
  layout.begins = list.data();
  layout.index_type = ISOFOLD_TYPE_i64;
  layout.elements = n;
  const auto bytes = static_cast<std::size_t>(n) * sizeof(T) + offsets.size() * 8;
  bench.measure(words, bench.request<T>(ISOFOLD_FOLD_sum, ISOFOLD_SHAPE_segments, rows, 0, layout),
                bytes, peer);
}

template <class T>
void all_segments(Bench& bench) {
  Random random;
  const auto uniform = [&bench](Random& lengths, std::int64_t mean) {
    segments<T>(bench, "mean length " + std::to_string(mean),
                offsets_of([&] { return lengths.below(2 * mean + 1); }));
  };
  for (const std::int64_t mean : {8, 64, 1024, 65536}) {
    uniform(random, mean);
  }
  for (const std::int64_t mean : {16, 32, 128, 256, 400}) {
    Random others;
    uniform(others, mean);
  }
  segments<T>(bench, "power law", offsets_of([&] {
                const double u = static_cast<double>(random.below(1 << 30) + 1) * 0x1p-30;
                return static_cast<std::int64_t>(std::min(4 * std::pow(u, -0.8), 4e6));
              }));
  std::int64_t made = 0;
  segments<T>(bench, "one of them half of all",
              offsets_of([&] { return ++made == 1000 ? n / 2 : random.below(135); }));
}

template <class T>
void box(Bench& bench, const std::string& what, int fold, const std::vector<std::int64_t>& extents,
         const std::vector<std::int64_t>& strides, std::uint32_t kept, std::int64_t first = 0) {
  isofold_layout layout{};
  layout.dimensions = static_cast<std::int32_t>(extents.size());
  layout.kept = kept;
  std::int64_t rows = 1;
  std::int64_t length = 1;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    layout.extents[d] = extents[d];
    layout.strides[d] = strides[d];
    ((kept >> d & 1U) != 0 ? rows : length) *= extents[d];
  }
  isofold_request asked = bench.request<T>(fold, ISOFOLD_SHAPE_box, rows, length, layout);
  asked.data = static_cast<const T*>(bench.pool) + first;
  bench.measure(what, asked, static_cast<std::size_t>(rows * length) * sizeof(T));
}

template <class T>
void all_boxes(Bench& bench) {
  const std::int64_t columns[][2] = {{65536, 2048}, {2048, 65536}, {8, 1 << 24}, {1 << 24, 8},
                                     {65536, 256},  {1 << 24, 3},  {1 << 22, 19}};
  for (const auto& [rows, count] : columns) {
    box<T>(bench, "columns of " + std::to_string(rows) + " x " + std::to_string(count),
           ISOFOLD_FOLD_sum, {rows, count}, {count, 1}, 2);
  }
  for (const std::int64_t ghosts : {1, 2, 4}) {
    const std::int64_t side = 512 + 2 * ghosts;
    for (const int fold : {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_maximum}) {
      box<T>(bench, "interior of 512^3, ghosts " + std::to_string(ghosts), fold, {512, 512, 512},
             {side * side, side, 1}, 0, ghosts * (side * side + side + 1));
    }
  }
  for (std::uint32_t kept = 1; kept < 7; ++kept) {
    std::string axes;
    for (int d = 0; d < 3; ++d) {
      axes += (kept >> d & 1U) == 0 ? std::string(1, "xyz"[d]) : "";
    }
    box<T>(bench, "512^3 over " + axes, ISOFOLD_FOLD_sum, {512, 512, 512}, {512 * 512, 512, 1},
           kept);
    box<T>(bench, "512^3 over " + axes + ", the first index nearest", ISOFOLD_FOLD_sum,
           {512, 512, 512}, {1, 512, 512 * 512}, kept);
  }
  const std::int64_t side = 322;
  box<T>(bench, "interior of 320^3 vectors of 3", ISOFOLD_FOLD_sum, {320, 320, 320, 3},
         {side * side * 3, side * 3, 3, 1}, 8, 3 * (side * side + side + 1));
  for (const std::int64_t each : {100, 200, 500}) {
    for (const int fold :
         {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_argmin, ISOFOLD_FOLD_moments, ISOFOLD_FOLD_log_sum_exp}) {
      if (each == 500 || fold == ISOFOLD_FOLD_sum) {
        box<T>(bench, std::to_string(each) + "^3, the first index nearest", fold,
               {each, each, each}, {1, each, each * each}, 0);
      }
    }
  }
  box<T>(bench, "300 x 300 x 1000, the first index nearest", ISOFOLD_FOLD_sum, {300, 300, 1000},
         {1, 300000, 300}, 0);
  box<T>(bench, "500^3, the second index nearest", ISOFOLD_FOLD_sum, {500, 500, 500},
         {250000, 1, 500}, 0);
  const std::int64_t nearest[][2] = {{10000, 10000}, {1 << 24, 8},   {4067200, 33}, {1 << 21, 64},
                                     {268416, 500},  {131200, 1023}, {65536, 2000}, {8, 1 << 24}};
  for (const auto& [lines, count] : nearest) {
    box<T>(bench,
           std::to_string(lines) + " x " + std::to_string(count) + ", the first index nearest",
           ISOFOLD_FOLD_sum, {lines, count}, {1, lines}, 0);
  }
  for (const std::int64_t count : {64, 512, 1024}) {
    const std::int64_t lines = n / 256 / count;
    box<T>(bench,
           "256 x " + std::to_string(lines) + " x " + std::to_string(count) +
               " over xz, the first index nearest",
           ISOFOLD_FOLD_sum, {256, lines, count}, {1, 256, 256 * lines}, 2);
  }
}

template <class T>
void gather(Bench& bench) {
  Random random;
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < n; i += 2) {
    indices.push_back(i + random.below(2));
  }
  const List<std::int64_t> list(indices);
  isofold_layout layout{};
  layout.indices = list.data();
  layout.index_type = ISOFOLD_TYPE_i64;
  layout.elements = n;
  const auto count = static_cast<std::int64_t>(indices.size());
  // Every sector of the data is touched.
  bench.measure("gather of every other element",
                bench.request<T>(ISOFOLD_FOLD_sum, ISOFOLD_SHAPE_gather, 1, count, layout),
                static_cast<std::size_t>(n) * sizeof(T) + indices.size() * 8);
}

// Entries of a mask, half of them selected at random, so many at once.
std::vector<unsigned char> random_mask(std::int32_t type, int run) {
  Random random;
  std::vector<unsigned char> entries(
      static_cast<std::size_t>(type == ISOFOLD_MASK_bits ? n / 8 : n));
  const int bytes = std::max(type == ISOFOLD_MASK_bits ? run / 8 : run, 1);  // of a run
  const int all = type == ISOFOLD_MASK_bits ? 255 : 1;
  for (std::size_t i = 0; i < entries.size(); i += static_cast<std::size_t>(bytes)) {
    const bool is_mixed = type == ISOFOLD_MASK_bits && run == 1;
    const auto entry = is_mixed ? random.below(256) : random.below(2) * all;
    std::fill_n(entries.begin() + static_cast<std::ptrdiff_t>(i), bytes,
                static_cast<unsigned char>(entry));
  }
  return entries;
}

// Sums half of n elements, over all or over axes. Single elements touch every sector of the data,
// runs half of them.
template <class T>
void masked(Bench& bench, std::int32_t type, int run, isofold_layout layout,
            const std::string& elements, std::int64_t first = 0) {
  const std::string what = "half of " + elements +
                           (run > 1 ? " in runs of " + std::to_string(run) : "") +
                           " by a mask of " + (type == ISOFOLD_MASK_bits ? "bits" : "bytes");
  if (!bench.is_asked(what)) {
    return;
  }
  const List<unsigned char> list(random_mask(type, run));
  layout.mask = list.data();
  layout.mask_type = type;
  std::int64_t rows = 1;
  for (int d = 0; d < layout.dimensions; ++d) {
    rows *= (layout.kept >> d & 1U) != 0 ? layout.extents[d] : 1;
  }
  isofold_request asked =
      bench.request<T>(ISOFOLD_FOLD_sum, ISOFOLD_SHAPE_box, rows, n / rows, layout);
  asked.data = static_cast<const T*>(bench.pool) + first;
  const std::int64_t touched = run > 1 ? n / 2 : n;
  bench.measure(what, asked,
                static_cast<std::size_t>(touched) * sizeof(T) +
                    static_cast<std::size_t>(type == ISOFOLD_MASK_bits ? n / 8 : n));
}

template <class T>
void all_masked(Bench& bench) {
  isofold_layout line{};
  line.dimensions = 1;
  line.extents[0] = n;
  line.strides[0] = 1;
  isofold_layout interior{};
  interior.dimensions = 3;
  const std::int64_t strides[] = {514 * 514, 514, 1};
  for (int d = 0; d < 3; ++d) {
    interior.extents[d] = 512;
    interior.strides[d] = strides[d];
  }
  for (const std::int32_t type : {ISOFOLD_MASK_bytes, ISOFOLD_MASK_bits}) {
    masked<T>(bench, type, 1, line, "2^27");
    masked<T>(bench, type, 64, line, "2^27");
    masked<T>(bench, type, 1, interior, "an interior of 512^3", 514 * 514 + 514 + 1);
  }
  isofold_layout field = interior;
  field.strides[0] = 512 * 512;
  field.strides[1] = 512;
  const char* const axes[] = {"z", "y", "yz", "x", "xz", "xy"};
  for (std::uint32_t over = 1; over <= 6; ++over) {
    field.kept = 7 - over;
    masked<T>(bench, ISOFOLD_MASK_bytes, 1, field, std::string("512^3 over ") + axes[over - 1]);
  }
}

template <class T>
void batch(Bench& bench) {
  Random random;
  std::vector<const T*> arrays;
  std::vector<std::int64_t> lengths;
  std::int64_t total = 0;
  const auto* const data = static_cast<const T*>(bench.pool);
  for (int i = 0; i < 100000; ++i) {
    lengths.push_back(100 + random.below(9901));
    arrays.push_back(data + total);
    total += lengths.back();
  }
  const List<const T*> list(arrays);
  const List<std::int64_t> ends(lengths);
  isofold_layout layout{};
  layout.ends = ends.data();
  layout.index_type = ISOFOLD_TYPE_i64;
  isofold_request asked =
      bench.request<T>(ISOFOLD_FOLD_sum, ISOFOLD_SHAPE_batch, 100000, 0, layout);
  asked.data = list.data();
  const std::size_t bytes = static_cast<std::size_t>(total) * sizeof(T) + 1600000;
  bench.measure("batch of 100000 arrays of 100 to 10000", asked, bytes);
  layout.elements = total;
  asked = bench.request<T>(ISOFOLD_FOLD_sum, ISOFOLD_SHAPE_joined, 1, 100000, layout);
  asked.data = list.data();
  bench.measure("the same arrays as one", asked, bytes);
}

template <class T>
void table(Bench& bench) {
  bench.fill_pool<T>();
  std::printf("\n| shape | read limit | isofold | GB/s | share of the limit | CUB segmented |"
              " CUB / isofold |%s\n|---|---|---|---|---|---|---|%s\n",
              bench.hashes ? " results |" : "", bench.hashes ? "---|" : "");
  all_segments<T>(bench);
  all_boxes<T>(bench);
  all_masked<T>(bench);
  gather<T>(bench);
  batch<T>(bench);
}

}  // namespace

int main(int count, char** arguments) {
  Bench bench;
  for (int i = 1; i < count; ++i) {
    const bool has_value = i + 1 < count;
    if (std::strcmp(arguments[i], "--hashes") == 0) {
      bench.hashes = true;
    } else if (has_value && std::strcmp(arguments[i], "--only") == 0) {
      bench.only = arguments[++i];
    } else if (has_value && std::strcmp(arguments[i], "--json") == 0) {
      bench.file = std::fopen(arguments[++i], "w");
      if (bench.file == nullptr) {
        std::fprintf(stderr, "%s cannot be written\n", arguments[i]);
        return 2;
      }
    } else {
      std::fprintf(stderr, "usage: %s [--only WORDS] [--hashes] [--json FILE]\n", arguments[0]);
      return 2;
    }
  }
  std::printf("%s, medians in microseconds; the limit is that of the bytes that must be read\n",
              bench.device.c_str());
  table<float>(bench);
  table<double>(bench);
  isofold_destroy(bench.reducer);
  return 0;
}
