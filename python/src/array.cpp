#include "array.hpp"

#include <cstdarg>
#include <cstring>
#include <string>
#include <unordered_map>

namespace isofold_python {
namespace {

// The type that a format of the buffer protocol names; 0 for others. `native` is false where bytes
// stand in the other order than this machine's.
DType dtype_of_format(const char* format, Py_ssize_t bytes, bool& native) {
  native = true;
  if (format == nullptr) {
    format = "B";
  }
  switch (*format) {
    case '>':
    case '!':
      native = bytes == 1;
      ++format;
      break;
    case '<':
    case '=':
    case '@': ++format; break;
    default: break;
  }
  const bool complex = *format == 'Z';
  format += complex ? 1 : 0;
  if (*format == '\0' || format[1] != '\0') {
    return 0;
  }
  const auto integer = [bytes](DType i8, DType i16, DType i32, DType i64) {
    return bytes == 1 ? i8 : bytes == 2 ? i16 : bytes == 4 ? i32 : bytes == 8 ? i64 : 0;
  };
  switch (*format) {
    case '?': return ISOFOLD_TYPE_boolean;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q': return integer(ISOFOLD_TYPE_i8, ISOFOLD_TYPE_i16, ISOFOLD_TYPE_i32, ISOFOLD_TYPE_i64);
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q': return integer(ISOFOLD_TYPE_u8, ISOFOLD_TYPE_u16, ISOFOLD_TYPE_u32, ISOFOLD_TYPE_u64);
    case 'e': return complex ? 0 : ISOFOLD_TYPE_f16;
    case 'f': return complex ? ISOFOLD_TYPE_c64 : ISOFOLD_TYPE_f32;
    case 'd': return complex ? ISOFOLD_TYPE_c128 : ISOFOLD_TYPE_f64;
    default: return 0;  // long double, objects, structures, text
  }
}

DType dtype_of(dlpack::Type type) {
  if (type.lanes != 1) {
    return 0;
  }
  const auto by_bits = [&type](DType b8, DType b16, DType b32, DType b64, DType b128) {
    switch (type.bits) {
      case 8: return b8;
      case 16: return b16;
      case 32: return b32;
      case 64: return b64;
      case 128: return b128;
      default: return 0;
    }
  };
  switch (type.code) {
    case dlpack::signed_int:
      return by_bits(ISOFOLD_TYPE_i8, ISOFOLD_TYPE_i16, ISOFOLD_TYPE_i32, ISOFOLD_TYPE_i64, 0);
    case dlpack::unsigned_int:
      return by_bits(ISOFOLD_TYPE_u8, ISOFOLD_TYPE_u16, ISOFOLD_TYPE_u32, ISOFOLD_TYPE_u64, 0);
    case dlpack::floating:
      return by_bits(0, ISOFOLD_TYPE_f16, ISOFOLD_TYPE_f32, ISOFOLD_TYPE_f64, 0);
    case dlpack::bfloat: return by_bits(0, ISOFOLD_TYPE_bf16, 0, 0, 0);
    case dlpack::complex: return by_bits(0, 0, 0, ISOFOLD_TYPE_c64, ISOFOLD_TYPE_c128);
    case dlpack::boolean: return by_bits(ISOFOLD_TYPE_boolean, 0, 0, 0, 0);
    default: return 0;
  }
}

// The exchange functions of a type's library, or null. A type is asked once, and kept.
const dlpack::Exchange* exchange_of(nb::handle type) {
  static nb::ft_mutex mutex;
  static auto* known = new std::unordered_map<PyObject*, const dlpack::Exchange*>;
  const nb::ft_lock_guard guard(mutex);
  const auto found = known->find(type.ptr());
  if (found != known->end()) {
    return found->second;
  }
  const dlpack::Exchange* exchange = nullptr;
  const nb::object capsule = nb::getattr(type, names().exchange_name, nb::none());
  if (PyCapsule_IsValid(capsule.ptr(), "dlpack_exchange_api") != 0) {
    exchange = static_cast<const dlpack::Exchange*>(
        PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
    if (exchange->header.version.major != 1 || exchange->tensor_of == nullptr) {
      exchange = nullptr;
    }
  }
  known->emplace(nb::object(nb::borrow(type)).release().ptr(), exchange);
  return exchange;
}

}  // namespace

Names& names() {
  static auto* all = new Names;  // lives as long as the process, as the types that it names do
  return *all;
}

void raise(PyObject* type, const char* format, ...) {
  va_list values;
  va_start(values, format);
  PyErr_FormatV(type, format, values);
  va_end(values);
  throw nb::python_error();
}

std::int64_t dtype_bytes(DType dtype) {
  return dtype == ISOFOLD_TYPE_boolean ? 1 : isofold_type_bytes(dtype);
}

Array::Array(nb::handle object) {
  if (Py_TYPE(object.ptr()) == reinterpret_cast<PyTypeObject*>(names().ndarray.ptr()) &&
      read_numpy(object)) {
    return;
  }
  if (!read_exchanged(object)) {
    read_adapted(object);
  }
}

Array::~Array() {
  if (has_view_) {
    PyBuffer_Release(&view_);
  }
}

// True if `object` is an array whose elements can be read where they lie.
bool Array::read_numpy(nb::handle object) {
  if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();  // a type that the protocol has no format for, such as bfloat16
    return false;
  }
  has_view_ = true;
  bool native = true;
  dtype = dtype_of_format(view_.format, view_.itemsize, native);
  if (dtype != 0 && native) {
    const std::int64_t alignment = is_complex(dtype) ? view_.itemsize / 2 : view_.itemsize;
    bool aligned =
        reinterpret_cast<std::uintptr_t>(view_.buf) % static_cast<std::uintptr_t>(alignment) == 0;
    dimensions = view_.ndim;
    for (int d = 0; d < dimensions; ++d) {
      extents[d] = view_.shape[d];
      strides[d] = view_.strides[d] / view_.itemsize;
      aligned = aligned && (view_.strides[d] % view_.itemsize == 0 || extents[d] <= 1);
    }
    if (aligned) {
      data = static_cast<const char*>(view_.buf);
      is_numpy = true;
      owner_ = nb::borrow(object);
      return true;
    }
  }
  PyBuffer_Release(&view_);
  has_view_ = false;
  return false;
}

bool Array::read_exchanged(nb::handle object) {
  exchange = exchange_of(object.type());
  if (exchange == nullptr) {
    return false;
  }
  dlpack::Tensor tensor{};
  if (exchange->tensor_of(object.ptr(), &tensor) != 0) {
    nb::raise_python_error();
  }
  dtype = dtype_of(tensor.type);
  // torch negates and conjugates when elements are read, of which its exchange functions say
  // nothing.
  const auto holds = [object](const nb::object& name) {
    return nb::hasattr(object, name) && nb::cast<bool>(object.attr(name)());
  };
  const bool lazy = (is_complex(dtype) && holds(names().is_conj)) ||
                    ((is_complex(dtype) || dtype == ISOFOLD_TYPE_f32 || dtype == ISOFOLD_TYPE_f64 ||
                      dtype == ISOFOLD_TYPE_f16) &&
                     holds(names().is_neg));
  if (dtype == 0 || tensor.dimensions > most_dimensions || lazy) {
    exchange = nullptr;
    return false;  // isofold._arrays resolves it, or has the sentence
  }
  if (nb::cast<bool>(nb::getattr(object, names().requires_grad, nb::borrow(Py_False)))) {
    raise(PyExc_ValueError, "This tensor requires a gradient, which isofold's functions do not "
                            "track: take those of isofold.torch, or "
                            "pass x.detach().");
  }
  data = static_cast<const char*>(tensor.data) + tensor.byte_offset;
  device = tensor.device;
  dimensions = tensor.dimensions;
  std::int64_t contiguous = 1;
  for (int d = dimensions; d-- > 0;) {
    extents[d] = tensor.shape[d];
    strides[d] = tensor.strides == nullptr ? contiguous : tensor.strides[d];
    contiguous *= extents[d];
  }
  if (device.type == dlpack::cuda_host || device.type == dlpack::rocm_host) {
    device = {dlpack::cpu, 0};
  }
  if (!on_host() && exchange->current_stream(static_cast<dlpack::DeviceType>(device.type),
                                             device.number, &stream) != 0) {
    nb::raise_python_error();
  }
  owner_ = nb::borrow(object);
  return true;
}

// isofold._arrays.adapt(object) returns an array that is read as NumPy's are, and a type that is
// read instead of its own if it is not None; or a description of memory.
void Array::read_adapted(nb::handle object) {
  const nb::object adapted = names().arrays.attr("adapt")(object);
  if (nb::isinstance(adapted, names().ndarray)) {
    if (!read_numpy(adapted)) {
      raise(PyExc_TypeError, "%S",
            nb::object(names().arrays.attr("unreadable")(object, adapted)).ptr());
    }
    return;
  }
  const auto field = [&adapted](const char* name) { return adapted.attr(name); };
  owner_ = field("owner");
  library_ = field("library");
  dtype = nb::cast<DType>(field("dtype"));
  device = {nb::cast<std::int32_t>(field("device_type")), nb::cast<std::int32_t>(field("device"))};
  data = reinterpret_cast<const char*>(nb::cast<std::uintptr_t>(field("pointer")));
  stream = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(field("stream")));
  stream_owner = nb::getattr(adapted, "stream_owner", nb::object());
  is_numpy = nb::cast<bool>(field("is_numpy"));
  const nb::tuple shape = nb::cast<nb::tuple>(field("shape"));
  const nb::tuple steps = nb::cast<nb::tuple>(field("strides"));
  dimensions = static_cast<int>(shape.size());
  for (int d = 0; d < dimensions; ++d) {
    extents[d] = nb::cast<std::int64_t>(shape[static_cast<std::size_t>(d)]);
    strides[d] = nb::cast<std::int64_t>(steps[static_cast<std::size_t>(d)]);
  }
}

nb::object Array::library() const {
  if (!library_.is_valid()) {
    library_ = names().arrays.attr("library_of")(owner_);
  }
  return library_;
}

nb::object Array::packed(const int* order) const {
  nb::list axes;
  for (int d = 0; d < dimensions; ++d) {
    axes.append(order[d]);
  }
  return library().attr("packed")(owner_, axes);
}

}  // namespace isofold_python
