// The carry of exact words by a warp is Words::carry(), whatever the digits are: runs of digits
// that hand a carry or a borrow on, and digits of 63 bits.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include <backends/gpu/collective/carry_words.hpp>

#include <simulator/platform.hpp>

namespace {

namespace exact = isofold::core::exact;

template <class Words>
struct Carry {
  static constexpr int max_threads = 128;
  Words* words;  // one for each warp

  template <class Group>
  void operator()(const Group& group) const {
    const isofold::gpu::WarpPlace<Group> place(group);
    isofold::gpu::carry_words(group, words[group.block() * place.warps + place.warp]);
  }
};

// Digits of one kind, for a run of them, then of another.
template <class Words>
Words drawn(std::mt19937_64& random) {
  constexpr std::int64_t base = std::int64_t{1} << 32;
  const std::int64_t edges[] = {0, 1, -1, base - 1, base, base + 1, -base, -base - 1};
  Words words;
  words.terms = 5;
  words.not_minus_zero = static_cast<std::int64_t>(random() % 3);
  std::uint64_t kind = 0;
  for (std::int64_t& digit : words.digit) {
    kind = random() % 8 == 0 ? random() % 10 : kind;
    const auto number = static_cast<std::int64_t>(random());
    digit = kind < 8 ? edges[kind] : kind == 8 ? number >> 1 : number % base;
  }
  return words;
}

template <int width, class Terms>
void compare(std::mt19937_64& random) {
  using Words = exact::Words<Terms>;
  using Platform = isofold::simt::Platform<width>;
  constexpr int warps = 128 / width;
  constexpr int blocks = 64;
  std::vector<Words> expected;
  for (int i = 0; i < blocks * warps; ++i) {
    expected.push_back(drawn<Words>(random));
  }
  void* memory = nullptr;
  Platform::allocate(&memory, expected.size() * sizeof(Words));
  Platform::copy(memory, expected.data(), expected.size() * sizeof(Words));
  isofold::gpu::Launch size;
  size.blocks = blocks;
  size.threads = warps * width;
  ASSERT_TRUE(Platform::launch(Carry<Words>{static_cast<Words*>(memory)}, size, nullptr).ok());
  const isofold::gpu::Status status = Platform::synchronize(nullptr);
  ASSERT_TRUE(status.ok()) << status.text;
  std::vector<Words> found(expected.size());
  Platform::copy(found.data(), memory, found.size() * sizeof(Words));
  Platform::release(memory);
  for (std::size_t i = 0; i < found.size(); ++i) {
    expected[i].carry();
    EXPECT_EQ(0, std::memcmp(&expected[i], &found[i], sizeof(Words)))
        << "words " << i << " of " << Words::digits << " digits, width " << width;
  }
}

TEST(Carry, OfWordsByAWarp) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 4; ++round) {
    compare<32, exact::TermsOfF32>(random);
    compare<32, exact::TermsOfF64>(random);
    compare<32, exact::ProductsOfF64>(random);
    compare<64, exact::Integers>(random);
    compare<64, exact::TermsOfF64>(random);
    compare<64, exact::ProductsOfF64>(random);
  }
}

}  // namespace
