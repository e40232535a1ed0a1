// A draft of an HTML report: what it has if each query keeps its best hits up to a rank.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "io/html_report/html_report.h"
#include "io/html_report/letters.h"

namespace alnus::io {

// The sequences of a side that the report knows, and their numbers.
struct ReportSequences {
  static constexpr SequenceSet::Index kNone = std::numeric_limits<SequenceSet::Index>::max();

  std::vector<SequenceSet::Index> number;  // by index in the set; kNone: the report does not know it
  std::vector<SequenceSet::Index> index;   // by number

  ReportSequences(SequenceSet::Index size, bool all);
  void add(SequenceSet::Index i);  // gives the sequence the next number, unless it has one
};

// The stored rows and sequences of a report, by their numbers in its tables and sets.
class ReportDraft {
 public:
  // Keeps the rows whose rank is below `limit`.
  ReportDraft(const HtmlReport& report, std::uint64_t limit);

  std::uint64_t limit() const { return limit_; }
  const std::vector<std::uint32_t>& rows(std::size_t table) const { return rows_[table]; }
  const ReportSequences& queries() const { return queries_; }
  // For all pairs of one set, the same as queries().
  const ReportSequences& subjects() const { return report_.sides().one_set ? queries_ : subjects_; }
  HtmlReport::Shown shown() const;

  using Blocks = std::vector<std::vector<LetterRange>>;
  const Blocks& query_letters() const { return query_letters_; }
  const Blocks& subject_letters() const { return subject_letters_; }

 private:
  void number_sequences();
  void choose_letters();

  const HtmlReport& report_;
  const std::uint64_t limit_;
  std::vector<std::vector<std::uint32_t>> rows_;  // by table: numbers of kept rows
  ReportSequences queries_, subjects_;
  Blocks query_letters_, subject_letters_;
};

inline constexpr std::size_t kReportRowsInBlock = 2'000, kReportSubjectsInBlock = 2'000;

// The JSON of the block `index`.
std::string report_index(const HtmlReport& report, const ReportDraft& draft);

// What is shown where scripts do not run.
std::string report_without_scripts(const HtmlReport& report, const ReportDraft& draft);

// The text as markup has it: escaped, without bytes that HTML does not allow.
std::string as_markup(std::string_view text);

}  // namespace alnus::io
