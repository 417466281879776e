// isofold_bench: isofold through its public API, its CPU peers and the read limit in one run.
// Axes: fold x type x count x threads; --help says the options. Nothing is asserted about time.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <isofold/detail/core/complex.hpp>
#include <isofold/isofold.hpp>
#include <isofold_bench_peers.hpp>

#include "measure.hpp"
#include "memory.hpp"
#include "peers/peer.hpp"
#include "read_limit.hpp"

namespace bench {

namespace {

const std::vector<const Peer*>& peers() {
  static const std::vector<const Peer*> opened = [] {
    std::vector<const Peer*> all;
    for (const PeerModule& module : peer_modules) {
      const OpenedPeer<Peer> peer = open_peer<Peer>(module);
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

struct Settings {
  std::vector<std::string> folds{"sum", "minimum"};
  std::vector<std::string> types{"f32", "f64"};
  std::vector<int> threads{1, 2};
  std::vector<std::int64_t> counts;
  Format format = Format::table;
  bool peers = true;
  bool answers = false;
  Effort effort;
};

struct Case {
  isofold::Fold fold;
  isofold::Type type;
  int threads;
  std::int64_t count;
  std::int64_t bytes() const { return count * isofold_type_bytes(static_cast<std::int32_t>(type)); }
};

template <class Name>
std::int32_t number_of(const std::string& text, Name name) {
  for (std::int32_t number = 1; name(number)[0] != '\0'; ++number) {
    if (text == name(number)) {
      return number;
    }
  }
  std::fprintf(stderr, "isofold_bench: there is no '%s'.\n", text.c_str());
  std::exit(2);
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// "4096" or "2^12".
std::int64_t count_of(const std::string& text) {
  return text.compare(0, 2, "2^") == 0 ? std::int64_t{1} << std::atoi(text.c_str() + 2)
                                       : std::atoll(text.c_str());
}

void print_usage() {
  std::printf(
      "isofold_bench [--folds sum,minimum] [--types f32,f64] [--threads 1,2]\n"
      "              [--counts 2^12,100000] [--seconds 0.2]\n"
      "              [--no-peers | --answers] [--json | --csv]\n"
      "Reduces arrays with isofold, with its peers and with nothing at all (the read limit),\n"
      "interleaved, and prints the best and the median time of each. --answers: no times, but who\n"
      "the peers are and what they answer, a JSON object a line.\n");
}

Settings settings_of(int count, char** arguments) {
  Settings settings;
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    if (name == "--json") {
      settings.format = Format::json;
    } else if (name == "--csv") {
      settings.format = Format::csv;
    } else if (name == "--no-peers") {
      settings.peers = false;
    } else if (name == "--answers") {
      settings.answers = true;
    } else if (name == "--help") {
      print_usage();
      std::exit(0);
    } else if (i + 1 == count) {
      print_usage();
      std::exit(2);
    } else if (name == "--folds") {
      settings.folds = split(arguments[++i]);
    } else if (name == "--types") {
      settings.types = split(arguments[++i]);
    } else if (name == "--threads") {
      settings.threads.clear();
      for (const std::string& part : split(arguments[++i])) {
        settings.threads.push_back(std::max(1, std::atoi(part.c_str())));
      }
    } else if (name == "--counts") {
      for (const std::string& part : split(arguments[++i])) {
        settings.counts.push_back(count_of(part));
      }
    } else if (name == "--seconds") {
      settings.effort.seconds_each = std::atof(arguments[++i]);
    } else {
      print_usage();
      std::exit(2);
    }
  }
  if (settings.counts.empty()) {
    for (const int power : {4, 8, 10, 12, 14, 17, 20, 22, 23, 25, 27}) {
      settings.counts.push_back(std::int64_t{1} << power);
    }
  }
  return settings;
}

// Elements near one of either sign: no fold meets a NaN, an overflow or a zero.
template <class T>
void fill(void* memory, std::int64_t count) {
  T* x = static_cast<T*>(memory);
  std::uint64_t s = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    s = s * 6364136223846793005U + 1442695040888963407U;
    const auto part = static_cast<std::int64_t>(s >> 44);
    x[i] = static_cast<T>(1 + static_cast<double>(part) / 1048576.0) *
           static_cast<T>((s >> 43 & 1U) != 0 ? 1 : -1);
  }
}

// Complex elements by their parts.
template <class Part>
void fill_parts(void* memory, std::int64_t bytes) {
  fill<Part>(memory, bytes / static_cast<std::int64_t>(sizeof(Part)));
}

Array<unsigned char> make_data(isofold::Type type, std::int64_t count) {
  const std::int64_t bytes = count * isofold_type_bytes(static_cast<std::int32_t>(type));
  Array<unsigned char> memory(static_cast<std::size_t>(bytes));
  switch (type) {
#define BENCH_FILL(name, number, c_type) \
  case isofold::Type::name: fill_parts<isofold::core::part_t<c_type>>(memory.data(), bytes); break;
    ISOFOLD_COMPUTED_TYPES(BENCH_FILL)
#undef BENCH_FILL
    default: break;
  }
  return memory;
}

Candidate isofold_candidate(const Case& the_case, const void* data) {
  auto reducer = std::make_shared<isofold::Reducer>(isofold::Backend::openmp,
                                                    isofold::Options{}.threads(the_case.threads));
  isofold_request request{};
  request.size = sizeof request;
  request.definition = ISOFOLD_DEFINITION_tree_v1;
  request.fold = static_cast<std::int32_t>(the_case.fold);
  request.type = static_cast<std::int32_t>(the_case.type);
  request.shape = ISOFOLD_SHAPE_array;
  request.flags = ISOFOLD_BLOCKING;
  request.data = data;
  request.rows = 1;
  request.length = request.stride = the_case.count;
  if (isofold_fold_arrays(request.fold) == 2) {
    request.second = data;
    request.second_stride = the_case.count;
  }
  return {"isofold", [reducer, request]() mutable {
            std::uint64_t result[8];  // room for any
            request.result = result;
            isofold::check(isofold_reduce(reducer->handle(), &request));
            keep(result[0]);
          }};
}

std::vector<Candidate> candidates_of(const Case& the_case, const void* data, bool with_peers) {
  std::vector<Candidate> candidates{isofold_candidate(the_case, data)};
  for (const Peer* peer : with_peers ? peers() : std::vector<const Peer*>{}) {
    if (const PeerFunction run = peer->find(the_case.fold, the_case.type, the_case.threads)) {
      candidates.push_back(
          {peer->name, [=] { keep(run(data, the_case.count, the_case.threads)); }});
    }
  }
  std::vector<int> teams{the_case.threads};
  if (the_case.threads > 1 && the_case.bytes() <= std::int64_t{4} << 20) {
    teams.push_back(1);  // starting threads costs more here than they bring
  }
  for (const int team : teams) {
    for (const ReadKernel& kernel : read_kernels()) {
      candidates.push_back({"read: " + kernel.name + (team == 1 ? "" : ", threads"),
                            [=] { kernel.read(data, the_case.bytes() / 64 * 64, team); }});
    }
  }
  return candidates;
}

// The peer's own words about what runs here under its name.
std::string identity_of(const std::string& name) {
  for (const Peer* peer : peers()) {
    if (name == peer->name) {
      return peer->identity();
    }
  }
  return "";
}

// isofold and the peers, then the best of the read kernels.
std::vector<Record> records_of(const Case& the_case, const std::vector<Time>& times) {
  const auto is_read = [](const Time& time) { return time.name.compare(0, 5, "read:") == 0; };
  const auto faster = [](const Time& a, const Time& b) { return a.spread.best < b.spread.best; };
  const auto first_read = std::find_if(times.begin(), times.end(), is_read);
  const Time limit = *std::min_element(first_read, times.end(), faster);
  Record record;
  record.program = "isofold_bench";
  record.device = processor_name();
  record.fold = isofold_fold_name(static_cast<std::int32_t>(the_case.fold));
  record.type = isofold_type_name(static_cast<std::int32_t>(the_case.type));
  record.shape = "array";
  record.length = the_case.count;
  record.bytes = the_case.bytes();
  record.threads = the_case.threads;
  record.rates = Rates::best;
  record.limit = limit.spread.best;
  std::vector<Record> records;
  for (auto time = times.begin(); time != first_read; ++time) {
    const bool own = time == times.begin();
    record.name = time->name;
    record.backend = own ? "openmp" : "";
    record.guarantee = own ? "same_bits" : "";
    record.note = own ? "" : identity_of(time->name);
    record.time = time->spread;
    records.push_back(record);
  }
  record.name = "read limit";
  record.note = limit.name.substr(6);  // after "read: "
  record.time = limit.spread;
  records.push_back(record);
  return records;
}

// Time of the best peer over that of isofold: above 1, isofold takes less. 0 without peers.
double lead_of(const std::vector<Record>& records) {
  double best = 0;
  for (std::size_t i = 1; i + 1 < records.size(); ++i) {
    best = best == 0 ? records[i].time.best : std::min(best, records[i].time.best);
  }
  return best / records[0].time.best;
}

void print_table(const std::vector<Record>& records) {
  const Record& own = records.front();
  std::printf("\n%s of %lld %s, %lld bytes, %d thread%s; best peer / isofold %.2f\n",
              own.fold.c_str(), static_cast<long long>(own.count()), own.type.c_str(),
              static_cast<long long>(own.bytes), own.threads, own.threads == 1 ? "" : "s",
              own.ratios.front().second);
  for (const Record& r : records) {
    std::printf(
        "  %-24s best %12.1f ns  median %12.1f ns +-%5.1f %%  %8.2f GB/s  %5.1f %% of the limit"
        "  %s\n",
        r.name.c_str(), r.time.best * 1e9, r.time.median * 1e9, 50 * r.time.spread, r.gigabytes(),
        100 * r.share(), r.name == "read limit" ? r.note.c_str() : "");
  }
}

void print(std::vector<Record> records, Format format) {
  const double lead = lead_of(records);
  for (Record& record : records) {
    record.ratios = {{"best_peer_over_isofold", lead}};
  }
  static bool header = true;
  if (format == Format::table) {
    print_table(records);
  } else {
    std::fputs(lines_of(records, format, header).c_str(), stdout);
  }
  header = false;
  std::fflush(stdout);
}

// tests/bench/test_peers.py reads these lines.
void print_identities() {
  for (const Peer* peer : peers()) {
    std::printf("{\"peer\":\"%s\",\"identity\":%s}\n", peer->name,
                detail::json_string(peer->identity()).c_str());
  }
}
void print_answers(const Case& the_case, const void* data) {
  for (const Peer* peer : peers()) {
    if (const PeerFunction run = peer->find(the_case.fold, the_case.type, the_case.threads)) {
      const Answer answer = run(data, the_case.count, the_case.threads);
      std::printf("{\"peer\":\"%s\",\"fold\":\"%s\",\"type\":\"%s\",\"count\":%lld,\"threads\":%d,"
                  "\"answer\":[%.17g,%.17g]}\n",
                  peer->name, isofold_fold_name(static_cast<std::int32_t>(the_case.fold)),
                  isofold_type_name(static_cast<std::int32_t>(the_case.type)),
                  static_cast<long long>(the_case.count), the_case.threads, answer.first,
                  answer.second);
    }
  }
}

void run(const Settings& settings) {
  if (settings.answers) {
    print_identities();
  } else if (settings.format == Format::table && settings.peers) {
    for (const Peer* peer : peers()) {
      std::printf("%s: %s\n", peer->name, peer->identity().c_str());
    }
  }
  const std::int64_t most = *std::max_element(settings.counts.begin(), settings.counts.end());
  for (const std::string& type_name : settings.types) {
    const auto type = static_cast<isofold::Type>(number_of(type_name, isofold_type_name));
    const Array<unsigned char> data = make_data(type, most);
    for (const std::string& fold_name : settings.folds) {
      const auto fold = static_cast<isofold::Fold>(number_of(fold_name, isofold_fold_name));
      for (const int threads : settings.threads) {
        for (const std::int64_t count : settings.counts) {
          const Case the_case{fold, type, threads, count};
          if (settings.answers) {
            print_answers(the_case, data.data());
            continue;
          }
          const std::vector<Candidate> candidates =
              candidates_of(the_case, data.data(), settings.peers);
          print(records_of(the_case, measure(candidates, settings.effort)), settings.format);
        }
      }
    }
  }
}

}  // namespace
}  // namespace bench

int main(int count, char** arguments) {
  try {
    bench::run(bench::settings_of(count, arguments));
  } catch (const isofold::Error& error) {
    std::fprintf(stderr, "isofold_bench: %s\n", error.what());
    return 4;
  }
}
