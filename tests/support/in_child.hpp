// Children by fork(), for tests: each answers a question and ends.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include <isofold/error.hpp>

namespace test_support {

// Returns the exit code of a child of this process, which is question(); -1 if it hangs for a
// minute or crashes.
template <class Question>
int answer_of_child(Question&& question) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(question());
  }
  int status = -1;
  const bool ended = waitpid(child, &status, 0) == child && WIFEXITED(status);
  return ended ? WEXITSTATUS(status) : -1;
}

// This tells whether call() is refused as a use of devices by a child of a process that used them.
template <class Call>
bool is_refused_in_child(Call&& call) {
  try {
    call();
  } catch (const isofold::Error& error) {
    return error.code() == isofold::Code::backend_unavailable &&
           std::string(error.what()).find("fork()") != std::string::npos;
  }
  return false;
}

}  // namespace test_support
