#include "fingerprint.hpp"

#include <cstring>
#include <isofold/fingerprint.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "reducers.hpp"

namespace isofold_python {
namespace {

// Runs `work` and raises the library's errors as Python's.
template <class Work>
auto translated(const Work& work) {
  try {
    return work();
  } catch (const isofold::Error& error) {
    PyErr_SetString(exception_of(static_cast<std::int32_t>(error.code())), error.what());
    throw nb::python_error();
  }
}

// An array of host memory whose elements lie side by side in row-major order: as it is, or copied.
class Contiguous {
 public:
  explicit Contiguous(nb::handle object) : array_(std::make_unique<Array>(object)) {
    if (!is_contiguous()) {
      int order[most_dimensions];
      for (int d = 0; d < array_->dimensions; ++d) {
        order[d] = d;
      }
      const nb::object packed = array_->packed(order);
      array_ = std::make_unique<Array>(packed);
    }
    if (!array_->on_host()) {
      raise(PyExc_ValueError, "Bits are compared in host memory; copy this array there first.");
    }
  }

  const Array& array() const { return *array_; }
  std::vector<std::int64_t> shape() const {
    return {array_->extents, array_->extents + array_->dimensions};
  }
  std::int64_t count() const {
    std::int64_t count = 1;
    for (int d = 0; d < array_->dimensions; ++d) {
      count *= array_->extents[d];
    }
    return count;
  }

 private:
  bool is_contiguous() const {
    std::int64_t step = 1;
    bool contiguous = true;
    for (int d = array_->dimensions; d-- > 0;) {
      contiguous = contiguous && (array_->extents[d] <= 1 || array_->strides[d] == step);
      step *= array_->extents[d];
    }
    return contiguous || step == 0;
  }

  std::unique_ptr<Array> array_;
};

// Ranges as a list of tuples, from the first index to the one behind the last.
nb::list list_of(const std::vector<isofold::IndexRange>& ranges) {
  nb::list all;
  for (const isofold::IndexRange& range : ranges) {
    all.append(nb::make_tuple(range.first, range.first + range.count));
  }
  return all;
}

class Fingerprint {
 public:
  Fingerprint(DType dtype, std::vector<std::int64_t> shape)
      : print_(translated([&] {
          return isofold::Fingerprint(static_cast<isofold::Type>(element_type(dtype)),
                                      std::move(shape));
        })) {}
  explicit Fingerprint(nb::bytes bytes)
      : print_(translated(
            [&] { return isofold::Fingerprint::from_bytes(bytes.data(), bytes.size()); })) {}

  void add(nb::handle elements, std::int64_t first) {
    const Contiguous x(elements);
    if (element_type(x.array().dtype) != dtype()) {
      PyErr_Format(PyExc_TypeError, "This fingerprint is of %S; the array is of %S.",
                   names().dtypes[dtype()].ptr(), names().dtypes[x.array().dtype].ptr());
      throw nb::python_error();
    }
    translated([&] {
      const nb::gil_scoped_release released;
      print_.add(x.array().data, first, x.count());
    });
  }

  nb::list differs_from(const Fingerprint& other) const {
    return list_of(translated([&] { return print_.differs_from(other.print_); }));
  }
  std::uint64_t digest() const {
    return translated([&] { return print_.digest(); });
  }
  nb::bytes to_bytes() const {
    const std::vector<unsigned char> bytes = translated([&] { return print_.to_bytes(); });
    return nb::bytes(bytes.data(), bytes.size());
  }
  bool complete() const { return print_.complete(); }
  DType dtype() const { return static_cast<DType>(print_.type()); }
  nb::tuple shape() const {
    nb::list extents;
    for (const std::int64_t extent : print_.shape()) {
      extents.append(extent);
    }
    return nb::tuple(extents);
  }

 private:
  isofold::Fingerprint print_;
};

// The ranges of row-major indices whose elements differ in a bit.
nb::list differences(nb::handle one_, nb::handle other_) {
  const Contiguous one(one_);
  const Contiguous other(other_);
  if (one.array().dtype != other.array().dtype || one.shape() != other.shape()) {
    raise(PyExc_ValueError, "Arrays of one dtype and one shape are compared; these differ there.");
  }
  std::vector<isofold::IndexRange> ranges;
  {
    const nb::gil_scoped_release released;
    const auto bytes = static_cast<std::size_t>(dtype_bytes(one.array().dtype));
    const std::int64_t count = one.count();
    const char* a = one.array().data;
    const char* b = other.array().data;
    for (std::int64_t i = 0; i < count; ++i, a += bytes, b += bytes) {
      if (std::memcmp(a, b, bytes) == 0) {
        continue;
      }
      if (!ranges.empty() && ranges.back().first + ranges.back().count == i) {
        ++ranges.back().count;
      } else {
        ranges.push_back({i, 1});
      }
    }
  }
  return list_of(ranges);
}

}  // namespace

void bind_comparisons(nb::module_& module) {
  nb::class_<Fingerprint>(module, "Fingerprint")
      .def("__init__",
           [](Fingerprint* self, DType dtype, nb::handle shape) {
             std::vector<std::int64_t> extents;
             for (const nb::handle extent : shape) {
               extents.push_back(nb::cast<std::int64_t>(extent));
             }
             new (self) Fingerprint(dtype, std::move(extents));
           })
      .def(nb::init<nb::bytes>())
      .def("add", &Fingerprint::add)
      .def("differs_from", &Fingerprint::differs_from)
      .def("digest", &Fingerprint::digest)
      .def("to_bytes", &Fingerprint::to_bytes)
      .def_prop_ro("complete", &Fingerprint::complete)
      .def_prop_ro("dtype", &Fingerprint::dtype)
      .def_prop_ro("shape", &Fingerprint::shape);
  module.def("differences", differences);
}

}  // namespace isofold_python
