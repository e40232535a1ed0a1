// SAM 1.6: the queries as reads, the subjects as references.
#include <algorithm>
#include <fmt/compile.h>
#include <string>
#include <unordered_set>

#include "alnus/error.h"
#include "io/columns.h"
#include "io/writers.h"

namespace alnus::io {
namespace {

constexpr int kUnmapped = 4;

// What SAM does not allow in a name becomes '_'.
std::string query_name(std::string_view id) {
  std::string name(id.empty() ? "*" : id);
  for (char& c : name)
    if (c < '!' || c > '~' || c == '@') c = '_';
  constexpr std::size_t kLongest = 254;
  return name.substr(0, kLongest);
}
std::string reference_name(std::string_view id) {
  std::string name(id.empty() ? "_" : id);
  for (char& c : name)
    if (c < '!' || c > '~' || std::string_view("\\,\"`'()[]{}<>").find(c) != std::string_view::npos) c = '_';
  if (name.front() == '*' || name.front() == '=') name.front() = '_';
  return name;
}

class SamWriter final : public TextWriter {
 public:
  using TextWriter::TextWriter;

  void begin(const ReportContext& context) override {
    check_detail(OutputFormat::Kind::sam, context.detail);
    context_ = context;
    alphabet_ = &Alphabet::of(context.scoring->matrix.alphabet());
    append(text(), "@HD\tVN:1.6\tSO:unsorted\tGO:query\n");
    write_references(*context.subjects);
    append(text(), "@PG\tID:alnus\tPN:alnus");
    if (!context.version.empty()) fmt::format_to(fmt::appender(text()), "\tVN:{}", context.version);
    if (!context.command_line.empty()) {
      std::string command = context.command_line;
      std::replace_if(
          command.begin(), command.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
      fmt::format_to(fmt::appender(text()), "\tCL:{}", command);
    }
    append(text(), '\n');
  }

  void query(const SequenceView& query, std::span<const Row> rows, const QueryStatistics*) override {
    const std::string name = query_name(query.id());
    if (rows.empty()) {
      append(text(), name);
      fmt::format_to(fmt::appender(text()), "\t{}\t*\t0\t0\t*\t*\t0\t0\t", kUnmapped);
      append_sequence(query);
      append(text(), "\t*\n");
    }
    for (const Row& row : rows) {
      append(text(), name);
      write_record(query, (*context_.subjects)[row.subject], row);
      flush_when_full();
    }
    flush_when_full();
  }

 private:
  void write_references(const SequenceSet& subjects) {
    std::unordered_set<std::string> names;
    for (SequenceSet::Index i = 0; i < subjects.size(); ++i) {
      const auto [name, is_new] = names.insert(reference_name(subjects[i].id()));
      if (!is_new)
        throw Error(
            ErrorKind::input,
            fmt::format("Two sequences of {} are named {} (as SAM writes it), and SAM needs a name for "
                        "each. Rename one, or choose another output format.",
                        subjects.origin(), *name));
      // SAM knows no empty references; one residue is the least it can say.
      fmt::format_to(fmt::appender(text()), "@SQ\tSN:{}\tLN:{}\n", *name,
                     std::max<std::size_t>(1, subjects.length(i)));
      flush_when_full();
    }
  }

  void write_record(const SequenceView& query, const SequenceView& subject, const Row& row) {
    constexpr int kMappingQualityUnknown = 255;
    const bool mapped = !row.cigar.empty();
    // A record that names a reference needs a position there, mapped or not.
    fmt::format_to(fmt::appender(text()), "\t{}\t{}\t{}\t{}\t", mapped ? 0 : kUnmapped,
                   reference_name(subject.id()), mapped ? row.subject_begin + 1 : 1,
                   mapped ? kMappingQualityUnknown : 0);
    if (mapped) append_clip(row.query_begin);
    append_cigar(text(), row.cigar);
    if (mapped) append_clip(static_cast<std::int64_t>(query.size()) - row.query_end);
    append(text(), "\t*\t0\t0\t");
    append_sequence(query);
    append(text(), "\t*");
    append_tags(query, subject, row);
    append(text(), '\n');
  }

  void append_clip(std::int64_t length) {
    if (length > 0) fmt::format_to(fmt::appender(text()), FMT_COMPILE("{}S"), length);
  }

  // SAM allows letters only: the stop '*' becomes X.
  void append_sequence(const SequenceView& query) {
    if (query.residues.empty()) return append(text(), '*');
    const std::size_t begin = text().size();
    append_letters(text(), query.residues, *alphabet_);
    std::replace(text().begin() + begin, text().end(), '*', 'X');
  }

  void append_tags(const SequenceView& query, const SequenceView& subject, const Row& row) {
    const AlignmentCounts counts = counts_of(query, subject, row, *context_.scoring);
    const Scoring& scoring = *context_.scoring;
    // AS must be an integer: a decimal score is rounded half up, and stands in ZS as it is.
    const std::int64_t twice = 2LL * row.score + scoring.scale;
    const std::int64_t unit = 2LL * scoring.scale;
    const std::int64_t rounded = twice / unit - (twice % unit < 0);
    fmt::format_to(fmt::appender(text()), FMT_COMPILE("\tAS:i:{}\tNM:i:{}"), rounded,
                   counts.mismatches + counts.gap_residues);
    if (scoring.scale != 1)
      fmt::format_to(fmt::appender(text()), "\tZS:f:{}", scoring.format_score(row.score));
    if (const auto evalue = row.significance.evalue)
      fmt::format_to(fmt::appender(text()), FMT_COMPILE("\tZE:f:{:.2e}"), *evalue);
  }

  ReportContext context_;
  const Alphabet* alphabet_ = nullptr;
};

}  // namespace

std::unique_ptr<Writer> make_sam_writer(OutputFile& out) { return std::make_unique<SamWriter>(out); }

}  // namespace alnus::io
