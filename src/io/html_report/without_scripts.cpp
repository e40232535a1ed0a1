// What an HTML report shows where scripts do not run.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "alnus/text.h"
#include "io/html_report/draft.h"
#include "io/json_text.h"

namespace alnus::io {
namespace {

constexpr std::size_t kLines = 1'000;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kColumns[] = {"relation", "value", "score",  "bitscore", "evalue",
                                         "qstart",   "qend",  "sstart", "send"};

std::string row_of(std::string_view tag, const std::vector<std::string>& texts) {
  std::string row = "<tr>";
  for (const std::string& text : texts) row += fmt::format("<{0}>{1}</{0}>", tag, as_markup(text));
  return row + "</tr>\n";
}

std::string paragraph(std::string_view text) { return fmt::format("<p>{}</p>\n", as_markup(text)); }
std::string heading(std::string_view text) { return fmt::format("<h2>{}</h2>\n", as_markup(text)); }

std::string run_part(const HtmlReport& report, const ReportDraft& draft) {
  std::string text = heading("The run") + "<table>\n";
  for (const auto& [name, fact] : report.run.facts) text += row_of("td", {name, fact});
  for (const ReportInput& input : report.run.inputs)
    text += row_of(
        "td", {input.role, fmt::format("{}: {}, {}, digest {}", isolated(input.name),
                                       format_count(input.records, "record", "records"),
                                       format_count(input.residues, "residue", "residues"), input.digest)});
  text += "</table>\n";
  for (const std::string& note : report.run.notes) text += paragraph(note);
  if (const std::string sentence = draft.shown().sentence; !sentence.empty()) text += paragraph(sentence);
  return text;
}

std::string section_part(const ReportSection& section) {
  if (section.kind == ReportSection::Kind::document) return "";
  std::string text = heading(section.title);
  if (section.kind == ReportSection::Kind::text) {
    for (const std::string& line : section.lines) text += paragraph(line);
    return text;
  }
  text += "<table>\n";
  if (section.kind == ReportSection::Kind::table) {
    if (!section.columns.empty()) text += row_of("th", section.columns);
    for (const std::vector<std::string>& row : section.rows) text += row_of("td", row);
  } else {
    text += row_of("th", {section.label, section.unit});
    for (const ReportSection::Bar& bar : section.bars)
      text += row_of("td", {bar.label, fmt::format("{}", bar.number)});
  }
  text += "</table>\n";
  return section.note.empty() ? text : text + paragraph(section.note);
}

// The rows of the first table that are shown. `each`: how many a query has at most; 0 for other tables.
std::vector<std::uint32_t> chosen_rows(const ReportTable& table, const std::vector<std::uint32_t>& rows,
                                       std::size_t& each) {
  std::vector<std::uint32_t> chosen;
  each = 0;
  if (!table.form().by_query) {
    chosen.assign(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), kLines)));
    return chosen;
  }
  const auto query_of = [&](std::size_t k) { return table.rows()[rows[k]].query; };
  std::size_t queries = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) queries += k == 0 || query_of(k) != query_of(k - 1) ? 1 : 0;
  each = std::max<std::size_t>(1, kLines / std::max<std::size_t>(1, queries));
  std::size_t of_query = 0;
  for (std::size_t k = 0; k < rows.size() && chosen.size() < kLines; ++k) {
    if (k == 0 || query_of(k) != query_of(k - 1)) of_query = 0;
    if (of_query++ < each) chosen.push_back(rows[k]);
  }
  return chosen;
}

std::string table_part(const HtmlReport& report, const ReportDraft& draft) {
  const ReportTable& table = report.tables().front();
  std::size_t each = 0;
  const std::vector<std::uint32_t> chosen = chosen_rows(table, draft.rows(0), each);
  std::string text = heading(table.form().title);
  text += fmt::format("<p>{}{} of {} rows</p>\n<table>\n",
                      each > 0 ? fmt::format("the best {} of each query, ", format_count(each)) : "",
                      format_count(chosen.size()), format_count(draft.rows(0).size()));
  const std::vector<std::string_view> known = table.columns();
  std::vector<std::string> names = {"query", "subject"};
  for (const std::string_view name : kColumns)
    if (std::ranges::find(known, name) != known.end()) names.emplace_back(name);
  text += row_of("th", names);
  for (const std::uint32_t number : chosen) {
    const ReportTable::Row& row = table.rows()[number];
    std::vector<std::string> cells = {std::string(report.sides().queries[row.query].id()),
                                      std::string(report.sides().subjects[row.subject].id())};
    for (std::size_t k = 2; k < names.size(); ++k) {
      const auto value = nlohmann::json::parse(table.value(number, names[k]));
      cells.push_back(value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump());
    }
    text += row_of("td", cells);
  }
  return text + "</table>\n";
}

}  // namespace

std::string as_markup(std::string_view text) {
  if (text.empty()) return "NA";
  std::string markup;
  const std::string utf8 = as_utf8(text);
  for (std::size_t k = 0; k < utf8.size(); ++k) {
    const auto byte = static_cast<unsigned char>(utf8[k]);
    const bool is_c1 = byte == 0xC2 && k + 1 < utf8.size() && static_cast<unsigned char>(utf8[k + 1]) < 0xA0;
    if (is_c1) ++k;
    if (is_c1 || byte == 0x7F || (byte < 0x20 && byte != '\t' && byte != '\n'))
      markup += kReplacement;
    else if (byte == '&')
      markup += "&amp;";
    else if (byte == '<')
      markup += "&lt;";
    else if (byte == '>')
      markup += "&gt;";
    else if (byte == '"')
      markup += "&quot;";
    else if (byte == '\'')
      markup += "&#39;";
    else
      markup += utf8[k];
  }
  return markup;
}

std::string report_without_scripts(const HtmlReport& report, const ReportDraft& draft) {
  std::string text = paragraph(
      "Scripts are off here, so this is only a summary. Save this file and open it in a browser to see "
      "all of it.");
  text += run_part(report, draft);
  for (const ReportSection& section : report.sections) text += section_part(section);
  if (!report.tables().empty()) text += table_part(report, draft);
  return text;
}

}  // namespace alnus::io
