// The kernel for columns: rows that lie side by side, with many elements each. A block takes a tile
// of some neighbouring rows and a few chunks. Threads of one row take the lanes of a chunk in
// turns, those of neighbouring rows lie side by side: a warp's loads are of whole lines, and the
// block goes down its tile once. Where elements are is the same for all rows, and stands in a
// table in shared memory.
#pragma once

#include <backends/gpu/collective/last_block.hpp>
#include <backends/gpu/kernel/rows_strided.hpp>

namespace isofold::gpu {

template <class Fold>
struct ColumnsFold {
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;
  using FirstPass = std::decay_t<core::FirstPass<Fold>>;
  static constexpr int arrays = Fold::arrays;
  // Blocks that share a multiprocessor make up for the latency of the memory: four with 64
  // registers for each thread, or two with 128, of which 64 hold elements; one where complex
  // elements take more (sums of c128: 145). (f32 sums of 65536 x 2048 on an H200: 131 us; with 80
  // registers 157, with 96 180. With 128 registers and few loads, and with many: minmax of f64 401
  // and 269, norm2 of f64 621 and 355, sums of c128 339 and 270.)
  static constexpr bool is_large =
      arrays * sizeof(Element) + sizeof(core::LaneOf<FirstPass>) > 16 || Fold::stages == 2 ||
      core::is_complex<Element>;
  static constexpr int fitting = static_cast<int>(256 / (arrays * sizeof(Element)));
  static constexpr int loads =  // of a thread in flight
      !is_large      ? placed_loads<Fold>()
      : fitting < 32 ? fitting
                     : 32;
  static constexpr int held = loads < 4 ? loads : 4;       // lanes of a thread at once
  static constexpr int deep = loads / held;                // elements of each
  static constexpr int rows_at_once = deep * core::lanes;  // elements of a row
  static constexpr int least = rows_at_once / 2;           // fewer are sooner folded by others
  static constexpr int max_threads = (is_large ? 2 : 4) * columns_threads;
  static_assert(held <= core::lanes >> columns_parts_shift,
                "A thread has as many lanes at least as it takes at once.");
  static_assert(core::rows_per_chunk % deep == 0, "The table has no more entries than a chunk.");

  Rows<Fold> rows;
  Axes kept;
  Axes reduced;
  ColumnTiles cut;
  State* nodes;             // of rows that blocks share
  std::uint32_t* counters;  // likewise, one for each set, all zero between launches

  static constexpr std::size_t table_bytes = sizeof(std::int64_t) * arrays * core::chunk_elements;
  static constexpr std::size_t shared_bytes(int wave_width, const ColumnTiles& cut) {
    return table_bytes + largest_slot * columns_threads +
           sizeof(State) * (columns_chunks_shift + 1) * (std::size_t{1} << cut.rows_shift) +
           BlockMemory<State>::bytes(shared_row_states, wave_width) + agreed_bytes;
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const Here<Group> here(group, cut);
    for (std::int64_t unit = group.block(); unit < cut.sets * cut.tiles; unit += group.blocks()) {
      const std::int64_t tile = cut.by_sets.divide(unit);
      const std::int64_t first = (unit - tile * cut.sets) << cut.rows_shift;
      const std::int64_t number = first + here.column;
      const State state = fold_tile(group, here, number < rows.rows ? number : rows.rows - 1,
                                    tile << cut.chunks_shift);
      const bool writes = here.part == 0 && number < rows.rows;
      if (cut.tiles == 1) {
        if (writes) {
          rows.write(number, state);
        }
        continue;
      }
      if (writes) {
        nodes[number * cut.tiles + tile] = state;
      }
      if (is_last_block(group, here.memory.flag, &counters[first >> cut.rows_shift], cut.tiles)) {
        const std::int64_t end = first + (std::int64_t{1} << cut.rows_shift);
        finish_rows(group, rows, here.memory, nodes, cut.tiles, first,
                    end < rows.rows ? end : rows.rows);
      }
    }
  }

 private:
  // A pass's lane, from each thread to those that share its row.
  static constexpr std::size_t largest_slot = aligned(largest_lane<Fold>);
  static constexpr std::size_t agreed_bytes = 16 * sizeof(std::uint32_t);

  // Where a thread is, and what shared memory its block has.
  template <class Group>
  struct Here {
    int column;
    int part;
    std::int64_t* table;
    void* slots;
    State* stack;
    BlockMemory<State> memory;
    std::uint32_t* agreed;  // a word for each warp

    ISOFOLD_DEVICE Here(const Group& group, const ColumnTiles& cut)
        : column(group.thread() & ((1 << cut.rows_shift) - 1)),
          part(group.thread() >> cut.rows_shift),
          table(static_cast<std::int64_t*>(group.shared())),
          slots(table + arrays * core::chunk_elements),
          stack(
              reinterpret_cast<State*>(static_cast<char*>(slots) + largest_slot * columns_threads)),
          memory(stack + ((columns_chunks_shift + 1) << cut.rows_shift), shared_row_states,
                 Group::wave_width),
          agreed(reinterpret_cast<std::uint32_t*>(memory.flag + 4)) {}
  };

  // The state of the chunks of a tile, the first of which has number `first`, of row `number`; the
  // first thread of the row gets it. All of the block call.
  template <class Group>
  ISOFOLD_DEVICE State fold_tile(const Group& group, const Here<Group>& here, std::int64_t number,
                                 std::int64_t first) const {
    const char* data[arrays];
    const Element* const begins[] = {rows.first.data, rows.first.second};
#pragma unroll
    for (int a = 0; a < arrays; ++a) {
      data[a] = reinterpret_cast<const char*>(begins[a] + kept.offset(a, number));
    }
    const std::int64_t left = core::chunk_count(rows.length) - first;
    const int most = 1 << cut.chunks_shift;
    const int chunks = left < most ? static_cast<int>(left) : most;
    const ChunkCounter<Fold> counter(here.stack + here.column, 1 << cut.rows_shift);
    State state = missing(rows.fold);
#pragma unroll 1
    for (int n = 0; n < chunks; ++n) {
      state = fold_one(group, here, data, (first + n) << core::chunk_shift);
      if (chunks > 1 && here.part == 0) {
        counter.add(rows.fold, state, n);
      }
    }
    return chunks > 1 && here.part == 0 ? counter.root(rows.fold, chunks) : state;
  }

  template <class Group>
  ISOFOLD_DEVICE State fold_one(const Group& group, const Here<Group>& here,
                                const char* const (&data)[arrays], std::int64_t begin) const {
    const std::int64_t left = rows.length - begin;
    const int count = left < core::chunk_elements ? static_cast<int>(left) : core::chunk_elements;
    // Past the end the last element stands for those that a thread loads with others.
    const int loaded = (count + rows_at_once - 1) / rows_at_once * rows_at_once;
    for (int i = group.thread(); i < loaded; i += group.threads()) {
#pragma unroll
      for (int a = 0; a < arrays; ++a) {
        here.table[a * core::chunk_elements + i] =
            reduced.offset(a, begin + (i < count ? i : count - 1)) *
            static_cast<std::int64_t>(sizeof(Element));
      }
    }
    group.barrier();
    return state_by_agreed_passes(
        rows.fold, begin, count,
        [&](const auto& pass) { return pass_over(group, here, data, count, pass); },
        [&](bool condition) { return all_of_block(group, here.agreed, condition); });
  }

  // What a pass makes of a chunk. All of the block call; where others come after it, all threads
  // get the lane of their row, else its first one.
  template <class Group, class Pass>
  ISOFOLD_DEVICE core::LaneOf<Pass> pass_over(const Group& group, const Here<Group>& here,
                                              const char* const (&data)[arrays], int count,
                                              const Pass& pass) const {
    using Lane = core::LaneOf<Pass>;
    constexpr bool is_first = std::is_same_v<Pass, FirstPass>;
    const LaneFold<Pass> fold{pass};
    const Lane own = own_lanes(group, here, data, count, pass);
    auto* const slots = static_cast<Lane*>(here.slots);
    if (!is_first) {
      group.barrier();  // what the pass before has left there has been read
    }
    slots[group.thread()] = own;
    group.barrier();
    if (here.part != 0 && (!is_first || Fold::stages == 1)) {
      return own;
    }
    const auto part_of = [&](int n) { return reversed(n) >> (lane_number_bits - cut.parts_shift); };
    const auto there = [&](int n) { return part_of(n) < count; };
    Lane root = own;
    LaneNodes<Lane, columns_parts_shift> nodes_of_parts;
    for (Lane& node : nodes_of_parts.node) {
      node = root;
    }
#pragma unroll 1
    for (int n = 0; n < 1 << cut.parts_shift; ++n) {
      root = nodes_of_parts.template add<0>(
          fold, slots[(part_of(n) << cut.rows_shift) + here.column], n, there);
    }
    return root;
  }

  // The same of the thread's own lanes: part, part + 2^parts_shift, ...
  template <class Group, class Pass>
  ISOFOLD_DEVICE core::LaneOf<Pass> own_lanes(const Group& group, const Here<Group>& here,
                                              const char* const (&data)[arrays], int count,
                                              const Pass& pass) const {
    using Lane = core::LaneOf<Pass>;
    const LaneFold<Pass> fold{pass};
    const int lane_bits = lane_number_bits - cut.parts_shift;
    const auto lane_of = [&](int n, int j) {
      const int number = (reversed(n) + reversed(j)) >> (lane_number_bits - lane_bits);
      return here.part + (number << cut.parts_shift);
    };
    const auto there = [&](int n) { return lane_of(n, 0) < count; };
    Lane root = missing(fold);
    LaneNodes<Lane> nodes_of_lanes;
    for (Lane& node : nodes_of_lanes.node) {
      node = root;
    }
#pragma unroll 1
    for (int n = 0; n < 1 << lane_bits; n += held) {
      Lane lane[held];
      int first[held];
#pragma unroll
      for (int j = 0; j < held; ++j) {
        lane[j] = missing(fold);
        first[j] = lane_of(n, j);
      }
#pragma unroll 1
      for (int row = 0; row * core::lanes < count; row += deep) {
        Element x[arrays][loads];
        const auto index_of = [&](int s) {
          return first[s % held] + (row + s / held) * core::lanes;
        };
#pragma unroll
        for (int a = 0; a < arrays; ++a) {
#pragma unroll
          for (int s = 0; s < loads; ++s) {
            x[a][s] = load_element(
                group, reinterpret_cast<const Element*>(
                           data[a] + here.table[a * core::chunk_elements + index_of(s)]));
          }
        }
        loads_issued(group);  // all of them are in flight before the first is used
        take_elements(pass, x, index_of, row == 0, count, lane);
      }
#pragma unroll
      for (int step = 1; step < held; step *= 2) {
#pragma unroll
        for (int j = 0; j < held; j += 2 * step) {
          lane[j] = join(fold, lane[j], lane[j + step], false, first[j + step] < count);
        }
      }
      root = nodes_of_lanes.template add<core::root_level(held)>(fold, lane[0], n, there);
    }
    return root;
  }
};

// The elements and lanes that a thread holds.
template <class Fold>
inline constexpr bool needs_registers<ColumnsFold<Fold>> = true;
template <class Fold>
inline constexpr bool needs_all_registers<ColumnsFold<Fold>> =
    needs_all_registers<PlacedFold<Fold>>;

}  // namespace isofold::gpu
