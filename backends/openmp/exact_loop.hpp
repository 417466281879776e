// The loop over rows and threads for exact_v1, as openmp.cpp calls it: compiled once.
#pragma once

#include <backend/interface.hpp>

#include "loop.hpp"

namespace isofold_openmp {

// Puts those requests of one input first that one loop answers, because the fold of the first keeps
// the words of all of them; returns how many.
int put_together(isofold_request* requests, int count);

// Evaluates such requests over the rows of `input`, which is the first of them but for the order of
// its elements, by the plan, and notes how many threads were granted.
std::int32_t walk_exactly(const VectorFolds& folds, const isofold_request& input,
                          const isofold_request* requests, int count, const Plan& plan,
                          int* granted, isofold::backend_interface::Report& report);

}  // namespace isofold_openmp
