// Elements that are converted as they are read: the bits of the array converted first, at the sizes
// where a stage's pieces change, for every bit pattern, at every alignment, in rows, in shapes with
// a layout, and under every forced way to walk.
#include <algorithm>

#include "sections.hpp"
#include "stored_data.hpp"

namespace isofold::conformance {
namespace {

constexpr std::int64_t longest_array = 100003;

class Conversions {
 public:
  Conversions(Target& target, const StoredCase& which, Judge& judge)
      : target_(target), which_(which), placed_(target, which), judge_(judge) {}

  // Each row has the bits of the converted row.
  void compare(const Layout& layout) { compare(layout, expected_of(which_, layout), nullptr); }

  // compare() under each schedule that the target has.
  void compare_forced(const Layout& layout, const std::vector<isofold_schedule>& schedules) {
    const Bytes expected = expected_of(which_, layout);
    for (const isofold_schedule& schedule : schedules) {
      compare(layout, expected, &schedule);
    }
  }

 private:
  void compare(const Layout& layout, const Bytes& expected, const isofold_schedule* schedule) {
    const Bytes poison(expected.size(), 0xa5);
    const Placed<unsigned char> slots(target_, poison);
    isofold_request request = placed_.request(layout, slots.data());
    request.schedule = schedule;
    const auto describe = [&] {
      return std::string(isofold_fold_name(which_.question.fold)) + " of " +
             name_of(which_.stored) + ", " + std::to_string(layout.rows) + " rows of " +
             std::to_string(layout.length) + " at a stride of " + std::to_string(layout.stride) +
             " from element " + std::to_string(layout.offset) + " on" +
             (schedule == nullptr
                  ? ""
                  : ", forced to " + std::to_string(schedule->threads) + " threads, vectors of " +
                        std::to_string(schedule->vector_bits) + " bits");
    };
    const std::int32_t code = target_.reduce(request);
    if (schedule != nullptr && code == ISOFOLD_unsupported) {
      judge_.count_refused();
      return;
    }
    judge_.count_case();
    if (code != ISOFOLD_ok || target_.synchronize() != ISOFOLD_ok) {
      judge_.fail(describe() + ": the call failed: " + target_.last_error());
      return;
    }
    const std::vector<unsigned char> found = slots.to_host();
    const std::size_t bytes = expected.size() / static_cast<std::size_t>(layout.rows);
    for (std::size_t at = 0; at < expected.size(); at += bytes) {
      judge_.same_bytes(expected.data() + at, found.data() + at, bytes,
                        [&] { return describe() + ", row " + std::to_string(at / bytes); });
    }
  }

  Target& target_;
  const StoredCase& which_;
  PlacedCase placed_;
  Judge& judge_;
};

std::vector<isofold_schedule> forced() {
  std::vector<isofold_schedule> schedules;
  for (std::int32_t threads : {1, 3}) {
    for (std::int32_t bits : {128, 256, 512}) {
      isofold_schedule schedule{};
      schedule.threads = threads;
      schedule.vector_bits = bits;
      schedule.streams = threads == 1 ? 2 : 1;
      schedules.push_back(schedule);
    }
  }
  return schedules;
}

void compare_patterns(Target& target, const Question& question, const StoredType& stored,
                      Judge& judge) {
  const StoredData data = every_pattern(stored);
  const std::int64_t count =
      static_cast<std::int64_t>(data.stored.size()) / isofold_type_bytes(stored.type);
  const StoredCase which = stored_case(question, stored, data, data);
  Conversions conversions(target, which, judge);
  conversions.compare({0, count, 1, 1});  // each alone
  conversions.compare({1, (count - 1) / 33, 33, 33});
  conversions.compare_forced({0, count / 64, 64, 64}, forced());
}

void compare_shapes(Target& target, const Question& question, const StoredType& stored,
                    Judge& judge) {
  const StoredCase which =
      stored_case(question, stored, stored_set(stored, random_recipe(question), 21, longest_array),
                  stored_set(stored, random_recipe(question), 22, longest_array));
  Conversions conversions(target, which, judge);
  for (std::int64_t n : {1,    2,    3,    5,    8,    15,   16,   17,   31,   32,   33,
                         63,   64,   65,   100,  127,  128,  129,  1000, 1023, 1024, 1025,
                         2047, 2048, 2049, 4095, 4096, 4097, 5000, 8191, 8193, 65537}) {
    conversions.compare({n % 7, 1, n, n});
  }
  const std::int64_t offsets = question.level == Level::quick ? 17 : 64;
  for (std::int64_t offset = 0; offset <= offsets; ++offset) {
    for (std::int64_t n : {1, 30, 1024, 4133}) {
      conversions.compare({offset, 1, n, n});
    }
  }
  for (const Layout& rows : {Layout{1, 257, 1, 3}, Layout{0, 3, 0, 7}, Layout{3, 257, 100, 103},
                             Layout{0, 65, 1024, 1024}, Layout{5, 7, 3000, 3001}}) {
    conversions.compare(rows);
  }
  for (const Layout& layout :
       {Layout{1, 1, 100, 100}, Layout{1, 1, 4097, 4097}, Layout{2, 1, 70001, 70001},
        Layout{1, 33, 1025, 1030}, Layout{0, 2, 40001, 40003},
        Layout{0, 1, longest_array, longest_array}}) {
    conversions.compare_forced(layout, forced());
  }
}

// This tells whether the target takes the type; if not, it must say so in a sentence that names it.
bool is_taken(Target& target, const Question& question, const StoredType& stored, Judge& judge) {
  const StoredData one = stored_set(stored, Recipe::uniform, 1, 1);
  const std::string sentence = refusal_of(target, stored_case(question, stored, one, one));
  if (!sentence.empty()) {
    judge.count_case();
    judge.holds(sentence.find(isofold_type_name(stored.type)) != std::string::npos, [&] {
      return case_name(question) + ": the refusal does not name " + name_of(stored) + ": " +
             sentence;
    });
  }
  return sentence.empty();
}

}  // namespace

void conversions_section(Target& target, const Question& question, Judge& judge) {
  const std::vector<StoredType> all = stored_types_of(question.type);
  if (all.empty()) {
    judge.skip("no other elements are computed with as " +
               std::string(isofold_type_name(question.type)));
  }
  for (const StoredType& stored : all) {
    if (is_taken(target, question, stored, judge)) {
      compare_patterns(target, question, stored, judge);
      compare_shapes(target, question, stored, judge);
      stored_shapes(target, question, stored, judge);
      golden_conversions(target, question, stored, judge);
    }
  }
}

}  // namespace isofold::conformance
