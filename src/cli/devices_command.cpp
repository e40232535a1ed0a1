// alnus devices: what this machine offers to compute with. alnus --version: the version, and with --json how
// the program was built.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "alnus/alnus.h"
#include "cli/command.h"

namespace alnus::cli {
namespace {

using Json = nlohmann::ordered_json;

Json as_json(const std::vector<Backend>& backends) {
  Json json = Json::array();
  for (const Backend& backend : backends) {
    Json entry = {{"name", backend.name}, {"available", backend.available}};
    if (backend.name == "cpu") entry["model"] = processor_name();
    if (!backend.available) entry["reason"] = backend.unavailable_because;
    entry["instruction_sets"] = backend.isas;
    entry["methods"] = backend.methods;
    entry["devices"] = Json::array();
    for (const DeviceDescription& info : backend.devices)
      entry["devices"].push_back({{"name", info.name},
                                  {"description", info.description},
                                  {"concurrency", info.concurrency},
                                  {"memory_bytes", info.memory_bytes},
                                  {"expected_gcups", info.gcups}});
    json.push_back(entry);
  }
  return json;
}

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string as_text(const std::vector<Backend>& backends) {
  std::string text;
  for (const Backend& backend : backends) {
    if (!backend.available) {
      text += fmt::format("{:<8}  not available: {}\n", backend.name, backend.unavailable_because);
      continue;
    }
    if (backend.name == "cpu") text += fmt::format("{:<8}  {}\n", backend.name, processor_name());
    for (const DeviceDescription& info : backend.devices)
      text += fmt::format("{:<8}  {}; about {:.0f} GCUPS, works in up to {}\n",
                          backend.name == "cpu" ? "" : info.name, info.description, info.gcups,
                          format_bytes(static_cast<double>(info.memory_bytes)));
    if (!backend.isas.empty()) text += fmt::format("{:<8}  --isa: {}\n", "", fmt::join(backend.isas, ", "));
    if (!backend.methods.empty())
      text += fmt::format("{:<8}  --method: {}\n", "", fmt::join(backend.methods, ", "));
  }
  return text;
}

}  // namespace

Command add_devices(CLI::App& program) {
  CLI::App* command = program.add_subcommand("devices", "What this machine offers to compute with");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print JSON, for programs")->group("Options");
  command->footer("Example:\n  alnus devices --json");
  return {command, [json](const Context&) {
            const std::vector<Backend> found = backends();
            print(*json ? text_of(as_json(found)) : as_text(found));
          }};
}

std::string build_name() {
  const std::string_view of = commit();
  return fmt::format("alnus {}{}", version(), of.empty() ? "" : fmt::format(" (commit {})", of));
}

std::string version_json() {
  const BuildDescription build = build_description();
  Json libraries = Json::object();
  for (const BuildDescription::Library& library : build.libraries) libraries[library.name] = library.version;
  libraries["CLI11"] = CLI11_VERSION;
  return text_of({{"alnus", version()},
                  {"commit", commit().empty() ? Json() : Json(commit())},
                  {"compiler", build.compiler},
                  {"cuda", build.cuda.empty() ? Json() : Json(build.cuda)},
                  {"libraries", libraries},
                  {"backends", as_json(backends())}});
}

}  // namespace alnus::cli
