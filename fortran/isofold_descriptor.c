/* The C side of the module `isofold` (isofold.f90): it turns Fortran's descriptors into requests of
 * the C ABI. A descriptor has base address, rank, extents and byte strides, which is a box, so
 * sections of any strides are reduced where they lie. The dimensions are given to the library last
 * first, and then its row-major order is Fortran's array element order.
 *
 * Every function returns an isofold_code; isofold_fortran_message() has the sentence. Arguments are
 * trusted to come from the module's interfaces. The header ISO_Fortran_binding.h must be that of
 * the Fortran compiler. */
#include <ISO_Fortran_binding.h>
#include <inttypes.h>
#include <isofold/isofold.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { flag_exact = 1, flag_skip_nan = 2, flag_widen = 4 };

int32_t isofold_fortran_has_text(const CFI_cdesc_t* first, const CFI_cdesc_t* second,
                                 const CFI_cdesc_t* third, const CFI_cdesc_t* fourth,
                                 const CFI_cdesc_t* fifth, const CFI_cdesc_t* sixth,
                                 const CFI_cdesc_t* seventh, const CFI_cdesc_t* eighth);
int32_t isofold_fortran_message(char* text, int32_t length);
int32_t isofold_fortran_create(const char* backend, int32_t threads, int32_t device,
                               int32_t has_stream, void* stream, isofold_reducer** reducer);
int32_t isofold_fortran_reduce(isofold_reducer* reducer, int32_t fold, int32_t flags,
                               const int32_t* dim, int32_t dims, const CFI_cdesc_t* a,
                               const CFI_cdesc_t* second, const CFI_cdesc_t* mask,
                               const CFI_cdesc_t* parameters, const CFI_cdesc_t* result);
int32_t isofold_fortran_fuse(isofold_reducer* reducer, const int32_t* folds, int32_t count,
                             int32_t flags, const CFI_cdesc_t* a, const CFI_cdesc_t* mask,
                             const CFI_cdesc_t* first, const CFI_cdesc_t* second,
                             const CFI_cdesc_t* third, const CFI_cdesc_t* fourth,
                             const CFI_cdesc_t* fifth, const CFI_cdesc_t* sixth);
int32_t isofold_fortran_exact_words(int32_t fold, int32_t widen, const CFI_cdesc_t* a,
                                    int32_t* type);
int32_t isofold_fortran_exact_add(isofold_reducer* reducer, int32_t fold, int32_t widen,
                                  int32_t type, const CFI_cdesc_t* a, const CFI_cdesc_t* second,
                                  const CFI_cdesc_t* mask, int64_t* words);
int32_t isofold_fortran_exact_merge(int32_t fold, int32_t type, int64_t* words,
                                    const int64_t* other, int32_t sign);
int32_t isofold_fortran_exact_finish(int32_t fold, int32_t type, const int64_t* words,
                                     const CFI_cdesc_t* result);
int32_t isofold_fortran_forest_create(int32_t fold, const CFI_cdesc_t* mold, int64_t count,
                                      isofold_forest** forest);
int32_t isofold_fortran_forest_add(isofold_forest* forest, isofold_reducer* reducer, int64_t first,
                                   const CFI_cdesc_t* a);
int32_t isofold_fortran_forest_merge(isofold_forest* forest, const isofold_forest* other);
int32_t isofold_fortran_forest_finish(const isofold_forest* forest, const CFI_cdesc_t* result);
int32_t isofold_fortran_forest_bytes(const isofold_forest* forest, void* memory, int64_t* bytes);
int32_t isofold_fortran_forest_read(const void* memory, int64_t bytes, isofold_forest** forest);

/* ---- sentences ---------------------------------------------------------------------------- */

static _Thread_local char own_sentence[512];

static int32_t fail(int32_t code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(own_sentence, sizeof own_sentence, format, arguments);
  va_end(arguments);
  return code;
}

/* Passes a code of the library on, with its sentence. */
static int32_t from_library(int32_t code) {
  return code == ISOFOLD_ok ? code : fail(code, "%s", isofold_last_error());
}

/* Copies the sentence of the last error of this thread, cut to `length` bytes and without an end,
 * and returns how many there are. */
int32_t isofold_fortran_message(char* text, int32_t length) {
  const int32_t all = (int32_t)strlen(own_sentence);
  const int32_t copied = all < length ? all : length;
  if (copied > 0) {
    memcpy(text, own_sentence, (size_t)copied);
  }
  return copied;
}

/* ---- reducers ----------------------------------------------------------------------------- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t default_reducer;
static int has_key;

static void destroy_reducer(void* reducer) { isofold_destroy(reducer); }
static void create_key(void) {
  has_key = pthread_key_create(&default_reducer, destroy_reducer) == 0;
}

int32_t isofold_fortran_create(const char* backend, int32_t threads, int32_t device,
                               int32_t has_stream, void* stream, isofold_reducer** reducer) {
  isofold_options options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.backend = backend;
  options.threads = threads;
  options.device = device;
  options.validate = 1;
  options.has_stream = has_stream;
  options.stream = stream;
  return from_library(isofold_create(&options, reducer));
}

/* The reducer of this thread, which its end destroys, where `*reducer` is NULL. */
static int32_t default_if_null(isofold_reducer** reducer) {
  int32_t code;
  if (*reducer != NULL) {
    return ISOFOLD_ok;
  }
  pthread_once(&once, create_key);
  if (!has_key) {
    return fail(ISOFOLD_out_of_memory,
                "There is no room for a reducer of this thread: pass one as reducer=.");
  }
  *reducer = pthread_getspecific(default_reducer);
  if (*reducer != NULL) {
    return ISOFOLD_ok;
  }
  code = isofold_fortran_create(NULL, 0, -1, 0, NULL, reducer);
  if (code == ISOFOLD_ok && pthread_setspecific(default_reducer, *reducer) != 0) {
    isofold_destroy(*reducer);
    *reducer = NULL;
    code = fail(ISOFOLD_out_of_memory, "There is no memory for a reducer of this thread.");
  }
  return code;
}

/* ---- types -------------------------------------------------------------------------------- */

/* The isofold_type of elements, 0 for those that are none. */
static int32_t type_of(const CFI_cdesc_t* a) {
  switch (a->type) {
    case CFI_type_float: return ISOFOLD_TYPE_f32;
    case CFI_type_double: return ISOFOLD_TYPE_f64;
    case CFI_type_int8_t: return ISOFOLD_TYPE_i8;
    case CFI_type_int16_t: return ISOFOLD_TYPE_i16;
    case CFI_type_int32_t: return ISOFOLD_TYPE_i32;
    case CFI_type_int64_t: return ISOFOLD_TYPE_i64;
    case CFI_type_float_Complex: return ISOFOLD_TYPE_c64;
    case CFI_type_double_Complex: return ISOFOLD_TYPE_c128;
    default: return ISOFOLD_TYPE_none;
  }
}

/* This tells whether one of these arguments, of which any may be missing, is of type character. */
int32_t isofold_fortran_has_text(const CFI_cdesc_t* first, const CFI_cdesc_t* second,
                                 const CFI_cdesc_t* third, const CFI_cdesc_t* fourth,
                                 const CFI_cdesc_t* fifth, const CFI_cdesc_t* sixth,
                                 const CFI_cdesc_t* seventh, const CFI_cdesc_t* eighth) {
  const CFI_cdesc_t* const all[] = {first, second, third, fourth, fifth, sixth, seventh, eighth};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    if (all[i] == NULL) {
      continue;
    }
#ifdef CFI_type_ucs4_char
    if (all[i]->type == CFI_type_ucs4_char) {
      return 1;
    }
#endif
    if (all[i]->type == CFI_type_char) {
      return 1;
    }
  }
  return 0;
}

/* Compilers number logicals in their own ways: gfortran by type and kind, others by kind alone. */
static int is_logical(const CFI_cdesc_t* a) {
#if defined(CFI_type_Logical) && defined(CFI_type_mask)
  return (a->type & CFI_type_mask) == CFI_type_Logical && a->type != CFI_type_other;
#else
  return a->type == CFI_type_Bool || type_of(a) == ISOFOLD_TYPE_none;
#endif
}

static const char* fortran_name(int32_t type) {
  switch (type) {
    case ISOFOLD_TYPE_f32: return "real(real32)";
    case ISOFOLD_TYPE_f64: return "real(real64)";
    case ISOFOLD_TYPE_i8: return "integer(int8)";
    case ISOFOLD_TYPE_i16: return "integer(int16)";
    case ISOFOLD_TYPE_i32: return "integer(int32)";
    case ISOFOLD_TYPE_i64: return "integer(int64)";
    case ISOFOLD_TYPE_c64: return "complex(real32)";
    case ISOFOLD_TYPE_c128: return "complex(real64)";
    case ISOFOLD_TYPE_boolean: return "logical(c_bool)";
    default: return "a type that isofold does not have";
  }
}

static int32_t elements_of(const CFI_cdesc_t* a, int64_t* elements) {
  int d;
  *elements = 1;
  for (d = 0; d < a->rank; ++d) {
    if (a->dim[d].extent < 0) {
      return fail(
          ISOFOLD_invalid_argument,
          "An array has no last extent (it is of assumed size): pass a section, as a(1:n).");
    }
    *elements *= a->dim[d].extent;
  }
  return ISOFOLD_ok;
}

/* What a fold makes of one row: its bytes, and its parts if all are of one type. */
typedef struct Outcome {
  int64_t bytes;
  int64_t parts;     /* elements of `type` in a result */
  int32_t type;      /* 0: parts of several types */
  int32_t number_at; /* bytes from a result to the index of a location; -1 where there is none */
} Outcome;

static int32_t outcome_of(int32_t fold, int32_t type, Outcome* outcome) {
  isofold_component components[8];
  const int32_t count = isofold_result_components(fold, type, components, 8);
  int32_t c;
  memset(outcome, 0, sizeof *outcome);
  outcome->number_at = -1;
  outcome->bytes = isofold_result_bytes(fold, type);
  if (count < 1 || outcome->bytes < 1) {
    const int is_integer = type == ISOFOLD_TYPE_i8 || type == ISOFOLD_TYPE_i16 ||
                           type == ISOFOLD_TYPE_i32 || type == ISOFOLD_TYPE_i64;
    if (fold == ISOFOLD_FOLD_mean && is_integer) { /* exact_v1 alone has them */
      outcome->bytes = 8;
      outcome->parts = 1;
      outcome->type = ISOFOLD_TYPE_f64;
      return ISOFOLD_ok;
    }
    if (*isofold_fold_name(fold) == '\0') {
      return fail(ISOFOLD_unsupported,
                  "Fold %d is unknown; isofold_fold_sum and so on are the folds.", fold);
    }
    return fail(ISOFOLD_unsupported, "Fold %d (%s) is not defined for elements of %s.", fold,
                isofold_fold_name(fold), fortran_name(type));
  }
  outcome->parts = count;
  outcome->type = components[0].type;
  for (c = 0; c < count; ++c) {
    if (components[c].type != outcome->type) {
      outcome->type = ISOFOLD_TYPE_none;
    }
    if (strcmp(components[c].name, "index") == 0) {
      outcome->number_at = components[c].offset;
    }
  }
  /* Complex results are one element of two parts. */
  if ((type == ISOFOLD_TYPE_c64 || type == ISOFOLD_TYPE_c128) && count == 2) {
    outcome->parts = 1;
    outcome->type = type;
  }
  return ISOFOLD_ok;
}

/* Checks that `result` is contiguous and has room for the results of so many rows, of their type.
 */
static int32_t check_result(const CFI_cdesc_t* result, const Outcome* outcome, int64_t rows) {
  int64_t elements = 0;
  int64_t expected = rows * outcome->parts;
  int64_t next = (int64_t)result->elem_len;
  const int32_t type =
      result->type == CFI_type_Bool ? (int32_t)ISOFOLD_TYPE_boolean : type_of(result);
  int d;
  int32_t code = elements_of(result, &elements);
  if (code != ISOFOLD_ok) {
    return code;
  }
  if (outcome->type == ISOFOLD_TYPE_none) { /* a derived type, as isofold_moments */
    if ((int64_t)result->elem_len != outcome->bytes || type != ISOFOLD_TYPE_none) {
      return fail(ISOFOLD_invalid_argument,
                  "The result has components of several types, %" PRId64
                  " bytes in all: pass a bind(C) derived type of them, as isofold_moments.",
                  outcome->bytes);
    }
    expected = rows;
  } else if (type != outcome->type) {
    return fail(ISOFOLD_invalid_argument, "The result is %s, but the argument result is %s.",
                fortran_name(outcome->type), fortran_name(type));
  }
  if (elements != expected) {
    return fail(ISOFOLD_invalid_argument,
                "There are %" PRId64 " numbers to return, but the argument result has %" PRId64
                " elements.",
                expected, elements);
  }
  for (d = 0; d < result->rank && elements > 1; ++d) {
    if (result->dim[d].extent > 1 && (int64_t)result->dim[d].sm != next) {
      return fail(ISOFOLD_unsupported,
                  "The argument result is not contiguous: pass a whole array, and copy it.");
    }
    next *= (int64_t)result->dim[d].extent;
  }
  return ISOFOLD_ok;
}

/* ---- requests ----------------------------------------------------------------------------- */

typedef struct Dimension {
  int64_t extent;
  int64_t strides[2]; /* of a and second, in elements */
  int64_t mask_stride;
  int is_kept;
} Dimension;

typedef struct Call {
  isofold_request request;
  isofold_layout layout;
  int64_t elements; /* of a, masked ones included */
} Call;

static int32_t same_shape(const CFI_cdesc_t* a, const CFI_cdesc_t* other, const char* name) {
  int d;
  if (other->rank != a->rank) {
    return fail(ISOFOLD_invalid_argument, "%s has rank %d, but the array has rank %d.", name,
                other->rank, a->rank);
  }
  for (d = 0; d < a->rank; ++d) {
    if (other->dim[d].extent != a->dim[d].extent) {
      return fail(ISOFOLD_invalid_argument,
                  "%s has extent %" PRId64 " in dimension %d, but the array has %" PRId64 ".", name,
                  (int64_t)other->dim[d].extent, d + 1, (int64_t)a->dim[d].extent);
    }
  }
  return ISOFOLD_ok;
}

/* Writes strides in elements; those of component arrays (cells(:)%t) may be no whole number. */
static int32_t find_strides(const CFI_cdesc_t* a, const char* name, int which,
                            Dimension* dimensions) {
  const int64_t bytes = (int64_t)a->elem_len;
  int d;
  for (d = 0; d < a->rank; ++d) {
    const int64_t step = (int64_t)a->dim[d].sm;
    if (dimensions[d].extent > 1 && step % bytes != 0) {
      return fail(ISOFOLD_unsupported,
                  "Elements of %s are %" PRId64
                  " bytes apart in dimension %d, no multiple of their %" PRId64
                  " bytes: pass a copy, as (%s).",
                  name, step, d + 1, bytes, name);
    }
    dimensions[d].strides[which] = step / bytes;
  }
  return ISOFOLD_ok;
}

/* True if `outer` continues where `inner` ends, in every array, so that both are one dimension. */
static int continues(const Dimension* outer, const Dimension* inner) {
  return outer->is_kept == inner->is_kept &&
         outer->strides[0] == inner->strides[0] * inner->extent &&
         outer->strides[1] == inner->strides[1] * inner->extent &&
         outer->mask_stride == inner->mask_stride * inner->extent;
}

/* Puts the dimensions into the layout, last first, without those of one index, and neighbours that
 * are one dimension in memory as one. */
static int32_t fill_layout(const Dimension* dimensions, int rank, isofold_layout* layout) {
  Dimension boxed[CFI_MAX_RANK];
  int count = 0;
  int d;
  for (d = rank - 1; d >= 0; --d) {
    if (dimensions[d].extent == 1) {
      continue;
    }
    if (count > 0 && continues(&boxed[count - 1], &dimensions[d])) {
      const int64_t outer = boxed[count - 1].extent;
      boxed[count - 1] = dimensions[d];
      boxed[count - 1].extent *= outer;
    } else {
      boxed[count++] = dimensions[d];
    }
  }
  if (count > ISOFOLD_MOST_DIMENSIONS) {
    return fail(ISOFOLD_unsupported,
                "The section has %d dimensions that are not one another's continuation in memory; "
                "there can be %d: pass a copy of it.",
                count, ISOFOLD_MOST_DIMENSIONS);
  }
  if (count == 0) { /* a single element */
    memset(&boxed[count], 0, sizeof boxed[count]);
    boxed[count].extent = 1;
    boxed[count++].strides[0] = 1;
  }
  layout->dimensions = count;
  for (d = 0; d < count; ++d) {
    layout->extents[d] = boxed[d].extent;
    layout->strides[d] = boxed[d].strides[0];
    layout->second_strides[d] = boxed[d].strides[1];
    layout->mask_strides[d] = boxed[d].mask_stride;
    layout->kept |= boxed[d].is_kept ? 1U << d : 0U;
  }
  return ISOFOLD_ok;
}

/* A request about the elements of `a`; its fold, definition and result are the caller's. */
static int32_t describe(int32_t flags, const int32_t* dim, int32_t dims, const CFI_cdesc_t* a,
                        const CFI_cdesc_t* second, const CFI_cdesc_t* mask, Call* call) {
  Dimension dimensions[CFI_MAX_RANK];
  isofold_request* const request = &call->request;
  isofold_layout* const layout = &call->layout;
  int32_t code;
  int d;
  memset(call, 0, sizeof *call);
  memset(dimensions, 0, sizeof dimensions);
  request->size = sizeof *request;
  layout->size = sizeof *layout;
  request->type = type_of(a);
  if (request->type == ISOFOLD_TYPE_none) {
    return fail(
        ISOFOLD_unsupported,
        "isofold reduces real, integer and complex arrays of the kinds real32, real64, int8 "
        "to int64; this one has elements of %" PRId64 " bytes of another type.",
        (int64_t)a->elem_len);
  }
  code = elements_of(a, &call->elements);
  if (code == ISOFOLD_ok && a->base_addr == NULL && call->elements != 0) {
    code = fail(ISOFOLD_invalid_argument, "The array is not allocated, or points to nothing.");
  }
  for (d = 0; code == ISOFOLD_ok && d < a->rank; ++d) {
    dimensions[d].extent = (int64_t)a->dim[d].extent;
    dimensions[d].is_kept = dims > 0;
  }
  for (d = 0; code == ISOFOLD_ok && d < dims; ++d) {
    if (dim[d] < 1 || dim[d] > a->rank) {
      return fail(ISOFOLD_invalid_argument, "dim is %d, but the array has rank %d.", dim[d],
                  a->rank);
    }
    if (!dimensions[dim[d] - 1].is_kept) {
      return fail(ISOFOLD_invalid_argument, "dim has dimension %d twice.", dim[d]);
    }
    dimensions[dim[d] - 1].is_kept = 0;
  }
  code = code == ISOFOLD_ok ? find_strides(a, "a", 0, dimensions) : code;
  if (code == ISOFOLD_ok && second != NULL) {
    if (type_of(second) != request->type) {
      return fail(ISOFOLD_invalid_argument,
                  "The two arrays are %s and %s: they must be of one type.",
                  fortran_name(request->type), fortran_name(type_of(second)));
    }
    code = same_shape(a, second, "The second array");
    code = code == ISOFOLD_ok ? find_strides(second, "b", 1, dimensions) : code;
    request->second = second->base_addr;
  }
  if (code == ISOFOLD_ok && mask != NULL) {
    if (!is_logical(mask)) {
      return fail(ISOFOLD_invalid_argument, "mask is no logical.");
    }
    /* A scalar mask has no strides: all elements share it. A logical's lowest byte tells. */
    code = mask->rank == 0 ? code : same_shape(a, mask, "mask");
    for (d = 0; code == ISOFOLD_ok && d < mask->rank; ++d) {
      dimensions[d].mask_stride = (int64_t)mask->dim[d].sm;
    }
    layout->mask = mask->base_addr;
    layout->mask_type = ISOFOLD_MASK_strided_bytes;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    layout->mask = (const char*)layout->mask + mask->elem_len - 1;
#endif
  }
  code = code == ISOFOLD_ok ? fill_layout(dimensions, a->rank, layout) : code;
  if (code != ISOFOLD_ok) {
    return code;
  }
  request->definition =
      (flags & flag_exact) != 0 ? ISOFOLD_DEFINITION_exact_v1 : ISOFOLD_DEFINITION_tree_v1;
  request->flags = ISOFOLD_BLOCKING | ((flags & flag_skip_nan) != 0 ? ISOFOLD_SKIP_NAN : 0);
  request->accumulator = (flags & flag_widen) != 0 ? ISOFOLD_TYPE_f64 : 0;
  request->data = a->base_addr;
  request->rows = 1;
  request->length = 1;
  for (d = 0; d < layout->dimensions; ++d) {
    if ((layout->kept >> d & 1U) != 0) {
      request->rows *= layout->extents[d];
    } else {
      request->length *= layout->extents[d];
    }
  }
  request->shape = ISOFOLD_SHAPE_box;
  request->layout = layout;
  if (dims == 0 && mask == NULL && layout->dimensions == 1 && layout->strides[0] == 1 &&
      (second == NULL || layout->second_strides[0] == 1)) {
    request->shape = ISOFOLD_SHAPE_array;
    request->layout = NULL;
    request->stride = request->length;
    request->second_stride = second != NULL ? request->length : 0;
  }
  return ISOFOLD_ok;
}

/* ---- locations ---------------------------------------------------------------------------- */

/* The index, from 0, in dimension `d` of the element at `address`. The section is one of an array,
 * so a dimension of larger strides steps over all of those of smaller ones. */
static int64_t index_at(const CFI_cdesc_t* a, const char* address, int d) {
  int64_t rest = address - (const char*)a->base_addr;
  int is_done[CFI_MAX_RANK] = {0};
  int pass;
  int k;
  for (k = 0; k < a->rank; ++k) { /* from the lowest address on */
    const int64_t step = (int64_t)a->dim[k].sm;
    rest -= step < 0 ? step * ((int64_t)a->dim[k].extent - 1) : 0;
  }
  for (pass = 0; pass < a->rank; ++pass) {
    int widest = -1;
    int64_t step;
    int64_t index;
    for (k = 0; k < a->rank; ++k) {
      if (!is_done[k] &&
          (widest < 0 || llabs((int64_t)a->dim[k].sm) >= llabs((int64_t)a->dim[widest].sm))) {
        widest = k;
      }
    }
    is_done[widest] = 1;
    step = (int64_t)a->dim[widest].sm;
    index = step == 0 || a->dim[widest].extent == 1 ? 0 : rest / llabs(step);
    rest -= index * llabs(step);
    if (widest == d) {
      return step < 0 ? (int64_t)a->dim[d].extent - 1 - index : index;
    }
  }
  return 0;
}

/* The element's index, from 0, in dimension `d` of an array, by its number in array element order.
 */
static int64_t index_of(const CFI_cdesc_t* a, int64_t number, int d) {
  int k;
  for (k = 0; k < d; ++k) {
    number /= (int64_t)a->dim[k].extent;
  }
  return number % (int64_t)a->dim[d].extent;
}

/* Writes where the elements are, from 1: of one row its index in each dimension, or, where one
 * dimension is reduced, each row's index in that; 0 where a row has no elements. */
static int32_t write_locations(const CFI_cdesc_t* a, const isofold_request* request,
                               const int32_t* dim, int32_t dims, const char* found,
                               const Outcome* outcome, int64_t* locations) {
  const int is_picked = (request->layout != NULL && request->layout->mask != NULL) ||
                        (request->flags & ISOFOLD_SKIP_NAN) != 0;
  int64_t row;
  for (row = 0; row < request->rows; ++row) {
    const void* address = NULL;
    int64_t number = 0;
    int d;
    memcpy(&number, found + row * outcome->bytes + outcome->number_at, sizeof number);
    if (number >= 0 && is_picked) {
      const int32_t code = isofold_address_of(request, row, number, &address);
      if (code != ISOFOLD_ok) {
        return from_library(code);
      }
    }
    for (d = dims > 0 ? dim[0] - 1 : 0; d < (dims > 0 ? dim[0] : a->rank); ++d) {
      int64_t* const location = dims > 0 ? &locations[row] : &locations[d];
      if (number < 0) {
        *location = 0;
      } else if (is_picked) {
        *location = index_at(a, address, d) + 1;
      } else {
        *location = (dims > 0 ? number : index_of(a, number, d)) + 1;
      }
    }
  }
  return ISOFOLD_ok;
}

/* ---- results ------------------------------------------------------------------------------ */

/* Where the results of one fold go: to the argument, or by `found`, which has whole results of
 * which the argument gets locations. */
typedef struct Target {
  Outcome outcome;
  const CFI_cdesc_t* result;
  char* found;
} Target;

static int32_t check_target(const Call* call, const CFI_cdesc_t* a, int32_t dims, Target* target) {
  const Outcome one_number = {8, 1, ISOFOLD_TYPE_i64, 0};
  const int64_t rows = call->request.rows;
  int32_t code;
  if (target->outcome.number_at < 0) {
    return check_result(target->result, &target->outcome, rows);
  }
  if (dims > 1) {
    return fail(ISOFOLD_unsupported,
                "A location is one of the whole array, or along one dim, not along %d.", dims);
  }
  code = check_result(target->result, &one_number, dims > 0 ? rows : a->rank);
  if (code == ISOFOLD_ok) {
    target->found = malloc((size_t)(rows * target->outcome.bytes) + 1); /* + 1: also of no rows */
    if (target->found == NULL) {
      code = fail(ISOFOLD_out_of_memory, "There is no memory for %" PRId64 " locations.", rows);
    }
  }
  return code;
}

/* Reduces by several folds, whose results `targets` name; the call's request is that of all. */
static int32_t reduce_to(isofold_reducer* reducer, const Call* call, const int32_t* folds,
                         int32_t count, const CFI_cdesc_t* a, const int32_t* dim, int32_t dims,
                         Target* targets) {
  isofold_request requests[ISOFOLD_MOST_FUSED];
  int32_t code = ISOFOLD_ok;
  int32_t f;
  for (f = 0; code == ISOFOLD_ok && f < count; ++f) {
    code = check_target(call, a, dims, &targets[f]);
    requests[f] = call->request;
    requests[f].fold = folds[f];
    requests[f].result = targets[f].found;
    if (targets[f].found == NULL) {
      requests[f].result = targets[f].result->base_addr;
    }
  }
  code = code == ISOFOLD_ok ? default_if_null(&reducer) : code;
  if (code == ISOFOLD_ok) {
    code = from_library(count == 1 ? isofold_reduce(reducer, requests)
                                   : isofold_reduce_fused(reducer, requests, count));
  }
  for (f = 0; f < count; ++f) {
    if (code == ISOFOLD_ok && targets[f].found != NULL) {
      code = write_locations(a, &requests[f], dim, dims, targets[f].found, &targets[f].outcome,
                             targets[f].result->base_addr);
    }
    free(targets[f].found);
  }
  return code;
}

/* ---- the functions of the module ---------------------------------------------------------- */

/* The type that the elements of a call are computed in, as results tell it. */
static int32_t computed_type(const Call* call, int32_t flags) {
  const int widens = (flags & flag_widen) != 0 && call->request.type == ISOFOLD_TYPE_f32;
  return widens ? (int32_t)ISOFOLD_TYPE_f64 : call->request.type;
}

/* Reduces `a` over the dimensions of `dim`, or all of it if `dims` is 0; `second`, `mask` and
 * `parameters` may be NULL. */
int32_t isofold_fortran_reduce(isofold_reducer* reducer, int32_t fold, int32_t flags,
                               const int32_t* dim, int32_t dims, const CFI_cdesc_t* a,
                               const CFI_cdesc_t* second, const CFI_cdesc_t* mask,
                               const CFI_cdesc_t* parameters, const CFI_cdesc_t* result) {
  Call call;
  Target target;
  int32_t code = describe(flags, dim, dims, a, second, mask, &call);
  const int32_t type = computed_type(&call, flags);
  memset(&target, 0, sizeof target);
  target.result = result;
  code = code == ISOFOLD_ok ? outcome_of(fold, type, &target.outcome) : code;
  if (code == ISOFOLD_ok && parameters != NULL) {
    int64_t count = 0;
    code = elements_of(parameters, &count);
    if (code == ISOFOLD_ok && (type_of(parameters) != call.request.type ||
                               count != isofold_fold_parameters(fold) || parameters->rank != 1)) {
      code = fail(ISOFOLD_invalid_argument,
                  "parameters are %" PRId64 " of %s; %s of this array takes %d of %s, in rank 1.",
                  count, fortran_name(type_of(parameters)), isofold_fold_name(fold),
                  isofold_fold_parameters(fold), fortran_name(call.request.type));
    }
    call.request.parameters = parameters->base_addr;
  }
  return code == ISOFOLD_ok ? reduce_to(reducer, &call, &fold, 1, a, dim, dims, &target) : code;
}

/* Reduces `a` by `count` folds in one call; a result that is NULL ends the list. */
int32_t isofold_fortran_fuse(isofold_reducer* reducer, const int32_t* folds, int32_t count,
                             int32_t flags, const CFI_cdesc_t* a, const CFI_cdesc_t* mask,
                             const CFI_cdesc_t* first, const CFI_cdesc_t* second,
                             const CFI_cdesc_t* third, const CFI_cdesc_t* fourth,
                             const CFI_cdesc_t* fifth, const CFI_cdesc_t* sixth) {
  const CFI_cdesc_t* const results[] = {first, second, third, fourth, fifth, sixth};
  const int32_t most = (int32_t)(sizeof results / sizeof *results);
  Call call;
  Target targets[sizeof results / sizeof *results];
  int32_t given = 0;
  int32_t code;
  int32_t f;
  while (given < most && results[given] != NULL) {
    ++given;
  }
  if (given != count) {
    return fail(ISOFOLD_invalid_argument,
                "There are %d folds and %d results: give one result for each fold.", count, given);
  }
  code = describe(flags, NULL, 0, a, NULL, mask, &call);
  memset(targets, 0, sizeof targets);
  for (f = 0; code == ISOFOLD_ok && f < count; ++f) {
    targets[f].result = results[f];
    code = outcome_of(folds[f], computed_type(&call, flags), &targets[f].outcome);
  }
  return code == ISOFOLD_ok ? reduce_to(reducer, &call, folds, count, a, NULL, 0, targets) : code;
}

/* The number of words of a partial result, and the type that they are of; negative: minus a code.
 */
int32_t isofold_fortran_exact_words(int32_t fold, int32_t widen, const CFI_cdesc_t* a,
                                    int32_t* type) {
  int32_t words;
  *type = type_of(a);
  if (*type == ISOFOLD_TYPE_f32 && widen != 0) {
    *type = ISOFOLD_TYPE_f64;
  }
  words = isofold_exact_words(fold, *type);
  if (words < 1) {
    return -fail(ISOFOLD_unsupported, "Fold %d (%s) of %s has no exact partial results.", fold,
                 isofold_fold_name(fold), fortran_name(type_of(a)));
  }
  return words;
}

/* Adds the elements of `a` to `words`. */
int32_t isofold_fortran_exact_add(isofold_reducer* reducer, int32_t fold, int32_t widen,
                                  int32_t type, const CFI_cdesc_t* a, const CFI_cdesc_t* second,
                                  const CFI_cdesc_t* mask, int64_t* words) {
  Call call;
  int32_t own_type = 0;
  const int32_t count = isofold_fortran_exact_words(fold, widen, a, &own_type);
  int64_t* part;
  int32_t code;
  if (count < 0) {
    return -count;
  }
  if (own_type != type) {
    return fail(ISOFOLD_mismatch, "The partial result is of %s, but the array is of %s.",
                fortran_name(type), fortran_name(own_type));
  }
  code = describe(flag_exact | (widen != 0 ? flag_widen : 0), NULL, 0, a, second, mask, &call);
  if (code != ISOFOLD_ok || call.elements == 0) {
    return code;
  }
  code = default_if_null(&reducer);
  if (code != ISOFOLD_ok) {
    return code;
  }
  part = malloc((size_t)count * sizeof *part);
  if (part == NULL) {
    return fail(ISOFOLD_out_of_memory, "There is no memory for %d words.", count);
  }
  call.request.fold = fold;
  call.request.flags |= ISOFOLD_STATE;
  call.request.result = part;
  code = isofold_reduce(reducer, &call.request);
  if (code == ISOFOLD_ok) {
    code = isofold_exact_merge(fold, type, words, part, 1);
  } else if (code == ISOFOLD_empty_input) { /* the mask takes nothing */
    code = ISOFOLD_ok;
  }
  free(part);
  return from_library(code);
}

int32_t isofold_fortran_exact_merge(int32_t fold, int32_t type, int64_t* words,
                                    const int64_t* other, int32_t sign) {
  return from_library(isofold_exact_merge(fold, type, words, other, sign));
}

int32_t isofold_fortran_exact_finish(int32_t fold, int32_t type, const int64_t* words,
                                     const CFI_cdesc_t* result) {
  Outcome outcome;
  int32_t code = outcome_of(fold, type, &outcome);
  code = code == ISOFOLD_ok ? check_result(result, &outcome, 1) : code;
  return code == ISOFOLD_ok
             ? from_library(isofold_exact_finish(fold, type, words, result->base_addr))
             : code;
}

/* ---- Forest ------------------------------------------------------------------------------- */

int32_t isofold_fortran_forest_create(int32_t fold, const CFI_cdesc_t* mold, int64_t count,
                                      isofold_forest** forest) {
  const int32_t type = type_of(mold);
  if (type == ISOFOLD_TYPE_none) {
    return fail(ISOFOLD_unsupported, "A Forest is not of elements of %s.", fortran_name(type));
  }
  return from_library(isofold_forest_create(fold, type, count, forest));
}

/* Adds the elements from number `first` on, which counts from 1. */
int32_t isofold_fortran_forest_add(isofold_forest* forest, isofold_reducer* reducer, int64_t first,
                                   const CFI_cdesc_t* a) {
  Call call;
  int32_t type = 0;
  int32_t code = describe(0, NULL, 0, a, NULL, NULL, &call);
  isofold_forest_describe(forest, NULL, &type, NULL);
  if (code == ISOFOLD_ok && call.request.type != type) {
    code = fail(ISOFOLD_mismatch, "The Forest is of %s, but the array is of %s.",
                fortran_name(type), fortran_name(call.request.type));
  }
  if (code == ISOFOLD_ok && call.elements > 0 && call.request.shape != ISOFOLD_SHAPE_array) {
    code = fail(ISOFOLD_unsupported,
                "A Forest adds contiguous elements, and the section is not: pass a copy, as (a).");
  }
  code = code == ISOFOLD_ok ? default_if_null(&reducer) : code;
  return code == ISOFOLD_ok ? from_library(isofold_forest_add(forest, reducer, a->base_addr,
                                                              first - 1, call.elements))
                            : code;
}

int32_t isofold_fortran_forest_merge(isofold_forest* forest, const isofold_forest* other) {
  return from_library(isofold_forest_merge(forest, other));
}

/* Writes the result of a complete Forest; of a location its number in the array, from 1. */
int32_t isofold_fortran_forest_finish(const isofold_forest* forest, const CFI_cdesc_t* result) {
  const Outcome one_number = {8, 1, ISOFOLD_TYPE_i64, 0};
  Outcome outcome;
  char found[256];
  int64_t number = 0;
  int32_t fold = 0;
  int32_t type = 0;
  int32_t code;
  isofold_forest_describe(forest, &fold, &type, NULL);
  code = outcome_of(fold, type, &outcome);
  if (code == ISOFOLD_ok) {
    code = check_result(result, outcome.number_at < 0 ? &outcome : &one_number, 1);
  }
  if (code != ISOFOLD_ok || outcome.number_at < 0) {
    return code == ISOFOLD_ok ? from_library(isofold_forest_finish(forest, result->base_addr))
                              : code;
  }
  code = from_library(isofold_forest_finish(forest, found));
  if (code == ISOFOLD_ok) {
    memcpy(&number, found + outcome.number_at, sizeof number);
    ++number;
    memcpy(result->base_addr, &number, sizeof number);
  }
  return code;
}

/* Writes the bytes of a Forest into the room of `*bytes`, or with no memory their number. */
int32_t isofold_fortran_forest_bytes(const isofold_forest* forest, void* memory, int64_t* bytes) {
  size_t length = memory == NULL ? 0 : (size_t)*bytes;
  const int32_t code = isofold_forest_to_bytes(forest, memory, &length);
  *bytes = (int64_t)length;
  return memory == NULL ? (int32_t)ISOFOLD_ok : from_library(code);
}

int32_t isofold_fortran_forest_read(const void* memory, int64_t bytes, isofold_forest** forest) {
  return from_library(isofold_forest_from_bytes(memory, (size_t)bytes, forest));
}
