// Every public header in one file, under the standard library's headers and both namespaces: it
// compiles in each standard, and the names that both have are those that README.md lists.
#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <complex>
#include <deque>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <initializer_list>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <ratio>
#include <regex>
#include <set>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>
#if __cplusplus > 201703L
#include <barrier>
#include <bit>
#include <compare>
#include <concepts>
#include <coroutine>
#include <latch>
#include <numbers>
#include <ranges>
#include <semaphore>
#include <source_location>
#include <span>
#endif

#include <isofold/fingerprint.hpp>
#include <isofold/fold_of.hpp>
#include <isofold/folds.hpp>
#include <isofold/isofold.hpp>
#include <isofold/transform_reduce.hpp>

using namespace std;      // NOLINT: the subject of this test
using namespace isofold;  // NOLINT

// Names that one namespace alone has, as they are found from outside.
namespace found {
using ::absolute_maximum;
using ::accumulator_of;
using ::address_of;
using ::all;
using ::AnyInteger;
using ::AnyResult;
using ::argabsmax;
using ::argmax;
using ::argmax_last;
using ::argmin;
using ::argmin_last;
using ::argminmax;
using ::Array;
using ::ArrayRequest;
using ::Axes;
using ::Backend;
using ::backend_names;
using ::Batch;
using ::batch;
using ::bfloat16;
using ::Bounded;
using ::Box;
using ::box;
using ::Buffer;
using ::check;
using ::Code;
using ::computed_t;
using ::ComputedAs;
using ::count_in_range;
using ::count_nan;
using ::count_nonzero;
using ::Counted;
using ::counted;
using ::describe;
using ::dot;
using ::dot_with_bound;
using ::element_number;
using ::Error;
using ::Extent;
using ::find_fold;
using ::Fingerprint;
using ::float16;
using ::Fold;
using ::fold_named;
using ::fold_names;
using ::fold_of;
using ::FoldTag;
using ::Forest;
using ::fuse;
using ::Fused;
using ::Gather;
using ::gather;
using ::Guarantee;
using ::IndexRange;
using ::interior;
using ::is_any_integer;
using ::is_available;
using ::is_element;
using ::is_pair;
using ::is_view;
using ::Joined;
using ::joined;
using ::LayoutRequest;
using ::Location;
using ::Locations;
using ::log_sum_exp;
using ::Mask;
using ::masked;
using ::masked_by_bits;
using ::MaskedBox;
using ::maximum;
using ::mean;
using ::mean_with_bound;
using ::minimum;
using ::Moments;
using ::moments;
using ::name_of;
using ::none;
using ::norm1;
using ::norm2;
using ::Number;
using ::Options;
using ::over;
using ::product;
using ::real_t;
using ::RealOf;
using ::Reducer;
using ::Result;
using ::result_t;
using ::Rows;
using ::rows;
using ::sample_standard_deviation;
using ::sample_variance;
using ::Segments;
using ::segments;
using ::skip_nan;
using ::SkipNan;
using ::softmax_statistics;
using ::SoftmaxStatistics;
using ::squared_distance;
using ::standard_deviation;
using ::sum;
using ::sum_with_bound;
using ::takes;
using ::transform_reduce;
using ::Type;
using ::type_of;
using ::TypeOf;
using ::unravel_index;
using ::variance;
using ::ViewPair;
using ::weighted_sum;
using ::WeightedSum;
using ::wide_integer_t;
using ::Widened;
using ::widened;
}  // namespace found

int main() {
  const vector<float> x{1, 2, 3, 4, 5, 6};
  Reducer reduce;
  const auto field = box(x.data(), {2, 3});
  double all_of_them = reduce.sum(x) + reduce.sum(field) + reduce.sum(Array{x.data(), 6});
  const vector<float> sums = reduce.sum(over(field, {0}));
  const auto [total, least] = reduce.reduce(fuse(sum, minimum), rows(x.data(), 2, 3));
  const auto [y, z] = unravel_index<2>(reduce.argmax(field).index, field);
  // Names that both have: the qualified ones, and the members of a Reducer, of which none is in
  // doubt.
  all_of_them += reduce.sum(isofold::array(x.data(), 6)) +
                 reduce.sum(isofold::slice(field, 0, 0, 1)) + reduce.minmax(x).maximum;
  const bool some = reduce.any(x) && get<0>(reduce.reduce(fuse(isofold::any), x));
  const auto bits = reduce.bit_or(vector<uint32_t>{1, 2});
  const auto mapped = transform_reduce(
      6, [&](int64_t i) { return x[static_cast<size_t>(i)]; }, core::Sum<float>{});
  return some && all_of_them + mapped > 0 && sums.size() + total.size() + least.size() == 7 &&
                 y + z + bits == 6
             ? 0
             : 1;
}
