// Recognises an input, checks its size against its header, and hands out its elements.
#include "source.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "failure.hpp"
#include "npy.hpp"
#include "pieces.hpp"
#include "types.hpp"

namespace cli {
namespace {

constexpr const char* the_option_shape = "--shape";

std::string plural(std::uint64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// Advice for a file that is no .npy.
const char* way_out_without_npy(Use use) {
  switch (use) {
    case Use::mask:
    case Use::offsets: return "; masks and offsets are .npy, such as numpy's np.save writes.";
    case Use::field:
      return "; store the array with numpy's np.save. isofold reduce also reads raw binary, with "
             "--type.";
    default: return "; for raw binary give --type.";
  }
}

constexpr std::size_t some_text = 4096;  // bytes that show what a file is

npy::TypeOfDescr type_reader(Use use) {
  switch (use) {
    case Use::mask: return npy::mask_type;
    case Use::offsets: return npy::offset_type;
    default: return npy::element_type;
  }
}

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // which editors put before UTF-8

// Returns the bytes of the character that `bytes` begin with, in UTF-8; 0 if text has no such one.
// At the end of what was looked at it may be cut off.
std::size_t character_bytes(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (first < 0x80) {
    return (first >= ' ' && first <= '~') || first == '\n' || first == '\r' || first == '\t' ? 1
                                                                                             : 0;
  }
  const std::size_t count = first < 0xC2   ? 0
                            : first < 0xE0 ? 2
                            : first < 0xF0 ? 3
                            : first < 0xF5 ? 4
                                           : 0;
  const std::string_view others = bytes.substr(1, std::max<std::size_t>(count, 1) - 1);
  const bool go_on = std::all_of(others.begin(), others.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
  });
  return go_on ? std::min(count, bytes.size()) : 0;
}

bool is_text(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t some = character_bytes(bytes);
    if (some == 0) {
      return false;
    }
    bytes.remove_prefix(some);
  }
  return true;
}

bool is_number(const std::string& word) {
  char* end = nullptr;
  std::strtod(word.c_str(), &end);
  return !word.empty() && *end == '\0';
}

// This tells whether text is a list of numbers, of which the last may be cut off; or of words of
// several letters, as the head of a table is.
bool is_list(std::string_view text) {
  constexpr const char* between = ",; \t\r\n";
  int words = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(between), text.size());
    const std::string word(text.substr(0, end));
    const bool is_name = word.size() > 1 && std::isalpha(static_cast<unsigned char>(word[0])) != 0;
    if (!word.empty() && end < text.size() && !is_number(word) && !is_name) {
      return false;
    }
    words += word.empty() ? 0 : 1;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words > 2;
}

// The command of Python that stores the numbers of a text whose first characters these are.
std::string way_from_text(std::string_view start) {
  const auto first_mark = start.find_first_not_of(" \t\r\n");
  const char mark = first_mark == start.npos ? '\0' : start[first_mark];
  if (mark == '{' || (mark == '[' && start.find(',') != start.npos)) {  // JSON
    return std::string(
               "store its numbers with numpy's np.save('x.npy', json.load(open('x.json'))") +
           (mark == '{' ? "['name of the array'])" : ")");
  }
  const char separator = start.find(';') != start.npos ? ';' : ',';
  const bool has_separators = start.find(separator) != start.npos;
  const bool has_mark = start.substr(0, byte_order_mark.size()) == byte_order_mark;
  const std::string_view text = has_mark ? start.substr(byte_order_mark.size()) : start;
  const std::string first(text.substr(0, text.find_first_of(",; \t\r\n")));
  const bool has_head = !first.empty() && !is_number(first) && first[0] != '#';  // a comment there
  return "store its numbers with numpy's np.save('x.npy', np.loadtxt('x." +
         (has_separators ? std::string("csv', delimiter='") + separator + "'" : "txt'") +
         (has_head ? ", skiprows=1" : "") + (has_mark ? ", encoding='utf-8-sig'" : "") + "))";
}

// Files of other programs, which raw binary hardly ever begins like, and how their numbers get out.
struct OtherFile {
  std::string_view start;
  const char* name;
  const char* way_out;
};
constexpr const char* from_hdf5 =
    "store the array with numpy's np.save('x.npy', h5py.File('x.h5')['name'][...])";
constexpr const char* from_netcdf =
    "store the array with numpy's np.save('x.npy', netCDF4.Dataset('x.nc')['name'][:].data)";
constexpr OtherFile other_files[] = {
    {"\x89HDF\r\n\x1a\n", "an HDF5 file", from_hdf5},
    {"CDF\x01", "a netCDF file", from_netcdf},
    {"CDF\x02", "a netCDF file", from_netcdf},
    {"CDF\x05", "a netCDF file", from_netcdf},
    {"MATLAB 5.0 MAT-file", "a MATLAB file",
     "store the array with numpy's np.save('x.npy', scipy.io.loadmat('x.mat')['name'])"},
    {"PAR1", "a Parquet file",
     "store a column with numpy's np.save('x.npy', pandas.read_parquet('x.parquet')['name'])"},
    {"\x1f\x8b\x08", "a gzip file", "unpack it: gzip -dc x.npy.gz | isofold reduce -"},
    {"PK\x03\x04", "a zip archive", "leave --type out where it is an .npz, or unpack it"}};

// Null if the bytes begin no such file.
const OtherFile* other_file_of(std::string_view bytes) {
  const OtherFile* file = std::find_if(
      std::begin(other_files), std::end(other_files),
      [&](const OtherFile& other) { return bytes.substr(0, other.start.size()) == other.start; });
  return file == std::end(other_files) ? nullptr : file;
}

// This tells whether the order of the dimensions makes a difference: it does if two of them have
// several indices.
bool has_an_order(const std::vector<std::int64_t>& extents) {
  return std::count_if(extents.begin(), extents.end(), [](std::int64_t n) { return n > 1; }) > 1 &&
         std::count(extents.begin(), extents.end(), 0) == 0;
}

// Copies an array of elements of `size` bytes from Fortran order to C order. Between the first
// dimension and the last, which lie side by side in one of the two, it goes in tiles.
template <std::size_t size>
void transpose(const char* from, char* to, const std::vector<std::int64_t>& extents) {
  constexpr std::int64_t tile = 32;
  const std::int64_t first = extents.front();
  const std::int64_t last = extents.back();
  const std::vector<std::int64_t> middle(extents.begin() + 1, extents.end() - 1);
  std::int64_t between = 1;
  for (const std::int64_t extent : middle) {
    between *= extent;
  }
  for (std::int64_t index = 0; index < between; ++index) {
    // The index of the same element over the middle dimensions, the first of them fastest.
    std::int64_t fortran_index = 0;
    const std::vector<std::int64_t> position = npy::position_of(index, middle);
    for (std::size_t d = middle.size(); d-- > 0;) {
      fortran_index = fortran_index * middle[d] + position[d];
    }
    for (std::int64_t i0 = 0; i0 < first; i0 += tile) {
      for (std::int64_t j0 = 0; j0 < last; j0 += tile) {
        for (std::int64_t i = i0; i < std::min(i0 + tile, first); ++i) {
          for (std::int64_t j = j0; j < std::min(j0 + tile, last); ++j) {
            const std::int64_t source = i + first * (fortran_index + between * j);
            const std::int64_t target = j + last * (index + between * i);
            std::memcpy(to + target * std::int64_t{size}, from + source * std::int64_t{size}, size);
          }
        }
      }
    }
  }
}

bool fits(std::size_t dimensions, Use use) {
  switch (use) {
    case Use::rows: return dimensions == 2;
    case Use::box:
    case Use::array:
    case Use::field:
    case Use::mask: return true;  // a mask is compared with the box, which may be a single element
    default: return dimensions == 1;
  }
}

// Advice for a number of dimensions that does not fit.
const char* way_out(Use use) {
  switch (use) {
    case Use::rows:
      return "--rows reduces the rows of 2-D data; of more dimensions, --axis names those to "
             "reduce.";
    case Use::segments: return "--segments cuts 1-D data.";
    default: return "the offsets of segments are 1-D.";
  }
}

}  // namespace

Source::Source(const std::string& path, RawFormat raw, Use use)
    : Source(Input(path), std::move(raw), use) {}

Source::Source(Input input, RawFormat raw, Use use) : input_(std::move(input)), use_(use) {
  // Raw binary may begin in any way, too.
  const bool may_be_raw = raw.type.has_value() && !ends_with(input_.name(), ".npz");
  if (!may_be_raw && is_archive(input_.peek(4))) {
    input_.enter("");
  }
  if (input_.peek(npy::magic.size()) == npy::magic) {
    read_npy_header(raw);
  } else if (raw.type.has_value()) {
    use_raw(raw);
  } else {
    refuse_what_is_no_npy();
  }
}

void Source::refuse_what_is_no_npy() {
  const std::string_view start = input_.peek(some_text);
  std::string what = "is no .npy file: it does not begin with \\x93NUMPY";
  if (start.empty()) {
    what = "has 0 bytes, so it is no .npy file";
  } else if (is_text(start)) {
    const bool is_list = use_ == Use::mask || use_ == Use::offsets;
    throw Failure(Exit::bad_input, "'" + input_.name() +
                                       "' is no .npy file but text: " + way_from_text(start) +
                                       (is_list ? "." : "; for raw binary give --type."));
  }
  if (const OtherFile* other = other_file_of(start); other != nullptr) {
    throw Failure(Exit::bad_input, "'" + input_.name() + "' is no .npy file but " + other->name +
                                       ": " + other->way_out + ".");
  }
  throw Failure(Exit::bad_input, "'" + input_.name() + "' " + what + way_out_without_npy(use_));
}

void Source::check_dimensions() const {
  if (!fits(extents_.size(), use_)) {
    throw Failure(Exit::bad_input, "'" + input_.name() + "' has " +
                                       plural(extents_.size(), "dimension") + "; " + way_out(use_));
  }
}

void Source::read_npy_header(const RawFormat& raw) {
  unsigned char start[npy::version_end + 4] = {};
  const auto truncated = [&] {
    return Failure(Exit::bad_input, "'" + input_.name() + "' ends within its .npy header.");
  };
  if (input_.read(start, npy::version_end) < npy::version_end) {
    throw truncated();
  }
  const std::size_t field = npy::length_bytes(start[npy::magic.size()], input_.name());
  if (input_.read(start + npy::version_end, field) < field) {
    throw truncated();
  }
  std::size_t text_bytes = 0;
  for (std::size_t i = field; i-- > 0;) {
    text_bytes = text_bytes << 8 | start[npy::version_end + i];
  }
  if (text_bytes > npy::longest_header) {
    throw Failure(Exit::bad_input, "'" + input_.name() + "' has a .npy header of " +
                                       plural(text_bytes, "byte") + "; isofold reads up to " +
                                       std::to_string(npy::longest_header) + ".");
  }
  std::string text(text_bytes, '\0');
  if (input_.read(text.data(), text_bytes) < text_bytes) {
    throw truncated();
  }
  const npy::Header header = npy::parse(text, raw.type, input_.name(), type_reader(use_));

  type_ = header.stored.type;
  conversion_ = header.stored.conversion;
  element_bytes_ = bytes_of(type_);
  if (raw.type.has_value() && *raw.type != type_) {
    throw Failure(Exit::bad_input, "'" + input_.name() + "' is a .npy file of " + type_name(type_) +
                                       ", not " + type_name(*raw.type) +
                                       "; leave --type out, it is for raw binary.");
  }
  if (raw.shape.has_value()) {
    throw Failure(Exit::bad_input, "'" + input_.name() + "' is a .npy file of the shape " +
                                       npy::shape_text(header.shape) +
                                       "; leave --shape out, it is for raw binary.");
  }
  use_shape(header.shape, header.fortran_order);
}

void Source::use_shape(const std::vector<std::int64_t>& shape, bool fortran_order) {
  count_ = npy::count_of(shape, type_, input_.name());
  extents_ = shape;
  is_transposed_ = fortran_order && has_an_order(shape);
  check_dimensions();
  const auto needed =
      static_cast<std::uint64_t>(*count_) * static_cast<std::uint64_t>(element_bytes_);
  const auto there = input_.remaining();
  if (there.has_value() && *there != needed) {
    const bool has_header = authority_ != the_option_shape;
    throw Failure(
        Exit::bad_input,
        "'" + input_.name() + "' has " + plural(*there, "byte") +
            (has_header ? " after its .npy header, and the header says " : ", and --shape says ") +
            std::to_string(needed) +
            (*there < needed ? ": the file is truncated." : ": the file goes on after its array."));
  }
}

// Lines of text, or one that is long, make numbers that nobody meant. Binary elements of several
// bytes whose first ones are all characters, and in which numbers are written or lines end, are
// hardly ever there, and so is what begins as a file of another program. A shape of just so many
// bytes says that they are.
void Source::refuse_other_files(const RawFormat& raw) {
  const std::string_view start = input_.peek(some_text);
  const OtherFile* other = other_file_of(start);
  const bool holds_text = start.size() > static_cast<std::size_t>(element_bytes_) &&
                          is_text(start) && (start.find('\n') != start.npos || is_list(start));
  if (element_bytes_ == 1 || (other == nullptr && !holds_text)) {
    return;
  }
  const auto there = input_.remaining();
  if (raw.shape.has_value() && there.has_value() &&
      static_cast<std::uint64_t>(npy::count_of(*raw.shape, type_, input_.name())) *
              static_cast<std::uint64_t>(element_bytes_) ==
          *there) {
    return;
  }
  const std::string what = other != nullptr ? other->name : "text";
  throw Failure(Exit::bad_input,
                "'" + input_.name() + "' is " + what + ", and no raw binary of " +
                    type_name(type_) + ": " +
                    (other != nullptr ? other->way_out : way_from_text(start)) +
                    "; bytes themselves are --type u8, and elements that look like " + what +
                    " are taken with their --shape.");
}

void Source::use_raw(const RawFormat& raw) {
  type_ = *raw.type;
  element_bytes_ = bytes_of(type_);
  refuse_other_files(raw);
  if (raw.shape.has_value()) {
    authority_ = the_option_shape;
    use_shape(*raw.shape, raw.fortran_order);
    return;
  }
  if (use_ == Use::rows) {
    throw Failure(Exit::bad_input, "--rows needs 2-D data, and raw binary has no shape; give that "
                                   "of '" +
                                       input_.name() + "' with --shape, such as --shape 100,200.");
  }
  const auto there = input_.remaining();
  if (there.has_value()) {
    count_ = whole_elements(static_cast<std::size_t>(*there));
    extents_ = {*count_};
  }
}

std::int64_t Source::whole_elements(std::size_t bytes) const {
  const auto element = static_cast<std::size_t>(element_bytes_);
  if (bytes % element != 0) {
    throw Failure(Exit::bad_input, "'" + input_.name() + "' ends with " +
                                       plural(bytes % element, "byte") +
                                       " that make no whole element: " + type_name(type_) +
                                       " has " + std::to_string(element) + ".");
  }
  return static_cast<std::int64_t>(bytes / element);
}

void Source::refuse_truncated(std::int64_t missing) const {
  throw Failure(Exit::bad_input, "'" + input_.name() + "' is truncated: " + authority_ + " says " +
                                     plural(static_cast<std::uint64_t>(*count_), "element") +
                                     ", and " +
                                     plural(static_cast<std::uint64_t>(missing), "element") +
                                     " of the last block are not there.");
}

const void* Source::next(std::int64_t elements) {
  std::int64_t got = 0;
  const void* data = take(elements, got);
  if (got < elements) {
    refuse_truncated(elements - got);
  }
  taken_ += elements;
  return data;
}

const void* Source::next_some(std::int64_t most, std::int64_t& elements) {
  if (!count_.has_value()) {
    return take(most, elements);
  }
  elements = std::min(most, *count_ - taken_);
  return next(elements);
}

const void* Source::take(std::int64_t most, std::int64_t& elements) {
  if (!is_transposed_) {
    return take_stored(most, elements);
  }
  if (taken_ == 0) {
    put_in_c_order();
  }
  elements = std::min(most, *count_ - taken_);
  return static_cast<const char*>(ordered_.at_least(1)) + taken_ * element_bytes_;
}

void Source::put_in_c_order() {
  std::int64_t got = 0;
  const auto* from = static_cast<const char*>(take_stored(*count_, got));
  if (got < *count_) {
    refuse_truncated(*count_ - got);
  }
  auto* to =
      static_cast<char*>(ordered_.at_least(static_cast<std::size_t>(*count_ * element_bytes_)));
  switch (element_bytes_) {
    case 1: transpose<1>(from, to, extents_); break;
    case 2: transpose<2>(from, to, extents_); break;
    case 4: transpose<4>(from, to, extents_); break;
    case 8: transpose<8>(from, to, extents_); break;
    default: transpose<16>(from, to, extents_);
  }
  memory_ = HostMemory();
}

void Source::convert(void* elements, std::size_t bytes) const {
  auto* begin = static_cast<unsigned char*>(elements);
  auto* end = begin + bytes;
  if (conversion_ == npy::Conversion::truth) {
    std::transform(begin, end, begin, [](unsigned char byte) { return byte != 0 ? 1 : 0; });
  } else if (conversion_ == npy::Conversion::swap_bytes) {
    // The parts of a complex number are turned round one by one.
    const auto size = static_cast<std::size_t>(bytes_of(part_type(type_)));
    for (; begin < end; begin += size) {
      std::reverse(begin, begin + size);
    }
  }
}

const void* Source::take_stored(std::int64_t most, std::int64_t& elements) {
  const auto bytes = static_cast<std::size_t>(most) * static_cast<std::size_t>(element_bytes_);
  const auto there = input_.remaining();
  // A .npy header of an odd length leaves its elements misaligned: those are copied.
  const auto position = reinterpret_cast<std::uintptr_t>(input_.view(0));
  const auto alignment = static_cast<std::uintptr_t>(bytes_of(part_type(type_)));
  if (there.has_value() && position % alignment == 0 && conversion_ == npy::Conversion::none) {
    const auto got = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, *there));
    elements = whole_elements(got);
    return input_.view(got);
  }
  void* memory = memory_.at_least(std::max<std::size_t>(bytes, 1));
  const std::size_t got = input_.read(memory, bytes);
  elements = whole_elements(got);
  convert(memory, got);
  return memory;
}

const void* Source::all(std::int64_t& elements) {
  if (count_.has_value()) {
    elements = *count_;
    return next(elements);
  }
  std::size_t room = std::size_t{1} << 20;
  std::size_t filled = 0;
  for (;;) {
    auto* memory = static_cast<char*>(memory_.grow(room));
    filled += input_.read(memory + filled, room - filled);
    if (filled < room) {
      elements = whole_elements(filled);
      extents_ = {elements};
      return memory;
    }
    room *= 2;
  }
}

void Source::expect_end() {
  char beyond;
  if (count_.has_value() && input_.read(&beyond, 1) != 0) {
    throw Failure(Exit::bad_input, "'" + input_.name() + "' goes on after the " +
                                       plural(static_cast<std::uint64_t>(*count_), "element") +
                                       " that " + authority_ + " says.");
  }
}

}  // namespace cli
