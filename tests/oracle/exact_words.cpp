// Evaluates exact_v1 for check_exact_words.py: each line of the input is a question, `fold type
// parts numbers...`, whose answer is a line. Numbers are their bits in hexadecimal digits. The
// numbers are dealt out to so many `parts`, whose words are merged as an MPI sum would: last first.
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <isofold/detail/core/exact/terms.hpp>

namespace {

namespace exact = isofold::core::exact;

template <class T>
std::vector<T> read_numbers(std::istream& from) {
  std::vector<T> numbers;
  std::string word;
  while (from >> word) {
    const auto bits = static_cast<isofold::core::bits_t<T>>(std::stoull(word, nullptr, 16));
    numbers.push_back(isofold::core::bit_cast<T>(bits));
  }
  return numbers;
}

// The words of all parts, merged. add(words, i) adds term number i.
template <class Terms, class Add>
exact::Words<Terms> words_of(std::size_t count, std::size_t parts, Add&& add) {
  std::vector<exact::Words<Terms>> part(parts);
  for (std::size_t i = 0; i < count; ++i) {
    add(part[i * 7 % parts], i);
  }
  exact::Words<Terms> all = part.back();
  all.carry();
  for (std::size_t p = parts - 1; p > 0; --p) {
    part[p - 1].carry();
    all.merge(part[p - 1]);
  }
  return all;
}

// An answer's bits. Means and variances are f64, as those of docs/folds.md are.
template <class T>
std::uint64_t bits_of(T result) {
  return isofold::core::bit_cast<isofold::core::bits_t<T>>(result);
}

template <class T, class Terms, class Products>
std::uint64_t answer(const std::string& fold, std::size_t parts, const std::vector<T>& x) {
  const std::size_t n = fold == "dot" ? x.size() / 2 : x.size();
  const auto elements = [&] {
    return words_of<Terms>(n, parts, [&](auto& words, std::size_t i) { exact::add(words, x[i]); });
  };
  if (fold == "sum") {
    return bits_of(exact::sum_of<T>(elements()));
  }
  if (fold == "mean") {
    return bits_of(exact::quotient_of<double>(elements(), n));
  }
  if (fold == "dot") {
    return bits_of(exact::sum_of<T>(words_of<Products>(
        n, parts, [&](auto& words, std::size_t i) { exact::add_product(words, x[i], x[n + i]); })));
  }
  if (fold == "norm2") {
    return bits_of(exact::root_of<T>(words_of<Products>(
        n, parts, [&](auto& words, std::size_t i) { exact::add_product(words, x[i], x[i]); })));
  }
  const auto sum = words_of<exact::TermsOfF64>(
      n, parts, [&](auto& words, std::size_t i) { exact::add(words, x[i]); });
  const auto squares = words_of<exact::ProductsOfF64>(
      n, parts, [&](auto& words, std::size_t i) { exact::add_product(words, x[i], x[i]); });
  return bits_of(exact::variance_of<double>(sum, squares, n, fold == "sample_variance" ? 1 : 0));
}

template <class T, class Terms, class Products>
void print_answer(const std::string& fold, std::size_t parts, std::istream& numbers) {
  std::cout << std::hex << answer<T, Terms, Products>(fold, parts, read_numbers<T>(numbers))
            << std::dec << '\n';
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string fold;
    std::string type;
    std::size_t parts = 1;
    words >> fold >> type >> parts;
    if (type == "f32") {
      print_answer<float, exact::TermsOfF32, exact::TermsOfF64>(fold, parts, words);
    } else {
      print_answer<double, exact::TermsOfF64, exact::ProductsOfF64>(fold, parts, words);
    }
  }
}
