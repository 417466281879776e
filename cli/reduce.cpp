// isofold reduce: folds over one file, or over two side by side, on any backend: in blocks, or over
// parts of data that are in memory as a whole.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

#include <isofold/detail/core/tree.hpp>

#include "block_tree.hpp"
#include "commands.hpp"
#include "engine.hpp"
#include "inputs.hpp"
#include "layout.hpp"
#include "names.hpp"
#include "nans.hpp"
#include "numbers.hpp"
#include "pieces.hpp"
#include "progress.hpp"
#include "range.hpp"
#include "results.hpp"
#include "selection.hpp"
#include "summary.hpp"
#include "types.hpp"

namespace cli {
namespace {

using isofold::core::chunk_elements;

struct ReduceArguments {
  std::string file;
  std::string second;
  std::vector<std::string> folds;
  std::string type;
  std::optional<std::string> shape;
  std::string order = "C";
  bool has_order = false;
  std::string range;
  std::string guarantee;
  std::string accumulator;
  bool rows = false;
  Selection selection;
  bool json = false;
  // 64 MiB: large enough that a block costs nothing beside its data, small enough to see progress.
  std::uint64_t block_bytes = std::uint64_t{64} << 20;
  bool has_block_bytes = false;
  bool has_device = false;
  EngineOptions engine;
};

// Every fold over every element, which is read once: each block is folded by all of them before the
// next one is read.
class Job {
 public:
  Job(std::vector<Question> questions, Inputs& inputs, Engine& engine, std::uint64_t block_bytes)
      : questions_(std::move(questions)),
        inputs_(inputs),
        engine_(engine),
        element_bytes_(bytes_of(inputs.type()) * inputs.arrays()),
        progress_(total_bytes()) {
    const auto chunk_bytes = static_cast<std::uint64_t>(chunk_elements * element_bytes_);
    // No array has more elements than this, so larger blocks need no larger number.
    const std::uint64_t most = static_cast<std::uint64_t>(INT64_MAX) / chunk_bytes;
    const std::uint64_t chunks = std::min(block_bytes / chunk_bytes, most);
    while ((std::uint64_t{2} << level_) <= chunks) {
      ++level_;
    }
    block_ = (std::int64_t{1} << level_) * chunk_elements;
  }

  // Returns how many elements each array had.
  std::int64_t array(std::vector<Results>& results) {
    if (in_pieces()) {
      return one_array(inputs_.count().value_or(INT64_MAX), results, 0);
    }
    std::int64_t count = 0;
    const Elements x = inputs_.all(count);
    fold_whole(engine_.reach(x, count), count, results, 0);
    return count;
  }

  // Reduces rows and returns how many elements each array had.
  std::int64_t rows(std::vector<Results>& results) {
    const std::int64_t length = inputs_.length();
    if (length > block_ && in_pieces()) {
      for (std::int64_t row = 0; row < inputs_.rows(); ++row) {
        one_array(length, results, row);
      }
    } else {
      // The results of a block are held, too: for rows of 0 and 1 elements they would need more
      // room than a block.
      const std::int64_t row_room = std::max<std::int64_t>(2, length);
      const std::int64_t rows_a_block = std::max<std::int64_t>(1, block_ / row_room);
      for (std::int64_t row = 0; row < inputs_.rows(); row += rows_a_block) {
        some_rows(row, std::min(rows_a_block, inputs_.rows() - row), results);
      }
    }
    return *inputs_.count();
  }

 private:
  // Only the tree can be cut into pieces.
  bool in_pieces() const { return engine_.guarantee() == isofold::Guarantee::same_bits; }
  std::optional<std::uint64_t> total_bytes() const {
    if (!inputs_.count().has_value()) {
      return std::nullopt;
    }
    return static_cast<std::uint64_t>(*inputs_.count()) *
           static_cast<std::uint64_t>(element_bytes_);
  }
  void advance(std::int64_t elements) {
    progress_.advance(static_cast<std::uint64_t>(elements * element_bytes_));
  }

  void some_rows(std::int64_t first, std::int64_t rows, std::vector<Results>& results) {
    const std::int64_t length = inputs_.length();
    const Elements x = engine_.reach(inputs_.next(rows * length), rows * length);
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      engine_.reduce(questions_[i], {ISOFOLD_SHAPE_rows, rows, length}, x, results[i].at(first));
    }
    advance(rows * length);
  }

  void fold_whole(Elements x, std::int64_t count, std::vector<Results>& results, std::int64_t row) {
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      engine_.reduce(questions_[i], {ISOFOLD_SHAPE_array, 1, count}, x, results[i].at(row));
    }
    advance(count);
  }

  // The next `most` elements as one array, or fewer where the input ends. Returns how many.
  std::int64_t one_array(std::int64_t most, std::vector<Results>& results, std::int64_t row) {
    std::int64_t some = 0;
    const Elements x = next_block(most, some);
    if (some == most || some < block_) {
      fold_whole(x, some, results, row);
      return some;
    }
    const std::vector<std::unique_ptr<BlockTree>> trees = trees_of_all();
    const std::int64_t count = fold_blocks(x, most, trees);
    for (std::size_t i = 0; i < trees.size(); ++i) {
      trees[i]->finish(count, results[i].at(row));
    }
    return count;
  }

  // At most a block of the at most `left` elements to come, in memory that the reducer reads.
  Elements next_block(std::int64_t left, std::int64_t& some) {
    const Elements x = inputs_.next_some(std::min(block_, left), some);
    return engine_.reach(x, some);
  }

  std::vector<std::unique_ptr<BlockTree>> trees_of_all() const {
    std::vector<std::unique_ptr<BlockTree>> trees;
    for (const Question& question : questions_) {
      trees.push_back(BlockTree::of(question.fold, engine_.accumulated(), engine_.exact()));
    }
    return trees;
  }

  // `x` is the first block, and a whole one. Returns the number of all elements.
  std::int64_t fold_blocks(Elements x, std::int64_t most,
                           const std::vector<std::unique_ptr<BlockTree>>& trees) {
    std::int64_t count = 0;
    std::int64_t some = block_;
    for (std::int64_t index = 0; some > 0; ++index) {
      for (std::size_t i = 0; i < trees.size(); ++i) {
        engine_.reduce(questions_[i], {ISOFOLD_SHAPE_array, 1, some}, x, trees[i]->state(),
                       ISOFOLD_STATE);
        trees[i]->push(level_, index);
      }
      count += some;
      advance(some);
      const bool at_end = some < block_;
      some = 0;
      if (!at_end) {
        x = next_block(most - count, some);
      }
    }
    return count;
  }

  std::vector<Question> questions_;
  Inputs& inputs_;
  Engine& engine_;
  std::int64_t element_bytes_;  // of one element of each array
  Progress progress_;
  int level_ = 0;  // a block is 2^level chunks, so that it is a node of the tree
  std::int64_t block_ = 0;
};

// ---- the command ----------------------------------------------------------------------------

std::optional<isofold::Type> find_type(const std::string& name) {
  for (const NamedType& named : named_types) {
    if (name == named.name) {
      return named.type;
    }
  }
  return std::nullopt;
}

std::optional<isofold::Fold> find_fold(const std::string& name) {
  const auto find_in = [&](const auto& list) -> std::optional<isofold::Fold> {
    const auto* found = std::find_if(std::begin(list), std::end(list),
                                     [&](const NamedFold& named) { return name == named.name; });
    return found != std::end(list) ? std::optional<isofold::Fold>(found->fold) : std::nullopt;
  };
  const std::optional<isofold::Fold> fold = find_in(named_folds);
  return fold.has_value() ? fold : find_in(other_fold_names);
}

// Prints the answer to --fold help: each fold, how many arrays it is of, and the types of elements
// that it has.
std::string table_of_folds() {
  std::string table = "fold                       arrays  elements";
  for (const NamedFold& entry : named_folds) {
    std::string name = entry.name;
    name.resize(std::max<std::size_t>(name.size(), 27), ' ');
    std::vector<std::string> types;
    for (const NamedType& type : named_types) {
      if (result_bytes(entry.fold, type.type) > 0) {
        types.emplace_back(type.name);
      }
    }
    table += "\n" + name + std::to_string(arrays_of(entry.fold)) + "       " + listed(types) +
             (takes_parameters(entry.fold) ? "; needs --range" : "");
  }
  return table + "\nMeans of integers are computed with --exact. min and max are other names of "
                 "minimum and "
                 "maximum.";
}

// The parser's own lists pass over empty names and let a list without any name through.
CLI::Validator names_of_known_folds() {
  const auto check = [](const std::string& text) -> std::string {
    if (text == "help") {
      print_instead(table_of_folds());
    }
    for (const std::string& name : split(text, ',')) {
      if (!find_fold(name).has_value()) {
        std::vector<std::string> names = names_of(named_folds);
        for (const std::string& other : names_of(other_fold_names)) {
          names.push_back(other);
        }
        const std::vector<std::string> words = split(name, ' ');
        if (words.size() > 1 &&
            std::all_of(words.begin(), words.end(),
                        [](const std::string& word) { return find_fold(word).has_value(); })) {
          std::string list = name;
          std::replace(list.begin(), list.end(), ' ', ',');
          return "'" + name + "' is no fold; commas separate folds: --fold " + list;
        }
        const bool is_numpys =
            name.compare(0, 3, "nan") == 0 && find_fold(name.substr(3)).has_value();
        return is_numpys ? "'" + name + "' is no fold; leave NaNs out with --skip-nan --fold " +
                               name.substr(3)
                         : no_such("fold", name, names);
      }
    }
    return {};
  };
  return CLI::Validator(check, "");
}

// The folds of --fold, in its order.
std::vector<isofold::Fold> folds_of(const std::vector<std::string>& lists) {
  std::vector<isofold::Fold> folds;
  for (const std::string& list : lists) {
    for (const std::string& name : split(list, ',')) {
      const isofold::Fold fold = *find_fold(name);  // the parser lets no other name through
      if (std::find(folds.begin(), folds.end(), fold) != folds.end()) {
        throw Failure(Exit::bad_input, "--fold names " + fold_name(fold) +
                                           " twice, which would print one result twice; name it "
                                           "once.");
      }
      folds.push_back(fold);
    }
  }
  return folds;
}

// The extents that --shape says: 100,200, or as people and programs write shapes, 100x200,
// (100, 200), [100 200].
std::vector<std::int64_t> extents_of(const std::string& written) {
  const std::string_view text = within_brackets(written);
  std::vector<std::int64_t> extents;
  if (text.empty() && !trimmed(written).empty()) {
    return extents;  // (), a single element
  }
  const std::size_t between = text.find_first_of(",xX*");
  const char separator = between != text.npos ? text[between] : ' ';
  for (const std::string& part : split(text, separator)) {
    if (separator == ' ' && part.empty() && !text.empty()) {
      continue;  // one of several blanks
    }
    std::string digits = part;
    if (!number_of_elements(0)(digits).empty()) {
      throw Failure(Exit::bad_input, "--shape '" + written + "' holds '" + part +
                                         "', which is no whole number of 64 bits; write the "
                                         "extents, such as 100,200.");
    }
    extents.push_back(*integer_of(digits));
  }
  return extents;
}

RawFormat raw_format_of(const ReduceArguments& arguments) {
  RawFormat raw(find_type(arguments.type));
  raw.fortran_order = arguments.order == "F";
  if (!arguments.shape.has_value()) {
    if (arguments.has_order) {
      throw Failure(Exit::bad_input, "--order says which dimension of --shape runs fastest in raw "
                                     "binary; give --shape, or leave it out.");
    }
    return raw;
  }
  raw.shape = extents_of(*arguments.shape);
  return raw;
}

bool takes_two(isofold::Fold fold) { return arrays_of(fold) == 2; }

// Folds of one array take the first of two files.
void check_arrays(const std::vector<isofold::Fold>& folds, const ReduceArguments& arguments) {
  const auto pairs = std::find_if(folds.begin(), folds.end(), takes_two);
  if (pairs != folds.end() && arguments.second.empty()) {
    throw Failure(Exit::bad_input, "The fold " + fold_name(*pairs) +
                                       " takes two arrays; give a second file, of the same type "
                                       "and shape as '" +
                                       arguments.file + "'.");
  }
  if (pairs == folds.end() && !arguments.second.empty()) {
    std::vector<std::string> names;
    std::transform(folds.begin(), folds.end(), std::back_inserter(names), fold_name);
    for (const std::string& word : {arguments.file, arguments.second}) {
      if (find_fold(word).has_value() && ::access(word.c_str(), F_OK) != 0) {
        throw Failure(Exit::bad_input, "There is no file '" + word +
                                           "'; commas separate folds: --fold " + names.back() +
                                           "," + word + ".");
      }
    }
    throw Failure(
        Exit::bad_input,
        "No fold of " + listed(names) + " takes more than one array; leave '" + arguments.second +
            "' out, or ask for one of two arrays: " + listed(names_of_folds(takes_two)) + ".");
  }
}

void check_range(const std::vector<isofold::Fold>& folds, bool has_range) {
  const auto taker = std::find_if(folds.begin(), folds.end(), takes_parameters);
  if (taker != folds.end() && !has_range) {
    throw Failure(Exit::bad_input, "The fold " + fold_name(*taker) +
                                       " needs --range LOW,HIGH, the least and the largest element "
                                       "that it counts.");
  }
  if (taker == folds.end() && has_range) {
    throw Failure(Exit::bad_input, "--range is for the fold " +
                                       listed(names_of_folds(takes_parameters)) +
                                       ", which --fold does not name; leave it out.");
  }
}

void check_standard_input(const ReduceArguments& arguments) {
  const Selection& selection = arguments.selection;
  const std::string paths[] = {arguments.file, arguments.second, selection.mask.value_or(""),
                               selection.segments.value_or("")};
  if (std::count(std::begin(paths), std::end(paths), "-") > 1) {
    throw Failure(Exit::bad_input,
                  "Standard input can be one of two files, not both; give a path for the other.");
  }
}

// Checks everything that can be told before a file is opened.
void check_usage(const std::vector<isofold::Fold>& folds, const ReduceArguments& arguments) {
  check_arrays(folds, arguments);
  check_range(folds, !arguments.range.empty());
  check_standard_input(arguments);
  check_selection(arguments.selection, arguments.rows, arguments.has_block_bytes);
}

Use use_of(const ReduceArguments& arguments) {
  if (arguments.selection.segments.has_value()) {
    return Use::segments;
  }
  if (!arguments.selection.given().empty()) {
    return Use::box;
  }
  return arguments.rows ? Use::rows : Use::array;
}

std::vector<std::string> paths_of(const ReduceArguments& arguments) {
  return arguments.second.empty() ? std::vector<std::string>{arguments.file}
                                  : std::vector<std::string>{arguments.file, arguments.second};
}

// `range` must live as long as the questions that point to it.
std::vector<Question> questions_of(const std::vector<isofold::Fold>& folds, const Range& range) {
  std::vector<Question> questions;
  for (const isofold::Fold fold : folds) {
    questions.push_back({fold, takes_parameters(fold) ? range.data() : nullptr});
  }
  return questions;
}

struct Answer {
  std::vector<Results> results;
  Circumstances circumstances;
};

Engine engine_for(const std::vector<Question>& questions, isofold::Type type, const Shape& shape,
                  const ReduceArguments& arguments) {
  Engine engine(questions, type, shape, arguments.engine);
  if (engine.guarantee() != isofold::Guarantee::same_bits && arguments.guarantee.empty()) {
    std::fprintf(stderr,
                 "isofold: the backend %s promises a result within the error bound, not the "
                 "bits of %s.\n",
                 arguments.engine.backend.c_str(), definition);
  }
  return engine;
}

std::vector<Results> room_for(const std::vector<Question>& questions, isofold::Type type,
                              std::int64_t rows) {
  std::vector<Results> results;
  for (const Question& question : questions) {
    results.emplace_back(question.fold, type, rows);
  }
  return results;
}

// The circumstances, known once the engine has answered.
Circumstances circumstances_of(const Inputs& inputs, std::int64_t count, const Engine& engine,
                               const ReduceArguments& arguments) {
  return {inputs.type(),
          arguments.engine.accumulator,
          arguments.engine.exact,
          count,
          engine.backend(),
          engine.guarantee() == isofold::Guarantee::same_bits,
          {},
          {},
          {},
          {}};
}

// Reduces all of the data, in the order of the files.
Answer reduce_in_blocks(const std::vector<Question>& questions, Inputs& inputs,
                        const ReduceArguments& arguments) {
  const Shape shape = arguments.rows ? Shape{ISOFOLD_SHAPE_rows} : Shape{};
  Engine engine = engine_for(questions, inputs.type(), shape, arguments);
  std::vector<Results> results =
      room_for(questions, engine.accumulated(), arguments.rows ? inputs.rows() : 1);
  std::int64_t count = 0;
  {
    Job job(questions, inputs, engine, arguments.block_bytes);
    count = arguments.rows ? job.rows(results) : job.array(results);
  }
  inputs.expect_end();
  Circumstances circumstances = circumstances_of(inputs, count, engine, arguments);
  if (arguments.rows) {
    circumstances.rows = {inputs.rows(), inputs.length()};
  }
  return {std::move(results), std::move(circumstances)};
}

// Reduces the elements that the selection takes.
Answer reduce_selection(const std::vector<Question>& questions, Inputs& inputs,
                        const ReduceArguments& arguments) {
  std::int64_t all = 0;
  Elements x = inputs.all(all);
  inputs.expect_end();
  const Layout layout(arguments.selection, inputs.extents());
  Engine engine = engine_for(questions, inputs.type(), layout.shape(), arguments);
  std::vector<Results> results = room_for(questions, engine.accumulated(), layout.shape().rows);
  x = engine.reach(x, all).from(layout.first() * bytes_of(engine.type()));
  const Shape shape = engine.reach(layout.shape());
  for (std::size_t i = 0; i < questions.size(); ++i) {
    engine.reduce(questions[i], shape, x, results[i].at(0));
  }
  Circumstances circumstances = circumstances_of(inputs, layout.count(), engine, arguments);
  circumstances.shape = layout.kept();
  return {std::move(results), std::move(circumstances)};
}

std::string backend_of_environment() {
  const std::vector<std::string> backends = backends_of_environment();
  if (backends.size() > 1) {
    throw Failure(Exit::bad_input, "The environment variable ISOFOLD_BACKEND holds " +
                                       listed(backends) + "; reduce takes one backend.");
  }
  if (backends.empty()) {
    return "";
  }
  if (!isofold::is_available(backends.front())) {
    throw Failure(Exit::unavailable,
                  "The environment variable ISOFOLD_BACKEND names '" + backends.front() +
                      "', which is not available: " + isofold::describe(backends.front()) + ".");
  }
  return backends.front();
}

// A summary is one of a file, or of what --box, --mask and --skip-nan leave of it; whatever asks
// for something else needs a fold.
void check_summary(const ReduceArguments& arguments) {
  Selection selection = arguments.selection;
  selection.skip_nan = false;
  selection.box.reset();
  selection.mask.reset();
  std::vector<std::string> others = selection.given();
  if (arguments.engine.packed_index) {
    others.emplace_back("--packed-index");
  }
  if (arguments.rows) {
    others.emplace_back("--rows");
  }
  if (!arguments.range.empty()) {
    others.emplace_back("--range");
  }
  for (const auto& [fold, file] :
       {std::pair(arguments.second, arguments.file), std::pair(arguments.file, arguments.second)}) {
    if (find_fold(fold).has_value() && ::access(fold.c_str(), F_OK) != 0) {
      throw Failure(Exit::bad_input, "There is no file '" + fold +
                                         "'; a fold is an option: isofold reduce " +
                                         (file.empty() ? "FILE" : file) + " --fold " + fold + ".");
    }
  }
  if (!arguments.second.empty()) {
    others.push_back("the second file '" + arguments.second + "'");
  }
  if (!others.empty()) {
    throw Failure(Exit::bad_input, "Without --fold, reduce summarises one file, or what --box, "
                                   "--mask and --skip-nan leave of it, and there is " +
                                       listed(others) + "; name a fold, such as --fold sum.");
  }
  check_selection(arguments.selection, arguments.rows, arguments.has_block_bytes);
}

// A summary's folds of the elements that --box, --mask and --skip-nan leave, which takes all of the
// file in memory.
class SelectedSummary {
 public:
  SelectedSummary(Inputs& inputs, const ReduceArguments& arguments)
      : inputs_(inputs),
        arguments_(arguments),
        x_(inputs.all(all_)),
        layout_(arguments.selection, inputs.extents()) {
    inputs.expect_end();
    if (arguments.selection.skip_nan) {
      nans_ = count_nans();
    }
  }

  Answer answer(const std::vector<Question>& questions) const {
    Answer answer = reduce(questions, arguments_);
    answer.circumstances.extents = layout_.extents();
    answer.circumstances.nans = nans_;
    return answer;
  }

 private:
  Answer reduce(const std::vector<Question>& questions, const ReduceArguments& arguments) const {
    Engine engine = engine_for(questions, inputs_.type(), layout_.shape(), arguments);
    std::vector<Results> results = room_for(questions, engine.accumulated(), 1);
    const Elements x = engine.reach(x_, all_).from(layout_.first() * bytes_of(engine.type()));
    const Shape shape = engine.reach(layout_.shape());
    for (std::size_t i = 0; i < questions.size(); ++i) {
      engine.reduce(questions[i], shape, x, results[i].at(0));
    }
    return {std::move(results),
            circumstances_of(inputs_, layout_.count() - nans_.value_or(0), engine, arguments)};
  }
  std::int64_t count_nans() const {
    if (is_complex(inputs_.type())) {
      if (!arguments_.selection.box.has_value() && !arguments_.selection.mask.has_value()) {
        return cli::count_nans(inputs_.type(), x_.data, all_);
      }
      throw Failure(Exit::bad_input,
                    "A summary of complex numbers has --skip-nan alone, or --box and --mask; name "
                    "a fold, such as --fold sum.");
    }
    ReduceArguments with_nans = arguments_;
    with_nans.engine.skip_nan = false;
    with_nans.engine.exact = false;
    const Answer counted = reduce({{isofold::Fold::count_nan}}, with_nans);
    std::int64_t nans = 0;
    std::memcpy(&nans, counted.results.front().at(0), sizeof nans);
    return nans;
  }

  Inputs& inputs_;
  const ReduceArguments& arguments_;
  std::int64_t all_ = 0;
  Elements x_;
  Layout layout_;
  std::optional<std::int64_t> nans_;
};

Exit summarise(const ReduceArguments& arguments) {
  check_summary(arguments);
  const bool selects = !arguments.selection.given().empty();
  Inputs inputs(paths_of(arguments), raw_format_of(arguments), selects ? Use::box : Use::field);
  const Range no_range{};
  std::optional<SelectedSummary> selected;
  if (selects) {
    selected.emplace(inputs, arguments);
  }
  const auto answer_of = [&](const std::vector<isofold::Fold>& folds) {
    const std::vector<Question> questions = questions_of(folds, no_range);
    return selects ? selected->answer(questions) : reduce_in_blocks(questions, inputs, arguments);
  };
  const auto reduced = [&] {
    try {
      return answer_of(folds_of_summary(accumulated_type(inputs.type(), arguments.engine),
                                        arguments.engine.exact));
    } catch (const isofold::Error& error) {
      if (error.code() != isofold::Code::empty_input) {
        throw;
      }
      return answer_of({isofold::Fold::sum});  // no elements have a sum, and nothing else
    }
  };
  Answer answer = reduced();
  Circumstances& circumstances = answer.circumstances;
  if (!selects) {
    circumstances.extents = inputs.extents();
    if (!inputs.count().has_value()) {  // raw input whose end was not known
      circumstances.extents = {{circumstances.count}};
    }
  }
  Output out("-");
  if (arguments.json) {
    write_json(out, circumstances, answer.results);
  } else {
    out.write(summary_text(inputs.name(), circumstances, answer.results));
  }
  out.finish();
  return Exit::fine;
}

Exit reduce(ReduceArguments arguments) {
  if (!arguments.guarantee.empty()) {
    arguments.engine.guarantee = arguments.guarantee == "same_bits"
                                     ? isofold::Guarantee::same_bits
                                     : isofold::Guarantee::within_bound;
  }
  arguments.engine.exact = arguments.engine.exact || arguments.accumulator == "exact";
  arguments.engine.accumulator = find_type(arguments.accumulator);
  arguments.engine.skip_nan = arguments.selection.skip_nan;
  if (arguments.engine.backend.empty()) {
    arguments.engine.backend = backend_of_environment();
  }
  if (arguments.has_device && arguments.engine.backend.empty()) {
    throw Failure(Exit::bad_input, "--device " + std::to_string(arguments.engine.device) +
                                       " is a number among the devices of a backend; name that, "
                                       "such as --backend cuda, or leave --device out.");
  }
  if (arguments.folds.empty()) {
    return summarise(arguments);
  }
  const std::vector<isofold::Fold> folds = folds_of(arguments.folds);
  check_usage(folds, arguments);
  const Use use = use_of(arguments);
  Inputs inputs(paths_of(arguments), raw_format_of(arguments), use);
  const Range range = arguments.range.empty() ? Range{} : range_of(arguments.range, inputs.type());
  const std::vector<Question> questions = questions_of(folds, range);
  const bool selects = use == Use::box || use == Use::segments;
  const Answer answer = selects ? reduce_selection(questions, inputs, arguments)
                                : reduce_in_blocks(questions, inputs, arguments);
  Output out("-");
  if (arguments.json) {
    write_json(out, answer.circumstances, answer.results);
  } else {
    write_text(out, answer.results);
  }
  out.finish();
  return Exit::fine;
}

constexpr const char* reduce_footer =
    "One fold prints its result; several print a line for each, its name and its result, and with\n"
    "--json one object with a list of results. With --rows a fold has a line for each row, and "
    "the\n"
    "folds come one after the other. A result of several components is one line; a complex one is\n"
    "written as Python and numpy read it, such as 1.5-2.25j.\n"
    "\n"
    "--axis, --box and --mask take what numpy takes: the results of the fold sum are those of\n"
    "x[BOX].sum(axis=AXIS, where=MASK), in row-major order; without --axis there is one. Each has\n"
    "the bits that its elements would have as a file of their own. An index is one in x[BOX],\n"
    "whatever a mask or --skip-nan leaves out; of --segments one in x; --packed-index counts the\n"
    "elements that are taken instead. There is a line for each result, as with --segments;\n"
    "--json has lists of them and their \"shape\", which is [] where there is one. A\n"
    "file is mapped for this; what cannot be, such as a pipe, is read whole into memory.\n"
    "\n"
    "A .npy may be of any writer. Booleans count as u8, 0 or 1; big-endian elements are turned\n"
    "round as they are read; an array in Fortran order has the bits of the same array in C order,\n"
    "and is put in C order in memory first, which takes as much memory as it has bytes.\n"
    "\n"
    "Examples:   isofold reduce field.npy\n"
    "            isofold reduce x.npy --fold sum,min,max,mean\n"
    "            isofold reduce run.npz:rho --fold sum --accumulator f64\n"
    "            isofold reduce x.npy --fold sum,mean,variance --exact\n"
    "            isofold reduce x.npy y.npy --fold dot,norm2 --json\n"
    "            isofold reduce x.npy --fold count_in_range --range -0.5,0.5\n"
    "            isofold reduce field.npy --fold sum --axis 0,-1\n"
    "            isofold reduce field.npy --fold min,max --box 1:-1,::2,0";

}  // namespace

Command add_reduce(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("reduce", "Reduce the numbers in a file, or in two files side by "
                                       "side, to one result a fold, or to one for each row, "
                                       "segment or index over the dimensions that are kept");
  parser->footer(reduce_footer);
  const auto arguments = std::make_shared<ReduceArguments>();
  parser
      ->add_option(
          "FILE", arguments->file,
          "A .npy file, x.npz:name for an array of an archive, or raw little-endian binary "
          "with --type; - is standard input")
      ->required();
  parser->add_option("SECOND", arguments->second,
                     "The other array, of the same type and shape, for folds of two: " +
                         listed(names_of_folds(takes_two)) +
                         ". Others beside them take FILE. One of the two may be standard input");
  parser
      ->add_option("--fold", arguments->folds,
                   "What to compute: one or more of " + listed(names_of(named_folds)) +
                       ", separated by commas, each once. min and max stand for minimum and "
                       "maximum. A file that is read in blocks is read once for all of them. "
                       "Without it, a summary of the file: its count, sum, mean, minimum and "
                       "maximum, and where these lie")
      ->allow_extra_args(false)
      ->check(names_of_known_folds());
  parser
      ->add_option("--accumulator", arguments->accumulator,
                   "f64: elements of f16, bf16 and f32 are computed with in f64, as if the array "
                   "had been converted first, and results are those of f64. exact: as --exact")
      ->check(one_of("accumulator", {"f64", "exact"}));
  parser->add_flag("--exact", arguments->engine.exact,
                   "Sums, dots, norms, means and variances are those of real numbers, rounded once "
                   "(exact_v1): the same for any order of the elements. Folds that are no such "
                   "value, such as product, are refused");
  parser->add_option("--range", arguments->range,
                     "LOW,HIGH for " + listed(names_of_folds(takes_parameters)) +
                         ": the least and the largest element that is counted, written as numbers "
                         "of the elements' type. inf and -inf leave an end of f32 and f64 open");
  parser
      ->add_option(
          "--backend", arguments->engine.backend,
          "Where to compute; without it what the environment variable ISOFOLD_BACKEND names, "
          "openmp, or reference. A device backend gets the "
          "data through buffers in its memory")
      ->check(one_of("backend", isofold::backend_names()));
  parser->add_flag("--rows", arguments->rows, "One result for each row of 2-D data");
  add_selection(*parser, arguments->selection);
  parser->add_flag("--packed-index", arguments->engine.packed_index,
                   "The index of argmin and its kin counts the elements that --mask, --skip-nan or "
                   "a segment takes, from 0; without it, it is the index in the array");
  parser
      ->add_option("--type", arguments->type,
                   "The file is raw binary of this type; a .npy file says it itself, but for bf16, "
                   "which has no name there")
      ->check(one_of("type", names_of(named_types)));
  parser->add_option("--shape", arguments->shape,
                     "The extents of raw binary, such as 100,200; without it, it is 1-D");
  const CLI::Option* order =
      parser
          ->add_option("--order", arguments->order,
                       "C: the last dimension of --shape runs fastest in the file; F: the first "
                       "one does, as in Fortran")
          ->transform(in_capitals())
          ->check(one_of("order", {"C", "F"}))
          ->capture_default_str();
  parser->add_flag("--json", arguments->json, "Print JSON, with the bits of the result");
  const CLI::Option* block_bytes =
      parser
          ->add_option(
              "--block-bytes", arguments->block_bytes,
              "Most bytes that are read, or held on a device, at once, of two arrays together: cut "
              "down to 1024 elements times a power of two. Units such as 1MiB are understood. "
              "Never changes a bit")
          ->transform(number_of_bytes())
          ->capture_default_str();
  parser
      ->add_option("--threads", arguments->engine.threads,
                   "Most CPU threads; 0 takes what OpenMP grants. Never changes a bit")
      ->check(whole_number<std::int32_t>())
      ->capture_default_str();
  const CLI::Option* device =
      parser->add_option("--device", arguments->engine.device, "Number of the device of --backend")
          ->check(whole_number<std::int32_t>())
          ->capture_default_str();
  parser
      ->add_option(
          "--guarantee", arguments->guarantee,
          "same_bits insists on the bits of the definition; within_bound allows any order "
          "of combination, and reads all of the input into memory. Without it, the strongest "
          "that the backend has")
      ->check(one_of("guarantee", {"same_bits", "within_bound"}));
  return {parser, [arguments, block_bytes, device, order] {
            arguments->has_device = device->count() > 0;
            arguments->has_order = order->count() > 0;
            arguments->has_block_bytes = block_bytes->count() > 0;
            return reduce(*arguments);
          }};
}

}  // namespace cli
