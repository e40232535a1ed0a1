#include "cli/paper_report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/bench_report.h"
#include "cli/units.h"

namespace alnus::cli {
namespace {

using Cells = std::vector<std::string>;

constexpr const char* kNone = "-";

// As Markdown has it, in columns as wide as what is in them; all but the first on the right.
std::string markdown_table(const std::vector<Cells>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 3);
  for (const Cells& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  const auto add = [&](const Cells& row) {
    text += fmt::format("| {:<{}} ", row.front(), widths.front());
    for (std::size_t i = 1; i < row.size(); ++i) text += fmt::format("| {:>{}} ", row[i], widths[i]);
    text += "|\n";
  };
  add(rows.front());
  for (std::size_t i = 0; i < widths.size(); ++i)
    text += fmt::format("|{:-<{}}{}", "", widths[i] + 1, i == 0 ? '-' : ':');
  text += "|\n";
  for (std::size_t i = 1; i < rows.size(); ++i) add(rows[i]);
  return text;
}

// Of three digits or more.
std::string format_value(std::optional<double> value) {
  if (!value) return kNone;
  if (*value >= 1000) return format_count(static_cast<std::uint64_t>(std::llround(*value)));
  const int before = *value > 0 ? static_cast<int>(std::floor(std::log10(*value))) : 0;
  return fmt::format("{:.{}f}", *value, std::max(2 - before, 0));
}

bool is_time(const std::string& unit) { return unit == "s" || unit == "ms" || unit == "ms/pair"; }
bool is_ratio(const std::string& unit) { return !is_time(unit) && unit != "MCUPS" && unit != "GCUPS"; }

// A figure here in one of the paper's units. `ratio_of`: whose time is divided by its.
std::optional<double> value_in(const std::string& unit, const PaperFigure* figure,
                               const PaperFigure* ratio_of) {
  if (figure == nullptr) return std::nullopt;
  const double seconds = figure->seconds(), cells = static_cast<double>(figure->measured.cells);
  if (unit == "s") return seconds;
  if (unit == "ms") return seconds * 1e3;
  if (unit == "ms/pair") return seconds * 1e3 / static_cast<double>(figure->pairs);
  if (unit == "MCUPS") return cells / seconds / 1e6;
  if (unit == "GCUPS") return cells / seconds / 1e9;
  if (ratio_of == nullptr) return std::nullopt;
  return ratio_of->seconds() / seconds;
}

// How many times as fast as the paper says it is here, by the last unit that is no ratio.
std::optional<double> times_paper(const PaperSeries& series, const PaperCell& cell,
                                  const PaperFigure* figure) {
  for (std::size_t i = series.units.size(); i-- > 0;) {
    const std::string& unit = series.units[i];
    const std::optional<double> paper = printed_value(cell.printed[i]),
                                here = value_in(unit, figure, nullptr);
    if (is_ratio(unit) || !paper || !here) continue;
    if (!is_time(unit)) return *here / *paper;
    return *paper / *here * (unit == "ms/pair" ? 1 : figure->part);
  }
  return std::nullopt;
}

// A cell of a paper's table with what was measured of it.
struct Compared {
  const PaperFigure *method = nullptr, *method_ratio_of = nullptr;
  const PaperFigure *alnus = nullptr, *alnus_ratio_of = nullptr;

  std::optional<double> times_method() const {
    if (method == nullptr || alnus == nullptr) return std::nullopt;
    return method->seconds() / alnus->seconds();
  }
};

Compared compare(const PaperFigures& figures, const PaperSeries& series, const PaperCell& cell) {
  return {figures.of(series.method, cell.task), figures.of(series.method, cell.ratio_of),
          figures.of(kAlnus, cell.task), figures.of(kAlnus, cell.ratio_of)};
}

// Writes one table of a paper: a table for each of its series that was measured.
class TableWriter {
 public:
  TableWriter(const PaperTable& table, const PaperFigures& figures) : table_(table), figures_(figures) {
    for (std::size_t i = 0; i < table.series.size(); ++i)
      (figures.of(kAlnus, table.rows.front().cells[i].task) != nullptr ? measured_ : told_).push_back(i);
  }

  std::string text() const {
    std::string text = fmt::format("### {}: {}\n\n{}", table_.name, table_.caption, describe());
    for (const std::string& note : table_.notes) text += note + "\n";
    text += missing_gpus();
    if (measured_.empty()) return text + "\n" + markdown_table(told_rows()) + "\n";
    for (const std::size_t i : measured_) {
      if (measured_.size() > 1) text += fmt::format("\n**{}**\n", table_.series[i].title);
      text += "\n" + markdown_table(rows(i, i == measured_.front()));
    }
    return text + "\n";
  }

 private:
  // Scoring and data, as far as all of the table has the same.
  std::string describe() const {
    if (measured_.empty()) return "";
    const PaperCell& cell = table_.rows.front().cells[measured_.front()];
    const Scoring scoring = cell.task->scoring();
    const PaperSubjects& subjects = figures_.of(kAlnus, cell.task)->subjects;
    bool one_scoring = true, one_mode = true, one_database = cell.task->is_search();
    for (const PaperRow& row : table_.rows)
      for (const std::size_t i : measured_) {
        const Scoring other = row.cells[i].task->scoring();
        one_scoring &= describe_costs(other) == describe_costs(scoring);
        one_mode &= other.mode == scoring.mode;
        one_database &= figures_.of(kAlnus, row.cells[i].task)->subjects == subjects;
      }
    std::string text = "Here: " + (one_scoring ? describe_costs(scoring) : scoring.matrix.name());
    if (one_mode) text += fmt::format(", {}", to_string(scoring.mode));
    text += cell.task->detail == Detail::score ? ", scores" : ", alignments";
    if (one_database)
      text += fmt::format(
          "; {} of {} in all, the longest of {}", format_count(subjects.sequences, "sequence", "sequences"),
          format_count(subjects.residues, "residue", "residues"), format_count(subjects.longest));
    return text + ".\n";
  }

  std::string missing_gpus() const {
    std::string text;
    const PaperRow& row = table_.rows.front();
    for (const std::size_t i : told_)
      if (table_.series[i].measured)
        text += fmt::format("{}: takes {} GPUs, and is the paper's alone here.\n", table_.series[i].title,
                            row.cells[i].task->gpus);
    for (const std::size_t i : measured_)
      if (const auto here = figures_.here(row.cells[i].task); here->gpus < row.cells[i].task->gpus)
        return text + fmt::format("The paper's card had {} GPUs; here it is {}.\n", row.cells[i].task->gpus,
                                  here->gpus);
    return text;
  }

  // What the paper alone has, beside the labels.
  std::vector<Cells> told_rows() const {
    std::vector<Cells> rows = {table_.labels};
    for (const std::size_t i : told_)
      for (const std::string& unit : table_.series[i].units)
        rows.front().push_back(fmt::format("{} {}", table_.series[i].title, unit));
    for (const PaperRow& row : table_.rows) {
      Cells& cells = rows.emplace_back(row.labels);
      for (const std::size_t i : told_)
        for (const std::string& printed : row.cells[i].printed)
          cells.push_back(printed.empty() ? kNone : printed);
    }
    return rows;
  }

  std::vector<Cells> rows(std::size_t place, bool with_told) const {
    const PaperSeries& series = table_.series[place];
    const std::string method = series.method.empty() ? "method" : series.method;
    std::vector<Cells> rows;
    if (with_told) {
      rows = told_rows();
    } else {
      rows = {table_.labels};
      for (const PaperRow& row : table_.rows) rows.push_back(row.labels);
    }
    for (const std::string& who : {std::string("paper"), method, std::string("alnus")})
      for (const std::string& unit : series.units) rows.front().push_back(fmt::format("{} {}", who, unit));
    rows.front().insert(rows.front().end(),
                        {method + "/paper", "alnus/paper", fmt::format("alnus/{}", method)});
    const double part = figures_.of(kAlnus, table_.rows.front().cells[place].task)->part;
    if (part < 1) rows.front().emplace_back("part");

    const auto add = [&](Cells& cells, const Compared& figures) {
      for (const std::string& unit : series.units)
        cells.push_back(format_value(value_in(unit, figures.method, figures.method_ratio_of)));
      for (const std::string& unit : series.units)
        cells.push_back(format_value(value_in(unit, figures.alnus, figures.alnus_ratio_of)));
    };
    const auto add_part = [&](Cells& cells, const PaperFigure& figure) {
      if (part < 1) cells.push_back(fmt::format("{}%", format_value(figure.part * 100)));
    };
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      const PaperCell& cell = table_.rows[i].cells[place];
      const Compared figures = compare(figures_, series, cell);
      Cells& cells = rows[i + 1];
      for (const std::string& printed : cell.printed) cells.push_back(printed.empty() ? kNone : printed);
      add(cells, figures);
      cells.push_back(format_value(times_paper(series, cell, figures.method)));
      cells.push_back(format_value(times_paper(series, cell, figures.alnus)));
      cells.push_back(format_value(figures.times_method()));
      add_part(cells, *figures.alnus);
    }
    if (const PaperFigure* batch = figures_.batch(table_, place)) {
      Cells& cells = rows.emplace_back(Cells{"all, as one batch"});
      cells.resize(rows[1].size() - (part < 1 ? 1 : 0) - 3 - 2 * series.units.size(), "");
      add(cells, {.alnus = batch});
      cells.insert(cells.end(), 3, kNone);
      add_part(cells, *batch);
    }
    return rows;
  }

  const PaperTable& table_;
  const PaperFigures& figures_;
  std::vector<std::size_t> measured_, told_;  // of the table's series
};

std::string head(const PaperReport& report, const std::string& command_line) {
  std::string text = "# The papers' tables, measured again\n\n```\n" + describe_machine(report.devices);
  text += fmt::format("command    {}\n", command_line);
  text += fmt::format("source     {}: {}, {}\n", report.file,
                      format_count(report.sequences, "sequence", "sequences"),
                      format_count(report.residues, "residue", "residues"));
  text += fmt::format("runs       {} of each\n```\n\n", report.runs);
  text +=
      "Each table has the paper's figures, those of the paper's method on this machine, and those of alnus "
      "as it\n"
      "runs when nothing is forced; then how many times as fast one is as the other. What the paper tells of "
      "other\n"
      "programs was not measured here. Searches are from a query in memory to its ten best hits in memory, "
      "with the\n"
      "database on the device; all pairs from sequences in host memory to results in host memory.\n\n"
      "Databases have the paper's number of sequences and residues: sequences of the source, drawn with "
      "replacement\n"
      "and cut; the residues of those drawn again are in random order. Sets have lengths spread evenly over "
      "the\n"
      "range that is told, or from half to one and a half times the average: of the source's nearest, in "
      "turns.\n";
  if (report.part < 1)
    text += fmt::format(
        "\nOnly a part of each database and set was measured: {} of its sequences. Times are those of the "
        "part,\n"
        "factors those of the speed.\n",
        format_value(report.part));
  return text;
}

nlohmann::ordered_json figure_json(const PaperSeries& series, const PaperFigure* figure,
                                   const PaperFigure* ratio_of) {
  nlohmann::ordered_json json = nullptr;
  if (figure == nullptr) return json;
  for (const std::string& unit : series.units)
    if (const auto value = value_in(unit, figure, ratio_of)) json[unit] = *value;
  append(figure->measured, json);
  json["pairs"] = figure->pairs;
  json["part"] = figure->part;
  json["subjects"] = {{"sequences", figure->subjects.sequences},
                      {"distinct", figure->subjects.distinct},
                      {"residues", figure->subjects.residues},
                      {"longest", figure->subjects.longest}};
  return json;
}

nlohmann::ordered_json series_json(const PaperTable& table, const PaperFigures& figures, std::size_t place) {
  const PaperSeries& series = table.series[place];
  nlohmann::ordered_json json = {{"title", series.title},
                                 {"units", series.units},
                                 {"method", series.method},
                                 {"rows", nlohmann::ordered_json::array()}};
  for (const PaperRow& row : table.rows) {
    const PaperCell& cell = row.cells[place];
    const Compared compared = compare(figures, series, cell);
    json["rows"].push_back({{"labels", row.labels},
                            {"paper", cell.printed},
                            {"method", figure_json(series, compared.method, compared.method_ratio_of)},
                            {"alnus", figure_json(series, compared.alnus, compared.alnus_ratio_of)}});
  }
  if (const PaperFigure* batch = figures.batch(table, place))
    json["alnus_batch"] = figure_json(series, batch, nullptr);
  return json;
}

}  // namespace

std::string as_markdown(const PaperReport& report, const std::string& command_line) {
  std::string text = head(report, command_line);
  for (const auto& [paper, figures] : report.results) {
    text += fmt::format("\n## {}\n\n{}: *{}*. {}.", paper.name, paper.authors, paper.title, paper.published);
    if (!paper.doi.empty()) text += fmt::format(" [doi:{0}](https://doi.org/{0})", paper.doi);
    text += fmt::format("\n\nThen: {}. Now: {}. Measured in {}.\n\n", paper.hardware,
                        report.devices.front().description, format_seconds(figures.seconds()));
    for (const PaperTable& table : paper.tables) text += TableWriter(table, figures).text();
  }
  return text + fmt::format("\nAll of it took {}.\n", format_seconds(report.seconds));
}

std::string as_json(const PaperReport& report, const std::string& command_line) {
  nlohmann::ordered_json json = machine_json(command_line, report.devices);
  json["source"] = {{"file", report.file}, {"sequences", report.sequences}, {"residues", report.residues}};
  json["part"] = report.part;
  json["seconds"] = report.seconds;
  json["papers"] = nlohmann::ordered_json::array();
  for (const auto& [paper, figures] : report.results) {
    nlohmann::ordered_json entry = {{"name", paper.name},
                                    {"title", paper.title},
                                    {"hardware", paper.hardware},
                                    {"seconds", figures.seconds()},
                                    {"tables", nlohmann::ordered_json::array()}};
    for (const PaperTable& table : paper.tables) {
      nlohmann::ordered_json of_table = {{"name", table.name}, {"caption", table.caption}};
      for (std::size_t i = 0; i < table.series.size(); ++i)
        of_table["series"].push_back(series_json(table, figures, i));
      entry["tables"].push_back(std::move(of_table));
    }
    json["papers"].push_back(std::move(entry));
  }
  return dump(json);
}

}  // namespace alnus::cli
