// How a caller stops a call and follows it: stop token, progress, messages.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "alnus/export.h"

namespace alnus {

// How far a call is. Cells are counted as in the call's summary. A pair counts once for each aligned strand
// here, so twice with Strands::both, but once in the summary. Totals may grow while a call finds out how much
// work there is. Session::calibrate counts cells alone.
struct Progress {
  std::uint64_t cells_done = 0, cells_total = 0;  // cells of the dynamic programming matrices
  std::uint64_t pairs_done = 0, pairs_total = 0;
  // The fraction of all work that is done, 0 to 1. Alignments of pairs that were scored before, shuffles and
  // a calibration are work, too, so that the fraction may be below 1 when all cells are done. It falls when
  // more work is found.
  double fraction = 0;
  double seconds = 0;       // since the call began
  double seconds_left = 0;  // expected time to the end of the call; 0 before anything is done
};

enum class Severity : std::uint8_t { info, warning };

// A sentence for the user. Options in it are marked as option() in alnus/error.h says.
struct ALNUS_API Message {
  Severity severity = Severity::info;
  std::string marked;  // the text, with options marked

  std::string text() const;  // with each option named by its identifier
  // The text with each option replaced by what `name_of` returns for the option's identifier.
  std::string text(const std::function<std::string(std::string_view)>& name_of) const;
};

// How the caller stops and follows one call. Both callbacks run on the thread that made the call, never two
// of one call at once. An exception that a callback throws cancels the call and comes out of it. A callback
// must not call any session: that is Error(input).
struct RunControl {
  // A stop request cancels the call, which throws Interrupted soon after (about 0.1 s) and leaves the session
  // as it was. Any thread may request the stop.
  std::stop_token stop{};
  // Called about ten times a second, and once when everything is computed.
  std::function<void(const Progress&)> on_progress{};
  std::function<void(const Message&)> on_message{};  // replaces SessionOptions::on_message
};

}  // namespace alnus
