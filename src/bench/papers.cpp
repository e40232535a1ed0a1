#include "bench/papers.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "alnus/devices.h"
#include "bench/embedded_papers.h"

namespace alnus::bench {
namespace {

using Json = nlohmann::ordered_json;

template <typename Value>
void update(Value& value, const Json& json, const char* key) {
  if (json.contains(key)) json[key].get_to(value);
}

void update(PaperDatabase& database, const Json& json) {
  update(database.made, json, "made");
  update(database.sequences, json, "sequences");
  update(database.residues, json, "residues");
  update(database.longest, json, "longest");
  if (json.contains("length")) database.residues = std::uint64_t{json["length"]} * database.sequences;
}

// Takes over what `json` says about the task; the rest stays as it is.
void update(PaperTask& task, const Json& json) {
  update(task.gpus, json, "gpus");
  update(task.or_fewer_gpus, json, "or_fewer_gpus");
  if (json.contains("database")) update(task.database, json["database"]);
  update(task.set.count, json, "count");
  update(task.set.shortest, json, "shortest");
  update(task.set.longest, json, "longest");
  if (json.contains("average")) task.set = SetSize::around(json["average"], task.set.count);
  update(task.mode, json, "mode");
  update(task.matrix, json, "matrix");
  update(task.gap_open, json, "gap_open");
  update(task.gap_extend, json, "gap_extend");
  update(task.gap_convention, json, "gap_convention");
  if (json.contains("detail")) task.detail = json["detail"] == "score" ? Detail::score : Detail::alignment;
  update(task.queries, json, "queries");
  update(task.query, json, "query");
}

// Reads "128", and "8k" as 8192.
std::uint32_t whole_number(std::string_view text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return text.ends_with('k') ? number * 1024 : number;
}

// The fields of the task that a row's labels give. "gives" of a label names the field, and "as" translates
// the paper's words into values.
Json given_by(const Json& labels, const Json& row) {
  Json task = Json::object();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Json& label = labels[i];
    if (!label.contains("gives")) continue;
    const std::string text = row[i], gives = label["gives"];
    const bool is_word = gives == "mode" || gives == "made";
    const Json value = label.contains("as") ? label["as"][text]
                       : is_word            ? Json(text)
                                            : Json(whole_number(text));
    const bool of_database = gives == "made" || gives == "sequences" || gives == "length";
    (of_database ? task["database"] : task)[gives] = value;
  }
  return task;
}

PaperSeries read_series(const Json& json, const std::string& paper, const std::vector<Backend>& backends) {
  PaperSeries series;
  series.title = json["title"];
  series.units = json["units"];
  series.measured = json.contains("system");
  for (const Backend& backend : backends)
    for (const PaperMethod& method : backend.papers)
      if (series.measured && method.paper == paper && json["system"] == method.system)
        series.method = method.name;
  return series;
}

PaperRow read_row(const Json& json, const Json& table, PaperTask task) {
  const Json &labels = table["labels"], &all_series = table["series"];
  PaperRow row;
  auto next = json.begin();
  for (; row.labels.size() < labels.size(); ++next) row.labels.push_back(*next);
  update(task, given_by(labels, json));
  for (const Json& series : all_series) {
    PaperCell& cell = row.cells.emplace_back();
    for (; cell.printed.size() < series["units"].size(); ++next) cell.printed.push_back(*next);
    if (!series.contains("system")) continue;
    cell.task = task;
    if (series.contains("task")) update(*cell.task, series["task"]);
    if (!series.contains("ratio_of")) continue;
    cell.ratio_of = cell.task;
    update(*cell.ratio_of, series["ratio_of"]);
  }
  return row;
}

PaperTable read_table(const Json& json, const std::string& paper, PaperTask task,
                      const std::vector<Backend>& backends) {
  PaperTable table;
  table.name = json["name"];
  table.caption = json["caption"];
  update(table.notes, json, "notes");
  for (const Json& label : json["labels"]) table.labels.push_back(label["title"]);
  for (const Json& series : json["series"]) table.series.push_back(read_series(series, paper, backends));
  if (json.contains("task")) update(task, json["task"]);
  for (const Json& row : json["rows"]) {
    if (!task.queries.empty()) task.query = static_cast<std::uint32_t>(table.rows.size());
    table.rows.push_back(read_row(row, json, task));
  }
  return table;
}

constexpr std::string_view kFolder = "papers/", kSuffix = ".json";

}  // namespace

Scoring PaperTask::scoring() const {
  ScoringOptions options;
  options.mode = mode;
  options.matrix = matrix;
  options.gap_open = gap_open;
  options.gap_extend = gap_extend;
  options.gap_convention = gap_convention;
  return make_scoring(options);
}

const PaperTable& Paper::table(const std::string& table_name) const {
  return *std::ranges::find(tables, table_name, &PaperTable::name);
}

std::vector<std::string> paper_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : paper_files())
    if (file.path.starts_with(kFolder))
      names.emplace_back(
          file.path.substr(kFolder.size(), file.path.size() - kFolder.size() - kSuffix.size()));
  std::ranges::stable_sort(names, {}, [](const std::string& name) { return name.substr(name.rfind('-')); });
  return names;
}

Paper read_paper(const std::string& name) {
  const Json json = Json::parse(embedded_text(fmt::format("{}{}{}", kFolder, name, kSuffix), paper_files()));
  const std::vector<Backend> backends = alnus::backends();
  Paper paper{.name = name,
              .title = json["title"],
              .authors = json["authors"],
              .published = json["published"],
              .doi = json.value("doi", ""),
              .hardware = json["hardware"],
              .tables = {}};
  PaperTask task;
  update(task, json["task"]);
  for (const Json& table : json["tables"]) paper.tables.push_back(read_table(table, name, task, backends));
  return paper;
}

std::optional<double> printed_value(const std::string& printed) {
  if (printed.starts_with('>') || printed.starts_with('<')) return std::nullopt;
  const std::size_t digits = std::min(printed.find_first_of("0123456789"), printed.size());
  double value = 0;
  const char* const end = printed.data() + printed.size();
  if (std::from_chars(printed.data() + digits, end, value).ec != std::errc{}) return std::nullopt;
  return value;
}

}  // namespace alnus::bench
