// A call of Session::search, of a whole database or a part of it.
#pragma once

#include "alnus/search.h"
#include "alnus/session.h"
#include "api/session_core.h"
#include "engine/search.h"

namespace alnus::api {

// What a search is a part of.
struct SearchWhole {
  SearchSpace space;                               // of the whole database
  std::optional<engine::PieceOfDatabase> piece{};  // empty: each query meets the whole database
};

SearchSpace search_space_of(const Database& database);

SearchSummary search(SessionCore& core, const Database& queries, const Database& database,
                     const SearchWhole& whole, const Scoring& scoring, const SearchOptions& options,
                     const SearchSink& sink, const RunControl& run);

// What the options of a search of a whole database come to, within a call. With `calibrate` false, for the
// costs, a simulation is only announced. Throws what the search would.
engine::SearchOptions resolved(const Database& queries, const Database& database, const Scoring& scoring,
                               const SearchOptions& options, bool calibrate, Call& call);

}  // namespace alnus::api
