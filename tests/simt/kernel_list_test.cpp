// The list of kernels (backends/gpu/plan/select.hpp), one kernel at a time: without it, any input
// that another kernel can take has the same bits; alone, it takes some input, and has the bits of
// the reference for all that it takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include <backends/gpu/plan/select.hpp>
#include <isofold/isofold.hpp>

#include "../support/kernel_inputs.hpp"
#include "on_device.hpp"

namespace {

using isofold::simt::OnDevice;
using isofold::simt::Platform;
using isofold::test::Input;
using isofold::test::inputs;

constexpr std::size_t most_elements = 1 << 17;
constexpr int kernels = isofold::gpu::ListedKernels::count;

// Elements, and lists, as bytes: of the host, and a copy on an emulated GPU.
using Bytes = std::vector<unsigned char>;
template <class T>
Bytes bytes_of(const std::vector<T>& x) {
  Bytes bytes(x.size() * sizeof(T));
  std::memcpy(bytes.data(), x.data(), bytes.size());
  return bytes;
}
template <int width>
class OnBoth {
 public:
  explicit OnBoth(const Bytes& host) : host_(host), device_(host) {}
  const void* at(bool on_device) const {
    return host_.empty() ? nullptr : on_device ? device_.data() : host_.data();
  }

 private:
  Bytes host_;
  OnDevice<width, unsigned char> device_;
};

template <int width>
class Bench {
 public:
  Bench() {
    std::vector<float> x(most_elements);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<float>(i * 2654435761U % 1000 + 1) / 7;
    }
    elements_.emplace_back(bytes_of(x));
    std::vector<std::uint16_t> halves(most_elements);  // 1 to 4
    for (std::size_t i = 0; i < halves.size(); ++i) {
      halves[i] = static_cast<std::uint16_t>(0x3c00 + i * 7919 % 2048);
    }
    elements_.emplace_back(bytes_of(halves));
    std::vector<unsigned char> mask(most_elements);
    for (std::size_t i = 0; i < mask.size(); ++i) {
      mask[i] = i * 7919 % 5 < 3 ? 1 : 0;
    }
    elements_.emplace_back(mask);
  }

  // The bits of all results; `code` receives that of the request.
  Bytes reduce(const char* backend, const Input& input, std::int32_t* code) const {
    const bool on_device = std::strcmp(backend, "reference") != 0;
    Bytes results(static_cast<std::size_t>(input.request.rows) * sizeof(float));
    const OnBoth<width> out(results);
    const OnBoth<width> begins(bytes_of(input.begins));
    const OnBoth<width> ends(bytes_of(input.ends));
    const OnBoth<width> indices(bytes_of(input.indices));
    const void* const data = elements_[input.halves ? 1 : 0].at(on_device);
    std::vector<const void*> joined;
    for (std::size_t i = 0; i < input.ends.size(); ++i) {
      joined.push_back(static_cast<const float*>(data) + 1000 * i);
    }
    const OnBoth<width> arrays(bytes_of(joined));
    isofold_request request = input.request;
    isofold_layout layout = input.layout;
    request.size = sizeof request;
    request.definition = ISOFOLD_DEFINITION_tree_v1;
    request.fold = ISOFOLD_FOLD_sum;
    request.type = input.halves ? ISOFOLD_TYPE_f16 : ISOFOLD_TYPE_f32;
    request.data = joined.empty() ? data : arrays.at(on_device);
    request.result = on_device ? const_cast<void*>(out.at(true)) : results.data();
    layout.size = sizeof layout;
    layout.begins = begins.at(on_device);
    layout.ends = ends.at(on_device);
    layout.indices = indices.at(on_device);
    layout.mask = input.masked ? elements_[2].at(on_device) : nullptr;
    layout.mask_type = input.masked ? ISOFOLD_MASK_bytes : 0;
    request.layout = layout.dimensions > 0 || layout.index_type != 0 ? &layout : nullptr;
    isofold_options options{};
    options.size = sizeof options;
    options.backend = backend;
    options.device = -1;
    isofold_reducer* reducer = nullptr;
    *code = isofold_create(&options, &reducer);
    *code = *code == ISOFOLD_ok ? isofold_reserve(reducer, &request) : *code;
    *code = *code == ISOFOLD_ok ? isofold_reduce(reducer, &request) : *code;
    *code = *code == ISOFOLD_ok ? isofold_synchronize(reducer) : *code;
    isofold_destroy(reducer);
    if (on_device && *code == ISOFOLD_ok) {
      EXPECT_TRUE(Platform<width>::copy(results.data(), out.at(true), results.size()).ok());
    }
    return results;
  }

 private:
  std::deque<OnBoth<width>> elements_;
};

template <int width>
void take_off_each() {
  const Bench<width> bench;
  const std::string backend = "simt" + std::to_string(width);
  const std::vector<Input> all = inputs(width);
  std::vector<Bytes> wanted;
  std::int32_t code = ISOFOLD_ok;
  for (const Input& input : all) {
    wanted.push_back(bench.reduce("reference", input, &code));
    ASSERT_EQ(ISOFOLD_ok, code) << input.name << ": " << isofold_last_error();
  }
  // This tells whether those kernels take the input, with the right bits.
  const auto takes = [&](std::uint32_t on_list, std::size_t i) {
    Platform<width>::kernels = on_list;
    const Bytes found = bench.reduce(backend.c_str(), all[i], &code);
    Platform<width>::kernels = ~0U;
    EXPECT_TRUE(code == ISOFOLD_ok || code == ISOFOLD_unsupported)
        << all[i].name << ": " << isofold_last_error();
    EXPECT_TRUE(code != ISOFOLD_ok || found == wanted[i])
        << all[i].name << " by kernels " << on_list;
    return code == ISOFOLD_ok;
  };
  std::vector<std::vector<bool>> alone(kernels);
  for (std::size_t k = 0; k < kernels; ++k) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      alone[k].push_back(takes(1U << k, i));
    }
    // Waves of 64 have no chunks in bulk, and no branches apart. Sums have no places
    // (halves_test.cpp).
    constexpr std::size_t located_halves = 1;
    const bool is_there = std::find(alone[k].begin(), alone[k].end(), true) != alone[k].end();
    EXPECT_TRUE(is_there || width == 64 || k == located_halves)
        << "No input is for kernel " << k << ".";
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_TRUE(takes(~0U, i)) << all[i].name;
    // The first kernel that takes it is the one that is missed.
    std::size_t first = 0;
    while (first < kernels - 1 && !alone[first][i]) {
      ++first;
    }
    bool by_others = false;
    for (std::size_t k = 0; k < kernels; ++k) {
      by_others = by_others || (k != first && alone[k][i]);
    }
    EXPECT_EQ(by_others, takes(~(1U << first), i)) << all[i].name << " without kernel " << first;
  }
}

TEST(KernelList, EachKernelMayBeMissing) {
  take_off_each<32>();
  take_off_each<64>();
}

}  // namespace
