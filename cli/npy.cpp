// The .npy header: a small reader of Python literals, and the rules for what can be reduced.
#include "npy.hpp"

#include <limits>

#include "failure.hpp"
#include "types.hpp"

namespace cli::npy {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Failure(Exit::bad_input, "'" + path + "' " + why);
}

// Reads one Python literal from left to right. Never looks past the end of the text.
class Reader {
 public:
  Reader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  bool at_end() {
    skip_spaces();
    return position_ == text_.size();
  }
  char peek() {
    skip_spaces();
    return position_ < text_.size() ? text_[position_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c) {
      return false;
    }
    ++position_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) {
      broken(std::string("'") + c + "' is missing");
    }
  }
  std::string_view quoted() {
    accept('u');  // written by Python 2
    const char quote = peek();
    if (quote != '\'' && quote != '"') {
      broken("a quoted word is missing");
    }
    const std::size_t begin = position_ + 1;
    const std::size_t end = text_.find(quote, begin);
    if (end == std::string_view::npos) {
      broken("a quote is not closed");
    }
    position_ = end + 1;
    return text_.substr(begin, end - begin);
  }
  bool boolean() {
    if (accept_word("True")) {
      return true;
    }
    if (!accept_word("False")) {
      broken("'fortran_order' is neither True nor False");
    }
    return false;
  }
  std::int64_t size() {
    if (accept('-')) {
      broken("a size is negative");
    }
    if (!is_digit(peek())) {
      broken("'shape' holds something that is no number");
    }
    std::int64_t value = 0;
    for (; position_ < text_.size() && is_digit(text_[position_]); ++position_) {
      if (__builtin_mul_overflow(value, std::int64_t{10}, &value) ||
          __builtin_add_overflow(value, std::int64_t{text_[position_] - '0'}, &value)) {
        refuse(path_, "has a size in its shape that has no 64-bit number.");
      }
    }
    if (position_ < text_.size() && text_[position_] == 'L') {  // written by Python 2
      ++position_;
    }
    return value;
  }
  [[noreturn]] void broken(const std::string& what) {
    refuse(path_, "has a broken .npy header: " + what + " at its character " +
                      std::to_string(position_ + 1) + ".");
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  void skip_spaces() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n' ||
                                        text_[position_] == '\t' || text_[position_] == '\r')) {
      ++position_;
    }
  }
  bool accept_word(std::string_view word) {
    skip_spaces();
    if (text_.substr(position_, word.size()) != word) {
      return false;
    }
    position_ += word.size();
    return true;
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t position_ = 0;
};

// Printable text of the file for a sentence: the header of a damaged file may hold anything.
std::string printable(std::string_view text) {
  std::string clean;
  for (const char c : text.substr(0, 40)) {
    clean += c >= ' ' && c <= '~' ? c : '?';
  }
  return clean;
}

// '<f4' is little-endian, floating point, four bytes; one byte has no order. "" for a type that
// .npy does not have.
std::string descr_of(isofold::Type type) {
#define ISOFOLD_IS(c_type, bits_type, digits)                           \
  if (type != isofold::Type::f16 && type == isofold::type_of<c_type>) { \
    return "";                                                          \
  }
  ISOFOLD_NARROW_FLOATS(ISOFOLD_IS)
#undef ISOFOLD_IS
  const std::int64_t bytes = bytes_of(type);
  return (bytes == 1 ? "|" : "<") + type_name(type).substr(0, 1) + std::to_string(bytes);
}

// 'f4' of '<f4': what a descr says without its byte order, if it has one.
std::string_view code_of(std::string_view descr) {
  const bool has_order = !descr.empty() && std::string_view("<>|=").find(descr[0]) != descr.npos;
  const std::string_view code = has_order ? descr.substr(1) : descr;
  return code == "?" ? "b1" : code;
}

// This tells whether the bytes of a number are in the other order. Without an order, or with '=' or
// '|', they are in the machine's own, as numpy reads them.
bool is_big_endian(std::string_view descr) { return !descr.empty() && descr[0] == '>'; }

// The numbers that a descr says; empty if isofold has none such.
std::optional<Stored> number_type(std::string_view descr) {
  const std::string_view code = code_of(descr);
  for (const NamedType& named : named_types) {
    if (code.empty() || code != code_of(descr_of(named.type))) {
      continue;
    }
    return is_big_endian(descr) && bytes_of(named.type) > 1
               ? Stored{named.type, Conversion::swap_bytes}
               : Stored{named.type};
  }
  return std::nullopt;
}

std::vector<std::int64_t> read_shape(Reader& reader) {
  std::vector<std::int64_t> shape;
  reader.expect('(');
  while (!reader.accept(')')) {
    shape.push_back(reader.size());
    if (!reader.accept(',')) {
      reader.expect(')');
      break;
    }
  }
  return shape;
}

}  // namespace

std::int64_t count_of(const std::vector<std::int64_t>& shape, isofold::Type type,
                      const std::string& path) {
  std::int64_t count = 1;
  std::int64_t bytes = bytes_of(type);
  bool overflow = false;
  bool empty = false;
  for (const std::int64_t size : shape) {
    // A size of 0 must not hide that the others overflow: they are still sizes of rows.
    const std::int64_t factor = size == 0 ? 1 : size;
    empty = empty || size == 0;
    overflow = __builtin_mul_overflow(bytes, factor, &bytes) || overflow;
    overflow = __builtin_mul_overflow(count, factor, &count) || overflow;
  }
  if (overflow) {
    refuse(path, "has a shape of more bytes than a 64-bit number can count.");
  }
  return empty ? 0 : count;
}

Stored element_type(std::string_view descr, std::optional<isofold::Type> said,
                    const std::string& path) {
  const std::string_view code = code_of(descr);
  if (code == "b1") {
    return {isofold::Type::u8, Conversion::truth};
  }
  if (const std::optional<Stored> number = number_type(descr); number.has_value()) {
    return *number;
  }
  const std::string written = "'" + printable(descr) + "'";
  if (code == "bfloat16") {
    refuse(path, "holds elements of type " + written +
                     ", which .npy has no name for: ml_dtypes writes them as '<V2', which isofold "
                     "reduce reads with --type bf16; or store numpy's x.astype('<f4').");
  }
  if (code == "V2" && !is_big_endian(descr)) {
    if (said == isofold::Type::bf16) {
      return {isofold::Type::bf16};
    }
    refuse(path, "holds elements of two bytes without a name (" + written +
                     "), such as ml_dtypes writes bfloat16; if they are that, isofold reduce reads "
                     "them with --type bf16.");
  }
  if (code == "f16" || code == "c32" || code == "f12" || code == "c24") {
    refuse(path, "holds long doubles (" + written +
                     "), which differ from machine to machine; store them in double precision, "
                     "for instance with numpy's x.astype('" +
                     (code[0] == 'f' ? "<f8" : "<c16") + "').");
  }
  std::string what = "elements of type " + written;
  std::string way_out;
  switch (code.empty() ? '\0' : code.front()) {
    case 'O':
      what += " (Python objects)";
      way_out = "; store numbers, for instance numpy's x.astype('<f8')";
      break;
    case 'U':
    case 'S':
      what += " (text)";
      way_out = "; store numbers, for instance numpy's x.astype('<f8')";
      break;
    case 'M':
    case 'm':
      what += " (dates or times)";
      way_out = "; store them as integers, with numpy's x.view('<i8')";
      break;
    case 'c': what += " (complex numbers of another width)"; break;
    default: break;
  }
  refuse(path, "holds " + what + ", which isofold cannot reduce: it takes booleans, " +
                   supported_types + way_out + ".");
}

Stored mask_type(std::string_view descr, std::optional<isofold::Type>, const std::string& path) {
  const std::string_view code = code_of(descr);
  if (code != "b1" && code != "u1") {
    refuse(path, "holds elements of type '" + printable(descr) +
                     "'; a mask holds booleans ('|b1') or bytes ('|u1'), for instance numpy's "
                     "x != 0.");
  }
  return {isofold::Type::u8};
}

Stored offset_type(std::string_view descr, std::optional<isofold::Type>, const std::string& path) {
  const std::optional<Stored> number = number_type(descr);
  if (!number.has_value() || (code_of(descr)[0] != 'i' && code_of(descr)[0] != 'u')) {
    refuse(path, "holds elements of type '" + printable(descr) +
                     "'; offsets are integers, for instance numpy's x.astype('<i8').");
  }
  return *number;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t size : shape) {
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  }
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

std::vector<std::int64_t> position_of(std::int64_t index, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> position(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    position[d] = index % shape[d];
    index /= shape[d];
  }
  return position;
}

std::size_t length_bytes(unsigned char major, const std::string& path) {
  if (major < 1 || major > 3) {
    refuse(path, "is .npy of version " + std::to_string(major) +
                     "; isofold reads the versions 1, 2 and 3.");
  }
  return major == 1 ? 2 : 4;
}

Header parse(std::string_view text, std::optional<isofold::Type> said, const std::string& path,
             TypeOfDescr type_of) {
  Reader reader(text, path);
  bool has_descr = false;
  bool has_order = false;
  bool has_shape = false;
  Header header{};
  reader.expect('{');
  while (!reader.accept('}')) {
    const std::string_view key = reader.quoted();
    reader.expect(':');
    if (key == "descr" && !has_descr) {
      if (reader.peek() == '[' || reader.peek() == '(') {
        refuse(path, std::string("holds structured elements, which isofold cannot reduce: it takes "
                                 "booleans, ") +
                         supported_types + "; store the field as an array of its own.");
      }
      header.stored = type_of(reader.quoted(), said, path);
      has_descr = true;
    } else if (key == "fortran_order" && !has_order) {
      header.fortran_order = reader.boolean();
      has_order = true;
    } else if (key == "shape" && !has_shape) {
      header.shape = read_shape(reader);
      has_shape = true;
    } else {
      reader.broken("an unknown or repeated key '" + printable(key) + "'");
    }
    if (!reader.accept(',') && reader.peek() != '}') {
      reader.broken("',' or '}' is missing");
    }
  }
  if (!reader.at_end()) {
    reader.broken("something follows the closing '}'");
  }
  if (!has_descr || !has_order || !has_shape) {
    refuse(path, "has a broken .npy header: it needs 'descr', 'fortran_order' and 'shape'.");
  }
  header.count = count_of(header.shape, header.stored.type, path);
  return header;
}

std::string header_of(isofold::Type type, std::int64_t count) {
  if (descr_of(type).empty()) {
    throw Failure(Exit::bad_input, "A .npy file has no elements of " + type_name(type) +
                                       "; raw binary has (--type " + type_name(type) + ").");
  }
  std::string text = "{'descr': '" + descr_of(type) +
                     "', 'fortran_order': False, 'shape': " + shape_text({count}) + ", }";
  // The data then begin at a multiple of 64 bytes, aligned for any element and vector.
  const std::size_t before = version_end + 2;
  text.append((64 - (before + text.size() + 1) % 64) % 64, ' ');
  text += '\n';
  std::string header(magic);
  header += {1, 0};
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

}  // namespace cli::npy
