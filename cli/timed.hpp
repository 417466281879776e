// One reduction on one backend, ready to be timed through the public interface for isofold bench:
// its data in place, asynchronous calls if the backend has them, a wait at the end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <bench/record.hpp>

#include "engine.hpp"

namespace cli {

// The reduction. One array is one row.
struct TimedCase {
  isofold::Fold fold;
  isofold::Type type;
  bool as_rows;
  std::int64_t rows;
  std::int64_t length;
  bool returned;  // each call gives its value to the host before the next one starts

  std::int64_t bytes() const;
};

// Elements near one in host memory, aligned to a page.
class HostData {
 public:
  HostData(isofold::Type type, std::int64_t count);
  const void* data() const noexcept { return memory_.get(); }

 private:
  struct Free {
    void operator()(void* memory) const noexcept;
  };
  std::unique_ptr<void, Free> memory_;
};

class Timed {
 public:
  // `host` holds the elements. A backend with memory of its own gets copies of them, in so many
  // places that its caches hold none when its turn comes.
  Timed(const TimedCase& the_case, const HostData& host, const EngineOptions& options);

  // The record without its times.
  const bench::Record& record() const noexcept { return record_; }
  bool on_device() const noexcept { return engine_.moves_data(); }

  // Runs one reduction to its end, for backends on host memory.
  void run();
  // Seconds for one of many reductions in a row, in each of several rounds.
  std::vector<double> rounds(double seconds_in_all);

  // The memory that a device's reductions read, for its read limit.
  const void* device_data() const noexcept { return places_->data(); }
  std::int32_t places() const noexcept { return place_count_; }

 private:
  void enqueue(std::int64_t call);
  double calls_in_a_row(std::int64_t calls);
  void sweep();

  TimedCase case_;
  EngineOptions options_;
  Engine engine_;
  bench::Record record_;
  isofold_request request_{};
  std::vector<std::uint64_t> host_results_;
  std::int32_t place_count_ = 1;
  std::optional<isofold::Buffer> places_;
  std::optional<isofold::Buffer> results_;
  std::optional<isofold::Buffer> swept_;  // read between rounds, so that no cache keeps the data
};

}  // namespace cli
