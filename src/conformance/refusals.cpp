// What cannot be promised is refused, in a sentence, and the next call works: asked here of every
// backend; the unit tests go through the whole input contract. Also: that the backend which was
// asked is the one that answered, and what it returns for no elements.
#include <limits>

#include "sections.hpp"

namespace isofold::conformance {
namespace {

std::string outcome(std::int32_t code, const Target& target) {
  return std::string(isofold_code_name(code)) +
         (code == ISOFOLD_ok ? "" : " (" + target.last_error() + ")");
}

template <class T, class R>
class Asker {
 public:
  Asker(Target& target, const Question& question, Judge& judge)
      : target_(target),
        question_(question),
        judge_(judge),
        host_(data_set<T>(Recipe::small, 11, 100)),
        placed_(target, host_),
        expected_(reference_of<R>(question, host_.data(), 100)) {}

  isofold_request blocking(R* result) const {
    return array_request(question_, placed_.data(), 100, result, ISOFOLD_BLOCKING);
  }

  void refused(const std::string& what, const isofold_request& request, std::int32_t expected) {
    judge_.count_case();
    const std::int32_t code = target_.reduce(request);
    const std::string sentence = code == ISOFOLD_ok ? "" : target_.last_error();
    judge_.holds(code == expected, [&] {
      return case_name(question_) + ", " + what + ": expected " + isofold_code_name(expected) +
             ", got " + outcome(code, target_);
    });
    judge_.holds(sentence.size() >= 20, [&] {
      return case_name(question_) + ", " + what + ": the refusal says nothing: '" + sentence + "'";
    });
    works_after(what);
  }

  void works_after(const std::string& what) {
    R found = poisoned<R>(1)[0];
    const std::int32_t code = target_.reduce(blocking(&found));
    judge_.holds(code == ISOFOLD_ok, [&] {
      return case_name(question_) + ", the call after " + what + ": " + outcome(code, target_);
    });
    const auto describe = [&] { return case_name(question_) + ", the call after " + what; };
    if (target_.promises_same_bits()) {
      judge_.same_bits(expected_, found, describe);
    } else {
      judge_.same_value(expected_, found, describe);
    }
  }

 private:
  Target& target_;
  const Question& question_;
  Judge& judge_;
  std::vector<T> host_;
  Placed<T> placed_;
  R expected_;
};

template <class T, class R>
R empty_value(std::int32_t fold) {
  switch (fold) {
    case ISOFOLD_FOLD_sum: return R{0};
    case ISOFOLD_FOLD_product: return R{1};
    case ISOFOLD_FOLD_minimum: return core::highest<R>();
    default: return core::lowest<R>();
  }
}

// Results in memory have the empty value; a blocking extremum of nothing is an error.
template <class T, class R>
void ask_about_nothing(Target& target, const Question& question, Asker<T, R>& asker, Judge& judge) {
  const R expected = empty_value<T, R>(question.fold);
  const Placed<T> nothing(target, std::vector<T>{});
  for (const T* data : {static_cast<const T*>(nullptr), static_cast<const T*>(nothing.data())}) {
    judge.count_case();
    const std::vector<R> found = results_of<R>(target, question, data, {{0, 0}, {0, 0}}, judge);
    for (R value : found) {
      judge.same_bits(expected, value, [&] { return case_name(question) + " of no elements"; });
    }
    R blocking = poisoned<R>(1)[0];
    const isofold_request request = array_request(question, data, 0, &blocking, ISOFOLD_BLOCKING);
    const bool is_extremum =
        question.fold == ISOFOLD_FOLD_minimum || question.fold == ISOFOLD_FOLD_maximum;
    if (is_extremum) {
      asker.refused("a blocking call on no elements", request, ISOFOLD_empty_input);
      judge.same_bits(poisoned<R>(1)[0], blocking,
                      [&] { return case_name(question) + ": a refused call wrote a result"; });
    } else {
      judge.holds(target.reduce(request) == ISOFOLD_ok, [&] {
        return case_name(question) + ", a blocking call on no elements: " + target.last_error();
      });
      judge.same_bits(expected, blocking,
                      [&] { return case_name(question) + ", a blocking call on no elements"; });
    }
  }
}

// A backend that promises a bound refuses to promise bits, and says so.
void ask_for_bits(Target& target, const Question& question, const isofold_request& request,
                  Judge& judge) {
  judge.count_case();
  Reducer strict(target.name().c_str(), Options{}.guarantee(Guarantee::same_bits));
  for (std::int32_t code :
       {isofold_supports(strict.handle(), &request), isofold_reduce(strict.handle(), &request)}) {
    judge.holds(code == ISOFOLD_unsupported, [&] {
      return case_name(question) +
             ": same_bits was asked of a backend that has only a bound, and the "
             "answer was " +
             isofold_code_name(code);
    });
    judge.holds(std::string(isofold_last_error()).find("same_bits") != std::string::npos, [&] {
      return case_name(question) + ": the refusal does not name same_bits: " + isofold_last_error();
    });
  }
}

}  // namespace

void refusals_section(Target& target, const Question& question, Judge& judge) {
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    using R = typename decltype(numbers)::R;
    Asker<T, R> asker(target, question, judge);
    R result{};
    const isofold_request good = asker.blocking(&result);

    asker.works_after("making the reducer");
    judge.holds(target.answered_by() == target.name(), [&] {
      return target.name() + " was asked and " + target.answered_by() + " answered";
    });
    isofold_request bad = good;
    bad.data = nullptr;
    asker.refused("null data", bad, ISOFOLD_invalid_argument);
    bad = good;
    bad.length = -1;
    asker.refused("a negative count", bad, ISOFOLD_invalid_argument);
    bad = good;
    bad.data = static_cast<const char*>(good.data) + 1;
    bad.length = 50;
    asker.refused("data that are no multiple of the element", bad, ISOFOLD_misaligned);
    bad = good;
    bad.fold = 9999;
    asker.refused("an unknown fold", bad, ISOFOLD_unsupported);
    bad = good;
    bad.definition = 9999;
    asker.refused("an unknown definition", bad, ISOFOLD_unsupported);
    ask_about_nothing<T, R>(target, question, asker, judge);
    if (!target.promises_same_bits()) {
      ask_for_bits(target, question, good, judge);
    }
  });
}

}  // namespace isofold::conformance
