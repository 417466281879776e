// The results of a request, row by row.
#include <layout/index_in_array.hpp>

#include <cstring>

#include <ops/location_indices.hpp>
#include <request/validate.hpp>

namespace isofold {

void number_in_array(const isofold_request& request, const PackedRows& packed,
                     const InParts& in_parts) {
  const LocationIndices indices = location_indices_of(request);
  if (indices.count == 0 || has_packed_index(request)) {
    return;
  }
  in_parts(request.rows, [&](std::int64_t row, std::int64_t last) {
    for (; row < last; ++row) {
      for (int k = 0; k < indices.count; ++k) {
        char* const at =
            static_cast<char*>(request.result) + row * indices.result_bytes + indices.at[k];
        std::int64_t index = 0;
        std::memcpy(&index, at, sizeof index);
        if (index >= 0) {
          index = packed.index_in_array(row, index);
          std::memcpy(at, &index, sizeof index);
        }
      }
    }
  });
}

}  // namespace isofold
