// The options of the small simulations, and their log.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

// The log, which the first rank writes: values and their bits.
class Log {
 public:
  Log(const std::string& path, bool writes) {
    if (writes) {
      file_ = path.empty() ? stdout : std::fopen(path.c_str(), "w");
      if (file_ == nullptr) {
        throw std::runtime_error("The log " + path + " cannot be written.");
      }
    }
  }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log() {
    if (file_ != nullptr && file_ != stdout) {
      std::fclose(file_);
    }
  }
  void write(std::int64_t step, const std::vector<double>& values) {
    if (file_ == nullptr) {
      return;
    }
    std::fprintf(file_, "%6lld", static_cast<long long>(step));
    for (const double value : values) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      std::fprintf(file_, "  %-13.6e 0x%016llx", value, static_cast<unsigned long long>(bits));
    }
    std::fputc('\n', file_);
  }

 private:
  std::FILE* file_ = nullptr;
};

struct Settings {
  std::int64_t size;
  std::int64_t steps;
  std::string grid;
  std::string log;
};

// Reads --name value pairs: --size N, --steps N, --grid PxQxR, --log FILE. read_more(name, value)
// says whether it took an option that is none of these.
template <class ReadMore>
Settings read_arguments(int count, char** arguments, Settings settings, const char* more,
                        ReadMore&& read_more) {
  for (int a = 1; a < count; a += 2) {
    const std::string option = arguments[a];
    const std::string value = a + 1 < count ? arguments[a + 1] : "";
    if (value.empty()) {
      throw std::invalid_argument(option + " needs a value.");
    }
    if (option == "--size") {
      settings.size = std::stoll(value);
    } else if (option == "--steps") {
      settings.steps = std::stoll(value);
    } else if (option == "--grid") {
      settings.grid = value;
    } else if (option == "--log") {
      settings.log = value;
    } else if (!read_more(option, value)) {
      throw std::invalid_argument(option + " is no option: --size, --steps, --grid, --log" + more +
                                  ".");
    }
  }
  return settings;
}
