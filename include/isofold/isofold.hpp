// isofold: reductions with the same bits on every backend. This header includes everything below.
#pragma once

#include <isofold/backend.hpp>
#include <isofold/error.hpp>
#include <isofold/exact.hpp>
#include <isofold/fold.hpp>
#include <isofold/forest.hpp>
#include <isofold/guarantee.hpp>
#include <isofold/reducer.hpp>
#include <isofold/result.hpp>
#include <isofold/shape.hpp>
