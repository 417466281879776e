// The functions of a vendor that tests of faults (../support/fault_sweep.hpp) need, of an emulated
// GPU.
#pragma once

#include <cstdint>
#include <fault_sweep.hpp>

#include <simulator/machine.hpp>

namespace isofold::simt {

class EmulatedVendor final : public fault_sweep::Vendor {
 public:
  EmulatedVendor(Machine& gpus, std::int32_t device) : gpus_(gpus), device_(device) {}
  void* create_stream() override {
    gpus_.use_device(device_ < 0 ? 0 : device_);
    void* stream = gpus_.create_stream();
    gpus_.use_device(0);
    return stream;
  }
  void destroy_stream(void* stream) override { gpus_.destroy_stream(stream); }
  void begin_capture(void* stream) override { gpus_.begin_capture(stream); }
  bool replay_capture(void* stream) override {
    const auto graph = gpus_.end_capture(stream);
    if (graph != nullptr) {
      gpus_.launch_graph(graph, stream);
      gpus_.synchronize(stream);
    }
    return graph != nullptr;
  }
  int current_device() override {
    int device = -1;
    gpus_.current_device(&device);
    return device;
  }
  void use_device(int device) override { gpus_.use_device(device); }

 private:
  Machine& gpus_;
  std::int32_t device_;
};

}  // namespace isofold::simt
