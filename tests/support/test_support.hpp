// Support that the unit tests share: the backends to test, options and plain requests for them, bit
// patterns, and memory that is placed where a backend reads.
#pragma once

#include <cstdint>
#include <cstring>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <conformance/judge.hpp>
#include <conformance/target.hpp>
#include <conformance/test_data.hpp>
#include <isofold/isofold.hpp>

namespace isofold {

inline void PrintTo(Code code, std::ostream* out) {
  *out << isofold_code_name(static_cast<std::int32_t>(code));
}

}  // namespace isofold

namespace test_support {

using isofold::conformance::bits_of;
using isofold::conformance::is_within_bound;
using isofold::test_data::Recipe;

// A result's bits without its padding, which a value that C++ copies need not keep.
template <class R>
auto components_of(const R& result) {
  return bits_of(result);
}
template <class T>
auto components_of(const isofold::Location<T>& location) {
  return std::pair(bits_of(location.value), location.index);
}

inline bool has_device_memory(const std::string& backend) {
  return backend == "cuda" || backend == "hip";
}

// Every backend that isofold knows, for tests that skip those which cannot compute here.
inline std::vector<std::string> every_backend() { return isofold::backend_names(); }

// Those that compute here, on host memory, with the bits of tree v1.
inline std::vector<std::string> host_backends() {
  std::vector<std::string> names;
  for (const std::string& name : isofold::backend_names()) {
    if (isofold::is_available(name) && !has_device_memory(name) && !is_within_bound(name)) {
      names.push_back(name);
    }
  }
  return names;
}

inline isofold::Options options_for(const std::string& backend) {
  return isofold::Options{}.guarantee(is_within_bound(backend) ? isofold::Guarantee::within_bound
                                                               : isofold::Guarantee::same_bits);
}

// A request for a whole array, blocking: a good one, to be spoilt in one place by a test.
template <class T, class R>
isofold_request array_request(isofold::Fold fold, const T* data, std::int64_t count, R* result,
                              std::int32_t flags = ISOFOLD_BLOCKING) {
  isofold_request request{};
  request.size = sizeof request;
  request.definition = ISOFOLD_DEFINITION_tree_v1;
  request.fold = static_cast<std::int32_t>(fold);
  request.type = static_cast<std::int32_t>(isofold::type_of<T>);
  request.shape = ISOFOLD_SHAPE_array;
  request.flags = flags;
  request.data = data;
  request.rows = 1;
  request.length = count;
  request.stride = count;
  request.result = result;
  return request;
}

template <class T>
T* shifted(const void* pointer, std::int64_t bytes) {
  return reinterpret_cast<T*>(reinterpret_cast<std::intptr_t>(pointer) + bytes);
}

template <class T>
std::vector<T> data_set(Recipe recipe, std::int64_t n, std::uint64_t seed = 1) {
  std::vector<T> data(static_cast<std::size_t>(n));
  isofold::test_data::fill(recipe, seed, n, data.data());
  return data;
}

// The bits to compare with: the reference backend's.
template <isofold::Fold fold, class T>
isofold::result_t<fold, T> reference(const T* data, std::int64_t n) {
  isofold::Reducer reduce(isofold::Backend::reference);
  isofold::result_t<fold, T> result{};
  reduce.reduce(isofold::FoldTag<fold>{}, isofold::array(data, n), &result);
  return result;
}

// The code that `function` throws, Code::ok when it throws none; the sentence into `sentence`.
template <class Function>
isofold::Code code_of(Function&& function, std::string* sentence = nullptr) {
  try {
    function();
  } catch (const isofold::Error& error) {
    if (sentence != nullptr) {
      *sentence = error.what();
    }
    return error.code();
  }
  return isofold::Code::ok;
}

inline std::string name_of_parameter(const testing::TestParamInfo<std::string>& info) {
  return info.param;
}

}  // namespace test_support
