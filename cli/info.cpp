// isofold info: the version, and which backends can compute here, on what, or why not.
#include <algorithm>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include <isofold/backend.hpp>
#include <isofold/reducer.hpp>

#include "commands.hpp"
#include "file.hpp"
#include "names.hpp"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

// The device names of an available backend.
Json devices_of(const std::string& backend) {
  Json devices = Json::array();
  for (std::int32_t i = 0; i < isofold_backend_device_count(backend.c_str()); ++i) {
    char name[256] = "";
    isofold_backend_device_name(backend.c_str(), i, name, sizeof name);
    devices.push_back(name);
  }
  return devices;
}

// The strongest guarantee, asked of the backend itself. A device that cannot even open a reducer
// must not keep the rest from being shown.
std::string guarantee_of(const std::string& backend) {
  try {
    isofold::Reducer reducer(backend.c_str());
    const bool same_bits = reducer.supports(isofold::sum, isofold::array<double>(nullptr, 0));
    return same_bits ? "same_bits" : "within_bound";
  } catch (const isofold::Error& error) {
    return std::string("none (") + error.what() + ")";
  }
}

Json gather() {
  Json backends = Json::array();
  for (const std::string& name : isofold::backend_names()) {
    const bool available = isofold::is_available(name);
    Json backend{{"name", name}, {"available", available}};
    backend[available ? "description" : "reason"] = isofold::describe(name);
    if (available) {
      backend["guarantee"] = guarantee_of(name);
    }
    backend["devices"] = available ? devices_of(name) : Json::array();
    backends.push_back(backend);
  }
  return {{"version", isofold_version()}, {"definition", definition}, {"backends", backends}};
}

std::string as_text(const Json& info) {
  std::string text = "isofold " + info["version"].get<std::string>() + ", definition " +
                     info["definition"].get<std::string>() +
                     "\n\nbackend    available  guarantee\n";
  for (const Json& backend : info["backends"]) {
    std::string name = backend["name"];
    name.resize(std::max<std::size_t>(name.size(), 10), ' ');
    const bool available = backend["available"];
    std::string guarantee = backend.value("guarantee", "");
    guarantee.resize(std::max<std::size_t>(guarantee.size() + 1, 14), ' ');
    text += name + (available ? " yes        " : " no         ") + guarantee +
            backend[available ? "description" : "reason"].get<std::string>() + "\n";
    int number = 0;
    for (const Json& device : backend["devices"]) {
      text += std::string(37, ' ') + "device " + std::to_string(number++) + ": " +
              device.get<std::string>() + "\n";
    }
  }
  return text;
}

Exit info(bool json) {
  check_environment();
  const Json gathered = gather();
  Output out("-");
  out.write(json ? gathered.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"
                 : as_text(gathered));
  out.finish();
  return Exit::fine;
}

}  // namespace

Command add_info(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "info", "Show the version, the backends, their devices, and why one is not available");
  const auto json = std::make_shared<bool>(false);
  parser->add_flag("--json", *json, "Print JSON");
  return {parser, [json] { return info(*json); }};
}

}  // namespace cli
