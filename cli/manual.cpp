// isofold manual: the manual page, made of the parser's own options.
#include <string>
#include <vector>

#include "commands.hpp"
#include "file.hpp"
#include "grammar.hpp"
#include "types.hpp"

namespace cli {
namespace {

// Text as man's language reads it: a backslash, a hyphen that is to be copied, and a line that
// starts like a request.
std::string roff(const std::string& text) {
  std::string all;
  for (const char letter : text) {
    if (letter == '\\') {
      all += "\\e";
    } else if (letter == '-') {
      all += "\\-";
    } else {
      all += (letter == '.' || letter == '\'') && (all.empty() || all.back() == '\n') ? "\\&" : "";
      all += letter;
    }
  }
  return all;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

// A footer as it is laid out: examples, and lists with columns.
std::string as_it_stands(const std::string& text) {
  return text.empty() ? "" : ".PP\n.nf\n" + roff(text) + "\n.fi\n";
}

std::string paragraph_of(const Argument& argument) {
  std::string head;
  for (const std::string& spelling : argument.spellings) {
    head += (head.empty() ? "" : ", ") + bold(spelling);
  }
  head += head.empty() ? italic(argument.name) : argument.takes_value ? " " + italic("VALUE") : "";
  std::string text = roff(argument.description) + ".";
  if (!argument.values.empty() &&
      argument.description.find(argument.values.front()) == std::string::npos) {
    text += " One of " + roff(listed(argument.values)) + ".";
  }
  if (!argument.standard.empty() && argument.takes_value) {
    text += " Default: " + roff(argument.standard) + ".";
  }
  return ".TP\n" + head + "\n" + text + "\n";
}

std::string section_of(const Usage& command) {
  std::string synopsis = bold("isofold " + command.name);
  std::string text;
  for (const Argument& positional : command.positionals) {
    synopsis += " " + (positional.is_required ? italic(positional.name)
                                              : "[" + italic(positional.name) + "]");
    text += paragraph_of(positional);
  }
  for (const Argument& option : command.options) {
    text += paragraph_of(option);
  }
  return ".SS isofold " + command.name + "\n" + synopsis + " [" + italic("OPTION") + "]...\n.PP\n" +
         roff(command.description) + ".\n" + text + as_it_stands(command.footer);
}

std::string manual_of(const Usage& program, const std::vector<Usage>& commands) {
  std::string text = ".TH ISOFOLD 1 \"\" \"isofold " + std::string(isofold_version()) +
                     "\" \"User Commands\"\n" + ".SH NAME\nisofold \\- " +
                     roff(program.description) + "\n.SH SYNOPSIS\n" + bold("isofold") + " " +
                     italic("COMMAND") + " [" + italic("OPTION") +
                     "]...\n.SH DESCRIPTION\nReduces the numbers in files to sums, extrema, norms "
                     "and other folds, with "
                     "results that no number of threads, vector width, backend or cut of the data "
                     "changes by a bit; and "
                     "checks, measures and compares.\n.SH OPTIONS\n";
  for (const Argument& option : program.options) {
    text += paragraph_of(option);
  }
  text += ".SH COMMANDS\n";
  for (const Usage& command : commands) {
    text += section_of(command);
  }
  return text + ".SH EXIT STATUS AND EXAMPLE\n" + as_it_stands(program.footer) +
         ".SH ENVIRONMENT\n.TP\n" + bold("ISOFOLD_BACKEND") +
         "\nThe backends that are used where no option names one, separated by commas.\n.TP\n" +
         bold("ISOFOLD_BACKEND_PATH") +
         "\nMore folders, separated by colons, to look for modules of this version in.\n.TP\n" +
         bold("OMP_NUM_THREADS") + "\nMost CPU threads, as OpenMP defines it.\n";
}

}  // namespace

Command add_manual(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("manual", "Print the manual page in the language of man");
  parser->footer("Example:    isofold manual | man -l -");
  return {parser, [&program] {
            Output out("-");
            out.write(manual_of(usage_of(program), commands_of(program)));
            out.finish();
            return Exit::fine;
          }};
}

}  // namespace cli
