// Counts and byte offsets past 2^31, 2^32 and beyond, in real memory: neutral elements with a few
// markers where a narrow index would lose or repeat them. Exact in every order.
#include <algorithm>
#include <fstream>

#include "sections.hpp"

namespace isofold::conformance {
namespace {

// Host memory that can be filled without starving the machine; device memory tells by itself.
std::int64_t available_host_bytes() {
  std::ifstream information("/proc/meminfo");
  std::string key;
  std::int64_t kilobytes = 0;
  std::string unit;
  while (information >> key >> kilobytes >> unit) {
    if (key == "MemAvailable:") {
      return kilobytes * 1024;
    }
  }
  return 0;
}

template <class T>
T neutral(std::int32_t fold) {
  switch (fold) {
    case ISOFOLD_FOLD_sum: return T{0};
    case ISOFOLD_FOLD_product: return T{1};
    default: return T{100};
  }
}

// Distinct powers of two add up to a fingerprint of the markers that were seen; factors of 2 count
// them; one outlier decides an extremum.
template <class T>
T marker(std::int32_t fold, std::size_t i, std::size_t count) {
  switch (fold) {
    case ISOFOLD_FOLD_sum: return static_cast<T>(std::uint64_t{1} << i);
    case ISOFOLD_FOLD_product: return T{2};
    case ISOFOLD_FOLD_minimum: return static_cast<T>(100 - (i + 1 == count ? 90 : 1));
    default: return static_cast<T>(100 + (i + 1 == count ? 90 : 1));
  }
}

template <class T, class R>
R expected_of(std::int32_t fold, std::size_t markers) {
  switch (fold) {
    case ISOFOLD_FOLD_sum: return static_cast<R>((std::uint64_t{1} << markers) - 1);
    case ISOFOLD_FOLD_product: return static_cast<R>(std::uint64_t{1} << markers);
    default: return static_cast<R>(marker<T>(fold, markers - 1, markers));
  }
}

}  // namespace

void sparse_markers(Target& target, const Question& question, std::int64_t count, Judge& judge) {
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    using R = typename decltype(numbers)::R;
    std::vector<std::int64_t> places{0, 1, 1023, 1024, count / 2, count - 2, count - 1};
    for (std::int64_t border = std::int64_t{1} << 28; border < count; border *= 2) {
      places.push_back(border);
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());

    const auto bytes = static_cast<std::size_t>(count) * sizeof(T);
    auto* data = static_cast<T*>(target.allocate(bytes));
    if (data == nullptr) {
      judge.skip("there is no memory for " + std::to_string(count) + " elements");
      return;
    }
    judge.count_case();
    const std::vector<T> piece(std::min<std::size_t>(static_cast<std::size_t>(count), 1 << 24),
                               neutral<T>(question.fold));
    for (std::int64_t i = 0; i < count; i += static_cast<std::int64_t>(piece.size())) {
      const auto part = std::min<std::int64_t>(static_cast<std::int64_t>(piece.size()), count - i);
      target.copy(data + i, piece.data(), static_cast<std::size_t>(part) * sizeof(T));
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      const T value = marker<T>(question.fold, i, places.size());
      target.copy(data + places[i], &value, sizeof value);
    }
    const std::vector<R> found = results_of<R>(target, question, data, {{0, count}}, judge);
    judge.same_bits(expected_of<T, R>(question.fold, places.size()), found[0], [&] {
      return case_name(question) + ", " + std::to_string(places.size()) + " markers in " +
             std::to_string(count) + " elements";
    });
    target.release(data);
  });
}

void huge_section(Target& target, const Question& question, Judge& judge) {
  if (question.level != Level::exhaustive) {
    judge.skip("asked at the exhaustive level only");
    return;
  }
  const bool on_device = target.schedule_family() == "cuda" || target.schedule_family() == "hip";
  const std::int64_t element_bytes = isofold_type_bytes(question.type);
  for (std::int64_t count : {(std::int64_t{1} << 31) + 1029, (std::int64_t{1} << 32) + 1029}) {
    if (!on_device && count * element_bytes > available_host_bytes() / 10 * 7) {
      judge.skip("there is no memory for " + std::to_string(count) + " elements");
    } else {
      sparse_markers(target, question, count, judge);
    }
  }
}

}  // namespace isofold::conformance
