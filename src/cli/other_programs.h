// The options and commands of other programs, and what alnus has in their place.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

namespace alnus::cli {

// What to write in place of an option of BLAST, DIAMOND, MMseqs2, EMBOSS or FASTA. `other_option`: the option
// without its dashes, and with '-' for '_'. The result is an option of the alnus command ("--outfmt FORMAT"),
// a sentence without its full stop, or "" if the command has no equivalent. No value: `other_option` is not
// known.
using HasOption = std::function<bool(std::string_view option)>;  // true if the command has it ("--outfmt")
std::optional<std::string_view> option_for(std::string_view other_option, const HasOption& has_option);

// What to write in place of another program or one of its commands: a command line ("alnus search QUERIES
// DB"), or a sentence without its full stop. Empty: `other_program` is not known.
std::string_view command_for(std::string_view other_program);

}  // namespace alnus::cli
