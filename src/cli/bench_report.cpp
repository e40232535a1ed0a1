#include "cli/bench_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <span>

#include "cli/machine.h"
#include "cli/units.h"

namespace alnus::cli {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double uploading(const BenchReport& report) {
  return std::max(report.first_seconds - median(report.lines.back().seconds), 0.0);
}

std::string milliseconds(double seconds) { return fmt::format("{:.3f}", seconds * 1000); }

std::string checksum_of(const BenchLine& line) { return fmt::format("{:016x}", line.checksum); }

std::vector<std::string> cells_of(const BenchLine& line) {
  const double seconds = median(line.seconds);
  const auto cells = static_cast<double>(line.cells);
  std::vector<std::string> texts = {
      line.query.empty() ? fmt::format("all {}", format_count(line.queries)) : line.query,
      format_count(line.residues),
      format_cells(cells),
      milliseconds(seconds),
      milliseconds(*std::min_element(line.seconds.begin(), line.seconds.end())),
      milliseconds(*std::max_element(line.seconds.begin(), line.seconds.end())),
      format_speed(cells, seconds)};
  for (const BenchStage& stage : line.stages) texts.push_back(milliseconds(median(stage.seconds)));
  return texts;
}

// Columns as wide as what is in them; all but the first on the right.
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

std::string table(const std::vector<BenchLine>& lines) {
  std::vector<std::vector<std::string>> rows = {
      {"query", "residues", "cells", "median ms", "min ms", "max ms", "speed"}};
  for (const BenchStage& stage : lines.back().stages) rows.front().push_back(stage.name + " ms");
  for (const BenchLine& line : lines) rows.push_back(cells_of(line));
  return aligned(rows);
}

}  // namespace

std::string as_text(const BenchReport& report) {
  const BenchLine& all = report.lines.back();
  std::string text = fmt::format("alnus      {} on {}\n", ALNUS_VERSION, cpu_model());
  for (const DeviceInfo& device : report.devices)
    text += fmt::format("device     {}: {}\n", device.name, device.description);
  text += fmt::format("queries    {}: {}, {}\n", report.queries,
                      format_count(all.queries, "sequence", "sequences"),
                      format_count(all.residues, "residue", "residues"));
  text += fmt::format("database   {}, {}: {}, {}, longest {}\n", report.database, report.data,
                      format_count(report.subjects, "sequence", "sequences"),
                      format_count(report.residues, "residue", "residues"), format_count(report.longest));
  text += fmt::format("search     {}; detail {}, {} of each query\n", report.scoring, report.detail,
                      format_count(report.max_target_seqs, "hit", "hits"));
  text += fmt::format("runs       {}; upload and first run: {} ms more than the median\n\n",
                      all.seconds.size(), milliseconds(uploading(report)));
  return text + table(report.lines) + fmt::format("\nchecksum   {}\n", checksum_of(all));
}

std::string as_json(const BenchReport& report) {
  nlohmann::ordered_json json = {{"version", ALNUS_VERSION},
                                 {"command_line", report.command_line},
                                 {"cpu", cpu_model()},
                                 {"devices", nlohmann::ordered_json::array()},
                                 {"queries", report.queries},
                                 {"database",
                                  {{"file", report.database},
                                   {"data", report.data},
                                   {"sequences", report.subjects},
                                   {"residues", report.residues},
                                   {"longest", report.longest}}},
                                 {"scoring", report.scoring},
                                 {"detail", report.detail},
                                 {"max_target_seqs", report.max_target_seqs},
                                 {"first_run_s", report.first_seconds},
                                 {"upload_and_first_run_s", uploading(report)},
                                 {"lines", nlohmann::ordered_json::array()}};
  for (const DeviceInfo& device : report.devices)
    json["devices"].push_back({{"name", device.name}, {"description", device.description}});
  for (const BenchLine& line : report.lines) {
    const double seconds = median(line.seconds);
    nlohmann::ordered_json entry = {{"query", line.query},
                                    {"queries", line.queries},
                                    {"residues", line.residues},
                                    {"cells", line.cells},
                                    {"seconds", line.seconds},
                                    {"median_s", seconds},
                                    {"min_s", *std::min_element(line.seconds.begin(), line.seconds.end())},
                                    {"max_s", *std::max_element(line.seconds.begin(), line.seconds.end())},
                                    {"gcups", static_cast<double>(line.cells) / seconds / 1e9},
                                    {"stages_median_s", nlohmann::ordered_json::object()},
                                    {"checksum", checksum_of(line)}};
    for (const BenchStage& stage : line.stages) entry["stages_median_s"][stage.name] = median(stage.seconds);
    json["lines"].push_back(entry);
  }
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace alnus::cli
