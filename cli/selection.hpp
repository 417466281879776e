// --axis, --box, --mask, --segments and --skip-nan as they stand on the command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace cli {

struct Selection {
  std::optional<std::string> axis;
  std::optional<std::string> box;
  std::optional<std::string> mask;      // a path
  std::optional<std::string> segments;  // a path
  bool skip_nan = false;

  // The names of the options that were given.
  std::vector<std::string> given() const;
};

// Adds the options that fill it.
void add_selection(CLI::App& parser, Selection& selection);
// Throws Failure(bad_input) for options that do not go together.
void check_selection(const Selection& selection, bool rows, bool has_block_bytes);

}  // namespace cli
