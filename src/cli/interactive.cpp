#include "cli/interactive.h"

#include <fmt/format.h>

#include "cli/common_options.h"
#include "cli/progress_line.h"

namespace alnus::cli {

Database open_for_queries(Session& session, const std::string& queries, const std::string& database,
                          const OpenOptions& options, Log& log) {
  refuse_sharing_stdin({queries, database});
  OpenOptions of_database = options;
  of_database.qualities = false;
  try {
    return session.open(database, of_database, follow(log));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input || is_database_file(database)) throw;
    throw Error(ErrorKind::database, error.marked());
  }
}

void Answers::check() const {
  if (failures > 0)
    throw Error(first_failure, fmt::format("{} had no answer: the errors above say why.",
                                           format_count(failures, "query", "queries")));
}

Answers answer(Session& session, QueryStream& queries, const Database& database, const Scoring& scoring,
               const SearchOptions& options, RowWriter& writer, OutputFile& out, Log& log) {
  session.prepare(database, follow(log));
  log.info(
      "The database is loaded, and waits for queries. An empty line ends a query, and the end of the input "
      "(Ctrl-D) ends the program.");

  Answers answers;
  const auto failed = [&](const Error& error, const std::string& message) {
    if (answers.failures++ == 0) answers.first_failure = error.kind();
    log.error(in_flags(message));
  };
  for (;;) {
    writer.flush();
    out.sync();
    Database query;
    try {
      query = queries.next(follow(log));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input || queries.failed()) throw;
      failed(error, error.marked());
      continue;
    }
    if (query.size() == 0) return answers;
    try {
      answers.summary += session.search(
          query, database, scoring, options, [&](const SearchBatch& batch) { writer.write(batch, query); },
          follow(log));
      ++answers.queries;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input && error.kind() != ErrorKind::memory) throw;
      const std::string& message = error.marked();
      const bool names_query = message.starts_with(queries.name());
      failed(error, names_query ? message : fmt::format("{}: {}", queries.name(), message));
    }
  }
}

}  // namespace alnus::cli
