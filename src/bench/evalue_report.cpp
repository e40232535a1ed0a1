#include "bench/evalue_report.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "alnus/devices.h"
#include "alnus/text.h"
#include "bench/speed_report.h"

namespace alnus::bench {
namespace {

// The hits of one threshold in all permutations together.
struct Total {
  double threshold = 0;
  std::uint64_t found = 0;
  double due = 0;

  double ratio() const { return static_cast<double>(found) / due; }
};

std::vector<Total> totals(const EvalueReport& report) {
  const double searches =
      static_cast<double>(report.queries.size()) * static_cast<double>(report.found.size());
  std::vector<Total> result;
  for (std::size_t i = 0; i < kThresholds.size(); ++i) {
    Total& total = result.emplace_back(Total{.threshold = kThresholds[i], .due = kThresholds[i] * searches});
    for (const HitCounts& counts : report.found) total.found += counts[i];
  }
  return result;
}

std::string table(const EvalueReport& report) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const std::string& name, const auto& values, const auto& cell) {
    rows.push_back({name});
    for (const auto& value : values) rows.back().push_back(cell(value));
  };
  const std::vector<Total> all = totals(report);
  add("hits", kThresholds, [](double threshold) { return fmt::format("E <= {}", threshold); });
  if (report.found.size() > 1)
    for (std::size_t i = 0; i < report.found.size(); ++i)
      add(fmt::format("permutation {}", i + 1), report.found[i],
          [](std::uint64_t hits) { return format_count(hits); });
  add("found", all, [](const Total& total) { return format_count(total.found); });
  if (!report.all_chance) return aligned(rows);
  add("due", all, [](const Total& total) {
    return total.due < 1000 ? fmt::format("{:.4g}", total.due) : format_count(std::llround(total.due));
  });
  add("found / due", all, [](const Total& total) { return fmt::format("{:.2f}", total.ratio()); });
  return aligned(rows);
}

std::string describe(const SequenceSet& sequences) {
  return fmt::format("{}, {}", format_count(sequences.size(), "sequence", "sequences"),
                     format_count(sequences.total_residues(), "residue", "residues"));
}

nlohmann::ordered_json json_of(const Database& sequences) {
  return {{"file", sequences.name()},
          {"sequences", sequences.size()},
          {"residues", sequences.sequences().total_residues()}};
}

}  // namespace

std::string as_text(const EvalueReport& report) {
  std::string text = fmt::format("alnus      {}\n", version());
  text += fmt::format("queries    {}: {}\n", printable(report.queries.name()),
                      describe(report.queries.sequences()));
  text += fmt::format("database   {}: {}\n", printable(report.database.name()),
                      describe(report.database.sequences()));
  text += fmt::format("null       {}", report.null);
  if (report.seed)
    text += fmt::format(", {}, seed {}", format_count(report.found.size(), "permutation", "permutations"),
                        *report.seed);
  text += fmt::format("\nsearch     {}{}\n", report.scoring,
                      report.strands_of_each == 1 ? "" : "; both strands of each query");
  return text + fmt::format("statistics {}\n\n", report.statistics) + table(report);
}

std::string as_json(const EvalueReport& report, const std::string& command_line) {
  nlohmann::ordered_json json = {{"version", version()}, {"command_line", command_line}};
  json["queries"] = json_of(report.queries);
  json["database"] = json_of(report.database);
  json["null"] = report.null;
  if (report.seed) json["seed"] = *report.seed;
  json["scoring"] = report.scoring;
  json["strands_of_each_query"] = report.strands_of_each;
  json["statistics"] = report.statistics;
  json["permutations"] = report.found;
  json["thresholds"] = nlohmann::ordered_json::array();
  for (const Total& total : totals(report)) {
    json["thresholds"].push_back({{"evalue", total.threshold}, {"found", total.found}});
    if (!report.all_chance) continue;
    json["thresholds"].back()["due"] = total.due;
    json["thresholds"].back()["found_by_due"] = total.ratio();
  }
  return dump(json);
}

}  // namespace alnus::bench
