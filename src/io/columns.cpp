#include "io/columns.h"

#include <algorithm>
#include <fmt/compile.h>

namespace alnus::io {
namespace {

using enum Column::Needs;
constexpr Detail kScore = Detail::score, kEnds = Detail::ends, kAlignment = Detail::alignment;

const Alphabet& alphabet_of(const TableRow& row) {
  return Alphabet::of(row.context.scoring->matrix.alphabet());
}

// 100 * part / whole with three decimals; 0 of nothing is 0.
void append_percent(Text& text, double part, double whole) {
  fmt::format_to(fmt::appender(text), FMT_COMPILE("{:.3f}"), whole > 0 ? 100 * part / whole : 0.0);
}
void append_fraction(Text& text, double part, double whole) {
  fmt::format_to(fmt::appender(text), FMT_COMPILE("{:.3f}"), whole > 0 ? part / whole : 0.0);
}

int query_span(const TableRow& row) { return row.hit.alignment.query_end - row.hit.alignment.query_begin; }
int subject_span(const TableRow& row) {
  return row.hit.alignment.subject_end - row.hit.alignment.subject_begin;
}

void qid(Text& text, const TableRow& row) { append_or_na(text, row.query.id()); }
void sid(Text& text, const TableRow& row) { append_or_na(text, row.hit.subject.id()); }

void append_percent(Text& text, const Fraction& identity) {
  append_percent(text, static_cast<double>(identity.numerator), static_cast<double>(identity.denominator));
}
template <Denominator kBy>
void pident(Text& text, const TableRow& row) {
  append_percent(text, identity_of(row.counts, row.query.size(), row.hit.subject.size(), kBy));
}
template <Denominator kBy, Fraction IdentityRange::*kEnd>
void extreme_identity(Text& text, const TableRow& row) {
  if (row.hit.identity.empty()) return append(text, kNotAvailable);
  append_percent(text, row.hit.identity[static_cast<std::size_t>(kBy)].*kEnd);
}
template <Denominator kBy>
constexpr Column identity_min(std::string_view name, std::string_view title) {
  return {name, title, kScore, Column::range_by(kBy), false, extreme_identity<kBy, &IdentityRange::lowest>};
}
template <Denominator kBy>
constexpr Column identity_max(std::string_view name, std::string_view title) {
  return {name, title, kScore, Column::range_by(kBy), false, extreme_identity<kBy, &IdentityRange::highest>};
}

void fident(Text& text, const TableRow& row) {
  append_fraction(text, row.counts.identical, row.counts.columns);
}
void ppos(Text& text, const TableRow& row) {
  const double whole = row.counts.columns;
  fmt::format_to(fmt::appender(text), FMT_COMPILE("{:.2f}"),
                 whole > 0 ? 100 * row.counts.positive / whole : 0.0);
}

void length(Text& text, const TableRow& row) { append(text, row.counts.columns); }
void mismatch(Text& text, const TableRow& row) { append(text, row.counts.mismatches); }
void gapopen(Text& text, const TableRow& row) { append(text, row.counts.gap_opens); }
void gaps(Text& text, const TableRow& row) { append(text, row.counts.gap_residues); }
void nident(Text& text, const TableRow& row) { append(text, row.counts.identical); }
void positive(Text& text, const TableRow& row) { append(text, row.counts.positive); }

void qstart(Text& text, const TableRow& row) { append(text, row.hit.alignment.query_begin + 1); }
void qend(Text& text, const TableRow& row) { append(text, row.hit.alignment.query_end); }
void sstart(Text& text, const TableRow& row) { append(text, row.hit.alignment.subject_begin + 1); }
void send(Text& text, const TableRow& row) { append(text, row.hit.alignment.subject_end); }
void qlen(Text& text, const TableRow& row) { append(text, row.query.size()); }
void slen(Text& text, const TableRow& row) { append(text, row.hit.subject.size()); }

void evalue(Text& text, const TableRow& row) {
  append_evalue(text, row.hit.significance.evalue, NumberStyle::table);
}
void bitscore(Text& text, const TableRow& row) { append_bits(text, row.hit.significance.bits); }
void append_z(Text& text, const std::optional<double>& value) {
  if (!value) return append(text, kNotAvailable);
  fmt::format_to(fmt::appender(text), FMT_COMPILE("{:.2f}"), *value);
}
void zscore(Text& text, const TableRow& row) { append_z(text, row.hit.significance.zscore); }
void zscore_se(Text& text, const TableRow& row) { append_z(text, row.hit.significance.zscore_se); }
void zfit(Text& text, const TableRow& row) {
  if (!row.hit.significance.fit) return append(text, kNotAvailable);
  fmt::format_to(fmt::appender(text), FMT_COMPILE("{:.2g}"), *row.hit.significance.fit);
}
void score(Text& text, const TableRow& row) {
  if (row.context.scoring->scale == 1)
    append(text, row.hit.alignment.score);
  else
    append(text, row.context.scoring->format_score(row.hit.alignment.score));
}

void qcovhsp(Text& text, const TableRow& row) {
  append(text, percent_covered(query_span(row), static_cast<std::int64_t>(row.query.size())));
}
void scovhsp(Text& text, const TableRow& row) {
  append(text, percent_covered(subject_span(row), static_cast<std::int64_t>(row.hit.subject.size())));
}
void qcov(Text& text, const TableRow& row) {
  append_fraction(text, query_span(row), static_cast<double>(row.query.size()));
}
void tcov(Text& text, const TableRow& row) {
  append_fraction(text, subject_span(row), static_cast<double>(row.hit.subject.size()));
}

void cigar(Text& text, const TableRow& row) { append_cigar(text, row.hit.alignment.cigar); }

// Runs of identical letters as numbers, else query and subject letter side by side: "7AG3-T".
void btop(Text& text, const TableRow& row) {
  const Alphabet& alphabet = alphabet_of(row);
  const Alignment& alignment = row.hit.alignment;
  auto i = static_cast<std::size_t>(alignment.query_begin);
  auto j = static_cast<std::size_t>(alignment.subject_begin);
  for (const CigarRun run : alignment.cigar) {
    if (run.op() == CigarOp::equal) {
      append(text, run.length());
      i += run.length();
      j += run.length();
      continue;
    }
    for (std::uint32_t k = 0; k < run.length(); ++k) {
      append(text, run.op() == CigarOp::deletion ? '-' : alphabet.decode(row.query.residues[i++]));
      append(text, run.op() == CigarOp::insertion ? '-' : alphabet.decode(row.hit.subject.residues[j++]));
    }
  }
}

void qseq(Text& text, const TableRow& row) {
  append_aligned_query(text, row.query, row.hit.alignment, alphabet_of(row));
}
void sseq(Text& text, const TableRow& row) {
  append_aligned_subject(text, row.hit.subject, row.hit.alignment, alphabet_of(row));
}
void full_qseq(Text& text, const TableRow& row) {
  append_letters(text, row.query.residues, alphabet_of(row));
}
void full_sseq(Text& text, const TableRow& row) {
  append_letters(text, row.hit.subject.residues, alphabet_of(row));
}
void qtitle(Text& text, const TableRow& row) { append_or_na(text, row.query.title()); }
void stitle(Text& text, const TableRow& row) { append_or_na(text, row.hit.subject.title()); }
void qheader(Text& text, const TableRow& row) { append_or_na(text, row.query.header); }
void theader(Text& text, const TableRow& row) { append_or_na(text, row.hit.subject.header); }

constexpr Column kColumns[] = {
    {"qaccver", "query acc.ver", kScore, nothing, true, qid, {"qacc"}},
    {"saccver", "subject acc.ver", kScore, nothing, true, sid, {"sacc"}},
    {"qseqid", "query id", kScore, nothing, true, qid, {"query"}},
    {"sseqid", "subject id", kScore, nothing, true, sid, {"target"}},
    {"pident", "% identity", kAlignment, counts, false, pident<Denominator::alignment>, {"pident_alignment"}},
    {"pident_ungapped", "% identity of ungapped columns", kAlignment, counts, false,
     pident<Denominator::ungapped>},
    {"pident_shorter", "% identity of shorter sequence", kAlignment, counts, false,
     pident<Denominator::shorter>},
    {"pident_longer", "% identity of longer sequence", kAlignment, counts, false,
     pident<Denominator::longer>},
    {"pident_mean", "% identity of mean length", kAlignment, counts, false, pident<Denominator::mean>},
    identity_min<Denominator::alignment>("pident_min", "lowest % identity"),
    identity_max<Denominator::alignment>("pident_max", "highest % identity"),
    identity_min<Denominator::ungapped>("pident_ungapped_min", "lowest % identity of ungapped columns"),
    identity_max<Denominator::ungapped>("pident_ungapped_max", "highest % identity of ungapped columns"),
    identity_min<Denominator::shorter>("pident_shorter_min", "lowest % identity of shorter sequence"),
    identity_max<Denominator::shorter>("pident_shorter_max", "highest % identity of shorter sequence"),
    identity_min<Denominator::longer>("pident_longer_min", "lowest % identity of longer sequence"),
    identity_max<Denominator::longer>("pident_longer_max", "highest % identity of longer sequence"),
    identity_min<Denominator::mean>("pident_mean_min", "lowest % identity of mean length"),
    identity_max<Denominator::mean>("pident_mean_max", "highest % identity of mean length"),
    {"fident", "fraction identical", kAlignment, counts, false, fident},
    {"length", "alignment length", kAlignment, counts, false, length, {"alnlen"}},
    {"mismatch", "mismatches", kAlignment, counts, false, mismatch},
    {"gapopen", "gap opens", kAlignment, counts, false, gapopen},
    {"gaps", "gaps", kAlignment, counts, false, gaps},
    {"nident", "identical", kAlignment, counts, false, nident},
    {"positive", "positives", kAlignment, counts, false, positive},
    {"ppos", "% positives", kAlignment, counts, false, ppos},
    {"qstart", "q. start", kAlignment, nothing, false, qstart},
    {"qend", "q. end", kEnds, nothing, false, qend},
    {"sstart", "s. start", kAlignment, nothing, false, sstart, {"tstart"}},
    {"send", "s. end", kEnds, nothing, false, send, {"tend"}},
    {"qlen", "query length", kScore, nothing, false, qlen},
    {"slen", "subject length", kScore, nothing, false, slen, {"tlen"}},
    {"evalue", "evalue", kScore, statistics, false, evalue},
    {"bitscore", "bit score", kScore, statistics, false, bitscore, {"bits"}},
    {"zscore", "z-score", kScore, statistics, false, zscore},
    {"zscore_se", "standard error of z-score", kScore, statistics, false, zscore_se},
    {"zfit", "P-value of the shuffles' fit", kScore, statistics, false, zfit},
    {"score", "score", kScore, nothing, false, score, {"raw"}},
    {"qcovs", "% query coverage per subject", kAlignment, nothing, false, qcovhsp},
    {"qcovhsp", "% query coverage per hsp", kAlignment, nothing, false, qcovhsp},
    {"scovhsp", "% subject coverage per hsp", kAlignment, nothing, false, scovhsp},
    {"qcov", "fraction of query covered", kAlignment, nothing, false, qcov},
    {"tcov", "fraction of subject covered", kAlignment, nothing, false, tcov, {"scov"}},
    {"cigar", "CIGAR", kAlignment, path, false, cigar},
    {"btop", "BTOP", kAlignment, path, false, btop},
    {"qseq", "query seq", kAlignment, path, false, qseq, {"qaln"}},
    {"sseq", "subject seq", kAlignment, path, false, sseq, {"saln", "taln"}},
    {"full_qseq", "full query seq", kScore, nothing, false, full_qseq},
    {"full_sseq", "full subject seq", kScore, nothing, false, full_sseq, {"tseq"}},
    {"qtitle", "query title", kScore, nothing, true, qtitle},
    {"stitle", "subject title", kScore, nothing, true, stitle, {"salltitles"}},
    {"qheader", "query header", kScore, nothing, true, qheader},
    {"theader", "subject header", kScore, nothing, true, theader, {"sheader"}},
};

constexpr std::string_view kStandard[] = {"qaccver", "saccver", "pident", "length", "mismatch", "gapopen",
                                          "qstart",  "qend",    "sstart", "send",   "evalue",   "bitscore"};

// The letters of one sequence along the alignment; `gap` is the operation in which it has none.
void append_aligned(Text& text, std::span<const Residue> residues, std::int32_t begin,
                    std::span<const CigarRun> cigar, CigarOp gap, const Alphabet& alphabet) {
  auto position = static_cast<std::size_t>(begin);
  for (const CigarRun run : cigar) {
    if (run.op() == gap) {
      append_repeated(text, run.length(), '-');
    } else {
      append_letters(text, residues.subspan(position, run.length()), alphabet);
      position += run.length();
    }
  }
}

}  // namespace

std::span<const Column> all_columns() { return kColumns; }

const Column* find_column(std::string_view name_or_alias) {
  for (const Column& column : kColumns)
    if (column.name == name_or_alias ||
        std::find(column.aliases.begin(), column.aliases.end(), name_or_alias) != column.aliases.end())
      return &column;
  return nullptr;
}

std::span<const std::string_view> standard_columns() { return kStandard; }

void append_aligned_query(Text& text, const SequenceView& query, const Alignment& alignment,
                          const Alphabet& alphabet) {
  append_aligned(text, query.residues, alignment.query_begin, alignment.cigar, CigarOp::deletion, alphabet);
}

void append_aligned_subject(Text& text, const SequenceView& subject, const Alignment& alignment,
                            const Alphabet& alphabet) {
  append_aligned(text, subject.residues, alignment.subject_begin, alignment.cigar, CigarOp::insertion,
                 alphabet);
}

void append_cigar(Text& text, std::span<const CigarRun> cigar) {
  if (cigar.empty()) append(text, '*');
  for (const CigarRun run : cigar) {
    append(text, run.length());
    append(text, run.letter());
  }
}

}  // namespace alnus::io
