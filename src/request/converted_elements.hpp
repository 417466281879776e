// Elements as a request stores them, and as folds take them: of the type that is computed in. The
// front and every backend that converts elements use it.
#pragma once

#include <cstdint>
#include <type_traits>

#include <isofold/detail/core/conversion.hpp>

namespace isofold {

// Calls visit(T{}), T being an element's type, or Widened if the accumulator asks for it, and
// returns true; false if there is no such combination.
template <class Visit>
bool visit_stored(std::int32_t type, std::int32_t accumulator, Visit&& visit) {
  bool found = false;
  const auto visit_if_asked = [&](auto stored) {
    if (accumulator == accumulator_of<decltype(stored)>) {
      found = true;
      visit(stored);
    }
  };
  switch (type) {
#define ISOFOLD_STORED(name, number, c_type) \
  case number: visit_if_asked(c_type{}); break;
    ISOFOLD_TYPES(ISOFOLD_STORED)
#undef ISOFOLD_STORED
    default: break;
  }
#define ISOFOLD_WIDENED(c_type, computed)                   \
  if (type == static_cast<std::int32_t>(type_of<c_type>)) { \
    visit_if_asked(Widened<c_type>{});                      \
  }
  ISOFOLD_WIDENINGS(ISOFOLD_WIDENED)
#undef ISOFOLD_WIDENED
  return found;
}

// Bytes of an element in memory.
inline std::int64_t stored_bytes(const isofold_request& request) {
  std::int64_t bytes = 0;
  visit_stored(request.type, request.accumulator, [&](auto stored) { bytes = sizeof stored; });
  return bytes;
}

// The alignment of an element: complex elements are aligned as their parts are.
inline std::int64_t stored_alignment(std::int32_t type) {
  std::int64_t alignment = 0;
  visit_stored(type, 0, [&](auto stored) { alignment = alignof(decltype(stored)); });
  return alignment;
}

// The type that folds compute in; ISOFOLD_TYPE_none if there is no such combination.
inline std::int32_t computed_type(std::int32_t type, std::int32_t accumulator = 0) {
  std::int32_t computed = ISOFOLD_TYPE_none;
  visit_stored(type, accumulator, [&](auto stored) {
    computed = static_cast<std::int32_t>(type_of<computed_t<decltype(stored)>>);
  });
  return computed;
}
inline std::int32_t computed_type(const isofold_request& request) {
  return computed_type(request.type, request.accumulator);
}
// This tells whether elements become values of another type as they are read.
inline bool is_converted(const isofold_request& request) {
  return computed_type(request) != request.type;
}

// The elements as values of T: at their own place if they are such values, else converted into
// `buffer`.
template <class T>
const T* as_computed(const isofold_request& request, const void* elements, std::int64_t count,
                     T* buffer) {
  const T* values = nullptr;
  visit_stored(request.type, request.accumulator, [&](auto stored) {
    using Stored = decltype(stored);
    if constexpr (std::is_same_v<Stored, T>) {
      values = static_cast<const T*>(elements);
    } else if constexpr (std::is_same_v<computed_t<Stored>, T>) {
      for (std::int64_t i = 0; i < count; ++i) {
        buffer[i] = core::computed(static_cast<const Stored*>(elements)[i]);
      }
      values = buffer;
    }
  });
  return values;
}

// as_computed() for callers that know the type only as a number; `buffer` has room for its values.
inline const void* as_any_computed(const isofold_request& request, const void* elements,
                                   std::int64_t count, void* buffer) {
  const void* values = nullptr;
  visit_stored(request.type, request.accumulator, [&](auto stored) {
    using T = computed_t<decltype(stored)>;
    values = as_computed(request, elements, count, static_cast<T*>(buffer));
  });
  return values;
}

}  // namespace isofold
