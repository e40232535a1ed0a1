#include "io/phylip_names.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include "alnus/error.h"
#include "alnus/text.h"
#include "io/row_text.h"

namespace alnus::io {
namespace {

bool is_replaced(char c) {
  return c < '!' || c > '~' || std::string_view("()[]:;,'").find(c) != std::string_view::npos;
}

std::string record(const SequenceSet& sequences, SequenceSet::Index i) {
  const std::string_view id = sequences[i].id();
  return id.empty() ? fmt::format("{}", i + 1) : fmt::format("{} ({})", i + 1, in_quotes(id));
}

}  // namespace

std::string phylip_name(std::string_view id, PhylipNames form) {
  std::string name(id.empty() ? kNotAvailable : id);
  std::ranges::replace_if(name, is_replaced, '_');
  if (form == PhylipNames::strict) name.resize(std::min(name.size(), kPhylipName));
  return name;
}

ReplacedNames check_phylip_names(const SequenceSet& sequences, PhylipNames form, const StopFlag& stop) {
  std::unordered_map<std::string, SequenceSet::Index> records(sequences.size());
  ReplacedNames replaced;
  for (SequenceSet::Index i = 0; i < sequences.size(); ++i) {
    stop.throw_if_requested();
    const std::string_view id = sequences[i].id();
    if (std::ranges::any_of(id, is_replaced) && replaced.count++ == 0) replaced.first = i;
    const auto [before, is_new] = records.try_emplace(phylip_name(id, form), i);
    if (!is_new)
      throw Error(
          ErrorKind::input,
          fmt::format("Records {} and {}{} would both be named {} in the PHYLIP matrix, in which each "
                      "sequence needs a name of its own. Rename one of them, {}leave {} out.",
                      record(sequences, before->second), record(sequences, i),
                      sequences.origin().empty() ? "" : " of " + sequences.origin(), before->first,
                      form == PhylipNames::strict
                          ? fmt::format("choose whole names by {} relaxed, or ", option("phylip_names"))
                          : "or ",
                      option("phylip")));
  }
  return replaced;
}

}  // namespace alnus::io
