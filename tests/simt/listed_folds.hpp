// Lists of folds of rows on an emulated GPU: the memory and the launch that ReduceFusedOps needs,
// and the results that the definition has for the same rows.
#pragma once

#include <memory>
#include <ostream>
#include <utility>
#include <vector>

#include <backends/gpu/kernel/fused_ops.hpp>
#include <backends/gpu/plan/fused_list.hpp>
#include <isofold/detail/gpu/tile_plan.hpp>

#include "on_device.hpp"

namespace isofold::simt {

// Rows of one length, each `stride` elements after the one before.
struct ListedRows {
  std::int64_t rows;
  std::int64_t length;
  std::int64_t stride;
};

// How a kernel is launched; by a stage if there is one.
struct Way {
  int warps;
  int tile_shift;
  std::int64_t blocks;
  bool staged;
};
inline std::ostream& operator<<(std::ostream& out, const Way& way) {
  return out << way.warps << " warps, tiles of " << (1 << way.tile_shift) << " chunks, "
             << way.blocks << " blocks" << (way.staged ? ", by a stage" : "");
}
inline Way some_way(int width, Random& random) {
  const int warps = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(512 / width)));
  const int tile_shift = static_cast<int>(random.below(7));
  return {warps, tile_shift, 1 + static_cast<std::int64_t>(random.below(4)), random.coin()};
}

// A request of a fold; `parameters` has those of folds that take some.
template <class T>
isofold_request request_of(std::int32_t fold, const T* parameters = nullptr) {
  isofold_request request{};
  request.fold = fold;
  request.type = type_number<T>();
  request.parameters = parameters;
  return request;
}

// A list of folds of rows of T's, or of pairs of them, and where their results go.
template <int width, class T, class Lanes, int arrays = 1>
class Listed {
 public:
  using Kernel = gpu::ReduceFusedOps<Platform<width>, T, Lanes, arrays>;
  using List = gpu::FusedList<Platform<width>, T, Kernel>;

  explicit Listed(std::vector<isofold_request> requests)
      : requests_(std::move(requests)),
        list_(kernel_, requests_.data(), static_cast<std::int32_t>(requests_.size()), none_done) {}
  explicit Listed(const std::vector<std::int32_t>& folds) : Listed(requests_of(folds)) {}
  Listed(const Listed&) = delete;
  Listed& operator=(const Listed&) = delete;

  int entries() const { return list_.entries(); }

  // result[i] becomes the bytes of all rows' results of fold number i. The first row begins
  // `apart` elements after the first of x, and of y for pairs.
  void run(const ListedRows& shape, const std::vector<T>& x, int apart, const Way& way,
           std::vector<std::vector<unsigned char>>& result, const std::vector<T>& y = {}) {
    const OnDevice<width, T> data(x);
    const OnDevice<width, T> second(y);
    const std::int64_t chunks = core::chunk_count(shape.length);
    kernel_.data[0] = data.data() + apart;
    kernel_.stride[0] = shape.stride;
    if constexpr (arrays == 2) {
      kernel_.data[1] = second.data() + apart;
      kernel_.stride[1] = shape.stride;
    }
    kernel_.rows = shape.rows;
    kernel_.length = shape.length;
    kernel_.tile_shift = way.tile_shift;
    kernel_.tiles = gpu::ceil_divide(chunks, std::int64_t{1} << way.tile_shift);
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
      list_.write_to(i, results.back()->data());
    }
    const bool may_stage = Kernel::template may_stage<Group<width>>;
    const auto lay_out = [&](bool staged) {
      return kernel_.lay_out(list_.state_bytes(), way.warps * width, staged);
    };
    std::size_t shared_bytes = lay_out(may_stage && way.staged);
    constexpr std::size_t most_bytes = 227 << 10;
    shared_bytes = shared_bytes <= most_bytes ? shared_bytes : lay_out(false);
    launch<width>(kernel_, way.blocks, way.warps, shared_bytes);
    ASSERT_EQ(requests_.size(), results.size()) << "Not all folds are on the menu.";
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
  static std::vector<isofold_request> requests_of(const std::vector<std::int32_t>& folds) {
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

// The bytes of of(elements) of each row.
template <class T, class Of>
std::vector<unsigned char> of_each_row(const ListedRows& shape, const T* x, Of&& of) {
  std::vector<unsigned char> bytes;
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const T* const begin = x + row * shape.stride;
    const auto made = of(std::vector<T>(begin, begin + shape.length));
    const auto* const first = reinterpret_cast<const unsigned char*>(&made);
    bytes.insert(bytes.end(), first, first + sizeof made);
  }
  return bytes;
}
template <class Fold, class T>
std::vector<unsigned char> expected_of(const Fold& fold, const ListedRows& shape, const T* x) {
  return of_each_row(shape, x, [&](const auto& row) { return folded(fold, row, row); });
}
template <class Fold, class T>
std::vector<unsigned char> expected_states_of(const Fold& fold, const ListedRows& shape,
                                              const T* x) {
  return of_each_row(shape, x, [&](const auto& row) { return root_of(fold, row, row); });
}

// Rows of up to 36 chunks, which begin `apart` elements after the alignment of a wide load.
template <class T>
ListedRows some_rows(int apart, Random& random) {
  constexpr int aligned_to = gpu::WideLanes<T>::per_load;
  ListedRows shape{};
  shape.rows = 1 + static_cast<std::int64_t>(random.below(3));
  const auto chunks = static_cast<std::int64_t>(random.below(36));
  const std::int64_t rests[] = {1, 63, 64, 500, 1023, 1024};
  shape.length = chunks * core::chunk_elements + rests[random.below(6)];
  shape.stride = (shape.length + aligned_to - 1) / aligned_to * aligned_to + apart;
  return shape;
}

}  // namespace isofold::simt
