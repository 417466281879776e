#include "partial.hpp"

#include <memory>
#include <string>
#include <vector>

#include "reducers.hpp"
#include "reduction.hpp"
#include "results.hpp"

namespace isofold_python {
namespace {

// The words of exact_v1 in a NumPy array of int64, as the object keeps them.
class Words {
 public:
  Words(nb::handle array, std::int32_t fold, std::int32_t type) : array_(array) {
    const std::int64_t count = isofold_exact_words(fold, type);
    if (array_.dtype != ISOFOLD_TYPE_i64 || array_.dimensions != 1 || array_.extents[0] != count ||
        array_.strides[0] != 1) {
      raise(PyExc_ValueError, "The words of %s over %s are a contiguous array of %lld int64.",
            isofold_fold_name(fold), isofold_type_name(type), static_cast<long long>(count));
    }
  }
  std::int64_t* data() { return reinterpret_cast<std::int64_t*>(const_cast<char*>(array_.data)); }

 private:
  Array array_;
};

// Adds the words of all elements of x (and y), or takes them away.
void exact_add(int fold, DType dtype, nb::handle words_, nb::handle x_, nb::handle y_, int sign) {
  const std::int32_t type = element_type(dtype);
  Words words(words_, fold, type);
  const Array x(x_);
  std::unique_ptr<Array> y;
  if (isofold_fold_arrays(fold) == 2) {
    if (y_.is_none()) {
      raise(PyExc_TypeError, "%s takes two arrays.", isofold_fold_name(fold));
    }
    y = std::make_unique<Array>(y_);
    bool same = y->dtype == x.dtype && y->dimensions == x.dimensions;
    for (int d = 0; same && d < x.dimensions; ++d) {
      same = x.extents[d] == y->extents[d];
    }
    if (!same) {
      raise(PyExc_ValueError, "The two arrays differ in shape or dtype.");
    }
  } else if (!y_.is_none()) {
    raise(PyExc_TypeError, "%s takes one array.", isofold_fold_name(fold));
  }
  if (x.dtype != dtype) {
    PyErr_Format(PyExc_TypeError, "This partial result is of %S; the array is of %S.",
                 names().dtypes[dtype].ptr(), names().dtypes[x.dtype].ptr());
    throw nb::python_error();
  }
  bool reduced[most_dimensions];
  for (bool& axis : reduced) {
    axis = true;
  }
  const Reduction reduction(x, y.get(), nullptr, reduced, Reduction::Parts::whole);
  if (!reduction.fits()) {
    raise(PyExc_ValueError,
          "The array has more than %d axes that are not contiguous; copy it first.",
          ISOFOLD_MOST_DIMENSIONS);
  }
  std::vector<std::int64_t> part(static_cast<std::size_t>(isofold_exact_words(fold, type)));
  reduction.run_words(fold, 0, part.data());
  check(isofold_exact_merge(fold, type, words.data(), part.data(), sign));
}

nb::object components_of(std::int32_t fold, std::int32_t type, const void* memory) {
  const ResultKind kind = result_kind(fold, type, false);
  nb::list all;
  for (int c = 0; c < kind.count; ++c) {
    const isofold_component& part = kind.components[c];
    all.append(scalar(static_cast<const char*>(memory) + part.offset, part.type, part.type));
  }
  return kind.count == 1 ? nb::object(all[0]) : nb::object(nb::tuple(all));
}

class Forest {
 public:
  Forest(int fold, DType dtype, std::int64_t count) : dtype_(dtype) {
    check(isofold_forest_create(fold, element_type(dtype), count, &forest_));
  }
  Forest(nb::bytes bytes, DType dtype) : dtype_(dtype) {
    check(isofold_forest_from_bytes(bytes.data(), bytes.size(), &forest_));
  }
  Forest(const Forest& other) : dtype_(other.dtype_) {
    check(isofold_forest_copy(other.forest_, &forest_));
  }
  Forest& operator=(const Forest&) = delete;
  ~Forest() { isofold_forest_destroy(forest_); }

  void add(nb::handle elements, std::int64_t first) {
    const Array x(elements);
    if (x.dtype != dtype_) {
      PyErr_Format(PyExc_TypeError, "This Forest is of %S; the array is of %S.",
                   names().dtypes[dtype_].ptr(), names().dtypes[x.dtype].ptr());
      throw nb::python_error();
    }
    std::int64_t count = 1;
    bool contiguous = true;
    for (int d = x.dimensions; d-- > 0;) {
      contiguous = contiguous && (x.extents[d] <= 1 || x.strides[d] == count);
      count *= x.extents[d];
    }
    if (!contiguous && count > 0) {
      raise(PyExc_ValueError, "A Forest takes contiguous arrays; copy this one first.");
    }
    isofold_reducer* const reducer = reducer_for(x);
    std::int32_t code = ISOFOLD_ok;
    {
      const nb::gil_scoped_release released;
      code = isofold_forest_add(forest_, reducer, x.data, first, count);
    }
    check(code);
  }

  void merge(const Forest& other) { check(isofold_forest_merge(forest_, other.forest_)); }

  nb::object finish() const {
    std::int64_t result[8];
    check(isofold_forest_finish(forest_, result));
    std::int32_t fold = 0;
    std::int32_t type = 0;
    isofold_forest_describe(forest_, &fold, &type, nullptr);
    return components_of(fold, type, result);
  }

  bool complete() const { return isofold_forest_complete(forest_) != 0; }

  std::int64_t count() const {
    std::int64_t count = 0;
    isofold_forest_describe(forest_, nullptr, nullptr, &count);
    return count;
  }
  int fold() const {
    std::int32_t fold = 0;
    isofold_forest_describe(forest_, &fold, nullptr, nullptr);
    return fold;
  }
  DType dtype() const { return dtype_; }

  nb::bytes to_bytes() const {
    std::size_t bytes = 0;
    (void)isofold_forest_to_bytes(forest_, nullptr, &bytes);  // asks for the length
    std::vector<char> memory(bytes);
    check(isofold_forest_to_bytes(forest_, memory.data(), &bytes));
    return nb::bytes(memory.data(), bytes);
  }

 private:
  isofold_forest* forest_ = nullptr;
  DType dtype_;
};

}  // namespace

void bind_partial_results(nb::module_& module) {
  module.def("exact_words",
             [](int fold, DType dtype) { return isofold_exact_words(fold, element_type(dtype)); });
  module.def("exact_add", exact_add, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
             nb::arg().none(), nb::arg());
  module.def("exact_merge",
             [](int fold, DType dtype, nb::handle words, nb::handle other, int sign) {
               const std::int32_t type = element_type(dtype);
               check(isofold_exact_merge(fold, type, Words(words, fold, type).data(),
                                         Words(other, fold, type).data(), sign));
             });
  module.def("exact_finish", [](int fold, DType dtype, nb::handle words) {
    const std::int32_t type = element_type(dtype);
    std::int64_t result[8];
    check(isofold_exact_finish(fold, type, Words(words, fold, type).data(), result));
    return components_of(fold, type, result);
  });
  module.def("exact_to_bytes", [](int fold, DType dtype, nb::handle words) {
    const std::int32_t type = element_type(dtype);
    std::size_t bytes = 24 + 8 * static_cast<std::size_t>(isofold_exact_words(fold, type));
    std::vector<char> memory(bytes);
    check(
        isofold_exact_to_bytes(fold, type, Words(words, fold, type).data(), memory.data(), &bytes));
    return nb::bytes(memory.data(), bytes);
  });
  module.def("exact_from_bytes", [](int fold, DType dtype, nb::bytes bytes, nb::handle words) {
    const std::int32_t type = element_type(dtype);
    check(isofold_exact_from_bytes(fold, type, bytes.data(), bytes.size(),
                                   Words(words, fold, type).data()));
  });

  nb::class_<Forest>(module, "Forest")
      .def(nb::init<int, DType, std::int64_t>())
      .def(nb::init<nb::bytes, DType>())
      .def("add", &Forest::add, nb::arg().none(), nb::arg())
      .def("merge", &Forest::merge)
      .def("finish", &Forest::finish)
      .def("copy", [](const Forest& self) { return Forest(self); })
      .def("to_bytes", &Forest::to_bytes)
      .def_prop_ro("complete", &Forest::complete)
      .def_prop_ro("count", &Forest::count)
      .def_prop_ro("fold", &Forest::fold)
      .def_prop_ro("dtype", &Forest::dtype);
}

}  // namespace isofold_python
