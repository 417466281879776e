// Calls of a Reducer that must be refused in one sentence at compile time, one for each number of
// ISOFOLD_WRONG; 0 is right. (CMakeLists.txt says which sentence.)
#include <array>
#include <complex>
#include <list>
#include <string>
#include <vector>

#include <isofold/isofold.hpp>

namespace {

[[maybe_unused]] isofold::Reducer reduce;
[[maybe_unused]] const std::vector<std::string> words{"one", "two"};
[[maybe_unused]] const std::vector<std::int32_t> numbers{1, 2, 3, 4};
[[maybe_unused]] const std::vector<float> reals{1, 2, 3, 4};
[[maybe_unused]] const std::vector<double> doubles{1, 2, 3};
[[maybe_unused]] const std::vector<std::uint8_t> bytes{1, 0, 1, 1};
[[maybe_unused]] std::vector<float> made() { return reals; }

}  // namespace

int main() {
#if ISOFOLD_WRONG == 0
  // A temporary container that lives until the result is there, and views that are temporary.
  static_cast<void>(isofold::array(isofold::array(reals).data, 4));
  const auto kept = isofold::exact(isofold::skip_nan(made()));
  return reduce.sum(numbers) == 10 && reduce.sum(made()) == 10 && reduce.sum(kept) == 10 ? 0 : 1;
// Elements that isofold does not have, in containers and in other views.
#elif ISOFOLD_WRONG == 1
  return reduce.sum(words).empty() ? 0 : 1;
#elif ISOFOLD_WRONG == 2
  std::string out;
  reduce.minimum(words, &out);
#elif ISOFOLD_WRONG == 3
  static_cast<void>(reduce.dot(words, words));
#elif ISOFOLD_WRONG == 4
  static_cast<void>(reduce.reduce(isofold::fuse(isofold::sum, isofold::mean), words));
#elif ISOFOLD_WRONG == 5
  static_cast<void>(reduce.count_in_range(words, 1, 2));
#elif ISOFOLD_WRONG == 6
  static_cast<void>(reduce.fold("sum", words));
#elif ISOFOLD_WRONG == 7
  static_cast<void>(reduce.sum(over(isofold::box(words.data(), {1, 2}), {0})));
#elif ISOFOLD_WRONG == 8
  static_cast<void>(reduce.argmax(std::vector<long double>(3)));
#elif ISOFOLD_WRONG == 9
  static_cast<void>(reduce.sum(std::vector<const float*>(3)));
#elif ISOFOLD_WRONG == 10
  static_cast<void>(reduce.sum(std::vector<std::vector<double>>(3)));
#elif ISOFOLD_WRONG == 11
  return reduce.supports(isofold::sum, words) ? 0 : 1;
#elif ISOFOLD_WRONG == 12
  const isofold::Forest<isofold::Fold::sum, std::string> forest(3);
#elif ISOFOLD_WRONG == 13
  const void* const memory = reals.data();
  static_cast<void>(reduce.sum(isofold::array(memory, 3)));
// Folds of integers that are folds of floating point, and the reverse.
#elif ISOFOLD_WRONG == 20
  static_cast<void>(reduce.mean(numbers));
#elif ISOFOLD_WRONG == 21
  std::int32_t out = 0;
  reduce.dot(numbers, numbers, &out);
#elif ISOFOLD_WRONG == 22
  static_cast<void>(reduce.reduce(isofold::fuse(isofold::sum, isofold::norm2), numbers));
#elif ISOFOLD_WRONG == 23
  static_cast<void>(reduce.variance(over(isofold::box(numbers.data(), {2, 2}), {0})));
#elif ISOFOLD_WRONG == 24
  static_cast<void>(reduce.log_sum_exp(isofold::array(numbers.data(), 4)));
#elif ISOFOLD_WRONG == 25
  static_cast<void>(reduce.bit_xor(reals));
#elif ISOFOLD_WRONG == 26
  static_cast<void>(reduce.argmin(std::vector<std::complex<double>>(3)));
#elif ISOFOLD_WRONG == 27
  static_cast<void>(reduce.count_in_range(std::vector<std::complex<double>>(3), 1, 2));
// Lists in braces, which no view can point to, and extents without them.
#elif ISOFOLD_WRONG == 100
  static_cast<void>(reduce.sum(isofold::segments(reals, {0, 2, 4})));
#elif ISOFOLD_WRONG == 101
  static_cast<void>(reduce.sum(isofold::gather(reals, {0, 2})));
#elif ISOFOLD_WRONG == 102
  static_cast<void>(reduce.sum(isofold::counted(reals, {3})));
#elif ISOFOLD_WRONG == 103
  static_cast<void>(reduce.sum(isofold::masked(reals, {1, 0, 1, 1})));
#elif ISOFOLD_WRONG == 104
  static_cast<void>(reduce.sum(isofold::box(reals, 2, 2)));
#elif ISOFOLD_WRONG == 105
  static_cast<void>(reduce.sum(isofold::box(reals.data(), 4)));
#elif ISOFOLD_WRONG == 106
  static_cast<void>(reduce.sum(isofold::rows(reals, 4)));
#elif ISOFOLD_WRONG == 107
  static_cast<void>(reduce.sum(isofold::masked_by_bits(reals, reals)));
#elif ISOFOLD_WRONG == 108
  static_cast<void>(reduce.sum(isofold::counted(reals, 3)));
#elif ISOFOLD_WRONG == 109
  static_cast<void>(reduce.sum(isofold::segments(reals, reals)));
#elif ISOFOLD_WRONG == 110
  static_cast<void>(reduce.sum(isofold::slice(reals, 0, 0, 2)));
// These are no view, and these two views are no pair.
#elif ISOFOLD_WRONG == 30
  static_cast<void>(reduce.sum(std::vector<bool>(3)));
#elif ISOFOLD_WRONG == 31
  static_cast<void>(reduce.sum(std::list<float>(3)));
#elif ISOFOLD_WRONG == 32
  static_cast<void>(reduce.sum(reals.data()));
#elif ISOFOLD_WRONG == 33
  static_cast<void>(reduce.fold("sum", 3.0));
#elif ISOFOLD_WRONG == 35
  static_cast<void>(reduce.sum(isofold::skip_nan(std::vector<bool>(3))));
#elif ISOFOLD_WRONG == 36
  static_cast<void>(reduce.sum(isofold::exact(std::list<float>(3))));
#elif ISOFOLD_WRONG == 37
  static_cast<void>(isofold::address_of(reals.data(), 3));
#elif ISOFOLD_WRONG == 40
  static_cast<void>(reduce.dot(numbers, reals));
#elif ISOFOLD_WRONG == 41
  static_cast<void>(reduce.dot(reals, isofold::rows(reals.data(), 2, 2)));
// Calls with something behind the view that no fold takes.
#elif ISOFOLD_WRONG == 60
  static_cast<void>(reduce.sum(reals.data(), 4));
#elif ISOFOLD_WRONG == 61
  static_cast<void>(reduce.sum(reals.begin(), reals.end()));
#elif ISOFOLD_WRONG == 62
  static_cast<void>(reduce.sum(isofold::box(reals, {2, 2}), 0));
#elif ISOFOLD_WRONG == 63
  double out = 0;
  static_cast<void>(reduce.sum(reals, &out));
#elif ISOFOLD_WRONG == 64
  static_cast<void>(reduce.sum(reals, numbers));
#elif ISOFOLD_WRONG == 65
  static_cast<void>(reduce.variance(reals, 1));
// Folds without the arguments that they take beside a view.
#elif ISOFOLD_WRONG == 66
  static_cast<void>(reduce.dot(reals));
#elif ISOFOLD_WRONG == 67
  static_cast<void>(reduce.count_in_range(reals));
// Masks that have no bytes.
#elif ISOFOLD_WRONG == 70
  static_cast<void>(reduce.sum(isofold::masked(reals, std::vector<bool>(4))));
#elif ISOFOLD_WRONG == 71
  static_cast<void>(reduce.sum(isofold::masked(reals, numbers)));
#elif ISOFOLD_WRONG == 34
  volatile float cells[3] = {};
  static_cast<void>(reduce.sum(cells));
// These views take no mask, or these masks are none.
#elif ISOFOLD_WRONG == 72
  static_cast<void>(isofold::masked(isofold::rows(reals, 2, 2), bytes));
#elif ISOFOLD_WRONG == 73
  static_cast<void>(isofold::masked(reals, [](float x) { return x > 0; }));
#elif ISOFOLD_WRONG == 74
  static_cast<void>(isofold::masked(isofold::skip_nan(reals), bytes));
// These views have no dimensions to reduce or to cut.
#elif ISOFOLD_WRONG == 76
  static_cast<void>(reduce.sum(isofold::over(reals, {0})));
#elif ISOFOLD_WRONG == 77
  static_cast<void>(reduce.sum(over(isofold::skip_nan(isofold::box(reals, {2, 2})), -1)));
#elif ISOFOLD_WRONG == 78
  static_cast<void>(reduce.sum(interior(over(isofold::box(reals, {2, 2}), {0}), 0)));
#elif ISOFOLD_WRONG == 79
  static_cast<void>(reduce.sum(isofold::interior(reals, {1})));
// Elements that have no wider type, and views that are widened further inside.
#elif ISOFOLD_WRONG == 80
  static_cast<void>(reduce.sum(isofold::widened(numbers)));
#elif ISOFOLD_WRONG == 81
  static_cast<void>(reduce.mean(isofold::widened(isofold::box(numbers, {2, 2}))));
#elif ISOFOLD_WRONG == 82
  static_cast<void>(reduce.norm2(isofold::widened(doubles)));
#elif ISOFOLD_WRONG == 83
  static_cast<void>(reduce.sum(over(isofold::widened(isofold::box(numbers, {2, 2})), {0})));
#elif ISOFOLD_WRONG == 84
  static_cast<void>(reduce.sum(isofold::widened(isofold::widened(reals))));
#elif ISOFOLD_WRONG == 85
  const std::vector<isofold::float16> halves(3);
  static_cast<void>(reduce.sum(isofold::widened(halves)));
#elif ISOFOLD_WRONG == 86
  static_cast<void>(reduce.sum(isofold::widened(isofold::skip_nan(reals))));
// Locations in views that have no extents.
#elif ISOFOLD_WRONG == 90
  static_cast<void>(isofold::unravel_index(1, isofold::rows(reals, 2, 2)));
#elif ISOFOLD_WRONG == 91
  static_cast<void>(
      isofold::unravel_index<2>(1, isofold::packed_index(isofold::box(reals, {2, 2}))));
#elif ISOFOLD_WRONG == 92
  static_cast<void>(isofold::unravel_index(1, reals.data()));
#elif ISOFOLD_WRONG == 93
  static_cast<void>(isofold::unravel_index(1, reals));
#elif ISOFOLD_WRONG == 94
  static_cast<void>(isofold::unravel_index(1, over(isofold::box(reals, {2, 2}), {0})));
#elif ISOFOLD_WRONG == 95
  static_cast<void>(isofold::unravel_index(1, 2, isofold::box(reals, {2, 2})));
// Braces whose elements have no type in common.
#elif ISOFOLD_WRONG == 120
  return reduce.sum({1.5, 2}) > 0;
#elif ISOFOLD_WRONG == 121
  static_cast<void>(reduce.maximum({}));
#elif ISOFOLD_WRONG == 122
  static_cast<void>(reduce.dot({1.5, 2.5}, {1, 2}));
#elif ISOFOLD_WRONG == 123
  static_cast<void>(reduce.sum({reals.data(), reals.size()}));
// Views of containers that end before them.
#elif ISOFOLD_WRONG == 130
  const auto view = isofold::array(made());
#elif ISOFOLD_WRONG == 132
  const auto view = isofold::box(made(), {2, 2});
#elif ISOFOLD_WRONG == 133
  const auto view = isofold::box(std::vector<std::array<double, 3>>(2));
#elif ISOFOLD_WRONG == 134
  const auto view = isofold::masked(made(), bytes);
#elif ISOFOLD_WRONG == 135
  const auto view = isofold::masked(reals, std::vector<std::uint8_t>(4));
#elif ISOFOLD_WRONG == 136
  const auto view = isofold::segments(reals, std::vector<int>{0, 2, 4});
#elif ISOFOLD_WRONG == 137
  const auto view = isofold::gather(made(), numbers);
#elif ISOFOLD_WRONG == 138
  const auto view = isofold::widened(made());
#elif ISOFOLD_WRONG == 143
  const auto view = isofold::masked_by_bits(reals, std::vector<std::uint8_t>(1));
#elif ISOFOLD_WRONG == 145
  const auto view = isofold::segments(reals, numbers, std::vector<int>{1, 2});
// Numbers that are no integers.
#elif ISOFOLD_WRONG == 150
  static_cast<void>(reduce.sum(isofold::box(reals, {1.5, 2})));
#elif ISOFOLD_WRONG == 151
  static_cast<void>(reduce.sum(isofold::array(reals.data(), 2.5)));
#elif ISOFOLD_WRONG == 152
  static_cast<void>(reduce.sum(over(isofold::box(reals, {2, 2}), {0.5})));
#elif ISOFOLD_WRONG == 153
  static_cast<void>(reduce.sum(over(isofold::box(reals, {2, 2}), 0.5)));
#elif ISOFOLD_WRONG == 154
  static_cast<void>(reduce.sum(interior(isofold::box(reals, {2, 2}), 0.5)));
// Arrays and boxes without their sizes, and containers with one too many.
#elif ISOFOLD_WRONG == 160
  static_cast<void>(reduce.sum(isofold::array(reals.data())));
#elif ISOFOLD_WRONG == 161
  static_cast<void>(reduce.sum(isofold::array(reals, 2)));
#elif ISOFOLD_WRONG == 162
  static_cast<void>(reduce.sum(isofold::box(reals)));
#elif ISOFOLD_WRONG == 163
  static_cast<void>(reduce.sum(isofold::box(reals, {2, 2}, {2, 1})));
// Calls of nothing, of things in another order, and of a Reducer that is const.
#elif ISOFOLD_WRONG == 170
  static_cast<void>(reduce.sum());
#elif ISOFOLD_WRONG == 171
  const isofold::Reducer fixed;
  static_cast<void>(fixed.dot(reals, reals));
#elif ISOFOLD_WRONG == 172
  static_cast<void>(reduce.reduce(isofold::sum));
#elif ISOFOLD_WRONG == 173
  static_cast<void>(reduce.reduce("sum", reals));
#elif ISOFOLD_WRONG == 174
  static_cast<void>(reduce.fold(reals, "sum"));
// Too few, too many and other arguments.
#elif ISOFOLD_WRONG == 200
  static_cast<void>(reduce.sum(isofold::masked(reals)));
#elif ISOFOLD_WRONG == 201
  static_cast<void>(reduce.sum(over(isofold::masked(reals, bytes, 4), {0})));
#elif ISOFOLD_WRONG == 202
  static_cast<void>(isofold::masked_by_bits(reals.data(), bytes.data()));
#elif ISOFOLD_WRONG == 203
  static_cast<void>(isofold::widened(reals.data(), 4));
#elif ISOFOLD_WRONG == 204
  static_cast<void>(reduce.sum(isofold::array(reals.begin(), reals.end())));
#elif ISOFOLD_WRONG == 205
  static_cast<void>(isofold::array({1.0, 2.0}));
#elif ISOFOLD_WRONG == 206
  static_cast<void>(reduce.sum(isofold::rows(reals)));
#elif ISOFOLD_WRONG == 215
  static_cast<void>(reduce.sum(isofold::rows<float>(reals, 2)));
#elif ISOFOLD_WRONG == 207
  static_cast<void>(reduce.sum(isofold::rows(reals.data(), {2, 2})));
#elif ISOFOLD_WRONG == 208
  static_cast<void>(reduce.sum(over(isofold::box(reals, {2, 2}))));
#elif ISOFOLD_WRONG == 209
  static_cast<void>(reduce.sum(over(isofold::box(reals, {2, 2}), "0")));
#elif ISOFOLD_WRONG == 210
  static_cast<void>(interior(isofold::box(reals, {2, 2})));
#elif ISOFOLD_WRONG == 211
  static_cast<void>(interior(isofold::box(reals, {2, 2}), 1, 1));
#elif ISOFOLD_WRONG == 212
  static_cast<void>(slice(isofold::box(reals, {2, 2}), 0, 1));
#elif ISOFOLD_WRONG == 213
  static_cast<void>(isofold::box(reals, doubles));
#elif ISOFOLD_WRONG == 214
  static_cast<void>(isofold::box(std::list<float>(4), {2, 2}));
#elif ISOFOLD_WRONG == 217
  static_cast<void>(reduce.sum(isofold::segments(reals)));
#elif ISOFOLD_WRONG == 218
  static_cast<void>(reduce.sum(isofold::segments(reals.data(), numbers.data())));
#elif ISOFOLD_WRONG == 219
  static_cast<void>(reduce.sum(isofold::segments(reals, words)));
#elif ISOFOLD_WRONG == 220
  static_cast<void>(reduce.sum(isofold::gather(reals.data(), numbers)));
#elif ISOFOLD_WRONG == 221
  static_cast<void>(reduce.sum(isofold::counted(isofold::rows(reals, 2, 2), doubles)));
#elif ISOFOLD_WRONG == 222
  static_cast<void>(reduce.sum(isofold::segments(reals.data(), words.data(), 1)));
#elif ISOFOLD_WRONG == 223
  static_cast<void>(reduce.sum(isofold::batch(std::vector<std::vector<float>>(3))));
#elif ISOFOLD_WRONG == 224
  static_cast<void>(isofold::batch(reals.data(), numbers.data(), 3));
#elif ISOFOLD_WRONG == 225
  static_cast<void>(reduce.sum(isofold::joined(isofold::rows(reals, 2, 2))));
#elif ISOFOLD_WRONG == 226
  static_cast<void>(reduce.sum(isofold::skip_nan(reals.data(), 4)));
#elif ISOFOLD_WRONG == 227
  static_cast<void>(reduce.sum(isofold::exact({1.0, 2.0})));
#elif ISOFOLD_WRONG == 228
  static_cast<void>(isofold::address_of(reals, reduce.argmax(reals)));
#elif ISOFOLD_WRONG == 229
  static_cast<void>(isofold::unravel_index(reduce.argmax(reals), reals));
#elif ISOFOLD_WRONG == 230
  static_cast<void>(isofold::unravel_index<2>(isofold::box(reals, {2, 2})));
#elif ISOFOLD_WRONG == 240
  static_cast<void>(reduce.sum(reals, {0}));
#elif ISOFOLD_WRONG == 241
  static_cast<void>(reduce.reduce(isofold::sum, reals, 0));
#elif ISOFOLD_WRONG == 242
  static_cast<void>(reduce.reduce(isofold::sum, reals, reals));
#elif ISOFOLD_WRONG == 243
  static_cast<void>(reduce.reduce(isofold::sum, {1.0, 2.0}));
#elif ISOFOLD_WRONG == 244
  static_cast<void>(reduce.fold("sum", reals.data(), 4));
#elif ISOFOLD_WRONG == 245
  const std::vector<float> sums = reduce.sum(isofold::rows(reals, 2, 2), 0);
#elif ISOFOLD_WRONG == 246
  static_cast<void>(reduce.count_in_range(reals, {1, 2}));
#elif ISOFOLD_WRONG == 247
  static_cast<void>(reduce.count_in_range(reals, 1, 2, 3));
#elif ISOFOLD_WRONG == 248
  static_cast<void>(reduce.count_in_range(reals, "1", 2));
// Folds together, of which one takes more than this view, or other memory.
#elif ISOFOLD_WRONG == 250
  static_cast<void>(reduce.reduce(isofold::fuse(isofold::sum, isofold::dot), reals));
#elif ISOFOLD_WRONG == 251
  static_cast<void>(reduce.reduce(isofold::fuse(isofold::sum, isofold::count_in_range), reals));
#elif ISOFOLD_WRONG == 252
  float sum = 0;
  reduce.reduce(isofold::fuse(isofold::sum, isofold::mean), reals, &sum, &sum);
#elif ISOFOLD_WRONG == 253
  float sum = 0;
  reduce.reduce(isofold::fuse(isofold::sum, isofold::mean), reals, &sum);
#elif ISOFOLD_WRONG == 254
  static_cast<void>(isofold::fuse("sum", "mean"));
#elif ISOFOLD_WRONG == 255
  static_cast<void>(isofold::fuse());
#elif ISOFOLD_WRONG == 256
  static_cast<void>(reduce.reduce({isofold::sum, isofold::mean}, reals));
// Calls whose result is their point, without it.
#elif ISOFOLD_WRONG == 50
  reduce.sum(reals);
#elif ISOFOLD_WRONG == 51
  isofold::interior(isofold::box(reals.data(), {2, 2}), 0);
#elif ISOFOLD_WRONG == 52
  reduce.supports(isofold::sum, reals);
#elif ISOFOLD_WRONG == 53
  isofold::Forest<isofold::Fold::sum, float>(4).complete();
#endif
}
