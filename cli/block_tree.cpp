// BlockTree on core::Run, the binary counter of complete nodes that every loop uses.
#include "block_tree.hpp"

#include <cstring>

#include <api/float_environment.hpp>
#include <isofold/detail/core/run.hpp>
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

}  // namespace

std::unique_ptr<BlockTree> BlockTree::of(isofold::Fold fold, isofold::Type type) {
  std::unique_ptr<BlockTree> tree;
  isofold::visit_case(
      static_cast<std::int32_t>(fold), isofold::computed_type(static_cast<std::int32_t>(type)),
      [&](auto typed) { tree = std::make_unique<TypedBlockTree<decltype(typed)>>(); });
  return tree;
}

}  // namespace cli
