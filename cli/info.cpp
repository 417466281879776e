// isofold info: the version, and which backends can compute here, on what, or why not.
#include <string>

#include <nlohmann/json.hpp>

#include <isofold/backend.hpp>

#include "commands.hpp"
#include "file.hpp"

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

Json gather() {
  Json backends = Json::array();
  for (const std::string& name : isofold::backend_names()) {
    const bool available = isofold::is_available(name);
    Json backend{{"name", name}, {"available", available}};
    backend[available ? "description" : "reason"] = isofold::describe(name);
    backend["devices"] = available ? devices_of(name) : Json::array();
    backends.push_back(backend);
  }
  return {{"version", isofold_version()}, {"definition", definition}, {"backends", backends}};
}

std::string as_text(const Json& info) {
  std::string text = "isofold " + info["version"].get<std::string>() + ", definition " +
                     info["definition"].get<std::string>() + "\n\nbackend    available\n";
  for (const Json& backend : info["backends"]) {
    std::string name = backend["name"];
    name.resize(std::max<std::size_t>(name.size(), 10), ' ');
    const bool available = backend["available"];
    text += name + (available ? " yes        " : " no         ") +
            backend[available ? "description" : "reason"].get<std::string>() + "\n";
    int number = 0;
    for (const Json& device : backend["devices"]) {
      text += "                        device " + std::to_string(number++) + ": " +
              device.get<std::string>() + "\n";
    }
  }
  return text;
}

Exit info(bool json) {
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
