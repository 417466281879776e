// Ctrl-C, for commands that print what they have when it comes, and for files that are not whole.
#pragma once

#include <string>

namespace cli {

// The first Ctrl-C from now on makes is_interrupted() true, and the second one ends the program at
// once. It stays ignored where it was, as in the background job of a shell.
void catch_interrupt();
bool is_interrupted() noexcept;

// Removes the file of this path, too, when a signal such as Ctrl-C ends the program; "" removes
// none. There is one such file at a time.
void remove_when_interrupted(const std::string& path);

}  // namespace cli
