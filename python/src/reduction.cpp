#include "reduction.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "reducers.hpp"

namespace isofold_python {

std::int64_t piece_elements = std::int64_t{1} << 27;

namespace {

// Below so many elements another thread gains nothing from the lock that a call would give up.
constexpr std::int64_t least_to_release = 8192;

// This tells whether a call that has no elements has no value, either (docs/folds.md).
bool needs_elements(std::int32_t fold) {
  return fold >= ISOFOLD_FOLD_minimum && fold <= ISOFOLD_FOLD_argminmax;
}

class ReleasedLock {
 public:
  explicit ReleasedLock(bool release) : state_(release ? PyEval_SaveThread() : nullptr) {}
  ReleasedLock(const ReleasedLock&) = delete;
  ReleasedLock& operator=(const ReleasedLock&) = delete;
  ~ReleasedLock() {
    if (state_ != nullptr) {
      PyEval_RestoreThread(state_);
    }
  }

 private:
  PyThreadState* state_;
};

void handle_signals() {
  if (PyErr_CheckSignals() != 0) {
    throw nb::python_error();
  }
}

struct ForestDeleter {
  isofold_forest* forest = nullptr;
  ~ForestDeleter() { isofold_forest_destroy(forest); }
};

}  // namespace

Reduction::Reduction(const Array& x, const Array* y, const Array* mask, const bool* reduced,
                     Parts parts)
    : x_(x), data_(x.data), type_(element_type(x.dtype)), bytes_(dtype_bytes(x.dtype)) {
  const bool in_parts = parts != Parts::whole && is_complex(x.dtype);
  const std::int64_t scale = in_parts ? 2 : 1;
  if (in_parts) {
    type_ = x.dtype == ISOFOLD_TYPE_c64 ? ISOFOLD_TYPE_f32 : ISOFOLD_TYPE_f64;
    bytes_ /= 2;
  }
  second_ = y != nullptr ? y->data : nullptr;
  mask_ = mask != nullptr ? mask->data : nullptr;
  for (int d = 0; d < x.dimensions; ++d) {
    const int m = mask != nullptr ? d - (x.dimensions - mask->dimensions) : -1;
    const std::int64_t mask_stride = m >= 0 && mask->extents[m] != 1 ? mask->strides[m] : 0;
    append({x.extents[d], x.strides[d] * scale, y != nullptr ? y->strides[d] * scale : 0,
            mask_stride, !reduced[d]});
  }
  if (in_parts) {
    append({2, 1, 1, 0, parts == Parts::kept});
  }
  count_rows();
}

// Adds an axis inside of those that are there, as a continuation of the innermost one if it is one.
void Reduction::append(const Axis& axis) {
  if (axis.extent == 1) {
    return;
  }
  if (count_ > 0 && axes_[count_ - 1].continues(axis)) {
    Axis& outer = axes_[count_ - 1];
    outer = {outer.extent * axis.extent, axis.x, axis.y, axis.mask, axis.kept};
    return;
  }
  axes_[count_++] = axis;
}

void Reduction::count_rows() {
  rows_ = 1;
  length_ = 1;
  for (int a = 0; a < count_; ++a) {
    (axes_[a].kept ? rows_ : length_) *= axes_[a].extent;
  }
}

isofold_request Reduction::request(isofold_layout& layout) const {
  isofold_request request{};
  request.size = sizeof request;
  request.type = type_;
  request.data = data_;
  request.second = second_;
  request.rows = rows_;
  request.length = length_;
  const Axis* const inner = count_ > 0 ? &axes_[count_ - 1] : nullptr;
  const bool contiguous =
      inner == nullptr || (!inner->kept && inner->x == 1 && (second_ == nullptr || inner->y == 1));
  if (length_ == 0 || (mask_ == nullptr && contiguous && (count_ == 0 || count_ == 1))) {
    request.shape = rows_ == 1 ? ISOFOLD_SHAPE_array : ISOFOLD_SHAPE_rows;
    request.stride = length_;
    request.second_stride = second_ != nullptr ? length_ : 0;
    return request;
  }
  if (mask_ == nullptr && contiguous && count_ == 2 && axes_[0].kept && axes_[0].x >= length_ &&
      (second_ == nullptr || axes_[0].y >= length_)) {
    request.shape = ISOFOLD_SHAPE_rows;
    request.stride = axes_[0].x;
    request.second_stride = axes_[0].y;
    return request;
  }
  request.shape = ISOFOLD_SHAPE_box;
  request.layout = &layout;
  std::memset(&layout, 0, sizeof layout);
  layout.size = sizeof layout;
  layout.dimensions = std::max(count_, 1);
  layout.extents[0] = 1;
  std::int64_t packed = 1;
  bool packed_mask = true;
  for (int a = count_; a-- > 0;) {
    layout.extents[a] = axes_[a].extent;
    layout.strides[a] = axes_[a].x;
    layout.second_strides[a] = second_ != nullptr ? axes_[a].y : 0;
    layout.mask_strides[a] = axes_[a].mask;
    layout.kept |= axes_[a].kept ? 1U << static_cast<unsigned>(a) : 0U;
    packed_mask = packed_mask && axes_[a].mask == packed;
    packed *= axes_[a].extent;
  }
  layout.mask = mask_;
  if (mask_ == nullptr || packed_mask) {
    std::memset(layout.mask_strides, 0, sizeof layout.mask_strides);
    layout.mask_type = mask_ == nullptr ? 0 : ISOFOLD_MASK_bytes;
  } else {
    layout.mask_type = ISOFOLD_MASK_strided_bytes;
  }
  return request;
}

void Reduction::reduce(const Job* jobs, int count, std::int32_t flags) const {
  isofold_layout layout;
  isofold_request requests[ISOFOLD_MOST_FUSED];
  requests[0] = request(layout);
  for (int j = 0; j < count; ++j) {
    requests[j] = requests[0];
    requests[j].fold = jobs[j].fold;
    requests[j].definition = jobs[j].definition;
    requests[j].result = jobs[j].result;
    requests[j].accumulator = jobs[j].accumulator;
    requests[j].flags = flags;
    if (isofold_fold_arrays(jobs[j].fold) == 1) {
      requests[j].second = nullptr;
      requests[j].second_stride = 0;
    }
  }
  isofold_reducer* const reducer = reducer_for(x_);
  std::int32_t code = ISOFOLD_ok;
  {
    const ReleasedLock released(!x_.on_host() || rows_ * length_ >= least_to_release);
    code = count == 1 ? isofold_reduce(reducer, requests)
                      : isofold_reduce_fused(reducer, requests, count);
  }
  check(code);
}

void Reduction::run(const Job* jobs, int count, bool allow_empty) const {
  if (rows_ == 0) {
    return;
  }
  if (x_.on_host() && count == 1 && rows_ * length_ > piece_elements && run_in_pieces(jobs[0])) {
    return;
  }
  bool blocking = x_.on_host() && rows_ == 1 && mask_ != nullptr && !allow_empty;
  for (int j = 0; j < count; ++j) {
    blocking = blocking && needs_elements(jobs[j].fold);
  }
  reduce(jobs, count, blocking ? ISOFOLD_BLOCKING : 0);
}

void Reduction::run_words(std::int32_t fold, std::int32_t accumulator, std::int64_t* words) const {
  if (rows_ == 0) {
    return;
  }
  const Job job{fold, ISOFOLD_DEFINITION_exact_v1, words, accumulator};
  if (rows_ == 1 && length_ == 0) {  // the state of nothing is zeros
    std::fill_n(words, isofold_exact_words(fold, accumulator != 0 ? accumulator : type_), 0);
    return;
  }
  reduce(&job, 1, (x_.on_host() ? 0 : ISOFOLD_BLOCKING) | ISOFOLD_STATE);
}

void Reduction::raise_empty(std::int32_t fold, std::int32_t type) {
  if (!needs_elements(fold)) {
    return;
  }
  std::int64_t nothing[8];
  isofold_request request{};
  request.size = sizeof request;
  request.definition = ISOFOLD_DEFINITION_tree_v1;
  request.fold = fold;
  request.type = type;
  request.shape = ISOFOLD_SHAPE_array;
  request.flags = ISOFOLD_BLOCKING;
  request.rows = 1;
  request.result = nothing;
  check(isofold_reduce(host_reducer(), &request));
}

// ---- pieces
// ---------------------------------------------------------------------------------------------------

Reduction Reduction::piece(int axis, std::int64_t begin, std::int64_t end) const {
  Reduction part = *this;
  part.data_ += begin * axes_[axis].x * bytes_;
  if (second_ != nullptr) {
    part.second_ += begin * axes_[axis].y * bytes_;
  }
  if (mask_ != nullptr) {
    part.mask_ += begin * axes_[axis].mask;
  }
  part.axes_[axis].extent = end - begin;
  part.count_rows();
  return part;
}

bool Reduction::run_in_pieces(const Job& job) const {
  if (count_ == 0 || axes_[0].extent < 2) {
    return false;
  }
  const std::int64_t pieces =
      std::min((rows_ * length_ + piece_elements - 1) / piece_elements, axes_[0].extent);
  if (axes_[0].kept) {
    run_rows_in_pieces(job, pieces);
    return true;
  }
  return rows_ == 1 && run_row_in_pieces(job, pieces);
}

void Reduction::run_rows_in_pieces(const Job& job, std::int64_t pieces) const {
  const std::int64_t inner_rows = rows_ / axes_[0].extent;
  const std::int64_t bytes =
      job.definition == ISOFOLD_DEFINITION_exact_v1 && job.fold == ISOFOLD_FOLD_mean
          ? 8
          : isofold_result_bytes(job.fold, job.accumulator != 0 ? job.accumulator : type_);
  for (std::int64_t p = 0; p < pieces; ++p) {
    const std::int64_t begin = axes_[0].extent * p / pieces;
    Job own = job;
    own.result = static_cast<char*>(job.result) + begin * inner_rows * bytes;
    piece(0, begin, axes_[0].extent * (p + 1) / pieces).reduce(&own, 1, 0);
    handle_signals();
  }
}

// Partial results of one row: words of exact_v1, or the nodes of a Forest. False for other folds
// and layouts, which are reduced at once.
bool Reduction::run_row_in_pieces(const Job& job, std::int64_t pieces) const {
  const std::int32_t type = job.accumulator != 0 ? job.accumulator : type_;
  const std::int32_t words =
      job.definition == ISOFOLD_DEFINITION_exact_v1 ? isofold_exact_words(job.fold, type) : 0;
  if (words > 0) {
    std::vector<std::int64_t> total(static_cast<std::size_t>(words));
    std::vector<std::int64_t> part(static_cast<std::size_t>(words));
    for (std::int64_t p = 0; p < pieces; ++p) {
      piece(0, axes_[0].extent * p / pieces, axes_[0].extent * (p + 1) / pieces)
          .run_words(job.fold, job.accumulator, part.data());
      check(isofold_exact_merge(job.fold, type, total.data(), part.data(), 1));
      handle_signals();
    }
    check(isofold_exact_finish(job.fold, type, total.data(), job.result));
    return true;
  }
  const bool one_array =
      isofold_fold_arrays(job.fold) == 1 && isofold_fold_parameters(job.fold) == 0;
  if (mask_ != nullptr || count_ != 1 || axes_[0].x != 1 || job.accumulator != 0 || !one_array) {
    return false;
  }
  ForestDeleter owner;
  check(isofold_forest_create(job.fold, type_, length_, &owner.forest));
  // Pieces of whole subtrees leave no loose elements to keep.
  const std::int64_t step = std::max<std::int64_t>((length_ / pieces) & ~std::int64_t{1023}, 1024);
  for (std::int64_t begin = 0; begin < length_; begin += step) {
    const std::int64_t count = std::min(step, length_ - begin);
    isofold_reducer* const reducer = host_reducer();
    std::int32_t code = ISOFOLD_ok;
    {
      const ReleasedLock released(true);
      code = isofold_forest_add(owner.forest, reducer, data_ + begin * bytes_, begin, count);
    }
    check(code);
    handle_signals();
  }
  check(isofold_forest_finish(owner.forest, job.result));
  return true;
}

}  // namespace isofold_python
