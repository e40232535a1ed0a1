#include "jobs/split_page.h"

#include <filesystem>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "alnus/relation.h"
#include "alnus/text.h"
#include "io/html_report/html_report.h"
#include "io/output_name.h"
#include "jobs/percent_text.h"
#include "jobs/run_report.h"

namespace alnus::jobs {
namespace {

using Kind = ReportSection::Kind;

ReportSection result(const Split& split) {
  ReportSection section{.kind = Kind::text, .title = "Result"};
  section.lines = {"No two records of different subsets are similar.",
                   fmt::format("{} similar; {}, the largest with {}.",
                               format_count(split.similar, "pair of records is", "pairs of records are"),
                               format_count(split.components, "component", "components"),
                               format_count(split.largest, "record", "records"))};
  if (split.equal > 0)
    section.lines.push_back(fmt::format("{} to an earlier one.",
                                        format_count(split.equal, "record is equal", "records are equal")));
  if (split.removed > 0)
    section.lines.push_back(fmt::format("{} removed; this assignment needs {} at least.",
                                        format_count(split.removed, "record is", "records are"),
                                        format_count(split.lower_bound)));
  return section;
}

ReportSection sizes(const Split& split) {
  ReportSection section{.kind = Kind::bars, .title = "Records of each subset"};
  section.label = "subset";
  section.unit = "records";
  std::uint64_t all = 0;
  for (const Split::Subset& subset : split.subsets) all += subset.records;
  for (const Split::Subset& subset : split.subsets)
    section.bars.push_back({subset.name, subset.records, percent_of(subset.records, all)});
  return section;
}

ReportSection subsets(const Split& split) {
  ReportSection section{.kind = Kind::table, .title = "Subsets"};
  section.columns = {"subset", "records", "residues", "similar pairs within"};
  for (const Split::Subset& subset : split.subsets)
    section.rows.push_back({subset.name, format_count(subset.records), format_count(subset.residues),
                            format_count(subset.similar)});
  section.note =
      split.relations.empty()
          ? "The similar pairs were given."
          : fmt::format("Similar are records with equal residues, and those with one of the relations {}.",
                        to_string(split.relations));
  return section;
}

ReportSection labels(const Split& split) {
  ReportSection section{.kind = Kind::table, .title = "Labels"};
  section.columns = {"label"};
  for (const Split::Subset& subset : split.subsets) section.columns.push_back(subset.name);
  for (const Split::Label& label : split.labels) {
    std::vector<std::string> row = {label.column.empty() ? label.label : label.column + " " + label.label};
    for (const std::uint64_t records : label.records) row.push_back(format_count(records));
    section.rows.push_back(std::move(row));
  }
  return section;
}

// The name by which a browser saves the certificate: that of its file, without the ending of a compressed
// one.
std::string name_of_document(const std::string& path) {
  if (io::is_standard_output(path)) return "certificate.json";
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (io::has_ending(path, ".gz") || io::has_ending(path, ".zst")) name.replace_extension();
  return name.string();
}

}  // namespace

void write_page(const Split& split, const Database& set, const Scoring& scoring,
                const SplitDocument& certificate, const ReportHead& head, io::OutputFile& out) {
  io::HtmlReport page(scoring, {set.sequences(), set.sequences(), true}, io::ReportListing::named,
                      io::ReportListing::named, kReportBytes);
  page.run = {.kind = "split", .title = fmt::format("Split: {}", set.name())};
  page.run.inputs.push_back(
      {"Sequences", set.name(), set.sequences().size(), set.sequences().total_residues(), set.digest()});
  add_program(head, page.run);
  if (!split.statistics.empty()) page.run.facts.emplace_back("Statistics", split.statistics);
  page.sections = {result(split), sizes(split), subsets(split)};
  if (!split.labels.empty()) page.sections.push_back(labels(split));
  if (!certificate.text.empty())
    page.sections.push_back({.kind = Kind::document,
                             .title = "Certificate",
                             .name = name_of_document(certificate.name),
                             .text = certificate.text});
  page.write(out.threads(), out);
}

}  // namespace alnus::jobs
