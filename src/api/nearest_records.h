// The nearest record of each record of a set, for audits.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "alnus/audit.h"
#include "alnus/database.h"
#include "alnus/statistics.h"
#include "session/call.h"

namespace alnus::api {

struct NearestOptions {
  double evalue = kDefaultEvalue;    // the largest one
  std::optional<Strands> strands{};  // of the queries; empty: the default of a search
  SearchSpace space{};               // of E-values
};

struct NearestSummary {
  std::uint64_t cells = 0;
  std::string statistics;
};

// Searches with each sequence of `queries` in `database`, with the defaults of a search, and hands the index
// of the query and its first hit to `take`, in the order of the queries. Queries without a hit are left out.
// Of NearestRecord::record only the index in `database` is set. Both databases must be in file order. Called
// by the work of the call. Throws what Session::search() throws.
NearestSummary find_nearest(const Database& queries, const Database& database, const NearestOptions& options,
                            session::Call& call,
                            const std::function<void(SequenceSet::Index query, NearestRecord&&)>& take);

}  // namespace alnus::api
