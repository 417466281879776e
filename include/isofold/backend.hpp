// The backends for C++ users: their names, which of them this machine can use and why not, and
// memory that a backend can read. The list of backends is typed once, in the project's
// CMakeLists.txt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <isofold/backend_list.hpp>
#include <isofold/error.hpp>

namespace isofold {

// Backend::automatic goes where the data lies, call by call.
enum class Backend : std::int32_t {
  automatic = 0,
#define ISOFOLD_ENUMERATE(name) name,
  ISOFOLD_BACKENDS(ISOFOLD_ENUMERATE)
#undef ISOFOLD_ENUMERATE
};

// "cuda" for Backend::cuda; nullptr for automatic, as the C ABI wants it. A number that is none of
// these throws invalid_argument.
[[nodiscard]] inline const char* name_of(Backend backend) {
  static constexpr const char* names[] = {nullptr,
#define ISOFOLD_NAME(name) #name,
                                          ISOFOLD_BACKENDS(ISOFOLD_NAME)
#undef ISOFOLD_NAME
  };
  const auto number = static_cast<std::uint32_t>(backend);
  constexpr std::uint32_t count = sizeof names / sizeof names[0];
  if (number >= count) {
    throw Error(Code::invalid_argument, "There is no Backend of the number " +
                                            std::to_string(static_cast<std::int32_t>(backend)) +
                                            ": they are 0 to " + std::to_string(count - 1) + ".");
  }
  return names[number];
}

// All backends that isofold knows, in order of preference; not all need be available.
[[nodiscard]] inline std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(isofold_backend_count()));
  for (std::int32_t i = 0; i < isofold_backend_count(); ++i) {
    names.emplace_back(isofold_backend_name(i));
  }
  return names;
}
[[nodiscard]] inline bool is_available(const std::string& backend) {
  return isofold_backend_available(backend.c_str()) != 0;
}
// The reason why `backend` is not available; if it is available, what it is ("AVX-512, 8 threads").
[[nodiscard]] inline std::string describe(const std::string& backend) {
  return isofold_backend_reason(backend.c_str());
}

// Owned memory that the backend's reductions read and write: device memory for cuda and hip, host
// memory for the others. It can be moved, not copied. The constructor throws Error (out_of_memory,
// backend_unavailable).
class Buffer {
 public:
  Buffer(const std::string& backend, std::size_t bytes, std::int32_t device = 0)
      : backend_(backend), device_(device), bytes_(bytes) {
    check(isofold_allocate(backend_.c_str(), device_, bytes, &memory_));
  }
  Buffer(Buffer&& other) noexcept
      : backend_(std::move(other.backend_)),
        device_(other.device_),
        bytes_(std::exchange(other.bytes_, 0)),
        memory_(std::exchange(other.memory_, nullptr)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(backend_, other.backend_);
    std::swap(device_, other.device_);
    std::swap(bytes_, other.bytes_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~Buffer() { isofold_release(backend_.c_str(), device_, memory_); }

  [[nodiscard]] void* data() const noexcept { return memory_; }
  template <class T>
  [[nodiscard]] T* as() const noexcept {
    return static_cast<T*>(memory_);
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

  // copy_from() and copy_to() block until the copy is done; `offset` counts bytes of this buffer.
  // A copy that reaches beyond its end throws invalid_argument.
  void copy_from(const void* host, std::size_t bytes, std::size_t offset = 0) {
    check_inside(bytes, offset);
    check(isofold_copy(backend_.c_str(), device_, as<char>() + offset, host, bytes));
  }
  void copy_to(void* host, std::size_t bytes, std::size_t offset = 0) const {
    check_inside(bytes, offset);
    check(isofold_copy(backend_.c_str(), device_, host, as<char>() + offset, bytes));
  }

 private:
  void check_inside(std::size_t bytes, std::size_t offset) const {
    if (offset > bytes_ || bytes > bytes_ - offset) {
      throw Error(Code::invalid_argument, "A copy of " + std::to_string(bytes) + " bytes at byte " +
                                              std::to_string(offset) + " of a buffer of " +
                                              std::to_string(bytes_) + ": it must lie within.");
    }
  }

  std::string backend_;
  std::int32_t device_;
  std::size_t bytes_;
  void* memory_ = nullptr;
};

}  // namespace isofold
