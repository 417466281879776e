// The meaning of a fuzzer's bytes: numbers taken from the front, and the rest. After the end
// everything is zero. A target that finds something wrong stops the program with a sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace fuzz {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  template <class T>
  T take() {
    T value{};
    const std::size_t there = size_ < sizeof value ? size_ : sizeof value;
    if (there != 0) {
      std::memcpy(&value, data_, there);
    }
    data_ += there;
    size_ -= there;
    return value;
  }
  std::string rest() const {
    return size_ == 0 ? std::string() : std::string(reinterpret_cast<const char*>(data_), size_);
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

inline void require(bool condition, const std::string& sentence) {
  if (!condition) {
    std::fprintf(stderr, "%s\n", sentence.c_str());
    std::abort();
  }
}

// Requires a sentence for users: not empty, and without a byte that a terminal would obey.
inline void require_sentence(const std::string& sentence) {
  require(!sentence.empty(), "A refusal says nothing.");
  for (const char c : sentence) {
    const auto byte = static_cast<unsigned char>(c);
    require(byte >= 0x20 && byte != 0x7f, "A refusal holds a control character: " + sentence);
  }
}

}  // namespace fuzz
