#include "io/membership_writer.h"

#include <cmath>
#include <fmt/format.h>

#include "alnus/text.h"
#include "core/refuse_input.h"
#include "core/utf8.h"
#include "io/row_text.h"

namespace alnus::io {
namespace {

constexpr std::string_view kLineEnds = "\r\n";

// Collects lines and writes them in large pieces.
class LineWriter {
 public:
  explicit LineWriter(OutputFile& out) : out_(out) {}

  template <class... Pieces>
  void write(const Pieces&... pieces) {
    constexpr std::size_t kFull = 1 << 16;
    (append(text_, pieces), ...);
    if (text_.size() >= kFull) flush();
  }
  void write_csv(std::string_view field) {
    const std::size_t begin = text_.size();
    append(text_, field);
    quote_for_csv(text_, begin);
  }
  void write_fixed2(double number) { append_fixed<2>(text_, number); }
  void flush() {
    out_.write(view(text_));
    text_.clear();
  }

 private:
  OutputFile& out_;
  Text text_;
};

// The id of a record. Throws Error(input) if it is empty or has one of the forbidden characters.
std::string_view writable_id(const SequenceSet& sequences, SequenceSet::Index i, std::string_view forbidden,
                             std::string_view format) {
  const std::string_view id = sequences[i].id();
  const bool is_empty = id.empty();
  if (!is_empty && id.find_first_of(forbidden) == id.npos) return id;
  const std::string record =
      fmt::format("Record {}{}", static_cast<std::uint64_t>(sequences.file_ordinal(i)) + 1,
                  sequences.origin().empty() ? "" : " of " + sequences.origin());
  if (is_empty)
    refuse_input(fmt::format("{} has no id, but {} has one for each record. Give it an id.", record, format));
  refuse_input(
      fmt::format("{} has the id {}, which {} cannot hold. Give ids without blanks, tabs and line ends.",
                  record, in_quotes(id), format));
}

void require_one_line(std::string_view text, std::string_view what) {
  if (text.find_first_of(kLineEnds) == text.npos) return;
  refuse_input(fmt::format("The {} {} has a line end, which the CSV file cannot hold. Leave it out.", what,
                           in_quotes(text)));
}

// The members of each cluster: the representative, then the others in the order of the set.
std::vector<std::vector<SequenceSet::Index>> members_of(const Clusters& clusters) {
  std::vector<std::vector<SequenceSet::Index>> members(clusters.representatives.size());
  for (std::size_t cluster = 0; cluster < members.size(); ++cluster)
    members[cluster].push_back(clusters.representatives[cluster]);
  for (SequenceSet::Index i = 0; i < clusters.cluster_of.size(); ++i) {
    const std::uint32_t cluster = clusters.cluster_of[i];
    if (cluster != kNoSet && i != clusters.representatives[cluster]) members[cluster].push_back(i);
  }
  return members;
}

}  // namespace

void require_writable_ids(const SequenceSet& sequences, std::string_view forbidden) {
  const std::string all = fmt::format("{}{}", forbidden, kLineEnds);
  for (SequenceSet::Index i = 0; i < sequences.size(); ++i) writable_id(sequences, i, all, "the output");
}

void require_utf8_ids(const SequenceSet& sequences) {
  for (SequenceSet::Index i = 0; i < sequences.size(); ++i)
    if (!is_utf8(sequences[i].id()))
      refuse_input(fmt::format("The id {} is not UTF-8, which a certificate needs. Give another id.",
                               in_quotes(sequences[i].id())));
}

void write_mmseqs_clusters(OutputFile& out, const SequenceSet& sequences, const Clusters& clusters) {
  const auto id = [&](SequenceSet::Index i) {
    return writable_id(sequences, i, "\t\r\n", "MMseqs2's table of clusters");
  };
  LineWriter writer(out);
  for (const auto& members : members_of(clusters)) {
    const std::string_view representative = id(members.front());
    for (const SequenceSet::Index member : members) writer.write(representative, '\t', id(member), '\n');
  }
  writer.flush();
}

void write_clstr(OutputFile& out, const SequenceSet& sequences, const Clusters& clusters,
                 std::span<const double> identities) {
  const std::string_view unit = sequences.alphabet() == AlphabetKind::dna ? "nt, >" : "aa, >";
  LineWriter writer(out);
  std::uint64_t cluster = 0;
  for (const auto& members : members_of(clusters)) {
    writer.write(">Cluster ", cluster++, '\n');
    std::uint64_t number = 0;
    for (const SequenceSet::Index member : members) {
      const std::string_view id = writable_id(sequences, member, " \t\r\n", "CD-HIT's .clstr");
      writer.write(number, '\t', sequences.length(member), unit, id, "...");
      if (number++ == 0) {
        writer.write(" *");
      } else if (!identities.empty() && !std::isnan(identities[member])) {
        writer.write(" at ");
        writer.write_fixed2(identities[member]);
        writer.write('%');
      }
      writer.write('\n');
    }
  }
  writer.flush();
}

void write_split(OutputFile& out, const SequenceSet& sequences, const Subsets& subsets,
                 std::span<const SplitColumn> columns) {
  for (const std::string& name : subsets.names) require_one_line(name, "name of a subset");
  LineWriter writer(out);
  writer.write("id,subset");
  for (const SplitColumn& column : columns) {
    require_one_line(column.name, "name of a column");
    writer.write(',');
    writer.write_csv(column.name);
  }
  writer.write('\n');
  for (SequenceSet::Index i = 0; i < sequences.size(); ++i) {
    if (subsets.subset_of[i] == kNoSet) continue;
    writer.write_csv(writable_id(sequences, i, kLineEnds, "the CSV file of a split"));
    writer.write(',');
    writer.write_csv(subsets.names[subsets.subset_of[i]]);
    for (const SplitColumn& column : columns) {
      require_one_line(column.values[i], "value");
      writer.write(',');
      writer.write_csv(column.values[i]);
    }
    writer.write('\n');
  }
  writer.flush();
}

void write_graph_part(OutputFile& out, const SequenceSet& sequences, std::span<const std::uint32_t> subset_of,
                      const GraphPartColumns& columns) {
  LineWriter writer(out);
  writer.write("AC,priority,label-val,between_connectivity,cluster\n");
  for (SequenceSet::Index i = 0; i < sequences.size(); ++i) {
    if (subset_of[i] == kNoSet) continue;
    writer.write_csv(writable_id(sequences, i, kLineEnds, "GraphPart's CSV"));
    const bool is_preferred = !columns.priority.empty() && columns.priority[i] != 0;
    writer.write(is_preferred ? ",True," : ",False,", columns.label.empty() ? 0 : columns.label[i], ",0,",
                 subset_of[i], ".0\n");
  }
  writer.flush();
}

void write_subset_ids(OutputFile& out, const SequenceSet& sequences, std::span<const std::uint32_t> subset_of,
                      std::uint32_t subset) {
  LineWriter writer(out);
  for (SequenceSet::Index i = 0; i < sequences.size(); ++i)
    if (subset_of[i] == subset) writer.write(writable_id(sequences, i, kLineEnds, "a list of ids"), '\n');
  writer.flush();
}

}  // namespace alnus::io
