// src/ops/supported_cases.hpp under other names, for the tables of cases that take its place in
// builds for tests: visit_every_case(), AllFusableFolds and AllFusablePairs, of which nothing is
// compiled unless a table asks.
#pragma once

#define visit_case visit_every_case
#define FusableFolds AllFusableFolds
#define FusablePairs AllFusablePairs
#include "../../src/ops/supported_cases.hpp"
#undef FusablePairs
#undef FusableFolds
#undef visit_case
