/* The lists that are typed once: folds, element types, their conversions, and error codes.
 * Every enumeration, name table and dispatch of the library is made from these X-macros.
 * Numbers are part of the C ABI and of stored Forests: they are added, never changed. */
#ifndef ISOFOLD_LISTS_H
#define ISOFOLD_LISTS_H

/* X(name, number): a fold, which says what is computed. docs/folds.md defines each. */
#define ISOFOLD_FOLDS(X)    \
  X(sum, 1)                 \
  X(product, 2)             \
  X(minimum, 3)             \
  X(maximum, 4)             \
  X(argmin, 5)              \
  X(argmax, 6)              \
  X(argmin_last, 7)         \
  X(argmax_last, 8)         \
  X(minmax, 9)              \
  X(argminmax, 10)          \
  X(absolute_maximum, 11)   \
  X(norm1, 12)              \
  X(norm2, 13)              \
  X(dot, 14)                \
  X(squared_distance, 15)   \
  X(moments, 16)            \
  X(mean, 17)               \
  X(variance, 18)           \
  X(sample_variance, 19)    \
  X(log_sum_exp, 20)        \
  X(softmax_statistics, 21) \
  X(count_nonzero, 22)      \
  X(count_nan, 23)          \
  X(count_in_range, 24)     \
  X(any, 25)                \
  X(all, 26)                \
  X(none, 27)               \
  X(bit_and, 28)            \
  X(bit_or, 29)             \
  X(bit_xor, 30)            \
  X(sum_with_bound, 31)     \
  X(mean_with_bound, 32)    \
  X(dot_with_bound, 33)     \
  X(weighted_sum, 34)       \
  X(argabsmax, 35)          \
  X(standard_deviation, 36) \
  X(sample_standard_deviation, 37)

/* X(name, number, C type): the element types that folds compute in. */
#define ISOFOLD_REAL_TYPES(X) \
  X(f32, 1, float)            \
  X(f64, 2, double)           \
  X(i32, 3, int32_t)          \
  X(i64, 4, int64_t)          \
  X(u32, 5, uint32_t)         \
  X(u64, 6, uint64_t)
#define ISOFOLD_COMPLEX_TYPES(X) \
  X(c64, 13, isofold_c64)        \
  X(c128, 14, isofold_c128)
#define ISOFOLD_COMPUTED_TYPES(X) ISOFOLD_REAL_TYPES(X) ISOFOLD_COMPLEX_TYPES(X)
/* X(name, number, C type): element types that are converted, exactly, to one of those above as they
 * are read. */
#define ISOFOLD_NARROW_TYPES(X) \
  X(i8, 7, int8_t)              \
  X(u8, 8, uint8_t)             \
  X(i16, 9, int16_t)            \
  X(u16, 10, uint16_t)          \
  X(f16, 11, isofold_f16)       \
  X(bf16, 12, isofold_bf16)
#define ISOFOLD_TYPES(X) ISOFOLD_REAL_TYPES(X) ISOFOLD_NARROW_TYPES(X) ISOFOLD_COMPLEX_TYPES(X)

/* X(C type, type of its bits, significant bits): of the narrow types those of floating point, as a
 * sign, an exponent and a fraction, with infinities and NaNs as IEEE 754 has them. */
#define ISOFOLD_NARROW_FLOATS(X) \
  X(isofold_f16, uint16_t, 11)   \
  X(isofold_bf16, uint16_t, 8)
/* X(C type, C type computed in): of the narrow types. */
#define ISOFOLD_CONVERSIONS(X) \
  X(int8_t, int32_t)           \
  X(uint8_t, uint32_t)         \
  X(int16_t, int32_t)          \
  X(uint16_t, uint32_t)        \
  X(isofold_f16, float)        \
  X(isofold_bf16, float)
/* X(C type, C type computed in), on request by isofold_request.accumulator. */
#define ISOFOLD_WIDENINGS(X) X(float, double)

/* X(name, C type): integers that lists of indices, offsets and lengths are of. Those of u64 are
 * read as signed ones: none reaches 2^63 elements. */
#define ISOFOLD_INDEX_TYPES(X) \
  X(i32, int32_t)              \
  X(i64, int64_t)              \
  X(u64, int64_t)              \
  X(u32, uint32_t)             \
  X(i16, int16_t)              \
  X(u16, uint16_t)             \
  X(i8, int8_t)                \
  X(u8, uint8_t)

/* X(name, number): shapes whose elements a layout finds, beside arrays (1) and rows (2).
 * docs/shapes.md describes each. */
#define ISOFOLD_LAYOUTS(X) \
  X(box, 3)                \
  X(segments, 4)           \
  X(gather, 5)             \
  X(batch, 6)              \
  X(joined, 7)

/* X(name, number): what went wrong. error.hpp says when each is raised. */
#define ISOFOLD_ERROR_CODES(X) \
  X(ok, 0)                     \
  X(invalid_argument, 1)       \
  X(empty_input, 2)            \
  X(unsupported, 3)            \
  X(backend_unavailable, 4)    \
  X(wrong_memory, 5)           \
  X(misaligned, 6)             \
  X(overlap, 7)                \
  X(out_of_memory, 8)          \
  X(capture, 9)                \
  X(device_lost, 10)           \
  X(device_failure, 11)        \
  X(incomplete, 12)            \
  X(mismatch, 13)              \
  X(internal, 14)              \
  X(out_of_range, 15)

#endif
