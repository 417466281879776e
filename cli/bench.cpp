// isofold bench: measures how fast the backends of this machine reduce, beside how fast it can
// read.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <bench/ladder/climb.hpp>
#include <bench/measure.hpp>
#include <bench/read_limit.hpp>

#include "commands.hpp"
#include "cuda_bench.hpp"
#include "engine.hpp"
#include "file.hpp"
#include "names.hpp"
#include "numbers.hpp"
#include "timed.hpp"
#include "types.hpp"

namespace cli {
namespace {

using bench::Format;
using bench::Record;

struct BenchArguments {
  std::vector<std::string> backends;
  std::vector<std::string> folds{"sum"};
  std::vector<std::string> types{"f32"};
  std::vector<std::int64_t> counts{1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 26};
  std::string shape = "array";
  std::int64_t length = 2048;
  double seconds = 0.05;
  bool returned = false;
  bool ladder = false;
  bool json = false;
  bool csv = false;
  EngineOptions engine;

  Format format() const { return json ? Format::json : csv ? Format::csv : Format::table; }
};

// ---- output ---------------------------------------------------------------------------------

std::string time_text(double seconds) {
  const auto text = [](double value, const char* unit) {
    char room[48];
    std::snprintf(room, sizeof room, "%.4g %s", value, unit);
    return std::string(room);
  };
  return seconds < 1e-6   ? text(seconds * 1e9, "ns")
         : seconds < 1e-3 ? text(seconds * 1e6, "us")
                          : text(seconds * 1e3, "ms");
}

std::string table_of(const std::vector<Record>& records) {
  char line[256];
  const Record& first = records.front();
  std::snprintf(line, sizeof line, "\n%s of %lld %s (%lld bytes)", first.fold.c_str(),
                static_cast<long long>(first.count()), first.type.c_str(),
                static_cast<long long>(first.bytes));
  std::string text = line;
  if (first.shape == "rows") {
    text += ", " + std::to_string(first.rows) + (first.rows == 1 ? " row of " : " rows of ") +
            std::to_string(first.length);
  }
  std::snprintf(line, sizeof line, "\n  %-10s %-12s %11s %11s %8s %9s %9s %11s  %s\n", "backend",
                "guarantee", "best", "median", "spread", "GB/s", "GFLOP/s", "% of limit", "on");
  text += line;
  for (const Record& r : records) {
    const bool limit = r.name != "isofold";
    const std::string share =
        r.limit > 0 ? bench::detail::number("%.1f", 100 * r.share()) : std::string("-");
    const std::string rate =
        limit ? std::string("-") : bench::detail::number("%.2f", r.elements() * 1e-9);
    std::snprintf(line, sizeof line, "  %-10s %-12s %11s %11s %7.1f%% %9.2f %9s %11s  %s\n",
                  limit ? "read limit" : r.backend.c_str(), r.guarantee.c_str(),
                  time_text(r.time.best).c_str(), time_text(r.time.median).c_str(),
                  100 * r.time.spread, r.gigabytes(), rate.c_str(), share.c_str(),
                  r.device.c_str());
    text += line;
  }
  return text;
}

class Printer {
 public:
  explicit Printer(Format format) : format_(format), out_("-") {}
  void print(const std::vector<Record>& records) {
    if (!records.empty()) {
      out_.write(format_ == Format::table ? table_of(records)
                                          : bench::lines_of(records, format_, first_));
      out_.flush();
      first_ = false;
    }
  }
  void print(const std::string& text) { out_.write(text); }
  void finish() { out_.finish(); }

 private:
  Format format_;
  Output out_;
  bool first_ = true;
};

// ---- measuring ------------------------------------------------------------------------------

Record limit_record(const Record& like, const bench::LinearisedMask& time,
                    const std::string& note) {
  Record record = like;
  record.name = "read limit";
  record.backend = record.guarantee = "";
  record.note = note;
  record.time = time;
  record.limit = record.seconds();
  return record;
}

// Measures the backends on host memory and the read kernels in turn, round after round.
void measure_on_host(const std::vector<std::unique_ptr<Timed>>& all, const TimedCase& the_case,
                     const HostData& host, const BenchArguments& arguments,
                     std::vector<Record>& records) {
  std::vector<bench::Candidate> candidates;
  std::vector<Timed*> timed;
  for (const auto& one : all) {
    if (!one->on_device()) {
      timed.push_back(one.get());
      candidates.push_back({one->record().backend, [&one] { one->run(); }});
    }
  }
  if (timed.empty()) {
    return;
  }
  // One thread reads small arrays faster than a team that must first be started.
  const std::int64_t lines = the_case.bytes() / 64 * 64;
  std::vector<int> teams{1};
  if (timed.front()->record().threads > 1) {
    teams.push_back(timed.front()->record().threads);
  }
  for (const int team : teams) {
    for (const bench::ReadKernel& kernel : bench::read_kernels()) {
      if (lines > 0) {
        candidates.push_back(
            {kernel.name + (team > 1 ? ", threads" : ""),
             [&kernel, &host, lines, team] { kernel.read(host.data(), lines, team); }});
      }
    }
  }
  bench::Effort effort;
  effort.seconds_each = arguments.seconds;
  const std::vector<bench::Time> times = bench::measure(candidates, effort);
  const auto first_read = times.begin() + static_cast<std::ptrdiff_t>(timed.size());
  const auto limit = std::min_element(
      first_read, times.end(),
      [](const bench::Time& a, const bench::Time& b) { return a.spread.best < b.spread.best; });
  for (std::size_t i = 0; i < timed.size(); ++i) {
    records.push_back(timed[i]->record());
    records.back().time = times[i].spread;
    records.back().limit = limit != times.end() ? limit->spread.best : 0;
  }
  if (limit != times.end()) {
    records.push_back(limit_record(records.back(), limit->spread, limit->name));
  }
}

// Seconds; 0 if this device's limit cannot be measured, with a note on standard error, once.
double device_limit(const Timed& timed) {
  static bool told = false;
  std::string why = "isofold measures it on CUDA devices only";
  if (timed.record().backend == "cuda") {
    if (const bench::CudaModule* module = cuda_bench(why)) {
      return module->read_limit(0, timed.device_data(), timed.record().bytes, timed.places());
    }
  }
  if (!told) {
    told = true;
    std::fprintf(stderr, "isofold: the read limit of %s is not known: %s.\n",
                 timed.record().device.c_str(), why.c_str());
  }
  return 0;
}

void measure_on_device(Timed& timed, const BenchArguments& arguments,
                       std::vector<Record>& records) {
  const double limit = timed.record().bytes >= 16 ? device_limit(timed) : 0;
  records.push_back(timed.record());
  records.back().time = bench::linearised_mask_of(timed.rounds(arguments.seconds));
  records.back().limit = limit;
  if (limit > 0) {
    records.push_back(limit_record(records.back(), {limit, limit, 0}, "best of several kernels"));
  }
}

std::vector<Record> measure(const TimedCase& the_case, const HostData& host,
                            const BenchArguments& arguments) {
  std::vector<std::unique_ptr<Timed>> all;
  std::vector<Record> records;
  std::exception_ptr refusal;
  bool has_exact = false;
  for (const std::string& backend : arguments.backends) {
    EngineOptions options = arguments.engine;
    options.backend = backend;
    options.exact = false;
    all.push_back(std::make_unique<Timed>(the_case, host, options));
    if (arguments.engine.exact) {
      options.exact = true;
      try {
        all.push_back(std::make_unique<Timed>(the_case, host, options));
        has_exact = true;
      } catch (const isofold::Error& error) {
        if (error.code() != isofold::Code::unsupported) {
          throw;
        }
        refusal = std::current_exception();
      }
    }
  }
  if (refusal != nullptr && !has_exact) {
    std::rethrow_exception(refusal);
  }
  measure_on_host(all, the_case, host, arguments, records);
  for (const auto& timed : all) {
    if (timed->on_device()) {
      measure_on_device(*timed, arguments, records);
    }
  }
  return records;
}

// ---- the command ----------------------------------------------------------------------------

Exit climb(const BenchArguments& arguments) {
  if (!isofold::is_available("cuda")) {
    throw Failure(Exit::unavailable,
                  "The ladder needs an NVIDIA GPU: " + isofold::describe("cuda"));
  }
  std::string why;
  const bench::CudaModule* module = cuda_bench(why);
  if (module == nullptr) {
    throw Failure(Exit::unavailable, "The ladder is not here: " + why + ".");
  }
  const std::vector<Record> records = module->climb(11);
  Printer printer(arguments.format());
  printer.print(arguments.format() == Format::table ? bench::ladder::table_of(records)
                                                    : bench::lines_of(records, arguments.format()));
  printer.finish();
  return Exit::fine;
}

TimedCase case_of(const BenchArguments& arguments, const std::string& fold, const std::string& type,
                  std::int64_t count) {
  const bool as_rows = arguments.shape == "rows";
  if (as_rows && count < arguments.length) {
    throw Failure(Exit::bad_input, "A count of " + std::to_string(count) +
                                       " elements is not one row of " +
                                       std::to_string(arguments.length) + " (--length).");
  }
  const std::int64_t length = as_rows ? arguments.length : count;
  return {named(named_folds, fold).fold,
          named(named_types, type).type,
          as_rows,
          as_rows ? count / length : 1,
          length,
          arguments.returned};
}

Exit run(BenchArguments arguments) {
  if (arguments.ladder) {
    return climb(arguments);
  }
  if (arguments.returned && arguments.shape == "rows") {
    throw Failure(Exit::bad_input, "--returned is for --shape array: rows give one result a row.");
  }
  if (arguments.backends.empty()) {
    const std::vector<std::string> names = isofold::backend_names();
    std::copy_if(names.begin(), names.end(), std::back_inserter(arguments.backends),
                 [](const std::string& name) { return isofold::is_available(name); });
  }
  Printer printer(arguments.format());
  const std::int64_t most = *std::max_element(arguments.counts.begin(), arguments.counts.end());
  for (const std::string& type : arguments.types) {
    const HostData host(named(named_types, type).type, most);
    for (const std::string& fold : arguments.folds) {
      for (const std::int64_t count : arguments.counts) {
        printer.print(measure(case_of(arguments, fold, type, count), host, arguments));
      }
    }
  }
  if (arguments.format() == Format::table) {
    printer.print(
        "\nGB/s and GFLOP/s (one operation an element) are of the best round on a CPU, of the\n"
        "median on a device. A CPU finds small arrays in its caches; a device finds none.\n");
  }
  printer.finish();
  return Exit::fine;
}

}  // namespace

Command add_bench(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "bench", "Measure how fast the backends of this machine reduce, beside how fast it can read");
  const auto arguments = std::make_shared<BenchArguments>();
  const auto list = [](CLI::Option* option) { option->delimiter(',')->expected(1, -1); };
  list(parser
           ->add_option(
               "--backend", arguments->backends,
               "Backends, separated by commas; without it, those of the environment variable "
               "ISOFOLD_BACKEND, else all that are available")
           ->check(one_of("backend", isofold::backend_names())));
  list(parser->add_option("--fold", arguments->folds, "Folds, separated by commas")
           ->check(one_of("fold of one array", folds_of_one_file()))
           ->capture_default_str());
  list(parser->add_option("--type", arguments->types, "Types of the elements, separated by commas")
           ->check(one_of("type", names_of(named_types)))
           ->capture_default_str());
  list(parser
           ->add_option("--count", arguments->counts,
                        "Elements in all, such as 1000, 1e6 or 2^20, separated by commas")
           ->transform(number_of_elements(1))
           ->capture_default_str());
  parser->add_option("--shape", arguments->shape, "One array, or rows with one result each")
      ->check(CLI::IsMember(std::vector<std::string>{"array", "rows"}))
      ->capture_default_str();
  parser->add_option("--length", arguments->length, "Elements of a row")
      ->transform(number_of_elements(1))
      ->capture_default_str();
  parser->add_flag("--exact", arguments->engine.exact,
                   "Sums of exact_v1 beside those of tree v1; backends that lack "
                   "exact_v1 show tree v1 alone");
  parser->add_flag("--returned", arguments->returned,
                   "Each call gives its value to the host before the next one starts");
  parser
      ->add_option("--threads", arguments->engine.threads,
                   "Most CPU threads; 0 takes what OpenMP grants")
      ->check(whole_number<std::int32_t>())
      ->capture_default_str();
  parser
      ->add_option("--seconds", arguments->seconds,
                   "About how long each candidate is measured; a case has some 30 of them")
      ->check(CLI::Range(0.001, 60.0))
      ->capture_default_str();
  parser->add_flag("--ladder", arguments->ladder,
                   "The classic kernels of a sum on an NVIDIA GPU, from the first lesson up to "
                   "isofold, instead of all this");
  CLI::Option* json = parser->add_flag("--json", arguments->json, "Print JSON, one object a line");
  parser->add_flag("--csv", arguments->csv, "Print CSV")->excludes(json);
  return {parser, [arguments] {
            if (arguments->backends.empty()) {
              arguments->backends = backends_of_environment();
            }
            return run(*arguments);
          }};
}

}  // namespace cli
