// The reference backend: docs/tree.md read aloud as sequential code. Nothing clever lives here;
// every other same_bits backend is judged by its bits.
#include <new>

#include <float_environment.hpp>
#include <host_backend.hpp>
#include <isofold/core/chunk.hpp>
#include <parameters.hpp>

namespace isofold {
namespace {

// Node (level, index) over the elements x[0, n): the definition's recursion, word for word.
// The node exists, so its left child does; a missing right child passes the left one on.
template <class Fold>
typename Fold::state_type fold_node(const Fold& fold, core::Elements<Fold> x, std::int64_t n,
                                    int level, std::int64_t index) {
  if (level == 0) {
    const std::int64_t first = index << core::chunk_shift;
    const auto count = static_cast<int>(std::min<std::int64_t>(core::chunk_elements, n - first));
    return core::fold_chunk(fold, x.from(first), first, count);
  }
  const auto left = fold_node(fold, x, n, level - 1, 2 * index);
  const std::int64_t right_begin = (2 * index + 1) << (level - 1);
  if (right_begin >= core::chunk_count(n)) {
    return left;
  }
  return fold.combine(left, fold_node(fold, x, n, level - 1, 2 * index + 1));
}

template <class Fold>
void reduce_rows(Fold fold, const isofold_request& request) {
  using Element = typename Fold::element_type;
  for (std::int64_t row = 0; row < request.rows; ++row) {
    if (request.length == 0) {
      static_cast<typename Fold::result_type*>(request.result)[row] = fold.empty();
      continue;
    }
    const int level = core::root_level(core::chunk_count(request.length));
    const core::Elements<Fold> x{static_cast<const Element*>(request.data) + row * request.stride,
                                 Fold::arrays == 2 ? static_cast<const Element*>(request.second) +
                                                         row * request.second_stride
                                                   : nullptr};
    const auto root = fold_node(fold, x, request.length, level, 0);
    if ((request.flags & ISOFOLD_STATE) != 0) {
      static_cast<typename Fold::state_type*>(request.result)[row] = root;
    } else {
      static_cast<typename Fold::result_type*>(request.result)[row] =
          fold.finish(root, request.length);
    }
  }
}

class ReferenceInstance final : public contract::Instance {
 public:
  std::int32_t reduce(const isofold_request& request, contract::Report&) noexcept override {
    const FloatEnvironment environment;
    visit_case(request.fold, request.type,
               [&](auto fold) { reduce_rows(with_parameters(fold, request), request); });
    if (request.ran != nullptr) {
      *request.ran = {};
      request.ran->threads = 1;
    }
    return ISOFOLD_ok;
  }
};

class ReferenceBackend final : public HostBackend {
 public:
  const char* name() const noexcept override { return "reference"; }
  std::int32_t available(contract::Report& report) noexcept override {
    report.fail(ISOFOLD_ok, "the definition as sequential code");
    return ISOFOLD_ok;
  }
  contract::Instance* open(const isofold_options&, std::int32_t* code,
                           contract::Report& report) noexcept override {
    auto* instance = new (std::nothrow) ReferenceInstance;
    *code = instance != nullptr ? ISOFOLD_ok
                                : report.fail(ISOFOLD_out_of_memory, "No memory for a reducer.");
    return instance;
  }
};

ReferenceBackend reference_backend;

}  // namespace
}  // namespace isofold

ISOFOLD_EXPORT_BACKEND(reference, isofold::reference_backend)
