// Thrust's reduce: the blocking call that most codes write first.
#include <thrust/device_ptr.h>
#include <thrust/reduce.h>

#include "../timing.hpp"

namespace bench {

double thrust_sum(bool f64, const void* data, std::int64_t n) {
  if (f64) {
    const auto first = thrust::device_pointer_cast(static_cast<const double*>(data));
    return thrust::reduce(first, first + n);
  }
  const auto first = thrust::device_pointer_cast(static_cast<const float*>(data));
  return thrust::reduce(first, first + n);
}

}  // namespace bench
