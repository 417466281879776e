// The reference backend: docs/tree.md as sequential code. Nothing clever lives here; every other
// same_bits backend is judged by its bits.
#include <new>

#include <api/float_environment.hpp>
#include <backend/host_backend.hpp>
#include <backend/write_exact.hpp>
#include <isofold/detail/core/chunk.hpp>
#include <request/parameters.hpp>

namespace isofold {
namespace {

// The rows of a request: their lengths, and their elements as the values that folds take.
class Input {
 public:
  Input(const isofold_request& request, const PackedRows* packed)
      : request_(request), packed_(packed) {}

  std::int64_t length(std::int64_t row) const {
    return packed_ != nullptr ? packed_->length(row) : request_.length;
  }
  // Elements [first, first + count) of a row of array `which`, at most a chunk.
  template <class T>
  const T* elements(int which, std::int64_t row, std::int64_t first, int count, T* buffer) const {
    return as_computed(request_, stored(which, row, first, count), count, buffer);
  }

 private:
  const void* stored(int which, std::int64_t row, std::int64_t first, int count) const {
    if (packed_ != nullptr) {
      return packed_->elements(which, row, first, count, room_[which]);
    }
    const void* array = which == 0 ? request_.data : request_.second;
    const std::int64_t stride = which == 0 ? request_.stride : request_.second_stride;
    return static_cast<const char*>(array) + (row * stride + first) * stored_bytes(request_);
  }

  const isofold_request& request_;
  const PackedRows* packed_;
  alignas(8) mutable unsigned char room_[2][core::chunk_elements * sizeof(isofold_c128)];
};

template <class Fold>
typename Fold::state_type fold_chunk(const Fold& fold, const Input& input, std::int64_t row,
                                     std::int64_t first, int count) {
  typename Fold::element_type buffer[Fold::arrays][core::chunk_elements];
  core::Elements<Fold> x;
  x.data = input.elements(0, row, first, count, buffer[0]);
  if constexpr (Fold::arrays == 2) {
    x.second = input.elements(1, row, first, count, buffer[1]);
  }
  return core::fold_chunk(fold, x, first, count);
}

// Node (level, index) over the elements of a row: the definition's recursion, word for word.
// The node exists, so its left child does; a missing right child passes the left one on.
template <class Fold>
typename Fold::state_type fold_node(const Fold& fold, const Input& input, std::int64_t row,
                                    int level, std::int64_t index) {
  const std::int64_t n = input.length(row);
  if (level == 0) {
    const std::int64_t first = index << core::chunk_shift;
    const auto count = static_cast<int>(std::min<std::int64_t>(core::chunk_elements, n - first));
    return fold_chunk(fold, input, row, first, count);
  }
  const auto left = fold_node(fold, input, row, level - 1, 2 * index);
  const std::int64_t right_begin = (2 * index + 1) << (level - 1);
  if (right_begin >= core::chunk_count(n)) {
    return left;
  }
  return fold.combine(left, fold_node(fold, input, row, level - 1, 2 * index + 1));
}

template <class Fold>
void reduce_rows(Fold fold, const isofold_request& request, const Input& input) {
  for (std::int64_t row = 0; row < request.rows; ++row) {
    const std::int64_t n = input.length(row);
    if (n == 0) {
      static_cast<typename Fold::result_type*>(request.result)[row] = fold.empty();
      continue;
    }
    const auto root = fold_node(fold, input, row, core::root_level(core::chunk_count(n)), 0);
    if ((request.flags & ISOFOLD_STATE) != 0) {
      static_cast<typename Fold::state_type*>(request.result)[row] = root;
    } else {
      static_cast<typename Fold::result_type*>(request.result)[row] = fold.finish(root, n);
    }
  }
}

// exact_v1 of a row: every element is added to the words, as docs/exact.md says.
template <class Fold>
typename Fold::state_type exact_words(const Input& input, std::int64_t row) {
  using T = typename Fold::element_type;
  typename Fold::state_type words{};
  T buffer[2][core::chunk_elements];
  const std::int64_t n = input.length(row);
  for (std::int64_t first = 0; first < n; first += core::chunk_elements) {
    const auto count = static_cast<int>(std::min<std::int64_t>(core::chunk_elements, n - first));
    const T* const x = input.elements(0, row, first, count, buffer[0]);
    const T* const y = Fold::arrays == 2 ? input.elements(1, row, first, count, buffer[1]) : x;
    for (int i = 0; i < count; ++i) {
      core::exact::add_element<Fold>(words, x[i], y[i]);
    }
    words.carry();
  }
  return words;
}

template <class Fold>
std::int32_t reduce_rows_exactly(const isofold_request& request, const Input& input,
                                 backend_interface::Report& report) {
  for (std::int64_t row = 0; row < request.rows; ++row) {
    const auto words = exact_words<Fold>(input, row);
    if (const std::int32_t code = write_exact<Fold>(request, row, words, report);
        code != ISOFOLD_ok) {
      return code;
    }
  }
  return ISOFOLD_ok;
}

class ReferenceInstance final : public backend_interface::Instance {
 public:
  std::int32_t reduce(const isofold_request& request,
                      backend_interface::Report& report) noexcept override {
    return request.layout == nullptr ? reduce(request, nullptr, report)
                                     : reduce_packed(request, &request, 1, report, in_turn,
                                                     [&](const PackedRows& packed) {
                                                       return reduce(request, &packed, report);
                                                     });
  }

 private:
  static std::int32_t reduce(const isofold_request& request, const PackedRows* packed,
                             backend_interface::Report& report) {
    const FloatEnvironment environment;
    std::int32_t code = ISOFOLD_ok;
    if (is_exact(request)) {
      visit_exact_case(request.fold, computed_type(request), [&](auto fold) {
        code = reduce_rows_exactly<decltype(fold)>(request, {request, packed}, report);
      });
    } else {
      visit_case(request.fold, computed_type(request), [&](auto fold) {
        reduce_rows(with_parameters(fold, request), request, {request, packed});
      });
    }
    if (request.ran != nullptr) {
      *request.ran = {};
      request.ran->threads = 1;
    }
    return code;
  }
};

class ReferenceBackend final : public HostBackend {
 public:
  const char* name() const noexcept override { return "reference"; }
  bool converts_elements() const noexcept override { return true; }
  bool has_exact() const noexcept override { return true; }
  bool has_shape(std::int32_t) const noexcept override { return true; }
  std::int32_t available(backend_interface::Report& report) noexcept override {
    report.fail(ISOFOLD_ok, "the definition as sequential code");
    return ISOFOLD_ok;
  }
  backend_interface::Instance* open(const isofold_options&, std::int32_t* code,
                                    backend_interface::Report& report) noexcept override {
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
