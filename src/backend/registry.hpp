// The registry: every backend by name, loaded when first asked for, or the reason why it is not
// there. Linked backends come from factories, which are generated; all others from the module
// isofold-<name>.so, where there is one.
#pragma once

#include <string>
#include <vector>

#include <backend/interface.hpp>

namespace isofold::registry {

// The backend, loaded; nullptr for a name that is null, unknown, not built or not loadable (`why`
// then says which). Loaded does not mean usable: Backend::available tells.
backend_interface::Backend* load(const char* name, std::string* why);

// True if `name` can compute here and now; `text` describes it, or says why it cannot.
bool available(const char* name, std::string* text);

// The backends with memory of their own that can compute here and now: those that must be asked
// about a pointer. They are found once; the list is empty on a machine without devices.
const std::vector<backend_interface::Backend*>& device_backends();

// "cuda, hip, openmp, reference, kokkos": for sentences.
std::string known_names();

}  // namespace isofold::registry
