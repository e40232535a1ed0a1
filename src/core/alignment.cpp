#include "alnus/alignment.h"

#include <fmt/format.h>
#include <optional>

namespace alnus {

AlignmentCounts count(const Alignment& alignment, std::span<const Residue> query,
                      std::span<const Residue> subject, const SubstitutionMatrix& matrix) {
  return count(alignment.cigar, query.subspan(static_cast<std::size_t>(alignment.query_begin)),
               subject.subspan(static_cast<std::size_t>(alignment.subject_begin)), matrix);
}

AlignmentCounts count(std::span<const CigarRun> cigar, std::span<const Residue> query,
                      std::span<const Residue> subject, const SubstitutionMatrix& matrix) {
  AlignmentCounts counts;
  std::optional<CigarOp> before;  // of the run before: a gap too long for one run goes on in the next
  std::size_t i = 0, j = 0, aligned = 0;
  // Counts the positive columns among the residues that were aligned since the last call. One call takes
  // several runs, because most runs are short.
  const auto count_positive = [&] {
    for (; aligned > 0; --aligned) counts.positive += matrix.value(query[i++], subject[j++]) > 0;
  };
  for (const CigarRun run : cigar) {
    const auto length = static_cast<std::int32_t>(run.length());
    counts.columns += length;
    switch (run.op()) {
      case CigarOp::insertion:
      case CigarOp::deletion:
        count_positive();
        counts.gap_residues += length;
        counts.gap_opens += before != run.op();
        (run.op() == CigarOp::insertion ? i : j) += run.length();
        break;
      case CigarOp::equal:
      case CigarOp::mismatch:
        (run.op() == CigarOp::equal ? counts.identical : counts.mismatches) += length;
        aligned += run.length();
        break;
    }
    before = run.op();
  }
  count_positive();
  return counts;
}

std::int64_t rescore(const Alignment& alignment, std::span<const Residue> query,
                     std::span<const Residue> subject, const Scoring& scoring) {
  std::int64_t score = 0;
  std::optional<CigarOp> before;
  auto i = static_cast<std::size_t>(alignment.query_begin);
  auto j = static_cast<std::size_t>(alignment.subject_begin);
  for (const CigarRun run : alignment.cigar) {
    if (run.op() == CigarOp::insertion || run.op() == CigarOp::deletion) {
      score -= before == run.op() ? std::int64_t{scoring.extend} * run.length() : scoring.gap(run.length());
      (run.op() == CigarOp::insertion ? i : j) += run.length();
    } else {
      for (std::uint32_t k = 0; k < run.length(); ++k)
        score += scoring.matrix.value(query[i++], subject[j++]);
    }
    before = run.op();
  }
  return score;
}

std::string to_string(std::span<const CigarRun> cigar) {
  if (cigar.empty()) return "*";
  std::string text;
  for (const CigarRun run : cigar)
    fmt::format_to(std::back_inserter(text), "{}{}", run.length(), run.letter());
  return text;
}

}  // namespace alnus
