// The .npy format, versions 1 to 3: its header, read and written. Elements that isofold cannot
// reduce are refused with a sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <isofold/fold.hpp>

namespace cli::npy {

// Every .npy begins with these six bytes, two bytes of version and the length of the header.
inline constexpr std::string_view magic{"\x93NUMPY", 6};
inline constexpr std::size_t version_end = 8;
// The most bytes of a header that are looked at. A header for one array of numbers has about 120.
inline constexpr std::size_t longest_header = 65536;

// The conversion that makes elements of the bytes in a file.
enum class Conversion {
  none,
  swap_bytes,  // big-endian numbers
  truth        // booleans, which are 0 or 1 whatever their byte is
};

struct Stored {
  isofold::Type type;
  Conversion conversion = Conversion::none;
};

struct Header {
  Stored stored;
  bool fortran_order;  // the first dimension runs fastest
  std::vector<std::int64_t> shape;
  std::int64_t count;  // product of the shape; its bytes have a 64-bit size
};

// Bytes of the field that holds the header's length, which follows the version: 2 or 4.
// Throws Failure for versions that are not 1, 2 or 3.
std::size_t length_bytes(unsigned char major, const std::string& path);

// The elements for '<f4' or the like in a header. `said` is the user's word, which tells what
// elements without a name are. Throws Failure for types that the file cannot have.
using TypeOfDescr = Stored (*)(std::string_view descr, std::optional<isofold::Type> said,
                               const std::string& path);
Stored element_type(std::string_view descr, std::optional<isofold::Type> said,
                    const std::string& path);
// Masks are booleans or bytes, which are both u8.
Stored mask_type(std::string_view descr, std::optional<isofold::Type> said,
                 const std::string& path);
Stored offset_type(std::string_view descr, std::optional<isofold::Type> said,
                   const std::string& path);

// Reads the header's text, a Python literal such as
// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }. Throws Failure.
Header parse(std::string_view text, std::optional<isofold::Type> said, const std::string& path,
             TypeOfDescr type_of);

// The product of a shape. Throws Failure if it or its bytes have no 64-bit number.
std::int64_t count_of(const std::vector<std::int64_t>& shape, isofold::Type type,
                      const std::string& path);

// A shape in the form of headers: "(3, 4)", "(5,)".
std::string shape_text(const std::vector<std::int64_t>& shape);
// The index over each dimension, of the element at `index` in C order.
std::vector<std::int64_t> position_of(std::int64_t index, const std::vector<std::int64_t>& shape);

// Magic, version and header of a 1-D array: version 1, padded to a multiple of 64 bytes.
std::string header_of(isofold::Type type, std::int64_t count);

}  // namespace cli::npy
