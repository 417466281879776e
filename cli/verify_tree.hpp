// isofold verify --tree: the trees of the sums, probed from outside, as a table or as JSON.
#pragma once

#include <string>

#include <conformance/tree_shape.hpp>

namespace cli {

std::string tree_text(const isofold::conformance::TreeReport& report);
std::string tree_json(const isofold::conformance::TreeReport& report);

}  // namespace cli
