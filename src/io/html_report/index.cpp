// The block `index` of an HTML report.
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>

#include "alnus/alphabet.h"
#include "io/html_report/draft.h"

namespace alnus::io {
namespace {

using Json = nlohmann::ordered_json;

Json run_of(const ReportRun& run) {
  Json facts = Json::array(), inputs = Json::array();
  for (const auto& [name, text] : run.facts) facts.push_back(Json::array({name, text}));
  for (const ReportInput& input : run.inputs)
    inputs.push_back({{"role", input.role},
                      {"name", input.name},
                      {"records", input.records},
                      {"residues", input.residues},
                      {"digest", input.digest}});
  return {{"facts", std::move(facts)}, {"inputs", std::move(inputs)}, {"notes", run.notes}};
}

Json output_of(const ReportRun& run) {
  Json columns = Json::array(), left_out = Json::array();
  for (const std::string& name : run.columns)
    (name == "full_qseq" || name == "full_sseq" ? left_out : columns).push_back(name);
  return {{"columns", std::move(columns)}, {"header", run.header}, {"left_out", std::move(left_out)}};
}

// For each letter the other letters with which it scores above 0.
Json positive_letters(const SubstitutionMatrix& matrix) {
  Json positive = Json::object();
  if (matrix.alphabet() == AlphabetKind::dna) return positive;
  const Alphabet& alphabet = Alphabet::of(matrix.alphabet());
  for (int a = 0; a < alphabet.size(); ++a) {
    std::string others;
    for (int b = 0; b < alphabet.size(); ++b)
      if (a != b && matrix.value(static_cast<Residue>(a), static_cast<Residue>(b)) > 0)
        others += alphabet.letters()[static_cast<std::size_t>(b)];
    if (!others.empty()) positive[std::string(1, alphabet.letters()[static_cast<std::size_t>(a)])] = others;
  }
  return positive;
}

// The columns of the queries, with the counts of the first table if it is by query.
Json queries_of(const HtmlReport& report, const ReportDraft& draft) {
  Json columns = {{"id", Json::array()}, {"title", Json::array()}, {"length", Json::array()}};
  const std::vector<SequenceSet::Index>& known = draft.queries().index;
  for (const SequenceSet::Index i : known) {
    const SequenceView query = report.sides().queries[i];
    columns["id"].push_back(query.id());
    columns["title"].push_back(query.title());
    columns["length"].push_back(query.size());
  }
  if (report.tables().empty() || !report.tables().front().form().by_query) return columns;
  const ReportTable& table = report.tables().front();
  std::vector<std::uint32_t> hits(known.size()), rows(known.size());
  std::vector<std::string_view> best;
  for (const std::string_view name : table.columns())
    if (name == "evalue" || name == "bitscore") best.push_back(name);
  for (const std::string_view name : best) columns[std::string(name)] = std::vector<Json>(known.size());
  for (const std::uint32_t number : draft.rows(0)) {
    const ReportTable::Row& row = table.rows()[number];
    const SequenceSet::Index query = draft.queries().number[row.query];
    if (rows[query]++ == 0)
      for (const std::string_view name : best)
        columns[std::string(name)][query] = Json::parse(table.value(number, name));
    hits[query] = static_cast<std::uint32_t>(row.rank + 1);
  }
  columns["hits"] = std::move(hits);
  columns["rows"] = std::move(rows);
  if (!draft.shown().sentence.empty()) {
    Json found = Json::array();
    for (const SequenceSet::Index i : known) found.push_back(table.hits_found()[i]);
    columns["found"] = std::move(found);
  }
  return columns;
}

Json places_of(const ReportDraft::Blocks& blocks) {
  Json sequence = Json::array(), start = Json::array();
  for (const std::vector<LetterRange>& block : blocks) {
    sequence.push_back(block.front().number);
    start.push_back(block.front().begin);
  }
  return {{"sequence", std::move(sequence)}, {"start", std::move(start)}};
}

Json tables_of(const HtmlReport& report, const ReportDraft& draft) {
  Json tables = Json::array();
  for (std::size_t t = 0; t < report.tables().size(); ++t) {
    const ReportTable& table = report.tables()[t];
    Json columns = Json::array();
    if (!table.form().by_query) columns.push_back("query");
    columns.push_back("subject");
    for (const std::string_view name : table.columns()) columns.push_back(name);
    tables.push_back({{"name", table.form().name},
                      {"title", table.form().title},
                      {"by_query", table.form().by_query},
                      {"rows", draft.rows(t).size()},
                      {"rows_per_block", kReportRowsInBlock},
                      {"columns", std::move(columns)},
                      {"gaps", table.has_alignments()}});
  }
  return tables;
}

Json section_of(const ReportSection& section) {
  Json json;
  switch (section.kind) {
    case ReportSection::Kind::text:
      json = {{"kind", "text"}, {"title", section.title}, {"lines", section.lines}};
      break;
    case ReportSection::Kind::table:
      json = {
          {"kind", "table"}, {"title", section.title}, {"columns", section.columns}, {"rows", section.rows}};
      break;
    case ReportSection::Kind::bars: {
      Json rows = Json::array();
      for (const ReportSection::Bar& bar : section.bars)
        rows.push_back(Json::array({bar.label, bar.number, bar.more}));
      json = {{"kind", "bars"},
              {"title", section.title},
              {"label", section.label},
              {"unit", section.unit},
              {"rows", std::move(rows)}};
      break;
    }
    case ReportSection::Kind::document:
      json = {{"kind", "document"}, {"title", section.title}, {"name", section.name}, {"text", section.text}};
      break;
  }
  if (!section.note.empty()) json["note"] = section.note;
  return json;
}

// Six digits of each number: the others depend on the order in which sums are made, and so on parts.
std::vector<double> rounded(std::vector<double> numbers) {
  for (double& number : numbers) number = std::stod(fmt::format("{:.5e}", number));
  return numbers;
}

Json plot_of(const ScorePlot& plot) {
  std::vector<std::uint64_t> hits(plot.counts.size());
  for (const double score : plot.hits) {
    const double bin = (score - plot.first_bin) / plot.bin_width;
    if (bin >= 0 && bin < static_cast<double>(hits.size())) ++hits[static_cast<std::size_t>(bin)];
  }
  return {{"title", plot.title},         {"subtitle", plot.subtitle},
          {"x_label", plot.x_label},     {"note", plot.note},
          {"first_bin", plot.first_bin}, {"bin_width", plot.bin_width},
          {"counts", plot.counts},       {"expected", rounded(plot.expected)},
          {"hits", std::move(hits)},     {"threshold", plot.threshold ? Json(*plot.threshold) : Json()}};
}

}  // namespace

std::string report_index(const HtmlReport& report, const ReportDraft& draft) {
  const bool one_set = report.sides().one_set;
  Json letters = {{"queries", places_of(draft.query_letters())}};
  if (!one_set) letters["subjects"] = places_of(draft.subject_letters());
  const HtmlReport::Shown shown = draft.shown();
  Json index = {
      {"format", "alnus-report"},
      {"version", 1},
      {"kind", report.run.kind},
      {"title", report.run.title},
      {"alphabet", Alphabet::of(report.scoring().matrix.alphabet()).name()},
      {"run", run_of(report.run)},
      {"shown", {{"rows", shown.rows}, {"of", shown.of}, {"sentence", shown.sentence}}},
      {"output", output_of(report.run)},
      {"positive", positive_letters(report.scoring().matrix)},
      {"queries", queries_of(report, draft)},
      {"subjects",
       one_set ? Json()
               : Json({{"count", draft.subjects().index.size()}, {"per_block", kReportSubjectsInBlock}})},
      {"letters", std::move(letters)},
      {"tables", tables_of(report, draft)},
  };
  index["sections"] = Json::array();
  for (const ReportSection& section : report.sections) index["sections"].push_back(section_of(section));
  if (report.score_plot) index["score_plot"] = plot_of(*report.score_plot);
  if (report.matrix) index["matrix"] = Json::parse(report.matrix->json);
  return index.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace alnus::io
