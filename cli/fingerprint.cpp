// isofold fingerprint: 64 bits for each 1024 elements of a file, to compare with another machine's.
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <nlohmann/json.hpp>

#include <isofold/detail/core/tree.hpp>

#include "commands.hpp"
#include "field.hpp"
#include "file.hpp"
#include "types.hpp"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

struct FingerprintArguments {
  std::string file;
  std::string output;
  bool json = false;
};

void check_output(const FingerprintArguments& arguments) {
  std::error_code missing;
  if (std::filesystem::equivalent(arguments.file, arguments.output, missing)) {
    throw Failure(Exit::bad_input, "'" + arguments.output +
                                       "' is the input itself, which would be lost; write the "
                                       "fingerprint to another file.");
  }
  if (arguments.output == "-" && arguments.json) {
    throw Failure(Exit::bad_input, "Standard output cannot carry both the fingerprint and JSON; "
                                   "give --output a file.");
  }
  if (arguments.output == "-" && ::isatty(STDOUT_FILENO) == 1) {
    throw Failure(Exit::bad_input, "A fingerprint is binary and standard output is a terminal; "
                                   "give a file, or pipe it into another program.");
  }
}

std::string as_json(const Field& field, const isofold::Fingerprint& fingerprint) {
  const Json all{{"file", field.name()},
                 {"digest", digest_text(fingerprint)},
                 {"type", type_name(field.type())},
                 {"shape", field.shape()},
                 {"elements", field.count()},
                 {"chunks", isofold::core::chunk_count(field.count())}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Exit fingerprint(const FingerprintArguments& arguments) {
  check_output(arguments);
  Field field(arguments.file);
  const isofold::Fingerprint made = field.fingerprint();
  if (!arguments.output.empty()) {
    const std::vector<unsigned char> bytes = made.to_bytes();
    Output file(arguments.output);
    file.write(bytes.data(), bytes.size());
    file.finish();
  }
  if (arguments.output != "-") {
    Output out("-");
    out.write(arguments.json
                  ? as_json(field, made)
                  : digest_text(made) + "  " + field.name() + ": " + field.description() + "\n");
    out.finish();
  }
  return Exit::fine;
}

}  // namespace

Command add_fingerprint(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "fingerprint", "Make of an array what isofold diff can compare without the array: a hash of "
                     "the bits of each 1024 elements");
  const auto arguments = std::make_shared<FingerprintArguments>();
  parser
      ->add_option("FILE", arguments->file,
                   "A .npy file, x.npz:name, or a fingerprint to look at; - is standard input")
      ->required();
  parser->add_option("-o,--output", arguments->output,
                     "Write the fingerprint here, 8 bytes for each 1024 elements; - is standard "
                     "output. Without it only the digest of all is printed");
  parser->add_flag("--json", arguments->json, "Print the digest as JSON");
  return {parser, [arguments] { return fingerprint(*arguments); }};
}

}  // namespace cli
