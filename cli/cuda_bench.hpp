// The module isofold-bench-cuda.so, loaded when isofold bench asks for it.
#pragma once

#include <string>

#include <bench/cuda_module.hpp>

namespace cli {

// nullptr, and the reason, if it is not there: it is built with ISOFOLD_BUILD_BENCH=ON only.
const bench::CudaModule* cuda_bench(std::string& why);

}  // namespace cli
