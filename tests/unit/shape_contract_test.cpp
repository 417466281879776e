// The input contract of shapes with a layout, refusal by refusal, on the backends that have them:
// a code, a sentence that names the value, nothing written, and the next call works.
// input_contract_test.cpp has the rest of the contract.
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <test_support.hpp>

namespace {

using isofold::box;
using isofold::Code;
using test_support::shifted;

constexpr std::int64_t elements = 64;
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

// A good request of each shape over the same 64 elements, with all that it points to.
struct Asked {
  std::vector<float> data = test_support::data_set<float>(test_support::Recipe::small, elements);
  std::vector<float> other = data;
  std::vector<std::int64_t> begins{0, 5, 5, 30};
  std::vector<std::int64_t> ends{5, 5, 30, 64};
  std::vector<std::int64_t> indices{63, 0, 7, 7};
  std::vector<std::int32_t> narrow{0, 1, 2, 3, 70};
  std::vector<std::uint8_t> mask = std::vector<std::uint8_t>(elements, 1);
  std::vector<const void*> arrays = std::vector<const void*>(4, data.data());
  std::vector<const void*> other_arrays = arrays;
  std::vector<std::int64_t> lengths{3, 0, 64, 1};
  std::vector<float> results = std::vector<float>(8, -77);
  isofold_request request{};
  isofold_layout layout{};

  explicit Asked(std::int32_t shape) {
    request = test_support::array_request(isofold::Fold::sum, data.data(), 0, results.data(), 0);
    request.shape = shape;
    request.layout = &layout;
    layout.size = sizeof layout;
    layout.index_type = ISOFOLD_TYPE_i64;
    switch (shape) {
      case ISOFOLD_SHAPE_box: to_box(); return;
      case ISOFOLD_SHAPE_gather:
        layout.indices = indices.data();
        request.length = 4;
        return;
      case ISOFOLD_SHAPE_joined:
        request.data = arrays.data();
        layout.ends = lengths.data();
        request.length = 4;
        return;
      case ISOFOLD_SHAPE_batch:
        request.data = arrays.data();
        layout.ends = lengths.data();
        break;
      default: layout.begins = begins.data(); layout.ends = ends.data();
    }
    request.rows = 4;
  }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;

  // 8 rows of 4, every second element of every second row.
  void to_box() {
    layout.index_type = 0;
    layout.dimensions = 2;
    layout.extents[0] = 4;
    layout.extents[1] = 4;
    layout.strides[0] = 16;
    layout.strides[1] = 2;
    request.length = 16;
  }
  void keep_first() {
    layout.kept = 1;
    request.rows = 4;
    request.length = 4;
  }
  // 4 rows of at most 16.
  void to_counts() {
    layout.begins = nullptr;
    layout.ends = lengths.data();
    lengths[2] = 9;
    request.stride = 16;
  }
  void with_mask(const void* entries, std::int32_t type) {
    layout.mask = entries;
    layout.mask_type = type;
  }
  void to_dot() {
    request.fold = ISOFOLD_FOLD_dot;
    const bool of_arrays =
        request.shape == ISOFOLD_SHAPE_batch || request.shape == ISOFOLD_SHAPE_joined;
    request.second =
        of_arrays ? static_cast<void*>(other_arrays.data()) : static_cast<void*>(other.data());
    std::copy_n(layout.strides, ISOFOLD_MOST_DIMENSIONS, layout.second_strides);
  }
};

struct Bad {
  const char* name;
  std::int32_t shape;
  std::int32_t code;
  std::function<void(Asked&)> spoil;
  const char* names;  // what the sentence must mention
};

constexpr std::int32_t invalid = ISOFOLD_invalid_argument;

const std::vector<Bad>& bad_boxes() {
  constexpr std::int32_t shape = ISOFOLD_SHAPE_box;
  static const std::vector<Bad> list{
      {"layout_missing", shape, invalid, [](auto& a) { a.request.layout = nullptr; }, "Shape 3"},
      {"layout_of_an_array", shape, invalid, [](auto& a) { a.request.shape = 1; }, "Shape 1"},
      {"layout_size", shape, invalid, [](auto& a) { a.layout.size = 7; }, "7"},
      {"state", shape, ISOFOLD_unsupported, [](auto& a) { a.request.flags = ISOFOLD_STATE; },
       "Forest"},
      {"no_dimensions", shape, invalid, [](auto& a) { a.layout.dimensions = 0; }, "0"},
      {"nine_dimensions", shape, invalid, [](auto& a) { a.layout.dimensions = 9; }, "9"},
      {"negative_dimensions", shape, invalid, [](auto& a) { a.layout.dimensions = -2; }, "-2"},
      {"kept_beyond", shape, invalid, [](auto& a) { a.layout.kept = 0x4; }, "0x4"},
      {"extent_negative", shape, invalid, [](auto& a) { a.layout.extents[1] = -4; }, "-4"},
      {"extents_overflow", shape, invalid,
       [](auto& a) { a.layout.extents[0] = a.layout.extents[1] = std::int64_t{1} << 33; },
       "2 dimensions"},
      {"kept_extents_overflow_in_an_empty_box", shape, invalid,
       [](auto& a) {
         a.layout.dimensions = 3;
         a.layout.kept = 0x3;
         a.layout.extents[0] = std::int64_t{1} << 32;
         a.layout.extents[1] = std::int64_t{1} << 31;
         a.layout.extents[2] = a.request.length = 0;
         a.request.rows = std::numeric_limits<std::int64_t>::min();
       },
       "2^63 - 1 results"},
      {"kept_extents_overflow", shape, invalid,
       [](auto& a) {
         a.keep_first();
         a.layout.extents[0] = a.layout.extents[1] = std::int64_t{1} << 33;
       },
       "2 dimensions"},
      {"rows_of_another_box", shape, invalid, [](auto& a) { a.request.rows = 3; }, "3 rows of 16"},
      {"length_of_another_box", shape, invalid, [](auto& a) { a.request.length = 15; }, "of 15"},
      {"stride_overflows", shape, invalid, [](auto& a) { a.layout.strides[0] = largest / 2; },
       "4611686018427387903"},
      {"negative_stride_overflows", shape, invalid,
       [](auto& a) { a.layout.strides[0] = -(largest / 4); }, "-2305843009213693951"},
      {"below_address_0", shape, invalid, [](auto& a) { a.layout.strides[0] = -(largest / 400); },
       "beyond the addresses"},
      {"strides_overflow_together", shape, invalid,
       [](auto& a) {
         a.layout.strides[0] = -(largest / 20);
         a.layout.strides[1] = largest / 20;
       },
       "Dimension 1"},
      {"results_overflow", shape, invalid,
       [](auto& a) {
         a.keep_first();
         a.layout.extents[0] = a.request.rows = largest / 4;
         a.layout.extents[1] = a.request.length = 0;
       },
       "2305843009213693951"},
      {"null_data", shape, invalid, [](auto& a) { a.request.data = nullptr; }, "null"},
      {"null_result", shape, invalid, [](auto& a) { a.request.result = nullptr; }, "null"},
      {"data_between_elements", shape, ISOFOLD_misaligned,
       [](auto& a) { a.request.data = shifted<void>(a.request.data, 2); }, "4 bytes"},
      {"result_between_elements", shape, ISOFOLD_misaligned,
       [](auto& a) { a.request.result = shifted<void>(a.request.result, 2); }, "4 bytes"},
      {"result_in_a_gap", shape, ISOFOLD_overlap,
       [](auto& a) { a.request.result = a.data.data() + 1; }, "inside the input"},
      {"result_in_the_last_element", shape, ISOFOLD_overlap,
       [](auto& a) { a.request.result = a.data.data() + 54; }, "inside the input"},
      {"result_before_the_first_of_a_negative_stride", shape, ISOFOLD_overlap,
       [](auto& a) {
         a.layout.strides[0] = -16;
         a.request.data = a.data.data() + 48;
         a.request.result = a.data.data();
       },
       "inside the input"},
      {"result_in_the_mask", shape, ISOFOLD_overlap,
       [](auto& a) { a.with_mask(a.results.data(), ISOFOLD_MASK_bits); }, "inside the input"},
      {"result_in_the_last_byte_of_the_mask", shape, ISOFOLD_overlap,  // one bit of it, of 17
       [](auto& a) {
         a.layout.dimensions = 1;
         a.layout.extents[0] = a.request.length = 17;
         a.layout.strides[0] = 1;
         a.request.result = a.results.data() + 1;
         a.with_mask(shifted<void>(a.request.result, -2), ISOFOLD_MASK_bits);
       },
       "inside the input"},
      {"mask_without_type", shape, invalid, [](auto& a) { a.with_mask(a.mask.data(), 0); },
       "type 0"},
      {"mask_of_unknown_type", shape, invalid, [](auto& a) { a.with_mask(a.mask.data(), 4); },
       "type 4"},
      {"strided_mask_missing", shape, invalid,
       [](auto& a) { a.with_mask(nullptr, ISOFOLD_MASK_strided_bytes); }, "type 3"},
      {"mask_strides_of_another_type", shape, invalid,
       [](auto& a) {
         a.with_mask(a.mask.data(), ISOFOLD_MASK_bytes);
         a.layout.mask_strides[1] = 2;
       },
       "stride of 2 in dimension 1"},
      {"mask_strides_without_a_mask", shape, invalid, [](auto& a) { a.layout.mask_strides[7] = 2; },
       "dimension 7"},
      {"mask_strides_overflow", shape, invalid,
       [](auto& a) {
         a.with_mask(a.mask.data(), ISOFOLD_MASK_strided_bytes);
         a.layout.mask_strides[0] = largest / 2;
       },
       "the mask beyond"},
      {"mask_below_address_0", shape, invalid,
       [](auto& a) {
         a.with_mask(a.mask.data(), ISOFOLD_MASK_strided_bytes);
         a.layout.mask_strides[0] = -(largest / 4);
       },
       "mask pointer"},
      {"result_in_a_gap_of_the_mask", shape, ISOFOLD_overlap,
       [](auto& a) {
         a.with_mask(shifted<void>(a.results.data(), -15), ISOFOLD_MASK_strided_bytes);
         a.layout.mask_strides[0] = 5;
         a.layout.mask_strides[1] = 1;
       },
       "inside the input"},
      {"type_without_mask", shape, invalid, [](auto& a) { a.with_mask(nullptr, 1); }, "type 1"},
      {"blocking_minimum_of_nothing", shape, ISOFOLD_empty_input,
       [](auto& a) {
         a.request.fold = ISOFOLD_FOLD_minimum;
         a.request.flags = ISOFOLD_BLOCKING;
         a.layout.extents[0] = a.request.length = 0;
       },
       "minimum"},
      {"blocking_minimum_of_a_mask", shape, ISOFOLD_empty_input,
       [](auto& a) {
         a.mask.assign(16, 0);
         a.with_mask(a.mask.data(), ISOFOLD_MASK_bytes);
         a.request.fold = ISOFOLD_FOLD_minimum;
         a.request.flags = ISOFOLD_BLOCKING;
       },
       "the mask takes none, or skip_nan leaves all of them out"},
      {"second_missing", shape, invalid, [](auto& a) { a.request.fold = ISOFOLD_FOLD_dot; },
       "second array"},
      {"second_of_a_fold_of_one", shape, invalid,
       [](auto& a) { a.request.second = a.other.data(); }, "sum"},
      {"second_stride_overflows", shape, invalid,
       [](auto& a) {
         a.to_dot();
         a.layout.second_strides[1] = largest;
       },
       "9223372036854775807"},
      {"result_in_the_second", shape, ISOFOLD_overlap,
       [](auto& a) {
         a.to_dot();
         a.request.result = a.other.data() + 5;
       },
       "inside the input"},
      {"no_parameters", shape, invalid,
       [](auto& a) { a.request.fold = ISOFOLD_FOLD_count_in_range; }, "count_in_range"},
  };
  return list;
}

const std::vector<Bad>& bad_lists() {
  constexpr std::int32_t segments = ISOFOLD_SHAPE_segments;
  constexpr std::int32_t gather = ISOFOLD_SHAPE_gather;
  constexpr std::int32_t batch = ISOFOLD_SHAPE_batch;
  constexpr std::int32_t joined = ISOFOLD_SHAPE_joined;
  static const std::vector<Bad> list{
      {"index_type_none", segments, invalid, [](auto& a) { a.layout.index_type = 0; }, "type 0"},
      {"index_type_f64", gather, invalid, [](auto& a) { a.layout.index_type = ISOFOLD_TYPE_f64; },
       "type 2 (f64)"},
      {"rows_negative", segments, invalid, [](auto& a) { a.request.rows = -1; }, "-1 rows"},
      {"length_of_segments", segments, invalid, [](auto& a) { a.request.length = 9; }, "length 9"},
      {"length_of_a_batch", batch, invalid, [](auto& a) { a.request.length = 9; }, "length 9"},
      {"rows_of_a_gather", gather, invalid, [](auto& a) { a.request.rows = 2; }, "2 rows"},
      {"length_negative", gather, invalid, [](auto& a) { a.request.length = -5; }, "-5"},
      {"rows_overflow", segments, invalid, [](auto& a) { a.request.rows = largest; },
       "9223372036854775807"},
      {"length_overflows", gather, invalid, [](auto& a) { a.request.length = largest; },
       "9223372036854775807"},
      {"elements_negative", gather, invalid, [](auto& a) { a.layout.elements = -8; }, "-8"},
      {"elements_overflow", segments, invalid, [](auto& a) { a.layout.elements = largest; },
       "9223372036854775807"},
      {"counts_beyond_the_stride", segments, invalid,
       [](auto& a) {
         a.to_counts();
         a.lengths[1] = 17;
       },
       "Row 1 has a count of 17: it must lie between 0 and 16"},
      {"counts_beyond_the_capacity", segments, invalid,
       [](auto& a) {
         a.to_counts();
         a.request.length = 2;
       },
       "Row 0 has a count of 3: it must lie between 0 and 2"},
      {"counts_beyond_the_data", segments, invalid,
       [](auto& a) {
         a.to_counts();
         a.layout.elements = 60;
         a.lengths[3] = 13;
       },
       "Row 3 has a count of 13"},
      {"count_negative", segments, invalid,
       [](auto& a) {
         a.to_counts();
         a.lengths[2] = -1;
       },
       "Row 2 has a count of -1"},
      {"capacity_beyond_the_stride", segments, invalid,
       [](auto& a) {
         a.to_counts();
         a.request.length = 17;
       },
       "4 counted rows of at most 17 elements at a stride of 16"},
      {"stride_of_counted_rows_overflows", segments, invalid,
       [](auto& a) {
         a.to_counts();
         a.request.stride = largest / 4;
       },
       "must be less than 2^63 bytes"},
      {"strides_of_counted_rows_differ", segments, invalid,
       [](auto& a) {
         a.to_counts();
         a.to_dot();
         a.request.second_stride = 15;
       },
       "(of the second array: 15)"},
      {"length_of_segments_without_counts", segments, invalid,
       [](auto& a) { a.request.length = 3; }, "length 3"},
      {"offsets_null", segments, invalid,
       [](auto& a) { a.layout.begins = a.layout.ends = nullptr; }, "begins are null, yet 5"},
      {"indices_null", gather, invalid, [](auto& a) { a.layout.indices = nullptr; },
       "indices are null"},
      {"lengths_null", batch, invalid, [](auto& a) { a.layout.ends = nullptr; }, "ends are null"},
      {"begins_between_entries", segments, ISOFOLD_misaligned,
       [](auto& a) { a.layout.begins = shifted<void>(a.begins.data(), 4); }, "8 bytes"},
      {"result_in_the_ends", segments, ISOFOLD_overlap,
       [](auto& a) { a.layout.ends = a.request.result; }, "inside the input"},
      {"result_in_the_indices", gather, ISOFOLD_overlap,
       [](auto& a) { a.layout.indices = a.request.result; }, "inside the input"},
      {"null_data_of_segments", segments, invalid, [](auto& a) { a.request.data = nullptr; },
       "null"},
      {"null_data_of_known_elements", segments, invalid,
       [](auto& a) {
         a.request.data = nullptr;
         a.layout.elements = 64;
       },
       "64"},
      {"null_data_of_a_gather", gather, invalid, [](auto& a) { a.request.data = nullptr; }, "null"},
      {"null_list_of_a_batch", batch, invalid, [](auto& a) { a.request.data = nullptr; }, "null"},
      {"data_between_elements", gather, ISOFOLD_misaligned,
       [](auto& a) { a.request.data = shifted<void>(a.request.data, 2); }, "4 bytes"},
      {"result_in_known_elements", gather, ISOFOLD_overlap,
       [](auto& a) {
         a.layout.elements = 64;
         a.request.result = a.data.data() + 63;
       },
       "inside the input"},
      {"result_in_elements_that_segments_name", segments, ISOFOLD_overlap,
       [](auto& a) { a.request.result = a.data.data() + 60; }, "inside the input"},
      {"result_in_elements_that_a_gather_names", gather, ISOFOLD_overlap,
       [](auto& a) { a.request.result = a.data.data() + 63; }, "inside the input"},
      {"segment_ends_before_it_begins", segments, invalid, [](auto& a) { a.ends[2] = 4; },
       "Segment 2 is [5, 4)"},
      {"segment_begins_below_zero", segments, invalid, [](auto& a) { a.begins[0] = -1; },
       "Segment 0 is [-1, 5)"},
      {"segment_ends_beyond", segments, invalid,
       [](auto& a) {
         a.layout.elements = 64;
         a.ends[3] = 65;
       },
       "65"},
      {"segment_ends_beyond_memory", segments, invalid, [](auto& a) { a.ends[3] = largest; },
       "9223372036854775807"},
      {"offsets_fall", segments, invalid,
       [](auto& a) {
         a.layout.ends = nullptr;
         a.request.rows = 3;
         a.begins[2] = 3;
       },
       "Segment 1 is [5, 3)"},
      {"index_below_zero", gather, invalid, [](auto& a) { a.indices[3] = -3; },
       "Entry 3 of the indices is -3"},
      {"index_beyond", gather, invalid,
       [](auto& a) {
         a.layout.elements = 63;
         a.indices[0] = 63;
       },
       "Entry 0 of the indices is 63"},
      {"narrow_index_beyond", gather, invalid,
       [](auto& a) {
         a.layout.index_type = ISOFOLD_TYPE_i32;
         a.layout.indices = a.narrow.data();
         a.layout.elements = 64;
         a.request.length = 5;
       },
       "Entry 4 of the indices is 70"},
      {"index_beyond_memory", gather, invalid, [](auto& a) { a.indices[1] = largest; },
       "9223372036854775807"},
      // Unsigned entries of 64 bits are named as they are, not as what signed ones would be.
      {"unsigned_segment_beyond_signed", segments, invalid,
       [](auto& a) {
         a.layout.index_type = ISOFOLD_TYPE_u64;
         a.begins[1] = -5;
       },
       "Segment 1 is [18446744073709551611, 5)"},
      {"unsigned_count_beyond_signed", segments, invalid,
       [](auto& a) {
         a.layout.index_type = ISOFOLD_TYPE_u64;
         a.layout.begins = nullptr;
         a.request.length = a.request.stride = 16;
         a.ends[2] = -largest - 1;
       },
       "Row 2 has a count of 9223372036854775808"},
      {"unsigned_index_beyond_signed", gather, invalid,
       [](auto& a) {
         a.layout.index_type = ISOFOLD_TYPE_u64;
         a.indices[2] = -1;
       },
       "Entry 2 of the indices is 18446744073709551615"},
      {"unsigned_length_beyond_signed", joined, invalid,
       [](auto& a) {
         a.layout.index_type = ISOFOLD_TYPE_u64;
         a.lengths[1] = -2;
       },
       "Entry 1 of the lengths is 18446744073709551614"},
      {"length_below_zero", batch, invalid, [](auto& a) { a.lengths[3] = -1; },
       "Entry 3 of the lengths is -1"},
      {"length_beyond_memory", batch, invalid, [](auto& a) { a.lengths[0] = largest; },
       "9223372036854775807"},
      {"null_array_in_a_batch", batch, invalid, [](auto& a) { a.arrays[2] = nullptr; },
       "arrays' 2 pointer is null"},
      {"misaligned_array_in_a_batch", batch, ISOFOLD_misaligned,
       [](auto& a) { a.arrays[3] = shifted<void>(a.arrays[3], 1); }, "arrays' 3"},
      {"result_in_an_array_of_a_batch", batch, ISOFOLD_overlap,
       [](auto& a) { a.request.result = a.data.data() + 40; }, "inside the input"},
      {"null_second_array_in_a_batch", batch, invalid,
       [](auto& a) {
         a.to_dot();
         a.other_arrays[0] = nullptr;
       },
       "second arrays' 0"},
      {"rows_of_a_joined_batch", joined, invalid, [](auto& a) { a.request.rows = 4; }, "4 rows"},
      {"length_of_a_joined_batch", joined, invalid, [](auto& a) { a.request.length = -4; }, "-4"},
      {"joined_lengths_null", joined, invalid, [](auto& a) { a.layout.ends = nullptr; },
       "ends are null, yet 4"},
      {"joined_list_null", joined, invalid, [](auto& a) { a.request.data = nullptr; }, "null"},
      {"joined_length_below_zero", joined, invalid, [](auto& a) { a.lengths[3] = -1; },
       "Entry 3 of the lengths is -1"},
      {"joined_lengths_overflow", joined, invalid,
       [](auto& a) { a.lengths[1] = a.lengths[3] = largest / 8; },
       "Entry 3 of the lengths, 1152921504606846975, takes the joined arrays beyond "
       "2305843009213693951 elements"},
      {"joined_lengths_beyond_the_elements", joined, invalid,
       [](auto& a) { a.layout.elements = 67; },
       "Entry 3 of the lengths, 1, takes the joined arrays beyond 67 elements"},
      {"joined_null_array", joined, invalid, [](auto& a) { a.arrays[2] = nullptr; },
       "arrays' 2 pointer is null"},
      {"joined_misaligned_array", joined, ISOFOLD_misaligned,
       [](auto& a) { a.arrays[3] = shifted<void>(a.arrays[3], 1); }, "arrays' 3"},
      {"joined_result_in_an_array", joined, ISOFOLD_overlap,
       [](auto& a) { a.request.result = a.data.data() + 40; }, "inside the input"},
      {"joined_result_in_the_lengths", joined, ISOFOLD_overlap,
       [](auto& a) { a.layout.ends = a.request.result; }, "inside the input"},
      {"joined_second_missing", joined, invalid, [](auto& a) { a.request.fold = ISOFOLD_FOLD_dot; },
       "second array"},
      {"joined_null_second_array", joined, invalid,
       [](auto& a) {
         a.to_dot();
         a.other_arrays[0] = nullptr;
       },
       "second arrays' 0"},
      {"joined_blocking_maximum_of_nothing", joined, ISOFOLD_empty_input,
       [](auto& a) {
         a.request.fold = ISOFOLD_FOLD_maximum;
         a.request.flags = ISOFOLD_BLOCKING;
         a.lengths.assign(4, 0);
       },
       "all the joined arrays are empty"},
      {"joined_state", joined, ISOFOLD_unsupported,
       [](auto& a) { a.request.flags = ISOFOLD_STATE; }, "Forest"},
      {"second_missing", gather, invalid, [](auto& a) { a.request.fold = ISOFOLD_FOLD_dot; },
       "second array"},
      {"result_in_the_second", segments, ISOFOLD_overlap,
       [](auto& a) {
         a.to_dot();
         a.request.result = a.other.data() + 32;
       },
       "inside the input"},
      {"blocking_maximum_of_nothing", gather, ISOFOLD_empty_input,
       [](auto& a) {
         a.request.fold = ISOFOLD_FOLD_maximum;
         a.request.flags = ISOFOLD_BLOCKING;
         a.request.length = 0;
       },
       "maximum"},
      {"state_of_segments", segments, ISOFOLD_unsupported,
       [](auto& a) { a.request.flags = ISOFOLD_STATE; }, "Forest"},
  };
  return list;
}

class ShapeContract : public testing::TestWithParam<std::string> {
 protected:
  isofold::Reducer reduce_{GetParam().c_str()};

  // A plain call too, so that a refusal cannot hide behind what the front knows of the last one.
  void expect_that_the_next_calls_work(std::int32_t shape) {
    Asked good(shape);
    ASSERT_EQ(isofold_reduce(reduce_.handle(), &good.request), ISOFOLD_ok) << isofold_last_error();
    EXPECT_NE(good.results[0], -77);
    EXPECT_EQ(good.results[static_cast<std::size_t>(good.request.rows)], -77);
    const float* data = good.data.data();
    EXPECT_EQ(reduce_.sum(isofold::array(data, elements)),
              test_support::reference<isofold::Fold::sum>(data, elements));
  }
  void expect_refusals(const std::vector<Bad>& list) {
    for (const Bad& bad : list) {
      SCOPED_TRACE(bad.name);
      Asked asked(bad.shape);
      bad.spoil(asked);
      const std::vector<float> data = asked.data;
      EXPECT_STREQ(isofold_code_name(isofold_reduce(reduce_.handle(), &asked.request)),
                   isofold_code_name(bad.code));
      const std::string sentence = isofold_last_error();
      EXPECT_GE(sentence.size(), 20U) << sentence;
      EXPECT_NE(sentence.find(bad.names), std::string::npos)
          << "the sentence does not name '" << bad.names << "': " << sentence;
      EXPECT_EQ(asked.results, std::vector<float>(8, -77)) << "a refused call wrote something";
      EXPECT_EQ(asked.data, data) << "a refused call wrote into the data";
      expect_that_the_next_calls_work(bad.shape);
    }
  }
};

TEST_P(ShapeContract, BadBoxesAreRefusedInASentence) { expect_refusals(bad_boxes()); }
TEST_P(ShapeContract, BadListsAreRefusedInASentence) { expect_refusals(bad_lists()); }

// Several threads read long lists: whichever finds it, the first wrong entry is named.
TEST_P(ShapeContract, OfLongListsTheFirstWrongEntryIsNamed) {
  constexpr std::size_t count = 300000;
  constexpr std::size_t wrong[] = {100001, 150002, count - 1};
  const auto expect_sentence = [&](Asked& asked, const char* names) {
    EXPECT_EQ(isofold_reduce(reduce_.handle(), &asked.request), ISOFOLD_invalid_argument);
    EXPECT_NE(std::string(isofold_last_error()).find(names), std::string::npos)
        << isofold_last_error();
  };
  const auto expect_fine = [&](Asked& asked) {
    EXPECT_EQ(isofold_reduce(reduce_.handle(), &asked.request), ISOFOLD_ok) << isofold_last_error();
  };
  std::vector<float> results(count);

  Asked gather(ISOFOLD_SHAPE_gather);
  gather.indices.assign(count, 63);
  gather.layout.indices = gather.indices.data();
  gather.layout.elements = 64;
  gather.request.length = count;
  expect_fine(gather);
  for (const std::size_t entry : wrong) {
    gather.indices[entry] = 64;
  }
  expect_sentence(gather, "Entry 100001 of the indices is 64");

  Asked segments(ISOFOLD_SHAPE_segments);
  segments.begins.assign(count, 3);
  segments.ends.assign(count, 64);
  segments.layout.begins = segments.begins.data();
  segments.layout.ends = segments.ends.data();
  segments.layout.elements = 64;
  segments.request.rows = count;
  segments.request.result = results.data();
  expect_fine(segments);
  for (const std::size_t row : wrong) {
    segments.ends[row] = 2;
  }
  expect_sentence(segments, "Segment 100001 is [3, 2)");

  Asked counted(ISOFOLD_SHAPE_segments);
  counted.to_counts();
  counted.lengths.assign(count, 0);
  counted.lengths[7] = 1;
  counted.layout.ends = counted.lengths.data();
  counted.request.rows = count;
  counted.request.stride = 1;
  counted.request.result = results.data();
  expect_fine(counted);
  for (const std::size_t row : wrong) {
    counted.lengths[row] = 2;
  }
  expect_sentence(counted, "Row 100001 has a count of 2");
}

// Results that lie in one element, which the first part of a long list names, or the last one.
TEST_P(ShapeContract, OfLongListsEveryPartIsJudged) {
  constexpr std::size_t count = 300000;
  std::vector<float> both(count + 64);  // results, then data
  for (const bool lowest : {true, false}) {
    for (const std::size_t entry : {std::size_t{5}, count - 5}) {
      for (const std::int32_t shape : {ISOFOLD_SHAPE_gather, ISOFOLD_SHAPE_segments}) {
        SCOPED_TRACE(testing::Message() << lowest << " " << entry << " of shape " << shape);
        Asked asked(shape);
        asked.indices.assign(count, 20);
        asked.begins.assign(count, 20);
        asked.ends.assign(count, 30);
        asked.indices[entry] = lowest ? 0 : 63;
        asked.begins[entry] = lowest ? 0 : 20;
        asked.ends[entry] = 64;
        asked.layout.indices = shape == ISOFOLD_SHAPE_gather ? asked.indices.data() : nullptr;
        asked.layout.begins = shape == ISOFOLD_SHAPE_segments ? asked.begins.data() : nullptr;
        asked.layout.ends = shape == ISOFOLD_SHAPE_segments ? asked.ends.data() : nullptr;
        (shape == ISOFOLD_SHAPE_gather ? asked.request.length : asked.request.rows) = count;
        const float* const data = lowest ? both.data() + count : both.data();
        asked.request.data = data;
        // A gather has one result, segments have one each: the element is the last one or the
        // first.
        const std::size_t results = shape == ISOFOLD_SHAPE_gather ? 1 : count;
        asked.request.result = lowest ? both.data() + count + 1 - results : both.data() + 63;
        EXPECT_EQ(isofold_reduce(reduce_.handle(), &asked.request), ISOFOLD_overlap);
      }
    }
  }
}

// supports() and reserve() know the rules that need no memory.
TEST_P(ShapeContract, QuestionsFollowTheSameRules) {
  for (const char* name : {"nine_dimensions", "extents_overflow", "kept_beyond", "layout_size",
                           "index_type_none", "rows_of_a_gather", "elements_negative", "state",
                           "mask_strides_overflow", "mask_strides_of_another_type"}) {
    for (const std::vector<Bad>& list : {bad_boxes(), bad_lists()}) {
      for (const Bad& bad : list) {
        if (std::string(bad.name) == name) {
          Asked asked(bad.shape);
          bad.spoil(asked);
          EXPECT_EQ(isofold_supports(reduce_.handle(), &asked.request), bad.code) << name;
          EXPECT_EQ(isofold_reserve(reduce_.handle(), &asked.request), bad.code) << name;
        }
      }
    }
  }
}

// Layouts that look odd are fine.
TEST_P(ShapeContract, OddLayoutsAreFine) {
  const auto expect_fine = [&](Asked& asked) {
    EXPECT_EQ(isofold_reduce(reduce_.handle(), &asked.request), ISOFOLD_ok) << isofold_last_error();
  };
  Asked empty(ISOFOLD_SHAPE_box);  // without elements, whatever the pointer and the strides
  empty.request.data = nullptr;
  empty.layout.extents[0] = empty.request.length = 0;
  empty.layout.strides[0] = largest;
  empty.layout.strides[1] = -largest;
  expect_fine(empty);
  EXPECT_EQ(empty.results[0], 0);

  Asked no_rows(ISOFOLD_SHAPE_box);
  no_rows.keep_first();
  no_rows.layout.extents[0] = no_rows.request.rows = 0;
  expect_fine(no_rows);
  EXPECT_EQ(no_rows.results[0], -77);

  for (const std::int64_t stride : {1, 2}) {  // rows in memory, and rows that are not
    Asked no_long_rows(ISOFOLD_SHAPE_box);
    no_long_rows.keep_first();
    no_long_rows.request.data = nullptr;
    no_long_rows.layout.extents[0] = no_long_rows.request.rows = 0;
    no_long_rows.layout.extents[1] = no_long_rows.request.length = largest;
    no_long_rows.layout.strides[1] = stride;
    expect_fine(no_long_rows);
    EXPECT_EQ(no_long_rows.results[0], -77);
  }

  Asked huge_and_empty(ISOFOLD_SHAPE_box);
  huge_and_empty.with_mask(huge_and_empty.mask.data(), ISOFOLD_MASK_bytes);
  huge_and_empty.layout.dimensions = 4;
  for (int d : {0, 1, 2}) {
    huge_and_empty.layout.extents[d] = largest / 3;
  }
  huge_and_empty.request.length = 0;
  expect_fine(huge_and_empty);
  EXPECT_EQ(huge_and_empty.results[0], 0);

  for (const std::int64_t inner : {1, 2}) {  // rows in memory, and rows that are not
    Asked rows_of_nothing(ISOFOLD_SHAPE_box);
    rows_of_nothing.keep_first();
    rows_of_nothing.layout.extents[1] = rows_of_nothing.request.length = 0;
    rows_of_nothing.layout.strides[0] = largest;
    rows_of_nothing.layout.strides[1] = inner;
    expect_fine(rows_of_nothing);
    for (std::int64_t row = 0; row < rows_of_nothing.request.rows; ++row) {
      EXPECT_EQ(rows_of_nothing.results[static_cast<std::size_t>(row)], 0);
    }
  }

  Asked result_behind_the_mask(ISOFOLD_SHAPE_box);  // which has 16 bits
  result_behind_the_mask.request.result = result_behind_the_mask.results.data() + 1;
  result_behind_the_mask.with_mask(shifted<void>(result_behind_the_mask.request.result, -2),
                                   ISOFOLD_MASK_bits);
  expect_fine(result_behind_the_mask);

  Asked nothing_masked(ISOFOLD_SHAPE_box);
  nothing_masked.with_mask(nullptr, ISOFOLD_MASK_strided_bytes);
  nothing_masked.layout.extents[0] = nothing_masked.request.length = 0;
  nothing_masked.layout.mask_strides[0] = largest;
  expect_fine(nothing_masked);
  EXPECT_EQ(nothing_masked.results[0], 0);

  Asked result_between_entries(ISOFOLD_SHAPE_box);  // all are the byte before the result
  result_between_entries.with_mask(shifted<void>(result_between_entries.results.data() + 1, -1),
                                   ISOFOLD_MASK_strided_bytes);
  result_between_entries.request.result = result_between_entries.results.data() + 1;
  expect_fine(result_between_entries);

  Asked no_segments(ISOFOLD_SHAPE_segments);
  no_segments.request.rows = 0;
  no_segments.layout.begins = no_segments.layout.ends = nullptr;
  expect_fine(no_segments);
  EXPECT_EQ(no_segments.results[0], -77);

  for (const std::int32_t shape :
       {ISOFOLD_SHAPE_gather, ISOFOLD_SHAPE_segments, ISOFOLD_SHAPE_batch, ISOFOLD_SHAPE_joined}) {
    Asked with(shape);  // a mask belongs to a box: it is ignored
    Asked without(shape);
    with.with_mask(with.mask.data(), ISOFOLD_MASK_bytes);
    expect_fine(with);
    expect_fine(without);
    EXPECT_EQ(with.results, without.results);
  }

  Asked outside(ISOFOLD_SHAPE_segments);  // an empty segment may be anywhere, the result behind it
  outside.begins[1] = outside.ends[1] = 1000000;
  expect_fine(outside);
  EXPECT_EQ(outside.results[1], 0);
}

// validate(false) trusts indices, and computes the same.
TEST_P(ShapeContract, ValidationOffComputesTheSame) {
  isofold::Reducer trusting(GetParam().c_str(), isofold::Options{}.validate(false));
  for (std::int32_t shape : {ISOFOLD_SHAPE_box, ISOFOLD_SHAPE_segments, ISOFOLD_SHAPE_gather,
                             ISOFOLD_SHAPE_batch, ISOFOLD_SHAPE_joined}) {
    Asked checked(shape);
    Asked trusted(shape);
    EXPECT_EQ(isofold_reduce(reduce_.handle(), &checked.request), ISOFOLD_ok);
    EXPECT_EQ(isofold_reduce(trusting.handle(), &trusted.request), ISOFOLD_ok);
    EXPECT_EQ(trusted.results, checked.results) << "shape " << shape;
  }
  // An index past what the layout says, and inside the memory that there is.
  Asked beyond(ISOFOLD_SHAPE_gather);
  beyond.layout.elements = 5;
  EXPECT_EQ(isofold_reduce(reduce_.handle(), &beyond.request), ISOFOLD_invalid_argument);
  EXPECT_EQ(isofold_reduce(trusting.handle(), &beyond.request), ISOFOLD_ok) << isofold_last_error();
}

INSTANTIATE_TEST_SUITE_P(Host, ShapeContract, testing::ValuesIn(test_support::host_backends()),
                         test_support::name_of_parameter);

// ---- what shape.hpp and reducer.hpp refuse before there is a request --------------------------

template <class Make>
void expect_throw(const char* names, Make&& make) {
  std::string sentence;
  EXPECT_EQ(test_support::code_of(make, &sentence), Code::invalid_argument) << names;
  EXPECT_NE(sentence.find(names), std::string::npos) << sentence;
}

TEST(ShapeHelpers, RefuseInASentence) {
  const std::vector<float> x(100, 1.0F);
  const float* data = x.data();
  const auto whole = box(data, {10, 10});
  expect_throw("0 dimensions", [&] { return box(data, {}); });
  expect_throw("9 dimensions", [&] { return box(data, {1, 1, 1, 1, 1, 1, 1, 1, 1}); });
  expect_throw("9 dimensions", [&] {
    return box(data, {1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1});
  });
  expect_throw("2 extents and 3 strides", [&] { return box(data, {10, 10}, {10, 1, 1}); });
  expect_throw("6 ghost layers", [&] { return interior(whole, 6); });
  expect_throw("-1 ghost layers", [&] { return interior(whole, -1); });
  expect_throw("dimension 1, which has an extent of 3", [&] {
    return interior(box(data, {10, 3}), 2);
  });
  expect_throw("9223372036854775807 ghost layers", [&] { return interior(whole, largest); });
  expect_throw("5 ghost layers on both sides of dimension 0, which has an extent of 10: something",
               [&] { return interior(whole, 5); });
  expect_throw("2 ghost layers on both sides of dimension 1, which has an extent of 4", [&] {
    return interior(box(data, {3, 4}), {0, 2});
  });
  expect_throw("1 numbers of ghost layers for a box of 2", [&] { return interior(whole, {1}); });
  expect_throw("A slice [2, 11) by 1 of dimension 1, which has an extent of 10",
               [&] { return slice(whole, 1, 2, 11); });
  expect_throw("A slice [-1, 3) by 1 of dimension 0", [&] { return slice(whole, 0, -1, 3); });
  expect_throw("A slice [4, 3) by 1 of dimension 0", [&] { return slice(whole, 0, 4, 3); });
  expect_throw("A slice [0, 3) by 0 of dimension 0", [&] { return slice(whole, 0, 0, 3, 0); });
  expect_throw("Dimension 2 of a box of 2", [&] { return slice(whole, 2, 0, 1); });
  expect_throw("Dimension 2 of a box of 2", [&] { return over(whole, {0, 2}); });
  expect_throw("Dimension -3 of a box of 2", [&] { return over(whole, {-3}); });
  const std::vector<std::uint8_t> taken(6, 1);
  expect_throw("A mask of 6 entries for 64 elements: it has an entry for each. If the mask is of",
               [&] { return masked(interior(whole, 1), taken); });
  expect_throw("A mask over a masked box",
               [&] { return masked(masked(whole, taken.data()), taken.data()); });
  expect_throw("A mask over a masked box", [&] {
    return masked_by_bits(masked(over(whole, {0}), taken.data()), taken.data());
  });
  expect_throw("Dimension 0 of a box of 2 is a duplicate", [&] { return over(whole, {0, 0}); });
  expect_throw("Dimension -2 of a box of 2 is a duplicate", [&] {
    return over(whole, {0, 1, -2});
  });
  expect_throw("Dimension -1 of a box of 2 is a duplicate", [&] {
    return over(whole, std::vector<int>{1, -1});
  });
  expect_throw("over() names 9 dimensions of a box of 8", [&] {
    return over(box(data, {1, 1, 1, 1, 1, 1, 10, 10}), {0, 1, 2, 3, 4, 5, 6, 7, 7});
  });
}

TEST(ShapeHelpers, ReducersRefuseInASentence) {
  const std::vector<float> x(100, 1.0F);
  const float* data = x.data();
  isofold::Reducer reduce(isofold::Backend::reference);
  expect_throw("10 by 10 and 10 by 9", [&] {
    return reduce.dot(box(data, {10, 10}), box(data, {10, 9}));
  });
  expect_throw("10 by 10 and 100", [&] {
    return reduce.dot(box(data, {10, 10}), box(data, {100}));
  });
  expect_throw("9 dimensions", [&] {
    isofold::Box<float> made{data, 9, {}, {}};
    static_cast<void>(reduce.sum(made));
  });
  expect_throw("negative", [&] { return reduce.sum(box(data, {10, -1})); });
  expect_throw("2^63 - 1 elements", [&] {
    const std::int64_t large = std::int64_t{1} << 40;
    static_cast<void>(reduce.sum(box(data, {large, large})));
  });
  // An offset that is no signed number is named as the caller wrote it.
  const std::vector<std::uint64_t> offsets{0, (std::uint64_t{1} << 63) + 5, 100};
  expect_throw("Segment 0 is [0, 9223372036854775813)",
               [&] { return reduce.sum(isofold::segments(x, offsets)); });
  const std::vector<std::uint64_t> right{0, 40, 100};
  EXPECT_EQ(reduce.sum(isofold::segments(x, right)), (std::vector<float>{40, 60}));
  EXPECT_EQ(reduce.sum(box(data, {10, 10})), 100.0F);
}

}  // namespace
