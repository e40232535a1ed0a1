// The HTML reports of audits.
#include "jobs/audit_page.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alnus/audit.h"
#include "alnus/cluster_audit.h"
#include "alnus/error.h"
#include "alnus/html_report.h"
#include "alnus/relation.h"
#include "alnus/row_columns.h"
#include "io/along_query.h"
#include "io/html_report/html_report.h"
#include "io/json_text.h"
#include "jobs/run_report.h"

namespace alnus::jobs {
namespace {

using Index = SequenceSet::Index;

constexpr std::size_t kRowsAtOnce = 1 << 14;

// The records that a report names, as one set.
class NamedRecords {
 public:
  explicit NamedRecords(const std::vector<Database>& sets) : sets_(sets), builder_(sets.front().alphabet()) {}

  Index number(const AuditedRecord& record) {
    const auto [place, added] = numbers_.try_emplace(record, builder_.size());
    if (added) builder_.add_from(sets_[record.set].sequences(), record.record);
    return place->second;
  }
  Index known(const AuditedRecord& record) const { return numbers_.at(record); }
  SequenceSet finish() { return builder_.finish(); }

 private:
  const std::vector<Database>& sets_;
  SequenceSetBuilder builder_;
  std::map<AuditedRecord, Index> numbers_;
};

// Collects rows, and adds them to a table when there are many.
class RowBatch {
 public:
  RowBatch(io::ReportTable& table, const Scoring& scoring, ThreadPool& threads)
      : table_(table),
        threads_(threads),
        groups_(ColumnGroups::of(Detail::alignment, scoring.matrix.alphabet() == AlphabetKind::dna, true)) {}

  void add(const Row& row, std::vector<std::string> texts) {
    rows_.add(row, groups_);
    rows_.add_cigar(row.cigar);
    std::ranges::move(texts, std::back_inserter(texts_));
    if (rows_.size() == kRowsAtOnce) flush();
  }
  void flush() {
    const Columns columns = rows_.finish();
    table_.add(threads_, columns, 0, columns.size(), texts_);
    texts_.clear();
  }

 private:
  io::ReportTable& table_;
  ThreadPool& threads_;
  const ColumnGroups groups_;
  OwnedColumns rows_;
  std::vector<std::string> texts_;
};

// The row of two records whose alignment is not known.
Row bare_row(Index query, Index subject) {
  Row row;
  row.query = query;
  row.subject = subject;
  row.counts.emplace();
  return row;
}

// The row of a record and its nearest one. The spans of the row are those of `nearest`.
Row row_of(const NearestRecord& nearest, Index query, Index subject, const SequenceSet& records,
           const SubstitutionMatrix& matrix) {
  Row row = bare_row(query, subject);
  row.strand = nearest.strand;
  row.query_begin = nearest.begin;
  row.query_end = nearest.end;
  row.subject_begin = nearest.record_begin;
  row.subject_end = nearest.record_end;
  row.cigar = nearest.cigar;
  row.significance.evalue = nearest.evalue;
  row.significance.bits = nearest.bits;
  const io::AlongQuery along(records[subject], row);
  const Row& aligned = along.row();
  row.counts =
      count(aligned.cigar, records[query].residues.subspan(static_cast<std::size_t>(aligned.query_begin)),
            along.subject().residues.subspan(static_cast<std::size_t>(aligned.subject_begin)), matrix);
  return row;
}

io::ReportInput input_of(std::string role, const std::string& name, const Database& set) {
  return {std::move(role), name, set.sequences().size(), set.sequences().total_residues(), set.digest()};
}

void add_facts(const ReportHead& head, const std::vector<Relation>& relations, const std::string& statistics,
               io::ReportRun& run) {
  add_program(head, run);
  if (!relations.empty()) run.facts.emplace_back("Relations", to_string(relations));
  if (!statistics.empty()) run.facts.emplace_back("Statistics", statistics);
}

}  // namespace

std::string write_page(const Audit& audit, const std::vector<Database>& sets, const AuditOptions& options,
                       const Scoring& scoring, const ReportHead& head, std::uint64_t most_bytes,
                       io::OutputFile& out) {
  ThreadPool& threads = out.threads();
  NamedRecords named(sets);
  for (const Leak& leak : audit.leaks) named.number(leak.later), named.number(leak.earlier);
  const auto for_each_nearest = [&](const auto& take) {
    for (std::uint32_t set = 1; set < audit.sets.size(); ++set)
      for (Index record = 0; record < audit.sets[set].nearest.size(); ++record)
        if (const auto& nearest = audit.sets[set].nearest[record]) take(AuditedRecord{set, record}, *nearest);
  };
  for_each_nearest([&](const AuditedRecord& record, const NearestRecord& nearest) {
    named.number(record), named.number(nearest.record);
  });
  const SequenceSet records = named.finish();

  io::HtmlReport page(scoring, {records, records, true}, io::ReportListing::named, io::ReportListing::named,
                      most_bytes);
  page.run = {.kind = "audit", .title = "Audit: "};
  for (std::size_t set = 0; set < sets.size(); ++set) {
    page.run.title += (set == 0 ? "" : ", ") + io::isolated(audit.sets[set].name);
    page.run.inputs.push_back(input_of("Set", audit.sets[set].name, sets[set]));
  }
  add_facts(head, options.similarity.relations, audit.statistics, page.run);
  page.sections = sections_of(audit, options);

  const auto name_of = [&](const AuditedRecord& record) { return audit.sets[record.set].name; };
  RowBatch leaks(page.add_table({.name = "leaks",
                                 .title = "Similar records",
                                 .has_scores = false,
                                 .more = {"relation", "value", "qset", "sset"}}),
                 scoring, threads);
  for (const Leak& leak : audit.leaks) {
    const auto& nearest = audit.sets[leak.later.set].nearest[leak.later.record];
    const Index query = named.known(leak.later), subject = named.known(leak.earlier);
    const bool aligned = nearest && nearest->record == leak.earlier;
    leaks.add(aligned ? row_of(*nearest, query, subject, records, scoring.matrix) : bare_row(query, subject),
              {relation_name(options.similarity, leak.relation),
               relation_value(options.similarity, leak.relation, leak.value), name_of(leak.later),
               name_of(leak.earlier)});
  }
  leaks.flush();
  RowBatch nearest_records(page.add_table({.name = "nearest",
                                           .title = "Nearest earlier records",
                                           .has_scores = false,
                                           .more = {"qset", "sset"}}),
                           scoring, threads);
  for_each_nearest([&](const AuditedRecord& record, const NearestRecord& nearest) {
    nearest_records.add(
        row_of(nearest, named.known(record), named.known(nearest.record), records, scoring.matrix),
        {name_of(record), name_of(nearest.record)});
  });
  nearest_records.flush();
  return page.write(threads, out).sentence;
}

std::string write_page(const ClusterAudit& audit, const Database& set, const RecordSets& clusters,
                       const ClusterAuditOptions& options, const Scoring& scoring, const ReportHead& head,
                       std::uint64_t most_bytes, io::OutputFile& out) {
  const SequenceSet& records = set.sequences();
  io::HtmlReport page(scoring, {records, records, true}, io::ReportListing::named, io::ReportListing::named,
                      most_bytes);
  page.run = {.kind = "audit", .title = fmt::format("Audit of clusters: {}", clusters.path)};
  page.run.inputs.push_back(input_of("Sequences", set.name(), set));
  add_facts(head, audit.relations, audit.statistics, page.run);
  page.sections = sections_of(audit, records, clusters, options);
  io::ReportTable& table = page.add_table({.name = "leaks",
                                           .title = "Similar records of different clusters",
                                           .has_scores = false,
                                           .more = {"relation", "value", "qset", "sset"}});
  const Similarity similarity{audit.relations};
  OwnedColumns rows;
  std::vector<std::string> texts;
  const auto flush = [&] {
    const Columns columns = rows.finish();
    table.add(out.threads(), columns, 0, columns.size(), texts);
    texts.clear();
  };
  for (const PairAcross& pair : audit.across) {
    rows.add(bare_row(pair.first, pair.second), ColumnGroups::of(Detail::score, false, false));
    std::ranges::move(std::vector<std::string>{relation_name(similarity, pair.relation),
                                               relation_value(similarity, pair.relation, pair.value),
                                               clusters.names[clusters.set_of[pair.first]],
                                               clusters.names[clusters.set_of[pair.second]]},
                      std::back_inserter(texts));
    if (rows.size() == kRowsAtOnce) flush();
  }
  flush();
  return page.write(out.threads(), out).sentence;
}

}  // namespace alnus::jobs
