// The library's own folds as structs, for transform_reduce and DeviceReducer:
// isofold::core::Sum<T>, Minimum, ArgMax, AllMoments, LogSumExp and the others, and those of
// exact_v1, isofold::core::exact::Sum<T>, Mean, Dot, Variance and so on
// (docs/user_folds.md). A Reducer needs none of them. Each has the bits that a Reducer has over the
// mapped values; docs/folds.md says what they compute, of no elements too.
#pragma once

#include <isofold/detail/core/exact/folds.hpp>
#include <isofold/detail/core/folds/bitwise.hpp>
#include <isofold/detail/core/folds/bounded.hpp>
#include <isofold/detail/core/folds/complex.hpp>
#include <isofold/detail/core/folds/counting.hpp>
#include <isofold/detail/core/folds/extent.hpp>
#include <isofold/detail/core/folds/extremum.hpp>
#include <isofold/detail/core/folds/location.hpp>
#include <isofold/detail/core/folds/log_sum_exp.hpp>
#include <isofold/detail/core/folds/moments.hpp>
#include <isofold/detail/core/folds/norm2.hpp>
#include <isofold/detail/core/folds/product.hpp>
#include <isofold/detail/core/folds/products.hpp>
#include <isofold/detail/core/folds/sum.hpp>
#include <isofold/detail/core/folds/weighted.hpp>
