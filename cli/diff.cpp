// isofold diff: tells whether two arrays have equal bits, and where they differ.
#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include <isofold/detail/core/tree.hpp>

#include "commands.hpp"
#include "difference.hpp"
#include "file.hpp"
#include "npy.hpp"
#include "numbers.hpp"
#include "types.hpp"
#include "values.hpp"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;
using isofold::core::chunk_count;
using isofold::core::chunk_elements;

struct DiffArguments {
  std::string first;
  std::string second;
  std::uint32_t ranges = 10;
  bool json = false;
};

void check_comparable(const Field& one, const Field& other) {
  if (one.type() != other.type()) {
    throw Failure(Exit::bad_input, "'" + one.name() + "' holds " + type_name(one.type()) +
                                       " and '" + other.name() + "' " + type_name(other.type()) +
                                       "; diff compares the bits of one type.");
  }
  if (one.shape() != other.shape()) {
    throw Failure(Exit::bad_input, "'" + one.name() + "' has the shape " +
                                       npy::shape_text(one.shape()) + " and '" + other.name() +
                                       "' has " + npy::shape_text(other.shape()) +
                                       "; diff compares arrays of the same shape.");
  }
}

std::string value_and_bits(isofold::Type type, const void* element) {
  return value_text(type, element) + " (" + bits_text(type, element) + ")";
}

std::string first_text(const Difference::First& first, const Field& field) {
  const bool is_flat = field.shape().size() == 1;
  return "index " + std::to_string(first.index) +
         (is_flat ? "" : ", at " + npy::shape_text(npy::position_of(first.index, field.shape()))) +
         ": " + value_and_bits(field.type(), first.elements[0].data()) + " and " +
         value_and_bits(field.type(), first.elements[1].data());
}

std::string ranges_text(const Difference& found) {
  std::string text;
  for (const isofold::IndexRange& range : found.listed) {
    text += std::string(text.empty() ? "  ranges    " : "            ") + "[" +
            std::to_string(range.first) + ", " + std::to_string(range.first + range.count) + ")\n";
  }
  const std::int64_t more = found.ranges - static_cast<std::int64_t>(found.listed.size());
  return more == 0 ? text
                   : text + std::string(text.empty() ? "  ranges    " : "            and ") +
                         std::to_string(more) + (text.empty() ? "" : " more") + "\n";
}

std::string as_text(const Difference& found, const Field& one, const Field& other) {
  const bool by_elements = found.digests[0].empty();
  const std::string both = one.name() + " and " + other.name();
  if (found.is_none()) {
    return both + " have the same " + (by_elements ? "bits" : "fingerprint " + found.digests[0]) +
           ": " + one.description() + "\n";
  }
  std::string text = both + " differ: " + one.description() + "\n";
  if (by_elements) {
    text += "  elements  " + std::to_string(found.elements) + " of " + std::to_string(one.count()) +
            "\n";
  }
  text += "  chunks    " + std::to_string(found.chunks) + " of " +
          std::to_string(chunk_count(one.count())) + ", of " + std::to_string(chunk_elements) +
          " elements each\n";
  if (found.first.has_value()) {
    text += "  first     " + first_text(*found.first, one) + "\n";
  }
  return text + ranges_text(found);
}

Json first_json(const Difference::First& first, const Field& field) {
  Json object{{"index", first.index}, {"position", npy::position_of(first.index, field.shape())}};
  for (const auto& element : first.elements) {
    object["values"].push_back(Json::parse(value_json(field.type(), element.data())));
    object["bits"].push_back(Json::parse(bits_json(field.type(), element.data())));
  }
  return object;
}

std::string as_json(const Difference& found, const Field& one, const Field& other) {
  const bool by_elements = found.digests[0].empty();
  Json ranges = Json::array();
  for (const isofold::IndexRange& range : found.listed) {
    ranges.push_back({{"first", range.first}, {"count", range.count}});
  }
  Json all{{"files", {one.name(), other.name()}},
           {"equal", found.is_none()},
           {"compared", by_elements ? "elements" : "fingerprints"},
           {"type", type_name(one.type())},
           {"shape", one.shape()},
           {"elements", one.count()},
           {"chunks", chunk_count(one.count())},
           {"differing_chunks", found.chunks},
           {"differing_ranges", found.ranges},
           {"ranges", ranges}};
  if (by_elements) {
    all["differing_elements"] = found.elements;
  } else {
    all["digests"] = found.digests;
  }
  if (found.first.has_value()) {
    all["first"] = first_json(*found.first, one);
  }
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Exit diff(const DiffArguments& arguments) {
  if (arguments.first == "-" && arguments.second == "-") {
    throw Failure(Exit::bad_input,
                  "Standard input cannot be both arrays; give a file for one of them.");
  }
  Field one(arguments.first);
  Field other(arguments.second);
  check_comparable(one, other);
  const Difference found = difference_of(one, other, arguments.ranges);
  Output out("-");
  out.write(arguments.json ? as_json(found, one, other) : as_text(found, one, other));
  out.finish();
  return found.is_none() ? Exit::fine : Exit::difference;
}

constexpr const char* diff_footer =
    "Exit codes: 0 the same bits, 1 other bits, 2 not comparable: other types or shapes, or bad\n"
    "files.\n"
    "\n"
    "Bits count, not values: -0.0 and 0.0 differ, and so do NaNs of other payloads. The ranges\n"
    "are the elements that differ between two .npy files, and whole chunks of 1024 elements if\n"
    "one file is a fingerprint (isofold fingerprint). Indices count elements as they lie in the\n"
    "file, the last dimension fastest.\n"
    "\n"
    "Examples:   isofold diff a.npy b.npy\n"
    "            isofold diff a.npy b.fingerprint --json";

}  // namespace

Command add_diff(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "diff", "Tell whether two arrays have the same bits, and where they have not");
  parser->footer(diff_footer);
  const auto arguments = std::make_shared<DiffArguments>();
  parser
      ->add_option("FIRST", arguments->first,
                   "A .npy file, x.npz:name, or the fingerprint of one; - is standard input")
      ->required();
  parser->add_option("SECOND", arguments->second, "The other, of the same type and shape")
      ->required();
  parser->add_option("--ranges", arguments->ranges, "List at most so many ranges of indices")
      ->check(whole_number<std::uint32_t>())
      ->capture_default_str();
  parser->add_flag("--json", arguments->json, "Print JSON");
  return {parser, [arguments] { return diff(*arguments); }};
}

}  // namespace cli
