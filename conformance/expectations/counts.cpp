// Counts, and the answers that follow from them: exact on all data.
#include <conformance/expectation.hpp>

namespace isofold::conformance {
namespace {

// Counts the elements that match; `answer` makes a result of their number and of that of all.
template <class Match, class Answer>
struct Counted : Expected {
  static constexpr Kinds kinds = real;
  using R = decltype(Answer::of(0, 0));
  template <class T>
  static R empty() {
    return Answer::of(0, 0);
  }
  template <class T>
  static Prefixes<R> exact(Recipe, const std::vector<T>& x, const std::vector<T>&) {
    Prefixes<R> prefixes;
    std::int64_t count = 0;
    std::int64_t n = 0;
    for (T element : x) {
      count += Match::of(element) ? 1 : 0;
      prefixes.push_back(Answer::of(count, ++n));
    }
    return prefixes;
  }
};

struct IsNonzero {
  template <class T>
  static bool of(T x) {
    return x != 0;
  }
};
struct IsNan {
  template <class T>
  static bool of(T x) {
    return x != x;
  }
};
struct IsInRange {
  template <class T>
  static bool of(T x) {
    return range_of_tests<T>()[0] <= x && x <= range_of_tests<T>()[1];
  }
};

struct HowMany {
  static std::int64_t of(std::int64_t count, std::int64_t) { return count; }
};
struct IsAny {
  static std::uint8_t of(std::int64_t count, std::int64_t) { return count != 0 ? 1 : 0; }
};
struct IsAll {
  static std::uint8_t of(std::int64_t count, std::int64_t n) { return count == n ? 1 : 0; }
};
struct IsNone {
  static std::uint8_t of(std::int64_t count, std::int64_t) { return count == 0 ? 1 : 0; }
};

struct CountNonzero : Counted<IsNonzero, HowMany> {
  static constexpr Marking marking = Marking::counted;
};

struct CountInRange : Counted<IsInRange, HowMany> {
  static constexpr Recipe telling_recipe = Recipe::small;
  template <class T>
  static T intruder() {
    return range_of_tests<T>()[0];
  }
  // Makes elements that are the ends of the range themselves, which belong to it.
  template <class T>
  static void make_exact(Recipe, std::vector<T>& data) {
    for (std::size_t i = 3; i < data.size(); i += 5) {
      data[i] = range_of_tests<T>()[i % 2];
    }
  }
};

struct All : Counted<IsNonzero, IsAll> {
  template <class T>
  static T intruder() {
    return {};
  }
};

}  // namespace

ISOFOLD_EXPECT(count_nonzero, CountNonzero)
ISOFOLD_EXPECT(count_nan, Counted<IsNan, HowMany>)
ISOFOLD_EXPECT(count_in_range, CountInRange)
ISOFOLD_EXPECT(any, Counted<IsNonzero, IsAny>)
ISOFOLD_EXPECT(all, All)
ISOFOLD_EXPECT(none, Counted<IsNonzero, IsNone>)

}  // namespace isofold::conformance
