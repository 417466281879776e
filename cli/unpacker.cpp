// Unpacker on zlib, or the refusal of a program that was built without it.
#include "archive.hpp"
#include "failure.hpp"

#ifdef ISOFOLD_HAS_ZLIB
#include <algorithm>
#include <new>

#define ZLIB_CONST  // what is unpacked is only read
#include <zlib.h>
#endif

namespace cli {

#ifdef ISOFOLD_HAS_ZLIB

// zlib holds a pointer to its stream, so this stays in its place.
struct Unpacker::State {
  State(const Member& member, const std::string& name)
      : packed(member.stored), bytes(member.bytes), checksum(member.checksum), name(name) {
    constexpr int no_header_of_zlib = -15;
    if (inflateInit2(&stream, no_header_of_zlib) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { inflateEnd(&stream); }

  // Unpacks to at most `room` bytes and returns how many came out.
  std::size_t some(unsigned char* to, std::size_t room) {
    constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in 32 bits
    if (stream.avail_in == 0) {
      const std::size_t fed = std::min(packed.size(), most);
      stream.next_in = reinterpret_cast<const unsigned char*>(packed.data());
      stream.avail_in = static_cast<uInt>(fed);
      packed.remove_prefix(fed);
    }
    const auto space = static_cast<uInt>(std::min(room, most));
    stream.next_out = to;
    stream.avail_out = space;
    const int code = inflate(&stream, Z_NO_FLUSH);
    const uInt got = space - stream.avail_out;
    unpacked += got;
    checked = crc32(checked, to, got);
    at_end = code == Z_STREAM_END;
    if ((!at_end && code != Z_OK) || (at_end && (unpacked != bytes || checked != checksum))) {
      throw Failure(Exit::bad_input, "'" + name +
                                         "' is damaged: what is packed in the archive "
                                         "does not unpack to what its directory says.");
    }
    return got;
  }

  std::string_view packed;
  std::uint64_t bytes;
  std::uint32_t checksum;
  std::string name;
  z_stream stream{};
  std::uint64_t unpacked = 0;
  uLong checked = 0;  // the checksum of what came out
  bool at_end = false;
};

std::size_t Unpacker::read(void* memory, std::size_t bytes) {
  std::size_t done = 0;
  while (done < bytes && !state_->at_end) {
    done += state_->some(static_cast<unsigned char*>(memory) + done, bytes - done);
  }
  return done;
}

#else

struct Unpacker::State {
  State(const Member& /*member*/, const std::string& name) {
    throw Failure(Exit::unavailable,
                  "'" + name +
                      "' is compressed, and this isofold was built without zlib; build it "
                      "with zlib, or store the array with numpy's np.savez or np.save.");
  }
};

std::size_t Unpacker::read(void* /*memory*/, std::size_t /*bytes*/) { return 0; }

#endif

Unpacker::Unpacker(const Member& member, const std::string& name)
    : state_(std::make_unique<State>(member, name)) {}
Unpacker::Unpacker(Unpacker&&) noexcept = default;
Unpacker& Unpacker::operator=(Unpacker&&) noexcept = default;
Unpacker::~Unpacker() = default;

}  // namespace cli
