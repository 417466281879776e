// One line on the terminal while a command takes longer than a second. It never goes to standard
// output, and not to a standard error that is no terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <unistd.h>

namespace cli {

class Progress {
 public:
  // `total` bytes, if the total is known.
  explicit Progress(std::optional<std::uint64_t> total)
      : total_(total), on_(::isatty(STDERR_FILENO) == 1) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() {
    if (shown_) {
      std::fprintf(stderr, "\r\033[K");
    }
  }

  void advance(std::uint64_t bytes) {
    done_ += bytes;
    const Clock::time_point now = Clock::now();
    if (!on_ || now < next_) {
      return;
    }
    next_ = now + std::chrono::milliseconds(200);
    shown_ = true;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double gigabytes = static_cast<double>(done_) * 1e-9;
    std::fprintf(stderr, "\r\033[K%.1f GB", gigabytes);
    if (total_.has_value() && *total_ > 0) {
      std::fprintf(stderr, " of %.1f GB (%.0f %%)", static_cast<double>(*total_) * 1e-9,
                   100.0 * static_cast<double>(done_) / static_cast<double>(*total_));
    }
    std::fprintf(stderr, ", %.2f GB/s", gigabytes / seconds);
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<std::uint64_t> total_;
  bool on_;
  bool shown_ = false;
  std::uint64_t done_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + std::chrono::seconds(1);
};

}  // namespace cli
