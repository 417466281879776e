// Numbers as printf writes them.
#pragma once

#include <cstdio>
#include <string>

namespace cli {

// A line of at most 1023 characters.
template <class... Values>
std::string format(const char* pattern, Values... values) {
  char text[1024];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

}  // namespace cli
