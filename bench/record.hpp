// One measured line, in the shape that every program of bench/ and `isofold bench` writes: JSON,
// one object a line, or CSV. bench/plot.py reads the JSON.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace bench {

// Tables are for people; the other two hold a line a record.
enum class Format { table, csv, json };

// Times of one run in seconds, over several rounds.
struct LinearisedMask {
  double best = 0;
  double median = 0;
  double spread = 0;  // from the first to the third quartile, as a share of the median
};

inline LinearisedMask linearised_mask_of(std::vector<double> seconds) {
  if (seconds.empty()) {
    return {};
  }
  std::sort(seconds.begin(), seconds.end());
  const std::size_t n = seconds.size();
  const double median = seconds[n / 2];
  return {seconds.front(), median, (seconds[3 * n / 4] - seconds[n / 4]) / median};
}

// The times that rates are made from. A CPU shared with others is judged by its best round, a
// device of its own by the median.
enum class Rates { best, median };

struct Record {
  std::string program;
  std::string device;
  std::string name;  // isofold, a peer, a rung of the ladder, or "read limit"
  std::string backend;
  std::string guarantee;  // "" for what promises nothing
  std::string fold;
  std::string type;
  std::string shape;  // array or rows
  std::int64_t rows = 1;
  std::int64_t length = 0;
  std::int64_t bytes = 0;
  int threads = 0;  // of a CPU; 0 where that says nothing
  LinearisedMask time;
  Rates rates = Rates::median;
  double limit = 0;  // seconds to read as many bytes; 0: not known
  std::string note;
  std::vector<std::pair<std::string, double>> ratios;  // what one program alone tells

  std::int64_t count() const { return rows * length; }
  double seconds() const { return rates == Rates::best ? time.best : time.median; }
  double gigabytes() const { return static_cast<double>(bytes) / seconds() * 1e-9; }
  double elements() const { return static_cast<double>(count()) / seconds(); }
  double share() const { return limit / seconds(); }
};

namespace detail {

struct Field {
  std::string name;
  std::string text;
  bool quoted;
};

inline std::string number(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// The names of the fields are a contract with bench/plot.py and with whoever keeps such lines.
inline std::vector<Field> fields_of(const Record& r) {
  const auto whole = [](std::int64_t value) { return std::to_string(value); };
  std::vector<Field> fields{{"program", r.program, true},
                            {"device", r.device, true},
                            {"name", r.name, true},
                            {"backend", r.backend, true},
                            {"guarantee", r.guarantee, true},
                            {"fold", r.fold, true},
                            {"type", r.type, true},
                            {"shape", r.shape, true},
                            {"rows", whole(r.rows), false},
                            {"length", whole(r.length), false},
                            {"count", whole(r.count()), false},
                            {"bytes", whole(r.bytes), false},
                            {"threads", whole(r.threads), false},
                            {"best_ns", number("%.2f", r.time.best * 1e9), false},
                            {"median_ns", number("%.2f", r.time.median * 1e9), false},
                            {"spread", number("%.4f", r.time.spread), false},
                            {"rates_from", r.rates == Rates::best ? "best" : "median", true},
                            {"gigabytes_per_second", number("%.2f", r.gigabytes()), false},
                            {"elements_per_second", number("%.5g", r.elements()), false},
                            {"share_of_read_limit", "null", false},
                            {"note", r.note, true}};
  if (r.limit > 0) {
    fields[fields.size() - 2].text = number("%.4f", r.share());
  }
  for (const auto& [name, value] : r.ratios) {
    fields.push_back({name, number("%.4f", value), false});
  }
  return fields;
}

inline std::string json_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
    }
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}
inline std::string csv_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    out += c;
    if (c == '"') {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace detail

inline std::string json_of(const Record& record) {
  std::string line = "{";
  for (const detail::Field& field : detail::fields_of(record)) {
    line += (line.size() == 1 ? "" : ",") + detail::json_string(field.name) + ":" +
            (field.quoted ? detail::json_string(field.text) : field.text);
  }
  return line + "}\n";
}

inline std::string csv_header_of(const Record& record) {
  std::string line;
  for (const detail::Field& field : detail::fields_of(record)) {
    line += (line.empty() ? "" : ",") + field.name;
  }
  return line + "\n";
}

inline std::string csv_of(const Record& record) {
  std::string line;
  bool first = true;
  for (const detail::Field& field : detail::fields_of(record)) {
    const bool empty = field.text == "null";
    line += first ? "" : ",";
    line += field.quoted ? detail::csv_string(field.text) : (empty ? "" : field.text);
    first = false;
  }
  return line + "\n";
}

// The text of all records, as JSON lines or as CSV, with its header if that has not been written
// yet.
inline std::string lines_of(const std::vector<Record>& records, Format format, bool header = true) {
  std::string text;
  for (const Record& record : records) {
    if (format == Format::csv && header && text.empty()) {
      text = csv_header_of(record);
    }
    text += format == Format::csv ? csv_of(record) : json_of(record);
  }
  return text;
}

}  // namespace bench
