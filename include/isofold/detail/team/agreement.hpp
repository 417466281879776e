// Agreement: the first words of the first message of each call, which say that a rank has failed,
// or asks for something else than the others. All ranks read the same sums, so that all throw the
// same error or none does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <isofold/detail/team/ranks.hpp>
#include <isofold/error.hpp>

namespace isofold::team::detail {

// An error of a rank by itself; `code` is ok if there is none.
struct Failure {
  Code code = Code::ok;
  std::string sentence;
  [[nodiscard]] explicit operator bool() const { return code != Code::ok; }
};

// Runs `use`, and catches whatever it throws.
template <class Use>
[[nodiscard]] Failure failure_of(Use&& use) {
  try {
    use();
    return {};
  } catch (const Error& error) {
    return {error.code(), error.what()};
  } catch (const std::bad_alloc&) {
    return {Code::out_of_memory, "Memory could not be had (std::bad_alloc)."};
  } catch (const std::exception& error) {
    return {Code::invalid_argument, error.what()};
  } catch (...) {
    return {Code::invalid_argument, "Something was thrown that is no std::exception."};
  }
}

// The number of failed ranks, then for three pieces of the hash their sum and the sum of their
// squares: all are equal if and only if the mean square is the square of the mean, whatever the
// number of ranks (up to 2^30).
inline constexpr std::int64_t header_words = 7;
inline constexpr int hash_pieces = 3;

// Adds a rank's own.
inline void add_header(std::int64_t* words, bool has_failed, std::uint64_t hash) {
  words[0] += has_failed ? 1 : 0;
  for (int piece = 0; piece < hash_pieces; ++piece) {
    const auto bits = static_cast<std::int64_t>((hash >> (16 * piece)) & 0xffffU);
    words[1 + 2 * piece] += bits;
    words[2 + 2 * piece] += bits * bits;
  }
}

enum class Verdict { agreed, failed, differing };

[[nodiscard]] inline Verdict judge(const std::int64_t* words, int ranks) {
  if (words[0] != 0) {
    return Verdict::failed;
  }
  for (int piece = 0; piece < hash_pieces; ++piece) {
    const std::int64_t sum = words[1 + 2 * piece];
    const std::int64_t mean = sum / ranks;
    if (mean * ranks != sum || words[2 + 2 * piece] != mean * mean * ranks) {
      return Verdict::differing;
    }
  }
  return Verdict::agreed;
}

// A sentence as it travels, cut if it must be: words of which all ranks but one have zeros.
struct Telegram {
  std::int32_t code = 0;
  std::uint32_t length = 0;
  std::uint64_t hash = 0;
  char text[2032] = {};

  Telegram() = default;
  Telegram(Code of, std::uint64_t of_request, const std::string& sentence)
      : code(static_cast<std::int32_t>(of)),
        length(static_cast<std::uint32_t>(std::min(sentence.size(), sizeof text))),
        hash(of_request) {
    std::memcpy(text, sentence.data(), length);
  }
  [[nodiscard]] std::string sentence() const { return std::string(text, text + length); }
};

// A rank says this about its call.
struct Voice {
  int rank = 0;
  Failure failure;
  std::uint64_t hash = 0;
  std::string plan;
};

// Collective: the lowest rank of which `here` is true, or the number of ranks. `voices` are those
// of this process.
template <class Condition>
[[nodiscard]] int first_rank(const Ranks& ranks, const std::vector<Voice>& voices,
                             Condition&& here) {
  std::int64_t above = 0;  // ranks from it on
  for (const Voice& voice : voices) {
    above = here(voice) ? std::max<std::int64_t>(above, ranks.size() - voice.rank) : above;
  }
  ranks.all_reduce(&above, 1, Combine::maximum);
  return ranks.size() - static_cast<int>(above);
}
// Collective: the telegram of rank `from`.
template <class Write>
[[nodiscard]] Telegram send(const Ranks& ranks, const std::vector<Voice>& voices, int from,
                            Write&& write) {
  Telegram telegram;
  for (const Voice& voice : voices) {
    if (voice.rank == from) {
      telegram = write(voice);
    }
  }
  std::int64_t words[sizeof(Telegram) / sizeof(std::int64_t)];
  static_assert(sizeof words == sizeof telegram, "A telegram is whole words.");
  std::memcpy(words, &telegram, sizeof words);
  ranks.all_reduce(words, static_cast<std::int64_t>(sizeof words / sizeof *words), Combine::sum);
  std::memcpy(&telegram, words, sizeof words);
  return telegram;
}

// Collective, after a verdict that is not `agreed`: throws the same error on all ranks. The lowest
// rank that failed says why; or the lowest one that differs from rank 0 what it asks for.
[[noreturn]] inline void throw_together(const Ranks& ranks, const std::vector<Voice>& voices) {
  const int failed = first_rank(
      ranks, voices, [](const Voice& voice) { return static_cast<bool>(voice.failure); });
  if (failed < ranks.size()) {
    const Telegram telegram = send(ranks, voices, failed, [](const Voice& voice) {
      return Telegram(voice.failure.code, 0, voice.failure.sentence);
    });
    throw Error(static_cast<Code>(telegram.code), "Rank " + std::to_string(failed) + " of " +
                                                      std::to_string(ranks.size()) + ": " +
                                                      telegram.sentence());
  }
  const auto asked = [](const Voice& voice) {
    return Telegram(Code::mismatch, voice.hash, voice.plan);
  };
  const Telegram first = send(ranks, voices, 0, asked);
  const int differing =
      first_rank(ranks, voices, [&](const Voice& voice) { return voice.hash != first.hash; });
  if (differing == ranks.size()) {  // impossible, unless messages are changed on their way
    throw Error(Code::internal, "The ranks disagree, and none differs from rank 0.");
  }
  throw Error(Code::mismatch, "Rank 0 asks for " + first.sentence() + ", and rank " +
                                  std::to_string(differing) + " for " +
                                  send(ranks, voices, differing, asked).sentence() +
                                  ": all ranks of a Team make the same calls in the same order.");
}

}  // namespace isofold::team::detail
