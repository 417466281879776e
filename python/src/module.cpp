// The extension isofold._core: reductions over the C ABI, for the Python functions of the package.
#include <isofold/backend_folder.h>
#include <isofold/isofold.h>
#include <nanobind/nanobind.h>

#include "array.hpp"
#include "call.hpp"
#include "fingerprint.hpp"
#include "partial.hpp"
#include "reducers.hpp"
#include "reduction.hpp"

namespace isofold_python {
namespace {

// Looks up what every call needs, once the Python part of the package is there.
void initialise(nb::object arrays) {
  Names& all = names();
  const nb::object numpy = nb::module_::import_("numpy");
  all.ndarray = numpy.attr("ndarray");
  all.empty = numpy.attr("empty");
  all.axis_error = nb::module_::import_("numpy.exceptions").attr("AxisError");
  all.numpy_true = numpy.attr("True_");
  all.numpy_false = numpy.attr("False_");
  all.is_conj = nb::str("is_conj");
  all.is_neg = nb::str("is_neg");
  all.requires_grad = nb::str("requires_grad");
  all.exchange_name = nb::str("__dlpack_c_exchange_api__");
  const nb::dict dtypes = nb::cast<nb::dict>(arrays.attr("NUMPY_DTYPES"));
  for (const auto& [number, dtype] : dtypes) {
    const int n = nb::cast<int>(number);
    all.dtypes[n] = nb::borrow(dtype);
    all.scalars[n] = dtype.attr("type");
  }
  all.arrays = std::move(arrays);
}

nb::dict numbers_of_folds() {
  nb::dict folds;
#define ISOFOLD_PUT(name, number) folds[#name] = number;
  ISOFOLD_FOLDS(ISOFOLD_PUT)
#undef ISOFOLD_PUT
  return folds;
}

nb::dict numbers_of_types() {
  nb::dict types;
#define ISOFOLD_PUT(name, number, c_type) types[#name] = number;
  ISOFOLD_TYPES(ISOFOLD_PUT)
#undef ISOFOLD_PUT
  types["boolean"] = static_cast<int>(ISOFOLD_TYPE_boolean);
  return types;
}

nb::dict backends() {
  nb::dict all;
  for (int b = 0; b < isofold_backend_count(); ++b) {
    const char* const name = isofold_backend_name(b);
    const bool available = isofold_backend_available(name) != 0;
    all[name] = nb::make_tuple(available, nb::str(isofold_backend_reason(name)));
  }
  return all;
}

nb::tuple components(int fold, DType dtype) {
  isofold_component parts[4];
  const int count = isofold_result_components(fold, element_type(dtype), parts, 4);
  nb::list names_of;
  for (int c = 0; c < count; ++c) {
    names_of.append(parts[c].name);
  }
  return nb::tuple(names_of);
}

}  // namespace
}  // namespace isofold_python

NB_MODULE(_core, module) {
  using namespace isofold_python;
  nb::set_leak_warnings(false);  // an interpreter that shuts down may keep objects of other modules
  module.attr("FOLDS") = numbers_of_folds();
  module.attr("TYPES") = numbers_of_types();
  module.def("initialise", initialise);
  module.def("version", isofold_version);
  module.def("backends", backends);
  module.def("add_backend_folder", [](const nb::bytes& folder, const char* version) {
    check(isofold_add_backend_folder(folder.c_str(), version));
  });
  module.def("components", components);
  module.def("synchronize", synchronize);
  module.def("set_piece_elements", [](std::int64_t elements) {
    const std::int64_t before = piece_elements;
    piece_elements = elements;
    return before;
  });
  module.def("reduce", reduce, nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg().none(),
             nb::arg().none(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
             nb::arg(), nb::arg().none());
  module.def("segment_reduce", segment_reduce, nb::arg(), nb::arg().none(), nb::arg().none(),
             nb::arg(), nb::arg(), nb::arg());
  bind_partial_results(module);
  bind_comparisons(module);
}
