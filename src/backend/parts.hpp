// Work in parts, for threads: ranges [first, last) that make up [0, count), which several threads
// may take at once. The function that takes a part comes as a reference; it and everything that it
// refers to must outlive the call.
#pragma once

#include <cstdint>
#include <type_traits>

namespace isofold {

template <class... Arguments>
class FunctionReference {
 public:
  template <class Function, class = std::enable_if_t<!std::is_same_v<Function, FunctionReference>>>
  FunctionReference(const Function& function)  // NOLINT(misc-explicit-constructor)
      : function_(&function), call_([](const void* called, Arguments... arguments) {
          (*static_cast<const Function*>(called))(arguments...);
        }) {}

  void operator()(Arguments... arguments) const { call_(function_, arguments...); }

 private:
  const void* function_;
  void (*call_)(const void*, Arguments...);
};

using Part = FunctionReference<std::int64_t, std::int64_t>;  // arguments: first and last
// Calls the part for ranges that make up [0, count).
using InParts = FunctionReference<std::int64_t, const Part&>;

struct InTurn {
  void operator()(std::int64_t count, const Part& part) const { part(0, count); }
};
inline constexpr InTurn in_turn{};

}  // namespace isofold
