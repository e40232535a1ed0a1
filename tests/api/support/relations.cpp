#include "api/support/relations.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "support/sequences.h"
#include "support/strands_reference.h"

namespace alnus::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Replaces so many percent of the residues, and makes a gap here and there.
Residues diverged(Random& random, const Residues& ancestor, std::size_t percent, std::size_t letters) {
  Residues residues;
  for (const Residue residue : ancestor) {
    if (below(random, 300) < percent / 3) continue;
    residues.push_back(below(random, 100) < percent ? static_cast<Residue>(below(random, letters)) : residue);
  }
  return residues;
}

double percent_of(const Fraction& identity) {
  return 100 * static_cast<double>(identity.numerator) / static_cast<double>(identity.denominator);
}

// True if the fraction is at least so many percent. The tests' percents have one decimal at most.
bool reaches(const Fraction& identity, double percent) {
  return identity.numerator * 1000 >= std::llround(percent * 10) * identity.denominator;
}

bool above(const Fraction& one, const Fraction& other) {
  return one.numerator * other.denominator > other.numerator * one.denominator;
}

}  // namespace

std::uint64_t RelatedInputs::pairs() const {
  const std::uint64_t n = set.size();
  return against ? n * against->size() : n * (n - 1) / 2;
}

SequenceSet assorted(unsigned seed, AlphabetKind kind) {
  const bool dna = kind == AlphabetKind::dna;
  const std::size_t letters = dna ? 4 : 20, length = dna ? 130 : 90;
  Random ancestors(7), random(seed);
  std::vector<Residues> all;
  for (int family = 0; family < 2; ++family) {
    const Residues ancestor = random_sequence(ancestors, length, letters);
    for (const std::size_t percent : {1, 8, 20, 35, 50, 70})
      all.push_back(diverged(random, ancestor, percent, letters));
    all.emplace_back(ancestor.begin() + 10, ancestor.begin() + 50);
    all.emplace_back(ancestor.begin() + 30, ancestor.begin() + 45);
  }
  for (const std::size_t size : {length, std::size_t{25}})
    all.push_back(random_sequence(random, size, letters));
  for (const char* text : {"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "ATATATATATATATATATATATAT", "ACGT",
                           "GCGCGCGAATTCGCGCGCGAATTCGCGCGC", "A", "CA", ""})
    all.push_back(encode(text, kind));
  all.push_back(encode(std::string(12, dna ? 'N' : 'X'), kind));
  // Letters that stand for several, and lower case.
  const std::string odd =
      dna ? "ACGTRYKMSWBDHVNNNNACGGTCATTACGARRYACGT" : "MKVBZJXUO*LAHEAGAWGHEEXXXPAWHEAEBZB";
  all.push_back(with_random_case(random, encode(odd, kind)));
  all.push_back(diverged(random, all.back(), 10, letters));
  if (dna)
    for (std::size_t k = 0; k < all.size(); k += 2) all[k] = other_strand(all[k]);
  for (std::size_t k = all.size() - 1; k > 0; --k) std::swap(all[k], all[below(random, k + 1)]);
  return make_set(all, kind);
}

RelationOracle::RelationOracle(const RelatedInputs& inputs) : inputs_(inputs) {
  const AlphabetKind kind = inputs.set.alphabet();
  whole_ = highest_identities(make_scoring({.preset = "emboss-needle", .alphabet = kind}),
                              Denominator::with_end_gaps);
  part_ = highest_identities(make_scoring({.alphabet = kind}), Denominator::shorter);
  scores_ = values(PairValue::score);
  distances_ = values(PairValue::score_distance);
  if (inputs.against) {
    lower_evalues(inputs.set, *inputs.against, false);
    lower_evalues(*inputs.against, inputs.set, true);
  } else {
    lower_evalues(inputs.set, inputs.set, false);
  }
}

Place RelationOracle::place_of(Index query, Index subject) const {
  return inputs_.against ? Place{query, subject} : Place{std::max(query, subject), std::min(query, subject)};
}

// Each strand is a call of its own, because a call reports the range of the plus strand where both strands
// have the best score.
std::map<Place, Fraction> RelationOracle::highest_identities(const Scoring& scoring,
                                                             Denominator denominator) {
  std::map<Place, Best> best;
  for (const Strands strand : {Strands::plus, Strands::minus}) {
    if (inputs_.strands != Strands::both && inputs_.strands != strand) continue;
    AllPairsOptions options;
    options.strands = strand;
    options.statistics = no_statistics();
    options.identity_ranges = {denominator};
    PairSink sink;
    sink.rows = [&](const Columns& rows, const std::string&) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const Fraction highest = rows.identity_range[static_cast<std::size_t>(denominator)][i].highest;
        const auto [found, is_new] =
            best.try_emplace(place_of(rows.query[i], rows.subject[i]), Best{rows.score[i], highest});
        Best& known = found->second;
        if (rows.score[i] > known.score || (rows.score[i] == known.score && above(highest, known.identity)))
          known = {rows.score[i], highest};
      }
    };
    if (inputs_.against)
      session_.all_pairs(inputs_.set, *inputs_.against, scoring, options, sink);
    else
      session_.all_pairs(inputs_.set, scoring, options, sink);
  }
  std::map<Place, Fraction> identities;
  for (const auto& [place, one] : best) identities[place] = one.identity;
  return identities;
}

std::map<Place, double> RelationOracle::values(PairValue kind) {
  AllPairsOptions options;
  options.strands = inputs_.strands;
  options.statistics = no_statistics();
  options.value = MatrixValue{kind};
  options.cutoff = kind == PairValue::score ? -kInfinity : kInfinity;
  std::map<Place, double> values;
  for (const auto& [place, pair] : related_pairs(session_, inputs_, options)) values[place] = pair.value;
  return values;
}

void RelationOracle::lower_evalues(const SequenceSet& queries, const SequenceSet& subjects, bool turned) {
  SearchOptions options;
  options.max_target_seqs = 1'000'000;
  options.strands = inputs_.strands;
  if (inputs_.against) {
    double residues = 0;
    for (const SequenceSet* set : {&inputs_.set, &*inputs_.against})
      for (Index k = 0; k < set->size(); ++k) residues += static_cast<double>(set->residues(k).size());
    options.statistics.residues = residues;
    options.statistics.sequences = inputs_.set.size() + inputs_.against->size();
  }
  session_.search(queries, subjects, make_scoring({.alphabet = queries.alphabet()}), options,
                  [&](const SearchBatch& batch) {
                    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
                      const Index query = batch.rows.query[i], subject = batch.rows.subject[i];
                      if (!inputs_.against && query == subject) continue;
                      const Place place = turned ? Place{subject, query} : place_of(query, subject);
                      const double evalue = batch.rows.evalue[i];
                      const auto found = evalues_.try_emplace(place, evalue).first;
                      found->second = std::min(found->second, evalue);
                    }
                  });
}

bool RelationOracle::has(const Relation& relation, Place place, double& value) const {
  const auto take = [&](const std::map<Place, double>& values) {
    const auto found = values.find(place);
    if (found == values.end()) return false;
    value = found->second;
    return true;
  };
  const auto reaches_in = [&](const std::map<Place, Fraction>& identities) {
    const auto found = identities.find(place);
    if (found == identities.end() || !reaches(found->second, relation.threshold)) return false;
    value = percent_of(found->second);
    return true;
  };
  switch (relation.kind) {
    case RelationKind::whole:
      return reaches_in(whole_);
    case RelationKind::part:
      return take(evalues_) && value <= kPartEvalue && reaches_in(part_);
    case RelationKind::related:
      return take(evalues_) && value <= relation.threshold;
    case RelationKind::score:
      return take(scores_) && value >= relation.threshold;
    case RelationKind::score_distance:
      return take(distances_) && value <= relation.threshold;
  }
  return false;
}

RelatedPairs RelationOracle::of(const std::vector<Relation>& relations) const {
  RelatedPairs pairs;
  for (const auto& [place, unused] : scores_)
    for (std::size_t k = 0; k < relations.size(); ++k) {
      double value = 0;
      if (!has(relations[k], place, value)) continue;
      pairs[place] = {value, static_cast<int>(k)};
      break;
    }
  return pairs;
}

PairSink RelatedRows::sink() {
  PairSink sink;
  sink.sparse = [this](const SparseValues& batch) {
    EXPECT_GT(batch.size(), 0u);
    EXPECT_EQ(batch.row.size(), batch.size());
    EXPECT_EQ(batch.column.size(), batch.size());
    EXPECT_EQ(batch.relation.size(), batch.size());
    for (std::size_t k = 0; k < batch.size(); ++k) {
      const Place place{batch.row[k], batch.column[k]};
      EXPECT_TRUE(!last_ || *last_ < place) << "ordered by row, then column, none twice";
      last_ = place;
      pairs[place] = {batch.value[k], batch.relation[k]};
    }
  };
  return sink;
}

RelatedPairs related_pairs(Session& session, const RelatedInputs& inputs, const AllPairsOptions& options) {
  RelatedRows rows;
  const AllPairsSummary summary =
      inputs.against ? session.all_pairs(inputs.set, *inputs.against, inputs.scoring, options, rows.sink())
                     : session.all_pairs(inputs.set, inputs.scoring, options, rows.sink());
  EXPECT_EQ(summary.edges, rows.pairs.size());
  if (!options.block) {
    EXPECT_EQ(summary.pairs, inputs.pairs());
  }
  return rows.pairs;
}

AllPairsOptions options_of(const RelatedInputs& inputs, const std::string& relations) {
  AllPairsOptions options;
  options.strands = inputs.strands;
  options.relations = parse_relations(relations);
  return options;
}

}  // namespace alnus::test
