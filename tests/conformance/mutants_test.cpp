// The suite itself on trial: targets with one planted bug each. A bug that no section notices is a
// hole in the suite. The same target without a bug must pass everything, or the trial proves
// nothing.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <conformance/sections.hpp>

namespace {

using isofold::conformance::CellResult;
using isofold::conformance::Level;
using isofold::conformance::Question;
using isofold::conformance::Section;
using isofold::conformance::Target;

enum class Bug {
  none,
  lost_tail,            // elements after the last whole row of lanes, in long arrays
  lost_last,            // the very last element of a ragged chunk
  doubled_chunk,        // the second chunk counted twice
  skipped_chunk,        // the third chunk forgotten
  swapped_nodes,        // the upper tree pairs (0,2) and (1,3)
  swapped_lanes,        // halving pairs neighbours instead of halves
  missing_child_first,  // an odd node joins its left neighbour early
  plus_zero_padding,    // absent lanes of a sum hold +0
  zero_padding,         // absent lanes hold 0, whatever the fold
  running_sum,          // one element after the other
  narrow_index,         // the count kept in 20 bits
  nan_payload,          // a NaN is returned as it came in
  nan_loses,            // extrema skip NaN, as fmin does
  zeros_are_equal,      // the first of two zeros wins an extremum
  flush_to_zero,        // subnormal results become 0
  stride_ignored,       // rows are taken to be packed
  rounded_pointer,      // data are read from an aligned address
  late_result,          // every 15th result comes from one element less
  never_written,        // results are not written at all
  one_past,             // a second result slot is written
  other_schedule,       // reports another schedule than was forced
  forced_path_only,     // wrong only with two streams
  wrong_empty,          // the empty value is 0 for every fold
  accepts_anything,     // bad requests are answered
  sulks                 // after an error every later call fails
};

struct Mutant {
  Bug bug;
  const char* name;
  std::set<Section> caught_by;  // at least these sections must fail, for some fold and type
};

// A plain evaluation of tree v1 on host memory with one bug; shares no code with the library.
class MutantTarget final : public Target {
 public:
  explicit MutantTarget(Bug bug) : bug_(bug) {}

  std::string name() const override { return "mutant"; }
  bool promises_same_bits() const override { return true; }
  std::string schedule_family() const override { return "openmp"; }
  std::int32_t synchronize() override { return ISOFOLD_ok; }
  std::string last_error() const override { return sentence_; }
  std::string answered_by() const override { return "mutant"; }
  void* allocate(std::size_t bytes) override {
    return std::aligned_alloc(64, (bytes + 127) / 64 * 64);
  }
  void release(void* memory) override { std::free(memory); }
  void copy(void* destination, const void* source, std::size_t bytes) override {
    std::memmove(destination, source, bytes);
  }

  std::int32_t reduce(const isofold_request& request) override {
    const std::int32_t code = bug_ == Bug::sulks && failed_ ? ISOFOLD_internal : refusal(request);
    failed_ = failed_ || code != ISOFOLD_ok;
    if (code != ISOFOLD_ok) {
      sentence_ = "This request is refused, for the reason that its code tells.";
      return code;
    }
    ++calls_;
    isofold::conformance::visit_numbers({request.fold, request.type, Level::quick, 0},
                                        [&](auto numbers) {
                                          using T = typename decltype(numbers)::T;
                                          using R = typename decltype(numbers)::R;
                                          answer<T, R>(request);
                                        });
    if (request.ran != nullptr && request.schedule != nullptr) {
      *request.ran = *request.schedule;
      request.ran->threads = bug_ == Bug::other_schedule ? 1 : request.ran->threads;
    }
    return ISOFOLD_ok;
  }

 private:
  std::int32_t refusal(const isofold_request& request) const {
    if (bug_ == Bug::accepts_anything && request.length > 0 && request.data != nullptr &&
        isofold_result_type(request.fold, request.type) != 0) {
      return ISOFOLD_ok;
    }
    if (isofold_result_type(request.fold, request.type) == 0 || request.definition != 1) {
      return ISOFOLD_unsupported;
    }
    if (request.length < 0 || (request.data == nullptr && request.length > 0 && request.rows > 0)) {
      return ISOFOLD_invalid_argument;
    }
    const auto bytes = static_cast<std::uintptr_t>(isofold_type_bytes(request.type));
    if (request.length > 0 && reinterpret_cast<std::uintptr_t>(request.data) % bytes != 0) {
      return ISOFOLD_misaligned;
    }
    const bool is_extremum =
        request.fold == ISOFOLD_FOLD_minimum || request.fold == ISOFOLD_FOLD_maximum;
    if (request.length == 0 && is_extremum && (request.flags & ISOFOLD_BLOCKING) != 0) {
      return ISOFOLD_empty_input;
    }
    return ISOFOLD_ok;
  }

  template <class T, class R>
  void answer(const isofold_request& request) {
    const auto* data = static_cast<const T*>(request.data);
    auto* results = static_cast<R*>(request.result);
    if (bug_ == Bug::rounded_pointer) {
      data =
          reinterpret_cast<const T*>(reinterpret_cast<std::uintptr_t>(data) & ~std::uintptr_t{7});
    }
    two_streams_ = request.schedule != nullptr && request.schedule->streams == 2;
    const std::int64_t stride = bug_ == Bug::stride_ignored ? request.length : request.stride;
    for (std::int64_t row = 0; row < request.rows; ++row) {
      if (bug_ != Bug::never_written) {
        results[row] = result_of<T, R>(request.fold, data + row * stride, request.length);
      }
    }
    if (bug_ == Bug::one_past && request.shape == ISOFOLD_SHAPE_rows) {
      results[request.rows] = R{0};
    }
  }

  template <class T, class R>
  R result_of(std::int32_t fold, const T* x, std::int64_t n) {
    if (bug_ == Bug::narrow_index) {
      n &= (1 << 20) - 1;
    }
    if (bug_ == Bug::late_result && calls_ % 15 == 0 && n > 1) {
      --n;
    }
    if (n == 0) {
      return empty<R>(fold);
    }
    if (bug_ == Bug::lost_tail && n > 1024 && n % 64 != 0) {
      n -= n % 64;
    }
    if (bug_ == Bug::lost_last && n > 64 && n % 1024 != 0) {
      --n;
    }
    if (bug_ == Bug::forced_path_only && two_streams_ && n > 1) {
      --n;
    }
    R root{};
    if (bug_ == Bug::running_sum) {
      root = lift<R>(x[0]);
      for (std::int64_t i = 1; i < n; ++i) {
        root = combine(fold, root, lift<R>(x[i]));
      }
    } else {
      std::vector<R> nodes;
      for (std::int64_t first = 0; first < n; first += 1024) {
        if (bug_ == Bug::skipped_chunk && first == 2048) {
          continue;
        }
        nodes.push_back(chunk<R>(fold, x + first, std::min<std::int64_t>(1024, n - first)));
      }
      if (bug_ == Bug::doubled_chunk && nodes.size() > 1) {
        nodes[0] = combine(fold, nodes[0], nodes[1]);
      }
      root = upper_tree(fold, nodes);
    }
    return finish(root);
  }

  template <class R, class T>
  R chunk(std::int32_t fold, const T* x, std::int64_t n) {
    std::vector<R> lane;
    for (std::int64_t l = 0; l < 64 && l < n; ++l) {
      R state = lift<R>(x[l]);
      for (std::int64_t i = l + 64; i < n; i += 64) {
        state = combine(fold, state, lift<R>(x[i]));
      }
      lane.push_back(state);
    }
    const bool pads =
        bug_ == Bug::zero_padding || (bug_ == Bug::plus_zero_padding && fold == ISOFOLD_FOLD_sum);
    if (pads) {
      lane.resize(64, R{0});
    }
    if (bug_ == Bug::swapped_lanes) {
      return upper_tree(fold, lane);
    }
    for (std::size_t half = 32; half >= 1; half /= 2) {
      for (std::size_t l = 0; l < half && l + half < lane.size(); ++l) {
        lane[l] = combine(fold, lane[l], lane[l + half]);
      }
    }
    return lane[0];
  }

  template <class R>
  R upper_tree(std::int32_t fold, std::vector<R> nodes) {
    if (bug_ == Bug::swapped_nodes && nodes.size() >= 4) {
      std::swap(nodes[1], nodes[2]);
    }
    while (nodes.size() > 1) {
      std::vector<R> parents;
      std::size_t i = 0;
      for (; i + 1 < nodes.size(); i += 2) {
        parents.push_back(combine(fold, nodes[i], nodes[i + 1]));
      }
      if (i < nodes.size() && bug_ == Bug::missing_child_first) {
        parents.back() = combine(fold, parents.back(), nodes[i]);
      } else if (i < nodes.size()) {
        parents.push_back(nodes[i]);
      }
      nodes = parents;
    }
    return nodes[0];
  }

  template <class R, class T>
  static R lift(T x) {
    return static_cast<R>(x);
  }

  template <class R>
  R combine(std::int32_t fold, R a, R b) const {
    using isofold::conformance::bits_of;
    if constexpr (std::is_floating_point_v<R>) {
      if (fold == ISOFOLD_FOLD_sum) {
        return a + b;
      }
      if (fold == ISOFOLD_FOLD_product) {
        return a * b;
      }
      if (a != a || b != b) {
        if (bug_ == Bug::nan_loses) {
          return a != a ? b : a;
        }
        return a != a ? a : b;
      }
      if (a == 0 && b == 0 && bug_ != Bug::zeros_are_equal) {
        const bool a_negative = bits_of(a) != 0;
        return a_negative == (fold == ISOFOLD_FOLD_minimum) ? a : b;
      }
    } else {
      using U = std::make_unsigned_t<R>;
      if (fold == ISOFOLD_FOLD_sum) {
        return static_cast<R>(static_cast<U>(a) + static_cast<U>(b));
      }
      if (fold == ISOFOLD_FOLD_product) {
        return static_cast<R>(static_cast<U>(a) * static_cast<U>(b));
      }
    }
    return (fold == ISOFOLD_FOLD_minimum ? b < a : a < b) ? b : a;
  }

  template <class R>
  R finish(R root) const {
    if constexpr (std::is_floating_point_v<R>) {
      if (root != root && bug_ != Bug::nan_payload) {
        return isofold::core::canonical_nan<R>();
      }
      if (bug_ == Bug::flush_to_zero && std::abs(root) < std::numeric_limits<R>::min()) {
        return R{0};
      }
    }
    return root;
  }

  template <class R>
  R empty(std::int32_t fold) const {
    if (bug_ == Bug::wrong_empty) {
      return R{0};
    }
    switch (fold) {
      case ISOFOLD_FOLD_sum: return R{0};
      case ISOFOLD_FOLD_product: return R{1};
      case ISOFOLD_FOLD_minimum: return isofold::core::highest<R>();
      default: return isofold::core::lowest<R>();
    }
  }

  Bug bug_;
  bool failed_ = false;
  bool two_streams_ = false;
  std::int64_t calls_ = 0;
  std::string sentence_;
};

constexpr std::int32_t folds[] = {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_product, ISOFOLD_FOLD_minimum,
                                  ISOFOLD_FOLD_maximum};
constexpr std::int32_t types[] = {ISOFOLD_TYPE_f32, ISOFOLD_TYPE_f64, ISOFOLD_TYPE_i32,
                                  ISOFOLD_TYPE_u64};

// Whether some fold and type of the section notices.
bool notices(Bug bug, Section section) {
  for (std::int32_t fold : folds) {
    for (std::int32_t type : types) {
      MutantTarget target(bug);
      const Question question{fold, type, Level::quick, 1};
      if (isofold::conformance::run_section(target, section, question).failures != 0) {
        return true;
      }
    }
  }
  return false;
}

class Mutants : public testing::TestWithParam<Mutant> {};

TEST_P(Mutants, AreCaught) {
  for (Section section : GetParam().caught_by) {
    EXPECT_TRUE(notices(GetParam().bug, section))
        << "the section " << isofold::conformance::name_of(section) << " did not notice";
  }
}

const Mutant mutants[] = {
    {Bug::lost_tail,
     "lost_tail",
     {Section::sizes, Section::exact, Section::golden, Section::rows, Section::schedules}},
    {Bug::lost_last,
     "lost_last",
     {Section::sizes, Section::exact, Section::golden, Section::rows, Section::alignment}},
    {Bug::doubled_chunk,
     "doubled_chunk",
     {Section::sizes, Section::exact, Section::golden, Section::rows}},
    {Bug::skipped_chunk, "skipped_chunk", {Section::sizes, Section::exact, Section::bound}},
    {Bug::swapped_nodes, "swapped_nodes", {Section::sizes, Section::golden, Section::schedules}},
    {Bug::swapped_lanes, "swapped_lanes", {Section::sizes, Section::golden, Section::rows}},
    {Bug::missing_child_first, "missing_child_first", {Section::sizes, Section::golden}},
    {Bug::plus_zero_padding, "plus_zero_padding", {Section::values, Section::golden}},
    {Bug::zero_padding,
     "zero_padding",
     {Section::sizes, Section::values, Section::exact, Section::golden}},
    {Bug::running_sum,
     "running_sum",
     {Section::sizes, Section::golden, Section::rows, Section::alignment}},
    {Bug::nan_payload, "nan_payload", {Section::values, Section::golden, Section::exact}},
    {Bug::nan_loses, "nan_loses", {Section::values, Section::golden, Section::exact}},
    {Bug::zeros_are_equal, "zeros_are_equal", {Section::values, Section::golden, Section::exact}},
    {Bug::flush_to_zero, "flush_to_zero", {Section::values, Section::golden}},
    {Bug::stride_ignored, "stride_ignored", {Section::rows}},
    {Bug::rounded_pointer, "rounded_pointer", {Section::alignment, Section::rows}},
    {Bug::late_result, "late_result", {Section::repeats}},
    {Bug::never_written,
     "never_written",
     {Section::sizes, Section::rows, Section::repeats, Section::exact}},
    {Bug::one_past, "one_past", {Section::rows}},
    {Bug::other_schedule, "other_schedule", {Section::schedules}},
    {Bug::forced_path_only, "forced_path_only", {Section::schedules}},
    {Bug::wrong_empty, "wrong_empty", {Section::refusals, Section::golden}},
    {Bug::accepts_anything, "accepts_anything", {Section::refusals}},
    {Bug::sulks, "sulks", {Section::refusals}},
};

INSTANTIATE_TEST_SUITE_P(Suite, Mutants, testing::ValuesIn(mutants),
                         [](const auto& info) { return std::string(info.param.name); });

// The count that a narrow index loses, at a scale that a test can afford.
TEST(Mutants, NarrowIndexIsCaughtByMarkers) {
  for (Bug bug : {Bug::none, Bug::narrow_index}) {
    CellResult cell;
    isofold::conformance::Judge judge(cell);
    MutantTarget target(bug);
    isofold::conformance::sparse_markers(target,
                                         {ISOFOLD_FOLD_sum, ISOFOLD_TYPE_i32, Level::exhaustive, 1},
                                         (1 << 20) + 1029, judge);
    EXPECT_EQ(cell.comparisons, 1);
    EXPECT_EQ(cell.failures, bug == Bug::none ? 0 : 1) << cell.first_failure;
  }
}

// The control: the same evaluation without a bug passes every section.
TEST(Mutants, WithoutABugNothingFails) {
  for (Section section : isofold::conformance::sections) {
    for (std::int32_t fold : folds) {
      for (std::int32_t type : types) {
        MutantTarget target(Bug::none);
        const CellResult cell =
            isofold::conformance::run_section(target, section, {fold, type, Level::quick, 1});
        EXPECT_EQ(cell.failures, 0)
            << isofold::conformance::name_of(section) << ": " << cell.first_failure;
      }
    }
  }
}

}  // namespace
