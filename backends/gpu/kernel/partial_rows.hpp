// The kernels between results and the words of partial results (core/partial/form.hpp), of all
// folds but those of exact_v1: a thread takes a row.
#pragma once

#include <backend/interface.hpp>
#include <isofold/detail/gpu/platform.hpp>

namespace isofold::gpu {

struct WritePartials {
  static constexpr int max_threads = 128;
  backend_interface::PartialRows all;
  const unsigned char* results;
  std::int64_t* words;

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const std::int64_t each = core::partial::words_of_row(all.format, all.parts);
    for (std::int64_t row = group.block() * group.threads() + group.thread(); row < all.rows;
         row += group.blocks() * group.threads()) {
      core::partial::write_row(all.format, results + row * all.format.bytes,
                               GlobalIndex{&all.place}, all.part, words + row * each);
    }
  }

 private:
  struct GlobalIndex {
    const core::partial::BoxPlace* place;
    ISOFOLD_HOST_DEVICE std::int64_t operator()(std::int64_t index, core::partial::Toward) const {
      return place->global_index(index);
    }
  };
};

struct FinishPartials {
  static constexpr int max_threads = 128;
  backend_interface::PartialRows all;
  const std::int64_t* words;
  unsigned char* results;

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const std::int64_t each = core::partial::words_of_row(all.format, all.parts);
    for (std::int64_t row = group.block() * group.threads() + group.thread(); row < all.rows;
         row += group.blocks() * group.threads()) {
      core::partial::finish_row(all.format, words + row * each, all.parts,
                                results + row * all.format.bytes);
    }
  }
};

}  // namespace isofold::gpu
