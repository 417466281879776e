// The runs of the builds under the sanitizers: every kernel of backends/gpu by way of its backend,
// over shapes and schedules that reach each of their paths, with the reference's bits as the
// answer.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <sanitizer/asan_interface.h>

#include <backend/interface.hpp>
#include <ops/supported_cases.hpp>

#include <simulator/machine.hpp>

isofold::backend_interface::Backend* isofold_backend_simt32();
isofold::backend_interface::Backend* isofold_backend_simt64();
isofold::backend_interface::Backend* isofold_backend_reference();

namespace isofold::simt {

struct Shape {
  std::int64_t rows;
  std::int64_t length;
  std::int64_t gap;     // elements between rows
  std::int64_t offset;  // elements before the first row: odd ones make loads narrow
  isofold_schedule schedule;
};

inline isofold_schedule schedule(int blocks, int warps, int chunks, int unit) {
  isofold_schedule made{};
  made.blocks = blocks;
  made.warps = warps;
  made.chunks = chunks;
  made.unit = unit;
  return made;
}

// Launches have few threads, because each costs the race detector much memory.
inline std::vector<Shape> shapes() {
  return {
      {3, 0, 7, 0, {}},                         // no elements
      {1, 1, 0, 0, {}},                         // one
      {1, 1000, 0, 1, {}},                      // a ragged chunk, narrow loads
      {1, 5000, 0, 0, {}},                      // one block, a team a chunk
      {1, 73000, 0, 0, schedule(1, 2, 36, 0)},  // more chunks than a warp folds
      {1, 12000, 0, 0, schedule(0, 1, 1, 0)},   // a warp a block, few nodes
      {1, 40000, 0, 1, schedule(5, 2, 3, 0)},   // several tiles a block, of three nodes each
      {1, 260 * 1024 + 5, 0, 0, schedule(8, 1, 1, 0)},  // many nodes: the last block folds them
      {1, 260 * 1024 + 5, 0, 0, schedule(3, 4, 1, 0)},
      {20, 100, 3, 0, {}},                      // a team a row
      {9, 3000, 0, 0, schedule(2, 2, 0, 32)},   // a warp a row
      {6, 9000, 1, 0, schedule(2, 2, 0, 128)},  // a block a row
      {3, 20000, 0, 0, schedule(4, 2, 0, -4)},  // several blocks a row
  };
}

// Rows with places of their own, over the same data.
struct Placement {
  const char* text;
  std::int32_t shape;
  std::int64_t rows;
  std::int64_t length;
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;
  std::uint32_t kept;
  std::vector<std::int64_t> list;  // offsets, indices, or lengths
  std::int32_t mask_type;
};
inline constexpr std::int64_t strided_elements = 120000;
inline constexpr std::int64_t joined_elements = 10225;  // few: all blocks are there at once

inline std::vector<Placement> placements() {
  std::vector<std::int64_t> offsets{3};
  for (const std::int64_t length : {0, 1, 5, 16, 17, 300, 1000, 0, 1025, 5000, 17500, 70000, 2}) {
    offsets.push_back(offsets.back() + length);
  }
  std::vector<std::int64_t> short_offsets{3};  // so many that short segments have their own kernel
  for (std::int64_t i = 0; i < 12300; ++i) {
    short_offsets.push_back(short_offsets.back() + (i == 5000 ? 17500 : i * 7 % 17));
  }
  const auto short_segments = static_cast<std::int64_t>(short_offsets.size()) - 1;
  std::vector<std::int64_t> chunk_offsets{strided_elements};  // up to the last element
  while (chunk_offsets.size() < 101) {
    const std::int64_t lengths[] = {0, 1023, 128, 1024, 1024, 200, 1025, 1152};
    chunk_offsets.push_back(chunk_offsets.back() - lengths[chunk_offsets.size() % 8]);
  }
  std::reverse(chunk_offsets.begin(), chunk_offsets.end());
  const auto chunks = static_cast<std::int64_t>(chunk_offsets.size()) - 1;
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < 5000; ++i) {
    indices.push_back(i * 7919 % strided_elements);
  }
  std::vector<std::int64_t> lengths{0, 3000, 0, 5000, 1};
  lengths.resize(105, 9);  // some of which end in one chunk
  lengths.insert(lengths.end(), {1024, 300, 0, 0});
  const auto joined = static_cast<std::int64_t>(lengths.size());
  const auto segments = static_cast<std::int64_t>(offsets.size()) - 1;
  constexpr std::int32_t box = ISOFOLD_SHAPE_box;
  return {
      {"columns", box, 37, 70, {70, 37}, {37, 1}, 2, {}, 0},
      {"few long columns", box, 5, 3000, {3000, 5}, {5, 1}, 2, {}, 0},
      {"sets of few columns", box, 6, 1300, {2, 1300, 3}, {3903, 3, 1}, 5, {}, 0},
      {"an interior", box, 1, 3600, {6, 20, 30}, {800, 33, 1}, 0, {}, 0},
      {"planes of an interior", box, 6, 600, {6, 20, 30}, {800, 33, 1}, 1, {}, 0},
      {"short columns", box, 900, 37, {37, 900}, {901, 1}, 2, {}, 0},
      {"long columns", box, 70, 1500, {1500, 70}, {70, 1}, 2, {}, 0},
      {"a turned box", box, 1, 20500, {5, 4100}, {1, 5}, 0, {}, 0},
      {"a box in short runs", box, 1, 40000, {400, 100}, {103, 1}, 0, {}, 0},
      {"a box in runs, up to the last element", box, 1, 42000, {40, 1050}, {3050, 1}, 0, {}, 0},
      {"a box for several blocks", box, 1, 40000, {40, 1000}, {2002, 2}, 0, {}, 0},
      {"segments", ISOFOLD_SHAPE_segments, segments, 0, {}, {}, 0, offsets, 0},
      {"short segments", ISOFOLD_SHAPE_segments, short_segments, 0, {}, {}, 0, short_offsets, 0},
      {"segments of a chunk", ISOFOLD_SHAPE_segments, chunks, 0, {}, {}, 0, chunk_offsets, 0},
      {"a gather", ISOFOLD_SHAPE_gather, 1, 5000, {}, {}, 0, indices, 0},
      {"joined arrays", ISOFOLD_SHAPE_joined, 1, joined, {}, {}, 0, lengths, 0},
      {"a mask of bytes", box, 1, 40000, {40, 1000}, {1001, 1}, 0, {}, ISOFOLD_MASK_bytes},
      {"a mask of a box in steps", box, 1, 3000, {30, 100}, {202, 2}, 0, {}, ISOFOLD_MASK_bits},
      {"masks of columns", box, 40, 60, {60, 40}, {41, 1}, 2, {}, ISOFOLD_MASK_bytes},
      {"masks of lines", box, 5, 300, {5, 300}, {301, 1}, 1, {}, ISOFOLD_MASK_bits},
      {"a mask of an array", box, 1, 9001, {9001}, {1}, 0, {}, ISOFOLD_MASK_bits},
      {"a mask of bits", box, 4, 1000, {4, 1000}, {1001, 1}, 1, {}, ISOFOLD_MASK_bits},
  };
}

// Placements of so many elements that a kernel has more threads on such GPUs than a race detector
// has room for.
inline std::vector<Placement> large_placements() {
  constexpr std::int32_t box = ISOFOLD_SHAPE_box;
  return {
      {"short slabs, to the end", box, 1, 120000, {600, 200}, {1, 600}, 0, {}, 0},
      {"masks of many columns", box, 1600, 7, {7, 1600}, {1601, 1}, 2, {}, ISOFOLD_MASK_bytes},
      {"masks of long columns", box, 72, 1500, {1500, 72}, {73, 1}, 2, {}, ISOFOLD_MASK_bits},
      {"masks of far lines", box, 2, 4800, {10, 2, 480}, {963, 481, 1}, 2, {}, ISOFOLD_MASK_bytes},
      {"masks of short lines", box, 2, 4880, {80, 2, 61}, {125, 62, 1}, 2, {}, ISOFOLD_MASK_bits},
      {"long slabs, to the end", box, 1, 120000, {2, 25, 2400}, {60000, 1, 25}, 0, {}, 0},
  };
}

// Placements that give a warp several chunks one after the other. They run on a GPU of one
// multiprocessor, for others would need three times as many elements. The columns' planes are
// small, so that each chunk needs a table, of which a thread reads what others have written, and
// there are gaps between the columns, which so have no kernel of their own; the mask's first chunk
// leaves elements behind it, with which the second begins.
inline std::vector<Placement> long_walks() {
  constexpr std::int32_t box = ISOFOLD_SHAPE_box;
  return {
      {"columns of planes", box, 4, 16400, {820, 4, 5, 2, 2}, {101, 17, 6, 3, 1}, 24, {}, 0},
      {"short slabs", box, 1, 20000, {200, 100}, {1, 200}, 0, {}, 0},
      {"long slabs", box, 1, 52800, {24, 2200}, {1, 24}, 0, {}, 0},
      {"masks of rows", box, 25, 2100, {25, 2100}, {2101, 1}, 1, {}, ISOFOLD_MASK_bytes},
  };
}

struct Case {
  std::int32_t fold;
  std::int32_t type;
};

// A kind of GPU.
struct Kind {
  int wave_width;
  bool slow_fences;
};
inline void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.wave_width << (kind.slow_fences ? "_slow_fences" : "");
}
inline constexpr Kind kinds[] = {{32, false}, {64, false}, {64, true}};

class Runner {
 public:
  explicit Runner(const Kind& kind)
      : backend_(kind.wave_width == 64 ? *isofold_backend_simt64() : *isofold_backend_simt32()) {
    machine(kind.wave_width).slow_fences() = kind.slow_fences;
    isofold_options options{};
    options.size = sizeof options;
    options.device = 0;
    options.validate = 1;
    std::int32_t code = 0;
    backend_interface::Report report{};
    instance_.reset(backend_.open(options, &code, report));
    reference_.reset(isofold_backend_reference()->open(options, &code, report));
  }

  // The table of cases for this width of waves, the sum of floats first.
  std::vector<Case> cases() const {
    std::vector<Case> found;
    for (std::int32_t fold = 0; fold < 64; ++fold) {
      for (std::int32_t type = 0; type < 64; ++type) {
        isofold_request request{};
        request.fold = fold;
        request.type = type;
        backend_interface::Report report{};
        if (visit_case(fold, type, [](auto) {}) &&
            backend_.supports(request, 0, report) == ISOFOLD_ok) {
          found.push_back({fold, type});
        }
      }
    }
    return found;
  }

  // The bytes of memory before the data, which AddressSanitizer lets nobody read: a multiple of 8.
  std::size_t bytes_before = 0;

  // "" when every row has the reference's bits; else what went wrong.
  std::string run(const Case& which, const Shape& shape) {
    std::string answer = "no such case";
    visit_case(which.fold, which.type, [&](auto fold) { answer = run_case(fold, which, shape); });
    return answer;
  }
  std::string run(const Case& which, const Placement& placement) {
    std::string answer = "no such case";
    visit_case(which.fold, which.type,
               [&](auto fold) { answer = run_strided(fold, which, placement); });
    return answer;
  }

 private:
  // Memory of the emulated device, exactly as long as it must be.
  struct Memory {
    Memory(backend_interface::Backend& owner, const void* host, std::size_t bytes,
           std::size_t bytes_before = 0)
        : backend(owner), before(bytes_before) {
      backend_interface::Report report{};
      backend.allocate(0, before + bytes, &allocated, report);
      memory = static_cast<char*>(allocated) + before;
      backend.copy(0, memory, host, bytes, report);
      ASAN_POISON_MEMORY_REGION(allocated, before);
    }
    ~Memory() {
      ASAN_UNPOISON_MEMORY_REGION(allocated, before);
      backend.release(0, allocated);
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    backend_interface::Backend& backend;
    std::size_t before;
    void* allocated = nullptr;
    void* memory = nullptr;
  };

  template <class Element>
  static std::vector<Element> numbers(std::int64_t count) {
    std::vector<Element> made(static_cast<std::size_t>(count));
    const auto number = [](std::size_t i) {
      using Number = core::part_t<Element>;
      return static_cast<Number>(i * 2654435761U % 1000 + 1) / Number{7};
    };
    for (std::size_t i = 0; i < made.size(); ++i) {
      if constexpr (core::is_complex<Element>) {
        made[i] = {number(2 * i), number(2 * i + 1)};
      } else {
        made[i] = number(i);
      }
    }
    return made;
  }

  template <class Fold>
  std::string run_strided(Fold, const Case& which, const Placement& placement) {
    using Element = typename Fold::element_type;
    using Result = typename Fold::result_type;
    const std::vector<Element> host = numbers<Element>(strided_elements);
    const auto rows = static_cast<std::size_t>(placement.rows);
    std::vector<Result> wanted(rows);
    std::vector<Result> found(rows);
    isofold_layout layout{};
    layout.size = sizeof layout;
    layout.dimensions = static_cast<std::int32_t>(placement.extents.size());
    layout.kept = placement.kept;
    for (std::size_t d = 0; d < placement.extents.size(); ++d) {
      layout.extents[d] = placement.extents[d];
      layout.strides[d] = placement.strides[d];
      layout.second_strides[d] = placement.strides[d];
    }
    isofold_request request{};
    request.size = sizeof request;
    request.definition = ISOFOLD_DEFINITION_tree_v1;
    request.fold = which.fold;
    request.type = which.type;
    request.shape = placement.shape;
    request.rows = placement.rows;
    request.length = placement.length;
    request.layout = &layout;
    const auto masked = static_cast<std::size_t>(placement.rows * placement.length);
    std::vector<unsigned char> mask(placement.mask_type == ISOFOLD_MASK_bytes  ? masked
                                    : placement.mask_type == ISOFOLD_MASK_bits ? (masked + 7) / 8
                                                                               : 0);
    for (std::size_t i = 0; i < mask.size(); ++i) {
      mask[i] = static_cast<unsigned char>(i / 3 % 7 == 0 ? 0 : i * 37 >> 3);
    }
    layout.mask_type = placement.mask_type;
    const auto put = [&](const void* data, const void* list, const void* entries, void* result) {
      layout.mask = placement.mask_type != 0 ? entries : nullptr;
      request.data = data;
      request.second = Fold::arrays == 2 ? data : nullptr;
      request.result = result;
      if (placement.shape != ISOFOLD_SHAPE_box) {
        layout.index_type = ISOFOLD_TYPE_i64;
        layout.elements =
            placement.shape == ISOFOLD_SHAPE_joined ? joined_elements : strided_elements;
        (placement.shape == ISOFOLD_SHAPE_gather   ? layout.indices
         : placement.shape == ISOFOLD_SHAPE_joined ? layout.ends
                                                   : layout.begins) = list;
      }
    };
    // The data; for concatenated arrays, the list of them.
    const bool joins = placement.shape == ISOFOLD_SHAPE_joined;
    std::vector<const Element*> arrays;
    const auto list_arrays = [&](const void* elements) {
      arrays.clear();
      for (std::int64_t i = 0; joins && i < placement.length; ++i) {
        arrays.push_back(static_cast<const Element*>(elements) + i * 7919 % 100000);
      }
      return arrays.data();
    };
    const void* const host_arrays = list_arrays(host.data());
    put(joins ? host_arrays : host.data(), placement.list.data(), mask.data(), wanted.data());
    backend_interface::Report report{};
    if (reference_->reduce(request, report) != ISOFOLD_ok) {
      return report.message;
    }
    const Memory data(backend_, host.data(), host.size() * sizeof(Element), bytes_before);
    const Memory list(backend_, placement.list.data(),
                      placement.list.size() * sizeof(std::int64_t));
    const Memory results(backend_, found.data(), rows * sizeof(Result));
    const Memory entries(backend_, mask.data(), mask.size());
    const void* const device_arrays = list_arrays(data.memory);
    const Memory pointers(backend_, device_arrays, arrays.size() * sizeof(const Element*));
    put(joins ? pointers.memory : data.memory, list.memory, entries.memory, results.memory);
    return answer_of(request, results.memory, found, wanted);
  }

  template <class Fold>
  std::string run_case(Fold, const Case& which, const Shape& shape) {
    using Element = typename Fold::element_type;
    using Result = typename Fold::result_type;
    const std::int64_t stride = shape.length + shape.gap;
    const std::int64_t count =
        shape.offset + (shape.length == 0 ? 0 : (shape.rows - 1) * stride + shape.length);
    const std::vector<Element> host = numbers<Element>(count);
    std::vector<Result> wanted(static_cast<std::size_t>(shape.rows));
    std::vector<Result> found(static_cast<std::size_t>(shape.rows));

    isofold_request request{};
    request.size = sizeof request;
    request.definition = ISOFOLD_DEFINITION_tree_v1;
    request.fold = which.fold;
    request.type = which.type;
    request.shape = ISOFOLD_SHAPE_rows;
    request.data = host.data() + shape.offset;
    request.rows = shape.rows;
    request.length = shape.length;
    request.stride = stride;
    request.result = wanted.data();
    if (Fold::arrays == 2) {  // the same rows from behind
      request.second = host.data() + shape.offset + (shape.rows - 1) * stride;
      request.second_stride = -stride;
    }
    backend_interface::Report report{};
    if (reference_->reduce(request, report) != ISOFOLD_ok) {
      return report.message;
    }
    const Memory data(backend_, host.data(), host.size() * sizeof(Element));
    const Memory results(backend_, found.data(), found.size() * sizeof(Result));
    request.data = static_cast<const Element*>(data.memory) + shape.offset;
    if (Fold::arrays == 2) {
      request.second = static_cast<const Element*>(request.data) + (shape.rows - 1) * stride;
    }
    request.result = results.memory;
    request.schedule = &shape.schedule;
    return answer_of(request, results.memory, found, wanted);
  }

  template <class Result>
  std::string answer_of(const isofold_request& request, const void* results,
                        std::vector<Result>& found, const std::vector<Result>& wanted) {
    backend_interface::Report report{};
    const std::size_t bytes = found.size() * sizeof(Result);
    if (instance_->reduce(request, report) != ISOFOLD_ok ||
        instance_->synchronize(report) != ISOFOLD_ok ||
        backend_.copy(0, found.data(), results, bytes, report) != ISOFOLD_ok) {
      return report.message;
    }
    return std::memcmp(found.data(), wanted.data(), bytes) == 0 ? ""
                                                                : "other bits than the reference's";
  }

  backend_interface::Backend& backend_;
  std::unique_ptr<backend_interface::Instance> instance_;
  std::unique_ptr<backend_interface::Instance> reference_;
};

inline std::string text_of(const Shape& shape) {
  return std::to_string(shape.rows) + " rows of " + std::to_string(shape.length) + ", blocks " +
         std::to_string(shape.schedule.blocks) + ", warps " + std::to_string(shape.schedule.warps) +
         ", chunks " + std::to_string(shape.schedule.chunks) + ", unit " +
         std::to_string(shape.schedule.unit);
}

}  // namespace isofold::simt
