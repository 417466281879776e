// A Kokkos reducer over any fold of the concept (include/isofold/detail/core/fold.hpp), for
// kokkos.cpp. Kokkos' own Min and Max lose NaNs and the sign of zeros, and its Sum starts from
// +0.0, which would turn a sum of -0.0 into +0.0; this one starts from "nothing yet" and calls the
// fold's functions only.
#pragma once

#include <cstdint>

#include <Kokkos_Core.hpp>

namespace isofold::kokkos_backend {

// The space that computes, even if Kokkos has a device: data lie in host memory.
using Space = Kokkos::DefaultHostExecutionSpace;

// The state of the elements seen so far, which may be none.
template <class State>
struct Partial {
  State state;
  bool occupied;
};

template <class Fold>
class FoldReducer {
 public:
  // The names below are Kokkos' reducer concept.
  using reducer = FoldReducer;
  using value_type = Partial<typename Fold::state_type>;
  using result_view_type = Kokkos::View<value_type, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

  FoldReducer(Fold fold, value_type& result) : fold_(fold), result_(&result) {}

  KOKKOS_INLINE_FUNCTION void init(value_type& partial) const {
    partial.state = {};
    partial.occupied = false;
  }

  KOKKOS_INLINE_FUNCTION void join(value_type& left, const value_type& right) const {
    if (left.occupied && right.occupied) {
      left.state = fold_.combine(left.state, right.state);
    } else if (right.occupied) {
      left = right;
    }
  }

#if KOKKOS_VERSION < 40000
  // Before 4.0 Kokkos demanded this form too. No thread writes a partial while another joins it.
  KOKKOS_INLINE_FUNCTION void join(volatile value_type& left,
                                   const volatile value_type& right) const {
    join(const_cast<value_type&>(left), const_cast<const value_type&>(right));
  }
#endif

  KOKKOS_INLINE_FUNCTION value_type& reference() const { return *result_.data(); }
  KOKKOS_INLINE_FUNCTION result_view_type view() const { return result_; }
  KOKKOS_INLINE_FUNCTION bool references_scalar() const { return true; }

 private:
  Fold fold_;
  result_view_type result_;
};

}  // namespace isofold::kokkos_backend
