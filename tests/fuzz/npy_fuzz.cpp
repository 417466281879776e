// The reader of .npy, .npz and raw files: any bytes, for any use, mapped or piped. The first byte
// chooses, the others are the file.
#include <cstdint>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "../../cli/failure.hpp"
#include "../../cli/source.hpp"
#include "bytes.hpp"

namespace {

constexpr std::size_t most_piped = 60000;  // what a pipe holds without a reader

// A file without a name: Input opens it by its number.
int file_of(const std::string& content) {
  const int number = ::memfd_create("input", MFD_CLOEXEC);
  fuzz::require(number >= 0, "There is no file to be had.");
  const ssize_t written = ::write(number, content.data(), content.size());
  fuzz::require(written == static_cast<ssize_t>(content.size()), "The file was not written.");
  return number;
}

int pipe_of(const std::string& content) {
  int ends[2];
  fuzz::require(::pipe(ends) == 0, "There is no pipe to be had.");
  const std::size_t bytes = content.size() < most_piped ? content.size() : most_piped;
  const ssize_t written = ::write(ends[1], content.data(), bytes);
  fuzz::require(written == static_cast<ssize_t>(bytes), "The pipe was not written.");
  ::close(ends[1]);
  return ends[0];
}

// Reads everything as the commands do, in blocks, and looks at each byte.
void read_all(cli::Source& source, std::size_t file_bytes) {
  constexpr std::int64_t block = 100;
  const std::int64_t element = isofold_type_bytes(static_cast<std::int32_t>(source.type()));
  std::int64_t read = 0;
  unsigned bits = 0;
  for (;;) {
    std::int64_t got = 0;
    const auto* bytes = static_cast<const unsigned char*>(source.next_some(block, got));
    for (std::int64_t i = 0; i < got * element; ++i) {
      bits |= bytes[i];
    }
    read += got;
    if (got < block) {
      break;
    }
  }
  source.expect_end();
  fuzz::require(bits <= 0xff, "No byte is more than 255.");  // so that reading is not left out
  fuzz::require(static_cast<std::size_t>(read * element) <= file_bytes,
                "More was read than there is.");
  if (source.count().has_value()) {
    fuzz::require(read == *source.count(), "Another number of elements than the header says.");
    std::int64_t product = 1;
    for (const std::int64_t extent : source.extents()) {
      product *= extent;
    }
    fuzz::require(product == read, "The shape's product is not the number of elements.");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const auto choice = bytes.take<std::uint8_t>();
  const std::string content = bytes.rest();
  const auto use = static_cast<cli::Use>(choice % 7);
  const int raw = choice / 7 % 16;  // a type, or none
  std::optional<isofold::Type> type;
  if (raw >= 1 && raw <= 12) {
    type = static_cast<isofold::Type>(raw);
  }
  const int number = choice >= 128 ? pipe_of(content) : file_of(content);
  try {
    cli::Source source("/proc/self/fd/" + std::to_string(number), cli::RawFormat(type), use);
    read_all(source, content.size());
  } catch (const cli::Failure& failure) {
    fuzz::require_sentence(failure.what());
  }
  ::close(number);
  return 0;
}
