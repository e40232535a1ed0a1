#include "cli/closing_lines.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "alnus/cost.h"
#include "alnus/text.h"

namespace alnus::cli {
std::string summarize(std::uint64_t queries, std::uint64_t subjects, std::uint64_t pairs, std::uint64_t cells,
                      double seconds) {
  const std::string sets = fmt::format("{}, {}", format_count(queries, "query", "queries"),
                                       format_count(subjects, "subject", "subjects"));
  if (pairs == 0 && queries > 0 && subjects > 0)
    return fmt::format("{}: no pair was compared, in {}.", sets, format_seconds(seconds));
  return fmt::format("{}, {}, {} cells in {}: {}.", sets, format_count(pairs, "pair", "pairs"),
                     format_cells(static_cast<double>(cells)), format_seconds(seconds),
                     format_speed(static_cast<double>(cells), seconds));
}

std::string summarize_part(const PartOfJob& part, std::uint64_t pairs, std::uint64_t cells, double seconds) {
  return fmt::format("Part {} of {}: {}, {} cells in {}: {}.", part.number, part.count,
                     format_count(pairs, "pair", "pairs"), format_cells(static_cast<double>(cells)),
                     format_seconds(seconds), format_speed(static_cast<double>(cells), seconds));
}

std::vector<std::string> describe_devices_used(const Session& session) {
  std::vector<std::string> devices;
  for (const DeviceDescription& device : session.devices_used())
    devices.push_back(fmt::format("{} ({})", device.name, device.description));
  return devices;
}

void log_end(const std::string& summary, const Session& session, Log& log) {
  const std::vector<std::string> devices = describe_devices_used(session);
  log.info(fmt::format("{} This was {}{}{}.", summary, build_name(), devices.empty() ? "" : " on ",
                       fmt::join(devices, " and ")));
}

void log_statistics(const std::string& statistics, Log& log) {
  if (!statistics.empty()) log.info(fmt::format("Statistics: {}.", statistics));
}

void log_messages(const SearchSummary& summary, Log& log) {
  for (const Message& message : messages_of(summary)) log.say(message);
}

void log_edges(const AllPairsSummary& summary, const std::string& path, Log& log) {
  if (path.empty()) return;
  log.info(fmt::format("{} in {}.", format_count(summary.edges, "edge", "edges"),
                       path == "-" ? "standard output" : path));
}

std::string answer_dry_run(const Cost& cost, const CommonOptions& options,
                           const std::vector<std::string>& outputs, const SequenceSet& queries,
                           const SequenceSet& subjects) {
  check_places(outputs);
  const double output_bytes = expected_output_bytes(cost, options.format, queries, subjects);
  if (!options.json) return describe(cost, output_bytes);
  using Json = nlohmann::ordered_json;
  const Json json = {{"queries", cost.queries},
                     {"subjects", cost.subjects},
                     {"pairs", cost.pairs},
                     {"cells", cost.cells},
                     {"seconds", cost.seconds},
                     {"devices", cost.devices},
                     {"rows", cost.rows},
                     {"edges", cost.edges ? Json(*cost.edges) : Json()},
                     {"output_bytes", std::llround(output_bytes)},
                     {"calibration_seconds", cost.calibration_seconds},
                     {"any_rows", cost.any_rows},
                     {"any_alignments", cost.any_alignments}};
  return json.dump(2) + "\n";
}

}  // namespace alnus::cli
