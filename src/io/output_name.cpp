#include "io/output_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <fmt/format.h>
#include <initializer_list>
#include <span>

#include "alnus/error.h"
#include "core/refuse_input.h"

namespace alnus {
namespace {

using io::has_ending;

// Endings of formats that alnus does not write.
constexpr std::string_view kCompressed[] = {".bz2", ".xz",  ".lz4", ".br",  ".zip",  ".7z",  ".lz",  ".lzma",
                                            ".z",   ".tgz", ".tar", ".rar", ".gzip", ".bgz", ".zstd"};
constexpr std::string_view kBinaryAlignments[] = {".bam", ".cram"};
constexpr std::string_view kSpreadsheets[] = {".xlsx", ".xls", ".xlsm", ".xlsb",
                                              ".xltx", ".ods", ".fods", ".numbers"};
constexpr std::string_view kPictures[] = {".png", ".jpg", ".jpeg", ".gif", ".tif",  ".tiff", ".webp",
                                          ".bmp", ".ps",  ".eps",  ".emf", ".svgz", ".avif", ".heic"};
constexpr std::string_view kTables[] = {".parquet", ".pq",  ".feather", ".arrow",  ".ipc",     ".orc",
                                        ".avro",    ".h5",  ".hdf",     ".hdf5",   ".nc",      ".zarr",
                                        ".rds",     ".rda", ".rdata",   ".mat",    ".mtx",     ".dta",
                                        ".sav",     ".pkl", ".pickle",  ".sqlite", ".sqlite3", ".duckdb"};
constexpr std::string_view kTrees[] = {".nwk", ".tre", ".tree", ".newick", ".nhx", ".dnd"};
constexpr std::string_view kNetworks[] = {".graphml", ".gexf", ".gml", ".dot"};
constexpr std::string_view kPages[] = {".xhtml", ".pdf", ".ipynb", ".tex"};
constexpr std::string_view kOthers[] = {".doc",  ".docx",    ".docm", ".odt",   ".rtf",  ".pages", ".ppt",
                                        ".pptx", ".odp",     ".yaml", ".yml",   ".toml", ".paf",   ".maf",
                                        ".psl",  ".gff",     ".gff3", ".gtf",   ".bed",  ".vcf",   ".gb",
                                        ".gbk",  ".embl",    ".2bit", ".sto",   ".stk",  ".a2m",   ".a3m",
                                        ".msf",  ".clustal", ".nex",  ".nexus", ".meg",  ".fastq", ".fq"};

// Endings of formats that alnus writes, and the contents that files with this ending may have.
struct Ending {
  std::string_view ending;
  Contents contents;
};
constexpr Ending kWritten[] = {
    {".tsv", Contents::tabs},          {".tab", Contents::tabs},         {".csv", Contents::commas},
    {".sam", Contents::sam},           {".jsonl", Contents::json_lines}, {".ndjson", Contents::json_lines},
    {".json", Contents::json_lines},   {".xml", Contents::xml},          {".fa", Contents::fasta},
    {".fasta", Contents::fasta},       {".fas", Contents::fasta},        {".fna", Contents::fasta},
    {".faa", Contents::fasta},         {".ffn", Contents::fasta},        {".npy", Contents::matrix},
    {".npz", Contents::sparse_matrix}, {".phy", Contents::phylip},       {".phylip", Contents::phylip},
    {".svg", Contents::picture},       {".alnus", Contents::database},   {".md", Contents::text},
    {".html", Contents::html},         {".htm", Contents::html}};

// How messages name contents, how such files are usually named, and the output format that writes them, if
// they are rows.
struct Description {
  std::string_view contents, ending, format;
};
Description description_of(Contents contents) {
  switch (contents) {
    case Contents::tabs:
      return {"a table with tabs", ".tsv", "6"};
    case Contents::commas:
      return {"a table with commas", ".csv", "10"};
    case Contents::text:
      return {"a report", ".txt", "0"};
    case Contents::sam:
      return {"SAM", ".sam", "sam"};
    case Contents::json_lines:
      return {"JSON lines", ".jsonl", "jsonl"};
    case Contents::xml:
      return {"BLAST's XML", ".xml", "5"};
    case Contents::fasta:
      return {"FASTA", ".fasta", ""};
    case Contents::matrix:
      return {"a matrix in NumPy's format", ".npy", ""};
    case Contents::sparse_matrix:
      return {"a sparse matrix in SciPy's format", ".npz", ""};
    case Contents::phylip:
      return {"a matrix in PHYLIP's format", ".phy", ""};
    case Contents::picture:
      return {"a picture in SVG", ".svg", ""};
    case Contents::html:
      return {"an HTML report", ".html", ""};
    case Contents::database:
      return {"a database", ".alnus", ""};
    case Contents::part:
      break;
  }
  return {"a part of a job", "", ""};
}

bool is_compressed(Contents contents) {
  return contents != Contents::matrix && contents != Contents::sparse_matrix &&
         contents != Contents::database && contents != Contents::part && contents != Contents::html;
}

std::string_view without_compression(std::string_view path) {
  for (const std::string_view ending : {".gz", ".zst"})
    if (has_ending(path, ending)) path.remove_suffix(ending.size());
  return path;
}

// The first of the endings that the name has, with or without compression; empty if it has none.
std::string_view ending_among(std::string_view path, std::span<const std::string_view> endings) {
  const auto found = std::ranges::find_if(endings, [&](std::string_view ending) {
    return has_ending(path, ending) || has_ending(without_compression(path), ending);
  });
  return found == endings.end() ? std::string_view() : *found;
}

// Returns the contents that the ending promises. The ending must be one of kWritten.
Contents promised_by(std::string_view ending) {
  return std::ranges::find(kWritten, ending, &Ending::ending)->contents;
}

}  // namespace

namespace io {

bool has_ending(std::string_view path, std::string_view ending) {
  const auto same = [](char of_path, char of_ending) {
    return std::tolower(static_cast<unsigned char>(of_path)) == of_ending;
  };
  return path.size() >= ending.size() &&
         std::ranges::equal(path.substr(path.size() - ending.size()), ending, same);
}

bool is_csv(std::string_view path) {
  return has_ending(path, ".csv") || has_ending(path, ".csv.gz") || has_ending(path, ".csv.zst");
}

void check_is_written(const std::string& path) {
  if (const auto ending = ending_among(path, kCompressed); !ending.empty())
    refuse_input(fmt::format("{}: an output is compressed as .gz or .zst, not as {}. Choose another name.",
                             path, ending));
  if (const auto ending = ending_among(path, kBinaryAlignments); !ending.empty())
    refuse_input(
        fmt::format("{}: SAM is written as text, not as {}. Choose another name, or let samtools view "
                    "read it from standard input.",
                    path, ending));
  if (const auto ending = ending_among(path, kSpreadsheets); !ending.empty())
    refuse_input(
        fmt::format("{}: alnus writes no spreadsheets ({}), but programs for spreadsheets open tables with "
                    "commas: choose a name in .csv (rows also need {} 10).",
                    path, ending, option("outfmt")));
  if (const auto ending = ending_among(path, kPictures); !ending.empty())
    refuse_input(
        fmt::format("{}: alnus draws no picture as {}; that of {} is SVG, and has a name in .svg. The Python "
                    "package draws others (alnus.plot).",
                    path, ending, option("score_plot")));
  if (const auto ending = ending_among(path, kTables); !ending.empty())
    refuse_input(
        fmt::format("{}: alnus writes tables as text, not as {}. Choose a name in .tsv or .csv ({} 6 or 10).",
                    path, ending, option("outfmt")));
  if (const auto ending = ending_among(path, kTrees); !ending.empty())
    refuse_input(fmt::format("{}: alnus makes no trees ({}). Programs for trees read the distances of {}.",
                             path, ending, option("phylip")));
  if (const auto ending = ending_among(path, kNetworks); !ending.empty())
    refuse_input(
        fmt::format("{}: alnus writes networks as tables, not as {}. Programs for networks read the edges of "
                    "{} FILE.tsv.",
                    path, ending, option("edges")));
  if (const auto ending = ending_among(path, kPages); !ending.empty())
    refuse_input(fmt::format(
        "{}: alnus writes no pages ({}). Its reports are text ({} 0) or HTML ({}), and the Python package "
        "draws pictures (alnus.plot).",
        path, ending, option("outfmt"), option("report")));
  if (const auto ending = ending_among(path, kOthers); !ending.empty())
    refuse_input(fmt::format("{}: no output of alnus has the format that {} promises. Choose another name.",
                             path, ending));
}

std::string_view unwritten_ending(std::string_view path) {
  using Endings = std::span<const std::string_view>;
  for (const Endings endings :
       {Endings(kCompressed), Endings(kBinaryAlignments), Endings(kSpreadsheets), Endings(kPictures),
        Endings(kTables), Endings(kTrees), Endings(kNetworks), Endings(kPages), Endings(kOthers)})
    if (const auto ending = ending_among(path, endings); !ending.empty()) return ending;
  return {};
}

std::string_view foreign_ending(std::string_view path, Contents contents) {
  if (!is_compressed(contents))
    for (const std::string_view ending : {".gz", ".zst"})
      if (has_ending(path, ending)) return ending;
  for (const Ending& written : kWritten)
    if (has_ending(without_compression(path), written.ending))
      return written.contents == contents ? std::string_view() : written.ending;
  return {};
}

}  // namespace io

void check_name(const std::string& path, Contents contents) {
  io::check_is_written(path);
  const std::string_view ending = io::foreign_ending(path, contents);
  if (ending.empty()) return;
  const Description is = description_of(contents);
  if (!is_compressed(contents) && (ending == ".gz" || ending == ".zst"))
    refuse_input(
        fmt::format("{}: {} is not compressed. Choose a name without {}.", path, is.contents, ending));
  const Description other = description_of(promised_by(ending));
  const bool is_choice = !is.format.empty() && !other.format.empty();
  const bool is_page = promised_by(ending) == Contents::html;
  refuse_input(fmt::format(
      "{}: this output is {}, and {} promises {}. {}ame the file {}{}.", path, is.contents, ending,
      other.contents, is_choice ? fmt::format("Choose {} {}, or n", option("outfmt"), other.format) : "N",
      is.ending.empty() ? "without an ending" : is.ending,
      is_page ? fmt::format(", and the report by {}", option("report")) : ""));
}

Contents OutputFormat::contents() const {
  switch (kind) {
    case Kind::pairwise:
    case Kind::srspair:
      return Contents::text;
    case Kind::csv:
      return Contents::commas;
    case Kind::sam:
      return Contents::sam;
    case Kind::jsonl:
      return Contents::json_lines;
    case Kind::blast_xml:
      return Contents::xml;
    case Kind::tabular:
    case Kind::tabular_comments:
      break;
  }
  return Contents::tabs;
}

}  // namespace alnus
