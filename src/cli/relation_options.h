// The option --relation, and what goes together with it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "alnus/relation.h"
#include "alnus/similarity.h"
#include "cli/common_options.h"

namespace alnus::cli {

// Adds --relation. `default_text`: what help shows as the default; empty: nothing.
void add_relation(CLI::App& command, const char* group, std::vector<Relation>& relations,
                  const std::string& default_text = {});

// Adds --no-shortcuts and the options of scoring, machine and log, for commands that compare
// sequences by relations alone.
void add_comparison_options(CLI::App& command, CommonOptions& options);
// The same with --relation and --strand.
void add_similarity_options(CLI::App& command, CommonOptions& options, std::vector<Relation>& relations);

// For commands that take edges in place of computing them: if --edges is given without --relation, clears the
// relations, so that they are those of the edges. Throws Error(input) for options of the computation that are
// given then.
void settle_relations(const CLI::App& command, const EdgeFiles& files, std::vector<Relation>& relations);
// By what pairs are similar, for the log: "whole:30", or "the edges in edges.tsv" without relations.
std::string told_similarity(std::span<const Relation> relations, const EdgeFiles& files);

// Throws Error(input) for options that are given and say how pairs are scored, judged or listed, where the
// relations say it themselves.
void check_relation_options(const CLI::App& command, std::span<const Relation> relations);

}  // namespace alnus::cli
