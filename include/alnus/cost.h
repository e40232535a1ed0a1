// What a call is expected to cost, in words. Session::cost_of_search(), cost_of_align() and
// cost_of_all_pairs() estimate the cost.
#pragma once

#include <span>
#include <string>

#include "alnus/export.h"
#include "alnus/output.h"
#include "alnus/sequence_set.h"
#include "alnus/session.h"

namespace alnus {

// A duration as people say it, for estimates: "less than a second", "12 s", "4.5 min", "47 min", "3 h 20
// min", "2.5 days", "12 years".
ALNUS_API std::string format_duration(double seconds);

// The time that a call would take, with the devices that would compute it: "47 min on this CPU if nothing
// else runs".
ALNUS_API std::string expected_time(const Cost& cost);

// The expected size in bytes of all output files but edges: of Cost::rows in this format, and of the files
// that Cost::matrix_bytes counts. `queries` and `subjects` are the sequences of the call.
ALNUS_API double expected_output_bytes(const Cost& cost, const OutputFormat& format,
                                       const SequenceSet& queries, const SequenceSet& subjects);

// The cost as lines "name: value" for people to read, with commas between thousands. `output_bytes`: what
// expected_output_bytes() returns.
ALNUS_API std::string describe(const Cost& cost, double output_bytes);

// Throws Error(other) if one of these outputs cannot be made, because its folder is not there or may not be
// written, or because a folder or a file that may not be replaced has the name. Makes no file. Empty names
// and standard output are ignored.
ALNUS_API void check_places(std::span<const std::string> outputs);

}  // namespace alnus
