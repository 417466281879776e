// Bytes in and out, for the commands: a mapped or streamed input, and an output whose every failure
// is noticed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "archive.hpp"

namespace cli {

// A file descriptor that is closed at the end, unless it is a standard stream.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number, bool owned = true) : number_(number), owned_(owned) {}
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  int number() const noexcept { return number_; }
  // Closes now and returns what close() returned: some file systems report a full disk here.
  int close() noexcept;

 private:
  int number_ = -1;
  bool owned_ = false;
};

// The input of a command, read once from front to back. Regular files are mapped, even as standard
// input; everything else is read, or unpacked.
class Input {
 public:
  // "-" is standard input; "x.npz:name", if there is no such file, the file `name` in the archive.
  // Throws Failure(bad_input) for a path that is missing or a directory.
  explicit Input(const std::string& path);
  Input(Input&& other) noexcept;
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input();

  // Goes on in a file of the archive that this input is; "" is the only one in it. Nothing may have
  // been read. Throws Failure(bad_input) if it is no archive, or there is no such file.
  void enter(const std::string& member);

  // For sentences: the path, or "standard input".
  const std::string& name() const noexcept { return name_; }
  // Bytes not read yet; empty for pipes and other inputs that do not know.
  std::optional<std::uint64_t> remaining() const noexcept;
  // The next bytes without a copy; nullptr when the input is not mapped or has fewer.
  const std::byte* view(std::size_t bytes) noexcept;
  // Copies the next bytes, fewer only at the end of the input. Returns how many.
  std::size_t read(void* memory, std::size_t bytes);
  // The next bytes, which the next read() returns again; for looking at a magic number.
  std::string_view peek(std::size_t bytes);
  // Everything that has not been read yet.
  std::string rest();

 private:
  void map(std::uint64_t size);
  bool is_in_memory() const noexcept { return mapped_ != nullptr && !unpacker_.has_value(); }
  // The bytes not read yet of an input in memory.
  std::string_view ahead() const noexcept {
    return {reinterpret_cast<const char*>(mapped_ + position_), end_ - position_};
  }
  // At least one of the next bytes of an input that is not in memory; 0 at its end.
  std::size_t read_some(void* memory, std::size_t bytes);

  std::string name_;
  Descriptor file_;
  const std::byte* mapped_ = nullptr;
  std::uint64_t mapped_bytes_ = 0;
  std::uint64_t position_ = 0;  // in the mapped file, as is end_
  std::uint64_t end_ = 0;
  std::optional<Unpacker> unpacker_;
  std::string peeked_;  // read ahead of an input that is not in memory
};

// A file or standard output, written through a buffer. Throws Failure(failed) when bytes are lost.
class Output {
 public:
  // "-" is standard output.
  explicit Output(const std::string& path);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  // Removes a regular file unless finish() came before: the output is not whole.
  ~Output();

  void write(const void* memory, std::size_t bytes);
  void write(std::string_view text);
  // Hands everything written so far to the system now, for those who watch.
  void flush();
  // Writes everything out and closes.
  void finish();

 private:
  void write_all(const char* memory, std::size_t bytes);

  std::string path_;
  std::string name_;
  Descriptor file_;
  std::string buffer_;
  bool finished_ = false;
};

}  // namespace cli
