#include "cli/relation_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <string_view>

#include "alnus/error.h"

namespace alnus::cli {
namespace {

// The options that say how pairs are scored.
constexpr auto kScoringOptions = {"--mode",           "--matrix",    "--match",
                                  "--mismatch",       "--gap-open",  "--gap-extend",
                                  "--gap-convention", "--free-ends", "--preset"};

// Throws Error(input) if one of these options is given.
void refuse_options(std::initializer_list<const char*> names, std::string_view why, const CLI::App& command,
                    const std::string& with) {
  for (const char* name : names)
    if (is_given(command, name))
      throw Error(ErrorKind::input,
                  fmt::format("{} does nothing with {}, {}. Leave it out.", name, with, why));
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

void settle_relations(const CLI::App& command, const EdgeFiles& files, std::vector<Relation>& relations) {
  if (files.edges.empty() || is_given(command, "--relation")) return;
  const std::string with = "--edges without --relation";
  refuse_options(kScoringOptions, "which takes the pairs as they were computed", command, with);
  refuse_options({"--strand"}, "which takes the pairs as they were computed", command, with);
  relations.clear();
}

std::string told_similarity(std::span<const Relation> relations, const EdgeFiles& files) {
  return relations.empty() ? "the edges in " + files.edges : to_string(relations);
}

void check_relation_options(const CLI::App& command, std::span<const Relation> relations) {
  if (relations.empty()) return;
  const std::string with = "--relation " + to_string(relations);
  refuse_options({"--stats", "--composition", "--low-complexity", "--dbsize", "--searchsp", "--count-strands",
                  "--shuffles", "--shuffle"},
                 "which says how E-values are computed", command, with);
  refuse_options({"--detail", "--identity", "--identity-range", "--outfmt", "--header"},
                 "which makes edges with a value of their own", command, with);
  if (std::ranges::any_of(relations, is_of_call, &Relation::kind)) return;
  refuse_options(kScoringOptions,
                 "which says how pairs are scored; it is for the relations score and score-distance", command,
                 with);
}

}  // namespace alnus::cli
