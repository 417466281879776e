#include "reducers.hpp"

#include <cstdlib>
#include <vector>

namespace isofold_python {
namespace {

// A reducer orders its next stream after the last one, which its library must not destroy before:
// CuPy destroys a stream with its last reference. (Threads end without Python's lock, so the last
// reference of each stays.)
struct DeviceReducer {
  dlpack::Device device;
  void* stream;
  isofold_reducer* reducer;
  PyObject* stream_owner;
};

struct Reducers {
  Reducers() = default;
  Reducers(const Reducers&) = delete;
  Reducers& operator=(const Reducers&) = delete;
  ~Reducers() {
    isofold_destroy(host);
    for (const DeviceReducer& other : devices) {
      isofold_destroy(other.reducer);
    }
  }

  isofold_reducer* host = nullptr;
  std::vector<DeviceReducer> devices;
};
thread_local Reducers reducers;

isofold_options default_options() {
  isofold_options options{};
  options.size = sizeof options;
  options.device = -1;
  options.validate = 1;
  return options;
}

}  // namespace

PyObject* exception_of(std::int32_t code) {
  switch (code) {
    case ISOFOLD_invalid_argument:
    case ISOFOLD_empty_input:
    case ISOFOLD_wrong_memory:
    case ISOFOLD_misaligned:
    case ISOFOLD_overlap:
    case ISOFOLD_incomplete:
    case ISOFOLD_mismatch: return PyExc_ValueError;
    case ISOFOLD_unsupported: return PyExc_TypeError;
    case ISOFOLD_out_of_range: return PyExc_OverflowError;
    case ISOFOLD_out_of_memory: return PyExc_MemoryError;
    default: return PyExc_RuntimeError;
  }
}

isofold_reducer* host_reducer() {
  if (reducers.host == nullptr) {
    isofold_options options = default_options();
    if (std::getenv("ISOFOLD_BACKEND") == nullptr) {
      // A reducer that chooses by where data lie would start the devices' drivers for NumPy's
      // arrays, too.
      options.backend = isofold_backend_available("openmp") != 0 ? "openmp" : "reference";
    }
    check(isofold_create(&options, &reducers.host));
  }
  return reducers.host;
}

isofold_reducer* reducer_for(const Array& x) {
  if (x.on_host()) {
    return host_reducer();
  }
  for (DeviceReducer& known : reducers.devices) {
    if (known.device.type == x.device.type && known.device.number == x.device.number) {
      if (known.stream != x.stream) {
        check(isofold_set_stream(known.reducer, x.stream));
        known.stream = x.stream;
        Py_XDECREF(known.stream_owner);
        known.stream_owner = nb::object(x.stream_owner).release().ptr();
      }
      return known.reducer;
    }
  }
  isofold_options options = default_options();
  options.backend = x.device.type == dlpack::rocm ? "hip" : "cuda";
  options.device = x.device.number;
  options.has_stream = 1;
  options.stream = x.stream;
  isofold_reducer* reducer = nullptr;
  check(isofold_create(&options, &reducer));
  reducers.devices.push_back(
      {x.device, x.stream, reducer, nb::object(x.stream_owner).release().ptr()});
  return reducer;
}

void synchronize() {
  for (const DeviceReducer& known : reducers.devices) {
    check(isofold_synchronize(known.reducer));
  }
}

void check(std::int32_t code) {
  if (code != ISOFOLD_ok) {
    PyErr_SetString(exception_of(code), isofold_last_error());
    throw nb::python_error();
  }
}

}  // namespace isofold_python
