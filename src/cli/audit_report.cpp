#include "cli/audit_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <span>

#include "alnus/devices.h"
#include "alnus/relation.h"
#include "alnus/text.h"
#include "cli/section_text.h"
#include "cli/text_table.h"

namespace alnus::cli {
namespace {

using Side = TextTable::Side;

std::string examples(const AuditedInputs& inputs) {
  const std::vector<Leak>& leaks = inputs.audit.leaks;
  if (leaks.empty()) return {};
  const std::size_t count = std::min(leaks.size(), kAuditExamples);
  TextTable table({Side::left, Side::left, Side::left, Side::left, Side::left, Side::right});
  table.add({"record", "of", "similar to", "of", "by", "value"});
  for (const Leak& leak : std::span(leaks).first(count))
    table.add({inputs.id(leak.later), inputs.name(leak.later.set), inputs.id(leak.earlier),
               inputs.name(leak.earlier.set), inputs.relation(leak.relation), inputs.value(leak)});
  return "\n" + title_of_examples(count, leaks.size()) + "\n" + table.text();
}

// ---- JSON ----

using Json = nlohmann::ordered_json;

Json json_of(const AuditedInputs& inputs, std::uint32_t set) {
  const AuditedSet& audited = inputs.audit.sets[set];
  Json json = {{"name", audited.name}, {"records", audited.records}, {"residues", audited.residues}};
  if (set == 0) return json;
  json.update({{"pairs", audited.compared},
               {"leaking", audited.leaking},
               {"leaking_earlier", audited.leaking_earlier},
               {"equal", audited.equal},
               {"equal_earlier", audited.equal_earlier},
               {"contained", audited.contained},
               {"contained_earlier", audited.contained_earlier},
               {"nearest_by_evalue", audited.strata},
               {"nearest_by_identity", audited.identities}});
  return json;
}

Json json_of(const AuditedInputs& inputs, const AuditedRecord& record) {
  return {{"set", inputs.name(record.set)}, {"id", inputs.id(record)}};
}

}  // namespace

std::string id_or_na(const SequenceSet& set, SequenceSet::Index record) {
  const std::string_view id = set[record].id();
  return id.empty() ? "NA" : std::string(id);
}

std::string title_of_examples(std::size_t shown, std::size_t all) {
  if (shown == all) return "Examples: " + format_count(all, "pair", "pairs");
  return fmt::format("Examples: the first {} of {} pairs; --pairs FILE writes all", shown, format_count(all));
}

std::string audit_text(const AuditedInputs& inputs) {
  std::string text = text_of(sections_of(inputs.audit, inputs.options)) + examples(inputs);
  if (!inputs.audit.statistics.empty()) text += fmt::format("\nE-values: {}.\n", inputs.audit.statistics);
  return text;
}

std::string audit_json(const AuditedInputs& inputs) {
  const Audit& audit = inputs.audit;
  Json json = {{"alnus", version()},
               {"relations", to_string(inputs.options.similarity.relations)},
               {"leaks", !audit.leaks.empty()},
               {"pairs", audit.pairs},
               {"similar_pairs", audit.leaks.size()},
               {"largest_evalue", inputs.options.evalue},
               {"statistics", audit.statistics},
               {"evalue_limits", kAuditEvalues}};
  json["sets"] = Json::array();
  for (std::uint32_t set = 0; set < audit.sets.size(); ++set) json["sets"].push_back(json_of(inputs, set));
  json["similar"] = Json::array();
  for (const LeakCount& count : audit.counts)
    json["similar"].push_back({{"set", inputs.name(count.set)},
                               {"earlier_set", inputs.name(count.earlier_set)},
                               {"relation", inputs.relation(count.relation)},
                               {"records", count.records},
                               {"pairs", count.pairs}});
  json["examples"] = Json::array();
  for (const Leak& leak : std::span(audit.leaks).first(std::min(audit.leaks.size(), kAuditExamples)))
    json["examples"].push_back({{"record", json_of(inputs, leak.later)},
                                {"earlier", json_of(inputs, leak.earlier)},
                                {"relation", inputs.relation(leak.relation)},
                                {"value", leak.value}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace alnus::cli
