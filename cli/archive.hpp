// Archives of .npy files, which numpy's np.savez and np.savez_compressed write as .npz: a .zip
// file, in memory. zlib unpacks what is compressed, if the program was built with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace cli {

// One file of an archive.
struct Member {
  std::string name;            // without .npy, as numpy has it
  std::string_view stored;     // its content as it lies in the archive
  bool is_packed = false;      // by the method "deflate"
  std::uint64_t bytes = 0;     // of the content, unpacked
  std::uint32_t checksum = 0;  // CRC-32 of it, unpacked
};

// This tells whether a file begins as an archive does.
bool is_archive(std::string_view start);

// The file of that name, with or without .npy; without a name, the only one. `path` is the
// archive's, for sentences. Throws Failure(bad_input) if there is none such, or if the archive is
// damaged or holds it in another way than numpy does.
Member member_of(std::string_view archive, const std::string& name, const std::string& path);

// Unpacks a member from front to back, without room for all of it.
class Unpacker {
 public:
  // The archive must live as long. `name` is for sentences. Throws Failure(unavailable) in a
  // program without zlib.
  Unpacker(const Member& member, const std::string& name);
  Unpacker(Unpacker&& other) noexcept;
  Unpacker& operator=(Unpacker&& other) noexcept;
  ~Unpacker();

  // Copies the next bytes, fewer only at the end. Throws Failure(bad_input) for bytes that do not
  // unpack, and at the end if what came out is not what was packed.
  std::size_t read(void* memory, std::size_t bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cli
