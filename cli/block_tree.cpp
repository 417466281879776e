// BlockTree on core::Run, the binary counter of complete nodes that every loop uses.
#include "block_tree.hpp"

#include <cstring>
#include <vector>

#include <api/float_environment.hpp>
#include <isofold/detail/core/run.hpp>
#include <isofold/error.hpp>
#include <ops/exact_cases.hpp>
#include <ops/supported_cases.hpp>
#include <request/converted_elements.hpp>

namespace cli {
namespace {

template <class Fold>
class TypedBlockTree final : public BlockTree {
 public:
  void* state() noexcept override { return &state_; }
  void push(int level, std::int64_t index) override {
    const isofold::FloatEnvironment environment;
    const std::int64_t begin = (index << level) * isofold::core::chunk_elements;
    run_.push(level, index, isofold::core::moved_state<Fold>(state_, begin));
  }
  void finish(std::int64_t count, void* result) const override {
    const isofold::FloatEnvironment environment;
    const typename Fold::result_type value = Fold{}.finish(run_.root(), count);
    std::memcpy(result, &value, sizeof value);
  }

 private:
  isofold::core::Run<Fold> run_{Fold{}};
  typename Fold::state_type state_{};
};

class ExactBlocks final : public BlockTree {
 public:
  ExactBlocks(isofold::Fold fold, isofold::Type type)
      : fold_(static_cast<std::int32_t>(fold)),
        type_(static_cast<std::int32_t>(type)),
        sum_(static_cast<std::size_t>(isofold_exact_words(fold_, type_))),
        state_(sum_.size()) {}

  void* state() noexcept override { return state_.data(); }
  void push(int, std::int64_t) override {
    isofold::check(isofold_exact_merge(fold_, type_, sum_.data(), state_.data(), 1));
  }
  void finish(std::int64_t, void* result) const override {
    isofold::check(isofold_exact_finish(fold_, type_, sum_.data(), result));
  }

 private:
  std::int32_t fold_;
  std::int32_t type_;
  std::vector<std::int64_t> sum_;
  std::vector<std::int64_t> state_;
};

}  // namespace

std::unique_ptr<BlockTree> BlockTree::of(isofold::Fold fold, isofold::Type type, bool exact) {
  if (exact && !isofold::is_order_free(static_cast<std::int32_t>(fold))) {
    return std::make_unique<ExactBlocks>(fold, type);
  }
  std::unique_ptr<BlockTree> tree;
  isofold::visit_case(
      static_cast<std::int32_t>(fold), isofold::computed_type(static_cast<std::int32_t>(type)),
      [&](auto typed) { tree = std::make_unique<TypedBlockTree<decltype(typed)>>(); });
  return tree;
}

}  // namespace cli
