// The tree of a summation, probed from outside. The method is FPRev's (P. Xie, Y. Gao, Y. Wang and
// J. Xue, "Revealing Floating-Point Accumulation Orders in Software/Hardware Implementations",
// USENIX ATC 2025). One element is +M, another -M, all others 1, and M is so large that M + n is M:
// whatever is added to M or -M before the two meet is lost, they cancel, and the sum is n minus the
// elements of the smallest subtree that holds both. The sizes for all pairs determine the tree, up
// to the order of the two operands of an addition, which changes no bit.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "target.hpp"
#include "tree_model.hpp"

namespace isofold::conformance {

// The places of +M and -M.
struct Pair {
  std::int64_t plus;
  std::int64_t minus;
};

// The size of the smallest subtree that holds each pair, among n elements; `no_size` where the sum
// was nothing that a tree of additions can return.
using SubtreeSizes =
    std::function<std::vector<std::int64_t>(std::int64_t n, const std::vector<Pair>& pairs)>;
inline constexpr std::int64_t no_size = -1;
// No probe takes more elements: n must vanish beside M, and every sum of ones be exact.
inline constexpr std::int64_t most_probed_elements = std::int64_t{1} << 20;

// Probes a summation that is a function.
SubtreeSizes probe_function(std::function<float(const float*, std::int64_t)> sum);
SubtreeSizes probe_function(std::function<double(const double*, std::int64_t)> sum);

// Probes the fold sum of a target, f32 or f64: each pair in an array of its own, or in a row of a
// batch, which another loop or kernel folds with the same tree. The target must outlive what is
// returned. Throws Error if a call fails.
enum class ProbedShape { array, rows };
SubtreeSizes probe_target(Target& target, std::int32_t type, ProbedShape shape);

using TellSize = std::function<void(Pair pair, std::int64_t size)>;

void probe_all_pairs(const SubtreeSizes& sizes, std::int64_t n, const TellSize& tell);

// FPRev's own choice of pairs, about n·log(n) of them: the first element of a set against all
// others of it; those for which the sizes are equal form one subtree, and are the next sets. A tree
// whose sizes are those of a model for these pairs has them for all.
void probe_for_recovery(const SubtreeSizes& sizes, std::int64_t n, const TellSize& tell);

// Probes random pairs of a sum that is too long for more, as many near each other as far apart, so
// that every level of the tree is met.
void probe_some_pairs(const SubtreeSizes& sizes, std::int64_t n, std::int64_t pairs,
                      std::uint64_t seed, const TellSize& tell);

}  // namespace isofold::conformance
