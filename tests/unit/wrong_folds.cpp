// Folds and maps that transform_reduce must refuse in one sentence at compile time, one for each
// number of ISOFOLD_WRONG; 0 is right. (CMakeLists.txt says which sentence.)
#include <functional>
#include <string>

#include <isofold/detail/core/folds/products.hpp>
#include <isofold/detail/core/folds/sum.hpp>
#include <isofold/transform_reduce.hpp>

namespace {

struct Total {
  using state_type = double;
  double lift(double x) const { return x; }
  double combine(double a, double b) const { return a + b; }
};
struct OneParameter : Total {
  double finish(double s) const { return 1000 * s; }
};
struct NoConstant : Total {
  double finish(double s, std::int64_t) { return s; }
};
struct NothingReturned : Total {
  void finish(double, std::int64_t) const {}
};
struct Hidden final : Total {
  double finish(double s) const { return s; }
};
struct MissesAParameter : Total {
  double accumulate(double s) const { return s; }
};
struct ChangesTheState : Total {
  void accumulate(double& s, double x) const { s += x; }
};
struct Misspelt : Total {
  double acumulate(double s, double x) const { return s + x; }
};
struct Finalizes : Total {
  double finalize(double s, std::int64_t) const { return s; }
};
struct EmptyOfN : Total {
  double empty(std::int64_t) const { return 0; }
};
struct NoLift {
  using state_type = double;
  double combine(double a, double b) const { return a + b; }
};
struct NoCombine {
  using state_type = double;
  double lift(double x) const { return x; }
};
struct NoState {
  double lift(double x) const { return x; }
  double combine(double a, double b) const { return a + b; }
};

double one(std::int64_t) { return 1; }
double add(double a, double b) { return a + b; }
double same(double x) { return x; }

template <class Fold>
double reduced(const Fold& fold) {
  return isofold::transform_reduce(5000, one, fold);
}

}  // namespace

int main() {
#if ISOFOLD_WRONG == 0
  return reduced(Total{}) == 5000 && reduced(isofold::fold_of(same, add)) == 5000 ? 0 : 1;
#elif ISOFOLD_WRONG == 1
  reduced(OneParameter{});
#elif ISOFOLD_WRONG == 2
  reduced(NoConstant{});
#elif ISOFOLD_WRONG == 3
  reduced(NothingReturned{});
#elif ISOFOLD_WRONG == 4
  reduced(Hidden{});
#elif ISOFOLD_WRONG == 5
  reduced(MissesAParameter{});
#elif ISOFOLD_WRONG == 6
  reduced(ChangesTheState{});
#elif ISOFOLD_WRONG == 7
  reduced(Misspelt{});
#elif ISOFOLD_WRONG == 8
  reduced(Finalizes{});
#elif ISOFOLD_WRONG == 9
  reduced(EmptyOfN{});
#elif ISOFOLD_WRONG == 10
  reduced(NoLift{});
#elif ISOFOLD_WRONG == 11
  reduced(NoCombine{});
#elif ISOFOLD_WRONG == 12
  reduced(NoState{});
#elif ISOFOLD_WRONG == 13
  reduced(std::plus<>{});
#elif ISOFOLD_WRONG == 14
  reduced([](double a, double b) { return a + b; });
#elif ISOFOLD_WRONG == 15
  reduced(add);
#elif ISOFOLD_WRONG == 16
  static_cast<void>(isofold::transform_reduce(
      5000, [](const std::string& x) { return x; }, Total{}));
#elif ISOFOLD_WRONG == 17
  static_cast<void>(isofold::transform_reduce(
      5000, [](std::int64_t) { return std::string(); }, Total{}));
#elif ISOFOLD_WRONG == 18
  static_cast<void>(isofold::transform_reduce(
      5000, [](std::int64_t) { return std::string(); }, isofold::core::Sum<double>{}));
#elif ISOFOLD_WRONG == 19
  reduced(isofold::core::Dot<double>{});
#elif ISOFOLD_WRONG == 20
  reduced(isofold::fold_of([](const std::string& x) { return x.size(); }, std::plus<>{}));
#elif ISOFOLD_WRONG == 21
  reduced(isofold::fold_of(same, same));
#elif ISOFOLD_WRONG == 22
  reduced(isofold::fold_of(same, add, add));
  reduced(isofold::fold_of(same, add, [](const std::string& s) { return s; }));
#elif ISOFOLD_WRONG == 23
  const std::string kept;
  reduced(isofold::fold_of(same, [kept](double a, double b) { return a + b; }));
#elif ISOFOLD_WRONG == 24
  reduced(isofold::core::exact::Dot<double>{});
#elif ISOFOLD_WRONG == 25
  static_cast<void>(isofold::transform_reduce(
      5000, [](std::int64_t) { return std::string(); }, isofold::core::exact::Sum<double>{}));
#elif ISOFOLD_WRONG == 26
  static_cast<void>(isofold::transform_reduce(std::string("5000"), one, Total{}));
#elif ISOFOLD_WRONG == 27
  static_cast<void>(isofold::transform_reduce(5000, one));
#elif ISOFOLD_WRONG == 28
  static_cast<void>(isofold::fold_of(same));
#endif
}
