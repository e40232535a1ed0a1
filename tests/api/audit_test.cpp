// Session::audit: what other calls of a session find, and what follows from the residues.
#include "alnus/audit.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "alnus/identity.h"
#include "api/support/relations.h"
#include "support/example_data.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::HasSubstr;

using Sets = std::vector<SequenceSet>;
using PlaceOfPair = std::pair<AuditedRecord, AuditedRecord>;

SequenceSet every(const SequenceSet& set, Index step, Index from) {
  SequenceSetBuilder builder(set.alphabet());
  for (Index i = from; i < set.size(); i += step) builder.add_from(set, i);
  return builder.finish();
}

// Three pieces of records of the set, and a record that has no relatives.
SequenceSet pieces_of(const SequenceSet& set) {
  SequenceSetBuilder builder(set.alphabet());
  for (const Index i : {0, 4, 8}) builder.add("piece", set.residues(i).subspan(3, 20));
  builder.add_text("blank", set.alphabet() == AlphabetKind::dna ? "NNNNNN" : "XXXXXX");
  return builder.finish();
}

// Sets that hold equal records, pieces of records of the others, relatives, and odd ones.
Sets assorted_sets(AlphabetKind kind, std::size_t count) {
  const SequenceSet all = assorted(1, kind), more = assorted(2, kind);
  Sets sets = {joined(every(all, 2, 0), every(more, 5, 0)),
               joined(joined(every(all, 3, 0), every(more, 4, 1)), pieces_of(all)),
               joined(joined(every(all, 4, 1), pieces_of(more)), every(more, 2, 0))};
  sets.resize(count);
  return sets;
}

std::vector<Database> databases_of(const Sets& sets) { return {sets.begin(), sets.end()}; }

StatisticsOptions space_of(const Sets& sets) {
  StatisticsOptions statistics;
  statistics.residues = statistics.sequences = 0;
  for (const SequenceSet& set : sets) {
    *statistics.residues += static_cast<double>(set.total_residues());
    *statistics.sequences += set.size();
  }
  return statistics;
}

bool equal_residues(const SequenceSet& a, Index i, const SequenceSet& b, Index k) {
  return a.length(i) > 0 && without_case(a.residues(i)) == without_case(b.residues(k));
}

bool contains(const SequenceSet& wholes, Index whole, const SequenceSet& pieces, Index piece) {
  const Residues inner = without_case(pieces.residues(piece)), outer = without_case(wholes.residues(whole));
  return !inner.empty() && inner.size() < outer.size() &&
         std::search(outer.begin(), outer.end(), inner.begin(), inner.end()) != outer.end();
}

class AuditCheck {
 public:
  AuditCheck(Sets sets, const std::string& relations, Strands strands)
      : sets_(std::move(sets)), strands_(strands) {
    options_.similarity.relations = parse_relations(relations);
    options_.similarity.strands = strands;
    scoring_ = default_scoring("global", sets_.front().alphabet());
    audit_ = session_.audit(databases_of(sets_), scoring_, options_);
  }
  const Audit& audit() const { return audit_; }

  void expect_all() {
    expect_leaks();
    expect_counts();
    expect_equal_and_contained();
    expect_nearest();
  }

  // By all pairs of each two sets.
  void expect_leaks() {
    std::map<PlaceOfPair, std::pair<double, int>> expected, found;
    for (std::uint32_t set = 1; set < sets_.size(); ++set)
      for (std::uint32_t earlier = 0; earlier < set; ++earlier) {
        const RelatedInputs inputs{sets_[set], sets_[earlier], strands_, scoring_};
        AllPairsOptions options;
        options.relations = options_.similarity.relations;
        options.strands = strands_;
        options.statistics = space_of(sets_);
        for (const auto& [place, pair] : related_pairs(session_, inputs, options))
          expected[{{set, place.first}, {earlier, place.second}}] = {pair.value, pair.relation};
        for (Index i = 0; i < sets_[set].size(); ++i)
          for (Index k = 0; k < sets_[earlier].size(); ++k)
            if (equal_residues(sets_[set], i, sets_[earlier], k))
              expected.try_emplace({{set, i}, {earlier, k}}, 100, kEqualResidues);
      }
    std::vector<PlaceOfPair> order;
    for (const Leak& leak : audit_.leaks) {
      found[{leak.later, leak.earlier}] = {leak.value, leak.relation};
      order.emplace_back(leak.later, leak.earlier);
    }
    EXPECT_EQ(found.size(), audit_.leaks.size()) << "a pair comes twice";
    EXPECT_TRUE(std::ranges::is_sorted(order));
    EXPECT_TRUE(found == expected) << found.size() << " found, " << expected.size() << " expected";
    EXPECT_GT(found.size(), 3u);
  }

  // By the leaks.
  void expect_counts() {
    std::map<std::tuple<std::uint32_t, std::uint32_t, int>, std::pair<std::uint64_t, std::set<Index>>> counts;
    for (std::uint32_t set = 0; set < sets_.size(); ++set) {
      std::set<Index> leaking;
      std::set<AuditedRecord> earlier;
      for (const Leak& leak : audit_.leaks) {
        if (leak.later.set != set) continue;
        leaking.insert(leak.later.record);
        earlier.insert(leak.earlier);
        auto& [pairs, records] = counts[{set, leak.earlier.set, leak.relation}];
        ++pairs;
        records.insert(leak.later.record);
      }
      EXPECT_EQ(audit_.sets[set].leaking, leaking.size());
      EXPECT_EQ(audit_.sets[set].leaking_earlier, earlier.size());
    }
    ASSERT_EQ(audit_.counts.size(), counts.size());
    std::size_t k = 0;
    for (const auto& [place, count] : counts) {
      const LeakCount& found = audit_.counts[k++];
      EXPECT_EQ(std::tuple(found.set, found.earlier_set, static_cast<int>(found.relation)), place);
      EXPECT_EQ(found.pairs, count.first);
      EXPECT_EQ(found.records, count.second.size());
    }
    std::uint64_t pairs = 0;
    for (std::size_t set = 0; set < sets_.size(); ++set) {
      std::uint64_t before = 0;
      for (std::size_t earlier = 0; earlier < set; ++earlier) before += sets_[earlier].size();
      EXPECT_EQ(audit_.sets[set].compared, before * sets_[set].size());
      EXPECT_EQ(audit_.sets[set].records, sets_[set].size());
      EXPECT_EQ(audit_.sets[set].residues, sets_[set].total_residues());
      pairs += audit_.sets[set].compared;
    }
    EXPECT_EQ(audit_.pairs, pairs);
  }

  void expect_equal_and_contained() {
    std::vector<PlaceOfPair> equal, contained;
    for (std::uint32_t set = 1; set < sets_.size(); ++set) {
      std::vector<PlaceOfPair> earlier_inside;
      std::set<AuditedRecord> equal_earlier;
      const std::size_t equal_before = equal.size(), contained_before = contained.size();
      for (Index i = 0; i < sets_[set].size(); ++i) {
        bool is_equal = false, is_contained = false;
        for_each_earlier(set, [&](const SequenceSet& others, AuditedRecord other) {
          if (equal_residues(sets_[set], i, others, other.record)) {
            if (!std::exchange(is_equal, true)) equal.push_back({{set, i}, other});
            equal_earlier.insert(other);
          }
          if (!is_contained && contains(others, other.record, sets_[set], i)) {
            contained.push_back({{set, i}, other});
            is_contained = true;
          }
        });
      }
      EXPECT_EQ(audit_.sets[set].equal, equal.size() - equal_before);
      EXPECT_EQ(audit_.sets[set].contained, contained.size() - contained_before);
      EXPECT_EQ(audit_.sets[set].equal_earlier, equal_earlier.size());
      for_each_earlier(set, [&](const SequenceSet& others, AuditedRecord other) {
        for (Index i = 0; i < sets_[set].size(); ++i)
          if (contains(sets_[set], i, others, other.record)) {
            earlier_inside.push_back({other, {set, i}});
            return;
          }
      });
      EXPECT_EQ(audit_.sets[set].contained_earlier, earlier_inside.size());
      contained.insert(contained.end(), earlier_inside.begin(), earlier_inside.end());
    }
    EXPECT_EQ(pairs_of(audit_.equal), equal);
    EXPECT_EQ(pairs_of(audit_.contained), contained);
    EXPECT_GT(equal.size(), 2u);
    EXPECT_GT(contained.size(), 2u);
  }

  // By a search of each later set in the earlier ones.
  void expect_nearest() {
    for (std::uint32_t set = 1; set < sets_.size(); ++set) {
      SequenceSet earlier = sets_[0];
      for (std::uint32_t k = 1; k < set; ++k) earlier = joined(earlier, sets_[k]);
      SearchOptions options;
      options.max_target_seqs = 1;
      options.statistics = space_of(sets_);
      options.strands = strands_;
      options.evalue = options_.evalue;
      const SearchResult expected =
          session_.search(sets_[set], earlier, default_scoring("local", earlier.alphabet()), options);
      const AuditedSet& audited = audit_.sets[set];
      ASSERT_EQ(audited.nearest.size(), sets_[set].size());
      std::uint64_t found = 0, strata = 0, identities = 0;
      for (Index i = 0; i < sets_[set].size(); ++i) {
        const std::uint64_t row = expected.hits.first_row[i];
        const bool has = expected.hits.first_row[i + 1] > row;
        ASSERT_EQ(audited.nearest[i].has_value(), has) << i;
        if (!has) continue;
        ++found;
        expect_same(*audited.nearest[i], expected.hits.rows.row(row), set, earlier);
      }
      for (const std::uint64_t count : audited.strata) strata += count;
      for (const std::uint64_t count : audited.identities) identities += count;
      EXPECT_EQ(strata, audited.records);
      EXPECT_EQ(identities, found);
      expect_strata(audited);
      EXPECT_GT(found, 2u);
    }
    EXPECT_THAT(audit_.statistics, HasSubstr(" sequences"));
  }

 private:
  template <class Use>
  void for_each_earlier(std::uint32_t set, const Use& use) {
    for (std::uint32_t earlier = 0; earlier < set; ++earlier)
      for (Index k = 0; k < sets_[earlier].size(); ++k) use(sets_[earlier], AuditedRecord{earlier, k});
  }
  static std::vector<PlaceOfPair> pairs_of(const std::vector<RecordPair>& pairs) {
    std::vector<PlaceOfPair> result;
    result.reserve(pairs.size());
    for (const RecordPair& pair : pairs) result.emplace_back(pair.record, pair.other);
    return result;
  }
  void expect_same(const NearestRecord& found, const Row& row, std::uint32_t set,
                   const SequenceSet& earlier) {
    Index index = found.record.record;
    for (std::uint32_t k = 0; k < found.record.set; ++k) index += sets_[k].size();
    EXPECT_EQ(index, row.subject);
    EXPECT_EQ(found.strand, row.strand);
    EXPECT_EQ(found.evalue, *row.significance.evalue);
    EXPECT_EQ(found.bits, *row.significance.bits);
    EXPECT_EQ(found.begin, row.query_begin);
    EXPECT_EQ(found.end, row.query_end);
    EXPECT_EQ(found.record_begin, row.subject_begin);
    EXPECT_EQ(found.record_end, row.subject_end);
    EXPECT_TRUE(std::ranges::equal(found.cigar, row.cigar));
    const auto length = static_cast<double>(sets_[set].length(row.query)),
               other = static_cast<double>(earlier.length(row.subject));
    EXPECT_DOUBLE_EQ(found.identity, 100.0 * row.counts->identical / row.counts->columns);
    EXPECT_DOUBLE_EQ(found.identity_shorter, 100.0 * row.counts->identical / std::min(length, other));
    EXPECT_DOUBLE_EQ(found.coverage, 100.0 * (row.query_end - row.query_begin) / length);
    EXPECT_DOUBLE_EQ(found.record_coverage, 100.0 * (row.subject_end - row.subject_begin) / other);
  }
  static void expect_strata(const AuditedSet& audited) {
    std::array<std::uint64_t, kAuditStrata> strata{};
    std::array<std::uint64_t, kIdentityBins> identities{};
    for (const std::optional<NearestRecord>& one : audited.nearest) {
      const double evalue = one ? one->evalue : INFINITY;
      ++strata[evalue > 1e-3 ? 0 : evalue > 1e-10 ? 1 : evalue > 1e-30 ? 2 : 3];
      if (one) ++identities[one->identity_shorter == 100 ? 9 : static_cast<int>(one->identity_shorter) / 10];
    }
    EXPECT_EQ(audited.strata, strata);
    EXPECT_EQ(audited.identities, identities);
  }

  const Sets sets_;
  const Strands strands_;
  AuditOptions options_;
  Scoring scoring_;
  Session session_{session_options()};
  Audit audit_;
};

TEST(ApiAudit, OfProteins) {
  for (const char* list : {"whole:30,part:30", "part:50", "related:0.001", "score:40,related:1e-9",
                           "score-distance:60,whole:90"}) {
    SCOPED_TRACE(list);
    AuditCheck(assorted_sets(AlphabetKind::protein, 2), list, Strands::plus).expect_all();
  }
}

TEST(ApiAudit, OfDna) {
  for (const Strands strands : {Strands::both, Strands::plus, Strands::minus}) {
    SCOPED_TRACE(static_cast<int>(strands));
    AuditCheck(assorted_sets(AlphabetKind::dna, 2), "whole:60,part:60", strands).expect_all();
  }
}

TEST(ApiAudit, OfThreeSets) {
  AuditCheck(assorted_sets(AlphabetKind::protein, 3), "whole:30,part:30", Strands::plus).expect_all();
  AuditCheck(assorted_sets(AlphabetKind::dna, 3), "part:80,score:40", Strands::both).expect_all();
}

TEST(ApiAudit, OfRealProteins) {
  if (!has_example_data()) GTEST_SKIP() << kNoExampleData;
  const std::vector<Residues> proteins = sample(example_data() + "/DB.fasta.gz", 300, 1500);
  const SequenceSet all = make_set(proteins);
  AuditCheck check({every(all, 3, 0), joined(every(all, 3, 1), every(all, 60, 0))}, "whole:30,part:30",
                   Strands::plus);
  check.expect_leaks();
  check.expect_counts();
  check.expect_nearest();
  EXPECT_EQ(check.audit().sets[1].equal, 5u);
}

// A record that is too short for any relation is similar to its copy all the same.
TEST(ApiAudit, EqualRecordsLeakWithoutARelation) {
  const Sets sets = {set_of({"MKVW", "AAAA", ""}), set_of({"mkvw", "MKV", "", "WVKM"})};
  Session session(session_options());
  AuditOptions options;
  options.similarity.relations = parse_relations("part:30");
  const Audit audit = session.audit(databases_of(sets), default_scoring(), options);
  ASSERT_EQ(audit.leaks.size(), 1u);
  EXPECT_EQ(audit.leaks[0].later, (AuditedRecord{1, 0}));
  EXPECT_EQ(audit.leaks[0].earlier, (AuditedRecord{0, 0}));
  EXPECT_EQ(audit.leaks[0].relation, kEqualResidues);
  EXPECT_EQ(audit.leaks[0].value, 100);
  ASSERT_EQ(audit.counts.size(), 1u);
  EXPECT_EQ(audit.counts[0].relation, kEqualResidues);
  ASSERT_EQ(audit.contained.size(), 1u);
  EXPECT_EQ(audit.contained[0].record, (AuditedRecord{1, 1}));
}

TEST(ApiAudit, TheLargestEvalueDecidesWhatIsNearestOnly) {
  const std::vector<Database> sets = databases_of(assorted_sets(AlphabetKind::protein, 2));
  Session session(session_options());
  AuditOptions options;
  const Audit usual = session.audit(sets, default_scoring(), options);
  options.evalue = 1e-20;
  const Audit strict = session.audit(sets, default_scoring(), options);
  EXPECT_EQ(strict.leaks.size(), usual.leaks.size());
  const auto found = [](const Audit& audit) {
    return std::ranges::count_if(audit.sets[1].nearest, [](const auto& one) { return one.has_value(); });
  };
  EXPECT_LT(found(strict), found(usual));
  EXPECT_EQ(strict.sets[1].strata[3], usual.sets[1].strata[3]);
  EXPECT_EQ(strict.sets[1].strata[1], 0u);
}

// A database file stores its sequences by length; an audit numbers them as their file has them.
TEST(ApiAudit, RecordsAreNumberedInFileOrder) {
  const Sets sets = assorted_sets(AlphabetKind::protein, 2);
  TempDir directory;
  Session session(session_options());
  std::vector<Database> stored;
  for (std::size_t set = 0; set < 2; ++set) {
    const std::string fasta = directory.file(std::to_string(set) + ".fa"), database = fasta + ".alnus";
    directory.write_file(std::to_string(set) + ".fa", fasta_of(sets[set]));
    session.make_database({fasta}, database, {.alphabet = AlphabetChoice::protein});
    stored.push_back(session.open(database, {.alphabet = AlphabetChoice::protein}));
  }
  const Audit expected = session.audit(databases_of(sets), default_scoring()),
              found = session.audit(stored, default_scoring());
  ASSERT_EQ(found.leaks.size(), expected.leaks.size());
  for (std::size_t i = 0; i < found.leaks.size(); ++i) {
    EXPECT_EQ(found.leaks[i].later, expected.leaks[i].later);
    EXPECT_EQ(found.leaks[i].earlier, expected.leaks[i].earlier);
    EXPECT_EQ(found.leaks[i].value, expected.leaks[i].value);
  }
  for (Index i = 0; i < sets[1].size(); ++i) {
    ASSERT_EQ(found.sets[1].nearest[i].has_value(), expected.sets[1].nearest[i].has_value());
    if (found.sets[1].nearest[i]) {
      EXPECT_EQ(found.sets[1].nearest[i]->record, expected.sets[1].nearest[i]->record);
    }
  }
}

TEST(ApiAudit, SetsWithoutRecordsHaveNoLeaks) {
  const SequenceSet none, one = set_of({"MKVWHEAGAWGHEE"});
  Session session(session_options());
  for (const Sets& sets : {Sets{none, one}, Sets{one, none}, Sets{none, none}, Sets{one, none, one}}) {
    const Audit audit = session.audit(databases_of(sets), default_scoring());
    EXPECT_EQ(audit.leaks.size(), sets.size() == 3 ? 1u : 0u);
    EXPECT_EQ(audit.sets.back().strata[0] + audit.sets.back().strata[1] + audit.sets.back().strata[2] +
                  audit.sets.back().strata[3],
              sets.back().size());
  }
}

// All work is known from the beginning, so that the fraction does not come to 1 twice.
TEST(ApiAudit, HasOneProgress) {
  Session session(session_options());
  for (const AlphabetKind kind : {AlphabetKind::protein, AlphabetKind::dna}) {
    const std::vector<Database> sets = {assorted(1, kind), assorted(2, kind),
                                        SequenceSetBuilder(kind).finish(), assorted(3, kind)};
    std::uint64_t cells = 0, pairs = 0;
    for (std::size_t later = 1; later < sets.size(); ++later)
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        cells += sets[later].sequences().total_residues() * sets[earlier].sequences().total_residues();
        pairs += std::uint64_t{sets[later].size()} * sets[earlier].size();
      }
    const std::uint64_t times = kind == AlphabetKind::dna ? 2 : 1;
    Progress last;
    RunControl run;
    run.on_progress = [&](const Progress& progress) {
      if (progress.cells_total > 0) {
        EXPECT_EQ(progress.cells_total, times * cells);
        EXPECT_EQ(progress.pairs_total, times * pairs);
      }
      last = progress;
    };
    session.audit(sets, default_scoring("local", kind),
                  {.similarity = {parse_relations("whole:30,part:30"), {}}}, run);
    EXPECT_EQ(last.cells_done, times * cells);
    EXPECT_EQ(last.pairs_done, times * pairs);
    EXPECT_EQ(last.fraction, 1);
  }
}

TEST(ApiAudit, RefusesWhatItCannotCompare) {
  Session session(session_options());
  const Database set(set_of({"MKVWHEAGAWGHEE"})), dna(set_of({"ACGTACGT"}, AlphabetKind::dna));
  const auto refusal = [&](const std::vector<Database>& sets, const AuditOptions& options) -> std::string {
    try {
      session.audit(sets, default_scoring(), options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "no error";
  };
  AuditOptions options;
  EXPECT_THAT(refusal({}, options), HasSubstr("two sets"));
  EXPECT_THAT(refusal({set}, options), HasSubstr("two sets"));
  EXPECT_THAT(refusal({set, dna}, options), HasSubstr("one alphabet"));
  EXPECT_THAT(refusal({set, set, dna}, options), HasSubstr("one alphabet"));
  options.evalue = -1;
  EXPECT_THAT(refusal({set, set}, options), HasSubstr("evalue takes a number not below 0"));
  options.evalue = NAN;
  EXPECT_THAT(refusal({set, set}, options), HasSubstr("evalue takes a number not below 0"));
  options = {};
  options.similarity.relations = {};
  EXPECT_THAT(refusal({set, set}, options), HasSubstr("No relation"));
  options.similarity.relations = {{RelationKind::whole, 0.3}};
  EXPECT_THAT(refusal({set, set}, options), HasSubstr("percent"));
  options = {};
  options.similarity.strands = Strands::both;
  EXPECT_THAT(refusal({set, set}, options), HasSubstr("strand"));
}

}  // namespace
}  // namespace alnus::test
