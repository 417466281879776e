// Names and sizes of the folds, types and errors that the C ABI enumerates.
#include <complex>

#include <ops/case_names.hpp>
#include <ops/result_components.hpp>
#include <ops/supported_cases.hpp>
#include <request/converted_elements.hpp>
#include <request/parameters.hpp>

namespace isofold {
namespace {

static_assert(sizeof(std::complex<float>) == sizeof(core::Complex<float>) &&
                  sizeof(std::complex<double>) == sizeof(isofold_c128) &&
                  alignof(std::complex<double>) == alignof(isofold_c128) && sizeof(bool) == 1,
              "Complex numbers are pairs of their parts, and a bool is a byte.");

// Calls visit with the fold over any type that it has.
template <class Visit>
bool visit_any_type(std::int32_t fold, Visit&& visit) {
  bool found = false;
#define ISOFOLD_TRY(name, number, c_type) found = found || visit_case(fold, number, visit);
  ISOFOLD_COMPUTED_TYPES(ISOFOLD_TRY)
#undef ISOFOLD_TRY
  return found;
}

}  // namespace
}  // namespace isofold

extern "C" {

const char* isofold_version(void) { return ISOFOLD_VERSION; }

const char* isofold_fold_name(int32_t fold) { return isofold::fold_name(fold); }
const char* isofold_type_name(int32_t type) { return isofold::type_name(type); }

const char* isofold_code_name(int32_t code) {
  switch (code) {
#define ISOFOLD_NAME(name, number) \
  case number: return #name;
    ISOFOLD_ERROR_CODES(ISOFOLD_NAME)
#undef ISOFOLD_NAME
    default: return "";
  }
}

int64_t isofold_type_bytes(int32_t type) {
  switch (type) {
#define ISOFOLD_BYTES(name, number, c_type) \
  case number: return sizeof(c_type);
    ISOFOLD_TYPES(ISOFOLD_BYTES)
#undef ISOFOLD_BYTES
    case ISOFOLD_TYPE_boolean: return 1;
    default: return 0;
  }
}

int32_t isofold_result_type(int32_t fold, int32_t type) {
  isofold_component component{};
  return isofold_result_components(fold, type, &component, 1) == 1 ? component.type
                                                                   : ISOFOLD_TYPE_none;
}

int32_t isofold_result_components(int32_t fold, int32_t type, isofold_component* components,
                                  int32_t room) {
  int32_t count = 0;
  isofold::visit_case(fold, isofold::computed_type(type), [&](auto f) {
    constexpr isofold::ComponentList list = isofold::components_of<decltype(f)>();
    static_assert(isofold::components_fill_result<decltype(f)>(),
                  "The components of a result follow each other in memory, and nothing else.");
    count = list.count;
    for (int32_t i = 0; components != nullptr && i < count && i < room; ++i) {
      components[i] = list.component[i];
    }
  });
  return count;
}

int64_t isofold_result_bytes(int32_t fold, int32_t type) {
  int64_t bytes = 0;
  isofold::visit_case(fold, isofold::computed_type(type),
                      [&](auto f) { bytes = sizeof(typename decltype(f)::result_type); });
  return bytes;
}

int32_t isofold_fold_arrays(int32_t fold) {
  int32_t arrays = 0;
  isofold::visit_any_type(fold, [&](auto f) { arrays = decltype(f)::arrays; });
  return arrays;
}

int32_t isofold_fold_parameters(int32_t fold) {
  int32_t count = 0;
  isofold::visit_any_type(fold, [&](auto f) {
    if constexpr (isofold::TakesParameters<decltype(f)>::value) {
      count = decltype(f)::parameters;
    }
  });
  return count;
}

int64_t isofold_state_bytes(int32_t fold, int32_t type) {
  int64_t bytes = 0;
  isofold::visit_case(fold, isofold::computed_type(type),
                      [&](auto f) { bytes = sizeof(typename decltype(f)::state_type); });
  return bytes;
}
}
