// Peer: Eigen's reductions of a mapped array, on one thread. Its norm overflows, as a loop does.
#include <cmath>
#include <complex>
#include <utility>

#include <Eigen/Core>

#include "peer.hpp"

namespace bench {
namespace {

using isofold::Fold;

template <class T>
using Array = Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>;

template <Fold fold, class T>
struct Mapped {
  using State = typename Step<fold, T>::State;
  static Answer run(const void* data, std::int64_t n, int) {
    const Array<T> x(static_cast<const T*>(data), n);
    if constexpr (fold == Fold::sum) {
      return answer(x.template cast<State>().sum());
    } else if constexpr (fold == Fold::product) {
      return answer(x.template cast<State>().prod());
    } else if constexpr (fold == Fold::minimum) {
      return answer(x.minCoeff());
    } else {
      return answer(x.maxCoeff());
    }
  }
};

// Folds that Eigen has no name for, as its users write them.
template <Fold fold, class T>
struct Expression {
  static Answer run(const void* data, std::int64_t n, int) {
    const T* const first = static_cast<const T*>(data);
    return answer(of(Array<T>(first, n), Array<T>(second_of(first), n)));
  }
  static auto of(const Array<T>& x, [[maybe_unused]] const Array<T>& y) {
    if constexpr (fold == Fold::argmin || fold == Fold::argmax) {
      Eigen::Index at = 0;
      fold == Fold::argmin ? x.minCoeff(&at) : x.maxCoeff(&at);
      return at;
    } else if constexpr (fold == Fold::sum) {
      return x.sum();
    } else if constexpr (fold == Fold::minmax) {
      return std::pair(x.minCoeff(), x.maxCoeff());
    } else if constexpr (fold == Fold::absolute_maximum) {
      return x.abs().maxCoeff();
    } else if constexpr (fold == Fold::norm1) {
      return x.abs().sum();
    } else if constexpr (fold == Fold::norm2) {
      return x.matrix().norm();
    } else if constexpr (fold == Fold::dot) {
      return x.matrix().dot(y.matrix());
    } else if constexpr (fold == Fold::mean) {
      return x.mean();
    } else if constexpr (fold == Fold::variance) {
      return (x - x.mean()).square().mean();
    } else if constexpr (fold == Fold::count_nonzero) {
      return (x != T{0}).count();
    } else {
      const T largest = x.maxCoeff();
      return largest + std::log((x - largest).exp().sum());
    }
  }
};

template <Fold fold, class T>
struct ComplexExpression : Expression<fold, std::complex<T>> {};

PeerFunction find(Fold fold, isofold::Type type, int threads) {
  using isofold::Type;
  if (threads != 1) {
    return nullptr;
  }
  for (const PeerFunction found :
       {function_of<Mapped>(fold, type),
        function_among<Expression, Fold::argmin, Fold::argmax, Fold::minmax, Fold::absolute_maximum,
                       Fold::norm1, Fold::norm2, Fold::dot, Fold::mean, Fold::variance,
                       Fold::count_nonzero, Fold::log_sum_exp>(fold, type, Type::f32, Type::f64),
        function_among<ComplexExpression, Fold::sum, Fold::dot, Fold::norm2>(fold, type, Type::c64,
                                                                             Type::c128)}) {
    if (found != nullptr) {
      return found;
    }
  }
  return nullptr;
}

std::string identity() {
  using Eigen::internal::packet_traits;
  return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." +
         std::to_string(EIGEN_MAJOR_VERSION) + "." + std::to_string(EIGEN_MINOR_VERSION) + ", " +
         Eigen::SimdInstructionSetsInUse() + ", packets of " +
         std::to_string(sizeof(packet_traits<float>::type)) + " of " +
         std::to_string(widest_vector()) + " bytes";
}

}  // namespace
}  // namespace bench

BENCH_EXPORT_PEER(eigen, bench::Peer, "Eigen", bench::identity, bench::find)
