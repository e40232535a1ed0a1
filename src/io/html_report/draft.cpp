#include "io/html_report/draft.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "alnus/text.h"

namespace alnus::io {

ReportSequences::ReportSequences(SequenceSet::Index size, bool all)
    : number(size, kNone), index(all ? size : 0) {
  if (!all) return;
  std::iota(number.begin(), number.end(), SequenceSet::Index{0});
  std::iota(index.begin(), index.end(), SequenceSet::Index{0});
}

void ReportSequences::add(SequenceSet::Index i) {
  if (number[i] != kNone) return;
  number[i] = static_cast<SequenceSet::Index>(index.size());
  index.push_back(i);
}

ReportDraft::ReportDraft(const HtmlReport& report, std::uint64_t limit)
    : report_(report),
      limit_(limit),
      queries_(report.sides().queries.size(), report.listing_of_queries() == ReportListing::all),
      subjects_(report.sides().one_set ? 0 : report.sides().subjects.size(),
                report.listing_of_subjects() == ReportListing::all) {
  for (const ReportTable& table : report.tables()) {
    std::vector<std::uint32_t>& kept = rows_.emplace_back();
    for (std::size_t row = 0; row < table.rows().size(); ++row)
      if (table.rows()[row].rank < limit) kept.push_back(static_cast<std::uint32_t>(row));
  }
  number_sequences();
  choose_letters();
}

void ReportDraft::number_sequences() {
  ReportSequences& of_subjects = report_.sides().one_set ? queries_ : subjects_;
  for (std::size_t t = 0; t < rows_.size(); ++t)
    for (const std::uint32_t number : rows_[t]) {
      const ReportTable::Row& row = report_.tables()[t].rows()[number];
      queries_.add(row.query);
      of_subjects.add(row.subject);
    }
}

void ReportDraft::choose_letters() {
  const std::deque<ReportTable>& tables = report_.tables();
  if (std::ranges::none_of(tables, &ReportTable::has_alignments)) return;
  const auto whole = [](const ReportSequences& known, const SequenceSet& set, SequenceSet::Index index) {
    return LetterRange{known.number[index], index, 0, set.length(index)};
  };
  std::vector<LetterRange> of_queries, of_subjects;
  for (std::size_t t = 0; t < rows_.size(); ++t)
    for (const std::uint32_t number : rows_[t]) {
      const ReportTable::Row& row = tables[t].rows()[number];
      if (of_queries.empty() || of_queries.back().index != row.query)
        of_queries.push_back(whole(queries_, report_.sides().queries, row.query));
      if (report_.sides().one_set)
        of_queries.push_back(whole(queries_, report_.sides().queries, row.subject));
      else if (row.subject_begin < row.subject_end)
        of_subjects.push_back({subjects_.number[row.subject], row.subject,
                               static_cast<std::size_t>(row.subject_begin),
                               static_cast<std::size_t>(row.subject_end)});
    }
  query_letters_ = letter_blocks(joined(std::move(of_queries)));
  subject_letters_ = letter_blocks(joined(std::move(of_subjects)));
}

HtmlReport::Shown ReportDraft::shown() const {
  HtmlReport::Shown shown;
  for (std::size_t t = 0; t < rows_.size(); ++t) {
    const ReportTable& table = report_.tables()[t];
    const std::uint64_t rows = rows_[t].size(), found = table.rows_found();
    if (t == 0) {
      shown.rows = rows;
      shown.of = found;
    }
    if (rows == found) continue;
    const std::string counts = fmt::format("{} of {} rows", format_count(rows), format_count(found));
    if (table.form().by_query)
      shown.sentence = fmt::format("This report has the best {} of each query: {}.",
                                   format_count(limit_, "hit", "hits"), counts);
    else
      shown.sentence += fmt::format(
          "{}This report has the first {}{}.", shown.sentence.empty() ? "" : " ", counts,
          rows_.size() > 1 ? fmt::format(" of the table {}", in_quotes(table.form().title)) : std::string());
  }
  return shown;
}

}  // namespace alnus::io
