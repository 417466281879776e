// Faults asked for through ISOFOLD_TEST_FAULTS, one at each operation of the platform in turn;
// poison in and fences around the workspace; and devices that are lost for real, in processes of
// their own.
#include <unistd.h>

#include <fault_sweep.hpp>

#include "gpu_support.hpp"
#include "lost_device.hpp"

using namespace gpu_test;
using fault_sweep::Entry;
using fault_sweep::Scene;
using fault_sweep::Sweep;
using isofold::array;

namespace {

constexpr std::int64_t n = 500 * 1024 + 1;

class RealVendor final : public fault_sweep::Vendor {
 public:
  void* create_stream() override {
    cudaStream_t stream = nullptr;
    EXPECT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
  }
  void destroy_stream(void* stream) override {
    cudaStreamDestroy(static_cast<cudaStream_t>(stream));
  }
  void begin_capture(void* stream) override {
    EXPECT_EQ(cudaSuccess, cudaStreamBeginCapture(static_cast<cudaStream_t>(stream),
                                                  cudaStreamCaptureModeGlobal));
  }
  bool replay_capture(void* stream) override {
    auto* const captured = static_cast<cudaStream_t>(stream);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    bool whole = cudaStreamEndCapture(captured, &graph) == cudaSuccess;
    whole = whole && cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess;
    whole = whole && cudaGraphLaunch(ready, captured) == cudaSuccess;
    whole = whole && cudaStreamSynchronize(captured) == cudaSuccess;
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    return whole;
  }
  int current_device() override {
    int device = -1;
    cudaGetDevice(&device);
    return device;
  }
  void use_device(int device) override { cudaSetDevice(device); }
};

TEST(Faults, EachOperationFails) {
  SKIP_WITHOUT_DEVICE();
  RealVendor vendor;
  Sweep sweep(backend(), vendor);
  const auto entries = fault_sweep::every_entry();
  long operations = 0;
  for (const Entry& entry : entries) {
    operations += sweep.fail_each(entry);
  }
  fault_sweep::print("failed", entries.size(), operations, sweep.kinds());
  EXPECT_LT(200, operations) << "the control: entry points do ask the platform";
}

TEST(Faults, EachOperationFailsOverPoison) {
  SKIP_WITHOUT_DEVICE();
  RealVendor vendor;
  Sweep sweep(backend(), vendor);
  for (const Entry& entry : fault_sweep::every_entry()) {
    sweep.fail_each(entry, "poison=255");
  }
}

TEST(Faults, EachReleaseFails) {
  SKIP_WITHOUT_DEVICE();
  RealVendor vendor;
  Sweep sweep(backend(), vendor);
  long releases = 0;
  for (const Entry& entry : fault_sweep::reductions()) {
    releases += sweep.fail_each_release(entry);
  }
  EXPECT_LT(40, releases) << "the control: Reducers give memory back";
}

TEST(Faults, TheDeviceIsLostAtEachOperation) {
  SKIP_WITHOUT_DEVICE();
  RealVendor vendor;
  Sweep sweep(backend(), vendor);
  const auto entries = fault_sweep::every_entry();
  long operations = 0;
  for (const Entry& entry : entries) {
    operations += sweep.lose_at_each(entry);
  }
  fault_sweep::print("lost", entries.size(), operations, {});
}

TEST(Faults, PoisonedWorkspaceChangesNoBit) {
  SKIP_WITHOUT_DEVICE();
  RealVendor vendor;
  Sweep sweep(backend(), vendor);
  for (const Entry& entry : fault_sweep::every_entry()) {
    for (const char* pattern : {"255", "0", "1", "random"}) {
      sweep.poison(entry, pattern);
    }
  }
}

// The control of the fences.
TEST(Faults, AWriteBesideMemoryDamagesItsFence) {
  SKIP_WITHOUT_DEVICE();
  const fault_sweep::Door door(backend());
  for (const std::ptrdiff_t beside : {-1, 64}) {
    const long before = door.seen().damaged;
    door.say("poison=255");
    {
      const isofold::Buffer made(backend(), 64);
      const unsigned char byte = 0;
      isofold::check(isofold_copy(backend(), 0, made.as<char>() + beside, &byte, 1));
    }
    EXPECT_EQ(before + 1, door.seen().damaged) << beside;
  }
}

// The fourth allocation would fail, so a thousand calls of one size class after the first need
// none.
TEST(Faults, NothingIsAllocatedAfterTheFirstCallOfASizeClass) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(n);
  const Memory data(x);
  const Memory out(4);
  const fault_sweep::Door door(backend());
  door.say("allocation=4");
  isofold::Reducer reduce(gpu_test::backend());
  for (int i = 0; i < 1000; ++i) {
    static_cast<void>(reduce.sum(array(data.floats(), n - i)));
    reduce.sum(array(data.floats(), n), out.floats());
  }
}

TEST(Faults, ReserveTakesItAll) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(n);
  const Memory data(x);
  const fault_sweep::Door door(backend());
  door.say("allocation=4");
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

// ---- devices that are lost, for real ------------------------------------------------------------

// In a process of its own: two Reducers that have worked, a device to lose, and the judge.
class LostDevice {
 public:
  LostDevice()
      : sweep_(backend(), vendor_),
        scene_(backend(), sweep_.data(), &vendor_),
        other_(backend(), sweep_.data(), &vendor_) {
    EXPECT_NE(0.0F, scene_.reduce().sum(scene_.array()));
    EXPECT_NE(0.0F, other_.reduce().sum(other_.array()));
  }
  void* stream() const { return scene_.stream; }

  // The library's own call loses the device: the arrays of a batch are in memory that does not
  // exist.
  void reduce_wild_pointers() {
    const std::vector<std::uintptr_t> wild(fault_sweep::rows, 0x10);
    sweep_.data().pointers.copy_from(wild.data(), wild.size() * sizeof(std::uintptr_t));
    scene_.reduce().sum(isofold::batch(sweep_.data().pointers.as<const float*>(),
                                       sweep_.data().lengths.as<std::int64_t>(), fault_sweep::rows),
                        scene_.out<float>());
  }

  // The first call after the loss that waits says so, and so does every call from then on.
  [[noreturn]] void judge_and_exit() {
    float result = -77;
    const auto sum = [&](Scene& s) { result = s.reduce().sum(s.array()); };
    expect_lost(fault_sweep::run(sum, scene_), "the first blocking call");
    expect_lost(fault_sweep::run([](Scene& s) { s.reduce().synchronize(); }, scene_), "waiting");
    sweep_.all_is_lost(scene_, "after a real loss");
    expect_lost(fault_sweep::run(
                    [](Scene& s) {
                      s.sum_of_many_blocks(7001, s.out<float>(), 0);
                      s.reduce().synchronize();
                    },
                    other_),
                "another Reducer, opened before");
    expect_lost(fault_sweep::run(
                    [](Scene& s) {
                      isofold::Forest<isofold::Fold::sum, float> forest(fault_sweep::n);
                      forest.add(s.reduce(), s.array().data, 0, fault_sweep::n);
                    },
                    other_),
                "a Forest");
    EXPECT_EQ(-77, result) << "a number came from a lost device";
    expect_hosts_work();
    scene_.reducer.reset();
    other_.reducer.reset();
    std::fprintf(stderr, "the loss was %s\n",
                 testing::Test::HasFailure() ? "missed" : "reported by all");
    std::fflush(nullptr);
    _exit(testing::Test::HasFailure() ? 1 : 0);  // no destructor of the vendor's runtime
  }

 private:
  static void expect_lost(const fault_sweep::Answer& answer, const char* who) {
    if (answer.code != isofold::Code::device_lost) {
      ADD_FAILURE() << who << ": " << isofold_code_name(static_cast<std::int32_t>(answer.code))
                    << ", " << answer.sentence;
    }
  }
  // Named host backends keep working.
  static void expect_hosts_work() {
    const auto x = uniform(5000);
    isofold::Reducer reduce("reference");
    EXPECT_EQ(bits(expected_sum(x)), bits(reduce.sum(array(x.data(), 5000))));
  }

  RealVendor vendor_;
  Sweep sweep_;
  Scene scene_;
  Scene other_;
};

#define EXPECT_LOSS_REPORTED(losing)                                        \
  testing::FLAGS_gtest_death_test_style = "threadsafe"; /* a new process */ \
  EXPECT_EXIT(                                                              \
      {                                                                     \
        LostDevice lost;                                                    \
        losing;                                                             \
        lost.judge_and_exit();                                              \
      },                                                                    \
      testing::ExitedWithCode(0), "the loss was reported by all")

TEST(FaultsDeathTest, AnIllegalAddressIsReported) {
  SKIP_WITHOUT_DEVICE();
  EXPECT_LOSS_REPORTED(lose_device(Loss::illegal_address, lost.stream()));
}
TEST(FaultsDeathTest, ATrapIsReported) {
  SKIP_WITHOUT_DEVICE();
  EXPECT_LOSS_REPORTED(lose_device(Loss::trap, lost.stream()));
}
TEST(FaultsDeathTest, AFailedAssertionIsReported) {
  SKIP_WITHOUT_DEVICE();
  EXPECT_LOSS_REPORTED(lose_device(Loss::assertion, lost.stream()));
}
TEST(FaultsDeathTest, WildPointersOfABatchAreReported) {
  SKIP_WITHOUT_DEVICE();
  EXPECT_LOSS_REPORTED(lost.reduce_wild_pointers());
}

}  // namespace
