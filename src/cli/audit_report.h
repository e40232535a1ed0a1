// What `alnus audit` writes: the report, and tables of all pairs and of nearest records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "alnus/audit.h"
#include "alnus/database.h"
#include "alnus/output.h"
#include "alnus/similarity.h"

namespace alnus::cli {

inline constexpr std::size_t kAuditExamples = 10;  // most pairs that a report shows

std::string id_or_na(const SequenceSet& set, SequenceSet::Index record);
// "Examples: the first 10 of 1,234 pairs; --pairs FILE writes all".
std::string title_of_examples(std::size_t shown, std::size_t all);

// An audit, and what was audited.
struct AuditedInputs {
  const Audit& audit;
  std::vector<SequenceSet> sets;  // in file order
  const AuditOptions& options;

  std::string id(const AuditedRecord& record) const { return id_or_na(sets[record.set], record.record); }
  const std::string& name(std::uint32_t set) const { return audit.sets[set].name; }
  std::string relation(std::uint8_t relation) const { return relation_name(options.similarity, relation); }
  std::string value(const Leak& leak) const {
    return relation_value(options.similarity, leak.relation, leak.value);
  }
};

std::string audit_text(const AuditedInputs& inputs);
std::string audit_json(const AuditedInputs& inputs);

// A table with tabs of all leaks, and one of the nearest record of each later record.
void write_leaks(const AuditedInputs& inputs, OutputFile& out);
void write_nearest(const AuditedInputs& inputs, OutputFile& out);

}  // namespace alnus::cli
