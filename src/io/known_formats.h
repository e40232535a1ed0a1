// Formats that are neither FASTA nor FASTQ, known by how a file begins.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace alnus::io {

// How many bytes of a first line tell its format.
inline constexpr std::size_t kTellingBytes = 64;

// Says in sentences which format a file has that begins with this line, and what to give instead. Only the
// first kTellingBytes of the line count. Empty if the format is not known.
std::string known_format(std::string_view first_line);

// True for a line of letters, '*' and '-' alone, as in a sequence without a header; false for an empty line.
bool is_bare_sequence(std::string_view line);

// As known_format(), for files that begin as FASTA or FASTQ do: PIR ('>' and "P1;") and SAM ('@' and "HD", a
// tab). `header` is the first header, without '>' or '@'.
std::string known_format_of_header(char marker, std::string_view header);

}  // namespace alnus::io
