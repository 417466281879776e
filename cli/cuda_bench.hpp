// The module isofold-bench-cuda.so, loaded when it is asked for.
#pragma once

#include <string>

#include <bench/cuda_module.hpp>

namespace cli {

// nullptr with the reason where it is not there: it is built with ISOFOLD_BUILD_BENCH=ON only.
const bench::CudaModule* cuda_bench(std::string& why);

}  // namespace cli
