// The sections of the suite, each one function: asks its question of a target and tells the judge.
// suite.cpp runs them on the library's backends, the suite's own tests on targets with planted
// bugs.
#pragma once

#include "batch.hpp"

namespace isofold::conformance {

void golden_section(Target& target, const Question& question, Judge& judge);
void sizes_section(Target& target, const Question& question, Judge& judge);
void values_section(Target& target, const Question& question, Judge& judge);
void alignment_section(Target& target, const Question& question, Judge& judge);
void schedules_section(Target& target, const Question& question, Judge& judge);
void rows_section(Target& target, const Question& question, Judge& judge);
void shapes_section(Target& target, const Question& question, Judge& judge);
void fused_section(Target& target, const Question& question, Judge& judge);
void repeats_section(Target& target, const Question& question, Judge& judge);
void exact_v1_section(Target& target, const Question& question, Judge& judge);
// This tells whether there is an exact_v1 of the case that the target has, and that any data have.
bool has_exact(Target& target, const Question& question);
void conversions_section(Target& target, const Question& question, Judge& judge);
void exact_section(Target& target, const Question& question, Judge& judge);
void bound_section(Target& target, const Question& question, Judge& judge);
void refusals_section(Target& target, const Question& question, Judge& judge);
void huge_section(Target& target, const Question& question, Judge& judge);

// The backends to ask, and, in `skipped`, those that cannot be asked here. Throws as run_suite
// does.
std::vector<std::string> choose_backends(const SuiteOptions& options,
                                         std::vector<SkippedBackend>& skipped);

// The golden lines of a type that is computed in as the question's.
struct StoredType;
void golden_conversions(Target& target, const Question& question, const StoredType& stored,
                        Judge& judge);

// shapes_section over elements of such a type.
void stored_shapes(Target& target, const Question& question, const StoredType& stored,
                   Judge& judge);

// One random shape with a layout, of shapes_section's, over data of any recipe. `number` chooses it
// together with the question's seed.
void compare_random_shape(Target& target, const Question& question, std::uint64_t number,
                          Recipe recipe, Judge& judge);
// One random shape over elements that are converted as they are read.
struct StoredCase;
void compare_stored_shape(Target& target, const StoredCase& which, std::uint64_t number,
                          Judge& judge);

// The body of huge_section, for any count: markers in an array of neutral elements.
void sparse_markers(Target& target, const Question& question, std::int64_t count, Judge& judge);

// One section on one target; times it, and turns an exception into a failure.
CellResult run_section(Target& target, Section section, const Question& question);

}  // namespace isofold::conformance
