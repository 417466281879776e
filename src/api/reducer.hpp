// isofold_reducer: the options of a caller, and one backend Instance for each place in which its
// data turn up.
#pragma once

#include <memory>
#include <vector>

#include <backend/interface.hpp>
#include <request/validate.hpp>

// One backend on one device, opened when first needed.
struct isofold_place {
  isofold::backend_interface::Backend* backend;
  std::int32_t device;
  std::unique_ptr<isofold::backend_interface::Instance> instance;
  std::vector<unsigned char> marks;  // of host memory's elements that are no NaN
};

// The last request that succeeded, if every request of its kind goes to one place and asks nothing
// about its pointers. Codes repeat one kind of request: the next one starts from here.
struct isofold_known {
  isofold_request request{};
  isofold::CaseFacts facts;
  isofold_place* place = nullptr;  // nullptr: nothing is known yet
};

struct isofold_reducer {
  isofold_options options{};
  isofold::backend_interface::Backend* named = nullptr;  // nullptr: choose per call
  isofold::backend_interface::Backend* host = nullptr;   // where host data go by default
  std::vector<isofold_place> places;
  isofold_known known;
  isofold::backend_interface::Backend* answered = nullptr;  // the last successful call's backend
};

namespace isofold {

// The place that computes on `data`: the named backend, or the one that owns the data.
std::int32_t choose(isofold_reducer& reducer, const void* data, isofold_place** place,
                    backend_interface::Report& report);

// Checks that this place reaches the request's data and result, unless the caller switched the
// check off.
std::int32_t check_reach(const isofold_reducer& reducer, const isofold_place& place,
                         const isofold_request& request, backend_interface::Report& report);

}  // namespace isofold
