// exact_v1 on emulated GPUs: words and results are the reference's, bit for bit, for every fold,
// type, shape and kind of data.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <deque>
#include <iterator>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <isofold/isofold.hpp>

#include "emulated_vendor.hpp"

namespace {

using Bytes = std::vector<unsigned char>;
using Folds = std::vector<std::int32_t>;

std::mt19937_64& generator() {
  static std::mt19937_64 engine(7);
  return engine;
}

// The kinds of data that windows, budgets and roundings meet.
enum class Kind {
  ordinary,
  all_exponents,
  some_exponents,
  subnormal,
  minus_zero,
  not_finite,
  outliers,
  below_two,  // an ulp, all of one sign: accumulators get as far as they can
  near_overflow,
  cancelling,
  zeros,
  rising,    // scales that differ from warp to warp
  half_way,  // 64 elements are half an ulp from a number, and a little more or less
  count
};

template <class P>
P number(Kind kind, std::int64_t i) {
  auto& g = generator();
  constexpr bool is_f32 = sizeof(P) == 4;
  constexpr int lowest = is_f32 ? -126 : -1022;
  constexpr int highest = is_f32 ? 127 : 1023;
  const double magnitude = std::ldexp(static_cast<double>(g() >> 11), -53) + 1;
  const double x = (g() & 1) != 0 ? -magnitude : magnitude;
  const auto scaled = [&](int exponent) { return static_cast<P>(std::ldexp(x, exponent)); };
  switch (kind) {
    case Kind::all_exponents: return scaled(static_cast<int>(g() % (highest - lowest)) + lowest);
    case Kind::some_exponents: return scaled(static_cast<int>(g() % 140) - 70);
    case Kind::subnormal: return scaled(lowest - static_cast<int>(g() % 20));
    case Kind::minus_zero: return static_cast<P>(-0.0);
    case Kind::not_finite:
      if (g() % 1000 == 0) {
        constexpr P infinity = std::numeric_limits<P>::infinity();
        return g() % 3 == 0   ? std::numeric_limits<P>::quiet_NaN()
               : g() % 2 == 0 ? infinity
                              : -infinity;
      }
      return static_cast<P>(x);
    case Kind::outliers: return scaled(g() % 500 == 0 ? (is_f32 ? 90 : 600) : 0);
    case Kind::below_two: return std::nextafter(P{2}, P{0});
    case Kind::near_overflow: return scaled(highest - static_cast<int>(g() % 3));
    case Kind::cancelling: {
      static P last = 0;
      last = i % 2 == 0 ? scaled(static_cast<int>(g() % 60)) : -last;
      return last;
    }
    case Kind::rising: return scaled(static_cast<int>(i / 300 % 24));
    case Kind::half_way:
      return i % 64 == 0   ? P{1}
             : i % 64 == 1 ? std::numeric_limits<P>::epsilon() / 2
             : i % 64 == 2 ? static_cast<P>(std::ldexp(i % 128 == 2 ? -1 : 1, -72))
                           : P{0};
    case Kind::zeros: return g() % 4 != 0 ? P{0} : scaled(is_f32 ? -70 : -500);
    default: return static_cast<P>(x);
  }
}

Bytes elements(std::int32_t type, std::int64_t n, Kind kind) {
  Bytes bytes(static_cast<std::size_t>(n * isofold_type_bytes(type)));
  const auto fill = [&](auto part) {
    using P = decltype(part);
    const auto count = static_cast<std::int64_t>(bytes.size() / sizeof(P));
    for (std::int64_t i = 0; i < count; ++i) {
      P x{};
      if constexpr (std::is_floating_point_v<P>) {
        x = number<P>(kind, i);
      } else {
        const bool small = kind != Kind::all_exponents;
        x = static_cast<P>(small ? generator()() % 1000 : generator()());
      }
      std::memcpy(bytes.data() + i * static_cast<std::int64_t>(sizeof(P)), &x, sizeof x);
    }
  };
  switch (type) {
    case ISOFOLD_TYPE_f32:
    case ISOFOLD_TYPE_c64: fill(float{}); break;
    case ISOFOLD_TYPE_f64:
    case ISOFOLD_TYPE_c128: fill(double{}); break;
    case ISOFOLD_TYPE_f16:
    case ISOFOLD_TYPE_bf16: {
      fill(std::uint16_t{});
      break;
    }
    case ISOFOLD_TYPE_i8:
    case ISOFOLD_TYPE_u8: fill(std::uint8_t{}); break;
    case ISOFOLD_TYPE_i16:
    case ISOFOLD_TYPE_u16: fill(std::uint16_t{}); break;
    case ISOFOLD_TYPE_i32:
    case ISOFOLD_TYPE_u32: fill(std::uint32_t{}); break;
    default: fill(std::uint64_t{}); break;
  }
  return bytes;
}

// A request with all that it points to, in host memory.
struct Input {
  isofold_request request{};
  isofold_layout layout{};
  bool has_layout = false;
  Bytes data;
  Bytes second;
  std::int64_t offset = 0;  // bytes from the data's beginning to the first element
  Bytes mask;
  Bytes begins;
  Bytes ends;
  Bytes indices;
  std::vector<std::int64_t> arrays;  // of a batch: where each begins, in elements
};

template <class T>
Bytes bytes_of(const std::vector<T>& x) {
  Bytes bytes(x.size() * sizeof(T));
  std::memcpy(bytes.data(), x.data(), bytes.size());
  return bytes;
}

// Memory of a backend; nullptr: the host's.
class Memory {
 public:
  Memory(const char* backend, const Bytes& content)
      : backend_(backend), host_(content), bytes_(content.size()) {
    if (backend_ != nullptr && bytes_ > 0) {
      EXPECT_EQ(ISOFOLD_ok, isofold_allocate(backend_, 0, bytes_, &device_));
      EXPECT_EQ(ISOFOLD_ok, isofold_copy(backend_, 0, device_, host_.data(), bytes_));
    }
  }
  ~Memory() {
    if (device_ != nullptr) {
      isofold_release(backend_, 0, device_);
    }
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  void* at(std::int64_t offset = 0) {
    if (bytes_ == 0) {
      return nullptr;
    }
    return (backend_ != nullptr ? static_cast<unsigned char*>(device_) : host_.data()) + offset;
  }
  Bytes content() {
    if (device_ != nullptr) {
      EXPECT_EQ(ISOFOLD_ok, isofold_copy(backend_, 0, host_.data(), device_, bytes_));
    }
    return host_;
  }

 private:
  const char* backend_;
  Bytes host_;
  std::size_t bytes_;
  void* device_ = nullptr;
};

struct Answer {
  std::int32_t code = ISOFOLD_ok;
  Bytes bytes;
};

class Runner {
 public:
  explicit Runner(const char* backend) : name_(backend) {
    isofold_options options{};
    options.size = sizeof options;
    options.backend = backend;
    options.device = -1;
    options.validate = 1;
    EXPECT_EQ(ISOFOLD_ok, isofold_create(&options, &reducer_)) << isofold_last_error();
  }
  ~Runner() { isofold_destroy(reducer_); }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  bool is_host() const { return std::string(name_) == "reference"; }

  // The request's fold, or several folds in one call, whose bytes follow one another.
  Answer run(const Input& input, bool words, bool blocking, const Folds& folds = {}) {
    const char* const where = is_host() ? nullptr : name_;
    isofold_request request = input.request;
    isofold_layout layout = input.layout;
    Memory data(where, input.data);
    Memory second(where, input.second);
    Memory mask(where, input.mask);
    Memory begins(where, input.begins);
    Memory ends(where, input.ends);
    Memory indices(where, input.indices);
    const auto pointers = [&](Memory& of) {
      std::vector<const void*> list;
      for (const std::int64_t first : input.arrays) {
        list.push_back(of.at(first * isofold_type_bytes(request.type)));
      }
      return bytes_of(list);
    };
    Memory lists[] = {{where, pointers(data)}, {where, pointers(second)}};
    const bool is_batch = !input.arrays.empty();
    request.data = is_batch ? lists[0].at() : data.at(input.offset);
    request.second = input.second.empty() ? nullptr
                     : is_batch           ? lists[1].at()
                                          : second.at(input.offset);
    layout.mask = mask.at();
    layout.begins = begins.at();
    layout.ends = ends.at();
    layout.indices = indices.at();
    request.layout = input.has_layout ? &layout : nullptr;
    request.flags |= (words ? ISOFOLD_STATE : 0) | (blocking ? ISOFOLD_BLOCKING : 0);
    std::vector<isofold_request> requests;
    std::deque<Memory> results;
    for (const std::int32_t fold : folds.empty() ? Folds{request.fold} : folds) {
      requests.push_back(request);
      isofold_request& one = requests.back();
      one.fold = fold;
      if (isofold_fold_arrays(fold) == 1) {
        one.second = nullptr;
        one.second_stride = 0;
      }
      const std::int64_t bytes =
          words ? 8 * isofold_exact_words(fold, computed(one)) : result_bytes(one);
      results.emplace_back(blocking ? nullptr : where,
                           Bytes(static_cast<std::size_t>(one.rows * bytes), 0x5a));
      one.result = results.back().at();
    }
    Answer answer;
    answer.code = folds.empty() ? isofold_reduce(reducer_, requests.data())
                                : isofold_reduce_fused(reducer_, requests.data(),
                                                       static_cast<std::int32_t>(requests.size()));
    if (answer.code == ISOFOLD_ok && !is_host()) {
      answer.code = isofold_synchronize(reducer_);
    }
    last_error_ = answer.code != ISOFOLD_ok ? isofold_last_error() : "";
    for (Memory& result : results) {
      const Bytes bytes = result.content();
      answer.bytes.insert(answer.bytes.end(), bytes.begin(), bytes.end());
    }
    return answer;
  }
  const std::string& last_error() const { return last_error_; }

  static std::int32_t computed(const isofold_request& request) {
    if (request.accumulator != 0) {
      return ISOFOLD_TYPE_f64;
    }
    switch (request.type) {
      case ISOFOLD_TYPE_f16:
      case ISOFOLD_TYPE_bf16: return ISOFOLD_TYPE_f32;
      case ISOFOLD_TYPE_i8:
      case ISOFOLD_TYPE_i16: return ISOFOLD_TYPE_i32;
      case ISOFOLD_TYPE_u8:
      case ISOFOLD_TYPE_u16: return ISOFOLD_TYPE_u32;
      default: return request.type;
    }
  }
  static std::int64_t result_bytes(const isofold_request& request) {
    const std::int64_t bytes = isofold_result_bytes(request.fold, computed(request));
    return bytes > 0 ? bytes : 8;
  }

 private:
  const char* name_;
  isofold_reducer* reducer_ = nullptr;
  std::string last_error_;
};

Input array_of(std::int32_t fold, std::int32_t type, std::int64_t n, Kind kind) {
  Input input;
  input.request.size = sizeof input.request;
  input.request.definition = ISOFOLD_DEFINITION_exact_v1;
  input.request.fold = fold;
  input.request.type = type;
  input.request.shape = ISOFOLD_SHAPE_array;
  input.request.rows = 1;
  input.request.length = n;
  input.request.stride = n;
  input.data = elements(type, n, kind);
  if (isofold_fold_arrays(fold) == 2) {
    input.request.second_stride = n;
    input.second = elements(type, n, generator()() % 3 != 0 ? kind : Kind::ordinary);
  }
  return input;
}

constexpr std::int32_t computed_types[] = {ISOFOLD_TYPE_f32, ISOFOLD_TYPE_f64, ISOFOLD_TYPE_i32,
                                           ISOFOLD_TYPE_i64, ISOFOLD_TYPE_u32, ISOFOLD_TYPE_u64,
                                           ISOFOLD_TYPE_c64, ISOFOLD_TYPE_c128};

class Exactly : public testing::TestWithParam<const char*> {
 protected:
  // Words and results, both ways.
  void check(const Input& input, const std::string& what) {
    for (const bool words : {true, false}) {
      const bool one = input.request.rows == 1;
      const bool blocking = one && ++turn_ % 2 == 0;
      const Answer wanted = reference_.run(input, words, blocking);
      const Answer found = gpu_.run(input, words, blocking);
      const std::string place =
          what + (words ? ", words" : ", result") + (blocking ? ", blocking" : "") + ": fold " +
          isofold_fold_name(input.request.fold) + " over " + isofold_type_name(input.request.type);
      ASSERT_EQ(wanted.code, found.code)
          << place << ": " << gpu_.last_error() << "; " << reference_.last_error();
      if (wanted.code != ISOFOLD_ok) {
        continue;
      }
      ASSERT_EQ(wanted.bytes.size(), found.bytes.size());
      for (std::size_t i = 0; i + 8 <= wanted.bytes.size() || i == 0; i += 8) {
        const std::size_t count = wanted.bytes.size() - i < 8 ? wanted.bytes.size() - i : 8;
        std::int64_t a = 0;
        std::int64_t b = 0;
        std::memcpy(&a, wanted.bytes.data() + i, count);
        std::memcpy(&b, found.bytes.data() + i, count);
        ASSERT_EQ(a, b) << place << ", number " << i / 8;
      }
    }
  }
  template <class Use>
  static void for_each_case(Use&& use) {
    for (const std::int32_t type : computed_types) {
      for (std::int32_t fold = 1; isofold_fold_name(fold)[0] != '\0'; ++fold) {
        if (isofold_exact_words(fold, type) > 0) {
          use(fold, type);
        }
      }
    }
  }

  Runner reference_{"reference"};
  Runner gpu_{GetParam()};
  int turn_ = 0;
};

TEST_P(Exactly, Arrays) {
  for_each_case([&](std::int32_t fold, std::int32_t type) {
    for (int kind = 0; kind < static_cast<int>(Kind::count); ++kind) {
      for (const std::int64_t n : {1, 31, 1000, 1025, 5000}) {
        if (n == 5000 || (kind + n + fold) % 3 == 0) {
          const Input input = array_of(fold, type, n, static_cast<Kind>(kind));
          check(input, "kind " + std::to_string(kind) + ", " + std::to_string(n) + " elements");
        }
      }
    }
  });
}

// A fold of each kind of state: one sum and two, of terms, products and integers, of one array and
// of two.
struct Some {
  std::int32_t fold;
  std::int32_t type;
};
constexpr Some some_cases[] = {
    {ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f32},   {ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f64},
    {ISOFOLD_FOLD_dot, ISOFOLD_TYPE_f64},   {ISOFOLD_FOLD_variance, ISOFOLD_TYPE_f32},
    {ISOFOLD_FOLD_mean, ISOFOLD_TYPE_i32},  {ISOFOLD_FOLD_sum, ISOFOLD_TYPE_u64},
    {ISOFOLD_FOLD_norm2, ISOFOLD_TYPE_c64}, {ISOFOLD_FOLD_dot, ISOFOLD_TYPE_c128}};
constexpr Kind some_kinds[] = {Kind::ordinary,   Kind::some_exponents, Kind::outliers,
                               Kind::minus_zero, Kind::not_finite,     Kind::rising,
                               Kind::half_way};

Input rows_of(const Some& of, std::int64_t rows, std::int64_t length, std::int64_t gap, Kind kind) {
  Input input = array_of(of.fold, of.type, rows * (length + gap), kind);
  input.request.shape = ISOFOLD_SHAPE_rows;
  input.request.rows = rows;
  input.request.length = length;
  input.request.stride = length + gap;
  input.request.second_stride = input.second.empty() ? 0 : length + gap;
  return input;
}

TEST_P(Exactly, Rows) {
  int turn = 0;
  for (const Some& of : some_cases) {
    for (const auto& [rows, length, gap] : {std::array<std::int64_t, 3>{3, 0, 2},
                                            {300, 1, 0},
                                            {70, 64, 0},
                                            {40, 700, 4},
                                            {2, 9000, 8},
                                            {9, 5000, 3},
                                            {4, 12000, 0}}) {
      const Kind one = some_kinds[turn++ % 5];
      for (const Kind kind : some_kinds) {
        if (rows * length < 5000 || kind == one || kind == Kind::rising) {
          check(rows_of(of, rows, length, gap, kind), std::to_string(rows) + " rows of " +
                                                          std::to_string(length) + ", kind " +
                                                          std::to_string(static_cast<int>(kind)));
        }
      }
    }
  }
}

// So many rows are shared by threads, not by warps.
TEST_P(Exactly, ShortRows) {
  int turn = 0;
  for (const Some& of : some_cases) {
    for (const auto& [rows, length, gap] :
         {std::array<std::int64_t, 3>{390, 64, 0}, {450, 5, 3}, {385, 128, 0}, {385, 21, 11}}) {
      for (int i = 0; i < 3; ++i) {
        const Kind kind = static_cast<Kind>(turn++ % static_cast<int>(Kind::count));
        check(rows_of(of, rows, length, gap, kind), std::to_string(rows) + " rows of " +
                                                        std::to_string(length) + ", kind " +
                                                        std::to_string(static_cast<int>(kind)));
      }
    }
  }
}

// A warp has more rows than may wait to be rounded together, and rows of words between them.
TEST_P(Exactly, RowsThatWait) {
  for (const Some& of : some_cases) {
    for (const Kind kind : {Kind::ordinary, Kind::not_finite, Kind::zeros}) {
      Input input = rows_of(of, 900, 130, 3, kind);
      // Every fifth row is of zeros, the first of these -0.
      const std::int64_t bytes = isofold_type_bytes(of.type);
      for (std::int64_t row = 0; row < 900; row += 5) {
        std::memset(input.data.data() + row * 133 * bytes, 0,
                    static_cast<std::size_t>(130 * bytes));
      }
      if (of.type == ISOFOLD_TYPE_f32 || of.type == ISOFOLD_TYPE_f64) {
        for (std::int64_t i = 0; i < 130; ++i) {
          input.data[static_cast<std::size_t>((i + 1) * bytes - 1)] = 0x80;
        }
      }
      check(input, "900 rows of 130, kind " + std::to_string(static_cast<int>(kind)));
    }
  }
}

TEST_P(Exactly, LongArrays) {
  for (const Some& of : some_cases) {
    for (const Kind kind : {Kind::ordinary, Kind::below_two, Kind::outliers}) {
      check(array_of(of.fold, of.type, 40000, kind), "40000 elements");
    }
  }
}

TEST_P(Exactly, AddressesOfAnyAlignment) {
  for (const Some& of : some_cases) {
    Input input = array_of(of.fold, of.type, 3000, Kind::ordinary);
    input.request.length = 2990;
    input.offset = isofold_type_bytes(of.type);
    check(input, "one element on");
  }
}

TEST_P(Exactly, ConvertedElements) {
  for (const std::int32_t type : {ISOFOLD_TYPE_f16, ISOFOLD_TYPE_bf16, ISOFOLD_TYPE_i8,
                                  ISOFOLD_TYPE_u8, ISOFOLD_TYPE_i16, ISOFOLD_TYPE_u16}) {
    check(array_of(ISOFOLD_FOLD_sum, type, 3000, Kind::all_exponents), "converted");
    check(array_of(ISOFOLD_FOLD_mean, type, 3000, Kind::ordinary), "converted");
  }
  for (const std::int32_t fold : {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_dot, ISOFOLD_FOLD_variance}) {
    Input input = array_of(fold, ISOFOLD_TYPE_f32, 3000, Kind::some_exponents);
    input.request.accumulator = ISOFOLD_TYPE_f64;
    check(input, "widened");
  }
}

// 16-bit floats: `spread` binades about 1, or all bits at random.
enum class Halves {
  narrow,
  wide,
  any_bits,
  minus_zeros,
  zeros,
  one_not_finite,
  scaled_rows,
  count
};
void fill_halves(Input& input, Halves kind) {
  const bool is_bf16 = input.request.type == ISOFOLD_TYPE_bf16;
  const unsigned fraction_bits = is_bf16 ? 7 : 10;
  const unsigned one = is_bf16 ? 127 : 15;
  const std::int64_t row = input.request.stride;
  for (std::int64_t i = 0; 2 * i < static_cast<std::int64_t>(input.data.size()); ++i) {
    const auto random = static_cast<unsigned>(generator()());
    unsigned spread = kind == Halves::wide ? (is_bf16 ? 200 : 28) : 6;
    unsigned exponent = one - spread / 2 + (random >> 16) % spread;
    if (kind == Halves::scaled_rows) {
      const unsigned scales = is_bf16 ? 220 : 20;
      exponent = 3 + static_cast<unsigned>(i / row * 37) % scales + (random >> 16) % spread;
    }
    unsigned bits = (exponent << fraction_bits | (random & ((1U << fraction_bits) - 1))) ^
                    (random & 0x80000000U) >> 16;
    switch (kind) {
      case Halves::any_bits: bits = random; break;
      case Halves::minus_zeros: bits = 0x8000; break;
      case Halves::zeros: bits = (random & 0x80000000U) >> 16; break;
      case Halves::one_not_finite:
        bits = i == row + row / 2 ? (2 * one + 1) << fraction_bits | (random & 1) : bits;
        break;
      default: break;
    }
    const auto half = static_cast<std::uint16_t>(bits);
    std::memcpy(input.data.data() + 2 * i, &half, sizeof half);
  }
}

TEST_P(Exactly, SumsOfHalves) {
  for (const std::int32_t type : {ISOFOLD_TYPE_f16, ISOFOLD_TYPE_bf16}) {
    int turn = 0;
    for (const std::int32_t fold : {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_norm1, ISOFOLD_FOLD_mean}) {
      for (const auto& [rows, length, gap] : {std::array<std::int64_t, 3>{1, 1, 0},
                                              {1, 23, 0},
                                              {1, 40000, 0},
                                              {3, 9000, 1},
                                              {20, 6100, 3},
                                              {40, 700, 4},
                                              {40, 711, 0},
                                              // so many are shared by teams of lanes
                                              {385, 1, 1},
                                              {387, 13, 0},
                                              {400, 64, 0},
                                              {900, 517, 2},
                                              {386, 1032, 0}}) {
        for (int k = 0; k < static_cast<int>(Halves::count); ++k) {
          if (rows * length > 50000 && (k + fold) % 3 != 0) {
            continue;
          }
          Input input = rows_of({fold, type}, rows, length, gap, Kind::ordinary);
          input.offset = turn++ % 3 * 2;
          input.data.resize(input.data.size() + static_cast<std::size_t>(input.offset));
          fill_halves(input, static_cast<Halves>(k));
          check(input, std::to_string(rows) + " rows of " + std::to_string(length) +
                           " halves, kind " + std::to_string(k) + ", offset " +
                           std::to_string(input.offset));
        }
      }
    }
  }
}

TEST_P(Exactly, Boxes) {
  int turn = 0;
  for (const Some& of : some_cases) {
    for (const std::uint32_t kept : {0U, 1U, 2U, 4U, 6U, 5U}) {
      for (const int mask :
           {0, +ISOFOLD_MASK_bytes, +ISOFOLD_MASK_bits, +ISOFOLD_MASK_strided_bytes}) {
        const std::int64_t extents[] = {4, 5, 33};
        const std::int64_t strides[] = {400, -70, 2};
        Input input = array_of(of.fold, of.type, 2000, some_kinds[turn++ % 5]);
        input.request.shape = ISOFOLD_SHAPE_box;
        input.has_layout = true;
        input.layout.size = sizeof input.layout;
        input.layout.dimensions = 3;
        input.layout.kept = kept;
        input.offset = 300 * isofold_type_bytes(of.type);
        input.request.rows = 1;
        input.request.length = 1;
        for (int d = 0; d < 3; ++d) {
          input.layout.extents[d] = extents[d];
          input.layout.strides[d] = strides[d];
          input.layout.second_strides[d] = input.second.empty() ? 0 : strides[d];
          (((kept >> d) & 1U) != 0 ? input.request.rows : input.request.length) *= extents[d];
        }
        input.request.stride = 0;
        input.request.second_stride = 0;
        if (mask != 0) {
          const bool strided = mask == ISOFOLD_MASK_strided_bytes;
          input.mask.resize(mask == ISOFOLD_MASK_bits ? 83 : strided ? 1400 : 660);
          for (auto& byte : input.mask) {
            byte = static_cast<unsigned char>(mask == ISOFOLD_MASK_bits ? generator()()
                                                                        : generator()() % 2);
          }
          input.layout.mask_type = mask;
          const std::int64_t of_mask[] = {350, 70, 2};
          for (int d = 0; d < 3; ++d) {
            input.layout.mask_strides[d] = strided ? of_mask[d] : 0;
          }
        }
        check(input, "kept " + std::to_string(kept) + ", mask " + std::to_string(mask));
      }
    }
  }
}

template <class T>
Bytes list_of(bool wide, const std::vector<T>& x) {
  return wide ? bytes_of(std::vector<std::int64_t>(x.begin(), x.end()))
              : bytes_of(std::vector<std::int32_t>(x.begin(), x.end()));
}

Input listed(const Some& of, std::int32_t shape, bool wide, Kind kind) {
  Input input = array_of(of.fold, of.type, 6000, kind);
  input.request.shape = shape;
  input.request.stride = 0;
  input.request.second_stride = 0;
  input.has_layout = true;
  input.layout.size = sizeof input.layout;
  input.layout.index_type = wide ? ISOFOLD_TYPE_i64 : ISOFOLD_TYPE_i32;
  return input;
}

TEST_P(Exactly, Lists) {
  int turn = 0;
  for (const Some& of : some_cases) {
    for (const bool wide : {false, true}) {
      const Kind kind = some_kinds[turn++ % 5];
      for (const int variant : {0, 1, 2}) {  // in line; with ends; counted
        Input input = listed(of, ISOFOLD_SHAPE_segments, wide, kind);
        std::vector<std::int64_t> begins{0};
        std::vector<std::int64_t> ends;
        constexpr int segments = 23;
        for (int i = 0; i < segments; ++i) {
          const std::int64_t length = variant == 2 ? i * 10 : i % 4 == 0 ? i % 3 : i * 18;
          ends.push_back(variant == 2 ? length : begins.back() + length);
          begins.push_back(begins.back() + length);
        }
        if (variant != 0) {
          begins.pop_back();
        }
        input.request.rows = segments;
        input.request.length = variant == 2 ? 260 : 0;
        input.request.stride = variant == 2 ? 260 : 0;
        input.request.second_stride = variant == 2 && !input.second.empty() ? 260 : 0;
        input.begins = variant == 2 ? Bytes{} : list_of(wide, begins);
        input.ends = variant == 0 ? Bytes{} : list_of(wide, ends);
        input.layout.elements = 6000;
        check(input, "segments, variant " + std::to_string(variant));
      }
      Input gather = listed(of, ISOFOLD_SHAPE_gather, wide, kind);
      std::vector<std::int64_t> indices;
      for (int i = 0; i < 2500; ++i) {
        indices.push_back(static_cast<std::int64_t>(generator()() % 6000));
      }
      gather.request.length = 2500;
      gather.layout.elements = 6000;
      gather.indices = list_of(wide, indices);
      check(gather, "gather");
      for (const std::int32_t shape : {ISOFOLD_SHAPE_batch, ISOFOLD_SHAPE_joined}) {
        Input arrays = listed(of, shape, wide, kind);
        std::vector<std::int64_t> lengths;
        for (int i = 0; i < 30; ++i) {
          arrays.arrays.push_back(i * 100);
          lengths.push_back(i % 5 == 0 ? 0 : i == 29 ? 3000 : i * 20 % 300);
        }
        arrays.request.rows = shape == ISOFOLD_SHAPE_batch ? 30 : 1;
        arrays.request.length = shape == ISOFOLD_SHAPE_batch ? 0 : 30;
        arrays.ends = list_of(wide, lengths);
        check(arrays, shape == ISOFOLD_SHAPE_batch ? "batch" : "joined");
      }
    }
  }
}

// The words of a row that blocks share are zero again after each launch, in a graph too, which is
// captured after reserve() and replayed over other data.
TEST_P(Exactly, Graphs) {
  isofold::simt::Machine& gpus =
      isofold::simt::machine(std::string(GetParam()) == "simt32" ? 32 : 64);
  for (const Some& of : some_cases) {
    constexpr std::int64_t n = 20000;
    Input input = array_of(of.fold, of.type, n, Kind::some_exponents);
    const Answer first = reference_.run(input, false, false);
    void* const stream = gpus.create_stream();
    isofold_options options{};
    options.size = sizeof options;
    options.backend = GetParam();
    options.device = -1;
    options.validate = 1;
    options.has_stream = 1;
    options.stream = stream;
    isofold_reducer* reducer = nullptr;
    ASSERT_EQ(ISOFOLD_ok, isofold_create(&options, &reducer));
    {
      Memory data(GetParam(), input.data);
      Memory second(GetParam(), input.second);
      Memory result(GetParam(), first.bytes);
      isofold_request request = input.request;
      request.data = data.at();
      request.second = second.at();
      request.result = result.at();
      ASSERT_EQ(ISOFOLD_ok, isofold_reserve(reducer, &request)) << isofold_last_error();
      gpus.begin_capture(stream);
      ASSERT_EQ(ISOFOLD_ok, isofold_reduce(reducer, &request)) << isofold_last_error();
      const auto graph = gpus.end_capture(stream);
      ASSERT_NE(nullptr, graph);
      for (int i = 0; i < 3; ++i) {
        gpus.launch_graph(graph, stream);
        ASSERT_EQ(ISOFOLD_ok, isofold_synchronize(reducer)) << isofold_last_error();
        EXPECT_EQ(first.bytes, result.content()) << "replay " << i;
        EXPECT_EQ(ISOFOLD_ok, isofold_reduce(reducer, &request));
      }
      ASSERT_EQ(ISOFOLD_ok, isofold_synchronize(reducer));
      EXPECT_EQ(first.bytes, result.content());
    }
    isofold_destroy(reducer);
    gpus.destroy_stream(stream);
  }
}

// Sums that do not fit, indices outside the data, and no elements.
TEST_P(Exactly, Failures) {
  Input large = array_of(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_u64, 30000, Kind::all_exponents);
  for (const bool blocking : {true, false}) {
    EXPECT_EQ(ISOFOLD_out_of_range, gpu_.run(large, false, blocking).code);
    EXPECT_NE(std::string::npos, gpu_.last_error().find("does not fit in 64 bits"));
    EXPECT_EQ(ISOFOLD_ok, gpu_.run(large, true, blocking).code);
  }
  Input gather = listed(some_cases[0], ISOFOLD_SHAPE_gather, true, Kind::ordinary);
  gather.request.length = 3000;
  gather.layout.elements = 6000;
  std::vector<std::int64_t> indices(3000, 5);
  indices[2345] = 6000;
  gather.indices = bytes_of(indices);
  EXPECT_EQ(ISOFOLD_invalid_argument, gpu_.run(gather, false, false).code);
  EXPECT_NE(std::string::npos, gpu_.last_error().find("Entry 2345 of the indices is 6000"));
  EXPECT_NE(std::string::npos, gpu_.last_error().find("entries (1)")) << gpu_.last_error();
  for (const Some& of : some_cases) {
    check(array_of(of.fold, of.type, 0, Kind::ordinary), "no elements");
    Input masked = array_of(of.fold, of.type, 600, Kind::ordinary);
    masked.request.shape = ISOFOLD_SHAPE_box;
    masked.request.stride = 0;
    masked.request.second_stride = 0;
    masked.has_layout = true;
    masked.layout.size = sizeof masked.layout;
    masked.layout.dimensions = 1;
    masked.layout.extents[0] = 600;
    masked.layout.strides[0] = 1;
    masked.layout.second_strides[0] = masked.second.empty() ? 0 : 1;
    masked.layout.mask_type = ISOFOLD_MASK_bytes;
    masked.mask = Bytes(600);
    check(masked, "no element taken");
  }
}

// ---- several folds in one call ------------------------------------------------------------------

bool has_spread(std::int32_t fold) {
  return fold == ISOFOLD_FOLD_moments || fold == ISOFOLD_FOLD_variance ||
         fold == ISOFOLD_FOLD_sample_variance || fold == ISOFOLD_FOLD_standard_deviation ||
         fold == ISOFOLD_FOLD_sample_standard_deviation;
}
// The passes that gather the words of all: sums, means and norms are made of those of moments, but
// for f64, whose spreads are a pass each.
std::int64_t passes_of(const Folds& folds, std::int32_t type) {
  if (type == ISOFOLD_TYPE_f64) {
    Folds others;
    std::remove_copy_if(folds.begin(), folds.end(), std::back_inserter(others), has_spread);
    return static_cast<std::int64_t>(folds.size() - others.size()) +
           (others.empty() ? 0 : passes_of(others, ISOFOLD_TYPE_f32));
  }
  const bool any_spread = std::any_of(folds.begin(), folds.end(), has_spread);
  std::set<std::int32_t> kept;
  for (const std::int32_t fold : folds) {
    const bool is_sum = fold == ISOFOLD_FOLD_sum || fold == ISOFOLD_FOLD_mean;
    const bool is_part = is_sum || has_spread(fold) || fold == ISOFOLD_FOLD_norm2;
    kept.insert(is_part && any_spread ? +ISOFOLD_FOLD_moments : is_sum ? +ISOFOLD_FOLD_sum : fold);
  }
  return static_cast<std::int64_t>(kept.size());
}

class ExactLists : public Exactly {
 protected:
  static isofold::simt::Machine& gpus() {
    return isofold::simt::machine(std::string(GetParam()) == "simt32" ? 32 : 64);
  }
  // Those that this build has, and the first of them again.
  static Folds known(const Input& input, Folds folds) {
    const std::int32_t type = Runner::computed(input.request);
    folds.erase(std::remove_if(folds.begin(), folds.end(),
                               [&](auto fold) { return isofold_exact_words(fold, type) <= 0; }),
                folds.end());
    if (!folds.empty() && folds.size() < ISOFOLD_MOST_FUSED) {
      folds.push_back(folds.front());
    }
    return folds;
  }
  // Each fold by itself: the code of the first failure, or all results.
  static Answer alone(Runner& runner, Input input, bool words, bool blocking, const Folds& folds) {
    Answer all;
    for (const std::int32_t fold : folds) {
      input.request.fold = fold;
      const Answer one = runner.run(input, words, blocking);
      all.code = all.code == ISOFOLD_ok ? one.code : all.code;
      all.bytes.insert(all.bytes.end(), one.bytes.begin(), one.bytes.end());
    }
    return all;
  }
  // The bits and the codes are those of each by itself, of so few passes.
  void check(const Input& input, const Folds& asked, const std::string& what) {
    const Folds folds = known(input, asked);
    if (folds.empty()) {
      return;
    }
    for (const bool words : {false, true}) {
      const bool blocking = input.request.rows == 1 && ++turn_ % 2 == 0;
      const Answer wanted = alone(reference_, input, words, blocking, folds);
      const std::int64_t before = gpus().launches();
      const Answer found = gpu_.run(input, words, blocking, folds);
      const std::string place = what + (words ? ", words" : ", results") +
                                (blocking ? ", blocking" : "") + " over " +
                                isofold_type_name(input.request.type);
      ASSERT_EQ(wanted.code, found.code) << place << ": " << gpu_.last_error();
      if (wanted.code == ISOFOLD_ok) {
        ASSERT_EQ(wanted.bytes, found.bytes) << place;
        if (input.request.shape != ISOFOLD_SHAPE_joined) {
          ASSERT_EQ(passes_of(folds, Runner::computed(input.request)), gpus().launches() - before)
              << place;
        }
      }
    }
  }
};

// Lists for a type that folds compute in.
std::vector<Folds> lists_of(std::int32_t type) {
  switch (type) {
    case ISOFOLD_TYPE_f32:
    case ISOFOLD_TYPE_f64:
      return {{ISOFOLD_FOLD_sum, ISOFOLD_FOLD_variance, ISOFOLD_FOLD_mean, ISOFOLD_FOLD_moments,
               ISOFOLD_FOLD_norm2, ISOFOLD_FOLD_sample_standard_deviation},
              {ISOFOLD_FOLD_norm2, ISOFOLD_FOLD_norm1, ISOFOLD_FOLD_mean, ISOFOLD_FOLD_sum},
              {ISOFOLD_FOLD_sample_variance, ISOFOLD_FOLD_standard_deviation, ISOFOLD_FOLD_norm2,
               ISOFOLD_FOLD_norm1}};
    case ISOFOLD_TYPE_c64:
    case ISOFOLD_TYPE_c128: return {{ISOFOLD_FOLD_norm2, ISOFOLD_FOLD_sum}};
    default: return {{ISOFOLD_FOLD_mean, ISOFOLD_FOLD_sum}};
  }
}
// A fold of each, for the makers of inputs.
constexpr Some types_of_lists[] = {
    {ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f32}, {ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f64},
    {ISOFOLD_FOLD_sum, ISOFOLD_TYPE_i32}, {ISOFOLD_FOLD_sum, ISOFOLD_TYPE_u64},
    {ISOFOLD_FOLD_sum, ISOFOLD_TYPE_c64}, {ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f16},
    {ISOFOLD_FOLD_sum, ISOFOLD_TYPE_i8}};

TEST_P(ExactLists, Arrays) {
  for (const Some& of : types_of_lists) {
    for (int kind = 0; kind < static_cast<int>(Kind::count); ++kind) {
      const std::int64_t n = kind % 3 == 0 ? 20000 : kind % 3 == 1 ? 3000 : 100;
      Input input = array_of(of.fold, of.type, n + 1, static_cast<Kind>(kind));
      input.request.length = n;
      input.offset = kind % 2 * isofold_type_bytes(of.type);
      for (const Folds& folds : lists_of(Runner::computed(input.request))) {
        check(input, folds, std::to_string(n) + " elements, kind " + std::to_string(kind));
      }
    }
  }
}

// Rows that warps take, that blocks share, that wait, and that threads take.
TEST_P(ExactLists, Rows) {
  int turn = 0;
  for (const Some& of : types_of_lists) {
    for (const auto& [rows, length, gap] : {std::array<std::int64_t, 3>{3, 0, 2},
                                            {40, 700, 4},
                                            {2, 9000, 8},
                                            {300, 130, 3},
                                            {390, 64, 0},
                                            {385, 21, 11}}) {
      const Kind kind = static_cast<Kind>(turn++ % static_cast<int>(Kind::count));
      const Input input = rows_of(of, rows, length, gap, kind);
      const auto lists = lists_of(Runner::computed(input.request));
      check(input, lists[static_cast<std::size_t>(turn) % lists.size()],
            std::to_string(rows) + " rows of " + std::to_string(length) + ", kind " +
                std::to_string(static_cast<int>(kind)));
    }
  }
}

TEST_P(ExactLists, OtherShapes) {
  for (const Some& of : types_of_lists) {
    const auto check_all = [&](const Input& input, const char* what) {
      for (const Folds& folds : lists_of(Runner::computed(input.request))) {
        check(input, folds, what);
      }
    };
    Input gather = listed(of, ISOFOLD_SHAPE_gather, true, Kind::some_exponents);
    std::vector<std::int64_t> indices;
    for (int i = 0; i < 1500; ++i) {
      indices.push_back(static_cast<std::int64_t>(generator()() % 6000));
    }
    gather.request.length = 1500;
    gather.layout.elements = 6000;
    gather.indices = list_of(true, indices);
    check_all(gather, "gather");
    Input joined = listed(of, ISOFOLD_SHAPE_joined, true, Kind::ordinary);
    std::vector<std::int64_t> lengths;
    for (int i = 0; i < 30; ++i) {
      joined.arrays.push_back(i * 100);
      lengths.push_back(i * 20 % 100);
    }
    joined.request.length = 30;
    joined.ends = list_of(true, lengths);
    check_all(joined, "joined");
    // Axes under a mask, some of whose rows have no element.
    Input box = array_of(of.fold, of.type, 2000, Kind::ordinary);
    box.request.shape = ISOFOLD_SHAPE_box;
    box.request.rows = 5;
    box.request.length = 4 * 33;
    box.request.stride = 0;
    box.has_layout = true;
    box.layout.size = sizeof box.layout;
    box.layout.dimensions = 3;
    box.layout.kept = 2;
    box.layout.mask_type = ISOFOLD_MASK_bytes;
    box.mask.resize(660);
    const std::int64_t extents[] = {4, 5, 33};
    const std::int64_t strides[] = {400, 70, 2};
    for (std::size_t i = 0; i < 660; ++i) {
      box.mask[i] = i / 33 % 5 == 3 ? 0 : static_cast<unsigned char>(i % 2);
    }
    for (int d = 0; d < 3; ++d) {
      box.layout.extents[d] = extents[d];
      box.layout.strides[d] = strides[d];
    }
    check_all(box, "box under a mask");
    // One result, of no elements: those that have no value say so where the call is blocking.
    box.request.rows = 1;
    box.request.length = 660;
    box.layout.kept = 0;
    box.mask.assign(660, 0);
    check_all(box, "no element taken");
    check_all(box, "no element taken");
  }
}

// Folds of one array beside those of two.
TEST_P(ExactLists, Pairs) {
  for (const std::int32_t type : {ISOFOLD_TYPE_f32, ISOFOLD_TYPE_f64}) {
    const Input input = rows_of({ISOFOLD_FOLD_dot, type}, 5, 3000, 0, Kind::ordinary);
    check(input,
          {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_dot, ISOFOLD_FOLD_mean, ISOFOLD_FOLD_weighted_sum,
           ISOFOLD_FOLD_variance},
          "pairs");
  }
}

// A sum that does not fit is an error, as by itself; the means beside it are there.
TEST_P(ExactLists, SumsOutOfRange) {
  const Folds folds{ISOFOLD_FOLD_mean, ISOFOLD_FOLD_sum};
  const Input one = array_of(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_u64, 30000, Kind::all_exponents);
  if (known(one, folds).empty()) {
    GTEST_SKIP() << "no sums of integers";
  }
  for (const bool blocking : {true, false}) {
    EXPECT_EQ(ISOFOLD_out_of_range, gpu_.run(one, false, blocking, folds).code);
    EXPECT_NE(std::string::npos, gpu_.last_error().find("does not fit in 64 bits"));
    EXPECT_EQ(ISOFOLD_ok, gpu_.run(one, true, blocking, folds).code);
  }
  Input rows = rows_of({ISOFOLD_FOLD_mean, ISOFOLD_TYPE_u64}, 50, 400, 0, Kind::all_exponents);
  const Answer means = reference_.run(rows, false, false);
  const Answer found = gpu_.run(rows, false, false, folds);
  EXPECT_EQ(ISOFOLD_out_of_range, found.code);
  EXPECT_TRUE(std::equal(means.bytes.begin(), means.bytes.end(), found.bytes.begin()));
}

// Sums of exact_v1 are one pass, folds of tree v1 another one.
TEST_P(ExactLists, BesideTreesOfOneRead) {
  const std::vector<float> x = [] {
    std::vector<float> numbers(30000);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = static_cast<float>(i % 1000) / 7;
    }
    return numbers;
  }();
  isofold::Reducer reduce(GetParam());
  isofold::Reducer reference("reference");
  const auto on_host = isofold::array(x.data(), 30000);
  isofold::Buffer data(GetParam(), x.size() * sizeof(float));
  data.copy_from(x.data(), x.size() * sizeof(float));
  const auto on_device = isofold::array(data.as<float>(), 30000);
  using isofold::exact;
  if (!reduce.supports(isofold::sum, exact(on_device))) {
    GTEST_SKIP() << "no exact sums of f32";
  }
  const std::int64_t before = gpus().launches();
  const auto [sum, tree, variance, again] = reduce.reduce(
      fuse(exact(isofold::sum), isofold::sum, exact(isofold::variance), isofold::sum), on_device);
  EXPECT_EQ(2, gpus().launches() - before);
  EXPECT_EQ(reference.sum(exact(on_host)), sum);
  EXPECT_EQ(reference.variance(exact(on_host)), variance);
  EXPECT_EQ(reference.sum(on_host), tree);
  EXPECT_EQ(tree, again);
}

// A list is captured after each of its folds was reserved, and replayed.
TEST_P(ExactLists, Graphs) {
  for (const Some& of : types_of_lists) {
    constexpr std::int64_t rows = 4;
    const Input input = rows_of(of, rows, 20000, 0, Kind::some_exponents);
    const Folds folds = known(input, lists_of(Runner::computed(input.request)).front());
    if (folds.empty()) {
      continue;
    }
    const Answer wanted = alone(reference_, input, false, false, folds);
    void* const stream = gpus().create_stream();
    {
      isofold::Reducer reduce(GetParam(), isofold::Options{}.stream(stream));
      Memory data(GetParam(), input.data);
      Memory results(GetParam(), wanted.bytes);
      std::vector<isofold_request> requests;
      std::int64_t place = 0;
      for (const std::int32_t fold : folds) {
        requests.push_back(input.request);
        requests.back().fold = fold;
        requests.back().data = data.at();
        requests.back().result = results.at(place);
        place += rows * Runner::result_bytes(requests.back());
        ASSERT_EQ(ISOFOLD_ok, isofold_reserve(reduce.handle(), &requests.back()));
      }
      const auto count = static_cast<std::int32_t>(requests.size());
      gpus().begin_capture(stream);
      ASSERT_EQ(ISOFOLD_ok, isofold_reduce_fused(reduce.handle(), requests.data(), count))
          << isofold_last_error();
      const auto graph = gpus().end_capture(stream);
      ASSERT_NE(nullptr, graph);
      for (int i = 0; i < 2; ++i) {
        const Bytes nothing(wanted.bytes.size(), 0x5a);
        ASSERT_EQ(ISOFOLD_ok,
                  isofold_copy(GetParam(), 0, results.at(), nothing.data(), nothing.size()));
        gpus().launch_graph(graph, stream);
        reduce.synchronize();
        EXPECT_EQ(wanted.bytes, results.content()) << "replay " << i;
      }
    }
    gpus().destroy_stream(stream);
  }
}

// Each operation of the platform fails in turn.
TEST_P(ExactLists, EachOperationFails) {
  using fault_sweep::Scene;
  using isofold::exact;
  isofold::simt::EmulatedVendor vendor(gpus(), -1);
  fault_sweep::Sweep sweep(GetParam(), vendor);
  const auto list = fuse(exact(isofold::variance), exact(isofold::moments));
  using Moments = isofold::Moments;
  const std::vector<fault_sweep::Entry> entries{
      fault_sweep::entry("sums of one pass",
                         [=](Scene& s) {
                           const auto [variance, moments] = s.reduce().reduce(list, s.array());
                           std::memcpy(s.host, &variance, sizeof variance);
                           std::memcpy(s.host + 64, &moments, sizeof moments);
                         }),
      fault_sweep::entry("sums of one pass to memory",
                         [=](Scene& s) {
                           s.reduce().reduce(list, s.array(), s.out<double>(),
                                             reinterpret_cast<Moments*>(s.out<char>() + 64));
                         }),
      fault_sweep::entry(
          "captured sums of one pass",
          [=](Scene& s) {
            s.reduce().reduce(list, s.array(), s.out<double>(),
                              reinterpret_cast<Moments*>(s.out<char>() + 64));
          },
          [=](Scene& s) {
            s.reduce().reserve(isofold::variance, exact(s.array()));
            s.reduce().synchronize();
            s.begin_capture();
          },
          [=](Scene& s) { s.replay_capture(); })};
  for (const fault_sweep::Entry& entry : entries) {
    EXPECT_LT(1, sweep.fail_each(entry, "poison=255")) << entry.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, ExactLists, testing::Values("simt32", "simt64"),
                         [](const auto& info) { return std::string(info.param); });
INSTANTIATE_TEST_SUITE_P(Backends, Exactly, testing::Values("simt32", "simt64"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
