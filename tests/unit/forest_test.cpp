// Forests: cut anywhere, unite in any order and grouping, travel as bytes, refuse what is wrong and
// stay as they were. ISOFOLD_TEST_CUTS sets how many random cuts are tried (a million by default).
#include <algorithm>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include <test_support.hpp>

namespace {

using isofold::Code;
using isofold::Fold;
using isofold::Forest;
using test_support::bits_of;
using test_support::code_of;
using test_support::components_of;
using test_support::Recipe;

// Numbers for cuts and orders: splitmix64 of a counter, so that a failure names its seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : seed_(seed) {}
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(isofold::test_data::random_word(seed_, counter_++) %
                                     static_cast<std::uint64_t>(bound));
  }
  template <class Values>
  void shuffle(Values& values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1],
                values[static_cast<std::size_t>(below(static_cast<std::int64_t>(i)))]);
    }
  }

 private:
  std::uint64_t seed_;
  std::uint64_t counter_ = 0;
};

struct Piece {
  std::int64_t first;
  std::int64_t count;
};

// `cuts` cuts between any two elements, or before the first, or behind the last; parts may be
// empty.
std::vector<Piece> cut(std::int64_t n, std::int64_t cuts, Random& random) {
  std::vector<std::int64_t> borders{0, n};
  for (std::int64_t i = 0; i < cuts; ++i) {
    borders.push_back(random.below(n + 1));
  }
  std::sort(borders.begin(), borders.end());
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    pieces.push_back({borders[i], borders[i + 1] - borders[i]});
  }
  return pieces;
}

template <Fold fold, class T>
std::vector<unsigned char> bytes_of(const Forest<fold, T>& forest) {
  return forest.to_bytes();
}

// Pieces in random order go to random ones of a few Forests, which unite in a random grouping, some
// of them as bytes on the way.
template <Fold fold, class T>
void unite_pieces(const std::vector<T>& data, std::int64_t n, std::vector<Piece> pieces,
                  Random& random) {
  using F = Forest<fold, T>;
  random.shuffle(pieces);
  std::vector<F> forests;
  const std::int64_t holders = 1 + random.below(4);
  for (std::int64_t i = 0; i < holders; ++i) {
    forests.emplace_back(n);
  }
  for (const Piece& piece : pieces) {
    F& holder = forests[static_cast<std::size_t>(random.below(holders))];
    if (random.below(8) == 0) {  // as a Forest of its own, merged
      F own(n);
      own.add(data.data() + piece.first, piece.first, piece.count);
      holder.merge(own);
    } else {
      holder.add(data.data() + piece.first, piece.first, piece.count);
    }
  }
  while (forests.size() > 1) {
    random.shuffle(forests);
    if (random.below(3) == 0) {
      const std::vector<unsigned char> bytes = forests.back().to_bytes();
      forests.back() = F::from_bytes(bytes.data(), bytes.size());
    }
    forests[0].merge(forests.back());
    forests.pop_back();
  }
  ASSERT_TRUE(forests[0].complete());
  const auto expected = test_support::reference<fold>(data.data(), n);
  ASSERT_EQ(components_of(forests[0].finish()), components_of(expected))
      << "n = " << n << ", " << pieces.size() << " pieces";
}

template <class T>
const std::vector<T>& few_values() {
  static const std::vector<T> data = test_support::data_set<T>(Recipe::small, 3000000);
  return data;
}

template <class T>
void unite_any(const std::vector<T>& uniform, const std::vector<T>& near_one, std::int64_t n,
               std::int64_t cuts, Random& random) {
  const std::vector<Piece> pieces = cut(n, cuts, random);
  switch (random.below(std::is_floating_point_v<T> ? 12 : 8)) {
    case 0: return unite_pieces<Fold::sum>(uniform, n, pieces, random);
    case 1: return unite_pieces<Fold::product>(near_one, n, pieces, random);
    case 2: return unite_pieces<Fold::minimum>(uniform, n, pieces, random);
    case 3: return unite_pieces<Fold::maximum>(uniform, n, pieces, random);
    case 4: return unite_pieces<Fold::argmin>(uniform, n, pieces, random);
    case 5: return unite_pieces<Fold::minmax>(uniform, n, pieces, random);
    case 6: return unite_pieces<Fold::count_nonzero>(uniform, n, pieces, random);
    // Few values, so that ties are decided by the index.
    case 7: return unite_pieces<Fold::argmax_last>(few_values<T>(), n, pieces, random);
    default: break;
  }
  if constexpr (std::is_floating_point_v<T>) {
    switch (random.below(4)) {
      case 0: return unite_pieces<Fold::moments>(uniform, n, pieces, random);
      case 1: return unite_pieces<Fold::log_sum_exp>(uniform, n, pieces, random);
      case 2: return unite_pieces<Fold::norm2>(uniform, n, pieces, random);
      default: return unite_pieces<Fold::sum_with_bound>(uniform, n, pieces, random);
    }
  }
}

template <class T>
void unite_any_complex(const std::vector<T>& uniform, const std::vector<T>& factors, std::int64_t n,
                       std::int64_t cuts, Random& random) {
  const std::vector<Piece> pieces = cut(n, cuts, random);
  switch (random.below(5)) {
    case 0: return unite_pieces<Fold::sum>(uniform, n, pieces, random);
    case 1: return unite_pieces<Fold::product>(factors, n, pieces, random);
    case 2: return unite_pieces<Fold::norm1>(uniform, n, pieces, random);
    case 3: return unite_pieces<Fold::norm2>(uniform, n, pieces, random);
    default: return unite_pieces<Fold::absolute_maximum>(uniform, n, pieces, random);
  }
}

// Factors whose product neither vanishes nor overflows: moduli near the square roots of 2 and of
// 1/2, by turns in each lane.
template <class T>
std::vector<T> complex_factors(std::int64_t n) {
  std::vector<T> factors = test_support::data_set<T>(Recipe::near_one, n);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    factors[i] *= (i + i / 64) % 2 == 0 ? 1.0F : 0.5F;
  }
  return factors;
}

std::int64_t wanted_cuts() {
  const char* text = std::getenv("ISOFOLD_TEST_CUTS");
  return text != nullptr ? std::atoll(text) : 1000000;
}

template <class T>
struct Data {
  std::vector<T> uniform = test_support::data_set<T>(Recipe::uniform, 3000000);
  std::vector<T> near_one = test_support::data_set<T>(Recipe::near_one, 3000000);
};

// Many small arrays, where cuts fall into every lane, and some large ones with many cuts each.
TEST(Forests, MillionRandomCuts) {
  const std::uint64_t seed = 20;
  SCOPED_TRACE("seed 20");
  Random random(seed);
  const Data<float> f32;
  const Data<double> f64;
  const Data<std::int32_t> i32;
  const Data<std::uint64_t> u64;
  const std::int64_t wanted = wanted_cuts();
  std::int64_t done = 0;
  for (int array = 0; done < wanted && !HasFatalFailure(); ++array) {
    const bool large = array % 500 == 499;
    const std::int64_t n =
        large ? 1 + random.below(3000000) : random.below(array % 7 == 0 ? 8000 : 2200);
    const std::int64_t cuts = large ? random.below(40000) : random.below(24);
    switch (random.below(4)) {
      case 0: unite_any(f32.uniform, f32.near_one, n, cuts, random); break;
      case 1: unite_any(f64.uniform, f64.near_one, n, cuts, random); break;
      case 2: unite_any(i32.uniform, i32.near_one, n, cuts, random); break;
      default: unite_any(u64.uniform, u64.near_one, n, cuts, random); break;
    }
    done += cuts;
  }
  RecordProperty("cuts", std::to_string(done));
}

TEST(Forests, RandomCutsOfComplexElements) {
  SCOPED_TRACE("seed 21");
  Random random(21);
  using C64 = std::complex<float>;
  using C128 = std::complex<double>;
  constexpr std::int64_t most = 20000;
  const auto c64 = test_support::data_set<C64>(Recipe::uniform, most);
  const auto c128 = test_support::data_set<C128>(Recipe::uniform, most);
  const auto factors64 = complex_factors<C64>(most);
  const auto factors128 = complex_factors<C128>(most);
  const std::int64_t wanted = wanted_cuts() / 20;
  std::int64_t done = 0;
  for (int array = 0; done < wanted && !HasFatalFailure(); ++array) {
    const std::int64_t n = random.below(array % 50 == 49 ? most : 2200);
    const std::int64_t cuts = random.below(24);
    if (random.below(2) == 0) {
      unite_any_complex(c64, factors64, n, cuts, random);
    } else {
      unite_any_complex(c128, factors128, n, cuts, random);
    }
    done += cuts;
  }
}

// Every single cut of arrays around the borders of lanes, rows and chunks.
TEST(Forests, EverySingleCut) {
  const std::vector<float> data = test_support::data_set<float>(Recipe::uniform, 2100);
  for (std::int64_t n : {1, 2, 63, 64, 65, 130, 1023, 1024, 1025, 1088, 2047, 2048, 2049, 2100}) {
    const float expected = test_support::reference<Fold::sum>(data.data(), n);
    for (std::int64_t at = 0; at <= n; ++at) {
      Forest<Fold::sum, float> right(n);
      right.add(data.data() + at, at, n - at);
      Forest<Fold::sum, float> left(n);
      left.add(data.data(), 0, at);
      right.merge(left);
      ASSERT_EQ(bits_of(right.finish()), bits_of(expected)) << "n = " << n << ", cut at " << at;
    }
  }
}

// Indices count from the array's first element, wherever a piece was folded and by whom.
TEST(Forests, LocationsAreThoseOfTheArray) {
  const std::int64_t n = 5000;
  const std::vector<std::int32_t> ties(static_cast<std::size_t>(n), 7);
  for (std::int64_t at : {1, 63, 64, 1000, 1024, 1025, 2048, 4097, 4999}) {
    SCOPED_TRACE(at);
    for (const std::string& name : test_support::host_backends()) {
      isofold::Reducer reducer(name.c_str());
      Forest<Fold::argmin, std::int32_t> first(n);
      first.add(reducer, ties.data() + at, at, n - at);
      first.add(reducer, ties.data(), 0, at);
      EXPECT_EQ(first.finish().index, 0) << name;
      Forest<Fold::argmax_last, std::int32_t> last(n);
      last.add(reducer, ties.data() + at, at, n - at);
      last.add(reducer, ties.data(), 0, at);
      EXPECT_EQ(last.finish().index, n - 1) << name;
      Forest<Fold::argminmax, std::int32_t> both(n);
      std::vector<std::int32_t> data = ties;
      data[static_cast<std::size_t>(at)] = -1;
      both.add(reducer, data.data() + at, at, n - at);
      both.add(reducer, data.data(), 0, at);
      EXPECT_EQ(both.finish().minimum.index, at) << name;
      EXPECT_EQ(both.finish().minimum.value, -1) << name;
      EXPECT_EQ(both.finish().maximum.index, 0) << name;
    }
  }
}

// Two arrays, or parameters that travelling bytes would not hold: refused in a sentence.
TEST(Forests, OfTwoArraysOrParametersAreRefused) {
  for (std::int32_t fold :
       {ISOFOLD_FOLD_dot, ISOFOLD_FOLD_squared_distance, ISOFOLD_FOLD_count_in_range}) {
    isofold_forest* forest = nullptr;
    EXPECT_EQ(isofold_forest_create(fold, ISOFOLD_TYPE_f32, 10, &forest), ISOFOLD_unsupported);
    EXPECT_EQ(forest, nullptr);
    EXPECT_NE(std::string(isofold_last_error()).find(isofold_fold_name(fold)), std::string::npos)
        << isofold_last_error();
  }
}

TEST(Forests, OneElementAtATimeFromTheEnd) {
  const std::int64_t n = 3 * 1024 + 77;
  const std::vector<double> data = test_support::data_set<double>(Recipe::cancelling, n);
  Forest<Fold::sum, double> forest(n);
  for (std::int64_t i = n; i-- > 0;) {
    EXPECT_FALSE(forest.complete());
    forest.add(&data[static_cast<std::size_t>(i)], i, 1);
  }
  EXPECT_TRUE(forest.complete());
  EXPECT_EQ(bits_of(forest.finish()), bits_of(test_support::reference<Fold::sum>(data.data(), n)));
}

TEST(Forests, OfNoElementsAreComplete) {
  EXPECT_EQ((Forest<Fold::sum, float>(0).finish()), 0);
  EXPECT_EQ((Forest<Fold::product, std::int32_t>(0).finish()), 1);
  EXPECT_EQ((Forest<Fold::minimum, float>(0).finish()), std::numeric_limits<float>::infinity());
  Forest<Fold::sum, float> forest(0);
  forest.add(nullptr, 0, 0);
  forest.merge(Forest<Fold::sum, float>(0));
  const std::vector<unsigned char> bytes = forest.to_bytes();
  EXPECT_EQ((Forest<Fold::sum, float>::from_bytes(bytes.data(), bytes.size()).finish()), 0);
}

TEST(Forests, EmptyPartsChangeNothing) {
  const std::vector<float> data = test_support::data_set<float>(Recipe::uniform, 1500);
  Forest<Fold::sum, float> forest(1500);
  forest.add(data.data(), 0, 700);
  const std::vector<unsigned char> before = forest.to_bytes();
  forest.add(data.data() + 300, 300, 0);
  forest.add(nullptr, 1500, 0);
  forest.merge(Forest<Fold::sum, float>(1500));
  EXPECT_EQ(forest.to_bytes(), before);
}

// A million merges aside, each wrong one is refused and changes nothing, not even a bit.
class WrongMerges : public testing::Test {
 protected:
  using F = Forest<Fold::sum, float>;
  static constexpr std::int64_t n = 9000;
  void SetUp() override {
    forest_.add(data_.data() + 100, 100, 5000);
    forest_.add(data_.data() + 8000, 8000, 50);
    before_ = forest_.to_bytes();
  }
  void expect_unchanged() {
    EXPECT_EQ(forest_.to_bytes(), before_) << "a refused merge changed the Forest";
    F whole = forest_;
    whole.add(data_.data(), 0, 100);
    whole.add(data_.data() + 5100, 5100, 2900);
    whole.add(data_.data() + 8050, 8050, n - 8050);
    EXPECT_EQ(bits_of(whole.finish()),
              bits_of(test_support::reference<Fold::sum>(data_.data(), n)));
  }

  std::vector<float> data_ = test_support::data_set<float>(Recipe::uniform, n);
  F forest_{n};
  std::vector<unsigned char> before_;
};

TEST_F(WrongMerges, OverlapByAnyElementIsRefused) {
  const std::vector<Piece> overlapping{
      {100, 1}, {5099, 1}, {0, 101},     {5099, 500}, {1024, 1024}, {1500, 10},  {2048, 2048},
      {0, n},   {8049, 1}, {7000, 1001}, {4090, 20},  {5000, 100},  {4096, 1024}};
  for (const Piece& piece : overlapping) {
    SCOPED_TRACE(std::to_string(piece.first) + " + " + std::to_string(piece.count));
    F other(n);
    other.add(data_.data() + piece.first, piece.first, piece.count);
    std::string sentence;
    EXPECT_EQ(code_of([&] { forest_.merge(other); }, &sentence), Code::overlap);
    EXPECT_NE(sentence.find('['), std::string::npos) << "no range is named: " << sentence;
    expect_unchanged();
    EXPECT_EQ(code_of([&] { forest_.add(data_.data() + piece.first, piece.first, piece.count); }),
              Code::overlap);
    expect_unchanged();
  }
}

// Two pieces of which the first fits: nothing of it may be taken.
TEST_F(WrongMerges, AreRefusedWhole) {
  F other(n);
  other.add(data_.data(), 0, 100);
  other.add(data_.data() + 6000, 6000, 1500);
  other.add(data_.data() + 8049, 8049, 1);
  EXPECT_EQ(code_of([&] { forest_.merge(other); }), Code::overlap);
  expect_unchanged();
}

TEST_F(WrongMerges, AForestDoesNotMergeWithItself) {
  EXPECT_EQ(code_of([&] { forest_.merge(forest_); }), Code::overlap);
  expect_unchanged();
}

TEST_F(WrongMerges, OtherFoldTypeOrCountAreMismatches) {
  const auto merge_raw = [&](std::int32_t fold, std::int32_t type, std::int64_t count) {
    isofold_forest* ours = nullptr;
    isofold_forest* other = nullptr;
    EXPECT_EQ(isofold_forest_from_bytes(before_.data(), before_.size(), &ours), ISOFOLD_ok);
    EXPECT_EQ(isofold_forest_create(fold, type, count, &other), ISOFOLD_ok);
    const std::int32_t code = isofold_forest_merge(ours, other);
    std::vector<unsigned char> after(before_.size());
    std::size_t bytes = after.size();
    EXPECT_EQ(isofold_forest_to_bytes(ours, after.data(), &bytes), ISOFOLD_ok);
    EXPECT_EQ(after, before_);
    isofold_forest_destroy(ours);
    isofold_forest_destroy(other);
    return code;
  };
  EXPECT_EQ(merge_raw(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f32, n), ISOFOLD_ok);
  EXPECT_EQ(merge_raw(ISOFOLD_FOLD_product, ISOFOLD_TYPE_f32, n), ISOFOLD_mismatch);
  EXPECT_EQ(merge_raw(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f64, n), ISOFOLD_mismatch);
  EXPECT_EQ(merge_raw(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f32, n + 1), ISOFOLD_mismatch);
}

TEST_F(WrongMerges, PiecesOutsideTheArrayAreRefused) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  for (const Piece& piece :
       {Piece{-1, 1}, Piece{0, -1}, Piece{n, 1}, Piece{n - 1, 2}, Piece{n + 1, 0},
        Piece{largest, 1}, Piece{1, largest}, Piece{-5, largest}}) {
    EXPECT_EQ(code_of([&] { forest_.add(data_.data(), piece.first, piece.count); }),
              Code::invalid_argument)
        << piece.first << " + " << piece.count;
  }
  EXPECT_EQ(code_of([&] { forest_.add(nullptr, 0, 5); }), Code::invalid_argument);
  const auto* between =
      reinterpret_cast<const float*>(reinterpret_cast<std::uintptr_t>(data_.data()) + 1);
  EXPECT_EQ(code_of([&] { forest_.add(between, 0, 5); }), Code::misaligned);
  expect_unchanged();
  isofold_forest* none = nullptr;
  EXPECT_EQ(isofold_forest_create(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f32, -1, &none),
            ISOFOLD_invalid_argument);
  EXPECT_EQ(isofold_forest_create(4321, ISOFOLD_TYPE_f32, 1, &none), ISOFOLD_unsupported);
  EXPECT_EQ(isofold_forest_create(ISOFOLD_FOLD_sum, 4321, 1, &none), ISOFOLD_unsupported);
}

TEST_F(WrongMerges, FinishNamesTheMissingRanges) {
  std::string sentence;
  EXPECT_FALSE(forest_.complete());
  EXPECT_EQ(code_of([&] { return forest_.finish(); }, &sentence), Code::incomplete);
  for (const char* border : {"[0, 100)", "[5100, 8000)", "[8050, 9000)"}) {
    EXPECT_NE(sentence.find(border), std::string::npos) << border << " is missing in: " << sentence;
  }
  expect_unchanged();
}

// Only backends with the bits of tree v1 may fold subtrees.
TEST_F(WrongMerges, ABackendWithinABoundIsRefused) {
  int asked = 0;
  for (const std::string& name : isofold::backend_names()) {
    if (!isofold::is_available(name) || !test_support::is_within_bound(name)) {
      continue;
    }
    ++asked;
    isofold::Reducer reducer(name.c_str(), test_support::options_for(name));
    EXPECT_EQ(code_of([&] { forest_.add(reducer, data_.data() + 5100, 5100, 2900); }),
              Code::unsupported);
    expect_unchanged();
  }
  if (asked == 0) {
    GTEST_SKIP() << "no backend with the guarantee within_bound can compute here";
  }
}

// Every backend makes the same Forest, from device memory, too.
TEST(Forests, EveryBackendFoldsPieces) {
  const std::int64_t n = 70001;
  const std::vector<double> data = test_support::data_set<double>(Recipe::uniform, n);
  for (const std::string& name : isofold::backend_names()) {
    if (!isofold::is_available(name) || test_support::is_within_bound(name)) {
      continue;
    }
    SCOPED_TRACE(name);
    isofold::Buffer buffer(name, data.size() * sizeof(double));
    buffer.copy_from(data.data(), data.size() * sizeof(double));
    isofold::Reducer reducer(name.c_str());
    Forest<Fold::sum, double> forest(n);
    const auto* x = buffer.as<const double>();
    forest.add(reducer, x + 40000, 40000, n - 40000);
    forest.add(reducer, x, 0, 777);
    forest.add(reducer, x + 777, 777, 3);
    forest.add(reducer, x + 780, 780, 40000 - 780);
    EXPECT_EQ(bits_of(forest.finish()),
              bits_of(test_support::reference<Fold::sum>(data.data(), n)));
  }
}

// ---- bytes
// -----------------------------------------------------------------------------------------

TEST(ForestBytes, StayBelowTheMaximumForContiguousRanges) {
  const std::int64_t n = 2500000;
  const std::vector<double> f64 = test_support::data_set<double>(Recipe::uniform, n);
  const std::vector<std::int32_t> i32 = test_support::data_set<std::int32_t>(Recipe::uniform, n);
  Random random(21);
  std::size_t longest = 0;
  for (int i = 0; i < 300; ++i) {
    const std::int64_t first = random.below(n);
    const std::int64_t count = random.below(n - first + 1);
    Forest<Fold::sum, double> wide(n);
    wide.add(f64.data() + first, first, count);
    longest = std::max(longest, wide.to_bytes().size());
    EXPECT_LE(wide.to_bytes().size(), wide.max_bytes()) << first << " + " << count;
    Forest<Fold::maximum, std::int32_t> narrow(n);
    narrow.add(i32.data() + first, first, count);
    EXPECT_LE(narrow.to_bytes().size(), narrow.max_bytes()) << first << " + " << count;
  }
  EXPECT_GT(longest, 1024U * 8) << "no range had two raw edges";
}

TEST(ForestBytes, GoThereAndBack) {
  const std::int64_t n = 50000;
  const std::vector<float> data = test_support::data_set<float>(Recipe::uniform, n);
  Forest<Fold::sum, float> forest(n);
  forest.add(data.data() + 100, 100, 12345);
  forest.add(data.data() + 20000, 20000, 5);
  forest.add(data.data() + 20007, 20007, 5);
  const std::vector<unsigned char> bytes = forest.to_bytes();
  EXPECT_EQ((Forest<Fold::sum, float>::from_bytes(bytes.data(), bytes.size()).to_bytes()), bytes);
  EXPECT_EQ(
      code_of([&] { return Forest<Fold::product, float>::from_bytes(bytes.data(), bytes.size()); }),
      Code::mismatch);
  EXPECT_EQ(
      code_of([&] { return Forest<Fold::sum, double>::from_bytes(bytes.data(), bytes.size()); }),
      Code::mismatch);
  // Too little room: told how much is needed, nothing written.
  isofold_forest* raw = nullptr;
  ASSERT_EQ(isofold_forest_from_bytes(bytes.data(), bytes.size(), &raw), ISOFOLD_ok);
  std::vector<unsigned char> room(bytes.size(), 0xee);
  std::size_t length = bytes.size() - 1;
  EXPECT_NE(isofold_forest_to_bytes(raw, room.data(), &length), ISOFOLD_ok);
  EXPECT_EQ(length, bytes.size());
  EXPECT_EQ(room[0], 0xee);
  isofold_forest_destroy(raw);
}

std::vector<unsigned char> small_forest_bytes() {
  const std::vector<float> data = test_support::data_set<float>(Recipe::uniform, 5000);
  Forest<Fold::sum, float> forest(5000);
  forest.add(data.data() + 1000, 1000, 2100);
  return forest.to_bytes();
}

std::int32_t read_code(const std::vector<unsigned char>& bytes, std::size_t size) {
  isofold_forest* forest = nullptr;
  // A copy of just this size, so that a sanitizer sees a byte too far.
  const std::vector<unsigned char> exact(bytes.begin(),
                                         bytes.begin() + static_cast<std::ptrdiff_t>(size));
  const std::int32_t code = isofold_forest_from_bytes(exact.data(), size, &forest);
  if (code == ISOFOLD_ok) {
    isofold_forest_destroy(forest);
  }
  return code;
}

TEST(ForestBytes, CutShortAreRefused) {
  const std::vector<unsigned char> bytes = small_forest_bytes();
  ASSERT_EQ(read_code(bytes, bytes.size()), ISOFOLD_ok);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_EQ(read_code(bytes, size), ISOFOLD_mismatch) << size << " bytes";
  }
  std::vector<unsigned char> longer = bytes;
  longer.push_back(1);
  EXPECT_EQ(read_code(longer, longer.size()), ISOFOLD_mismatch);
  isofold_forest* none = nullptr;
  EXPECT_EQ(isofold_forest_from_bytes(nullptr, 100, &none), ISOFOLD_mismatch);
}

// Messages have one size, and are filled up with zeros.
TEST(ForestBytes, MayBePadded) {
  using Part = Forest<Fold::sum, float>;
  const std::vector<float> data = test_support::data_set<float>(Recipe::uniform, 5000);
  Part whole(5000);
  for (const std::int64_t first : {0, 1000, 3100}) {
    const std::int64_t end = first == 0 ? 1000 : first == 1000 ? 3100 : 5000;
    Part part(5000);
    part.add(data.data() + first, first, end - first);
    std::vector<unsigned char> message = part.to_bytes();
    message.resize(Part::max_bytes());
    ASSERT_EQ(read_code(message, message.size()), ISOFOLD_ok) << isofold_last_error();
    whole.merge(Part::from_bytes(message.data(), message.size()));
    message.back() = 1;
    EXPECT_EQ(read_code(message, message.size()), ISOFOLD_mismatch);
  }
  Part alone(5000);
  alone.add(data.data(), 0, 5000);
  EXPECT_EQ(test_support::bits_of(whole.finish()), test_support::bits_of(alone.finish()));
}

TEST(ForestBytes, AnyChangedBitIsRefused) {
  const std::vector<unsigned char> bytes = small_forest_bytes();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::vector<unsigned char> changed = bytes;
      changed[i] = static_cast<unsigned char>(changed[i] ^ (1 << bit));
      ASSERT_EQ(read_code(changed, changed.size()), ISOFOLD_mismatch)
          << "byte " << i << ", bit " << bit;
    }
  }
}

// The bytes that a wrong or hostile writer could send under a right checksum: docs/tree.md, bytes
// of a Forest.
class CraftedBytes {
 public:
  explicit CraftedBytes(std::int64_t count) {
    append("isofold\0", 8);
    put(std::uint32_t{1});
    put(std::uint32_t{1});
    put(std::uint32_t{ISOFOLD_FOLD_sum});
    put(std::uint32_t{ISOFOLD_TYPE_f32});
    put(count);
    put(std::uint32_t{4});
    put(std::uint32_t{4});
  }
  CraftedBytes& counts(std::uint64_t nodes, std::uint64_t ranges) {
    put(nodes);
    put(ranges);
    return *this;
  }
  CraftedBytes& node(std::int64_t level, std::int64_t index) {
    put(level);
    put(index);
    put(1.0F);
    return *this;
  }
  CraftedBytes& range(std::int64_t first, std::int64_t length, std::size_t stored) {
    put(first);
    put(length);
    for (std::size_t i = 0; i < stored; ++i) {
      put(1.0F);
    }
    return *this;
  }
  std::int32_t read() {
    std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a, 64 bits
    for (unsigned char byte : bytes_) {
      hash = (hash ^ byte) * 0x100000001b3U;
    }
    put(hash);
    return read_code(bytes_, bytes_.size());
  }

 private:
  void append(const void* data, std::size_t size) {
    const auto* begin = static_cast<const unsigned char*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }
  template <class Value>
  void put(Value value) {
    append(&value, sizeof value);
  }
  std::vector<unsigned char> bytes_;
};

TEST(ForestBytes, CraftedOnesAreRefused) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  // The controls: what the writer below writes is a Forest when it is right.
  EXPECT_EQ(CraftedBytes(5000).counts(0, 0).read(), ISOFOLD_ok);
  EXPECT_EQ(CraftedBytes(0).counts(0, 0).read(), ISOFOLD_ok);
  EXPECT_EQ(CraftedBytes(5000).counts(1, 1).node(1, 1).range(5, 3, 3).read(), ISOFOLD_ok);

  EXPECT_EQ(CraftedBytes(-1).counts(0, 0).read(), ISOFOLD_mismatch);
  EXPECT_EQ(CraftedBytes(5000).counts(1, 0).read(), ISOFOLD_mismatch) << "a node is missing";
  EXPECT_EQ(CraftedBytes(5000).counts(0, 1).read(), ISOFOLD_mismatch) << "a range is missing";
  EXPECT_EQ(CraftedBytes(5000).counts(~std::uint64_t{0}, 0).node(0, 0).read(), ISOFOLD_mismatch);
  EXPECT_EQ(CraftedBytes(5000).counts(0, ~std::uint64_t{0}).read(), ISOFOLD_mismatch);
  for (std::int64_t level :
       {std::int64_t{-1}, std::int64_t{4}, std::int64_t{64}, largest, lowest}) {
    EXPECT_EQ(CraftedBytes(5000).counts(1, 0).node(level, 0).read(), ISOFOLD_mismatch)
        << "level " << level;
  }
  for (std::int64_t index :
       {std::int64_t{-1}, std::int64_t{5}, std::int64_t{1} << 53, largest, lowest}) {
    EXPECT_EQ(CraftedBytes(5000).counts(1, 0).node(0, index).read(), ISOFOLD_mismatch)
        << "index " << index;
  }
  EXPECT_EQ(CraftedBytes(5000).counts(2, 0).node(0, 1).node(0, 1).read(), ISOFOLD_mismatch)
      << "twice";
  EXPECT_EQ(CraftedBytes(5000).counts(2, 0).node(1, 0).node(0, 1).read(), ISOFOLD_mismatch)
      << "inside";
  EXPECT_EQ(CraftedBytes(5000).counts(1, 1).node(0, 1).range(1030, 2, 2).read(), ISOFOLD_mismatch);
  EXPECT_EQ(CraftedBytes(5000).counts(0, 2).range(5, 3, 3).range(7, 3, 3).read(), ISOFOLD_mismatch)
      << "two ranges hold element 7";
  for (std::int64_t first : {std::int64_t{-1}, std::int64_t{5000}, largest, lowest}) {
    EXPECT_EQ(CraftedBytes(5000).counts(0, 1).range(first, 1, 1).read(), ISOFOLD_mismatch)
        << "first " << first;
  }
  for (std::int64_t length :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1025}, largest, largest - 100, lowest}) {
    EXPECT_EQ(CraftedBytes(5000).counts(0, 1).range(1100, length, 8).read(), ISOFOLD_mismatch)
        << "length " << length;
  }
  EXPECT_EQ(CraftedBytes(5000).counts(0, 1).range(4990, 11, 11).read(), ISOFOLD_mismatch)
      << "past the end";
}

// An array of no elements has no nodes; asking for the height of its tree must not hang.
TEST(ForestBytes, ANodeOfNoElementsIsRefused) {
  EXPECT_EQ(CraftedBytes(0).counts(1, 0).node(0, 0).read(), ISOFOLD_mismatch);
  EXPECT_EQ(CraftedBytes(0).counts(0, 1).range(0, 1, 1).read(), ISOFOLD_mismatch);
}

}  // namespace
