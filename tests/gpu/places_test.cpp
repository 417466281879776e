// Memory in which data and results may lie, and the order of calls: Forests over device memory,
// default Reducers over pinned and managed memory, and workspace taken on a busy stream.
#include "gpu_support.hpp"

using namespace gpu_test;
using isofold::array;

namespace {

constexpr std::int64_t n = 300 * 1024 + 77;
constexpr std::size_t scratch_bytes = std::size_t{64} << 20;
using SumForest = isofold::Forest<isofold::Fold::sum, float>;

// Host memory that the device reads, pinned or managed.
class SharedMemory {
 public:
  SharedMemory(bool managed, const std::vector<float>& x) : managed_(managed) {
    const std::size_t bytes = x.size() * sizeof(float);
    const cudaError_t got =
        managed ? cudaMallocManaged(&floats_, bytes) : cudaMallocHost(&floats_, bytes);
    if (got != cudaSuccess) {
      ADD_FAILURE() << cudaGetErrorString(got);
      return;
    }
    std::memcpy(floats_, x.data(), bytes);
  }
  ~SharedMemory() { managed_ ? cudaFree(floats_) : cudaFreeHost(floats_); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  const float* floats() const { return floats_; }

 private:
  bool managed_;
  float* floats_ = nullptr;
};

// The raw elements at both ends are copied to the host: only after the stream's earlier work.
TEST(Places, AForestsUnalignedEndsWaitForABusyStream) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(n);
  const Memory staged(x);
  const Memory data(x.size() * 4);
  const Memory scratch(scratch_bytes);
  const Stream stream;
  isofold::Reducer reduce(gpu_test::backend(), isofold::Options{}.stream(stream));
  reduce.reserve(isofold::sum, array(data.floats(), n));
  constexpr std::int64_t cuts[] = {0, 100, 5001, 5002, 200 * 1024 + 3, n};
  SumForest forest(n);
  CUDA_OK(cudaMemset(data.floats(), 0, x.size() * 4));
  CUDA_OK(cudaDeviceSynchronize());
  keep_busy(stream, scratch, scratch_bytes);
  CUDA_OK(cudaMemcpyAsync(data.floats(), staged.floats(), x.size() * 4, cudaMemcpyDeviceToDevice,
                          stream));
  for (std::size_t i = 0; i + 1 < std::size(cuts); ++i) {
    forest.add(reduce, data.floats() + cuts[i], cuts[i], cuts[i + 1] - cuts[i]);
  }
  EXPECT_TRUE(forest.complete());
  EXPECT_EQ(bits(expected_sum(x)), bits(forest.finish()));
}

TEST(Places, AForestsFewElementsOutOfReachAreAnError) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(500);
  const Memory data(x);
  SumForest forest(n);
  isofold::Reducer cuda(gpu_test::backend());
  isofold::Reducer reference("reference");
  if (!gpu_test::reaches_host_memory()) {
    EXPECT_CODE(wrong_memory, forest.add(cuda, x.data(), 10, 500));
  }
  EXPECT_CODE(wrong_memory, forest.add(reference, data.floats(), 10, 500));
  EXPECT_EQ(cudaSuccess, cudaPeekAtLastError());
  // Nothing was added: the same elements fit still, from either memory within reach.
  forest.add(cuda, data.floats(), 10, 500);
  forest.add(reference, x.data(), 510, 500);
}

TEST(Places, WorkspaceReservedOnABusyStreamServesTheNext) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(n);
  const Memory data(x);
  const Memory scratch(scratch_bytes);
  const Memory out(4);
  const Stream first;
  const Stream second;
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 20; ++i) {
    isofold::Reducer reduce(gpu_test::backend(), isofold::Options{}.stream(first));
    keep_busy(first, scratch, scratch_bytes);
    reduce.reserve(isofold::sum, array(data.floats(), n));
    reduce.set_stream(second);
    reduce.sum(array(data.floats(), n), out.floats());
    reduce.synchronize();
    EXPECT_EQ(bits(expected_sum(x)), bits(out.first()));
  }
}

// reserve() leaves nothing behind that would need the stream again.
TEST(Places, AStreamMayGoBeforeAReducerThatOnlyReserved) {
  SKIP_WITHOUT_DEVICE();
  const Memory data(4);
  cudaStream_t stream = nullptr;
  CUDA_OK(cudaStreamCreate(&stream));
  isofold::Reducer reduce(gpu_test::backend(), isofold::Options{}.stream(stream));
  reduce.reserve(isofold::sum, array(data.floats(), n));
  CUDA_OK(cudaStreamDestroy(stream));
}

TEST(Places, NoElementsGoWhereTheResultLies) {
  SKIP_WITHOUT_DEVICE();
  isofold::Reducer reference("reference");
  float wanted = 1;
  reference.sum(array(static_cast<const float*>(nullptr), 0), &wanted);
  const Memory out(std::vector<float>{1});
  isofold::Reducer reduce;
  reduce.sum(array(static_cast<const float*>(nullptr), 0), out.floats());
  reduce.synchronize();
  EXPECT_STREQ(gpu_test::backend(), reduce.backend());
  EXPECT_EQ(bits(wanted), bits(out.first()));
}

TEST(Places, PinnedAndManagedDataGoToTheHostUnlessAStreamIsGiven) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(n);
  const std::uint32_t wanted = bits(expected_sum(x));
  const Stream stream;
  for (const bool managed : {false, true}) {
    const SharedMemory data(managed, x);
    isofold::Reducer on_host;
    EXPECT_EQ(wanted, bits(on_host.sum(array(data.floats(), n))));
    EXPECT_STRNE(gpu_test::backend(), on_host.backend());
    isofold::Reducer on_device(isofold::Backend::automatic, isofold::Options{}.stream(stream));
    EXPECT_EQ(wanted, bits(on_device.sum(array(data.floats(), n))));
    EXPECT_STREQ(gpu_test::backend(), on_device.backend());
    const Memory out(4);
    on_device.sum(array(data.floats(), n), out.floats());
    on_device.synchronize();
    EXPECT_EQ(wanted, bits(out.first()));
  }
}

}  // namespace
