// The loop over rows and threads for exact_v1, as openmp.cpp calls it: compiled once.
#pragma once

#include <backend/interface.hpp>

#include "loop.hpp"

namespace isofold_openmp {

// Evaluates the request by the plan, and notes how many threads were granted.
std::int32_t walk_exactly(const VectorFolds& folds, const isofold_request& request,
                          const Plan& plan, int* granted,
                          isofold::backend_interface::Report& report);

}  // namespace isofold_openmp
