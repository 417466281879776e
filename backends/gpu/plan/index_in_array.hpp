// The launches that turn the indices of locations into those of the array, after the reduction, for
// the execution of a request: no kernel of a fold knows of it. The mask is counted once more, into
// the workspace that the reduction has done with.
#pragma once

#include <backends/gpu/input/masked_source.hpp>
#include <backends/gpu/plan/list_launches.hpp>
#include <backends/gpu/plan/nodes.hpp>

namespace isofold::gpu {

// This tells whether a fold with locations has other indices in the array than packed ones.
inline bool numbers_in_array(const Problem& problem) {
  const bool is_listed =
      problem.input == Input::gather ||
      (problem.input == Input::segments && problem.request.layout->begins != nullptr);
  return !has_packed_index(problem.request) &&
         (is_listed || (problem.masked && problem.has_places()));
}

template <class Platform>
class NumberInArray {
 public:
  explicit NumberInArray(const Problem& problem) : problem_(problem) {
    if (problem.masked) {
      masked_ = masked_rows_as_numbered(problem);
      bits_ = aligned(static_cast<std::size_t>(masked_.counts()) * sizeof(std::int64_t));
      bytes_ = bits_ + static_cast<std::size_t>(masked_.bit_words()) * sizeof(std::uint32_t);
    } else {
      masked_.places = *problem.places;
    }
  }

  std::size_t bytes() const { return bytes_; }  // of the workspace
  Status launch(void* results, void* memory, bool capturing, void* stream) const {
    MaskedRows masked = masked_;
    Status counted;
    if (problem_.masked) {
      masked.selected_before = static_cast<std::int64_t*>(memory);
      masked.taken = reinterpret_cast<std::uint32_t*>(static_cast<char*>(memory) + bits_);
      counted = ListKernels<Platform>::count_mask(masked, {}, problem_.device, capturing, stream);
    }
    return counted.ok()
               ? ListKernels<Platform>::number_in_array(
                     {location_indices_of(problem_.request), results, problem_.rows, masked},
                     capturing, stream)
               : counted;
  }

 private:
  const Problem& problem_;
  MaskedRows masked_;
  std::size_t bits_ = 0;  // where a mask's begin
  std::size_t bytes_ = 0;
};

}  // namespace isofold::gpu
