#include "io/html_report/html_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <map>

#include "io/html_report/block.h"
#include "io/html_report/draft.h"
#include "io/html_report/page.h"
#include "io/json_text.h"

namespace alnus::io {
namespace {

// Tables keep this many bytes of text for each byte that the report may have. Blocks take at least about half
// of the bytes of their text: numbers compress well, but are then in base64.
constexpr std::uint64_t kTextPerByte = 4;
constexpr std::uint64_t kNoBound = std::numeric_limits<std::uint64_t>::max();

// What the bound sets aside for the command line. Its real size does not count, so that reports of the same
// result have the same rows.
constexpr std::uint64_t kCommandLineBytes = 4'096;

// A block that is still to be made.
struct Block {
  std::string name;
  std::function<std::string()> bytes;
};

// All blocks of a draft, in the order of the file.
class Blocks {
 public:
  Blocks(const HtmlReport& report, const ReportDraft& draft) : report_(report), draft_(draft) {
    for (std::size_t k = 0; k < draft.query_letters().size(); ++k)
      others_.push_back({fmt::format("queries-letters-{}", k), [this, k] {
                           return letters_json(draft_.query_letters()[k], report_.sides().queries);
                         }});
    if (!report.sides().one_set) add_subjects();
    for (std::size_t t = 0; t < report.tables().size(); ++t) add_table(t);
    for (std::size_t k = 0; k < draft.subject_letters().size(); ++k)
      others_.push_back({fmt::format("subjects-letters-{}", k), [this, k] {
                           return letters_json(draft_.subject_letters()[k], report_.sides().subjects);
                         }});
    if (!report.matrix) return;
    others_.push_back({"matrix-cells", [this] { return report_.matrix->cells; }});
    if (!report.matrix->mean.empty())
      others_.push_back({"matrix-mean", [this] { return report_.matrix->mean; }});
  }

  const std::vector<Block>& first() const { return first_; }
  const std::vector<Block>& others() const { return others_; }

 private:
  void add_subjects() {
    const std::vector<SequenceSet::Index>& known = draft_.subjects().index;
    for (std::size_t begin = 0, k = 0; begin < known.size(); begin += kReportSubjectsInBlock, ++k) {
      const std::size_t end = std::min(known.size(), begin + kReportSubjectsInBlock);
      (k == 0 ? first_ : others_).push_back({fmt::format("subjects-{}", k), [this, begin, end] {
                                               return subjects_json(begin, end);
                                             }});
    }
  }

  void add_table(std::size_t t) {
    const ReportTable& table = report_.tables()[t];
    const std::vector<std::uint32_t>& rows = draft_.rows(t);
    for (std::size_t begin = 0, k = 0; begin < rows.size(); begin += kReportRowsInBlock, ++k) {
      const std::span some =
          std::span(rows).subspan(begin, std::min(kReportRowsInBlock, rows.size() - begin));
      (t == 0 && k == 0 ? first_ : others_)
          .push_back({fmt::format("{}-rows-{}", table.form().name, k), [this, &table, some] {
                        return table.rows_json(some, draft_.queries().number, draft_.subjects().number);
                      }});
      if (table.has_alignments())
        others_.push_back({fmt::format("{}-gaps-{}", table.form().name, k),
                           [&table, some] { return table.gaps_json(some); }});
    }
  }

  std::string subjects_json(std::size_t begin, std::size_t end) const {
    std::string ids, titles, lengths;
    for (std::size_t k = begin; k < end; ++k) {
      const SequenceView subject = report_.sides().subjects[draft_.subjects().index[k]];
      const char* const comma = k == begin ? "" : ",";
      ids.append(comma).append(as_json(subject.id()));
      titles.append(comma).append(as_json(subject.title()));
      fmt::format_to(std::back_inserter(lengths), "{}{}", comma, subject.size());
    }
    return fmt::format(R"({{"id":[{}],"title":[{}],"length":[{}]}})", ids, titles, lengths);
  }

  const HtmlReport& report_;
  const ReportDraft& draft_;
  std::vector<Block> first_, others_;
};

std::vector<std::string> made(const std::vector<Block>& blocks, ThreadPool& threads, const StopFlag& stop) {
  std::vector<std::string> lines(blocks.size());
  const ThreadPool::Permit permit(threads);
  threads.for_each(blocks.size(), [&](std::size_t k) {
    stop.throw_if_requested();
    lines[k] = report_block(blocks[k].name, blocks[k].bytes());
  });
  return lines;
}

std::uint64_t size_of(const std::vector<std::string>& lines) {
  std::uint64_t bytes = 0;
  for (const std::string& line : lines) bytes += line.size();
  return bytes;
}

// The template, with each placeholder replaced by what write(name) writes.
void fill_in(OutputFile& out, const std::function<void(std::string_view name)>& write) {
  std::string_view rest = report_template();
  for (std::size_t open = rest.find("{{"); open != std::string_view::npos; open = rest.find("{{")) {
    out.write(rest.substr(0, open));
    const std::size_t close = rest.find("}}");
    write(rest.substr(open + 2, close - open - 2));
    rest.remove_prefix(close + 2);
  }
  out.write(rest);
}

}  // namespace

HtmlReport::HtmlReport(const Scoring& scoring, ReportSides sides, ReportListing queries,
                       ReportListing subjects, std::uint64_t most_bytes)
    : scoring_(scoring),
      sides_(std::move(sides)),
      queries_(queries),
      subjects_(subjects),
      most_bytes_(most_bytes) {}

ReportTable& HtmlReport::add_table(ReportTable::Form form) {
  return tables_.emplace_back(std::move(form), scoring_, sides_,
                              std::min(most_bytes_, kNoBound / kTextPerByte / 2) * kTextPerByte);
}

std::uint64_t HtmlReport::bytes_without_command_line(const ReportDraft& draft) {
  std::vector<std::pair<std::string, std::string>> facts = run.facts;
  std::erase_if(run.facts, [](const auto& fact) { return fact.first == kCommandLineFact; });
  const std::uint64_t bytes =
      report_block("index", report_index(*this, draft)).size() + report_without_scripts(*this, draft).size();
  run.facts = std::move(facts);
  return bytes;
}

HtmlReport::Shown HtmlReport::write(ThreadPool& threads, OutputFile& out, const StopFlag& stop) {
  std::uint64_t limit = 1, most = kNoBound;
  for (ReportTable& table : tables_) {
    table.settle();
    most = std::min(most, table.limit());
    limit = std::max(limit, table.most_ranks());
  }
  limit = std::min(limit, most);
  // By how much the limit is lowered at least: first by a hundredth, then by more and more, so that a few
  // drafts suffice even if most of the bytes do not depend on the limit.
  double most_share = 0.995;
  for (;;) {
    const ReportDraft draft(*this, limit);
    const Blocks blocks(*this, draft);
    const std::vector<std::string> first = made(blocks.first(), threads, stop);
    const std::vector<std::string> others = made(blocks.others(), threads, stop);
    // What grows with the rows, and what does not.
    const std::uint64_t of_rows = size_of(first) + size_of(others);
    const std::uint64_t of_page = report_template().size() + report_style().size() + report_script().size() +
                                  kCommandLineBytes + bytes_without_command_line(draft);
    if (limit > 1 && of_rows + of_page > most_bytes_) {
      const double share = of_page >= most_bytes_
                               ? 0
                               : static_cast<double>(most_bytes_ - of_page) / static_cast<double>(of_rows);
      most_share = std::max(0.5, 2 * most_share - 1);
      const auto fewer = static_cast<std::uint64_t>(static_cast<double>(limit) * std::min(share, most_share));
      limit = std::max<std::uint64_t>(1, std::min(limit - 1, fewer));
      continue;
    }
    const std::string index = report_block("index", report_index(*this, draft));
    const std::string plain = report_without_scripts(*this, draft);
    const auto write_lines = [&](const std::vector<std::string>& lines) {
      for (const std::string& line : lines) out.write(line);
    };
    const std::map<std::string_view, std::function<void()>> texts = {
        {"policy", [&] { out.write(report_policy()); }},
        {"title", [&] { out.write(as_markup(run.title)); }},
        {"style", [&] { out.write(report_style()); }},
        {"first_blocks", [&] { out.write(index), write_lines(first); }},
        {"script", [&] { out.write(report_script()); }},
        {"plain", [&] { out.write(plain); }},
        {"blocks", [&] { write_lines(others); }},
    };
    fill_in(out, [&](std::string_view name) { texts.at(name)(); });
    return draft.shown();
  }
}

}  // namespace alnus::io
