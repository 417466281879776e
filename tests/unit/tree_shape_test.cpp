// The shape of the tree, probed from outside (the method of FPRev, Xie, Gao, Wang and Xue, 2025):
// with +M at i, -M at j and ones elsewhere, every one that meets M before the two cancel is lost,
// so the sum is n minus the size of the smallest subtree that holds i and j. All pairs must have
// the size that tree v1 has.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <test_support.hpp>

namespace {

// Elements in the smallest subtree of tree v1 that holds both i < j, of n: docs/tree.md,
// Definition.
std::int64_t subtree_of(std::int64_t i, std::int64_t j, std::int64_t n) {
  const std::int64_t chunk_i = i / 1024;
  const std::int64_t chunk_j = j / 1024;
  if (chunk_i != chunk_j) {
    std::int64_t width = 1;  // chunks under the lowest node that holds both
    while (chunk_i / width != chunk_j / width) {
      width *= 2;
    }
    const std::int64_t begin = chunk_i / width * width * 1024;
    return std::min(n, begin + width * 1024) - begin;
  }
  const std::int64_t in_chunk = std::min<std::int64_t>(1024, n - chunk_i * 1024);
  const std::int64_t lane_i = i % 1024 % 64;
  const std::int64_t lane_j = j % 1024 % 64;
  if (lane_i == lane_j) {  // a lane accumulates from its first row on
    return (std::max(i, j) % 1024) / 64 + 1;
  }
  std::int64_t half = 32;  // halving by h joins lanes that are equal modulo h
  while (lane_i % half != lane_j % half) {
    half /= 2;
  }
  std::int64_t size = 0;
  for (std::int64_t element = 0; element < in_chunk; ++element) {
    size += element % 64 % half == lane_i % half;
  }
  return size;
}

using SumOf = std::function<float(const float*, std::int64_t)>;

// Big enough to swallow every sum of ones, small enough to stay finite.
constexpr float big = 1152921504606846976.0F;  // 2^60

class Probe {
 public:
  Probe(SumOf sum, std::int64_t n)
      : sum_(std::move(sum)), ones_(static_cast<std::size_t>(n), 1.0F) {}

  std::int64_t subtree(std::int64_t i, std::int64_t j) {
    ones_[static_cast<std::size_t>(i)] = big;
    ones_[static_cast<std::size_t>(j)] = -big;
    const auto n = static_cast<std::int64_t>(ones_.size());
    const float left = sum_(ones_.data(), n);
    ones_[static_cast<std::size_t>(i)] = 1.0F;
    ones_[static_cast<std::size_t>(j)] = 1.0F;
    return n - static_cast<std::int64_t>(left);
  }

 private:
  SumOf sum_;
  std::vector<float> ones_;
};

// Pairs whose subtree is not the one of tree v1.
std::int64_t wrong_pairs(const SumOf& sum, std::int64_t n) {
  Probe probe(sum, n);
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = i + 1; j < n; ++j) {
      wrong += probe.subtree(i, j) != subtree_of(i, j, n);
    }
  }
  return wrong;
}

// FPRev's own choice for long arrays: one element against all others, for some of them.
std::int64_t wrong_pairs_of_some(const SumOf& sum, std::int64_t n) {
  Probe probe(sum, n);
  std::int64_t wrong = 0;
  for (std::int64_t i : {std::int64_t{0}, n / 3, n - 1}) {
    for (std::int64_t j = 0; j < n; ++j) {
      if (i != j) {
        wrong += probe.subtree(i, j) != subtree_of(std::min(i, j), std::max(i, j), n);
      }
    }
  }
  return wrong;
}

class TreeShape : public testing::TestWithParam<std::string> {
 protected:
  TreeShape() : reducer_(GetParam().c_str()) {}
  SumOf sum() {
    return [this](const float* x, std::int64_t n) { return reducer_.sum(isofold::array(x, n)); };
  }
  // One row among others: another walk, the same tree.
  SumOf sum_of_a_row() {
    return [this](const float* x, std::int64_t n) {
      float result = 0;
      reducer_.sum(isofold::rows(x, 1, n), &result);
      return result;
    };
  }
  isofold::Reducer reducer_;
};

TEST_P(TreeShape, AllPairsOfShortArrays) {
  for (std::int64_t n = 2; n <= 300; n += n < 70 ? 1 : n < 140 ? 7 : 40) {
    ASSERT_EQ(wrong_pairs(sum(), n), 0) << "n = " << n;
  }
  ASSERT_EQ(wrong_pairs(sum(), 300), 0);
  ASSERT_EQ(wrong_pairs(sum_of_a_row(), 130), 0);
}

TEST_P(TreeShape, SomePairsOfLongArrays) {
  for (std::int64_t n : {1000, 1024, 1025, 1500, 2048, 3000, 4096}) {
    ASSERT_EQ(wrong_pairs_of_some(sum(), n), 0) << "n = " << n;
    ASSERT_EQ(wrong_pairs_of_some(sum_of_a_row(), n), 0) << "n = " << n << ", as a row";
  }
}

INSTANTIATE_TEST_SUITE_P(Host, TreeShape, testing::ValuesIn(test_support::host_backends()),
                         test_support::name_of_parameter);

// The controls: other orders are told apart.
TEST(TreeShapeControl, ARunningSumIsToldApart) {
  const SumOf running = [](const float* x, std::int64_t n) {
    volatile float sum = x[0];
    for (std::int64_t i = 1; i < n; ++i) {
      sum = sum + x[i];
    }
    return sum;
  };
  EXPECT_EQ(wrong_pairs(running, 2), 0) << "two elements have one order";
  EXPECT_GT(wrong_pairs(running, 3), 0);
  EXPECT_GT(wrong_pairs(running, 100), 4000);
  EXPECT_GT(wrong_pairs_of_some(running, 2048), 4000);
}

// Pairing neighbours instead of halves gives the same sums of most data, and another tree.
TEST(TreeShapeControl, PairsOfNeighboursAreToldApart) {
  const SumOf neighbours = [](const float* x, std::int64_t n) {
    std::vector<float> level(x, x + n);
    while (level.size() > 1) {
      std::vector<float> next;
      for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
        next.push_back(level[i] + level[i + 1]);
      }
      if (level.size() % 2 != 0) {
        next.push_back(level.back());
      }
      level = next;
    }
    return level[0];
  };
  EXPECT_GT(wrong_pairs(neighbours, 64), 0);
}

}  // namespace
