// Clusters and splits of others, for audits.
#include "alnus/record_sets.h"

#include <algorithm>
#include <numeric>

#include "io/id_index.h"
#include "io/membership.h"

namespace alnus {

RecordSets read_record_sets(const std::string& path, const SequenceSet& set) {
  const io::Membership membership = io::read_membership(path);
  const io::MatchedMembership matched = io::match(membership, io::IdIndex(set));
  io::require_known_ids(membership, matched, set);
  RecordSets sets{path, {}, matched.representatives, matched.set_of};
  static_assert(RecordSets::kNone == io::kNoSet);
  for (const io::MembershipSet& one : membership.sets) sets.names.push_back(one.name);
  return sets;
}

std::vector<Database> databases_of(const SequenceSet& set, const RecordSets& sets) {
  std::vector<std::uint64_t> sizes(sets.names.size());
  for (const std::uint32_t one : sets.set_of)
    if (one != RecordSets::kNone) ++sizes[one];
  std::vector<std::uint32_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::uint32_t one) { return sizes[one]; });
  std::erase_if(order, [&](std::uint32_t one) { return sizes[one] == 0; });
  std::vector<SequenceSetBuilder> builders;
  std::vector<std::uint32_t> places(sizes.size());
  for (const std::uint32_t one : order) {
    places[one] = static_cast<std::uint32_t>(builders.size());
    builders.emplace_back(set.alphabet(), sets.names[one]);
  }
  for (SequenceSet::Index i = 0; i < set.size(); ++i)
    if (sets.set_of[i] != RecordSets::kNone) builders[places[sets.set_of[i]]].add_from(set, i);
  std::vector<Database> databases;
  databases.reserve(builders.size());
  for (SequenceSetBuilder& builder : builders) databases.emplace_back(builder.finish());
  return databases;
}

}  // namespace alnus
