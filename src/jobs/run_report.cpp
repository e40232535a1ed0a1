#include "jobs/run_report.h"

#include <fmt/format.h>

#include "alnus/error.h"
#include "alnus/text.h"
#include "core/refuse_input.h"
#include "io/columns.h"
#include "io/json_text.h"

namespace alnus::jobs {
namespace {

constexpr std::string_view kWordsOfJob[] = {"Search", "Alignments", "All pairs"};

std::string_view kind_of(ReportedJob job) {
  return job == ReportedJob::all_pairs ? "allpairs" : word_of(job);
}

// "Search: query.fasta in db.fasta"
std::string title_of(const RunReportHead& head) {
  const std::string_view what = kWordsOfJob[static_cast<std::size_t>(head.job)];
  if (head.one_set || head.queries.name() == head.subjects.name())
    return fmt::format("{}: {}", what, head.queries.name());
  return fmt::format("{}: {} {} {}", what, io::isolated(head.queries.name()),
                     head.job == ReportedJob::search ? "in" : "and", io::isolated(head.subjects.name()));
}

std::vector<io::ReportInput> inputs_of(const RunReportHead& head) {
  const auto input = [](std::string role, const Database& database, const std::string& digest) {
    const SequenceSet& set = database.sequences();
    return io::ReportInput{std::move(role), database.name(), set.size(), set.total_residues(),
                           digest.empty() ? database.digest() : digest};
  };
  if (head.one_set) return {input("Sequences", head.queries, head.digests.first)};
  const bool search = head.job == ReportedJob::search;
  return {input("Queries", head.queries, head.digests.first),
          input(search ? "Database" : "Subjects", head.subjects, head.digests.second)};
}

io::ReportRun run_of(const RunReportHead& head) {
  io::ReportRun run{.kind = std::string(kind_of(head.job)), .title = title_of(head)};
  const Scoring& scoring = head.scoring;
  add_program(head.head, run);
  run.facts.emplace_back("Scoring", fmt::format("{}, gap costs {}, {}", scoring.matrix.name(),
                                                scoring.format_gaps(), word_of(scoring.mode)));
  run.inputs = inputs_of(head);
  const bool table = head.writes_rows && !head.format.columns.empty();
  if (table) {
    run.columns = head.format.columns;
    run.header = head.format.header;
  } else {
    const std::span<const std::string_view> standard = io::standard_columns();
    run.columns.assign(standard.begin(), standard.end());
  }
  return run;
}

// Which sequences the report knows. Of given pairs it knows those that rows name; else all queries.
io::ReportListing queries_of(const RunReportHead& head) {
  return head.job == ReportedJob::align ? io::ReportListing::named : io::ReportListing::all;
}

}  // namespace

void add_program(const ReportHead& head, io::ReportRun& run) {
  if (!head.command_line.empty()) run.facts.emplace_back(io::kCommandLineFact, head.command_line);
  if (!head.program_version.empty()) run.facts.emplace_back("Version", "alnus " + head.program_version);
}

void RunReport::check(const std::string& path, std::uint64_t most_bytes) {
  check_name(path, Contents::html);
  check_report_size(most_bytes);
}

RunReport::RunReport(const RunReportHead& head)
    : scoring_(head.scoring),
      page_(scoring_, {head.queries.sequences(), head.subjects.sequences(), head.one_set}, queries_of(head),
            head.has_matrix ? io::ReportListing::all : io::ReportListing::named, head.most_bytes) {
  if (head.has_plot) scores_.emplace(scoring_, head.queries.size(), head.subjects.size());
  page_.run = run_of(head);
  const bool search = head.job == ReportedJob::search;
  if (head.has_rows)
    table_ = &page_.add_table(
        {.name = search ? "hits" : "pairs", .title = search ? "Hits" : "Pairs", .by_query = search});
}

void RunReport::write(ThreadPool& threads, const SearchBatch& batch) {
  if (table_) table_->add(threads, batch.rows, batch.first_row.front(), batch.first_row.back());
  if (scores_) scores_->add(batch);
}

void RunReport::write(ThreadPool& threads, const Columns& rows) {
  if (table_) table_->add(threads, rows, 0, rows.size());
}

std::string RunReport::finish(const SearchSummary& summary, io::OutputFile& out, const StopFlag& stop) {
  if (scores_ && !summary.histogram.pairs.empty()) page_.score_plot = scores_->plot(summary);
  for (const Message& message : messages_of(summary)) page_.run.notes.push_back(message.text(flag_of));
  return finish(summary.statistics, out, stop);
}

std::string RunReport::finish(const std::string& statistics, io::OutputFile& out, const StopFlag& stop) {
  if (!statistics.empty()) page_.run.facts.emplace_back("Statistics", statistics);
  return page_.write(out.threads(), out, stop).sentence;
}

}  // namespace alnus::jobs

void alnus::check_report_size(std::uint64_t most_bytes) {
  if (most_bytes < kLeastReportBytes)
    refuse_input(fmt::format("{} is {} bytes, but a report needs some room: it must be at least {} bytes.",
                             option("report_size"), format_count(most_bytes),
                             format_count(kLeastReportBytes)));
}
