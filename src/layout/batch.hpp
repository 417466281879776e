// Lists of arrays and of their lengths, which batches and joined (concatenated) batches have.
#pragma once

#include <layout/layout.hpp>

namespace isofold {

// Validates the lists themselves, of `count` entries.
std::int32_t validate_batch_lists(const isofold_request& request, std::int64_t count,
                                  const CaseFacts& facts, backend_interface::Report& report);
// Validates each length, and each array.
std::int32_t validate_batch_lengths(const isofold_request& request, std::int64_t count,
                                    const CaseFacts& facts, const InParts& in_parts,
                                    backend_interface::Report& report);
std::int32_t validate_batch_arrays(const isofold_request& request, std::int64_t count,
                                   const CaseFacts& facts, backend_interface::Report& report);

}  // namespace isofold
