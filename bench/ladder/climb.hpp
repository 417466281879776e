// Climbing the ladder: every rung is checked for its answer, then measured beside the read limit.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "../record.hpp"

namespace bench::ladder {

// Measures all rungs on CUDA device 0. Throws std::runtime_error where a rung gives a wrong answer.
std::vector<Record> climb(int rounds);

// The table for people.
inline std::string table_of(const std::vector<Record>& records) {
  std::string text = records.empty() ? "" : records.front().device + "\n";
  const Record* before = nullptr;
  for (const Record& r : records) {
    char line[256];
    if (before == nullptr || r.type != before->type || r.rows != before->rows) {
      std::snprintf(line, sizeof line,
                    "\nsum of %lld x %lld %s, %.1f MB; read limit %.2f us = %.0f GB/s\n",
                    static_cast<long long>(r.rows), static_cast<long long>(r.length),
                    r.type.c_str(), static_cast<double>(r.bytes) * 1e-6, r.limit * 1e6,
                    static_cast<double>(r.bytes) / r.limit * 1e-9);
      text += line;
      std::snprintf(line, sizeof line, "  %-24s %11s %8s %11s %8s %8s  %s\n", "rung", "median us",
                    "GB/s", "% of limit", "speed-up", "spread", "step");
      text += line;
    }
    std::snprintf(line, sizeof line, "  %-24s %11.2f %8.1f %11.1f %8.2f %7.1f%%  %s\n",
                  r.name.c_str(), r.time.median * 1e6, r.gigabytes(), 100 * r.share(),
                  r.ratios.front().second, 100 * r.time.spread, r.note.c_str());
    text += line;
    before = &r;
  }
  return text;
}

}  // namespace bench::ladder
