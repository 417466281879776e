// A request as the kernels' plans read it: the elements that are reduced, their place, the device.
// It is made once a call, and every kernel on the list (select.hpp) is offered this one problem. It
// knows nothing of a fold but the sizes that plans depend on.
#pragma once

#include <algorithm>
#include <optional>

#include <backends/gpu/input/strided.hpp>
#include <backends/gpu/tuning/tuning_of.hpp>
#include <request/converted_elements.hpp>
#include <request/validate.hpp>

namespace isofold::gpu {

// These are a plan's facts of a fold.
struct FoldFacts {
  int arrays;
  bool reads_twice;            // by a second pass
  std::int64_t element_bytes;  // of an element as it is computed with
  std::size_t state_bytes;
  bool empty_is_error;  // in a blocking call
};
template <class Fold>
constexpr FoldFacts facts_of(bool empty_is_error) {
  return {Fold::arrays, Fold::stages == 2, sizeof(typename Fold::element_type),
          sizeof(typename Fold::state_type), empty_is_error};
}

enum class Input {
  none,  // neither rows nor, where all rows have one length, elements
  rows,  // an array or rows, without a layout
  box,
  segments,
  batch,
  gather,
  joined
};

inline Input input_of(const isofold_request& request) {
  const bool ragged =
      request.shape == ISOFOLD_SHAPE_segments || request.shape == ISOFOLD_SHAPE_batch;
  if (request.rows == 0 || (request.length == 0 && !ragged)) {
    return Input::none;
  }
  switch (request.shape) {
    case ISOFOLD_SHAPE_box: return Input::box;
    case ISOFOLD_SHAPE_segments: return Input::segments;
    case ISOFOLD_SHAPE_batch: return Input::batch;
    case ISOFOLD_SHAPE_gather: return Input::gather;
    case ISOFOLD_SHAPE_joined: return Input::joined;
    default: return Input::rows;
  }
}

inline bool is_masked(const isofold_request& request) {
  return has_layout(request) && request.layout->mask != nullptr;
}

// The bytes that the first element of each row is aligned to, in all arrays: a power of two.
inline constexpr std::size_t most_alignment = 16;
inline std::size_t alignment_of(const isofold_request& request, int arrays,
                                std::size_t element_bytes) {
  const auto bits_of = [&](const void* data, std::int64_t stride) {
    return reinterpret_cast<std::uintptr_t>(data) |
           (request.rows <= 1 ? 0 : static_cast<std::uint64_t>(stride) * element_bytes);
  };
  const std::uint64_t bits = most_alignment | bits_of(request.data, request.stride) |
                             (arrays == 1 ? 0 : bits_of(request.second, request.second_stride));
  return bits & (~bits + 1);
}

// This says where the elements of a request with a layout are. `fault` is for what kernels find
// wrong.
inline Places places_of(const isofold_request& request, int arrays, void* fault) {
  const isofold_layout& layout = *request.layout;
  Places places;
  places.shape = request.shape;
  places.wide_indices = layout.index_type != ISOFOLD_TYPE_i32;
  places.begins = layout.begins;
  places.ends = layout.ends;
  places.indices = layout.indices;
  if (request.shape == ISOFOLD_SHAPE_segments && layout.ends == nullptr) {
    places.ends = static_cast<const char*>(layout.begins) + (places.wide_indices ? 8 : 4);
  }
  places.counted = request.shape == ISOFOLD_SHAPE_segments && layout.begins == nullptr;
  if (places.counted) {
    places.begins = layout.ends;
    places.stride = request.stride;
    places.most = request.length > 0 ? request.length
                  : request.rows > 1 ? request.stride
                                     : places.most;
  }
  if (request.shape == ISOFOLD_SHAPE_box) {
    places.kept = Axes(layout, layout.kept, arrays == 2);
    places.reduced = Axes(layout, ~layout.kept, arrays == 2);
  }
  places.cursor_reaches = request.shape != ISOFOLD_SHAPE_gather &&
                          places.reduced.is_near(static_cast<int>(stored_bytes(request)));
  places.fault = static_cast<Fault*>(fault);
  if (layout.elements > 0) {
    places.elements = layout.elements;
  }
  return places;
}

inline constexpr std::int64_t sector_bytes = 32;  // that the memory brings at once

struct Problem {
  const isofold_request& request;
  const TunedDevice& device;
  FoldFacts fold;
  std::int64_t rows;
  std::int64_t length;
  Input input;
  bool masked;
  bool converted;             // elements are stored in another type than is computed with
  std::int64_t stored_bytes;  // of an element in memory
  std::size_t alignment;
  Fault* empty_fault;            // not null: where a row without elements is complained of
  bool columns = false;          // neighbouring rows are nearer than a row's elements
  std::optional<Places> places;  // of an input with a layout
  Slabs slabs;                   // of a row, if steps between them are no shorter than a sector

  // `fault` is the place for what kernels find wrong, if there is one.
  Problem(const isofold_request& of, const TunedDevice& on, const FoldFacts& facts, void* fault)
      : request(of),
        device(on),
        fold(facts),
        rows(of.rows),
        length(of.length),
        input(input_of(of)),
        masked(is_masked(of)),
        converted(is_converted(of)),
        stored_bytes(converted ? isofold::stored_bytes(of) : facts.element_bytes),
        alignment(alignment_of(of, facts.arrays, static_cast<std::size_t>(stored_bytes))),
        empty_fault(complains_of_empty(of, facts) ? static_cast<Fault*>(fault) : nullptr) {
    if (has_places()) {
      places = places_of(of, facts.arrays, fault);
      columns = rows > 1 && places->kept.nearer_than(places->reduced);
      slabs = is_ragged() ? Slabs{} : places->reduced.slabs(sector_bytes / stored_bytes);
    }
  }

  bool is_ragged() const { return input == Input::segments || input == Input::batch; }
  bool has_places() const { return input != Input::none && input != Input::rows; }
  // A box whose elements are all taken, and read as they are computed with.
  bool is_plain_box() const { return input == Input::box && !masked && !converted; }
  // An input whose elements are read where they lie.
  bool is_in_place() const { return has_places() && input != Input::joined && !masked; }
  // Segments that follow one another, of elements as they are computed with: one list says where
  // they begin and end.
  bool is_in_line() const {
    return input == Input::segments && request.layout->begins != nullptr &&
           request.layout->ends == nullptr && !masked && !converted;
  }
  // Bytes of an element that a second pass reads again.
  std::int64_t read_again() const { return fold.reads_twice ? fold.element_bytes : 0; }

  // This tells whether the device alone knows of an empty row, and is to complain of it.
  static bool complains_of_empty(const isofold_request& request, const FoldFacts& fold) {
    return fold.empty_is_error && (request.flags & ISOFOLD_BLOCKING) != 0 &&
           (is_masked(request) || request.shape == ISOFOLD_SHAPE_joined);
  }
  // This tells whether its kernels need a place for what they find wrong.
  static bool needs_fault(const isofold_request& request, const FoldFacts& fold, bool validates) {
    return has_layout(request) && input_of(request) != Input::none &&
           ((validates && request.shape != ISOFOLD_SHAPE_box) || complains_of_empty(request, fold));
  }
};

}  // namespace isofold::gpu
