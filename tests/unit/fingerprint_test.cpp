// Fingerprint: the same for the same bits however they came, another for any other bits, and the
// ranges that it names are those that were changed.
#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <isofold/fingerprint.hpp>
#include <test_support.hpp>

namespace {

using isofold::Code;
using isofold::Fingerprint;
using isofold::IndexRange;
using isofold::Type;

template <class T>
Fingerprint fingerprint_of(const std::vector<T>& x) {
  const auto count = static_cast<std::int64_t>(x.size());
  Fingerprint print(isofold::type_of<T>, count);
  print.add(x.data(), 0, count);
  return print;
}

template <class T>
std::vector<T> random_data(std::int64_t n, std::uint64_t seed = 0) {
  std::vector<T> x(static_cast<std::size_t>(n));
  isofold::test_data::fill(test_support::Recipe::uniform, seed, n, x.data());
  return x;
}

std::vector<std::pair<std::int64_t, std::int64_t>> pairs_of(const std::vector<IndexRange>& ranges) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (const IndexRange& range : ranges) {
    pairs.emplace_back(range.first, range.count);
  }
  return pairs;
}
using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

template <class Call>
Code thrown_by(Call&& call) {
  std::string sentence;
  const Code code = test_support::code_of(call, &sentence);
  EXPECT_EQ(sentence.empty(), code == Code::ok);
  return code;
}

template <class T>
bool differ(const std::vector<T>& one, const std::vector<T>& other) {
  const bool by_chunks = !fingerprint_of(one).differs_from(fingerprint_of(other)).empty();
  EXPECT_EQ(by_chunks, fingerprint_of(one).digest() != fingerprint_of(other).digest());
  return by_chunks;
}

// ---- however they came ----------------------------------------------------------------------

TEST(Fingerprint, AnyCutsInAnyOrderGiveTheSame) {
  constexpr std::int64_t n = 5000;
  const std::vector<double> x = random_data<double>(n);
  const Fingerprint whole = fingerprint_of(x);
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::int64_t> cuts{0, n};
    for (std::uint64_t i = random() % 40; i > 0; --i) {
      cuts.push_back(static_cast<std::int64_t>(random() % n));
    }
    std::sort(cuts.begin(), cuts.end());
    std::vector<std::size_t> order(cuts.size() - 1);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    Fingerprint print(Type::f64, n);
    for (const std::size_t piece : order) {
      print.add(x.data() + cuts[piece], cuts[piece], cuts[piece + 1] - cuts[piece]);
    }
    ASSERT_TRUE(print.complete());
    ASSERT_EQ(print.digest(), whole.digest());
    ASSERT_TRUE(print.differs_from(whole).empty());
  }
}

TEST(Fingerprint, NeitherAddressNorAlignmentCounts) {
  const std::vector<float> x = random_data<float>(3000);
  std::vector<char> moved(3000 * sizeof(float) + 1);
  std::memcpy(moved.data() + 1, x.data(), 3000 * sizeof(float));
  Fingerprint print(Type::f32, 3000);
  print.add(moved.data() + 1, 0, 3000);
  EXPECT_EQ(print.digest(), fingerprint_of(x).digest());
}

// The definition, typed once more: the numbers of a file must be those of every later version.
TEST(Fingerprint, IsWhatTheHeaderSays) {
  const auto mix = [](std::uint64_t s) {
    s ^= s >> 30;
    s *= 0xBF58476D1CE4E5B9U;
    s ^= s >> 27;
    s *= 0x94D049BB133111EBU;
    return s ^ (s >> 31);
  };
  constexpr std::int64_t n = 2500;
  std::vector<std::int16_t> x;
  for (std::int64_t i = 0; i < n; ++i) {
    x.push_back(static_cast<std::int16_t>(i * 7919 - 12345));
  }
  std::vector<std::uint64_t> chunks(3);
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t bits = static_cast<std::uint16_t>(x[i]);
    chunks[i / 1024] += mix(bits ^ mix((i % 1024 + 1) * 0x9E3779B97F4A7C15U));
  }
  const Fingerprint print = fingerprint_of(x);
  EXPECT_EQ(print.nodes(), chunks);
  const std::uint64_t left = mix(mix(chunks[0]) + chunks[1]);
  EXPECT_EQ(print.nodes(1), (std::vector<std::uint64_t>{left, chunks[2]}));
  const std::uint64_t root = mix(mix(left) + chunks[2]);
  EXPECT_EQ(print.nodes(2), std::vector<std::uint64_t>{root});
  EXPECT_EQ(print.digest(), mix(mix(mix(mix(root) + ISOFOLD_TYPE_i16)) + 2500U));
}

// ---- what is a difference -------------------------------------------------------------------

TEST(Fingerprint, EveryBitOfEveryElementCounts) {
  std::vector<std::uint64_t> x = random_data<std::uint64_t>(2049);
  const Fingerprint whole = fingerprint_of(x);
  for (std::size_t i : {0U, 1U, 1023U, 1024U, 2047U, 2048U}) {
    for (int bit = 0; bit < 64; ++bit) {
      x[i] ^= std::uint64_t{1} << bit;
      const auto first = static_cast<std::int64_t>(i / 1024 * 1024);
      ASSERT_EQ(pairs_of(fingerprint_of(x).differs_from(whole)),
                (Ranges{{first, first == 2048 ? 1 : 1024}}));
      x[i] ^= std::uint64_t{1} << bit;
    }
  }
}

TEST(Fingerprint, SwappedElementsAreFound) {
  const std::vector<float> x = random_data<float>(3000);
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    std::vector<float> swapped = x;
    const std::size_t i = random() % x.size();
    const std::size_t j = random() % x.size();
    std::swap(swapped[i], swapped[j]);
    ASSERT_EQ(differ(x, swapped), i != j) << i << " " << j;
  }
}

TEST(Fingerprint, SwappedChunksAreFound) {
  const std::vector<float> x = random_data<float>(4096);
  for (std::ptrdiff_t other : {1024, 2048, 3072}) {
    std::vector<float> swapped = x;
    std::swap_ranges(swapped.begin(), swapped.begin() + 1024, swapped.begin() + other);
    EXPECT_TRUE(differ(x, swapped));
  }
}

TEST(Fingerprint, EqualSumsAreFound) {
  std::vector<double> x(2048, 1.0);
  std::vector<double> y = x;
  y[10] += 1;
  y[20] -= 1;
  isofold::Reducer reducer("reference");
  EXPECT_EQ(test_support::bits_of(reducer.sum(isofold::array(x.data(), 2048))),
            test_support::bits_of(reducer.sum(isofold::array(y.data(), 2048))));
  EXPECT_TRUE(differ(x, y));
  std::vector<std::int64_t> integers(2048, 5);
  std::vector<std::int64_t> same_sum = integers;
  same_sum[10] = 4;
  same_sum[1500] = 6;
  EXPECT_TRUE(differ(integers, same_sum));
}

TEST(Fingerprint, ZerosAndNaNsAreTheirBits) {
  EXPECT_TRUE(differ<double>({0.0, 1.0}, {-0.0, 1.0}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t bits = 0;
  std::memcpy(&bits, &nan, sizeof bits);
  bits += 1;
  double other_nan = 0;
  std::memcpy(&other_nan, &bits, sizeof bits);
  EXPECT_TRUE(differ<double>({nan}, {other_nan}));
  EXPECT_FALSE(differ<double>({nan}, {nan}));
}

// Arrays that are constant, or nearly, have a hash for each constant.
TEST(Fingerprint, SimpleArraysAreTakenForNoOther) {
  std::vector<std::uint64_t> seen;
  for (std::uint8_t value = 0; value < 100; ++value) {
    for (std::size_t n : {1U, 2U, 3U, 1023U, 1024U, 1025U, 2048U}) {
      seen.push_back(fingerprint_of(std::vector<std::uint8_t>(n, value)).digest());
      seen.push_back(fingerprint_of(std::vector<std::uint64_t>(n, value)).digest());
    }
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TEST(Fingerprint, RangesThatTouchAreOne) {
  const std::vector<float> x = random_data<float>(10 * 1024 + 5);
  std::vector<float> y = x;
  for (std::size_t i : {100U, 1024U + 7U, 2047U, 5U * 1024U, 9U * 1024U, 10U * 1024U + 4U}) {
    y[i] = 2;
  }
  EXPECT_EQ(pairs_of(fingerprint_of(x).differs_from(fingerprint_of(y))),
            (Ranges{{0, 2048}, {5 * 1024, 1024}, {9 * 1024, 1024 + 5}}));
}

TEST(Fingerprint, ShapesAndTypesAreNotMixed) {
  const Fingerprint flat(Type::f32, 0);
  const Fingerprint box(Type::f32, {0, 4});
  const Fingerprint other(Type::u32, 0);
  EXPECT_EQ(thrown_by([&] { return flat.differs_from(box); }), Code::mismatch);
  EXPECT_EQ(thrown_by([&] { return flat.differs_from(other); }), Code::mismatch);
  EXPECT_NE(flat.digest(), box.digest());
  EXPECT_NE(flat.digest(), other.digest());
}

// ---- what is refused ------------------------------------------------------------------------

TEST(Fingerprint, AnElementIsAddedOnce) {
  const std::vector<std::uint8_t> x(100, 1);
  Fingerprint print(Type::u8, 100);
  print.add(x.data(), 10, 20);
  print.add(x.data(), 50, 10);
  for (const auto& [first, count] :
       Ranges{{10, 1}, {0, 11}, {29, 1}, {29, 30}, {15, 5}, {0, 100}, {59, 2}}) {
    EXPECT_EQ(thrown_by([&, first = first, count = count] { print.add(x.data(), first, count); }),
              Code::overlap)
        << first << " " << count;
  }
  print.add(x.data(), 30, 20);  // between the two
  print.add(x.data(), 0, 10);
  EXPECT_FALSE(print.complete());
  EXPECT_EQ(thrown_by([&] { static_cast<void>(print.digest()); }), Code::incomplete);
  EXPECT_EQ(thrown_by([&] { return print.to_bytes(); }), Code::incomplete);
  EXPECT_EQ(thrown_by([&] { return print.differs_from(print); }), Code::incomplete);
  print.add(x.data(), 60, 40);
  EXPECT_EQ(print.digest(), fingerprint_of(x).digest());
}

TEST(Fingerprint, WhatIsNoPieceIsRefused) {
  const std::vector<float> x(10);
  Fingerprint print(Type::f32, 10);
  const auto add = [&](const float* data, std::int64_t first, std::int64_t count) {
    return thrown_by([&] { print.add(data, first, count); });
  };
  EXPECT_EQ(add(x.data(), -1, 1), Code::invalid_argument);
  EXPECT_EQ(add(x.data(), 0, -1), Code::invalid_argument);
  EXPECT_EQ(add(x.data(), 0, 11), Code::invalid_argument);
  EXPECT_EQ(add(x.data(), INT64_MAX, 1), Code::invalid_argument);
  EXPECT_EQ(add(nullptr, 0, 1), Code::invalid_argument);
  EXPECT_EQ(add(nullptr, 10, 0), Code::ok);
  EXPECT_EQ(thrown_by([] { Fingerprint(Type::f32, -1); }), Code::invalid_argument);
  EXPECT_EQ(thrown_by([] { Fingerprint(Type::f32, {INT64_MAX, 2}); }), Code::invalid_argument);
  EXPECT_EQ(thrown_by([] { Fingerprint(static_cast<Type>(99), 1); }), Code::invalid_argument);
}

TEST(Fingerprint, NoElementsAreComplete) {
  const Fingerprint none(Type::f64, 0);
  EXPECT_TRUE(none.complete());
  EXPECT_TRUE(none.nodes().empty());
  EXPECT_EQ(Fingerprint::from_bytes(none.to_bytes().data(), none.to_bytes().size()).digest(),
            none.digest());
}

// ---- bytes ----------------------------------------------------------------------------------

TEST(Fingerprint, BytesComeBack) {
  const std::vector<float> x = random_data<float>(6000);
  Fingerprint print(Type::f32, {2, 30, 100});
  print.add(x.data(), 0, 6000);
  const std::vector<unsigned char> bytes = print.to_bytes();
  EXPECT_EQ(bytes.size(), 24U + 3 * 8 + 6 * 8 + 8);
  const Fingerprint back = Fingerprint::from_bytes(bytes.data(), bytes.size());
  EXPECT_EQ(back.type(), Type::f32);
  EXPECT_EQ(back.shape(), (std::vector<std::int64_t>{2, 30, 100}));
  EXPECT_EQ(back.digest(), print.digest());
  EXPECT_TRUE(back.differs_from(print).empty());
  EXPECT_EQ(back.to_bytes(), bytes);
  EXPECT_EQ(thrown_by([&] { Fingerprint(back).add(x.data(), 5, 1); }), Code::overlap);
}

TEST(Fingerprint, DamagedBytesAreRefused) {
  const std::vector<float> x = random_data<float>(3000);
  const std::vector<unsigned char> bytes = fingerprint_of(x).to_bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(thrown_by([&] { return Fingerprint::from_bytes(bytes.data(), size); }),
              Code::mismatch)
        << size;
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int flip : {1, 128}) {
      std::vector<unsigned char> damaged = bytes;
      damaged[i] = static_cast<unsigned char>(damaged[i] ^ flip);
      EXPECT_EQ(thrown_by([&] { return Fingerprint::from_bytes(damaged.data(), damaged.size()); }),
                Code::mismatch)
          << i;
    }
  }
}

// Bytes that someone made up, with a right checksum: refused or read, and never more memory asked
// for than they account for.
TEST(Fingerprint, MadeUpHeadersAreRefusedOrRead) {
  const std::vector<float> x = random_data<float>(3000);
  Fingerprint print(Type::f32, {3, 1000});
  print.add(x.data(), 0, 3000);
  const std::vector<unsigned char> bytes = print.to_bytes();
  int read = 0;
  for (std::size_t i = 8; i < 40; ++i) {
    for (const int value : {0, 1, 2, 3, 127, 128, 255}) {
      std::vector<unsigned char> made_up = bytes;
      made_up[i] = static_cast<unsigned char>(value);
      std::uint64_t hash = 0xcbf29ce484222325U;
      for (std::size_t k = 0; k + 8 < made_up.size(); ++k) {
        hash = (hash ^ made_up[k]) * 0x100000001b3U;
      }
      std::memcpy(made_up.data() + made_up.size() - 8, &hash, 8);
      const Code code = thrown_by(
          [&] { return Fingerprint::from_bytes(made_up.data(), made_up.size()).digest(); });
      read += code == Code::ok;
      EXPECT_TRUE(code == Code::ok || code == Code::mismatch || code == Code::invalid_argument)
          << i;
    }
  }
  EXPECT_GT(read, 32) << "a byte that was left as it was, another type, fewer elements";
}

}  // namespace
