// Item: one fold of one request of a call, and this rank's part of its result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <isofold/detail/partial_format.hpp>
#include <isofold/detail/team/placement.hpp>
#include <isofold/error.hpp>
#include <isofold/isofold.h>
#include <isofold/named_fold.hpp>

namespace isofold::team::detail {

using namespace core::partial;

// The type that elements of a request are computed in.
[[nodiscard]] inline std::int32_t computed_type_of(const isofold_request& request) {
  if (request.accumulator != 0) {
    return request.accumulator;
  }
  switch (request.type) {
#define ISOFOLD_COMPUTED_TYPE(name, number, c_type) \
  case number: return element_number<computed_t<c_type>>();
    ISOFOLD_TYPES(ISOFOLD_COMPUTED_TYPE)
#undef ISOFOLD_COMPUTED_TYPE
    default: return ISOFOLD_TYPE_none;
  }
}

struct Item {
  isofold_request request{};
  isofold_layout layout{};
  Placement placement;
  std::int32_t group = 0;  // items of one group are of one input
  unsigned char parameters[2 * sizeof(isofold_c128)] = {};
  std::size_t parameter_bytes = 0;

  Format format;                    // of a result
  std::int32_t type = 0;            // computed in
  std::int64_t rows = 1;            // results of all ranks
  std::vector<std::int64_t> local;  // words, or results as they lie in memory
  bool is_empty = false;            // no element here, as a blocking call says

  [[nodiscard]] std::string text() const {
    std::string made = isofold_fold_name(request.fold);
    made += request.definition == ISOFOLD_DEFINITION_exact_v1 ? " by exact_v1 over " : " over ";
    made += isofold_type_name(request.type);
    if (request.accumulator != 0) {
      made += std::string(" widened to ") + isofold_type_name(request.accumulator);
    }
    if ((request.flags & ISOFOLD_SKIP_NAN) != 0) {
      made += " without NaNs";
    }
    if (rows != 1) {
      made += " with " + std::to_string(rows) + " results";
    }
    if (placement.kind == Placement::Kind::box || placement.kind == Placement::Kind::list) {
      made += " of " + std::to_string(placement.total) + " elements";
    }
    return made;
  }
  [[nodiscard]] bool is(Fold fold) const { return request.fold == static_cast<std::int32_t>(fold); }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(format.bytes); }
  // The request, whose layout lies in this item. Indices are those of the box, and of a gather
  // those of its list, to which the global ones belong.
  [[nodiscard]] const isofold_request& wired() {
    request.flags &= ~ISOFOLD_PACKED_INDEX;
    request.flags |= request.shape == ISOFOLD_SHAPE_gather ? ISOFOLD_PACKED_INDEX : 0;
    request.layout = request.shape >= ISOFOLD_SHAPE_box ? &layout : nullptr;
    request.parameters = parameter_bytes != 0 ? parameters : nullptr;
    return request;
  }
};

// Refuses a fold whose partial results no sum of integers merges.
[[noreturn]] inline void refuse_order(const Item& item) {
  const std::string what = item.text();
  if (isofold_exact_words(item.request.fold, item.type) != 0) {
    throw Error(Code::unsupported,
                "The fold " + what +
                    " depends on the order of the elements, and ranks have none: write "
                    "exact(view), which is rounded once, or give contiguous ranges to "
                    "team.slice(first, count, total), which has the bits of tree v1.");
  }
  throw Error(Code::unsupported,
              "The fold " + what +
                  " has no partial results that are free of order, and so no exact(view): "
                  "team.slice(first, count, total) has it for contiguous ranges of one array.");
}

// Finds out in which form the ranks exchange an item.
inline void set_format(Item& item) {
  const isofold_request& request = item.request;
  item.type = computed_type_of(request);
  const bool found =
      core::partial::find_format(request.fold, item.type, request.definition, &item.format);
  if (item.format.bytes == 0) {
    throw Error(Code::unsupported, "There is no fold " + item.text() +
                                       ": docs/folds.md has the table of folds and types.");
  }
  if (!found) {
    refuse_order(item);
  }
}

}  // namespace isofold::team::detail
