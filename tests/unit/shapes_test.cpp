// Shapes with a layout through the C++ interface: each row has the bits of its elements, packed one
// after the other by a plain loop. The conformance suite asks every fold; this is the interface.
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <iterator>
#include <limits>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <test_support.hpp>

namespace {

using isofold::array;
using isofold::Axes;
using isofold::Box;
using isofold::box;
using isofold::Fold;
using isofold::Options;
using isofold::Reducer;
using test_support::bits_of;
using test_support::data_set;
using test_support::Recipe;

template <class T>
std::int64_t count_of(const std::vector<T>& x) {
  return static_cast<std::int64_t>(x.size());
}

// Calls visit(indices) for each index of the box in row-major order.
template <class T, class Visit>
void for_each_index(const Box<T>& x, Visit&& visit) {
  std::vector<std::int64_t> at(static_cast<std::size_t>(x.dimensions));
  std::int64_t count = 1;
  for (std::size_t d = 0; d < at.size(); ++d) {
    count *= x.extents[d];
  }
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i;
    for (std::size_t d = at.size(); d > 0; --d) {
      at[d - 1] = rest % x.extents[d - 1];
      rest /= x.extents[d - 1];
    }
    visit(at);
  }
}

template <class T>
T element_at(const Box<T>& x, const std::vector<std::int64_t>& at) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < at.size(); ++d) {
    offset += at[d] * x.strides[d];
  }
  return x.data[offset];
}

template <class T>
std::vector<T> packed(const Box<T>& x) {
  std::vector<T> elements;
  for_each_index(x, [&](const auto& at) { elements.push_back(element_at(x, at)); });
  return elements;
}

// The rows of a box of which the dimensions in `kept` make rows.
template <class T>
std::vector<std::vector<T>> packed_rows(const Box<T>& x, std::uint32_t kept) {
  std::int64_t count = 1;
  for (std::int32_t d = 0; d < x.dimensions; ++d) {
    count *= (kept >> d & 1U) != 0 ? x.extents[d] : 1;
  }
  std::vector<std::vector<T>> rows(static_cast<std::size_t>(count));
  for_each_index(x, [&](const auto& at) {
    std::int64_t row = 0;
    for (std::int32_t d = 0; d < x.dimensions; ++d) {
      row = (kept >> d & 1U) != 0 ? row * x.extents[d] + at[static_cast<std::size_t>(d)] : row;
    }
    rows[static_cast<std::size_t>(row)].push_back(element_at(x, at));
  });
  return rows;
}

template <Fold fold, class T>
auto of_packed(const std::vector<T>& x) {
  return test_support::reference<fold>(x.data(), count_of(x));
}
template <Fold fold, class T>
void expect_rows(const std::vector<isofold::result_t<fold, T>>& found,
                 const std::vector<std::vector<T>>& rows) {
  ASSERT_EQ(found.size(), rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    EXPECT_EQ(bits_of(found[r]), bits_of(of_packed<fold>(rows[r]))) << "row " << r;
  }
}
// Component by component: a copy need not keep the padding. Indices count the row's elements.
template <class T>
void expect_location(isofold::Location<T> found, isofold::Location<T> expected) {
  EXPECT_EQ(bits_of(found.value), bits_of(expected.value));
  EXPECT_EQ(found.index, expected.index);
}
template <class T>
void expect_sum(T found, const std::vector<T>& elements) {
  EXPECT_EQ(bits_of(found), bits_of(of_packed<Fold::sum>(elements)));
}

std::vector<float> field(std::int64_t n = 20000) { return data_set<float>(Recipe::uniform, n); }

class Shapes : public testing::TestWithParam<std::string> {
 protected:
  Reducer reduce_{GetParam().c_str()};
};

// ---- boxes -----------------------------------------------------------------------------------

TEST_P(Shapes, BoxesAreTheirElementsInRowMajorOrder) {
  const std::vector<float> x = field();
  const Box<float> boxes[] = {
      box(x.data(), {7, 11, 130}),
      box(x.data(), {20000}),
      box(x.data(), {6, 50, 33}, {1650, 33, 1}),      // the same as without strides
      box(x.data(), {6, 50, 33}, {1700, 34, 1}),      // gaps
      box(x.data(), {33, 50, 6}, {1, 33, 1650}),      // column-major
      box(x.data(), {5000}, {4}),                     // every fourth
      box(x.data(), {3, 2, 4, 5, 2, 2, 3, 2}),        // 8 dimensions
      box(x.data() + 3, {1, 1, 1}, {9, 9, 9}),        // one element
      box(x.data(), {40, 300}, {0, 1}),               // one pencil, 40 times
      box(x.data() + 19999, {20000}, {-1}),           // backwards
      box(x.data() + 49 * 100, {50, 70}, {-100, 1}),  // planes from the last one on
      box(x.data() + 99, {50, 100}, {100, -1}),       // pencils from their end
      box(x.data() + 99 + 49 * 100, {50, 50}, {-100, -2})};
  for (const Box<float>& each : boxes) {
    SCOPED_TRACE(testing::Message() << "box " << &each - boxes);
    const std::vector<float> elements = packed(each);
    expect_sum(reduce_.sum(each), elements);
    float out = 0;
    reduce_.sum(each, &out);
    expect_sum(out, elements);
    expect_location(reduce_.argmin_last(each), of_packed<Fold::argmin_last>(elements));
    EXPECT_TRUE(reduce_.supports(isofold::sum, each));
  }
}

TEST_P(Shapes, InteriorLeavesTheGhostCellsOut) {
  const std::vector<float> x = field();
  const Box<float> whole = box(x.data(), {12, 30, 50});
  for (std::int64_t ghost : {0, 1, 2, 5}) {
    const Box<float> inner = interior(whole, ghost);
    EXPECT_EQ(inner.extents[0], 12 - 2 * ghost);
    EXPECT_EQ(inner.extents[2], 50 - 2 * ghost);
    expect_sum(reduce_.sum(inner), packed(inner));
  }
  EXPECT_EQ(interior(whole, 1).data, x.data() + 1500 + 50 + 1);
}

// A vector field has components, of which all are inside.
TEST_P(Shapes, InteriorTakesAWidthForEachDimension) {
  const std::vector<float> x = field();
  const Box<float> vectors = box(x.data(), {3, 20, 30, 10});
  const Box<float> inner = interior(vectors, {0, 1, 2, 4});
  EXPECT_EQ(inner.data, x.data() + 300 + 20 + 4);
  EXPECT_EQ(std::vector<std::int64_t>(inner.extents, inner.extents + 4),
            (std::vector<std::int64_t>{3, 18, 26, 2}));
  expect_sum(reduce_.sum(inner), packed(inner));
  const Box<float> same = interior(interior(vectors, {0, 1, 1, 1}), {0, 0, 1, 3});
  EXPECT_EQ(bits_of(reduce_.sum(same)), bits_of(reduce_.sum(inner)));
}

TEST_P(Shapes, NegativeAxesCountFromTheEnd) {
  const std::vector<float> x = field();
  const Box<float> whole = box(x.data(), {12, 30, 50});
  EXPECT_EQ(over(whole, {-1}).kept, over(whole, {2}).kept);
  EXPECT_EQ(over(whole, {-3, 1}).kept, over(whole, {0, 1}).kept);
}

TEST_P(Shapes, SlicesOfABox) {
  const std::vector<float> x = field();
  const Box<float> whole = box(x.data(), {12, 30, 50});
  const Box<float> planes = slice(whole, 0, 3, 8);
  EXPECT_EQ(planes.data, x.data() + 3 * 1500);
  EXPECT_EQ(planes.extents[0], 5);
  const Box<float> lines = slice(planes, 1, 1, 30, 4);
  EXPECT_EQ(lines.extents[1], 8);
  EXPECT_EQ(lines.strides[1], 200);
  const Box<float> one = slice(lines, 2, 49, 50, 1000);
  for (const Box<float>& each :
       {planes, lines, one, slice(box(x.data() + 99, {100}, {-1}), 0, 7, 90, 2)}) {
    expect_sum(reduce_.sum(each), packed(each));
  }
  EXPECT_EQ(bits_of(reduce_.sum(slice(whole, 1, 30, 30))), bits_of(0.0F)) << "no line";
}

// A range whose iterators step further than its elements are wide, as a column of a matrix has.
struct Column {
  struct Iterator {
    using iterator_category = std::forward_iterator_tag;
    using value_type = float;
    using difference_type = std::ptrdiff_t;
    using pointer = const float*;
    using reference = const float&;
    const float* at;
    reference operator*() const { return *at; }
    Iterator& operator++() {
      at += 10;
      return *this;
    }
  };
  const float* first;
  const float* data() const { return first; }
  std::size_t size() const { return 5; }
  Iterator begin() const { return {first}; }
};

TEST_P(Shapes, ContainersAreArrays) {
  const std::vector<float> x = field(1000);
  const std::vector<float> y(x.rbegin(), x.rend());
  expect_sum(reduce_.sum(x), x);
  expect_sum(reduce_.reduce(isofold::sum, x), x);
  float out = 0;
  reduce_.sum(x, &out);
  expect_sum(out, x);
  std::array<double, 3> few{0.25, 0.5, 4};
  EXPECT_EQ(reduce_.sum(few), 4.75);
  const std::int32_t numbers[] = {1, 2, 4};
  EXPECT_EQ(reduce_.sum(numbers), 7);
  EXPECT_EQ(reduce_.sum(std::vector<float>{}), 0.0F);
  const auto dot = reduce_.dot(array(x.data(), 1000), array(y.data(), 1000));
  EXPECT_EQ(bits_of(reduce_.dot(x, y)), bits_of(dot));
  EXPECT_EQ(bits_of(reduce_.dot(x, array(y.data(), 1000))), bits_of(dot));
  const auto [both, norm] = reduce_.reduce(fuse(isofold::dot, isofold::norm2), x, y);
  EXPECT_EQ(bits_of(both), bits_of(dot));
  EXPECT_EQ(bits_of(norm), bits_of(reduce_.norm2(x)));
  EXPECT_EQ(reduce_.count_in_range(x, -2.0F, 2.0F), reduce_.count_nonzero(x));
  EXPECT_TRUE(reduce_.supports(isofold::sum, x));
  float sums[2];
  reduce_.sum(isofold::rows(x.data(), 2, 500), sums);
  expect_sum(sums[0], {x.begin(), x.begin() + 500});
  EXPECT_EQ(test_support::code_of([&] { return reduce_.sum(Column{x.data()}); }),
            isofold::Code::invalid_argument);
}

// The compiler's own types of 16 bits, where it has them.
template <class Half>
[[maybe_unused]] float sum_of_halves(Reducer& reduce) {
  const std::vector<Half> x{static_cast<Half>(0.25F), static_cast<Half>(0.5F),
                            static_cast<Half>(4.0F)};
  EXPECT_EQ(reduce.argmax(x).index, 2);
  EXPECT_EQ(reduce.maximum(isofold::box(x.data(), {3}, {1})), 4.0F);
  return reduce.sum(x);
}

// Types that lie in memory as an element of lists.h does, and integers of any type as extents,
// offsets and indices.
TEST_P(Shapes, OtherNamesOfElements) {
  const std::vector<long long> longs{-5, 3, 9};
  const std::vector<unsigned long long> naturals{1, 2, 3};
  EXPECT_EQ(reduce_.sum(longs), 7);
  EXPECT_EQ(reduce_.argmax(longs).index, 2);
  EXPECT_EQ(reduce_.maximum(naturals), 3U);
  const bool flags[] = {true, false, true};
  EXPECT_EQ(reduce_.sum(flags), 2U);
  EXPECT_FALSE(reduce_.all(flags));
  EXPECT_EQ(reduce_.maximum(std::string("text")), 'x');
  const std::vector<double> x{1, 2, 3, 4, 5, 6};
  const std::size_t rows = 2;
  EXPECT_EQ(reduce_.sum(isofold::box(x.data(), {rows, x.size() / rows})), 21);
  EXPECT_EQ(reduce_.sum(isofold::box(x.data(), {rows, 2UL}, {3, 1})), 1 + 2 + 4 + 5);
  enum { named_rows = 2 };
  EXPECT_EQ(
      reduce_.sum(isofold::box(x.data(), {named_rows, std::integral_constant<int, 3>::value})), 21);
  const std::vector<std::size_t> offsets{0, 1, 6};
  double sums[2] = {};
  reduce_.sum(isofold::segments(x.data(), offsets.data(), 2), sums);
  EXPECT_EQ(sums[0], 1);
  EXPECT_EQ(sums[1], 20);
  const std::vector<long long> indices{5, 0};
  EXPECT_EQ(reduce_.sum(isofold::gather(x.data(), indices.data(), 2)), 7);
#if defined(__STDCPP_FLOAT16_T__)
  EXPECT_EQ(sum_of_halves<std::float16_t>(reduce_), 4.75F);
#elif defined(__FLT16_MANT_DIG__)
  EXPECT_EQ(sum_of_halves<_Float16>(reduce_), 4.75F);
#endif
#if defined(__STDCPP_BFLOAT16_T__)
  EXPECT_EQ(sum_of_halves<std::bfloat16_t>(reduce_), 4.75F);
#endif
}

// As std::mdspan and Kokkos::mdspan have them.
class View {
 public:
  using size_type = unsigned;
  View(const double* data, unsigned rows, unsigned columns, unsigned pitch)
      : data_(data), extents_{rows, columns}, strides_{pitch, 1} {}
  static constexpr std::size_t rank() { return 2; }
  const double* data_handle() const { return data_; }
  size_type extent(std::size_t d) const { return extents_[d]; }
  size_type stride(std::size_t d) const { return strides_[d]; }

 private:
  const double* data_;
  size_type extents_[2];
  size_type strides_[2];
};

TEST_P(Shapes, ViewsAreBoxes) {
  const std::vector<double> x = data_set<double>(Recipe::uniform, 5000);
  const Box<double> made = box(View(x.data(), 40, 90, 100));
  EXPECT_EQ(made.dimensions, 2);
  expect_sum(reduce_.sum(made), packed(box(x.data(), {40, 90}, {100, 1})));
  expect_sum(reduce_.sum(View(x.data(), 40, 90, 100)), packed(made));
  EXPECT_EQ(bits_of(reduce_.dot(View(x.data(), 40, 90, 100), made)),
            bits_of(reduce_.dot(made, made)));
}

// C arrays of several dimensions are boxes, and the second of two arrays may be a C array.
TEST_P(Shapes, ArraysOfArraysAreBoxes) {
  const double cells[2][3] = {{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(reduce_.sum(cells), 21);
  EXPECT_EQ(reduce_.argmax(cells).index, 5);
  EXPECT_EQ(reduce_.sum(over(box(cells), {0})), (std::vector<double>{5, 7, 9}));
  EXPECT_EQ(reduce_.dot(cells, cells), 91);
  const float cube[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
  EXPECT_EQ(reduce_.sum(over(box(cube), {0, 2})), (std::vector<float>{14, 22}));
  double line[3] = {1, 2, 3};
  EXPECT_EQ(reduce_.dot(line, line), 14);
  double out[1] = {};
  reduce_.dot(line, line, out);
  EXPECT_EQ(out[0], 14);
  EXPECT_EQ(test_support::code_of([&] { return reduce_.dot(std::vector<double>(2), line); }),
            isofold::Code::invalid_argument);
}

// std::array nests as C arrays do, also in a std::vector of a length that is known at run time, and
// as a mask.
TEST_P(Shapes, NestedArraysAreBoxes) {
  const std::array<std::array<double, 3>, 2> cells{{{1, 2, 3}, {4, 5, 6}}};
  EXPECT_EQ(reduce_.sum(cells), 21);
  EXPECT_EQ(reduce_.sum(over(box(cells), {0})), (std::vector<double>{5, 7, 9}));
  const std::array<double[3], 2> mixed{{{1, 2, 3}, {4, 5, 6}}};
  EXPECT_EQ(reduce_.dot(cells, mixed), 91);
  const std::array<float, 2> lines[2][1] = {{{1, 2}}, {{3, 4}}};
  EXPECT_EQ(reduce_.sum(over(box(lines), {0, 1})), (std::vector<float>{4, 6}));
  const std::vector<std::array<double, 3>> points{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
  EXPECT_EQ(reduce_.sum(points), 78);
  EXPECT_EQ(reduce_.sum(over(box(points), {0})), (std::vector<double>{22, 26, 30}));
  const std::vector<std::array<bool, 3>> taken(4, {true, false, true});
  EXPECT_EQ(reduce_.sum(isofold::masked(points, taken)), 52);
  const std::array<bool, 3> first{true, false, false};
  EXPECT_EQ(reduce_.sum(isofold::masked(points, box(first.data(), {3}))), 22);
  const std::vector<std::array<double, 3>> none;
  EXPECT_EQ(reduce_.sum(none), 0);
  EXPECT_EQ(test_support::code_of([&] { return reduce_.minimum(none); }),
            isofold::Code::empty_input);
  const std::array<std::array<double, 0>, 2> empty{};
  EXPECT_EQ(reduce_.sum(empty), 0);
}

// exact, skip_nan and packed_index keep a temporary container, which would be gone.
TEST_P(Shapes, TemporaryContainersAreKept) {
  const auto made = [] { return std::vector<double>{1, std::nan(""), 1e300, -1e300}; };
  const auto kept = isofold::exact(isofold::skip_nan(made()));
  const std::vector<double> other(4, 7);
  EXPECT_EQ(reduce_.sum(kept), 1);
  const auto ones = isofold::exact(std::vector<double>(4, 1));
  EXPECT_EQ(reduce_.dot(ones, isofold::exact(std::array<double, 4>{1, 2, 3, 4})), 10);
  EXPECT_EQ(reduce_.dot(ones, other), 28);
  EXPECT_EQ(reduce_.dot(isofold::exact(other), ones), 28);
  EXPECT_EQ(reduce_.argmax(isofold::packed_index(isofold::skip_nan(made()))).index, 1);
}

// Extents and strides of a pointer may be known at run time alone.
TEST_P(Shapes, StridesKnownAtRunTime) {
  const double x[] = {1, 2, 3, 4, 5, 6};
  const std::vector<std::size_t> extents{2, 2};
  const std::vector<std::int8_t> strides{-3, 2};
  EXPECT_EQ(reduce_.sum(over(box(x + 3, extents, strides), {1})), (std::vector<double>{10, 4}));
  EXPECT_EQ(test_support::code_of([&] { return reduce_.sum(box(x, extents, std::vector{1})); }),
            isofold::Code::invalid_argument);
}

// Functions that make views of pointers take containers, too, and check how many elements they
// have.
TEST_P(Shapes, ViewsAreMadeOfContainers) {
  const auto is_refused = [](auto&& call) {
    return test_support::code_of(call) == isofold::Code::invalid_argument;
  };
  const std::vector<float> x{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(reduce_.sum(array(x)), 21);
  EXPECT_EQ(reduce_.sum(isofold::widened(x)), 21.0);
  const float matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
  const std::uint8_t taken[6] = {1, 1, 0, 1, 1, 0};
  EXPECT_EQ(reduce_.sum(over(isofold::widened(matrix), {1})), (std::vector<double>{6, 15}));
  EXPECT_EQ(reduce_.sum(isofold::widened(over(box(matrix), {1}))), (std::vector<double>{6, 15}));
  EXPECT_EQ(reduce_.sum(isofold::widened(masked(over(box(matrix), {1}), taken))),
            (std::vector<double>{3, 9}));
  EXPECT_EQ(reduce_.sum(isofold::widened(masked(box(matrix), box(taken, {2, 3})))), 12.0);
  // A mask may come before the axes, too.
  EXPECT_EQ(reduce_.sum(over(masked(box(matrix), taken), {1})), (std::vector<float>{3, 9}));
  EXPECT_EQ(reduce_.sum(over(masked(box(matrix), taken), -1)), (std::vector<float>{3, 9}));
  EXPECT_EQ(reduce_.sum(over(masked(box(matrix), box(taken, {2, 3})), 1)),
            (std::vector<float>{3, 9}));
  EXPECT_EQ(reduce_.sum(isofold::rows(x, 2, 3)), (std::vector<float>{6, 15}));
  EXPECT_TRUE(is_refused([&] { return isofold::rows(x, 2, 2); }));
  const std::vector<std::size_t> extents{2, 3};
  EXPECT_EQ(reduce_.sum(isofold::over(box(x, {2, 3}), 0)), (std::vector<float>{5, 7, 9}));
  EXPECT_EQ(reduce_.sum(isofold::over(box(x, extents), std::array<int, 1>{-1})),
            (std::vector<float>{6, 15}));
  EXPECT_EQ(reduce_.sum(box(x.data(), extents)), 21);
  EXPECT_TRUE(is_refused([&] { return box(x, {2, 2}); }));
  EXPECT_TRUE(is_refused([&] { return isofold::over(box(x, extents), -3); }));
  EXPECT_EQ(reduce_.sum(isofold::slice(box(x, {2, 3}), -1, 0, x.size() / 3)), 12);
  const std::vector<int> offsets{0, 2, 6};
  EXPECT_EQ(reduce_.sum(isofold::segments(x, offsets)), (std::vector<float>{3, 18}));
  const std::vector<int> beyond{0, 7};
  const std::vector<int> no_offset;
  EXPECT_TRUE(is_refused([&] { return reduce_.sum(isofold::segments(x, beyond)); }));
  EXPECT_TRUE(is_refused([&] { return isofold::segments(x, no_offset); }));
  const std::array<int, 2> ends{5, 0};
  const std::array<int, 1> one_beyond{6};
  EXPECT_EQ(reduce_.sum(isofold::gather(x, ends)), 7);
  EXPECT_TRUE(is_refused([&] { return reduce_.sum(isofold::gather(x, one_beyond)); }));
  const std::vector<float> none;
  const std::vector<int> zeros{0, 0};
  EXPECT_EQ(reduce_.sum(isofold::segments(none, zeros)), (std::vector<float>{0}));
  EXPECT_TRUE(is_refused([&] { return isofold::segments(none, beyond); }));
  EXPECT_TRUE(is_refused([&] { return isofold::gather(none, zeros); }));
}

TEST_P(Shapes, ViewsAreMadeOfArraysAndOfListsKnownAtRunTime) {
  const std::vector<double> x{1, 2, 3, 4, 5, 6};
  const std::vector<std::uint8_t> taken{1, 0, 1, 1, 1, 0};
  const auto whole = array(x.data(), 6);
  const std::vector<int> offsets{0, 2, 6};
  EXPECT_EQ(reduce_.sum(isofold::rows(whole, 2, 3)), (std::vector<double>{6, 15}));
  EXPECT_EQ(reduce_.sum(isofold::segments(whole, offsets)), (std::vector<double>{3, 18}));
  const std::array<int, 2> ends{5, 0};
  EXPECT_EQ(reduce_.sum(isofold::gather(whole, ends)), 7);
  const auto field = box(whole, {2, 3});
  const std::vector<int> widths{0, 1};
  const std::list<short> last{-1};
  EXPECT_EQ(reduce_.sum(interior(field, widths)), 7);
  EXPECT_EQ(reduce_.sum(over(field, last)), (std::vector<double>{6, 15}));
  EXPECT_EQ(reduce_.sum(over(masked(field, taken), last)), (std::vector<double>{4, 9}));
  const auto under_mask = masked(field, box(taken, {2, 3}));
  EXPECT_EQ(reduce_.sum(over(under_mask, last)), (std::vector<double>{4, 9}));
  EXPECT_EQ(reduce_.sum(interior(under_mask, widths)), 5);
  const std::vector<const double*> arrays{x.data(), x.data() + 4};
  const std::vector<std::int16_t> lengths{2, 2};
  EXPECT_EQ(reduce_.sum(isofold::batch(arrays, lengths)), (std::vector<double>{3, 11}));
  EXPECT_EQ(reduce_.sum(isofold::joined(isofold::batch(arrays, lengths))), 14);
  EXPECT_EQ(test_support::code_of([&] { return isofold::batch(arrays, offsets); }),
            isofold::Code::invalid_argument);
}

TEST_P(Shapes, MasksAreContainers) {
  const std::vector<float> x{1, 2, 3, 4, 5, 6};
  const std::array<bool, 6> taken{true, false, true, false, true, false};
  const std::vector<std::uint8_t> bytes(taken.begin(), taken.end());
  EXPECT_EQ(reduce_.sum(isofold::masked(x, taken)), 9);
  EXPECT_EQ(reduce_.sum(isofold::masked(x, bytes)), 9);
  EXPECT_EQ(reduce_.sum(isofold::masked(x, taken.data())), 9);
  EXPECT_EQ(reduce_.sum(isofold::masked(x, bytes.data())), 9);
  EXPECT_EQ(reduce_.sum(isofold::masked(array(x), array(taken))), 9);
  EXPECT_EQ(reduce_.sum(isofold::masked(x, box(taken, {6}))), 9);
  EXPECT_EQ(reduce_.sum(isofold::masked(box(x, {2, 3}), bytes)), 9);
  EXPECT_EQ(reduce_.sum(isofold::masked(isofold::over(box(x, {2, 3}), 0), taken)),
            (std::vector<float>{1, 5, 3}));
  const std::vector<std::uint8_t> five(5);
  EXPECT_EQ(test_support::code_of([&] { return isofold::masked(x, five); }),
            isofold::Code::invalid_argument);
}

// A bound that is no element would be another one after a conversion.
TEST_P(Shapes, BoundsOfIntegersAreIntegers) {
  const std::vector<std::uint8_t> bytes{0, 1, 44, 255};
  const auto count = [&](auto low, auto high) { return reduce_.count_in_range(bytes, low, high); };
  EXPECT_EQ(count(0, 255), 4);
  EXPECT_EQ(count(1.0, 44U), 2);
  EXPECT_EQ(test_support::code_of([&] { return count(-1, 255); }), isofold::Code::invalid_argument);
  EXPECT_EQ(test_support::code_of([&] { return count(0, 300); }), isofold::Code::invalid_argument);
  EXPECT_EQ(test_support::code_of([&] { return count(0.5, 2); }), isofold::Code::invalid_argument);
  const std::vector<std::int64_t> longs{std::numeric_limits<std::int64_t>::max(), -1};
  EXPECT_EQ(reduce_.count_in_range(longs, 0, longs[0]), 1);
  EXPECT_EQ(reduce_.count_in_range(longs, longs[0], longs[0]), 1);
  EXPECT_EQ(test_support::code_of(
                [&] { return reduce_.count_in_range(longs, 0, std::uint64_t{1} << 63); }),
            isofold::Code::invalid_argument);
  const std::vector<float> reals{0.5F, 2};
  EXPECT_EQ(reduce_.count_in_range(isofold::widened(reals), 0, 1.0), 1);
}

TEST_P(Shapes, EachIndexOfTheKeptDimensionsIsARow) {
  const std::vector<float> x = field();
  const Box<float> whole = box(x.data(), {9, 13, 17, 8});
  const Box<float> inner = interior(whole, 2);
  for (const Box<float>& each : {whole, inner}) {
    for (std::uint32_t kept = 0; kept < 16; ++kept) {
      SCOPED_TRACE(testing::Message() << "kept 0x" << std::hex << kept);
      const auto rows = packed_rows(each, kept);
      std::vector<float> found(rows.size());
      reduce_.sum(Axes<float>{each, kept, {}}, found.data());
      expect_rows<Fold::sum>(found, rows);
    }
  }
  const auto rows = packed_rows(whole, 0b1010);
  std::vector<float> found(rows.size());
  reduce_.maximum(over(whole, {0, 2}), found.data());
  expect_rows<Fold::maximum>(found, rows);
  EXPECT_EQ(over(whole, {0, 1, 2, 3}).kept, 0U);
  EXPECT_EQ(over(whole, {}).kept, 0xfU);
  expect_sum(reduce_.sum(over(whole, {0, 1, 2, 3})).at(0), packed(whole));
}

TEST_P(Shapes, KeptDimensionsMayRunBackwards) {
  const std::vector<float> x = field();
  const Box<float> each = box(x.data() + 99 * 150 + 149, {100, 150}, {-150, -1});
  for (std::uint32_t kept : {1U, 2U}) {
    const auto rows = packed_rows(each, kept);
    std::vector<float> found(rows.size());
    reduce_.sum(Axes<float>{each, kept, {}}, found.data());
    expect_rows<Fold::sum>(found, rows);
  }
}

// Boxes of another order than their memory: long slabs and short ones, of lines of the cache that
// are full and not, in several sides, with rows kept outside and between, forwards and backwards.
template <class T>
void reduce_slabs(const std::string& backend, bool is_exact) {
  const std::vector<T> x = data_set<T>(Recipe::uniform, 600000);
  struct Slabs {
    Box<T> box;
    std::uint32_t kept;
  };
  const T* const data = x.data();
  const Slabs all[] = {
      {box(data, {40, 2100}, {1, 40}), 0},
      {box(data, {33, 3, 1024}, {1, 33, 99}), 0},
      {box(data + 5, {2, 17, 5000}, {85003, 1, 17}), 0},
      {box(data, {8, 9001}, {1, 9}), 0},
      {box(data, {23, 3, 3333}, {1, 23, 70}), 2},
      {box(data, {3, 24, 4000}, {96001, 1, 24}), 1},
      {box(data + 23 * 3333, {24, 3334}, {1, -23}), 0},
      {box(data, {300, 300}, {1, 300}), 0},
      {box(data, {5000, 8}, {1, 5000}), 0},
      {box(data + 7, {4, 100, 500}, {50001, 1, 100}), 0},
      {box(data, {90, 7, 211}, {1, 90, 631}), 2},
      {box(data, {9000, 2, 9}, {1, 9000, 18001}), 0},
      {box(data, {70, 2047}, {1, 71}), 0},
      // Slabs of whole chunks, which some folds take as columns, and slabs beside those.
      {box(data, {103, 2048}, {1, 104}), 0},
      {box(data, {2, 70, 2, 1024}, {143361, 1, 70, 140}), 0},
      {box(data + 127 * 3, {3, 64, 3072}, {1, -3, 193}), 1},
      {box(data, {261, 2048}, {1, 261}), 0},
      {box(data, {129, 2, 512}, {1, 130, 260}), 0},
      // Short ones whose length, or a part of it, is a power of two.
      {box(data, {261, 512}, {1, 263}), 0},
      {box(data, {90, 1536}, {1, 91}), 0},
      {box(data, {2, 150, 3, 256}, {115201, 1, 150, 450}), 0},
      {box(data, {70, 5, 1280}, {1, 70, 350}), 2},
  };
  for (const int threads : {1, 3}) {
    Reducer reduce(backend.c_str(), Options{}.threads(threads));
    for (const Slabs& each : all) {
      SCOPED_TRACE(testing::Message() << "box " << &each - all << ", threads " << threads);
      const auto rows = packed_rows(each.box, each.kept);
      const Axes<T> axes{each.box, each.kept, {}};
      std::vector<isofold::result_t<Fold::sum, T>> sums(rows.size());
      reduce.sum(axes, sums.data());
      std::vector<isofold::result_t<Fold::argmax, T>> highest(rows.size());
      reduce.argmax(axes, highest.data());
      for (std::size_t r = 0; r < rows.size(); ++r) {
        if (is_exact) {
          EXPECT_EQ(sums[r], of_packed<Fold::sum>(rows[r]));
        } else {
          EXPECT_EQ(bits_of(sums[r]), bits_of(of_packed<Fold::sum>(rows[r])));
        }
        expect_location(highest[r], of_packed<Fold::argmax>(rows[r]));
      }
    }
  }
}
TEST_P(Shapes, SlabsOfFloats) { reduce_slabs<float>(GetParam(), false); }
TEST_P(Shapes, SlabsOfDoubles) { reduce_slabs<double>(GetParam(), false); }
TEST_P(Shapes, SlabsOfNarrowElements) { reduce_slabs<std::int8_t>(GetParam(), true); }

TEST_P(Shapes, DotsOfSlabs) {
  const std::vector<float> x = field(300000);
  const std::vector<float> y = data_set<float>(Recipe::uniform, 300000, 2);
  for (const Box<float>& first :
       {box(x.data(), {2, 17, 5000}, {85003, 1, 17}), box(x.data(), {2, 340, 250}, {85000, 1, 340}),
        box(x.data(), {2, 65, 2048}, {133120, 1, 65}),
        box(x.data(), {2, 75, 1536}, {115200, 1, 75})}) {
    const std::int64_t a = first.extents[0];
    const std::int64_t b = first.extents[1];
    const std::int64_t c = first.extents[2];
    for (const Box<float>& second :
         {box(y.data(), {a, b, c}), box(y.data(), {a, b, c}, {b * c, 1, b}),
          box(y.data() + a * b * c, {a, b, c}, {-b * c, -1, -b})}) {
      const std::vector<float> left = packed(first);
      const std::vector<float> right = packed(second);
      EXPECT_EQ(bits_of(reduce_.dot(first, second)),
                bits_of(reduce_.dot(array(left.data(), count_of(left)),
                                    array(right.data(), count_of(right)))));
    }
  }
}

// Slabs of which the second array has fewer side by side, for its dimensions are farther apart.
TEST_P(Shapes, DotsOfSlabsThatLieOtherwise) {
  const std::vector<float> x = field(300000);
  const std::vector<float> y = data_set<float>(Recipe::uniform, 350000, 2);
  const std::pair<Box<float>, Box<float>> all[] = {
      {box(x.data(), {3, 5, 5000}, {5, 1, 15}), box(y.data(), {3, 5, 5000}, {7, 1, 21})},
      {box(x.data(), {3, 5, 5000}, {5, 1, 15}), box(y.data() + 10, {3, 5, 5000}, {-5, 1, 15})},
      {box(x.data(), {3, 5, 5000}, {6, 1, 18}), box(y.data(), {3, 5, 5000}, {5, 1, 15})},
      {box(x.data(), {4, 32, 2048}, {32, 1, 128}), box(y.data(), {4, 32, 2048}, {33, 1, 132})},
      {box(x.data(), {2, 64, 2048}, {64, 1, 128}), box(y.data(), {2, 64, 2048}, {70, 1, 140})},
      {box(x.data(), {20, 40, 300}, {40, 1, 800}), box(y.data(), {20, 40, 300}, {41, 1, 820})},
  };
  for (const auto& [first, second] : all) {
    const std::vector<float> left = packed(first);
    const std::vector<float> right = packed(second);
    const auto found = reduce_.dot(first, second);
    const auto wanted =
        reduce_.dot(array(left.data(), count_of(left)), array(right.data(), count_of(right)));
    EXPECT_EQ(bits_of(found), bits_of(wanted)) << "strides " << second.strides[0];
  }
}

// More slabs than are folded as columns at once.
TEST_P(Shapes, ManySlabs) {
  const std::vector<float> x = field(840 * 2048);
  const Box<float> all = box(x.data(), {840, 2048}, {1, 840});
  const std::vector<float> elements = packed(all);
  const auto same = array(elements.data(), count_of(elements));
  EXPECT_EQ(bits_of(reduce_.sum(all)), bits_of(reduce_.sum(same)));
  EXPECT_EQ(reduce_.argmin(all).index, reduce_.argmin(same).index);
}

TEST_P(Shapes, SlabsOfComplexElements) {
  const std::vector<float> parts = data_set<float>(Recipe::uniform, 140000);
  std::vector<std::complex<float>> z;
  for (std::size_t i = 0; i < parts.size(); i += 2) {
    z.emplace_back(parts[i], parts[i + 1]);
  }
  for (const Box<std::complex<float>>& each :
       {box(z.data(), {20, 3400}, {1, 20}), box(z.data(), {200, 340}, {1, 200}),
        box(z.data(), {130, 512}, {1, 130})}) {
    const auto elements = packed(each);
    const auto found = reduce_.sum(each);
    const auto wanted = reduce_.sum(array(elements.data(), count_of(elements)));
    EXPECT_EQ(bits_of(found.real()), bits_of(wanted.real()));
    EXPECT_EQ(bits_of(found.imag()), bits_of(wanted.imag()));
  }
}

// Rows that lie in memory in another order than they are numbered: of a box whose first index is
// the nearest, and of others, by results of 1 to 24 bytes.
TEST_P(Shapes, RowsInAnotherOrderThanMemory) {
  const std::vector<float> x = field(200000);
  const Box<float> boxes[] = {
      box(x.data(), {45, 50, 40}, {1, 45, 2250}),
      box(x.data() + 44, {45, 50, 40}, {-1, 45, 2300}),
      box(x.data(), {2, 30, 40, 30}, {1200, 40, 1, 4800}),
      box(x.data(), {300, 1, 300}, {1, 7, 301}),
      box(x.data(), {40, 50, 40}, {2, 80, 4000}),  // no rows of side by side elements, in any order
  };
  for (const Box<float>& each : boxes) {
    for (std::uint32_t kept = 0; kept >> each.dimensions == 0; ++kept) {
      SCOPED_TRACE(testing::Message()
                   << "box " << &each - boxes << ", kept 0x" << std::hex << kept);
      const auto rows = packed_rows(each, kept);
      const Axes<float> axes{each, kept, {}};
      std::vector<float> sums(rows.size());
      reduce_.sum(axes, sums.data());
      expect_rows<Fold::sum>(sums, rows);
      std::vector<isofold::Location<float>> lowest(rows.size());
      reduce_.argmin(axes, lowest.data());
      const std::unique_ptr<bool[]> any(new bool[rows.size()]);
      reduce_.any(axes, any.get());
      std::vector<isofold::Moments> moments(rows.size());
      reduce_.moments(axes, moments.data());
      for (std::size_t r = 0; r < rows.size(); ++r) {
        expect_location(lowest[r], of_packed<Fold::argmin>(rows[r]));
        EXPECT_EQ(any[r], of_packed<Fold::any>(rows[r]));
        EXPECT_EQ(moments[r].count, count_of(rows[r]));
        EXPECT_EQ(bits_of(moments[r].mean), bits_of(of_packed<Fold::moments>(rows[r]).mean));
      }
    }
  }
}

// The first array decides the order, and the second one's elements keep to it.
TEST_P(Shapes, DotsOfRowsInAnotherOrderThanMemory) {
  const std::vector<float> x = field(90000);
  const std::vector<float> y = data_set<float>(Recipe::uniform, 90000, 2);
  const Box<float> turned = box(x.data(), {45, 50, 40}, {1, 45, 2250});
  for (const Box<float>& second :
       {box(y.data(), {45, 50, 40}), box(y.data(), {45, 50, 40}, {1, 45, 2250})}) {
    for (std::uint32_t kept = 1; kept < 7; ++kept) {
      const auto a = packed_rows(turned, kept);
      const auto b = packed_rows(second, kept);
      std::vector<float> found(a.size());
      reduce_.dot(Axes<float>{turned, kept, {}}, second, found.data());
      for (std::size_t r = 0; r < a.size(); ++r) {
        const float row =
            reduce_.dot(array(a[r].data(), count_of(a[r])), array(b[r].data(), count_of(b[r])));
        EXPECT_EQ(bits_of(found[r]), bits_of(row)) << "kept " << kept << ", row " << r;
      }
    }
  }
}

TEST_P(Shapes, TwoBoxesMayHaveDifferentStrides) {
  const std::vector<double> x = data_set<double>(Recipe::uniform, 4000);
  const std::vector<double> y = data_set<double>(Recipe::uniform, 4000, 2);
  const Box<double> rows_first = box(x.data(), {30, 40});
  const Box<double> columns_first = box(y.data() + 31, {30, 40}, {1, 31});
  const std::vector<double> a = packed(rows_first);
  const std::vector<double> b = packed(columns_first);
  const double expected = reduce_.dot(array(a.data(), 1200), array(b.data(), 1200));
  EXPECT_EQ(bits_of(reduce_.dot(rows_first, columns_first)), bits_of(expected));
  double out = 0;
  reduce_.dot(rows_first, columns_first, &out);
  EXPECT_EQ(bits_of(out), bits_of(expected));

  std::vector<double> rows(30);
  reduce_.dot(over(rows_first, {1}), columns_first, rows.data());
  for (std::int64_t r = 0; r < 30; ++r) {
    const double row = reduce_.dot(array(a.data() + 40 * r, 40), array(b.data() + 40 * r, 40));
    EXPECT_EQ(bits_of(rows[static_cast<std::size_t>(r)]), bits_of(row)) << "row " << r;
  }
  std::vector<std::uint8_t> mask(1200);
  mask[5] = mask[700] = 1;
  EXPECT_EQ(bits_of(reduce_.dot(masked(rows_first, mask.data()), columns_first)),
            bits_of(a[5] * b[5] + a[700] * b[700]));  // in lanes of their own

  // The second one may repeat axes and mask.
  std::vector<double> again(30);
  reduce_.dot(over(rows_first, {1}), over(columns_first, {1}), again.data());
  EXPECT_EQ(again, rows);
  const Box<std::uint8_t> entries = box(mask.data(), {30, 40});
  const double taken = reduce_.dot(masked(rows_first, mask.data()), columns_first);
  EXPECT_EQ(reduce_.dot(masked(rows_first, mask.data()), masked(columns_first, mask.data())),
            taken);
  EXPECT_EQ(reduce_.dot(masked(rows_first, entries), columns_first), taken);
  EXPECT_EQ(reduce_.dot(masked(rows_first, entries), masked(columns_first, entries)), taken);
  const auto expect_refusal = [&](const auto& first, const auto& second) {
    std::string sentence;
    EXPECT_EQ(test_support::code_of([&] { reduce_.dot(first, second, again.data()); }, &sentence),
              isofold::Code::invalid_argument);
    EXPECT_NE(sentence.find("other axes, or another mask"), std::string::npos) << sentence;
  };
  expect_refusal(over(rows_first, {1}), over(columns_first, {0}));
  expect_refusal(over(rows_first, {1}), masked(over(columns_first, {1}), mask.data()));
  expect_refusal(masked(rows_first, entries), masked(columns_first, box(mask.data(), {40})));
}

// Segments, counted rows, gathers and batches share their lists.
template <class Index>
void reduce_pairs(Reducer& reduce) {
  const std::vector<double> x = data_set<double>(Recipe::uniform, 9000);
  const std::vector<double> y = data_set<double>(Recipe::uniform, 9000, 2);
  const auto dot = [&](const double* a, const double* b, std::int64_t n) {
    return bits_of(reduce.dot(array(a, n), array(b, n)));
  };
  const Index offsets[] = {3, 3, 2000, 9000};
  double found[3] = {};
  reduce.dot(isofold::segments(x.data(), offsets, 3, 9000),
             isofold::segments(y.data(), offsets, 3, 9000), found);
  const Index counts[] = {3000, 0, 17};
  double counted[3] = {};
  reduce.dot(isofold::counted(isofold::rows(x.data(), 3, 3000), counts),
             isofold::counted(isofold::rows(y.data(), 3, 3000), counts), counted);
  const double* const first[] = {x.data() + 5, nullptr, x.data()};
  const double* const second[] = {y.data(), nullptr, y.data() + 7};
  double of_batch[3] = {};
  reduce.dot(isofold::batch(first, counts, 3), isofold::batch(second, counts, 3), of_batch);
  for (std::size_t r = 0; r < 3; ++r) {
    const auto n = static_cast<std::int64_t>(counts[r]);
    EXPECT_EQ(bits_of(found[r]),
              dot(x.data() + offsets[r], y.data() + offsets[r], offsets[r + 1] - offsets[r]));
    EXPECT_EQ(bits_of(counted[r]), dot(x.data() + 3000 * r, y.data() + 3000 * r, n));
    EXPECT_EQ(bits_of(of_batch[r]), dot(first[r], second[r], n));
  }
  const Index indices[] = {8999, 0, 7, 7};
  const auto of_x = isofold::gather(x.data(), indices, 4, 9000);
  const auto of_y = isofold::gather(y.data(), indices, 4, 9000);
  const double a[] = {x[8999], x[0], x[7], x[7]};
  const double b[] = {y[8999], y[0], y[7], y[7]};
  EXPECT_EQ(bits_of(reduce.dot(of_x, of_y)), dot(a, b, 4));
  const auto [together, norm] = reduce.reduce(fuse(isofold::dot, isofold::norm2), of_x, of_y);
  EXPECT_EQ(bits_of(together), dot(a, b, 4));
  EXPECT_EQ(norm, reduce.norm2(of_x));

  const auto expect_refusal = [&](const auto& one, const auto& other, const char* part) {
    std::string sentence;
    EXPECT_EQ(test_support::code_of([&] { reduce.dot(one, other, found); }, &sentence),
              isofold::Code::invalid_argument);
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
  };
  const Index others[] = {3, 3, 2000, 9000};
  expect_refusal(isofold::segments(x.data(), offsets, 3), isofold::segments(y.data(), others, 3),
                 "The two arrays in segments");
  expect_refusal(isofold::gather(x.data(), indices, 4), isofold::gather(y.data(), indices, 3),
                 "The two gathers");
  expect_refusal(isofold::gather(x.data(), indices, 4), isofold::gather(y.data(), indices, 4, 8999),
                 "8999");  // elements are checked against the shorter array
  expect_refusal(isofold::array(x.data(), 6), isofold::array(y.data(), 5),
                 "The two arrays have different lengths: 6 and 5 elements.");
  expect_refusal(isofold::rows(x.data(), 1, 6), isofold::rows(y.data(), 2, 3),
                 "The two arrays have different shapes: 1 row of 6 elements and 2 rows of 3.");
  expect_refusal(isofold::counted(isofold::rows(x.data(), 3, 3000), counts),
                 isofold::counted(isofold::rows(y.data(), 3, 2000), counts), "different shapes");
  expect_refusal(isofold::batch(first, counts, 3), isofold::batch(second, others, 3),
                 "The two batches");
}

TEST_P(Shapes, PairsOfListsOf32BitIndices) { reduce_pairs<std::int32_t>(reduce_); }
TEST_P(Shapes, PairsOfListsOf64BitIndices) { reduce_pairs<std::int64_t>(reduce_); }

TEST_P(Shapes, CountsInARange) {
  const std::vector<float> x = field();
  const Box<float> inner = interior(box(x.data(), {10, 20, 100}), 1);
  const std::int64_t indices[] = {5, 6, 7};
  std::int64_t expected = 0;
  for (float element : packed(inner)) {
    expected += 0.25F <= element && element <= 0.5F ? 1 : 0;
  }
  EXPECT_EQ(reduce_.count_in_range(inner, 0.25F, 0.5F), expected);
  EXPECT_EQ(reduce_.count_in_range(over(inner, {0, 1, 2}), 0.25F, 0.5F).at(0), expected);
  EXPECT_EQ(reduce_.count_in_range(isofold::gather(x.data(), indices, 3), -9.0F, 9.0F), 3);
  const std::int32_t offsets[] = {0, 4, 4, 10};
  std::int64_t counts[3] = {};
  reduce_.count_in_range(isofold::segments(x.data(), offsets, 3), -9.0F, 9.0F, counts);
  EXPECT_EQ(counts[0] * 100 + counts[1] * 10 + counts[2], 406);
}

// ---- masks -----------------------------------------------------------------------------------

// Entries that take nothing for long, then much, then every third.
bool is_taken(std::int64_t i) { return i > 9000 && (i < 14000 || i % 3 == 0); }

struct Masks {
  explicit Masks(std::int64_t n)
      : bytes(static_cast<std::size_t>(n)), bits(static_cast<std::size_t>((n + 7) / 8)) {
    for (std::int64_t i = 0; i < n; ++i) {
      if (is_taken(i)) {
        bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(1 + i % 255);
        bits[static_cast<std::size_t>(i / 8)] |= static_cast<std::uint8_t>(1U << (i % 8));
      }
    }
  }
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint8_t> bits;
};

TEST_P(Shapes, MasksTakeElements) {
  const std::vector<float> x = field();
  const Masks masks(20000);
  const Box<float> backwards = box(x.data() + 19999, {20, 1000}, {-1000, -1});
  const auto taken = [](const std::vector<float>& all) {
    std::vector<float> elements;
    for (std::int64_t i = 0; i < count_of(all); ++i) {
      if (is_taken(i)) {
        elements.push_back(all[static_cast<std::size_t>(i)]);
      }
    }
    return elements;
  };
  const std::uint8_t* bytes = masks.bytes.data();
  const std::uint8_t* bits = masks.bits.data();
  expect_sum(reduce_.sum(masked(array(x.data(), 20000), bytes)), taken(x));
  expect_sum(reduce_.sum(masked_by_bits(array(x.data(), 20000), bits)), taken(x));
  expect_sum(reduce_.sum(masked(backwards, bytes)), taken(packed(backwards)));
  expect_sum(reduce_.sum(masked_by_bits(backwards, bits)), taken(packed(backwards)));
  expect_location(reduce_.argmax(packed_index(masked(array(x.data(), 20000), bytes))),
                  of_packed<Fold::argmax>(taken(x)));
}

// Enough for several nodes of chunks; with stretches of which nothing or all is taken.
struct ManyTaken {
  static constexpr std::int64_t n = 1100001;  // of 2^20 on threads share the counting
  ManyTaken() {
    std::fill(masks.bytes.begin() + 100000, masks.bytes.begin() + 130000, std::uint8_t{0});
    std::fill(masks.bytes.begin() + 300000, masks.bytes.begin() + 390001, std::uint8_t{7});
    for (std::size_t i = 0; i < masks.bytes.size(); ++i) {
      const bool is_set = masks.bytes[i] != 0;
      const auto bit = static_cast<std::uint8_t>(1U << (i % 8));
      std::uint8_t& eight = masks.bits[i / 8];
      eight = static_cast<std::uint8_t>(is_set ? eight | bit : eight & ~bit);
      if (is_set) {
        a.push_back(x[i]);
        b.push_back(y[i]);
      }
    }
  }
  std::vector<float> x = data_set<float>(Recipe::uniform, n);
  std::vector<float> y = data_set<float>(Recipe::uniform, n, 2);
  Masks masks{n};
  std::vector<float> a;  // what is taken of x
  std::vector<float> b;  // and of y
};

std::vector<float> taken_of(const std::vector<float>& all, const std::vector<std::uint8_t>& mask) {
  std::vector<float> taken;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (mask[i] != 0) {
      taken.push_back(all[i]);
    }
  }
  return taken;
}

// (A fold alone, for builds of few cases: tests/mutants.)
TEST_P(Shapes, SumsOfManyTaken) {
  const ManyTaken many;
  const auto taken = array(many.a.data(), count_of(many.a));
  const auto whole = array(many.x.data(), ManyTaken::n);
  // Lines of which most begin within a word of the mask, the last one first in memory.
  const auto in_lines = box(many.x.data() + 99 * 7001, {100, 6900}, {-7001, 1});
  const std::vector<float> of_lines = taken_of(packed(in_lines), many.masks.bytes);
  for (const int threads : {1, 3, 4}) {
    Reducer reduce(GetParam().c_str(), Options{}.threads(threads));
    EXPECT_EQ(bits_of(reduce.sum(masked(whole, many.masks.bytes.data()))),
              bits_of(reduce.sum(taken)));
    EXPECT_EQ(bits_of(reduce.sum(masked_by_bits(whole, many.masks.bits.data()))),
              bits_of(reduce.sum(taken)));
    EXPECT_EQ(bits_of(reduce.sum(masked(in_lines, many.masks.bytes.data()))),
              bits_of(reduce.sum(array(of_lines.data(), count_of(of_lines)))));
    // Rows of some chunks each, in lines of 23 elements.
    const auto rows = box(many.x.data(), {3, 400, 23}, {230000, 25, 1});
    std::vector<float> found(3);
    reduce.sum(masked(over(rows, {1, 2}), many.masks.bytes.data()), found.data());
    for (std::size_t r = 0; r < found.size(); ++r) {
      const std::vector<float> elements = taken_of(
          packed_rows(rows, 1)[r],
          {many.masks.bytes.begin() + static_cast<long>(9200 * r), many.masks.bytes.end()});
      EXPECT_EQ(bits_of(found[r]), bits_of(reduce.sum(array(elements.data(), count_of(elements)))))
          << "row " << r;
    }
  }
}
// More threads than the mask has blocks.
TEST_P(Shapes, MasksCountedByForcedThreads) {
  const std::int64_t n = 9001;
  const std::vector<float> x = data_set<float>(Recipe::uniform, n);
  const Masks masks(n);
  const std::vector<float> taken = taken_of(packed(box(x.data(), {n}, {1})), masks.bytes);
  const float wanted = reduce_.sum(array(taken.data(), count_of(taken)));
  isofold_layout layout{};
  layout.size = sizeof layout;
  layout.dimensions = 1;
  layout.extents[0] = n;
  layout.strides[0] = 1;
  layout.mask = masks.bytes.data();
  layout.mask_type = ISOFOLD_MASK_bytes;
  float found = 0;
  isofold_request request = test_support::array_request(Fold::sum, x.data(), n, &found, 0);
  request.shape = ISOFOLD_SHAPE_box;
  request.layout = &layout;
  isofold_schedule schedule{};
  request.schedule = GetParam() == "openmp" ? &schedule : nullptr;
  for (const int threads : {1, 2, 3, 7}) {
    schedule.threads = threads;
    ASSERT_EQ(isofold_reduce(reduce_.handle(), &request), ISOFOLD_ok) << isofold_last_error();
    EXPECT_EQ(bits_of(found), bits_of(wanted)) << threads;
  }
}

TEST_P(Shapes, FoldsOfManyTaken) {
  const ManyTaken many;
  const auto taken = array(many.a.data(), count_of(many.a));
  const auto second = array(many.b.data(), count_of(many.b));
  for (const int threads : {1, 3}) {
    Reducer reduce(GetParam().c_str(), Options{}.threads(threads));
    const auto by_bytes = masked(array(many.x.data(), ManyTaken::n), many.masks.bytes.data());
    const auto by_bits = masked_by_bits(array(many.x.data(), ManyTaken::n), many.masks.bits.data());
    EXPECT_EQ(reduce.argmin(packed_index(by_bits)).index, reduce.argmin(taken).index);
    const auto lowest_of_all = reduce.argmin(by_bits);
    EXPECT_EQ(bits_of(many.x[static_cast<std::size_t>(lowest_of_all.index)]),
              bits_of(lowest_of_all.value));
    EXPECT_EQ(bits_of(reduce.variance(by_bytes)), bits_of(reduce.variance(taken)));
    EXPECT_EQ(bits_of(reduce.dot(by_bits, box(many.y.data(), {ManyTaken::n}, {1}))),
              bits_of(reduce.dot(taken, second)));
    const auto [sum, lowest, where] = reduce.reduce(
        isofold::fuse(isofold::sum, isofold::minimum, isofold::argmax), packed_index(by_bytes));
    EXPECT_EQ(bits_of(sum), bits_of(reduce.sum(taken)));
    EXPECT_EQ(bits_of(lowest), bits_of(reduce.minimum(taken)));
    EXPECT_EQ(where.index, reduce.argmax(taken).index);
  }
}

TEST_P(Shapes, MasksOfAxesCountInTheBox) {
  const std::vector<float> x = field();
  const Masks masks(20000);
  const Box<float> whole = box(x.data(), {10, 40, 50});
  for (std::uint32_t kept : {1U, 2U, 4U, 5U, 7U}) {
    SCOPED_TRACE(kept);
    std::int64_t i = 0;
    std::vector<std::vector<float>> rows = packed_rows(whole, kept);
    for (std::vector<float>& row : rows) {
      row.clear();
    }
    for_each_index(whole, [&](const auto& at) {
      std::int64_t row = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        row = (kept >> d & 1U) != 0 ? row * whole.extents[d] + at[d] : row;
      }
      if (is_taken(i++)) {
        rows[static_cast<std::size_t>(row)].push_back(element_at(whole, at));
      }
    });
    std::vector<float> found(rows.size());
    const Axes<float> axes{whole, kept, {}};
    reduce_.minimum(masked(axes, masks.bytes.data()), found.data());
    expect_rows<Fold::minimum>(found, rows);
    reduce_.minimum(masked_by_bits(axes, masks.bits.data()), found.data());
    expect_rows<Fold::minimum>(found, rows);
  }
}

std::vector<float> taken(const Box<float>& of, const Box<std::uint8_t>& by) {
  std::vector<float> elements;
  for_each_index(of, [&](const auto& at) {
    if (element_at(by, at) != 0) {
      elements.push_back(element_at(of, at));
    }
  });
  return elements;
}

// A mask of a whole field goes with the parts of the field, by its shape.
TEST_P(Shapes, MasksThatAreBoxesAreCutWithTheField) {
  const std::vector<float> x = field();
  std::vector<std::uint8_t> bytes(20000);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = i % 3 == 0 || i % 7 == 2 ? 9 : 0;
  }
  const Box<float> whole = box(x.data(), {12, 30, 50});
  const Box<std::uint8_t> mask = box(bytes.data(), {12, 30, 50});
  const auto expect = [&](const isofold::MaskedBox<float, true>& found, const Box<float>& of,
                          const Box<std::uint8_t>& by) {
    const std::vector<float> elements = taken(of, by);
    expect_sum(reduce_.sum(found), elements);
    float out = 0;
    reduce_.sum(found, &out);
    expect_sum(out, elements);
    expect_location(reduce_.argmax(packed_index(found)), of_packed<Fold::argmax>(elements));
    EXPECT_TRUE(reduce_.supports(isofold::sum, found));
    reduce_.reserve(isofold::sum, found);
  };
  expect(masked(whole, mask), whole, mask);
  expect(interior(masked(whole, mask), 1), interior(whole, 1), interior(mask, 1));
  expect(masked(interior(whole, 1), interior(mask, 1)), interior(whole, 1), interior(mask, 1));
  expect(interior(masked(whole, mask), {0, 2, 1}), interior(whole, {0, 2, 1}),
         interior(mask, {0, 2, 1}));
  expect(slice(masked(whole, mask), 2, 3, 48, 4), slice(whole, 2, 3, 48, 4),
         slice(mask, 2, 3, 48, 4));
  expect(slice(masked(whole, mask), 0, 2, 9), slice(whole, 0, 2, 9), slice(mask, 0, 2, 9));
  const Box<std::uint8_t> columns = box(bytes.data(), {12, 30, 50}, {1, 12, 360});
  expect(masked(whole, columns), whole, columns);
  EXPECT_EQ(bits_of(reduce_.sum(slice(masked(whole, mask), 1, 4, 4))), bits_of(0.0F)) << "no line";

  const auto planes = over(interior(masked(whole, mask), 1), {1, 2});
  std::vector<float> found(10);
  reduce_.sum(planes, found.data());
  for (std::int64_t z = 0; z < 10; ++z) {
    expect_sum(found[static_cast<std::size_t>(z)], taken(slice(interior(whole, 1), 0, z, z + 1),
                                                         slice(interior(mask, 1), 0, z, z + 1)));
  }
  const Box<float> inner = interior(whole, 1);
  const auto inside = interior(masked(whole, mask), 1);
  const auto [sum, least] = reduce_.reduce(fuse(isofold::sum, isofold::minimum), inside);
  expect_sum(sum, taken(inner, interior(mask, 1)));
  EXPECT_EQ(least, reduce_.minimum(inside));
  EXPECT_EQ(reduce_.count_in_range(inside, -2.0F, 2.0F), reduce_.count_nonzero(inside));
  const std::vector<float> elements = taken(inner, interior(mask, 1));
  EXPECT_EQ(bits_of(reduce_.dot(inside, inner)),
            bits_of(reduce_.dot(array(elements.data(), count_of(elements)),
                                array(elements.data(), count_of(elements)))));
}

// Masks of fewer dimensions, or with extents of 1, as NumPy broadcasts them.
TEST_P(Shapes, MasksOfFewerDimensionsAreBroadcast) {
  const std::vector<float> x = field();
  std::vector<std::uint8_t> bytes(20000);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = i % 3 == 0 || i % 7 == 2 ? 9 : 0;
  }
  const std::uint8_t* const m = bytes.data();
  const Box<float> whole = box(x.data(), {12, 30, 50});
  // Each mask, and the same one by its strides in the field.
  const std::pair<Box<std::uint8_t>, Box<std::uint8_t>> masks[] = {
      {box(m, {50}), box(m, {12, 30, 50}, {0, 0, 1})},
      {box(m + 99, {50}, {-2}), box(m + 99, {12, 30, 50}, {0, 0, -2})},
      {box(m, {30, 1}), box(m, {12, 30, 50}, {0, 1, 0})},
      {box(m, {12, 1, 1}), box(m, {12, 30, 50}, {1, 0, 0})},
      {box(m, {1, 30, 50}), box(m, {12, 30, 50}, {0, 50, 1})},
      {box(m, {12, 1, 50}), box(m, {12, 30, 50}, {50, 0, 1})},
      {box(m, {1, 1, 1}), box(m, {12, 30, 50}, {0, 0, 0})},   // all are taken
      {box(m + 1, {1}), box(m + 1, {12, 30, 50}, {0, 0, 0})}  // none is
  };
  for (const auto& [mask, same] : masks) {
    SCOPED_TRACE(testing::Message() << "strides " << same.strides[0] << ", " << same.strides[1]
                                    << ", " << same.strides[2]);
    expect_sum(reduce_.sum(masked(whole, mask)), taken(whole, same));
    expect_sum(reduce_.sum(interior(masked(whole, mask), 1)),
               taken(interior(whole, 1), interior(same, 1)));
    expect_sum(reduce_.sum(slice(masked(whole, mask), 2, 3, 48, 4)),
               taken(slice(whole, 2, 3, 48, 4), slice(same, 2, 3, 48, 4)));
    std::vector<float> found(30);
    reduce_.sum(over(masked(whole, mask), {0, 2}), found.data());
    for (std::int64_t y = 0; y < 30; ++y) {
      expect_sum(found[static_cast<std::size_t>(y)],
                 taken(slice(whole, 1, y, y + 1), slice(same, 1, y, y + 1)));
    }
  }
  // The field may have one dimension alone, and its rows may be of one element.
  expect_sum(reduce_.sum(masked(box(x.data(), {9000}), box(m, {1}))),
             std::vector<float>(x.begin(), x.begin() + 9000));
  std::vector<float> each(50);
  reduce_.sum(masked(over(box(x.data(), {50, 1}), {1}), box(m, {50, 1})), each.data());
  EXPECT_EQ(bits_of(each[1]), bits_of(0.0F));
  EXPECT_EQ(bits_of(each[3]), bits_of(x[3]));
}

// Strided masks of many blocks, by several threads, of one array and of two.
TEST_P(Shapes, ManyTakenByStridedMasks) {
  const std::vector<float> x = field(400000);
  const Masks masks(400000);
  const Box<float> lines = box(x.data(), {600, 640});
  const std::pair<Box<std::uint8_t>, Box<std::uint8_t>> all[] = {
      {box(masks.bytes.data(), {600, 640}, {641, 1}),
       box(masks.bytes.data(), {600, 640}, {641, 1})},
      {box(masks.bytes.data(), {600, 640}, {1, 600}),
       box(masks.bytes.data(), {600, 640}, {1, 600})},
      {box(masks.bytes.data(), {640}), box(masks.bytes.data(), {600, 640}, {0, 1})},
      {box(masks.bytes.data(), {600, 1}), box(masks.bytes.data(), {600, 640}, {1, 0})}};
  for (const auto& [mask, same] : all) {
    const std::vector<float> elements = taken(lines, same);
    const auto packed_array = array(elements.data(), count_of(elements));
    for (const std::int32_t threads : {1, 5}) {
      Reducer reduce(GetParam().c_str(), Options{}.threads(threads));
      SCOPED_TRACE(testing::Message() << threads << " threads, strides " << same.strides[0] << ", "
                                      << same.strides[1]);
      expect_sum(reduce.sum(masked(lines, mask)), elements);
      EXPECT_EQ(bits_of(reduce.dot(masked(lines, mask), lines)),
                bits_of(reduce.dot(packed_array, packed_array)));
    }
  }
}

TEST_P(Shapes, ASecondMaskIsRefused) {
  const std::vector<float> x = field();
  const std::uint8_t bytes[48] = {};
  EXPECT_EQ(test_support::code_of([&] {
              return masked(masked(box(x.data(), {6, 8}), bytes), box(bytes, {6, 8}));
            }),
            isofold::Code::invalid_argument);
}

TEST_P(Shapes, AMaskOfOtherExtentsIsRefused) {
  const std::vector<float> x = field();
  const bool bytes[48] = {};
  for (const auto& mask :
       {box(bytes, {48}), box(bytes, {6}), box(bytes, {2, 8}), box(bytes, {1, 6, 8})}) {
    std::string sentence;
    EXPECT_EQ(test_support::code_of(
                  [&] {
                    return masked(box(x.data(), {6, 8}), mask);
                  },
                  &sentence),
              isofold::Code::invalid_argument);
    EXPECT_NE(sentence.find("its box 6 by 8"), std::string::npos) << sentence;
  }
  std::string sentence;
  EXPECT_EQ(
      test_support::code_of(
          [&] {
            return reduce_.sum(masked(interior(box(x.data(), {6, 8}), 1), box(bytes, {6, 8})));
          },
          &sentence),
      isofold::Code::invalid_argument);
  EXPECT_NE(sentence.find("The mask is 6 by 8 and its box 4 by 6"), std::string::npos) << sentence;
}

TEST_P(Shapes, AMaskThatTakesNothingIsAnEmptyInput) {
  const std::vector<float> x = field(9000);
  const std::vector<std::uint8_t> nothing(9000);
  const auto none = masked(array(x.data(), 9000), nothing.data());
  std::string sentence;
  EXPECT_EQ(test_support::code_of([&] { return reduce_.minimum(none); }, &sentence),
            isofold::Code::empty_input);
  EXPECT_NE(sentence.find("minimum"), std::string::npos) << sentence;
  EXPECT_EQ(bits_of(reduce_.sum(none)), bits_of(0.0F));
  EXPECT_EQ(reduce_.count_nonzero(none), 0);
  float out = 0;
  reduce_.minimum(none, &out);
  EXPECT_EQ(out, std::numeric_limits<float>::infinity()) << "into memory: the empty value";
  EXPECT_EQ(bits_of(reduce_.minimum(array(x.data(), 9000))), bits_of(of_packed<Fold::minimum>(x)));
}

// ---- segments, gathers, batches --------------------------------------------------------------

template <class Index>
void reduce_segments(Reducer& reduce) {
  const std::vector<float> x = field();
  const std::vector<Index> offsets{0, 0, 1, 5, 5, 1029, 1030, 9000, 20000};
  const std::vector<Index> begins{19990, 7, 0, 300, 300};
  const std::vector<Index> ends{20000, 7, 20000, 1400, 1300};  // any order, and overlapping
  const auto rows_of = [&](const Index* begin, const Index* end, std::size_t count) {
    std::vector<std::vector<float>> rows;
    for (std::size_t r = 0; r < count; ++r) {
      rows.emplace_back(x.begin() + begin[r], x.begin() + end[r]);
    }
    return rows;
  };
  std::vector<float> found(8);
  for (std::int64_t elements : {0, 20000}) {
    reduce.sum(isofold::segments(x.data(), offsets.data(), 8, elements), found.data());
    expect_rows<Fold::sum>(found, rows_of(offsets.data(), offsets.data() + 1, 8));
    std::vector<float> five(5);
    reduce.sum(isofold::segments(x.data(), begins.data(), ends.data(), 5, elements), five.data());
    expect_rows<Fold::sum>(five, rows_of(begins.data(), ends.data(), 5));
  }
}

TEST_P(Shapes, SegmentsOf32BitIndices) { reduce_segments<std::int32_t>(reduce_); }
TEST_P(Shapes, SegmentsOf64BitIndices) { reduce_segments<std::int64_t>(reduce_); }

template <class Index>
void reduce_counted(Reducer& reduce) {
  const std::vector<float> x = field();
  const std::vector<Index> counts{0, 1, 2000, 1025, 64, 0, 1999};
  std::vector<std::vector<float>> rows;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(r * 2500);
    rows.emplace_back(begin, begin + counts[r]);
  }
  std::vector<float> found(7);
  reduce.sum(isofold::counted(isofold::rows(x.data(), 7, 2000, 2500), counts.data()), found.data());
  expect_rows<Fold::sum>(found, rows);
  for (const Index count : {Index{0}, Index{1}, Index{4097}, Index{20000}}) {
    float sum = 0;
    reduce.sum(isofold::counted(array(x.data(), 20000), &count), &sum);
    const std::vector<float> first(x.begin(), x.begin() + count);
    expect_rows<Fold::sum>(std::vector<float>{sum}, std::vector<std::vector<float>>{first});
  }
  const Index too_many = 20001;
  float sum = -77;
  EXPECT_THROW(reduce.sum(isofold::counted(array(x.data(), 20000), &too_many), &sum),
               isofold::Error);
  EXPECT_EQ(sum, -77);
}

TEST_P(Shapes, RowsCountedBy32BitNumbers) { reduce_counted<std::int32_t>(reduce_); }
TEST_P(Shapes, RowsCountedBy64BitNumbers) { reduce_counted<std::int64_t>(reduce_); }

TEST_P(Shapes, SegmentsMayAllBeEmpty) {
  const std::int64_t offsets[] = {0, 0, 0, 0};
  float found[4] = {-77, -77, -77, -77};
  reduce_.sum(isofold::segments(static_cast<const float*>(nullptr), offsets, 3), found);
  EXPECT_EQ(bits_of(found[0]), bits_of(0.0F));
  EXPECT_EQ(bits_of(found[2]), bits_of(0.0F));
  EXPECT_EQ(found[3], -77);
  reduce_.sum(isofold::segments(static_cast<const float*>(nullptr), offsets, 0), found + 3);
  EXPECT_EQ(found[3], -77) << "no segments, no results";
}

template <class Index>
void reduce_gather(Reducer& reduce) {
  const std::vector<float> x = field();
  std::vector<Index> indices;
  std::vector<float> elements;
  for (std::uint64_t i = 0; i < 7000; ++i) {
    indices.push_back(static_cast<Index>(isofold::test_data::random_word(1, i) % 20000));
    elements.push_back(x[static_cast<std::size_t>(indices.back())]);
  }
  for (std::int64_t known : {0, 20000}) {
    const auto chosen = isofold::gather(x.data(), indices.data(), 7000, known);
    expect_sum(reduce.sum(chosen), elements);
    expect_location(reduce.argmin(packed_index(chosen)), of_packed<Fold::argmin>(elements));
    const auto lowest = reduce.argmin(chosen);
    EXPECT_EQ(bits_of(x[static_cast<std::size_t>(lowest.index)]), bits_of(lowest.value));
    float out = 0;
    reduce.sum(chosen, &out);
    expect_sum(out, elements);
  }
  EXPECT_EQ(bits_of(reduce.sum(isofold::gather(x.data(), indices.data(), 0))), bits_of(0.0F));
}

TEST_P(Shapes, GathersBy32BitIndices) { reduce_gather<std::int32_t>(reduce_); }
TEST_P(Shapes, GathersBy64BitIndices) { reduce_gather<std::int64_t>(reduce_); }

template <class Index>
void reduce_batch(Reducer& reduce) {
  const std::vector<double> x = data_set<double>(Recipe::uniform, 3000);
  const std::vector<double> y = data_set<double>(Recipe::uniform, 20, 2);
  const double* const arrays[] = {y.data(), x.data() + 5, nullptr, x.data()};
  const Index lengths[] = {20, 1100, 0, 3000};
  std::vector<double> found(4);
  reduce.sum(isofold::batch(arrays, lengths, 4), found.data());
  const std::vector<std::vector<double>> rows{y, {x.begin() + 5, x.begin() + 1105}, {}, x};
  expect_rows<Fold::sum>(found, rows);
}

TEST_P(Shapes, BatchesOf32BitLengths) { reduce_batch<std::int32_t>(reduce_); }
TEST_P(Shapes, BatchesOf64BitLengths) { reduce_batch<std::int64_t>(reduce_); }

// ---- joined batches --------------------------------------------------------------------------

// Arrays of one list, and their elements one after the other.
template <class T>
struct List {
  std::vector<const T*> arrays;
  std::vector<T> elements;
};

// Lengths around those of lanes and chunks, 0 among them, at places of any alignment.
constexpr std::int64_t joined_lengths[] = {0, 3000, 0, 0, 1, 63, 1024, 1025, 5, 0, 9001, 64, 2, 0};

template <class T>
List<T> list_of(const std::vector<T>& x, std::int64_t step = 7) {
  List<T> list;
  std::int64_t at = 1;
  for (const std::int64_t length : joined_lengths) {
    list.arrays.push_back(length == 0 ? nullptr : x.data() + at);
    list.elements.insert(list.elements.end(), x.data() + at, x.data() + at + length);
    at = (at + step * 131) % 9999;
  }
  return list;
}

template <class Index>
void reduce_joined(Reducer& reduce) {
  const std::vector<float> x = field();
  const List<float> list = list_of(x);
  const std::vector<Index> lengths(std::begin(joined_lengths), std::end(joined_lengths));
  const auto all = isofold::batch(list.arrays.data(), lengths.data(), count_of(lengths));
  for (const std::int64_t known : {std::int64_t{0}, count_of(list.elements), std::int64_t{20000}}) {
    expect_sum(reduce.sum(joined(all, known)), list.elements);
    expect_location(reduce.argmin(joined(all, known)), of_packed<Fold::argmin>(list.elements));
    expect_location(reduce.argmax_last(joined(all, known)),
                    of_packed<Fold::argmax_last>(list.elements));
    float out[2] = {-77, -77};
    reduce.sum(joined(all, known), out);
    expect_sum(out[0], list.elements);
    EXPECT_EQ(out[1], -77) << "one result, however many arrays";
  }
  const std::int64_t inside = reduce.count_in_range(joined(all), 0.25F, 0.5F);
  EXPECT_EQ(inside, reduce.count_in_range(array(list.elements.data(), count_of(list.elements)),
                                          0.25F, 0.5F));
}

TEST_P(Shapes, JoinedBatchesOf32BitLengths) { reduce_joined<std::int32_t>(reduce_); }
TEST_P(Shapes, JoinedBatchesOf64BitLengths) { reduce_joined<std::int64_t>(reduce_); }

// An array ends at, before and behind the end of what is folded at once: a chunk, or four.
TEST_P(Shapes, JoinedBatchesMayEndAnywhereInAChunk) {
  const std::vector<double> x = data_set<double>(Recipe::uniform, 20000);
  for (const std::int64_t border : {1, 1023, 1024, 1025, 4095, 4096, 4097}) {
    SCOPED_TRACE(border);
    const double* const arrays[] = {x.data() + 9000, x.data()};
    const std::int64_t lengths[] = {border, 8192 - border};
    const auto all = joined(isofold::batch(arrays, lengths, 2));
    std::vector<double> elements(x.begin() + 9000, x.begin() + 9000 + border);
    elements.insert(elements.end(), x.begin(), x.begin() + 8192 - border);
    expect_sum(reduce_.sum(all), elements);
    expect_location(reduce_.argmin(all), of_packed<Fold::argmin>(elements));
  }
}

// The array that an index lies in has it at the index less the elements before.
TEST_P(Shapes, LocationsInJoinedBatchesCountThroughTheList) {
  std::vector<double> x(5000, 2.0);
  x[4100] = 1.0;
  const double* const arrays[] = {x.data(), nullptr, x.data() + 4000, x.data() + 4099};
  const std::int32_t lengths[] = {3000, 0, 101, 2};
  const auto all = joined(isofold::batch(arrays, lengths, 4));
  EXPECT_EQ(reduce_.argmin(all).index, 3100);
  EXPECT_EQ(reduce_.argmin_last(all).index, 3102);
}

// ---- the way from an index to the element -----------------------------------------------------

TEST_P(Shapes, IndicesOfAllElementsHaveTheirAddresses) {
  const std::vector<float> x = field();
  const Box<float> whole = box(x.data(), {12, 30, 50});
  std::vector<std::uint8_t> bytes(20000);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = i / 700 % 3 != 0 && i % 7 != 2 ? 1 : 0;
  }
  // Each element of each row, by the values, which differ.
  const auto expect = [](const auto& elements, const std::vector<std::vector<float>>& rows) {
    const auto view = isofold::packed_index(elements);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto row = static_cast<std::int64_t>(r);
      for (std::size_t i = 0; i < rows[r].size(); i += 1 + i / 16) {
        EXPECT_EQ(*isofold::address_of(view, static_cast<std::int64_t>(i), row), rows[r][i]);
      }
      EXPECT_EQ(isofold::address_of(view, -1, row), nullptr);
      EXPECT_THROW(static_cast<void>(isofold::address_of(view, count_of(rows[r]), row)),
                   isofold::Error);
    }
    EXPECT_THROW(static_cast<void>(isofold::address_of(view, 0, count_of(rows))), isofold::Error);
    EXPECT_THROW(static_cast<void>(isofold::address_of(view, 0, -1)), isofold::Error);
    EXPECT_THROW(static_cast<void>(isofold::address_of(view, -2, 0)), isofold::Error);
  };
  expect(x, {x});
  expect(array(x.data(), 9), {{x.begin(), x.begin() + 9}});
  expect(isofold::rows(x.data(), 2, 3, 5), {{x[0], x[1], x[2]}, {x[5], x[6], x[7]}});
  expect(interior(whole, 1), {packed(interior(whole, 1))});
  expect(over(whole, {0, 2}), packed_rows(whole, 2));
  expect(box(x.data() + 99, {50}, {-2}), {packed(box(x.data() + 99, {50}, {-2}))});
  const Box<std::uint8_t> mask = box(bytes.data(), {12, 30, 50});
  expect(masked(whole, bytes.data()), {taken(whole, mask)});
  expect(interior(masked(whole, mask), 1), {taken(interior(whole, 1), interior(mask, 1))});
  std::vector<std::vector<float>> planes;
  for (std::int64_t z = 0; z < 12; ++z) {
    planes.push_back(taken(slice(whole, 0, z, z + 1), slice(mask, 0, z, z + 1)));
  }
  expect(over(masked(whole, mask), {1, 2}), planes);
  const std::uint8_t bits[] = {0x10, 0x80};
  expect(masked_by_bits(array(x.data(), 16), bits), {{x[4], x[15]}});

  const std::int64_t offsets[] = {2, 2, 5};
  const std::int32_t counts[] = {2, 0};
  const std::int32_t indices[] = {7, 700, 7};
  const float* const arrays[] = {x.data() + 3, nullptr};
  expect(isofold::segments(x.data(), offsets, 2), {{}, {x[2], x[3], x[4]}});
  expect(isofold::counted(isofold::rows(x.data(), 2, 5), counts), {{x[0], x[1]}, {}});
  expect(isofold::gather(x.data(), indices, 3), {{x[7], x[700], x[7]}});
  expect(isofold::batch(arrays, counts, 2), {{x[3], x[4]}, {}});
  const float* const more[] = {x.data() + 3, nullptr, x.data() + 50};
  const std::int32_t lengths[] = {2, 0, 1};
  expect(joined(isofold::batch(more, lengths, 3)), {{x[3], x[4], x[50]}});
}

// Results over axes, of one row and of several folds, with indices in the array, by hand.
TEST_P(Shapes, LocationsHaveTheIndexInTheArray) {
  const std::vector<double> x{5, 1, 7, 3, 9, 2, 8, 4};
  const std::vector<std::uint8_t> taken{1, 0, 1, 1, 0, 1, 1, 0};
  const auto field = box(x, {2, 4});
  EXPECT_EQ(reduce_.argmax(isofold::masked(x, taken)).index, 6);
  EXPECT_EQ(reduce_.argmin(isofold::masked(x, taken)).index, 5);
  EXPECT_EQ(reduce_.argmax(isofold::packed_index(isofold::masked(x, taken))).index, 4);
  const auto rows = reduce_.argmax(isofold::over(isofold::masked(field, box(taken, {2, 4})), {1}));
  EXPECT_EQ(rows[0].index, 2);
  EXPECT_EQ(rows[1].index, 2);
  const auto columns =
      reduce_.argminmax(isofold::over(isofold::masked(field, box(taken, {2, 4})), {0}));
  EXPECT_EQ(columns[0].minimum.index, 0) << "one element is taken";
  EXPECT_EQ(columns[1].minimum.index, 1);
  EXPECT_EQ(columns[2].minimum.index, 0);
  EXPECT_EQ(columns[2].maximum.index, 1);
  const auto packed_rows = reduce_.argmax(
      isofold::packed_index(isofold::over(isofold::masked(field, box(taken, {2, 4})), {1})));
  EXPECT_EQ(packed_rows[0].index, 1);

  const std::vector<std::uint16_t> list{7, 4, 4, 0};
  EXPECT_EQ(reduce_.argmax(isofold::gather(x, list)).index, 4);
  EXPECT_EQ(reduce_.argmax_last(isofold::packed_index(isofold::gather(x, list))).index, 2);
  EXPECT_EQ(isofold::address_of(isofold::gather(x, list), 7), &x[7]);
  const std::vector<std::int16_t> offsets{0, 3, 3, 8};
  const auto parts = isofold::segments(x, offsets);
  const auto each = reduce_.argmax(parts);
  EXPECT_EQ(each[0].index, 2);
  EXPECT_EQ(each[1].index, -1) << "no elements";
  EXPECT_EQ(each[2].index, 4);
  EXPECT_EQ(reduce_.argmax(isofold::packed_index(parts))[2].index, 1);
  EXPECT_EQ(isofold::address_of(parts, 4, 2), &x[4]);
  EXPECT_THROW(static_cast<void>(isofold::address_of(parts, 2, 2)), isofold::Error)
      << "of another row";
  const std::vector<std::uint8_t> counts{2, 3};
  EXPECT_EQ(reduce_.argmax(isofold::counted(isofold::rows(x, 2, 4), counts))[1].index, 0)
      << "rows count their own elements";
  double sums[1];
  isofold::Location<double> highest[1];
  reduce_.reduce(isofold::fuse(isofold::sum, isofold::argmax),
                 isofold::over(isofold::masked(x, taken), {0}), sums, highest);
  EXPECT_EQ(highest[0].index, 6);
}

// Lists of every integer type have the rows that those of std::int64_t have; one beyond is refused.
template <class Index>
void expect_lists(Reducer& reduce) {
  const std::vector<float> x{1, 2, 4, 8, 16};
  const std::vector<Index> offsets{0, 2, 5};
  EXPECT_EQ(reduce.sum(isofold::segments(x, offsets)), (std::vector<float>{3, 28}));
  const std::vector<Index> begins{1, 0};
  const std::vector<Index> ends{3, 5};
  EXPECT_EQ(reduce.sum(isofold::segments(x, begins, ends)), (std::vector<float>{6, 31}));
  const std::vector<Index> list{4, 0, 4};
  EXPECT_EQ(reduce.sum(isofold::gather(x, list)), 33);
  const std::vector<Index> counts{1, 2};
  EXPECT_EQ(reduce.sum(isofold::counted(isofold::rows(x.data(), 2, 2), counts)),
            (std::vector<float>{1, 12}));
  const float* const arrays[] = {x.data() + 1, x.data()};
  EXPECT_EQ(reduce.sum(isofold::batch(arrays, counts.data(), 2)), (std::vector<float>{2, 3}));
  EXPECT_EQ(reduce.sum(joined(isofold::batch(arrays, counts.data(), 2))), 5);
  const std::vector<Index> wrong{4, 5};
  EXPECT_EQ(isofold::Code::invalid_argument,
            test_support::code_of([&] { return reduce.sum(isofold::gather(x, wrong)); }));
  if (std::is_signed_v<Index>) {
    const std::vector<Index> negative{0, static_cast<Index>(-1)};
    EXPECT_EQ(isofold::Code::invalid_argument,
              test_support::code_of([&] { return reduce.sum(isofold::gather(x, negative)); }));
  }
}
TEST_P(Shapes, ListsOfEveryInteger) {
  expect_lists<std::int8_t>(reduce_);
  expect_lists<std::uint8_t>(reduce_);
  expect_lists<char>(reduce_);
  expect_lists<std::int16_t>(reduce_);
  expect_lists<std::uint16_t>(reduce_);
  expect_lists<std::int32_t>(reduce_);
  expect_lists<std::uint32_t>(reduce_);
  expect_lists<long long>(reduce_);
  expect_lists<std::size_t>(reduce_);
}

// Masks in containers of other kinds, elements in braces.
TEST_P(Shapes, MasksOfArraysAndElementsInBraces) {
  const double x[2][3] = {{1, 2, 3}, {4, 5, 6}};
  const bool inner[2][3] = {{true, false, true}, {false, false, true}};
  EXPECT_EQ(reduce_.sum(isofold::masked(x, inner)), 10);
  EXPECT_EQ(reduce_.sum(isofold::over(isofold::masked(x, inner), {0})),
            (std::vector<double>{1, 0, 9}));
  const bool one_row[1][3] = {{true, false, false}};
  EXPECT_EQ(reduce_.sum(isofold::masked(x, one_row)), 5) << "it repeats";
  const std::vector<double> v{1, 2, 4, 8, 16, 32, 64, 128, 256};
  const std::vector<std::uint8_t> bits{0x81, 0x01};
  EXPECT_EQ(reduce_.sum(isofold::masked_by_bits(v, bits)), 385);
  const std::vector<std::uint8_t> one_byte(1);
  EXPECT_THROW(static_cast<void>(isofold::masked_by_bits(v, one_byte)), isofold::Error);
  EXPECT_EQ(reduce_.sum({1.5, 2.5}), 4);
  EXPECT_EQ(reduce_.dot({1.0, 2.0}, {3.0, 4.0}), 11);
}

// The example of the documentation: from the index among taken elements to that in the array.
TEST_P(Shapes, LocationsUnderAMaskLeadToTheirElements) {
  std::vector<float> cells(20 * 30 * 10, 1.0F);
  std::vector<std::uint8_t> is_fluid(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    is_fluid[i] = i % 3 != 0;
  }
  cells[3104] = 9.0F;  // is_fluid
  cells[3333] = 99.0F;
  const auto fluid = interior(masked(box(cells.data(), {20, 30, 10}),  //
                                     box(is_fluid.data(), {20, 30, 10})),
                              1);
  const auto hottest = reduce_.argmax(fluid);
  EXPECT_EQ(hottest.index, (9 * 28 + 9) * 8 + 3) << "of the interior, whatever is taken";
  EXPECT_EQ(address_of(fluid, hottest.index), &cells[3104]) << hottest.value;
  const std::int64_t number = reduce_.argmax(packed_index(fluid)).index;
  EXPECT_LT(number, hottest.index) << "it counts what is taken";
  EXPECT_EQ(address_of(packed_index(fluid), number), &cells[3104]);
  EXPECT_EQ(address_of(isofold::widened(array(cells.data(), 6000)), 17), &cells[17]);

  const auto solid = masked(array(cells.data(), 1), is_fluid.data());  // takes none
  isofold::Location<float> none{};
  reduce_.argmax(solid, &none);
  EXPECT_EQ(address_of(solid, none.index), nullptr);
  std::string sentence;
  EXPECT_EQ(test_support::code_of([&] { return address_of(fluid, 99999); }, &sentence),
            isofold::Code::invalid_argument);
  EXPECT_NE(sentence.find("no element of index 99999"), std::string::npos) << sentence;
  const float* const nowhere = nullptr;
  EXPECT_THROW(static_cast<void>(address_of(array(nowhere, 5), 0)), isofold::Error);
  EXPECT_EQ(isofold_address_of(nullptr, 0, 0, nullptr), ISOFOLD_invalid_argument);
}

TEST_P(Shapes, JoinedBatchesOfTwoLists) {
  const std::vector<double> x = data_set<double>(Recipe::uniform, 20000);
  const std::vector<double> y = data_set<double>(Recipe::uniform, 20000, 2);
  const List<double> a = list_of(x);
  const List<double> b = list_of(y, 5);
  const std::int64_t count = std::size(joined_lengths);
  const auto first = joined(isofold::batch(a.arrays.data(), joined_lengths, count));
  const auto second = joined(isofold::batch(b.arrays.data(), joined_lengths, count));
  const auto n = count_of(a.elements);
  const double expected = reduce_.dot(array(a.elements.data(), n), array(b.elements.data(), n));
  EXPECT_EQ(bits_of(reduce_.dot(first, second)), bits_of(expected));
  double out = 0;
  reduce_.dot(first, second, &out);
  EXPECT_EQ(bits_of(out), bits_of(expected));
  EXPECT_NE(bits_of(reduce_.dot(first, first)), bits_of(expected));

  const std::vector<std::int64_t> others(std::begin(joined_lengths), std::end(joined_lengths));
  const auto other = joined(isofold::batch(b.arrays.data(), others.data(), count));
  std::string sentence;
  EXPECT_EQ(test_support::code_of([&] { return reduce_.dot(first, other); }, &sentence),
            isofold::Code::invalid_argument);
  EXPECT_NE(sentence.find("the same list"), std::string::npos) << sentence;
}

TEST_P(Shapes, JoinedBatchesWithoutElementsAreEmptyInputs) {
  const float* const arrays[] = {nullptr, nullptr};
  const std::int64_t lengths[] = {0, 0};
  for (const std::int64_t count : {0, 1, 2}) {
    const auto none = joined(isofold::batch(arrays, lengths, count));
    std::string sentence;
    EXPECT_EQ(test_support::code_of([&] { return reduce_.minimum(none); }, &sentence),
              isofold::Code::empty_input);
    EXPECT_NE(sentence.find("minimum"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("mask"), std::string::npos) << sentence;
    EXPECT_EQ(bits_of(reduce_.sum(none)), bits_of(0.0F));
    float out = 0;
    reduce_.minimum(none, &out);
    EXPECT_EQ(out, std::numeric_limits<float>::infinity()) << "into memory: the empty value";
  }
}

TEST_P(Shapes, JoinedBatchesOfNarrowElements) {
  const std::vector<std::int8_t> x = data_set<std::int8_t>(Recipe::uniform, 20000);
  const List<std::int8_t> list = list_of(x);
  const auto all =
      joined(isofold::batch(list.arrays.data(), joined_lengths, std::size(joined_lengths)));
  EXPECT_EQ(reduce_.sum(all), of_packed<Fold::sum>(list.elements));
  expect_location(reduce_.argmax(all), of_packed<Fold::argmax>(list.elements));
}

TEST_P(Shapes, JoinedBatchesAreReadOnceForSeveralFolds) {
  const std::vector<float> x = field();
  const List<float> list = list_of(x);
  const auto all =
      joined(isofold::batch(list.arrays.data(), joined_lengths, std::size(joined_lengths)));
  float sum = 0;
  isofold::Location<float> least{};
  reduce_.reduce(isofold::fuse(isofold::sum, isofold::argmin), all, &sum, &least);
  expect_sum(sum, list.elements);
  expect_location(least, of_packed<Fold::argmin>(list.elements));
}

// One giant and many small arrays, whose borders lie anywhere in a chunk.
TEST_P(Shapes, JoinedBatchesHaveTheirBitsForAnyNumberOfThreads) {
  const std::vector<double> x = data_set<double>(Recipe::uniform, 600000);
  std::vector<const double*> arrays;
  std::vector<std::int32_t> lengths;
  std::vector<double> elements;
  for (std::int32_t i = 0; i < 2000; ++i) {
    const std::int32_t length = i == 777 ? 500000 : i * 37 % 301;
    arrays.push_back(x.data() + i * 29);
    lengths.push_back(length);
    elements.insert(elements.end(), arrays.back(), arrays.back() + length);
  }
  const auto all = joined(isofold::batch(arrays.data(), lengths.data(), 2000));
  for (int threads : {0, 1, 2, 3, 7}) {
    SCOPED_TRACE(threads);
    Reducer reduce(GetParam().c_str(), Options{}.threads(threads));
    reduce.reserve(isofold::sum, all);
    expect_sum(reduce.sum(all), elements);
    expect_location(reduce.argmax(all), of_packed<Fold::argmax>(elements));
  }
}

// ---- questions, threads, backends ------------------------------------------------------------

TEST_P(Shapes, QuestionsNeedNoMemory) {
  const float* nowhere = nullptr;
  const std::int64_t* no_index = nullptr;
  const Box<float> inner = interior(box(nowhere, {100, 100, 100}), 1);
  const auto ask = [&](auto shape) {
    EXPECT_TRUE(reduce_.supports(isofold::sum, shape)) << isofold_last_error();
    EXPECT_EQ(test_support::code_of([&] { reduce_.reserve(isofold::sum, shape); }),
              isofold::Code::ok);
  };
  ask(inner);
  ask(over(inner, {0, 2}));
  const std::uint8_t unread = 0;
  ask(masked(inner, &unread));
  ask(isofold::segments(nowhere, no_index, 1000));
  ask(isofold::gather(nowhere, no_index, 1000));
  ask(isofold::batch(static_cast<const float* const*>(nullptr), no_index, 1000));
  ask(joined(isofold::batch(static_cast<const float* const*>(nullptr), no_index, 1000)));
  EXPECT_FALSE(reduce_.supports(isofold::bit_xor, inner)) << "no such case, whatever the shape";
}

// Narrow elements are gathered as they are stored, then converted.
TEST_P(Shapes, NarrowElements) {
  const std::vector<std::int8_t> x = data_set<std::int8_t>(Recipe::uniform, 9000);
  const Box<std::int8_t> each = box(x.data() + 1, {80, 37}, {111, 3});
  const std::vector<std::int8_t> elements = packed(each);
  EXPECT_EQ(reduce_.sum(each), of_packed<Fold::sum>(elements));
  const auto backwards = box(x.data() + 8999, {9000}, {-1});
  expect_location(reduce_.argmax(backwards), of_packed<Fold::argmax>(packed(backwards)));
}

// Elements of float, computed in double.
TEST_P(Shapes, WidenedElements) {
  const std::vector<float> x = field();
  const auto doubles = [](const std::vector<float>& all) {
    return std::vector<double>(all.begin(), all.end());
  };
  const Box<float> inner = interior(box(x.data(), {20, 25, 40}), 1);
  const double sum = reduce_.sum(widened(inner));
  expect_sum(sum, doubles(packed(inner)));
  EXPECT_EQ(bits_of(reduce_.sum(interior(widened(box(x.data(), {20, 25, 40})), 1))), bits_of(sum));
  std::vector<double> rows(38);
  reduce_.sum(over(widened(inner), {0, 1}), rows.data());
  EXPECT_EQ(bits_of(rows[7]), bits_of(of_packed<Fold::sum>(doubles(packed_rows(inner, 4)[7]))));

  const std::int64_t offsets[] = {3, 3, 9003};
  double two[2] = {-77, -77};
  reduce_.sum(widened(isofold::segments(x.data(), offsets, 2)), two);
  EXPECT_EQ(bits_of(two[0]), bits_of(0.0));
  EXPECT_EQ(bits_of(two[1]), bits_of(reduce_.sum(widened(array(x.data() + 3, 9000)))));
  const std::int32_t indices[] = {9, 8, 19999};
  expect_sum(reduce_.sum(widened(isofold::gather(x.data(), indices, 3))),
             doubles({x[9], x[8], x[19999]}));
}

// One giant among many tiny ones: the threads share it, and the bits do not show it.
TEST_P(Shapes, RaggedRowsHaveTheirBitsForAnyNumberOfThreads) {
  const std::vector<double> x = data_set<double>(Recipe::uniform, 900000);
  std::vector<std::int64_t> offsets{0};
  for (std::int64_t r = 0; r < 4000; ++r) {
    offsets.push_back(offsets.back() + (r == 1234 ? 800000 : r % 29));
  }
  const auto all = isofold::segments(x.data(), offsets.data(), 4000, 900000);
  std::vector<std::vector<double>> rows;
  for (std::size_t r = 0; r < 4000; ++r) {
    rows.emplace_back(x.begin() + offsets[r], x.begin() + offsets[r + 1]);
  }
  for (int threads : {0, 1, 2, 3, 7}) {
    SCOPED_TRACE(threads);
    Reducer reduce(GetParam().c_str(), Options{}.threads(threads));
    reduce.reserve(isofold::sum, all);
    std::vector<double> found(4000);
    reduce.sum(all, found.data());
    expect_rows<Fold::sum>(found, rows);
  }
}

TEST_P(Shapes, BoxesHaveTheirBitsForAnyNumberOfThreads) {
  const std::vector<double> x = data_set<double>(Recipe::uniform, 102 * 102 * 102);
  const Box<double> inner = interior(box(x.data(), {102, 102, 102}), 1);
  const std::vector<double> elements = packed(inner);
  const auto planes = packed_rows(inner, 1);
  for (int threads : {1, 2, 3, 7}) {
    SCOPED_TRACE(threads);
    Reducer reduce(GetParam().c_str(), Options{}.threads(threads));
    expect_sum(reduce.sum(inner), elements);
    std::vector<double> found(100);
    reduce.sum(over(inner, {1, 2}), found.data());
    expect_rows<Fold::sum>(found, planes);
  }
}

// A fold over some dimensions; of the others, `kept` says.
template <Fold fold, class T>
void fold_over(Reducer& reduce, const Box<T>& x, std::initializer_list<int> dimensions,
               std::uint32_t kept) {
  const auto rows = packed_rows(x, kept);
  std::vector<isofold::result_t<fold, T>> found(rows.size());
  reduce.reduce(isofold::FoldTag<fold>{}, over(x, dimensions), found.data());
  expect_rows<fold>(found, rows);
}
// Dot products over all dimensions but the second.
template <class T>
void dot_over(Reducer& reduce, const Box<T>& x, const Box<T>& y,
              std::initializer_list<int> dimensions) {
  const auto a = packed_rows(x, 2);
  const auto b = packed_rows(y, 2);
  std::vector<T> found(a.size());
  reduce.dot(over(x, dimensions), y, found.data());
  for (std::size_t r = 0; r < a.size(); ++r) {
    const auto n = static_cast<std::int64_t>(a[r].size());
    EXPECT_EQ(bits_of(found[r]), bits_of(reduce.dot(array(a[r].data(), n), array(b[r].data(), n))))
        << "row " << r << " of " << a.size();
  }
}

// Rows whose elements lie side by side: folded as they lie, or gathered a line at a time.
template <Fold fold, class T>
void fold_columns(Reducer& reduce, const Box<T>& cells) {
  fold_over<fold>(reduce, cells, {0, 1}, 4);
}

// Both arrays side by side, with strides of their own; the second one not.
TEST_P(Shapes, DotsOfColumns) {
  const std::vector<float> x = data_set<float>(Recipe::uniform, 300000);
  const std::vector<float> y = data_set<float>(Recipe::uniform, 300000, 2);
  const std::vector<double> u(x.begin(), x.end());
  const std::vector<double> v(y.begin(), y.end());
  for (const std::int64_t columns : {31, 32, 64, 65, 150}) {
    const auto first = [&](const auto& z) { return box(z.data(), {1500, columns}); };
    const auto second = [&](const auto& z) {
      return box(z.data() + 1, {1500, columns}, {columns + 3, 1});
    };
    for (const int threads : {1, 3}) {
      Reducer reduce(GetParam().c_str(), Options{}.threads(threads));
      dot_over(reduce, first(x), second(y), {0});
      dot_over(reduce, first(u), second(v), {0});
      dot_over(reduce, first(x), box(y.data(), {1500, columns}, {1, 1500}), {0});
    }
  }
}

// Lines long enough to be folded where they lie: rows of lanes that a line's end cuts anywhere.
template <class T>
void fold_in_runs(Reducer& reduce, const Box<T>& x, [[maybe_unused]] const Box<T>& y) {
  const std::vector<T> a = packed(x);
  const auto one = array(a.data(), count_of(a));
  EXPECT_EQ(bits_of(reduce.sum(x)), bits_of(reduce.sum(one)));
  EXPECT_EQ(bits_of(reduce.minimum(x)), bits_of(reduce.minimum(one)));
  EXPECT_EQ(reduce.argmax(x).index, reduce.argmax(one).index);
  if constexpr (std::is_floating_point_v<T>) {
    const std::vector<T> b = packed(y);
    EXPECT_EQ(bits_of(reduce.dot(x, y)), bits_of(reduce.dot(one, array(b.data(), count_of(b)))));
    EXPECT_EQ(bits_of(reduce.norm2(x)), bits_of(reduce.norm2(one)));
    EXPECT_EQ(bits_of(reduce.variance(x)), bits_of(reduce.variance(one)));
    EXPECT_EQ(bits_of(reduce.log_sum_exp(x)), bits_of(reduce.log_sum_exp(one)));
  }
}
template <class T>
void fold_lines_of(Reducer& reduce, const std::vector<T>& x, std::int64_t line) {
  SCOPED_TRACE("lines of " + std::to_string(line));
  for (const std::int64_t lines : {2, 9, 40}) {
    // Three planes, the last first in memory; the second array's lines are of one stretch.
    const std::int64_t pitch = line + 5;
    const std::int64_t plane = (lines + 1) * pitch;
    fold_in_runs(reduce, box(x.data() + 2 * plane + 1, {3, lines, line}, {-plane, pitch, 1}),
                 box(x.data(), {3, lines, line}, {lines * line + 7, line, 1}));
  }
}
TEST_P(Shapes, LongRunsHaveTheBitsOfArrays) {
  const std::vector<float> floats = data_set<float>(Recipe::uniform, 400000);
  const std::vector<double> doubles = data_set<double>(Recipe::uniform, 400000);
  const std::vector<std::int32_t> integers = data_set<std::int32_t>(Recipe::uniform, 400000);
  for (const std::int64_t line : {128, 129, 191, 318, 1023, 1025, 2500}) {
    for (const int threads : {1, 3}) {
      Reducer reduce(GetParam().c_str(), Options{}.threads(threads));
      fold_lines_of(reduce, floats, line);
      fold_lines_of(reduce, doubles, line);
      fold_lines_of(reduce, integers, line);
    }
  }
  // Complex numbers, of which a cut vector is loaded part by part.
  std::vector<std::complex<double>> z(60000);
  for (std::size_t i = 0; i < z.size(); ++i) {
    z[i] = {doubles[2 * i], doubles[2 * i + 1]};
  }
  for (const std::int64_t line : {128, 131, 300}) {
    const auto x = box(z.data() + 3, {4, 20, line}, {21 * (line + 2), line + 2, 1});
    const std::vector<std::complex<double>> elements = packed(x);
    const auto all = array(elements.data(), count_of(elements));
    EXPECT_EQ(reduce_.sum(x), reduce_.sum(all));
    EXPECT_EQ(bits_of(reduce_.norm2(x)), bits_of(reduce_.norm2(all)));
    EXPECT_EQ(bits_of(reduce_.norm1(x)), bits_of(reduce_.norm1(all)));
  }
}

TEST_P(Shapes, ColumnsHaveTheBitsOfRows) {
  const std::vector<float> floats = data_set<float>(Recipe::uniform, 1100000);
  const std::vector<double> doubles = data_set<double>(Recipe::uniform, 1100000);
  const std::vector<std::int8_t> bytes = data_set<std::int8_t>(Recipe::uniform, 1100000);
  const auto fold_all = [&](std::int64_t columns, std::int64_t length) {
    SCOPED_TRACE(std::to_string(columns) + " columns of " + std::to_string(length));
    // Two planes, of which the second lies before the first; a cell between two lines.
    const auto cells = [&](const auto& x) {
      return box(x.data() + length * (columns + 1), {2, length, columns},
                 {-length * (columns + 1), columns + 1, 1});
    };
    for (const int threads : {1, 3}) {
      Reducer reduce(GetParam().c_str(), Options{}.threads(threads));
      fold_columns<Fold::sum>(reduce, cells(floats));
      fold_columns<Fold::minimum>(reduce, cells(floats));
      fold_columns<Fold::argmin>(reduce, cells(doubles));
      fold_columns<Fold::sum_with_bound>(reduce, cells(doubles));
      fold_columns<Fold::moments>(reduce, cells(doubles));
      fold_columns<Fold::sum>(reduce, cells(bytes));
    }
  };
  for (const std::int64_t columns : {2, 15, 16, 17, 63, 64, 65, 131, 200}) {
    for (const std::int64_t length : {1, 3, 64, 65, 1024, 2500}) {
      fold_all(columns, length);
    }
  }
  fold_all(1100, 480);  // more than are taken at once
  fold_all(5000, 100);
  fold_all(70, 7700);  // whose chunks are shared
  fold_all(16, 32000);
}

// Rows that take turns in memory: over the first and last index of a field whose lines have any
// length. With two arrays, each has strides of its own.
template <Fold fold, class T>
void fold_planes(Reducer& reduce, const Box<T>& x) {
  fold_over<fold>(reduce, x, {0, 2}, 2);
}
// Runs of the second array three times as long as those of the first.
template <class T>
void dot_over_two_of_four(Reducer& reduce, const std::vector<T>& all, std::int64_t planes,
                          std::int64_t lines, std::int64_t line) {
  const auto x = box(all.data(), {planes, lines, 3, line},
                     {lines * 3 * (line + 1), 3 * (line + 1), line + 1, 1});
  const auto y = box(all.data() + 1, {planes, lines, 3, line},
                     {lines * (3 * line + 2), 3 * line + 2, line, 1});
  dot_over(reduce, x, y, {0, 2, 3});
}
// Planes from the last to the first, lines apart and backwards.
template <class T>
Box<T> planes_of(const std::vector<T>& x, std::int64_t planes, std::int64_t lines,
                 std::int64_t line) {
  const std::int64_t pitch = line + 3;
  const std::int64_t plane = lines * pitch + 1;
  return box(x.data() + (planes - 1) * plane + (lines - 1) * pitch, {planes, lines, line},
             {-plane, -pitch, 1});
}
TEST_P(Shapes, RowsThatTakeTurnsHaveTheBitsOfArrays) {
  const std::vector<float> floats = data_set<float>(Recipe::uniform, 1100000);
  const std::vector<double> doubles = data_set<double>(Recipe::uniform, 1100000);
  const std::vector<std::int16_t> integers = data_set<std::int16_t>(Recipe::uniform, 1100000);
  for (const std::int64_t line : {63, 64, 65, 100, 127, 128, 320, 1000, 1024, 1089, 3000}) {
    for (const auto& [planes, lines] :
         {std::pair<std::int64_t, std::int64_t>{2, 2}, {5, 17}, {33, 3}, {9, 30}}) {
      SCOPED_TRACE(std::to_string(planes) + " planes of " + std::to_string(lines) + " lines of " +
                   std::to_string(line));
      for (const int threads : {1, 3}) {
        Reducer reduce(GetParam().c_str(), Options{}.threads(threads));
        fold_planes<Fold::sum>(reduce, planes_of(floats, planes, lines, line));
        fold_planes<Fold::minimum>(reduce, planes_of(floats, planes, lines, line));
        fold_planes<Fold::argmin>(reduce, planes_of(doubles, planes, lines, line));
        fold_planes<Fold::sum_with_bound>(reduce, planes_of(doubles, planes, lines, line));
        fold_planes<Fold::moments>(reduce, planes_of(doubles, planes, lines, line));
        fold_planes<Fold::sum>(reduce, planes_of(integers, planes, lines, line));
        dot_over(reduce, planes_of(doubles, planes, lines, line),
                 box(doubles.data() + 1, {planes, lines, line}, {line, planes * line, 1}), {0, 2});
        dot_over(reduce, planes_of(floats, planes, lines, line),
                 box(floats.data() + 1, {planes, lines, line}), {0, 2});
        if (3 * planes * lines * (line + 2) < count_of(floats)) {
          dot_over_two_of_four(reduce, floats, planes, lines, line);
        }
      }
    }
  }
}

// Rows that take turns, for one fold: builds of few cases have no more (tests/mutants).
TEST_P(Shapes, SumsOfRowsThatTakeTurns) {
  const std::vector<float> x = data_set<float>(Recipe::uniform, 1100000);
  for (const int threads : {1, 3}) {
    Reducer reduce(GetParam().c_str(), Options{}.threads(threads));
    fold_planes<Fold::sum>(reduce, planes_of(x, 70, 21, 320));
    fold_planes<Fold::sum>(reduce, planes_of(x, 7, 40, 1100));
    fold_planes<Fold::sum>(reduce, planes_of(x, 3, 900, 131));  // more than are taken at once
    fold_planes<Fold::sum>(reduce, box(x.data(), {9, 15, 2000}));
    fold_planes<Fold::sum>(reduce, planes_of(x, 70, 21, 40));  // too short for it
  }
}

// Columns and long runs, for one fold: builds of few cases have no more (tests/mutants).
TEST_P(Shapes, SumsOfColumnsAndOfLongRuns) {
  const std::vector<float> x = data_set<float>(Recipe::uniform, 1100000);
  for (const int threads : {1, 3}) {
    Reducer reduce(GetParam().c_str(), Options{}.threads(threads));
    for (const auto& [columns, length] :
         {std::pair<std::int64_t, std::int64_t>{64, 3000}, {1100, 960}, {70, 15000}, {16, 64000}}) {
      fold_columns<Fold::sum>(reduce, box(x.data(), {1, length, columns}, {0, columns + 1, 1}));
    }
    for (const std::int64_t line : {128, 131, 318, 1023}) {
      const Box<float> lines = box(x.data() + 1, {40, 17, line}, {20 * line, line + 1, 1});
      EXPECT_EQ(bits_of(reduce.sum(lines)), bits_of(of_packed<Fold::sum>(packed(lines)))) << line;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Host, Shapes, testing::ValuesIn(test_support::host_backends()),
                         test_support::name_of_parameter);

class EveryBackend : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!isofold::is_available(GetParam())) {
      GTEST_SKIP() << GetParam() << " cannot compute here: " << isofold::describe(GetParam());
    }
    target_ = isofold::conformance::library_target(GetParam());
  }
  std::unique_ptr<isofold::conformance::Target> target_;
};

// Small integers, so that a sum is exact in the order of any backend.
TEST_P(EveryBackend, AnswersABoxThatIsAnArrayOrRows) {
  const std::vector<float> x = data_set<float>(Recipe::small, 6000);
  const isofold::conformance::Placed<float> placed(*target_, x);
  const isofold::conformance::Placed<float> slots(*target_, std::vector<float>(20));
  Reducer reduce(GetParam().c_str(), test_support::options_for(GetParam()));
  const Box<float> whole = box(static_cast<const float*>(placed.data()), {20, 30, 10});
  EXPECT_EQ(reduce.sum(whole), of_packed<Fold::sum>(x));
  EXPECT_EQ(reduce.backend(), GetParam());
  Box<float> on_host = whole;
  on_host.data = x.data();

  const auto planes = over(whole, {1, 2});
  EXPECT_TRUE(reduce.supports(isofold::sum, planes));
  reduce.reserve(isofold::sum, planes);
  reduce.sum(planes, slots.data());
  reduce.synchronize();
  expect_rows<Fold::sum>(slots.to_host(), packed_rows(on_host, 1));

  // Whole pencils of 7 of 10 cells, each 3 pencils apart.
  const auto strided = [](const float* data) { return box(data, {20, 7}, {30, 1}); };
  reduce.sum(over(strided(placed.data()), {1}), slots.data());
  reduce.synchronize();
  expect_rows<Fold::sum>(slots.to_host(), packed_rows(strided(x.data()), 1));
}

TEST_P(EveryBackend, AnswersOtherShapesOrRefusesThemInASentence) {
  const std::vector<float> x = data_set<float>(Recipe::small, 6000);
  const isofold::conformance::Placed<float> placed(*target_, x);
  Reducer reduce(GetParam().c_str(), test_support::options_for(GetParam()));
  const Box<float> inner = interior(box(static_cast<const float*>(placed.data()), {20, 30, 10}), 1);
  std::string sentence;
  const isofold::Code code = test_support::code_of([&] { return reduce.sum(inner); }, &sentence);
  EXPECT_EQ(reduce.supports(isofold::sum, inner), code == isofold::Code::ok);
  const bool has_shapes = GetParam() != "kokkos";
  EXPECT_EQ(code, has_shapes ? isofold::Code::ok : isofold::Code::unsupported) << sentence;
  EXPECT_EQ(sentence.find(GetParam()) != std::string::npos, !has_shapes) << sentence;
  EXPECT_EQ(reduce.sum(array(static_cast<const float*>(placed.data()), 6000)),
            of_packed<Fold::sum>(x));
}

// All but kokkos join it, which says that it does not.
TEST_P(EveryBackend, JoinsABatchOrRefusesToInASentence) {
  const std::vector<float> x = data_set<float>(Recipe::small, 6000);
  const isofold::conformance::Placed<float> placed(*target_, x);
  const float* const data = placed.data();
  const isofold::conformance::Placed<const float*> arrays(*target_, {data + 1000, data});
  const isofold::conformance::Placed<std::int32_t> lengths(*target_, {5000, 1000});
  Reducer reduce(GetParam().c_str(), test_support::options_for(GetParam()));
  const auto all = joined(isofold::batch(static_cast<const float* const*>(arrays.data()),
                                         static_cast<const std::int32_t*>(lengths.data()), 2));
  float sum = 0;
  std::string sentence;
  const isofold::Code code = test_support::code_of([&] { sum = reduce.sum(all); }, &sentence);
  EXPECT_EQ(reduce.supports(isofold::sum, all), code == isofold::Code::ok);
  const bool joins = GetParam() != "kokkos";
  EXPECT_EQ(code, joins ? isofold::Code::ok : isofold::Code::unsupported) << sentence;
  EXPECT_EQ(sentence.find(GetParam()) != std::string::npos, !joins) << sentence;
  EXPECT_EQ(sum, joins ? of_packed<Fold::sum>(x) : 0);
}

INSTANTIATE_TEST_SUITE_P(All, EveryBackend, testing::ValuesIn(test_support::every_backend()),
                         test_support::name_of_parameter);

}  // namespace
