// Every operation of the platform failing in turn, on emulated GPUs (../support/fault_sweep.hpp);
// and that poison and fences would show what they are there for.
#include <fault_sweep.hpp>

#include <algorithm>

#include "emulated_vendor.hpp"

namespace {

using fault_sweep::Entry;
using fault_sweep::Sweep;
using isofold::simt::EmulatedVendor;
using isofold::simt::Machine;
using isofold::simt::machine;

struct Gpu {
  const char* test_name;
  const char* name;
  int wave_width;
  bool slow_fences;
  std::int32_t device;  // of the Reducers; the current one is 0
};
void PrintTo(const Gpu& gpu, std::ostream* out) { *out << gpu.test_name; }

class Faults : public testing::TestWithParam<Gpu> {
 protected:
  void SetUp() override {
    gpus().slow_fences() = GetParam().slow_fences;
    gpus().use_device(0);
  }
  void TearDown() override {
    gpus().slow_fences() = slow_by_default_;
    gpus().omission() = {};
  }
  const char* name() const { return GetParam().name; }
  Machine& gpus() const { return machine(GetParam().wave_width); }

  EmulatedVendor vendor_{gpus(), GetParam().device};

 private:
  bool slow_by_default_ = gpus().slow_fences();
};

TEST_P(Faults, EachOperationFails) {
  Sweep sweep(name(), vendor_, GetParam().device);
  const auto entries = fault_sweep::every_entry();
  long operations = 0;
  for (const Entry& entry : entries) {
    operations += sweep.fail_each(entry);
  }
  fault_sweep::print("failed", entries.size(), operations, sweep.kinds());
  EXPECT_LT(200, operations) << "the control: entry points do ask the platform";
}

TEST_P(Faults, EachOperationFailsOverPoison) {
  Sweep sweep(name(), vendor_, GetParam().device);
  for (const Entry& entry : fault_sweep::every_entry()) {
    sweep.fail_each(entry, "poison=255");
  }
}

TEST_P(Faults, EachReleaseFails) {
  Sweep sweep(name(), vendor_, GetParam().device);
  long releases = 0;
  for (const Entry& entry : fault_sweep::reductions()) {
    releases += sweep.fail_each_release(entry);
  }
  EXPECT_LT(40, releases) << "the control: Reducers give memory back";
}

TEST_P(Faults, TheDeviceIsLostAtEachOperation) {
  Sweep sweep(name(), vendor_, GetParam().device);
  const auto entries = fault_sweep::every_entry();
  long operations = 0;
  for (const Entry& entry : entries) {
    operations += sweep.lose_at_each(entry);
  }
  fault_sweep::print("lost", entries.size(), operations, {});
  EXPECT_LT(200, operations);
}

TEST_P(Faults, PoisonedWorkspaceChangesNoBit) {
  Sweep sweep(name(), vendor_, GetParam().device);
  for (const Entry& entry : fault_sweep::every_entry()) {
    for (const char* pattern : {"255", "0", "1", "random"}) {
      sweep.poison(entry, pattern);
    }
  }
}

// The control: the counters of a fresh workspace that nobody zeroed show, unless they happen to be
// zero.
TEST_P(Faults, AMissingZeroShowsInPoison) {
  const fault_sweep::Door door(name());
  fault_sweep::Data data(name(), std::max(0, GetParam().device));
  const auto sum_over = [&](const char* poison) {
    door.say(poison);
    fault_sweep::Scene scene(name(), data, &vendor_, GetParam().device);
    fault_sweep::run(
        [](fault_sweep::Scene& s) {
          s.sum_of_many_blocks(7001, s.host_at<float>(0), ISOFOLD_BLOCKING);
        },
        scene);
    return *scene.host_at<float>(0);
  };
  const float right = sum_over("poison=255");
  gpus().omission().zeroing = true;
  EXPECT_EQ(right, sum_over("poison=0"));
  if (!GetParam().slow_fences) {  // then a second launch takes the place of counters
    EXPECT_NE(right, sum_over("poison=255"));
  }
}

// The control of the fences.
TEST_P(Faults, AWriteBesideMemoryDamagesItsFence) {
  const fault_sweep::Door door(name());
  for (const std::ptrdiff_t beside : {-1, 64}) {
    const long before = door.seen().damaged;
    door.say("poison=255");
    {
      const isofold::Buffer made(name(), 64);
      const unsigned char byte = 0;
      isofold::check(isofold_copy(name(), 0, made.as<char>() + beside, &byte, 1));
    }
    EXPECT_EQ(before + 1, door.seen().damaged) << beside;
  }
}

// The last of several launches fails, or waiting for them does: the others are on their way, in the
// old stream's order, and set_stream() must wait for them too.
TEST_P(Faults, WhatAFailedCallLaunchedIsOrdered) {
  const fault_sweep::Door door(name());
  fault_sweep::Data data(name(), std::max(0, GetParam().device));
  isofold::Reducer reference("reference");
  fault_sweep::Data host_data("reference");
  const std::vector<std::uint8_t> all(fault_sweep::n, 1);
  const float right =
      reference.sum(masked(isofold::array(host_data.floats.as<float>(), fault_sweep::n),
                           host_data.mask.as<std::uint8_t>()));
  isofold::Buffer other_mask(name(), fault_sweep::n, std::max(0, GetParam().device));
  other_mask.copy_from(all.data(), all.size());
  for (int time = 0; time < 40; ++time) {
    const bool while_waiting = time % 2 == 0;
    fault_sweep::Scene scene(name(), data, &vendor_, GetParam().device);
    scene.reduce().reserve(isofold::sum, masked(scene.array(), scene.mask()));
    scene.reduce().synchronize();
    const std::int64_t ran = gpus().launches();
    door.say(while_waiting ? "wait=1" : "launch=3");
    EXPECT_THROW(
        static_cast<void>(scene.reduce().sum(masked(scene.array(), other_mask.as<std::uint8_t>()))),
        isofold::Error);
    door.say("");
    scene.reduce().set_stream(scene.other_stream);
    scene.reduce().synchronize();
    // The launches are bits, sums of their counts, chunks, nodes; the third of them failed.
    EXPECT_EQ(ran + (while_waiting ? 4 : 2), gpus().launches()) << "something is not waited for";
    EXPECT_EQ(right, scene.reduce().sum(masked(scene.array(), scene.mask()))) << time;
  }
}

// A graph may hold the first of several launches even if the last failed: what it names stays.
TEST_P(Faults, WhatAFailedCapturedCallNamesStays) {
  const fault_sweep::Door door(name());
  fault_sweep::Data data(name(), std::max(0, GetParam().device));
  fault_sweep::Scene scene(name(), data, &vendor_, GetParam().device);
  scene.sum_of_many_blocks(7001, scene.out<float>(), 0);
  scene.reduce().reserve(isofold::sum, masked(scene.array(), scene.mask()));
  scene.reduce().synchronize();
  const long before = door.seen().memory;
  scene.begin_capture();
  door.say("launch=3");
  EXPECT_THROW(scene.reduce().sum(masked(scene.array(), scene.mask()), scene.out<float>()),
               isofold::Error);
  door.say("");
  scene.replay_capture();
  scene.reserve_much();
  EXPECT_LT(before, door.seen().memory);
}

// A graph of a failed call that is run all the same, now and again, leaves the counters of later
// calls alone.
TEST_P(Faults, AGraphOfAFailedCallLeavesLaterOnesAlone) {
  const fault_sweep::Door door(name());
  fault_sweep::Data data(name(), std::max(0, GetParam().device));
  for (const char* failing : {"launch=1", "launch=2", "launch=3"}) {
    fault_sweep::Scene scene(name(), data, &vendor_, GetParam().device);
    const auto sum = [&] { return scene.reduce().sum(masked(scene.array(), scene.mask())); };
    const float right = sum();
    gpus().begin_capture(scene.stream);
    door.say(failing);
    EXPECT_THROW(scene.reduce().sum(masked(scene.array(), scene.mask()), scene.out<float>()),
                 isofold::Error);
    door.say("");
    const auto graph = gpus().end_capture(scene.stream);
    ASSERT_NE(nullptr, graph);
    EXPECT_EQ(right, sum()) << failing;
    for (int time = 0; time < 2; ++time) {
      gpus().launch_graph(graph, scene.stream);
      EXPECT_EQ(right, sum()) << failing << ", replayed " << time + 1 << " times";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Gpus, Faults,
                         testing::Values(Gpu{"simt32", "simt32", 32, false, -1},
                                         Gpu{"simt64", "simt64", 64, false, -1},
                                         Gpu{"slow_fences", "simt64", 64, true, -1},
                                         Gpu{"second_device", "simt32", 32, false, 1}),
                         testing::PrintToStringParamName());

}  // namespace
