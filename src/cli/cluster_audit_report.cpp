#include "cli/cluster_audit_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "alnus/devices.h"
#include "alnus/relation.h"
#include "alnus/text.h"
#include "cli/audit_report.h"
#include "cli/text_table.h"

namespace alnus::cli {
namespace {

using Index = SequenceSet::Index;
using Side = TextTable::Side;

template <class Element>
std::span<const Element> first_of(const std::vector<Element>& all) {
  return std::span(all).first(std::min(all.size(), kAuditExamples));
}

std::string pairs(std::uint64_t count) { return format_count(count, "pair", "pairs"); }

std::string verdict(const AuditedClusters& inputs) {
  const ClusterAudit& audit = inputs.audit;
  const std::string file = printable(inputs.clusters.path);
  if (inputs.options.promise == ClusterPromise::representatives)
    return audit.holds ? fmt::format(
                             "The promise of {} holds: each record is similar to the representative of "
                             "its cluster, and no two representatives are similar.\n",
                             file)
                       : fmt::format(
                             "BROKEN: {} promises representatives, but {} of them {} similar, and {} "
                             "not similar to the representative of their cluster.\n",
                             file, pairs(audit.representatives.size()),
                             audit.representatives.size() == 1 ? "is" : "are",
                             format_count(audit.unrepresented.size(), "record is", "records are"));
  if (audit.across.empty())
    return fmt::format("No two records of different clusters of {} are similar.\n", file);
  return fmt::format("{} {} of different clusters {} similar, with {} of {} records ({}).\n",
                     inputs.options.promise ? "BROKEN:" : "LEAKS:", pairs(audit.across.size()),
                     audit.across.size() == 1 ? "is" : "are", format_count(audit.records_across),
                     format_count(audit.records), percent_of(audit.records_across, audit.records));
}

std::string compared(const AuditedClusters& inputs) {
  const ClusterAudit& audit = inputs.audit;
  TextTable table({Side::left, Side::right});
  table.add({"records in clusters", format_count(audit.records)});
  if (audit.left_out > 0) table.add({"records without a cluster, left out", format_count(audit.left_out)});
  table.add({"clusters", format_count(audit.clusters)});
  table.add({"pairs compared", format_count(audit.pairs)});
  table.add({"similar pairs", format_count(audit.similar)});
  table.add({"similar pairs of different clusters", format_count(audit.across.size())});
  table.add({"... of them of two representatives", format_count(audit.representatives.size())});
  table.add({"records not similar to their representative", format_count(audit.unrepresented.size())});
  const std::string& edges = inputs.options.edge_files.edges;
  return fmt::format(
      "\nCompared\n{}  {} Similar are records with equal residues, and those with\n  {}.\n", table.text(),
      edges.empty() ? "Every pair was compared." : "The similar pairs were given.",
      audit.relations.empty() ? fmt::format("an edge in {}", printable(edges))
                              : fmt::format("one of the relations {}", to_string(audit.relations)));
}

std::string by_relation(const AuditedClusters& inputs) {
  const Similarity similarity{inputs.audit.relations};
  // Edges that are given without relations count as those of one.
  const std::size_t relations = std::max<std::size_t>(1, similarity.relations.size());
  std::vector<std::uint64_t> counts(relations + 1);
  for (const PairAcross& pair : inputs.audit.across)
    ++counts[std::min<std::size_t>(pair.relation, relations)];
  TextTable table({Side::left, Side::right});
  for (std::size_t relation = 0; relation <= relations; ++relation)
    if (counts[relation] > 0)
      table.add({relation_name(similarity,
                               relation < relations ? static_cast<std::uint8_t>(relation) : kEqualResidues),
                 format_count(counts[relation])});
  if (table.empty()) return {};
  return "\nSimilar pairs of different clusters, by the first relation that they have\n" + table.text();
}

std::string examples(const AuditedClusters& inputs, const std::vector<PairAcross>& all,
                     const std::string& title) {
  if (all.empty()) return {};
  TextTable table({Side::left, Side::left, Side::left, Side::left, Side::left, Side::right});
  table.add({"record", "in cluster", "similar to", "in cluster", "by", "value"});
  const Similarity similarity{inputs.audit.relations};
  for (const PairAcross& pair : first_of(all))
    table.add({inputs.id(pair.first), inputs.cluster(pair.first), inputs.id(pair.second),
               inputs.cluster(pair.second), relation_name(similarity, pair.relation),
               relation_value(similarity, pair.relation, pair.value)});
  return fmt::format("\n{}\n{}", title, table.text());
}

std::string unrepresented(const AuditedClusters& inputs) {
  const std::vector<Index>& all = inputs.audit.unrepresented;
  if (all.empty()) return {};
  TextTable table({Side::left, Side::left});
  table.add({"record", "in cluster"});
  for (const Index record : first_of(all)) table.add({inputs.id(record), inputs.cluster(record)});
  return fmt::format("\nRecords that are not similar to their representative: {} of {}\n{}",
                     first_of(all).size(), format_count(all.size()), table.text());
}

// ---- JSON ----

using Json = nlohmann::ordered_json;

Json json_of(const AuditedClusters& inputs, const std::vector<PairAcross>& all) {
  Json json = Json::array();
  for (const PairAcross& pair : first_of(all))
    json.push_back({{"id", inputs.id(pair.first)},
                    {"cluster", inputs.cluster(pair.first)},
                    {"other_id", inputs.id(pair.second)},
                    {"other_cluster", inputs.cluster(pair.second)},
                    {"relation", relation_name({inputs.audit.relations}, pair.relation)},
                    {"value", pair.value}});
  return json;
}

}  // namespace

std::string AuditedClusters::id(Index record) const { return id_or_na(set, record); }

const std::string& AuditedClusters::cluster(Index record) const {
  return clusters.names[clusters.set_of[record]];
}

std::string cluster_audit_text(const AuditedClusters& inputs) {
  const ClusterAudit& audit = inputs.audit;
  std::string text = verdict(inputs) + compared(inputs) + by_relation(inputs);
  if (inputs.options.promise == ClusterPromise::representatives)
    text += examples(
                inputs, audit.representatives,
                fmt::format("Similar representatives: {} of {} pairs", first_of(audit.representatives).size(),
                            format_count(audit.representatives.size()))) +
            unrepresented(inputs);
  text +=
      examples(inputs, audit.across, title_of_examples(first_of(audit.across).size(), audit.across.size()));
  if (!audit.statistics.empty()) text += fmt::format("\nE-values: {}.\n", audit.statistics);
  return text;
}

std::string cluster_audit_json(const AuditedClusters& inputs) {
  const ClusterAudit& audit = inputs.audit;
  const auto promise = inputs.options.promise;
  const std::string& edges = inputs.options.edge_files.edges;
  Json json = {{"alnus", version()},
               {"relations", to_string(audit.relations)},
               {"edges_file", edges.empty() ? Json() : Json(edges)},
               {"clusters_file", inputs.clusters.path},
               {"promise", promise ? Json(word_of(*promise)) : Json()},
               {"holds", audit.holds},
               {"records", audit.records},
               {"left_out", audit.left_out},
               {"clusters", audit.clusters},
               {"pairs", audit.pairs},
               {"similar_pairs", audit.similar},
               {"similar_across", audit.across.size()},
               {"records_across", audit.records_across},
               {"similar_representatives", audit.representatives.size()},
               {"unrepresented", audit.unrepresented.size()},
               {"statistics", audit.statistics},
               {"examples", json_of(inputs, audit.across)},
               {"examples_of_representatives", json_of(inputs, audit.representatives)}};
  json["examples_of_unrepresented"] = Json::array();
  for (const Index record : first_of(audit.unrepresented))
    json["examples_of_unrepresented"].push_back(
        {{"id", inputs.id(record)}, {"cluster", inputs.cluster(record)}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace alnus::cli
