// Rows of elements that are stored in another type than the one that is computed in: f16 and bf16,
// integers of 8 and 16 bits, and f32 computed with in f64. GridFold folds them; which type is
// stored is an argument, so that a fold has one kernel for all of them.
#pragma once

#include <backends/gpu/rows.hpp>
#include <isofold/core/conversion.hpp>
#include <isofold/gpu/map_fold.hpp>

namespace isofold::gpu {

// Whether elements of other types are computed with as T.
template <class T>
inline constexpr bool is_computed_from_others = core::is_floating<T> ||
                                                (std::is_integral_v<T> && sizeof(T) == 4);

// What lies at an index, converted.
template <class Group, class Stored>
struct ReadConverted {
  const Group& group;
  const Stored* data;
  ISOFOLD_DEVICE auto operator()(std::int64_t i) const {
    const Stored x = group.template load<Stored, 1>(data + i).value[0];
    if constexpr (std::is_same_v<Stored, isofold_f16> && has_from_half<Group>) {
      return group.from_half(x.bits);
    } else if constexpr (std::is_same_v<Stored, float>) {
      return static_cast<double>(x);
    } else {
      return core::computed(x);
    }
  }
};
template <class Group, class Word>
struct ReadInteger {
  const Group& group;
  const Word* data;
  bool is_signed;
  ISOFOLD_DEVICE std::int32_t operator()(std::int64_t i) const {
    const Word x = group.template load<Word, 1>(data + i).value[0];
    return is_signed ? static_cast<std::make_signed_t<Word>>(x) : x;
  }
};

#define ISOFOLD_COUNT(c_type, computed) +1
static_assert(ISOFOLD_CONVERSIONS(ISOFOLD_COUNT) == 6 && ISOFOLD_WIDENINGS(ISOFOLD_COUNT) == 1,
              "with_reader() and HeldHalves know these types; tell them of new ones.");
#undef ISOFOLD_COUNT

struct StoredRow {
  const char* data;
  const char* second;
  std::int32_t type;  // an isofold_type
};

// use(what reads elements of the row at `data` as T)
template <class T, class Group, class Use>
ISOFOLD_DEVICE void with_reader(const Group& group, std::int32_t type, const char* data,
                                Use&& use) {
  const auto as = [&](auto stored) { return reinterpret_cast<const decltype(stored)*>(data); };
  if constexpr (std::is_same_v<T, double>) {
    use(ReadConverted<Group, float>{group, as(float{})});
  } else if constexpr (std::is_same_v<T, float>) {
    if (type == ISOFOLD_TYPE_bf16) {
      use(ReadConverted<Group, isofold_bf16>{group, as(isofold_bf16{})});
    } else {
      use(ReadConverted<Group, isofold_f16>{group, as(isofold_f16{})});
    }
  } else {
    const bool is_signed = type == ISOFOLD_TYPE_i8 || type == ISOFOLD_TYPE_i16;
    if (type == ISOFOLD_TYPE_i8 || type == ISOFOLD_TYPE_u8) {
      use(ReadInteger<Group, std::uint8_t>{group, as(std::uint8_t{}), is_signed});
    } else {
      use(ReadInteger<Group, std::uint16_t>{group, as(std::uint16_t{}), is_signed});
    }
  }
}

// Chunks of f16 and bf16 by loads of 8 bytes, for lanes of one float: a thread has four. (Of eight,
// by loads of 16 bytes, nvcc spilled 200 to 344 bytes.)
using WideHalves = WideLanes<std::uint16_t, 8>;
template <class Fold>
ISOFOLD_HOST_DEVICE constexpr bool takes_wide_halves() {
  return std::is_same_v<typename Fold::element_type, float> &&
         core::numbers_in<core::LaneOf<core::FirstPass<Fold>>> == 1;
}

// What is held of them, as floats.
template <class Group, class Held>
struct HeldHalves {
  using Element = float;
  static constexpr int arrays = Held::arrays;
  static constexpr int parts = Held::parts;
  static constexpr int rows = Held::rows;
  const Group& group;
  const Held& held;
  bool are_bf16;

  ISOFOLD_DEVICE static constexpr int lane_of(int c) { return Held::lane_of(c); }
  ISOFOLD_DEVICE float at(int array, int row, int c) const {
    return converted(held.at(array, row, c));
  }
  ISOFOLD_DEVICE float cut_at(int array, int c) const { return converted(held.cut_at(array, c)); }

 private:
  ISOFOLD_DEVICE float converted(std::uint16_t bits) const {
    const float as_bf16 = core::computed(isofold_bf16{bits});
    if constexpr (has_from_half<Group>) {
      return are_bf16 ? as_bf16 : group.from_half(bits);
    } else {
      return are_bf16 ? as_bf16 : core::computed(isofold_f16{bits});
    }
  }
};

template <bool whole, class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type state_of_halves(const Group& group, const Fold& fold,
                                                         const StoredRow& row,
                                                         const TeamChunk& chunk) {
  using Held = HeldRows<std::uint16_t, WideHalves, Fold::arrays, Fold::arrays>;
  const auto at = [&](const char* data) {
    return reinterpret_cast<const std::uint16_t*>(data) + chunk.begin;
  };
  const std::uint16_t* const arrays[] = {at(row.data),
                                         Fold::arrays == 2 ? at(row.second) : nullptr};
  Held held;
  const auto load = [&](int part) {
    load_part<whole, WideHalves>(group, held, arrays, part, chunk.count, chunk.thread);
  };
  if constexpr (Held::parts == 1) {
    load(0);
  }
  const HeldHalves<Group, Held> floats{group, held, row.type == ISOFOLD_TYPE_bf16};
  return state_of_held<whole, WideHalves>(group, fold, floats, chunk.begin, chunk.count,
                                          chunk.thread, load);
}

template <class Lanes, class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type state_of_chunk(const Group& group, const Fold& fold,
                                                        const StoredRow& row,
                                                        const TeamChunk& chunk) {
  if constexpr (std::is_same_v<Lanes, WideHalves>) {
    return chunk.whole ? state_of_halves<true>(group, fold, row, chunk)
                       : state_of_halves<false>(group, fold, row, chunk);
  } else {
    using Element = typename Fold::element_type;
    return state_of_loaded<Lanes>(group, fold, chunk, [&](auto& held, int part) {
#pragma unroll
      for (int array = 0; array < Fold::arrays; ++array) {
        with_reader<Element>(
            group, row.type, array == 0 ? row.data : row.second,
            [&](const auto& read) { map_part<Lanes>(held, array, read, chunk, part); });
      }
    });
  }
}

// As Rows, whose pointers it reads as those of the stored elements.
template <class Fold>
struct StoredRows : Rows<Fold> {
  std::int32_t type;
  std::int32_t bytes;  // of a stored element

  ISOFOLD_DEVICE StoredRow row(std::int64_t number) const {
    const auto at = [&](const typename Fold::element_type* data, std::int64_t stride) {
      return reinterpret_cast<const char*>(data) + number * stride * bytes;
    };
    return {at(this->first.data, this->stride),
            Fold::arrays == 2 ? at(this->first.second, this->second_stride) : nullptr, type};
  }
};

}  // namespace isofold::gpu
