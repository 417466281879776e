// Names and sizes of what the C ABI enumerates.
#include <supported_cases.hpp>

extern "C" {

const char* isofold_version(void) { return ISOFOLD_VERSION; }

#define ISOFOLD_NAME(name, number) \
  case number:                     \
    return #name;
#define ISOFOLD_TYPE_NAME(name, number, c_type) ISOFOLD_NAME(name, number)

const char* isofold_fold_name(int32_t fold) {
  switch (fold) {
    ISOFOLD_FOLDS(ISOFOLD_NAME)
    default: return "";
  }
}

const char* isofold_type_name(int32_t type) {
  switch (type) {
    ISOFOLD_TYPES(ISOFOLD_TYPE_NAME)
    default: return "";
  }
}

const char* isofold_code_name(int32_t code) {
  switch (code) {
    ISOFOLD_ERROR_CODES(ISOFOLD_NAME)
    default: return "";
  }
}

#undef ISOFOLD_TYPE_NAME
#undef ISOFOLD_NAME

int64_t isofold_type_bytes(int32_t type) {
  switch (type) {
#define ISOFOLD_BYTES(name, number, c_type) \
  case number: return sizeof(c_type);
    ISOFOLD_TYPES(ISOFOLD_BYTES)
#undef ISOFOLD_BYTES
    default: return 0;
  }
}

int32_t isofold_result_type(int32_t fold, int32_t type) {
  int32_t result = ISOFOLD_TYPE_none;
  isofold::visit_case(fold, type, [&](auto f) {
    result = isofold::type_number<typename decltype(f)::result_type>();
  });
  return result;
}

int64_t isofold_state_bytes(int32_t fold, int32_t type) {
  int64_t bytes = 0;
  isofold::visit_case(fold, type,
                      [&](auto f) { bytes = sizeof(typename decltype(f)::state_type); });
  return bytes;
}
}
