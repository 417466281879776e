// Kind 1: the bits of the reference backend, over sizes, values, alignments, rows and repetitions.
// Backends that promise a bound only are asked about folds with equal bits in every order:
// integers, extrema.
#include <algorithm>

#include "sections.hpp"

namespace isofold::conformance {
namespace {

constexpr std::int64_t chunk = 1024;

template <class T, class R>
void compare_spans(Target& target, const Question& question, std::vector<T> host,
                   const std::vector<T>& second, std::vector<Span> spans, const std::string& what,
                   Judge& judge) {
  judge.count_case();
  append_second(question, host, second, spans);
  const Placed<T> placed(target, host);
  const std::vector<R> expected = reference_of<R>(question, host.data(), spans);
  const std::vector<R> found = results_of<R>(target, question, placed.data(), spans, judge);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    judge.same_bits(expected[i], found[i], [&] {
      return case_name(question) + " " + what + ", n = " + std::to_string(spans[i].count);
    });
  }
}

// Every small size; at the quick level those around the lane, row and chunk borders.
std::vector<Span> small_sizes(Level level) {
  std::vector<Span> spans;
  for (std::int64_t n = 0; n <= 3 * chunk + 2; ++n) {
    const std::int64_t in_lane = (n + 2) % 64;
    const std::int64_t in_chunk = (n + 34) % chunk;
    if (level != Level::quick || n <= 130 || in_chunk <= 68 || (in_lane <= 4 && n % 5 == 0)) {
      spans.push_back({0, n});
    }
  }
  return spans;
}

std::vector<Span> large_sizes(const Question& question, std::int64_t largest) {
  std::vector<Span> spans;
  for (std::int64_t power = 4 * chunk; power <= largest; power *= 2) {
    for (std::int64_t n : {power - 1, power, power + 1}) {
      spans.push_back({0, n});
    }
    spans.push_back({0, power + power / 2 + 1});  // a missing right child on an upper level
  }
  const int count = question.level == Level::quick      ? 12
                    : question.level == Level::standard ? 200
                                                        : 500;
  int bits = 0;
  while ((largest >> bits) > 1) {
    ++bits;
  }
  for (int i = 0; i < count; ++i) {  // log scale: first the magnitude, then the size within it
    const std::uint64_t s = test_data::random_word(question.seed, static_cast<std::uint64_t>(i));
    const int magnitude = 11 + static_cast<int>(s % static_cast<std::uint64_t>(bits - 11));
    spans.push_back(
        {0, (std::int64_t{1} << magnitude) +
                static_cast<std::int64_t>((s >> 20) % (std::uint64_t{1} << magnitude))});
  }
  for (Span& span : spans) {
    span.count = std::min(span.count, 2 * largest);
  }
  return spans;
}

}  // namespace

void sizes_section(Target& target, const Question& question, Judge& judge) {
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    using R = typename decltype(numbers)::R;
    if (!can_compare<T>(target, question, judge)) {
      return;
    }
    const int shift = question.level == Level::quick      ? 15
                      : question.level == Level::standard ? 19
                                                          : 23;
    const std::int64_t largest = std::int64_t{1} << shift;
    const std::vector<Span> small = small_sizes(question.level);
    const Recipe telling = expectation_of(question.fold).telling_recipe();
    for (Recipe recipe : {random_recipe(question), telling}) {
      const std::string what = std::string(test_data::name_of(recipe)) + ", seed 1";
      compare_spans<T, R>(target, question, balanced_set<T>(question, recipe, 1, 3 * chunk + 2),
                          second_set<T>(question, recipe, 2, 3 * chunk + 2), small, what, judge);
    }
    const Recipe recipe = random_recipe(question);
    compare_spans<T, R>(target, question, balanced_set<T>(question, recipe, 2, 2 * largest),
                        second_set<T>(question, recipe, 3, 2 * largest),
                        large_sizes(question, largest),
                        std::string(test_data::name_of(recipe)) + ", seed 2", judge);
  });
}

void values_section(Target& target, const Question& question, Judge& judge) {
  std::vector<std::int64_t> sizes{1, 2, 3, 31, 33, 64, 65, 100, 1000, 1024, 1025, 3000, 5000};
  if (question.level != Level::quick) {
    for (std::int64_t n : {4,    5,    7,    16,   17,   32,   63,   127,  128,   129,   1023,
                           1088, 1500, 2047, 2048, 2049, 4096, 7177, 8192, 33000, 100003}) {
      sizes.push_back(n);
    }
  }
  if (question.level == Level::exhaustive) {
    for (std::int64_t n = 1; n <= 300; ++n) {
      sizes.push_back(n);
    }
    sizes.push_back(1 << 20);
  }
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    using R = typename decltype(numbers)::R;
    if (!can_compare<T>(target, question, judge)) {
      return;
    }
    for (Recipe recipe : test_data::recipes) {
      if (!test_data::has_recipe<T>(recipe)) {
        continue;
      }
      std::vector<T> host;  // one data set after the other, for some depend on their own count
      std::vector<T> second;
      std::vector<Span> spans;
      for (std::int64_t n : sizes) {
        spans.push_back({static_cast<std::int64_t>(host.size()), n});
        append_set(host, recipe, 3, n);
        append_set(second, recipe, 4, takes_two(question) ? n : 0);
      }
      compare_spans<T, R>(target, question, host, second, spans,
                          std::string(test_data::name_of(recipe)) + ", seed 3", judge);
    }
  });
}

namespace {

template <class T>
constexpr std::size_t parts_of = core::is_complex<T> ? 2 : 1;

// Elements `parts` parts past an aligned address: complex ones are aligned as their parts are.
template <class T>
class PlacedPastParts {
 public:
  PlacedPastParts(Target& target, const std::vector<T>& host, std::size_t parts)
      : parts_(parts), placed_(target, parts_and(host, parts)) {}
  const T* data() const { return reinterpret_cast<const T*>(placed_.data() + parts_); }

 private:
  using Part = core::part_t<T>;
  static std::vector<Part> parts_and(const std::vector<T>& host, std::size_t parts) {
    std::vector<Part> all(parts + host.size() * parts_of<T>);
    std::memcpy(all.data() + parts, host.data(), host.size() * sizeof(T));
    return all;
  }
  std::size_t parts_;
  Placed<Part> placed_;
};

}  // namespace

void alignment_section(Target& target, const Question& question, Judge& judge) {
  std::vector<std::int64_t> sizes;
  const std::int64_t every = question.level == Level::quick ? 70 : 1000;
  for (std::int64_t n = 0; n <= every; ++n) {
    sizes.push_back(n);
  }
  for (std::int64_t n : {511, 512, 513, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 3073, 8191}) {
    sizes.push_back(n);
  }
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    using R = typename decltype(numbers)::R;
    if (!can_compare<T>(target, question, judge)) {
      return;
    }
    constexpr std::int64_t largest = 8191;
    constexpr std::int64_t pitch =
        largest + 17 - (largest + 17) % 64 + 64;  // keeps the base aligned
    const std::vector<T> data = random_set<T>(question, 4, largest);
    const std::vector<T> other = second_set<T>(question, random_recipe(question), 5, largest);
    std::vector<Span> plain;
    for (std::int64_t n : sizes) {
      plain.push_back({0, n});
    }
    std::vector<T> alone = data;
    std::vector<Span> alone_spans = plain;
    append_second(question, alone, other, alone_spans);
    const std::vector<R> expected = reference_of<R>(question, alone.data(), alone_spans);
    // Copy k starts k elements past an aligned address, its second array as far past another, in
    // elements of which wide loads are made, or not: 5k or 5k + 3, modulo 16.
    const std::int64_t copies = takes_two(question) ? 32 : 16;
    const auto start_of = [&](std::int64_t copy) {
      return copy * pitch + (copy < 16 ? copy : (5 * copy + (copy < 24 ? 0 : 3)) % 16);
    };
    std::vector<T> host(static_cast<std::size_t>(copies * pitch + 64), intruder<T>(question));
    for (std::int64_t copy = 0; copy < copies; ++copy) {
      const std::vector<T>& source = copy < 16 ? data : other;
      std::copy(source.begin(), source.end(), host.begin() + start_of(copy));
    }
    for (std::size_t parts = 0; parts < parts_of<T>; ++parts) {
      const PlacedPastParts<T> placed(target, host, parts);
      for (std::int64_t offset = 0; offset < 16; ++offset) {
        judge.count_case();
        std::vector<Span> spans = plain;
        for (Span& span : spans) {
          span.offset = start_of(offset);
          span.second = start_of(offset + 16);
        }
        const std::vector<R> found = results_of<R>(target, question, placed.data(), spans, judge);
        for (std::size_t i = 0; i < spans.size(); ++i) {
          judge.same_bits(expected[i], found[i], [&] {
            return case_name(question) + ", n = " + std::to_string(spans[i].count) + ", " +
                   std::to_string(offset) + " elements" +
                   (parts == 0 ? "" : " and " + std::to_string(parts) + " parts of one") +
                   " past an aligned address";
          });
        }
      }
    }
  });
}

namespace {

struct Rows {
  std::int64_t rows;
  std::int64_t length;
  std::int64_t stride;
};

std::vector<Rows> row_shapes(Level level) {
  std::vector<Rows> shapes{{0, 5, 5}, {1, 0, 0}, {3, 0, 7}, {1, 1, 1}};
  const std::int64_t budget = level == Level::quick      ? 20000
                              : level == Level::standard ? 150000
                                                         : 2000000;
  for (std::int64_t length :
       {1,    2,    3,    5,    8,    16,   31,   32,   33,   63,    64,   65,
        100,  127,  128,  129,  255,  256,  257,  511,  513,  1000,  1023, 1024,
        1025, 1100, 2047, 2048, 2049, 3000, 4096, 5000, 9000, 40000, 70001}) {
    for (std::int64_t rows : {1, 2, 3, 7, 33, 64, 65, 257, 1000, 5001, 70000}) {
      for (std::int64_t gap : {0, 1, 3, 7, 64}) {
        const bool fits = rows * (length + gap) <= budget;
        const bool chosen =
            level == Level::exhaustive || (rows + length + gap) % 3 == 0 || gap == 0;
        if (fits && chosen) {
          shapes.push_back({rows, length, length + gap});
        }
      }
    }
  }
  return shapes;
}

// The rows of `shape` with `stride`, the first after `start` elements that belong to none.
template <class T>
std::vector<T> in_rows(const Question& question, const Rows& shape, std::int64_t start,
                       std::int64_t stride, const std::vector<T>& data) {
  std::vector<T> host(static_cast<std::size_t>(start + shape.rows * stride + 64),
                      intruder<T>(question));
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const std::int64_t source =
        row * shape.length % (static_cast<std::int64_t>(data.size()) - shape.length);
    std::copy_n(data.begin() + source, shape.length, host.begin() + start + row * stride);
  }
  return host;
}

template <class T, class R>
void compare_rows(Target& target, const Question& question, const Rows& shape,
                  const std::vector<T>& data, const std::vector<T>& other, Judge& judge) {
  judge.count_case();
  const std::int64_t start = shape.rows % 4;  // most shapes do not begin at an aligned address
  const std::int64_t second_stride = shape.stride + 2 + shape.length % 3;
  std::vector<T> host = in_rows(question, shape, start, shape.stride, data);
  std::vector<Span> spans{{start, shape.length}};
  append_second(question, host, in_rows(question, shape, start, second_stride, other), spans,
                static_cast<std::size_t>(shape.length % 3));
  const Span first = spans[0];
  spans.clear();
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    spans.push_back(
        {first.offset + row * shape.stride, shape.length, first.second + row * second_stride});
  }
  const std::vector<R> expected = reference_of<R>(question, host.data(), spans);
  const Placed<T> placed(target, host);
  const auto count = static_cast<std::size_t>(shape.rows);
  constexpr std::size_t guards = 8;  // slots past the last row must stay as they were
  const Placed<R> slots(target, poisoned<R>(count + guards));
  isofold_request request = array_request(question, placed.data(), first, slots.data(), 0);
  request.shape = ISOFOLD_SHAPE_rows;
  request.rows = shape.rows;
  request.stride = shape.stride;
  request.second_stride = takes_two(question) ? second_stride : 0;
  const auto describe = [&] {
    return case_name(question) + ", " + std::to_string(shape.rows) + " rows of " +
           std::to_string(shape.length) + " at a stride of " + std::to_string(shape.stride);
  };
  if (target.reduce(request) != ISOFOLD_ok || target.synchronize() != ISOFOLD_ok) {
    judge.fail(describe() + ": the call failed: " + target.last_error());
    return;
  }
  const std::vector<R> found = slots.to_host();
  for (std::size_t row = 0; row < count; ++row) {
    judge.same_bits(expected[row], found[row],
                    [&] { return describe() + ", row " + std::to_string(row); });
  }
  for (std::size_t i = count; i < count + guards; ++i) {
    judge.same_bits(poisoned<R>(1)[0], found[i],
                    [&] { return describe() + ", past the last result"; });
  }
}

}  // namespace

void rows_section(Target& target, const Question& question, Judge& judge) {
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    using R = typename decltype(numbers)::R;
    if (!can_compare<T>(target, question, judge)) {
      return;
    }
    const std::vector<T> data = random_set<T>(question, 5, 200003);
    const std::vector<T> other = random_set<T>(question, 6, 200003);
    for (const Rows& shape : row_shapes(question.level)) {
      compare_rows<T, R>(target, question, shape, data, other, judge);
    }
  });
}

void repeats_section(Target& target, const Question& question, Judge& judge) {
  const int times = question.level == Level::quick      ? 20
                    : question.level == Level::standard ? 200
                                                        : 10000;
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    using R = typename decltype(numbers)::R;
    if (!can_compare<T>(target, question, judge)) {
      return;
    }
    std::vector<T> host = random_set<T>(question, 6, 100003);
    std::vector<Span> sizes{{0, 1}, {0, 1025}, {0, 20000}, {0, 100003}};
    append_second(question, host, second_set<T>(question, random_recipe(question), 7, 100003),
                  sizes);
    const Placed<T> placed(target, host);
    for (const Span& span : sizes) {
      judge.count_case();
      const R expected = reference_of<R>(question, host.data(), {span})[0];
      const std::vector<Span> spans(static_cast<std::size_t>(times), span);
      const auto compare = [&](R found, const char* how) {
        judge.same_bits(expected, found, [&] {
          return case_name(question) + ", n = " + std::to_string(span.count) + ", repeated" + how;
        });
      };
      for (R found : results_of<R>(target, question, placed.data(), spans, judge)) {
        compare(found, "");
      }
      for (int i = 0; i < times / 10 + 1; ++i) {
        R found = poisoned<R>(1)[0];
        const isofold_request request =
            array_request(question, placed.data(), span, &found, ISOFOLD_BLOCKING);
        if (target.reduce(request) != ISOFOLD_ok) {
          judge.fail(case_name(question) + ": a blocking call failed: " + target.last_error());
        }
        compare(found, ", blocking");
      }
    }
  });
}

}  // namespace isofold::conformance
