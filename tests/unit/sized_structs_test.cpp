// Structs of callers whose header is older or newer than the library. The structs of 1.0.0 stand
// here as they were, so that a later release that moves or shortens one fails.
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <isofold/isofold.h>

namespace {

namespace header_1_0 {

struct Options {
  std::uint64_t size;
  const char* backend;
  std::int32_t device;
  std::int32_t threads;
  std::int32_t guarantee;
  std::int32_t validate;
  std::int32_t has_stream;
  std::int32_t reserved;
  void* stream;
};

struct Layout {
  std::uint64_t size;
  std::int32_t dimensions;
  std::uint32_t kept;
  std::int64_t extents[8];
  std::int64_t strides[8];
  std::int64_t second_strides[8];
  const void* mask;
  std::int32_t mask_type;
  std::int32_t index_type;
  const void* begins;
  const void* ends;
  const void* indices;
  std::int64_t elements;
};

struct Request {
  std::uint64_t size;
  std::int32_t definition;
  std::int32_t fold;
  std::int32_t type;
  std::int32_t shape;
  std::int32_t flags;
  std::int32_t accumulator;
  const void* data;
  std::int64_t rows;
  std::int64_t length;
  std::int64_t stride;
  void* result;
  const isofold_schedule* schedule;
  isofold_schedule* ran;
  const void* second;
  std::int64_t second_stride;
  const void* parameters;
  const Layout* layout;
};

}  // namespace header_1_0

// A struct in memory of exactly as many bytes as its size says, so that a sanitizer sees what reads
// beyond them. What is longer than T ends in bytes of `rest`.
template <class T>
class Sized {
 public:
  Sized(T value, std::size_t bytes, unsigned char rest = 0)
      : memory_(std::make_unique<std::uint64_t[]>(bytes / 8)) {
    value.size = bytes;
    std::memset(memory_.get(), rest, bytes);
    std::memcpy(memory_.get(), &value, bytes < sizeof value ? bytes : sizeof value);
  }
  template <class Plain>
  const Plain* as() const {
    return reinterpret_cast<const Plain*>(memory_.get());
  }

 private:
  std::unique_ptr<std::uint64_t[]> memory_;
};

constexpr std::size_t needed_of_request = offsetof(header_1_0::Request, schedule);
constexpr std::size_t needed_of_layout = offsetof(header_1_0::Layout, second_strides);

class SizedStructs : public testing::Test {
 protected:
  void SetUp() override {
    header_1_0::Options options{};
    options.size = sizeof options;
    options.backend = "reference";
    ASSERT_EQ(isofold_create(reinterpret_cast<const isofold_options*>(&options), &reducer_),
              ISOFOLD_ok)
        << isofold_last_error();
  }
  void TearDown() override { isofold_destroy(reducer_); }

  header_1_0::Request sum_of(double& result) const {
    header_1_0::Request request{};
    request.size = sizeof request;
    request.definition = ISOFOLD_DEFINITION_tree_v1;
    request.fold = ISOFOLD_FOLD_sum;
    request.type = ISOFOLD_TYPE_f64;
    request.shape = ISOFOLD_SHAPE_array;
    request.flags = ISOFOLD_BLOCKING;
    request.data = data_.data();
    request.rows = 1;
    request.length = static_cast<std::int64_t>(data_.size());
    request.stride = request.length;
    request.result = &result;
    return request;
  }

  std::vector<double> data_ = {1, 2, 3, 4, 5, 6};
  isofold_reducer* reducer_ = nullptr;
};

TEST_F(SizedStructs, RequestsOfEachSize) {
  for (std::size_t bytes = needed_of_request; bytes <= 2 * sizeof(header_1_0::Request);
       bytes += 8) {
    double result = 0;
    const Sized<header_1_0::Request> request(sum_of(result), bytes);
    const auto* const plain = request.as<isofold_request>();
    EXPECT_EQ(isofold_supports(reducer_, plain), ISOFOLD_ok) << isofold_last_error();
    EXPECT_EQ(isofold_reserve(reducer_, plain), ISOFOLD_ok) << isofold_last_error();
    EXPECT_EQ(isofold_reduce(reducer_, plain), ISOFOLD_ok) << isofold_last_error();
    EXPECT_EQ(result, 21) << bytes;
  }
}

TEST_F(SizedStructs, WhatTheLibraryDoesNotKnowIsRefused) {
  double result = 0;
  const Sized<header_1_0::Request> request(sum_of(result), sizeof(isofold_request) + 8, 1);
  EXPECT_EQ(isofold_reduce(reducer_, request.as<isofold_request>()), ISOFOLD_unsupported);
  EXPECT_NE(std::string(isofold_last_error()).find("newer libisofold"), std::string::npos);
  header_1_0::Options options{};
  const Sized<header_1_0::Options> more(options, sizeof(isofold_options) + 8, 1);
  isofold_reducer* made = nullptr;
  EXPECT_EQ(isofold_create(more.as<isofold_options>(), &made), ISOFOLD_unsupported);
  EXPECT_EQ(made, nullptr);
}

TEST_F(SizedStructs, SizesThatAreNone) {
  for (const std::uint64_t size :
       {std::uint64_t{0}, std::uint64_t{8}, std::uint64_t{needed_of_request - 8},
        std::uint64_t{sizeof(isofold_request) + 1}, std::uint64_t{5000}, ~std::uint64_t{0}}) {
    double result = 0;
    header_1_0::Request request = sum_of(result);
    request.size = size;
    EXPECT_EQ(isofold_reduce(reducer_, reinterpret_cast<const isofold_request*>(&request)),
              ISOFOLD_invalid_argument);
    EXPECT_NE(std::string(isofold_last_error()).find(std::to_string(size)), std::string::npos);
  }
}

TEST_F(SizedStructs, OptionsOfEachSize) {
  header_1_0::Options options{};
  options.backend = "reference";
  options.device = -1;
  for (std::size_t bytes = offsetof(header_1_0::Options, threads) / 8 * 8 + 8;
       bytes <= 2 * sizeof options; bytes += 8) {
    const Sized<header_1_0::Options> sized(options, bytes);
    isofold_reducer* made = nullptr;
    EXPECT_EQ(isofold_create(sized.as<isofold_options>(), &made), ISOFOLD_ok)
        << isofold_last_error();
    EXPECT_STREQ(isofold_reducer_backend(made), "reference") << bytes;
    isofold_destroy(made);
  }
}

TEST_F(SizedStructs, LayoutsOfEachSize) {
  header_1_0::Layout layout{};
  layout.dimensions = 2;
  layout.extents[0] = 2;
  layout.extents[1] = 2;
  layout.strides[0] = 3;
  layout.strides[1] = 1;
  for (std::size_t bytes = needed_of_layout; bytes <= 2 * sizeof layout; bytes += 8) {
    const Sized<header_1_0::Layout> sized(layout, bytes);
    double result = 0;
    header_1_0::Request request = sum_of(result);
    request.shape = ISOFOLD_SHAPE_box;
    request.length = 4;
    request.layout = sized.as<header_1_0::Layout>();
    EXPECT_EQ(isofold_reduce(reducer_, reinterpret_cast<const isofold_request*>(&request)),
              ISOFOLD_ok)
        << isofold_last_error();
    EXPECT_EQ(result, 1 + 2 + 4 + 5) << bytes;
  }
}

// The requests of one call lie one after the other by their own size, and share a layout.
TEST_F(SizedStructs, ListsOfRequests) {
  header_1_0::Layout layout{};
  layout.dimensions = 1;
  layout.extents[0] = 3;
  layout.strides[0] = 2;
  const Sized<header_1_0::Layout> small(layout, needed_of_layout);
  for (const bool boxes : {false, true}) {
    for (const std::size_t bytes :
         {needed_of_request, sizeof(header_1_0::Request), sizeof(isofold_request) + 16}) {
      if (boxes && bytes < sizeof(header_1_0::Request)) {
        continue;  // it has no member for a layout
      }
      double results[2] = {};
      std::vector<std::uint64_t> list(2 * bytes / 8);
      for (std::size_t i = 0; i < 2; ++i) {
        header_1_0::Request request = sum_of(results[i]);
        request.fold = i == 0 ? ISOFOLD_FOLD_sum : ISOFOLD_FOLD_maximum;
        request.size = bytes;
        if (boxes) {
          request.shape = ISOFOLD_SHAPE_box;
          request.length = 3;
          request.layout = small.as<header_1_0::Layout>();
        }
        std::memcpy(list.data() + i * bytes / 8, &request,
                    bytes < sizeof request ? bytes : sizeof request);
      }
      const auto* const requests = reinterpret_cast<const isofold_request*>(list.data());
      EXPECT_EQ(isofold_reduce_fused(reducer_, requests, 2), ISOFOLD_ok) << isofold_last_error();
      EXPECT_EQ(results[0], boxes ? 1 + 3 + 5 : 21) << bytes;
      EXPECT_EQ(results[1], boxes ? 5 : 6) << bytes;
    }
  }
}

}  // namespace
