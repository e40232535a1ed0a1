#include "io/membership_builder.h"

#include <fmt/format.h>
#include <utility>

#include "alnus/text.h"
#include "io/line_reader.h"

namespace alnus::io {

MembershipBuilder::MembershipBuilder(MembershipFormat format, const std::string& file) {
  membership_.format = format;
  membership_.file = file;
}

std::uint32_t MembershipBuilder::set(std::string_view name) {
  const auto next = static_cast<std::uint32_t>(membership_.sets.size());
  const auto [entry, is_new] = sets_.try_emplace(std::string(name), next);
  if (is_new) membership_.sets.push_back({std::string(name)});
  return entry->second;
}

bool MembershipBuilder::has_set(std::string_view name) const { return sets_.contains(std::string(name)); }

std::uint32_t MembershipBuilder::add(std::string_view id, std::uint32_t set, std::uint64_t line) {
  auto& members = membership_.members;
  if (members.size() == kNoSet)
    refuse_line(membership_.file, line, "there are more ids than alnus can hold.");
  const auto next = static_cast<std::uint32_t>(members.size());
  const auto [entry, is_new] = members_.try_emplace(std::string(id), next);
  if (!is_new) {
    const Membership::Member& first = members[entry->second];
    const std::string& name = membership_.sets[set].name;
    refuse_line(membership_.file, line,
                first.set == set
                    ? fmt::format("the id {} is in line {} already, in the same set {}. Leave one line out.",
                                  in_quotes(id), first.line, in_quotes(name))
                    : fmt::format("the id {} is in the set {} here, and in the set {} in line {}. Leave one "
                                  "line out.",
                                  in_quotes(id), in_quotes(name), in_quotes(membership_.sets[first.set].name),
                                  first.line));
  }
  members.push_back({std::string(id), set, line});
  return next;
}

void MembershipBuilder::choose_representative(std::uint32_t set, std::uint32_t member) {
  membership_.sets[set].representative = member;
}

Membership MembershipBuilder::finish() { return std::move(membership_); }

}  // namespace alnus::io
