// layouts_bench: sums over boxes, axes, columns, masks, segments, gathers and batches by the openmp
// backend, on one thread and on all, beside plain loops and Eigen (layout_peer.hpp) and the read
// limit for the bytes of elements, masks and lists. layout_peers.py has the same cases with NumPy.
//   layouts_bench [--json] [--only WORDS]
// A Markdown table, or records; --only: the cases whose names have WORDS in them.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <isofold/isofold.hpp>
#include <layouts_bench_peers.hpp>

#include "layout_peer.hpp"
#include "measure.hpp"
#include "memory.hpp"
#include "read_limit.hpp"

namespace {

using isofold::Reducer;

constexpr std::int64_t edge = 320;             // of the cube
constexpr std::int64_t elements = 1 << 25;     // of masks, segments and gathers
constexpr std::int64_t batch_arrays = 10000;   // of 100 to 10000 elements
constexpr std::int64_t most_in_array = 10000;  // elements

const std::vector<std::int32_t> some_axes[] = {{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}};
unsigned kept_by(const std::vector<std::int32_t>& over) {
  unsigned kept = 7;
  for (const std::int32_t d : over) {
    kept &= ~(1U << d);
  }
  return kept;
}
std::string named(const std::vector<std::int32_t>& axes) {
  std::string name;
  for (const std::int32_t d : axes) {
    name += " " + std::to_string(d);
  }
  return name;
}

double milliseconds(const bench::Time& time) { return time.spread.best * 1e3; }

struct Settings {
  std::string only;  // of the cases whose names have this in them
  bench::Format format = bench::Format::table;
};

const std::vector<const bench::LayoutPeers*>& opened_peers() {
  static const std::vector<const bench::LayoutPeers*> opened = [] {
    std::vector<const bench::LayoutPeers*> all;
    for (const bench::PeerModule& module : bench::peer_modules) {
      const auto peer = bench::open_peer<bench::LayoutPeers>(module);
      if (peer.peer != nullptr) {
        all.push_back(peer.peer);
      } else {
        std::fprintf(stderr, "Peer %s is left out: %s.\n", module.name, peer.why_not.c_str());
      }
    }
    return all;
  }();
  return opened;
}
template <class T>
std::vector<bench::LayoutPeer<T>> peers_of() {
  std::vector<bench::LayoutPeer<T>> peers;
  for (const bench::LayoutPeers* both : opened_peers()) {
    if constexpr (sizeof(T) == 4) {
      peers.push_back(both->f32);
    } else {
      peers.push_back(both->f64);
    }
  }
  return peers;
}

template <class T>
class Table {
  using Peer = bench::LayoutPeer<T>;

 public:
  Table(const char* type, Settings settings)
      : type_(type),
        x_(static_cast<std::size_t>(batch_arrays * most_in_array)),
        settings_(std::move(settings)) {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] = static_cast<T>(i % 1000) * static_cast<T>(0.01);
    }
    sums_.resize(x_.size() / 8);
    limit_of_one_ = find_limit(1);
    limit_of_all_ = find_limit(bench::all_threads());
    if (settings_.format == bench::Format::table) {
      print_head();
    }
  }

  void boxes() {
    const auto cube = isofold::box(x_.data(), {edge, edge, edge});
    row(
        "interior of 320^3, 1 ghost layer", (edge - 2) * (edge - 2) * (edge - 2),
        [=](Reducer& reduce) { sum_ = reduce.sum(isofold::interior(cube, 1)); },
        [=](const Peer& peer) { sum_ = peer.interior(x_.data(), edge, 1); });
    for (const std::vector<std::int32_t>& over : some_axes) {
      row(
          "320^3 over axes" + named(over), edge * edge * edge,
          [=](Reducer& reduce) {
            reduce.sum(isofold::Axes<T>{cube, kept_by(over), {}}, sums_.data());
          },
          [=](const Peer& peer) { peer.axes(x_.data(), edge, kept_by(over), sums_.data()); });
    }
  }

  // Sums of the cube in Fortran's order, or Kokkos' LayoutLeft. Peers add in the order of memory.
  void first_index_nearest() {
    const auto cube = isofold::box(x_.data(), {edge, edge, edge}, {1, edge, edge * edge});
    const std::string nearest = ", the first index nearest";
    row(
        "320^3" + nearest, edge * edge * edge, [=](Reducer& reduce) { sum_ = reduce.sum(cube); },
        [=](const Peer& peer) { sum_ = peer.interior(x_.data(), edge, 0); });
    row(
        "interior of 320^3, 1 ghost layer" + nearest, (edge - 2) * (edge - 2) * (edge - 2),
        [=](Reducer& reduce) { sum_ = reduce.sum(isofold::interior(cube, 1)); },
        [=](const Peer& peer) { sum_ = peer.interior(x_.data(), edge, 1); });
    for (const std::vector<std::int32_t>& over : some_axes) {
      unsigned in_memory = 7;  // of a cube of the other order
      for (const std::int32_t d : over) {
        in_memory &= ~(1U << (2 - d));
      }
      row(
          "320^3 over axes" + named(over) + nearest, edge * edge * edge,
          [=](Reducer& reduce) {
            reduce.sum(isofold::Axes<T>{cube, kept_by(over), {}}, sums_.data());
          },
          [=](const Peer& peer) { peer.axes(x_.data(), edge, in_memory, sums_.data()); });
    }
    for (const auto& [lines, count] : {std::pair<std::int64_t, std::int64_t>{65536, 512},
                                       {21845, 1536},
                                       {4096, 8192},
                                       {1 << 20, 32}}) {
      const auto matrix = isofold::box(x_.data(), {lines, count}, {1, lines});
      row(
          std::to_string(lines) + " x " + std::to_string(count) + nearest, lines * count,
          [=](Reducer& reduce) { sum_ = reduce.sum(matrix); },
          [=, n = lines * count](const Peer& peer) {
            const T* const all[] = {x_.data()};
            peer.batch(all, &n, 1, sums_.data());
          });
    }
  }

  void columns() {
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{4096, 4096},
                                        {65536, 256},
                                        {256, 65536},
                                        {16777216, 2},
                                        {262144, 128}}) {
      const auto matrix = isofold::box(x_.data(), {rows, columns});
      row(
          std::to_string(rows) + " x " + std::to_string(columns) + " over axis 0", rows * columns,
          [=](Reducer& reduce) { reduce.sum(isofold::over(matrix, {0}), sums_.data()); },
          [=, n = rows, c = columns](const Peer& peer) {
            peer.columns(x_.data(), n, c, sums_.data());
          });
    }
  }

  void masks() {
    std::mt19937 random(1);
    const auto x = isofold::array(x_.data(), elements);
    for (const int run : {1, 64}) {
      bench::Array<std::uint8_t> bytes(elements);
      bench::Array<std::uint8_t> bits(elements / 8);
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = i % static_cast<std::size_t>(run) == 0 ? random() & 1U : bytes[i - 1];
        bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | bytes[i] << (i % 8));
      }
      const std::string name = "2^25, half of them, in runs of " + std::to_string(run);
      row(
          "mask of bytes: " + name, elements,
          [&](Reducer& reduce) { sum_ = reduce.sum(isofold::masked(x, bytes.data())); },
          [&](const Peer& peer) { sum_ = peer.masked(x_.data(), bytes.data(), elements); },
          elements);
      row(
          "mask of bits: " + name, elements,
          [&](Reducer& reduce) { sum_ = reduce.sum(isofold::masked_by_bits(x, bits.data())); },
          [&](const Peer& peer) { sum_ = peer.masked_by_bits(x_.data(), bits.data(), elements); },
          elements / 8, [](const Peer& peer) { return peer.masked_by_bits != nullptr; });
    }
  }

  void lists() {
    std::mt19937_64 random(2);
    for (const std::int64_t mean : {8, 64, 1024, 65536}) {
      bench::Array<std::int64_t> offsets{0};
      while (offsets.back() < elements) {
        const auto length =
            static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * mean + 1));
        offsets.push_back(std::min(elements, offsets.back() + length));
      }
      const auto count = static_cast<std::int64_t>(offsets.size()) - 1;
      row(
          "segments of 2^25, 0 to " + std::to_string(2 * mean) + " long", elements,
          [&](Reducer& reduce) {
            reduce.sum(isofold::segments(x_.data(), offsets.data(), count), sums_.data());
          },
          [&](const Peer& peer) { peer.segments(x_.data(), offsets.data(), count, sums_.data()); },
          count * 8);
    }
    bench::Array<std::int32_t> indices;
    for (std::int32_t i = 0; i < elements; ++i) {
      if ((random() & 1U) != 0) {
        indices.push_back(i);
      }
    }
    const auto count = static_cast<std::int64_t>(indices.size());
    row(
        "gather of half of 2^25, in order", elements,
        [&](Reducer& reduce) {
          sum_ = reduce.sum(isofold::gather(x_.data(), indices.data(), count));
        },
        [&](const Peer& peer) { sum_ = peer.gather(x_.data(), indices.data(), count); }, count * 4);
    batch(random);
  }

 private:
  void batch(std::mt19937_64& random) {
    std::vector<const T*> arrays;
    std::vector<std::int64_t> lengths;
    std::int64_t all = 0;
    for (std::int64_t a = 0; a < batch_arrays; ++a) {
      arrays.push_back(x_.data() + a * most_in_array);
      lengths.push_back(100 + static_cast<std::int64_t>(random() % (most_in_array - 99)));
      all += lengths.back();
    }
    row(
        "batch of 10000 arrays of 100 to 10000", all,
        [&](Reducer& reduce) {
          reduce.sum(isofold::batch(arrays.data(), lengths.data(), batch_arrays), sums_.data());
        },
        [&](const Peer& peer) {
          peer.batch(arrays.data(), lengths.data(), batch_arrays, sums_.data());
        },
        batch_arrays * 16);
  }

  void print_head() const {
    std::printf("\n| %s | isofold, one thread | %d threads | GB/s | share of the limit |", type_,
                bench::all_threads());
    std::string under = "\n|---|---|---|---|---|";
    for (const Peer& peer : peers_) {
      std::printf(" %s |", peer.name);
      under += "---|";
    }
    std::printf("%s\n", under.c_str());
  }

  // Seconds a byte of the fastest way to load the elements.
  double find_limit(int threads) const {
    const std::int64_t bytes = elements * std::int64_t{sizeof(T)};
    std::vector<bench::Candidate> ways;
    for (const bench::ReadKernel& kernel : bench::read_kernels()) {
      ways.push_back(
          {kernel.name, [=, this_x = x_.data()] { kernel.read(this_x, bytes, threads); }});
    }
    double best = 1e300;
    for (const bench::Time& time : bench::measure(ways, effort)) {
      best = std::min(best, time.spread.best);
    }
    return best / static_cast<double>(bytes);
  }

  // `more_bytes`: of masks and lists; has(peer): whether it has such a case.
  void row(
      const std::string& name, std::int64_t count, const std::function<void(Reducer&)>& ours,
      const std::function<void(const Peer&)>& theirs, std::int64_t more_bytes = 0,
      bool (*has)(const Peer&) = [](const Peer&) { return true; }) {
    if (name.find(settings_.only) == std::string::npos) {
      return;
    }
    std::vector<bench::Candidate> candidates{{"isofold", [&] { ours(one_); }},
                                             {"isofold", [&] { ours(all_); }}};
    for (const Peer& peer : peers_) {
      if (has(peer)) {
        candidates.push_back({peer.name, [&] { theirs(peer); }});
      }
    }
    const auto times = bench::measure(candidates, effort);
    const std::int64_t bytes = count * std::int64_t{sizeof(T)} + more_bytes;
    if (settings_.format == bench::Format::table) {
      print_row(name, bytes, times, has);
    } else {
      print_records(name, count, bytes, times);
    }
    std::fflush(stdout);
  }

  void print_row(const std::string& name, std::int64_t bytes, const std::vector<bench::Time>& times,
                 bool (*has)(const Peer&)) const {
    const double seconds_a_byte = times[1].spread.best / static_cast<double>(bytes);
    std::printf("| %s | %.1f ms | %.1f ms | %.1f | %.0f %% |", name.c_str(), milliseconds(times[0]),
                milliseconds(times[1]), 1e-9 / seconds_a_byte,
                100 * limit_of_all_ / seconds_a_byte);
    std::size_t at = 2;
    for (const Peer& peer : peers_) {
      has(peer) ? std::printf(" %.1f ms |", milliseconds(times[at++])) : std::printf(" - |");
    }
    std::printf("\n");
  }

  // isofold on one thread and on all; peers have one.
  void print_records(const std::string& name, std::int64_t count, std::int64_t bytes,
                     const std::vector<bench::Time>& times) const {
    for (std::size_t i = 0; i < times.size(); ++i) {
      bench::Record r;
      r.program = "layouts_bench";
      r.device = bench::processor_name();
      r.name = times[i].name;
      r.backend = i < 2 ? "openmp" : "";
      r.guarantee = i < 2 ? "same_bits" : "";
      r.fold = "sum";
      r.type = type_;
      r.shape = name;
      r.length = count;
      r.bytes = bytes;
      r.threads = i == 1 ? bench::all_threads() : 1;
      r.time = times[i].spread;
      r.rates = bench::Rates::best;
      r.limit = (i == 1 ? limit_of_all_ : limit_of_one_) * static_cast<double>(bytes);
      std::fputs(bench::json_of(r).c_str(), stdout);
    }
  }

  static constexpr bench::Effort effort{0.3, 50e-6, 5, 31};
  const std::vector<Peer> peers_ = peers_of<T>();
  const char* type_;
  bench::Array<T> x_;
  bench::Array<T> sums_;
  Settings settings_;
  volatile T sum_ = 0;
  double limit_of_one_ = 0;  // seconds a byte
  double limit_of_all_ = 0;
  Reducer one_{"openmp", isofold::Options().threads(1)};
  Reducer all_{"openmp"};
};

template <class T>
void measure_all(const char* type, const Settings& settings) {
  Table<T> table(type, settings);
  table.boxes();
  table.first_index_nearest();
  table.columns();
  table.masks();
  table.lists();
}

}  // namespace

int main(int count, char** arguments) {
  Settings settings;
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    if (name == "--json") {
      settings.format = bench::Format::json;
    } else if (name == "--only" && i + 1 < count) {
      settings.only = arguments[++i];
    } else {
      std::fprintf(stderr, "usage: %s [--json] [--only WORDS]\n", arguments[0]);
      return 2;
    }
  }
  if (settings.format == bench::Format::table) {
    std::printf("%s, the best round of each\n", bench::processor_name().c_str());
  }
  measure_all<float>("f32", settings);
  measure_all<double>("f64", settings);
  return 0;
}
