// An array of any library as the C ABI takes it: where its elements lie, of which type, on which
// device. NumPy's arrays are read by the buffer protocol, those of libraries with DLPack's exchange
// functions (torch) by these, all others through isofold._arrays.
#pragma once

#include <isofold/isofold.h>
#include <nanobind/nanobind.h>

#include <cstdint>

#include "dlpack.hpp"

namespace isofold_python {

namespace nb = nanobind;

constexpr int most_dimensions = 64;  // NumPy's limit

// The type of an element: a number of isofold_type, or ISOFOLD_TYPE_boolean for bytes of 0 and 1.
using DType = std::int32_t;

// The type as which the C ABI reads elements of `dtype`.
inline std::int32_t element_type(DType dtype) {
  return dtype == ISOFOLD_TYPE_boolean ? static_cast<std::int32_t>(ISOFOLD_TYPE_u8) : dtype;
}
inline bool is_complex(DType dtype) {
  return dtype == ISOFOLD_TYPE_c64 || dtype == ISOFOLD_TYPE_c128;
}
std::int64_t dtype_bytes(DType dtype);

// Raises an exception of Python with a sentence, in the format of PyErr_Format.
[[noreturn]] void raise(PyObject* type, const char* format, ...);

class Array {
 public:
  // Reads `object`; lists and other sequences become NumPy arrays. Keeps what it reads alive.
  explicit Array(nb::handle object);
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array();

  bool on_host() const { return device.type == dlpack::cpu; }

  // The array with axis `order[i]` at place i, copied by its library into contiguous memory.
  nb::object packed(const int* order) const;

  // isofold._arrays' object for this array's library.
  nb::object library() const;

  nb::object object() const { return owner_; }

  const char* data = nullptr;
  int dimensions = 0;
  std::int64_t extents[most_dimensions];
  std::int64_t strides[most_dimensions];  // in elements
  DType dtype = 0;
  dlpack::Device device;
  void* stream = nullptr;   // of devices: where the library's work is ordered
  nb::object stream_owner;  // keeps it alive; none: it lives as long as the process
  const dlpack::Exchange* exchange = nullptr;  // of libraries that have it
  bool is_numpy = false;

 private:
  void read_buffer(const Py_buffer& view);
  bool read_numpy(nb::handle object);
  bool read_exchanged(nb::handle object);
  void read_adapted(nb::handle object);

  nb::object owner_;
  mutable nb::object library_;
  Py_buffer view_{};
  bool has_view_ = false;
};

// The module looks these up once, when it is imported.
struct Names {
  nb::object ndarray;  // numpy.ndarray
  nb::object arrays;   // isofold._arrays
  nb::object is_conj;  // the names of methods and of an attribute of torch's tensors
  nb::object is_neg;
  nb::object requires_grad;
  nb::object exchange_name;  // "__dlpack_c_exchange_api__"
  nb::object scalars[65];    // by DType: NumPy's scalar types
  nb::object dtypes[65];     // by DType: NumPy's dtypes
  nb::object axis_error;     // numpy.exceptions.AxisError
  nb::object numpy_true;
  nb::object numpy_false;
  nb::object empty;  // numpy.empty
};
Names& names();

}  // namespace isofold_python
