// This is what the parser takes, as plain data, for the documents that are made of it: shell
// completions and the manual page.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace cli {

struct Argument {
  std::vector<std::string> spellings;  // "-h", "--help"; none of a positional argument
  std::string name;                    // "FILE", "--fold"
  std::string description;
  std::string standard;             // the default value, "" if none is told
  std::vector<std::string> values;  // the names that it may be, where it is one of some
  bool takes_value = false;
  bool is_required = false;
};

struct Usage {
  std::string name;
  std::string description;
  std::string footer;
  std::vector<Argument> options;
  std::vector<Argument> positionals;
};

// The program itself, without its commands.
Usage usage_of(const CLI::App& parser);
// The commands, in the order of the program's help.
std::vector<Usage> commands_of(const CLI::App& program);

}  // namespace cli
