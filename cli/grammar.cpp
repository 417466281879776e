// The parser's options, read out again.
#include "grammar.hpp"

#include "commands.hpp"
#include "pieces.hpp"
#include "types.hpp"

namespace cli {
namespace {

// Validators list their names in braces (names.cpp); that of --fold, which takes lists of them,
// does not.
std::vector<std::string> values_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{');
  if (begin == std::string::npos) {
    return option.check_lname("fold") ? names_of(named_folds) : std::vector<std::string>{};
  }
  return split(type.substr(begin + 1, type.find('}') - begin - 1), ',');
}

Argument argument_of(const CLI::Option& option) {
  Argument argument;
  for (const std::string& name : option.get_snames()) {
    argument.spellings.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    argument.spellings.push_back("--" + name);
  }
  argument.name = option.get_single_name();
  argument.description = option.get_description();
  argument.standard = option.get_default_str();
  argument.values = values_of(option);
  argument.takes_value = option.get_items_expected_max() > 0;
  argument.is_required = option.get_required();
  return argument;
}

}  // namespace

Usage usage_of(const CLI::App& parser) {
  Usage usage;
  usage.name = parser.get_name();
  usage.description = parser.get_description();
  usage.footer = parser.get_footer();
  for (const CLI::Option* option : parser.get_options()) {
    const Argument argument = argument_of(*option);
    (argument.spellings.empty() ? usage.positionals : usage.options).push_back(argument);
  }
  return usage;
}

std::vector<Usage> commands_of(const CLI::App& program) {
  std::vector<Usage> commands;
  for (const CLI::App* command : program.get_subcommands({})) {
    commands.push_back(usage_of(*command));
  }
  return commands;
}

}  // namespace cli
