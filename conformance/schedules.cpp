// Kind 1 under force: every way in which a backend can evaluate the tree, at sizes for which it
// would not choose it, small ones above all. Each call reports what ran, and that must be what was
// forced: without this, tests of small arrays never leave the path of one thread or one block.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "forced_target.hpp"
#include "sections.hpp"

namespace isofold::conformance {
namespace {

std::vector<isofold_schedule> cpu_schedules(Level level) {
  std::vector<int> threads{1, 2, 3, 7};
  if (level == Level::quick) {
    threads = {1, 3};
  } else if (level == Level::exhaustive) {
    threads = {1, 2, 3, 4, 5, 6, 7, 8, 16, 33, 128};
  }
  std::vector<isofold_schedule> schedules;
  for (int t : threads) {  // outermost: another team size costs a team of threads
    for (int bits : {128, 256, 512}) {
      for (int streams = 1; streams <= (bits == 512 ? 3 : 2); ++streams) {
        isofold_schedule schedule{};
        schedule.threads = t;
        schedule.vector_bits = bits;
        schedule.streams = streams;
        schedules.push_back(schedule);
      }
    }
  }
  return schedules;
}

std::vector<isofold_schedule> gpu_schedules(Level level) {
  constexpr int most_states = 512;  // a tile's chunk states lie in shared memory
  const int step = level == Level::quick ? 4 : 2;
  std::vector<isofold_schedule> schedules;
  for (int warps = 1; warps <= 16; warps *= step) {
    for (int chunks = 1; chunks <= 32 && warps * chunks <= most_states; chunks *= step) {
      for (int blocks : {0, 1, 2, 5, 1000}) {
        isofold_schedule schedule{};
        schedule.warps = warps;
        schedule.chunks = chunks;
        schedule.blocks = blocks;
        schedules.push_back(schedule);
      }
    }
  }
  return schedules;
}

// The ways to share rows between threads, warps and blocks.
std::vector<isofold_schedule> gpu_row_schedules() {
  std::vector<isofold_schedule> schedules;
  for (int unit : {16, 32, 64, 128, 256, -1, -2, -4, -7}) {
    for (int blocks : {0, 1, 3}) {
      isofold_schedule schedule{};
      schedule.unit = unit;
      schedule.blocks = blocks;
      schedules.push_back(schedule);
    }
  }
  return schedules;
}

// Fewer threads than asked for are right only if the environment grants fewer.
bool threads_are_rationed() {
  const char* dynamic = std::getenv("OMP_DYNAMIC");
  return std::getenv("OMP_THREAD_LIMIT") != nullptr ||
         (dynamic != nullptr && (dynamic[0] == 't' || dynamic[0] == 'T' || dynamic[0] == '1'));
}

bool ran_as_forced(const isofold_schedule& wish, const isofold_schedule& ran) {
  const auto same = [](std::int32_t wished, std::int32_t found) {
    return wished == 0 || wished == found;
  };
  const bool threads = same(wish.threads, ran.threads) ||
                       (threads_are_rationed() && ran.threads >= 1 && ran.threads <= wish.threads);
  const bool blocks = wish.blocks == 0 || (ran.blocks >= 1 && ran.blocks <= wish.blocks);
  // A block's threads have a limit: 16 warps of 32 fit, and 8 of 64. If chunks go through shared
  // memory, as many fit as that has room for: 9 of 32 for two arrays of f64 in 163 KiB.
  constexpr int full_block = 288;
  const bool warps = same(wish.warps, ran.warps) ||
                     (ran.warps < wish.warps && ran.warps * ran.wave_width >= full_block);
  return threads && blocks && warps && same(wish.vector_bits, ran.vector_bits) &&
         same(wish.streams, ran.streams) && same(wish.chunks, ran.chunks) &&
         same(wish.wave_width, ran.wave_width);
}

// This tells whether the target has this schedule at all; a processor may lack an instruction set.
template <class T>
bool offers(Target& target, const Question& question, const Placed<T>& placed,
            const isofold_schedule& schedule) {
  const Placed<std::uint64_t> slot(target, std::vector<std::uint64_t>(8));  // room for any result
  isofold_request request = array_request(question, placed.data(), {0, 1, 1}, slot.data(), 0);
  request.schedule = &schedule;
  const bool offered = target.reduce(request) != ISOFOLD_unsupported;
  target.synchronize();
  return offered;
}

// The sizes at which a loop or kernel takes another path: lanes, rows, chunks, whole and ragged
// runs of chunks.
std::vector<Span> forced_sizes(Level level) {
  std::vector<Span> spans;
  for (std::int64_t n : {1, 2, 63, 64, 65, 1000, 1023, 1024, 1025, 2048, 2049, 3073, 7 * 1024 + 5,
                         8 * 1024, 33 * 1024 + 1, 100003}) {
    spans.push_back({n % 3, n});
  }
  if (level != Level::quick) {
    for (std::int64_t n : {3, 127, 129, 1088, 1536, 4 * 1024 - 1, 5 * 1024, 15 * 1024 + 1000,
                           16 * 1024, 17 * 1024 + 17, 64 * 1024, 65 * 1024 + 3, 200001}) {
      spans.push_back({n % 5, n});
    }
  }
  if (level == Level::exhaustive) {
    for (std::int64_t n = 1; n <= 3 * 1024 + 2; n += 7) {
      spans.push_back({n % 7, n});
    }
    spans.push_back({1, 3000001});
  }
  return spans;
}

template <class T, class R>
void force_arrays(Target& target, const Question& question, Judge& judge) {
  std::vector<Span> spans = forced_sizes(question.level);
  std::int64_t largest = 0;
  for (const Span& span : spans) {
    largest = std::max(largest, span.offset + span.count);
  }
  std::vector<T> host = random_set<T>(question, 9, largest);
  append_second(question, host, second_set<T>(question, random_recipe(question), 10, largest),
                spans);
  const std::vector<R> expected = reference_of<R>(question, host.data(), spans);
  const Placed<T> placed(target, host);
  std::int32_t most_blocks = 0;
  int offered = 0;
  for (const isofold_schedule& schedule :
       is_gpu(target) ? gpu_schedules(question.level) : cpu_schedules(question.level)) {
    if (!offers(target, question, placed, schedule)) {
      judge.count_refused();
      continue;
    }
    ++offered;
    judge.count_case();
    std::vector<isofold_schedule> ran;
    const std::vector<R> found =
        results_of<R>(target, question, placed.data(), spans, judge, &schedule, &ran);
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const auto describe = [&] {
        return case_name(question) + ", n = " + std::to_string(spans[i].count) + ", forced to " +
               text_of(schedule);
      };
      judge.same_bits(expected[i], found[i], describe);
      judge.holds(ran_as_forced(schedule, ran[i]),
                  [&] { return describe() + ": what ran was " + text_of(ran[i]); });
      most_blocks = std::max(most_blocks, ran[i].blocks);
    }
  }
  judge.holds(offered > 0, [&] { return case_name(question) + ": no schedule was accepted"; });
  judge.holds(!is_gpu(target) || most_blocks > 1,
              [&] { return case_name(question) + ": no forced call ran on more than one block"; });
}

struct Shape {
  std::int64_t rows;
  std::int64_t length;
  std::int64_t stride;
};

// `second` is the beginning of the second array, for folds that take two.
template <class T, class R>
void force_rows(Target& target, const Question& question, const isofold_schedule& schedule,
                const std::vector<T>& host, const Placed<T>& placed, std::int64_t second,
                Judge& judge) {
  bool used = false;
  for (const Shape& shape : {Shape{1, 1, 1}, Shape{257, 1, 3}, Shape{257, 100, 103},
                             Shape{65, 1024, 1024}, Shape{33, 1025, 1030}, Shape{7, 3000, 3001},
                             Shape{3, 20000, 20000}, Shape{2, 40001, 40003}}) {
    std::vector<Span> spans;
    for (std::int64_t row = 0; row < shape.rows; ++row) {
      spans.push_back({row * shape.stride, shape.length, second + row * (shape.length + 2)});
    }
    const std::vector<R> expected = reference_of<R>(question, host.data(), spans);
    const Placed<R> slots(target, poisoned<R>(spans.size()));
    isofold_schedule ran{};
    isofold_request request = array_request(question, placed.data(), spans[0], slots.data(), 0);
    request.shape = ISOFOLD_SHAPE_rows;
    request.rows = shape.rows;
    request.stride = shape.stride;
    request.second_stride = takes_two(question) ? shape.length + 2 : 0;
    request.schedule = &schedule;
    request.ran = &ran;
    const auto describe = [&] {
      return case_name(question) + ", " + std::to_string(shape.rows) + " rows of " +
             std::to_string(shape.length) + ", forced to " + text_of(schedule);
    };
    const std::int32_t code = target.reduce(request);
    if (code == ISOFOLD_unsupported) {
      judge.count_refused();
      continue;
    }
    if (code != ISOFOLD_ok || target.synchronize() != ISOFOLD_ok) {
      judge.fail(describe() + ": the call failed: " + target.last_error());
      continue;
    }
    used = true;
    const std::vector<R> found = slots.to_host();
    for (std::size_t row = 0; row < found.size(); ++row) {
      judge.same_bits(expected[row], found[row],
                      [&] { return describe() + ", row " + std::to_string(row); });
    }
    judge.holds(ran_as_forced(schedule, ran),
                [&] { return describe() + ": what ran was " + text_of(ran); });
  }
  if (used) {
    judge.count_case();
  }
}

}  // namespace

void schedules_section(Target& target, const Question& question, Judge& judge) {
  if (target.schedule_family() == "reference" || !target.promises_same_bits()) {
    judge.skip("this backend has no schedules to force");
    return;
  }
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    using R = typename decltype(numbers)::R;
    force_arrays<T, R>(target, question, judge);
    std::vector<T> host = random_set<T>(question, 10, 90000);
    std::vector<Span> whole{{0, 90000}};
    append_second(question, host, second_set<T>(question, random_recipe(question), 11, 90000),
                  whole, 1);
    const Placed<T> placed(target, host);
    for (const isofold_schedule& schedule :
         is_gpu(target) ? gpu_row_schedules() : cpu_schedules(question.level)) {
      if (offers(target, question, placed, schedule)) {
        force_rows<T, R>(target, question, schedule, host, placed, whole[0].second, judge);
      }
    }
  });
}

}  // namespace isofold::conformance
