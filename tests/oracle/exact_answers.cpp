// Evaluates exact_v1 for check_exact.py, by every CPU backend, instruction set and way, and by the
// header-only door. Each line
// of the input is a question, `fold type parts count numbers...`, whose answer is a line: the bits
// of each component of the result. Numbers are bits in hexadecimal digits, of parts of complex
// elements, those of a second array behind those of the first. The elements are also dealt out to
// so many `parts`, whose words are merged last first, as an MPI sum might.
#include <cstdint>
#include <cstring>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <isofold/folds.hpp>
#include <isofold/isofold.hpp>
#include <isofold/transform_reduce.hpp>
#include <ops/exact_cases.hpp>

namespace {

using Bytes = std::vector<unsigned char>;

struct Question {
  std::int32_t fold = 0;
  std::int32_t type = 0;
  std::size_t parts = 1;
  std::size_t count = 0;
  std::size_t bytes = 0;  // of an element
  Bytes x;
  Bytes y;  // empty for folds of one array
};

std::int32_t type_named(const std::string& name) {
  std::int32_t type = 1;
  while (name != isofold_type_name(type)) {
    ++type;
  }
  return type;
}

Bytes read_numbers(std::istream& from, std::size_t numbers, std::size_t bytes) {
  Bytes read;
  std::string word;
  for (std::size_t i = 0; i < numbers; ++i) {
    from >> word;
    const std::uint64_t bits = std::stoull(word, nullptr, 16);
    const auto* begin = reinterpret_cast<const unsigned char*>(&bits);
    read.insert(read.end(), begin, begin + bytes);
  }
  return read;
}

Question read_question(const std::string& line) {
  std::istringstream words(line);
  std::string fold;
  std::string type;
  Question question;
  words >> fold >> type >> question.parts >> question.count;
  question.fold = static_cast<std::int32_t>(isofold::fold_named(fold));
  question.type = type_named(type);
  question.bytes = static_cast<std::size_t>(isofold_type_bytes(question.type));
  const std::size_t each = type[0] == 'c' ? 2 : 1;
  const std::size_t bytes = question.bytes / each;
  question.x = read_numbers(words, question.count * each, bytes);
  if (isofold_fold_arrays(question.fold) == 2) {
    question.y = read_numbers(words, question.count * each, bytes);
  }
  return question;
}

// Runs a request of the elements [x, x + count); the answer's bytes, or the name of the error.
std::string run(isofold::Reducer& reduce, const Question& question, const Bytes& x, const Bytes& y,
                std::int32_t flags, const isofold_schedule* schedule, void* result) {
  isofold_request request{};
  request.size = sizeof request;
  request.definition = ISOFOLD_DEFINITION_exact_v1;
  request.fold = question.fold;
  request.type = question.type;
  request.shape = ISOFOLD_SHAPE_array;
  request.flags = ISOFOLD_BLOCKING | flags;
  request.data = x.data();
  request.second = y.empty() ? nullptr : y.data();
  request.rows = 1;
  request.length = static_cast<std::int64_t>(x.size() / question.bytes);
  request.result = result;
  request.schedule = schedule;
  const std::int32_t code = isofold_reduce(reduce.handle(), &request);
  return code == ISOFOLD_ok ? "" : isofold_code_name(code);
}

std::string text_of(const Question& question, const unsigned char* result) {
  // Means of integers are those of f64.
  const bool is_known = isofold_result_bytes(question.fold, question.type) > 0;
  const std::int32_t type = is_known ? question.type : ISOFOLD_TYPE_f64;
  isofold_component components[4];
  const std::int32_t count = isofold_result_components(question.fold, type, components, 4);
  std::ostringstream text;
  for (std::int32_t i = 0; i < count; ++i) {
    const isofold_component& component = components[i];
    std::uint64_t bits = 0;
    std::memcpy(&bits, result + component.offset,
                static_cast<std::size_t>(isofold_type_bytes(component.type)));
    text << (i == 0 ? "" : " ") << std::hex << bits;
  }
  return text.str();
}
std::string answer_of(const Question& question, const std::string& error,
                      const unsigned char* result) {
  return error.empty()             ? text_of(question, result)
         : error == "out_of_range" ? "out of range"
                                   : error;
}

using Result = unsigned char[64];

std::string reduced(const char* backend, const Question& question, std::int32_t vector_bits,
                    std::int32_t threads) {
  isofold::Reducer reduce(backend);
  isofold_schedule schedule{};
  schedule.vector_bits = vector_bits;
  schedule.threads = threads;
  alignas(16) Result result{};
  const std::string error = run(reduce, question, question.x, question.y, 0, &schedule, result);
  return answer_of(question, error, result);
}

// The elements in another order and in parts, whose words are merged.
std::string merged(const char* backend, const Question& question) {
  isofold::Reducer reduce(backend);
  std::vector<Bytes> x(question.parts);
  std::vector<Bytes> y(question.parts);
  const auto deal = [&](const Bytes& from, std::vector<Bytes>& to) {
    for (std::size_t i = question.count; i-- > 0 && !from.empty();) {
      const auto begin = from.begin() + static_cast<std::ptrdiff_t>(i * question.bytes);
      Bytes& part = to[i * 7 % question.parts];
      part.insert(part.end(), begin, begin + static_cast<std::ptrdiff_t>(question.bytes));
    }
  };
  deal(question.x, x);
  deal(question.y, y);
  const std::int32_t computed = question.type;
  const auto words = static_cast<std::size_t>(isofold_exact_words(question.fold, computed));
  std::vector<std::int64_t> all(words);
  std::vector<std::int64_t> part(words);
  for (std::size_t p = question.parts; p-- > 0;) {
    const std::string error =
        run(reduce, question, x[p], y[p], ISOFOLD_STATE, nullptr, part.data());
    if (!error.empty()) {
      return error;
    }
    for (std::size_t k = 0; k < words; ++k) {  // as MPI_SUM would
      all[k] += part[k];
    }
  }
  alignas(16) Result result{};
  const std::int32_t code = isofold_exact_finish(question.fold, computed, all.data(), result);
  return answer_of(question, code == ISOFOLD_ok ? "" : isofold_code_name(code), result);
}

// The values of a map, by transform_reduce, and by the windows of a compiler without vectors.
template <class Fold>
struct MapOf {
  using T = typename Fold::element_type;
  const Question& question;

  T element(const Bytes& from, std::int64_t i) const {
    T x;
    std::memcpy(&x, from.data() + static_cast<std::size_t>(i) * sizeof x, sizeof x);
    return x;
  }
  auto operator()(std::int64_t i) const {
    if constexpr (Fold::arrays == 2) {
      return std::pair<T, T>(element(question.x, i), element(question.y, i));
    } else {
      return element(question.x, i);
    }
  }
};
template <class Fold>
std::string mapped(const Question& question) {
  const MapOf<Fold> map{question};
  const auto n = static_cast<std::int64_t>(question.count);
  alignas(16) Result result{};
  try {
    const auto found = isofold::transform_reduce(n, map, Fold{});
    std::memcpy(result, &found, sizeof found);
  } catch (const isofold::Error& error) {
    return answer_of(question, isofold_code_name(static_cast<std::int32_t>(error.code())), result);
  }
  if constexpr (!std::is_integral_v<typename Fold::element_type>) {
    isofold::core::exact::WindowSums<Fold, 1> sums;
    sums.add(map, 0, n);
    const auto by_numbers = Fold::finish(sums.words());
    char bytes[sizeof by_numbers];
    std::memcpy(bytes, &by_numbers, sizeof bytes);
    if (std::memcmp(result, bytes, sizeof bytes) != 0) {
      return "other bits by windows of one number";
    }
  }
  return answer_of(question, "", result);
}
// Empty for elements that no map returns: narrow ones.
std::string mapped(const Question& question) {
  std::string answer;
  isofold::visit_exact_case(question.fold, question.type,
                            [&](auto fold) { answer = mapped<decltype(fold)>(question); });
  return answer;
}

std::string answer(const Question& question) {
  const std::string first = reduced("reference", question, 0, 0);
  const auto check = [&](const std::string& other, const std::string& how) {
    if (other != first) {
      throw std::runtime_error(other + " by " + how + ", " + first + " by the reference");
    }
  };
  check(merged("reference", question), "merging");
  if (const std::string answer = mapped(question); !answer.empty()) {
    check(answer, "transform_reduce");
  }
  if (isofold::is_available("openmp")) {
    check(reduced("openmp", question, 0, 2), "two threads");
    check(reduced("openmp", question, 128, 1), "vectors of 128 bits");
    for (const std::int32_t bits : {256, 512}) {
      const std::string answer = reduced("openmp", question, bits, 1);
      if (answer != "unsupported") {  // the machine has no such vectors
        check(answer, "vectors of " + std::to_string(bits) + " bits");
      }
    }
    check(merged("openmp", question), "merging openmp's words");
  }
  return first;
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    try {
      std::cout << answer(read_question(line)) << '\n';
    } catch (const std::exception& error) {
      std::cout << error.what() << '\n';
    }
  }
}
