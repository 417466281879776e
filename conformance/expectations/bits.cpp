// Bitwise folds: exact on all data.
#include <conformance/expectation.hpp>

namespace isofold::conformance {
namespace {

struct Bits : Expected {
  static constexpr Kinds kinds = integers;
  template <class T>
  static T empty() {
    return 0;
  }
  template <class T, class Combine>
  static Prefixes<T> combined(const std::vector<T>& x, Combine&& combine) {
    Prefixes<T> prefixes;
    T bits{};
    for (T element : x) {
      bits = prefixes.empty() ? element : static_cast<T>(combine(bits, element));
      prefixes.push_back(bits);
    }
    return prefixes;
  }
};

struct BitAnd : Bits {
  static constexpr Recipe telling_recipe = Recipe::all_negative;  // whose high bits are all set
  template <class T>
  static T empty() {
    return static_cast<T>(-1);
  }
  template <class T>
  static T intruder() {
    return 1;
  }
  template <class T>
  static Prefixes<T> exact(Recipe, const std::vector<T>& x, const std::vector<T>&) {
    return combined(x, [](T a, T b) { return a & b; });
  }
};

struct BitOr : Bits {
  static constexpr Marking marking = Marking::bits;
  template <class T>
  static Prefixes<T> exact(Recipe, const std::vector<T>& x, const std::vector<T>&) {
    return combined(x, [](T a, T b) { return a | b; });
  }
};

struct BitXor : Bits {
  static constexpr Marking marking = Marking::bits;
  template <class T>
  static Prefixes<T> exact(Recipe, const std::vector<T>& x, const std::vector<T>&) {
    return combined(x, [](T a, T b) { return a ^ b; });
  }
};

}  // namespace

ISOFOLD_EXPECT(bit_and, BitAnd)
ISOFOLD_EXPECT(bit_or, BitOr)
ISOFOLD_EXPECT(bit_xor, BitXor)

}  // namespace isofold::conformance
