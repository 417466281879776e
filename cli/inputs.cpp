// Checks of two files that must go together, before they are read and while they are.
#include "inputs.hpp"

#include "failure.hpp"
#include "npy.hpp"
#include "types.hpp"

namespace cli {
namespace {

std::string counted(std::int64_t count, const char* word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string shape_text(const std::vector<std::int64_t>& extents, Use use) {
  switch (use) {
    case Use::rows: return counted(extents[0], "row") + " of " + std::to_string(extents[1]);
    case Use::box: return "the shape " + npy::shape_text(extents);
    default:
      return extents.size() == 1 ? counted(extents[0], "element")
                                 : "the shape " + npy::shape_text(extents);
  }
}

}  // namespace

Inputs::Inputs(const std::vector<std::string>& paths, const RawFormat& raw, Use use)
    : first_(paths.front(), raw, use) {
  if (paths.size() == 2) {
    second_.emplace(paths.back(), raw, use);
    check_type();
    check_shape(use);
  }
}

void Inputs::check_type() const {
  if (first_.type() != second_->type()) {
    throw Failure(Exit::bad_input, "'" + first_.name() + "' holds " + type_name(first_.type()) +
                                       " and '" + second_->name() + "' " +
                                       type_name(second_->type()) +
                                       "; store both arrays in one type.");
  }
}

void Inputs::check_shape(Use use) const {
  const bool known = first_.count().has_value() && second_->count().has_value();
  if (known && first_.extents() != second_->extents()) {
    throw Failure(Exit::bad_input,
                  "'" + first_.name() + "' has " + shape_text(first_.extents(), use) + " and '" +
                      second_->name() + "' has " + shape_text(second_->extents(), use) +
                      "; a fold of two arrays takes two of the same shape.");
  }
}

void Inputs::check_same(std::int64_t first, std::int64_t second) const {
  if (first != second) {
    const bool first_ends = first < second;
    throw Failure(Exit::bad_input, "'" + (first_ends ? first_ : *second_).name() +
                                       "' ends before '" + (first_ends ? *second_ : first_).name() +
                                       "' does; a fold of two arrays takes two of the same "
                                       "number of elements.");
  }
}

std::optional<std::int64_t> Inputs::count() const noexcept {
  return second_.has_value() && !second_->count().has_value() ? std::nullopt : first_.count();
}

Elements Inputs::next(std::int64_t count) {
  return {first_.next(count), second_.has_value() ? second_->next(count) : nullptr};
}

Elements Inputs::next_some(std::int64_t most, std::int64_t& count) {
  Elements x{first_.next_some(most, count)};
  if (second_.has_value()) {
    std::int64_t other = 0;
    x.second = second_->next_some(most, other);
    check_same(count, other);
  }
  return x;
}

Elements Inputs::all(std::int64_t& count) {
  Elements x{first_.all(count)};
  if (second_.has_value()) {
    std::int64_t other = 0;
    x.second = second_->all(other);
    check_same(count, other);
  }
  return x;
}

void Inputs::expect_end() {
  first_.expect_end();
  if (second_.has_value()) {
    second_->expect_end();
  }
}

}  // namespace cli
