// Rows of neighbouring elements turned to columns, for transposed boxes and for columns. They turn
// by squares of 16 bytes, on machines with AVX2 by two of them at once, one below the other.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace isofold_packed {

// Turns elements of `rows` rows, `stride` apart, as many of each as 16 bytes hold, to columns at
// to[0] + at, to[1] + at, ....
template <class Word, int rows>
struct Square;

template <int bytes>
struct Words32 {
  using Vector __attribute__((vector_size(bytes))) = std::uint32_t;
};
template <int bytes>
struct Words64 {
  using Vector __attribute__((vector_size(bytes))) = std::uint64_t;
};

#define ISOFOLD_INLINE_HERE inline __attribute__((always_inline))

template <class Word, class Vector, int count>
ISOFOLD_INLINE_HERE void put_columns(const Vector (&column)[count], Word* const* to,
                                     std::int64_t at) {
  for (int c = 0; c < count; ++c) {
    std::memcpy(to[c] + at, &column[c], sizeof column[c]);
  }
}

template <>
struct Square<std::uint32_t, 4> {
  static ISOFOLD_INLINE_HERE void turn(const std::uint32_t* from, std::int64_t stride,
                                       std::uint32_t* const* to, std::int64_t at) {
    using Vector = Words32<16>::Vector;
    Vector row[4];
    for (int r = 0; r < 4; ++r) {
      std::memcpy(&row[r], from + r * stride, sizeof row[r]);
    }
    const Vector low01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
    const Vector low23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
    const Vector high01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
    const Vector high23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
    const Vector column[4] = {__builtin_shufflevector(low01, low23, 0, 1, 4, 5),
                              __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
                              __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
                              __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
    put_columns(column, to, at);
  }
};
template <>
struct Square<std::uint32_t, 8> {
  static ISOFOLD_INLINE_HERE void turn(const std::uint32_t* from, std::int64_t stride,
                                       std::uint32_t* const* to, std::int64_t at) {
    using Half = Words32<16>::Vector;
    using Vector = Words32<32>::Vector;
    Vector row[4];  // and behind each the fourth one after it
    for (int r = 0; r < 4; ++r) {
      Half low;
      Half high;
      std::memcpy(&low, from + r * stride, sizeof low);
      std::memcpy(&high, from + (r + 4) * stride, sizeof high);
      row[r] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    }
    const Vector low01 = __builtin_shufflevector(row[0], row[1], 0, 8, 1, 9, 4, 12, 5, 13);
    const Vector low23 = __builtin_shufflevector(row[2], row[3], 0, 8, 1, 9, 4, 12, 5, 13);
    const Vector high01 = __builtin_shufflevector(row[0], row[1], 2, 10, 3, 11, 6, 14, 7, 15);
    const Vector high23 = __builtin_shufflevector(row[2], row[3], 2, 10, 3, 11, 6, 14, 7, 15);
    const Vector column[4] = {__builtin_shufflevector(low01, low23, 0, 1, 8, 9, 4, 5, 12, 13),
                              __builtin_shufflevector(low01, low23, 2, 3, 10, 11, 6, 7, 14, 15),
                              __builtin_shufflevector(high01, high23, 0, 1, 8, 9, 4, 5, 12, 13),
                              __builtin_shufflevector(high01, high23, 2, 3, 10, 11, 6, 7, 14, 15)};
    put_columns(column, to, at);
  }
};
template <>
struct Square<std::uint64_t, 2> {
  static ISOFOLD_INLINE_HERE void turn(const std::uint64_t* from, std::int64_t stride,
                                       std::uint64_t* const* to, std::int64_t at) {
    using Vector = Words64<16>::Vector;
    Vector row[2];
    std::memcpy(&row[0], from, sizeof row[0]);
    std::memcpy(&row[1], from + stride, sizeof row[1]);
    const Vector column[2] = {__builtin_shufflevector(row[0], row[1], 0, 2),
                              __builtin_shufflevector(row[0], row[1], 1, 3)};
    put_columns(column, to, at);
  }
};
template <>
struct Square<std::uint64_t, 4> {
  static ISOFOLD_INLINE_HERE void turn(const std::uint64_t* from, std::int64_t stride,
                                       std::uint64_t* const* to, std::int64_t at) {
    using Half = Words64<16>::Vector;
    using Vector = Words64<32>::Vector;
    Vector row[2];  // and behind each the second one after it
    for (int r = 0; r < 2; ++r) {
      Half low;
      Half high;
      std::memcpy(&low, from + r * stride, sizeof low);
      std::memcpy(&high, from + (r + 2) * stride, sizeof high);
      row[r] = __builtin_shufflevector(low, high, 0, 1, 2, 3);
    }
    const Vector column[2] = {__builtin_shufflevector(row[0], row[1], 0, 4, 2, 6),
                              __builtin_shufflevector(row[0], row[1], 1, 5, 3, 7)};
    put_columns(column, to, at);
  }
};

// Prefetches the line of the cache that has column `c`, of the `count` rows from `rows` on.
template <int count, class Word>
ISOFOLD_INLINE_HERE void ask_for(const Word* rows, std::int64_t stride, int c) {
  for (int r = 0; r < count; ++r) {
    __builtin_prefetch(rows + r * stride + c);
  }
}

// Turns by squares of `bytes` bytes' rows. It takes eight rows at a time, so that it writes halves
// of lines; not more, because rows may fall into the same few ways of a cache.
template <int bytes, class Word>
ISOFOLD_INLINE_HERE void turn_by_squares(const Word* from, std::int64_t stride, std::int64_t count,
                                         int columns, Word* const* to) {
  constexpr int rows_at_once = 8;
  constexpr int line = 64 / static_cast<int>(sizeof(Word));
  constexpr int rows_of_square = bytes / static_cast<int>(sizeof(Word));
  constexpr int square = 16 / static_cast<int>(sizeof(Word));
  const int whole = columns / square * square;
  // Rows that begin inside a line may end in one line more than is prefetched at multiples of
  // `line`.
  const bool begin_in_lines = (reinterpret_cast<std::uintptr_t>(from) % 64 |
                               static_cast<std::uintptr_t>(stride) % line) != 0;
  std::int64_t i = 0;
  for (; i + rows_at_once <= count; i += rows_at_once) {
    const Word* const rows = from + i * stride;
    const int asked = i + 2 * rows_at_once <= count ? columns : 0;  // of the rows after these
    for (int c = 0; c < whole; c += square) {
      if (c % line == 0 && c < asked) {
        const Word* const next = rows + rows_at_once * stride;
        ask_for<rows_at_once>(next, stride, c);
        if (c + line >= whole && (begin_in_lines || c + line < columns)) {
          ask_for<rows_at_once>(next, stride, columns - 1);
        }
      }
      for (int r = 0; r < rows_at_once; r += rows_of_square) {
        Square<Word, rows_of_square>::turn(rows + r * stride + c, stride, to + c, i + r);
      }
    }
    for (int c = whole; c < columns; ++c) {
      for (int r = 0; r < rows_at_once; ++r) {
        to[c][i + r] = rows[r * stride + c];
      }
    }
  }
  for (; i < count; ++i) {
    for (int c = 0; c < columns; ++c) {
      to[c][i] = from[i * stride + c];
    }
  }
}
#if defined(__x86_64__)
template <class Word>
__attribute__((target("avx2"))) void turn_by_avx2(const Word* from, std::int64_t stride,
                                                  std::int64_t count, int columns,
                                                  Word* const* to) {
  turn_by_squares<32>(from, stride, count, columns, to);
}
#endif
#undef ISOFOLD_INLINE_HERE

// Turns `count` rows of `columns` neighbouring elements, `stride` apart, to a place for each
// column.
template <class Word>
void turn(const Word* from, std::int64_t stride, std::int64_t count, int columns, Word* const* to) {
  if constexpr (std::is_integral_v<Word> && sizeof(Word) >= 4) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") != 0) {
      return turn_by_avx2(from, stride, count, columns, to);
    }
#endif
    turn_by_squares<16>(from, stride, count, columns, to);
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      for (int c = 0; c < columns; ++c) {
        to[c][i] = from[i * stride + c];
      }
    }
  }
}

}  // namespace isofold_packed
