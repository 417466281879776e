// Recognises an input, checks its size against its header, and hands out its elements.
#include "source.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include "failure.hpp"
#include "npy.hpp"
#include "types.hpp"

namespace cli {
namespace {

std::string plural(std::uint64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// Advice for a file that is no .npy.
const char* way_out_without_npy(Use use) {
  switch (use) {
    case Use::mask:
    case Use::offsets: return "; masks and offsets are .npy, such as numpy's np.save writes.";
    case Use::field: return "; store the array with numpy's np.save.";
    default: return "; for raw binary give --type.";
  }
}

npy::TypeOfDescr type_reader(Use use) {
  switch (use) {
    case Use::mask: return npy::mask_type;
    case Use::offsets: return npy::offset_type;
    default: return npy::element_type;
  }
}

bool fits(std::size_t dimensions, Use use) {
  switch (use) {
    case Use::rows: return dimensions == 2;
    case Use::box: return dimensions >= 1 && dimensions <= ISOFOLD_MOST_DIMENSIONS;
    case Use::mask: return true;  // it is compared with the box, which may be a single element
    case Use::field: return true;
    default: return dimensions == 1;
  }
}

// Advice for a number of dimensions that does not fit.
std::string way_out(std::size_t dimensions, Use use) {
  switch (use) {
    case Use::rows:
      return "--rows reduces the rows of 2-D data; of more dimensions, --axis names those to "
             "reduce.";
    case Use::segments: return "--segments cuts 1-D data.";
    case Use::offsets: return "the offsets of segments are 1-D.";
    case Use::array:
      if (fits(dimensions, Use::box)) {
        return std::string("give ") + (dimensions == 2 ? "--rows for one result a row, " : "") +
               "--axis for the dimensions to reduce, --mask, or --box for a part of it (--box : is "
               "all of it, for one result).";
      }
      break;
    default: break;
  }
  return "isofold reduces 1 to " + std::to_string(ISOFOLD_MOST_DIMENSIONS) + " of them.";
}

}  // namespace

void HostMemory::Free::operator()(void* memory) const noexcept { std::free(memory); }

void* HostMemory::at_least(std::size_t bytes) {
  if (bytes > bytes_) {
    memory_.reset();
    bytes_ = 0;
    grow(bytes);
  }
  return memory_.get();
}

void* HostMemory::grow(std::size_t bytes) {
  void* grown = std::realloc(memory_.get(), bytes);
  if (grown == nullptr) {
    throw Failure(Exit::failed, "There is no memory for " + plural(bytes, "byte") +
                                    "; where the input is read in blocks, a smaller --block-bytes "
                                    "needs less.");
  }
  static_cast<void>(memory_.release());
  memory_.reset(grown);
  bytes_ = bytes;
  return grown;
}

Source::Source(const std::string& path, std::optional<isofold::Type> raw_type, Use use)
    : Source(Input(path), raw_type, use) {}

Source::Source(Input input, std::optional<isofold::Type> raw_type, Use use)
    : input_(std::move(input)), use_(use) {
  if (input_.peek(npy::magic.size()) == npy::magic) {
    read_npy_header();
    if (raw_type.has_value() && *raw_type != type_) {
      throw Failure(Exit::bad_input, "'" + input_.name() + "' is a .npy file of " +
                                         type_name(type_) + ", not " + type_name(*raw_type) +
                                         "; leave --type out, it is for raw binary.");
    }
  } else if (raw_type.has_value()) {
    use_raw(*raw_type);
  } else if (input_.peek(1).empty()) {
    refuse_what_is_no_npy("has 0 bytes, so it is no .npy file");
  } else {
    refuse_what_is_no_npy("is no .npy file: it does not begin with \\x93NUMPY");
  }
}

void Source::refuse_what_is_no_npy(const std::string& what) const {
  throw Failure(Exit::bad_input, "'" + input_.name() + "' " + what + way_out_without_npy(use_));
}

void Source::check_dimensions() const {
  if (!fits(extents_.size(), use_)) {
    throw Failure(Exit::bad_input, "'" + input_.name() + "' has " +
                                       plural(extents_.size(), "dimension") + "; " +
                                       way_out(extents_.size(), use_));
  }
}

void Source::read_npy_header() {
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
  const npy::Header header = npy::parse(text, input_.name(), type_reader(use_));

  type_ = header.type;
  element_bytes_ = bytes_of(type_);
  count_ = header.count;
  extents_ = header.shape;
  check_dimensions();
  const auto needed =
      static_cast<std::uint64_t>(*count_) * static_cast<std::uint64_t>(element_bytes_);
  const auto there = input_.remaining();
  if (there.has_value() && *there != needed) {
    throw Failure(
        Exit::bad_input,
        "'" + input_.name() + "' has " + plural(*there, "byte") +
            " after its .npy header, and the header says " + std::to_string(needed) +
            (*there < needed ? ": the file is truncated." : ": the file goes on after its array."));
  }
}

void Source::use_raw(isofold::Type type) {
  type_ = type;
  element_bytes_ = bytes_of(type);
  if (use_ == Use::rows) {
    throw Failure(Exit::bad_input, "--rows needs 2-D data, and raw binary has no shape; store '" +
                                       input_.name() + "' as .npy.");
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

const void* Source::next(std::int64_t elements) {
  std::int64_t got = 0;
  const void* data = take(elements, got);
  if (got < elements) {
    throw Failure(Exit::bad_input,
                  "'" + input_.name() + "' is truncated: its .npy header says " +
                      plural(static_cast<std::uint64_t>(*count_), "element") + ", and " +
                      plural(static_cast<std::uint64_t>(elements - got), "element") +
                      " of the last block are not there.");
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
  const auto bytes = static_cast<std::size_t>(most) * static_cast<std::size_t>(element_bytes_);
  const auto there = input_.remaining();
  // A .npy header of an odd length leaves its elements misaligned: those are copied.
  const auto position = reinterpret_cast<std::uintptr_t>(input_.view(0));
  const auto alignment = static_cast<std::uintptr_t>(bytes_of(part_type(type_)));
  if (there.has_value() && position % alignment == 0) {
    const auto got = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, *there));
    elements = whole_elements(got);
    return input_.view(got);
  }
  void* memory = memory_.at_least(std::max<std::size_t>(bytes, 1));
  elements = whole_elements(input_.read(memory, bytes));
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
                                       " of its .npy header.");
  }
}

}  // namespace cli
