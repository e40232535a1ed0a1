// --interactive: a loaded database waits for queries, each of which is a search.
#pragma once

#include <cstdint>
#include <string>

#include "alnus/alnus.h"
#include "cli/log.h"

namespace alnus::cli {

// The database that waits. What is wrong with it is Error(database).
Database open_for_queries(Session& session, const std::string& queries, const std::string& database,
                          const OpenOptions& options, Log& log);

struct Answers {
  std::uint64_t queries = 0;
  SearchSummary summary;       // of all together
  std::uint64_t failures = 0;  // queries without an answer
  ErrorKind first_failure = ErrorKind::input;

  void check() const;  // throws Error of the first failure's kind if there are any
};

// Answers queries until there are no more. What is wrong with a query is logged, and the next one answered.
Answers answer(Session& session, QueryStream& queries, const Database& database, const Scoring& scoring,
               const SearchOptions& options, RowWriter& writer, OutputFile& out, Log& log);

}  // namespace alnus::cli
