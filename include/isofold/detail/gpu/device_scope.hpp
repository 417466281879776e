// DeviceScope makes a device current for the lifetime of an object and gives the caller's device
// back.
#pragma once

#include <isofold/detail/gpu/first_use.hpp>

namespace isofold::gpu {

template <class Platform>
class DeviceScope {
 public:
  explicit DeviceScope(int device) {
    status_ = FirstUse<Platform>::asked();
    status_ = status_.ok() ? Platform::current_device(&callers_) : status_;
    if (status_.ok() && callers_ != device) {
      status_ = Platform::use_device(device);
      changed_ = status_.ok();
    }
    if (status_.ok()) {
      FirstUse<Platform>::used();
    }
  }
  ~DeviceScope() {
    if (changed_) {
      Platform::use_device(callers_);
    }
  }
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;
  const Status& status() const { return status_; }

 private:
  int callers_ = 0;
  bool changed_ = false;
  Status status_;
};

}  // namespace isofold::gpu
