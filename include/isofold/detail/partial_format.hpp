// The format of a fold's partial results, as the C ABI says what its result is made of.
#pragma once

#include <isofold/detail/core/partial/form.hpp>
#include <isofold/isofold.h>

namespace isofold::core::partial {

// The form of a fold's partial results over elements that are computed in `type`, by a definition.
// False if they depend on an order: then `format` is not to be used. `bytes` is 0 if there is no
// such case at all.
[[nodiscard]] inline bool find_format(std::int32_t fold, std::int32_t type, std::int32_t definition,
                                      Format* format) {
  *format = {};
  format->fold = fold;
  const bool is_exact = definition == ISOFOLD_DEFINITION_exact_v1;
  const NumberFormat element = format_of(type);
  const bool is_integer = element.bytes != 0 && !element.is_floating;
  // A mean of integers, which exact_v1 alone has, is as one of f64.
  const bool is_mean_of_integers = is_exact && is_integer && fold == ISOFOLD_FOLD_mean;
  const std::int32_t as = is_mean_of_integers ? +ISOFOLD_TYPE_f64 : type;
  format->bytes = isofold_result_bytes(fold, as);
  isofold_component components[4] = {};
  const std::int32_t count = isofold_result_components(fold, as, components, 4);
  for (std::int32_t c = 0; c < count && c < 4; ++c) {
    const bool is_byte = components[c].type == ISOFOLD_TYPE_boolean;
    format->component[c] = {
        components[c].offset,
        is_byte ? 1 : static_cast<std::int32_t>(isofold_type_bytes(components[c].type))};
  }
  format->number = format_of(components[0].type);
  const auto is = [&](Form form, std::int64_t sums, std::int64_t keys) {
    format->form = form;
    format->sums = sums;
    format->keys = keys;
    return format->bytes != 0;
  };
  const std::int64_t words = is_exact ? isofold_exact_words(fold, type) : 0;
  if (words != 0) {
    return is(Form::words, words, 0);
  }
  switch (fold) {
    case ISOFOLD_FOLD_sum: return is(Form::integers, 2, 0) && is_integer;
    case ISOFOLD_FOLD_count_nonzero:
    case ISOFOLD_FOLD_count_nan:
    case ISOFOLD_FOLD_count_in_range: return is(Form::count, 1, 0);
    case ISOFOLD_FOLD_any:
    case ISOFOLD_FOLD_all:
    case ISOFOLD_FOLD_none: return is(Form::answer, 1, 0);
    case ISOFOLD_FOLD_bit_and:
    case ISOFOLD_FOLD_bit_or:
    case ISOFOLD_FOLD_bit_xor: return is(Form::bits, 4 * element.bytes, 0);
    // One sum of these is how many parts have an element.
    case ISOFOLD_FOLD_minimum: format->toward[0] = Toward::lowest; [[fallthrough]];
    case ISOFOLD_FOLD_maximum:
    case ISOFOLD_FOLD_absolute_maximum: return is(Form::extrema, 1, 1);
    case ISOFOLD_FOLD_minmax: format->toward[0] = Toward::lowest; return is(Form::extrema, 1, 2);
    case ISOFOLD_FOLD_argmin:
    case ISOFOLD_FOLD_argmin_last: format->toward[0] = Toward::lowest; [[fallthrough]];
    case ISOFOLD_FOLD_argmax:
    case ISOFOLD_FOLD_argmax_last:
    case ISOFOLD_FOLD_argabsmax:
      format->takes_last = fold == ISOFOLD_FOLD_argmin_last || fold == ISOFOLD_FOLD_argmax_last;
      return is(Form::locations, 1, 1);
    case ISOFOLD_FOLD_argminmax:
      format->toward[0] = Toward::lowest;
      return is(Form::locations, 1, 2);
    default: return false;
  }
}

}  // namespace isofold::core::partial
