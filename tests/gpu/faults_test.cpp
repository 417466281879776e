// Faults asked for through ISOFOLD_TEST_FAULTS: each is a clear error, and the next call works.
#include "gpu_support.hpp"

using namespace gpu_test;
using isofold::array;

namespace {

constexpr std::int64_t n = 500 * 1024 + 1;

TEST(Faults, EveryFailedAllocationIsAnErrorAndTheNextCallWorks) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(n);
  const Memory data(x);
  const std::uint32_t wanted = bits(expected_sum(x));
  int failures = 0;
  for (int k = 1; k <= 6; ++k) {
    const Fault fault("allocation=" + std::to_string(k));
    isofold::Reducer reduce(gpu_test::backend());
    try {
      reduce.sum(array(data.floats(), n));
    } catch (const isofold::Error& error) {
      EXPECT_EQ(isofold::Code::out_of_memory, error.code()) << error.what();
      ++failures;
    }
    EXPECT_EQ(wanted, bits(reduce.sum(array(data.floats(), n)))) << "after allocation " << k;
    EXPECT_EQ(wanted, bits(reduce.sum(array(data.floats(), n))));
  }
  EXPECT_EQ(3, failures) << "nodes, counters and the result of a blocking call";
}

TEST(Faults, AFailedLaunchIsAnErrorAndTheNextCallWorks) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(n);
  const Memory data(x);
  const std::uint32_t wanted = bits(expected_sum(x));
  for (int k = 1; k <= 3; ++k) {
    const Fault fault("launch=" + std::to_string(k));
    isofold::Reducer reduce(gpu_test::backend());
    for (int call = 1; call <= 4; ++call) {
      if (call == k) {
        EXPECT_CODE(device_failure, reduce.sum(array(data.floats(), n)));
      } else {
        EXPECT_EQ(wanted, bits(reduce.sum(array(data.floats(), n))));
      }
    }
  }
}

// The fourth allocation would fail, so a thousand calls of one size class after the first need
// none.
TEST(Faults, NothingIsAllocatedAfterTheFirstCallOfASizeClass) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(n);
  const Memory data(x);
  const Memory out(4);
  const Fault fault("allocation=4");
  isofold::Reducer reduce(gpu_test::backend());
  for (int i = 0; i < 1000; ++i) {
    reduce.sum(array(data.floats(), n - i));
    reduce.sum(array(data.floats(), n), out.floats());
  }
}

TEST(Faults, ReserveTakesItAll) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(n);
  const Memory data(x);
  const Fault fault("allocation=4");
  isofold::Reducer reduce(gpu_test::backend());
  reduce.reserve(isofold::sum, array(static_cast<const float*>(nullptr), n));
  EXPECT_EQ(bits(expected_sum(x)), bits(reduce.sum(array(data.floats(), n))));
}

TEST(Faults, AReservationBeyondTheDeviceIsOutOfMemory) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(n);
  const Memory data(x);
  isofold::Reducer reduce(gpu_test::backend());
  isofold_schedule wish{};
  wish.warps = 1;
  wish.chunks = 1;
  isofold_request request{};
  request.size = sizeof request;
  request.definition = ISOFOLD_DEFINITION_tree_v1;
  request.fold = ISOFOLD_FOLD_sum;
  request.type = ISOFOLD_TYPE_f32;
  request.shape = ISOFOLD_SHAPE_array;
  request.rows = 1;
  request.length = std::int64_t{1} << 50;  // a node for each of 2^40 chunks
  request.stride = request.length;
  request.schedule = &wish;
  EXPECT_EQ(ISOFOLD_out_of_memory, isofold_reserve(reduce.handle(), &request))
      << isofold_last_error();
  EXPECT_EQ(cudaSuccess, cudaPeekAtLastError());
  EXPECT_EQ(bits(expected_sum(x)), bits(reduce.sum(array(data.floats(), n))));
}

}  // namespace
