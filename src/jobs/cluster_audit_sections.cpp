// What reports of audits of clusters say.
#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <string>
#include <vector>

#include "alnus/cluster_audit.h"
#include "alnus/relation.h"
#include "alnus/text.h"
#include "io/json_text.h"
#include "jobs/percent_text.h"

namespace alnus {
namespace {

using Kind = ReportSection::Kind;

std::string pairs_of(std::uint64_t count) { return format_count(count, "pair", "pairs"); }

std::string verdict_of(const ClusterAudit& audit, const std::string& file,
                       const ClusterAuditOptions& options) {
  if (options.promise == ClusterPromise::representatives)
    return audit.holds ? fmt::format(
                             "The promise of {} holds: each record is similar to the representative of its "
                             "cluster, and no two representatives are similar.",
                             file)
                       : fmt::format(
                             "BROKEN: {} promises representatives, but {} of them {} similar, and {} not "
                             "similar to the representative of their cluster.",
                             file, pairs_of(audit.representatives.size()),
                             audit.representatives.size() == 1 ? "is" : "are",
                             format_count(audit.unrepresented.size(), "record is", "records are"));
  if (audit.across.empty())
    return fmt::format("No two records of different clusters of {} are similar.", file);
  return fmt::format("{} {} of different clusters {} similar, with {} of {} records ({}).",
                     options.promise ? "BROKEN:" : "LEAKS:", pairs_of(audit.across.size()),
                     audit.across.size() == 1 ? "is" : "are", format_count(audit.records_across),
                     format_count(audit.records), jobs::percent_of(audit.records_across, audit.records));
}

ReportSection compared(const ClusterAudit& audit, const ClusterAuditOptions& options) {
  ReportSection section{.kind = Kind::table, .title = "Compared"};
  const auto add = [&](const char* what, std::uint64_t count) {
    section.rows.push_back({what, format_count(count)});
  };
  add("records in clusters", audit.records);
  if (audit.left_out > 0) add("records without a cluster, left out", audit.left_out);
  add("clusters", audit.clusters);
  add("pairs compared", audit.pairs);
  add("similar pairs", audit.similar);
  add("similar pairs of different clusters", audit.across.size());
  add("... of them of two representatives", audit.representatives.size());
  add("records not similar to their representative", audit.unrepresented.size());
  const std::string& edges = options.edge_files.edges;
  section.note = fmt::format("{} Similar are records with equal residues, and those with {}.",
                             edges.empty() ? "Every pair was compared." : "The similar pairs were given.",
                             audit.relations.empty()
                                 ? fmt::format("an edge in {}", io::isolated(edges))
                                 : fmt::format("one of the relations {}", to_string(audit.relations)));
  return section;
}

ReportSection by_relation(const ClusterAudit& audit) {
  const Similarity similarity{audit.relations};
  // Edges that are given without relations count as those of one.
  const std::size_t relations = std::max<std::size_t>(1, similarity.relations.size());
  std::vector<std::uint64_t> counts(relations + 1);
  for (const PairAcross& pair : audit.across) ++counts[std::min<std::size_t>(pair.relation, relations)];
  ReportSection section{.kind = Kind::table,
                        .title = "Similar pairs of different clusters, by the first relation that they have"};
  for (std::size_t relation = 0; relation <= relations; ++relation)
    if (counts[relation] > 0)
      section.rows.push_back(
          {relation_name(similarity,
                         relation < relations ? static_cast<std::uint8_t>(relation) : kEqualResidues),
           format_count(counts[relation])});
  return section;
}

ReportSection unrepresented(const ClusterAudit& audit, const SequenceSet& set, const RecordSets& clusters) {
  constexpr std::size_t kMost = 10;
  const std::size_t shown = std::min(kMost, audit.unrepresented.size());
  ReportSection section{.kind = Kind::table,
                        .title = fmt::format("Records that are not similar to their representative: {} of {}",
                                             shown, format_count(audit.unrepresented.size()))};
  section.columns = {"record", "in cluster"};
  for (const SequenceSet::Index record : std::span(audit.unrepresented).first(shown)) {
    const std::string_view id = set[record].id();
    section.rows.push_back({id.empty() ? "NA" : std::string(id), clusters.names[clusters.set_of[record]]});
  }
  return section;
}

}  // namespace

std::vector<ReportSection> sections_of(const ClusterAudit& audit, const SequenceSet& set,
                                       const RecordSets& clusters, const ClusterAuditOptions& options) {
  std::vector<ReportSection> sections = {{.kind = Kind::text,
                                          .title = "Result",
                                          .lines = {verdict_of(audit, io::isolated(clusters.path), options)}},
                                         compared(audit, options)};
  if (!audit.across.empty()) sections.push_back(by_relation(audit));
  if (options.promise == ClusterPromise::representatives && !audit.unrepresented.empty())
    sections.push_back(unrepresented(audit, set, clusters));
  return sections;
}

}  // namespace alnus
