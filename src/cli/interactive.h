// The option --interactive of search: the database stays loaded, and each query is answered when it comes.
#pragma once

#include <cstdint>
#include <string>

#include "alnus/alnus.h"
#include "cli/log.h"

namespace alnus::cli {

// Opens the database. Throws Error(input) if `queries` and `database` are both standard input. Where
// Session::open() throws Error(input) for a sequence file, throws Error(database): the queries are not at
// fault.
Database open_for_queries(Session& session, const std::string& queries, const std::string& database,
                          const OpenOptions& options, Log& log);

struct Answers {
  std::uint64_t queries = 0;
  SearchSummary summary;       // of all answered queries together
  std::uint64_t failures = 0;  // queries without an answer
  ErrorKind first_failure = ErrorKind::input;

  void check() const;  // if there were failures, throws an Error of the first one's kind
};

// Answers queries until the input ends. If a query is wrong or needs too much memory, logs the error and goes
// on with the next query.
Answers answer(Session& session, QueryStream& queries, const Database& database, const Scoring& scoring,
               const SearchOptions& options, RowWriter& writer, OutputFile& out, Log& log);

}  // namespace alnus::cli
