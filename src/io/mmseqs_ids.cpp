#include "io/mmseqs_ids.h"

#include <array>
#include <cstddef>

namespace alnus::io {
namespace {

struct Database {
  std::string_view prefix;     // of ids, with the bars that belong to it
  std::size_t fields_between;  // and a bar each, before the accession
};
// The databases that MMseqs2 14 knows.
constexpr std::array kDatabases = {
    Database{"cl|", 0},  Database{"sp|", 0},  Database{"tr|", 0},  Database{"gb|", 0},   Database{"ref|", 0},
    Database{"pdb|", 0}, Database{"bbs|", 0}, Database{"lcl|", 0}, Database{"pir||", 0}, Database{"prf||", 0},
    Database{"gnl|", 1}, Database{"pat|", 1}, Database{"gi|", 2}};

}  // namespace

std::string_view mmseqs_name(std::string_view id) {
  for (const auto& [prefix, fields_between] : kDatabases) {
    if (!id.starts_with(prefix)) continue;
    std::string_view rest = id.substr(prefix.size());
    for (std::size_t field = 0; field < fields_between; ++field) {
      const std::size_t bar = rest.find('|');
      if (bar == rest.npos) return id;
      rest.remove_prefix(bar + 1);
    }
    const std::string_view accession = rest.substr(0, rest.find('|'));
    return accession.empty() ? id : accession;
  }
  return id;
}

MmseqsIds::MmseqsIds(const SequenceSet& sequences) {
  records_.reserve(sequences.size());
  for (SequenceSet::Index i = 0; i < sequences.size(); ++i) {
    const auto [record, is_new] = records_.try_emplace(mmseqs_name(sequences[i].id()), i);
    if (!is_new) record->second.reset();
  }
}

std::optional<SequenceSet::Index> MmseqsIds::find(std::string_view name) const {
  const auto found = records_.find(name);
  return found == records_.end() ? std::nullopt : found->second;
}

}  // namespace alnus::io
