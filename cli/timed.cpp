// Times reductions through the public interface alone, so that every backend is timed alike.
#include "timed.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <new>
#include <unistd.h>

#include <bench/read_limit.hpp>
#include <conformance/test_data.hpp>

#include "failure.hpp"
#include "types.hpp"

namespace cli {
namespace {

// Larger than the caches of every GPU so far, which end at 256 MiB.
constexpr std::int64_t swept_bytes = std::int64_t{512} << 20;
// The most bytes of all places of a device's data together, if the places are that small.
constexpr std::int64_t places_bytes = std::int64_t{1} << 30;
constexpr std::int64_t most_places = 64;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string device_name(const std::string& backend, std::int32_t device) {
  char name[256] = "";
  isofold_backend_device_name(backend.c_str(), device, name, sizeof name);
  return name;
}

}  // namespace

std::int64_t TimedCase::bytes() const { return rows * length * bytes_of(type); }

void HostData::Free::operator()(void* memory) const noexcept { std::free(memory); }

HostData::HostData(isofold::Type type, std::int64_t count) {
  constexpr std::int64_t page = 4096;
  // Linux promises more memory than there is and ends the process that uses it.
  const std::int64_t there = static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) *
                             static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
  if (count > (there - there / 8) / bytes_of(type)) {
    throw Failure(Exit::failed, std::to_string(count) + " elements of " + type_name(type) +
                                    " do not fit into this machine's " + std::to_string(there) +
                                    " bytes of memory; ask for fewer with --count.");
  }
  const std::int64_t bytes = std::max(page, (count * bytes_of(type) + page - 1) / page * page);
  memory_.reset(std::aligned_alloc(page, static_cast<std::size_t>(bytes)));
  if (memory_ == nullptr) {
    throw std::bad_alloc();
  }
  visit_type(type, [&](auto typed) {
    using T = decltype(typed);
    // The data have no NaN, zero or subnormal for a fold to meet: some processors are slow with
    // these.
    isofold::test_data::fill(isofold::test_data::Recipe::near_one, 0, count,
                             static_cast<T*>(memory_.get()), 0, count);
  });
}

Timed::Timed(const TimedCase& the_case, const HostData& host, const EngineOptions& options)
    : case_(the_case),
      options_(options),
      engine_({{the_case.fold}}, the_case.type,
              the_case.as_rows ? Shape{ISOFOLD_SHAPE_rows} : Shape{}, options) {
  request_.size = sizeof request_;
  request_.definition = options.exact ? ISOFOLD_DEFINITION_exact_v1 : ISOFOLD_DEFINITION_tree_v1;
  request_.fold = static_cast<std::int32_t>(case_.fold);
  request_.type = static_cast<std::int32_t>(case_.type);
  request_.shape = case_.as_rows ? ISOFOLD_SHAPE_rows : ISOFOLD_SHAPE_array;
  request_.flags = case_.returned ? ISOFOLD_BLOCKING : 0;
  request_.data = host.data();
  request_.rows = case_.rows;
  request_.length = request_.stride = case_.length;
  const std::int64_t result_words = (result_bytes(case_.fold, case_.type) + 7) / 8;
  host_results_.resize(static_cast<std::size_t>(case_.rows * result_words));
  request_.result = host_results_.data();

  record_.program = "isofold bench";
  record_.name = "isofold";
  record_.backend = options.backend;
  record_.guarantee = options.exact                                          ? "exact_v1"
                      : engine_.guarantee() == isofold::Guarantee::same_bits ? "same_bits"
                                                                             : "within_bound";
  record_.fold = fold_name(case_.fold);
  record_.type = type_name(case_.type);
  record_.shape = case_.as_rows ? "rows" : "array";
  record_.rows = case_.rows;
  record_.length = case_.length;
  record_.bytes = case_.bytes();
  record_.note = case_.returned ? "value returned to the host" : "";
  if (!on_device()) {
    record_.device = bench::processor_name();
    record_.threads = options.threads > 0 ? options.threads : bench::all_threads();
    record_.rates = bench::Rates::best;
    return;
  }
  record_.device = device_name(options.backend, options.device);
  record_.rates = bench::Rates::median;
  const std::int64_t bytes = std::max<std::int64_t>(case_.bytes(), 256);
  place_count_ =
      static_cast<std::int32_t>(std::clamp<std::int64_t>(places_bytes / bytes, 1, most_places));
  places_.emplace(options.backend, static_cast<std::size_t>(bytes * place_count_), options.device);
  for (std::int32_t place = 0; place < place_count_; ++place) {
    places_->copy_from(host.data(), static_cast<std::size_t>(case_.bytes()),
                       static_cast<std::size_t>(place * bytes));
  }
  if (!case_.returned) {
    results_.emplace(options.backend, host_results_.size() * sizeof(std::uint64_t), options.device);
    request_.result = results_->data();
  }
  swept_.emplace(options.backend, static_cast<std::size_t>(swept_bytes), options.device);
  request_.data = places_->data();
  isofold::check(isofold_reserve(engine_.handle(), &request_));
}

void Timed::run() { isofold::check(isofold_reduce(engine_.handle(), &request_)); }

void Timed::enqueue(std::int64_t call) {
  const std::int64_t apart = static_cast<std::int64_t>(places_->bytes()) / place_count_;
  request_.data = places_->as<char>() + call % place_count_ * apart;
  run();
}

double Timed::calls_in_a_row(std::int64_t calls) {
  sweep();
  const double begin = seconds_now();
  for (std::int64_t call = 0; call < calls; ++call) {
    enqueue(call);
  }
  isofold::check(isofold_synchronize(engine_.handle()));
  return (seconds_now() - begin) / static_cast<double>(calls);
}

// Reads other memory, with any fold, whose value is of no interest.
void Timed::sweep() {
  isofold_request other = request_;
  std::uint64_t ignored = 0;
  other.fold = ISOFOLD_FOLD_maximum;
  other.type = ISOFOLD_TYPE_u32;
  other.shape = ISOFOLD_SHAPE_array;
  other.flags = ISOFOLD_BLOCKING;
  other.data = swept_->data();
  other.rows = 1;
  other.length = other.stride = swept_bytes / 4;
  other.result = &ignored;
  isofold::check(isofold_reduce(engine_.handle(), &other));
}

std::vector<double> Timed::rounds(double seconds_in_all) {
  // One wait is shared by as many calls as take about two milliseconds, but no place is read twice
  // from a cache.
  calls_in_a_row(2);
  const double once = calls_in_a_row(2);
  const auto calls = std::clamp(static_cast<std::int64_t>(2e-3 / once), std::int64_t{4},
                                std::int64_t{most_places});
  const double a_round = once * static_cast<double>(calls);
  const int count = std::clamp(static_cast<int>(seconds_in_all / a_round), 7, 61);
  std::vector<double> seconds;
  for (int round = 0; round < count; ++round) {
    seconds.push_back(calls_in_a_row(calls));
  }
  return seconds;
}

}  // namespace cli
