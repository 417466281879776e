// isofold generate: the data sets of docs/test_data.md as .npy files.
#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <conformance/test_data.hpp>

#include "commands.hpp"
#include "file.hpp"
#include "names.hpp"
#include "npy.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "types.hpp"

namespace cli {
namespace {

using isofold::test_data::Recipe;

struct Distribution {
  const char* name;
  Recipe recipe;
};
constexpr Distribution distributions[] = {{"uniform", Recipe::uniform},
                                          {"normal", Recipe::normal},
                                          {"cancelling", Recipe::cancelling},
                                          {"wide", Recipe::wide}};
// The number of elements that are made and written together: 16 MiB of the widest type.
constexpr std::int64_t block = std::int64_t{1} << 20;

struct GenerateArguments {
  std::string file;
  std::string type = "f64";
  std::string distribution = "uniform";
  std::int64_t count = 0;
  std::uint64_t seed = 0;
};

template <class T>
void write_elements(Output& out, Recipe recipe, std::uint64_t seed, std::int64_t count) {
  std::vector<T> elements(static_cast<std::size_t>(std::min(block, count)));
  Progress progress(static_cast<std::uint64_t>(count) * sizeof(T));
  for (std::int64_t first = 0; first < count; first += block) {
    const std::int64_t some = std::min(block, count - first);
    isofold::test_data::fill(recipe, seed, count, elements.data(), first, some);
    const std::size_t bytes = static_cast<std::size_t>(some) * sizeof(T);
    out.write(elements.data(), bytes);
    progress.advance(bytes);
  }
}

Exit generate(const GenerateArguments& arguments) {
  const isofold::Type type = named(named_types, arguments.type).type;
  const Recipe recipe = named(distributions, arguments.distribution).recipe;
  if (arguments.count > std::numeric_limits<std::int64_t>::max() / bytes_of(type) - 128) {
    throw Failure(Exit::bad_input, std::to_string(arguments.count) + " elements of " +
                                       arguments.type +
                                       " have more bytes than a 64-bit number can "
                                       "count; ask for fewer.");
  }
  visit_type(type, [&](auto typed) {
    using T = decltype(typed);
    if (!isofold::test_data::has_recipe<T>(recipe)) {
      throw Failure(Exit::bad_input,
                    "The distribution " + arguments.distribution +
                        " exists for f32, f64, c64 and c128 only; the other types have uniform.");
    }
    if (arguments.file == "-" && ::isatty(STDOUT_FILENO) == 1) {
      throw Failure(Exit::bad_input, "A .npy file is binary and standard output is a terminal; "
                                     "give a file, or pipe it into another program.");
    }
    Output out(arguments.file);
    out.write(npy::header_of(type, arguments.count));
    write_elements<T>(out, recipe, arguments.seed, arguments.count);
    out.finish();
  });
  return Exit::fine;
}

}  // namespace

Command add_generate(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "generate", "Write a .npy file of random numbers, the same bits on every machine");
  const auto arguments = std::make_shared<GenerateArguments>();
  parser->add_option("OUT.npy", arguments->file, "The file to write; - is standard output")
      ->required();
  parser->add_option("--type", arguments->type, "What an element is")
      ->check(one_of("type", names_of(named_types)))
      ->capture_default_str();
  parser->add_option("--count", arguments->count, "How many elements, such as 1000, 1e6 or 2^20")
      ->required()
      ->transform(number_of_elements(0));
  parser->add_option("--seed", arguments->seed, "Another seed gives other numbers")
      ->check(whole_number<std::uint64_t>())
      ->capture_default_str();
  parser
      ->add_option(
          "--distribution", arguments->distribution,
          "uniform: in [-1, 1), integers over their whole range. normal: mean 0, variance 1. "
          "cancelling: neighbours cancel to about a millionth. wide: magnitudes over 19 "
          "orders. Complex elements are made of two such numbers each. Types other than f32, f64, "
          "c64 and c128 have uniform only")
      ->check(one_of("distribution", names_of(distributions)))
      ->capture_default_str();
  return {parser, [arguments] { return generate(*arguments); }};
}

}  // namespace cli
