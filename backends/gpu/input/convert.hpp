// Conversion of elements of another type than the one that folds compute in: f16 and bf16, integers
// of 8 and 16 bits, and f32 computed with in f64. The type is an argument of a kernel, and every
// thread of a launch has it, so that a fold has no kernel of its own for each type.
#pragma once

#include <isofold/detail/core/conversion.hpp>
#include <isofold/detail/core/fold.hpp>
#include <isofold/detail/gpu/platform.hpp>

namespace isofold::gpu {

// This tells whether elements of other types are computed with as T.
template <class T>
inline constexpr bool is_computed_from_others = core::is_floating<T> ||
                                                (std::is_integral_v<T> && sizeof(T) == 4);

// The form in which the elements of a request lie in memory, as kernels are told: the type that is
// computed with, or another one that is converted. Each form has kernels of its own, because loads
// that choose while they run are slower (docs/decisions/010, 049).
struct AsComputed {
  static constexpr bool converts = false;
  template <class Element>
  ISOFOLD_HOST_DEVICE static constexpr int bytes_of() {
    return static_cast<int>(sizeof(Element));
  }
};
struct StoredAs {
  static constexpr bool converts = true;
  std::int32_t type;
  std::int32_t bytes;

  template <class Element>
  ISOFOLD_HOST_DEVICE int bytes_of() const {
    return bytes;
  }
};

// The element at an address, converted.
template <class Group>
struct LoadFloat {
  using Word = float;
  const Group& group;

  ISOFOLD_DEVICE double operator()(const char* at) const {
    return group.template load<float, 1>(reinterpret_cast<const float*>(at)).value[0];
  }
};
template <class Group>
struct LoadHalf {
  using Word = std::uint16_t;
  const Group& group;
  bool is_bf16;

  ISOFOLD_DEVICE float operator()(const char* at) const {
    return converted(
        group.template load<std::uint16_t, 1>(reinterpret_cast<const std::uint16_t*>(at)).value[0]);
  }
  ISOFOLD_DEVICE float converted(std::uint16_t bits) const {
    // Both conversions come first, then a selection: behind a test each, loads would wait for one
    // another.
    const float as_bf16 = core::computed(isofold_bf16{bits});
    const float as_f16 = of_f16(bits);
    return is_bf16 ? as_bf16 : as_f16;
  }
  ISOFOLD_DEVICE float of_f16(std::uint16_t bits) const {
    if constexpr (has_from_half<Group>) {
      return group.from_half(bits);
    } else {
      return core::computed(isofold_f16{bits});
    }
  }
};
template <class Group, class Word_>
struct LoadInteger {
  using Word = Word_;
  const Group& group;
  bool is_signed;

  ISOFOLD_DEVICE std::int32_t operator()(const char* at) const {
    const Word x = group.template load<Word, 1>(reinterpret_cast<const Word*>(at)).value[0];
    return is_signed ? static_cast<std::make_signed_t<Word>>(x) : x;
  }
};

#define ISOFOLD_COUNT(c_type, computed) +1
static_assert(ISOFOLD_CONVERSIONS(ISOFOLD_COUNT) == 6 && ISOFOLD_WIDENINGS(ISOFOLD_COUNT) == 1,
              "with_load() and LoadHalf know these types; tell them of new ones.");
#undef ISOFOLD_COUNT

// The word of memory that holds an element of another type which is computed with as T, where
// kernels have such words in line: 16-bit floats.
template <class T>
using StoredWord = std::conditional_t<std::is_same_v<T, float>, std::uint16_t, void>;
// Returns what converts such a word, or a T, of an element of the type to a T: converted(word).
template <class T>
struct AsItIs {
  ISOFOLD_DEVICE static T converted(T x) { return x; }
};
template <class T, class Word, class Group>
ISOFOLD_DEVICE auto converter(const Group& group, std::int32_t type) {
  if constexpr (std::is_same_v<T, Word>) {
    return AsItIs<T>{};
  } else {
    return LoadHalf<Group>{group, type == ISOFOLD_TYPE_bf16};
  }
}

// use(a function that loads an element of the type as T)
template <class T, class Group, class Use>
ISOFOLD_DEVICE void with_load(const Group& group, std::int32_t type, Use&& use) {
  if constexpr (std::is_same_v<T, double>) {
    use(LoadFloat<Group>{group});
  } else if constexpr (std::is_same_v<T, float>) {
    use(LoadHalf<Group>{group, type == ISOFOLD_TYPE_bf16});
  } else {
    const bool is_signed = type == ISOFOLD_TYPE_i8 || type == ISOFOLD_TYPE_i16;
    if (type == ISOFOLD_TYPE_i8 || type == ISOFOLD_TYPE_u8) {
      use(LoadInteger<Group, std::uint8_t>{group, is_signed});
    } else {
      use(LoadInteger<Group, std::uint16_t>{group, is_signed});
    }
  }
}

// The elements at `at`, converted. All loads are in flight before the first of them is used.
template <class T, class Group, int loads>
ISOFOLD_DEVICE void load_converted(const Group& group, const StoredAs& stored,
                                   const char* const (&at)[loads], T (&x)[loads]) {
  with_load<T>(group, stored.type, [&](const auto& load) {
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      x[i] = static_cast<T>(load(at[i]));
    }
  });
}

}  // namespace isofold::gpu
