// The input contract: any request, and, where it is accepted and every element, list and result
// lies in the target's own memory, its execution by the reference. Every field is wild or
// plausible, as its first byte says; pointers lead into memory that the address sanitizer guards,
// or nowhere.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <isofold/isofold.h>
#include <layout/layout.hpp>
#include <layout/number_mask.hpp>
#include <request/converted_elements.hpp>
#include <request/validate.hpp>
#include <request/validate_counts.hpp>
#include <request/whole_structs.hpp>

#include "bytes.hpp"

namespace {

using fuzz::Bytes;
__extension__ using Wide = __int128;

// Memory whose bytes before and behind are nobody's.
class Guarded {
 public:
  explicit Guarded(std::size_t bytes) : bytes_(bytes), memory_(new std::uint64_t[bytes / 8]()) {}
  char* data() const { return reinterpret_cast<char*>(memory_.get()); }
  std::size_t bytes() const { return bytes_; }
  // This tells whether [pointer, pointer + bytes) lies inside.
  bool holds(const void* pointer, Wide first, Wide bytes) const {
    const Wide at = static_cast<Wide>(reinterpret_cast<std::uintptr_t>(pointer)) -
                    static_cast<Wide>(reinterpret_cast<std::uintptr_t>(data())) + first;
    return pointer != nullptr && at >= 0 && bytes >= 0 && at + bytes <= static_cast<Wide>(bytes_);
  }

 private:
  std::size_t bytes_;
  std::unique_ptr<std::uint64_t[]> memory_;
};

struct Memory {
  Guarded elements{4096};
  Guarded lists{1024};
  Guarded results{4096};
};

std::int64_t number(Bytes& bytes) {
  const auto kind = bytes.take<std::uint8_t>();
  constexpr std::int64_t borders[] = {0,
                                      -1,
                                      std::numeric_limits<std::int64_t>::max(),
                                      std::numeric_limits<std::int64_t>::min(),
                                      std::int64_t{1} << 29,
                                      std::int64_t{1} << 32,
                                      std::int64_t{1} << 61,
                                      std::int64_t{1} << 62};
  if (kind < 200) {
    return kind % 40;  // mostly what fits
  }
  return kind < 216 ? borders[kind % 8] : bytes.take<std::int64_t>();
}

// Mostly one of [0, most], now and then anything.
std::int32_t choice(Bytes& bytes, std::int32_t most) {
  const auto kind = bytes.take<std::uint8_t>();
  return kind < 250 ? kind % (most + 1) : bytes.take<std::int32_t>();
}

// Multiples of 8 mostly, so that elements are aligned; now and then null or odd.
char* pointer(Bytes& bytes, const Guarded& memory) {
  const auto kind = bytes.take<std::uint8_t>();
  if (kind == 255) {
    return nullptr;
  }
  const std::size_t at = kind < 200 ? std::size_t{kind} * 8 : bytes.take<std::uint16_t>();
  return memory.data() + at % (memory.bytes() + 1);
}

// A struct and zeros behind it, as far as its size may say that it goes.
template <class Struct>
struct WithRoom {
  Struct value;
  unsigned char room[4096] = {};
};

std::uint64_t size_field(Bytes& bytes, std::uint64_t right) {
  const auto kind = bytes.take<std::uint8_t>();
  return kind < 250   ? right
         : kind < 253 ? bytes.take<std::uint16_t>()
                      : bytes.take<std::uint64_t>();
}

isofold_layout layout_of(Bytes& bytes, const Memory& memory) {
  isofold_layout layout{};
  layout.size = size_field(bytes, sizeof layout);
  layout.dimensions = choice(bytes, 8);
  layout.kept = static_cast<std::uint32_t>(choice(bytes, 31));
  for (int d = 0; d < ISOFOLD_MOST_DIMENSIONS; ++d) {
    layout.extents[d] = d < layout.dimensions ? number(bytes) : 0;
    layout.strides[d] = d < layout.dimensions ? number(bytes) : 0;
    layout.second_strides[d] = d < layout.dimensions ? number(bytes) : 0;
  }
  layout.mask_type = choice(bytes, 3);
  for (int d = 0; layout.mask_type == ISOFOLD_MASK_strided_bytes && d < layout.dimensions &&
                  d < ISOFOLD_MOST_DIMENSIONS;
       ++d) {
    layout.mask_strides[d] = number(bytes);
  }
  layout.mask = layout.mask_type == 0 ? nullptr : pointer(bytes, memory.lists);
  layout.index_type = bytes.take<std::uint8_t>() % 2 == 0 ? ISOFOLD_TYPE_i32 : choice(bytes, 4);
  const int given = choice(bytes, 7);
  layout.begins = (given & 1) != 0 ? pointer(bytes, memory.lists) : nullptr;
  layout.ends = (given & 2) != 0 ? pointer(bytes, memory.lists) : nullptr;
  layout.indices = (given & 4) != 0 ? pointer(bytes, memory.lists) : nullptr;
  layout.elements = number(bytes);
  return layout;
}

// The products of a box's extents, so that more than luck makes them agree with the request.
void fill_counts(isofold_request& request, const isofold_layout& layout) {
  std::int64_t rows = 1;
  std::int64_t length = 1;
  bool overflows = false;
  for (int d = 0; d < layout.dimensions && d < ISOFOLD_MOST_DIMENSIONS; ++d) {
    std::int64_t& product = (layout.kept >> d & 1U) != 0 ? rows : length;
    overflows = __builtin_mul_overflow(product, layout.extents[d], &product) || overflows;
  }
  if (!overflows) {
    request.rows = rows;
    request.length = length;
  }
}

isofold_request request_of(Bytes& bytes, const Memory& memory, const isofold_layout* layout) {
  isofold_request request{};
  request.size = size_field(bytes, sizeof request);
  const auto definition = bytes.take<std::uint8_t>();
  request.definition = definition < 180   ? ISOFOLD_DEFINITION_tree_v1
                       : definition < 250 ? ISOFOLD_DEFINITION_exact_v1
                                          : bytes.take<std::int32_t>();
  request.fold = choice(bytes, 34);
  request.type = choice(bytes, 13);
  request.shape = choice(bytes, 7);
  request.flags = choice(bytes, 4);
  request.accumulator = bytes.take<std::uint8_t>() < 220 ? 0 : choice(bytes, 3);
  request.data = pointer(bytes, memory.elements);
  request.rows = request.shape == ISOFOLD_SHAPE_array ? 1 : number(bytes);
  request.length = number(bytes);
  request.stride = number(bytes);
  // Now and then among the elements, where it may lie upon them.
  request.result =
      pointer(bytes, bytes.take<std::uint8_t>() < 240 ? memory.results : memory.elements);
  request.second = bytes.take<std::uint8_t>() % 2 == 0 ? pointer(bytes, memory.elements) : nullptr;
  request.second_stride = number(bytes);
  request.parameters = bytes.take<std::uint8_t>() % 2 == 0 ? memory.elements.data() + 64 : nullptr;
  const bool needs_layout = request.shape > ISOFOLD_SHAPE_rows;
  const bool as_it_should = bytes.take<std::uint8_t>() < 250;
  request.layout = needs_layout == as_it_should ? layout : nullptr;
  // Half of the requests are shaped so that they say the same twice.
  if (request.layout != nullptr && bytes.take<std::uint8_t>() % 8 != 0) {
    if (request.shape == ISOFOLD_SHAPE_box) {
      fill_counts(request, *layout);
    } else if (request.shape == ISOFOLD_SHAPE_gather || request.shape == ISOFOLD_SHAPE_joined) {
      request.rows = 1;
    } else {
      request.length = 0;
    }
    request.stride = 0;
    request.second_stride = 0;
  }
  return request;
}

// The memory that a request reads, found again with numbers that cannot overflow.
class Reach {
 public:
  Reach(const isofold_request& request, const isofold::CaseFacts& facts, const Memory& memory)
      : request_(request), facts_(facts), memory_(memory) {}

  // Lists and masks, which validation itself reads.
  bool has_lists() const {
    if (request_.layout == nullptr) {
      return true;
    }
    const isofold_layout& layout = *request_.layout;
    const Wide entry = layout.index_type == ISOFOLD_TYPE_i32 ? 4 : 8;
    const Wide rows = request_.rows;
    switch (request_.shape) {
      case ISOFOLD_SHAPE_segments:
        if (layout.begins == nullptr && layout.ends != nullptr) {
          return rows == 0 || in_lists(layout.ends, rows * entry);
        }
        return rows == 0 ||
               (in_lists(layout.begins, (layout.ends == nullptr ? rows + 1 : rows) * entry) &&
                (layout.ends == nullptr || in_lists(layout.ends, rows * entry)));
      case ISOFOLD_SHAPE_gather:
        return request_.length == 0 || in_lists(layout.indices, request_.length * entry);
      case ISOFOLD_SHAPE_batch: return rows == 0;  // pointers made of fuzz lead anywhere
      case ISOFOLD_SHAPE_joined: return request_.length == 0;
      default: return layout.mask == nullptr || has_mask(layout);
    }
  }
  // Everything else, for requests that validation accepted, and not for longer than a fuzzer has.
  bool has_all() const {
    constexpr Wide most = 100000;  // a stride of 0 reads one element for ever
    return request_.rows == 0 ||
           (has_results() && Wide{request_.rows} * request_.length <= most &&
            has_elements(request_.data, request_.stride, strides(false)) &&
            (facts_.arrays == 1 ||
             has_elements(request_.second, request_.second_stride, strides(true))));
  }

 private:
  bool in_lists(const void* list, Wide bytes) const { return memory_.lists.holds(list, 0, bytes); }
  bool has_results() const {
    const Wide bytes = Wide{request_.rows} * facts_.result_bytes;
    return memory_.results.holds(request_.result, 0, bytes) ||
           memory_.elements.holds(request_.result, 0, bytes);
  }
  const std::int64_t* strides(bool second) const {
    return request_.layout == nullptr ? nullptr
           : second                   ? request_.layout->second_strides
                                      : request_.layout->strides;
  }
  bool has_mask(const isofold_layout& layout) const {
    const Wide entries = Wide{request_.rows} * request_.length;
    if (layout.mask_type == ISOFOLD_MASK_strided_bytes && entries != 0) {
      const Span span = span_of(layout.mask_strides);
      return memory_.lists.holds(layout.mask, span.lowest, span.highest - span.lowest + 1);
    }
    return in_lists(layout.mask,
                    layout.mask_type == ISOFOLD_MASK_bits ? (entries + 7) / 8 : entries);
  }
  // The lowest and the highest offset in a box that has elements.
  struct Span {
    Wide lowest = 0;
    Wide highest = 0;
  };
  Span span_of(const std::int64_t* strides) const {
    Span span;
    for (int d = 0; d < request_.layout->dimensions; ++d) {
      const Wide length = (Wide{request_.layout->extents[d]} - 1) * strides[d];
      (length < 0 ? span.lowest : span.highest) += length;
    }
    return span;
  }
  bool has_stretch(const void* data, Wide lowest, Wide highest) const {
    return memory_.elements.holds(data, lowest * facts_.element_bytes,
                                  (highest - lowest + 1) * facts_.element_bytes);
  }
  bool has_elements(const void* data, std::int64_t stride, const std::int64_t* strides) const {
    if (request_.shape == ISOFOLD_SHAPE_segments || request_.shape == ISOFOLD_SHAPE_gather) {
      return has_listed(data);
    }
    if (request_.length == 0) {
      return true;
    }
    if (request_.shape != ISOFOLD_SHAPE_box) {
      return has_stretch(data, 0, Wide{request_.rows - 1} * stride + request_.length - 1);
    }
    const Span span = span_of(strides);
    return has_stretch(data, span.lowest, span.highest);
  }
  Wide entry(const void* list, std::int64_t i) const {
    return request_.layout->index_type == ISOFOLD_TYPE_i32
               ? Wide{static_cast<const std::int32_t*>(list)[i]}
               : Wide{static_cast<const std::int64_t*>(list)[i]};
  }
  bool has_listed(const void* data) const {
    const isofold_layout& layout = *request_.layout;
    const bool gather = request_.shape == ISOFOLD_SHAPE_gather;
    for (std::int64_t i = 0; i < (gather ? request_.length : request_.rows); ++i) {
      const bool counted = !gather && layout.begins == nullptr;
      const Wide begin =
          counted ? Wide{i} * request_.stride : entry(gather ? layout.indices : layout.begins, i);
      const Wide end = gather                   ? begin + 1
                       : counted                ? begin + entry(layout.ends, i)
                       : layout.ends != nullptr ? entry(layout.ends, i)
                                                : entry(layout.begins, i + 1);
      if (begin < end && !has_stretch(data, begin, end - 1)) {
        return false;
      }
    }
    return true;
  }

  const isofold_request& request_;
  const isofold::CaseFacts& facts_;
  const Memory& memory_;
};

isofold_reducer* make_reducer() {
  isofold_options options{};
  options.size = sizeof options;
  options.backend = "reference";
  options.device = -1;
  options.validate = 1;
  isofold_reducer* reducer = nullptr;
  fuzz::require(isofold_create(&options, &reducer) == ISOFOLD_ok, isofold_last_error());
  return reducer;
}

// Validation, step by step as the library does it; ok if it has no objection.
std::int32_t judged(const isofold_request& given, const Memory& memory, bool* can_run) {
  isofold::backend_interface::Report report;
  isofold::CaseFacts facts;
  isofold::WholeRequest whole{};
  std::int32_t code = isofold::take_request(&given, &whole, report);
  isofold_request request = *whole.request;
  const bool skips_nan = (request.flags & ISOFOLD_SKIP_NAN) != 0;
  request.flags &= ~ISOFOLD_SKIP_NAN;  // as the library does: the rest is judged without it
  code = code == ISOFOLD_ok ? isofold::validate_kind(request, &facts, report) : code;
  if (code == ISOFOLD_ok) {
    code = isofold::has_layout(request) ? isofold::validate_layout(request, facts, true, report)
                                        : isofold::validate_counts(request, facts, true, report);
  }
  if (code == ISOFOLD_ok && skips_nan && !isofold::is_box(request)) {
    code = isofold::refuse_no_box(request, report);
  }
  *can_run = code != ISOFOLD_ok;  // a refusal touches nothing
  const Reach reach(request, facts, memory);
  if (code == ISOFOLD_ok && reach.has_lists()) {
    const auto in_two = [](std::int64_t count, const isofold::Part& part) {
      part(count / 3, count);
      part(0, count / 3);
    };
    code = isofold::has_layout(request)
               ? isofold::layout_of(request).validate_indices(request, facts, in_two, report)
               : code;
    *can_run = code != ISOFOLD_ok || reach.has_all();
  }
  return code;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static isofold_reducer* const reducer = make_reducer();
  const Memory memory;
  Bytes bytes(data, size);
  const WithRoom<isofold_layout> placed_layout{layout_of(bytes, memory)};
  const isofold_layout& layout = placed_layout.value;
  const WithRoom<isofold_request> placed_request{request_of(bytes, memory, &layout)};
  const isofold_request& request = placed_request.value;
  const std::string content = bytes.rest();
  std::memcpy(memory.lists.data(), content.data(), std::min(content.size(), memory.lists.bytes()));
  for (std::size_t i = 0; i < memory.elements.bytes(); ++i) {
    memory.elements.data()[i] = static_cast<char>(i * 37 + content.size());
  }
  const std::int32_t supported = isofold_supports(reducer, &request);
  bool can_run = false;
  const std::int32_t expected = judged(request, memory, &can_run);
  fuzz::require(supported == ISOFOLD_ok || expected != ISOFOLD_ok,
                std::string("supports() refuses what is valid: ") + isofold_last_error());
  if (can_run) {
    const std::int32_t code = isofold_reduce(reducer, &request);
    // Those who read them see that a mask takes nothing, that all elements are NaN, that joined
    // arrays are all empty, or that an exact sum of integers does not fit.
    const bool takes_nothing = code == ISOFOLD_empty_input &&
                               (layout.mask != nullptr || (request.flags & ISOFOLD_SKIP_NAN) != 0 ||
                                request.shape == ISOFOLD_SHAPE_joined);
    const bool is_told_by_data = takes_nothing || code == ISOFOLD_out_of_range;
    fuzz::require((code == ISOFOLD_ok) == (expected == ISOFOLD_ok) || is_told_by_data,
                  std::string("reduce() and the contract disagree: ") + isofold_last_error());
    if (code != ISOFOLD_ok) {
      fuzz::require_sentence(isofold_last_error());
    }
  }
  return 0;
}
