// A search call, in a whole database or in a part of one.
#pragma once

#include "alnus/search.h"
#include "alnus/session.h"
#include "engine/search_driver.h"
#include "session/file_check.h"
#include "session/session_core.h"

namespace alnus::api {

// Does the work of a search call, or a part of it: searches, and hands each batch to `sink` on the caller's
// thread. `options`: what resolved() returned; `piece` may be set in addition. `files`: the checks of the
// files that queries and database come from; a batch leaves the call only after they have passed.
SearchSummary search(session::Call& call, const Database& queries, const Database& database,
                     const Scoring& scoring, const engine::SearchOptions& options,
                     session::Verifications& files, const SearchSink& sink);

// The engine's options for a search in a whole database. If `calibrate` is false (cost estimates), a
// calibration that would have to be simulated is only announced in a message. Throws what the search would
// throw for its options and inputs. If `calibrate` is true, also gives the warnings of tell_one_place() and
// warn_of_low_complexity().
engine::SearchOptions resolved(const Database& queries, const Database& database, const Scoring& scoring,
                               const SearchOptions& options, bool calibrate, session::Call& call);

}  // namespace alnus::api
