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
T neutral(Marking marking) {
  if constexpr (core::is_complex<T>) {
    return marking == Marking::factors ? T{1, 0} : T{0, 0};
  } else {
    switch (marking) {
      case Marking::factors: return T{1};
      case Marking::lowest:
      case Marking::highest: return T{100};
      default: return T{0};
    }
  }
}

// Markers among complex elements: bits in both parts, and imaginary factors and units.
template <class T>
T complex_marker(Marking marking, std::size_t i) {
  using Part = core::part_t<T>;
  switch (marking) {
    case Marking::bits: {
      const auto bit = static_cast<Part>(std::uint64_t{1} << i);
      return {bit, bit};
    }
    case Marking::factors: return {0, 2};
    default: return {0, 1};
  }
}

template <class T>
T marker(Marking marking, std::size_t i, [[maybe_unused]] std::size_t count) {
  if constexpr (core::is_complex<T>) {
    return complex_marker<T>(marking, i);
  } else {
    switch (marking) {
      case Marking::bits: return static_cast<T>(std::uint64_t{1} << i);
      case Marking::factors: return T{2};
      case Marking::lowest: return static_cast<T>(100 - (i + 1 == count ? 90 : 1));
      case Marking::highest: return static_cast<T>(100 + (i + 1 == count ? 90 : 1));
      default: return T{1};
    }
  }
}

// The result over markers: their sum, the power of 2i that is their product, or their dot product
// with themselves.
template <class R>
R expected_of_complex(Marking marking, std::size_t markers) {
  using Part = core::part_t<R>;
  const auto power = static_cast<Part>(std::uint64_t{1} << markers);
  switch (marking) {
    case Marking::bits: return {power - 1, power - 1};
    case Marking::factors: {
      const Part sign = markers % 4 < 2 ? Part{1} : Part{-1};
      return markers % 2 == 0 ? R{sign * power, 0} : R{0, sign * power};
    }
    default: return {static_cast<Part>(markers), 0};
  }
}

template <class T, class R>
R expected_of(Marking marking, std::size_t markers, [[maybe_unused]] std::int64_t count) {
  if constexpr (std::is_same_v<R, core::LocationBytes<T>>) {
    R location{};
    location.value = marker<T>(marking, markers - 1, markers);
    location.index = count - 1;
    return location;
  } else if constexpr (core::is_complex<R>) {
    return expected_of_complex<R>(marking, markers);
  } else if constexpr (core::is_complex<T>) {
    return static_cast<R>(markers);
  } else if constexpr (std::is_arithmetic_v<R>) {
    switch (marking) {
      case Marking::bits: return static_cast<R>((std::uint64_t{1} << markers) - 1);
      case Marking::factors: return static_cast<R>(std::uint64_t{1} << markers);
      case Marking::counted: return static_cast<R>(markers);
      default: return static_cast<R>(marker<T>(marking, markers - 1, markers));
    }
  } else {
    return R{};
  }
}

}  // namespace

void sparse_markers(Target& target, const Question& question, std::int64_t count, Judge& judge) {
  const Marking marking = expectation_of(question.fold).marking();
  if (marking == Marking::none) {
    judge.skip("no few markers show what this fold read; folds that walk alike are asked");
    return;
  }
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
                               neutral<T>(marking));
    for (std::int64_t i = 0; i < count; i += static_cast<std::int64_t>(piece.size())) {
      const auto part = std::min<std::int64_t>(static_cast<std::int64_t>(piece.size()), count - i);
      target.copy(data + i, piece.data(), static_cast<std::size_t>(part) * sizeof(T));
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      const T value = marker<T>(marking, i, places.size());
      target.copy(data + places[i], &value, sizeof value);
    }
    // Folds of two arrays take these elements twice: a lost or moved one meets a 0.
    const std::vector<R> found = results_of<R>(target, question, data, {{0, count, 0}}, judge);
    const R expected = expected_of<T, R>(marking, places.size(), count);
    const auto describe = [&] {
      return case_name(question) + ", " + std::to_string(places.size()) + " markers in " +
             std::to_string(count) + " elements";
    };
    if (core::is_complex<R>) {  // the sign of a zero part depends on the order of factors
      judge.same_value(expected, found[0], describe);
    } else {
      judge.same_bits(expected, found[0], describe);
    }
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
