#include <simulator/amd/metadata.hpp>

namespace isofold::amd {

namespace {

class Reader {
 public:
  Reader(const u8* begin, const u8* end) : at_(begin), end_(end) {}

  // The first byte says the kind, and small sizes with it (the specification at msgpack.org).
  Value value() {
    const u8 head = static_cast<u8>(big_endian(1));
    if (head < 0x80) {
      return number(head);
    }
    if (head < 0x90) {
      return map(head & 0xfu);
    }
    if (head < 0xa0) {
      return array(head & 0xfu);
    }
    if (head < 0xc0) {
      return text(head & 0x1fu);
    }
    switch (head) {
      case 0xc2: return number(0);
      case 0xc3: return number(1);
      case 0xcc:
      case 0xd0: return number(big_endian(1));
      case 0xcd:
      case 0xd1: return number(big_endian(2));
      case 0xce:
      case 0xd2: return number(big_endian(4));
      case 0xcf:
      case 0xd3: return number(big_endian(8));
      case 0xd9: return text(big_endian(1));
      case 0xda: return text(big_endian(2));
      case 0xdb: return text(big_endian(4));
      case 0xdc: return array(big_endian(2));
      case 0xdd: return array(big_endian(4));
      case 0xde: return map(big_endian(2));
      case 0xdf: return map(big_endian(4));
      default:
        throw Fault("The metadata hold a kind of value that is not read: " + std::to_string(head) +
                    ".");
    }
  }

 private:
  u64 big_endian(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) {
      throw Fault("The metadata end too early.");
    }
    u64 number = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
      number = number << 8 | *at_++;
    }
    return number;
  }
  static Value number(u64 number) {
    Value made;
    made.kind = Value::Kind::number;
    made.number = number;
    return made;
  }
  Value text(u64 size) {
    if (static_cast<u64>(end_ - at_) < size) {
      throw Fault("The metadata end too early.");
    }
    Value made;
    made.kind = Value::Kind::text;
    made.text.assign(reinterpret_cast<const char*>(at_), size);
    at_ += size;
    return made;
  }
  Value array(u64 size) {
    Value made;
    made.kind = Value::Kind::array;
    for (u64 i = 0; i < size; ++i) {
      made.elements.push_back(value());
    }
    return made;
  }
  Value map(u64 size) {
    Value made;
    made.kind = Value::Kind::map;
    for (u64 i = 0; i < size; ++i) {
      std::string key = value().text;
      made.entries.emplace_back(std::move(key), value());
    }
    return made;
  }

  const u8* at_;
  const u8* end_;
};

}  // namespace

const Value& Value::operator[](const std::string& key) const {
  static const Value none;
  for (const auto& [name, value] : entries) {
    if (name == key) {
      return value;
    }
  }
  return none;
}

Value read_message(const u8* begin, const u8* end) { return Reader(begin, end).value(); }

}  // namespace isofold::amd
