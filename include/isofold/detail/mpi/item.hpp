// Item: one fold of one request as integers that are added over ranks (SUM), and as keys of which
// the largest wins (MAX). All folds that are free of order have this form:
//
//   sums of exact_v1    their words (docs/exact.md)
//   sums of integers    two halves of 32 bits
//   counts, any and kin one number: of elements, or of ranks
//   bits                for each bit the number of ranks, two to a word
//   extrema             a key (keys.hpp); locations a key and the order of the global index
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <isofold/detail/mpi/keys.hpp>
#include <isofold/detail/mpi/placement.hpp>
#include <isofold/error.hpp>
#include <isofold/isofold.h>
#include <isofold/named_fold.hpp>

namespace isofold::mpi::detail {

enum class Form { words, integers, count, answer, bits, extremum, extent, location, locations };

// A key and, of a location, the order of its index: its complement where the lowest index wins.
struct Ranked {
  std::int64_t key = least_key;
  std::int64_t order = least_key;
};
[[nodiscard]] inline bool beats(const Ranked& a, const Ranked& b) {
  return a.key > b.key || (a.key == b.key && a.order > b.order);
}

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

  Form form = Form::words;
  std::int32_t type = 0;            // computed in
  std::int64_t rows = 1;            // results of all ranks
  std::int64_t sums = 0;            // integers a result, to be added
  std::int64_t keys = 0;            // keys a result
  bool has_locations = false;       // and orders of indices
  std::size_t bytes = 0;            // a result
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
  [[nodiscard]] Toward toward() const {
    return is(Fold::minimum) || is(Fold::argmin) || is(Fold::argmin_last) ? Toward::lowest
                                                                          : Toward::highest;
  }
  [[nodiscard]] bool takes_last() const { return is(Fold::argmin_last) || is(Fold::argmax_last); }
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

[[nodiscard]] inline std::vector<isofold_component> components_of(const Item& item) {
  std::vector<isofold_component> found(4);
  found.resize(static_cast<std::size_t>(
      isofold_result_components(item.request.fold, item.type, found.data(), 4)));
  return found;
}
// The number format of a result's values.
[[nodiscard]] inline NumberFormat value_format(const Item& item) {
  const std::vector<isofold_component> found = components_of(item);
  return found.empty() ? NumberFormat{} : format_of(found.front().type);
}

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

// Finds out in which form the ranks exchange an item, and how many numbers they exchange.
inline void set_form(Item& item) {
  item.type = computed_type_of(item.request);
  const std::int32_t fold = item.request.fold;
  const bool is_exact = item.request.definition == ISOFOLD_DEFINITION_exact_v1;
  const std::int64_t words = is_exact ? isofold_exact_words(fold, item.type) : 0;
  const NumberFormat format = format_of(item.type);
  const bool is_integer = format.bytes != 0 && !format.is_floating;
  const auto set = [&](Form form, std::int64_t sums, std::int64_t keys, bool has_locations) {
    item.form = form;
    item.sums = sums;
    item.keys = keys;
    item.has_locations = has_locations;
  };
  // A mean of integers, which exact_v1 alone has, is as one of f64.
  const bool is_mean_of_integers = is_exact && is_integer && item.is(Fold::mean);
  item.bytes = static_cast<std::size_t>(
      isofold_result_bytes(fold, is_mean_of_integers ? ISOFOLD_TYPE_f64 : item.type));
  if (item.bytes == 0) {
    throw Error(Code::unsupported, "There is no fold " + item.text() +
                                       ": docs/folds.md has the table of folds and types.");
  }
  if (words != 0) {
    return set(Form::words, words, 0, false);
  }
  switch (static_cast<Fold>(fold)) {
    case Fold::sum:
      if (!is_integer) {
        refuse_order(item);
      }
      return set(Form::integers, 2, 0, false);
    case Fold::count_nonzero:
    case Fold::count_nan:
    case Fold::count_in_range: return set(Form::count, 1, 0, false);
    case Fold::any:
    case Fold::all:
    case Fold::none: return set(Form::answer, 1, 0, false);
    case Fold::bit_and:
    case Fold::bit_or:
    case Fold::bit_xor: return set(Form::bits, 4 * format.bytes, 0, false);
    // One sum more: how many ranks have an element.
    case Fold::minimum:
    case Fold::maximum:
    case Fold::absolute_maximum: return set(Form::extremum, 1, 1, false);
    case Fold::minmax: return set(Form::extent, 1, 2, false);
    case Fold::argmin:
    case Fold::argmax:
    case Fold::argmin_last:
    case Fold::argmax_last:
    case Fold::argabsmax: return set(Form::location, 1, 1, true);
    case Fold::argminmax: return set(Form::locations, 1, 2, true);
    default: refuse_order(item);
  }
}

}  // namespace isofold::mpi::detail
