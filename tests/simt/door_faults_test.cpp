// The device door with each operation of its platform failing in turn, and with the device lost at
// each: the right error, nothing left behind, and the next call's bits right.
#include <fault_sweep.hpp>

#include <utility>

#include <mapped_folds.hpp>

#include <backends/gpu/launch/fault_injection.hpp>
#include <isofold/detail/gpu/transform_reducer.hpp>

#include <in_child.hpp>
#include <simulator/platform.hpp>

namespace {

using isofold::Code;
using isofold::simt::machine;

// The arithmetic of a file is tested at its first call, so the sweep over that needs many files.
template <int number>
struct ThisFile {};

const isofold::core::Sum<double> sum;
const test_support::Scattered<double> map;
constexpr std::int64_t few = 700;
constexpr std::int64_t many = 70001;  // several blocks, which need nodes and a counter

template <class Vendor>
class DoorFaults : public testing::Test {
 protected:
  using Platform = isofold::gpu::WithFaults<Vendor>;
  using Reducer = isofold::gpu::TransformReducer<Platform>;

  void SetUp() override {
    slow_by_default_ = gpus().slow_fences();
    work_on(0);
  }
  void TearDown() override {
    gpus().slow_fences() = slow_by_default_;
    leave_device();
  }
  // Doors are of that device from now on; the caller's is 0 throughout.
  void work_on(int device) {
    leave_device();
    device_ = device;
    gpus().use_device(device);
    stream_ = gpus().create_stream();
    EXPECT_TRUE(Vendor::allocate(&memory_, sizeof(double)).ok());
    gpus().use_device(callers_device);
  }
  static isofold::simt::Machine& gpus() { return machine(Vendor::wave_width); }
  static std::string describe() {
    char text[512] = "";
    EXPECT_TRUE(Platform::describe(text, sizeof text).ok());
    return text;
  }
  double* out() const { return static_cast<double*>(memory_); }
  static double right(std::int64_t n) { return isofold::transform_reduce(n, map, sum); }

  // Everything that the door does, with the bits that it must have.
  template <class File>
  void use(Reducer& reducer, File file) const {
    EXPECT_EQ(right(few), reducer.reduce(few, map, sum, file));
    EXPECT_EQ(right(many), reducer.reduce(many, map, sum, file));
    reducer.reduce(many - 1, map, sum, out(), file);
    reducer.synchronize();
    EXPECT_EQ(right(many - 1), *out());
    EXPECT_EQ(0, reducer.reduce(0, map, sum, file));
  }

  struct Answer {
    Code code = Code::ok;
    std::string sentence;
    int left_on = callers_device;
    bool works_again = false;
  };
  std::unique_ptr<Reducer> open() const {
    const isofold::gpu::DeviceScope<Vendor> on_its_device(device_);
    return std::make_unique<Reducer>(stream_);
  }
  // Tries a door while the faults of the text happen; then the same door again, without them.
  template <class File>
  Answer try_once(const std::string& words, fault_sweep::Seen* seen, File file) {
    Answer answer;
    door_.say(words);
    std::unique_ptr<Reducer> reducer;
    try {
      reducer = open();
      use(*reducer, file);
    } catch (const isofold::Error& error) {
      answer.code = error.code();
      answer.sentence = error.what();
    }
    *seen = door_.seen();
    door_.say("");
    EXPECT_TRUE(seen->last == "device" || Vendor::current_device(&answer.left_on).ok());
    gpus().use_device(callers_device);
    if (reducer == nullptr) {
      reducer = open();
    }
    use(*reducer, file);
    answer.works_again = true;
    return answer;
  }

  // This tells whether there was an operation of that number.
  template <class File>
  bool strike(const char* how, int number, File file) {
    const std::string words = how + std::string("=") + std::to_string(number);
    const long before = door_.seen().memory;
    fault_sweep::Seen seen;
    const Answer answer = try_once(words, &seen, file);
    const std::string where = words + " (" + seen.last + "): " + answer.sentence;
    EXPECT_EQ(before, door_.seen().memory) << where << " left memory behind";
    EXPECT_EQ(callers_device, answer.left_on) << where;
    EXPECT_TRUE(answer.works_again) << where;
    if (seen.failed == 0) {
      EXPECT_EQ(Code::ok, answer.code) << where;
      return false;
    }
    const Code wanted = std::strcmp(how, "lost") == 0 ? Code::device_lost
                        : seen.last == "allocation"   ? Code::out_of_memory
                                                      : Code::device_failure;
    // Only giving the caller's device back may fail unseen.
    EXPECT_TRUE(answer.code == wanted || (answer.code == Code::ok && seen.last == "device"))
        << where;
    if (answer.code != Code::ok) {
      EXPECT_NE(std::string::npos, answer.sentence.find("by a test")) << where;
      EXPECT_EQ(0U, answer.sentence.find("transform_reduce on ")) << where;
    }
    return true;
  }

  int strike_each(const char* how) {
    int number = 1;
    while (number < 1000 && strike(how, number, ThisFile<0>{})) {
      ++number;
    }
    std::printf("waves of %d, %s: %d operations\n", Vendor::wave_width, how, number - 1);
    return number - 1;
  }
  template <int... numbers>
  void strike_first_calls(std::integer_sequence<int, numbers...>) {
    EXPECT_TRUE((strike("any", numbers + 1, ThisFile<numbers + 1>{}) && ...));
  }

  fault_sweep::Door door_{fault_sweep::Door::Describe(&DoorFaults::describe)};

 private:
  static constexpr int callers_device = 0;

  void leave_device() {
    if (memory_ != nullptr) {
      EXPECT_TRUE(Vendor::release(memory_).ok());
      gpus().destroy_stream(stream_);
    }
  }

  bool slow_by_default_ = false;
  int device_ = callers_device;
  void* stream_ = nullptr;
  void* memory_ = nullptr;
};

// A vendor whose devices nobody has used yet, and which cannot be used while they are `broken`.
template <class Vendor>
struct Unused : Vendor {
  static inline bool broken = true;
  static isofold::gpu::Status current_device(int* device) {
    return broken ? isofold::gpu::Status{ISOFOLD_device_failure, "broken by a test"}
                  : Vendor::current_device(device);
  }
};

using Vendors = testing::Types<isofold::simt::Platform<32>, isofold::simt::Platform<64>>;
TYPED_TEST_SUITE(DoorFaults, Vendors, );

TYPED_TEST(DoorFaults, EachOperationFails) {
  EXPECT_LT(20, this->strike_each("any")) << "the control: the door does ask the platform";
}

TYPED_TEST(DoorFaults, EachOperationFailsWhereFencesAreSlow) {
  this->gpus().slow_fences() = true;
  EXPECT_LT(20, this->strike_each("any"));
}

// A call restores the current device, wherever it ends; the device may stay changed only if asking
// for it or changing it is what failed.
TYPED_TEST(DoorFaults, EachOperationFailsOnAnotherDevice) {
  this->work_on(1);
  EXPECT_LT(30, this->strike_each("any"));
}

TYPED_TEST(DoorFaults, TheDeviceIsLostAtEachOperation) { EXPECT_LT(20, this->strike_each("lost")); }

TYPED_TEST(DoorFaults, EachOperationOfAFirstCallFails) {
  this->strike_first_calls(std::make_integer_sequence<int, 12>());
}

// Children are told that their parent has used devices only where it has.
TYPED_TEST(DoorFaults, AnAttemptThatFailedIsNoUse) {
  using Platform = Unused<TypeParam>;
  const auto child_may_use = [] {
    return test_support::answer_of_child(
        [] { return isofold::gpu::FirstUse<Platform>::asked().ok() ? 1 : 0; });
  };
  EXPECT_FALSE(isofold::gpu::DeviceScope<Platform>(1).status().ok());
  EXPECT_THROW(isofold::gpu::TransformReducer<Platform>{}, isofold::Error);
  EXPECT_EQ(1, child_may_use());
  Platform::broken = false;
  EXPECT_TRUE(isofold::gpu::DeviceScope<Platform>(1).status().ok());
  EXPECT_EQ(0, child_may_use());
}

TYPED_TEST(DoorFaults, PoisonedWorkspaceChangesNoBit) {
  for (const char* pattern : {"255", "0", "random"}) {
    fault_sweep::Seen seen;
    const long damaged = this->door_.seen().damaged;
    const auto answer = this->try_once(std::string("poison=") + pattern, &seen, ThisFile<0>{});
    EXPECT_EQ(Code::ok, answer.code) << pattern << ": " << answer.sentence;
    EXPECT_EQ(damaged, this->door_.seen().damaged) << pattern;
  }
}

}  // namespace
