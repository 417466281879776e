// The members that a kernel has on the list (select.hpp), for whoever adds one:
//
//   template <class Platform, class Fold>
//   struct Kernel : ListedKernel {
//     static constexpr bool exists = ...;          for this fold and platform; true by default
//     static bool is_for(const Problem&);          whether it knows such inputs, of any size
//     struct Plan { ... };
//     static std::optional<Plan> plan(const Problem&);         whether it solves this one, and how
//     static Needs needs(const Problem&, const Plan&);           of workspace; none by default
//     static Status load(const Problem&);          whatever launch() may launch for such inputs
//     static Status launch(const Plan&, const Call<Platform, Fold>&);
//     static void describe(const Problem&, const Plan&, isofold_schedule&);  of arrays and rows
//   };
//
// plan() allocates nothing, asks the device nothing and reads no data.
#pragma once

#include <backends/gpu/input/contiguous.hpp>
#include <backends/gpu/input/convert.hpp>
#include <backends/gpu/plan/problem.hpp>
#include <isofold/detail/gpu/platform.hpp>
#include <isofold/detail/gpu/tile_plan.hpp>

namespace isofold::gpu {

struct Needs {
  std::size_t bytes = 0;
  std::int64_t counters = 0;  // words that are zero between calls
};

struct ListedKernel {
  static constexpr bool exists = true;
  template <class Plan>
  static Needs needs(const Problem&, const Plan&) {
    return {};
  }
  template <class Plan>
  static void describe(const Problem&, const Plan&, isofold_schedule&) {}
};

// A launch has this besides its plan.
template <class Platform, class Fold>
struct Call {
  const Problem& problem;
  Rows<Fold> rows;
  void* memory;             // what the plan needs
  std::uint32_t* counters;  // likewise
  void* fault;
  void* stream;
  bool capturing;

  template <class Kernel>
  Status launch(const Kernel& kernel, Launch size) const {
    size.capturing = capturing;
    return Platform::launch(kernel, size, stream);
  }
};

template <class Platform, class... Kernels>
Status load_all() {
  Status loaded;
  static_cast<void>(
      ((loaded = loaded.ok() ? Platform::template load<Kernels>() : loaded).ok() && ...));
  return loaded;
}

// use(how the elements are stored)
template <class Fold, class Use>
auto with_stored(const Problem& problem, Use&& use) {
  if constexpr (is_computed_from_others<typename Fold::element_type>) {
    if (problem.converted) {
      return use(StoredAs{problem.request.type, static_cast<std::int32_t>(problem.stored_bytes)});
    }
  }
  return use(AsComputed{});
}

}  // namespace isofold::gpu
