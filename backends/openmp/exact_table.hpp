// The sums of exact_v1 on the vectors of one instruction set: their entries in the table of
// vector_folds.hpp. Each unit that CMakeLists.txt writes for them includes it, first.
#pragma once

#include "instruction_set_scope.hpp"

#include "exact_sums.hpp"

namespace isofold::openmp {
namespace {

using isofold_openmp::ExactFold;
using isofold_openmp::VectorFolds;

template <class Fold>
using SumsOf = std::conditional_t<std::is_integral_v<typename Fold::element_type>,
                                  ExactIntegers<Fold, ISOFOLD_INSTRUCTION_SET_BITS>,
                                  ExactSums<Fold, ISOFOLD_INSTRUCTION_SET_BITS>>;

template <class Fold>
struct ExactEntry {
  using Sums = SumsOf<Fold>;
  using T = typename Fold::element_type;
  static_assert(sizeof(Sums) <= isofold_openmp::exact_room_bytes &&
                    alignof(Sums) <= isofold_openmp::exact_room_alignment,
                "A thread's room holds its sums.");

  static void begin(void* room) { ::new (room) Sums; }
  static void add(void* room, const void* x, const void* y, std::int64_t n) {
    static_cast<Sums*>(room)->add(static_cast<const T*>(x), static_cast<const T*>(y), n);
  }
  static const void* words(void* room) { return &static_cast<Sums*>(room)->words(); }
  static constexpr ExactFold fold{begin, add, words};
};

template <class T>
void fill_exact(VectorFolds& table) {
  for (int fold = 1; fold <= isofold_openmp::folds; ++fold) {
    visit_exact_fold<T>(fold, [&](auto f) {
      table.exact[fold - 1][type_number<T>() - 1] =
          &ExactEntry<typename exact::KeptBy<decltype(f)>::type>::fold;
    });
  }
}

}  // namespace
}  // namespace isofold::openmp

namespace isofold_openmp {

void ISOFOLD_JOIN(fill, ISOFOLD_INSTRUCTION_SET_NAME,
                  ISOFOLD_INSTRUCTION_SET_GROUP)(VectorFolds& table, const VectorFolds*) {
#define ISOFOLD_FILL_TYPE(name, number, c_type) isofold::openmp::fill_exact<c_type>(table);
  ISOFOLD_COMPUTED_TYPES(ISOFOLD_FILL_TYPE)
#undef ISOFOLD_FILL_TYPE
}

}  // namespace isofold_openmp
