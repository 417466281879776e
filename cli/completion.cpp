// isofold completion: what a shell needs to complete the command line, made of the parser's own
// options. A value that is one of some names is completed by these, behind the last comma of a
// list, and any other one as the name of a file.
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "file.hpp"
#include "grammar.hpp"
#include "names.hpp"

namespace cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) {
    all += (all.empty() ? "" : " ") + word;
  }
  return all;
}

// Single quotes, inside which a shell leaves everything alone but their end, which `quote` stands
// for.
std::string in_quotes(const std::string& text, const std::string& quote = R"('\'')") {
  std::string all = "'";
  for (const char letter : text) {
    all += letter == '\'' ? quote : std::string(1, letter);
  }
  return all + "'";
}

// Returns what fits beside a name: the description up to the first end of a sentence or of a part
// of it.
std::string brief(const std::string& description) {
  const std::string text = description.substr(0, description.find_first_of(":;"));
  return text.substr(0, text.find(". "));
}

std::string spellings_of(const Usage& usage) {
  std::vector<std::string> all;
  for (const Argument& option : usage.options) {
    all.insert(all.end(), option.spellings.begin(), option.spellings.end());
  }
  return joined(all);
}

// ---- bash -----------------------------------------------------------------------------------

constexpr const char* bash_head =
    R"(# bash completion for isofold, printed by `isofold completion bash`.
_isofold() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words list=
  if [ "$word" = '=' ]; then
    word=
  elif [ "$before" = '=' ]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
  COMPREPLY=()
  case $COMP_CWORD:${COMP_WORDS[1]}:$before in
)";

constexpr const char* bash_tail = R"(    *) return ;;
  esac
  list=${word%"${word##*,}"}
  COMPREPLY=($(compgen -P "$list" -W "$words" -- "${word##*,}"))
}
complete -o default -F _isofold isofold
)";

std::string bash_case(const std::string& pattern, const std::string& words) {
  return "    " + pattern + ") " + (words.empty() ? "return" : "words=" + in_quotes(words)) +
         " ;;\n";
}

std::string bash(const Usage& program, const std::vector<Usage>& commands) {
  std::string names;
  std::string values;
  std::string options;
  for (const Usage& command : commands) {
    names += command.name + " ";
    for (const Argument& option : command.options) {
      if (option.takes_value) {
        for (const std::string& spelling : option.spellings) {
          values += bash_case("*:" + command.name + ":" + spelling, joined(option.values));
        }
      }
    }
    std::string words = spellings_of(command);
    for (const Argument& positional : command.positionals) {
      words = positional.values.empty() ? words : joined(positional.values) + " " + words;
    }
    options += bash_case("*:" + command.name + ":*", words);
  }
  return bash_head + bash_case("1:*", names + spellings_of(program)) + values + options + bash_tail;
}

// ---- zsh ------------------------------------------------------------------------------------

// Inside the brackets and between the colons of _arguments these letters have a meaning.
std::string zsh_text(const std::string& text) {
  std::string all;
  for (const char letter : text) {
    all += (letter == '[' || letter == ']' || letter == ':' || letter == '\\' ? "\\" : "");
    all += letter;
  }
  return all;
}

std::string zsh_value(const Argument& argument) {
  return argument.values.empty() ? "_files" : "_values -s , name " + joined(argument.values);
}

std::string zsh_options(const Usage& usage, const std::string& indent) {
  std::string lines;
  for (const Argument& option : usage.options) {
    for (const std::string& spelling : option.spellings) {
      std::string text = spelling + (option.takes_value ? "=" : "") + "[" +
                         zsh_text(brief(option.description)) + "]";
      if (option.takes_value) {
        text += ":value:" + zsh_value(option);
      }
      lines += " \\\n" + indent + in_quotes(text);
    }
  }
  for (const Argument& positional : usage.positionals) {
    lines += " \\\n" + indent + in_quotes(":" + positional.name + ":" + zsh_value(positional));
  }
  return lines;
}

std::string zsh(const Usage& program, const std::vector<Usage>& commands) {
  std::string names;
  std::string cases;
  for (const Usage& command : commands) {
    names += "    " + in_quotes(command.name + ":" + brief(command.description)) + "\n";
    cases +=
        "    " + command.name + ")\n      _arguments" + zsh_options(command, "        ") + " ;;\n";
  }
  return "#compdef isofold\n# zsh completion for isofold, printed by `isofold completion zsh`.\n"
         "local context state line\nlocal -a isofold_commands=(\n" +
         names + ")\n_arguments -C" + zsh_options(program, "  ") +
         " \\\n  '1:command:->command' \\\n  '*::argument:->argument'\n"
         "if [[ $state == command ]]; then\n  _describe command isofold_commands\n"
         "elif [[ $state == argument ]]; then\n  case $words[1] in\n" +
         cases + "  esac\nfi\n";
}

// ---- fish -----------------------------------------------------------------------------------

std::string fish_options(const Usage& usage, const std::string& condition) {
  std::string lines;
  for (const Argument& option : usage.options) {
    lines += "complete -c isofold -n " + in_quotes(condition, R"(\')");
    for (const std::string& spelling : option.spellings) {
      const bool is_long = spelling.size() > 2;
      lines += (is_long ? " -l " : " -s ") + spelling.substr(is_long ? 2 : 1);
    }
    if (!option.values.empty()) {  // also behind the commas of a list
      lines += " -x -a " + in_quotes("(__fish_complete_list , 'string split \" \" \"" +
                                         joined(option.values) + "\"')",
                                     R"(\')");
    } else if (option.takes_value) {
      lines += " -r -F";
    }
    lines += " -d " + in_quotes(brief(option.description), R"(\')") + "\n";
  }
  for (const Argument& positional : usage.positionals) {
    lines += positional.values.empty()
                 ? ""
                 : "complete -c isofold -n " + in_quotes(condition, R"(\')") + " -f -a " +
                       in_quotes(joined(positional.values), R"(\')") + "\n";
  }
  return lines;
}

std::string fish(const Usage& program, const std::vector<Usage>& commands) {
  std::string text = "# fish completion for isofold, printed by `isofold completion fish`.\n" +
                     fish_options(program, "__fish_use_subcommand");
  for (const Usage& command : commands) {
    text += "complete -c isofold -n __fish_use_subcommand -f -a " + command.name + " -d " +
            in_quotes(brief(command.description), R"(\')") + "\n" +
            fish_options(command, "__fish_seen_subcommand_from " + command.name);
  }
  return text;
}

struct Shell {
  const char* name;
  std::string (*completion)(const Usage& program, const std::vector<Usage>& commands);
};
constexpr Shell shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

}  // namespace

Command add_completion(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "completion",
      "Print what a shell needs to complete this program's commands, options and names");
  parser->footer("An installation has these files where the shells look for them. By hand:\n"
                 "            eval \"$(isofold completion bash)\"\n"
                 "            isofold completion fish | source");
  const auto shell = std::make_shared<std::string>();
  parser->add_option("SHELL", *shell, "The shell")
      ->required()
      ->check(one_of("shell", names_of(shells)));
  return {parser, [&program, shell] {
            Output out("-");
            out.write(named(shells, *shell).completion(usage_of(program), commands_of(program)));
            out.finish();
            return Exit::fine;
          }};
}

}  // namespace cli
