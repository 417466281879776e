#include "call.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "reducers.hpp"
#include "reduction.hpp"
#include "results.hpp"

namespace isofold_python {
namespace {

bool is_integer(DType dtype) {
  return dtype == ISOFOLD_TYPE_boolean || (dtype >= ISOFOLD_TYPE_i32 && dtype <= ISOFOLD_TYPE_u16);
}

bool is_unsigned(DType dtype) {
  return dtype == ISOFOLD_TYPE_u8 || dtype == ISOFOLD_TYPE_u16 || dtype == ISOFOLD_TYPE_u32 ||
         dtype == ISOFOLD_TYPE_u64;
}

DType default_dtype(int rule, DType element) {
  switch (rule) {
    case as_sum:
      return !is_integer(element)   ? element
             : is_unsigned(element) ? ISOFOLD_TYPE_u64
                                    : ISOFOLD_TYPE_i64;
    case as_element: return element;
    case as_mean: return is_integer(element) ? static_cast<DType>(ISOFOLD_TYPE_f64) : element;
    default: return 0;
  }
}

nb::tuple shape_of(const Array& array) {
  nb::list shape;
  for (int d = 0; d < array.dimensions; ++d) {
    shape.append(array.extents[d]);
  }
  return nb::tuple(shape);
}

// The value of keepdims=: a truth value, or an integer in its place, which NumPy takes.
bool is_true(nb::handle keepdims) {
  const bool taken = PyBool_Check(keepdims.ptr()) || PyLong_Check(keepdims.ptr()) ||
                     keepdims.is(names().numpy_true) || keepdims.is(names().numpy_false);
  if (!taken) {
    raise(PyExc_TypeError, "keepdims= is True or False, not %R.", keepdims.ptr());
  }
  return PyObject_IsTrue(keepdims.ptr()) == 1;
}

void mark_axis(nb::handle axis, const Array& x, bool* reduced) {
  if (PyBool_Check(axis.ptr()) || !PyIndex_Check(axis.ptr())) {
    raise(PyExc_TypeError, "axis= is an integer, a tuple of integers or None, not %R.", axis.ptr());
  }
  const Py_ssize_t number = PyNumber_AsSsize_t(axis.ptr(), PyExc_OverflowError);
  if (number == -1 && PyErr_Occurred() != nullptr) {
    nb::raise_python_error();
  }
  const Py_ssize_t d = number < 0 ? number + x.dimensions : number;
  if (d < 0 || d >= x.dimensions) {
    raise(names().axis_error.ptr(), "axis %zd is out of bounds for an array of %d dimensions.",
          number, x.dimensions);
  }
  if (reduced[d]) {
    raise(PyExc_ValueError, "axis %zd is given twice.", number);
  }
  reduced[d] = true;
}

// Sets the entries of the axes that are reduced.
void mark_axes(nb::handle axis, const Array& x, bool* reduced) {
  for (int d = 0; d < x.dimensions; ++d) {
    reduced[d] = axis.is_none();
  }
  if (axis.is_none()) {
    return;
  }
  if (PyTuple_Check(axis.ptr()) || PyList_Check(axis.ptr())) {
    for (const nb::handle one : axis) {
      mark_axis(one, x, reduced);
    }
    return;
  }
  mark_axis(axis, x, reduced);
}

void check_mask(const Array& mask, const Array& x) {
  if (mask.dtype != ISOFOLD_TYPE_boolean) {
    raise(PyExc_TypeError,
          "where= takes booleans, and this mask has elements of %S: pass mask != 0.",
          names().dtypes[mask.dtype].ptr());
  }
  if (mask.device.type != x.device.type || mask.device.number != x.device.number) {
    raise(PyExc_ValueError, "where= lies on another device than the array.");
  }
  bool fits = mask.dimensions <= x.dimensions;
  for (int m = 0; fits && m < mask.dimensions; ++m) {
    const std::int64_t extent = x.extents[m + x.dimensions - mask.dimensions];
    fits = mask.extents[m] == 1 || mask.extents[m] == extent;
  }
  if (!fits) {
    raise(PyExc_ValueError, "where= of the shape %S cannot be broadcast to that of the array, %S.",
          shape_of(mask).ptr(), shape_of(x).ptr());
  }
}

void check_second(const Array& y, const Array& x) {
  bool same = y.dimensions == x.dimensions && y.device.type == x.device.type &&
              y.device.number == x.device.number;
  for (int d = 0; same && d < x.dimensions; ++d) {
    same = y.extents[d] == x.extents[d];
  }
  if (!same) {
    raise(PyExc_ValueError, "The two arrays differ in shape or device.");
  }
  if (y.dtype != x.dtype) {
    raise(PyExc_TypeError, "The two arrays differ in dtype.");
  }
}

// One or several folds of one input have this in common.
struct Input {
  Input(nb::handle x_, nb::handle axis, nb::handle where, nb::handle y_, int flags) {
    x.emplace(x_);
    if ((flags & integers_as_f64) != 0 && is_integer(x->dtype)) {
      const nb::object converted =
          x->library().attr("astype")(x_, static_cast<DType>(ISOFOLD_TYPE_f64));
      x.emplace(converted);
    }
    mark_axes(axis, *x, reduced);
    if (!y_.is_none()) {
      y.emplace(y_);
      check_second(*y, *x);
    }
    if (!where.is_none() && where.ptr() != Py_True) {
      mask.emplace(where);
      check_mask(*mask, *x);
    }
    parts = !is_complex(x->dtype)         ? Reduction::Parts::whole
            : (flags & keep_parts) != 0   ? Reduction::Parts::kept
            : (flags & reduce_parts) != 0 ? Reduction::Parts::reduced
                                          : Reduction::Parts::whole;
    reduction.emplace(*x, y ? &*y : nullptr, mask ? &*mask : nullptr, reduced, parts);
    if (!reduction->fits()) {
      pack();
    }
  }

  // More axes than the C ABI has: copies with the kept axes first, of which no more than two
  // remain, and a mask's.
  void pack() {
    int order[most_dimensions];
    int count = 0;
    for (const bool kept : {true, false}) {
      for (int d = 0; d < x->dimensions; ++d) {
        if (reduced[d] != kept) {
          order[count++] = d;
        }
      }
    }
    const nb::object whole_mask =
        mask ? nb::object(mask->library().attr("broadcast")(mask->object(), shape_of(*x)))
             : nb::none();
    if (mask) {
      mask.emplace(whole_mask);
      const nb::object packed_mask = mask->packed(order);
      mask.emplace(packed_mask);
    }
    const nb::object packed = x->packed(order);
    whole_dimensions = x->dimensions;
    std::copy_n(x->extents, x->dimensions, whole_extents);
    x.emplace(packed);
    if (y) {
      const nb::object packed_y = y->packed(order);
      y.emplace(packed_y);
    }
    for (int d = 0; d < count; ++d) {
      packed_reduced[d] = reduced[order[d]];
    }
    reduction.emplace(*x, y ? &*y : nullptr, mask ? &*mask : nullptr, packed_reduced, parts);
  }

  int result_shape(bool keepdims, std::int64_t* shape) const {
    const bool packed = whole_dimensions != 0;
    const int dimensions = packed ? whole_dimensions : x->dimensions;
    const std::int64_t* const extents = packed ? whole_extents : x->extents;
    int count = 0;
    for (int d = 0; d < dimensions; ++d) {
      if (!reduced[d] || keepdims) {
        shape[count++] = reduced[d] ? 1 : extents[d];
      }
    }
    return count;
  }

  std::optional<Array> x;
  std::optional<Array> y;
  std::optional<Array> mask;
  int whole_dimensions = 0;  // before packing; else 0
  std::int64_t whole_extents[most_dimensions];
  std::optional<Reduction> reduction;
  bool reduced[most_dimensions];
  bool packed_reduced[most_dimensions];
  Reduction::Parts parts = Reduction::Parts::whole;
};

// exact_v1 has no sum of roots: the 1-norm of complex elements is tree v1's.
int definition_of(int fold, std::int32_t type, int definition) {
  return fold == ISOFOLD_FOLD_norm1 && is_complex(type)
             ? static_cast<int>(ISOFOLD_DEFINITION_tree_v1)
             : definition;
}

// The sum of exact_v1 with one more element for each row, rounded once.
void sum_with_initial(const Input& input, std::int32_t fold, std::int32_t accumulator,
                      nb::handle initial, std::int64_t result_bytes, char* results) {
  const std::int32_t type = accumulator != 0 ? accumulator : input.reduction->type();
  const Array first(initial);
  const bool none = false;
  const Reduction one(first, nullptr, nullptr, &none, Reduction::Parts::whole);
  const std::int32_t words = isofold_exact_words(fold, type);
  if (first.dimensions != 0 || isofold_exact_words(fold, one.type()) != words) {
    raise(PyExc_TypeError, "initial= takes one number of the array's kind.");
  }
  std::vector<std::int64_t> start(static_cast<std::size_t>(words));
  one.run_words(fold, 0, start.data());
  std::vector<std::int64_t> sums(static_cast<std::size_t>(words * input.reduction->rows()));
  input.reduction->run_words(fold, accumulator, sums.data());
  for (std::int64_t r = 0; r < input.reduction->rows(); ++r) {
    std::int64_t* const row = sums.data() + r * words;
    check(isofold_exact_merge(fold, type, row, start.data(), 1));
    check(isofold_exact_finish(fold, type, row, results + r * result_bytes));
  }
}

nb::object taken(const Results& results, const ResultKind& kind, int component, DType wanted) {
  if (component != all_components) {
    return results.take(component, wanted);
  }
  nb::list all;
  for (int c = 0; c < kind.count; ++c) {
    all.append(results.take(c, 0));
  }
  return nb::tuple(all);
}

void refuse_unknown(std::int32_t fold, DType dtype) {
  const nb::object name = names().dtypes[dtype];
  raise(PyExc_TypeError, "%s takes no elements of %S: pass %s.", isofold_fold_name(fold),
        name.ptr(), is_complex(dtype) ? "x.real, x.imag or abs(x)" : "x.astype(numpy.float64)");
}

// Several folds by one read; all their components.
nb::object reduce_fused(nb::handle folds, const Input& input, bool keepdims, int definition,
                        int flags) {
  std::int64_t shape[most_dimensions];
  const int dimensions = input.result_shape(keepdims, shape);
  const std::size_t count = nb::len(folds);
  if (count == 0 || count > ISOFOLD_MOST_FUSED) {
    raise(PyExc_ValueError, "fuse takes 1 to %d folds, and got %zu.", ISOFOLD_MOST_FUSED, count);
  }
  std::vector<Job> jobs;
  std::vector<ResultKind> kinds;
  std::vector<std::unique_ptr<Results>> results;
  for (std::size_t f = 0; f < count; ++f) {
    const int fold = nb::cast<int>(folds[f]);
    kinds.push_back(result_kind(fold, input.reduction->type(), false));
    if (kinds.back().bytes == 0) {
      refuse_unknown(fold, input.x->dtype);
    }
    if (input.reduction->length() == 0 && input.reduction->rows() > 0) {
      Reduction::raise_empty(fold, input.reduction->type());
    }
    results.push_back(std::make_unique<Results>(*input.x, kinds.back(), shape, dimensions));
    jobs.push_back(
        {fold, definition, results.back()->memory(),
         (flags & accumulate_f64) != 0 ? static_cast<std::int32_t>(ISOFOLD_TYPE_f64) : 0});
  }
  input.reduction->run(jobs.data(), static_cast<int>(count), false);
  nb::list all;
  for (std::size_t f = 0; f < count; ++f) {
    all.append(taken(*results[f], kinds[f], all_components, 0));
  }
  return std::move(all);
}

}  // namespace

nb::object reduce(nb::handle fold_or_folds, nb::handle x, nb::handle axis, nb::handle keepdims_,
                  nb::handle where, int definition, int rule, DType wanted, int component,
                  nb::handle y, int flags, nb::handle initial) {
  const bool keepdims = is_true(keepdims_);
  const Input input(x, axis, where, y, flags);
  if (PyTuple_Check(fold_or_folds.ptr())) {
    return reduce_fused(fold_or_folds, input, keepdims, definition, flags);
  }
  const int fold = nb::cast<int>(fold_or_folds);
  const Reduction& reduction = *input.reduction;
  const bool widened = (flags & accumulate_f64) != 0 && reduction.type() == ISOFOLD_TYPE_f32;
  const std::int32_t accumulator = widened ? static_cast<std::int32_t>(ISOFOLD_TYPE_f64) : 0;
  const bool kept_parts = input.parts == Reduction::Parts::kept;
  const std::int32_t computed = widened ? accumulator : reduction.type();
  ResultKind kind = result_kind(fold, computed, kept_parts);
  if (kind.bytes == 0) {
    refuse_unknown(fold, input.x->dtype);
  }
  if (reduction.length() == 0 && reduction.rows() > 0 && (flags & allow_empty) == 0) {
    Reduction::raise_empty(fold, reduction.type());
  }
  std::int64_t shape[most_dimensions];
  const int dimensions = input.result_shape(keepdims, shape);
  Results results(*input.x, kind, shape, dimensions);
  if (!initial.is_none()) {
    if (!input.x->on_host()) {
      raise(PyExc_ValueError,
            "An exact sum on a device takes no initial=; add it to the result, or ask for "
            "definition=\"tree\".");
    }
    sum_with_initial(input, fold, accumulator, initial, kind.bytes,
                     static_cast<char*>(results.memory()));
  } else {
    const Job job{fold, definition_of(fold, reduction.type(), definition), results.memory(),
                  accumulator};
    reduction.run(&job, 1, (flags & allow_empty) != 0);
  }
  return taken(results, kind, component,
               wanted != 0 ? wanted : default_dtype(rule, input.x->dtype));
}

nb::object segment_reduce(int fold, nb::handle x_, nb::handle offsets_, int definition, int rule,
                          DType wanted) {
  const Array x(x_);
  const Array offsets(offsets_);
  const bool listed = offsets.dimensions == 1 && offsets.extents[0] >= 1 &&
                      (offsets.extents[0] == 1 || offsets.strides[0] == 1) &&
                      (offsets.dtype == ISOFOLD_TYPE_i32 || offsets.dtype == ISOFOLD_TYPE_i64 ||
                       offsets.dtype == ISOFOLD_TYPE_u64);
  if (!listed) {
    raise(PyExc_ValueError,
          "offsets are a contiguous array of one dimension and at least one entry, of int32, int64 "
          "or uint64; these have the shape %S and elements of %S.",
          shape_of(offsets).ptr(), names().dtypes[offsets.dtype].ptr());
  }
  if (x.dimensions != 1 || (x.extents[0] > 1 && x.strides[0] != 1)) {
    raise(PyExc_ValueError,
          "Segments are those of a contiguous array of one dimension, and this one has the shape "
          "%S: pass x.ravel().",
          shape_of(x).ptr());
  }
  if (x.device.type != offsets.device.type || x.device.number != offsets.device.number) {
    raise(PyExc_ValueError, "The offsets lie on another device than the array.");
  }
  const ResultKind kind = result_kind(fold, element_type(x.dtype), false);
  if (kind.bytes == 0) {
    refuse_unknown(fold, x.dtype);
  }
  const std::int64_t rows = offsets.extents[0] - 1;
  Results results(x, kind, &rows, 1);
  isofold_layout layout{};
  layout.size = sizeof layout;
  layout.begins = offsets.data;
  layout.index_type = offsets.dtype;
  layout.elements = x.extents[0];
  isofold_request request{};
  request.size = sizeof request;
  request.definition = definition;
  request.fold = fold;
  request.type = element_type(x.dtype);
  request.shape = ISOFOLD_SHAPE_segments;
  request.data = x.data;
  request.rows = rows;
  request.layout = &layout;
  request.result = results.memory();
  if (rows > 0) {
    isofold_reducer* const reducer = reducer_for(x);
    std::int32_t code = ISOFOLD_ok;
    {
      const nb::gil_scoped_release released;
      code = isofold_reduce(reducer, &request);
    }
    check(code);
  }
  return taken(results, kind, kind.count == 1 ? 0 : all_components,
               wanted != 0 ? wanted : default_dtype(rule, x.dtype));
}

}  // namespace isofold_python
