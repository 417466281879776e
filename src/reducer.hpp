// isofold_reducer: the options of a caller and one backend Instance a place where data turn up.
#pragma once

#include <memory>
#include <vector>

#include <contract.hpp>

// One backend on one device, opened when first needed.
struct isofold_place {
  isofold::contract::Backend* backend;
  std::int32_t device;
  std::unique_ptr<isofold::contract::Instance> instance;
};

struct isofold_reducer {
  isofold_options options{};
  isofold::contract::Backend* named = nullptr;  // nullptr: choose per call
  isofold::contract::Backend* host = nullptr;   // where host data go by default
  std::vector<isofold_place> places;
  isofold::contract::Backend* answered = nullptr;  // the last successful call's backend
};

namespace isofold {

// The place that computes on `data`: the named backend, or the one that owns the data.
std::int32_t choose(isofold_reducer& reducer, const void* data, isofold_place** place,
                    contract::Report& report);

// Whether that place reaches the request's data and result, unless the caller switched this off.
std::int32_t check_reach(const isofold_reducer& reducer, const isofold_place& place,
                         const isofold_request& request, contract::Report& report);

}  // namespace isofold
