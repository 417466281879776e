// Input and Output over POSIX descriptors.
#include "file.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "failure.hpp"
#include "interrupt.hpp"

namespace cli {

std::string system_sentence(const std::string& action, const std::string& path, int error_number) {
  return action + " '" + path + "' failed: " + std::strerror(error_number) + ".";
}

namespace {

// One read() or write() moves at most this much: Linux stops at 2 GiB - 4 KiB in any case.
constexpr std::size_t most_bytes_a_call = std::size_t{1} << 30;
constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

// A mapped file that someone cuts off while it is read answers with SIGBUS. Only functions that are
// safe in a signal handler stand here.
void mapped_file_is_gone(int) {
  static constexpr char sentence[] =
      "isofold: the input file was cut off, or could not be read, while it was being read.\n";
  const ssize_t ignored = ::write(STDERR_FILENO, sentence, sizeof sentence - 1);
  static_cast<void>(ignored);
  ::_exit(static_cast<int>(Exit::failed));
}

bool is_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

// The length of "x.npz" in "x.npz:name"; that of the whole path if it is there, or if no such file
// is.
std::size_t archive_length(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    for (std::size_t at = path.find(':'); at < path.size(); at = path.find(':', at + 1)) {
      if (is_file(path.substr(0, at)) && at + 1 < path.size()) {
        return at;
      }
    }
  }
  return path.size();
}

Descriptor open_input(const std::string& path, const std::string& name) {
  if (path == "-") {
    return Descriptor(STDIN_FILENO, false);
  }
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0) {
    throw Failure(Exit::bad_input, system_sentence("opening", name, errno));
  }
  return Descriptor(number);
}

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept
    : number_(std::exchange(other.number_, -1)), owned_(other.owned_) {}
Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  std::swap(owned_, other.owned_);
  return *this;
}
Descriptor::~Descriptor() { close(); }

int Descriptor::close() noexcept {
  const int number = std::exchange(number_, -1);
  return number >= 0 && owned_ ? ::close(number) : 0;
}

// ---- input ----------------------------------------------------------------------------------

Input::Input(const std::string& path) {
  const std::string file = path.substr(0, archive_length(path));
  name_ = file == "-" ? "standard input" : file;
  file_ = open_input(file, name_);
  struct stat status {};
  if (::fstat(file_.number(), &status) != 0) {
    throw Failure(Exit::bad_input, system_sentence("opening", name_, errno));
  }
  if (S_ISDIR(status.st_mode)) {
    throw Failure(Exit::bad_input, "'" + name_ +
                                       "' is a directory; give a file, or - for standard "
                                       "input.");
  }
  // Files of /proc and /sys say that they are regular and 0 bytes long, and are not.
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    map(static_cast<std::uint64_t>(status.st_size));
  }
  if (file != path) {
    enter(path.substr(file.size() + 1));
  }
}

Input::Input(Input&& other) noexcept
    : name_(std::move(other.name_)),
      file_(std::move(other.file_)),
      mapped_(std::exchange(other.mapped_, nullptr)),
      mapped_bytes_(other.mapped_bytes_),
      position_(other.position_),
      end_(other.end_),
      unpacker_(std::move(other.unpacker_)),
      peeked_(std::move(other.peeked_)) {}

void Input::map(std::uint64_t size) {
  const off_t position = ::lseek(file_.number(), 0, SEEK_CUR);
  if (position < 0) {
    return;
  }
  void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file_.number(), 0);
  if (memory == MAP_FAILED) {
    return;  // some file systems cannot; it is read instead
  }
  ::madvise(memory, size, MADV_SEQUENTIAL);
  std::signal(SIGBUS, mapped_file_is_gone);
  mapped_ = static_cast<const std::byte*>(memory);
  mapped_bytes_ = size;
  position_ = std::min(size, static_cast<std::uint64_t>(position));
  end_ = size;
}

Input::~Input() {
  if (mapped_ != nullptr) {
    ::munmap(const_cast<std::byte*>(mapped_), mapped_bytes_);
  }
}

void Input::enter(const std::string& member) {
  if (!is_archive(peek(4))) {
    throw Failure(Exit::bad_input, "'" + name_ + "' is no archive, such as .npz, so there is no '" +
                                       member + "' in it.");
  }
  if (!is_in_memory()) {
    throw Failure(Exit::bad_input,
                  "'" + name_ +
                      "' is an archive, such as .npz, whose directory stands at its end, "
                      "so it cannot be read from front to back; give the path of a file.");
  }
  const std::string_view archive = ahead();
  const Member found = member_of(archive, member, name_);
  name_ += ":" + found.name;
  if (found.is_packed) {
    unpacker_.emplace(found, name_);
  } else {
    position_ += static_cast<std::uint64_t>(found.stored.data() - archive.data());
    end_ = position_ + found.stored.size();
  }
}

std::optional<std::uint64_t> Input::remaining() const noexcept {
  return is_in_memory() ? std::optional<std::uint64_t>(end_ - position_) : std::nullopt;
}

const std::byte* Input::view(std::size_t bytes) noexcept {
  if (!is_in_memory() || end_ - position_ < bytes) {
    return nullptr;
  }
  position_ += bytes;
  return mapped_ + (position_ - bytes);
}

std::size_t Input::read(void* memory, std::size_t bytes) {
  if (is_in_memory()) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, end_ - position_));
    std::memcpy(memory, view(size), size);
    return size;
  }
  auto* to = static_cast<char*>(memory);
  std::size_t done = std::min(bytes, peeked_.size());
  std::copy_n(peeked_.data(), done, to);
  peeked_.erase(0, done);
  for (std::size_t got = 1; got > 0 && done < bytes; done += got) {
    got = read_some(to + done, bytes - done);
  }
  return done;
}

std::size_t Input::read_some(void* memory, std::size_t bytes) {
  if (unpacker_.has_value()) {
    return unpacker_->read(memory, bytes);
  }
  for (;;) {
    const ssize_t got = ::read(file_.number(), memory, std::min(bytes, most_bytes_a_call));
    if (got >= 0) {
      return static_cast<std::size_t>(got);
    }
    if (errno != EINTR) {
      throw Failure(Exit::failed, system_sentence("reading", name_, errno));
    }
  }
}

std::string_view Input::peek(std::size_t bytes) {
  if (is_in_memory()) {
    return ahead().substr(0, bytes);
  }
  if (peeked_.size() < bytes) {
    std::string text(bytes, '\0');
    text.resize(read(text.data(), bytes));
    peeked_ = std::move(text);
  }
  return std::string_view(peeked_).substr(0, bytes);
}

std::string Input::rest() {
  std::string text;
  std::size_t some = static_cast<std::size_t>(remaining().value_or(buffer_bytes));
  for (std::size_t got = some; got == some && got > 0; some = buffer_bytes) {
    const std::size_t before = text.size();
    text.resize(before + some);
    got = read(text.data() + before, some);
    text.resize(before + got);
  }
  return text;
}

// ---- output ---------------------------------------------------------------------------------

Output::Output(const std::string& path)
    : path_(path), name_(path == "-" ? "standard output" : path) {
  if (path == "-") {
    file_ = Descriptor(STDOUT_FILENO, false);
    return;
  }
  const int number = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (number < 0) {
    const bool bad_path = errno == ENOENT || errno == EISDIR || errno == ENOTDIR ||
                          errno == EACCES || errno == ENAMETOOLONG || errno == EROFS;
    throw Failure(bad_path ? Exit::bad_input : Exit::failed,
                  system_sentence("opening", name_, errno));
  }
  file_ = Descriptor(number);
  if (is_file(path)) {
    remove_when_interrupted(path);
  }
}

Output::~Output() {
  if (!finished_ && path_ != "-" && is_file(path_)) {
    ::unlink(path_.c_str());
  }
}

void Output::write(const void* memory, std::size_t bytes) {
  const auto* from = static_cast<const char*>(memory);
  if (bytes >= buffer_bytes) {
    flush();
    write_all(from, bytes);
    return;
  }
  buffer_.append(from, bytes);
  if (buffer_.size() >= buffer_bytes) {
    flush();
  }
}

void Output::write(std::string_view text) { write(text.data(), text.size()); }

void Output::finish() {
  flush();
  if (path_ != "-") {
    remove_when_interrupted("");
  }
  if (file_.close() != 0) {
    throw Failure(Exit::failed, system_sentence("writing", name_, errno));
  }
  finished_ = true;
}

void Output::flush() {
  write_all(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void Output::write_all(const char* memory, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t put = ::write(file_.number(), memory, std::min(bytes, most_bytes_a_call));
    if (put < 0 && errno != EINTR) {
      throw Failure(Exit::failed, system_sentence("writing", name_, errno));
    }
    const std::size_t done = put > 0 ? static_cast<std::size_t>(put) : 0;
    memory += done;
    bytes -= done;
  }
}

}  // namespace cli
