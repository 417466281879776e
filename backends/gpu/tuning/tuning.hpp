// Constants that plans of launches read, by families of kernels. A device class gives all of them
// (sm90.hpp and its neighbours); tuning_of.hpp chooses the class. Each has its unit, and the page
// that says why it is as it is; values stand in sm90.hpp. None changes a bit of a result. Constants
// that device code needs when it is compiled stand beside their kernels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace isofold::gpu {

// A block's threads, and how many chunks each of its teams folds: its tile is both, times the
// teams. The chunks are given either as `rounds`, or by the blocks that a multiprocessor has at
// once, which then share the work evenly, in one wave. A tiling of a table applies up to so many
// `threads_needed` for each multiprocessor, if every team folded one chunk. docs/decisions/048
struct Tiling {
  std::int64_t threads_needed;
  int threads;
  int blocks;
  int rounds;
  std::int64_t tile = 0;  // chunks, where it is not all teams times all rounds
};

// Ragged rows of at most so many elements on average: 2^shift threads share a row of up to
// `longest` elements; a longer one, found beside others by the same warp, gets that to itself.
// docs/decisions/049
struct RaggedSharing {
  std::int64_t most_mean;
  int shift;
  std::int64_t longest;
};

// The list of shared rows of at most so many elements on average: blocks of so many warps share
// it, of which each has 2^shift chunks of a tile at most. docs/decisions/049
struct ListSharing {
  std::int64_t most_mean;
  int warps;
  int shift;
};

// Slabs of at most so many elements: a range of so many bytes is a block's, of so many threads.
// docs/decisions/031
struct ShortSlabsRange {
  std::int64_t most_length;
  std::size_t bytes;
  int threads;
};

// Arrays and rows that lie in one stretch of memory each.
struct RowsTuning {
  // Sums, by threads needed, which rise to INT64_MAX. docs/decisions/048
  std::array<Tiling, 6> tilings;
  // One array and more work than a sum, while each chunk gets a team. docs/decisions/048
  std::array<Tiling, 3> one_round_tilings;
  // Likewise, above that: one block computes while the other waits. docs/decisions/048
  Tiling two_blocks;
  // Threads needed up to which all of those blocks run at once. docs/decisions/048
  std::int64_t two_blocks_at_once;
  // Chunks of a tile, above that. docs/decisions/048
  int two_blocks_tile;
  // Threads needed above which exponentials in registers take few waves. docs/decisions/007
  std::int64_t long_exponentials;
  // Threads of a block, then. docs/decisions/007
  int long_exponentials_threads;
  // Threads needed above which a second pass gets short tiles. docs/decisions/011
  std::int64_t long_to_read_twice;
  // These tiles. docs/decisions/011
  Tiling read_twice;
  // Chunks of a tile, at most: so many states are in shared memory. docs/decisions/002
  int most_tile;
  // Threads of a block with narrow loads, at most. docs/decisions/048
  int narrow_threads;
  // Nodes of a tile that shares the work evenly, at least. docs/decisions/048
  int even_tile_nodes;
  // Chunks of a team, at most, where a block has a row. docs/decisions/008
  int block_a_row_rounds;
  // Waves of blocks, at most, where a row has several. docs/decisions/008
  int waves;
  // Threads of a block whose teams or warps have a row each. docs/decisions/008
  int threads;
  // Blocks for each multiprocessor, at most, of rows in registers. docs/decisions/048
  int short_blocks;
  // Chunks of a row, at most, that is one warp's. docs/decisions/008
  int warp_chunks;
  // Rows for each multiprocessor, at least, of a warp each. docs/decisions/008
  int busy_warps;
};

// Chunks of such rows that go through shared memory.
struct StagedTuning {
  // Chunks of a tile, where one block a multiprocessor has too many. docs/decisions/003
  int tile;
  // Blocks of a multiprocessor, then. docs/decisions/048
  int blocks;
  // Chunks of a tile that come in bulk, likewise. docs/decisions/004
  int bulk_tile;
  // Threads of a single block, at most. docs/decisions/003
  int alone_threads;
  // Threads of a multiprocessor, up to which each chunk gets its team. docs/decisions/003
  int few_threads;
  // Threads of a block, at least, then. docs/decisions/003
  int least_threads;
  // Chunks for each multiprocessor, at least, of elements of other types. docs/decisions/010
  std::int64_t word_chunks;
  // Threads of a block whose teams or warps have a row each. docs/decisions/008
  int rows_threads;
  // As RowsTuning's, in threads needed, but for exponentials. docs/decisions/048
  std::int64_t two_blocks_at_once;
};

// Rows whose elements have places of their own.
struct StridedTuning {
  // Threads of a block, if its shared memory suffices. docs/decisions/018
  int threads;
  // Warps for each multiprocessor, if there is work. docs/decisions/018
  int warps;
  // Likewise, of columns. docs/decisions/048
  int column_warps;
  // Warps for each multiprocessor, before ragged rows get more threads. docs/decisions/018
  int ragged_warps;
  // Elements of a row, at most, that one thread takes. docs/decisions/018
  int one_sharer_elements;
  // Elements of a row above which it gets a warp. docs/decisions/018
  int few_sharers_elements;
  // Blocks for each multiprocessor, at most, of ragged rows. docs/decisions/018
  int ragged_blocks;
  // Warps for each multiprocessor, at most, of the list of shared rows. docs/decisions/018
  int listed_warps;
  // Entries of that list, where the number of elements is not known. docs/decisions/018
  std::int64_t likely_room;
  // Elements of a ragged row, where that is not known. docs/decisions/018
  std::int64_t likely_mean;
  // Ragged rows by their mean; above the last of these a warp has a row. docs/decisions/049
  std::array<RaggedSharing, 3> ragged;
  // The list of shared rows by their mean, which rises to INT64_MAX. docs/decisions/049
  std::array<ListSharing, 4> lists;
};

// Segments in line, short on average; a mean is in elements of a segment.
struct ShortSegmentsTuning {
  // Mean, at most. docs/decisions/022
  std::int64_t most_mean;
  // Mean up to which a thread folds short ones alone. docs/decisions/018
  std::int64_t thread_mean;
  // Elements of a tile on average, at most. docs/decisions/049
  std::int64_t tile_elements;
  // Bytes of those, of all arrays, at most. docs/decisions/049
  std::int64_t tile_bytes;
  // Likewise, of a tile of more than tall_rows. docs/decisions/049
  std::int64_t tall_tile_bytes;
  // Rows of a tile. docs/decisions/049
  int tall_rows;
  // Rows of a tile, at least, of elements of up to 4 bytes. docs/decisions/049
  int least_rows;
  // Likewise, of larger elements. docs/decisions/049
  int least_wide_rows;
  // Warps of a multiprocessor that are tried, in this order. docs/decisions/049
  std::array<int, 6> warps;
  // Warps of a block, or half as many. docs/decisions/022
  int block;
  // Rows for each thread of one warp a multiprocessor, at least. docs/decisions/018
  int rounds;
  // Elements of a row that count as one of these. docs/decisions/018
  std::int64_t mean_of_rounds;
  // Mean above which some segments may be very long. docs/decisions/018
  std::int64_t plain_mean;
  // Mean up to which they may be. docs/decisions/018
  std::int64_t differing_mean;
  // Warps of a multiprocessor, at least, whose windows hold a chunk. docs/decisions/018
  int chunk_warps;
  // Mean, at most, of folds that are not light. docs/decisions/018
  std::int64_t heavy_mean;
  // Mean above which a round is about a chunk. docs/decisions/022
  std::int64_t chunk_mean;
  // Rows of a tile, then. docs/decisions/022
  int long_rows;
  // Warps of a multiprocessor, at least, then. docs/decisions/022
  int long_warps;
  // Sixteenths of the tiles that are statically assigned to blocks. docs/decisions/023
  int assigned;
  // Elements, at least, of a segment that four threads share. docs/decisions/018
  std::int64_t shared;
};

// Segments in line, long on average, and what short ones leave, in bulk.
struct LongSegmentsTuning {
  // Elements of a segment on average, at least. docs/decisions/049
  std::int64_t least_mean;
  // Elements for each multiprocessor, at least. docs/decisions/021
  std::int64_t least_elements;
  // Warps of a block. docs/decisions/021
  int block;
  // Chunks of a segment, at most, that is not listed. docs/decisions/049
  std::int64_t most_here;
  // Likewise, in the kernel of short segments, if this one follows. docs/decisions/049
  int most_in_short;
  // log2 of the chunks of a listed tile. docs/decisions/049
  int tile_shift;
  // Sixteenths of the segments that are statically assigned to warps. docs/decisions/049
  int assigned;
  // Segments that come from the work queue at a time, at most. docs/decisions/049
  std::int64_t turn;
  // Times for each warp, if there are as many segments. docs/decisions/049
  std::int64_t turns;
};

// Columns in tiles: sums and other folds over the first axis.
struct ColumnsTuning {
  // Threads of a block, on every device: the code is compiled for them. docs/decisions/024
  static constexpr int threads = 256;
  // log2 of the columns of a tile, at most. docs/decisions/024
  int rows_shift;
  // Tiles for each multiprocessor, at least. docs/decisions/024
  int units;
  // Chunks of all rows for each node that a set's last block folds. docs/decisions/024
  int node_share;
  // Bytes of a tile's chunk that a second pass reads again, at most. docs/decisions/048
  std::int64_t read_again;
};

// Columns of few elements, a thread each.
struct ShortColumnsTuning {
  // Threads of a block. docs/decisions/048
  int threads;
  // Warps for each multiprocessor, at least. docs/decisions/024
  int warps;
  // Blocks for each multiprocessor, at most. docs/decisions/048
  int blocks;
};

// Few columns side by side, interleaved.
struct FewColumnsTuning {
  // Elements of a column, at least. docs/decisions/048
  std::int64_t length;
  // Likewise, of no more sets than multiprocessors. docs/decisions/048
  std::int64_t alone_length;
  // Tiles for each block that fits, before they get larger. docs/decisions/025
  int tiles;
  // Threads of a block, at most. docs/decisions/048
  int threads;
  // Rounds in which a block takes all lanes, at least. docs/decisions/025
  int rounds;
  // Per cent of its threads that are busy in all of them, at least. docs/decisions/025
  int busy;
  // Bytes of the chunks of a multiprocessor that a second pass reads again. docs/decisions/025
  std::int64_t read_again;
};

// Rows that warps compact first: masks, joined arrays, boxes in runs.
struct CompactedTuning {
  // Threads of a block, if its shared memory suffices. docs/decisions/027
  int threads;
  // Warps of a block, at least, if fewer make no more fit at once. docs/decisions/027
  int least_block;
  // Threads of a block, of boxes in runs. docs/decisions/024
  int runs_threads;
  // Tiles for each warp, at least, of boxes in runs. docs/decisions/049
  int runs_tiles;
  // Likewise, under a mask. docs/decisions/027
  int mask_tiles;
  // Likewise, of joined arrays. docs/decisions/027
  int joined_tiles;
  // log2 of a tile's chunks in runs, if each warp then has a tile. docs/decisions/024
  int runs_tile_shift;
  // Shares for each warp, of joined arrays. docs/decisions/027
  int joined_rounds;
  // Chunks of a share, at most. docs/decisions/027
  int share;
  // Eighths of the warps, at least, that one round of shares keeps busy. docs/decisions/049
  int even_eighths;
  // Bytes of a run, at least. docs/decisions/049
  int least_run_bytes;
  // Chunks of a row, and for each multiprocessor, at least. docs/decisions/024
  int least_run_chunks;
  // Rounds of blocks, at most. docs/decisions/027
  int rounds;
  // Threads of a block for the nodes of tiles, at most. docs/decisions/026
  int node_threads;
};

// Short rows under a mask.
struct MaskedTuning {
  // Threads of a block, of which a warp has a row, or a thread a column. docs/decisions/029
  int line_threads;
  // Bytes of shared memory of such a block, at most. docs/decisions/029
  std::size_t most_line_bytes;
  // Columns side by side, at least. docs/decisions/029
  std::int64_t least_columns;
  // Threads of a block that has columns, at most. docs/decisions/029
  int column_threads;
  // Multiprocessors for each such block, at most. docs/decisions/029
  std::int64_t columns_share;
  // Warps for each multiprocessor, at least, where a thread has a column. docs/decisions/029
  std::int64_t lanes_warps;
};

// Boxes of another order than their memory: slabs side by side.
struct TransposedTuning {
  // Slabs of a row, and its chunks, at least. docs/decisions/031
  std::int64_t least_slabs;
  // Elements of a slab, at least, that is taken chunk by chunk. docs/decisions/031
  std::int64_t least_slab;
  // Chunks of a long slab, at least. docs/decisions/031
  std::int64_t long_chunks;
  // Turns of all blocks over long slabs that are tried. docs/decisions/031
  int most_turns;
  // Elements of a short slab, at least. docs/decisions/031
  std::int64_t least_short;
  // A block's range of short slabs by their length, which rises to INT64_MAX. docs/decisions/031
  std::array<ShortSlabsRange, 2> ranges;
  // Ranges that a multiprocessor has room for, but for tables. docs/decisions/031
  std::size_t ranges_of_shared;
  // Ranges for each multiprocessor, if short ones do. docs/decisions/031
  std::int64_t least_ranges;
};

// Lists of folds of one input.
struct FusedTuning {
  // Rows in registers, at most; of more each fold has a launch. docs/decisions/048
  std::int64_t most_short_rows;
  // Bytes of a block's chunks that come in bulk. docs/decisions/048
  std::size_t bulk_bytes;
  // Chunks of a team in a tile, at least, that come in bulk. docs/decisions/015
  int bulk_rounds;
  // Blocks for each multiprocessor that take one chunk a team in bulk, too. docs/decisions/015
  std::int64_t many_bulk;
  // Chunks of a team in a tile, at least, where a stage or L1 gains. docs/decisions/048
  int least_rounds;
  // Bytes of an L1 that keeps the parts of one block's chunks; 0: none does. docs/decisions/015
  std::int64_t l1_bytes;
  // Warps, a fold each, that the rows of short lists may have; 0: none. docs/decisions/048
  int row_warps;
};

struct Tuning {
  RowsTuning rows;
  StagedTuning staged;
  StridedTuning strided;
  ShortSegmentsTuning short_segments;
  LongSegmentsTuning long_segments;
  ColumnsTuning columns;
  ShortColumnsTuning short_columns;
  FewColumnsTuning few_columns;
  CompactedTuning compacted;
  MaskedTuning masked;
  TransposedTuning transposed;
  FusedTuning fused;
};

}  // namespace isofold::gpu
