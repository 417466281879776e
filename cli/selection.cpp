// The help text of the options that select, and the check which of them go together.
#include "selection.hpp"

#include <utility>

#include "failure.hpp"
#include "types.hpp"

namespace cli {

std::vector<std::string> Selection::given() const {
  const std::pair<const char*, const std::optional<std::string>*> options[] = {
      {"--axis", &axis}, {"--box", &box}, {"--mask", &mask}, {"--segments", &segments}};
  std::vector<std::string> names;
  for (const auto& [name, value] : options) {
    if (value->has_value()) {
      names.emplace_back(name);
    }
  }
  if (skip_nan) {
    names.emplace_back("--skip-nan");
  }
  return names;
}

void add_selection(CLI::App& parser, Selection& selection) {
  parser.add_option("--axis", selection.axis,
                    "The dimensions to reduce, such as 0,2; the others are kept, a result for each "
                    "index over them. Negative numbers count from the end");
  parser.add_option(
      "--box", selection.box,
      "A part of the array: start:stop:step of each dimension, such as 1:-1,::2,3, as "
      "numpy means it. An index alone takes its dimension away, for --axis and "
      "--mask too; dimensions without a slice are whole: the last ones, or those in place of an "
      "ellipsis, as in ...,0");
  parser.add_option("--mask,--where", selection.mask,
                    "A .npy file of booleans or u8, of the shape that --box leaves, or one that "
                    "numpy broadcasts to it: elements with 0 there are left out. --where, as numpy "
                    "says, is the same option");
  parser.add_option(
      "--segments", selection.segments,
      "A 1-D .npy file of offsets, integers of any type, into 1-D data: a result for each "
      "[offset, next offset)");
  parser.add_flag("--skip-nan", selection.skip_nan,
                  "Leave out the elements that are NaN; of two arrays, the pairs with one");
}

void check_selection(const Selection& selection, bool rows, bool has_block_bytes) {
  const std::vector<std::string> given = selection.given();
  if (given.empty()) {
    return;
  }
  if (rows) {
    throw Failure(Exit::bad_input, "--rows does not go together with " + listed(given) +
                                       "; of 2-D data, --axis 1 reduces each row.");
  }
  if (selection.segments.has_value() && given.size() > 1) {
    throw Failure(Exit::bad_input, "--segments cuts the whole of 1-D data, and there are " +
                                       listed(given) + "; leave it out, or the others.");
  }
  if (has_block_bytes) {
    throw Failure(Exit::bad_input,
                  "--block-bytes cuts data that are read from front to back; for " + listed(given) +
                      " they are mapped, or read whole: leave it out.");
  }
}

}  // namespace cli
