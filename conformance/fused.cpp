// Several folds in one call: each result has the bits that it has alone. The lists are random, with
// the question's fold among them; lengths, rows, alignments and data are, too.
#include <algorithm>

#include "random_instances.hpp"
#include "sections.hpp"

namespace isofold::conformance {
namespace {

constexpr std::size_t slot_bytes = 64;  // room for any result
constexpr std::int64_t longest_row = 300000;

// Random folds over the question's type; the question's own fold is somewhere among them.
std::vector<std::int32_t> random_folds(const Question& question, Choices& random) {
  std::vector<std::int32_t> known;
#define ISOFOLD_KNOWN(name, number)                       \
  if (isofold_result_bytes(number, question.type) != 0) { \
    known.push_back(number);                              \
  }
  ISOFOLD_FOLDS(ISOFOLD_KNOWN)
#undef ISOFOLD_KNOWN
  const auto choice = [&](std::size_t count) {
    return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(count) - 1));
  };
  std::vector<std::int32_t> folds(1 + choice(ISOFOLD_MOST_FUSED));
  for (std::int32_t& fold : folds) {
    fold = known[choice(known.size())];
  }
  folds[choice(folds.size())] = question.fold;
  return folds;
}

// The input that all folds of a list have in common.
struct Input {
  std::int64_t offset;
  std::int64_t rows;
  std::int64_t length;
  std::int64_t stride;
  std::int64_t reach() const { return offset + (rows - 1) * stride + length; }
};

Input random_input(Choices& random) {
  Input input{};
  input.offset = random.one_in(2) ? 0 : random.between(0, 15);
  // Now and then long enough for many blocks.
  input.length = std::max<std::int64_t>(
      1, random.one_in(4) ? random.between(1, longest_row) : random.length(longest_row));
  input.rows = random.one_in(2)
                   ? 1
                   : random.between(1, std::clamp<std::int64_t>(longest_row / input.length, 1, 40));
  input.stride = input.length + (random.one_in(2) ? 0 : random.between(0, 9));
  return input;
}

template <class T>
class FusedCalls {
 public:
  FusedCalls(Target& target, const Question& question, std::uint64_t seed, Judge& judge)
      : target_(target), judge_(judge) {
    const std::int64_t count = longest_row + 16 + 40 * 9;
    x_ = random_set<T>(question, seed, count);
    y_ = random_set<T>(question, seed + 1, count);
  }

  void compare(const Question& question, const std::vector<std::int32_t>& folds,
               const Input& input) {
    const std::size_t each = slot_bytes * static_cast<std::size_t>(input.rows);
    const std::vector<unsigned char> expected = alone(question, folds, input, each);
    const Placed<T> x(target_, x_.data(), static_cast<std::size_t>(input.reach()));
    const Placed<T> y(target_, y_.data(), static_cast<std::size_t>(input.reach()));
    const Placed<unsigned char> slots(target_, poisoned<unsigned char>(each * folds.size()));
    std::vector<isofold_request> requests;
    for (std::size_t i = 0; i < folds.size(); ++i) {
      requests.push_back(
          request(question, folds[i], input, x.data(), y.data(), slots.data() + i * each));
    }
    const auto describe = [&] { return name_of(question, folds, input); };
    judge_.count_case();
    if (target_.reduce_fused(requests.data(), static_cast<std::int32_t>(folds.size())) !=
            ISOFOLD_ok ||
        target_.synchronize() != ISOFOLD_ok) {
      judge_.fail(describe() + ": the call failed: " + target_.last_error());
      return;
    }
    const std::vector<unsigned char> found = slots.to_host();
    for (std::size_t i = 0; i < folds.size(); ++i) {
      judge_.same_bytes(expected.data() + i * each, found.data() + i * each, each, [&] {
        return describe() + ": the results of " + isofold_fold_name(folds[i]);
      });
    }
  }

 private:
  static isofold_request request(Question question, std::int32_t fold, const Input& input,
                                 const T* x, const T* y, void* result) {
    question.fold = fold;
    isofold_request asked =
        array_request(question, x, {input.offset, input.length, input.offset}, result, 0);
    asked.shape = input.rows == 1 ? ISOFOLD_SHAPE_array : ISOFOLD_SHAPE_rows;
    asked.rows = input.rows;
    asked.stride = input.stride;
    if (takes_two(question)) {
      asked.second = y + input.offset;
      asked.second_stride = input.stride;
    }
    return asked;
  }

  // By the reference, one fold after the other.
  std::vector<unsigned char> alone(const Question& question, const std::vector<std::int32_t>& folds,
                                   const Input& input, std::size_t each) const {
    Reducer reference("reference");
    std::vector<unsigned char> results = poisoned<unsigned char>(each * folds.size());
    for (std::size_t i = 0; i < folds.size(); ++i) {
      const isofold_request asked =
          request(question, folds[i], input, x_.data(), y_.data(), results.data() + i * each);
      check(isofold_reduce(reference.handle(), &asked));
    }
    return results;
  }

  static std::string name_of(const Question& question, const std::vector<std::int32_t>& folds,
                             const Input& input) {
    std::string text;
    for (const std::int32_t fold : folds) {
      text += (text.empty() ? "" : "+") + std::string(isofold_fold_name(fold));
    }
    return text + " of " + isofold_type_name(question.type) + ", " + std::to_string(input.rows) +
           " rows of " + std::to_string(input.length) + " at a stride of " +
           std::to_string(input.stride) + " from element " + std::to_string(input.offset) + " on";
  }

  Target& target_;
  Judge& judge_;
  std::vector<T> x_;
  std::vector<T> y_;
};

}  // namespace

void fused_section(Target& target, const Question& question, Judge& judge) {
  if (!target.promises_same_bits()) {
    judge.skip("not every fold of a list is there, nor has bits to compare");
    return;
  }
  const int lists = question.level == Level::quick      ? 6
                    : question.level == Level::standard ? 40
                                                        : 400;
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    FusedCalls<T> calls(target, question, question.seed + 31, judge);
    for (int i = 0; i < lists; ++i) {
      Choices random(question.seed,
                     static_cast<std::uint64_t>((i * 64 + question.fold) * 16 + question.type));
      const std::vector<std::int32_t> folds = random_folds(question, random);
      calls.compare(question, folds, random_input(random));
    }
  });
}

}  // namespace isofold::conformance
