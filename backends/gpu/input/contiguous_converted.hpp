// Rows of elements that are converted to the type that is computed in, for ReduceByBlocks: one
// kernel a fold serves all of these types (convert.hpp).
#pragma once

#include <backends/gpu/input/contiguous.hpp>
#include <backends/gpu/input/convert.hpp>
#include <isofold/detail/core/folds/moments.hpp>
#include <isofold/detail/gpu/map_fold.hpp>

namespace isofold::gpu {

struct StoredRow {
  const char* data;
  const char* second;
  std::int32_t type;  // an isofold_type
};

// use(what reads elements of the row at `data` as T, by their index)
template <class T, class Group, class Use>
ISOFOLD_DEVICE void with_reader(const Group& group, std::int32_t type, const char* data,
                                Use&& use) {
  const auto use_words = [&](const auto& load) {
    // The pointer is one to words: nvcc makes an address for each load of products with their size.
    const auto* const words =
        reinterpret_cast<const typename std::decay_t<decltype(load)>::Word*>(data);
    use([&](std::int64_t i) { return load(reinterpret_cast<const char*>(words + i)); });
  };
  if constexpr (!std::is_same_v<T, float>) {
    with_load<T>(group, type, use_words);
  } else if (type == ISOFOLD_TYPE_bf16) {  // of constants, each of which has one conversion
    with_load<T>(group, ISOFOLD_TYPE_bf16, use_words);
  } else {
    with_load<T>(group, ISOFOLD_TYPE_f16, use_words);
  }
}

// Chunks of f16 and bf16 by loads of 8 bytes, for lanes of one float: a thread has four. (nvcc
// spilled with eight, by loads of 16 bytes.)
using WideHalves = WideLanes<std::uint16_t, 8>;
template <class Fold>
ISOFOLD_HOST_DEVICE constexpr bool takes_wide_halves() {
  return std::is_same_v<typename Fold::element_type, float> &&
         core::numbers_in<core::LaneOf<core::FirstPass<Fold>>> == 1;
}

// The held elements of such chunks, as floats.
template <class Group, class Held>
struct HeldHalves {
  using Element = float;
  static constexpr int arrays = Held::arrays;
  static constexpr int parts = Held::parts;
  static constexpr int rows = Held::rows;
  const Held& held;
  LoadHalf<Group> halves;

  ISOFOLD_DEVICE static constexpr int lane_of(int c) { return Held::lane_of(c); }
  ISOFOLD_DEVICE float at(int array, int row, int c) const {
    return converted(held.at(array, row, c));
  }
  ISOFOLD_DEVICE float cut_at(int array, int c) const { return converted(held.cut_at(array, c)); }

 private:
  // The conversion stands behind a test: with a selection nvcc converted all held elements at once,
  // and spilled more of norm2.
  ISOFOLD_DEVICE float converted(std::uint16_t bits) const {
    return halves.is_bf16 ? core::computed(isofold_bf16{bits}) : halves.of_f16(bits);
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
  const HeldHalves<Group, Held> floats{held, {group, row.type == ISOFOLD_TYPE_bf16}};
  return state_of_held<whole, WideHalves>(group, fold, floats, chunk.begin, chunk.count,
                                          chunk.thread, load);
}

// Chunks of any of these types that go through shared memory, by copies of 16 bytes.
template <class Word>
using StagedWords = WideLanes<Word, 16>;
// Dot products gain nothing, and nvcc spilled; both passes of moments convert, so they hold their
// elements in registers (docs/decisions/010).
template <class Fold>
inline constexpr bool has_staged_words =
    Fold::arrays == 1 && !std::is_same_v<typename Fold::state_type, core::MomentsState>;
template <class Lanes>
inline constexpr bool are_staged_words = false;
template <class Word>
inline constexpr bool are_staged_words<WideLanes<Word, 16>> = true;

// The elements that are read of such a chunk, converted.
template <class Fold, class Staged, class Convert>
struct StagedValues {
  using Element = typename Fold::element_type;
  static constexpr int arrays = 1;
  static constexpr int parts = Staged::parts;
  static constexpr int rows = core::rows_per_chunk / parts;
  Staged staged;
  Convert convert;
  int part = 0;  // that is read

  ISOFOLD_DEVICE static constexpr int lane_of(int c) { return Staged::lane_of(c); }
  ISOFOLD_DEVICE Element at(int array, int row, int c) const {
    return static_cast<Element>(convert(staged.element(array, part * rows + row, c)));
  }
  ISOFOLD_DEVICE Element cut_at(int array, int c) const {
    return static_cast<Element>(convert(staged.cut_at(array, c)));
  }
};

// use(a function that converts a word of memory to a value of T)
template <class T, class Group, class Use>
ISOFOLD_DEVICE auto with_conversion(const Group& group, std::int32_t type, Use&& use) {
  if constexpr (std::is_same_v<T, double>) {
    return use([](float x) { return static_cast<double>(x); });
  } else if constexpr (std::is_same_v<T, float>) {
    const LoadHalf<Group> half{group, type == ISOFOLD_TYPE_bf16};
    return use([half](std::uint16_t bits) { return half.converted(bits); });
  } else {
    const bool is_signed = type == ISOFOLD_TYPE_i8 || type == ISOFOLD_TYPE_i16;
    return use([is_signed](auto x) {
      using Signed = std::make_signed_t<decltype(x)>;
      return is_signed ? std::int32_t{static_cast<Signed>(x)} : std::int32_t{x};
    });
  }
}

// A chunk is under way when the one before it has been read.
template <class Lanes, class Group, class Fold, class Word>
ISOFOLD_DEVICE typename Fold::state_type state_of_staged_chunk(const Group& group, const Fold& fold,
                                                               const Stage<Word, Lanes, 1>& stage,
                                                               const StoredRow& row,
                                                               const TeamChunk& chunk,
                                                               const TeamChunk& next) {
  using Staged = StagedRows<Word, Lanes, 1>;
  const auto begin = [&](const TeamChunk& begun) {
    const Word* const x = reinterpret_cast<const Word*>(row.data) + begun.begin;
    stage.begin(group, x, nullptr, begun.count, begun.thread);
  };
  if (chunk.is_first) {
    begin(chunk);
  }
  return with_conversion<typename Fold::element_type>(group, row.type, [&](const auto& convert) {
    StagedValues<Fold, Staged, std::decay_t<decltype(convert)>> values{
        stage.end(group, chunk.count), convert, 0};
    const auto load = [&](int part) { values.part = part; };
    const auto read = [&] {
      if (next.count > 0) {
        begin(next);
      }
    };
    return chunk.whole ? state_of_held<true, Lanes>(group, fold, values, chunk.begin, chunk.count,
                                                    chunk.thread, load, read)
                       : state_of_held<false, Lanes>(group, fold, values, chunk.begin, chunk.count,
                                                     chunk.thread, load, read);
  });
}

template <class Lanes, class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type state_of_chunk(const Group& group, const Fold& fold,
                                                        const StoredRow& row,
                                                        const TeamChunk& chunk) {
  if constexpr (are_staged_words<Lanes>) {
    return missing(fold);  // not launched where there are no stages
  } else if constexpr (std::is_same_v<Lanes, WideHalves>) {
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

// Rows whose pointers are those of elements that are still to be converted.
template <class Fold>
struct StoredRows : Rows<Fold> {
  std::int32_t type;
  std::int32_t bytes;  // of an element in memory

  ISOFOLD_DEVICE StoredRow row(std::int64_t number) const {
    const auto at = [&](const typename Fold::element_type* data, std::int64_t stride) {
      return reinterpret_cast<const char*>(data) + number * stride * bytes;
    };
    return {at(this->first.data, this->stride),
            Fold::arrays == 2 ? at(this->first.second, this->second_stride) : nullptr, type};
  }
};

template <class Fold, class Word>
struct StagedChunks<StoredRows<Fold>, WideLanes<Word, 16>, false> {
  using OneStage = gpu::Stage<Word, StagedWords<Word>, 1>;
  template <class Group>
  using Stage = std::conditional_t<has_stages<Group>, OneStage, NoStage>;
  static constexpr int staged_threads = OneStage::threads;
  static constexpr int bulk_threads = 0;
};

}  // namespace isofold::gpu
