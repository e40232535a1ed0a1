// --interactive: a loaded database waits for queries, each of which is a search.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "alnus/error.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "core/device.h"
#include "engine/search.h"

namespace alnus::cli {

struct Answers {
  std::uint64_t queries = 0;
  engine::SearchSummary summary;  // of all together
  std::uint64_t failures = 0;     // queries without an answer
  ErrorKind first_failure = ErrorKind::input;

  void check() const;  // throws Error of the first failure's kind if there are any
};

// Answers queries until there are no more. What is wrong with a query is logged, and the next one answered.
Answers answer(QueryStream& queries, const std::function<engine::SearchSummary(const SequenceSet&)>& search,
               Report& report, std::span<Device* const> devices, Log& log);

}  // namespace alnus::cli
