// Reading the sequences of a run: queries and subjects side by side, in one alphabet.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>

#include "alnus/sequence_set.h"
#include "cli/log.h"
#include "core/masking.h"
#include "io/sequence_reader.h"

namespace alnus::cli {

struct Inputs {
  SequenceSet queries, subjects;
};

// `database` is a .alnus file or a sequence file; what is wrong with it is Error(database).
// `alphabet` is the word of --alphabet, "" when there was none. Says in the log what was odd.
Inputs read_search_inputs(const std::string& queries, const std::string& database,
                          const std::string& alphabet, Masking masking, Log& log);

// A database, and the queries of a pipe or a terminal as they come (io/record_stream.h).
class QueryStream {
 public:
  // As read_search_inputs(). Reads the database; the queries are of its alphabet.
  QueryStream(const std::string& queries, const std::string& database, const std::string& alphabet,
              Masking masking, Log& log);
  ~QueryStream();
  QueryStream(const QueryStream&) = delete;
  QueryStream& operator=(const QueryStream&) = delete;

  const SequenceSet& database() const;
  // Waits for the next query; empty at the end. Throws Error(input) for one that is wrong or that a search
  // for it alone would refuse, and goes on behind it; or as io::RecordStream for an input that failed().
  SequenceSet next();
  bool failed() const;
  const std::string& name() const;  // of the query that next() returned: "standard input, record 3 ('q3')"

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Two sequence files, or one for both when `subjects` is empty.
Inputs read_pair_inputs(const std::string& queries, const std::string& subjects, const std::string& alphabet,
                        Masking masking, Log& log);

// A sequence file or database, and another one, or the same when `against` is empty.
Inputs read_set_inputs(const std::string& set, const std::string& against, const std::string& alphabet,
                       Masking masking, Log& log);

// Warnings about what was odd in the records, each said once for all inputs.
struct CountsOf {
  std::string origin;
  io::ReadCounts counts;
};
void warn_about_records(std::span<const CountsOf> inputs, AlphabetKind alphabet, Log& log);
// How much was masked, if anything was to be.
void log_masking(std::span<const CountsOf> inputs, Masking masking, Log& log);

// By its first bytes, or its name: a damaged database shall be called one.
bool is_database_name(const std::string& path);

// Throws Error(input) when more than one of them is "-".
void refuse_sharing_stdin(std::initializer_list<std::string> paths);

}  // namespace alnus::cli
