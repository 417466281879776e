// The kernel for several folds over one array or two, or over rows, in one read: a chunk goes into
// registers once, and each fold of a list that is made at run time computes its state from there.
// Chunks too large for registers come into shared memory, and from there for each fold, in parts
// (or from the caches). The next chunks of f32 may come through shared memory meanwhile. Each fold
// has the tree of its own states above the chunks. A block has a tile of one node.
#pragma once

#include <cstring>

#include <backends/gpu/input/contiguous.hpp>
#include <backends/gpu/op/argmin_deferred.hpp>
#include <backends/gpu/op/canonical.hpp>
#include <backends/gpu/op/fused.hpp>
#include <isofold/detail/gpu/bulk_stage.hpp>
#include <isofold/detail/gpu/grid_fold.hpp>

namespace isofold::gpu {

// The place of a result of all rows.
struct FusedResult {
  static constexpr std::int16_t none = -1;
  void* to;
  std::int16_t member;  // of the fold, if that is a family
  std::int16_t next;    // of the same states, among a list's further results; or none
  bool write_state;     // the state itself
};

// States that the list computes, of one fold of the menu.
struct FusedEntry {
  static constexpr std::size_t fold_bytes = 32;
  alignas(8) unsigned char fold[fold_bytes];  // the kernels' fold, of the menu's type `number`
  int number;
  int states_begin;  // bytes of shared memory before its states
  void* nodes;       // of all rows
  FusedResult result;
};
static_assert(sizeof(FusedEntry) == 64, "An entry is a line of the constants' cache.");

// The types that a list chooses from: the kernels' folds for all folds of one array of T's.
template <class... Folds>
struct FoldMenu {
  // The number of a type on the menu; the menu's length for any other.
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

  // use(the fold of the entry). All callers have one entry.
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
  using type = FoldMenu<typename ListedFoldOf<Platform, Folds<T>>::type...>;
};

// The held elements as a fold of the menu reads them: with equal bits, perhaps of another sign, and
// perhaps of the first array alone.
template <class Fold, class Held>
struct HeldAs {
  using Element = typename Fold::element_type;
  static constexpr int arrays = Fold::arrays;
  static constexpr int parts = Held::parts;
  static constexpr int rows = Held::rows;
  static_assert(arrays <= Held::arrays && sizeof(Element) == sizeof(typename Held::Element),
                "All folds of a list share the chunk that is held.");
  const Held& held;

  ISOFOLD_DEVICE static constexpr int lane_of(int c) { return Held::lane_of(c); }
  ISOFOLD_DEVICE Element at(int array, int row, int c) const {
    return static_cast<Element>(held.at(array, row, c));
  }
  ISOFOLD_DEVICE Element cut_at(int array, int c) const {
    return static_cast<Element>(held.cut_at(array, c));
  }
};

// Folds nodes[0, count), count >= 1, as the aligned binary tree, in one warp; its first thread gets
// the root. Roots of batches join like a binary counter, on a stack of a level for each doubling of
// their number. Collective: every lane of the warp must call.
template <class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type fold_nodes_in_warp(const Group& group, const Fold& fold,
                                                            const typename Fold::state_type* nodes,
                                                            std::int64_t count,
                                                            typename Fold::state_type* stack) {
  constexpr int width = Group::wave_width;
  if (count <= width) {
    const int thread = group.thread() % width;
    return fold_nodes_of_warp(group, fold, thread < count ? nodes[thread] : missing(fold), thread,
                              static_cast<int>(count));
  }
  constexpr std::int64_t batch = std::int64_t{few_nodes<Fold>} * width;
  auto root = missing(fold);
  const std::int64_t batches = (count + batch - 1) / batch;
  for (std::int64_t number = 0; number < batches; ++number) {
    const std::int64_t left = count - number * batch;
    root = fold_few_nodes(group, fold, nodes + number * batch,
                          static_cast<int>(left < batch ? left : batch));
    const bool last = number + 1 == batches;
    int level = 0;
    for (; number >> level != 0 && ((number >> level & 1) != 0 || last); ++level) {
      if ((number >> level & 1) != 0) {
        root = fold.combine(stack[level], root);
      }
    }
    group.warp_barrier();  // all have read what is written now
    if (!last && group.thread() % width == 0) {
      stack[level] = root;
    }
    group.warp_barrier();
  }
  return root;
}

// fold_nodes_in_warp() as a call: inlined, it would share the registers of a kernel that holds
// chunks.
template <class Group, class Fold>
ISOFOLD_DEVICE_APART typename Fold::state_type fold_nodes_apart(
    const Group& group, const Fold& fold, const typename Fold::state_type* nodes,
    std::int64_t count, typename Fold::state_type* stack) {
  return fold_nodes_in_warp(group, fold, nodes, count, stack);
}

// The folds that a list over `arrays` arrays chooses from.
template <class T, int arrays>
using ListedFolds = std::conditional_t<arrays == 2, FusablePairs<T>, FusableFolds<T>>;

template <class Platform, class T, class LanesOf, int arrays = 1>
struct ReduceFusedOps {
  using Menu = typename MenuOf<Platform, T, ListedFolds<T, arrays>>::type;
  static constexpr int max_threads = 512;  // as ReduceByBlocks's, for its 128 registers a thread
  // 64 registers hold a thread's elements of a chunk, or the elements come in parts that 32 hold
  // (two arrays and c128 spill if 64 hold the parts).
  static constexpr int chunk_bytes = arrays * static_cast<int>(sizeof(T)) * core::chunk_elements;
  static constexpr int bytes = chunk_bytes / LanesOf::team;
  static constexpr int parts = bytes <= 256 ? 1 : bytes / 128;
  // The nodes of one array's floating-point numbers are folded apart, because the kernel would
  // spill otherwise. 64-bit integers would spill with the call, and states of complex elements and
  // of two arrays, which such a call returns by memory, lose by it (docs/decisions/012, 013, 048).
  static constexpr bool nodes_apart = arrays == 1 && core::is_floating<T>;
  // This tells whether chunks can come through shared memory, if a Group has such copies: chunks
  // that come in parts, of which each fold reads its own there; or a warp's next chunks of f32,
  // while it folds those in its registers. The registers of f64 do not suffice for it
  // (docs/decisions/012, 013, 048).
  static constexpr bool in_bulk = parts > 1;
  static constexpr bool has_stage =
      LanesOf::consecutive && (in_bulk || (std::is_same_v<T, float> && arrays == 1));
  using ChunkStage =
      std::conditional_t<in_bulk, BulkStage<T, LanesOf, arrays>, Stage<T, LanesOf, arrays>>;
  // This tells whether moments, whose first pass is a chunk's sum, give that sum to another fold.
  // (The kernel of f64 spills with it, and nvcc keeps elements twice.)
  static constexpr bool gives_sums = std::is_same_v<T, float>;
  template <class Group>
  static constexpr bool may_stage = has_stage &&
                                    (in_bulk ? has_bulk_copies<Group> : has_stages<Group>);

  const T* data[arrays];
  std::int64_t stride[arrays];
  std::int64_t rows;
  std::int64_t length;      // >= 1
  std::int64_t tiles;       // of a row
  int tile_shift;           // a tile, and its node, covers 2^tile_shift chunks
  bool staged;              // whole chunks go through a stage, with which shared memory begins
  int flag_begin;           // bytes of shared memory before the block's flag
  std::uint32_t* counters;  // a row each, all zero between launches, when tiles > 1
  int folds;                // entries
  int chunk_folds;          // of them run over a chunk: all but a last one that moments sum for
  FusedEntry entry[ISOFOLD_MOST_FUSED];
  FusedResult further[ISOFOLD_MOST_FUSED - 1];  // results of entries that have several

  static constexpr std::size_t flag_bytes = 16;

  // Lays a block's shared memory out, of so many threads: the stage, if chunks go through one; the
  // states of a tile, `state_bytes` each, of one entry after the other; the flag. Returns its
  // bytes.
  std::size_t lay_out(const std::size_t* state_bytes, int threads, bool through_stage) {
    staged = through_stage;
    std::size_t end = staged ? ChunkStage::bytes(threads) : 0;
    for (int i = 0; i < folds; ++i) {
      entry[i].states_begin = static_cast<int>(end);
      end += aligned(state_bytes[i] << tile_shift);
    }
    flag_begin = static_cast<int>(end);
    return end + flag_bytes;
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const std::int64_t units = rows * tiles;
    auto stage = stage_of(group);
    for (std::int64_t unit = group.block(); unit < units; unit += group.blocks()) {
      const std::int64_t row = tiles == 1 ? unit : unit / tiles;
      const std::int64_t first_chunk = (unit - row * tiles) << tile_shift;
      const std::int64_t left = core::chunk_count(length) - first_chunk;
      const int chunks = left < 1 << tile_shift ? static_cast<int>(left) : 1 << tile_shift;
      fold_chunks(group, stage, row, first_chunk, chunks);
      group.barrier();
      for_own_folds(group, [&](const auto& fold, const FusedEntry& of) {
        auto* const states = states_of(group, fold, of);
        auto node = root_of(group, fold, states, chunks, states);
        if constexpr (has_deferred_indices<std::decay_t<decltype(fold)>>) {
          node = with_places<LanesOf>(group, node, data[0] + row * stride[0], length, states);
        }
        if (group.thread() % Group::wave_width == 0) {
          tiles == 1 ? write(group, fold, of, row, node) : leave(fold, of, unit, node);
        }
      });
      group.barrier();
      if (tiles > 1 &&
          is_last_tile(group, flag(group), &counters[row], tiles, [&] { group.barrier(); })) {
        for_own_folds(group, [&](const auto& fold, const FusedEntry& of) {
          using State = StateOf<decltype(fold)>;
          const auto* const nodes = static_cast<const State*>(of.nodes) + row * tiles;
          const auto root = root_of(group, fold, nodes, tiles, states_of(group, fold, of));
          if (group.thread() % Group::wave_width == 0) {
            write(group, fold, of, row, root);
          }
        });
        group.barrier();
      }
    }
  }

 private:
  template <class Fold>
  using StateOf = typename std::decay_t<Fold>::state_type;

  // This tells whether a fold's first pass is the chunk's sum, as moments' is.
  template <class Fold>
  static constexpr bool has_sum = gives_sums&& std::is_base_of_v<core::MomentsBase<T>, Fold>;
  // Such a fold, which calls keep(sum) with it.
  template <class Fold, class Keep>
  struct WithSum : Fold {
    const Keep& keep;
    ISOFOLD_DEVICE WithSum(const Fold& fold, const Keep& how) : Fold(fold), keep(how) {}
    ISOFOLD_DEVICE auto second(T sum, int count) const {
      keep(sum);
      return Fold::second(sum, count);
    }
  };

  template <class Group>
  ISOFOLD_DEVICE auto stage_of(const Group& group) const {
    if constexpr (!may_stage<Group>) {
      return NoStage(group, nullptr);
    } else if constexpr (in_bulk) {
      return ChunkStage(group, group.shared(), staged);
    } else {
      return ChunkStage(group, group.shared());
    }
  }

  // Calls use(fold, its entry) for the folds that are the warp's own above the chunks, one after
  // the other.
  template <class Group, class Use>
  ISOFOLD_DEVICE void for_own_folds(const Group& group, Use&& use) const {
    const WarpPlace<Group> place(group);
#pragma unroll 1
    for (int i = place.warp; i < folds; i += place.warps) {
      const FusedEntry& of = arguments_of(group, this).entry[i];
      Menu::with_fold(of, [&](const auto& fold) { use(fold, of); });
    }
  }

  template <class Group, class Fold>
  ISOFOLD_DEVICE typename Fold::state_type* states_of(const Group& group, const Fold&,
                                                      const FusedEntry& of) const {
    auto* const shared = static_cast<char*>(group.shared());
    return reinterpret_cast<typename Fold::state_type*>(shared + of.states_begin);
  }
  template <class Group>
  ISOFOLD_DEVICE int* flag(const Group& group) const {
    return reinterpret_cast<int*>(static_cast<char*>(group.shared()) + flag_begin);
  }

  template <class Group, class Fold>
  ISOFOLD_DEVICE static typename Fold::state_type root_of(const Group& group, const Fold& fold,
                                                          const typename Fold::state_type* nodes,
                                                          std::int64_t count,
                                                          typename Fold::state_type* stack) {
    if constexpr (nodes_apart) {
      return fold_nodes_apart(group, fold, nodes, count, stack);
    } else {
      return fold_nodes_in_warp(group, fold, nodes, count, stack);
    }
  }

  // A tile of a row: so many elements from number `begin` of the row on.
  struct Tile {
    std::int64_t row;
    std::int64_t begin;
    int elements;
    int chunks;
  };

  // Writes the states of a tile's chunks, of all folds, to shared memory. A warp folds neighbouring
  // chunks, one for each of its teams, and goes on by the block's; if one of them is cut, these
  // come last, or first by loads of one element (nvcc would spill those of f64). This is not
  // for_chunks_of_tile(), because what that asks about each chunk found no registers left here, and
  // was computed again before each chunk's loads.
  template <class Group, class StageIn>
  ISOFOLD_DEVICE void fold_chunks(const Group& group, StageIn& stage, std::int64_t row,
                                  std::int64_t first_chunk, int chunks) const {
    constexpr int teams = Group::wave_width / LanesOf::team;
    static_assert(teams >= 1, "A team lies inside one warp.");
    constexpr bool rest_first = LanesOf::per_load == 1;
    const std::int64_t begin = first_chunk << core::chunk_shift;
    const std::int64_t most = std::int64_t{chunks} << core::chunk_shift;
    const std::int64_t left = length - begin;
    const Tile tile{row, begin, static_cast<int>(left < most ? left : most), chunks};
    const WarpPlace<Group> place(group);
    const int first = place.warp * teams;
    const int step = place.warps * teams;
    const int further = (tile.elements >> core::chunk_shift) - teams - first;  // whole ones
    const int rest = first + (further < 0 ? 0 : (further / step + 1) * step);
    const bool is_cut = rest < chunks && tile.elements % core::chunk_elements != 0;
    if (rest_first && is_cut) {
      fold_rest(group, tile, rest);
    }
    fold_whole(group, stage, tile, first, step, is_cut ? rest : chunks);
    if (!rest_first && is_cut) {
      fold_rest(group, tile, rest);
    }
  }

  // Folds whole chunks: `first` and its neighbours, then those `step` after them, and so on before
  // `end`; a team without one reads the first team's. While a chunk is in the registers, these hold
  // little else but the address of the next one.
  template <class Group, class StageIn>
  ISOFOLD_DEVICE void fold_whole(const Group& group, [[maybe_unused]] StageIn& stage,
                                 const Tile& tile, int first, int step, int end) const {
    const T* next[2]{};
    begins_of(tile.row, chunk_at(group, tile, first).begin, next);
    const auto take_next = [&](const TeamChunk& chunk, int at, const T*(&from)[2]) {
#pragma unroll
      for (int a = 0; a < arrays; ++a) {
        from[a] = next[a] - (chunk.is_there ? 0 : (chunk.number - at) << core::chunk_shift);
        next[a] += step << core::chunk_shift;
      }
    };
    if constexpr (may_stage<Group>) {
      if (staged && first < end) {
        begin_stage(group, stage, tile, first, take_next);
      }
      if constexpr (in_bulk) {
        fold_in_bulk(group, stage, tile, first, step, end, take_next);
      } else {
        fold_ahead(group, stage, tile, first, step, end, take_next);
      }
    } else {
#pragma unroll 1
      for (; first < end; first += step) {
        const TeamChunk chunk = chunk_at(group, tile, first);
        const T* from[2]{};
        take_next(chunk, first, from);
        fold_chunk_once<true>(group, from, chunk);
      }
    }
  }
  // Begins to copy the chunks from number `first` on.
  template <class Group, class TakeNext>
  ISOFOLD_DEVICE void begin_stage(const Group& group, ChunkStage& stage, const Tile& tile,
                                  int first, const TakeNext& take_next) const {
    const TeamChunk chunk = chunk_at(group, tile, first);
    const T* from[2]{};
    take_next(chunk, first, from);
    stage.begin(group, from[0], from[arrays - 1], core::chunk_elements, chunk.thread);
  }
  // fold_whole() for code that has stages, whether or not the launch uses one: one loop, so that
  // the code of all folds is there once. Chunks in registers are folded while the next ones come.
  template <class Group, class TakeNext>
  ISOFOLD_DEVICE void fold_ahead(const Group& group, ChunkStage& stage, const Tile& tile, int first,
                                 int step, int end, const TakeNext& take_next) const {
#pragma unroll 1
    for (; first < end; first += step) {
      HeldRows<T, LanesOf, arrays, parts> held;
      const TeamChunk chunk = chunk_at(group, tile, first);
      if (staged) {
        hold_staged(held, stage.end(group, core::chunk_elements));
        if (first + step < end) {
          begin_stage(group, stage, tile, first + step, take_next);
        }
      } else {
        const T* from[2]{};
        take_next(chunk, first, from);
        load_part<true, LanesOf>(group, held, from, 0, core::chunk_elements, chunk.thread);
      }
      fold_held<true>(group, held, chunk, [](int) {});
    }
  }
  // fold_whole() for chunks that stay in shared memory, from which each fold reads its parts.
  template <class Group, class TakeNext>
  ISOFOLD_DEVICE void fold_in_bulk(const Group& group, ChunkStage& stage, const Tile& tile,
                                   int first, int step, int end, const TakeNext& take_next) const {
#pragma unroll 1
    for (; first < end; first += step) {
      HeldRows<T, LanesOf, arrays, parts> held;
      const TeamChunk chunk = chunk_at(group, tile, first);
      const T* from[2]{};
      if (staged) {
        from[0] = stage.end(group);
      } else {
        take_next(chunk, first, from);
      }
      fold_held<true>(group, held, chunk, [&](int part) {
        if (staged) {
          hold_part<true, LanesOf>(group, held, from[0], part, core::chunk_elements, chunk.thread);
        } else {
          load_part<true, LanesOf>(group, held, from, part, core::chunk_elements, chunk.thread);
        }
      });
      if (staged && first + step < end) {
        begin_stage(group, stage, tile, first + step, take_next);
      }
    }
  }
  // Folds the chunks from `first` on, of which the last is cut.
  template <class Group>
  ISOFOLD_DEVICE void fold_rest(const Group& group, const Tile& tile, int first) const {
    TeamChunk chunk = chunk_at(group, tile, first);
    const int source = chunk.is_there ? chunk.number : first;
    const int left = tile.elements - (source << core::chunk_shift);
    chunk.begin = tile.begin + (source << core::chunk_shift);
    chunk.count = left < core::chunk_elements ? left : core::chunk_elements;
    chunk.whole = false;
    const T* from[2]{};
    begins_of(tile.row, chunk.begin, from);
    fold_chunk_once<false>(group, from, chunk);
  }

  // The team's chunk of those from number `first` of the tile on, as a whole one.
  template <class Group>
  ISOFOLD_DEVICE static TeamChunk chunk_at(const Group& group, const Tile& tile, int first) {
    const int thread = group.thread() % Group::wave_width;
    const int number = first + thread / LanesOf::team;
    const std::int64_t begin = tile.begin + (std::int64_t{number} << core::chunk_shift);
    return {number, number < tile.chunks,   begin, core::chunk_elements,
            true,   thread % LanesOf::team, false};
  }
  ISOFOLD_DEVICE void begins_of(std::int64_t row, std::int64_t begin, const T* (&from)[2]) const {
#pragma unroll
    for (int a = 0; a < arrays; ++a) {
      from[a] = data[a] + row * stride[a] + begin;
    }
  }

  template <bool whole, class Group>
  ISOFOLD_DEVICE void fold_chunk_once(const Group& group, const T* const (&begins)[2],
                                      const TeamChunk& chunk) const {
    using Held = HeldRows<T, LanesOf, arrays, parts>;
    Held held;
    const auto load = [&](int part) {
      load_part<whole, LanesOf>(group, held, begins, part, chunk.count, chunk.thread);
    };
    if constexpr (parts == 1) {
      load(0);
    }
    fold_held<whole>(group, held, chunk, load);
  }

  // Computes the states of a chunk whose elements `held` has, or of which load(part) brings a part.
  template <bool whole, class Group, class Held, class Load>
  ISOFOLD_DEVICE void fold_held(const Group& group, Held& held, const TeamChunk& chunk,
                                const Load& load) const {
    const auto keep = [&](const auto& fold, const FusedEntry& of, const auto& state) {
      if (chunk.thread == 0 && chunk.is_there) {
        states_of(group, fold, of)[chunk.number] = state;
      }
    };
#pragma unroll 1
    for (int i = 0; i < chunk_folds; ++i) {
      if constexpr (parts == 1) {
        forget(group, held);
      }
      const FusedEntry& of = arguments_of(group, this).entry[i];
      Menu::with_fold(of, [&](const auto& fold) {
        using Fold = std::decay_t<decltype(fold)>;
        if constexpr (has_sum<Fold>) {
          const auto keep_sum = [&](const auto& sum) {
            if (chunk_folds < folds) {
              keep(core::Sum<T>{}, arguments_of(group, this).entry[chunk_folds], sum);
            }
          };
          const WithSum<Fold, decltype(keep_sum)> with_sum(fold, keep_sum);
          keep(fold, of, state_of<whole>(group, with_sum, held, chunk, load));
        } else {
          keep(fold, of, state_of<whole>(group, fold, held, chunk, load));
        }
      });
    }
  }

  template <bool whole, class Group, class Fold, class Held, class Load>
  ISOFOLD_DEVICE StateOf<Fold> state_of(const Group& group, const Fold& fold, const Held& held,
                                        const TeamChunk& chunk, const Load& load) const {
    const auto by = [&](const auto& any) {
      const HeldAs<std::decay_t<decltype(any)>, Held> same{held};
      return state_of_held<whole, LanesOf>(group, any, same, chunk.begin,
                                           whole ? core::chunk_elements : chunk.count, chunk.thread,
                                           load);
    };
    if constexpr (has_deferred_indices<Fold>) {
      return state_without_places<Platform, Fold>(chunk.begin, by);
    } else {
      return by(fold);
    }
  }

  // Hides the elements' values from nvcc, which would otherwise compute what any of the folds needs
  // of them (keys, doubles) once, before the loop, and spill it.
  template <class Group, class Held>
  ISOFOLD_DEVICE static void forget(const Group& group, Held& held) {
#pragma unroll
    for (int a = 0; a < arrays; ++a) {
#pragma unroll
      for (int row = 0; row < Held::rows; ++row) {
#pragma unroll
        for (int j = 0; j < Held::loads; ++j) {
          constexpr int words = static_cast<int>(sizeof held.pack[0][0][0].value / 4);
          std::uint32_t word[words];
          memcpy(word, held.pack[a][row][j].value, sizeof word);
#pragma unroll
          for (int w = 0; w < words; ++w) {
            word[w] = group.unknown(word[w]);
          }
          memcpy(held.pack[a][row][j].value, word, sizeof word);
        }
      }
    }
  }

  template <class Fold>
  ISOFOLD_DEVICE void leave(const Fold&, const FusedEntry& of, std::int64_t number,
                            const StateOf<Fold>& node) const {
    static_cast<StateOf<Fold>*>(of.nodes)[number] = node;
  }
  template <class Group, class Fold>
  ISOFOLD_DEVICE void write(const Group& group, const Fold& fold, const FusedEntry& of,
                            std::int64_t row, const StateOf<Fold>& root) const {
    write_one(fold, of.result, row, root);
    if constexpr (is_family<Fold>) {
      for (int i = of.result.next; i != FusedResult::none;
           i = arguments_of(group, this).further[i].next) {
        const FusedResult& result = arguments_of(group, this).further[i];
        write_one(member_of(fold, result.member), result, row, root);
      }
    }
  }
  template <class Fold>
  ISOFOLD_DEVICE void write_one(const Fold& fold, const FusedResult& result, std::int64_t row,
                                const StateOf<Fold>& root) const {
    if (result.write_state) {
      static_cast<StateOf<Fold>*>(result.to)[row] = root;
    } else {
      write_result(fold, result.to, row,
                   [&](const auto& member) { return member.finish(root, length); });
    }
  }
};

// The chunk, and the lanes of whichever fold runs over it, fill the registers. (Clang 15 spilled
// more than all of them.)
template <class Platform, class T, class LanesOf, int arrays>
inline constexpr bool needs_registers<ReduceFusedOps<Platform, T, LanesOf, arrays>> = true;

}  // namespace isofold::gpu
