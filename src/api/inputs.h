// Opening files, and whether two inputs of a call are of one alphabet.
#pragma once

#include <span>
#include <string>

#include "alnus/session.h"
#include "io/sequence_reader.h"

namespace alnus::api {

class Call;

// What was odd in the records of an input; warnings say each oddity once for all inputs.
struct OddRecords {
  std::string origin;
  ReadCounts counts;
};
void tell_odd_records(std::span<const OddRecords> inputs, AlphabetKind alphabet, Call& call);
void tell_masking(std::span<const OddRecords> inputs, const Masking& masking, Call& call);

// Where nobody has stated what the letters are: are they what they were taken for? Throws Error(input) if
// they cannot be, and warns if they may not be. Of sequences in memory it warns of unknown letters, too.
void check_alphabets(const Database& queries, const Database& subjects, Call& call);

io::Qualities qualities_of(const OpenOptions& options);

// protein or dna was chosen.
bool is_stated(AlphabetChoice choice);

Database open(const std::string& path, const OpenOptions& options, Call& call);
// As Session::open_search and open_sets.
Session::Inputs open_both(const std::string& first, const std::string& second, const OpenOptions& options,
                          bool second_is_database, Call& call);

}  // namespace alnus::api
