// The end of a command: the exit codes, and the exception that carries one with its sentence.
// `isofold --help` prints the codes; scripts rely on them.
#pragma once

#include <stdexcept>
#include <string>

#include <isofold/error.hpp>

namespace cli {

enum class Exit : int {
  fine = 0,
  difference = 1,    // verify, fuzz or diff found a difference
  bad_input = 2,     // bad usage, or a file that cannot be what the user says
  unavailable = 3,   // the backend is not available, or has no such case
  failed = 4,        // something broke while running: a full disk, a closed pipe, a device
  interrupted = 130  // by Ctrl-C, after what was done until then was printed: as shells say it
};

class Failure : public std::runtime_error {
 public:
  Failure(Exit exit, const std::string& sentence) : std::runtime_error(sentence), exit_(exit) {}
  Exit exit() const noexcept { return exit_; }

 private:
  Exit exit_;
};

// The exit code for an error of the library.
inline Exit exit_of(isofold::Code code) {
  switch (code) {
    case isofold::Code::invalid_argument:
    case isofold::Code::out_of_range:
    case isofold::Code::empty_input: return Exit::bad_input;
    case isofold::Code::unsupported:
    case isofold::Code::backend_unavailable: return Exit::unavailable;
    default: return Exit::failed;
  }
}

// "reading", "x.npy", ENOSPC -> "reading 'x.npy' failed: No space left on device".
std::string system_sentence(const std::string& action, const std::string& path, int error_number);

}  // namespace cli
