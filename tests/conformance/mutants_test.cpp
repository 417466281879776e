// The suite itself on trial: targets with one planted bug each. A bug that no section notices is a
// hole in the suite. A target without a bug must pass everything, or the trial proves nothing.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <conformance/sections.hpp>
#include <isofold/detail/core/chunk.hpp>
#include <request/converted_elements.hpp>

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
  mask_ignored,         // every element of a masked box is taken
  empty_rows_skipped,   // segments without elements get no result
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

// A part of a partial product, whose exponent has no end: fraction · 2^exponent.
template <class V>
struct Partial {
  V fraction;
  long exponent;

  static Partial of(V x, long exponent) {
    if (x == 0 || !std::isfinite(x)) {
      return {x, 0};
    }
    int own = 0;
    const V fraction = std::frexp(x, &own);
    return {fraction, exponent + own};
  }
  V value() const {
    return std::ldexp(fraction, static_cast<int>(std::clamp(exponent, -5000L, 5000L)));
  }
};
template <class V>
Partial<V> operator*(Partial<V> a, Partial<V> b) {
  return Partial<V>::of(a.fraction * b.fraction, a.exponent + b.exponent);
}
template <class V>
Partial<V> operator-(Partial<V> a) {
  return {-a.fraction, a.exponent};
}
// The smaller one loses what the sum cannot hold.
template <class V>
Partial<V> operator+(Partial<V> a, Partial<V> b) {
  const auto counts = [](Partial<V> x) { return x.fraction != 0 && std::isfinite(x.fraction); };
  if (!counts(a) || !counts(b)) {
    return a.fraction == 0 && counts(b)   ? b
           : b.fraction == 0 && counts(a) ? a
                                          : Partial<V>::of(a.fraction + b.fraction, 0);
  }
  const long top = std::max(a.exponent, b.exponent);
  const auto lowered = [top](Partial<V> x) {
    return std::ldexp(x.fraction, static_cast<int>(std::max(x.exponent - top, -5000L)));
  };
  return Partial<V>::of(lowered(a) + lowered(b), top);
}
template <class V>
struct ComplexPartial {
  Partial<V> re;
  Partial<V> im;
};
template <class R>
inline constexpr bool is_partial = false;
template <class V>
inline constexpr bool is_partial<Partial<V>> = true;

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
      sentence_ = std::string("This request is refused, over ") + isofold_type_name(request.type) +
                  ", for the reason that its code tells.";
      return code;
    }
    ++calls_;
    isofold::conformance::visit_numbers(
        {request.fold, request.type, Level::quick, 0}, [&](auto numbers) {
          using T = typename decltype(numbers)::T;
          using R = typename decltype(numbers)::R;
          if constexpr (std::is_same_v<R, isofold::core::wide_t<T>> || std::is_same_v<R, T>) {
            answer<T, R>(request);
          }
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
    if (isofold_result_bytes(request.fold, request.type) == 0 || request.definition != 1 ||
        isofold::is_converted(request)) {
      return ISOFOLD_unsupported;
    }
    if (request.second != nullptr || request.parameters != nullptr) {
      return ISOFOLD_invalid_argument;
    }
    if (request.length < 0 || (request.data == nullptr && request.length > 0 && request.rows > 0)) {
      return ISOFOLD_invalid_argument;
    }
    const auto bytes = static_cast<std::uintptr_t>(isofold::stored_alignment(request.type));
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
    if (request.layout != nullptr) {
      return answer_packed<T, R>(request);
    }
    const std::int64_t stride = bug_ == Bug::stride_ignored ? request.length : request.stride;
    for (std::int64_t row = 0; row < request.rows; ++row) {
      if (bug_ != Bug::never_written) {
        results[row] = result_of<T, R>(request.fold, data + row * stride, request.length);
      }
    }
    if (bug_ == Bug::one_past && request.shape == ISOFOLD_SHAPE_rows) {
      results[request.rows] = R{};
    }
  }

  template <class T, class R>
  void answer_packed(const isofold_request& request) {
    const std::vector<std::vector<T>> rows =
        request.shape == ISOFOLD_SHAPE_box ? rows_of_box<T>(request) : rows_of_lists<T>(request);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const bool skipped = bug_ == Bug::empty_rows_skipped && rows[row].empty();
      if (bug_ != Bug::never_written && !skipped) {
        static_cast<R*>(request.result)[row] = result_of<T, R>(
            request.fold, rows[row].data(), static_cast<std::int64_t>(rows[row].size()));
      }
    }
  }

  template <class T>
  std::vector<std::vector<T>> rows_of_box(const isofold_request& request) const {
    const isofold_layout& layout = *request.layout;
    std::vector<std::vector<T>> rows(static_cast<std::size_t>(request.rows));
    for (std::int64_t i = 0; i < request.rows * request.length; ++i) {
      std::int64_t rest = i;
      std::int64_t row = 0;
      std::int64_t step = 1;
      const T* element = static_cast<const T*>(request.data);
      for (int d = layout.dimensions - 1; d >= 0; --d) {
        const std::int64_t at = rest % layout.extents[d];
        rest /= layout.extents[d];
        element += at * layout.strides[d];
        if ((layout.kept >> d & 1U) != 0) {
          row += at * step;
          step *= layout.extents[d];
        }
      }
      if (is_taken(layout, i)) {
        rows[static_cast<std::size_t>(row)].push_back(*element);
      }
    }
    return rows;
  }
  bool is_taken(const isofold_layout& layout, std::int64_t i) const {
    const auto* mask = static_cast<const unsigned char*>(layout.mask);
    if (mask == nullptr || bug_ == Bug::mask_ignored) {
      return true;
    }
    return layout.mask_type == ISOFOLD_MASK_bytes ? mask[i] != 0
                                                  : (mask[i / 8] >> (i % 8) & 1U) != 0;
  }

  // Segments, gathers, batches, joined or not.
  template <class T>
  static std::vector<std::vector<T>> rows_of_lists(const isofold_request& request) {
    const isofold_layout& layout = *request.layout;
    const auto* data = static_cast<const T*>(request.data);
    const auto entry = [&](const void* list, std::int64_t i) {
      return layout.index_type == ISOFOLD_TYPE_i32
                 ? std::int64_t{static_cast<const std::int32_t*>(list)[i]}
                 : static_cast<const std::int64_t*>(list)[i];
    };
    std::vector<std::vector<T>> rows(static_cast<std::size_t>(request.rows));
    for (std::int64_t r = 0; r < request.rows; ++r) {
      std::vector<T>& row = rows[static_cast<std::size_t>(r)];
      if (request.shape == ISOFOLD_SHAPE_gather) {
        for (std::int64_t i = 0; i < request.length; ++i) {
          row.push_back(data[entry(layout.indices, i)]);
        }
      } else if (request.shape == ISOFOLD_SHAPE_batch) {
        const T* array = static_cast<const T* const*>(request.data)[r];
        row.assign(array, array + entry(layout.ends, r));
      } else if (request.shape == ISOFOLD_SHAPE_joined) {
        for (std::int64_t i = 0; i < request.length; ++i) {
          const T* array = static_cast<const T* const*>(request.data)[i];
          row.insert(row.end(), array, array + entry(layout.ends, i));
        }
      } else if (layout.begins == nullptr) {  // counts alone
        const T* from = data + r * request.stride;
        row.assign(from, from + entry(layout.ends, r));
      } else {
        const std::int64_t end =
            layout.ends != nullptr ? entry(layout.ends, r) : entry(layout.begins, r + 1);
        row.assign(data + entry(layout.begins, r), data + end);
      }
    }
    return rows;
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
    if constexpr (std::is_floating_point_v<R>) {
      if (fold == ISOFOLD_FOLD_product) {
        return finish(root_of<Partial<R>>(fold, x, n).value());
      }
    }
    if constexpr (isofold::core::is_complex<R>) {
      if (fold == ISOFOLD_FOLD_product) {
        const auto root = root_of<ComplexPartial<isofold::core::part_t<R>>>(fold, x, n);
        return finish(R{root.re.value(), root.im.value()});
      }
    }
    return finish(root_of<R>(fold, x, n));
  }

  template <class R, class T>
  R root_of(std::int32_t fold, const T* x, std::int64_t n) {
    R root{};
    if (bug_ == Bug::running_sum) {
      root = lift<R>(element(x, 0));
      for (std::int64_t i = 1; i < n; ++i) {
        root = combine(fold, root, lift<R>(element(x, i)));
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
    return root;
  }

  template <class R, class T>
  R chunk(std::int32_t fold, const T* x, std::int64_t n) {
    std::vector<R> lane;
    for (std::int64_t l = 0; l < 64 && l < n; ++l) {
      R state = lift<R>(element(x, l));
      for (std::int64_t i = l + 64; i < n; i += 64) {
        state = combine(fold, state, lift<R>(element(x, i)));
      }
      lane.push_back(state);
    }
    const bool pads =
        bug_ == Bug::zero_padding || (bug_ == Bug::plus_zero_padding && fold == ISOFOLD_FOLD_sum);
    if (pads) {
      lane.resize(64, R{});
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

  // Arrays begin at any address: an element is read byte by byte.
  template <class T>
  static T element(const T* x, std::int64_t i) {
    T value;
    std::memcpy(&value, reinterpret_cast<const unsigned char*>(x) + i * std::int64_t{sizeof(T)},
                sizeof value);
    return value;
  }

  template <class R, class T>
  static R lift(T x) {
    if constexpr (isofold::core::is_complex<R>) {
      return {x.re, x.im};
    } else if constexpr (isofold::core::is_complex<T>) {
      return {decltype(R::re)::of(x.re, 0), decltype(R::im)::of(x.im, 0)};
    } else if constexpr (is_partial<R>) {
      return R::of(x, 0);
    } else {
      return static_cast<R>(x);
    }
  }

  template <class V>
  isofold::core::Complex<V> combine(std::int32_t, isofold::core::Complex<V> a,
                                    isofold::core::Complex<V> b) const {
    return {a.re + b.re, a.im + b.im};
  }
  template <class V>
  Partial<V> combine(std::int32_t, Partial<V> a, Partial<V> b) const {
    return a * b;
  }
  template <class V>
  ComplexPartial<V> combine(std::int32_t, const ComplexPartial<V>& a,
                            const ComplexPartial<V>& b) const {
    return {a.re * b.re + -(a.im * b.im), a.re * b.im + a.im * b.re};
  }
  template <class R>
  R combine(std::int32_t fold, R a, R b) const {
    using isofold::conformance::bits_of;
    if constexpr (std::is_floating_point_v<R>) {
      if (fold == ISOFOLD_FOLD_sum) {
        return a + b;
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

  template <class V>
  isofold::core::Complex<V> finish(isofold::core::Complex<V> root) const {
    return {finish(root.re), finish(root.im)};
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
      return R{};
    }
    if constexpr (isofold::core::is_complex<R>) {
      return fold == ISOFOLD_FOLD_product ? R{1, 0} : R{};
    } else {
      switch (fold) {
        case ISOFOLD_FOLD_sum: return R{0};
        case ISOFOLD_FOLD_product: return R{1};
        case ISOFOLD_FOLD_minimum: return isofold::core::highest<R>();
        default: return isofold::core::lowest<R>();
      }
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
                                  ISOFOLD_TYPE_u64, ISOFOLD_TYPE_c64};

bool has_case(std::int32_t fold, std::int32_t type) {
  return isofold_result_bytes(fold, type) != 0;
}

// This tells whether some fold and type of the section notices.
bool notices(Bug bug, Section section) {
  for (std::int32_t fold : folds) {
    for (std::int32_t type : types) {
      MutantTarget target(bug);
      const Question question{fold, type, Level::quick, 1};
      if (has_case(fold, type) &&
          isofold::conformance::run_section(target, section, question).failures != 0) {
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

// ---- the folds of several components, two arrays or parameters -------------------------------
// The reference backend behind a target that spoils its requests or its answers in one way.

enum class Slip {
  none,
  narrow_index,        // indices kept in 10 bits
  index_of_array,      // indices of rows counted from the first row
  other_tie,           // of tied elements the other one
  dirty_padding,       // padding of a result not written
  swapped_components,  // minimum and maximum exchanged
  nan_in_component,    // a NaN's payload in a component
  second_shifted,      // the second array read from one element further on
  second_is_first,     // the second array is taken to be the first
  second_stride,       // rows of the second array at the stride of the first
  open_range,          // lo < x instead of lo <= x
  range_kept,          // parameters of an earlier call
  nan_is_zero,         // count_nonzero drops NaNs
  plus_one,            // an absent lane counts
  swapped_merge,       // chunks of moments merged in swapped order
  biased_mean,         // the mean off by its ninth digit
  bound_of_nothing,    // an error bound of 0
  wide_bound,          // an error bound too wide by 2^10
  empty_index,         // the location of no elements has index 0
  takes_anything,      // a second array that no fold wants, parameters that no fold wants
  short_norm,          // norm2 without scaling: overflows
  other_half,          // f16 read as bf16
  unsigned_bytes,      // i8 read as u8
  narrow_accumulator,  // f32 not widened
  short_in_lists,      // the second fold of a list misses the last element
  swapped_parts,       // real and imaginary part exchanged
  other_conjugate,     // the second factor of a dot product conjugated
  nan_spreads,         // a NaN in one part makes one of the other
  nan_in_part,         // a NaN's payload in a part
  annex_g,             // a product of NaNs beside an infinity is an infinity, as C may have it
  plain_modulus,       // squares that overflow and vanish
  larger_part,         // the larger part instead of the modulus
  rough,               // complex elements' results off by their fourth digit
  whole_alignment      // complex elements refused where only their parts are aligned
};

struct SlipCase {
  Slip slip;
  const char* name;
  std::int32_t fold;
  std::set<Section> caught_by;
};

class SlippingTarget final : public Target {
 public:
  explicit SlippingTarget(Slip slip)
      : slip_(slip), reference_(isofold::conformance::library_target("reference")) {}

  std::string name() const override { return "reference"; }
  bool promises_same_bits() const override { return true; }
  std::string schedule_family() const override { return "reference"; }
  std::int32_t synchronize() override { return ISOFOLD_ok; }
  std::string last_error() const override { return reference_->last_error(); }
  std::string answered_by() const override { return reference_->answered_by(); }
  void* allocate(std::size_t bytes) override { return reference_->allocate(bytes); }
  void release(void* memory) override { reference_->release(memory); }
  void copy(void* destination, const void* source, std::size_t bytes) override {
    reference_->copy(destination, source, bytes);
  }

  std::int32_t reduce_fused(const isofold_request* requests, std::int32_t count) override {
    std::int32_t code = ISOFOLD_ok;
    for (std::int32_t i = 0; i < count && code == ISOFOLD_ok; ++i) {
      isofold_request request = requests[i];
      request.length -= slip_ == Slip::short_in_lists && i == 1 && request.length > 1 ? 1 : 0;
      code = reduce(request);
    }
    return code;
  }
  std::int32_t reduce(const isofold_request& request) override {
    isofold_request asked = request;
    spoil(asked);
    const auto bytes = static_cast<std::uintptr_t>(isofold_type_bytes(request.type));
    if (slip_ == Slip::whole_alignment && bytes != 0 &&
        reinterpret_cast<std::uintptr_t>(request.data) % bytes != 0) {
      return ISOFOLD_misaligned;
    }
    const std::int32_t code = reference_->reduce(asked);
    if (code == ISOFOLD_ok) {
      isofold::conformance::visit_numbers(
          {request.fold, request.type, Level::quick, 0}, [&](auto numbers) {
            using T = typename decltype(numbers)::T;
            using R = typename decltype(numbers)::R;
            for (std::int64_t row = 0; row < request.rows; ++row) {
              spoil_result<T>(request, row, static_cast<R*>(request.result)[row]);
            }
          });
    }
    return code;
  }

 private:
  void spoil(isofold_request& request) {
    const std::int64_t bytes = isofold_type_bytes(request.type);
    const bool two = request.second != nullptr && request.length > 0;
    if (slip_ == Slip::second_shifted && two) {
      request.second = static_cast<const char*>(request.second) + bytes;
    } else if (slip_ == Slip::second_is_first && two) {
      request.second = request.data;
      request.second_stride = request.stride;
    } else if (slip_ == Slip::second_stride && two) {
      request.second_stride = request.stride;
    } else if (slip_ == Slip::other_tie && request.fold == ISOFOLD_FOLD_argmin) {
      request.fold = ISOFOLD_FOLD_argmin_last;
    } else if (slip_ == Slip::other_tie && request.fold == ISOFOLD_FOLD_argmax_last) {
      request.fold = ISOFOLD_FOLD_argmax;
    } else if (slip_ == Slip::other_half && request.type == ISOFOLD_TYPE_f16) {
      request.type = ISOFOLD_TYPE_bf16;
    } else if (slip_ == Slip::unsigned_bytes && request.type == ISOFOLD_TYPE_i8) {
      request.type = ISOFOLD_TYPE_u8;
    } else if (slip_ == Slip::narrow_accumulator) {
      request.accumulator = 0;
    } else if (slip_ == Slip::takes_anything) {
      request.second = isofold_fold_arrays(request.fold) == 1 ? nullptr : request.second;
      request.parameters =
          isofold_fold_parameters(request.fold) == 0 ? nullptr : request.parameters;
    } else if (request.parameters != nullptr && request.type == ISOFOLD_TYPE_i32) {
      const auto* range = static_cast<const std::int32_t*>(request.parameters);
      range_[0] = slip_ == Slip::open_range ? range[0] + 1 : range[0];
      range_[1] = slip_ == Slip::range_kept ? range[0] : range[1];
      request.parameters = range_;
    }
  }

  template <class T, class R>
  void spoil_result(const isofold_request& request, std::int64_t row, R& result) {
    namespace core = isofold::core;
    [[maybe_unused]] const auto* x =
        static_cast<const T*>(request.data) + (request.length > 0 ? row * request.stride : 0);
    if constexpr (core::is_complex<T>) {
      spoil_complex(request.fold, x, request.length, result);
    } else if constexpr (std::is_same_v<R, core::LocationBytes<T>>) {
      if (slip_ == Slip::narrow_index && result.index >= 0) {
        result.index &= 1023;
      } else if (slip_ == Slip::index_of_array) {
        result.index += row * request.length;
      } else if (slip_ == Slip::empty_index && request.length == 0) {
        result.index = 0;
      }
      if constexpr (sizeof(T) == 4) {
        result.zero = slip_ == Slip::dirty_padding ? 1 : 0;
      }
    } else if constexpr (!std::is_arithmetic_v<R> && sizeof(R) == 2 * sizeof(T)) {
      auto& [first, second] = result;
      if (slip_ == Slip::swapped_components && request.fold == ISOFOLD_FOLD_minmax) {
        std::swap(first, second);
      } else if (slip_ == Slip::bound_of_nothing) {
        second = 0;
      } else if (slip_ == Slip::wide_bound) {
        second = second * 1024;
      }
      if constexpr (std::is_floating_point_v<T>) {
        if (slip_ == Slip::nan_in_component && second != second) {
          second = -second;
        }
      }
    } else if constexpr (std::is_same_v<R, isofold::Moments>) {
      if (slip_ == Slip::swapped_merge && request.length > 1024) {
        result = merged_in_swapped_order(x, request.length);
      }
    } else if constexpr (std::is_same_v<R, double>) {
      if (slip_ == Slip::biased_mean) {
        result *= 1 + 1e-9;
      }
    } else if constexpr (std::is_same_v<R, std::int64_t>) {
      if (slip_ == Slip::plus_one && request.length % 64 != 0) {
        result += 1;
      }
      if (slip_ == Slip::nan_is_zero && request.fold == ISOFOLD_FOLD_count_nonzero) {
        for (std::int64_t i = 0; i < request.length; ++i) {
          result -= x[i] != x[i] ? 1 : 0;
        }
      }
    }
    if constexpr (std::is_same_v<R, float> && std::is_same_v<T, float>) {
      if (slip_ == Slip::short_norm && request.length > 0) {
        float squares = 0;
        for (std::int64_t i = 0; i < request.length; ++i) {
          squares += x[i] * x[i];
        }
        result = squares <= std::numeric_limits<float>::max() ? result : squares;
      }
    }
  }

  template <class T, class V>
  void spoil_complex(std::int32_t fold, const T* x, std::int64_t n,
                     isofold::core::Complex<V>& result) const {
    const bool nan = result.re != result.re || result.im != result.im;
    if (slip_ == Slip::swapped_parts) {
      std::swap(result.re, result.im);
    } else if (slip_ == Slip::other_conjugate && fold == ISOFOLD_FOLD_dot) {
      result.im = -result.im;
    } else if (slip_ == Slip::nan_spreads && nan) {
      result = {isofold::core::canonical_nan<V>(), isofold::core::canonical_nan<V>()};
    } else if (slip_ == Slip::nan_in_part && result.im != result.im) {
      result.im = -result.im;
    } else if (slip_ == Slip::annex_g && nan && fold == ISOFOLD_FOLD_product) {
      const bool infinite =
          std::any_of(x, x + n, [](const T& z) { return std::isinf(z.re) || std::isinf(z.im); });
      result.re = infinite ? std::numeric_limits<V>::infinity() : result.re;
    } else if (slip_ == Slip::rough) {
      result = {result.re * static_cast<V>(1.0001), result.im * static_cast<V>(1.0001)};
    }
  }
  template <class T, class R, std::enable_if_t<std::is_floating_point_v<R>, int> = 0>
  void spoil_complex(std::int32_t fold, const T* x, std::int64_t n, R& result) const {
    const bool is_maximum = fold == ISOFOLD_FOLD_absolute_maximum && n > 0;
    const auto largest = [&](auto&& of) {
      R most = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        most = std::max(most, of(x[i]));
      }
      return most;
    };
    if (slip_ == Slip::plain_modulus && is_maximum) {
      result = largest([](const T& z) { return std::sqrt(z.re * z.re + z.im * z.im); });
    } else if (slip_ == Slip::larger_part && is_maximum) {
      result = largest([](const T& z) { return std::max(std::fabs(z.re), std::fabs(z.im)); });
    } else if (slip_ == Slip::rough) {
      result *= static_cast<R>(1.0001);
    }
  }

  // The chunks one after the other, each joined with what is right of it.
  template <class T>
  static isofold::Moments merged_in_swapped_order(const T* x, std::int64_t n) {
    const isofold::core::AllMoments<T> fold;
    isofold::core::MomentsState state{};
    for (std::int64_t first = 0; first < n; first += 1024) {
      const auto chunk =
          isofold::core::fold_chunk(fold, {x + first, nullptr}, first,
                                    static_cast<int>(std::min<std::int64_t>(1024, n - first)));
      state = first == 0 ? chunk : fold.combine(chunk, state);
    }
    return fold.finish(state, n);
  }

  Slip slip_;
  std::unique_ptr<Target> reference_;
  std::int32_t range_[2] = {};
};

bool notices(Slip slip, std::int32_t fold, Section section) {
  for (std::int32_t type : types) {
    SlippingTarget target(slip);
    if (has_case(fold, type) &&
        isofold::conformance::run_section(target, section, {fold, type, Level::quick, 1})
                .failures != 0) {
      return true;
    }
  }
  return false;
}

class Slips : public testing::TestWithParam<SlipCase> {};

TEST_P(Slips, AreCaught) {
  for (Section section : GetParam().caught_by) {
    EXPECT_TRUE(notices(GetParam().slip, GetParam().fold, section))
        << "the section " << isofold::conformance::name_of(section) << " did not notice";
    EXPECT_FALSE(notices(Slip::none, GetParam().fold, section)) << "the control failed";
  }
}

const SlipCase slips[] = {
    {Slip::narrow_index,
     "narrow_index",
     ISOFOLD_FOLD_argmax,
     {Section::sizes, Section::exact, Section::golden}},
    {Slip::index_of_array, "index_of_array", ISOFOLD_FOLD_argmin, {Section::rows}},
    {Slip::other_tie,
     "first_tie",
     ISOFOLD_FOLD_argmin,
     {Section::values, Section::exact, Section::golden}},
    {Slip::other_tie,
     "last_tie",
     ISOFOLD_FOLD_argmax_last,
     {Section::values, Section::exact, Section::golden}},
    {Slip::dirty_padding,
     "dirty_padding",
     ISOFOLD_FOLD_argmin,
     {Section::sizes, Section::exact, Section::golden, Section::refusals}},
    {Slip::swapped_components,
     "swapped_components",
     ISOFOLD_FOLD_minmax,
     {Section::sizes, Section::exact, Section::golden, Section::refusals}},
    {Slip::nan_in_component,
     "nan_in_component",
     ISOFOLD_FOLD_minmax,
     {Section::values, Section::exact, Section::golden}},
    {Slip::second_shifted,
     "second_shifted",
     ISOFOLD_FOLD_dot,
     {Section::sizes, Section::exact, Section::golden, Section::alignment, Section::bound}},
    {Slip::second_is_first,
     "second_is_first",
     ISOFOLD_FOLD_dot,
     {Section::sizes, Section::exact, Section::golden, Section::rows, Section::bound}},
    {Slip::second_is_first,
     "no_distance",
     ISOFOLD_FOLD_squared_distance,
     {Section::sizes, Section::exact, Section::golden, Section::rows, Section::bound}},
    {Slip::second_stride, "second_stride", ISOFOLD_FOLD_dot, {Section::rows}},
    {Slip::open_range, "open_range", ISOFOLD_FOLD_count_in_range, {Section::exact}},
    {Slip::range_kept,
     "range_kept",
     ISOFOLD_FOLD_count_in_range,
     {Section::sizes, Section::exact, Section::golden}},
    {Slip::plus_one,
     "plus_one",
     ISOFOLD_FOLD_count_nonzero,
     {Section::sizes, Section::exact, Section::golden}},
    {Slip::nan_is_zero,
     "nan_is_zero",
     ISOFOLD_FOLD_count_nonzero,
     {Section::values, Section::exact, Section::golden}},
    {Slip::swapped_merge, "swapped_merge", ISOFOLD_FOLD_moments, {Section::sizes, Section::golden}},
    {Slip::biased_mean,
     "biased_mean",
     ISOFOLD_FOLD_mean,
     {Section::sizes, Section::exact, Section::golden, Section::bound}},
    {Slip::biased_mean,
     "biased_variance",
     ISOFOLD_FOLD_variance,
     {Section::sizes, Section::exact, Section::golden, Section::bound}},
    {Slip::bound_of_nothing,
     "bound_of_nothing",
     ISOFOLD_FOLD_sum_with_bound,
     {Section::sizes, Section::golden, Section::bound}},
    {Slip::bound_of_nothing,
     "bound_of_no_product",
     ISOFOLD_FOLD_dot_with_bound,
     {Section::sizes, Section::golden, Section::bound}},
    {Slip::wide_bound,
     "wide_bound",
     ISOFOLD_FOLD_mean_with_bound,
     {Section::sizes, Section::golden, Section::bound}},
    {Slip::empty_index, "empty_index", ISOFOLD_FOLD_argmax, {Section::refusals}},
    {Slip::takes_anything, "takes_anything", ISOFOLD_FOLD_sum, {Section::refusals}},
    {Slip::other_half, "other_half", ISOFOLD_FOLD_sum, {Section::conversions}},
    {Slip::unsigned_bytes, "unsigned_bytes", ISOFOLD_FOLD_maximum, {Section::conversions}},
    {Slip::narrow_accumulator, "narrow_accumulator", ISOFOLD_FOLD_sum, {Section::conversions}},
    {Slip::short_in_lists, "short_in_lists", ISOFOLD_FOLD_sum, {Section::fused}},
    {Slip::short_norm, "short_norm", ISOFOLD_FOLD_norm2, {Section::values, Section::golden}},
    {Slip::swapped_parts,
     "swapped_parts",
     ISOFOLD_FOLD_sum,
     {Section::sizes, Section::exact, Section::golden, Section::bound}},
    {Slip::swapped_parts,
     "swapped_parts_of_products",
     ISOFOLD_FOLD_product,
     {Section::sizes, Section::exact, Section::golden, Section::bound, Section::refusals}},
    {Slip::other_conjugate,
     "other_conjugate",
     ISOFOLD_FOLD_dot,
     {Section::sizes, Section::exact, Section::golden, Section::bound}},
    {Slip::nan_spreads, "nan_spreads", ISOFOLD_FOLD_sum, {Section::values, Section::golden}},
    {Slip::nan_in_part, "nan_in_part", ISOFOLD_FOLD_sum, {Section::values, Section::golden}},
    {Slip::annex_g, "annex_g", ISOFOLD_FOLD_product, {Section::values, Section::golden}},
    {Slip::plain_modulus,
     "plain_modulus",
     ISOFOLD_FOLD_absolute_maximum,
     {Section::values, Section::golden}},
    {Slip::larger_part,
     "larger_part",
     ISOFOLD_FOLD_absolute_maximum,
     {Section::sizes, Section::exact, Section::golden, Section::bound}},
    {Slip::rough, "rough_sum", ISOFOLD_FOLD_sum, {Section::bound}},
    {Slip::rough, "rough_product", ISOFOLD_FOLD_product, {Section::bound}},
    {Slip::rough, "rough_dot", ISOFOLD_FOLD_dot, {Section::bound}},
    {Slip::rough, "rough_distance", ISOFOLD_FOLD_squared_distance, {Section::bound}},
    {Slip::rough, "rough_norm1", ISOFOLD_FOLD_norm1, {Section::bound}},
    {Slip::rough, "rough_norm2", ISOFOLD_FOLD_norm2, {Section::bound}},
    {Slip::rough, "rough_maximum", ISOFOLD_FOLD_absolute_maximum, {Section::bound}},
    {Slip::whole_alignment,
     "whole_alignment",
     ISOFOLD_FOLD_norm1,
     {Section::alignment, Section::refusals}},
};

INSTANTIATE_TEST_SUITE_P(Suite, Slips, testing::ValuesIn(slips),
                         [](const auto& info) { return std::string(info.param.name); });

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
    {Bug::mask_ignored, "mask_ignored", {Section::shapes}},
    {Bug::empty_rows_skipped, "empty_rows_skipped", {Section::shapes}},
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

// Markers of the other folds: right ones pass, and an index that wraps does not.
TEST(Mutants, MarkersOfOtherFolds) {
  const auto failures_of = [](Slip slip, std::int32_t fold, std::int32_t type) {
    CellResult cell;
    isofold::conformance::Judge judge(cell, fold, type);
    SlippingTarget target(slip);
    isofold::conformance::sparse_markers(target, {fold, type, Level::exhaustive, 1},
                                         (1 << 20) + 1029, judge);
    EXPECT_EQ(cell.comparisons, 1) << isofold_fold_name(fold) << cell.skipped;
    return cell.failures;
  };
  const auto failures = [&](Slip slip, std::int32_t fold) {
    return failures_of(slip, fold,
                       has_case(fold, ISOFOLD_TYPE_i32) ? ISOFOLD_TYPE_i32 : ISOFOLD_TYPE_f32);
  };
  for (std::int32_t fold : {ISOFOLD_FOLD_argmin, ISOFOLD_FOLD_argmax, ISOFOLD_FOLD_argmin_last,
                            ISOFOLD_FOLD_argmax_last, ISOFOLD_FOLD_bit_or, ISOFOLD_FOLD_bit_xor,
                            ISOFOLD_FOLD_count_nonzero, ISOFOLD_FOLD_norm1, ISOFOLD_FOLD_dot}) {
    EXPECT_EQ(failures(Slip::none, fold), 0) << isofold_fold_name(fold);
  }
  EXPECT_EQ(failures(Slip::narrow_index, ISOFOLD_FOLD_argmax), 1);
  EXPECT_EQ(failures(Slip::plus_one, ISOFOLD_FOLD_count_nonzero), 1);
  for (std::int32_t fold :
       {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_product, ISOFOLD_FOLD_norm1, ISOFOLD_FOLD_dot}) {
    EXPECT_EQ(failures_of(Slip::none, fold, ISOFOLD_TYPE_c64), 0) << isofold_fold_name(fold);
    EXPECT_EQ(failures_of(Slip::rough, fold, ISOFOLD_TYPE_c64), 1) << isofold_fold_name(fold);
  }
}

// The control: the same evaluation without a bug passes every section.
TEST(Mutants, WithoutABugNothingFails) {
  for (Section section : isofold::conformance::sections) {
    if (section == Section::shapes || section == Section::fused) {
      continue;  // the plain evaluation has arrays and rows of a few folds only
    }
    for (std::int32_t fold : folds) {
      for (std::int32_t type : types) {
        if (!has_case(fold, type)) {
          continue;
        }
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
