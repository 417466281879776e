// How a fold runs on vectors of lanes: what a vector of lanes is, how one is loaded, one step of
// accumulation for a pair of vectors, and what a block of chunks must check in the end.
// The fold's declared properties choose; no fold is named here.
#pragma once

#include "vector.hpp"

namespace isofold::openmp {
namespace {

// A fold whose lift is a conversion to the state's type and whose combine takes vectors.
template <class Fold, class = void>
struct LiftsByConversion : std::false_type {};
template <class Fold>
struct LiftsByConversion<Fold, std::enable_if_t<Fold::lift_is_conversion>> : std::true_type {};

// A fold that selects one of its elements by their order (core/folds/extremum.hpp).
template <class Fold, class = void>
struct SelectsByOrder : std::false_type {};
template <class Fold>
struct SelectsByOrder<Fold, std::enable_if_t<Fold::selects>> : std::true_type {};

// Folds that have lanes on vectors: the identity fills the absent ones.
template <class Fold>
inline constexpr bool has_lanes = Fold::commutative_bits&& Fold::has_identity &&
                                  (LiftsByConversion<Fold>::value || SelectsByOrder<Fold>::value);

template <class Fold, int bits>
struct VectorTypes {
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;
  static constexpr int width = bits / 8 / static_cast<int>(sizeof(State));
  using States = Vector<State, width>;
  using Elements = Vector<Element, width>;
};

// Lanes of sums and products: combine on vectors is the fold's own.
template <class Fold, int bits>
struct ValueLanes : VectorTypes<Fold, bits> {
  using Types = VectorTypes<Fold, bits>;
  using typename Types::Element;
  using typename Types::Elements;
  using typename Types::State;
  using typename Types::States;

  // Nothing is watched beside the lanes.
  struct Watch {};
  static constexpr bool any_order = !core::is_floating<State>;

  static ISOFOLD_INLINE States identity() { return broadcast<States>(Fold{}.identity()); }
  static ISOFOLD_INLINE States convert(Elements x) {
    if constexpr (std::is_same_v<Element, State>) {
      return x;
    } else {
      using Wide = Vector<core::wide_t<Element>, Types::width>;
      return (States)widen<Wide>(x);
    }
  }
  static ISOFOLD_INLINE States load_row(const Element* x) { return convert(load<Elements>(x)); }
  static ISOFOLD_INLINE States load_part(const Element* x, int count) {
    return convert(load_first<Elements>(
        x, count, broadcast<Elements>(static_cast<Element>(Fold{}.identity()))));
  }
  // Combines vectors of any width.
  struct Combine {
    template <class V>
    ISOFOLD_INLINE V operator()(V a, V b) const {
      return Fold{}.combine(a, b);
    }
  };
  template <int slot>
  static ISOFOLD_INLINE void watch(Watch&, States&, States&) {}
  static ISOFOLD_INLINE State settle(const Watch&, State state, const Element*, std::int64_t) {
    return state;
  }
};

// Lanes of minima and maxima: select() is one instruction and right for ordered values, up to the
// sign of a zero. Any order gives the same bits, so the two exceptions wait until the end of the
// block: a NaN that the watch saw is the result; and a selected zero takes its sign from a second
// look.
template <class Fold, int bits>
struct OrderLanes : VectorTypes<Fold, bits> {
  using Types = VectorTypes<Fold, bits>;
  using typename Types::Element;
  using typename Types::State;
  using typename Types::States;
  static constexpr bool any_order = true;
  static constexpr bool floating = core::is_floating<State>;

  // The NaNs seen so far. They have several slots, for a chain of one compare after another would
  // be slower than the loads.
  static constexpr int slots = 4;
  using Bits = Vector<core::bits_t<State>, Types::width>;
#if defined(__AVX512VL__)
  using Mask = std::conditional_t<(Types::width > 8), __mmask16, __mmask8>;
  struct Ordered {
    Mask lanes = static_cast<Mask>(-1);
  };
  struct Watch {
    Ordered of[slots];
  };
#else
  struct Unordered {
    Bits lanes{};
  };
  struct Watch {
    Unordered of[slots];
  };
#endif

  static ISOFOLD_INLINE States identity() { return broadcast<States>(Fold{}.identity()); }
  static ISOFOLD_INLINE States load_row(const Element* x) { return load<States>(x); }
  static ISOFOLD_INLINE States load_part(const Element* x, int count) {
    return load_first<States>(x, count, identity());
  }
  struct Combine {
    template <class V>
    ISOFOLD_INLINE V operator()(V a, V b) const {
      return Fold{}.select(a, b);
    }
  };
  template <int slot>
  static ISOFOLD_INLINE void watch(Watch& seen, States& a, States& b) {
    if constexpr (floating) {
      pin(a);
      pin(b);
      note_unordered(seen.of[slot % slots], a, b);
    }
  }
  static ISOFOLD_INLINE State settle(const Watch& seen, State state, const Element* x,
                                     std::int64_t n) {
    if constexpr (floating) {
      if (any_unordered(seen)) {
        return core::canonical_nan<State>();
      }
      if (state == 0) {
        return sign_of_zero(x, n);
      }
    }
    return state;
  }

 private:
#if defined(__AVX512VL__)
  // A compare under a mask is the compare and the AND in one instruction.
  static ISOFOLD_INLINE void note_unordered(Ordered& seen, States a, States b) {
    if constexpr (sizeof(States) == 64 && sizeof(State) == 4) {
      seen.lanes = _mm512_mask_cmp_ps_mask(seen.lanes, (__m512)a, (__m512)b, _CMP_ORD_Q);
    } else if constexpr (sizeof(States) == 64) {
      seen.lanes = _mm512_mask_cmp_pd_mask(seen.lanes, (__m512d)a, (__m512d)b, _CMP_ORD_Q);
    } else if constexpr (sizeof(State) == 4) {
      seen.lanes = _mm256_mask_cmp_ps_mask(seen.lanes, (__m256)a, (__m256)b, _CMP_ORD_Q);
    } else {
      seen.lanes = _mm256_mask_cmp_pd_mask(seen.lanes, (__m256d)a, (__m256d)b, _CMP_ORD_Q);
    }
  }
  static ISOFOLD_INLINE bool any_unordered(const Watch& seen) {
    constexpr unsigned all = (1U << Types::width) - 1U;
    const unsigned ordered = (unsigned{seen.of[0].lanes} & unsigned{seen.of[1].lanes}) &
                             (unsigned{seen.of[2].lanes} & unsigned{seen.of[3].lanes});
    return (ordered & all) != all;
  }
#else
  static ISOFOLD_INLINE void note_unordered(Unordered& seen, States a, States b) {
#if defined(__AVX2__)
    if constexpr (sizeof(State) == 4) {
      seen.lanes |= (Bits)_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_UNORD_Q);
    } else {
      seen.lanes |= (Bits)_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_UNORD_Q);
    }
#elif defined(__SSE2__)
    if constexpr (sizeof(State) == 4) {
      seen.lanes |= (Bits)_mm_cmpunord_ps((__m128)a, (__m128)b);
    } else {
      seen.lanes |= (Bits)_mm_cmpunord_pd((__m128d)a, (__m128d)b);
    }
#else
    seen.lanes |= (Bits)(a != a) | (Bits)(b != b);
#endif
  }
  static ISOFOLD_INLINE bool any_unordered(const Watch& seen) {
    const Bits lanes =
        (seen.of[0].lanes | seen.of[1].lanes) | (seen.of[2].lanes | seen.of[3].lanes);
    core::bits_t<State> any = 0;
    for (int i = 0; i < Types::width; ++i) {
      any |= lanes[i];
    }
    return any != 0;
  }
#endif

  // Zero is the selected value and nothing is unordered: a minimum is -0 if any element has its
  // sign bit set (negative numbers there are none), a maximum is +0 if any has it clear. Every
  // zero passes through the fold's own combine.
  static __attribute__((noinline)) State sign_of_zero(const Element* x, std::int64_t n) {
    constexpr State wanted = Fold{}.zero_that_wins();
    const auto sign = [](State s) {
      return core::bit_cast<core::bits_t<State>>(s) >> (8 * sizeof(State) - 1);
    };
    for (std::int64_t begin = 0; begin < n; begin += core::chunk_elements) {
      const std::int64_t end = n - begin < core::chunk_elements ? n : begin + core::chunk_elements;
      core::bits_t<State> found = 0;
      for (std::int64_t i = begin; i < end; ++i) {
        found |= sign(x[i]) ^ sign(wanted) ^ 1U;
      }
      if ((found & 1U) != 0) {
        return wanted;
      }
    }
    return -wanted;
  }
};

template <class Fold, int bits>
using Lanes =
    std::conditional_t<SelectsByOrder<Fold>::value, OrderLanes<Fold, bits>, ValueLanes<Fold, bits>>;

}  // namespace
}  // namespace isofold::openmp
