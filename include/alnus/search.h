// What a search takes and gives (Session::search).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "alnus/alignment.h"
#include "alnus/export.h"
#include "alnus/results.h"
#include "alnus/statistics.h"
#include "alnus/strand.h"

namespace alnus {

inline constexpr double kDefaultEvalue = 10;

struct SearchOptions {
  Detail detail = Detail::alignment;
  bool cigars = true;  // Detail::alignment: with CIGARs, or else coordinates and counts alone
  std::uint32_t max_target_seqs = 500;  // at most so many hits of each query; 1 or more
  std::optional<double> evalue{};     // no hit's E-value is above it; kDefaultEvalue where there are E-values
  std::optional<double> min_score{};  // no hit's score is below it, in the matrix' units
  // Strands of the queries; a pair is one hit, on its better strand. E-values count all of them
  // (StatisticsOptions::counted_strands). Empty: both of DNA, and plus of proteins.
  std::optional<Strands> strands{};
  StatisticsOptions statistics{};
  bool significance = true;       // bits, E-values, Z-scores are wanted (regardless, `evalue` filters)
  bool query_statistics = false;  // SearchBatch::query_statistics is wanted
  std::vector<Denominator> identity_ranges{};  // wanted for each hit; repeated ones count once
  bool score_histogram = false;                // SearchSummary::histogram is wanted
};

// How often each score occurs among the pairs of a search, and how often it would among unrelated sequences.
// All pairs are counted, or those with every `stride`-th subject; where both strands are aligned, each of
// them is a pair.
struct ScoreHistogram {
  std::int32_t lowest = 0;           // the score of pairs[0] and expected[0], in units of 1/scoring.scale
  std::vector<std::uint64_t> pairs;  // by score
  std::vector<double> expected;      // as many unrelated pairs; empty where no statistics tell
  std::uint32_t stride = 1;
};

struct ALNUS_API SearchSummary {
  // The cells are those of the score pass, without padding; both strands count.
  std::uint64_t queries = 0, cells = 0, pairs = 0, hits = 0;
  std::uint64_t cut_ties = 0;   // queries where equal scores were cut at max_target_seqs
  std::uint64_t left_out = 0;   // scored pairs that are not among the hits
  std::uint64_t fallbacks = 0;  // queries whose scores did not suffice for StatisticsMethod::regression
  StatisticsMethod method = StatisticsMethod::none;    // how scores were judged
  std::string statistics;                              // the same in words; empty: they were not judged
  bool has_parameters = false;                         // the scoring has published or calibrated parameters
  StatisticsMethod fallback = StatisticsMethod::none;  // what judged the queries that `fallbacks` counts
  ScoreHistogram histogram{};
  double seconds = 0;

  SearchSummary& operator+=(const SearchSummary& other);  // leaves the histogram as it is
};

struct SearchResult {
  SearchBatch hits;  // of all queries
  SearchSummary summary;
};

// Takes batches as they are complete.
using SearchSink = std::function<void(const SearchBatch&)>;

}  // namespace alnus
