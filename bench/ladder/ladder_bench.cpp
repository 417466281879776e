// ladder_bench: the classic kernels of a GPU reduction, from the first lesson to isofold, each
// checked and measured in one run. `isofold bench --ladder` prints the same.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "climb.hpp"

int main(int count, char** arguments) {
  bench::Format format = bench::Format::table;
  int rounds = 11;
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    if (name == "--json") {
      format = bench::Format::json;
    } else if (name == "--csv") {
      format = bench::Format::csv;
    } else if (name == "--rounds" && i + 1 < count && std::atoi(arguments[i + 1]) > 0) {
      rounds = std::atoi(arguments[++i]);
    } else {
      std::printf("ladder_bench [--json | --csv] [--rounds 11]\n"
                  "Checks and measures the classic kernels of a sum on CUDA device 0.\n");
      return name == "--help" ? 0 : 2;
    }
  }
  try {
    const std::vector<bench::Record> records = bench::ladder::climb(rounds);
    const std::string text = format == bench::Format::table ? bench::ladder::table_of(records)
                                                            : bench::lines_of(records, format);
    std::fputs(text.c_str(), stdout);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ladder_bench: %s\n", error.what());
    return 4;
  }
}
