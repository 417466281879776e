// Many calls together: data are placed where the target reads, every call writes its own slot
// without blocking, and one copy brings the results back, because a wait costs more than a call.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "../src/ops/supported_cases.hpp"
#include "expectation.hpp"
#include "judge.hpp"
#include "target.hpp"
#include <isofold/reducer.hpp>

namespace isofold::conformance {

// A question: the case, how thoroughly, and where random choices start.
struct Question {
  std::int32_t fold;
  std::int32_t type;
  Level level;
  std::uint64_t seed;
  std::int32_t definition = ISOFOLD_DEFINITION_tree_v1;
};

template <class Element, class Result>
struct Numbers {
  using T = Element;
  using R = Result;
};

// Calls visit(Numbers<T, R>{}) with the types of the case.
template <class Visit>
void visit_numbers(const Question& question, Visit&& visit) {
  visit_case(question.fold, question.type, [&](auto fold) {
    using Fold = decltype(fold);
    visit(Numbers<typename Fold::element_type, typename Fold::result_type>{});
  });
}

// Intruders stand around the elements: whichever fold reads it has another result.
template <class T>
T intruder(const Question& question) {
  T element{};
  expectation_of(question.fold).intrude(question.type, &element);
  return element;
}

// The elements [offset, offset + count) of some placed data; for folds of two arrays, the other
// one's elements are [second, second + count) of the same data.
struct Span {
  std::int64_t offset;
  std::int64_t count;
  std::int64_t second = 0;
};

template <class T>
std::vector<T> data_set(Recipe recipe, std::uint64_t seed, std::int64_t n) {
  std::vector<T> data(static_cast<std::size_t>(n));
  test_data::fill(recipe, seed, n, data.data());
  return data;
}

template <class T>
void append_set(std::vector<T>& host, Recipe recipe, std::uint64_t seed, std::int64_t n) {
  const std::vector<T> data = data_set<T>(recipe, seed, n);
  host.insert(host.end(), data.begin(), data.end());
}

inline bool takes_two(const Question& question) { return isofold_fold_arrays(question.fold) == 2; }

// Takes the other array of folds of two arrays: its elements go behind those of `host`, twice. For
// two spans in three they lie as far past an aligned address as the first array's, so that both can
// be loaded in wide pieces; for the third an odd number of elements further. The spans, from number
// `number` on, learn the place.
template <class T>
void append_second(const Question& question, std::vector<T>& host, const std::vector<T>& second,
                   std::vector<Span>& spans, std::size_t number = 0) {
  if (!takes_two(question)) {
    return;
  }
  constexpr std::size_t aligned = 64;  // elements
  const auto append = [&](std::size_t gap) {
    host.insert(host.end(), gap, intruder<T>(question));
    host.insert(host.end(), second.begin(), second.end());
    return static_cast<std::int64_t>(host.size() - second.size());
  };
  const std::int64_t alike = append((aligned - host.size() % aligned) % aligned + aligned);
  const std::int64_t odd = append(host.size() % 2 == 0 ? 3 : 4);
  for (Span& span : spans) {
    span.second = (number++ % 3 != 0 ? alike : odd) + span.offset;
  }
}

// The second data set of a fold of two arrays; nothing for other folds.
template <class T>
std::vector<T> second_set(const Question& question, Recipe recipe, std::uint64_t seed,
                          std::int64_t n) {
  return data_set<T>(recipe, seed, takes_two(question) ? n : 0);
}

// The span's offsets count from `data`.
template <class T>
isofold_request array_request(const Question& question, const T* data, const Span& span,
                              void* result, std::int32_t flags) {
  isofold_request request{};
  request.size = sizeof request;
  request.definition = question.definition;
  request.fold = question.fold;
  request.type = question.type;
  request.shape = ISOFOLD_SHAPE_array;
  request.flags = flags;
  request.data = data + span.offset;
  request.rows = 1;
  request.length = span.count;
  request.stride = span.count;
  request.result = result;
  if (takes_two(question)) {
    request.second = data + span.second;
    request.second_stride = span.count;
  }
  if (isofold_fold_parameters(question.fold) != 0) {
    request.parameters = range_of_tests<T>();
  }
  return request;
}

inline std::string case_name(const Question& question) {
  const bool exact = question.definition == ISOFOLD_DEFINITION_exact_v1;
  return std::string(exact ? "exact " : "") + isofold_fold_name(question.fold) + " of " +
         isofold_type_name(question.type);
}

// Slots start as bits that no result here has, so that a result that was never written shows.
template <class R>
std::vector<R> poisoned(std::size_t count) {
  std::vector<R> slots(count);
  if (count != 0) {
    std::memset(slots.data(), 0xa5, count * sizeof(R));
  }
  return slots;
}

// One result a span, asked of `target` without blocking. With a schedule, `ran[i]` is what ran for
// span i. A call that fails is a failure of the cell; its slot stays poisoned.
template <class R, class T>
std::vector<R> results_of(Target& target, const Question& question, const T* data,
                          const std::vector<Span>& spans, Judge& judge,
                          const isofold_schedule* schedule = nullptr,
                          std::vector<isofold_schedule>* ran = nullptr) {
  Placed<R> slots(target, poisoned<R>(spans.size()));
  if (ran != nullptr) {
    ran->assign(spans.size(), isofold_schedule{});
  }
  for (std::size_t i = 0; i < spans.size(); ++i) {
    isofold_request request = array_request(question, data, spans[i], slots.data() + i, 0);
    request.schedule = schedule;
    request.ran = ran != nullptr ? &(*ran)[i] : nullptr;
    if (target.reduce(request) != ISOFOLD_ok) {
      judge.fail(case_name(question) + ", n = " + std::to_string(spans[i].count) +
                 ": the call failed: " + target.last_error());
    }
  }
  if (target.synchronize() != ISOFOLD_ok) {
    judge.fail(case_name(question) + ": synchronize failed: " + target.last_error());
  }
  return slots.to_host();
}

// The results of the reference backend, on host memory: the bits to compare with.
template <class R, class T>
std::vector<R> reference_of(const Question& question, const T* data,
                            const std::vector<Span>& spans) {
  Reducer reference("reference");
  std::vector<R> results(spans.size());
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const isofold_request request = array_request(question, data, spans[i], &results[i], 0);
    check(isofold_reduce(reference.handle(), &request));
  }
  return results;
}

// This tells whether results have one right bit pattern whatever the order of combination: all of
// integers, and what selects, compares or counts. Floating-point sums and products depend on the
// order.
template <class T>
bool is_free_of_order(const Question& question) {
  return std::is_integral_v<T> || !expectation_of(question.fold).rounds();
}

// This tells whether comparing with the reference's bits proves something about this target.
template <class T>
bool can_compare(const Target& target, const Question& question, Judge& judge) {
  if (!target.promises_same_bits() && !is_free_of_order<T>(question)) {
    judge.skip("floating-point sums and products within a bound have no bits to compare");
    return false;
  }
  return true;
}

// Folds that a backend within a bound need not have: those that look at their data twice, those
// whose bound counts tree v1's additions, and those over complex elements.
inline bool may_be_refused(const Target& target, const Question& question) {
  bool optional = false;
  visit_case(question.fold, question.type, [&](auto fold) {
    using Fold = decltype(fold);
    using T = typename Fold::element_type;
    optional = Fold::stages == 2 || core::is_complex<T> ||
               std::is_same_v<typename Fold::result_type, Bounded<T>>;
  });
  return !target.promises_same_bits() && optional;
}

// This tells whether the target says that it has no such case; its last error then says why.
inline bool lacks(Target& target, const Question& question) {
  const Placed<double> data(target, std::vector<double>(8));  // for elements of any type
  const Placed<double> slot(target, std::vector<double>(8));  // room for any result
  const isofold_request request = array_request(question, data.data(), {0, 1, 1}, slot.data(), 0);
  const bool refused = target.reduce(request) == ISOFOLD_unsupported;
  target.synchronize();
  return refused;
}
// This tells whether the target lacks the fold, and may.
inline bool is_refused(Target& target, const Question& question) {
  return may_be_refused(target, question) && lacks(target, question);
}

// Plain random data; for some folds other ones, whose results stay in range.
inline Recipe random_recipe(const Question& question) {
  return expectation_of(question.fold).random_recipe();
}
template <class T>
std::vector<T> balanced_set(const Question& question, Recipe recipe, std::uint64_t seed,
                            std::int64_t n) {
  std::vector<T> data = data_set<T>(recipe, seed, n);
  expectation_of(question.fold).balance(question.type, &data);
  return data;
}
template <class T>
std::vector<T> random_set(const Question& question, std::uint64_t seed, std::int64_t n) {
  return balanced_set<T>(question, random_recipe(question), seed, n);
}

}  // namespace isofold::conformance
