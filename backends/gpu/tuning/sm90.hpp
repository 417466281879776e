// Compute capability 9.x: measured on H100s and H200s (docs/decisions/042, 048, 049). The tables of
// other classes begin with these values.
#pragma once

#include <backends/gpu/tuning/tuning.hpp>

namespace isofold::gpu {

constexpr Tuning make_sm90_tuning() {
  Tuning tuning{};
  RowsTuning& rows = tuning.rows;
  rows.tilings = {{{64, 128, 0, 1},
                   {256, 256, 0, 1},
                   {12288, 512, 1, 0},
                   {20480, 256, 0, 8},
                   {40960, 512, 0, 4},
                   {INT64_MAX, 512, 0, 8}}};
  rows.one_round_tilings = {{{128, 128, 0, 1}, {256, 256, 0, 1}, {512, 512, 1, 0}}};
  rows.two_blocks = {0, 256, 2, 0};
  rows.two_blocks_at_once = 16384;
  rows.two_blocks_tile = 128;
  rows.long_exponentials = 8192;
  rows.long_exponentials_threads = 512;
  rows.long_to_read_twice = 4096;
  rows.read_twice = {0, 512, 0, 4};
  rows.most_tile = 1024;
  rows.narrow_threads = 256;
  rows.even_tile_nodes = 4;
  rows.block_a_row_rounds = 4;
  rows.waves = 8;
  rows.threads = 256;
  rows.short_blocks = 64;
  rows.warp_chunks = 8;
  rows.busy_warps = 16;

  StagedTuning& staged = tuning.staged;
  staged.tile = 128;
  staged.blocks = 3;
  staged.bulk_tile = 512;
  staged.alone_threads = 256;
  staged.few_threads = 256;
  staged.least_threads = 64;
  staged.word_chunks = 32;
  staged.rows_threads = 128;
  staged.two_blocks_at_once = 4096;

  StridedTuning& strided = tuning.strided;
  strided.threads = 256;
  strided.warps = 32;
  strided.column_warps = 8;
  strided.ragged_warps = 16;
  strided.one_sharer_elements = 16;
  strided.few_sharers_elements = 256;
  strided.ragged_blocks = 64;
  strided.listed_warps = 32;
  strided.likely_room = 1 << 16;
  strided.likely_mean = 64;
  strided.ragged = {{{16, 0, 512}, {256, 1, 256}, {8192, 0, 64}}};
  strided.lists = {{{16383, 8, 4}, {131072, 2, 4}, {1 << 20, 2, 3}, {INT64_MAX, 2, 4}}};

  ShortSegmentsTuning& short_segments = tuning.short_segments;
  short_segments.most_mean = 2048;
  short_segments.thread_mean = 32;
  short_segments.tile_elements = 1152;
  short_segments.tile_bytes = 9216;
  short_segments.tall_tile_bytes = 4608;
  short_segments.tall_rows = 16;
  short_segments.least_rows = 8;
  short_segments.least_wide_rows = 4;
  short_segments.warps = {{24, 20, 16, 12, 8, 4}};
  short_segments.block = 8;
  short_segments.rounds = 64;
  short_segments.mean_of_rounds = 32;
  short_segments.plain_mean = 10;
  short_segments.differing_mean = 24;
  short_segments.chunk_warps = 12;
  short_segments.heavy_mean = 256;
  short_segments.chunk_mean = 511;
  short_segments.long_rows = 4;
  short_segments.long_warps = 16;
  short_segments.assigned = 15;
  short_segments.shared = 256;

  LongSegmentsTuning& long_segments = tuning.long_segments;
  long_segments.least_mean = 320;
  long_segments.least_elements = 1 << 15;
  long_segments.block = 4;
  long_segments.most_here = 2;
  long_segments.most_in_short = 4;
  long_segments.tile_shift = 3;
  long_segments.assigned = 10;
  long_segments.turn = 4;
  long_segments.turns = 8;

  ColumnsTuning& columns = tuning.columns;
  columns.rows_shift = 6;
  columns.units = 3;
  columns.node_share = 16;
  columns.read_again = 128 * 1024;

  ShortColumnsTuning& short_columns = tuning.short_columns;
  short_columns.threads = 128;
  short_columns.warps = 4;
  short_columns.blocks = 64;

  FewColumnsTuning& few_columns = tuning.few_columns;
  few_columns.length = 640;
  few_columns.alone_length = 128;
  few_columns.tiles = 8;
  few_columns.threads = 256;
  few_columns.rounds = 3;
  few_columns.busy = 93;
  few_columns.read_again = 192 * 1024;

  CompactedTuning& compacted = tuning.compacted;
  compacted.threads = 256;
  compacted.least_block = 4;
  compacted.runs_threads = 128;
  compacted.runs_tiles = 8;
  compacted.mask_tiles = 16;
  compacted.joined_tiles = 8;
  compacted.runs_tile_shift = 2;
  compacted.joined_rounds = 2;
  compacted.share = 64;
  compacted.even_eighths = 7;
  compacted.least_run_bytes = 256;
  compacted.least_run_chunks = 4;
  compacted.rounds = 16;
  compacted.node_threads = 512;

  MaskedTuning& masked = tuning.masked;
  masked.line_threads = 128;
  masked.most_line_bytes = 64 << 10;
  masked.least_columns = 8;
  masked.column_threads = 256;
  masked.columns_share = 4;
  masked.lanes_warps = 8;

  TransposedTuning& transposed = tuning.transposed;
  transposed.least_slabs = 4;
  transposed.least_slab = 128;
  transposed.long_chunks = 2;
  transposed.most_turns = 8;
  transposed.least_short = 8;
  transposed.ranges = {{{256, 32 << 10, 256}, {INT64_MAX, 64 << 10, 512}}};
  transposed.ranges_of_shared = 3;
  transposed.least_ranges = 2;

  FusedTuning& fused = tuning.fused;
  fused.most_short_rows = 2048;
  fused.bulk_bytes = 96 << 10;
  fused.bulk_rounds = 2;
  fused.many_bulk = 8;
  fused.least_rounds = 8;
  fused.l1_bytes = 256 * 1024;
  fused.row_warps = 4;
  return tuning;
}
inline constexpr Tuning sm90_tuning = make_sm90_tuning();

}  // namespace isofold::gpu
