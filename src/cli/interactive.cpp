#include "cli/interactive.h"

#include <fmt/format.h>
#include <memory>
#include <vector>

#include "cli/units.h"

namespace alnus::cli {
namespace {

// Held, so that no search loads the database anew. A device that cannot is each search's matter, which warns.
std::vector<std::shared_ptr<const Resident>> load(std::span<Device* const> devices,
                                                  const SequenceSet& database) {
  std::vector<std::shared_ptr<const Resident>> loaded;
  for (Device* device : devices) {
    if (device->info().standby) continue;
    try {
      loaded.push_back(device->load(database));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::device && error.kind() != ErrorKind::memory) throw;
    }
  }
  return loaded;
}

}  // namespace

void Answers::check() const {
  if (failures > 0)
    throw Error(first_failure,
                fmt::format("{} without an answer.", format_count(failures, "query", "queries")));
}

Answers answer(QueryStream& queries, const std::function<engine::SearchSummary(const SequenceSet&)>& search,
               Report& report, std::span<Device* const> devices, Log& log) {
  const std::vector<std::shared_ptr<const Resident>> held = load(devices, queries.database());
  log.info("The database waits for queries. An empty line ends each, the end of the input the session.");

  Answers answers;
  const auto failed = [&](const Error& error, const std::string& message) {
    if (answers.failures++ == 0) answers.first_failure = error.kind();
    log.error(message);
  };
  for (;;) {
    report.sync();
    SequenceSet query;
    try {
      query = queries.next();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input || queries.failed()) throw;
      failed(error, error.what());
      continue;
    }
    if (query.empty()) return answers;
    try {
      answers.summary += search(query);
      ++answers.queries;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input && error.kind() != ErrorKind::memory) throw;
      failed(error, fmt::format("{}: {}", queries.name(), error.what()));
    }
  }
}

}  // namespace alnus::cli
