// Functions that open sequence files, and that check if both inputs of a call have the same alphabet.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "alnus/session.h"
#include "io/database.h"
#include "io/sequence_reader.h"
#include "session/call.h"

namespace alnus::api {

// Warns of odd letters and records: one warning for each kind, which names all inputs that have it and the
// first odd record of each input. Also warns of each input that looks like an alignment.
void tell_odd_records(std::span<const io::ReadInput> inputs, AlphabetKind alphabet, session::Call& call);
// Tells in a message how many residues of each input were masked; no message without masking.
void tell_masking(std::span<const io::ReadInput> inputs, const Masking& masking, session::Call& call);

// Checks the alphabets of a call's two inputs. Throws Error(input) if they differ. If the user has not stated
// an input's alphabet, throws Error(input) for queries whose letters look like those of the other alphabet,
// and warns of subjects that are read as proteins and look like dna. Warns, too, of inputs without sequences,
// and, once, of odd letters and records of sequences from memory (Database::unstated).
void check_alphabets(const Database& queries, const Database& subjects, session::Call& call);

io::Qualities qualities_of(const OpenOptions& options);

// True if the choice is protein or dna.
bool is_stated(AlphabetChoice choice);

// Opens one input, as Session::open does.
Database open(const std::string& path, const OpenOptions& options, session::Call& call);
// Reads a text as one input, as Session::open_text does.
Database open_text(std::string_view text, const std::string& name, const OpenOptions& options,
                   session::Call& call);
// Opens two inputs, as Session::open_search (`second_is_database`) and Session::open_sets do.
Session::Inputs open_both(const std::string& first, const std::string& second, const OpenOptions& options,
                          bool second_is_database, session::Call& call);

}  // namespace alnus::api
