// Option values, read strictly: what is not wholly understood is an error, never a guess.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace alnus::cli {

// "a,b" is a and b.
std::vector<std::string> split_at_commas(const std::string& text);

// All throw Error(input) naming the option and what it takes.

std::uint64_t parse_size(std::string_view option, const std::string& text);  // bytes: "8G", "512M", "1.5G"
std::uint64_t parse_count(std::string_view option, const std::string& text, std::uint64_t lowest,
                          std::uint64_t highest);
double parse_evalue(std::string_view option, const std::string& text);
double parse_number(std::string_view option, const std::string& text, double lowest, double highest);
double parse_score(std::string_view option, const std::string& text);  // a decimal, without an exponent

// The index of `word` among `words`; the error names the nearest, or all.
std::size_t choose(std::string_view option, const std::string& word, std::span<const std::string_view> words);

}  // namespace alnus::cli
