// The control of the fuzzers: a reader with a planted error, one byte read past the end of its
// memory behind four right bytes. Only a run that follows coverage finds it in seconds, and only
// the address sanitizer notices.
#include <cstdint>
#include <vector>

#include "bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const bool begins_right = bytes.take<char>() == '(' && bytes.take<char>() == '3' &&
                            bytes.take<char>() == ',' && bytes.take<char>() == ')';
  const std::vector<std::uint8_t> rest(4, 1);
  const volatile std::uint8_t* planted = rest.data();
  fuzz::require(planted[begins_right ? 4 : 3] < 0xff, "Where is this byte?");
  return 0;
}
