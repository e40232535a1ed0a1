// Options and results of Session::search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "alnus/alignment.h"
#include "alnus/export.h"
#include "alnus/option_table.h"
#include "alnus/results.h"
#include "alnus/row_filter.h"
#include "alnus/run.h"
#include "alnus/statistics.h"
#include "alnus/strand.h"

namespace alnus {

inline constexpr double kDefaultEvalue = 10;
inline constexpr std::uint32_t kAllHsps = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::size_t kNamedQueries = 3;  // most ids in each list of query ids of a SearchSummary

struct SearchOptions {
  Detail detail = Detail::alignment;
  // For Detail::alignment only. True: rows have CIGARs, coordinates and counts; false: rows lack the CIGARs.
  bool cigars = true;
  std::uint32_t max_target_seqs = 500;  // most subjects of each query; 1 or more
  // Most alignments of a pair (docs/ties.md), before those with a lower score or a larger E-value are left
  // out; 1 or more. Each is a row. More than 1 needs Detail::alignment, and mode local, or semiglobal with
  // both ends of the subject free. kAllHsps: all those that score enough; in mode semiglobal it needs
  // `min_score`, since there any place of the subject has an alignment.
  std::uint32_t max_hsps = 1;
  std::optional<double> evalue{};     // highest E-value of a row; empty: kDefaultEvalue if there are E-values
  std::optional<double> min_score{};  // lowest score of a row, in the substitution matrix' units
  // Alignments that do not pass are no rows, and pairs without rows are no hits. Where a limit is set, every
  // pair that the score and the E-value admit is aligned.
  RowFilter filter{};
  // The strands of the queries that are aligned. A pair is one hit, on its better strand. E-values count all
  // aligned strands (StatisticsOptions::counted_strands). Empty: both strands of DNA, and plus for proteins.
  std::optional<Strands> strands{};
  StatisticsOptions statistics{};
  bool significance = true;                    // bits, E-values, Z-scores are wanted; `evalue` filters anyway
  bool query_statistics = false;               // SearchBatch::query_statistics is wanted
  std::vector<Denominator> identity_ranges{};  // each hit gets its IdentityRange by each of these
  bool score_histogram = false;                // SearchSummary::histogram is wanted
};
template <>
inline constexpr std::tuple kOptions<SearchOptions> = {
    CallOption{"max_target_seqs", &SearchOptions::max_target_seqs, Counts{1}, "N",
               "Most hits that are listed for a query; of equally good ones those that come first in the "
               "database",
               "500"},
    CallOption{"evalue", &SearchOptions::evalue, StatisticsLimit{&Significance::evalue, true, "E-values"},
               "X", "List no hits with a larger E-value", "10"},
    CallOption{"min_score", &SearchOptions::min_score, Numbers::score, "N",
               "List no hits with a lower score, in the matrix' units"},
    CallOption{"max_hsps", &SearchOptions::max_hsps, Counts{1, kAllHsps, "all"}, "N|all",
               "Most alignments of a pair; each further one is the best that aligns no two residues that one "
               "before it aligns",
               "1"},
};

// How often each score occurs among the pairs of a search, and how often it would among unrelated sequences.
// All pairs are counted, or, if `stride` is above 1, those with every `stride`-th subject in file order.
// Where both strands are aligned, each strand of a pair counts.
struct ScoreHistogram {
  std::int32_t lowest = 0;           // the score of pairs[0] and expected[0], in units of 1/scoring.scale
  std::vector<std::uint64_t> pairs;  // how many pairs have the score lowest + index
  std::vector<double> expected;      // pairs that would have it by chance; empty: scores are not judged
  std::uint32_t stride = 1;
};

// How many hits of a query are reported at most (SearchOptions::max_target_seqs), and how many queries have
// that many, so that further hits may be left out.
struct HitLimit {
  std::uint32_t max_target_seqs = 0;  // 0: every subject may be a hit, and no query counts as full
  std::uint64_t full_queries = 0;
  std::vector<std::string> full_query_ids{};  // ids of some full queries, at most kNamedQueries
};

struct ALNUS_API SearchSummary {
  // `cells` are those of scoring every pair once on all aligned strands; what is computed again for the
  // alignments of hits or for statistics does not count.
  std::uint64_t queries = 0, cells = 0, pairs = 0, hits = 0;
  std::uint64_t cut_ties = 0;      // queries where a pair as good as the last hit was left out
  std::uint64_t without_hits = 0;  // queries that have no hit
  // The ids of some of the queries that `cut_ties` and `without_hits` count, at most kNamedQueries of each.
  std::vector<std::string> cut_tie_ids{}, without_hits_ids{};
  HitLimit limit{};
  std::uint64_t left_out = 0;   // scored pairs that are not among the hits
  std::uint64_t fallbacks = 0;  // queries whose scores did not suffice for StatisticsMethod::regression
  StatisticsMethod method = StatisticsMethod::none;    // how scores were judged
  std::string statistics;                              // the method in words; empty: scores were not judged
  bool has_parameters = false;                         // the scoring has published or calibrated parameters
  StatisticsMethod fallback = StatisticsMethod::none;  // how the queries that `fallbacks` counts were judged
  ScoreHistogram histogram{};
  std::string report_leaves_out;  // what the HTML report does not show, in words; empty: it shows all hits
  double seconds = 0;

  SearchSummary& operator+=(const SearchSummary& other);  // adds all counts, leaves the histogram as it is
};

// What the user of a search should know of its hits: queries whose scores did not suffice for
// StatisticsMethod::regression, ties that max_target_seqs cut, queries with as many hits as max_target_seqs
// allows, queries without hits, and what the HTML report leaves out.
ALNUS_API std::vector<Message> messages_of(const SearchSummary& summary);

struct SearchResult {
  SearchBatch hits;  // of all queries
  SearchSummary summary;
};

// Takes each batch of hits when the batch is complete.
using SearchSink = std::function<void(const SearchBatch&)>;

}  // namespace alnus
