// The tables of `alnus audit`: all similar pairs, and the nearest record of each later record.
#include <fmt/format.h>
#include <iterator>

#include "alnus/alignment.h"
#include "alnus/text.h"
#include "cli/audit_report.h"
#include "cli/cluster_audit_report.h"

namespace alnus::cli {
namespace {

// Collects lines, and writes them when there are many.
class LineWriter {
 public:
  explicit LineWriter(OutputFile& out) : out_(out) {}
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    text_ += '\n';
    if (text_.size() >= kFull) flush();
  }
  void flush() {
    out_.write(text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t kFull = 1 << 16;
  OutputFile& out_;
  std::string text_;
};

std::string evalue_text(double evalue) { return evalue == 0 ? "0" : fmt::format("{:.2e}", evalue); }

}  // namespace

void write_leaks(const AuditedInputs& inputs, OutputFile& out) {
  LineWriter lines(out);
  lines.line("id\tset\tearlier_id\tearlier_set\trelation\tvalue");
  for (const Leak& leak : inputs.audit.leaks)
    lines.line("{}\t{}\t{}\t{}\t{}\t{}", inputs.id(leak.later), printable(inputs.name(leak.later.set)),
               inputs.id(leak.earlier), printable(inputs.name(leak.earlier.set)),
               inputs.relation(leak.relation), inputs.value(leak));
  lines.flush();
}

void write_pairs_across(const AuditedClusters& inputs, OutputFile& out) {
  LineWriter lines(out);
  lines.line("id\tcluster\tother_id\tother_cluster\trelation\tvalue");
  const Similarity similarity{inputs.audit.relations};
  for (const PairAcross& pair : inputs.audit.across)
    lines.line("{}\t{}\t{}\t{}\t{}\t{}", inputs.id(pair.first), printable(inputs.cluster(pair.first)),
               inputs.id(pair.second), printable(inputs.cluster(pair.second)),
               relation_name(similarity, pair.relation),
               relation_value(similarity, pair.relation, pair.value));
  lines.flush();
}

void write_nearest(const AuditedInputs& inputs, OutputFile& out) {
  LineWriter lines(out);
  lines.line(
      "id\tset\tnearest_id\tnearest_set\tevalue\tbits\tidentity\tidentity_shorter\tcoverage\t"
      "nearest_coverage\tstrand\tbegin\tend\tnearest_begin\tnearest_end\tcigar");
  for (std::uint32_t set = 1; set < inputs.audit.sets.size(); ++set) {
    const AuditedSet& audited = inputs.audit.sets[set];
    const std::string name = printable(audited.name);
    for (SequenceSet::Index record = 0; record < audited.nearest.size(); ++record) {
      const std::string id = inputs.id({set, record});
      const std::optional<NearestRecord>& found = audited.nearest[record];
      if (!found) {
        lines.line("{}\t{}\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA", id, name);
        continue;
      }
      lines.line("{}\t{}\t{}\t{}\t{}\t{:.1f}\t{:.3f}\t{:.3f}\t{:.1f}\t{:.1f}\t{}\t{}\t{}\t{}\t{}\t{}", id,
                 name, inputs.id(found->record), printable(inputs.name(found->record.set)),
                 evalue_text(found->evalue), found->bits, found->identity, found->identity_shorter,
                 found->coverage, found->record_coverage, to_string(found->strand), found->begin + 1,
                 found->end, found->record_begin + 1, found->record_end, to_string(found->cigar));
    }
  }
  lines.flush();
}

}  // namespace alnus::cli
