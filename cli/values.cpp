// Numbers as text, by std::to_chars: no locale, and the shortest round trip.
#include "values.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <type_traits>

#include <isofold/core/conversion.hpp>

#include "types.hpp"

namespace cli {
namespace {

template <class T>
std::string text_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) {
      return "nan";
    }
    if (std::isinf(value)) {
      return value < 0 ? "-inf" : "inf";
    }
  }
  char text[64];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, value);
  std::string number(text, end.ptr);
  // "5" would be read back as an integer, and "-0" would lose its sign.
  if (std::is_floating_point_v<T> && number.find_first_of(".e") == std::string::npos) {
    number += ".0";
  }
  return number;
}

// f16 and bf16: as the number of f32 that they are.
std::string text_of(isofold::float16 value) { return text_of(isofold::core::computed(value)); }
std::string text_of(isofold::bfloat16 value) { return text_of(isofold::core::computed(value)); }

// A result that is true or false.
std::string text_of(bool value) { return value ? "true" : "false"; }

template <class Use>
void with_value(isofold::Type type, const void* value, Use&& use) {
  if (static_cast<std::int32_t>(type) == ISOFOLD_TYPE_boolean) {
    use(*static_cast<const unsigned char*>(value) != 0);
    return;
  }
  visit_type(type, [&](auto typed) {
    std::memcpy(&typed, value, sizeof typed);
    use(typed);
  });
}

}  // namespace

std::string value_text(isofold::Type type, const void* value) {
  std::string text;
  with_value(type, value, [&](auto typed) { text = text_of(typed); });
  return text;
}

std::string value_json(isofold::Type type, const void* value) {
  const std::string text = value_text(type, value);
  const char last = text.back();
  return last == 'n' || last == 'f' ? '"' + text + '"' : text;
}

std::string bits_text(isofold::Type type, const void* value) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text = "0x";
  unsigned char bytes[8];
  const auto size = static_cast<std::size_t>(bytes_of(type));
  std::memcpy(bytes, value, size);
  for (std::size_t i = size; i-- > 0;) {  // little-endian, as everything isofold runs on
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
  }
  return text;
}

}  // namespace cli
