// The parts of DLPack 1.3 that the extension reads and writes: tensors, and the functions by which
// a library exchanges them without Python calls (`__dlpack_c_exchange_api__` of its array type).
// Names and layouts are those of the specification,
// https://dmlc.github.io/dlpack/latest/c_api.html.
#pragma once

#include <cstdint>

namespace isofold_python::dlpack {

enum DeviceType : std::int32_t {
  cpu = 1,
  cuda = 2,
  cuda_host = 3,
  rocm = 10,
  rocm_host = 11,
  cuda_managed = 13
};

struct Device {
  std::int32_t type = cpu;
  std::int32_t number = 0;
};

enum TypeCode : std::uint8_t {
  signed_int = 0,
  unsigned_int = 1,
  floating = 2,
  bfloat = 4,
  complex = 5,
  boolean = 6
};

struct Type {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};

struct Tensor {
  void* data;
  Device device;
  std::int32_t dimensions;
  Type type;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null: contiguous
  std::uint64_t byte_offset;
};

struct Version {
  std::uint32_t major;
  std::uint32_t minor;
};

struct ManagedTensor {
  Version version;
  void* context;
  void (*deleter)(ManagedTensor* self);
  std::uint64_t flags;
  Tensor tensor;
};

struct ExchangeHeader {
  Version version;
  ExchangeHeader* previous;
};

struct Exchange {
  ExchangeHeader header;
  int (*allocate)(Tensor* prototype, ManagedTensor** tensor, void* error_context,
                  void (*set_error)(void* error_context, const char* kind, const char* message));
  int (*managed_tensor_of)(void* object, ManagedTensor** tensor);
  int (*object_of)(ManagedTensor* tensor, void** object);
  int (*tensor_of)(void* object, Tensor* tensor);  // null where a library does not offer it
  int (*current_stream)(DeviceType device_type, std::int32_t device_number, void** stream);
};

}  // namespace isofold_python::dlpack
