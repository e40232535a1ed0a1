#include "io/sequence_reader.h"

#include <algorithm>
#include <string_view>

#include "alnus/error.h"
#include "io/byte_source.h"
#include "io/sequence_parser.h"

namespace alnus::io {
namespace {

// From the beginning of a file, by a parser that reads every letter.
AlphabetKind guess_alphabet(std::string_view beginning) {
  SequenceParser parser(AlphabetKind::protein, {});
  try {
    parser.feed(beginning, std::numeric_limits<std::uint64_t>::max());
  } catch (const Error&) {
    // What is wrong is said when the file is read.
  }
  const bool is_dna = resembles_dna(parser.residues(), AlphabetKind::protein);
  return is_dna ? AlphabetKind::dna : AlphabetKind::protein;
}

}  // namespace

ReadCounts& ReadCounts::operator+=(const ReadCounts& other) {
  records += other.records;
  residues += other.residues;
  unknown_bytes += other.unknown_bytes;
  gaps_removed += other.gaps_removed;
  empty_records += other.empty_records;
  unnamed_records += other.unnamed_records;
  masked += other.masked;
  return *this;
}

struct SequenceReader::State {
  State(const std::string& path, std::optional<AlphabetKind> alphabet, Masking wanted)
      : bytes(path),
        rest(alphabet ? std::string_view() : bytes.next()),
        parser(alphabet ? *alphabet : guess_alphabet(rest), display_name(path)),
        masking(wanted) {
    masking.check(parser.alphabet(), display_name(path));
  }

  ReadAhead bytes;
  std::string_view rest;  // of the current block
  SequenceParser parser;
  Masking masking;
  std::optional<bool> resembles_dna;
  bool ended = false;
};

SequenceReader::SequenceReader(const std::string& path, std::optional<AlphabetKind> alphabet, Masking masking)
    : state_(std::make_unique<State>(path, alphabet, masking)) {}

SequenceReader::~SequenceReader() = default;

AlphabetKind SequenceReader::alphabet() const { return state_->parser.alphabet(); }

const ReadCounts& SequenceReader::counts() const { return state_->parser.counts(); }

bool SequenceReader::resembles_dna() const { return state_->resembles_dna.value_or(false); }

SequenceSet SequenceReader::read_some(std::uint64_t max_bytes) {
  State& s = *state_;
  while (!s.ended) {
    if (s.rest.empty()) s.rest = s.bytes.next();
    if (s.rest.empty()) {
      s.parser.finish();
      s.ended = true;
    } else {
      s.rest.remove_prefix(s.parser.feed(s.rest, max_bytes));
      if (!s.rest.empty()) break;
    }
  }
  if (!s.resembles_dna) s.resembles_dna = io::resembles_dna(s.parser.residues(), s.parser.alphabet());
  return s.parser.take(s.masking);
}

bool resembles_dna(std::span<const Residue> residues, AlphabetKind alphabet) {
  constexpr std::size_t kLetters = 1 << 19;
  const Alphabet& letters = Alphabet::of(alphabet);
  residues = residues.first(std::min(residues.size(), kLetters));
  const auto nucleotides = std::ranges::count_if(residues, [&](Residue residue) {
    return std::string_view("ACGTUN").find(letters.decode(residue & kCodeMask)) != std::string_view::npos;
  });
  return !residues.empty() && nucleotides * 10 >= std::ssize(residues) * 9;
}

SequenceSet read_all(const std::string& path, std::optional<AlphabetKind> alphabet, ReadCounts* counts,
                     Masking masking) {
  SequenceReader reader(path, alphabet, masking);
  SequenceSet set = reader.read_some();
  if (counts != nullptr) *counts = reader.counts();
  return set;
}

}  // namespace alnus::io
