// The C ABI beside the Reducer: names, sizes, numbers that never change, memory, and what null
// does.
#include <complex>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <test_support.hpp>

extern "C" int isofold_c_program(char* message,
                                 size_t bytes);  // c_program.c: the header, read as C

namespace {

TEST(CAbi, IsReadAsC) {
  char message[256] = "";
  EXPECT_EQ(isofold_c_program(message, sizeof message), 0) << message;
}

// Numbers are part of the ABI and of stored Forests: added, never changed.
TEST(CAbi, NumbersNeverChange) {
  EXPECT_EQ(ISOFOLD_FOLD_sum, 1);
  EXPECT_EQ(ISOFOLD_FOLD_product, 2);
  EXPECT_EQ(ISOFOLD_FOLD_minimum, 3);
  EXPECT_EQ(ISOFOLD_FOLD_maximum, 4);
  EXPECT_EQ(ISOFOLD_FOLD_argmin, 5);
  EXPECT_EQ(ISOFOLD_FOLD_argminmax, 10);
  EXPECT_EQ(ISOFOLD_FOLD_norm2, 13);
  EXPECT_EQ(ISOFOLD_FOLD_dot, 14);
  EXPECT_EQ(ISOFOLD_FOLD_moments, 16);
  EXPECT_EQ(ISOFOLD_FOLD_log_sum_exp, 20);
  EXPECT_EQ(ISOFOLD_FOLD_count_in_range, 24);
  EXPECT_EQ(ISOFOLD_FOLD_bit_xor, 30);
  EXPECT_EQ(ISOFOLD_FOLD_dot_with_bound, 33);
  EXPECT_EQ(ISOFOLD_FOLD_weighted_sum, 34);
  EXPECT_EQ(ISOFOLD_FOLD_argabsmax, 35);
  EXPECT_EQ(ISOFOLD_FOLD_sample_standard_deviation, 37);
  EXPECT_EQ(ISOFOLD_TYPE_f32, 1);
  EXPECT_EQ(ISOFOLD_TYPE_f64, 2);
  EXPECT_EQ(ISOFOLD_TYPE_i32, 3);
  EXPECT_EQ(ISOFOLD_TYPE_i64, 4);
  EXPECT_EQ(ISOFOLD_TYPE_u32, 5);
  EXPECT_EQ(ISOFOLD_TYPE_u64, 6);
  EXPECT_EQ(ISOFOLD_TYPE_i8, 7);
  EXPECT_EQ(ISOFOLD_TYPE_u8, 8);
  EXPECT_EQ(ISOFOLD_TYPE_i16, 9);
  EXPECT_EQ(ISOFOLD_TYPE_u16, 10);
  EXPECT_EQ(ISOFOLD_TYPE_f16, 11);
  EXPECT_EQ(ISOFOLD_TYPE_bf16, 12);
  EXPECT_EQ(ISOFOLD_ok, 0);
  EXPECT_EQ(ISOFOLD_DEFINITION_tree_v1, 1);
  EXPECT_EQ(ISOFOLD_SHAPE_array, 1);
  EXPECT_EQ(ISOFOLD_SHAPE_rows, 2);
}

TEST(CAbi, NamesAndSizes) {
  EXPECT_STREQ(isofold_fold_name(ISOFOLD_FOLD_product), "product");
  EXPECT_STREQ(isofold_fold_name(0), "");
  EXPECT_STREQ(isofold_fold_name(-1), "");
  EXPECT_STREQ(isofold_type_name(ISOFOLD_TYPE_u64), "u64");
  EXPECT_STREQ(isofold_type_name(4321), "");
  EXPECT_STREQ(isofold_code_name(ISOFOLD_wrong_memory), "wrong_memory");
  EXPECT_STREQ(isofold_code_name(4321), "");
  EXPECT_EQ(isofold_type_bytes(ISOFOLD_TYPE_f32), 4);
  EXPECT_EQ(isofold_type_bytes(ISOFOLD_TYPE_i64), 8);
  EXPECT_EQ(isofold_type_bytes(ISOFOLD_TYPE_u8), 1);
  EXPECT_EQ(isofold_type_bytes(ISOFOLD_TYPE_bf16), 2);
  EXPECT_EQ(isofold_type_bytes(0), 0);
  EXPECT_EQ(isofold_result_type(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_i32), ISOFOLD_TYPE_i64);
  EXPECT_EQ(isofold_result_type(ISOFOLD_FOLD_product, ISOFOLD_TYPE_u32), ISOFOLD_TYPE_u64);
  EXPECT_EQ(isofold_result_type(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f32), ISOFOLD_TYPE_f32);
  EXPECT_EQ(isofold_result_type(ISOFOLD_FOLD_minimum, ISOFOLD_TYPE_i32), ISOFOLD_TYPE_i32);
  EXPECT_EQ(isofold_result_type(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f16), ISOFOLD_TYPE_f32);
  EXPECT_EQ(isofold_result_type(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_u8), ISOFOLD_TYPE_u64);
  EXPECT_EQ(isofold_result_type(ISOFOLD_FOLD_minimum, ISOFOLD_TYPE_i16), ISOFOLD_TYPE_i32);
  EXPECT_EQ(isofold_result_type(ISOFOLD_FOLD_dot, ISOFOLD_TYPE_i8), ISOFOLD_TYPE_none);
  EXPECT_EQ(isofold_result_type(4321, ISOFOLD_TYPE_i32), ISOFOLD_TYPE_none);
  EXPECT_EQ(isofold_state_bytes(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_i32), 8);
  EXPECT_EQ(isofold_state_bytes(ISOFOLD_FOLD_sum, 4321), 0);
  int major = -1;
  int minor = -1;
  int patch = -1;
  EXPECT_EQ(std::sscanf(isofold_version(), "%d.%d.%d", &major, &minor, &patch), 3);
}

// The components in order: name, type and offset, and how many there are. No room is no error.
TEST(CAbi, ResultsAreDescribed) {
  struct Described {
    std::int32_t fold;
    std::int32_t type;
    std::int64_t bytes;
    std::vector<isofold_component> components;
  };
  const Described all[] = {
      {ISOFOLD_FOLD_sum, ISOFOLD_TYPE_u32, 8, {{"", ISOFOLD_TYPE_u64, 0}}},
      {ISOFOLD_FOLD_argmin,
       ISOFOLD_TYPE_f32,
       16,
       {{"value", ISOFOLD_TYPE_f32, 0}, {"index", ISOFOLD_TYPE_i64, 8}}},
      {ISOFOLD_FOLD_argmax_last,
       ISOFOLD_TYPE_u64,
       16,
       {{"value", ISOFOLD_TYPE_u64, 0}, {"index", ISOFOLD_TYPE_i64, 8}}},
      {ISOFOLD_FOLD_minmax,
       ISOFOLD_TYPE_i32,
       8,
       {{"minimum", ISOFOLD_TYPE_i32, 0}, {"maximum", ISOFOLD_TYPE_i32, 4}}},
      {ISOFOLD_FOLD_argminmax,
       ISOFOLD_TYPE_i32,
       32,
       {{"minimum", ISOFOLD_TYPE_i32, 0},
        {"minimum_index", ISOFOLD_TYPE_i64, 8},
        {"maximum", ISOFOLD_TYPE_i32, 16},
        {"maximum_index", ISOFOLD_TYPE_i64, 24}}},
      {ISOFOLD_FOLD_moments,
       ISOFOLD_TYPE_f32,
       24,
       {{"count", ISOFOLD_TYPE_i64, 0},
        {"mean", ISOFOLD_TYPE_f64, 8},
        {"m2", ISOFOLD_TYPE_f64, 16}}},
      {ISOFOLD_FOLD_mean, ISOFOLD_TYPE_f32, 8, {{"", ISOFOLD_TYPE_f64, 0}}},
      {ISOFOLD_FOLD_softmax_statistics,
       ISOFOLD_TYPE_f64,
       16,
       {{"maximum", ISOFOLD_TYPE_f64, 0}, {"sum", ISOFOLD_TYPE_f64, 8}}},
      {ISOFOLD_FOLD_dot_with_bound,
       ISOFOLD_TYPE_f32,
       8,
       {{"value", ISOFOLD_TYPE_f32, 0}, {"bound", ISOFOLD_TYPE_f32, 4}}},
      {ISOFOLD_FOLD_weighted_sum,
       ISOFOLD_TYPE_f64,
       16,
       {{"sum", ISOFOLD_TYPE_f64, 0}, {"weight", ISOFOLD_TYPE_f64, 8}}},
      {ISOFOLD_FOLD_any, ISOFOLD_TYPE_f64, 1, {{"", ISOFOLD_TYPE_boolean, 0}}},
      {ISOFOLD_FOLD_count_nan, ISOFOLD_TYPE_i32, 8, {{"", ISOFOLD_TYPE_i64, 0}}},
      {ISOFOLD_FOLD_dot, ISOFOLD_TYPE_i32, 0, {}},
      {ISOFOLD_FOLD_bit_or, ISOFOLD_TYPE_f32, 0, {}},
      {4321, ISOFOLD_TYPE_f32, 0, {}}};
  for (const Described& expected : all) {
    SCOPED_TRACE(isofold_fold_name(expected.fold));
    EXPECT_EQ(isofold_result_bytes(expected.fold, expected.type), expected.bytes);
    isofold_component found[4] = {};
    const auto count = static_cast<std::int32_t>(expected.components.size());
    ASSERT_EQ(isofold_result_components(expected.fold, expected.type, found, 4), count);
    EXPECT_EQ(isofold_result_components(expected.fold, expected.type, nullptr, 0), count);
    for (std::size_t i = 0; i < expected.components.size(); ++i) {
      EXPECT_STREQ(found[i].name, expected.components[i].name);
      EXPECT_EQ(found[i].type, expected.components[i].type);
      EXPECT_EQ(found[i].offset, expected.components[i].offset);
    }
    const std::int32_t single = count == 1 ? found[0].type : std::int32_t{ISOFOLD_TYPE_none};
    EXPECT_EQ(isofold_result_type(expected.fold, expected.type), single);
  }
}

// A number of streams that no machine has is taken as two, in folds of every kind.
TEST(CAbi, SchedulesOfAnyNumberOfStreams) {
  if (!isofold::is_available("openmp")) {
    GTEST_SKIP() << "no openmp here";
  }
  const std::vector<double> x =
      test_support::data_set<double>(test_support::Recipe::near_one, 200000);
  isofold::Reducer reduce("openmp");
  const auto wanted = reduce.argmin(isofold::array(x.data(), 200000));
  for (const std::int32_t streams : {-1, 1, 2, 3, 4, 100000}) {
    isofold_schedule schedule{};
    schedule.streams = streams;
    isofold::Location<double> found{};
    isofold_request request = test_support::array_request(isofold::Fold::argmin, x.data(),
                                                          std::int64_t{200000}, &found, 0);
    request.schedule = &schedule;
    ASSERT_EQ(isofold_reduce(reduce.handle(), &request), ISOFOLD_ok) << isofold_last_error();
    EXPECT_EQ(found.index, wanted.index) << streams;
    EXPECT_EQ(found.value, wanted.value) << streams;
  }
}

// The C++ interface refuses at compile time what the library refuses at run time.
TEST(CAbi, TheHeaderKnowsTheCases) {
#define ISOFOLD_COMPARE(fold, number, type)                                                       \
  EXPECT_EQ((isofold::takes<isofold::Fold::fold, type>()),                                        \
            isofold_result_bytes(number, static_cast<std::int32_t>(isofold::type_of<type>)) != 0) \
      << #fold " " #type;
#define ISOFOLD_COMPARE_TYPES(fold, number)    \
  ISOFOLD_COMPARE(fold, number, float)         \
  ISOFOLD_COMPARE(fold, number, double)        \
  ISOFOLD_COMPARE(fold, number, std::int32_t)  \
  ISOFOLD_COMPARE(fold, number, std::uint64_t) \
  ISOFOLD_COMPARE(fold, number, std::complex<float>)
  ISOFOLD_FOLDS(ISOFOLD_COMPARE_TYPES)
#undef ISOFOLD_COMPARE_TYPES
#undef ISOFOLD_COMPARE
}

TEST(CAbi, FoldsSayWhatTheyTake) {
  for (std::int32_t fold = 1; isofold_fold_name(fold)[0] != '\0'; ++fold) {
    EXPECT_TRUE(isofold_fold_arrays(fold) == 1 || isofold_fold_arrays(fold) == 2)
        << isofold_fold_name(fold);
    EXPECT_EQ(isofold_fold_parameters(fold), fold == ISOFOLD_FOLD_count_in_range ? 2 : 0)
        << isofold_fold_name(fold);
  }
  for (std::int32_t fold : {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_moments, ISOFOLD_FOLD_bit_xor}) {
    EXPECT_EQ(isofold_fold_arrays(fold), 1) << isofold_fold_name(fold);
  }
  for (std::int32_t fold : {ISOFOLD_FOLD_dot, ISOFOLD_FOLD_squared_distance,
                            ISOFOLD_FOLD_dot_with_bound, ISOFOLD_FOLD_weighted_sum}) {
    EXPECT_EQ(isofold_fold_arrays(fold), 2) << isofold_fold_name(fold);
  }
  EXPECT_EQ(isofold_fold_parameters(ISOFOLD_FOLD_count_in_range), 2);
  for (std::int32_t fold : {0, -1, 4321}) {
    EXPECT_EQ(isofold_fold_arrays(fold), 0);
    EXPECT_EQ(isofold_fold_parameters(fold), 0);
  }
  EXPECT_STREQ(isofold_type_name(ISOFOLD_TYPE_boolean), "bool");
  EXPECT_EQ(isofold_type_bytes(ISOFOLD_TYPE_boolean), 1);
}

TEST(CAbi, BackendsAreListed) {
  const std::int32_t count = isofold_backend_count();
  ASSERT_GE(count, 5);
  for (std::int32_t i = 0; i < count; ++i) {
    ASSERT_NE(isofold_backend_name(i), nullptr);
    EXPECT_NE(std::strlen(isofold_backend_reason(isofold_backend_name(i))), 0U);
  }
  EXPECT_EQ(isofold_backend_name(count), nullptr);
  EXPECT_EQ(isofold_backend_name(-1), nullptr);
  EXPECT_EQ(isofold_backend_available("reference"), 1);
  EXPECT_EQ(isofold_backend_available("no such backend"), 0);
  EXPECT_EQ(isofold_backend_available(nullptr), 0);
  EXPECT_NE(isofold_backend_reason(nullptr), nullptr);
  EXPECT_EQ(isofold_backend_device_count("reference"), 1);
  EXPECT_EQ(isofold_backend_device_count("no such backend"), 0);
}

TEST(CAbi, DeviceNamesAreCutWithTheirZero) {
  char whole[64];
  ASSERT_EQ(isofold_backend_device_name("reference", 0, whole, sizeof whole), ISOFOLD_ok);
  char part[4] = {'x', 'x', 'x', 'x'};
  ASSERT_EQ(isofold_backend_device_name("reference", 0, part, sizeof part), ISOFOLD_ok);
  EXPECT_EQ(part[3], '\0');
  EXPECT_EQ(std::string(part), std::string(whole).substr(0, 3));
}

TEST(CAbi, MemoryThatIsNoneIsRefused) {
  void* memory = nullptr;
  char bytes[8] = {};
  for (const std::string& name : test_support::host_backends()) {
    const char* backend = name.c_str();
    for (const std::int32_t code :
         {isofold_allocate(backend, 0, 8, nullptr), isofold_allocate(backend, 1, 8, &memory),
          isofold_copy(backend, 0, nullptr, bytes, 8), isofold_copy(backend, 0, bytes, nullptr, 8),
          isofold_backend_device_name(backend, 0, nullptr, 8),
          isofold_backend_device_name(backend, 1, bytes, 8)}) {
      EXPECT_EQ(code, ISOFOLD_invalid_argument) << isofold_last_error();
    }
    EXPECT_EQ(isofold_copy(backend, 0, nullptr, nullptr, 0), ISOFOLD_ok);
    // Rounded up to whole cache lines it would be nothing.
    for (const std::size_t most : {SIZE_MAX, SIZE_MAX - 63, std::size_t{1} << 63}) {
      EXPECT_EQ(isofold_allocate(backend, 0, most, &memory), ISOFOLD_out_of_memory) << most;
    }
    EXPECT_EQ(memory, nullptr);
  }
  EXPECT_EQ(isofold_result_components(ISOFOLD_FOLD_minmax, ISOFOLD_TYPE_f64, nullptr, 2), 2);
}

TEST(CAbi, NullIsFineToDestroyAndRefusedToUse) {
  isofold_destroy(nullptr);
  isofold_forest_destroy(nullptr);
  isofold_release("reference", 0, nullptr);
  isofold_request request{};
  EXPECT_EQ(isofold_reduce(nullptr, &request), ISOFOLD_invalid_argument);
  isofold::Reducer reducer(isofold::Backend::reference);
  EXPECT_EQ(isofold_reduce(reducer.handle(), nullptr), ISOFOLD_invalid_argument);
}

// Each thread has its own last error.
TEST(CAbi, EveryFunctionRefusesNull) {
  isofold_forest* forest = nullptr;
  ASSERT_EQ(isofold_forest_create(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f32, 3, &forest), ISOFOLD_ok);
  std::size_t bytes = 0;
  float result = 0;
  const isofold_request request{};
  for (const std::int32_t code :
       {isofold_supports(nullptr, &request), isofold_reserve(nullptr, &request),
        isofold_synchronize(nullptr), isofold_set_stream(nullptr, nullptr),
        isofold_forest_create(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f32, 3, nullptr),
        isofold_forest_copy(nullptr, &forest), isofold_forest_copy(forest, nullptr),
        isofold_forest_add(nullptr, nullptr, nullptr, 0, 0), isofold_forest_merge(forest, nullptr),
        isofold_forest_merge(nullptr, forest), isofold_forest_finish(nullptr, &result),
        isofold_forest_finish(forest, nullptr), isofold_forest_to_bytes(forest, nullptr, nullptr),
        isofold_forest_to_bytes(nullptr, nullptr, &bytes)}) {
    EXPECT_EQ(code, ISOFOLD_invalid_argument);
    EXPECT_NE(std::string(isofold_last_error()).find("null"), std::string::npos);
  }
  EXPECT_EQ(isofold_forest_complete(nullptr), 0);
  EXPECT_STREQ(isofold_reducer_backend(nullptr), "");
  isofold_forest_destroy(forest);
}

TEST(CAbi, NullIsNoBackendsName) {
  void* memory = nullptr;
  char text[8] = "";
  EXPECT_EQ(isofold_backend_available(nullptr), 0);
  EXPECT_NE(std::string(isofold_backend_reason(nullptr)).find("unknown"), std::string::npos);
  EXPECT_EQ(isofold_backend_device_count(nullptr), 0);
  EXPECT_EQ(isofold_backend_device_name(nullptr, 0, text, sizeof text),
            ISOFOLD_backend_unavailable);
  EXPECT_EQ(isofold_allocate(nullptr, 0, 8, &memory), ISOFOLD_backend_unavailable);
  EXPECT_EQ(isofold_copy(nullptr, 0, text, text, 1), ISOFOLD_backend_unavailable);
  isofold_release(nullptr, 0, text);
}

TEST(CAbi, OptionsOutOfRangeAreRefused) {
  for (std::int32_t isofold_options::*field :
       {&isofold_options::reserved, &isofold_options::validate, &isofold_options::has_stream}) {
    isofold_options options{};
    options.size = sizeof options;
    options.backend = "reference";
    options.*field = 2;
    isofold_reducer* reducer = nullptr;
    EXPECT_EQ(isofold_create(&options, &reducer), ISOFOLD_invalid_argument);
    options.*field = 0;
    EXPECT_EQ(isofold_create(&options, &reducer), ISOFOLD_ok);
    isofold_destroy(reducer);
  }
}

TEST(CAbi, LastErrorBelongsToItsThread) {
  isofold_reducer* none = nullptr;
  isofold_options options = isofold::Options{}.plain();
  options.backend = "mine";
  EXPECT_EQ(isofold_create(&options, &none), ISOFOLD_backend_unavailable);
  std::thread([] {
    EXPECT_STREQ(isofold_last_error(), "");
    isofold_options theirs = isofold::Options{}.plain();
    theirs.backend = "theirs";
    isofold_reducer* nothing = nullptr;
    EXPECT_EQ(isofold_create(&theirs, &nothing), ISOFOLD_backend_unavailable);
    EXPECT_NE(std::string(isofold_last_error()).find("theirs"), std::string::npos);
  }).join();
  EXPECT_NE(std::string(isofold_last_error()).find("mine"), std::string::npos);
}

TEST(CAbi, MemoryOfEveryBackendHoldsWhatIsCopied) {
  for (const std::string& name : isofold::backend_names()) {
    if (!isofold::is_available(name)) {
      continue;
    }
    const std::vector<float> data = test_support::data_set<float>(test_support::Recipe::iota, 1000);
    isofold::Buffer buffer(name, 4000);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0U) << name;
    buffer.copy_from(data.data(), 4000);
    std::vector<float> back(10);
    buffer.copy_to(back.data(), 40, 400);
    EXPECT_EQ(back[0], data[100]) << name;
    char more[8] = {};
    EXPECT_EQ(test_support::code_of([&] { buffer.copy_from(more, 8, 3993); }),
              isofold::Code::invalid_argument);
    EXPECT_EQ(test_support::code_of([&] { buffer.copy_to(more, 8, 4001); }),
              isofold::Code::invalid_argument);
    isofold::Buffer moved = std::move(buffer);
    moved.copy_to(back.data(), 40);
    EXPECT_EQ(back[0], data[0]) << name;
    isofold::Buffer empty(name, 0);
    EXPECT_EQ(test_support::code_of([&] { isofold::Buffer too_much(name, std::size_t{1} << 62); }),
              isofold::Code::out_of_memory)
        << name;
    isofold::Buffer after(name, 64);  // the next call works
  }
}

TEST(CAbi, StatesAreTheRawMaterialOfResults) {
  const std::vector<std::int32_t> data =
      test_support::data_set<std::int32_t>(test_support::Recipe::uniform, 5000);
  for (const std::string& name : test_support::host_backends()) {
    isofold::Reducer reducer(name.c_str());
    std::uint64_t state = 0;
    const isofold_request request = test_support::array_request(
        isofold::Fold::sum, data.data(), 5000, &state, ISOFOLD_BLOCKING | ISOFOLD_STATE);
    ASSERT_EQ(isofold_reduce(reducer.handle(), &request), ISOFOLD_ok) << isofold_last_error();
    EXPECT_EQ(static_cast<std::int64_t>(state),
              test_support::reference<isofold::Fold::sum>(data.data(), 5000));
  }
}

}  // namespace
