// Many calls at once: data are placed where the target reads, every call writes its own slot
// without blocking, and one copy brings the results back. A device call costs microseconds, a wait
// more.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "../supported_cases.hpp"
#include "judge.hpp"
#include "target.hpp"
#include "test_data.hpp"
#include <isofold/reducer.hpp>

namespace isofold::conformance {

using test_data::Recipe;

// What is being asked: the case, how thoroughly, and where random choices start.
struct Question {
  std::int32_t fold;
  std::int32_t type;
  Level level;
  std::uint64_t seed;
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

// The elements [offset, offset + count) of some placed data.
struct Span {
  std::int64_t offset;
  std::int64_t count;
};

template <class T>
isofold_request array_request(const Question& question, const T* data, std::int64_t count,
                              void* result, std::int32_t flags) {
  isofold_request request{};
  request.size = sizeof request;
  request.definition = ISOFOLD_DEFINITION_tree_v1;
  request.fold = question.fold;
  request.type = question.type;
  request.shape = ISOFOLD_SHAPE_array;
  request.flags = flags;
  request.data = data;
  request.rows = 1;
  request.length = count;
  request.stride = count;
  request.result = result;
  return request;
}

inline std::string case_name(const Question& question) {
  return std::string(isofold_fold_name(question.fold)) + " of " + isofold_type_name(question.type);
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
    isofold_request request =
        array_request(question, data + spans[i].offset, spans[i].count, slots.data() + i, 0);
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

// The same asked of the reference backend, on host memory: the bits to compare with.
template <class R, class T>
std::vector<R> reference_of(const Question& question, const T* data,
                            const std::vector<Span>& spans) {
  Reducer reference("reference");
  std::vector<R> results(spans.size());
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const isofold_request request =
        array_request(question, data + spans[i].offset, spans[i].count, &results[i], 0);
    check(isofold_reduce(reference.handle(), &request));
  }
  return results;
}

template <class R, class T>
R reference_of(const Question& question, const T* data, std::int64_t count) {
  return reference_of<R>(question, data, {{0, count}})[0];
}

template <class T>
std::vector<T> data_set(Recipe recipe, std::uint64_t seed, std::int64_t n) {
  std::vector<T> data(static_cast<std::size_t>(n));
  test_data::fill(recipe, seed, n, data.data());
  return data;
}

// Whether results have one right bit pattern whatever the order of combination: integers wrap, and
// extrema are elements. Floating-point sums and products depend on the order.
template <class T>
bool is_free_of_order(const Question& question) {
  return !std::is_floating_point_v<T> || question.fold == ISOFOLD_FOLD_minimum ||
         question.fold == ISOFOLD_FOLD_maximum;
}

// What stands around the elements: whichever fold reads it has another result.
template <class T>
T intruder(const Question& question) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::numeric_limits<T>::quiet_NaN();
  } else {
    return question.fold == ISOFOLD_FOLD_minimum ? std::numeric_limits<T>::lowest()
                                                 : std::numeric_limits<T>::max();
  }
}

// Data whose product neither vanishes nor overflows, and plain random data for all other folds.
inline Recipe random_recipe(const Question& question) {
  return question.fold == ISOFOLD_FOLD_product ? Recipe::near_one : Recipe::uniform;
}

}  // namespace isofold::conformance
