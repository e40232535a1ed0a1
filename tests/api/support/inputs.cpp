#include "api/support/inputs.h"

#include <cstdlib>

#include "support/device_check.h"
#include "support/scorings.h"

namespace alnus::test {
namespace {

std::size_t letters_of(AlphabetKind alphabet) { return alphabet == AlphabetKind::dna ? 4 : 20; }

Scoring with_mode(Scoring scoring, const ModeAndEnds& mode) {
  scoring.mode = mode.mode;
  scoring.free_ends = mode.free_ends;
  return scoring;
}

}  // namespace

std::string devices_of_tests() {
  const char* named = std::getenv("ALNUS_TEST_DEVICES");
  return named ? named : "cpu";
}

SessionOptions session_options(int threads, std::uint64_t memory_bytes) {
  SessionOptions options;
  options.devices = devices_of_tests();
  options.threads = threads;
  options.memory_bytes = memory_bytes;
  return options;
}

SequenceSet random_set(const RandomSet& of) {
  Random random(of.seed);
  SequenceSetBuilder builder(of.alphabet, "random");
  for (std::uint32_t k = 0; k < of.count; ++k) {
    const std::size_t length = of.shortest + below(random, of.longest - of.shortest + 1);
    builder.add(of.prefix + std::to_string(k), random_sequence(random, length, letters_of(of.alphabet)));
  }
  return builder.finish();
}

SequenceSet relatives_set(unsigned seed, std::uint32_t count, std::size_t length, AlphabetKind alphabet) {
  Random random(seed);
  const Residues ancestor = random_sequence(random, length, letters_of(alphabet));
  SequenceSetBuilder builder(alphabet, "relatives");
  for (std::uint32_t k = 0; k < count; ++k) {
    Residues residues = relative(random, ancestor, 8, 6);
    for (Residue& residue : residues) residue = static_cast<Residue>(residue % letters_of(alphabet));
    builder.add("s" + std::to_string(k), residues);
  }
  return builder.finish();
}

SequenceSet set_of(const std::vector<std::string>& letters, AlphabetKind alphabet) {
  SequenceSetBuilder builder(alphabet, "letters");
  for (std::size_t k = 0; k < letters.size(); ++k) builder.add_text("s" + std::to_string(k), letters[k]);
  return builder.finish();
}

SequenceSet joined(const SequenceSet& first, const SequenceSet& second) {
  SequenceSetBuilder builder(first.alphabet(), "joined");
  for (const SequenceSet* set : {&first, &second})
    for (Index k = 0; k < set->size(); ++k) builder.add((*set)[k].header, set->residues(k));
  return builder.finish();
}

SequenceSet reversed(const SequenceSet& set) {
  SequenceSetBuilder builder(set.alphabet(), "reversed");
  for (Index k = set.size(); k-- > 0;) builder.add(set[k].header, set.residues(k));
  return builder.finish();
}

std::string fasta_of(SequenceView sequence, AlphabetKind alphabet) {
  return ">" + std::string(sequence.header) + "\n" + decode(sequence.residues, alphabet) + "\n";
}

std::string fasta_of(const SequenceSet& set) {
  std::string text;
  for (Index k = 0; k < set.size(); ++k) text += fasta_of(set[k], set.alphabet());
  return text;
}

std::vector<IndexPair> random_pairs(unsigned seed, std::size_t count, const SequenceSet& queries,
                                    const SequenceSet& subjects) {
  Random random(seed);
  std::vector<IndexPair> pairs;
  for (std::size_t k = 0; k < count; ++k) {
    const bool repeat = k > 0 && below(random, 8) == 0;
    pairs.push_back(repeat ? pairs[below(random, k)]
                           : IndexPair{static_cast<Index>(below(random, queries.size())),
                                       static_cast<Index>(below(random, subjects.size()))});
  }
  return pairs;
}

std::vector<IndexPair> every_pair(const SequenceSet& queries, const SequenceSet& subjects) {
  std::vector<IndexPair> pairs;
  for (Index query = 0; query < queries.size(); ++query)
    for (Index subject = 0; subject < subjects.size(); ++subject) pairs.push_back({query, subject});
  return pairs;
}

std::vector<NamedScoring> scorings() {
  const ModeAndEnds some_ends{Mode::semiglobal, {.query_begin = true, .subject_end = true}};
  const SubstitutionMatrix asymmetric = matrix_of(
      [](int query, int subject) { return query == subject ? 6 + query % 3 : (query < subject) - 3; });
  const Scoring decimals = protein("BLOSUM62", "9.5", "0.5"), dna_decimals = dna("1.5", "-2.25", "3.5", "1");
  return {
      {"protein_local", default_scoring()},
      {"protein_global", default_scoring("global")},
      {"protein_semiglobal", default_scoring("semiglobal")},
      {"protein_some_free_ends", with_mode(default_scoring(), some_ends)},
      {"protein_local_decimals", decimals},
      {"protein_global_decimals", with_mode(decimals, {Mode::global})},
      {"protein_local_linear_gaps", protein("BLOSUM50", "0", "8")},
      {"protein_local_asymmetric", scoring_of({Mode::local}, {7, 2}, asymmetric)},
      {"protein_semiglobal_asymmetric", scoring_of({Mode::semiglobal, FreeEnds::all()}, {7, 2}, asymmetric)},
      {"dna_local", dna("2", "-3", "5", "2")},
      {"dna_local_decimals", dna_decimals},
      {"dna_global", with_mode(dna("2", "-3", "5", "2"), {Mode::global})},
      {"dna_semiglobal_decimals", with_mode(dna_decimals, {Mode::semiglobal, FreeEnds::all()})},
  };
}

Scoring default_scoring(const std::string& mode, AlphabetKind alphabet) {
  ScoringOptions options;
  options.alphabet = alphabet;
  options.mode = mode;
  return make_scoring(options);
}

StatisticsOptions unadjusted_statistics() {
  StatisticsOptions options;
  options.composition = Composition::none;
  options.low_complexity = LowComplexity::none;
  return options;
}

StatisticsOptions no_statistics() {
  StatisticsOptions options;
  options.method = StatisticsMethod::none;
  return options;
}

}  // namespace alnus::test
