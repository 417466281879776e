// The kernel for several folds over one array, or over rows, in one read: a chunk goes into
// registers once, and each fold of a list that is made at run time makes its state of it there.
// Above the chunks each fold has the tree of its own states. A block takes a tile of one node.
#pragma once

#include <cstring>

#include <backends/gpu/grid_fold.hpp>
#include <backends/gpu/kernel_folds.hpp>

namespace isofold::gpu {

// One fold of the list.
struct FusedEntry {
  static constexpr std::size_t fold_bytes = 32;
  alignas(8) unsigned char fold[fold_bytes];  // the kernels' fold, of the menu's type `number`
  int number;
  int states_begin;  // bytes of shared memory before its states
  void* nodes;       // of all rows
  void* result;
  bool write_state;
};

// The types that a list chooses from: the kernels' folds for all folds of one array of T's.
template <class... Folds>
struct FoldMenu {
  // Of a type on the menu; else the menu's length.
  template <class Fold>
  static constexpr int number_of() {
    constexpr bool same[] = {std::is_same_v<Fold, Folds>...};
    int number = 0;
    while (number < length && !same[number]) {
      ++number;
    }
    return number;
  }
  static constexpr int length = static_cast<int>(sizeof...(Folds));

  // use(the fold of the entry). All that call have the same entry.
  template <class Use>
  ISOFOLD_DEVICE static void with_fold(const FusedEntry& entry, Use&& use) {
    with_numbered<0, Folds...>(entry, use);
  }

 private:
  template <int number, class Fold, class... Others, class Use>
  ISOFOLD_DEVICE static void with_numbered(const FusedEntry& entry, Use&& use) {
    static_assert(sizeof(Fold) <= FusedEntry::fold_bytes && alignof(Fold) <= 8 &&
                      std::is_trivially_copyable_v<Fold>,
                  "Folds travel in the entries of the list.");
    if (sizeof...(Others) == 0 || entry.number == number) {
      use(reinterpret_cast<const Fold&>(entry.fold));
    } else if constexpr (sizeof...(Others) > 0) {
      with_numbered<number + 1, Others...>(entry, use);
    }
  }
};

template <class Platform, class T, class Names>
struct MenuOf;
template <class Platform, class T, template <class> class... Folds>
struct MenuOf<Platform, T, FoldNames<Folds...>> {
  using type = FoldMenu<decltype(kernel_fold<Platform>(Folds<T>{}))...>;
};

// What is held, as the elements that a fold of the menu takes: of the same bits, perhaps of
// another sign.
template <class Element_, class Held>
struct HeldAs {
  using Element = Element_;
  static constexpr int arrays = 1;
  static constexpr int parts = 1;
  static constexpr int rows = core::rows_per_chunk;
  static_assert(Held::arrays == 1 && Held::parts == 1 &&
                    sizeof(Element) == sizeof(typename Held::Element),
                "All folds of a list share the chunk that is held.");
  const Held& held;

  ISOFOLD_DEVICE static constexpr int lane_of(int c) { return Held::lane_of(c); }
  ISOFOLD_DEVICE Element at(int, int row, int c) const {
    return static_cast<Element>(held.at(0, row, c));
  }
  ISOFOLD_DEVICE Element cut_at(int, int c) const {
    return static_cast<Element>(held.cut_at(0, c));
  }
};

template <class Platform, class T, class LanesOf>
struct FusedFold {
  using Menu = typename MenuOf<Platform, T, FusableFolds<T>>::type;
  static constexpr int max_threads = 512;  // as GridFold's

  const T* data;
  std::int64_t rows;
  std::int64_t length;  // >= 1
  std::int64_t stride;
  std::int64_t tiles;       // of a row
  int tile_shift;           // a tile, and its node, covers 2^tile_shift chunks
  int others_begin;         // bytes of shared memory that the folds' states take
  std::uint32_t* counters;  // a row each, all zero between launches, when tiles > 1
  int folds;
  FusedEntry entry[ISOFOLD_MOST_FUSED];

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const std::int64_t units = rows * tiles;
    for (std::int64_t unit = group.block(); unit < units; unit += group.blocks()) {
      const std::int64_t row = tiles == 1 ? unit : unit / tiles;
      const std::int64_t tile = unit - row * tiles;
      const std::int64_t first_chunk = tile << tile_shift;
      const std::int64_t left = core::chunk_count(length) - first_chunk;
      const int chunks = left < 1 << tile_shift ? static_cast<int>(left) : 1 << tile_shift;
      fold_chunks(group, data + row * stride, first_chunk, chunks);
      group.barrier();
      for (int i = 0; i < folds; ++i) {
        Menu::with_fold(entry[i], [&](const auto& fold) {
          const auto held =
              fold_states(group, fold, memory_of(group, fold, entry[i]), chunks, tile_shift);
          if (group.thread() == 0) {
            tiles == 1 ? write(fold, entry[i], row, held.state)
                       : leave(fold, entry[i], unit, held.state);
          }
        });
        group.barrier();  // the folds share what is not their states
      }
      if (tiles > 1) {
        in_last_tile(group, flag(group), &counters[row], tiles, tiles,
                     [&](auto are_few) { fold_nodes_of_row(group, row, are_few); });
        group.barrier();
      }
    }
  }

 private:
  template <class Group, class Fold>
  ISOFOLD_DEVICE BlockMemory<typename Fold::state_type> memory_of(const Group& group, const Fold&,
                                                                  const FusedEntry& of) const {
    using State = typename Fold::state_type;
    auto* const shared = static_cast<char*>(group.shared());
    return {reinterpret_cast<State*>(shared + of.states_begin), shared + others_begin,
            Group::wave_width};
  }
  // Behind all that the folds use.
  template <class Group>
  ISOFOLD_DEVICE int* flag(const Group& group) const {
    return reinterpret_cast<int*>(static_cast<char*>(group.shared()) + others_begin +
                                  others_bytes(Group::wave_width) - 16);
  }

  // The states of a tile's chunks, of all folds, into shared memory.
  template <class Group>
  ISOFOLD_DEVICE void fold_chunks(const Group& group, const T* row, std::int64_t first_chunk,
                                  int chunks) const {
    for_chunks_of_tile<LanesOf>(group, length, first_chunk, chunks, [&](const TeamChunk& chunk) {
      if (chunk.whole) {
        fold_chunk_once<true>(group, row, chunk);
      } else {
        fold_chunk_once<false>(group, row, chunk);
      }
    });
  }
  template <bool whole, class Group>
  ISOFOLD_DEVICE void fold_chunk_once(const Group& group, const T* row,
                                      const TeamChunk& chunk) const {
    using Held = HeldRows<T, LanesOf, 1, 1>;
    const T* const arrays[] = {row + chunk.begin, nullptr};
    Held held;
    load_part<whole, LanesOf>(group, held, arrays, 0, chunk.count, chunk.thread);
#pragma unroll 1
    for (int i = 0; i < folds; ++i) {
      forget(group, held);
      Menu::with_fold(entry[i], [&](const auto& fold) {
        using Fold = std::decay_t<decltype(fold)>;
        const HeldAs<typename Fold::element_type, Held> same{held};
        const auto state = state_of_held<whole, LanesOf>(group, fold, same, chunk.begin,
                                                         chunk.count, chunk.thread, [](int) {});
        if (chunk.thread == 0 && chunk.is_there) {
          memory_of(group, fold, entry[i]).states[chunk.number] = state;
        }
      });
    }
  }

  // Else nvcc makes what any of the folds needs of the elements (keys, doubles) once, before the
  // loop, and spills it: 968 bytes for i32.
  template <class Group, class Held>
  ISOFOLD_DEVICE static void forget(const Group& group, Held& held) {
#pragma unroll
    for (int row = 0; row < Held::rows; ++row) {
#pragma unroll
      for (int j = 0; j < Held::loads; ++j) {
        constexpr int words = static_cast<int>(sizeof held.pack[0][0][0].value / 4);
        std::uint32_t word[words];
        memcpy(word, held.pack[0][row][j].value, sizeof word);
#pragma unroll
        for (int w = 0; w < words; ++w) {
          word[w] = group.unknown(word[w]);
        }
        memcpy(held.pack[0][row][j].value, word, sizeof word);
      }
    }
  }

  template <class Group, class AreFew>
  ISOFOLD_DEVICE void fold_nodes_of_row(const Group& group, std::int64_t row, AreFew) const {
#pragma unroll 1
    for (int i = 0; i < folds; ++i) {
      Menu::with_fold(entry[i], [&](const auto& fold) {
        using State = typename std::decay_t<decltype(fold)>::state_type;
        const auto* const nodes = static_cast<const State*>(entry[i].nodes) + row * tiles;
        const auto root = root_of_nodes<AreFew::value>(
            group, fold, memory_of(group, fold, entry[i]), 1 << tile_shift, nodes, tiles);
        if (group.thread() == 0) {
          write(fold, entry[i], row, root);
        }
      });
      if constexpr (!AreFew::value) {
        group.barrier();
      }
    }
  }

  template <class Fold>
  ISOFOLD_DEVICE void leave(const Fold&, const FusedEntry& of, std::int64_t number,
                            const typename Fold::state_type& node) const {
    static_cast<typename Fold::state_type*>(of.nodes)[number] = node;
  }
  template <class Fold>
  ISOFOLD_DEVICE void write(const Fold& fold, const FusedEntry& of, std::int64_t row,
                            const typename Fold::state_type& root) const {
    if (of.write_state) {
      static_cast<typename Fold::state_type*>(of.result)[row] = root;
    } else {
      write_result(fold, of.result, row,
                   [&](const auto& member) { return member.finish(root, length); });
    }
  }

 public:
  // Shared memory that the folds use in turn: that of the largest state.
  ISOFOLD_HOST_DEVICE static constexpr int others_bytes(int wave_width) {
    return static_cast<int>(core::most_state_bytes) *
               (wave_width + BlockMemory<std::uint64_t>::stack_levels) +
           32;
  }
};

}  // namespace isofold::gpu
