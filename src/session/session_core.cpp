#include "session/session_core.h"

#include <unistd.h>
#include <utility>

#include "engine/registry.h"

namespace alnus::session {
namespace {

int threads_of(const SessionOptions& options) {
  return options.threads > 0 ? options.threads : engine::available_threads();
}

}  // namespace

SessionCore::SessionCore(SessionOptions options)
    : options_(std::move(options)),
      process_(::getpid()),
      threads_(threads_of(options_)),
      budget_(options_.memory_bytes - options_.memory_bytes / 2),
      calibrations_(options_.calibration_cache),
      devices_(options_) {}

SessionCounters SessionCore::counters() const {
  SessionCounters counters = devices_.counters();
  counters.calls = calls_;
  counters.reserved_bytes = budget_.reserved();
  counters.peak_reserved_bytes = budget_.peak();
  return counters;
}

}  // namespace alnus::session
