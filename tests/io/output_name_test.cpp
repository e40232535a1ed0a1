#include "io/output_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>

#include "alnus/error.h"

namespace alnus::io {
namespace {

constexpr std::pair<const char*, Contents> kEndings[] = {
    {".tsv", Contents::tabs},          {".tab", Contents::tabs},         {".csv", Contents::commas},
    {".sam", Contents::sam},           {".jsonl", Contents::json_lines}, {".ndjson", Contents::json_lines},
    {".json", Contents::json_lines},   {".xml", Contents::xml},          {".fa", Contents::fasta},
    {".fasta", Contents::fasta},       {".fas", Contents::fasta},        {".fna", Contents::fasta},
    {".faa", Contents::fasta},         {".ffn", Contents::fasta},        {".npy", Contents::matrix},
    {".npz", Contents::sparse_matrix}, {".phy", Contents::phylip},       {".phylip", Contents::phylip},
    {".svg", Contents::picture},       {".alnus", Contents::database},   {".html", Contents::html}};

bool is_accepted(const std::string& path, Contents contents) {
  try {
    check_name(path, contents);
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), ::testing::StartsWith(path + ": "));
    return false;
  }
}

// Every name with every kind of contents, plain and compressed.
TEST(OutputNames, AnEndingPromisesItsContents) {
  for (int kind = 0; kind <= static_cast<int>(Contents::part); ++kind) {
    const auto contents = static_cast<Contents>(kind);
    const bool compressed = contents != Contents::matrix && contents != Contents::sparse_matrix &&
                            contents != Contents::database && contents != Contents::part &&
                            contents != Contents::html;
    for (const std::string packed : {"", ".gz", ".zst", ".GZ"}) {
      const bool may_be_packed = packed.empty() || compressed;
      for (const auto& [ending, promised] : kEndings)
        EXPECT_EQ(is_accepted("dir/hits" + std::string(ending) + packed, contents),
                  promised == contents && may_be_packed)
            << ending << packed << ' ' << kind;
      for (const std::string free : {"hits", "hits.txt", "hits.2024", "a.tsv/hits", "tsv", "hits_tsv"})
        EXPECT_EQ(is_accepted(free + packed, contents), may_be_packed) << free << packed << ' ' << kind;
    }
    for (const std::string unwritten : {".bz2", ".zip", ".bam", ".xlsx", ".png", ".parquet", ".nwk",
                                        ".graphml", ".ipynb", ".fastq", ".TAR", ".csv.xz", ".h5", ".pdf.gz"})
      EXPECT_FALSE(is_accepted("hits" + unwritten, contents)) << unwritten << ' ' << kind;
  }
}

TEST(OutputNames, EndingsAreFoundInEitherCase) {
  EXPECT_TRUE(has_ending(".csv", ".csv"));
  EXPECT_TRUE(has_ending("A.CsV", ".csv"));
  EXPECT_FALSE(has_ending("csv", ".csv"));
  EXPECT_FALSE(has_ending("a.csvx", ".csv"));
  EXPECT_FALSE(has_ending("", ".csv"));
  for (const char* name : {"a.csv", "a.CSV", "a.csv.gz", "a.csv.ZST"}) EXPECT_TRUE(is_csv(name)) << name;
  for (const char* name : {"a.tsv", "a.csv.xz", "csv", "a.csv.tsv"}) EXPECT_FALSE(is_csv(name)) << name;
  EXPECT_EQ(unwritten_ending("hits.XLSX"), ".xlsx");
  EXPECT_EQ(unwritten_ending("hits.svgz.gz"), ".svgz");
  EXPECT_EQ(unwritten_ending("hits.tsv"), "");
  EXPECT_EQ(foreign_ending("hits.TSV.gz", Contents::commas), ".tsv");
  EXPECT_EQ(foreign_ending("m.npy.gz", Contents::matrix), ".gz");
  EXPECT_EQ(foreign_ending("m.NPY", Contents::matrix), "");
}

}  // namespace
}  // namespace alnus::io
