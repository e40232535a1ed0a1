// What users of other programs type, and what alnus calls it.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

namespace alnus::cli {

// What alnus has for an option of BLAST, DIAMOND, MMseqs2, EMBOSS or FASTA, which is given without its dashes
// and with '-' for '_': an option of the command ("--outfmt FORMAT"), a sentence without its end, or
// "" where the command has nothing of the kind. No value: not known.
using HasOption = std::function<bool(std::string_view option)>;  // the command does, of "--outfmt"
std::optional<std::string_view> option_for(std::string_view other_option, const HasOption& has_option);

// What alnus has for another program or one of its commands: a command line ("alnus search QUERIES DB"), or a
// sentence without its end. Empty: not known.
std::string_view command_for(std::string_view other_program);

}  // namespace alnus::cli
