// The answer of a same_bits backend to supports(): it has the cases that it was built with.
#pragma once

#include <backend/interface.hpp>
#include <ops/exact_cases.hpp>
#include <request/converted_elements.hpp>

namespace isofold {

// It is a template over the backend, because programs for tests hold backends with different
// tables.
template <class Backend>
std::int32_t supports_case(const Backend& backend, const isofold_request& request,
                           backend_interface::Report& report) {
  return visit_fold_of(request, [](auto) {})
             ? ISOFOLD_ok
             : report.fail(ISOFOLD_unsupported, "Backend %s has no case for fold %d over type %d.",
                           backend.name(), request.fold, request.type);
}

}  // namespace isofold
