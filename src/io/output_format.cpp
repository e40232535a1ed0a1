// Names of output formats and of their columns.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

#include "alnus/error.h"
#include "alnus/output.h"
#include "alnus/text.h"
#include "io/columns.h"

namespace alnus {
namespace {

using io::Column;

using Kind = OutputFormat::Kind;

// Columns of BLAST and MMseqs2 that say which organism a subject is from.
constexpr std::array<std::string_view, 15> kTaxonomyColumns = {
    "staxid",    "staxids",    "ssciname",  "sscinames", "scomname", "scomnames", "sblastname", "sblastnames",
    "sskingdom", "sskingdoms", "skingdoms", "sphylums",  "taxid",    "taxname",   "taxlineage"};

bool is_table(Kind kind) {
  return kind == Kind::tabular || kind == Kind::tabular_comments || kind == Kind::csv;
}

// The words of a text, separated by blanks or commas.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  constexpr std::string_view separators = " \t,";
  for (std::size_t begin = text.find_first_not_of(separators); begin != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(separators, end);
  }
  return words;
}

Kind parse_kind(std::string_view word) {
  if (const std::optional<Kind> kind = find_word<Kind>(word)) return *kind;
  const std::string near = nearest(word, words_of<Kind>());
  throw Error(
      ErrorKind::input,
      fmt::format("{} is no output format{} 6 is a table, 7 a table with comments, 10 CSV, 5 BLAST's XML "
                  "and 0 BLAST's report; the others are srspair, sam and jsonl.",
                  in_quotes(word), near.empty() ? "." : fmt::format("; did you mean {}?", near)));
}

const Column& parse_column(std::string_view word) {
  if (const Column* column = io::find_column(word)) return *column;
  if (std::ranges::find(kTaxonomyColumns, word) != kTaxonomyColumns.end())
    throw Error(
        ErrorKind::input,
        fmt::format("The column {} is not available: alnus has no taxonomy. Join the table by saccver "
                    "with one of your own.",
                    in_quotes(word)));
  std::vector<std::string_view> names = {"std"};
  for (const Column& column : io::all_columns()) {
    names.push_back(column.name);
    for (const std::string_view alias : column.aliases)
      if (!alias.empty()) names.push_back(alias);
  }
  throw Error(ErrorKind::input, fmt::format("{} is no column of the output table; {}", in_quotes(word),
                                            suggestion(word, std::span<const std::string_view>(names))));
}

}  // namespace

OutputFormat OutputFormat::parse(std::string_view text) {
  const std::vector<std::string_view> words = split(text);
  OutputFormat format;
  format.kind = parse_kind(words.empty() ? std::string_view() : words.front());
  if (!is_table(format.kind)) {
    if (words.size() > 1)
      throw Error(ErrorKind::input, fmt::format("Output format {} takes no columns, but {} names some; only "
                                                "6, 7 and 10 do.",
                                                words.front(), in_quotes(text)));
    return format;
  }
  const auto add_standard = [&] {
    format.columns.insert(format.columns.end(), io::standard_columns().begin(), io::standard_columns().end());
  };
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "std")
      add_standard();
    else
      format.columns.emplace_back(parse_column(words[i]).name);
  }
  if (format.columns.empty()) add_standard();
  return format;
}

Detail OutputFormat::needed_detail() const {
  if (!is_table(kind)) return Detail::alignment;
  Detail needed = Detail::score;
  for (const std::string& name : columns) needed = std::max(needed, io::find_column(name)->needed);
  return needed;
}

bool OutputFormat::needs_significance() const {
  if (!is_table(kind)) return kind != Kind::srspair;
  return std::any_of(columns.begin(), columns.end(), [](const std::string& name) {
    return io::find_column(name)->needs == Column::Needs::statistics;
  });
}

bool OutputFormat::needs_query_statistics() const {
  return kind == Kind::pairwise || kind == Kind::tabular_comments || kind == Kind::blast_xml;
}

bool OutputFormat::needs_letters() const {
  if (!is_table(kind)) return kind != Kind::jsonl;
  return std::any_of(columns.begin(), columns.end(), [](const std::string& name) {
    const Column& column = *io::find_column(name);
    return column.needs == Column::Needs::letters ||
           (column.needs == Column::Needs::path && column.name != "cigar");
  });
}

bool OutputFormat::needs_qualities() const { return kind == Kind::sam; }

bool OutputFormat::has_head() const {
  return header || (kind != Kind::tabular && kind != Kind::csv && kind != Kind::jsonl);
}

bool OutputFormat::needs_cigars() const {
  if (!is_table(kind)) return true;
  return std::any_of(columns.begin(), columns.end(), [](const std::string& name) {
    return io::find_column(name)->needs == Column::Needs::path;
  });
}

std::vector<Denominator> OutputFormat::identity_ranges() const {
  std::set<Denominator> denominators;
  for (const std::string& name : columns)
    if (const auto denominator = io::find_column(name)->identity_range()) denominators.insert(*denominator);
  return {denominators.begin(), denominators.end()};
}

}  // namespace alnus
