// Bytes in and out, for the commands: a mapped or streamed input, and an output whose every failure
// is noticed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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
// input; everything else is read.
class Input {
 public:
  // "-" is standard input. Throws Failure(bad_input) for a path that is missing or a directory.
  explicit Input(const std::string& path);
  Input(Input&& other) noexcept;
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input();

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

  std::string name_;
  Descriptor file_;
  const std::byte* mapped_ = nullptr;
  std::uint64_t mapped_bytes_ = 0;
  std::uint64_t position_ = 0;  // in the mapped file
  std::string peeked_;          // read ahead of an input that is not mapped
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
