#include "io/sequence_reader.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "alnus/error.h"
#include "io/sequence_parser.h"

namespace alnus {

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

namespace io {
namespace {

constexpr std::size_t kLettersOfAGuess = 1 << 19;

// Tells which residues of an alphabet are letters of ACGTUN.
class Nucleotides {
 public:
  explicit Nucleotides(AlphabetKind alphabet) {
    for (const char letter : std::string_view("ACGTUN"))
      is_one_[Alphabet::of(alphabet).encode(letter)] = true;
  }
  bool has(Residue residue) const { return is_one_[residue & kCodeMask]; }

 private:
  std::array<bool, kMaxLetters> is_one_{};
};

bool are_mostly_nucleotides(std::size_t nucleotides, std::size_t letters) {
  return letters > 0 && nucleotides * 10 >= letters * 9;
}

AlphabetKind guess_from(std::span<const Residue> protein_residues) {
  return resembles_dna(protein_residues, AlphabetKind::protein) ? AlphabetKind::dna : AlphabetKind::protein;
}

// Guesses from the beginning of a file, by a parser for proteins, which reads every letter.
AlphabetKind guess_from_file(std::string_view beginning) {
  SequenceParser parser(AlphabetKind::protein, {});
  try {
    parser.feed(beginning, std::numeric_limits<std::uint64_t>::max());
  } catch (const Error&) {
    // An error is reported when the file is read.
  }
  return guess_from(parser.residues());
}

}  // namespace

std::optional<AlphabetKind> alphabet_of(AlphabetChoice choice) {
  if (choice == AlphabetChoice::automatic) return std::nullopt;
  return choice == AlphabetChoice::dna ? AlphabetKind::dna : AlphabetKind::protein;
}

struct SequenceReader::State {
  State(const Input& input, std::optional<AlphabetKind> alphabet, Masking wanted, ThreadPool& threads,
        const StopFlag& stop_of_caller, Qualities qualities)
      : pool(threads),
        stop(stop_of_caller),
        bytes(input, threads, stop_of_caller),
        rest(alphabet ? std::string_view() : bytes.next()),
        parser(alphabet ? *alphabet : guess_from_file(rest), name_of(input), EmptyLine::skipped, qualities),
        masking(wanted) {
    masking.check(parser.alphabet(), name_of(input));
  }

  ThreadPool& pool;
  const StopFlag& stop;
  ReadAhead bytes;
  std::string_view rest;  // what is left of the current block
  SequenceParser parser;
  Masking masking;
  std::optional<bool> resembles_dna;
  bool ended = false;
};

SequenceReader::SequenceReader(const Input& input, std::optional<AlphabetKind> alphabet, Masking masking,
                               ThreadPool& pool, const StopFlag& stop, Qualities qualities) {
  const ThreadPool::Permit permit(pool, stop);
  state_ = std::make_unique<State>(input, alphabet, masking, pool, stop, qualities);
}

SequenceReader::~SequenceReader() = default;

AlphabetKind SequenceReader::alphabet() const { return state_->parser.alphabet(); }

const ReadCounts& SequenceReader::counts() const { return state_->parser.counts(); }

const RecordNotes& SequenceReader::notes() const { return state_->parser.notes(); }

std::uint64_t SequenceReader::alignment_columns() const { return state_->parser.alignment_columns(); }

bool SequenceReader::resembles_dna() const { return state_->resembles_dna.value_or(false); }

SequenceSet SequenceReader::read_some(std::uint64_t max_bytes) {
  State& s = *state_;
  const ThreadPool::Permit permit(s.pool, s.stop);
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
  return s.parser.take(s.masking, s.pool, s.stop);
}

bool resembles_dna(std::span<const Residue> residues, AlphabetKind alphabet) {
  const Nucleotides nucleotides(alphabet);
  residues = residues.first(std::min(residues.size(), kLettersOfAGuess));
  const auto count =
      std::ranges::count_if(residues, [&](Residue residue) { return nucleotides.has(residue); });
  return are_mostly_nucleotides(static_cast<std::size_t>(count), residues.size());
}

}  // namespace io

AlphabetKind guess_alphabet(std::span<const std::string_view> sequences) {
  const Alphabet& protein = Alphabet::protein();
  const io::Nucleotides nucleotides(AlphabetKind::protein);
  std::size_t letters = 0, of_nucleotides = 0;
  for (std::string_view rest : sequences) {
    while (!rest.empty() && letters < io::kLettersOfAGuess) {
      const std::string_view some = rest.substr(0, io::kLettersOfAGuess - letters);
      for (const char letter : some) {
        letters += letter == '-' || letter == '.' ? 0 : 1;
        of_nucleotides += nucleotides.has(protein.encode(letter)) ? 1 : 0;
      }
      rest.remove_prefix(some.size());
    }
  }
  return io::are_mostly_nucleotides(of_nucleotides, letters) ? AlphabetKind::dna : AlphabetKind::protein;
}

}  // namespace alnus
