#include "support/strands_reference.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "support/all_pairs_reference.h"

namespace alnus::test {
namespace {

bool is_empty(const Alignment& alignment, const Scoring& scoring) {
  return scoring.mode == Mode::local && alignment.score == 0;
}

// Turns coordinates of the reverse complement into those of the sequence.
void turn_query(Alignment& a, std::size_t length) {
  const auto end = static_cast<std::int32_t>(length);
  std::tie(a.query_begin, a.query_end) = std::pair(end - a.query_end, end - a.query_begin);
}
void turn_subject(Alignment& a, std::size_t length) {
  const auto end = static_cast<std::int32_t>(length);
  std::tie(a.subject_begin, a.subject_end) = std::pair(end - a.subject_end, end - a.subject_begin);
  std::ranges::reverse(a.cigar);  // it shall run along the subject as given
}

enum class Turned { query, subject };

StrandedResult result_of(Strand strand, Turned turned, Alignment alignment, std::span<const Residue> query,
                         std::span<const Residue> subject, const Scoring& scoring) {
  StrandedResult result{strand, std::move(alignment), {}, {}};
  Alignment& a = result.alignment;
  result.counts = count(a, query, subject, scoring.matrix);
  // If a sequence was reversed, the end that devices find is where its alignment begins.
  bool query_turned = false, subject_turned = false;
  if (strand == Strand::minus && !is_empty(a, scoring)) {
    query_turned = turned == Turned::query;
    subject_turned = turned == Turned::subject;
    if (query_turned) turn_query(a, query.size());
    if (subject_turned) turn_subject(a, subject.size());
  }
  result.ends = a;
  result.ends.cigar.clear();
  (query_turned ? result.ends.query_end : result.ends.query_begin) = -1;
  (subject_turned ? result.ends.subject_end : result.ends.subject_begin) = -1;
  return result;
}

const StrandedResult& better(const StrandedResult& plus, const StrandedResult& minus, Strands strands) {
  if (strands == Strands::both) return minus.alignment.score > plus.alignment.score ? minus : plus;
  return strands == Strands::minus ? minus : plus;
}

// Returns the residues without case, as all pairs compare them to decide which sequence is the query.
Residues upper_case(std::span<const Residue> residues) {
  Residues codes(residues.begin(), residues.end());
  for (Residue& code : codes) code &= kCodeMask;
  return codes;
}

}  // namespace

Residues other_strand(std::span<const Residue> nucleotides) {
  constexpr std::string_view kLetters = "ACGTRYKMSWBDHVNacgtrykmswbdhvn",
                             kPartners = "TGCAYRMKSWVHDBNtgcayrmkswvhdbn";
  Residues turned;
  for (std::size_t k = nucleotides.size(); k-- > 0;) {
    const char letter = Alphabet::dna().decode(nucleotides[k]);
    turned.push_back(Alphabet::dna().encode(kPartners[kLetters.find(letter)]));
  }
  return turned;
}

SequenceSet other_strands(const SequenceSet& set) {
  SequenceSetBuilder builder(set.alphabet(), set.origin());
  for (SequenceSet::Index k = 0; k < set.size(); ++k)
    builder.add(set[k].header, other_strand(set.residues(k)));
  return builder.finish();
}

StrandedResult reference_on_strands(std::span<const Residue> query, std::span<const Residue> subject,
                                    const Scoring& scoring, Strands strands) {
  const auto on = [&](Strand strand, std::span<const Residue> stranded) {
    return result_of(strand, Turned::query, align_reference(stranded, subject, scoring, Detail::alignment),
                     stranded, subject, scoring);
  };
  return better(on(Strand::plus, query), on(Strand::minus, other_strand(query)), strands);
}

StrandedResult all_pairs_reference_on_strands(std::span<const Residue> first, std::span<const Residue> second,
                                              const Scoring& scoring, Strands strands) {
  const Residues a = upper_case(first), b = upper_case(second);
  const bool first_is_longer = a.size() != b.size() ? a.size() > b.size() : a <= b;
  const auto on = [&](Strand strand, std::span<const Residue> query, std::span<const Residue> subject) {
    return result_of(strand, first_is_longer ? Turned::query : Turned::subject,
                     aligned_in_order(query, subject, scoring, first_is_longer), query, subject, scoring);
  };
  const Residues turned = other_strand(first_is_longer ? first : second);
  return better(on(Strand::plus, first, second),
                first_is_longer ? on(Strand::minus, turned, second) : on(Strand::minus, first, turned),
                strands);
}

}  // namespace alnus::test
