// The program isofold: reads the command line, runs one command, and turns whatever goes wrong into
// one sentence on standard error and an exit code.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <new>
#include <string>
#include <unistd.h>
#include <vector>

#include <isofold/error.hpp>

#include "commands.hpp"
#include "nearest.hpp"
#include "types.hpp"

namespace cli {
namespace {

constexpr const char* footer =
    "Exit codes: 0 fine; 1 verify, fuzz or diff found a difference; 2 bad usage or input;\n"
    "            3 backend unavailable or request unsupported; 4 failure while running;\n"
    "            130 interrupted by Ctrl-C.\n"
    "Example:    isofold generate --type f64 --count 1000000 --seed 0 x.npy\n"
    "            isofold reduce x.npy --fold sum --json";

// Fills descriptors 0, 1 and 2 if the caller closed them. A file that the program opens must not
// get one of these numbers: messages would be written into it. The filler refuses reads or writes
// as the closed descriptor did.
void fill_standard_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) == -1) {
      static_cast<void>(::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY));
    }
  }
}

int report(Exit exit, const std::string& sentence) {
  std::fprintf(stderr, "isofold: %s\n", sentence.c_str());
  return static_cast<int>(exit);
}

// Says what the parser found wrong, with the way out: its own sentences name neither the value nor
// that.
std::string parse_sentence(const CLI::App& program, const CLI::ParseError& reason) {
  const std::vector<CLI::App*> commands = program.get_subcommands();
  const std::string command = commands.empty() ? "isofold" : "isofold " + commands[0]->get_name();
  const std::string help = "; " + command + " --help has the options and what they take.";
  const std::string text = reason.what();
  const std::string option = text.substr(0, text.find_first_of(": "));  // where one is at fault
  const std::string& kind = reason.get_name();
  const bool is_extra = reason.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
  if (const auto words = text.find(": "); is_extra && words != text.npos) {
    return "'" + text.substr(words + 2) + "' is more than " + command + " takes" + help;
  }
  if (kind == "RequiredError") {
    return command + " needs " + option + help;
  }
  if (kind == "ArgumentMismatch") {
    const bool is_missing = text.find("missing") != text.npos || text.find("At least") != text.npos;
    return is_missing ? "The option " + option + " needs a value" + help
                      : "The option " + option +
                            " is given more often, or with more, than it can be" + help;
  }
  if (kind == "ValidationError") {  // our own sentences, behind the option
    return text + (text.empty() || text.back() == '.' ? "" : ".");
  }
  return text + help;
}

// Help, with our exit codes; help that could not be written is a failure too.
int leave(const CLI::App& program, const CLI::ParseError& reason) {
  if (reason.get_exit_code() != 0) {
    return report(Exit::bad_input, parse_sentence(program, reason));
  }
  program.exit(reason);
  std::cout.flush();
  return std::cout.good() ? static_cast<int>(Exit::fine)
                          : report(Exit::failed, "writing to standard output failed.");
}

// Says what the library found wrong. Its way out of a fold that has no value is a call of C++.
std::string library_sentence(const isofold::Error& error) {
  const std::string text = error.what();
  const std::size_t fact = text.find(';');
  return error.code() == isofold::Code::empty_input && fact != text.npos
             ? text.substr(0, fact) + "; leave the fold out: others have one, such as sum."
             : text;
}

// Refuses a word that is no command before the parser does, which would not say what was meant.
void check_command(const CLI::App& program, const char* word) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) {
    names.push_back(command->get_name());
    if (names.back() == word) {
      return;
    }
  }
  if (word[0] == '-') {
    return;
  }
  std::string way_out;
  if (std::string(word) == "help" || std::string(word) == "version") {
    throw Failure(Exit::bad_input, "'" + std::string(word) +
                                       "' is no command but an option: isofold --" + word +
                                       "; isofold COMMAND --help is about a command.");
  }
  if (holds(names_of(named_folds), word) || holds(names_of(other_fold_names), word)) {
    way_out = " A fold is an option: isofold reduce FILE --fold " + std::string(word) + ".";
  } else if (::access(word, F_OK) == 0) {
    way_out = " A file is reduced by isofold reduce " + std::string(word) + ".";
  }
  throw Failure(Exit::bad_input, no_such("command", word, names) + "." + way_out);
}

// A word that the parser left over and that looks like an option: refused with the option that was
// meant. The parser may have given up for another reason, which is often a result of this one.
void check_options(const CLI::App& program) {
  const std::vector<std::string> words = program.remaining(true);
  const auto unknown = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return word.size() > 1 && word[0] == '-' && word != "--";
  });
  if (unknown == words.end()) {
    return;
  }
  const std::vector<CLI::App*> commands = program.get_subcommands();
  const CLI::App& command = commands.empty() ? program : *commands.front();
  const std::string word = unknown->substr(0, unknown->find('='));
  for (const CLI::App* other : program.get_subcommands({})) {
    if (commands.empty() && other->get_option_no_throw(word) != nullptr) {
      throw Failure(Exit::bad_input, "'" + word + "' is an option of a command, such as isofold " +
                                         other->get_name() + " " + word + ".");
    }
  }
  if (!commands.empty() && program.get_option_no_throw(word) != nullptr) {
    throw Failure(Exit::bad_input, "'" + word + "' is an option of the program, as in isofold " +
                                       word + ", and none of isofold " + command.get_name() + ".");
  }
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  const bool is_file = ::access(unknown->c_str(), F_OK) == 0;
  const std::string way_out = is_file ? " The file of that name is ./" + *unknown + "." : "";
  const std::string kind = "option of isofold" + (commands.empty() ? "" : " " + command.get_name());
  throw Failure(Exit::bad_input, no_such(kind, word, names) + "." + way_out);
}

int run(int argc, char** argv) {
  CLI::App program("Reductions with the same bits on every backend", "isofold");
  program.set_version_flag("--version", std::string("isofold ") + isofold_version());
  program.require_subcommand(1);
  program.footer(footer);
  const Command commands[] = {add_info(program),     add_reduce(program), add_verify(program),
                              add_fuzz(program),     add_diff(program),   add_fingerprint(program),
                              add_generate(program), add_bench(program),  add_completion(program),
                              add_manual(program)};
  if (argc < 2) {
    std::cout << program.help();
    return leave(program, CLI::Success());
  }
  check_command(program, argv[1]);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& reason) {
    if (reason.get_exit_code() != 0) {  // which is that of help
      check_options(program);
    }
    return leave(program, reason);
  }
  for (const Command& command : commands) {
    if (command.parser->parsed()) {
      return static_cast<int>(command.run());
    }
  }
  return static_cast<int>(Exit::bad_input);
}

}  // namespace
}  // namespace cli

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is then an error of write(), with a sentence
  std::signal(SIGXFSZ, SIG_IGN);  // likewise a file beyond the limit of sizes (ulimit -f)
  cli::fill_standard_descriptors();
  try {
    return cli::run(argc, argv);
  } catch (const cli::Failure& failure) {
    return cli::report(failure.exit(), failure.what());
  } catch (const isofold::Error& error) {
    return cli::report(cli::exit_of(error.code()), cli::library_sentence(error));
  } catch (const std::bad_alloc&) {
    return cli::report(cli::Exit::failed, "There is not enough memory for this.");
  } catch (const std::exception& error) {
    return cli::report(cli::Exit::failed, error.what());
  }
}
