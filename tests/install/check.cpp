// A consumer that judges bits: the test vectors of docs/tree.md, subnormals, NaNs, signed zeros and
// a Forest, on every backend here that promises the same bits. It compares integers only, so that
// it can itself be built with -ffast-math.
//   check docs/tree.md [--flushing] [--available NAME]... [--loadable NAME]...
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include <isofold/isofold.hpp>

namespace {

int failures = 0;

void expect(bool good, const std::string& sentence) {
  if (!good) {
    std::printf("FAILED: %s\n", sentence.c_str());
    ++failures;
  }
}

template <class T>
std::uint64_t bits(T value) {
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

template <class T>
T number(std::uint64_t word) {
  T value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

void expect_bits(std::uint64_t found, std::uint64_t expected, const std::string& what) {
  char text[200];
  std::snprintf(text, sizeof text, "%s is 0x%llx and should be 0x%llx", what.c_str(),
                static_cast<unsigned long long>(found), static_cast<unsigned long long>(expected));
  expect(found == expected, text);
}

// docs/tree.md, "Test vectors".
std::uint64_t word(std::uint64_t i) {
  std::uint64_t s = (i + 1) * 0x9E3779B97F4A7C15U;
  s = (s ^ (s >> 30)) * 0xBF58476D1CE4E5B9U;
  s = (s ^ (s >> 27)) * 0x94D049BB133111EBU;
  return s ^ (s >> 31);
}
void fill(std::vector<float>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(static_cast<std::int32_t>(word(i) >> 32)) * 0x1p-31F;
  }
}
void fill(std::vector<double>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<double>(static_cast<std::int64_t>(word(i))) * 0x1p-63;
  }
}

template <class T>
std::int64_t length(const std::vector<T>& x) {
  return static_cast<std::int64_t>(x.size());
}

// The backend's own memory, so that cuda and hip are asked too.
template <class T, class Ask>
auto ask(isofold::Reducer& reduce, const std::string& backend, const std::vector<T>& x, Ask ask) {
  isofold::Buffer memory(backend, x.size() * sizeof(T));
  memory.copy_from(x.data(), memory.bytes());
  return ask(reduce, isofold::array(memory.as<T>(), length(x)));
}
const auto sum_of = [](isofold::Reducer& reduce, auto x) { return reduce.sum(x); };
const auto minimum_of = [](isofold::Reducer& reduce, auto x) { return reduce.minimum(x); };

template <class T>
void check_vector(const std::string& backend, std::int64_t n, std::uint64_t expected) {
  isofold::Reducer reduce(backend.c_str());
  std::vector<T> x(static_cast<std::size_t>(n));
  fill(x);
  const std::string what = "sum of " + std::to_string(n) + " on " + backend;
  expect_bits(bits(ask(reduce, backend, x, sum_of)), expected, what);

  isofold::Forest<isofold::Fold::sum, T> left(n);
  isofold::Forest<isofold::Fold::sum, T> right(n);
  const std::int64_t cut = n * 2 / 3;
  left.add(x.data(), 0, cut);
  right.add(x.data() + cut, cut, n - cut);
  right.merge(left);
  expect_bits(bits(right.finish()), expected, what + " as a Forest");
}

int check_table(const std::string& backend, const std::string& path) {
  std::ifstream file(path);
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    long long n = 0;
    unsigned long long in_f32 = 0;
    unsigned long long in_f64 = 0;
    if (std::sscanf(line.c_str(), "| %lld | 0x%llx | 0x%llx |", &n, &in_f32, &in_f64) == 3) {
      check_vector<float>(backend, n, in_f32);
      check_vector<double>(backend, n, in_f64);
      ++rows;
    }
  }
  expect(rows == 11, path + " has " + std::to_string(rows) + " test vectors, not 11");
  return rows;
}

void check_edges(const std::string& backend) {
  isofold::Reducer reduce(backend.c_str());
  const auto sum = [&](auto x) { return bits(ask(reduce, backend, x, sum_of)); };
  const auto minimum = [&](auto x) { return bits(ask(reduce, backend, x, minimum_of)); };
  expect_bits(sum(std::vector<float>(1025, number<float>(1))), 1025, "sum of 1025 subnormals");
  expect_bits(sum(std::vector<double>(1025, number<double>(1))), 1025, "the same in f64");
  const auto minus_zero = number<float>(0x80000000U);
  expect_bits(sum(std::vector<float>(77, minus_zero)), 0x80000000U, "sum of negative zeros");
  expect_bits(minimum(std::vector<float>{0.0F, minus_zero}), 0x80000000U, "minimum of 0 and -0");
  expect_bits(minimum(std::vector<float>{1.0F, number<float>(0xffc12345U)}), 0x7fc00000U,
              "minimum of 1 and a NaN");
}

unsigned control_word() {
#if defined(__SSE2__)
  return _mm_getcsr() & ~0x3fU;
#else
  return 0;
#endif
}

}  // namespace

int main(int count, char** arguments) {
  const std::string path = count > 1 ? arguments[1] : "docs/tree.md";
  const unsigned before = control_word();
  for (int a = 2; a < count; ++a) {
    const std::string option = arguments[a];
    if (option == "--flushing") {  // the start-up file of -ffast-math has set FTZ and DAZ
      expect((before & 0x8040U) == 0x8040U, "this program should run with FTZ and DAZ");
    } else {
      const std::string backend = ++a < count ? arguments[a] : "";
      const std::string reason = isofold::describe(backend);
      expect(option != "--available" || isofold::is_available(backend), backend + ": " + reason);
      expect(reason.find("could not be loaded") == std::string::npos, backend + ": " + reason);
    }
  }

  for (const std::string& backend : isofold::backend_names()) {
    if (!isofold::is_available(backend)) {
      std::printf("%-10s not here: %s\n", backend.c_str(), isofold::describe(backend).c_str());
      continue;
    }
    isofold::Reducer reduce(backend.c_str());
    if (!reduce.supports(isofold::sum, isofold::array<float>(nullptr, 0))) {
      std::printf("%-10s here, without same_bits\n", backend.c_str());
      continue;
    }
    const int rows = check_table(backend, path);
    check_edges(backend);
    std::printf("%-10s %d test vectors, f32 and f64\n", backend.c_str(), rows);
  }
  expect(control_word() == before, "the caller's floating-point control word was changed");
  return failures == 0 ? 0 : 1;
}
