#include "cli/audit_report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "alnus/devices.h"
#include "alnus/relation.h"
#include "alnus/text.h"
#include "cli/text_table.h"

namespace alnus::cli {
namespace {

using Side = TextTable::Side;

// A bar for a part of a whole.
std::string bar(std::uint64_t part, std::uint64_t whole) {
  constexpr double kLongest = 40;
  const double share = whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  const auto length = static_cast<std::size_t>(std::lround(kLongest * share));
  return std::string(part > 0 ? std::max<std::size_t>(length, 1) : 0, '#');
}

std::string records(std::uint64_t count) { return format_count(count, "record", "records"); }

std::string earlier_records(std::uint64_t count) {
  return format_count(count, "earlier record", "earlier records");
}

// "a record of train.fasta", or, for the third set and later ones, "a record of an earlier set".
std::string an_earlier_record(const AuditedInputs& inputs, std::uint32_t set) {
  return set == 1 ? fmt::format("a record of {}", printable(inputs.name(0)))
                  : std::string("a record of an earlier set");
}

std::string is_or_are(std::uint64_t count) { return count == 1 ? "is" : "are"; }

std::string verdict_of(const AuditedInputs& inputs, std::uint32_t set) {
  const AuditedSet& audited = inputs.audit.sets[set];
  const std::string name = printable(audited.name);
  if (audited.leaking == 0)
    return fmt::format("No record of {} is similar to {}.\n", name, an_earlier_record(inputs, set));
  return fmt::format("LEAKS: {} of {} records of {} ({}) {} similar to {}.\n", format_count(audited.leaking),
                     format_count(audited.records), name, percent_of(audited.leaking, audited.records),
                     is_or_are(audited.leaking), an_earlier_record(inputs, set));
}

std::string compared(const AuditedInputs& inputs) {
  TextTable table({Side::left, Side::right, Side::right, Side::right});
  table.add({"set", "records", "residues", "pairs with earlier records"});
  for (const AuditedSet& set : inputs.audit.sets)
    table.add({set.name, format_count(set.records), format_count(set.residues),
               &set == inputs.audit.sets.data() ? "-" : format_count(set.compared)});
  return fmt::format(
      "Compared\n{}  Every pair was compared. Similar are records with equal residues, and those with one "
      "of\n"
      "  the relations {}.\n",
      table.text(), to_string(inputs.options.similarity.relations));
}

std::string similar_pairs(const AuditedInputs& inputs) {
  if (inputs.audit.leaks.empty()) return {};
  TextTable table({Side::left, Side::left, Side::left, Side::right, Side::right});
  table.add({"of", "similar to", "by", "records", "pairs"});
  for (const LeakCount& count : inputs.audit.counts)
    table.add({inputs.name(count.set), inputs.name(count.earlier_set), inputs.relation(count.relation),
               format_count(count.records), format_count(count.pairs)});
  std::string text = "\nSimilar records\n" + table.text();
  text += "  A pair counts by the first relation that it has.";
  for (std::uint32_t set = 1; set < inputs.audit.sets.size(); ++set)
    if (const AuditedSet& audited = inputs.audit.sets[set]; audited.leaking > 0)
      text += fmt::format(" In all {} of {} and {}.", records(audited.leaking), printable(audited.name),
                          earlier_records(audited.leaking_earlier));
  return text + "\n";
}

// The nearest records of a set, by E-value and by identity.
std::string nearest_of(const AuditedInputs& inputs, std::uint32_t set) {
  const AuditedSet& audited = inputs.audit.sets[set];
  if (audited.records == 0) return {};
  const auto add = [&](TextTable& table, std::string what, std::uint64_t count) {
    table.add({std::move(what), format_count(count), percent_of(count, audited.records),
               bar(count, audited.records)});
  };
  const std::vector<Side> sides = {Side::left, Side::right, Side::right, Side::left};
  TextTable strata(sides);
  add(strata, fmt::format("none significant (above {:g})", kAuditEvalues.front()), audited.strata[0]);
  for (std::size_t stratum = 1; stratum < kAuditStrata; ++stratum) {
    const double highest = kAuditEvalues[stratum - 1];
    add(strata,
        stratum + 1 < kAuditStrata ? fmt::format("{:g} to {:g}", highest, kAuditEvalues[stratum])
                                   : fmt::format("{:g} or less", highest),
        audited.strata[stratum]);
  }
  TextTable identities(sides);
  std::uint64_t found = 0;
  for (std::size_t bin = 0; bin < kIdentityBins; ++bin) {
    const std::size_t step = 100 / kIdentityBins;
    add(identities, fmt::format("{} to {}%", bin * step, (bin + 1) * step), audited.identities[bin]);
    found += audited.identities[bin];
  }
  add(identities, fmt::format("none (E-value above {:g})", inputs.options.evalue), audited.records - found);
  return fmt::format(
      "\nThe nearest earlier record of each record of {}: its E-value\n{}\n"
      "... and its identity (identical residues in percent of the shorter sequence)\n{}",
      printable(audited.name), strata.text(), identities.text());
}

std::string equal_and_contained(const AuditedInputs& inputs, std::uint32_t set) {
  const AuditedSet& audited = inputs.audit.sets[set];
  const std::string name = printable(audited.name), one = an_earlier_record(inputs, set);
  return fmt::format(
      "\nEqual residues\n  {} of {} {} equal to {}\n  {} {} equal to a record of {}\n"
      "\nPieces\n  {} of {} {} a piece of {}\n  {} {} a piece of a record of {}\n",
      records(audited.equal), name, is_or_are(audited.equal), one, earlier_records(audited.equal_earlier),
      is_or_are(audited.equal_earlier), name, records(audited.contained), name, is_or_are(audited.contained),
      one, earlier_records(audited.contained_earlier), is_or_are(audited.contained_earlier), name);
}

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

std::string relation_name(const Similarity& similarity, std::uint8_t relation) {
  if (relation == kEqualResidues) return "equal";
  return similarity.relations.empty() ? "edge" : to_string(similarity.relations[relation]);
}

std::string relation_value(const Similarity& similarity, std::uint8_t relation, double value) {
  if (relation == kEqualResidues || similarity.relations.empty()) return fmt::format("{:.3f}", value);
  switch (similarity.relations[relation].kind) {
    case RelationKind::whole:
    case RelationKind::part:
      return fmt::format("{:.3f}", value);
    case RelationKind::related:
      return value == 0 ? "0" : fmt::format("{:.2e}", value);
    case RelationKind::score:
    case RelationKind::score_distance:
      break;
  }
  return fmt::format("{}", value);
}

std::string id_or_na(const SequenceSet& set, SequenceSet::Index record) {
  const std::string_view id = set[record].id();
  return id.empty() ? "NA" : std::string(id);
}

std::string percent_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-"
                    : fmt::format("{:.2f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string title_of_examples(std::size_t shown, std::size_t all) {
  if (shown == all) return "Examples: " + format_count(all, "pair", "pairs");
  return fmt::format("Examples: the first {} of {} pairs; --pairs FILE writes all", shown, format_count(all));
}

std::string audit_text(const AuditedInputs& inputs) {
  const auto sets = static_cast<std::uint32_t>(inputs.audit.sets.size());
  std::string text;
  for (std::uint32_t set = 1; set < sets; ++set) text += verdict_of(inputs, set);
  text += "\n" + compared(inputs) + similar_pairs(inputs);
  for (std::uint32_t set = 1; set < sets; ++set)
    text += nearest_of(inputs, set) + equal_and_contained(inputs, set);
  text += examples(inputs);
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
