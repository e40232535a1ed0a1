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
#include "cli/section_text.h"
#include "cli/text_table.h"

namespace alnus::cli {
namespace {

using Index = SequenceSet::Index;
using Side = TextTable::Side;

template <class Element>
std::span<const Element> first_of(const std::vector<Element>& all) {
  return std::span(all).first(std::min(all.size(), kAuditExamples));
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
  std::string text = text_of(sections_of(audit, inputs.set, inputs.clusters, inputs.options));
  if (inputs.options.promise == ClusterPromise::representatives)
    text += examples(
        inputs, audit.representatives,
        fmt::format("Similar representatives: {} of {} pairs", first_of(audit.representatives).size(),
                    format_count(audit.representatives.size())));
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
