// From the library's run-time numbers of types to C++ types and names, for the commands.
// Everything is made from the lists in isofold/lists.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <isofold/detail/core/complex.hpp>
#include <isofold/fold.hpp>

namespace cli {

// The sentence part that every refusal of a type ends with.
inline constexpr const char* supported_types =
    "f16, f32, f64, c64, c128 and integers of 8 to 64 bits";

inline std::string type_name(isofold::Type type) {
  return isofold_type_name(static_cast<std::int32_t>(type));
}
inline std::string fold_name(isofold::Fold fold) {
  return isofold_fold_name(static_cast<std::int32_t>(fold));
}
inline std::int64_t bytes_of(isofold::Type type) {
  return isofold_type_bytes(static_cast<std::int32_t>(type));
}
// Bytes of a result; 0 if tree v1 has no such case. exact_v1 has the results of the type that
// results_as() tells.
inline std::int64_t result_bytes(isofold::Fold fold, isofold::Type type) {
  return isofold_result_bytes(static_cast<std::int32_t>(fold), static_cast<std::int32_t>(type));
}

// A type whose results those of a fold are: means of integers, which only exact_v1 has, are those
// of f64.
inline isofold::Type results_as(isofold::Fold fold, isofold::Type type) {
  const bool is_integer = result_bytes(isofold::Fold::bit_or, type) > 0;
  return fold == isofold::Fold::mean && is_integer ? isofold::Type::f64 : type;
}

inline int arrays_of(isofold::Fold fold) {
  return isofold_fold_arrays(static_cast<std::int32_t>(fold));
}
inline bool takes_parameters(isofold::Fold fold) {
  return isofold_fold_parameters(static_cast<std::int32_t>(fold)) > 0;
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

// The type of the two parts of complex numbers; of other types, the type itself.
inline isofold::Type part_type(isofold::Type type) {
  isofold::Type part = type;
  visit_type(type,
             [&](auto typed) { part = isofold::type_of<isofold::core::part_t<decltype(typed)>>; });
  return part;
}
inline bool is_complex(isofold::Type type) { return part_type(type) != type; }

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

// Other names that --fold takes; what is printed has the first name.
inline constexpr NamedFold other_fold_names[] = {{"min", isofold::Fold::minimum},
                                                 {"max", isofold::Fold::maximum}};

// The names of the folds that a condition picks, in the order of the list.
template <class Condition>
std::vector<std::string> names_of_folds(Condition&& condition) {
  std::vector<std::string> names;
  for (const NamedFold& named : named_folds) {
    if (condition(named.fold)) {
      names.emplace_back(named.name);
    }
  }
  return names;
}

// The folds of one array and no parameters, for which one file is enough.
inline std::vector<std::string> folds_of_one_file() {
  return names_of_folds(
      [](isofold::Fold fold) { return arrays_of(fold) == 1 && !takes_parameters(fold); });
}

// The folds that elements of a type have.
inline std::vector<std::string> folds_over(isofold::Type type) {
  return names_of_folds([type](isofold::Fold fold) { return result_bytes(fold, type) > 0; });
}

// "a", "b" -> "a, b".
inline std::string listed(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) {
    all += (all.empty() ? "" : ", ") + name;
  }
  return all;
}

}  // namespace cli
