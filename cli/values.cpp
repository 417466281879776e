// Numbers as text, by std::to_chars: no locale, and the shortest round trip.
#include "values.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <type_traits>

#include <isofold/detail/core/conversion.hpp>

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

template <class Use>
void with_number(isofold::Type type, const void* value, Use&& use) {
  visit_type(type, [&](auto typed) {
    if constexpr (!isofold::core::is_complex<decltype(typed)>) {
      std::memcpy(&typed, value, sizeof typed);
      use(typed);
    }
  });
}

std::string number_text(isofold::Type type, const void* value) {
  if (static_cast<std::int32_t>(type) == ISOFOLD_TYPE_boolean) {
    return *static_cast<const unsigned char*>(value) != 0 ? "true" : "false";
  }
  std::string text;
  with_number(type, value, [&](auto typed) { text = text_of(isofold::core::computed(typed)); });
  return text;
}

std::string number_json(isofold::Type type, const void* value) {
  const std::string text = number_text(type, value);
  const char last = text.back();
  return last == 'n' || last == 'f' ? '"' + text + '"' : text;
}

std::string number_bits(isofold::Type type, const void* value) {
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

std::string number_bits_json(isofold::Type type, const void* value) {
  return '"' + number_bits(type, value) + '"';
}

struct Parts {
  std::string real;
  std::string imaginary;
};

// The texts of a complex number's parts, by a function for one number.
template <class Text>
Parts parts_of(isofold::Type type, const void* value, Text text) {
  const isofold::Type part = part_type(type);
  return {text(part, value), text(part, static_cast<const char*>(value) + bytes_of(part))};
}

// A complex number as reduce prints a result of these two components.
std::string object_of(const Parts& parts) {
  return "{\"real\":" + parts.real + ",\"imaginary\":" + parts.imaginary + "}";
}

}  // namespace

std::string value_text(isofold::Type type, const void* value) {
  if (!is_complex(type)) {
    return number_text(type, value);
  }
  const Parts parts = parts_of(type, value, number_text);
  return parts.real + (parts.imaginary.front() == '-' ? "" : "+") + parts.imaginary + "j";
}

std::string value_json(isofold::Type type, const void* value) {
  return is_complex(type) ? object_of(parts_of(type, value, number_json))
                          : number_json(type, value);
}

std::string bits_text(isofold::Type type, const void* value) {
  if (!is_complex(type)) {
    return number_bits(type, value);
  }
  const Parts parts = parts_of(type, value, number_bits);
  return parts.real + "," + parts.imaginary;
}

std::string bits_json(isofold::Type type, const void* value) {
  return is_complex(type) ? object_of(parts_of(type, value, number_bits_json))
                          : number_bits_json(type, value);
}

}  // namespace cli
