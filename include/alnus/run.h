// How a caller stops a call and follows it: stop token, progress, messages.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "alnus/export.h"

namespace alnus {

// How far a call is. Cells are those that the call's summary counts. Pairs are, too, but with Strands::both a
// pair counts twice here, once for each strand, and once in the summary. Totals may grow while a call finds
// out how much work there is. Session::calibrate counts cells alone.
struct Progress {
  std::uint64_t cells_done = 0, cells_total = 0;  // cells of the dynamic programming matrices
  std::uint64_t pairs_done = 0, pairs_total = 0;
  // Part of all work that is done, 0 to 1. Alignments of pairs that were scored before, shuffles and a
  // calibration are work, too, so that it may be below 1 when all cells are done, and fall when work is
  // found.
  double fraction = 0;
  double seconds = 0;       // since the call began
  double seconds_left = 0;  // expected; 0 before anything is done
};

enum class Severity : std::uint8_t { info, warning };

// A sentence for the user. Options are named as option() in alnus/error.h has it.
struct ALNUS_API Message {
  Severity severity = Severity::info;
  std::string marked;  // the text, with options marked

  std::string text() const;
  // The text with each option named as `name_of` has it.
  std::string text(const std::function<std::string(std::string_view)>& name_of) const;
};

// Both callbacks run on the thread that made the call, never two of one call at once. What a callback throws
// cancels the call and comes out of it. A callback must not call any session: that is Error(input).
struct RunControl {
  // A request cancels the call, which throws Interrupted soon after (about 0.1 s) and leaves the session as
  // it was. Any thread may request it.
  std::stop_token stop{};
  // Called about ten times a second, and once when all is computed.
  std::function<void(const Progress&)> on_progress{};
  std::function<void(const Message&)> on_message{};  // in place of SessionOptions::on_message
};

}  // namespace alnus
