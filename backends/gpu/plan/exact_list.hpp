// The requests that one pass of exact_v1 answers, for execute_exact.hpp: their words are among
// those that the pass gathers.
#pragma once

#include <backends/gpu/op/exact_finish.hpp>

namespace isofold::gpu {

// `Kept`: the fold whose words are gathered.
template <class Kept>
class ExactList {
 public:
  struct Entry {
    const isofold_request* request;
    int fold;  // its number among those of these words
    std::size_t result_bytes;
    std::size_t words_bytes;
    bool empty_is_error;
    bool has_range;  // not every value is a result
  };

  // Adds a request for `Asked` over the input of the others.
  template <class Asked>
  void add(const Asked&, const isofold_request& request) {
    using Result = typename Asked::result_type;
    static_assert(number<Asked> >= 0);
    entry_[count_++] = {&request,
                        number<Asked>,
                        sizeof(Result),
                        sizeof(typename Asked::state_type),
                        Asked::empty_is_error,
                        std::is_integral_v<Result>};
  }
  template <class Asked>
  static constexpr int number = WordsOf<Kept>::folds::template number<Asked>();

  int count() const { return count_; }
  const Entry& operator[](int i) const { return entry_[i]; }
  const Entry* begin() const { return entry_; }
  const Entry* end() const { return entry_ + count_; }
  // Their input, which is that of all.
  const isofold_request& input() const { return *entry_[0].request; }

 private:
  int count_ = 0;
  Entry entry_[ISOFOLD_MOST_FUSED];
};

}  // namespace isofold::gpu
