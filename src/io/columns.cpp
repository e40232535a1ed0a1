#include "io/columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <fmt/compile.h>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include "io/along_query.h"

namespace alnus::io {
namespace {

using enum Column::Needs;
constexpr Detail kScore = Detail::score, kEnds = Detail::ends, kAlignment = Detail::alignment;

const Alphabet& alphabet_of(const TableLine& line) {
  return Alphabet::of(line.context.scoring->matrix.alphabet());
}

// Appends 100 * part / whole with three decimals, or 0 if `whole` is 0.
void append_percent(Text& text, double part, double whole) {
  append_fixed<3>(text, whole > 0 ? 100 * part / whole : 0.0);
}
void append_fraction(Text& text, double part, double whole) {
  append_fixed<3>(text, whole > 0 ? part / whole : 0.0);
}

int query_span(const TableLine& line) { return line.row.query_end - line.row.query_begin; }
int subject_span(const TableLine& line) { return line.row.subject_end - line.row.subject_begin; }

void qid(Text& text, const TableLine& line) { append_or_na(text, line.query.id()); }
void sid(Text& text, const TableLine& line) { append_or_na(text, line.subject.id()); }

void append_percent(Text& text, const Fraction& identity) {
  append_percent(text, static_cast<double>(identity.numerator), static_cast<double>(identity.denominator));
}
template <Denominator kBy>
void pident(Text& text, const TableLine& line) {
  append_percent(text, identity_of(line.counts, line.query.size(), line.subject.size(), kBy));
}
template <Denominator kBy, Fraction IdentityRange::*kEnd>
void extreme_identity(Text& text, const TableLine& line) {
  const std::optional<IdentityRange>& range = line.row.identity_range[static_cast<std::size_t>(kBy)];
  if (!range) return append(text, kNotAvailable);
  append_percent(text, (*range).*kEnd);
}
template <Denominator kBy>
constexpr Column identity_min(std::string_view name, std::string_view title) {
  return {name, title, kScore, Column::range_by(kBy), false, extreme_identity<kBy, &IdentityRange::lowest>};
}
template <Denominator kBy>
constexpr Column identity_max(std::string_view name, std::string_view title) {
  return {name, title, kScore, Column::range_by(kBy), false, extreme_identity<kBy, &IdentityRange::highest>};
}

void fident(Text& text, const TableLine& line) {
  append_fraction(text, line.counts.identical, line.counts.columns);
}
void ppos(Text& text, const TableLine& line) {
  const double whole = line.counts.columns;
  append_fixed<2>(text, whole > 0 ? 100 * line.counts.positive / whole : 0.0);
}

void length(Text& text, const TableLine& line) { append(text, line.counts.columns); }

void qstart(Text& text, const TableLine& line) { append(text, line.row.query_begin + 1); }
// Appends a number, or NA for a number below 0, which stands for an unknown value. The coordinate 0 is known:
// it is the end of an empty alignment.
template <std::integral Number>
void append_number(Text& text, Number number) {
  if (std::cmp_less(number, 0))
    append(text, kNotAvailable);
  else
    append(text, number);
}
// Appends a number with two decimals, or NA if it is empty or NaN.
void append_number(Text& text, const std::optional<double>& value) {
  if (!value || std::isnan(*value)) return append(text, kNotAvailable);
  append_fixed<2>(text, *value);
}
void qend(Text& text, const TableLine& line) { append_number(text, line.row.query_end); }
void sstart(Text& text, const TableLine& line) { append_number(text, subject_range(line.row).start); }
void send(Text& text, const TableLine& line) { append_number(text, subject_range(line.row).end); }
void sstrand(Text& text, const TableLine& line) {
  append(text, line.context.scoring->matrix.alphabet() == AlphabetKind::dna ? to_string(line.row.strand)
                                                                            : kNotAvailable);
}
void qlen(Text& text, const TableLine& line) { append(text, line.query.size()); }
void slen(Text& text, const TableLine& line) { append(text, line.subject.size()); }

void evalue(Text& text, const TableLine& line) {
  append_evalue(text, line.row.significance.evalue, NumberStyle::table);
}
void bitscore(Text& text, const TableLine& line) { append_bits(text, line.row.significance.bits); }
void zfit(Text& text, const TableLine& line) {
  if (!line.row.significance.zfit) return append(text, kNotAvailable);
  fmt::format_to(fmt::appender(text), FMT_COMPILE("{:.2g}"), *line.row.significance.zfit);
}
void score(Text& text, const TableLine& line) {
  if (line.context.scoring->scale == 1)
    append(text, line.row.score);
  else
    append(text, line.context.scoring->format_score(line.row.score));
}

void qcovs(Text& text, const TableLine& line) {
  append(text, percent_covered(line.covered, static_cast<std::int64_t>(line.query.size())));
}
void qcovhsp(Text& text, const TableLine& line) {
  append(text, percent_covered(query_span(line), static_cast<std::int64_t>(line.query.size())));
}
void scovhsp(Text& text, const TableLine& line) {
  append(text, percent_covered(subject_span(line), static_cast<std::int64_t>(line.subject.size())));
}
void qcov(Text& text, const TableLine& line) {
  append_fraction(text, query_span(line), static_cast<double>(line.query.size()));
}
void tcov(Text& text, const TableLine& line) {
  append_fraction(text, subject_span(line), static_cast<double>(line.subject.size()));
}

void cigar(Text& text, const TableLine& line) {
  append_cigar(text, AlongQuery(line.subject, line.row).row().cigar);
}

// BTOP has the lengths of runs of identical letters, and in between the query's letter beside the subject's:
// "7AG3-T". The letters are upper case as BLAST's are, because parsers of BTOP take no others.
void btop(Text& text, const TableLine& line) {
  const Alphabet& alphabet = alphabet_of(line);
  const AlongQuery along(line.subject, line.row);
  const Row& row = along.row();
  auto i = static_cast<std::size_t>(row.query_begin);
  auto j = static_cast<std::size_t>(row.subject_begin);
  for (const CigarRun run : row.cigar) {
    if (run.op() == CigarOp::equal) {
      append(text, run.length());
      i += run.length();
      j += run.length();
      continue;
    }
    for (std::uint32_t k = 0; k < run.length(); ++k) {
      append(text,
             run.op() == CigarOp::deletion ? '-' : alphabet.decode(line.query.residues[i++] & kCodeMask));
      append(text, run.op() == CigarOp::insertion
                       ? '-'
                       : alphabet.decode(along.subject().residues[j++] & kCodeMask));
    }
  }
}

void qseq(Text& text, const TableLine& line) {
  append_aligned_query(text, line.query, AlongQuery(line.subject, line.row).row(), alphabet_of(line));
}
void sseq(Text& text, const TableLine& line) {
  const AlongQuery along(line.subject, line.row);
  append_aligned_subject(text, along.subject(), along.row(), alphabet_of(line));
}
void full_qseq(Text& text, const TableLine& line) {
  append_letters(text, line.query.residues, alphabet_of(line));
}
void full_sseq(Text& text, const TableLine& line) {
  append_letters(text, line.subject.residues, alphabet_of(line));
}
void qtitle(Text& text, const TableLine& line) { append_or_na(text, line.query.title()); }
void stitle(Text& text, const TableLine& line) { append_or_na(text, line.subject.title()); }
void qheader(Text& text, const TableLine& line) { append_or_na(text, line.query.header); }
void theader(Text& text, const TableLine& line) { append_or_na(text, line.subject.header); }

constexpr Column kOwnColumns[] = {
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
    {"pident_end_gaps", "% identity of columns with end gaps", kAlignment, counts, false,
     pident<Denominator::with_end_gaps>},
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
    identity_min<Denominator::with_end_gaps>("pident_end_gaps_min",
                                             "lowest % identity of columns with end gaps"),
    identity_max<Denominator::with_end_gaps>("pident_end_gaps_max",
                                             "highest % identity of columns with end gaps"),
    {"fident", "fraction identical", kAlignment, counts, false, fident},
    {"length", "alignment length", kAlignment, counts, false, length, {"alnlen"}},
    {"ppos", "% positives", kAlignment, counts, false, ppos},
    {"qstart", "q. start", kAlignment, nothing, false, qstart},
    {"qend", "q. end", kEnds, nothing, false, qend},
    {"sstart", "s. start", kAlignment, nothing, false, sstart, {"tstart"}},
    {"send", "s. end", kEnds, nothing, false, send, {"tend"}},
    {"sstrand", "subject strand", kScore, nothing, false, sstrand},
    {"qlen", "query length", kScore, nothing, false, qlen},
    {"slen", "subject length", kScore, nothing, false, slen, {"tlen"}},
    {"evalue", "evalue", kScore, statistics, false, evalue},
    {"bitscore", "bit score", kScore, statistics, false, bitscore, {"bits"}},
    {"zfit", "P-value of the shuffles' fit", kScore, statistics, false, zfit},
    {"score", "score", kScore, nothing, false, score, {"raw"}},
    {"qcovs", "% query coverage per subject", kAlignment, whole_hit, false, qcovs},
    {"qcovhsp", "% query coverage per hsp", kAlignment, nothing, false, qcovhsp},
    {"scovhsp", "% subject coverage per hsp", kAlignment, nothing, false, scovhsp},
    {"qcov", "fraction of query covered", kAlignment, nothing, false, qcov},
    {"tcov", "fraction of subject covered", kAlignment, nothing, false, tcov, {"scov"}},
    {"cigar", "CIGAR", kAlignment, path, false, cigar},
    {"btop", "BTOP", kAlignment, path, false, btop},
    {"qseq", "query seq", kAlignment, path, false, qseq, {"qaln"}},
    {"sseq", "subject seq", kAlignment, path, false, sseq, {"saln", "taln"}},
    {"full_qseq", "full query seq", kScore, letters, false, full_qseq},
    {"full_sseq", "full subject seq", kScore, letters, false, full_sseq, {"tseq"}},
    {"qtitle", "query title", kScore, nothing, true, qtitle},
    {"stitle", "subject title", kScore, nothing, true, stitle, {"salltitles"}},
    {"qheader", "query header", kScore, nothing, true, qheader},
    {"theader", "subject header", kScore, nothing, true, theader, {"sheader"}},
};

// Appends the value of the column kRowColumns[k].
template <std::size_t k>
void row_value(Text& text, const TableLine& line) {
  constexpr auto kColumn = std::get<k>(kRowColumns);
  constexpr auto kInRow = kColumn.in_row;
  if constexpr (std::is_same_v<decltype(kInRow), std::int32_t AlignmentCounts::*const>)
    append_number(text, line.counts.*kInRow);
  else if constexpr (std::is_same_v<decltype(kInRow), std::optional<double> Significance::*const>)
    append_number(text, line.row.significance.*kInRow);
  else
    append_number(text, line.row.*kInRow);
}

constexpr Detail detail_of(ColumnGroup group) {
  if (group == ColumnGroup::ends) return kEnds;
  return group == ColumnGroup::begins || group == ColumnGroup::counts ? kAlignment : kScore;
}

// How many columns of kRowColumns have a name in tables.
constexpr std::size_t kNamedByRows =
    std::apply([](const auto&... column) { return (std::size_t{0} + ... + !column.in_tables.name.empty()); },
               kRowColumns);
constexpr auto kColumnsOfRows = [] {
  std::array<Column, kNamedByRows> result{};
  std::size_t size = 0;
  const auto add = [&]<std::size_t k>(std::integral_constant<std::size_t, k>) {
    constexpr auto kColumn = std::get<k>(kRowColumns);
    if constexpr (!kColumn.in_tables.name.empty()) {
      const bool is_count = std::is_same_v<decltype(kColumn.in_row), std::int32_t AlignmentCounts::*>;
      const Column::Needs needs = is_count                                     ? counts
                                  : kColumn.group == ColumnGroup::significance ? statistics
                                                                               : nothing;
      result[size++] = {kColumn.in_tables.name,
                        kColumn.in_tables.title,
                        detail_of(kColumn.group),
                        needs,
                        false,
                        row_value<k>};
    }
  };
  [&]<std::size_t... k>(std::index_sequence<k...>) { (add(std::integral_constant<std::size_t, k>()), ...); }
  (std::make_index_sequence<std::tuple_size_v<decltype(kRowColumns)>>());
  return result;
}();

constexpr auto kColumns = [] {
  std::array<Column, std::size(kOwnColumns) + kColumnsOfRows.size()> all{};
  std::ranges::copy(kColumnsOfRows, std::ranges::copy(kOwnColumns, all.begin()).out);
  return all;
}();

constexpr std::string_view kStandard[] = {"qaccver", "saccver", "pident", "length", "mismatch", "gapopen",
                                          "qstart",  "qend",    "sstart", "send",   "evalue",   "bitscore"};

// Appends the letters of one sequence along the alignment, and '-' for `gap`, the operation in which this
// sequence has no letter.
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

void append_aligned_query(Text& text, const SequenceView& query, const Row& row, const Alphabet& alphabet) {
  append_aligned(text, query.residues, row.query_begin, row.cigar, CigarOp::deletion, alphabet);
}

void append_aligned_subject(Text& text, const SequenceView& subject, const Row& row,
                            const Alphabet& alphabet) {
  append_aligned(text, subject.residues, row.subject_begin, row.cigar, CigarOp::insertion, alphabet);
}

void append_cigar(Text& text, std::span<const CigarRun> cigar) {
  if (cigar.empty()) append(text, '*');
  for (const CigarRun run : cigar) {
    append(text, run.length());
    append(text, run.letter());
  }
}

}  // namespace alnus::io
