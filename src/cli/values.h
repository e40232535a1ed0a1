// Reads option values strictly: a value that is not understood as a whole is an error.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace alnus::cli {

// Splits a text at its commas: "a,b" gives "a" and "b".
std::vector<std::string> split_at_commas(const std::string& text);

// All functions below throw Error(input) naming the option and the values that it takes.

// Reads a number of bytes: "8G", "512M", "1.5G", where 1K is 1024 bytes. A number below 1 MiB without a unit
// is refused: its unit was probably forgotten.
std::uint64_t parse_size(std::string_view option, const std::string& text);
// `word`: what may be written for `highest`; empty: nothing may.
std::uint64_t parse_count(std::string_view option, const std::string& text, std::uint64_t lowest,
                          std::uint64_t highest, std::string_view word = {});
double parse_evalue(std::string_view option, const std::string& text);
double parse_number(std::string_view option, const std::string& text, double lowest, double highest);
double parse_score(std::string_view option, const std::string& text);  // a decimal, without an exponent

}  // namespace alnus::cli
