// Handlers of signals, which call only functions that POSIX allows in them.
#include "interrupt.hpp"

#include <csignal>
#include <unistd.h>

namespace cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;
std::string unfinished;  // changes only while no handler reads it

// Sets the handler of a signal that nobody ignores. It acts once.
void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) {
    return;
  }
  action = {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(signal, &action, nullptr);
}

void remove_and_end(int signal) {
  ::unlink(unfinished.c_str());
  ::raise(signal);
}

}  // namespace

void catch_interrupt() {
  handle(SIGINT, [](int) { interrupted = 1; });
}

bool is_interrupted() noexcept { return interrupted != 0; }

void remove_when_interrupted(const std::string& path) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    handle(signal, SIG_DFL);
  }
  unfinished = path;
  if (path.empty()) {
    return;
  }
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    handle(signal, remove_and_end);
  }
}

}  // namespace cli
