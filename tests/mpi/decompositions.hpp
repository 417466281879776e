// Random cuts of a box over ranks, which all ranks draw alike: slabs, blocks, space-filling curves
// and lists of indices, uneven ones, with ranks that have nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace cut {

using Extents = std::array<std::int64_t, 3>;
using Random = std::mt19937_64;

[[nodiscard]] inline std::int64_t below(Random& random, std::int64_t most) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
}

// A rank's box in the whole one.
struct Block {
  Extents offsets{};
  Extents extents{};
};

// `parts` cuts of [0, extent), some of them empty.
[[nodiscard]] inline std::vector<std::int64_t> cuts(Random& random, std::int64_t extent,
                                                    int parts) {
  std::vector<std::int64_t> at(static_cast<std::size_t>(parts) + 1, 0);
  at.back() = extent;
  for (std::size_t i = 1; i + 1 < at.size(); ++i) {
    at[i] = below(random, extent + 1);
  }
  std::sort(at.begin(), at.end());
  return at;
}

// A grid of p by q by r blocks; p = ranks, q = r = 1 are slabs. Ranks get them in random order.
[[nodiscard]] inline std::vector<Block> blocks(Random& random, const Extents& whole, int ranks,
                                               bool slabs) {
  Extents grid{1, 1, 1};
  int rest = ranks;
  if (slabs) {
    grid[static_cast<std::size_t>(below(random, 3))] = ranks;
  } else {
    for (int factor = 2; rest > 1; ++factor) {
      for (; rest % factor == 0; rest /= factor) {
        grid[static_cast<std::size_t>(below(random, 3))] *= factor;
      }
    }
  }
  std::array<std::vector<std::int64_t>, 3> at;
  for (std::size_t d = 0; d < 3; ++d) {
    at[d] = cuts(random, whole[d], static_cast<int>(grid[d]));
  }
  std::vector<Block> made;
  for (std::size_t i = 0; i + 1 < at[0].size(); ++i) {
    for (std::size_t j = 0; j + 1 < at[1].size(); ++j) {
      for (std::size_t k = 0; k + 1 < at[2].size(); ++k) {
        made.push_back(
            {{at[0][i], at[1][j], at[2][k]},
             {at[0][i + 1] - at[0][i], at[1][j + 1] - at[1][j], at[2][k + 1] - at[2][k]}});
      }
    }
  }
  std::shuffle(made.begin(), made.end(), random);
  return made;
}

[[nodiscard]] inline std::uint64_t morton(std::int64_t index, const Extents& whole) {
  const std::int64_t at[3] = {index / (whole[1] * whole[2]), index / whole[2] % whole[1],
                              index % whole[2]};
  std::uint64_t code = 0;
  for (int bit = 0; bit < 16; ++bit) {
    for (int d = 0; d < 3; ++d) {
      code |= (static_cast<std::uint64_t>(at[d]) >> bit & 1U) << (3 * bit + d);
    }
  }
  return code;
}

enum class Lists { morton, scattered, ascending };

// Lists of indices, one a rank.
[[nodiscard]] inline std::vector<std::vector<std::int64_t>> lists(Random& random,
                                                                  const Extents& whole, int ranks,
                                                                  Lists kind) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(whole[0] * whole[1] * whole[2]));
  std::iota(all.begin(), all.end(), 0);
  std::vector<std::vector<std::int64_t>> made(static_cast<std::size_t>(ranks));
  if (kind == Lists::morton) {
    std::sort(all.begin(), all.end(),
              [&](std::int64_t a, std::int64_t b) { return morton(a, whole) < morton(b, whole); });
    const auto at = cuts(random, static_cast<std::int64_t>(all.size()), ranks);
    for (std::size_t rank = 0; rank < made.size(); ++rank) {
      made[rank].assign(all.begin() + at[rank], all.begin() + at[rank + 1]);
    }
    return made;
  }
  if (kind == Lists::scattered) {
    std::shuffle(all.begin(), all.end(), random);
  }
  const std::int64_t busy = 1 + below(random, ranks);  // the others have nothing
  for (const std::int64_t index : all) {
    made[static_cast<std::size_t>(below(random, busy))].push_back(index);
  }
  return made;
}

}  // namespace cut
