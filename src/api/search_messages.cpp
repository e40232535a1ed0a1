// What a search tells its user of its hits.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "alnus/error.h"
#include "alnus/search.h"
#include "alnus/text.h"

namespace alnus {
namespace {

// "2 queries ('q1', 'q2')", or "12 queries (such as 'q1', 'q2', 'q3')". `ids` has the ids of some of them.
std::string name_queries(std::uint64_t count, const std::vector<std::string>& ids) {
  std::vector<std::string> names;
  names.reserve(ids.size());
  for (const std::string& id : ids) names.push_back(id.empty() ? "NA" : in_quotes(id));
  return fmt::format("{} ({}{})", format_count(count, "query", "queries"),
                     count > ids.size() ? "such as " : "", fmt::join(names, ", "));
}

}  // namespace

std::vector<Message> messages_of(const SearchSummary& summary) {
  std::vector<Message> messages;
  if (summary.fallbacks > 0)
    messages.push_back(
        {Severity::warning,
         fmt::format("The scores of {} do not suffice for {} regression, which needs a query of more than {} "
                     "residues, and {} subjects of at least as many residues and of different lengths: {}.",
                     format_count(summary.fallbacks, "query", "queries"), option("statistics"),
                     kShortestForRegression, format_count(kFewestForRegression),
                     summary.has_parameters ? fmt::format("their E-values are those of {} {} {} none {} none",
                                                          option("statistics"), to_string(summary.fallback),
                                                          option("composition"), option("low_complexity"))
                                            : "they have no E-values")});
  const auto inform = [&](std::string text) { messages.push_back({Severity::info, std::move(text)}); };
  if (summary.cut_ties > 0)
    inform(
        fmt::format("Ties at the cut: in {} a subject that is not listed scores as high as the last one "
                    "listed; the database's order decided.",
                    name_queries(summary.cut_ties, summary.cut_tie_ids)));
  if (summary.limit.full_queries > 0)
    inform(fmt::format("{} {} as many hits as {} {} allows: further hits may be left out.",
                       name_queries(summary.limit.full_queries, summary.limit.full_query_ids),
                       summary.limit.full_queries == 1 ? "has" : "have", option("max_target_seqs"),
                       summary.limit.max_target_seqs));
  if (summary.without_hits > 0)
    inform(fmt::format("{} {} no hit.", name_queries(summary.without_hits, summary.without_hits_ids),
                       summary.without_hits == 1 ? "has" : "have"));
  if (!summary.report_leaves_out.empty()) inform(summary.report_leaves_out);
  return messages;
}

}  // namespace alnus
