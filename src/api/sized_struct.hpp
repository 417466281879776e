// Structs of callers that were built against another header than this library: an older one, whose
// structs end earlier, or a newer one, whose structs go on. A struct says its size in its first
// member. This copies it to one that this library knows: members that the caller does not have are
// zero, which stands for what the library did before it had them; members that the library does not
// know must be zero, or it would ignore something that the caller asks for.
#pragma once

#include <cinttypes>
#include <cstddef>
#include <cstring>

#include <backend/interface.hpp>
#include <layout/layout.hpp>

namespace isofold {

// A struct's name, and the bytes of those members without which it says nothing.
template <class T>
struct SizedStruct;
template <>
struct SizedStruct<isofold_options> {
  static constexpr const char* name = "isofold_options";
  static constexpr std::size_t least = offsetof(isofold_options, threads);
};
template <>
struct SizedStruct<isofold_request> {
  static constexpr const char* name = "isofold_request";
  static constexpr std::size_t least = offsetof(isofold_request, schedule);
};
template <>
struct SizedStruct<isofold_layout> {
  static constexpr const char* name = "isofold_layout";
  static constexpr std::size_t least = offsetof(isofold_layout, second_strides);
};

// A larger size is a size that nobody has set.
inline constexpr std::uint64_t most_struct_bytes = 4096;

template <class T>
std::int32_t take_struct(const T* given, T* known, backend_interface::Report& report) {
  static_assert(offsetof(T, size) == 0, "The size is read before anything else is known.");
  const std::uint64_t size = given->size;
  if (size < SizedStruct<T>::least || size > most_struct_bytes || size % alignof(T) != 0) {
    return report.fail(ISOFOLD_invalid_argument,
                       "%s.size is %" PRIu64
                       "; set it to sizeof(%s), which is %zu in this library's header.",
                       SizedStruct<T>::name, size, SizedStruct<T>::name, sizeof(T));
  }
  const auto* const bytes = reinterpret_cast<const unsigned char*>(given);
  for (std::uint64_t i = sizeof(T); i < size; ++i) {
    if (bytes[i] != 0) {
      return report.fail(
          ISOFOLD_unsupported,
          "%s.size is %" PRIu64 ", of which this library knows %zu bytes, and byte %" PRIu64
          " is not zero: it asks for something that a newer libisofold has; link that one.",
          SizedStruct<T>::name, size, sizeof(T), i);
    }
  }
  *known = {};
  std::memcpy(known, given, size < sizeof(T) ? static_cast<std::size_t>(size) : sizeof(T));
  known->size = sizeof(T);
  return ISOFOLD_ok;
}

// This tells whether a request, and the layout that its shape has, are of this library's header.
inline bool is_current(const isofold_request& request) {
  return request.size == sizeof request &&
         (request.layout == nullptr || layout_of(request.shape) == nullptr ||
          request.layout->size == sizeof *request.layout);
}

// A caller's request, and its layout, as this library knows them. It is for one call, and points
// into itself.
struct CurrentRequest {
  isofold_request request;
  isofold_layout layout;

  std::int32_t take(const isofold_request& given, backend_interface::Report& report) {
    std::int32_t code = take_struct(&given, &request, report);
    if (code == ISOFOLD_ok && request.layout != nullptr && layout_of(request.shape) != nullptr) {
      code = take_struct(request.layout, &layout, report);
      request.layout = &layout;
    }
    return code;
  }
};

}  // namespace isofold
