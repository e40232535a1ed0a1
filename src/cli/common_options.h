// The options that search and align share, and what they ask for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alnus/scoring.h"
#include "cli/log.h"
#include "core/masking.h"
#include "engine/registry.h"
#include "io/writer.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace alnus::cli {

struct CommonOptions {
  ScoringOptions scoring;  // without the alphabet and the matrix file's text: see make_scoring
  std::string alphabet;    // "" (not given), protein, dna, auto
  Masking masking;
  io::OutputFormat format = io::OutputFormat::parse("6");
  std::optional<Detail> chosen_detail;
  std::string output;  // "": standard output
  engine::DeviceRequest devices;
  std::uint64_t memory_bytes = 8ULL << 30;
  std::optional<std::uint64_t> device_memory_bytes;
  bool dry_run = false;

  Detail detail() const { return chosen_detail.value_or(format.needed_detail()); }
  std::vector<std::unique_ptr<Device>> make_devices(Log& log) const;
};

// `options` must outlive the parsing.
void add_common_options(CLI::App& command, CommonOptions& options);

// Options that other commands have too.
void add_scoring_options(CLI::App& command, CommonOptions& options);
CLI::Option* add_detail(CLI::App& command, CommonOptions& options, const char* default_text,
                        const char* description);
void add_machine_options(CLI::App& command, CommonOptions& options);
CLI::Option* add_alphabet(CLI::App& command, std::string& alphabet, const char* description);
CLI::Option* add_mask(CLI::App& command, Masking& masking);
CLI::Option* add_memory(CLI::App& command, std::uint64_t& bytes, const char* default_text,
                        const char* description);
// QUERIES and DB.
void add_search_inputs(CLI::App& command, std::string& queries, std::string& database);
void add_quiet(CLI::App& command);
// --identity-range, and what it does to the format.
void add_identity_range(CLI::App& command, bool& wanted);
void add_identity_range_columns(io::OutputFormat& format);

// Reads the matrix file, if --matrix names one. Throws Error(input).
Scoring make_scoring(const CommonOptions& options, AlphabetKind alphabet);

}  // namespace alnus::cli
