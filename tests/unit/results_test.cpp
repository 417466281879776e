// Results as C++ callers get them: vectors of those of rows, those of folds that are named at run
// time, and indices from locations.
#include <array>
#include <complex>
#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <test_support.hpp>

namespace {

using isofold::AnyResult;
using isofold::array;
using isofold::box;
using isofold::Code;
using isofold::Fold;
using isofold::Location;
using isofold::Reducer;
using isofold::unravel_index;
using test_support::bits_of;
using test_support::code_of;
using test_support::components_of;
using test_support::data_set;
using test_support::Recipe;

class Results : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!isofold::is_available(GetParam())) {
      GTEST_SKIP() << GetParam() << ": " << isofold::describe(GetParam());
    }
  }

  Reducer reduce_{GetParam().c_str()};
  const std::vector<float> x_ = data_set<float>(Recipe::uniform, 12000);
  const std::vector<float> y_ = data_set<float>(Recipe::uniform, 12000, 2);
};

// A vector of results has those that the same call writes to memory.
template <class R, class Write>
void expect_written(const std::vector<R>& found, std::size_t rows, Write&& write) {
  ASSERT_EQ(found.size(), rows);
  const std::unique_ptr<R[]> wanted(new R[rows + 1]());
  write(wanted.get());
  for (std::size_t r = 0; r < rows; ++r) {
    const R result = found[r];
    EXPECT_EQ(components_of(result), components_of(wanted[r])) << "row " << r;
  }
}

template <class View>
void expect_rows_of(Reducer& reduce, const View& view, std::size_t rows) {
  const std::vector<float> sums = reduce.sum(view);
  expect_written(sums, rows, [&](float* out) { reduce.sum(view, out); });
  const std::vector<Location<float>> lowest = reduce.argmin(view);
  expect_written(lowest, rows, [&](Location<float>* out) { reduce.argmin(view, out); });
  const std::vector<bool> all = reduce.all(view);
  expect_written(all, rows, [&](bool* out) { reduce.all(view, out); });
  const std::vector<std::int64_t> few = reduce.count_in_range(view, -0.5F, 0.25F);
  expect_written(few, rows,
                 [&](std::int64_t* out) { reduce.count_in_range(view, -0.5F, 0.25F, out); });
  const auto [sum, any, mean] =
      reduce.reduce(fuse(isofold::sum, isofold::any, isofold::mean), view);
  EXPECT_EQ(sum, sums);
  expect_written(any, rows, [&](bool* out) { reduce.any(view, out); });
  expect_written(mean, rows, [&](double* out) { reduce.mean(view, out); });
  const std::vector<AnyResult> named = reduce.fold("argmin", view);
  ASSERT_EQ(named.size(), rows);
  for (std::size_t r = 0; r < rows; ++r) {
    EXPECT_EQ(components_of(named[r].as<Location<float>>()), components_of(lowest[r]));
  }
}

template <class View>
void expect_dots_of(Reducer& reduce, const View& x, const View& y, std::size_t rows) {
  const std::vector<float> dots = reduce.dot(x, y);
  expect_written(dots, rows, [&](float* out) { reduce.dot(x, y, out); });
  const auto [dot, norm] = reduce.reduce(fuse(isofold::dot, isofold::norm2), x, y);
  EXPECT_EQ(dot, dots);
  EXPECT_EQ(norm, reduce.norm2(x));
  const std::vector<AnyResult> named = reduce.fold("dot", x, y);
  ASSERT_EQ(named.size(), rows);
  EXPECT_EQ(named.back().as<float>(), dots.back());
}

TEST_P(Results, RowsAreReturnedAsVectors) {
  std::vector<std::uint8_t> bytes(12000);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = i % 3 == 0;
  }
  const auto field = box(x_.data(), {10, 30, 40});
  const auto other = box(y_.data(), {10, 30, 40}, {1, 10, 300});
  const std::vector<std::int32_t> offsets{0, 3, 3, 5000, 12000};
  const std::vector<std::int64_t> counts{0, 1000, 17};
  const float* const arrays[] = {x_.data(), x_.data() + 7000};
  const float* const others[] = {y_.data() + 1, y_.data()};
  const std::int32_t lengths[] = {2000, 3};

  expect_rows_of(reduce_, isofold::rows(x_.data(), 12, 1000), 12);
  expect_rows_of(reduce_, isofold::rows(x_.data(), 11, 900, 1000), 11);
  expect_rows_of(reduce_, isofold::rows(x_.data(), 1, 12000), 1);
  expect_rows_of(reduce_, isofold::rows(x_.data(), 5, 0), 5);
  expect_rows_of(reduce_, isofold::rows(x_.data(), 0, 1000), 0);
  expect_rows_of(reduce_, over(field, {0}), 1200);
  expect_rows_of(reduce_, over(field, {-1, 1}), 10);
  expect_rows_of(reduce_, over(interior(field, 1), {0, 2}), 28);
  expect_rows_of(reduce_, over(field, {0, 1, 2}), 1);
  expect_rows_of(reduce_, masked(over(field, {0, 2}), bytes.data()), 30);
  expect_rows_of(reduce_, over(interior(masked(field, box(bytes.data(), {10, 30, 40})), 1), {1, 2}),
                 8);
  expect_rows_of(reduce_, isofold::segments(x_.data(), offsets.data(), 4), 4);
  expect_rows_of(reduce_, counted(isofold::rows(x_.data(), 3, 1000), counts.data()), 3);
  expect_rows_of(reduce_, isofold::batch(arrays, lengths, 2), 2);

  expect_dots_of(reduce_, isofold::rows(x_.data(), 12, 1000), isofold::rows(y_.data(), 12, 1000),
                 12);
  EXPECT_EQ(reduce_.dot(over(field, {1}), other).size(), 400U);
  expect_dots_of(reduce_, isofold::segments(x_.data(), offsets.data(), 4, 12000),
                 isofold::segments(y_.data(), offsets.data(), 4), 4);
  expect_dots_of(reduce_, counted(isofold::rows(x_.data(), 3, 1000), counts.data()),
                 counted(isofold::rows(y_.data(), 3, 1000), counts.data()), 3);
  expect_dots_of(reduce_, isofold::batch(arrays, lengths, 2), isofold::batch(others, lengths, 2),
                 2);
}

// A fold of two lists pairs elements of one place in the list.
TEST_P(Results, TwoListsHaveTheBitsOfTheirElements) {
  const auto dot_of = [&](std::size_t begin, std::size_t end) {
    const auto n = static_cast<std::int64_t>(end - begin);
    return reduce_.dot(array(x_.data() + begin, n), array(y_.data() + begin, n));
  };
  const std::vector<std::size_t> offsets{0, 3, 3, 5000, 12000};
  const std::vector<float> dots = reduce_.dot(isofold::segments(x_.data(), offsets.data(), 4),
                                              isofold::segments(y_.data(), offsets.data(), 4));
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(bits_of(dots[r]), bits_of(dot_of(offsets[r], offsets[r + 1])));
  }
  const std::vector<std::int32_t> begins{9000, 5};
  const std::vector<std::int32_t> ends{9900, 5};
  const std::vector<float> between =
      reduce_.dot(isofold::segments(x_.data(), begins.data(), ends.data(), 2),
                  isofold::segments(y_.data(), begins.data(), ends.data(), 2));
  EXPECT_EQ(bits_of(between[0]), bits_of(dot_of(9000, 9900)));
  EXPECT_EQ(between[1], 0.0F);
  std::vector<std::int32_t> indices;
  std::vector<float> left;
  std::vector<float> right;
  for (std::int32_t i = 11999; i >= 0; i -= 5) {
    indices.push_back(i);
    left.push_back(x_[static_cast<std::size_t>(i)]);
    right.push_back(y_[static_cast<std::size_t>(i)]);
  }
  const auto count = static_cast<std::int64_t>(indices.size());
  EXPECT_EQ(bits_of(reduce_.dot(isofold::gather(x_.data(), indices.data(), count),
                                isofold::gather(y_.data(), indices.data(), count, 12000))),
            bits_of(reduce_.dot(left, right)));
}

TEST_P(Results, TwoListsAreOneList) {
  const std::vector<std::int32_t> one{0, 2, 4};
  const std::vector<std::int32_t> other(one.begin(), one.end());
  const auto expect_refused = [&](const std::string& words, auto&& ask) {
    std::string sentence;
    EXPECT_EQ(code_of(ask, &sentence), Code::invalid_argument) << words;
    EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
  };
  expect_refused("lists of 2 and 2 entries", [&] {
    return reduce_.dot(isofold::segments(x_.data(), one.data(), 2),
                       isofold::segments(y_.data(), other.data(), 2));
  });
  expect_refused("lists of 2 and 1 entries", [&] {
    return reduce_.dot(isofold::segments(x_.data(), one.data(), 2),
                       isofold::segments(y_.data(), one.data(), 1));
  });
  expect_refused("gathers", [&] {
    return reduce_.dot(isofold::gather(x_.data(), one.data(), 3),
                       isofold::gather(y_.data(), other.data(), 3));
  });
  const auto rows_of = [](const std::vector<float>& data, std::int64_t most, std::int64_t stride) {
    return isofold::rows(data.data(), 3, most, stride);
  };
  expect_refused("counted arrays", [&] {
    return reduce_.dot(counted(rows_of(x_, 9, 10), one.data()),
                       counted(rows_of(y_, 9, 10), other.data()));
  });
  expect_refused("3 rows of 9 elements and 3 rows of 8", [&] {
    return reduce_.dot(counted(rows_of(x_, 9, 10), one.data()),
                       counted(rows_of(y_, 8, 10), one.data()));
  });
  expect_refused("both arrays have one stride", [&] {
    return reduce_.dot(counted(rows_of(x_, 9, 10), one.data()),
                       counted(rows_of(y_, 9, 11), one.data()));
  });
  const float* const arrays[] = {x_.data(), x_.data(), x_.data()};
  expect_refused("batches", [&] {
    return reduce_.dot(isofold::batch(arrays, one.data(), 3),
                       isofold::batch(arrays, other.data(), 3));
  });
}

// The library refuses what no memory could hold, before any is taken.
TEST_P(Results, ImpossibleNumbersOfRowsAreRefused) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  std::string sentence;
  EXPECT_EQ(code_of([&] { return reduce_.sum(isofold::rows(x_.data(), -3, 5)); }, &sentence),
            Code::invalid_argument);
  EXPECT_NE(sentence.find("-3"), std::string::npos) << sentence;
  EXPECT_EQ(code_of([&] { return reduce_.fold("sum", isofold::rows(x_.data(), largest, 0)); }),
            Code::invalid_argument);
  EXPECT_EQ(code_of([&] { return reduce_.any(isofold::rows(x_.data(), largest, 1)); }),
            Code::invalid_argument);
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_EQ(code_of([&] {
              return reduce_.sum(over(box(x_.data(), {large, large, 2}), {2}));
            }),
            Code::invalid_argument);
}

// In the C interface, too, a blocking call writes all rows, and the next one of the kind works.
TEST_P(Results, BlockingRequestsOfRows) {
  std::vector<float> found(3, -1.0F);
  isofold_request request = test_support::array_request(Fold::sum, x_.data(), 4000, found.data());
  request.shape = ISOFOLD_SHAPE_rows;
  request.rows = 3;
  std::vector<float> wanted(3);
  reduce_.sum(isofold::rows(x_.data(), 3, 4000), wanted.data());
  for (int i = 0; i < 2; ++i) {
    found.assign(3, -1.0F);
    EXPECT_EQ(isofold_reduce(reduce_.handle(), &request), ISOFOLD_ok) << isofold_last_error();
    EXPECT_EQ(found, wanted);
    reduce_.sum(isofold::rows(x_.data(), 3, 4000), found.data());
    EXPECT_EQ(found, wanted);
  }
  request.fold = ISOFOLD_FOLD_minimum;  // rows of nothing have the empty value, as in memory
  request.length = 0;
  EXPECT_EQ(isofold_reduce(reduce_.handle(), &request), ISOFOLD_ok) << isofold_last_error();
  reduce_.minimum(isofold::rows(x_.data(), 3, 0), wanted.data());
  EXPECT_EQ(bits_of(found[2]), bits_of(wanted[2]));
}

template <Fold fold, class T>
void expect_named(Reducer& reduce, const std::vector<T>& x) {
  if constexpr (fold != Fold::count_in_range && isofold::takes<fold, isofold::computed_t<T>>()) {
    const char* const name = isofold::name_of(fold);
    if constexpr (!isofold::reducer_detail::takes_two(fold)) {
      using R = isofold::result_t<fold, T>;
      const AnyResult found = reduce.fold(name, x);
      EXPECT_EQ(found.fold(), fold);
      EXPECT_EQ(components_of(found.as<R>()),
                components_of(reduce.reduce(isofold::FoldTag<fold>{}, x)))
          << name;
      EXPECT_FALSE(found.components().empty());
    }
  }
}

// Each fold of one array, over each kind of element.
TEST_P(Results, FoldsByName) {
  const std::vector<double> doubles{3, -1, 4, 1};
  const std::vector<std::int16_t> integers{3, -1, 4, 1};
  const std::vector<std::uint64_t> naturals{3, 1, 4};
  const std::vector<std::complex<float>> complex{{1, 2}, {3, -4}};
#define ISOFOLD_EXPECT_NAMED(fold, number)     \
  expect_named<Fold::fold>(reduce_, x_);       \
  expect_named<Fold::fold>(reduce_, doubles);  \
  expect_named<Fold::fold>(reduce_, integers); \
  expect_named<Fold::fold>(reduce_, naturals); \
  expect_named<Fold::fold>(reduce_, complex);  \
  EXPECT_EQ(isofold::find_fold(#fold), Fold::fold);
  ISOFOLD_FOLDS(ISOFOLD_EXPECT_NAMED)
#undef ISOFOLD_EXPECT_NAMED
  EXPECT_EQ(reduce_.fold("dot", x_, y_).as<float>(), reduce_.dot(x_, y_));
  EXPECT_EQ(reduce_.fold(Fold::sum, widened(array(x_.data(), 1000))).as<double>(),
            reduce_.sum(widened(array(x_.data(), 1000))));
  EXPECT_EQ(isofold::fold_names().size(), 37U);
}

TEST_P(Results, ComponentsHaveNamesAndNumbers) {
  const std::vector<double> x{5, 2, 8, 2};
  const auto extrema = reduce_.fold("argminmax", x).components();
  ASSERT_EQ(extrema.size(), 4U);
  EXPECT_EQ(extrema[1].name, "minimum_index");
  EXPECT_EQ(std::get<std::int64_t>(extrema[1].value), 1);
  EXPECT_EQ(std::get<double>(extrema[2].value), 8);
  const auto product = reduce_.fold("product", std::vector<std::complex<double>>{{0, 2}, {3, 1}});
  EXPECT_EQ(product.as<std::complex<double>>(), std::complex<double>(-2, 6));
  EXPECT_EQ(product.components()[1].name, "imaginary");
  EXPECT_EQ(std::get<double>(product.components()[1].value), 6);
  EXPECT_TRUE(std::get<bool>(reduce_.fold("any", x).components()[0].value));
  const AnyResult sum = reduce_.fold("sum", std::vector<std::int8_t>{100, 100});
  EXPECT_EQ(sum.type(), isofold::Type::i32);
  EXPECT_EQ(std::get<std::int64_t>(sum.components()[0].value), 200);
  EXPECT_EQ(sum.as<long long>(), 200);  // another name of the type
}

// A NaN has the canonical bits, whether a machine divides or a compiler does.
TEST_P(Results, WeightedMeans) {
  const std::vector<double> x{1, 2, 5};
  EXPECT_EQ(reduce_.weighted_sum(x, std::vector<double>{1, 1, 2}).mean(), 3.25);
  const double nan = reduce_.weighted_sum(x, std::vector<double>{0, 0, 0}).mean();
  EXPECT_EQ(test_support::bits_of(nan), 0x7ff8000000000000U);
  const float other = reduce_.weighted_sum(std::vector<float>(2), std::vector<float>(2)).mean();
  EXPECT_EQ(test_support::bits_of(other), 0x7fc00000U);
  EXPECT_EQ(test_support::bits_of(isofold::WeightedSum<double>{0, 0}.mean()), 0x7ff8000000000000U);
  EXPECT_EQ((isofold::WeightedSum<double>{-1, 0}.mean()), -std::numeric_limits<double>::infinity());
}

TEST_P(Results, AnotherTypeOfResultIsRefused) {
  const AnyResult lowest = reduce_.fold("argmin", x_);
  std::string sentence;
  EXPECT_EQ(code_of([&] { return lowest.as<float>(); }, &sentence), Code::invalid_argument);
  EXPECT_EQ(sentence,
            "The result of argmin over f32 is value (f32), index (i64), not of type f32.");
  EXPECT_EQ(code_of([&] { return lowest.as<Location<double>>(); }), Code::invalid_argument);
  EXPECT_EQ(code_of([&] { return lowest.as<isofold::Extent<float>>(); }), Code::invalid_argument);
  EXPECT_EQ(code_of([&] { return reduce_.fold("sum", x_).as<std::complex<float>>(); }),
            Code::invalid_argument);
  EXPECT_EQ(code_of([&] { return reduce_.fold("any", x_).as<std::uint8_t>(); }, &sentence),
            Code::invalid_argument);
  EXPECT_EQ(sentence, "The result of any over f32 is of type boolean, not of type u8.");
}

TEST_P(Results, NamesThatAreNoneAreRefused) {
  const auto sentence_of = [&](const std::string& name, Code code) {
    std::string sentence;
    EXPECT_EQ(code_of([&] { return reduce_.fold(name, x_); }, &sentence), code) << name;
    return sentence;
  };
  const std::string suum = sentence_of("suum", Code::invalid_argument);
  EXPECT_EQ(suum.find("'suum' is no fold; did you mean sum? There are sum, product,"), 0U) << suum;
  EXPECT_NE(sentence_of("max", Code::invalid_argument).find("did you mean maximum?"),
            std::string::npos);
  EXPECT_NE(sentence_of("Var", Code::invalid_argument).find("did you mean variance?"),
            std::string::npos);
  EXPECT_NE(sentence_of("std", Code::invalid_argument).find("did you mean standard_deviation?"),
            std::string::npos);
  EXPECT_NE(sentence_of("max_element", Code::invalid_argument).find("did you mean argmax?"),
            std::string::npos);
  for (const char* name :
       {"frobnicate", "median", "nanmedian", "nth_element", "mode", "sort", "scan", "cumsum"}) {
    EXPECT_EQ(sentence_of(name, Code::invalid_argument).find("did you"), std::string::npos) << name;
  }
  EXPECT_NE(sentence_of("", Code::invalid_argument).find("'' is no fold"), std::string::npos);
  EXPECT_FALSE(isofold::find_fold("max").has_value());
  EXPECT_NE(sentence_of("count_in_range", Code::invalid_argument)
                .find("call count_in_range(view, low, high)"),
            std::string::npos);
  EXPECT_NE(sentence_of("bit_and", Code::unsupported).find("bit_and"), std::string::npos);
  EXPECT_NE(sentence_of("dot", Code::invalid_argument).find("give it a second view"),
            std::string::npos);
  for (const std::string& name : isofold::fold_names()) {
    const Fold fold = isofold::fold_named(name);
    EXPECT_EQ(isofold::reducer_detail::takes_two(fold),
              isofold_fold_arrays(static_cast<std::int32_t>(fold)) == 2)
        << name;
  }
  EXPECT_EQ(code_of([&] { return reduce_.fold("sum", x_, y_); }), Code::invalid_argument);
  EXPECT_EQ(code_of([&] { return reduce_.fold("minimum", std::vector<float>{}); }),
            Code::empty_input);
  EXPECT_EQ(code_of([&] { return reduce_.fold(static_cast<Fold>(4321), x_); }), Code::unsupported);
}

TEST_P(Results, LocationsAsIndices) {
  std::vector<double> x(4 * 5 * 6);
  x[2 * 30 + 3 * 6 + 4] = 7;
  const auto field = box(x.data(), {4, 5, 6});
  const auto hottest = reduce_.argmax(field);
  const auto [i, j, k] = unravel_index<3>(hottest.index, field);
  EXPECT_EQ(i, 2);
  EXPECT_EQ(j, 3);
  EXPECT_EQ(k, 4);
  EXPECT_EQ(unravel_index(hottest.index, field), (std::vector<std::int64_t>{2, 3, 4}));
  const auto inner = interior(field, 1);  // counts its own elements
  EXPECT_EQ(unravel_index(reduce_.argmax(inner).index, inner),
            (std::vector<std::int64_t>{1, 2, 3}));

  const auto planes = over(field, {0, 2});
  const std::vector<Location<double>> each = reduce_.argmax(planes);
  EXPECT_EQ(unravel_index(3, each[3].index, planes), (std::vector<std::int64_t>{2, 3, 4}));
  const auto lines = over(field, {1});
  EXPECT_EQ(unravel_index(2 * 6 + 4, reduce_.argmax(lines)[2 * 6 + 4].index, lines),
            (std::vector<std::int64_t>{2, 3, 4}));
  const auto whole = over(field, {0, 1, 2});
  EXPECT_EQ(unravel_index(0, reduce_.argmax(whole)[0].index, whole),
            (std::vector<std::int64_t>{2, 3, 4}));
}

// Under a mask, in axes, and of a part, an index leads to the same element as address_of does.
TEST_P(Results, LocationsUnderMasksAsIndices) {
  std::vector<float> x = test_support::data_set<float>(test_support::Recipe::small, 4 * 5 * 6);
  std::vector<std::uint8_t> bytes(x.size());
  std::vector<std::uint8_t> bits(x.size() / 8);
  for (std::size_t i = 0; i < x.size(); ++i) {
    bytes[i] = i % 7 == 3 || i % 5 == 1 ? 0 : 1;
    bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | bytes[i] << i % 8);
  }
  const auto field = box(x, {4, 5, 6});
  const auto at = [&](const std::vector<std::int64_t>& indices, const auto& part) {
    const float* element = part.data;
    for (std::size_t d = 0; d < indices.size(); ++d) {
      EXPECT_LT(indices[d], part.extents[d]);
      element += indices[d] * part.strides[d];
    }
    return element;
  };
  const auto expect_whole = [&](const auto& view, const auto& part) {
    const std::int64_t index = reduce_.argmax(view).index;
    EXPECT_EQ(at(unravel_index(index, view), part), address_of(view, index));
    const auto array = unravel_index<3>(index, view);
    EXPECT_EQ(at({array.begin(), array.end()}, part), address_of(view, index));
  };
  const auto expect_rows = [&](const auto& view, const auto& part) {
    const std::vector<Location<float>> found = reduce_.argmin(view);
    for (std::size_t row = 0; row < found.size(); ++row) {
      const auto r = static_cast<std::int64_t>(row);
      EXPECT_EQ(at(unravel_index(r, found[row].index, view), part),
                address_of(view, found[row].index, r));
    }
  };
  expect_whole(masked(field, bytes), field);
  expect_whole(masked_by_bits(field, bits.data()), field);
  expect_rows(masked(over(field, {0, 2}), bytes), field);
  const auto both = masked(field, box(bytes, {4, 5, 6}));
  expect_whole(both, field);
  expect_whole(interior(both, 1), interior(field, 1));
  expect_rows(over(interior(both, 1), {1}), interior(field, 1));
  const auto planes = masked(field, box(bytes.data(), {6}));  // repeats
  expect_whole(planes, field);
  const auto line = masked(array(x), bytes);
  const std::int64_t index = reduce_.argmax(line).index;
  EXPECT_EQ(unravel_index<1>(index, line)[0], address_of(line, index) - x.data());
  // A C array and an array have extents, too.
  const float matrix[2][3] = {{1, 2, 3}, {4, 9, 5}};
  EXPECT_EQ(unravel_index(reduce_.argmax(matrix).index, matrix), (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(unravel_index<1>(5, array(x))[0], 5);
}

TEST(Indices, OfEveryElement) {
  const std::vector<std::size_t> extents{2, 3, 4};
  std::int64_t index = 0;
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 3; ++j) {
      for (std::int64_t k = 0; k < 4; ++k, ++index) {
        EXPECT_EQ(unravel_index(index, extents), (std::vector<std::int64_t>{i, j, k}));
        EXPECT_EQ(unravel_index<3>(index, {2, 3, 4}), (std::array<std::int64_t, 3>{i, j, k}));
      }
    }
  }
  EXPECT_EQ(unravel_index(5, {7}), std::vector<std::int64_t>{5});
  EXPECT_EQ(unravel_index(0, {}), std::vector<std::int64_t>{});  // one element without dimensions
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(unravel_index(largest, {largest, largest}), (std::vector<std::int64_t>{1, 0}));
}

TEST(Indices, ThatAreNoneAreRefused) {
  const auto sentence_of = [](auto&& ask) {
    std::string sentence;
    EXPECT_EQ(code_of(ask, &sentence), Code::invalid_argument);
    return sentence;
  };
  EXPECT_EQ(sentence_of([] {
              return unravel_index(6, {2, 3});
            }),
            "Index 6 names no element of extents 2 by 3: indices count from 0, and -1 is the "
            "location in no elements.");
  EXPECT_NE(sentence_of([] {
              return unravel_index(-1, {2, 3});
            }).find("Index -1"),
            std::string::npos);
  EXPECT_NE(sentence_of([] {
              return unravel_index<2>(0, {2, 0});
            }).find("2 by 0"),
            std::string::npos);
  EXPECT_NE(sentence_of([] {
              return unravel_index(0, {-4, 3});
            }).find("-4 by 3"),
            std::string::npos);
  EXPECT_NE(sentence_of([] { return unravel_index(1, {}); }).find("no dimensions"),
            std::string::npos);
  EXPECT_EQ(sentence_of([] {
              return unravel_index<3>(1, {2, 3});
            }),
            "Asked for 3 indices, and there are 2 dimensions.");
  const float x[4] = {};
  const std::uint8_t taken[4] = {1, 0, 1, 1};
  const auto axes = masked(over(box(x, {2, 2}), {1}), taken);
  EXPECT_NE(sentence_of([&] { return unravel_index(0, 2, axes); }).find("Index 2 names no element"),
            std::string::npos);
  EXPECT_NE(sentence_of([&] { return unravel_index(2, 0, axes); }).find("Row 2 names no element"),
            std::string::npos);
  EXPECT_NE(sentence_of([&] { return unravel_index(0, -1, axes); }).find("Index -1"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Host, Results, testing::ValuesIn(test_support::host_backends()),
                         test_support::name_of_parameter);

}  // namespace
