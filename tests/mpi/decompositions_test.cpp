// One result for every decomposition: random fields are cut over the ranks at random, and each fold
// that a Team has is compared, bit for bit, with a Reducer's of the whole field. All results go
// into one hash, which the first rank prints: it is the same for every number of ranks.
//   decompositions_test [cases] [words of the first message, words of slots]
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <isofold/mpi.hpp>

#include "bits_of.hpp"
#include "decompositions.hpp"
#include "profile.hpp"

namespace {

using cut::Extents;
using isofold::exact;
using isofold::fuse;
using isofold::Reducer;
using isofold::mpi::Limits;
using isofold::mpi::part;
using isofold::mpi::request;
using isofold::mpi::scattered;
using isofold::mpi::Team;

enum Family { uniform, wide, tied, special, families };

// Elements of a family, from random bits.
template <class T>
struct Element {
  static T make(std::uint64_t bits, Family family) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(family == tied ? bits % 3 : bits);
    } else if constexpr (std::is_floating_point_v<T>) {
      const auto fraction = static_cast<T>(static_cast<double>(bits >> 11) / 9007199254740992.0);
      const T value = (bits & 1U) != 0 ? fraction : -fraction;
      using Of = std::numeric_limits<T>;
      switch (family) {
        case wide: return std::ldexp(value, static_cast<int>(bits >> 8 & 127U) - 64);
        case special:
          switch (bits >> 4 & 255U) {
            case 0: return Of::quiet_NaN();
            case 1: return Of::infinity();
            case 2: return Of::denorm_min();
            default: break;
          }
          [[fallthrough]];
        case tied:
          return static_cast<T>(static_cast<int>(bits >> 5 & 3U) - 1) * (value < 0 ? T{-1} : T{1});
        default: return value;
      }
    } else if constexpr (std::is_same_v<T, isofold::float16>) {
      auto half = static_cast<std::uint16_t>(bits);
      return {family == special ? half : static_cast<std::uint16_t>(half & 0xbfffU)};
    } else {
      using Part = typename T::value_type;
      return {Element<Part>::make(bits, family),
              Element<Part>::make(bits * 0x9e3779b97f4a7c15U + 7, family)};
    }
  }
};

template <class T>
std::vector<T> field(std::uint64_t seed, std::int64_t count, Family family) {
  cut::Random random(seed);
  std::vector<T> made(static_cast<std::size_t>(count));
  for (T& element : made) {
    element = Element<T>::make(random(), family);
  }
  return made;
}

struct Test {
  Team team{MPI_COMM_WORLD};
  Reducer reduce{"reference"};
  std::uint64_t hash = 14695981039346656037U;
  long compared = 0;
  long most_collectives = 0;
  bool is_right = true;

  explicit Test(const Limits& limits) : team(MPI_COMM_WORLD, limits) {}

  // Compares what a call of the Team returns, or throws, with the same of the Reducer.
  template <class Ours, class Whole>
  void compare(const char* what, Ours&& ours, Whole&& whole) {
    const long before = profile::counts.collectives;
    const std::string found = outcome(ours);
    const long collectives = profile::counts.collectives - before;
    most_collectives = std::max(most_collectives, collectives);
    const std::string wanted = outcome(whole);
    ++compared;
    for (const char byte : wanted) {
      hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
    }
    if (found != wanted) {
      is_right = false;
      std::fprintf(stderr,
                   "Rank %d of %d, %s: other bits, or another error, than the whole (%s, %s).\n",
                   team.rank(), team.size(), what, found.substr(0, 200).c_str(),
                   wanted.substr(0, 200).c_str());
    }
  }

 private:
  template <class Call>
  static std::string outcome(Call&& call) {
    try {
      return bits::of(call());
    } catch (const isofold::Error& error) {
      return std::string("error ") + std::to_string(static_cast<int>(error.code()));
    }
  }
};

namespace f = isofold;

// All folds of a type, of a view of this rank's elements and the whole array.
template <class T, class View, class Placed>
void compare_folds(Test& test, const char* cut, const std::vector<T>& x, const std::vector<T>& y,
                   const View& mine, const View& my_y, const Placed& placed) {
  Team& team = test.team;
  Reducer& r = test.reduce;
  const auto both = [&](const char* what, auto folds, auto&& view, auto&& whole) {
    const std::string name = std::string(what) + ", " + cut;
    test.compare(
        name.c_str(), [&] { return team.reduce(r, folds, view); },
        [&] { return r.reduce(folds, whole); });
  };
  using C = f::computed_t<T>;
  constexpr bool is_floating = std::is_floating_point_v<C>;
  constexpr bool is_complex = !std::is_arithmetic_v<C>;
  both("exact sum", f::sum, exact(mine), exact(f::array(x.data(), x.size())));
  const auto whole = f::array(x.data(), x.size());
  const auto whole_y = f::array(y.data(), y.size());
  if constexpr (is_complex) {
    both("norms", fuse(f::norm2, f::sum), exact(mine), exact(whole));
    both("absolute maximum", f::absolute_maximum, mine, whole);
  } else {
    both("extrema",
         fuse(f::minimum, f::maximum, f::minmax, f::count_nonzero, f::count_nan, f::any, f::all,
              f::none),
         mine, whole);
    both("locations", fuse(f::argmin, f::argmax, f::argmin_last, f::argmax_last, f::argminmax),
         placed, whole);
    both("argmin", f::argmin, placed, whole);
    if constexpr (std::is_arithmetic_v<T>) {
      test.compare(
          "count in range", [&] { return team.count_in_range(r, mine, 0, 1); },
          [&] { return r.count_in_range(whole, 0, 1); });
    }
  }
  if constexpr (is_floating) {
    both("exact",
         fuse(f::norm1, f::norm2, f::mean, f::variance, f::sample_variance, f::standard_deviation,
              f::sample_standard_deviation, f::moments),
         exact(mine), exact(whole));
    both("magnitudes", fuse(f::absolute_maximum, f::argabsmax), placed, whole);
    test.compare(
        "weighted sum", [&] { return team.weighted_sum(r, exact(mine), exact(my_y)); },
        [&] { return r.weighted_sum(exact(whole), exact(whole_y)); });
    // Many requests of both kinds in one message.
    test.compare(
        "many",
        [&] {
          return team.reduce(r, request(fuse(exact(f::sum), f::minimum, exact(f::norm2)), mine),
                             request(f::dot, exact(mine), exact(my_y)), request(f::argmax, placed));
        },
        [&] {
          return std::tuple(r.sum(exact(whole)), r.minimum(whole), r.norm2(exact(whole)),
                            r.dot(exact(whole), exact(whole_y)), r.argmax(whole));
        });
  }
  if constexpr (is_floating || is_complex) {
    test.compare(
        "dot", [&] { return team.dot(r, exact(mine), exact(my_y)); },
        [&] { return r.dot(exact(whole), exact(whole_y)); });
    test.compare(
        "squared distance", [&] { return team.squared_distance(r, exact(mine), exact(my_y)); },
        [&] { return r.squared_distance(exact(whole), exact(whole_y)); });
  }
  if constexpr (std::is_integral_v<C>) {
    both("integers", fuse(f::sum, f::bit_and, f::bit_or, f::bit_xor), mine, whole);
    both("exact mean", f::mean, exact(mine), exact(whole));
  }
}

// This rank's block with a layer of ghost cells of other values, as codes have it.
template <class T>
struct Haloed {
  std::vector<T> cells;
  Extents padded{};
  Haloed(const std::vector<T>& whole, const Extents& extents, const cut::Block& block) {
    for (std::size_t d = 0; d < 3; ++d) {
      padded[d] = block.extents[d] + 2;
    }
    cells.assign(static_cast<std::size_t>(padded[0] * padded[1] * padded[2]), whole.front());
    for (std::int64_t i = 0; i < block.extents[0]; ++i) {
      for (std::int64_t j = 0; j < block.extents[1]; ++j) {
        for (std::int64_t k = 0; k < block.extents[2]; ++k) {
          const std::int64_t global =
              ((block.offsets[0] + i) * extents[1] + block.offsets[1] + j) * extents[2] +
              block.offsets[2] + k;
          cells[static_cast<std::size_t>(((i + 1) * padded[1] + j + 1) * padded[2] + k + 1)] =
              whole[static_cast<std::size_t>(global)];
        }
      }
    }
  }
  // The block without its ghost cells, which may be empty: interior() leaves something.
  [[nodiscard]] isofold::Box<T> inner(const cut::Block& block) const {
    return isofold::box(cells.data() + (padded[1] + 1) * padded[2] + 1,
                        {block.extents[0], block.extents[1], block.extents[2]},
                        {padded[1] * padded[2], padded[2], std::int64_t{1}});
  }
};

template <class T>
void compare_type(Test& test, std::uint64_t seed) {
  cut::Random data(seed);
  const Extents n{1 + cut::below(data, 12), 1 + cut::below(data, 9), 1 + cut::below(data, 14)};
  const std::int64_t total = n[0] * n[1] * n[2];
  const auto family = static_cast<Family>(cut::below(data, families));
  const auto x = field<T>(data(), total, family);
  const auto y = field<T>(data(), total, family);
  cut::Random random(seed * 131 + static_cast<std::uint64_t>(test.team.size()));
  const int ranks = test.team.size();
  const auto me = static_cast<std::size_t>(test.team.rank());
  for (const bool slabs : {true, false}) {
    const cut::Block block = cut::blocks(random, n, ranks, slabs)[me];
    const Haloed<T> mine(x, n, block);
    const Haloed<T> my_y(y, n, block);
    const auto inner = mine.inner(block);
    compare_folds(
        test, slabs ? "slabs" : "blocks", x, y, inner, my_y.inner(block),
        part(inner, {n[0], n[1], n[2]}, {block.offsets[0], block.offsets[1], block.offsets[2]}));
  }
  for (const auto kind : {cut::Lists::morton, cut::Lists::scattered, cut::Lists::ascending}) {
    const std::vector<std::int64_t> list = cut::lists(random, n, ranks, kind)[me];
    std::vector<T> mine;
    std::vector<T> my_y;
    for (const std::int64_t index : list) {
      mine.push_back(x[static_cast<std::size_t>(index)]);
      my_y.push_back(y[static_cast<std::size_t>(index)]);
    }
    compare_folds(test, "list", x, y, f::array(mine.data(), mine.size()),
                  f::array(my_y.data(), my_y.size()), scattered(mine, list, total));
    // Once more by a gather from the whole array, as unstructured codes have it.
    const auto gathered = f::gather(x.data(), list.data(), list.size(), x.size());
    compare_folds(test, "gather", x, y, gathered,
                  f::gather(y.data(), list.data(), list.size(), y.size()),
                  scattered(gathered, list, total));
  }
}

// Masks, layers, NaNs left out: what a view may say besides.
void compare_views(Test& test, std::uint64_t seed) {
  cut::Random data(seed);
  const Extents n{3 + cut::below(data, 6), 3 + cut::below(data, 6), 3 + cut::below(data, 6)};
  const std::int64_t total = n[0] * n[1] * n[2];
  const auto x = field<double>(data(), total, special);
  std::vector<std::uint8_t> mask(x.size());
  for (auto& entry : mask) {
    entry = cut::below(data, 3) != 0 ? 1 : 0;
  }
  mask[mask.size() / 2] = 1;
  cut::Random random(seed * 17 + static_cast<std::uint64_t>(test.team.size()));
  const cut::Block b =
      cut::blocks(random, n, test.team.size(), false)[static_cast<std::size_t>(test.team.rank())];
  const Haloed<double> mine(x, n, b);
  std::vector<std::uint8_t> my_mask;
  for (std::int64_t i = b.offsets[0]; i < b.offsets[0] + b.extents[0]; ++i) {
    for (std::int64_t j = b.offsets[1]; j < b.offsets[1] + b.extents[1]; ++j) {
      for (std::int64_t k = b.offsets[2]; k < b.offsets[2] + b.extents[2]; ++k) {
        my_mask.push_back(mask[static_cast<std::size_t>((i * n[1] + j) * n[2] + k)]);
      }
    }
  }
  Reducer& r = test.reduce;
  const auto whole = f::box(x.data(), {n[0], n[1], n[2]});
  const auto inner = mine.inner(b);
  const auto global = [&](const auto& view, auto at) {  // a Reducer numbers the selected elements
    at.index = f::address_of(view, at.index) - x.data();
    return at;
  };
  const auto place = [&](const auto& view) {
    return part(view, {n[0], n[1], n[2]}, {b.offsets[0], b.offsets[1], b.offsets[2]});
  };
  const auto masked_whole = f::masked(whole, mask.data());
  const auto masked_mine = f::masked(inner, my_mask.data());
  test.compare(
      "masked", [&] { return test.team.sum(r, exact(masked_mine)); },
      [&] { return r.sum(exact(masked_whole)); });
  test.compare(
      "masked location", [&] { return test.team.argmin(r, place(masked_mine)); },
      [&] { return global(masked_whole, r.argmin(masked_whole)); });
  test.compare(
      "location without NaNs", [&] { return test.team.argmax(r, place(f::skip_nan(inner))); },
      [&] { return global(f::skip_nan(whole), r.argmax(f::skip_nan(whole))); });
  test.compare(
      "mean without NaNs", [&] { return test.team.mean(r, exact(f::skip_nan(inner))); },
      [&] { return r.mean(exact(f::skip_nan(whole))); });
  const auto planes = f::over(inner, {1, 2});
  const auto layered = f::mpi::layers(planes, b.offsets[0], n[0]);
  test.compare(
      "layers",
      [&] {
        return test.team.reduce(r, fuse(exact(f::sum), f::maximum, f::minimum, f::any), layered);
      },
      [&] {
        const auto all = f::over(whole, {1, 2});
        return std::tuple(r.sum(exact(all)), r.maximum(all), r.minimum(all), r.any(all));
      });
}

// Contiguous ranges of tree v1.
void compare_slices(Test& test, std::uint64_t seed) {
  cut::Random data(seed);
  const std::int64_t total = cut::below(data, 5000);
  const auto x = field<float>(data(), total, uniform);
  cut::Random random(seed + static_cast<std::uint64_t>(test.team.size()));
  const auto at = cut::cuts(random, total, test.team.size());
  const auto rank = static_cast<std::size_t>(test.team.rank());
  const std::int64_t count = at[rank + 1] - at[rank];
  const auto folds = fuse(f::sum, f::product, f::argmin, f::log_sum_exp);
  test.compare(
      "slices",
      [&] {
        return test.team.slice(at[rank], count, total)
            .reduce(test.reduce, folds, f::array(x.data() + at[rank], count));
      },
      [&] {
        std::tuple<float, float, f::Location<float>, float> results;
        if (total == 0) {  // a Forest of nothing has values
          test.reduce.reduce(folds, f::rows(x.data(), 1, 0), &std::get<0>(results),
                             &std::get<1>(results), &std::get<2>(results), &std::get<3>(results));
          return results;
        }
        return test.reduce.reduce(folds, x);
      });
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool is_right = false;
  {
    Limits limits;
    if (argc > 3) {
      limits.first_words = std::atoll(argv[2]);
      limits.slot_words = std::atoll(argv[3]);
    }
    Test test(limits);
    const long cases = argc > 1 ? std::atol(argv[1]) : 1;
    for (long i = 0; i < cases; ++i) {
      const auto seed = static_cast<std::uint64_t>(i) * 1000003U + 1;
      compare_type<float>(test, seed);
      compare_type<double>(test, seed + 1);
      compare_type<std::int32_t>(test, seed + 2);
      compare_type<std::uint64_t>(test, seed + 3);
      compare_type<std::int8_t>(test, seed + 4);
      compare_type<std::complex<float>>(test, seed + 5);
      compare_type<std::complex<double>>(test, seed + 6);
      compare_type<isofold::float16>(test, seed + 7);
      compare_views(test, seed + 8);
      compare_slices(test, seed + 9);
    }
    const long most = argc > 3 ? 4 : 2;
    if (test.most_collectives > most) {
      std::fprintf(stderr, "A call took %ld collectives; it may take %ld.\n", test.most_collectives,
                   most);
      test.is_right = false;
    }
    int right = test.is_right ? 1 : 0;
    PMPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    is_right = right == 1;
    if (test.team.rank() == 0) {
      std::printf("%ld results, hash %016llx\n", test.compared,
                  static_cast<unsigned long long>(test.hash));
    }
  }
  MPI_Finalize();
  return is_right ? 0 : 1;
}
