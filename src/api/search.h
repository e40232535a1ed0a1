// A search call, in a whole database or in a part of one.
#pragma once

#include "alnus/search.h"
#include "alnus/session.h"
#include "api/session_core.h"
#include "engine/search.h"

namespace alnus::api {

// What a search that computes a part has to know of the whole.
struct SearchWhole {
  SearchSpace space;                               // of the whole database
  std::optional<engine::PieceOfDatabase> piece{};  // empty: the search has the whole database
  bool told = false;                               // the caller has given the warnings about all queries
};

SearchSpace search_space_of(const Database& database);

SearchSummary search(SessionCore& core, const Database& queries, const Database& database,
                     const SearchWhole& whole, const Scoring& scoring, const SearchOptions& options,
                     const SearchSink& sink, const RunControl& run);

// The engine's options for a search in a whole database. If `calibrate` is false (cost estimates), a
// calibration that would have to be simulated is only announced in a message. Throws what the search would
// throw for its options and inputs.
engine::SearchOptions resolved(const Database& queries, const Database& database, const Scoring& scoring,
                               const SearchOptions& options, bool calibrate, Call& call);

}  // namespace alnus::api
