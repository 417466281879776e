#include "results.hpp"

#include <complex>
#include <cstring>

namespace isofold_python {
namespace {

template <class T>
T load(const void* memory) {
  T value;
  std::memcpy(&value, memory, sizeof value);
  return value;
}

bool is_integral(DType dtype) {
  switch (dtype) {
    case ISOFOLD_TYPE_i8:
    case ISOFOLD_TYPE_i16:
    case ISOFOLD_TYPE_i32:
    case ISOFOLD_TYPE_i64:
    case ISOFOLD_TYPE_u8:
    case ISOFOLD_TYPE_u16:
    case ISOFOLD_TYPE_u32:
    case ISOFOLD_TYPE_u64: return true;
    default: return false;
  }
}

// The integer modulo 2^bits of `dtype`, as Python's.
nb::object wrapped(std::uint64_t bits, DType dtype) {
  const auto narrow = [bits](auto sample) { return static_cast<decltype(sample)>(bits); };
  switch (dtype) {
    case ISOFOLD_TYPE_i8: return nb::int_(narrow(std::int8_t{}));
    case ISOFOLD_TYPE_i16: return nb::int_(narrow(std::int16_t{}));
    case ISOFOLD_TYPE_i32: return nb::int_(narrow(std::int32_t{}));
    case ISOFOLD_TYPE_i64: return nb::int_(narrow(std::int64_t{}));
    case ISOFOLD_TYPE_u8: return nb::int_(narrow(std::uint8_t{}));
    case ISOFOLD_TYPE_u16: return nb::int_(narrow(std::uint16_t{}));
    case ISOFOLD_TYPE_u32: return nb::int_(narrow(std::uint32_t{}));
    default: return nb::int_(bits);
  }
}

// An int64 array without dimensions of more than one number stands for the structs of results.
dlpack::Type dlpack_type(DType dtype) {
  const auto bits = static_cast<std::uint8_t>(8 * dtype_bytes(dtype));
  switch (dtype) {
    case ISOFOLD_TYPE_boolean: return {dlpack::boolean, 8, 1};
    case ISOFOLD_TYPE_c64:
    case ISOFOLD_TYPE_c128: return {dlpack::complex, bits, 1};
    case ISOFOLD_TYPE_f32:
    case ISOFOLD_TYPE_f64: return {dlpack::floating, bits, 1};
    case ISOFOLD_TYPE_u32:
    case ISOFOLD_TYPE_u64: return {dlpack::unsigned_int, bits, 1};
    default: return {dlpack::signed_int, bits, 1};
  }
}

void set_python_error(void*, const char* kind, const char* message) {
  PyErr_Format(PyExc_RuntimeError, "%s: %s", kind, message);
}

}  // namespace

ResultKind result_kind(std::int32_t fold, std::int32_t type, bool kept_parts) {
  ResultKind kind;
  kind.bytes = isofold_result_bytes(fold, type);
  kind.count = isofold_result_components(fold, type, kind.components, 4);
  if (kind.bytes == 0 && fold == ISOFOLD_FOLD_mean) {  // of integers: exact_v1 alone has it
    kind.bytes = 8;
    kind.count = 1;
    kind.components[0] = {"", ISOFOLD_TYPE_f64, 0};
  }
  const bool complex = is_complex(type) && kind.count == 2 && kind.bytes == dtype_bytes(type);
  if (complex || kept_parts) {
    kind.bytes *= kept_parts ? 2 : 1;
    kind.count = 1;
    kind.components[0] = {"", kind.bytes == 8 ? ISOFOLD_TYPE_c64 : ISOFOLD_TYPE_c128, 0};
  }
  return kind;
}

Results::Results(const Array& like, const ResultKind& kind, const std::int64_t* shape,
                 int dimensions)
    : like_(like), kind_(kind), dimensions_(dimensions), scalar_(like.is_numpy && dimensions == 0) {
  if (scalar_) {
    memory_ = inline_;
    return;
  }
  std::int64_t count = 1;
  for (int d = 0; d < dimensions; ++d) {
    shape_[d] = shape[d];
    count *= shape[d];
  }
  // Structs of several components lie in an array of int64, of which take() returns views.
  const std::int64_t words = count * kind.bytes / 8;
  const bool one = kind.count == 1;
  const DType dtype = one ? kind.components[0].type : static_cast<DType>(ISOFOLD_TYPE_i64);
  const std::int64_t* const extents = one ? shape_ : &words;
  const int rank = one ? dimensions : 1;
  if (like.is_numpy) {
    allocate_numpy(dtype, extents, rank);
  } else if (like.exchange != nullptr) {
    allocate_exchanged(dtype, extents, rank);
  } else {
    allocate_adapted(dtype, extents, rank);
  }
}

void Results::allocate_numpy(DType dtype, const std::int64_t* shape, int dimensions) {
  PyObject* const extents = PyTuple_New(dimensions);
  for (int d = 0; d < dimensions; ++d) {
    PyTuple_SetItem(extents, d, PyLong_FromLongLong(shape[d]));
  }
  array_ = names().empty(nb::steal(extents), names().dtypes[dtype]);
  Py_buffer view;
  if (PyObject_GetBuffer(array_.ptr(), &view, PyBUF_WRITABLE | PyBUF_STRIDES) != 0) {
    nb::raise_python_error();
  }
  memory_ = view.buf;
  PyBuffer_Release(&view);  // array_ keeps the memory
}

void Results::allocate_exchanged(DType dtype, const std::int64_t* shape, int dimensions) {
  dlpack::Tensor prototype{};
  std::int64_t extents[most_dimensions];
  std::memcpy(extents, shape, sizeof(std::int64_t) * static_cast<std::size_t>(dimensions));
  prototype.device = like_.device;
  prototype.dimensions = dimensions;
  prototype.type = dlpack_type(dtype);
  prototype.shape = extents;
  dlpack::ManagedTensor* tensor = nullptr;
  if (like_.exchange->allocate(&prototype, &tensor, nullptr, set_python_error) != 0) {
    nb::raise_python_error();
  }
  memory_ = static_cast<char*>(tensor->tensor.data) + tensor->tensor.byte_offset;
  void* object = nullptr;
  if (like_.exchange->object_of(tensor, &object) != 0) {
    nb::raise_python_error();
  }
  array_ = nb::steal(static_cast<PyObject*>(object));
}

void Results::allocate_adapted(DType dtype, const std::int64_t* shape, int dimensions) {
  nb::list extents;
  for (int d = 0; d < dimensions; ++d) {
    extents.append(shape[d]);
  }
  const nb::object made = like_.library().attr("empty")(nb::tuple(extents), dtype);
  array_ = made[0];
  memory_ = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(made[1]));
}

nb::object Results::take(int component, DType wanted) const {
  const isofold_component& part = kind_.components[component];
  const DType native = part.type;
  const DType dtype = wanted == 0 ? native : wanted;
  if (scalar_) {
    return scalar(static_cast<const char*>(memory_) + part.offset, native, dtype);
  }
  if (kind_.count == 1 && dtype == native) {
    return like_.is_numpy || like_.exchange != nullptr ? array_
                                                       : like_.library().attr("finished")(array_);
  }
  nb::list shape;
  for (int d = 0; d < dimensions_; ++d) {
    shape.append(shape_[d]);
  }
  return like_.library().attr("component")(array_, nb::tuple(shape), native,
                                           kind_.count == 1 ? 0 : part.offset,
                                           kind_.count == 1 ? 0 : kind_.bytes, dtype);
}

nb::object scalar(const void* memory, DType native, DType wanted) {
  double real = 0;
  std::uint64_t bits = 0;
  switch (native) {
    case ISOFOLD_TYPE_f32: real = static_cast<double>(load<float>(memory)); break;
    case ISOFOLD_TYPE_f64: real = load<double>(memory); break;
    case ISOFOLD_TYPE_i32: bits = static_cast<std::uint64_t>(load<std::int32_t>(memory)); break;
    case ISOFOLD_TYPE_u32: bits = load<std::uint32_t>(memory); break;
    case ISOFOLD_TYPE_boolean: bits = load<std::uint8_t>(memory); break;
    case ISOFOLD_TYPE_c64:
    case ISOFOLD_TYPE_c128: {
      const auto value = native == ISOFOLD_TYPE_c64
                             ? std::complex<double>(load<std::complex<float>>(memory))
                             : load<std::complex<double>>(memory);
      return names().scalars[wanted](nb::steal(PyComplex_FromDoubles(value.real(), value.imag())));
    }
    default: bits = load<std::uint64_t>(memory); break;
  }
  if (wanted == ISOFOLD_TYPE_boolean) {
    return bits != 0 ? names().numpy_true : names().numpy_false;
  }
  if (is_integral(wanted)) {
    return names().scalars[wanted](wrapped(bits, wanted));
  }
  if (native != ISOFOLD_TYPE_f32 && native != ISOFOLD_TYPE_f64) {
    const bool is_signed = native == ISOFOLD_TYPE_i32 || native == ISOFOLD_TYPE_i64;
    return names().scalars[wanted](is_signed ? nb::int_(static_cast<std::int64_t>(bits))
                                             : nb::int_(bits));
  }
  if (wanted == ISOFOLD_TYPE_f16 || wanted == ISOFOLD_TYPE_bf16) {
    real =
        static_cast<double>(static_cast<float>(real));  // by way of f32, as arrays and devices do
  }
  return names().scalars[wanted](nb::float_(real));
}

}  // namespace isofold_python
