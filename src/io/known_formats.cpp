#include "io/known_formats.h"

#include <algorithm>
#include <fmt/format.h>

namespace alnus::io {
namespace {

constexpr std::string_view kOfAlignment =
    "an alignment in {} format. alnus takes sequences, and aligns neither alignments nor profiles. For its "
    "sequences give them as FASTA: esl-reformat (of HMMER) and Biopython's AlignIO.convert write it, and "
    "gaps are left out then. For a search with the alignment use hmmsearch or PSI-BLAST";
constexpr std::string_view kOfEntries =
    "{} entries. alnus reads FASTA and FASTQ: seqret of EMBOSS and Biopython's SeqIO.convert write FASTA of "
    "them";
constexpr std::string_view kOfReads =
    "alignments of reads in {} format. alnus reads FASTA and FASTQ: samtools fastq writes the reads";
constexpr std::string_view kOfProfile =
    "a profile in {} format. alnus takes sequences, not profiles: search with it by hmmsearch";
constexpr std::string_view kOfNone = "{} and no sequences in FASTA or FASTQ format. Give a file of sequences";

constexpr std::string_view kOfTable =
    "{}. alnus reads FASTA and FASTQ: write for each row a line with '>' and the id, and below it the "
    "sequence";

constexpr std::string_view kOfWordProcessor =
    "{} of a word processor. Save it as plain text, with its sequences in FASTA format";

struct KnownFormat {
  std::string_view begin, name, sentence;
};
constexpr KnownFormat kFormats[] = {{"# STOCKHOLM", "Stockholm", kOfAlignment},
                                    {"CLUSTAL", "Clustal", kOfAlignment},
                                    {"MUSCLE (", "Clustal", kOfAlignment},
                                    {"PROBCONS", "Clustal", kOfAlignment},
                                    {"#NEXUS", "NEXUS", kOfAlignment},
                                    {"#MEGA", "MEGA", kOfAlignment},
                                    {"!!NA_MULTIPLE_ALIGNMENT", "GCG's MSF", kOfAlignment},
                                    {"!!AA_MULTIPLE_ALIGNMENT", "GCG's MSF", kOfAlignment},
                                    {"PileUp", "GCG's MSF", kOfAlignment},
                                    {"LOCUS ", "GenBank", kOfEntries},
                                    {"ID   ", "EMBL or UniProt", kOfEntries},
                                    {"HEADER ", "PDB", kOfEntries},
                                    {"ATOM  ", "PDB", kOfEntries},
                                    {"data_", "mmCIF", kOfEntries},
                                    {"BAM\x01", "BAM", kOfReads},
                                    {"CRAM\x03", "CRAM", kOfReads},
                                    {"HMMER3/", "HMMER's", kOfProfile},
                                    {"HHsearch ", "HH-suite's", kOfProfile},
                                    {"##gff", "GFF", kOfNone},
                                    {"##fileformat=VCF", "VCF", kOfNone},
                                    {"<?xml", "XML", kOfNone},
                                    {"<!doctype", "a web page", kOfNone},
                                    {"<html", "a web page", kOfNone},
                                    {"{\\rtf", "RTF", kOfWordProcessor},
                                    {"{", "JSON", kOfNone},
                                    {"[", "JSON", kOfNone},
                                    {"%PDF", "PDF", kOfNone}};

char lower(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte; }

bool begins_with(std::string_view line, std::string_view begin) {
  return line.size() >= begin.size() && std::equal(begin.begin(), begin.end(), line.begin(),
                                                   [](char a, char b) { return lower(a) == lower(b); });
}

// True for two numbers, with which PHYLIP begins: of sequences and of columns.
bool is_phylip(std::string_view line) {
  int numbers = 0;
  for (std::size_t at = line.find_first_not_of(" \t"); at < line.size();
       at = line.find_first_not_of(" \t", at)) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    const std::string_view word = line.substr(at, end - at);
    if (word.find_first_not_of("0123456789") != std::string_view::npos) return false;
    ++numbers;
    at = end;
  }
  return numbers == 2;
}

// True for text with fields between tabs, commas or semicolons. Behind a comma or semicolon of prose is a
// blank.
bool is_table(std::string_view line) {
  bool has_fields = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (static_cast<unsigned char>(line[i]) < ' ' && line[i] != '\t') return false;
    const bool divides = line[i] == ',' || line[i] == ';';
    has_fields |= line[i] == '\t' || (divides && i + 1 < line.size() && line[i + 1] != ' ');
  }
  return has_fields;
}

std::string sentence(std::string_view form, std::string_view name) {
  return "it holds " + fmt::format(fmt::runtime(form), name) + ".";
}

}  // namespace

std::string known_format(std::string_view first_line) {
  const std::string_view line = first_line.substr(0, kTellingBytes);
  for (const KnownFormat& format : kFormats)
    if (begins_with(line, format.begin)) return sentence(format.sentence, format.name);
  if (is_phylip(line)) return sentence(kOfAlignment, "PHYLIP");
  if (is_table(line)) return sentence(kOfTable, "a table");
  return "";
}

bool is_bare_sequence(std::string_view line) {
  return !line.empty() && std::ranges::all_of(line, [](char byte) {
    return (lower(byte) >= 'a' && lower(byte) <= 'z') || byte == '*' || byte == '-';
  });
}

std::string known_format_of_header(char marker, std::string_view header) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> begins) {
    return std::ranges::any_of(begins, [&](std::string_view begin) { return header.starts_with(begin); });
  };
  if (marker == '>' && is_one_of({"P1;", "F1;", "DL;", "DC;", "RL;", "RC;", "N1;", "N3;", "XX;"}))
    return sentence(kOfEntries, "PIR");
  if (marker == '@' && is_one_of({"HD\t", "SQ\t", "RG\t", "PG\t", "CO\t"})) return sentence(kOfReads, "SAM");
  return "";
}

}  // namespace alnus::io
