// The name that was probably meant, for sentences about unknown ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

namespace isofold::detail {

// Other programs have these words for the names of folds, element types, backends and options.
struct OtherWord {
  const char* written;
  const char* ours;
};
inline constexpr OtherWord other_words[] = {{"half", "f16"},
                                            {"float16", "f16"},
                                            {"f2", "f16"},
                                            {"bfloat16", "bf16"},
                                            {"float", "f32"},
                                            {"float32", "f32"},
                                            {"f4", "f32"},
                                            {"double", "f64"},
                                            {"float64", "f64"},
                                            {"f8", "f64"},
                                            {"complex64", "c64"},
                                            {"c8", "c64"},
                                            {"complex128", "c128"},
                                            {"c16", "c128"},
                                            {"int8", "i8"},
                                            {"int16", "i16"},
                                            {"int", "i32"},
                                            {"int32", "i32"},
                                            {"int64", "i64"},
                                            {"uint8", "u8"},
                                            {"bool", "u8"},
                                            {"uint16", "u16"},
                                            {"uint32", "u32"},
                                            {"uint64", "u64"},
                                            {"i1", "i8"},
                                            {"i2", "i16"},
                                            {"i4", "i32"},
                                            {"<i8", "i64"},
                                            {"u1", "u8"},
                                            {"u2", "u16"},
                                            {"u4", "u32"},
                                            {"<u8", "u64"},
                                            {"long", "i64"},
                                            {"average", "mean"},
                                            {"avg", "mean"},
                                            {"accumulate", "sum"},
                                            {"prod", "product"},
                                            {"inner_product", "dot"},
                                            {"amin", "minimum"},
                                            {"amax", "maximum"},
                                            {"min", "minimum"},
                                            {"max", "maximum"},
                                            {"min_element", "argmin"},
                                            {"max_element", "argmax"},
                                            {"minmax_element", "argminmax"},
                                            {"count_if", "count_in_range"},
                                            {"any_of", "any"},
                                            {"all_of", "all"},
                                            {"none_of", "none"},
                                            {"absmax", "absolute_maximum"},
                                            {"asum", "norm1"},
                                            {"norm", "norm2"},
                                            {"var", "variance"},
                                            {"std", "standard_deviation"},
                                            {"stdev", "standard_deviation"},
                                            {"stddev", "standard_deviation"},
                                            {"cpu", "openmp"},
                                            {"omp", "openmp"},
                                            {"gpu", "cuda"},
                                            {"nvidia", "cuda"},
                                            {"amd", "hip"},
                                            {"rocm", "hip"},
                                            {"--offsets", "--segments"},
                                            {"--dtype", "--type"},
                                            {"--dim", "--axis"},
                                            {"--op", "--fold"}};

// Other programs have these words for what isofold does not offer; the names that are spelt like
// them mean something else.
inline constexpr const char* not_offered[] = {"median", "nanmedian", "nth_element", "covariance",
                                              "gmean",  "hmean",     "mad",         "mae"};

// Returns how many letters must be changed, left out, put in or swapped with their neighbour to get
// from one word to the other.
inline std::size_t letters_apart(const std::string& one, const std::string& other) {
  // A row has the distances of one beginning of `one` from each beginning of `other`; the two rows
  // before it belong to the beginnings that are one and two letters shorter.
  std::vector<std::size_t> row(other.size() + 1);
  std::vector<std::size_t> before(row.size());
  std::vector<std::size_t> before_that(row.size());
  for (std::size_t j = 0; j <= other.size(); ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= one.size(); ++i) {
    before_that.swap(before);
    before.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const std::size_t change = one[i - 1] == other[j - 1] ? 0 : 1;
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + change});
      if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1]) {
        row[j] = std::min(row[j], before_that[j - 2] + 1);
      }
    }
  }
  return row.back();
}

// The one of `names` that `written` was probably meant to be: what numpy or C call it, or the one
// with the fewest letters to change, in its own name or in a long one that others have for it. ""
// if none is near, or if it is another thing.
inline std::string nearest_name(const std::string& written, const std::vector<std::string>& names) {
  std::string word = written;
  std::transform(word.begin(), word.end(), word.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const auto is_word = [&word](const OtherWord& other) {  // numpy writes "<f8" for "f8", too
    return word == other.written || (word[0] == '<' && word.substr(1) == other.written);
  };
  for (const OtherWord& other : other_words) {
    if (is_word(other) && std::find(names.begin(), names.end(), other.ours) != names.end()) {
      return other.ours;
    }
  }
  if (std::find(std::begin(not_offered), std::end(not_offered), word) != std::end(not_offered)) {
    return "";
  }
  std::string best;
  std::size_t fewest = std::max(word.size() / 3, std::size_t{1});  // a third of the letters
  const auto compare = [&](const std::string& name, const std::string& meant) {
    const std::size_t changes = letters_apart(word, name);
    if (changes < std::max(word.size(), name.size()) &&
        (changes < fewest || (best.empty() && changes == fewest))) {
      best = meant;
      fewest = changes;
    }
  };
  for (const std::string& name : names) {
    compare(name, name);
  }
  for (const OtherWord& other : other_words) {
    const std::string theirs = other.written;
    if (theirs.size() > 6 && std::find(names.begin(), names.end(), other.ours) != names.end()) {
      compare(theirs, other.ours);
    }
  }
  return best;
}

// "'suum' is no fold; did you mean sum? There are sum, product, ...", without a full stop.
inline std::string no_such_name(const std::string& kind, const std::string& written,
                                const std::vector<std::string>& names) {
  const std::string meant = nearest_name(written, names);
  std::string sentence = "'" + written + "' is no " + kind + "; " +
                         (meant.empty() ? "there are " : "did you mean " + meant + "? There are ");
  for (std::size_t i = 0; i < names.size(); ++i) {
    sentence += (i == 0 ? "" : ", ") + names[i];
  }
  return sentence;
}

}  // namespace isofold::detail
