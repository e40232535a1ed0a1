#include "cli/relation_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <string_view>

#include "alnus/error.h"

namespace alnus::cli {
namespace {

// Throws Error(input) if one of these options is given.
void refuse_options(std::initializer_list<const char*> names, std::string_view why, const CLI::App& command,
                    std::span<const Relation> relations) {
  for (const char* name : names)
    if (is_given(command, name))
      throw Error(ErrorKind::input, fmt::format("{} does nothing with --relation {}, {}. Leave it out.", name,
                                                to_string(relations), why));
}

}  // namespace

void add_relation(CLI::App& command, const char* group, std::vector<Relation>& relations,
                  const std::string& default_text) {
  const bool chooses_edges = default_text.empty();
  command
      .add_option_function<std::string>(
          "--relation", [&relations](const std::string& text) { relations = parse_relations(text); },
          fmt::format(
              "{} that have one of these relations: whole:T (at least T percent identity over the "
              "whole length, as EMBOSS needle counts it), part:T (a significant local alignment whose "
              "identical residues are at least T percent of the shorter sequence), related:E (an "
              "E-value of at most E), score:S (at least S), score-distance:S (at most S); separated "
              "by commas",
              chooses_edges ? "Make edges of the pairs" : "Two sequences are similar"))
      ->type_name("LIST")
      ->default_str(default_text)
      ->group(group);
}

void add_comparison_options(CLI::App& command, CommonOptions& options) {
  options.open.verification = Verification::deferred;  // database files are checked during the call itself
  add_scoring_options(command, options);
  add_machine_options(command, options);
  command
      .add_flag_callback(
          "--no-shortcuts", [&options] { options.machine.shortcuts = false; },
          "Align also pairs that are known to have too low an identity; the output is the same")
      ->group("Machine");
  add_log_options(command);
}

void add_similarity_options(CLI::App& command, CommonOptions& options, std::vector<Relation>& relations) {
  add_relation(command, "Similarity", relations, to_string(relations));
  add_comparison_options(command, options);
  add_strand(command, options, "both for dna");
}

void check_relation_options(const CLI::App& command, std::span<const Relation> relations) {
  if (relations.empty()) return;
  refuse_options({"--stats", "--composition", "--low-complexity", "--dbsize", "--searchsp", "--count-strands",
                  "--shuffles", "--shuffle"},
                 "which says how E-values are computed", command, relations);
  refuse_options({"--detail", "--identity", "--identity-range", "--outfmt", "--header"},
                 "which makes edges with a value of their own", command, relations);
  if (std::ranges::any_of(relations, is_of_call, &Relation::kind)) return;
  refuse_options({"--mode", "--matrix", "--match", "--mismatch", "--gap-open", "--gap-extend",
                  "--gap-convention", "--free-ends", "--preset"},
                 "which says how pairs are scored; it is for the relations score and score-distance", command,
                 relations);
}

}  // namespace alnus::cli
