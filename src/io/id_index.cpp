#include "io/id_index.h"

#include <fmt/format.h>

#include "alnus/text.h"
#include "core/refuse_input.h"

namespace alnus::io {

IdIndex::IdIndex(const SequenceSet& sequences) : sequences_(sequences) {
  entries_.reserve(sequences_.size());
  for (SequenceSet::Index i = 0; i < sequences_.size(); ++i) {
    const auto [entry, is_new] = entries_.try_emplace(sequences_[i].id(), Entry{i, false});
    if (is_new) continue;
    entry->second.repeated = true;
    if (!repeat_) repeat_ = Repeat{entry->second.index, i};
  }
}

void IdIndex::require_distinct() const {
  if (!repeat_) return;
  const auto number = [&](SequenceSet::Index i) {
    return static_cast<std::uint64_t>(sequences_.file_ordinal(i)) + 1;
  };
  refuse_input(fmt::format(
      "{} has two records with the id {}: records {} and {}. Give each record an id of its own.",
      sequences_.origin().empty() ? "The set" : sequences_.origin(),
      in_quotes(sequences_[repeat_->first].id()), number(repeat_->first), number(repeat_->second)));
}

std::optional<SequenceSet::Index> IdIndex::find(std::string_view id) const {
  const auto found = entries_.find(id);
  if (found == entries_.end()) return std::nullopt;
  return found->second.index;
}

bool IdIndex::is_repeated(std::string_view id) const {
  const auto found = entries_.find(id);
  return found != entries_.end() && found->second.repeated;
}

}  // namespace alnus::io
