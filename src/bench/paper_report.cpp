#include "bench/paper_report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "alnus/text.h"
#include "bench/paper_compare.h"
#include "bench/speed_report.h"
#include "cli/help.h"

namespace alnus::bench {
namespace {

using Cells = std::vector<std::string>;

constexpr const char* kNone = "-";
constexpr std::size_t kWidth = 112;  // columns of running text; tables may be wider

std::string paragraph(const std::string& text) { return cli::wrap(text, kWidth, 0) + "\n\n"; }
std::string item(const std::string& text) { return "- " + cli::wrap(text, kWidth, 2) + "\n"; }

// Each column is as wide as its widest cell; all but the first are aligned to the right.
std::string markdown_table(const std::vector<Cells>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 3);
  for (const Cells& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text = "\n";
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

// Formats a value with three significant digits, or with all digits before the decimal point if these are
// more.
std::string format_value(std::optional<double> value) {
  if (!value) return kNone;
  if (*value >= 1000) return format_count(static_cast<std::uint64_t>(std::llround(*value)));
  const int before = *value > 0 ? static_cast<int>(std::floor(std::log10(*value))) : 0;
  return fmt::format("{:.{}f}", *value, std::max(2 - before, 0));
}

std::string format_percent(double part) { return fmt::format("{:.3g}%", part * 100); }

// Writes one table of a paper: a table for each series that was measured. The first of them also has the
// series that were not measured here.
class TableWriter {
 public:
  TableWriter(const PaperTable& table, const PaperFigures& figures) : table_(table), figures_(figures) {
    for (std::size_t i = 0; i < table.series.size(); ++i)
      (figure_of(table.rows.front(), i) != nullptr ? measured_ : told_).push_back(i);
  }

  std::string text() const {
    std::string text = fmt::format("### {}: {}\n\n", table_.name, table_.caption);
    if (!measured_.empty()) text += item(describe());
    for (const std::string& note : table_.notes) text += item(note);
    text += missing_gpus();
    if (measured_.empty()) text += markdown_table(told_rows());
    for (const std::size_t i : measured_) {
      if (table_.series.size() > 1) text += fmt::format("\n**{}**\n", table_.series[i].title);
      text += markdown_table(compared_rows(i));
    }
    return text + "\n";
  }

 private:
  const PaperFigure* figure_of(const PaperRow& row, std::size_t series) const {
    return figures_.of(kAlnus, row.cells[series].task);
  }

  // Describes scoring, mode and data, as far as they are the same for the whole table.
  std::string describe() const {
    const PaperTask& task = *table_.rows.front().cells[measured_.front()].task;
    const PaperSubjects& subjects = figure_of(table_.rows.front(), measured_.front())->subjects;
    const std::string costs = describe_costs(task.scoring());
    bool one_scoring = true, one_mode = true, one_database = task.is_search();
    for (const PaperRow& row : table_.rows)
      for (const std::size_t i : measured_) {
        one_scoring &= describe_costs(row.cells[i].task->scoring()) == costs;
        one_mode &= row.cells[i].task->mode == task.mode;
        one_database &= figure_of(row, i)->subjects == subjects;
      }
    std::string text = "Here: " + (one_scoring ? costs : task.matrix);
    if (one_mode) text += ", " + task.mode;
    text += task.detail == Detail::score ? ", scores" : ", alignments";
    if (one_database)
      text += fmt::format(
          "; {} of {} in all, the longest of {}", format_count(subjects.sequences, "sequence", "sequences"),
          format_count(subjects.residues, "residue", "residues"), format_count(subjects.longest));
    return text + ".";
  }

  std::string missing_gpus() const {
    const PaperRow& row = table_.rows.front();
    Cells titles;
    std::uint32_t gpus = 0;
    for (const std::size_t i : told_) {
      if (!table_.series[i].measured) continue;
      titles.push_back(table_.series[i].title);
      gpus = std::max(gpus, row.cells[i].task->gpus);
    }
    std::string text;
    if (gpus > 0)
      text += item(fmt::format("Not measured, for want of GPUs: {}. All of the table takes {}.",
                               fmt::join(titles, "; "), gpus));
    if (measured_.empty()) return text;
    const std::optional<PaperTask>& first = row.cells[measured_.front()].task;
    if (const std::uint32_t here = figures_.here(first)->gpus; here < first->gpus)
      text += item(fmt::format("The paper's card has {} GPUs; here {} was taken.", first->gpus, here));
    return text;
  }

  // The labels, and the figures of the series that were not measured; the first row is the head.
  std::vector<Cells> told_rows() const {
    std::vector<Cells> rows = {table_.labels};
    for (const std::size_t i : told_)
      for (const std::string& unit : table_.series[i].units)
        rows.front().push_back(fmt::format("{} {}", table_.series[i].title, unit));
    for (const PaperRow& row : table_.rows) {
      rows.push_back(row.labels);
      for (const std::size_t i : told_) add_printed(rows.back(), row.cells[i]);
    }
    return rows;
  }

  std::vector<Cells> label_rows() const {
    std::vector<Cells> rows = {table_.labels};
    for (const PaperRow& row : table_.rows) rows.push_back(row.labels);
    return rows;
  }

  static void add_printed(Cells& cells, const PaperCell& cell) {
    for (const std::string& printed : cell.printed) cells.push_back(printed.empty() ? kNone : printed);
  }

  std::vector<Cells> compared_rows(std::size_t place) const {
    const PaperSeries& series = table_.series[place];
    const bool has_ratio = table_.rows.front().cells[place].ratio_of.has_value();
    Cells units;  // the series' units, without ratios that are not measured
    for (const std::string& unit : series.units)
      if (has_ratio || !is_ratio(unit)) units.push_back(unit);
    const bool is_set = !table_.rows.front().cells[place].task->is_search();
    const bool is_part = figure_of(table_.rows.front(), place)->part < 1;

    std::vector<Cells> rows = place == measured_.front() ? told_rows() : label_rows();
    const std::size_t beside = rows.front().size();
    const auto add_values = [&](Cells& cells, const PaperFigure* figure, const PaperFigure* ratio_of) {
      for (const std::string& unit : units) cells.push_back(format_value(value_in(unit, figure, ratio_of)));
    };
    const auto add_data = [&](Cells& cells, const PaperFigure& figure) {
      if (is_set) cells.push_back(format_count(figure.subjects.distinct));
      if (is_part) cells.push_back(format_percent(figure.part));
    };
    add_head(rows.front(), series, units);
    if (is_set) rows.front().emplace_back("distinct");
    if (is_part) rows.front().emplace_back("part");
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      const PaperCell& cell = table_.rows[i].cells[place];
      const Compared compared(figures_, series, cell);
      Cells& cells = rows[i + 1];
      add_printed(cells, cell);
      add_values(cells, compared.method, compared.method_ratio_of);
      add_values(cells, compared.alnus, compared.alnus_ratio_of);
      cells.push_back(format_value(times_paper(series, cell, compared.method)));
      cells.push_back(format_value(times_paper(series, cell, compared.alnus)));
      cells.push_back(format_value(compared.times_method()));
      add_data(cells, *compared.alnus);
    }
    if (const PaperFigure* batch = figures_.batch(table_, place)) {
      Cells& cells = rows.emplace_back(Cells{"all as one batch"});
      cells.resize(beside + series.units.size() + units.size(), kNone);
      add_values(cells, batch, nullptr);
      cells.insert(cells.end(), 3, kNone);
      add_data(cells, *batch);
    }
    return rows;
  }

  static void add_head(Cells& cells, const PaperSeries& series, const Cells& units) {
    const std::string method = series.method.empty() ? "method" : series.method;
    for (const std::string& unit : series.units) cells.push_back("paper " + unit);
    for (const std::string& who : {method, std::string("alnus")})
      for (const std::string& unit : units) cells.push_back(fmt::format("{} {}", who, unit));
    cells.insert(cells.end(), {method + "/paper", "alnus/paper", "alnus/" + method});
  }

  const PaperTable& table_;
  const PaperFigures& figures_;
  std::vector<std::size_t> measured_, told_;  // indices of series that were measured here, and of the others
};

std::string one_run_of_each(bool is_part) {
  std::string text = fmt::format(
      "1 of each; of work of fewer than {} cells, by alnus {}, the middle one of {} after one that is "
      "not measured",
      format_cells(kFewCells), format_cells(kFewCellsOfAlnus), kRunsOfShort);
  if (is_part) return text;
  return text + fmt::format(", or of those of {:.1f} s where one takes less than {:.0f} ms",
                            kSecondsOfMoments, kMoment * 1e3);
}

std::string head(const PaperReport& report, const std::string& command_line) {
  std::string text = "# The papers' tables, measured again\n\n```\n" + describe_machine(report.devices);
  text += fmt::format("command    {}\n", command_line);
  text += fmt::format("source     {}: {}, {}\n", report.file,
                      format_count(report.sequences, "sequence", "sequences"),
                      format_count(report.residues, "residue", "residues"));
  text += fmt::format("runs       {}\n```\n\n", report.runs > 1 ? fmt::format("{} of each", report.runs)
                                                                : one_run_of_each(report.part < 1));
  text += paragraph(
      "Each table has the paper's figures, those of the paper's method on this machine, and those of alnus "
      "as it runs when nothing is forced; then how many times as fast one is as the other. What a paper "
      "tells of other programs was not measured again. Searches are of one query, from the query in memory "
      "to its ten best hits in memory, with the database on the device; the scores of a paper's method are "
      "looked through for these hits on the host, by one thread, those of alnus on the GPU, and the times "
      "include both. All pairs are from sequences in host memory to all results in host memory.");
  text += paragraph(
      "Databases have the paper's numbers of sequences and residues: they are sequences of the source, drawn "
      "with replacement and cut; the residues of those drawn again, and of those that had to be made longer, "
      "are in random order. Sets have lengths spread evenly from half to one and a half times the average, "
      "or over the range that is told; they are the source's sequences of the nearest lengths, in turns, and "
      "repeat where it has too few of a length: the column \"distinct\" tells how many differ. A method and "
      "alnus must find the same, or all of this fails: the hits of each search, and of a set all pairs of "
      "its first 100 sequences.");
  if (report.part < 1)
    text += paragraph(fmt::format(
        "Only a part was measured: of each database and set {} of the sequences. Times are those of the "
        "part of the pairs that each line tells; factors are of the speed.",
        format_percent(report.part)));
  return text;
}

std::string head(const Paper& paper, const PaperFigures& figures, const std::vector<DeviceInfo>& devices) {
  std::string text = fmt::format("{}: *{}*. {}.", paper.authors, paper.title, paper.published);
  if (!paper.doi.empty()) text += fmt::format(" [doi:{0}](https://doi.org/{0})", paper.doi);
  return fmt::format("## {}\n\n{}{}", paper.name, paragraph(text),
                     paragraph(fmt::format("Then: {}. Now: {}{}. Measured in {}.", paper.hardware,
                                           devices.size() > 1 ? fmt::format("{} of ", devices.size()) : "",
                                           devices.front().description, format_seconds(figures.seconds()))));
}

}  // namespace

std::string as_markdown(const PaperReport& report, const std::string& command_line) {
  std::string text = head(report, command_line);
  for (const auto& [paper, figures] : report.results) {
    text += head(paper, figures, report.devices);
    for (const PaperTable& table : paper.tables) text += TableWriter(table, figures).text();
  }
  return text + fmt::format("All of it took {}.\n", format_seconds(report.seconds));
}

}  // namespace alnus::bench
