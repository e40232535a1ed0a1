#include "bench/speed_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "alnus/devices.h"
#include "alnus/text.h"

namespace alnus::bench {

std::string milliseconds(double seconds) { return fmt::format("{:.3f}", seconds * 1000); }

std::string format_checksum(std::uint64_t checksum) { return fmt::format("{:016x}", checksum); }

std::string describe_costs(const Scoring& scoring) {
  return fmt::format("{}, gaps {}", printable(scoring.matrix.name()), scoring.format_gaps());
}

std::string describe_machine(std::span<const DeviceInfo> devices) {
  std::string text = fmt::format("alnus      {} on {}\n", version(), processor_name());
  for (const DeviceInfo& device : devices)
    text += fmt::format("device     {}: {}\n", device.name, device.description);
  return text;
}

std::vector<std::string> measurement_columns() { return {"cells", "median ms", "min ms", "max ms", "speed"}; }

std::vector<std::string> cells_of(const Measurement& measured) {
  const auto cells = static_cast<double>(measured.cells);
  const double seconds = median(measured.seconds);
  return {format_cells(cells), milliseconds(seconds),
          milliseconds(*std::min_element(measured.seconds.begin(), measured.seconds.end())),
          milliseconds(*std::max_element(measured.seconds.begin(), measured.seconds.end())),
          format_speed(cells, seconds)};
}

std::string aligned(std::span<const std::vector<std::string>> rows) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    text += fmt::format("{:<{}}", row.front(), widths.front());
    for (std::size_t i = 1; i < row.size(); ++i) text += fmt::format("  {:>{}}", row[i], widths[i]);
    text += '\n';
  }
  return text;
}

nlohmann::ordered_json machine_json(const std::string& command_line, std::span<const DeviceInfo> devices) {
  nlohmann::ordered_json json = {{"version", version()},
                                 {"command_line", command_line},
                                 {"cpu", processor_name()},
                                 {"devices", nlohmann::ordered_json::array()}};
  for (const DeviceInfo& device : devices)
    json["devices"].push_back({{"name", device.name}, {"description", device.description}});
  return json;
}

void append(const Measurement& measured, nlohmann::ordered_json& line) {
  const double seconds = median(measured.seconds);
  line["cells"] = measured.cells;
  line["seconds"] = measured.seconds;
  line["median_s"] = seconds;
  line["min_s"] = *std::min_element(measured.seconds.begin(), measured.seconds.end());
  line["max_s"] = *std::max_element(measured.seconds.begin(), measured.seconds.end());
  line["gcups"] = static_cast<double>(measured.cells) / seconds / 1e9;
  line["stages_median_s"] = nlohmann::ordered_json::object();
  for (const Stage& stage : measured.stages) line["stages_median_s"][stage.name] = median(stage.seconds);
  line["checksum"] = format_checksum(measured.checksum);
}

std::string dump(const nlohmann::ordered_json& report) {
  return report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace alnus::bench
