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

#include <isofold/detail/mpi/communicator.hpp>
#include <isofold/error.hpp>

namespace isofold::mpi::detail {

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

inline void write_header(std::int64_t* words, bool has_failed, std::uint64_t hash) {
  words[0] = has_failed ? 1 : 0;
  for (int piece = 0; piece < hash_pieces; ++piece) {
    const auto bits = static_cast<std::int64_t>((hash >> (16 * piece)) & 0xffffU);
    words[1 + 2 * piece] = bits;
    words[2 + 2 * piece] = bits * bits;
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

// A sentence as it travels, cut if it must be.
struct Telegram {
  std::int32_t code = 0;
  std::uint32_t length = 0;
  std::uint64_t hash = 0;
  char text[2032] = {};

  void write(Code of, const std::string& sentence) {
    code = static_cast<std::int32_t>(of);
    length = static_cast<std::uint32_t>(std::min(sentence.size(), sizeof text));
    std::memcpy(text, sentence.data(), length);
  }
  [[nodiscard]] std::string sentence() const { return std::string(text, text + length); }
};

// Collective: the lowest rank that says `here`, or the number of ranks.
[[nodiscard]] inline int first_rank(const Communicator& comm, bool here) {
  std::int64_t first = here ? comm.rank() : comm.size();
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT64_T, MPI_MIN, comm.get()),
            "MPI_Allreduce");
  return static_cast<int>(first);
}
// Collective: the telegram of rank `root`.
inline void send(const Communicator& comm, Telegram& telegram, int root) {
  check_mpi(MPI_Bcast(&telegram, static_cast<int>(sizeof telegram), MPI_BYTE, root, comm.get()),
            "MPI_Bcast");
}

// Collective, after a verdict that is not `agreed`: throws the same error on all ranks. The lowest
// rank that failed says why; or the lowest one that differs from rank 0 what it asks for.
[[noreturn]] inline void throw_together(const Communicator& comm, const Failure& own,
                                        std::uint64_t hash, const std::string& plan) {
  Telegram telegram;
  const int failed = first_rank(comm, static_cast<bool>(own));
  if (failed < comm.size()) {
    telegram.write(own.code, own.sentence);
    send(comm, telegram, failed);
    throw Error(static_cast<Code>(telegram.code), "Rank " + std::to_string(failed) + " of " +
                                                      std::to_string(comm.size()) + ": " +
                                                      telegram.sentence());
  }
  telegram.write(Code::mismatch, plan);
  telegram.hash = hash;
  Telegram first = telegram;
  send(comm, first, 0);
  const int differing = first_rank(comm, hash != first.hash);
  if (differing == comm.size()) {  // impossible, unless messages are changed on their way
    throw Error(Code::internal, "The ranks disagree, and none differs from rank 0.");
  }
  send(comm, telegram, differing);
  throw Error(Code::mismatch, "Rank 0 asks for " + first.sentence() + ", and rank " +
                                  std::to_string(differing) + " for " + telegram.sentence() +
                                  ": all ranks of a Team make the same calls in the same order.");
}

}  // namespace isofold::mpi::detail
