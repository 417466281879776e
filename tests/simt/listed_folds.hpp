// Lists of folds of rows on an emulated GPU: what FusedFold needs of memory and of a launch, and
// what the definition makes of the same rows.
#pragma once

#include <memory>
#include <ostream>
#include <vector>

#include <backends/gpu/fused_fold.hpp>
#include <backends/gpu/fused_list.hpp>
#include <isofold/gpu/tile_plan.hpp>

#include "on_device.hpp"

namespace isofold::simt {

// Rows of one length, each `stride` elements after the one before.
struct Shape {
  std::int64_t rows;
  std::int64_t length;
  std::int64_t stride;
};

// How a kernel is launched; by a stage and with late places if there are any.
struct Way {
  int warps;
  int tile_shift;
  std::int64_t blocks;
  bool staged;
  bool places_late;
};
inline std::ostream& operator<<(std::ostream& out, const Way& way) {
  return out << way.warps << " warps, tiles of " << (1 << way.tile_shift) << " chunks, "
             << way.blocks << " blocks" << (way.staged ? ", by a stage" : "")
             << (way.places_late ? ", places late" : "");
}
template <int width>
Way some_way(Random& random) {
  const int warps = 1 + static_cast<int>(random.below(512 / width));
  const int tile_shift = static_cast<int>(random.below(7));
  return {warps, tile_shift, 1 + static_cast<std::int64_t>(random.below(4)), random.coin(),
          random.coin()};
}

template <class T>
isofold_request request_of(std::int32_t fold) {
  isofold_request request{};
  request.fold = fold;
  request.type = type_number<T>();
  return request;
}

// A list of folds of rows of T's, and where their results go.
template <int width, class T, class Lanes>
class Listed {
 public:
  using Kernel = gpu::FusedFold<Platform<width>, T, Lanes, 1>;
  using List = gpu::FusedList<Platform<width>, T, Kernel>;

  explicit Listed(const std::vector<std::int32_t>& folds)
      : requests_(requests(folds)),
        list_(kernel_, requests_.data(), static_cast<std::int32_t>(folds.size()), none_done) {}
  Listed(const Listed&) = delete;
  Listed& operator=(const Listed&) = delete;

  int entries() const { return list_.entries(); }

  // result[i] becomes the bytes of all rows' results of fold number i.
  void run(const Shape& shape, const T* data, const Way& way,
           std::vector<std::vector<unsigned char>>& result) {
    const std::int64_t chunks = core::chunk_count(shape.length);
    kernel_.data[0] = data;
    kernel_.stride[0] = shape.stride;
    kernel_.rows = shape.rows;
    kernel_.length = shape.length;
    kernel_.tile_shift = way.tile_shift;
    kernel_.tiles = gpu::ceil_divide(chunks, std::int64_t{1} << way.tile_shift);
    kernel_.places_late = way.places_late;
    const auto rows = static_cast<std::size_t>(shape.rows);
    const OnDevice<width, std::uint32_t> counters{std::vector<std::uint32_t>(rows)};
    kernel_.counters = counters.data();
    std::vector<std::unique_ptr<Memory>> nodes;
    for (int i = 0; i < list_.entries(); ++i) {
      const std::size_t bytes = list_.state_bytes()[i] * rows;
      nodes.push_back(memory(bytes * static_cast<std::size_t>(kernel_.tiles)));
      kernel_.entry[i].nodes = nodes.back()->data();
    }
    std::vector<std::unique_ptr<Memory>> results;
    for (int i = 0; i < list_.results(); ++i) {
      results.push_back(memory(list_.result_bytes(i) * rows));
      list_.to(i) = results.back()->data();
    }
    const bool may_stage = Kernel::template may_stage<Group<width>>;
    launch<width>(kernel_, way.blocks, way.warps,
                  kernel_.lay_out(list_.state_bytes(), way.warps * width, may_stage && way.staged));
    result.resize(results.size());
    for (int i = 0; i < list_.results(); ++i) {
      result[static_cast<std::size_t>(list_.request(i))] =
          results[static_cast<std::size_t>(i)]->content();
    }
  }

 private:
  using Memory = OnDevice<width, unsigned char>;
  static std::unique_ptr<Memory> memory(std::size_t bytes) {
    return std::make_unique<Memory>(std::vector<unsigned char>(bytes));
  }
  static std::vector<isofold_request> requests(const std::vector<std::int32_t>& folds) {
    std::vector<isofold_request> all;
    for (const std::int32_t fold : folds) {
      all.push_back(request_of<T>(fold));
    }
    return all;
  }
  static constexpr bool none_done[ISOFOLD_MOST_FUSED]{};

  std::vector<isofold_request> requests_;
  Kernel kernel_{};
  List list_;
};

template <class Fold, class T>
std::vector<unsigned char> expected_of(const Fold& fold, const Shape& shape, const T* x) {
  std::vector<unsigned char> bytes;
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const T* const begin = x + row * shape.stride;
    const std::vector<T> elements(begin, begin + shape.length);
    const auto result = folded(fold, elements, elements);
    const auto* const first = reinterpret_cast<const unsigned char*>(&result);
    bytes.insert(bytes.end(), first, first + sizeof result);
  }
  return bytes;
}

// Rows of up to 36 chunks, which begin `apart` elements after what a wide load is aligned to.
template <class T>
Shape some_shape(int apart, Random& random) {
  constexpr int aligned_to = gpu::WideLanes<T>::per_load;
  Shape shape{};
  shape.rows = 1 + static_cast<std::int64_t>(random.below(3));
  const auto chunks = static_cast<std::int64_t>(random.below(36));
  const std::int64_t rests[] = {1, 63, 64, 500, 1023, 1024};
  shape.length = chunks * core::chunk_elements + rests[random.below(6)];
  shape.stride = (shape.length + aligned_to - 1) / aligned_to * aligned_to + apart;
  return shape;
}

}  // namespace isofold::simt
