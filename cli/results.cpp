// Results as text and as JSON. The JSON is written by hand: a JSON library has one type of
// floating-point number and would print the shortest double of an f32.
#include "results.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "commands.hpp"
#include "npy.hpp"
#include "types.hpp"
#include "values.hpp"

namespace cli {
namespace {

std::string quoted(const std::string& text) { return "\"" + text + "\""; }
std::string quoted_type(isofold::Type type, const void*) { return quoted(type_name(type)); }

using Text = std::string (*)(isofold::Type, const void*);

// One result: its text, or an object with that of each component.
std::string json_of(const Results& results, std::int64_t row, Text text) {
  std::string all;
  for (const isofold_component& component : results.components()) {
    const auto* value = static_cast<const char*>(results.at(row)) + component.offset;
    std::string one = text(static_cast<isofold::Type>(component.type), value);
    if (results.components().size() == 1) {
      return one;
    }
    all += (all.empty() ? "{" : ",") + quoted(component.name) + ":" + one;
  }
  return all + "}";
}

void write_list(Output& out, const Results& results, Text text) {
  out.write("[");
  for (std::int64_t i = 0; i < results.size(); ++i) {
    out.write(i == 0 ? "" : ",");
    out.write(json_of(results, i, text));
  }
  out.write("]");
}

void write_field(Output& out, const char* name, const std::string& text) {
  out.write(quoted(name) + ":" + text + ",");
}

void write_fold(Output& out, const Results& results) {
  write_field(out, "fold", quoted(fold_name(results.fold())));
}
void write_result_type(Output& out, const Results& results) {
  write_field(out, "result_type", json_of(results, 0, quoted_type));
}

// [4,5,6]
std::string list_of(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) {
    text += (text.empty() ? "" : ",") + std::to_string(number);
  }
  return "[" + text + "]";
}

// Writes the number of rows, or the shape of the results.
void write_extent(Output& out, const Circumstances& circumstances) {
  if (circumstances.rows.has_value()) {
    write_field(out, "rows", std::to_string(circumstances.rows->rows));
    write_field(out, "length", std::to_string(circumstances.rows->length));
  }
  if (circumstances.shape.has_value()) {
    write_field(out, "shape", list_of(*circumstances.shape));
  }
  if (circumstances.extents.has_value()) {
    write_field(out, "extents", list_of(*circumstances.extents));
  }
}

void write_values(Output& out, const Results& results, bool as_list) {
  if (as_list) {
    out.write("\"value\":");
    write_list(out, results, value_json);
    out.write(",\"bits\":");
    write_list(out, results, bits_json);
  } else {
    write_field(out, "value", json_of(results, 0, value_json));
    out.write("\"bits\":" + json_of(results, 0, bits_json));
  }
}

bool has_index(const Results& results) {
  return results.fold() == isofold::Fold::argmin || results.fold() == isofold::Fold::argmax;
}

void write_results(Output& out, const Circumstances& circumstances,
                   const std::vector<Results>& all) {
  out.write("\"results\":");
  const char* separator = "[";
  for (const Results& results : all) {
    out.write(separator);
    out.write("{");
    write_fold(out, results);
    write_result_type(out, results);
    if (circumstances.extents.has_value() && has_index(results)) {
      write_field(out, "position", list_of(position_of(results, circumstances)));
    }
    write_values(out, results, circumstances.has_list());
    out.write("}");
    separator = ",";
  }
  out.write("]");
}

// The bytes of all results. There may be more rows of no elements than any memory has results for.
std::size_t bytes_of_all(std::int64_t rows, std::int64_t each) {
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(std::max<std::int64_t>(rows, 1), each, &bytes)) {
    throw std::bad_alloc();
  }
  return static_cast<std::size_t>(bytes);
}

}  // namespace

Results::Results(isofold::Fold fold, isofold::Type elements, std::int64_t rows)
    : fold_(fold),
      rows_(rows),
      each_(result_bytes(fold, results_as(fold, elements))),
      bytes_(bytes_of_all(rows, each_)) {
  const isofold::Type type = results_as(fold, elements);
  const int count = isofold_result_components(static_cast<std::int32_t>(fold),
                                              static_cast<std::int32_t>(type), nullptr, 0);
  components_.resize(static_cast<std::size_t>(count));
  isofold_result_components(static_cast<std::int32_t>(fold), static_cast<std::int32_t>(type),
                            components_.data(), count);
  if (count == 2 && is_complex(type)) {
    complex_type_ = type;
  }
}

std::string text_of(const Results& results, std::int64_t row) {
  if (results.complex_type().has_value()) {
    return value_text(*results.complex_type(), results.at(row));
  }
  std::string all;
  for (const isofold_component& component : results.components()) {
    const auto* value = static_cast<const char*>(results.at(row)) + component.offset;
    all += (all.empty() ? "" : " ") + value_text(static_cast<isofold::Type>(component.type), value);
  }
  return all;
}

std::vector<std::int64_t> position_of(const Results& results, const Circumstances& circumstances) {
  std::int64_t index = 0;
  std::memcpy(&index, static_cast<const char*>(results.at(0)) + results.components().back().offset,
              sizeof index);
  return npy::position_of(index, *circumstances.extents);
}

void write_text(Output& out, const std::vector<Results>& all) {
  for (const Results& results : all) {
    const std::string name = all.size() > 1 ? fold_name(results.fold()) + " " : "";
    for (std::int64_t i = 0; i < results.size(); ++i) {
      out.write(name + text_of(results, i) + "\n");
    }
  }
}

void write_json(Output& out, const Circumstances& circumstances, const std::vector<Results>& all) {
  // A summary is a list, however few folds it has.
  const bool alone = all.size() == 1 && !circumstances.extents.has_value();
  out.write("{");
  write_field(out, "definition", quoted(circumstances.exact ? "exact_v1" : definition));
  if (!circumstances.same_bits) {
    write_field(out, "guarantee", quoted("within_bound"));
  }
  if (alone) {
    write_fold(out, all.front());
  }
  write_field(out, "type", quoted(type_name(circumstances.type)));
  if (circumstances.accumulator.has_value()) {
    write_field(out, "accumulator", quoted(type_name(*circumstances.accumulator)));
  }
  if (alone) {
    write_result_type(out, all.front());
  }
  write_field(out, "count", std::to_string(circumstances.count));
  if (circumstances.nans.has_value()) {
    write_field(out, "nan", std::to_string(*circumstances.nans));
  }
  write_extent(out, circumstances);
  write_field(out, "backend", quoted(circumstances.backend));
  if (alone) {
    write_values(out, all.front(), circumstances.has_list());
  } else {
    write_results(out, circumstances, all);
  }
  out.write("}\n");
}

}  // namespace cli
