// The golden lines alone, on reference and openmp, as a program that compiles in seconds: what
// scripts/compilers builds with every compiler. On openmp once more for each width of vectors and
// with three threads, for the widest code is not all there is.
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <string>

#include "forced_target.hpp"
#include "sections.hpp"
#include "stored_data.hpp"
#include <isofold/isofold.hpp>

namespace isofold::conformance {
namespace {

void ask_every_case(Target& target, CellResult& cell) {
  for_every_case([&](std::int32_t fold, std::int32_t type) {
    const Question question{fold, type, Level::quick, 1};
    Judge judge(cell, fold, type);
    golden_section(target, question, judge);
    for (const StoredType& stored : stored_types_of(type)) {
      golden_conversions(target, question, stored, judge);
    }
  });
}

bool report(const std::string& name, const CellResult& cell) {
  const bool fine = cell.failures == 0 && cell.comparisons > 0;
  std::printf("%-22s %8" PRId64 " comparisons, %" PRId64 " different: %s\n", name.c_str(),
              cell.comparisons, cell.failures, fine ? golden_hash().c_str() : "OTHER BITS");
  if (cell.failures != 0) {
    std::printf("  the first: %s\n", cell.first_failure.c_str());
  }
  return fine;
}

bool is_offered(Target& target, const isofold_schedule& schedule) {
  const float one = 1;
  float result = 0;
  const Question question{ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f32, Level::quick, 1};
  isofold_request request = array_request(question, &one, {0, 1, 0}, &result, 0);
  request.schedule = &schedule;
  return target.reduce(request) == ISOFOLD_ok;
}

bool ask(const std::string& backend) {
  const std::unique_ptr<Target> target = library_target(backend);
  CellResult cell;
  ask_every_case(*target, cell);
  bool fine = report(backend, cell);
  for (const std::int32_t bits : {128, 256, 512}) {
    isofold_schedule schedule{};
    schedule.vector_bits = bits;
    schedule.threads = 3;
    if (backend == "openmp" && is_offered(*target, schedule)) {
      ForcedTarget forced(*target, schedule);
      CellResult of_bits;
      ask_every_case(forced, of_bits);
      fine = report(backend + ", " + std::to_string(bits) + " bits", of_bits) && fine;
    }
  }
  return fine;
}

}  // namespace
}  // namespace isofold::conformance

int main() {
  bool fine = true;
  bool any = false;
  for (const std::string backend : {"reference", "openmp"}) {
    if (isofold::is_available(backend)) {
      fine = isofold::conformance::ask(backend) && fine;
      any = true;
    } else {
      std::printf("%-22s not here: %s\n", backend.c_str(), isofold::describe(backend).c_str());
    }
  }
  return fine && any ? 0 : 1;
}
