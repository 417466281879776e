// The commands of the program, for main(). Each adds itself to the parser and returns the function
// to run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "failure.hpp"

namespace cli {

struct Command {
  CLI::App* parser;
  std::function<Exit()> run;
};

Command add_info(CLI::App& program);
Command add_reduce(CLI::App& program);
Command add_verify(CLI::App& program);
Command add_generate(CLI::App& program);
Command add_bench(CLI::App& program);
Command add_diff(CLI::App& program);
Command add_fingerprint(CLI::App& program);
Command add_fuzz(CLI::App& program);
Command add_completion(CLI::App& program);
Command add_manual(CLI::App& program);

// The name of the definition whose bits the program speaks of.
inline constexpr const char* definition = "tree_v1";

// The names of a list, in the form that the parser's validators take.
template <class Named, std::size_t size>
std::vector<std::string> names_of(const Named (&list)[size]) {
  std::vector<std::string> names;
  for (const Named& named : list) {
    names.emplace_back(named.name);
  }
  return names;
}

}  // namespace cli
