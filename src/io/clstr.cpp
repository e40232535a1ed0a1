#include "io/clstr.h"

#include <fmt/format.h>

#include "alnus/text.h"
#include "io/membership_builder.h"

namespace alnus::io {
namespace {

constexpr std::string_view kClusterLine = ">Cluster ";
constexpr std::string_view kExample =
    "A member is a line such as \"0 TAB 235aa, >id... *\" or \"... at 97.02%\"";

[[noreturn]] void refuse_member(const LineReader& reader) {
  reader.refuse(fmt::format("{} is no member of a cluster. {}.", in_quotes(reader.line()), kExample));
}

struct ClstrMember {
  std::string_view id;
  bool is_representative;
};

// Takes digits, of which there must be at least one, off the text.
bool take_digits(std::string_view& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(digits);
  return digits > 0;
}

bool take_text(std::string_view& text, std::string_view wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(wanted.size());
  return true;
}

// Reads "0\t235aa, >id... *", "0\t235aa, >id... at 97.02%" (with strand and positions before the percent), or
// without anything behind the dots.
ClstrMember parse_member(const LineReader& reader) {
  constexpr std::string_view kDots = "...";
  std::string_view rest = reader.line();
  if (!take_digits(rest) || !take_text(rest, "\t") || !take_digits(rest) ||
      !(take_text(rest, "aa, >") || take_text(rest, "nt, >")))
    refuse_member(reader);
  const std::size_t dots = rest.rfind(kDots);
  if (dots == rest.npos) refuse_member(reader);
  const std::string_view tail = rest.substr(dots + kDots.size());
  if (!tail.empty() && tail != " *" && !(tail.starts_with(" at ") && tail.ends_with('%')))
    refuse_member(reader);
  const std::string_view description = rest.substr(0, dots);
  const std::string_view id = description.substr(0, description.find_first_of(" \t"));
  if (id.empty()) reader.refuse("the member has no id. Give every record an id before you cluster.");
  return {id, tail == " *"};
}

}  // namespace

bool is_clstr(std::string_view first_line) { return first_line.starts_with(kClusterLine); }

Membership read_clstr(LineReader& reader) {
  MembershipBuilder builder(MembershipFormat::cd_hit, reader.name());
  std::uint32_t set = 0;
  for (bool more = true; more; more = reader.next()) {
    const std::string_view line = reader.line();
    if (line.empty()) continue;
    if (is_clstr(line)) {
      const std::string_view name = line.substr(kClusterLine.size());
      if (name.empty()) reader.refuse("the cluster has no number. Write it as \">Cluster 0\".");
      if (builder.has_set(name))
        reader.refuse(
            fmt::format("there is another cluster {} before. Number each cluster once.", in_quotes(name)));
      set = builder.set(name);
      continue;
    }
    const ClstrMember member = parse_member(reader);
    const std::uint32_t index = builder.add(member.id, set, reader.number());
    if (!member.is_representative) continue;
    const MembershipSet& cluster = builder.membership().sets[set];
    if (cluster.representative)
      reader.refuse(
          fmt::format("cluster {} has a second representative (*); the first is in line {}. Leave one star.",
                      in_quotes(cluster.name), builder.membership().members[*cluster.representative].line));
    builder.choose_representative(set, index);
  }
  return builder.finish();
}

}  // namespace alnus::io
