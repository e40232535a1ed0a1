// What reports of audits say.
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "alnus/audit.h"
#include "alnus/relation.h"
#include "alnus/similarity.h"
#include "alnus/text.h"
#include "io/json_text.h"
#include "jobs/percent_text.h"

namespace alnus {
namespace {

using Kind = ReportSection::Kind;

std::string records_of(std::uint64_t count) { return format_count(count, "record", "records"); }

std::string earlier_records(std::uint64_t count) {
  return format_count(count, "earlier record", "earlier records");
}

std::string is_or_are(std::uint64_t count) { return count == 1 ? "is" : "are"; }

// "a record of train.fasta", or, for the third set and later ones, "a record of an earlier set".
std::string an_earlier_record(const Audit& audit, std::uint32_t set) {
  return set == 1 ? fmt::format("a record of {}", io::isolated(audit.sets[0].name))
                  : std::string("a record of an earlier set");
}

std::string verdict_of(const Audit& audit, std::uint32_t set) {
  const AuditedSet& audited = audit.sets[set];
  const std::string name = io::isolated(audited.name);
  if (audited.leaking == 0)
    return fmt::format("No record of {} is similar to {}.", name, an_earlier_record(audit, set));
  return fmt::format("LEAKS: {} of {} records of {} ({}) {} similar to {}.", format_count(audited.leaking),
                     format_count(audited.records), name, jobs::percent_of(audited.leaking, audited.records),
                     is_or_are(audited.leaking), an_earlier_record(audit, set));
}

ReportSection result(const Audit& audit) {
  ReportSection section{.kind = Kind::text, .title = "Result"};
  for (std::uint32_t set = 1; set < audit.sets.size(); ++set) section.lines.push_back(verdict_of(audit, set));
  return section;
}

ReportSection compared(const Audit& audit, const AuditOptions& options) {
  ReportSection section{.kind = Kind::table, .title = "Compared"};
  section.columns = {"set", "records", "residues", "pairs with earlier records"};
  for (const AuditedSet& set : audit.sets)
    section.rows.push_back({set.name, format_count(set.records), format_count(set.residues),
                            &set == audit.sets.data() ? "-" : format_count(set.compared)});
  section.note = fmt::format(
      "Every pair was compared. Similar are records with equal residues, and those with one of the relations "
      "{}.",
      to_string(options.similarity.relations));
  return section;
}

ReportSection similar_records(const Audit& audit, const AuditOptions& options) {
  ReportSection section{.kind = Kind::table, .title = "Similar records"};
  section.columns = {"of", "similar to", "by", "records", "pairs"};
  for (const LeakCount& count : audit.counts)
    section.rows.push_back({audit.sets[count.set].name, audit.sets[count.earlier_set].name,
                            relation_name(options.similarity, count.relation), format_count(count.records),
                            format_count(count.pairs)});
  section.note = "A pair counts by the first relation that it has.";
  for (const AuditedSet& set : audit.sets)
    if (set.leaking > 0)
      section.note += fmt::format(" In all {} of {} and {}.", records_of(set.leaking), io::isolated(set.name),
                                  earlier_records(set.leaking_earlier));
  return section;
}

void add_bar(ReportSection& section, std::string label, std::uint64_t count, std::uint64_t all) {
  section.bars.push_back({std::move(label), count, jobs::percent_of(count, all)});
}

ReportSection nearest_by_evalue(const AuditedSet& set) {
  ReportSection section{.kind = Kind::bars,
                        .title = fmt::format("The nearest earlier record of each record of {}: its E-value",
                                             io::isolated(set.name))};
  section.label = "E-value";
  section.unit = "records";
  add_bar(section, fmt::format("none significant (above {:g})", kAuditEvalues.front()), set.strata[0],
          set.records);
  for (std::size_t stratum = 1; stratum < kAuditStrata; ++stratum) {
    const double highest = kAuditEvalues[stratum - 1];
    add_bar(section,
            stratum + 1 < kAuditStrata ? fmt::format("{:g} to {:g}", highest, kAuditEvalues[stratum])
                                       : fmt::format("{:g} or less", highest),
            set.strata[stratum], set.records);
  }
  return section;
}

ReportSection nearest_by_identity(const AuditedSet& set, const AuditOptions& options) {
  ReportSection section{.kind = Kind::bars,
                        .title = fmt::format("The nearest earlier record of each record of {}: its identity",
                                             io::isolated(set.name)),
                        .note = "Identical residues in percent of the shorter sequence."};
  section.label = "identity";
  section.unit = "records";
  std::uint64_t found = 0;
  for (std::size_t bin = 0; bin < kIdentityBins; ++bin) {
    const std::size_t step = 100 / kIdentityBins;
    add_bar(section, fmt::format("{} to {}%", bin * step, (bin + 1) * step), set.identities[bin],
            set.records);
    found += set.identities[bin];
  }
  add_bar(section, fmt::format("none (E-value above {:g})", options.evalue), set.records - found,
          set.records);
  return section;
}

ReportSection equal_residues(const Audit& audit, std::uint32_t set) {
  const AuditedSet& audited = audit.sets[set];
  return {
      .kind = Kind::text,
      .title = "Equal residues",
      .lines = {fmt::format("{} of {} {} equal to {}", records_of(audited.equal), io::isolated(audited.name),
                            is_or_are(audited.equal), an_earlier_record(audit, set)),
                fmt::format("{} {} equal to a record of {}", earlier_records(audited.equal_earlier),
                            is_or_are(audited.equal_earlier), io::isolated(audited.name))}};
}

ReportSection pieces(const Audit& audit, std::uint32_t set) {
  const AuditedSet& audited = audit.sets[set];
  return {.kind = Kind::text,
          .title = "Pieces",
          .lines = {fmt::format("{} of {} {} a piece of {}", records_of(audited.contained),
                                io::isolated(audited.name), is_or_are(audited.contained),
                                an_earlier_record(audit, set)),
                    fmt::format("{} {} a piece of a record of {}", earlier_records(audited.contained_earlier),
                                is_or_are(audited.contained_earlier), io::isolated(audited.name))}};
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

std::vector<ReportSection> sections_of(const Audit& audit, const AuditOptions& options) {
  std::vector<ReportSection> sections = {result(audit), compared(audit, options)};
  if (!audit.leaks.empty()) sections.push_back(similar_records(audit, options));
  for (std::uint32_t set = 1; set < audit.sets.size(); ++set) {
    if (audit.sets[set].records > 0) {
      sections.push_back(nearest_by_evalue(audit.sets[set]));
      sections.push_back(nearest_by_identity(audit.sets[set], options));
    }
    sections.push_back(equal_residues(audit, set));
    sections.push_back(pieces(audit, set));
  }
  return sections;
}

}  // namespace alnus
