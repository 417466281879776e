// ThreadSanitizer's hooks: its options, and a count of its reports. This file is compiled without
// instrumentation, because ThreadSanitizer calls the first hook while it holds its own locks.
// NOLINTBEGIN(readability-identifier-naming): ThreadSanitizer's own names.
#include "race_reports.hpp"

namespace isofold::simt {
int race_reports = 0;
}  // namespace isofold::simt

extern "C" {
[[gnu::visibility("default")]] void __tsan_on_report(void*);
[[gnu::visibility("default")]] const char* __tsan_default_options();

void __tsan_on_report(void*) { ++isofold::simt::race_reports; }
// Every race counts, however often its lines were seen.
const char* __tsan_default_options() {
  return "suppress_equal_stacks=0:suppress_equal_addresses=0";
}
}
// NOLINTEND(readability-identifier-naming)
