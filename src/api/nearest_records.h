// The nearest record of each record of a set, for audits.
#pragma once

#include <functional>
#include <string>

#include "alnus/audit.h"
#include "alnus/database.h"
#include "alnus/statistics.h"
#include "engine/first_hits.h"
#include "session/call.h"

namespace alnus::api {

struct NearestOptions {
  double evalue = kDefaultEvalue;    // the largest one
  Strands strands = Strands::plus;   // of the queries
  SearchSpace space{};               // of E-values
  bool columns_are_queries = false;  // in the pair matrix that finds the hits
};

// The first hit of each sequence of `queries` in a search of `database`, with the defaults of a search. An
// audit scores all pairs of both sets once: for_each_similar() finds relations and these hits together.
class NearestRecords {
 public:
  // Both databases must be in file order; they and the call must outlive the object.
  NearestRecords(const Database& queries, const Database& database, const NearestOptions& options,
                 session::Call& call);

  // For for_each_similar(), which finds the hits.
  engine::FirstHits& hits() { return hits_; }
  // How E-values are computed, in words.
  std::string statistics() const;
  // Aligns the hits, and hands the index of the query and its hit to `take`, in the order of the queries.
  // Queries without a hit are left out. Of NearestRecord::record only the index in `database` is set. Called
  // by the work of the call. Throws as the engine's drivers do (engine/search_driver.h).
  void align(const std::function<void(SequenceSet::Index query, NearestRecord&&)>& take);

 private:
  const Database &queries_, &database_;
  const Strands strands_;
  session::Call& call_;
  engine::FirstHits hits_;
};

}  // namespace alnus::api
