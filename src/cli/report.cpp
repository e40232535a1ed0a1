#include "cli/report.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "alnus/cost.h"
#include "alnus/text.h"
#include "cli/version.h"

namespace alnus::cli {
namespace {

// "2 queries ('q1', 'q2')", or "12 queries (such as 'q1', 'q2', 'q3')". `ids` has the ids of some of them.
std::string name_queries(std::uint64_t count, const std::vector<std::string>& ids) {
  std::vector<std::string> names;
  names.reserve(ids.size());
  for (const std::string& id : ids) names.push_back(id.empty() ? "NA" : in_quotes(id));
  return fmt::format("{} ({}{})", format_count(count, "query", "queries"),
                     count > ids.size() ? "such as " : "", fmt::join(names, ", "));
}

}  // namespace

std::string summarize(std::uint64_t queries, std::uint64_t subjects, std::uint64_t pairs, std::uint64_t cells,
                      double seconds) {
  return fmt::format("{}, {}, {}, {} cells in {}: {}.", format_count(queries, "query", "queries"),
                     format_count(subjects, "subject", "subjects"), format_count(pairs, "pair", "pairs"),
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

void warn_of_fallbacks(const SearchSummary& summary, Log& log) {
  if (summary.fallbacks == 0) return;
  log.warning(fmt::format(
      "The scores of {} do not suffice for --stats regression, which needs a query of more than {} residues, "
      "and {} subjects of at least as many residues and of different lengths: {}.",
      format_count(summary.fallbacks, "query", "queries"), kShortestForRegression,
      format_count(kFewestForRegression),
      summary.has_parameters
          ? fmt::format("their E-values are those of --stats {} --composition none --low-complexity none",
                        to_string(summary.fallback))
          : "they have no E-values"));
}

void log_queries(const SearchSummary& summary, Log& log) {
  if (summary.cut_ties > 0)
    log.info(
        fmt::format("Ties at the cut: in {} a subject that is not listed scores as high as the last one "
                    "listed; the database's order decided.",
                    name_queries(summary.cut_ties, summary.cut_tie_ids)));
  if (summary.limit.full_queries > 0)
    log.info(fmt::format("{} {} as many hits as --max-target-seqs {} allows: further hits may be left out.",
                         name_queries(summary.limit.full_queries, summary.limit.full_query_ids),
                         summary.limit.full_queries == 1 ? "has" : "have", summary.limit.max_target_seqs));
  if (summary.without_hits > 0)
    log.info(fmt::format("{} {} no hit.", name_queries(summary.without_hits, summary.without_hits_ids),
                         summary.without_hits == 1 ? "has" : "have"));
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
                     {"output_bytes", std::llround(output_bytes)}};
  return json.dump(2) + "\n";
}

}  // namespace alnus::cli
