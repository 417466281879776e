/* The exported C ABI, for C, Fortran and every other language: plain data in, an error code out.
 * The C++ interface stands on these functions. Options, requests and layouts start with their own
 * size, for they grow at their ends. A smaller one is taken as if zeros followed it; it has at
 * least the members before `stream` (options), `schedule` (requests) and `mask` (layouts). A larger
 * one, of at most 4096 bytes, is taken if all that this library does not know in it is zero, and is
 * `unsupported` otherwise. All functions are thread-safe, but one reducer or forest is used by one
 * thread at a time. */
#ifndef ISOFOLD_H
#define ISOFOLD_H

#include <isofold/lists.h>
#include <stddef.h>
#include <stdint.h>

#if defined(ISOFOLD_STATIC) || !defined(__GNUC__)
#define ISOFOLD_API
#else
#define ISOFOLD_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Floating point narrower than float as it lies in memory. isofold_f16: IEEE 754 binary16;
 * isofold_bf16: the upper half of a binary32. */
#define ISOFOLD_BITS(c_type, bits_type, significant_bits) \
  typedef struct c_type {                                 \
    bits_type bits;                                       \
  } c_type;
ISOFOLD_NARROW_FLOATS(ISOFOLD_BITS)
#undef ISOFOLD_BITS

/* Complex numbers as C's, Fortran's and std::complex lie in memory; aligned as their parts are. */
typedef struct isofold_c64 {
  float re;
  float im;
} isofold_c64;
typedef struct isofold_c128 {
  double re;
  double im;
} isofold_c128;

#define ISOFOLD_ENUMERATE_FOLD(name, number) ISOFOLD_FOLD_##name = number,
enum isofold_fold { ISOFOLD_FOLDS(ISOFOLD_ENUMERATE_FOLD) ISOFOLD_FOLD_unknown = 0 };
#undef ISOFOLD_ENUMERATE_FOLD

#define ISOFOLD_ENUMERATE_TYPE(name, number, c_type) ISOFOLD_TYPE_##name = number,
enum isofold_type {
  ISOFOLD_TYPES(ISOFOLD_ENUMERATE_TYPE) ISOFOLD_TYPE_none = 0,
  ISOFOLD_TYPE_boolean = 64 /* for results only: one byte, 0 or 1 */
};
#undef ISOFOLD_ENUMERATE_TYPE

#define ISOFOLD_ENUMERATE_CODE(name, number) ISOFOLD_##name = number,
enum isofold_code { ISOFOLD_ERROR_CODES(ISOFOLD_ENUMERATE_CODE) };
#undef ISOFOLD_ENUMERATE_CODE

/* The definition of the bits. tree_v1 (docs/tree.md) fixes an order of the additions. exact_v1
 * (docs/exact.md) has none: the real value, rounded once; for sums and what is made of them, while
 * folds that have no rounding (extrema, locations, counts, bits) are the same by both. */
enum isofold_definition { ISOFOLD_DEFINITION_tree_v1 = 1, ISOFOLD_DEFINITION_exact_v1 = 2 };

/* From box on, a shape has a layout. */
#define ISOFOLD_ENUMERATE_SHAPE(name, number) ISOFOLD_SHAPE_##name = number,
enum isofold_shape {
  ISOFOLD_LAYOUTS(ISOFOLD_ENUMERATE_SHAPE) ISOFOLD_SHAPE_array = 1,
  ISOFOLD_SHAPE_rows = 2
};
#undef ISOFOLD_ENUMERATE_SHAPE

/* A mask takes element i if byte i, or bit i % 8 of byte i / 8, is not 0. One of strided bytes
 * takes the element of index (i_0, i_1, ...) if the byte mask[i_0 * mask_strides[0] + i_1 *
 * mask_strides[1] + ...] is not 0. */
enum isofold_mask { ISOFOLD_MASK_bytes = 1, ISOFOLD_MASK_bits = 2, ISOFOLD_MASK_strided_bytes = 3 };

/* same_bits promises the bits of the definition, within_bound the error bound of any order. */
enum isofold_guarantee { ISOFOLD_GUARANTEE_same_bits = 1, ISOFOLD_GUARANTEE_within_bound = 2 };

enum isofold_memory {
  ISOFOLD_MEMORY_host = 1,   /* ordinary host memory */
  ISOFOLD_MEMORY_pinned = 2, /* host memory that a device can read */
  ISOFOLD_MEMORY_managed = 3,
  ISOFOLD_MEMORY_device = 4
};

enum isofold_request_flags {
  /* `result` is host memory and holds all results when the call returns. Without it `result` is
   * memory of the backend, and a device backend writes it in stream order. */
  ISOFOLD_BLOCKING = 1,
  /* Write the fold's state, without finish(): the raw material of a Forest. By exact_v1 these are
   * isofold_exact_words() int64 numbers a row, carried, and zeros where there are no elements. */
  ISOFOLD_STATE = 2,
  /* Leave out elements that are NaN, or have a part that is; of two arrays, pairs with such an
   * element. The rest is reduced as a mask's selection is (box, array and rows only; not on
   * kokkos). The elements are read once more, and memory is taken for a mask. */
  ISOFOLD_SKIP_NAN = 4,
  /* The index of a location (argmin and its kin) counts the elements of its row as if they were
   * packed: those that the mask takes, or the list names. Without it the index is that in the
   * array: in a box the number of the element among all of its row, whatever a mask or
   * ISOFOLD_SKIP_NAN leaves out; of segments with `begins`, and of a gather, that in `data`. */
  ISOFOLD_PACKED_INDEX = 8
};

/* For conformance tests only: forces, and reports, how a backend cuts the work. 0 leaves a choice
 * to the backend. No schedule changes a bit. */
typedef struct isofold_schedule {
  int32_t threads;     /* CPU threads */
  int32_t vector_bits; /* CPU instruction set by its width: 128 (baseline), 256, 512 */
  int32_t streams;     /* CPU address streams a thread: 1 or 2; 3: prefetched, by 512 bits */
  int32_t blocks;      /* GPU blocks (an upper limit; what ran is reported) */
  int32_t warps;       /* GPU warps a block */
  int32_t chunks;      /* GPU chunks a warp folds in one tile */
  int32_t wave_width;  /* GPU threads that run in step */
  int32_t unit;        /* rows: threads that share a row, or -blocks a row; backend-defined */
} isofold_schedule;

typedef struct isofold_options {
  uint64_t size;       /* sizeof(isofold_options) */
  const char* backend; /* a backend's name; NULL: choose per call, by where the data lies */
  int32_t device;      /* device number; -1: the data's, or the caller's current one */
  int32_t threads;     /* most CPU threads a call may use; 0: as many as there are */
  int32_t guarantee;   /* isofold_guarantee; 0: same_bits */
  int32_t validate;    /* 1: check kinds of pointers, and indices, on each call; 0: trust */
  int32_t has_stream;  /* 1: `stream` is the caller's stream (NULL is the default stream then) */
  int32_t reserved;    /* 0 */
  void* stream;
} isofold_options;

#define ISOFOLD_MOST_DIMENSIONS 8
#define ISOFOLD_MOST_FUSED 8

/* The places of a row's elements, for the shapes from box on. Members that a shape does not name
 * are 0 or NULL. Index arrays, masks and pointers lie in the memory that the data lie in. Every row
 * has the bits of its elements packed one after the other.
 *
 * box       dimensions, extents, strides (in elements, of any sign; second_strides for folds of two
 *           arrays), the data at index 0 of each. Dimensions whose bit is set in `kept` make rows,
 *           the others are reduced; both in row-major order, the last index fastest. The request's
 *           rows and length are the products of their extents. A mask, if there is one, has an
 *           entry for each element of the box, in row-major order, or at mask_strides (of any sign;
 *           0 in dimensions that share their entries). A device's backend puts the entries of the
 *           latter into that order first, by a launch of its own.
 *
 * segments  row r has the elements [begins[r], ends[r]) of data; without ends, [begins[r],
 *           begins[r + 1]): rows + 1 entries. length is 0. With ends alone they are counts: row r
 *           has the first ends[r] elements from data + r * stride on, at most length of them (0: as
 *           many as stride).
 *
 * gather    one row; its element i is data[indices[i]]. length counts the indices.
 *
 * batch     row r has the ends[r] elements at ((const void* const*)data)[r]. length is 0.
 *
 * joined    a batch as one row: the ends[0] elements at ((const void* const*)data)[0], then the
 *           ends[1] at [1], and so on. length counts the arrays, of which any may be empty. */
typedef struct isofold_layout {
  uint64_t size;      /* sizeof(isofold_layout) */
  int32_t dimensions; /* 1 to 8 */
  uint32_t kept;      /* bit d: dimension d */
  int64_t extents[ISOFOLD_MOST_DIMENSIONS];
  int64_t strides[ISOFOLD_MOST_DIMENSIONS];
  int64_t second_strides[ISOFOLD_MOST_DIMENSIONS];
  const void* mask;
  int32_t mask_type;  /* isofold_mask */
  int32_t index_type; /* isofold_type of begins, ends and indices: of integers (devices: i32, i64,
                         u64) */
  const void* begins;
  const void* ends;
  const void* indices;
  int64_t elements; /* segments, gather: how many lie at data; joined: the most in all arrays;
                       indices and lengths beyond it are refused. 0: not known */
  int64_t mask_strides[ISOFOLD_MOST_DIMENSIONS]; /* of strided bytes; else 0 */
} isofold_layout;

typedef struct isofold_request {
  uint64_t size;                    /* sizeof(isofold_request) */
  int32_t definition;               /* isofold_definition */
  int32_t fold;                     /* isofold_fold */
  int32_t type;                     /* isofold_type of an element */
  int32_t shape;                    /* isofold_shape */
  int32_t flags;                    /* isofold_request_flags */
  int32_t accumulator;              /* ISOFOLD_TYPE_f64 over f32: computes in f64; else 0 */
  const void* data;                 /* first element; may be NULL when there is none */
  int64_t rows;                     /* results; 1 for an array */
  int64_t length;                   /* elements of a row */
  int64_t stride;                   /* elements from the start of one row to the next */
  void* result;                     /* `rows` values of the result type (or states) */
  const isofold_schedule* schedule; /* NULL, but for conformance tests */
  isofold_schedule* ran;            /* NULL, or where to report what ran */
  const void* second;     /* folds of two arrays: the other one's first element; else NULL */
  int64_t second_stride;  /* its `stride` */
  const void* parameters; /* count_in_range: two elements in host memory, low and high; else NULL */
  const isofold_layout* layout; /* for the shapes from box on; else NULL */
} isofold_request;

/* A component of a result, as it lies in memory. */
typedef struct isofold_component {
  const char* name; /* "value", "index"; "" for a result of one component. Never NULL. */
  int32_t type;     /* isofold_type */
  int32_t offset;   /* in bytes */
} isofold_component;

/* A part of data that is spread over devices, and the fold of it, for isofold_partial_words() and
 * its kin. Members that a fold does not need are 0. */
typedef struct isofold_partial {
  uint64_t size;      /* sizeof(isofold_partial) */
  int32_t definition; /* isofold_definition */
  int32_t fold;       /* isofold_fold */
  int32_t type;       /* isofold_type that elements are computed in */
  int32_t dimensions; /* locations: of the box that the part is in the whole one; an array has 1 */
  int64_t rows;       /* results */
  int64_t part;       /* the number of this part, from 0 */
  int64_t parts;      /* how many parts there are, 1 to 2^20 */
  int64_t extents[ISOFOLD_MOST_DIMENSIONS]; /* of the part's box, */
  int64_t offsets[ISOFOLD_MOST_DIMENSIONS]; /* its first index in the whole box, */
  int64_t whole[ISOFOLD_MOST_DIMENSIONS];   /* and the extents of that */
} isofold_partial;

typedef struct isofold_reducer isofold_reducer;
typedef struct isofold_forest isofold_forest;

/* ---- library ------------------------------------------------------------------------------
 * Functions that return int32_t return an isofold_code unless their comment says otherwise; the
 * sentence of an error is in isofold_last_error(). */

/* "MAJOR.MINOR.PATCH". Never NULL. */
ISOFOLD_API const char* isofold_version(void);
/* The sentence of the last error in this thread; valid until the next failing call in it. */
ISOFOLD_API const char* isofold_last_error(void);
/* Names of the enumerators above, "" for a number that is none. */
ISOFOLD_API const char* isofold_fold_name(int32_t fold);
ISOFOLD_API const char* isofold_type_name(int32_t type);
ISOFOLD_API const char* isofold_code_name(int32_t code);
/* Bytes of an element; 0 for a number that is no type. */
ISOFOLD_API int64_t isofold_type_bytes(int32_t type);
/* The isofold_type of a result of one component; 0 for other results (complex ones have two) and if
 * tree v1 has no such case. exact_v1 has the same results, and means of integers, which are f64. */
ISOFOLD_API int32_t isofold_result_type(int32_t fold, int32_t type);
/* Bytes of a result; 0 if the library has no such case. */
ISOFOLD_API int64_t isofold_result_bytes(int32_t fold, int32_t type);
/* Writes the first `room` components of a result, in order, and returns how many there are. */
ISOFOLD_API int32_t isofold_result_components(int32_t fold, int32_t type,
                                              isofold_component* components, int32_t room);
/* The number of arrays that a fold takes, 1 or 2; 0 for a number that is no fold. */
ISOFOLD_API int32_t isofold_fold_arrays(int32_t fold);
/* The number of elements that `parameters` points to; 0 for most folds. */
ISOFOLD_API int32_t isofold_fold_parameters(int32_t fold);
/* Bytes of a fold's state; 0 if the library has no such case. */
ISOFOLD_API int64_t isofold_state_bytes(int32_t fold, int32_t type);

/* ---- backends ----------------------------------------------------------------------------- */

/* The number of backends that isofold knows, whether built here or not; isofold_backend_name()
 * numbers them from 0 in order of preference. */
ISOFOLD_API int32_t isofold_backend_count(void);
ISOFOLD_API const char* isofold_backend_name(int32_t index); /* NULL past the end */
/* 1 when the backend can compute here and now; else 0, and isofold_backend_reason() says why. */
ISOFOLD_API int32_t isofold_backend_available(const char* name);
/* The reason why the backend is not available; if it is available, what it is ("AVX-512, 8
 * threads"). Never NULL; valid until the thread's next call. */
ISOFOLD_API const char* isofold_backend_reason(const char* name);
/* The number of devices that the backend can use. */
ISOFOLD_API int32_t isofold_backend_device_count(const char* name);
/* Copies a device's name, cut to `bytes`, with its terminating zero. */
ISOFOLD_API int32_t isofold_backend_device_name(const char* name, int32_t device, char* text,
                                                size_t bytes);

/* Allocates memory that a backend's reductions can read: device memory for cuda and hip, else host
 * memory. It serves the program, tests and examples; codes bring their own memory. */
ISOFOLD_API int32_t isofold_allocate(const char* backend, int32_t device, size_t bytes,
                                     void** memory);
/* Releases memory of isofold_allocate(); NULL is fine. */
ISOFOLD_API void isofold_release(const char* backend, int32_t device, void* memory);
/* Copies between host memory and memory of the backend, either way, and waits for it. */
ISOFOLD_API int32_t isofold_copy(const char* backend, int32_t device, void* destination,
                                 const void* source, size_t bytes);

/* ---- reducer ------------------------------------------------------------------------------ */

/* Creates a reducer for a named backend (options->backend, else the environment's ISOFOLD_BACKEND),
 * or, without a name, for the backends where each call's data lie. A named backend that is unknown
 * or unavailable is `backend_unavailable`. `options` need not live longer than the call. */
ISOFOLD_API int32_t isofold_create(const isofold_options* options, isofold_reducer** reducer);
/* Waits for the reducer's own work, then frees it; NULL is fine. */
ISOFOLD_API void isofold_destroy(isofold_reducer* reducer);
/* Runs one reduction and writes request->rows results, with the guarantee of the reducer's options
 * (same_bits: the bits of the definition). A row of no elements gets the fold's empty value; a
 * blocking call for one result that has none is `empty_input` (docs/folds.md), as is ISOFOLD_STATE
 * of none. On an error no result is to be used. A call reads each element once, or twice for a few
 * folds, and allocates only if it needs more workspace, and for rows that it brings to the host. */
ISOFOLD_API int32_t isofold_reduce(isofold_reducer* reducer, const isofold_request* request);
/* Runs several folds of one input: requests that differ in fold, result and parameters alone (folds
 * of one array have no second). Each result has the bits that it has by itself. openmp, and cuda
 * and hip for arrays and rows (but for more than 2048 of at most 512 elements), read the input once
 * for folds of tree v1, and once for sums of exact_v1 that share words (docs/exact.md). There can
 * be 1 to ISOFOLD_MOST_FUSED requests; all or none are blocking. Results that share memory are
 * `overlap`. On an error no result is to be used. */
ISOFOLD_API int32_t isofold_reduce_fused(isofold_reducer* reducer, const isofold_request* requests,
                                         int32_t count);
/* Writes the address of the element that a location (argmin and its kin) of row `row`, from 0, has
 * the index of, for a request as it was reduced: with its flags, its mask and its lists. `*address`
 * is NULL for -1, the index of no element; other numbers that the row does not have are
 * `invalid_argument`. The lists are read, and must lie in memory that the host reads
 * (`wrong_memory`; a copy will do); with ISOFOLD_PACKED_INDEX so is the mask, whose entries one
 * thread counts up to the element, and with ISOFOLD_SKIP_NAN, too, the elements. */
ISOFOLD_API int32_t isofold_address_of(const isofold_request* request, int64_t row, int64_t index,
                                       const void** address);
/* ok, or `unsupported` with the reason in isofold_last_error(). Reads no data. */
ISOFOLD_API int32_t isofold_supports(isofold_reducer* reducer, const isofold_request* request);
/* Takes all the workspace that `request` (its sizes, not its data) needs, so that the call itself
 * allocates nothing; required before capturing it into a graph. */
ISOFOLD_API int32_t isofold_reserve(isofold_reducer* reducer, const isofold_request* request);
/* Waits for this reducer's asynchronous work and reports its failures. */
ISOFOLD_API int32_t isofold_synchronize(isofold_reducer* reducer);
/* Makes later calls run on `stream`, ordered after this reducer's earlier work. */
ISOFOLD_API int32_t isofold_set_stream(isofold_reducer* reducer, void* stream);
/* The backend that answered the last successful call, or the named one. "" before the first. */
ISOFOLD_API const char* isofold_reducer_backend(const isofold_reducer* reducer);

/* ---- forest: mergeable partial results ------------------------------------------------------ */

/* Creates an empty partial result of one array of `count` elements. A fold of two arrays or with
 * parameters has no Forest: `unsupported`. */
ISOFOLD_API int32_t isofold_forest_create(int32_t fold, int32_t type, int64_t count,
                                          isofold_forest** forest);
ISOFOLD_API int32_t isofold_forest_copy(const isofold_forest* forest, isofold_forest** copy);
ISOFOLD_API void isofold_forest_destroy(isofold_forest* forest); /* NULL is fine */
/* Adds the elements [first, first + count) of the array; `data` points at element `first`. The
 * complete subtrees are folded by `reducer` (NULL: a default one), so it must reach `data`. */
ISOFOLD_API int32_t isofold_forest_add(isofold_forest* forest, isofold_reducer* reducer,
                                       const void* data, int64_t first, int64_t count);
/* Unites `other` into `forest`. On an error (`mismatch`, `overlap`) `forest` is as it was. */
ISOFOLD_API int32_t isofold_forest_merge(isofold_forest* forest, const isofold_forest* other);
/* Writes the result (isofold_result_type) once [0, n) is covered; else `incomplete`. Its bits are
 * those of the array reduced at once. */
ISOFOLD_API int32_t isofold_forest_finish(const isofold_forest* forest, void* result);
/* 1 when [0, n) is covered, else 0. */
ISOFOLD_API int32_t isofold_forest_complete(const isofold_forest* forest);
/* Writes the arguments that `forest` was created with; a pointer may be NULL. */
ISOFOLD_API void isofold_forest_describe(const isofold_forest* forest, int32_t* fold, int32_t* type,
                                         int64_t* count);
/* Serialisation, little-endian (docs/tree.md). `bytes` is the room in and the length out. What is
 * read may be longer than what was written: zeros may follow it. */
ISOFOLD_API int32_t isofold_forest_to_bytes(const isofold_forest* forest, void* memory,
                                            size_t* bytes);
/* Makes a Forest of such bytes. Bytes of another format or definition, or cut or changed ones, are
 * `mismatch`. */
ISOFOLD_API int32_t isofold_forest_from_bytes(const void* memory, size_t bytes,
                                              isofold_forest** forest);
/* The most bytes that a Forest of one contiguous range ever needs; a constant of (fold, type). */
ISOFOLD_API size_t isofold_forest_max_bytes(int32_t fold, int32_t type);

/* ---- exact: partial results of exact_v1 ------------------------------------------------------
 * The words of a partial result are isofold_exact_words() int64 numbers, which a request of
 * exact_v1 with ISOFOLD_STATE writes. Partial results of any parts of the data, in any order, are
 * merged by adding them word by word: by isofold_exact_merge(), an MPI or NCCL sum of 64-bit
 * integers, or anything else that adds integers, up to 2^30 of them at once. `fold` and `type` are
 * those of the request (`type`: f64 if its accumulator is f64). */

/* The number of words; 0 if exact_v1 has no such case, or no sum to keep for it (extrema). */
ISOFOLD_API int32_t isofold_exact_words(int32_t fold, int32_t type);
/* Adds `other` to `words`, or subtracts it (`sign` 1 or -1), and carries. `mismatch` if either is
 * no sum of partial results; `words` are as they were then. */
ISOFOLD_API int32_t isofold_exact_merge(int32_t fold, int32_t type, int64_t* words,
                                        const int64_t* other, int32_t sign);
/* Writes the result of words in host memory, carried or not: the one rounding. Words of no elements
 * have the fold's empty value. `mismatch` as above; `out_of_range` if the sum of integers does not
 * fit the result. */
ISOFOLD_API int32_t isofold_exact_finish(int32_t fold, int32_t type, const int64_t* words,
                                         void* result);
/* Serialisation, little-endian (docs/exact.md). `bytes` is the room in and the length out, which is
 * a constant of (fold, type): 24 + 8 * isofold_exact_words(). The words are carried. */
ISOFOLD_API int32_t isofold_exact_to_bytes(int32_t fold, int32_t type, const int64_t* words,
                                           void* memory, size_t* bytes);
/* Reads such bytes, behind which zeros may follow; `mismatch` for those of another fold, type or
 * format, and for cut or changed ones. */
ISOFOLD_API int32_t isofold_exact_from_bytes(int32_t fold, int32_t type, const void* memory,
                                             size_t bytes, int64_t* words);

/* ---- partial: results of folds that are free of order, joined where the data lie ---------------
 * Devices exchange words, int64 numbers of which every part writes as many and which are added word
 * by word over all parts, by ncclAllReduce(ncclInt64, ncclSum) or anything else; the sums finish to
 * the result of all parts, with the bits of one device. All of it is memory of the Reducer's
 * backend; a device backend reads and writes it in stream order, without waiting, also in a graph
 * capture if the function was called before with as many rows. Words of exact_v1 are those that a
 * request with ISOFOLD_STATE writes. Folds that depend on an order are `unsupported`. */

/* The number of words of all rows; one row has as many as another. 0 for an error. */
ISOFOLD_API int64_t isofold_partial_words(const isofold_partial* partial);
/* Writes the words of a part from its `rows` results. Folds that keep words of exact_v1 have no
 * need of it (`unsupported`). Of the slots for keys, which extrema and locations have, it writes
 * its own: the others are zeros, and the caller's to clear once. The index of a location is made
 * that of the whole box; that of a masked element, which counts selected ones, would be wrong. */
ISOFOLD_API int32_t isofold_partial_write(isofold_reducer* reducer, const isofold_partial* partial,
                                          const void* results, int64_t* words);
/* Writes the results from the words of all parts together. Results of no elements are the fold's
 * empty value. A sum of integers that does not fit is `out_of_range`, which a device reports when
 * its work is waited for; words that are none are noticed on hosts alone. */
ISOFOLD_API int32_t isofold_partial_finish(isofold_reducer* reducer, const isofold_partial* partial,
                                           const int64_t* words, void* results);

#ifdef __cplusplus
}
#endif
#endif
