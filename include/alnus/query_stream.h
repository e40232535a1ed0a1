// Queries that come through a pipe or from a terminal, each available as soon as it is complete (docs/cli.md,
// Queries as they come).
#pragma once

#include <memory>
#include <string>

#include "alnus/database.h"
#include "alnus/export.h"
#include "alnus/run.h"

namespace alnus {

class Session;

class ALNUS_API QueryStream {
 public:
  // The path "-" is standard input. Queries are read with the database's alphabet. Throws Error(input) if the
  // input cannot be read.
  QueryStream(Session& session, const std::string& path, const Database& database,
              const OpenOptions& options = {});
  ~QueryStream();
  QueryStream(const QueryStream&) = delete;
  QueryStream& operator=(const QueryStream&) = delete;

  // Waits for the next query, and returns a database of that one sequence, or an empty one at the end of the
  // input. Throws Error(input) for a record that is wrong or that a search for it alone would refuse; the
  // next call returns the record after it. Also throws Error(input) if the input itself cannot be read or is
  // compressed: then there are no more queries, and failed() is true.
  Database next(const RunControl& run = {});
  bool failed() const;
  const std::string& name() const;  // of the query that next() returned: "standard input, record 3 ('q3')"

 private:
  struct ALNUS_LOCAL State;
  std::unique_ptr<State> state_;
};

}  // namespace alnus
