#include "io/id_check.h"

#include <fmt/format.h>
#include <optional>

#include "alnus/error.h"
#include "alnus/text.h"

namespace alnus::io {

void require_ids_without(std::string_view blanks, const SequenceSet& set, const std::string& where,
                         const std::string& advice) {
  const std::optional<SequenceSet::Index> found = set.find_id_with(blanks);
  if (!found) return;
  const std::string_view id = set[*found].id();
  const bool tab = id[id.find_first_of(blanks)] == '\t';
  throw Error(ErrorKind::input,
              fmt::format("The id {} of sequence {}{} has a {}, and {} ends an id there. Give ids without "
                          "blanks{}.",
                          in_quotes(id), *found + 1, set.origin().empty() ? "" : " of " + set.origin(),
                          tab ? "tab" : "blank", where, advice.empty() ? "" : ", or " + advice));
}

void check_ids(OutputFormat::Kind kind, const SequenceSet& queries, const SequenceSet& subjects) {
  using Kind = OutputFormat::Kind;
  if (kind == Kind::csv || kind == Kind::jsonl) return;
  const bool table = kind == Kind::tabular || kind == Kind::tabular_comments;
  const std::string where = table                     ? "a table with tabs"
                            : kind == Kind::sam       ? "SAM"
                            : kind == Kind::srspair   ? "the format srspair"
                            : kind == Kind::blast_xml ? "BLAST's XML (5)"
                                                      : "BLAST's report (0)";
  const std::string advice =
      fmt::format("choose {} {}10 (CSV) or jsonl", option("outfmt"), table ? "" : "6, ");
  for (const SequenceSet* set : {&queries, &subjects})
    require_ids_without(table ? "\t" : " \t", *set, where, advice);
}

}  // namespace alnus::io
