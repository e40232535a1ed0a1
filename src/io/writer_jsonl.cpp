// JSON lines: one object per hit. Keys are the names of the table's columns, numbers are not rounded,
// what is not known is null.
#include <fmt/compile.h>
#include <nlohmann/json.hpp>

#include "io/columns.h"
#include "io/writers.h"

namespace alnus::io {
namespace {

class JsonlWriter final : public TextWriter {
 public:
  using TextWriter::TextWriter;

  void begin(const ReportContext& context) override { context_ = context; }

  void query(const SequenceView& query, std::span<const Hit> hits, const stats::QueryStatistics*) override {
    for (const Hit& hit : hits) {
      write_object(query, hit);
      flush_when_full();
    }
  }

 private:
  void key(std::string_view name) {
    append(text(), text().size() == object_begin_ ? "{\"" : ",\"");
    append(text(), name);
    append(text(), "\":");
  }
  void put(std::string_view name, std::string_view value) {
    key(name);
    // A header that is not UTF-8 keeps what can be kept.
    append(text(), nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
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
  void put_percent(std::string_view name, double part, double whole) {
    put(name, whole > 0 ? 100 * part / whole : 0.0);
  }

  void write_object(const SequenceView& query, const Hit& hit) {
    object_begin_ = text().size();
    put("qseqid", query.id());
    put("qtitle", query.title());
    put("qlen", query.size());
    put("sseqid", hit.subject.id());
    put("stitle", hit.subject.title());
    put("slen", hit.subject.size());
    key("score");
    append(text(), context_.scoring->format_score(hit.alignment.score));
    put("bitscore", hit.significance.bits);
    put("evalue", hit.significance.evalue);
    if (hit.significance.zscore) put("zscore", hit.significance.zscore);
    if (hit.significance.zscore_se) put("zscore_se", hit.significance.zscore_se);
    if (hit.significance.fit) put("zfit", hit.significance.fit);
    if (context_.detail != Detail::score) {
      put("qend", hit.alignment.query_end);
      put("send", hit.alignment.subject_end);
    }
    if (context_.detail == Detail::alignment) write_alignment(query, hit);
    append(text(), "}\n");
  }

  void write_alignment(const SequenceView& query, const Hit& hit) {
    const Alignment& alignment = hit.alignment;
    const AlignmentCounts counts = counts_of(query, hit, *context_.scoring);
    put("qstart", alignment.query_begin + 1);
    put("sstart", alignment.subject_begin + 1);
    put("length", counts.columns);
    put("nident", counts.identical);
    put("positive", counts.positive);
    put("mismatch", counts.mismatches);
    put("gaps", counts.gap_residues);
    put("gapopen", counts.gap_opens);
    const double shorter = static_cast<double>(std::min(query.size(), hit.subject.size()));
    const double longer = static_cast<double>(std::max(query.size(), hit.subject.size()));
    put_percent("pident", counts.identical, counts.columns);
    put_percent("pident_ungapped", counts.identical, counts.columns - counts.gap_residues);
    put_percent("pident_shorter", counts.identical, shorter);
    put_percent("pident_longer", counts.identical, longer);
    put_percent("pident_mean", counts.identical, (shorter + longer) / 2);
    key("cigar");
    append(text(), '"');
    append_cigar(text(), alignment.cigar);
    append(text(), '"');
  }

  ReportContext context_;
  std::size_t object_begin_ = 0;
};

}  // namespace

std::unique_ptr<Writer> make_jsonl_writer(OutputFile& out) { return std::make_unique<JsonlWriter>(out); }

}  // namespace alnus::io
