// Probes: rows of ones with a pair planted in each, and the meaning of their sums.
#include "tree_probe.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <utility>

#include <isofold/error.hpp>

namespace isofold::conformance {
namespace {

// A batch has about this many elements, 8 MiB of f64, which an allocator keeps at hand; and a few
// rows, or it would be no batch.
constexpr std::int64_t batch_elements = std::int64_t{1} << 20;
constexpr std::int64_t least_rows = 3;

// Half a unit in the last place just below M is 2^(exponent - digits - 1), and n must be below it.
template <class T>
constexpr int exponent_of_mask = std::is_same_v<T, float> ? 60 : 100;
template <class T>
constexpr int digits_of = std::is_same_v<T, float> ? 24 : 53;
template <class T>
constexpr bool absorbs_everything =
    most_probed_elements < std::int64_t{1} << (exponent_of_mask<T> - digits_of<T> - 1) &&
    most_probed_elements < std::int64_t{1} << digits_of<T>;
static_assert(absorbs_everything<float> && absorbs_everything<double>,
              "A probe must lose every one that meets M, and no other.");

template <class T>
constexpr T mask_value() {
  T value = 1;
  for (int i = 0; i < exponent_of_mask<T>; ++i) {
    value *= 2;
  }
  return value;
}

template <class T>
std::int64_t size_of_subtree(T sum, std::int64_t n) {
  if (!(sum >= 0 && sum <= static_cast<T>(n))) {
    return no_size;
  }
  const auto whole = static_cast<std::int64_t>(sum);
  return static_cast<T>(whole) < sum ? no_size : n - whole;
}

// The sums of `rows` rows of n elements, one after the other.
template <class T>
using SumsOfRows =
    std::function<std::vector<T>(const std::vector<T>& data, std::int64_t rows, std::int64_t n)>;

template <class T>
void plant(std::vector<T>& data, std::int64_t row, std::int64_t n, Pair pair, T plus, T minus) {
  data[static_cast<std::size_t>(row * n + pair.plus)] = plus;
  data[static_cast<std::size_t>(row * n + pair.minus)] = minus;
}

template <class T>
std::vector<std::int64_t> sizes_of_pairs(const SumsOfRows<T>& sums_of, std::int64_t n,
                                         const std::vector<Pair>& pairs) {
  if (n < 2 || n > most_probed_elements) {
    throw Error(Code::invalid_argument, "A sum of " + std::to_string(n) +
                                            " elements cannot be probed: give 2 to " +
                                            std::to_string(most_probed_elements) + ".");
  }
  const auto all = static_cast<std::int64_t>(pairs.size());
  const std::int64_t most_rows = std::max(least_rows, batch_elements / n);
  std::vector<T> data(static_cast<std::size_t>(std::min(all, most_rows) * n), T{1});
  std::vector<std::int64_t> sizes;
  for (std::int64_t first = 0; first < all; first += most_rows) {
    const std::int64_t rows = std::min(most_rows, all - first);
    const Pair* batch = pairs.data() + first;
    for (std::int64_t row = 0; row < rows; ++row) {
      plant(data, row, n, batch[row], mask_value<T>(), -mask_value<T>());
    }
    for (const T sum : sums_of(data, rows, n)) {
      sizes.push_back(size_of_subtree(sum, n));
    }
    for (std::int64_t row = 0; row < rows; ++row) {
      plant(data, row, n, batch[row], T{1}, T{1});
    }
  }
  return sizes;
}

template <class T>
SubtreeSizes probe_of(SumsOfRows<T> sums_of) {
  return [sums_of = std::move(sums_of)](std::int64_t n, const std::vector<Pair>& pairs) {
    return sizes_of_pairs<T>(sums_of, n, pairs);
  };
}

template <class T>
SubtreeSizes probe_of_function(std::function<T(const T*, std::int64_t)> sum) {
  return probe_of<T>(
      [sum = std::move(sum)](const std::vector<T>& data, std::int64_t rows, std::int64_t n) {
        std::vector<T> sums;
        for (std::int64_t row = 0; row < rows; ++row) {
          sums.push_back(sum(data.data() + row * n, n));
        }
        return sums;
      });
}

isofold_request sum_request(std::int32_t type, std::int32_t shape, std::int64_t rows,
                            std::int64_t n, const void* data, void* result) {
  isofold_request request{};
  request.size = sizeof request;
  request.definition = ISOFOLD_DEFINITION_tree_v1;
  request.fold = ISOFOLD_FOLD_sum;
  request.type = type;
  request.shape = shape;
  request.data = data;
  request.rows = rows;
  request.length = n;
  request.stride = n;
  request.result = result;
  return request;
}

void check_call(Target& target, std::int32_t code) {
  if (code != ISOFOLD_ok) {
    throw Error(static_cast<Code>(code), target.last_error());
  }
}

// The data lie in memory that the target reads; every call is in flight before the one wait.
template <class T>
std::vector<T> sums_by_target(Target& target, std::int32_t type, ProbedShape shape,
                              const std::vector<T>& data, std::int64_t rows, std::int64_t n) {
  const Placed<T> placed(target, data.data(), static_cast<std::size_t>(rows * n));
  const Placed<T> sums(target, std::vector<T>(static_cast<std::size_t>(rows), T{-1}));
  if (!placed.has_memory() || !sums.has_memory()) {
    throw Error(Code::out_of_memory, "There is no memory for " + std::to_string(rows * n) +
                                         " elements where " + target.name() + " reads.");
  }
  if (shape == ProbedShape::rows) {
    check_call(target, target.reduce(sum_request(type, ISOFOLD_SHAPE_rows, rows, n, placed.data(),
                                                 sums.data())));
  } else {
    for (std::int64_t row = 0; row < rows; ++row) {
      check_call(target, target.reduce(sum_request(type, ISOFOLD_SHAPE_array, 1, n,
                                                   placed.data() + row * n, sums.data() + row)));
    }
  }
  check_call(target, target.synchronize());
  return sums.to_host();
}

template <class T>
SubtreeSizes probe_of_target(Target& target, std::int32_t type, ProbedShape shape) {
  return probe_of<T>(
      [&target, type, shape](const std::vector<T>& data, std::int64_t rows, std::int64_t n) {
        return sums_by_target<T>(target, type, shape, data, rows, n);
      });
}

using Elements = std::vector<std::int64_t>;

// All elements of a set but its first, in groups that have one size with it.
std::map<std::int64_t, Elements> groups_of(const Elements& set, const std::int64_t* sizes) {
  std::map<std::int64_t, Elements> groups;
  for (std::size_t i = 1; i < set.size(); ++i) {
    groups[sizes[i - 1]].push_back(set[i]);
  }
  return groups;
}

void tell_all(const SubtreeSizes& sizes, std::int64_t n, const std::vector<Pair>& pairs,
              const TellSize& tell) {
  const std::vector<std::int64_t> found = sizes(n, pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    tell(pairs[i], found[i]);
  }
}

}  // namespace

SubtreeSizes probe_function(std::function<float(const float*, std::int64_t)> sum) {
  return probe_of_function<float>(std::move(sum));
}
SubtreeSizes probe_function(std::function<double(const double*, std::int64_t)> sum) {
  return probe_of_function<double>(std::move(sum));
}

SubtreeSizes probe_target(Target& target, std::int32_t type, ProbedShape shape) {
  return type == ISOFOLD_TYPE_f32 ? probe_of_target<float>(target, type, shape)
                                  : probe_of_target<double>(target, type, shape);
}

void probe_all_pairs(const SubtreeSizes& sizes, std::int64_t n, const TellSize& tell) {
  std::vector<Pair> pairs;
  for (std::int64_t plus = 0; plus < n; ++plus) {
    for (std::int64_t minus = plus + 1; minus < n; ++minus) {
      pairs.push_back({plus, minus});
    }
  }
  tell_all(sizes, n, pairs, tell);
}

void probe_some_pairs(const SubtreeSizes& sizes, std::int64_t n, std::int64_t pairs,
                      std::uint64_t seed, const TellSize& tell) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::int64_t end) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
  };
  std::vector<Pair> chosen;
  for (std::int64_t reach = 2; static_cast<std::int64_t>(chosen.size()) < pairs; reach *= 2) {
    if (reach >= n) {
      reach = 2;
    }
    const std::int64_t distance = 1 + below(reach);
    const std::int64_t one = below(n);
    const std::int64_t other = one >= distance ? one - distance : one + distance;
    if (other < n) {
      chosen.push_back({one, other});
    }
  }
  tell_all(sizes, n, chosen, tell);
}

void probe_for_recovery(const SubtreeSizes& sizes, std::int64_t n, const TellSize& tell) {
  Elements all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  std::vector<Elements> sets{all};
  while (!sets.empty()) {  // all sets of one depth in one batch
    std::vector<Pair> pairs;
    for (const Elements& set : sets) {
      for (std::size_t i = 1; i < set.size(); ++i) {
        pairs.push_back({set.front(), set[i]});
      }
    }
    const std::vector<std::int64_t> found = sizes(n, pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      tell(pairs[i], found[i]);
    }
    std::vector<Elements> next;
    const std::int64_t* sizes_of_set = found.data();
    for (const Elements& set : sets) {
      for (auto& [size, group] : groups_of(set, sizes_of_set)) {
        if (group.size() > 1) {
          next.push_back(group);
        }
      }
      sizes_of_set += set.size() - 1;
    }
    sets = std::move(next);
  }
}

}  // namespace isofold::conformance
