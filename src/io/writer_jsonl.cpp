// JSON lines: one object for each row. Keys are the names of the table's columns, except `adjusted_score`,
// which is the column `adjscore`. Numbers are not rounded, and unknown values are null.
#include <fmt/compile.h>

#include "io/along_query.h"
#include "io/columns.h"
#include "io/json_text.h"
#include "io/writers.h"

namespace alnus::io {
namespace {

class JsonlWriter final : public Writer {
 public:
  explicit JsonlWriter(const ReportContext& context)
      : Writer(context), is_dna_(context.scoring->matrix.alphabet() == AlphabetKind::dna) {}

  void write(const Answer& answer, std::size_t begin, std::size_t end) override {
    for (std::size_t i = begin; i < end; ++i)
      write_object(answer.query, (*context().subjects)[answer.rows.subject(i)], answer.rows[i],
                   answer.rows.numbered());
  }

 private:
  void key(std::string_view name) {
    append(text(), text().size() == object_begin_ ? "{\"" : ",\"");
    append(text(), name);
    append(text(), "\":");
  }
  void put(std::string_view name, std::string_view value) {
    key(name);
    // Bytes of a FASTA header that are not UTF-8 become U+FFFD.
    append(text(), as_json(value));
  }
  void put(std::string_view name, std::integral auto value) {
    key(name);
    append(text(), value);
  }
  void put(std::string_view name, std::optional<double> value) {
    key(name);
    if (value)
      fmt::format_to(fmt::appender(text()), FMT_COMPILE("{}"), *value);
    else
      append(text(), "null");
  }
  void put_coordinate(std::string_view name, std::int32_t coordinate) {
    if (coordinate >= 0) return put(name, coordinate);
    key(name);
    append(text(), "null");
  }
  void put_percent(std::string_view name, double part, double whole) {
    put(name, whole > 0 ? 100 * part / whole : 0.0);
  }

  void write_object(const SequenceView& query, const SequenceView& subject, const Row& row, bool numbered) {
    object_begin_ = text().size();
    put("qseqid", query.id());
    put("qtitle", query.title());
    put("qlen", query.size());
    put("sseqid", subject.id());
    put("stitle", subject.title());
    put("slen", subject.size());
    if (numbered) put("hsp", row.hsp);
    key("score");
    append(text(), context().scoring->format_score(row.score));
    if (row.significance.adjusted_score) put("adjusted_score", row.significance.adjusted_score);
    put("bitscore", row.significance.bits);
    put("evalue", row.significance.evalue);
    if (row.significance.zscore) put("zscore", row.significance.zscore);
    if (row.significance.zscore_se) put("zscore_se", row.significance.zscore_se);
    if (row.significance.zfit) put("zfit", row.significance.zfit);
    if (is_dna_) put("sstrand", to_string(row.strand));
    if (context().detail != Detail::score) {
      put_coordinate("qend", row.query_end);
      put_coordinate("send", subject_range(row).end);
    }
    if (context().detail == Detail::alignment) write_alignment(query, subject, row);
    append(text(), "}\n");
  }

  void write_alignment(const SequenceView& query, const SequenceView& subject, const Row& row) {
    const AlignmentCounts counts = counts_of(query, subject, row, *context().scoring);
    put("qstart", row.query_begin + 1);
    put("sstart", subject_range(row).start);
    put("length", counts.columns);
    put("nident", counts.identical);
    put("positive", counts.positive);
    put("mismatch", counts.mismatches);
    put("gaps", counts.gap_residues);
    put("gapopen", counts.gap_opens);
    const double shorter = static_cast<double>(std::min(query.size(), subject.size()));
    const double longer = static_cast<double>(std::max(query.size(), subject.size()));
    put_percent("pident", counts.identical, counts.columns);
    put_percent("pident_ungapped", counts.identical, counts.columns - counts.gap_residues);
    put_percent("pident_shorter", counts.identical, shorter);
    put_percent("pident_longer", counts.identical, longer);
    put_percent("pident_mean", counts.identical, (shorter + longer) / 2);
    put_percent("pident_end_gaps", counts.identical,
                shorter + longer - (counts.columns - counts.gap_residues));
    key("cigar");
    append(text(), '"');
    append_cigar(text(), AlongQuery(subject, row).row().cigar);
    append(text(), '"');
  }

  const bool is_dna_;
  std::size_t object_begin_ = 0;
};

}  // namespace

std::unique_ptr<Writer> make_jsonl_writer(const ReportContext& context) {
  return std::make_unique<JsonlWriter>(context);
}

}  // namespace alnus::io
