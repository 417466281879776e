// Structs of callers built against older and newer headers: copies of 1.0.0's, cut and extended.
#include <gtest/gtest.h>
#include <isofold/isofold.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

namespace v1_0_0 {

struct Options {
  std::uint64_t size;
  const char* backend;
  std::int32_t device, threads, guarantee, validate, has_stream, reserved;
  void* stream;
};
struct Layout {
  std::uint64_t size;
  std::int32_t dimensions;
  std::uint32_t kept;
  std::int64_t extents[8], strides[8], second_strides[8];
  const void* mask;
  std::int32_t mask_type, index_type;
  const void *begins, *ends, *indices;
  std::int64_t elements;
};
struct Request {
  std::uint64_t size;
  std::int32_t definition, fold, type, shape, flags, accumulator;
  const void* data;
  std::int64_t rows, length, stride;
  void *result, *schedule, *ran;
  const void* second;
  std::int64_t second_stride;
  const void *parameters, *layout;
};

}  // namespace v1_0_0

// The first `size` bytes of `value`, or all and zeros, in memory that ends there.
template <class Struct>
std::vector<std::uint64_t> resized(Struct value, std::size_t size) {
  value.size = size;
  std::vector<std::uint64_t> words((size + 7) / 8);
  std::memcpy(words.data(), &value, std::min(size, sizeof value));
  return words;
}

const float elements[] = {1, 2, 4, 8};

v1_0_0::Options reference_options() { return {0, "reference", -1, 0, 0, 1, 0, 0, nullptr}; }

v1_0_0::Request sum_into(float* result) {
  v1_0_0::Request request{};
  request.definition = ISOFOLD_DEFINITION_tree_v1;
  request.fold = ISOFOLD_FOLD_sum;
  request.type = ISOFOLD_TYPE_f32;
  request.shape = ISOFOLD_SHAPE_array;
  request.flags = ISOFOLD_BLOCKING;
  request.data = elements;
  request.rows = 1;
  request.length = request.stride = 4;
  request.result = result;
  return request;
}

// Every second element.
v1_0_0::Layout every_second() {
  v1_0_0::Layout layout{};
  layout.dimensions = 1;
  layout.extents[0] = 2;
  layout.strides[0] = 2;
  return layout;
}

class StructSizes : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(create(sizeof(v1_0_0::Options)), ISOFOLD_ok); }
  void TearDown() override { isofold_destroy(reducer_); }

  std::int32_t create(std::size_t size, std::uint64_t last = 0) {
    auto words = resized(reference_options(), size);
    words.back() |= last;
    isofold_destroy(reducer_);
    reducer_ = nullptr;
    return isofold_create(reinterpret_cast<const isofold_options*>(words.data()), &reducer_);
  }
  std::int32_t reduce(const v1_0_0::Request& request, std::size_t size, std::uint64_t last = 0) {
    auto words = resized(request, size);
    words.back() |= last;
    const auto* given = reinterpret_cast<const isofold_request*>(words.data());
    const std::int32_t code = isofold_supports(reducer_, given);
    EXPECT_EQ(isofold_reduce(reducer_, given), code);
    return code;
  }
  std::int32_t reduce_box(std::size_t size, float* result, std::uint64_t last = 0) {
    auto words = resized(every_second(), size);
    words.back() |= last;
    v1_0_0::Request request = sum_into(result);
    request.shape = ISOFOLD_SHAPE_box;
    request.length = 2;
    request.stride = 0;
    request.layout = words.data();
    return reduce(request, sizeof request);
  }
  static void expect_sentence(const char* part) {
    EXPECT_NE(std::string(isofold_last_error()).find(part), std::string::npos)
        << isofold_last_error();
  }

  isofold_reducer* reducer_ = nullptr;
};

TEST_F(StructSizes, LayoutsOfThe1_0_0HeaderStay) {
  EXPECT_EQ(offsetof(isofold_options, stream), offsetof(v1_0_0::Options, stream));
  EXPECT_EQ(offsetof(isofold_request, layout), offsetof(v1_0_0::Request, layout));
  EXPECT_EQ(offsetof(isofold_layout, elements), offsetof(v1_0_0::Layout, elements));
}

TEST_F(StructSizes, Options) {
  const std::size_t least = offsetof(v1_0_0::Options, stream);
  for (const std::size_t size :
       {least, sizeof(v1_0_0::Options), std::size_t{64}, std::size_t{4096}}) {
    EXPECT_EQ(create(size), ISOFOLD_ok) << size << ": " << isofold_last_error();
  }
  EXPECT_EQ(create(least - 8), ISOFOLD_invalid_argument);
  expect_sentence("40");
  EXPECT_EQ(create(4104), ISOFOLD_invalid_argument);
  EXPECT_EQ(create(64, 1), ISOFOLD_unsupported);
  expect_sentence("not zero");
}

TEST_F(StructSizes, Requests) {
  const std::size_t least = offsetof(v1_0_0::Request, schedule);
  for (const std::size_t size :
       {least, least + 8, sizeof(v1_0_0::Request), std::size_t{160}, std::size_t{4096}}) {
    float sum = 0;
    EXPECT_EQ(reduce(sum_into(&sum), size), ISOFOLD_ok) << size << ": " << isofold_last_error();
    EXPECT_EQ(sum, 15) << size;
  }
  float sum = 0;
  EXPECT_EQ(reduce(sum_into(&sum), least - 8), ISOFOLD_invalid_argument);
  EXPECT_EQ(reduce(sum_into(&sum), 4104), ISOFOLD_invalid_argument);
  EXPECT_EQ(reduce(sum_into(&sum), 160, 1), ISOFOLD_unsupported);
  expect_sentence("not zero");
}

TEST_F(StructSizes, Layouts) {
  const std::size_t least = offsetof(v1_0_0::Layout, mask);
  for (const std::size_t size :
       {least, sizeof(v1_0_0::Layout), sizeof(isofold_layout), std::size_t{400}}) {
    float sum = 0;
    EXPECT_EQ(reduce_box(size, &sum), ISOFOLD_ok) << size << ": " << isofold_last_error();
    EXPECT_EQ(sum, 5) << size;
  }
  float sum = 0;
  EXPECT_EQ(reduce_box(least - 8, &sum), ISOFOLD_invalid_argument);
  EXPECT_EQ(reduce_box(400, &sum, 1), ISOFOLD_unsupported);
  expect_sentence("isofold_layout");
}

// Fused requests lie by their own size, and share a layout of another size.
TEST_F(StructSizes, FusedRequests) {
  auto layout = resized(every_second(), 400);
  for (const std::size_t size : {sizeof(v1_0_0::Request), std::size_t{160}}) {
    float results[2] = {};
    std::vector<std::uint64_t> both;
    for (float& result : results) {
      v1_0_0::Request request = sum_into(&result);
      request.shape = ISOFOLD_SHAPE_box;
      request.length = 2;
      request.stride = 0;
      request.layout = layout.data();
      const auto words = resized(request, size);
      both.insert(both.end(), words.begin(), words.end());
    }
    const auto* given = reinterpret_cast<const isofold_request*>(both.data());
    EXPECT_EQ(isofold_reduce_fused(reducer_, given, 2), ISOFOLD_ok) << isofold_last_error();
    EXPECT_EQ(results[0], 5);
    EXPECT_EQ(results[1], 5);
    both[size / 8] -= 8;
    EXPECT_EQ(isofold_reduce_fused(reducer_, given, 2), ISOFOLD_invalid_argument);
  }
}

}  // namespace
