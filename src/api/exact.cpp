// Partial results of exact_v1: their words are checked, added, rounded, written and read.
#include <cstring>
#include <limits>

#include <api/checksum.hpp>
#include <api/errors.hpp>
#include <ops/case_names.hpp>
#include <ops/exact_cases.hpp>

namespace isofold {
namespace {

namespace exact = core::exact;

// Words that are carried at most so many merges later have digits below this, and so fit.
constexpr std::int64_t most_in_digit = std::int64_t{1} << 62;

template <class Terms>
const char* fault_of(const exact::Words<Terms>& words) {
  const std::int64_t counts[] = {words.terms, words.not_minus_zero, words.nans,
                                 words.plus_infinities, words.minus_infinities};
  for (const std::int64_t count : counts) {
    if (count < 0) {
      return "counts something negative";
    }
  }
  if (words.nans > words.terms || words.plus_infinities > words.terms ||
      words.minus_infinities > words.terms) {
    return "counts more terms that are not finite than terms";
  }
  for (int k = 0; k < exact::Words<Terms>::digits; ++k) {
    if (words.digit[k] >= most_in_digit || words.digit[k] <= -most_in_digit) {
      return "has a digit beyond 2^62, as no 2^30 partial results add up to";
    }
    if (words.terms == 0 && words.digit[k] != 0) {
      return "has a sum of no terms that is not zero";
    }
  }
  return nullptr;
}
template <class State>
const char* fault_in(State& state) {
  const char* fault = fault_of(state.template sum<0>());
  return fault != nullptr ? fault : fault_of(state.template sum<1>());
}

template <class State>
State read(const std::int64_t* words) {
  State state;
  std::memcpy(static_cast<void*>(&state), words, sizeof state);
  return state;
}

std::int32_t refuse(const char* fault) {
  return fail(ISOFOLD_mismatch,
              "A partial result %s: these are not the words of this fold and type, or not all of "
              "them.",
              fault);
}

// Runs use(fold) for the case; it refuses what has no sum.
template <class Use>
std::int32_t with_case(std::int32_t fold, std::int32_t type, bool any_null, Use&& use) {
  if (any_null) {
    return fail(ISOFOLD_invalid_argument, "A pointer to words, or to what they become, is null.");
  }
  std::int32_t code = ISOFOLD_ok;
  const bool found = visit_exact_case(fold, computed_type(type), [&](auto f) { code = use(f); });
  return found
             ? code
             : fail(ISOFOLD_unsupported,
                    "There are no partial results of exact_v1 for fold %d (%s) over type %d (%s): "
                    "docs/exact.md has its table.",
                    fold, fold_name(fold), type, type_name(type));
}

// The bytes: this header, the words, and a checksum of both.
struct Header {
  char magic[8];
  std::uint32_t definition;
  std::uint16_t fold;
  std::uint16_t type;
};
static_assert(sizeof(Header) == 16, "The header has no padding.");
constexpr char magic[8] = {'i', 's', 'o', 'f', 'o', 'l', 'd', 'x'};

Header header_of(std::int32_t fold, std::int32_t type) {
  Header header{};
  std::memcpy(header.magic, magic, sizeof magic);
  header.definition = ISOFOLD_DEFINITION_exact_v1;
  header.fold = static_cast<std::uint16_t>(fold);
  header.type = static_cast<std::uint16_t>(type);
  return header;
}

template <class Fold>
std::int32_t finish(const std::int64_t* words, void* result) {
  using State = typename Fold::state_type;
  using Result = typename Fold::result_type;
  State state = read<State>(words);
  if (const char* fault = fault_in(state); fault != nullptr) {
    return refuse(fault);
  }
  state.carry();
  Result value = Fold::empty();
  if (state.first.terms != 0) {
    if (!exact::result_fits<Fold>(state)) {
      return fail(ISOFOLD_out_of_range,
                  "The sum of %lld integers does not fit in 64 bits; their mean does.",
                  static_cast<long long>(state.first.terms));
    }
    value = Fold::finish(state);
  }
  std::memcpy(result, &value, sizeof value);
  return ISOFOLD_ok;
}

}  // namespace
}  // namespace isofold

extern "C" {

int32_t isofold_exact_words(int32_t fold, int32_t type) {
  int32_t words = 0;
  isofold::visit_exact_case(fold, isofold::computed_type(type), [&](auto f) {
    words = isofold::core::exact::words_of<typename decltype(f)::state_type>;
  });
  return words;
}

int32_t isofold_exact_merge(int32_t fold, int32_t type, int64_t* words, const int64_t* other,
                            int32_t sign) {
  return isofold::with_case(fold, type, words == nullptr || other == nullptr, [&](auto f) {
    using State = typename decltype(f)::state_type;
    if (sign != 1 && sign != -1) {
      return isofold::fail(ISOFOLD_invalid_argument,
                           "The sign %d is neither 1, to add, nor -1, to subtract.", sign);
    }
    auto state = isofold::read<State>(words);
    auto added = isofold::read<State>(other);
    const char* fault = isofold::fault_in(state);
    fault = fault != nullptr ? fault : isofold::fault_in(added);
    if (fault == nullptr) {
      state.carry();
      added.carry();
      sign > 0 ? state.merge(added) : state.subtract(added);
      state.carry();
      fault = isofold::fault_in(state);
    }
    if (fault != nullptr) {
      return isofold::refuse(fault);
    }
    std::memcpy(words, &state, sizeof state);
    return int32_t{ISOFOLD_ok};
  });
}

int32_t isofold_exact_finish(int32_t fold, int32_t type, const int64_t* words, void* result) {
  return isofold::with_case(fold, type, words == nullptr || result == nullptr,
                            [&](auto f) { return isofold::finish<decltype(f)>(words, result); });
}

int32_t isofold_exact_to_bytes(int32_t fold, int32_t type, const int64_t* words, void* memory,
                               size_t* bytes) {
  return isofold::with_case(fold, type, words == nullptr || bytes == nullptr, [&](auto f) {
    using State = typename decltype(f)::state_type;
    auto state = isofold::read<State>(words);
    if (const char* fault = isofold::fault_in(state); fault != nullptr) {
      return isofold::refuse(fault);
    }
    state.carry();
    const isofold::Header header = isofold::header_of(fold, type);
    const std::size_t needed = sizeof header + sizeof state + sizeof(std::uint64_t);
    const std::size_t room = *bytes;
    *bytes = needed;
    if (memory == nullptr) {  // the question how many there are
      return int32_t{ISOFOLD_ok};
    }
    if (room < needed) {
      return isofold::fail(ISOFOLD_invalid_argument,
                           "A partial result takes %zu bytes, and there is room for %zu.", needed,
                           room);
    }
    auto* const out = static_cast<unsigned char*>(memory);
    std::memcpy(out, &header, sizeof header);
    std::memcpy(out + sizeof header, &state, sizeof state);
    const std::uint64_t sum = isofold::checksum(out, sizeof header + sizeof state);
    std::memcpy(out + sizeof header + sizeof state, &sum, sizeof sum);
    return int32_t{ISOFOLD_ok};
  });
}

int32_t isofold_exact_from_bytes(int32_t fold, int32_t type, const void* memory, size_t bytes,
                                 int64_t* words) {
  return isofold::with_case(fold, type, memory == nullptr || words == nullptr, [&](auto f) {
    using State = typename decltype(f)::state_type;
    const auto* const in = static_cast<const unsigned char*>(memory);
    const isofold::Header header = isofold::header_of(fold, type);
    constexpr std::size_t content = sizeof(isofold::Header) + sizeof(State);
    std::uint64_t sum = 0;
    if (bytes < content + sizeof sum) {
      return isofold::fail(ISOFOLD_mismatch, "A partial result takes %zu bytes; these are %zu.",
                           content + sizeof sum, bytes);
    }
    if (std::memcmp(in, &header, sizeof header) != 0) {
      return isofold::fail(ISOFOLD_mismatch,
                           "These bytes are not a partial result of exact_v1 of %s over %s.",
                           isofold::fold_name(fold), isofold::type_name(type));
    }
    std::memcpy(&sum, in + content, sizeof sum);
    bool is_whole = sum == isofold::checksum(in, content);
    for (std::size_t i = content + sizeof sum; i < bytes; ++i) {
      is_whole = is_whole && in[i] == 0;
    }
    if (!is_whole) {
      return isofold::fail(ISOFOLD_mismatch, "The bytes of a partial result were changed.");
    }
    State state;
    std::memcpy(static_cast<void*>(&state), in + sizeof header, sizeof state);
    if (const char* fault = isofold::fault_in(state); fault != nullptr) {
      return isofold::refuse(fault);
    }
    std::memcpy(words, &state, sizeof state);
    return int32_t{ISOFOLD_ok};
  });
}
}
