// A request that no backend can promise is refused, in a sentence, and the next call works: asked
// here of every backend; the unit tests go through the whole input contract. This section also asks
// whether the backend that was asked is the one that answered, and what it returns for no elements.
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
        spans_{{0, 100}},
        host_(two_arrays(question, spans_)),
        placed_(target, host_),
        expected_(reference_of<R>(question, host_.data(), spans_)[0]) {}

  isofold_request blocking(R* result) const {
    return array_request(question_, placed_.data(), spans_[0], result, ISOFOLD_BLOCKING);
  }

  void refused(const std::string& what, const isofold_request& request, std::int32_t expected) {
    answers(what, request, expected);
    works_after(what);
  }

  // By this code and in a sentence.
  void answers(const std::string& what, const isofold_request& request, std::int32_t expected) {
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

  // Complex elements lie wherever their parts may: here, each is the imaginary part of one and the
  // real part of the next.
  void works_past_parts() {
    constexpr std::size_t part = alignof(T);
    if (part == sizeof(T)) {
      return;
    }
    judge_.count_case();
    std::vector<T> between(host_.size() - 1);
    std::memcpy(between.data(), reinterpret_cast<const char*>(host_.data()) + part,
                between.size() * sizeof(T));
    const Span some{0, 50, spans_[0].second};
    R found = poisoned<R>(1)[0];
    isofold_request request =
        array_request(question_, placed_.data(), some, &found, ISOFOLD_BLOCKING);
    request.data = static_cast<const char*>(request.data) + part;
    if (takes_two(question_)) {
      request.second = static_cast<const char*>(request.second) + part;
    }
    const std::int32_t code = target_.reduce(request);
    const auto describe = [&] { return case_name(question_) + ", aligned as its parts are"; };
    judge_.holds(code == ISOFOLD_ok, [&] { return describe() + ": " + outcome(code, target_); });
    judge_.same_bits(reference_of<R>(question_, between.data(), {some})[0], found, describe);
  }

 private:
  static std::vector<T> two_arrays(const Question& question, std::vector<Span>& spans) {
    std::vector<T> host = data_set<T>(Recipe::small, 11, 100);
    append_second(question, host, data_set<T>(Recipe::small, 12, 100), spans);
    return host;
  }

  Target& target_;
  const Question& question_;
  Judge& judge_;
  std::vector<Span> spans_;
  std::vector<T> host_;
  Placed<T> placed_;
  R expected_;
};

// Results in memory have the empty value; a blocking call returns it, or is an error.
template <class T, class R>
void ask_about_nothing(Target& target, const Question& question, Asker<T, R>& asker, Judge& judge) {
  const Expectation& expectation = expectation_of(question.fold);
  const R expected = std::any_cast<R>(expectation.empty(question.type));
  const Placed<T> nothing(target, std::vector<T>{});
  for (const T* data : {static_cast<const T*>(nullptr), static_cast<const T*>(nothing.data())}) {
    judge.count_case();
    const std::vector<R> found = results_of<R>(target, question, data, {{0, 0}, {0, 0}}, judge);
    for (R value : found) {
      judge.same_bits(expected, value, [&] { return case_name(question) + " of no elements"; });
    }
    R blocking = poisoned<R>(1)[0];
    const isofold_request request =
        array_request(question, data, {0, 0}, &blocking, ISOFOLD_BLOCKING);
    if (expectation.empty_is_error()) {
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

// A fold that the target does not have is refused in a sentence that names it.
void judge_sentence(Target& target, const Question& question, Judge& judge) {
  judge.count_case();
  const std::string sentence = target.last_error();
  judge.holds(sentence.find(isofold_fold_name(question.fold)) != std::string::npos, [&] {
    return case_name(question) + ": the refusal does not name the fold: " + sentence;
  });
}

// Each fold over each type that docs/folds.md does not have it for: complex numbers have no order,
// and neither floating point nor complex numbers have bits that a fold takes.
template <class T, class R>
void ask_for_other_types(Asker<T, R>& asker, const isofold_request& good) {
  for (const std::int32_t fold : folds) {
    for (const std::int32_t type : computed_types) {
      if (!expectation_of(fold).takes(type)) {
        isofold_request bad = good;
        bad.fold = fold;
        bad.type = type;
        asker.answers(std::string(isofold_fold_name(fold)) + " of " + isofold_type_name(type), bad,
                      ISOFOLD_unsupported);
      }
    }
    asker.works_after(std::string(isofold_fold_name(fold)) + " of other types");
  }
}

// A fold takes exactly its own arguments beside one array: neither less nor more.
template <class T, class R>
void ask_about_arguments(const Question& question, Asker<T, R>& asker,
                         const isofold_request& good) {
  isofold_request bad = good;
  if (takes_two(question)) {
    bad.second = nullptr;
    asker.refused("no second array", bad, ISOFOLD_invalid_argument);
    bad = good;
    bad.second = static_cast<const char*>(good.second) + 1;
    bad.length = 50;
    asker.refused("a second array between elements", bad, ISOFOLD_misaligned);
  } else {
    bad.second = good.data;
    asker.refused("a second array that the fold does not take", bad, ISOFOLD_invalid_argument);
  }
  bad = good;
  if (isofold_fold_parameters(question.fold) != 0) {
    bad.parameters = nullptr;
    asker.refused("no parameters", bad, ISOFOLD_invalid_argument);
  } else {
    bad.parameters = range_of_tests<T>();
    asker.refused("parameters that the fold does not take", bad, ISOFOLD_invalid_argument);
  }
}

}  // namespace

void refusals_section(Target& target, const Question& question, Judge& judge) {
  if (is_refused(target, question)) {
    judge_sentence(target, question, judge);
    return;
  }
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
    bad.data = static_cast<const char*>(good.data) + alignof(T) / 2;
    asker.refused("data half an alignment further on", bad, ISOFOLD_misaligned);
    bad = good;
    bad.fold = 9999;
    asker.refused("an unknown fold", bad, ISOFOLD_unsupported);
    bad = good;
    bad.definition = 9999;
    asker.refused("an unknown definition", bad, ISOFOLD_unsupported);
    ask_for_other_types<T, R>(asker, good);
    asker.works_past_parts();
    ask_about_arguments<T, R>(question, asker, good);
    ask_about_nothing<T, R>(target, question, asker, judge);
    if (!target.promises_same_bits()) {
      ask_for_bits(target, question, good, judge);
    }
  });
}

}  // namespace isofold::conformance
