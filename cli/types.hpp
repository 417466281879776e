// From the library's run-time numbers of types to C++ types and names, for the commands.
// Everything is made from the lists in isofold/lists.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <isofold/fold.hpp>

namespace cli {

// The sentence part that every refusal of a type ends with.
inline constexpr const char* supported_types = "f16, f32, f64 and integers of 8 to 64 bits";

inline std::string type_name(isofold::Type type) {
  return isofold_type_name(static_cast<std::int32_t>(type));
}
inline std::string fold_name(isofold::Fold fold) {
  return isofold_fold_name(static_cast<std::int32_t>(fold));
}
inline std::int64_t bytes_of(isofold::Type type) {
  return isofold_type_bytes(static_cast<std::int32_t>(type));
}
inline std::int64_t result_bytes(isofold::Fold fold, isofold::Type type) {
  return isofold_result_bytes(static_cast<std::int32_t>(fold), static_cast<std::int32_t>(type));
}

// Calls visit(T{}) for the C++ type of `type`.
template <class Visit>
void visit_type(isofold::Type type, Visit&& visit) {
  switch (type) {
#define ISOFOLD_VISIT(name, number, c_type) \
  case isofold::Type::name: visit(c_type{}); break;
    ISOFOLD_TYPES(ISOFOLD_VISIT)
#undef ISOFOLD_VISIT
  }
}

// The same for a type that a result may have.
template <class Visit>
void visit_result_type(isofold::Type type, Visit&& visit) {
  switch (type) {
#define ISOFOLD_VISIT(name, number, c_type) \
  case isofold::Type::name: visit(c_type{}); break;
    ISOFOLD_COMPUTED_TYPES(ISOFOLD_VISIT)
#undef ISOFOLD_VISIT
    default: break;
  }
}

struct NamedType {
  const char* name;
  isofold::Type type;
};
inline constexpr NamedType named_types[] = {
#define ISOFOLD_NAMED(name, number, c_type) {#name, isofold::Type::name},
    ISOFOLD_TYPES(ISOFOLD_NAMED)
#undef ISOFOLD_NAMED
};

struct NamedFold {
  const char* name;
  isofold::Fold fold;
};
inline constexpr NamedFold named_folds[] = {
#define ISOFOLD_NAMED(name, number) {#name, isofold::Fold::name},
    ISOFOLD_FOLDS(ISOFOLD_NAMED)
#undef ISOFOLD_NAMED
};

// The folds of one array and no parameters: those that one file is enough for.
inline std::vector<std::string> folds_of_one_file() {
  std::vector<std::string> names;
  for (const NamedFold& named : named_folds) {
    const auto number = static_cast<std::int32_t>(named.fold);
    if (isofold_fold_arrays(number) == 1 && isofold_fold_parameters(number) == 0) {
      names.emplace_back(named.name);
    }
  }
  return names;
}

}  // namespace cli
