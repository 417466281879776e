// Gathers: one row; a list of indices names its elements.
#include <layout/checks.hpp>
#include <layout/kinds.hpp>
#include <layout/pack_selected.hpp>
#include <layout/words.hpp>
#include <request/validate_counts.hpp>

#include <algorithm>

namespace isofold {
namespace {

using backend_interface::Report;

// Copies `count` elements; `all` is how many indices follow. A prefetch costs its instruction, so
// one index of eight is prefetched: if indices are in order, that touches most of the lines that
// are read.
template <class Word, class Index>
void gather(const Word* from, const Index* index, std::int64_t count, std::int64_t all, Word* to) {
  constexpr std::int64_t ahead = 256;
  constexpr std::int64_t at_once = 8;
  std::int64_t i = 0;
  if (isofold_packed::asking_pays()) {
    const std::int64_t end = std::min(count, all - ahead);
    for (; i + at_once <= end; i += at_once) {
      __builtin_prefetch(from + index[i + ahead]);
      for (std::int64_t k = i; k < i + at_once; ++k) {
        to[k] = from[index[k]];
      }
    }
  }
  for (; i < count; ++i) {
    to[i] = from[index[i]];
  }
}

class GatherRows final : public PackedRows {
 public:
  using PackedRows::PackedRows;

  const void* elements(int which, std::int64_t, std::int64_t first, std::int64_t count,
                       void* room) const override {
    with_word(element_bytes_, element_alignment_, [&](auto* word) {
      using Word = std::remove_pointer_t<decltype(word)>;
      with_indices(layout_, layout_.indices, [&](const auto* indices) {
        gather(static_cast<const Word*>(array(which)), indices + first, count,
               request_.length - first, static_cast<Word*>(room));
      });
    });
    return room;
  }
  std::int64_t index_in_array(std::int64_t, std::int64_t index) const override {
    return index_at(layout_, layout_.indices, index);
  }
};

class GatherLayout final : public Layout {
 public:
  std::int32_t validate(const isofold_request& request, const CaseFacts& facts, bool with_pointers,
                        Report& report) const override {
    std::int32_t code = validate_list_counts(request, facts, request.rows == 1, report);
    if (code != ISOFOLD_ok || !with_pointers || request.length == 0) {
      return code;
    }
    code = validate_index_list("indices", request.layout->indices, request.length, request, facts,
                               report);
    // An index names an element at least.
    const std::int64_t least = std::max<std::int64_t>(request.layout->elements, 1);
    return code != ISOFOLD_ok
               ? code
               : for_each_array(request, facts, array_names,
                                [&](const char* what, const void* data) {
                                  return validate_input(what, data, least, request, facts, report);
                                });
  }
  std::int32_t validate_indices(const isofold_request& request, const CaseFacts& facts,
                                const InParts& in_parts, Report& report) const override {
    Reach reach;
    const std::int32_t code =
        validate_range("indices", *request.layout, request.layout->indices, request.length,
                       end_of_elements(request, facts) - 1, in_parts, &reach, report);
    return code != ISOFOLD_ok
               ? code
               : for_each_array(request, facts, array_names,
                                [&](const char* what, const void* data) {
                                  return validate_reach(what, data, reach, request, facts, report);
                                });
  }
  std::int64_t entries(const isofold_request& request) const override { return request.length; }
  bool has_one_result(const isofold_request&) const override { return true; }
  const void* address(const isofold_request& request, std::int64_t element_bytes, std::int64_t,
                      std::int64_t index) const override {
    const isofold_layout& layout = *request.layout;
    const bool is_packed = has_packed_index(request);
    const std::int64_t end = is_packed ? request.length : layout.elements;
    if ((is_packed || end > 0) && index >= end) {
      return nullptr;
    }
    return static_cast<const char*>(request.data) +
           (is_packed ? index_at(layout, layout.indices, index) : index) * element_bytes;
  }
  const PackedRows* rows(void* room, const RowsOf& of) const override {
    return of.make<GatherRows>(room);
  }
};

}  // namespace

const Layout& gather_layout() noexcept {
  static const GatherLayout layout;
  return layout;
}

}  // namespace isofold
