// Kind 1 by the second definition: whatever order a target takes, its sums have the bits of the
// reference, which adds term by term.
#include "sections.hpp"

namespace isofold::conformance {

bool has_exact(Target& target, const Question& question) {
  // Sums of 64-bit integers do not always fit; tests/unit/exact_test.cpp has those that do.
  const bool is_wide = question.type == ISOFOLD_TYPE_i64 || question.type == ISOFOLD_TYPE_u64;
  if (is_wide || isofold_exact_words(question.fold, question.type) == 0) {
    return false;
  }
  const Placed<double> data(target, std::vector<double>(8));  // for elements of any type
  const Placed<double> slot(target, std::vector<double>(8));  // room for any result
  const isofold_request request = array_request(question, data.data(), {0, 1, 1}, slot.data(), 0);
  const bool refused = target.reduce(request) == ISOFOLD_unsupported;
  target.synchronize();
  return !refused;
}

void exact_v1_section(Target& target, const Question& question, Judge& judge) {
  Question exact = question;
  exact.definition = ISOFOLD_DEFINITION_exact_v1;
  if (!has_exact(target, exact)) {
    judge.skip("without an exact_v1 here");
    return;
  }
  if (exact.level == Level::standard) {
    exact.level = Level::quick;
  }
  sizes_section(target, exact, judge);
  values_section(target, exact, judge);
  alignment_section(target, exact, judge);
  rows_section(target, exact, judge);
  shapes_section(target, exact, judge);
}

}  // namespace isofold::conformance
