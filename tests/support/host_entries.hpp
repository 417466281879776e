// Every entry point as CPUs have it: those of fault_sweep.hpp, which are for one thread, and what
// only CPUs have or only they do in a team of threads.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <fault_sweep.hpp>
#include <test_support.hpp>

namespace host_entries {

using fault_sweep::Entry;
using fault_sweep::Scene;

// Enough for several threads.
inline constexpr std::int64_t many = 600001;

struct LargeData {
  std::vector<float> x = test_support::data_set<float>(test_support::Recipe::uniform, many);
  std::vector<std::uint8_t> small = std::vector<std::uint8_t>(many * 2, 7);
  std::vector<isofold_f16> halves = std::vector<isofold_f16>(many, isofold_f16{0x3c01});
  std::vector<isofold_bf16> brains = std::vector<isofold_bf16>(many, isofold_bf16{0x3f81});
  std::vector<std::uint8_t> mask = std::vector<std::uint8_t>(many, 1);
  std::vector<std::int64_t> offsets{0, 10, many / 2, many};
  std::vector<std::int32_t> indices = std::vector<std::int32_t>(many, 5);
  const float* arrays[2] = {x.data(), x.data() + 100};
  std::int64_t lengths[2] = {many, many - 100};
};
inline const LargeData& large() {
  static const LargeData data;
  return data;
}

// Entries that only CPUs have, or that only CPUs run in a team of threads.
inline std::vector<Entry> host_only() {
  using fault_sweep::entry;
  const auto x = [] { return isofold::array(large().x.data(), many); };
  const auto plane = [] { return isofold::box(large().x.data(), {600, 1000}); };
  return {
      entry("large array", [=](Scene& s) { *s.host_at<float>(0) = s.reduce().sum(x()); }),
      entry("large rows",
            [](Scene& s) {
              s.reduce().sum(isofold::rows(large().x.data(), 6, many / 6), s.out<float>());
            }),
      entry("large two arrays", [=](Scene& s) { *s.host_at<float>(0) = s.reduce().dot(x(), x()); }),
      entry("address in joined arrays",
            [](Scene& s) {
              const auto all = joined(isofold::batch(large().arrays, large().lengths, 2));
              *s.host_at<float>(0) = *address_of(all, many + 7);
            }),
      entry("u8",
            [](Scene& s) {
              *s.host_at<std::uint32_t>(0) =
                  s.reduce().maximum(isofold::array(large().small.data(), 2 * many));
            }),
      entry("f16",
            [](Scene& s) {
              *s.host_at<float>(0) = s.reduce().sum(isofold::array(large().halves.data(), many));
            }),
      entry("bf16",
            [](Scene& s) {
              *s.host_at<float>(0) = s.reduce().sum(isofold::array(large().brains.data(), many));
            }),
      entry("widened",
            [=](Scene& s) { *s.host_at<double>(0) = s.reduce().sum(isofold::widened(x())); }),
      entry("large axes", [=](Scene& s) { s.reduce().sum(over(plane(), {0}), s.out<float>()); }),
      entry("large mask",
            [=](Scene& s) {
              *s.host_at<float>(0) = s.reduce().sum(masked(x(), large().mask.data()));
            }),
      entry("large segments",
            [](Scene& s) {
              s.reduce().sum(isofold::segments(large().x.data(), large().offsets.data(), 3, many),
                             s.out<float>());
            }),
      entry("large gather",
            [](Scene& s) {
              *s.host_at<float>(0) = s.reduce().sum(
                  isofold::gather(large().x.data(), large().indices.data(), many, many));
            }),
      entry("large batch",
            [](Scene& s) {
              s.reduce().sum(isofold::batch(large().arrays, large().lengths, 2), s.out<float>());
            }),
      entry("large fused",
            [=](Scene& s) {
              const auto found = s.reduce().reduce(
                  isofold::fuse(isofold::sum, isofold::minimum, isofold::maximum), x());
              *s.host_at<float>(0) = std::get<0>(found);
              *s.host_at<float>(1) = std::get<1>(found);
              *s.host_at<float>(2) = std::get<2>(found);
            }),
      entry(
          "large fused after a large array",
          [=](Scene& s) {
            const auto found =
                s.reduce().reduce(isofold::fuse(isofold::sum, isofold::maximum), x());
            *s.host_at<float>(0) = std::get<0>(found);
            *s.host_at<float>(1) = std::get<1>(found);
          },
          [=](Scene& s) { *s.host_at<float>(2) = s.reduce().sum(x()); }),
      entry("large fused mask",
            [=](Scene& s) {
              const auto found = s.reduce().reduce(isofold::fuse(isofold::sum, isofold::minimum),
                                                   masked(x(), large().mask.data()));
              *s.host_at<float>(0) = std::get<0>(found);
              *s.host_at<float>(1) = std::get<1>(found);
            }),
      entry("supports",
            [=](Scene& s) { *s.host_at<int>(0) = s.reduce().supports(isofold::sum, x()) ? 1 : 0; }),
      entry(
          "reserve large", [=](Scene& s) { s.reduce().reserve(isofold::sum, x()); }, nullptr,
          [=](Scene& s) { *s.host_at<float>(0) = s.reduce().sum(x()); }),
      entry("reserve large mask",
            [=](Scene& s) { s.reduce().reserve(isofold::sum, masked(x(), large().mask.data())); }),
  };
}

inline std::vector<Entry> every_entry() {
  std::vector<Entry> entries = fault_sweep::every_entry();
  for (Entry& more : host_only()) {
    entries.push_back(std::move(more));
  }
  return entries;
}

}  // namespace host_entries
