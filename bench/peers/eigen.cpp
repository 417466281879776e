// Peer: Eigen's reductions of a mapped array.
#include <Eigen/Core>

#include "../measure.hpp"
#include "peer.hpp"

namespace bench {
namespace {

template <isofold::Fold fold, class T>
struct Mapped {
  using State = typename Step<fold, T>::State;
  static void run(const void* data, std::int64_t n, int) {
    const Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>> x(static_cast<const T*>(data), n);
    if constexpr (fold == isofold::Fold::sum) {
      keep(x.template cast<State>().sum());
    } else if constexpr (fold == isofold::Fold::product) {
      keep(x.template cast<State>().prod());
    } else if constexpr (fold == isofold::Fold::minimum) {
      keep(x.minCoeff());
    } else {
      keep(x.maxCoeff());
    }
  }
};

PeerFunction find(isofold::Fold fold, isofold::Type type, int threads) {
  return threads == 1 ? function_of<Mapped>(fold, type) : nullptr;
}

}  // namespace
extern const Peer eigen;
const Peer eigen{"Eigen", find};
}  // namespace bench
