// isofold reduce: one fold over one file, in blocks, on any backend.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <isofold/core/tree.hpp>
#include <isofold/forest.hpp>

#include "commands.hpp"
#include "engine.hpp"
#include "file.hpp"
#include "numbers.hpp"
#include "open_ended.hpp"
#include "progress.hpp"
#include "source.hpp"
#include "types.hpp"
#include "values.hpp"

namespace cli {
namespace {

using isofold::core::chunk_elements;

struct Arguments {
  std::string file;
  std::string fold;
  std::string type;
  std::string guarantee;
  bool rows = false;
  bool json = false;
  // 64 MiB: large enough that a block costs nothing beside its data, small enough to see progress.
  std::uint64_t block_bytes = std::uint64_t{64} << 20;
  EngineOptions engine;
};

class Results {
 public:
  Results(isofold::Fold fold, isofold::Type type, std::int64_t rows)
      : rows_(rows),
        each_(result_bytes(fold, type)),
        bytes_(static_cast<std::size_t>(std::max<std::int64_t>(rows, 1) * each_)) {
    const int count = isofold_result_components(static_cast<std::int32_t>(fold),
                                                static_cast<std::int32_t>(type), nullptr, 0);
    components_.resize(static_cast<std::size_t>(count));
    isofold_result_components(static_cast<std::int32_t>(fold), static_cast<std::int32_t>(type),
                              components_.data(), count);
  }

  std::int64_t size() const { return rows_; }
  void* at(std::int64_t row) { return bytes_.data() + row * each_; }
  const std::vector<isofold_component>& components() const { return components_; }

  std::int64_t count = 0;  // elements that were reduced

 private:
  std::int64_t rows_;
  std::int64_t each_;
  std::vector<unsigned char> bytes_;
  std::vector<isofold_component> components_;
};

// The C ABI's Forest, typed at run time.
class ForestHandle {
 public:
  ForestHandle(isofold::Fold fold, isofold::Type type, std::int64_t count) {
    isofold_forest* forest = nullptr;
    isofold::check(isofold_forest_create(static_cast<std::int32_t>(fold),
                                         static_cast<std::int32_t>(type), count, &forest));
    forest_.reset(forest);
  }
  isofold_forest* get() const { return forest_.get(); }

 private:
  struct Destroy {
    void operator()(isofold_forest* forest) const { isofold_forest_destroy(forest); }
  };
  std::unique_ptr<isofold_forest, Destroy> forest_;
};

class Job {
 public:
  Job(isofold::Fold fold, Source& source, Engine& engine, std::uint64_t block_bytes)
      : fold_(fold), source_(source), engine_(engine), progress_(total_bytes(source)) {
    const std::uint64_t chunk_bytes =
        static_cast<std::uint64_t>(chunk_elements * bytes_of(source.type()));
    const std::uint64_t chunks = std::max<std::uint64_t>(1, block_bytes / chunk_bytes);
    // No array has more elements than this, so larger blocks need no larger number.
    const std::uint64_t most = static_cast<std::uint64_t>(INT64_MAX) / chunk_bytes;
    block_ = static_cast<std::int64_t>(std::min(chunks, most)) * chunk_elements;
  }

  // One result over everything.
  void array(void* result) {
    if (engine_.guarantee() != isofold::Guarantee::same_bits) {
      std::int64_t count = 0;  // only the tree can be cut into pieces
      const void* data = source_.all(count);
      engine_.reduce(engine_.reach(data, count), count, result);
      count_ = count;
    } else if (source_.count().has_value()) {
      known(*source_.count(), result);
      count_ = *source_.count();
    } else {
      open_ended(result);
    }
  }

  // One result a row.
  void rows(Results& results) {
    const std::int64_t length = source_.length();
    const bool in_pieces = engine_.guarantee() == isofold::Guarantee::same_bits;
    if (length > block_ && in_pieces) {
      for (std::int64_t row = 0; row < source_.rows(); ++row) {
        known(length, results.at(row));
      }
    } else {
      // The results of a block are held too: of rows of 0 and 1 elements they would need more room
      // than a block.
      const std::int64_t row_room = std::max<std::int64_t>(2, length);
      const std::int64_t rows_a_block = std::max<std::int64_t>(1, block_ / row_room);
      for (std::int64_t row = 0; row < source_.rows(); row += rows_a_block) {
        const std::int64_t some = std::min(rows_a_block, source_.rows() - row);
        const void* data = source_.next(some * length);
        engine_.reduce_rows(engine_.reach(data, some * length), some, length, results.at(row));
        advance(some * length);
      }
    }
    count_ = *source_.count();
  }

  std::int64_t count() const { return count_; }

 private:
  static std::optional<std::uint64_t> total_bytes(const Source& source) {
    if (!source.count().has_value()) {
      return std::nullopt;
    }
    return static_cast<std::uint64_t>(*source.count() * bytes_of(source.type()));
  }
  void advance(std::int64_t elements) {
    progress_.advance(static_cast<std::uint64_t>(elements * bytes_of(source_.type())));
  }

  // The next `count` elements as one array.
  void known(std::int64_t count, void* result) {
    if (count <= block_) {
      engine_.reduce(engine_.reach(source_.next(count), count), count, result);
      advance(count);
      return;
    }
    const ForestHandle forest(fold_, source_.type(), count);
    for (std::int64_t first = 0; first < count; first += block_) {
      const std::int64_t some = std::min(block_, count - first);
      const void* data = engine_.reach(source_.next(some), some);
      isofold::check(isofold_forest_add(forest.get(), engine_.handle(), data, first, some));
      advance(some);
    }
    isofold::check(isofold_forest_finish(forest.get(), result));
  }

  // Everything up to an end that nobody has told: blocks of 2^level chunks.
  void open_ended(void* result) {
    int level = 0;
    while ((std::int64_t{2} << level) * chunk_elements <= block_) {
      ++level;
    }
    const std::int64_t block = (std::int64_t{1} << level) * chunk_elements;
    std::int64_t some = 0;
    const void* data = source_.next_some(block, some);
    if (some < block) {
      engine_.reduce(engine_.reach(data, some), some, result);
      count_ = some;
      return;
    }
    const std::unique_ptr<OpenEnded> tree = OpenEnded::of(fold_, source_.type());
    for (std::int64_t index = 0; some > 0; ++index) {
      engine_.reduce(engine_.reach(data, some), some, tree->state(), ISOFOLD_STATE);
      tree->push(level, index);
      count_ += some;
      advance(some);
      data = some == block ? source_.next_some(block, some) : (some = 0, nullptr);
    }
    tree->finish(count_, result);
  }

  isofold::Fold fold_;
  Source& source_;
  Engine& engine_;
  Progress progress_;
  std::int64_t block_ = 0;
  std::int64_t count_ = 0;
};

// ---- output ---------------------------------------------------------------------------------

std::string quoted(const std::string& text) { return "\"" + text + "\""; }
std::string quoted_bits(isofold::Type type, const void* value) {
  return quoted(bits_text(type, value));
}
std::string quoted_type(isofold::Type type, const void*) { return quoted(type_name(type)); }

using Text = std::string (*)(isofold::Type, const void*);

// One result: its text, or an object with that of each component.
std::string json_of(Results& results, std::int64_t row, Text text) {
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

void write_list(Output& out, Results& results, Text text) {
  out.write("[");
  for (std::int64_t i = 0; i < results.size(); ++i) {
    out.write(i == 0 ? "" : ",");
    out.write(json_of(results, i, text));
  }
  out.write("]");
}

// Written by hand: a JSON library has one type of floating-point number and would print the
// shortest double of an f32.
void write_json(Output& out, const Arguments& arguments, const Source& source, const Engine& engine,
                Results& results) {
  const auto field = [&](const char* name, const std::string& text) {
    out.write("\"" + std::string(name) + "\":" + text + ",");
  };
  out.write("{");
  field("definition", quoted(definition));
  if (engine.guarantee() != isofold::Guarantee::same_bits) {
    field("guarantee", quoted("within_bound"));
  }
  field("fold", quoted(arguments.fold));
  field("type", quoted(type_name(source.type())));
  field("result_type", json_of(results, 0, quoted_type));
  field("count", std::to_string(results.count));
  if (arguments.rows) {
    field("rows", std::to_string(source.rows()));
    field("length", std::to_string(source.length()));
  }
  field("backend", quoted(engine.backend()));
  if (arguments.rows) {
    out.write("\"value\":");
    write_list(out, results, value_json);
    out.write(",\"bits\":");
    write_list(out, results, quoted_bits);
  } else {
    field("value", json_of(results, 0, value_json));
    out.write("\"bits\":" + json_of(results, 0, quoted_bits));
  }
  out.write("}\n");
}

void write_text(Output& out, Results& results) {
  for (std::int64_t i = 0; i < results.size(); ++i) {
    const char* separator = "";
    for (const isofold_component& component : results.components()) {
      const auto* value = static_cast<const char*>(results.at(i)) + component.offset;
      out.write(separator + value_text(static_cast<isofold::Type>(component.type), value));
      separator = " ";
    }
    out.write("\n");
  }
}

// ---- the command ----------------------------------------------------------------------------

std::optional<isofold::Type> find_type(const std::string& name) {
  for (const NamedType& named : named_types) {
    if (name == named.name) {
      return named.type;
    }
  }
  return std::nullopt;
}

isofold::Fold find_fold(const std::string& name) {
  const auto* found = std::find_if(std::begin(named_folds), std::end(named_folds),
                                   [&](const NamedFold& named) { return name == named.name; });
  return found->fold;  // the parser lets no other name through
}

Exit reduce(Arguments arguments) {
  if (!arguments.guarantee.empty()) {
    arguments.engine.guarantee = arguments.guarantee == "same_bits"
                                     ? isofold::Guarantee::same_bits
                                     : isofold::Guarantee::within_bound;
  }
  const isofold::Fold fold = find_fold(arguments.fold);
  Source source(arguments.file, find_type(arguments.type), arguments.rows);
  Engine engine(fold, source.type(), arguments.rows ? ISOFOLD_SHAPE_rows : ISOFOLD_SHAPE_array,
                arguments.engine);
  if (engine.guarantee() != isofold::Guarantee::same_bits && arguments.guarantee.empty()) {
    std::fprintf(stderr,
                 "isofold: the backend %s promises a result within the error bound, not the "
                 "bits of %s.\n",
                 arguments.engine.backend.c_str(), definition);
  }

  Results results(fold, source.type(), arguments.rows ? source.rows() : 1);
  {
    Job job(fold, source, engine, arguments.block_bytes);
    arguments.rows ? job.rows(results) : job.array(results.at(0));
    results.count = job.count();
  }
  source.expect_end();

  Output out("-");
  arguments.json ? write_json(out, arguments, source, engine, results) : write_text(out, results);
  out.finish();
  return Exit::fine;
}

}  // namespace

Command add_reduce(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("reduce", "Reduce the numbers in a file to one result, or "
                                       "to one result a row");
  const auto arguments = std::make_shared<Arguments>();
  parser
      ->add_option("FILE", arguments->file,
                   "A .npy file, or raw little-endian binary with --type; - is standard input")
      ->required();
  parser->add_option("--fold", arguments->fold, "What to compute")
      ->required()
      ->check(CLI::IsMember(folds_of_one_file()));
  parser
      ->add_option("--backend", arguments->engine.backend,
                   "Where to compute; without it openmp, else reference. A device backend gets the "
                   "data through a buffer in its memory")
      ->envname("ISOFOLD_BACKEND")
      ->check(CLI::IsMember(isofold::backend_names()));
  parser->add_flag("--rows", arguments->rows, "One result for each row of 2-D data");
  parser
      ->add_option("--type", arguments->type,
                   "The file is raw binary of this type; a .npy file says it itself")
      ->check(CLI::IsMember(names_of(named_types)));
  parser->add_flag("--json", arguments->json, "Print JSON, with the bits of the result");
  parser
      ->add_option(
          "--block-bytes", arguments->block_bytes,
          "Most bytes that are read, or held on a device, at once: cut down to whole chunks "
          "of 1024 elements, at least one. Units such as 1MiB are understood. Never changes "
          "a bit")
      ->transform(number_of_bytes())
      ->capture_default_str();
  parser
      ->add_option("--threads", arguments->engine.threads,
                   "Most CPU threads; 0 takes what OpenMP grants. Never changes a bit")
      ->check(whole_number<std::int32_t>())
      ->capture_default_str();
  parser->add_option("--device", arguments->engine.device, "Number of the device of --backend")
      ->check(whole_number<std::int32_t>())
      ->capture_default_str();
  parser
      ->add_option(
          "--guarantee", arguments->guarantee,
          "same_bits insists on the bits of the definition; within_bound allows any order "
          "of combination, and reads all of the input into memory. Without it, the strongest "
          "that the backend has")
      ->check(CLI::IsMember(std::vector<std::string>{"same_bits", "within_bound"}));
  return {parser, [arguments] { return reduce(*arguments); }};
}

}  // namespace cli
