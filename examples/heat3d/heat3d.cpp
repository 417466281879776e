// heat3d: two hot balls spread through a cold cube whose conductivity grows with the temperature.
// Every step asks isofold for the maximum (it limits the time step), the sum (heat is conserved)
// and the minimum; now and then, for the profile along x. The log holds the values and their bits:
// it is the same file, byte for byte, for any number of threads and on any backend.
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#if defined(_OPENMP)
#include <omp.h>
#endif

#include "field.hpp"
#include "monitor.hpp"

namespace {

enum ExitCode { fine = 0, wrong_physics = 1, bad_usage = 2, no_backend = 3, failed = 4 };

const char* const usage =
    "heat3d [--size N] [--steps N] [--profile N] [--threads N] [--backend NAME] [--log FILE]\n"
    "  --size N        cells along an edge (64)\n"
    "  --steps N       time steps (200)\n"
    "  --profile N     steps from one profile along x to the next (20; 0: none)\n"
    "  --threads N     CPU threads (0: as many as OpenMP grants)\n"
    "  --backend NAME  isofold's backend: reference, openmp, cuda, ... (isofold's own choice)\n"
    "  --log FILE      a line a step: values and their bits (standard output if absent)\n";

struct Settings {
  std::int64_t size = 64;
  std::int64_t steps = 200;
  std::int64_t profile = 20;
  int threads = 0;
  std::string backend;
  std::string log;
};

std::int64_t number(const std::string& option, const char* text, long long least, long long most) {
  char* end = nullptr;
  const long long value = std::strtoll(text, &end, 10);
  if (end == text || *end != '\0' || value < least || value > most) {
    throw std::invalid_argument(option + " " + text + ": a whole number from " +
                                std::to_string(least) + " to " + std::to_string(most) +
                                " goes here.");
  }
  return value;
}

Settings read_arguments(int count, char** arguments) {
  Settings settings;
  for (int a = 1; a < count; a += 2) {
    const std::string option = arguments[a];
    if (a + 1 == count) {
      throw std::invalid_argument(option + " needs a value.");
    }
    const char* value = arguments[a + 1];
    if (option == "--size") {
      settings.size = number(option, value, 4, 1024);
    } else if (option == "--steps") {
      settings.steps = number(option, value, 0, 1000000);
    } else if (option == "--profile") {
      settings.profile = number(option, value, 0, 1000000);
    } else if (option == "--threads") {
      settings.threads = static_cast<int>(number(option, value, 0, 1024));
    } else if (option == "--backend") {
      settings.backend = value;
    } else if (option == "--log") {
      settings.log = value;
    } else {
      throw std::invalid_argument(option + " is no option of heat3d.");
    }
  }
  return settings;
}

std::uint64_t bits(double value) {
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

class Log {
 public:
  explicit Log(const std::string& path)
      : file_(path.empty() ? stdout : std::fopen(path.c_str(), "w")) {
    if (file_ == nullptr) {
      throw std::runtime_error("The log " + path + " cannot be written: " + std::strerror(errno));
    }
    std::fputs(
        "# step, then value and bits of: time, sum, minimum, maximum\n"
        "# step, profile, then the mean of each plane along x, with digits for all its bits\n",
        file_);
  }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log() {
    if (file_ != stdout) {
      std::fclose(file_);
    }
  }

  void write(std::int64_t step, double time, double sum, double minimum, double maximum) {
    std::fprintf(file_, "%6lld", static_cast<long long>(step));
    for (const double value : {time, sum, minimum, maximum}) {
      std::fprintf(file_, "  %-12.6e 0x%016llx", value,
                   static_cast<unsigned long long>(bits(value)));
    }
    end_line();
  }
  void write_profile(std::int64_t step, const std::vector<double>& means) {
    std::fprintf(file_, "%6lld  profile", static_cast<long long>(step));
    for (const double mean : means) {
      std::fprintf(file_, " %.17g", mean);
    }
    end_line();
  }

 private:
  void end_line() {
    std::fputc('\n', file_);
    if (std::ferror(file_) != 0) {
      throw std::runtime_error("The log could not be written to its end.");
    }
  }

  std::FILE* file_;
};

// The slice through the middle, hotter cells darker.
void draw(const Field& temperature) {
  static const char shades[] = " .:-=+*#%@";
  const std::int64_t width = temperature.n() < 64 ? temperature.n() : 64;
  for (std::int64_t y = 0; y < width / 2; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      const double t = temperature.at(temperature.n() / 2, 1 + y * temperature.n() / (width / 2),
                                      1 + x * temperature.n() / width);
      std::fputc(shades[t < 0.999 ? static_cast<int>(t * 10.0) : 9], stdout);
    }
    std::fputc('\n', stdout);
  }
}

int simulate(const Settings& settings) {
  Field temperature(settings.size);
  Field next(settings.size);
  Monitor monitor(temperature, settings.backend, settings.threads);
  Log log(settings.log);

  ignite(temperature);
  double time = 0;
  double heat_at_start = 0;
  double hottest = 1;
  for (std::int64_t step = 0;; ++step) {
    monitor.look_at(temperature);
    const double heat = monitor.sum();
    const double coldest = monitor.minimum();
    const double highest = monitor.maximum();
    if (step > 0 && settings.profile > 0 && step % settings.profile == 0) {
      log.write_profile(step, monitor.profile());
    }
    log.write(step, time, heat, coldest, highest);

    // Heat is conserved up to rounding, and no extremum may grow.
    heat_at_start = step == 0 ? heat : heat_at_start;
    if (!(std::fabs(heat / heat_at_start - 1) < 1e-12) || !(highest <= hottest)) {
      std::fprintf(stderr, "Step %lld: heat %.17g of %.17g, maximum %.17g after %.17g.\n",
                   static_cast<long long>(step), heat, heat_at_start, highest, hottest);
      return wrong_physics;
    }
    hottest = highest;
    if (step == settings.steps) {
      std::printf("heat3d: %lld steps of %lld^3 cells on %s, time %.4g, heat drift %.1e\n",
                  static_cast<long long>(step), static_cast<long long>(settings.size),
                  monitor.backend(), time, heat / heat_at_start - 1);
      draw(temperature);
      return fine;
    }

    const double h = temperature.spacing();
    const double dt = 0.9 * h * h / (6.0 * highest * highest);
    fill_ghost_cells(temperature);
    advance(temperature, next, dt);
    std::swap(temperature, next);
    time += dt;
  }
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count == 2 && std::strcmp(arguments[1], "--help") == 0) {
      std::fputs(usage, stdout);
      return fine;
    }
    const Settings settings = read_arguments(count, arguments);
#if defined(_OPENMP)
    if (settings.threads > 0) {
      omp_set_num_threads(settings.threads);
    }
#endif
    return simulate(settings);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "heat3d: %s\n%s", error.what(), usage);
    return bad_usage;
  } catch (const isofold::Error& error) {
    std::fprintf(stderr, "heat3d: %s\n", error.what());
    return error.code() == isofold::Code::backend_unavailable ||
                   error.code() == isofold::Code::unsupported
               ? no_backend
               : failed;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heat3d: %s\n", error.what());
    return failed;
  }
}
