// Kind 1 by the second definition: whatever order a target takes, its sums have the bits of the
// reference, which adds term by term.
#include "sections.hpp"

namespace isofold::conformance {

bool has_exact(Target& target, const Question& question) {
  // Sums of 64-bit integers do not always fit; tests/unit/exact_test.cpp has those that do.
  const bool is_wide = question.type == ISOFOLD_TYPE_i64 || question.type == ISOFOLD_TYPE_u64;
  return !is_wide && isofold_exact_words(question.fold, question.type) != 0 &&
         !lacks(target, question);
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
