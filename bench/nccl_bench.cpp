// Reductions over the GPUs of one process by isofold/nccl.hpp: what a call costs in a CUDA graph
// beside NCCL's own all-reduce of one double, how it scales, and one hash for any decomposition.
//   nccl_bench latency|weak|strong|hash [--gpus N] [--bytes B] [--cuts C]
// weak: B bytes on each GPU (1 GiB); strong: B bytes on all together (8 GiB); hash: C random cuts.
// Times are the least of 7 loops of 20 calls in one graph, on the slowest GPU.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <isofold/nccl.hpp>

namespace {

namespace f = isofold;
using f::array;
using f::exact;
using f::fuse;
using f::nccl::request;

void check_cuda(cudaError_t code, const char* what) {
  if (code != cudaSuccess) {
    throw f::Error(f::Code::device_failure,
                   std::string(what) + " failed: " + cudaGetErrorString(code));
  }
}

// The first `count` GPUs.
struct Gpus {
  std::vector<ncclComm_t> comms;
  std::vector<cudaStream_t> streams;
  std::vector<std::unique_ptr<f::Reducer>> reducers;
  std::vector<f::nccl::Member> members;

  explicit Gpus(int count)
      : comms(static_cast<std::size_t>(count)), streams(static_cast<std::size_t>(count)) {
    f::nccl::detail::check_nccl(ncclCommInitAll(comms.data(), count, nullptr), "ncclCommInitAll");
    for (int g = 0; g < count; ++g) {
      auto& stream = streams[static_cast<std::size_t>(g)];
      check_cuda(cudaSetDevice(g), "cudaSetDevice");
      check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
      reducers.push_back(
          std::make_unique<f::Reducer>(f::Backend::cuda, f::Options{}.device(g).stream(stream)));
      members.push_back({comms[static_cast<std::size_t>(g)], reducers.back().get(), stream});
    }
  }
  ~Gpus() {
    reducers.clear();
    for (std::size_t g = 0; g < comms.size(); ++g) {
      ncclCommDestroy(comms[g]);
      cudaStreamDestroy(streams[g]);
    }
  }
  Gpus(const Gpus&) = delete;
  Gpus& operator=(const Gpus&) = delete;
  [[nodiscard]] int count() const { return static_cast<int>(comms.size()); }
};

// Microseconds of one body(), of which a graph on every stream has 20.
template <class Body>
double time_in_graphs(const Gpus& gpus, Body&& body) {
  constexpr int calls = 20;
  std::vector<cudaGraphExec_t> graphs;
  for (const cudaStream_t stream : gpus.streams) {
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "the capture");
  }
  for (int call = 0; call < calls; ++call) {
    body();
  }
  for (const cudaStream_t stream : gpus.streams) {
    cudaGraph_t graph = nullptr;
    check_cuda(cudaStreamEndCapture(stream, &graph), "the end of the capture");
    graphs.emplace_back();
    check_cuda(cudaGraphInstantiate(&graphs.back(), graph, 0), "cudaGraphInstantiate");
    check_cuda(cudaGraphDestroy(graph), "cudaGraphDestroy");
  }
  double best = INFINITY;
  for (int loop = 0; loop < 8; ++loop) {  // the first one warms up
    std::vector<cudaEvent_t> events(2 * graphs.size());
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      check_cuda(cudaSetDevice(static_cast<int>(g)), "cudaSetDevice");
      check_cuda(cudaEventCreate(&events[2 * g]), "cudaEventCreate");
      check_cuda(cudaEventCreate(&events[2 * g + 1]), "cudaEventCreate");
      // Graphs wait for one another: the first one of a pair lines the GPUs up.
      check_cuda(cudaGraphLaunch(graphs[g], gpus.streams[g]), "cudaGraphLaunch");
      check_cuda(cudaEventRecord(events[2 * g], gpus.streams[g]), "cudaEventRecord");
      check_cuda(cudaGraphLaunch(graphs[g], gpus.streams[g]), "cudaGraphLaunch");
      check_cuda(cudaEventRecord(events[2 * g + 1], gpus.streams[g]), "cudaEventRecord");
    }
    double slowest = 0;
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      float milliseconds = 0;
      check_cuda(cudaStreamSynchronize(gpus.streams[g]), "cudaStreamSynchronize");
      check_cuda(cudaEventElapsedTime(&milliseconds, events[2 * g], events[2 * g + 1]), "timing");
      slowest = std::max(slowest, 1000.0 * static_cast<double>(milliseconds) / calls);
      cudaEventDestroy(events[2 * g]);
      cudaEventDestroy(events[2 * g + 1]);
    }
    best = loop > 0 ? std::min(best, slowest) : best;
  }
  for (const cudaGraphExec_t graph : graphs) {
    check_cuda(cudaGraphExecDestroy(graph), "cudaGraphExecDestroy");
  }
  return best;
}

// Numbers of all signs and of some magnitudes.
template <class T>
std::vector<T> numbers(std::int64_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> made(static_cast<std::size_t>(count));
  for (T& x : made) {
    const std::uint64_t bits = random();
    x = static_cast<T>(
        std::ldexp(static_cast<double>(bits >> 11) - 0x1p52, static_cast<int>(bits & 31U) - 60));
  }
  return made;
}

// A field that is repeated on a GPU, since hosts fill a GiB slowly.
template <class T>
f::Buffer filled(int gpu, std::int64_t count) {
  f::Buffer memory("cuda", static_cast<std::size_t>(count) * sizeof(T), gpu);
  const std::vector<T> tile = numbers<T>(std::min<std::int64_t>(count, 1 << 22), 7);
  auto* const to = static_cast<T*>(memory.data());
  for (std::int64_t at = 0; at < count;) {
    const std::int64_t now =
        std::min<std::int64_t>(static_cast<std::int64_t>(tile.size()), count - at);
    f::check(
        isofold_copy("cuda", gpu, to + at, tile.data(), static_cast<std::size_t>(now) * sizeof(T)));
    at += now;
  }
  return memory;
}

template <class T>
double time_of_sum(const Gpus& gpus, std::int64_t each) {
  std::vector<f::Buffer> memory;
  for (int g = 0; g < gpus.count(); ++g) {
    memory.push_back(filled<T>(g, each));
  }
  f::nccl::Team team(gpus.members);
  auto call = team.prepare_each([&](int g) {
    const auto* const x = static_cast<const T*>(memory[static_cast<std::size_t>(g)].data());
    return std::tuple(request(f::sum, exact(array(x, each))));
  });
  return time_in_graphs(gpus, [&] { call.enqueue(); });
}

// Microseconds of these sums by each GPU's Reducer alone, which leaves its result on the device.
template <class T>
double time_of_local_sum(const Gpus& gpus, std::int64_t each) {
  std::vector<f::Buffer> memory;
  std::vector<f::Buffer> results;
  for (int g = 0; g < gpus.count(); ++g) {
    memory.push_back(filled<T>(g, each));
    results.emplace_back("cuda", sizeof(T), g);
  }
  const auto reduce_all = [&] {
    for (std::size_t g = 0; g < memory.size(); ++g) {
      const auto* const x = static_cast<const T*>(memory[g].data());
      gpus.reducers[g]->reduce(f::sum, exact(array(x, each)), static_cast<T*>(results[g].data()));
    }
  };
  reduce_all();  // allocates the workspaces
  return time_in_graphs(gpus, reduce_all);
}

void measure_latency(const Gpus& gpus) {
  std::vector<f::Buffer> memory;
  for (int g = 0; g < gpus.count(); ++g) {
    memory.emplace_back("cuda", 8, g);
  }
  const double plain = time_in_graphs(gpus, [&] {
    ncclGroupStart();
    for (std::size_t g = 0; g < memory.size(); ++g) {
      ncclAllReduce(memory[g].data(), memory[g].data(), 1, ncclFloat64, ncclSum, gpus.comms[g],
                    gpus.streams[g]);
    }
    ncclGroupEnd();
  });
  std::printf("ncclAllReduce of one double: %.2f us\n", plain);
  const auto print = [](const char* type, std::int64_t each, double team, double local) {
    std::printf("exact %s sum of %lld elements a GPU: %.2f us, of which this GPU alone %.2f us\n",
                type, static_cast<long long>(each), team, local);
  };
  for (const std::int64_t each : {std::int64_t{4096}, std::int64_t{1} << 20}) {
    print("f64", each, time_of_sum<double>(gpus, each), time_of_local_sum<double>(gpus, each));
    print("f32", each, time_of_sum<float>(gpus, each), time_of_local_sum<float>(gpus, each));
  }
}

void measure_scaling(const Gpus& gpus, std::int64_t bytes, bool is_weak) {
  const std::int64_t on_each = is_weak ? bytes : bytes / gpus.count();
  for (const bool is_f64 : {true, false}) {
    const std::int64_t each = on_each / (is_f64 ? 8 : 4);
    const double time = is_f64 ? time_of_sum<double>(gpus, each) : time_of_sum<float>(gpus, each);
    std::printf("%s, exact %s sum, %d GPUs, %lld bytes each: %.1f us, %.1f GB/s\n",
                is_weak ? "weak" : "strong", is_f64 ? "f64" : "f32", gpus.count(),
                static_cast<long long>(on_each), time,
                static_cast<double>(on_each) * gpus.count() / time / 1000);
  }
}

struct Hash {
  std::uint64_t value = 14695981039346656037U;
  template <class T>
  void add(T number) {
    unsigned char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    for (const unsigned char byte : bytes) {
      value = (value ^ byte) * 1099511628211U;
    }
  }
  template <class... T>
  void add_all(const std::tuple<T...>& numbers) {
    std::apply([&](const auto&... number) { (add(number), ...); }, numbers);
  }
};

// All folds of one field, cut at random; and tree v1's of contiguous slices, by Forests.
template <class T>
void add_decomposition(Hash& hash, const Gpus& gpus, const std::vector<T>& x, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto total = static_cast<std::int64_t>(x.size());
  std::vector<std::int64_t> at{0, total};
  for (int g = 1; g < gpus.count(); ++g) {
    at.push_back(static_cast<std::int64_t>(random() % (x.size() + 1)));
  }
  std::sort(at.begin(), at.end());
  std::vector<f::Buffer> memory;
  f::Forest<f::Fold::sum, T> whole(total);
  for (std::size_t g = 0; g + 1 < at.size(); ++g) {
    const std::int64_t count = at[g + 1] - at[g];
    memory.emplace_back("cuda", static_cast<std::size_t>(count + 1) * sizeof(T),
                        static_cast<int>(g));
    if (count > 0) {
      memory.back().copy_from(x.data() + at[g], static_cast<std::size_t>(count) * sizeof(T));
      f::Forest<f::Fold::sum, T> slice(total);
      slice.add(*gpus.reducers[g], static_cast<const T*>(memory.back().data()), at[g], count);
      whole.merge(slice);
    }
  }
  f::nccl::Team team(gpus.members);
  const auto view = [&](int member) {
    const auto g = static_cast<std::size_t>(member);
    return array(static_cast<const T*>(memory[g].data()), at[g + 1] - at[g]);
  };
  auto sums = team.prepare_each([&](int g) {
    return std::tuple(
        request(fuse(exact(f::sum), exact(f::norm1), exact(f::norm2), exact(f::mean),
                     exact(f::variance), f::minimum, f::maximum, f::absolute_maximum),
                view(g)),
        request(fuse(f::count_nonzero, f::count_nan, f::any, f::all, f::none), view(g)),
        request(f::dot, exact(view(g)), exact(view(g))));
  });
  const auto [folds, counts, dot] = sums.results();
  hash.add_all(folds);
  hash.add_all(counts);
  hash.add(dot);
  auto places = team.prepare_each([&](int g) {
    const auto placed = f::nccl::part(view(g), at[static_cast<std::size_t>(g)], total);
    return std::tuple(request(f::argmin, placed), request(f::argmax_last, placed));
  });
  const auto [lowest, highest] = places.results();
  hash.add(lowest.value);
  hash.add(lowest.index);
  hash.add(highest.value);
  hash.add(highest.index);
  hash.add(whole.finish());
}

void print_hashes(const Gpus& gpus, long cuts) {
  const auto doubles = numbers<double>(1000003, 3);
  const auto floats = numbers<float>(1000003, 4);
  std::uint64_t first = 0;
  for (long cut = 0; cut < cuts; ++cut) {
    Hash hash;
    add_decomposition(hash, gpus, doubles, static_cast<std::uint64_t>(cut) * 2 + 1);
    add_decomposition(hash, gpus, floats, static_cast<std::uint64_t>(cut) * 2 + 2);
    first = cut == 0 ? hash.value : first;
    if (hash.value != first) {
      throw f::Error(f::Code::internal, "Cut " + std::to_string(cut) + " has another hash.");
    }
  }
  std::printf("%d GPUs, %ld cuts: hash %016llx\n", gpus.count(), cuts,
              static_cast<unsigned long long>(first));
}

int run(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  int count = 0;
  check_cuda(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  std::int64_t bytes = 0;
  long cuts = 20;
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--gpus") {
      count = std::atoi(argv[i + 1]);
    } else if (option == "--bytes") {
      bytes = std::atoll(argv[i + 1]);
    } else if (option == "--cuts") {
      cuts = std::atol(argv[i + 1]);
    }
  }
  const Gpus gpus(count);
  if (what == "latency") {
    measure_latency(gpus);
  } else if (what == "weak" || what == "strong") {
    const std::int64_t usual = what == "weak" ? std::int64_t{1} << 30 : std::int64_t{1} << 33;
    measure_scaling(gpus, bytes != 0 ? bytes : usual, what == "weak");
  } else if (what == "hash") {
    print_hashes(gpus, cuts);
  } else {
    std::fprintf(stderr, "nccl_bench %s: it measures latency, weak, strong, or prints a hash.\n",
                 what.c_str());
    return 2;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nccl_bench: %s\n", error.what());
    return 1;
  }
}
