// Copies of callers' structs, by the sizes that they say.
#include <request/whole_structs.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstddef>
#include <cstring>

#include <layout/layout.hpp>

namespace isofold {
namespace {

using backend_interface::Report;

// A size beyond this is none: the member was not set.
constexpr std::uint64_t most_bytes = 4096;

// The least sizes, which isofold.h documents: the members before these are always there.
constexpr std::size_t least_bytes(const isofold_options*) {
  return offsetof(isofold_options, stream);
}
constexpr std::size_t least_bytes(const isofold_request*) {
  return offsetof(isofold_request, schedule);
}
constexpr std::size_t least_bytes(const isofold_layout*) { return offsetof(isofold_layout, mask); }

template <class Struct>
std::uint64_t size_of(const Struct* given) {
  std::uint64_t size = 0;
  std::memcpy(&size, given, sizeof size);
  return size;
}

template <class Struct>
std::int32_t take(const char* name, const Struct* given, Struct* whole, Report& report) noexcept {
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  const std::uint64_t size = size_of(given);
  if (size < least_bytes(given) || size > most_bytes) {
    return report.fail(ISOFOLD_invalid_argument,
                       "%s.size is %" PRIu64 ", this library takes %zu to %" PRIu64
                       " bytes; set it to sizeof(%s).",
                       name, size, least_bytes(given), most_bytes, name);
  }
  const std::size_t known = std::min<std::size_t>(size, sizeof *whole);
  const auto* end = bytes + size;
  const auto* unknown = std::find_if(bytes + known, end, [](unsigned char b) { return b != 0; });
  if (unknown != end) {
    return report.fail(ISOFOLD_unsupported,
                       "%s has %" PRIu64 " bytes, of which this library (%s) knows %zu, and byte "
                       "%td is not zero: zero the members that newer headers added, or use a newer "
                       "library.",
                       name, size, isofold_version(), sizeof *whole, unknown - bytes);
  }
  *whole = {};
  std::memcpy(static_cast<void*>(whole), bytes, known);
  whole->size = sizeof *whole;
  return ISOFOLD_ok;
}

bool has_shape_of_layout(const isofold_request& request) {
  return request.layout != nullptr && layout_of(request.shape) != nullptr;
}

// Takes the layout that `request` points to, if its shape has one.
std::int32_t take_layout(isofold_request* request, isofold_layout* whole, Report& report) noexcept {
  if (!has_shape_of_layout(*request)) {
    return ISOFOLD_ok;
  }
  const std::int32_t code = take("isofold_layout", request->layout, whole, report);
  request->layout = whole;
  return code;
}

}  // namespace

std::int32_t take_options(const isofold_options* given, isofold_options* whole,
                          Report& report) noexcept {
  return take("isofold_options", given, whole, report);
}

std::int32_t take_request(const isofold_request* given, WholeRequest* whole,
                          Report& report) noexcept {
  whole->request = given;
  if (size_of(given) == sizeof *given &&
      (!has_shape_of_layout(*given) || size_of(given->layout) == sizeof *given->layout)) {
    return ISOFOLD_ok;  // nearly always: nothing is copied
  }
  whole->request = &whole->copy;
  const std::int32_t code = take("isofold_request", given, &whole->copy, report);
  return code == ISOFOLD_ok ? take_layout(&whole->copy, &whole->layout, report) : code;
}

std::int32_t take_requests(const isofold_request* given, std::int32_t count,
                           isofold_request* requests, isofold_layout* layout,
                           Report& report) noexcept {
  const auto* next = reinterpret_cast<const unsigned char*>(given);
  const std::uint64_t size = size_of(given);
  for (std::int32_t i = 0; i < count; ++i, next += size) {
    const std::uint64_t own_size = size_of(next);
    if (own_size != size) {
      return report.fail(ISOFOLD_invalid_argument,
                         "Request %d of %d has size %" PRIu64 ", the first one %" PRIu64
                         "; set all to sizeof(isofold_request).",
                         i, count, own_size, size);
    }
    const std::int32_t code = take(
        "isofold_request", reinterpret_cast<const isofold_request*>(next), requests + i, report);
    if (code != ISOFOLD_ok) {
      return code;
    }
  }
  const isofold_layout* const first = requests[0].layout;
  const std::int32_t code = take_layout(requests, layout, report);
  for (std::int32_t i = 1; i < count; ++i) {
    if (requests[i].layout == first) {
      requests[i].layout = requests[0].layout;
    }
  }
  return code;
}

}  // namespace isofold
