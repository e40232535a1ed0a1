// Endings of file names, and what they promise to other programs. check_name() is in alnus/output.h.
#pragma once

#include <string>
#include <string_view>

#include "alnus/output.h"

namespace alnus::io {

// True if the name ends in `ending`, which is in lower case; the name may be in either case.
bool has_ending(std::string_view path, std::string_view ending);

// True for names of CSV files: *.csv, *.csv.gz and *.csv.zst, in either case.
bool is_csv(std::string_view path);

// Throws Error(input) if the name promises a format that no output of alnus has, such as hits.xlsx.
void check_is_written(const std::string& path);

// Returns the ending, in lower case, that promises a format that no output of alnus has; empty if there is
// none.
std::string_view unwritten_ending(std::string_view path);

// Returns the ending, in lower case, that promises other contents in a format that alnus writes; it is .gz or
// .zst for contents that are not compressed. Empty: the name fits the contents.
std::string_view foreign_ending(std::string_view path, Contents contents);

}  // namespace alnus::io
