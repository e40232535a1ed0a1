// Checks of filters of rows, and warnings of those that may not be what the user means.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "alnus/row_filter.h"
#include "alnus/scoring.h"
#include "session/call.h"

namespace alnus::api {

// Throws Error(input) if a limit is out of range, or if rows have not the alignments that it looks at.
void check_filter(const RowFilter& filter, Detail detail);

// True for the identities that are relative to the alignment's own columns.
bool is_of_own_columns(Denominator denominator);

// Warns if `percent` is a number between 0 and 1. `name`: the option.
void warn_of_share(std::string_view name, const std::optional<double>& percent, session::Call& call);
// Warns of percents between 0 and 1, and of a lowest coverage in global mode, where it drops nothing.
void warn_of_limits(const RowFilter& filter, const Scoring& scoring, session::Call& call);
// Warns that `name`, which chooses by identities of own columns, lets pass alignments of a few residues.
// `filters`: what to do besides dividing by another length, as the beginning of a sentence that ends in
// "divide" or "Divide".
void warn_of_own_columns(const std::string& name, const std::string& filters, const Scoring& scoring,
                         session::Call& call);
std::string add_coverage_or_divide();  // `filters`, where there are filters to name

// Warns of all these in a call whose rows alone are filtered.
void warn_of_filter(const RowFilter& filter, const Scoring& scoring, session::Call& call);

}  // namespace alnus::api
