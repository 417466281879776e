// All 2^32 floats and 2^30 doubles through exp and log, by every engine of this machine: the hashes
// that every other machine must find too, and the largest errors.
//   unit_exponential_sweep [ENGINE ...]   (every engine of this machine, the widest first)
#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <exponential_hash.hpp>

#include "exponential_judge.hpp"

namespace {

using exponential_hash::Function;
using exponential_test::Apply;
using exponential_test::Engine;
using exponential_test::Wider;

constexpr std::size_t chunk = 1U << 16U;

struct Findings {
  std::uint64_t hash = 0;
  double error = 0;  // the largest, in ulp
  double at = 0;
  std::uint64_t not_nearest =
      0;  // results further than half an ulp, and a little, from the exact one
  std::uint64_t nonpositive_differs = 0;

  void add(const Findings& other) {
    hash += other.hash;
    not_nearest += other.not_nearest;
    nonpositive_differs += other.nonpositive_differs;
    if (other.error > error) {
      error = other.error;
      at = other.at;
    }
  }
};

template <class T>
struct Buffers {
  std::vector<T> input = std::vector<T>(chunk);
  std::vector<T> result = std::vector<T>(chunk);
  std::vector<T> nonpositive = std::vector<T>(chunk);
};

template <class T>
void judge(Function function, const Buffers<T>& buffers, Findings& findings) {
  for (std::size_t i = 0; i < chunk; ++i) {
    const auto x = static_cast<Wider<T>>(buffers.input[i]);
    const Wider<T> exact = function == Function::exp ? std::exp(x) : std::log(x);
    const double error = exponential_test::ulps(buffers.result[i], exact);
    findings.not_nearest += error > 0.501 ? 1U : 0U;
    if (error > findings.error) {
      findings.error = error;
      findings.at = static_cast<double>(x);
    }
  }
}

template <class T>
void sweep_chunk(const Engine& engine, Function function, std::uint64_t first, bool judged,
                 Buffers<T>& buffers, Findings& findings) {
  const auto& functions = engine.of<T>();
  for (std::size_t i = 0; i < chunk; ++i) {
    buffers.input[i] = exponential_hash::input<T>(function, first + i);
  }
  const Apply<T> apply = function == Function::exp ? functions.exp : functions.log;
  apply(buffers.input.data(), buffers.result.data(), chunk);
  using Bits = isofold::core::bits_t<T>;
  for (std::size_t i = 0; i < chunk; ++i) {
    findings.hash +=
        exponential_hash::share(isofold::core::bit_cast<Bits>(buffers.input[i]), buffers.result[i]);
  }
  if (function == Function::exp) {
    functions.exp_nonpositive(buffers.input.data(), buffers.nonpositive.data(), chunk);
    for (std::size_t i = 0; i < chunk; ++i) {
      const auto same = isofold::core::bit_cast<Bits>(buffers.nonpositive[i]) ==
                        isofold::core::bit_cast<Bits>(buffers.result[i]);
      const bool both_nan = buffers.nonpositive[i] != buffers.nonpositive[i] &&
                            buffers.result[i] != buffers.result[i];
      findings.nonpositive_differs += buffers.input[i] > 0 || same || both_nan ? 0U : 1U;
    }
  }
  if (judged) {
    judge(function, buffers, findings);
  }
}

template <class T>
Findings sweep(const Engine& engine, Function function, std::uint64_t count, std::uint64_t judged) {
  Findings all;
  std::mutex mutex;
  std::atomic<std::uint64_t> next{0};
  const auto work = [&] {
    Buffers<T> buffers;
    Findings findings;
    for (std::uint64_t first = next.fetch_add(chunk); first < count;
         first = next.fetch_add(chunk)) {
      sweep_chunk(engine, function, first, first < judged, buffers, findings);
    }
    const std::lock_guard<std::mutex> lock(mutex);
    all.add(findings);
  };
  std::vector<std::thread> threads(std::max(1U, std::thread::hardware_concurrency()));
  for (std::thread& thread : threads) {
    thread = std::thread(work);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  return all;
}

// The errors are those of the first engine: the hashes say that the others' results are the same.
template <class T>
bool report(const char* type, const std::vector<Engine>& engines, std::uint64_t count,
            std::uint64_t judged) {
  bool good = true;
  for (const Function function : {Function::exp, Function::log}) {
    for (std::size_t i = 0; i < engines.size(); ++i) {
      const Findings findings = sweep<T>(engines[i], function, count, i == 0 ? judged : 0);
      const bool right = findings.hash == exponential_hash::expected<T>(function) &&
                         findings.nonpositive_differs == 0 && findings.error <= 1;
      std::printf("%s %s by %s: hash of %" PRIu64 " results %016" PRIx64 "%s\n",
                  function == Function::exp ? "exp" : "log", type, engines[i].name, count,
                  findings.hash, right ? "" : " WRONG");
      if (i == 0) {
        const double share =
            100.0 * static_cast<double>(findings.not_nearest) / static_cast<double>(judged);
        std::printf("  of %" PRIu64 " the largest error is %.6f ulp, at %a; %.4f %% not nearest\n",
                    judged, findings.error, findings.at, share);
      }
      if (findings.nonpositive_differs != 0) {
        std::printf("  exp_nonpositive differs %" PRIu64 " times\n", findings.nonpositive_differs);
      }
      std::fflush(stdout);
      good = good && right;
    }
  }
  return good;
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> wanted(arguments + 1, arguments + count);
  std::vector<Engine> engines;
  for (const Engine& engine : exponential_test::engines()) {
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), engine.name) != wanted.end()) {
      engines.insert(engines.begin(), engine);
    }
  }
  if (engines.empty()) {
    std::fprintf(stderr, "No engine of this machine has such a name. Name scalar or baseline.\n");
    return 2;
  }
  constexpr std::uint64_t all = exponential_hash::inputs_f32;
  constexpr std::uint64_t judged = std::uint64_t{1} << 26;
  const bool floats = report<float>("f32", engines, all, all);
  const bool doubles = report<double>("f64", engines, exponential_hash::inputs_f64, judged);
  return floats && doubles ? 0 : 1;
}
