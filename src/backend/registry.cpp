// The registry of backends: linked ones by factory, modules by dlopen.
#include <backend/registry.hpp>

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <mutex>

#include <api/errors.hpp>
#include <backend_factories.hpp>
#include <isofold/backend_folder.h>
#include <isofold/backend_list.hpp>
#include <isofold/detail/nearest_name.hpp>

#define ISOFOLD_DECLARE(name) isofold::backend_interface::Backend* isofold_backend_##name();
ISOFOLD_LINKED_BACKENDS(ISOFOLD_DECLARE)
#undef ISOFOLD_DECLARE

namespace isofold::registry {
namespace {

constexpr const char* names[] = {
#define ISOFOLD_NAME(name) #name,
    ISOFOLD_BACKENDS(ISOFOLD_NAME)
#undef ISOFOLD_NAME
};

struct Entry {
  std::once_flag once;
  backend_interface::Backend* backend = nullptr;
  std::string why;
};

std::string own_folder() {
  // The address is that of a function that nobody else has: an exported one may lie in the program.
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0 || info.dli_fname == nullptr) {
    return ".";
  }
  const std::string path = info.dli_fname;
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

// A folder of modules; `version` is that of the package that brings it, if that is known.
struct Folder {
  std::string path;
  std::string version;
};

struct AddedFolders {
  std::mutex mutex;
  std::vector<Folder> folders;
};
AddedFolders& added_folders() {
  static AddedFolders added;
  return added;
}

// The library's own folder first, then those that were added, then those of ISOFOLD_BACKEND_PATH. A
// static library has its backends linked in, and looks for no module.
std::vector<Folder> module_folders() {
#if defined(ISOFOLD_STATIC)
  constexpr bool loads_modules = false;
#else
  constexpr bool loads_modules = true;
#endif
  if (!loads_modules) {
    return {};
  }
  std::vector<Folder> folders{{own_folder(), ""}};
  {
    AddedFolders& added = added_folders();
    const std::lock_guard<std::mutex> lock(added.mutex);
    folders.insert(folders.end(), added.folders.begin(), added.folders.end());
  }
  const char* more = std::getenv("ISOFOLD_BACKEND_PATH");
  std::string rest = more != nullptr ? more : "";
  while (!rest.empty()) {
    const auto colon = rest.find(':');
    if (colon != 0) {
      folders.push_back({rest.substr(0, colon), ""});
    }
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return folders;
}

bool is_of_this_version(const std::string& path, const std::string& version, std::string* why) {
  if (version == isofold_version()) {
    return true;
  }
  *why += path + " is of isofold " + version + ", and this library is isofold " +
          isofold_version() + ": install both in one version; ";
  return false;
}

// The Backend of a module; nullptr if the module does not belong to this very library.
backend_interface::Backend* backend_of(void* handle, const std::string& path, std::string* why) {
  const void* version = dlsym(handle, backend_interface::module_version_symbol);
  void* symbol = dlsym(handle, backend_interface::module_symbol);
  backend_interface::ModuleFunction function = nullptr;
  static_assert(sizeof function == sizeof symbol, "POSIX: a symbol's address fits a function's.");
  std::memcpy(&function, &symbol, sizeof function);
  if (version == nullptr || function == nullptr) {
    *why += path + " is no module of isofold 1.0.0 or later; ";
    return nullptr;
  }
  if (!is_of_this_version(path, static_cast<const char*>(version), why)) {
    return nullptr;
  }
  const backend_interface::Module expected;
  const backend_interface::Module* module = function();
  if (module->abi != expected.abi || module->request_bytes != expected.request_bytes ||
      module->options_bytes != expected.options_bytes ||
      module->schedule_bytes != expected.schedule_bytes) {
    *why += path + " was built from other sources of isofold " + isofold_version() +
            " (module interface " + std::to_string(module->abi) + ", this library has " +
            std::to_string(expected.abi) + "): install both from one build; ";
    return nullptr;
  }
  return module->backend;
}

// The reason why this build has no such backend; nullptr if it has it.
const char* why_not_built([[maybe_unused]] const char* name) {
#define ISOFOLD_MISS(missing, reason)     \
  if (std::strcmp(name, #missing) == 0) { \
    return reason;                        \
  }
  ISOFOLD_MISSING_BACKENDS(ISOFOLD_MISS)
#undef ISOFOLD_MISS
  return nullptr;
}

// A module that lies beside the library is taken whether or not this build made it: it may be of
// another package, installed later. Modules stay loaded to the end of the process, because a
// vendor's runtime does not survive unloading.
void load_module(const char* name, Entry& entry) {
  const std::string file = std::string("isofold-") + name + ".so";
  std::string found;
  for (const Folder& folder : module_folders()) {
    const std::string path = folder.path + "/" + file;
    if (access(path.c_str(), F_OK) != 0) {
      continue;
    }
    if (!folder.version.empty() && !is_of_this_version(path, folder.version, &found)) {
      continue;
    }
    if (void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      entry.backend = backend_of(handle, path, &found);
    } else {
      found += std::string(dlerror()) + "; ";
    }
    if (entry.backend != nullptr) {
      return;
    }
  }
  const char* not_built = why_not_built(name);
  if (!found.empty()) {
    entry.why = "its module could not be loaded: " + found.substr(0, found.size() - 2);
  } else if (not_built != nullptr) {
    entry.why = std::string("not built: ") + not_built;
  } else {
    entry.why = "its module could not be loaded: there is no " + file + " in " + own_folder() +
                ", nor in the folders of ISOFOLD_BACKEND_PATH";
  }
}

void load_entry(const char* name, Entry& entry) {
#define ISOFOLD_LINK(linked)                    \
  if (std::strcmp(name, #linked) == 0) {        \
    entry.backend = isofold_backend_##linked(); \
    return;                                     \
  }
  ISOFOLD_LINKED_BACKENDS(ISOFOLD_LINK)
#undef ISOFOLD_LINK
  load_module(name, entry);
}

}  // namespace

backend_interface::Backend* load(const char* name, std::string* why) {
  name = name != nullptr ? name : "";
  static Entry entries[sizeof names / sizeof names[0]];
  for (std::size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    if (std::strcmp(names[i], name) == 0) {
      std::call_once(entries[i].once, [&] { load_entry(names[i], entries[i]); });
      if (why != nullptr) {
        *why = entries[i].why;
      }
      return entries[i].backend;
    }
  }
  if (why != nullptr) {
    const std::string meant = detail::nearest_name(name, {std::begin(names), std::end(names)});
    *why = "unknown; " + (meant.empty() ? "" : "did you mean " + meant + "? ") + "isofold knows " +
           known_names();
  }
  return nullptr;
}

bool available(const char* name, std::string* text) {
  backend_interface::Backend* backend = load(name, text);
  if (backend == nullptr) {
    return false;
  }
  backend_interface::Report report{};
  const bool yes = backend->available(report) == ISOFOLD_ok;
  *text = report.message;
  return yes;
}

const std::vector<backend_interface::Backend*>& device_backends() {
  static const std::vector<backend_interface::Backend*> found = [] {
    std::vector<backend_interface::Backend*> backends;
    for (const char* name : {
#define ISOFOLD_NAME(name) #name,
             ISOFOLD_DEVICE_BACKENDS(ISOFOLD_NAME)
#undef ISOFOLD_NAME
                 ""}) {
      std::string text;
      if (name[0] != '\0' && available(name, &text)) {
        backends.push_back(load(name, nullptr));
      }
    }
    return backends;
  }();
  return found;
}

std::string known_names() {
  std::string text;
  for (const char* name : names) {
    text += text.empty() ? name : std::string(", ") + name;
  }
  return text;
}

}  // namespace isofold::registry

namespace {

// Strings returned to C live until the same thread's next question.
const char* keep(std::string text) {
  thread_local std::string kept;
  kept = std::move(text);
  return kept.c_str();
}

}  // namespace

extern "C" {

int32_t isofold_backend_count(void) {
  return sizeof isofold::registry::names / sizeof isofold::registry::names[0];
}

const char* isofold_backend_name(int32_t index) {
  return index >= 0 && index < isofold_backend_count() ? isofold::registry::names[index] : nullptr;
}

int32_t isofold_backend_available(const char* name) {
  int32_t yes = 0;
  isofold::guarded([&] {
    std::string text;
    yes = isofold::registry::available(name, &text) ? 1 : 0;
    return int32_t{ISOFOLD_ok};
  });
  return yes;
}

int32_t isofold_add_backend_folder(const char* folder, const char* version) {
  return isofold::guarded([&] {
    if (folder == nullptr || folder[0] == '\0') {
      return isofold::fail(ISOFOLD_invalid_argument, "The folder of modules has no name.");
    }
    auto& added = isofold::registry::added_folders();
    const std::lock_guard<std::mutex> lock(added.mutex);
    added.folders.push_back({folder, version != nullptr ? version : ""});
    return int32_t{ISOFOLD_ok};
  });
}

const char* isofold_backend_reason(const char* name) {
  const char* reason = "";
  isofold::guarded([&] {
    std::string text;
    isofold::registry::available(name, &text);
    reason = keep(std::move(text));
    return int32_t{ISOFOLD_ok};
  });
  return reason;
}

int32_t isofold_backend_device_count(const char* name) {
  int32_t count = 0;
  if (isofold_backend_available(name) != 0) {
    isofold::backend_interface::Report report;
    isofold::registry::load(name, nullptr)->device_count(&count, report);
  }
  return count;
}
}
