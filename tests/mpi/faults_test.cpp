// One error for all ranks, and never a hang: ranks that fail, disagree, leave gaps or overlap.
// After each fault the Team works as before. With an argument, totals beyond 2^31 elements, too.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <isofold/mpi.hpp>

#include "profile.hpp"

namespace {

using isofold::array;
using isofold::Code;
using isofold::exact;
using isofold::fuse;
using isofold::Reducer;
using isofold::mpi::part;
using isofold::mpi::scattered;
using isofold::mpi::Team;
namespace f = isofold;

struct Faults {
  Team team{MPI_COMM_WORLD};
  Reducer reduce{"reference"};
  bool is_right = true;
  [[nodiscard]] bool is_last() const { return team.rank() == team.size() - 1; }

  void check(bool condition, const char* what) {
    if (!condition) {
      is_right = false;
      std::fprintf(stderr, "Rank %d of %d: %s.\n", team.rank(), team.size(), what);
    }
  }
  // A collective call that fails on all ranks with this code and one sentence, which has `part` in
  // it. Then a call that is right.
  template <class Call>
  void fails(const char* what, Code code, const char* part_of_it, Call&& call) {
    std::string sentence;
    Code found = Code::ok;
    try {
      call();
    } catch (const isofold::Error& error) {
      found = error.code();
      sentence = error.what();
    }
    if (found != code || sentence.find(part_of_it) == std::string::npos) {
      is_right = false;
      std::fprintf(stderr, "Rank %d of %d, %s: code %d and '%s', not %d and '%s'.\n", team.rank(),
                   team.size(), what, static_cast<int>(found), sentence.c_str(),
                   static_cast<int>(code), part_of_it);
    }
    std::uint64_t hash[2] = {isofold::mpi::detail::Hash().value(), 0};
    isofold::mpi::detail::Hash of_sentence;
    of_sentence.add(sentence);
    hash[0] = of_sentence.value();
    hash[1] = ~hash[0];
    PMPI_Allreduce(MPI_IN_PLACE, hash, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    check(hash[0] == ~hash[1], "ranks have different sentences");
    const double one = 1;
    check(team.sum(reduce, exact(array(&one, 1))) == static_cast<double>(team.size()),
          "the call behind a fault is wrong");
  }
};

// One rank fails by itself.
void own_errors(Faults& t) {
  const std::vector<double> x{1, 2, 3};
  const std::int64_t wrong[] = {0, 7};
  t.fails("a rank's own reduction", Code::invalid_argument, "Rank ", [&] {
    (void)t.team.sum(t.reduce, exact(f::gather(x.data(), wrong, t.is_last() ? 2 : 1, 3)));
  });
  t.fails("a rank that leaves", Code::invalid_argument, "the disk is full", [&] {
    if (t.is_last()) {
      t.team.fail(std::runtime_error("the disk is full"));
    }
    (void)t.team.norm2(t.reduce, exact(x));
  });
  t.fails("a part outside", Code::invalid_argument, "must lie within", [&] {
    const auto n = static_cast<std::int64_t>(x.size());
    (void)t.team.argmin(t.reduce,
                        part(x, n * t.team.rank() + (t.is_last() ? 1 : 0), n * t.team.size()));
  });
  t.fails("a location without a part", Code::invalid_argument, "part(view",
          [&] { (void)t.team.argmin(t.reduce, x); });
  t.fails("an order", Code::unsupported, "exact(view)", [&] { (void)t.team.sum(t.reduce, x); });
  t.fails("a product", Code::unsupported, "team.slice", [&] { (void)t.team.product(t.reduce, x); });
  t.fails("started", Code::invalid_argument, "Rank ", [&] {
    auto later =
        t.team.start(t.reduce, f::sum, exact(f::gather(x.data(), wrong, t.is_last() ? 2 : 1, 3)));
    (void)later.wait();
  });
  // A prepared call whose list becomes wrong later, and right again.
  std::int64_t list[] = {0, 1};
  auto prepared = t.team.prepare(t.reduce, f::sum, exact(f::gather(x.data(), list, 2, 3)));
  t.fails("prepared", Code::invalid_argument, "Rank ", [&] {
    list[1] = t.is_last() ? 9 : 1;
    prepared.start();
    (void)prepared.wait();
  });
  list[1] = 2;
  prepared.start();
  t.check(prepared.wait() == 4.0 * t.team.size(), "a prepared call behind a fault is wrong");
}

// The last rank asks for something else.
void disagreements(Faults& t) {
  const std::vector<double> x{1, 2, 3};
  const std::vector<float> narrow{1, 2, 3};
  const bool other = t.is_last();
  Team& team = t.team;
  Reducer& r = t.reduce;
  const auto differ = [&](const char* what, auto&& theirs, auto&& mine) {
    t.fails(what, Code::mismatch, "Rank 0 asks for",
            [&] { other ? (void)mine() : (void)theirs(); });
  };
  differ(
      "folds", [&] { return team.minimum(r, x); }, [&] { return team.maximum(r, x); });
  differ(
      "exact folds", [&] { return team.sum(r, exact(x)); },
      [&] { return team.variance(r, exact(x)); });
  differ(
      "types", [&] { return team.sum(r, exact(x)); }, [&] { return team.sum(r, exact(narrow)); });
  differ(
      "widened", [&] { return team.sum(r, exact(narrow)); },
      [&] { return team.sum(r, exact(f::widened(array(narrow.data(), 3)))); });
  differ(
      "definitions", [&] { return team.minimum(r, x); }, [&] { return team.minimum(r, exact(x)); });
  differ(
      "results", [&] { return team.sum(r, exact(f::rows(x.data(), 3, 1))); },
      [&] { return team.sum(r, exact(f::rows(x.data(), 1, 3))); });
  differ(
      "numbers of folds", [&] { return team.maximum(r, x); },
      [&] { return team.reduce(r, fuse(f::maximum, f::minimum), x); });
  differ(
      "bounds", [&] { return team.count_in_range(r, x, 0, 1); },
      [&] { return team.count_in_range(r, x, 0, 2); });
  differ(
      "NaNs", [&] { return team.maximum(r, x); }, [&] { return team.maximum(r, f::skip_nan(x)); });
  differ(
      "totals", [&] { return team.argmax(r, part(x, 0, 300)); },
      [&] { return team.argmax(r, part(x, 3, 301)); });
  differ(
      "slices", [&] { return team.slice(0, 3, 30).sum(r, x); },
      [&] { return team.sum(r, exact(x)); });
  differ(
      "totals of slices", [&] { return team.slice(0, 3, 30).sum(r, x); },
      [&] { return team.slice(3, 3, 31).sum(r, x); });
  differ(
      "folds of slices", [&] { return team.slice(0, 3, 30).sum(r, x); },
      [&] { return team.slice(3, 3, 30).maximum(r, x); });
  differ(
      "sizes", [&] { return team.sum(r, exact(x)); },
      [&] {
        return team.reduce(r, fuse(f::sum, f::norm2, f::variance, f::moments, f::norm1), exact(x));
      });
  // Behind a large call the first message is longer, on all ranks.
  (void)team.reduce(r, fuse(f::sum, f::norm2, f::variance, f::moments, f::norm1), exact(x));
  differ(
      "after a large call", [&] { return team.sum(r, exact(x)); },
      [&] { return team.norm1(r, exact(x)); });
}

// Parts and slices that do not cover the whole once.
void gaps(Faults& t) {
  Team& team = t.team;
  Reducer& r = t.reduce;
  const std::int64_t n = 5;
  const std::vector<double> x(n, 1);
  const std::int64_t first = n * team.rank();
  const std::int64_t total = n * team.size();
  const std::int64_t less = t.is_last() ? n - 1 : n;
  t.fails("a gap", Code::mismatch, "do not cover",
          [&] { (void)team.argmin(r, part(array(x.data(), less), first, total)); });
  t.fails("an overlap and a gap", Code::mismatch, "do not cover", [&] {
    (void)team.argmin(r, part(array(x.data(), less), first + (t.is_last() ? 1 : 0),
                              total + (team.size() == 1 ? 1 : 0)));
  });
  std::vector<std::int64_t> list;
  for (std::int64_t i = 0; i < n; ++i) {
    list.push_back(first + i);
  }
  list.back() = t.is_last() ? list.front() : list.back();
  t.fails("an index twice", Code::mismatch, "do not cover",
          [&] { (void)team.argmax(r, scattered(x, list, total)); });
  t.fails("an index outside", Code::invalid_argument, "Index", [&] {
    list.back() = t.is_last() ? total : first + n - 1;
    (void)team.argmax(r, scattered(x, list, total));
  });
  t.fails("a gap of blocks", Code::mismatch, "do not cover", [&] {
    const auto block = f::box(x.data(), {std::int64_t{1}, less});
    (void)team.argmin(r, part(block, {std::int64_t{team.size()}, n},
                              {std::int64_t{team.rank()}, std::int64_t{0}}));
  });
  t.fails("a gap of slices", Code::incomplete, "",
          [&] { (void)team.slice(first, less, total).sum(r, array(x.data(), less)); });
  if (team.size() > 1) {
    t.fails("an overlap of slices", Code::overlap, "",
            [&] { (void)team.slice(first - (t.is_last() ? 1 : 0), n, total).sum(r, x); });
  }
  t.fails("a slice of another length", Code::invalid_argument, "must be the same",
          [&] { (void)team.slice(first, less, total).sum(r, x); });
  t.fails("a slice outside", Code::invalid_argument, "",
          [&] { (void)team.slice(first + (t.is_last() ? 1 : 0), n, total).sum(r, x); });
}

// Results that are no numbers, errors of results, and ranks without elements.
void results(Faults& t) {
  Team& team = t.team;
  Reducer& r = t.reduce;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> x{1, t.is_last() ? nan : 2};
  const auto [sum, least, most] = team.reduce(r, fuse(exact(f::sum), f::minimum, f::maximum), x);
  t.check(sum != sum && least != least && most != most, "a NaN on one rank is no NaN for all");
  const std::vector<double> none;
  const std::vector<double> some = t.is_last() ? std::vector<double>{3, 4} : none;
  const auto at = team.argmax(r, part(some, 0, 2));
  t.check(at.value == 4 && at.index == 1, "a location beside empty ranks is wrong");
  t.check(team.mean(r, exact(some)) == 3.5 && team.all(r, some) && !team.none(r, some) &&
              team.bit_and(
                  r, array(reinterpret_cast<const std::uint64_t*>(some.data()), some.size())) != 0,
          "a result beside empty ranks is wrong");
  const auto [least_of_some, is_all] = team.reduce(r, fuse(f::minimum, f::all), some);
  t.check(least_of_some == 3 && is_all, "fused results beside empty ranks are wrong");
  t.check(team.sum(r, exact(none)) == 0 && team.count_nonzero(r, none) == 0 && !team.any(r, none),
          "sums and counts of nothing are not 0");
  t.fails("a minimum of nothing", Code::empty_input, "no elements",
          [&] { (void)team.minimum(r, none); });
  t.fails("a mean of nothing", Code::empty_input, "no elements",
          [&] { (void)team.mean(r, exact(none)); });
  t.fails("a location of nothing", Code::empty_input, "no elements",
          [&] { (void)team.argmin(r, part(none, 0, 0)); });
  const std::vector<std::int64_t> large{std::numeric_limits<std::int64_t>::max(), 1};
  t.fails("a sum of integers that does not fit", Code::out_of_range, "does not fit",
          [&] { (void)team.sum(r, exact(large)); });
}

// Other communicators, and those that a Team has none of.
void communicators(Faults& t) {
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, t.team.rank() % 2, 0, &half);
  {
    Team team(half);
    const double one = 1;
    t.check(team.sum(t.reduce, exact(array(&one, 1))) == static_cast<double>(team.size()),
            "a sum over half of the ranks is wrong");
    Team moved = std::move(team);
    t.check(moved.maximum(t.reduce, array(&one, 1)) == 1, "a Team that was moved is wrong");
    // Calls of two Teams at once, one of them on its way.
    auto later = t.team.start(t.reduce, f::sum, exact(array(&one, 1)));
    t.check(moved.minimum(t.reduce, array(&one, 1)) == 1, "a call beside a pending one is wrong");
    t.check(later.wait() == static_cast<double>(t.team.size()), "a pending call is wrong");
    auto dropped = t.team.start(t.reduce, f::sum, exact(array(&one, 1)));
  }
  PMPI_Comm_free(&half);
  bool is_refused = false;
  try {
    const Team none(MPI_COMM_NULL);
  } catch (const isofold::Error& error) {
    is_refused = error.code() == Code::invalid_argument;
  }
  t.check(is_refused, "a Team of MPI_COMM_NULL is not refused");
}

// Elements that share memory, so that there are more than 2^31 of them in all.
void large_totals(Faults& t) {
  Team& team = t.team;
  Reducer r("openmp");
  const std::int64_t total = (std::int64_t{1} << 31) + 12345;
  const std::int64_t begin = total / team.size() * team.rank();
  const std::int64_t count = t.is_last() ? total - begin : total / team.size();
  const float one = 1;
  const auto mine = f::box(&one, {count}, {0});
  t.check(team.count_nonzero(r, mine) == total, "a count beyond 2^31 is wrong");
  t.check(team.sum(r, exact(f::widened(mine))) == static_cast<double>(total),
          "a sum beyond 2^31 elements is wrong");
  const auto placed = part(mine, begin, total);
  const auto [first, last] = team.reduce(r, fuse(f::argmin, f::argmin_last), placed);
  t.check(first.index == 0 && last.index == total - 1, "a location beyond 2^31 is wrong");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool is_right = false;
  {
    Faults test;
    if (argc > 1) {
      large_totals(test);
    }
    own_errors(test);
    if (test.team.size() > 1) {
      disagreements(test);
    }
    gaps(test);
    results(test);
    communicators(test);
    int right = test.is_right ? 1 : 0;
    PMPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    is_right = right == 1;
    if (test.team.rank() == 0 && is_right) {
      std::printf("the same error on all ranks\n");
    }
  }
  MPI_Finalize();
  return is_right ? 0 : 1;
}
