// The lists in device memory by which a launch over rows of many lengths leaves work to the next
// one: tiles of long rows (TileList), and whole rows that are long or wrong (SegmentsLeft).
#pragma once

#include <cstdint>

#include <backends/gpu/collective/work_queue.hpp>

namespace isofold::gpu {

// A tile of a row that blocks, or warps, share.
struct ListedTile {
  std::int64_t row;  // negative: none
  std::int64_t tile;
  std::int64_t begin;   // of the row, in the data of segments
  std::int64_t length;  // of the row
};

// The list of such tiles, of rows that are too long for the warp that finds them.
struct TileList {
  ListedTile* tiles;
  std::uint32_t* count;
  std::int64_t room;
  int block_shift;  // as in Sharing
  int list_shift;
  std::int64_t most = INT64_MAX;  // tiles of a row; above that they are larger

  // Pieces of 2^shift chunks, the last one perhaps short.
  ISOFOLD_DEVICE static std::int64_t pieces(std::int64_t chunks, int shift) {
    return (chunks + (std::int64_t{1} << shift) - 1) >> shift;
  }
  // Each warp of a tile has 2^shift_for(chunks) chunks of a row of so many.
  ISOFOLD_DEVICE int shift_for(std::int64_t chunks) const {
    int shift = 0;
    while ((shift < list_shift && chunks >> (shift + block_shift) != 0) ||
           pieces(chunks, shift + block_shift) > most) {
      ++shift;
    }
    return shift;
  }
  // Puts the tiles of a row of so many chunks on the list; `tile` has what they have in common.
  // Returns false if the list has no room for them all. Collective: every lane of the warp must
  // call.
  template <class Group>
  ISOFOLD_DEVICE bool put(const Group& group, int thread, ListedTile tile,
                          std::int64_t chunks) const {
    const std::int64_t all = pieces(chunks, shift_for(chunks) + block_shift);
    if (all > room) {
      return false;
    }
    std::uint32_t first = 0;
    if (thread == 0) {
      first = group.claim(count, static_cast<std::uint32_t>(all));
    }
    first = of_first_thread(group, thread, first);
    const bool fits = std::int64_t{first} + all <= room;
    tile.row = fits ? tile.row : -1;
    for (std::int64_t t = thread; t < all && first + t < room; t += Group::wave_width) {
      tile.tile = t;
      tiles[first + t] = tile;
    }
    return fits;
  }
};

// Rows that ReduceShortSegments (segments_short.hpp) has left: row first + i if bit i is set.
struct LeftRows {
  std::int64_t first;
  std::uint64_t which;
};

// ReduceShortSegments leaves these to the launch after it: the list of rows, which is null if
// ReduceShortSegments did not run, and the numbers of its work queue. ReduceStrided counts its
// blocks in the word before the count of entries.
struct SegmentsLeft {
  LeftRows* rows = nullptr;
  std::uint32_t* count = nullptr;
  WorkQueue turns;
};

}  // namespace isofold::gpu
