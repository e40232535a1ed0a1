#include "session/session_core.h"

#include <unistd.h>
#include <utility>

#include "engine/registry.h"

namespace alnus::session {

SessionCore::SessionCore(SessionOptions options)
    : options_(std::move(options)),
      process_(::getpid()),
      threads_(options_.threads > 0 ? options_.threads : engine::available_threads()),
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
