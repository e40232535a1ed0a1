// Session::all_pairs writes into files what alnus allpairs writes.
#include <gtest/gtest.h>

#include "api/support/inputs.h"
#include "api/support/pair_files_fixture.h"
#include "support/run_command.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using PairFilesAndProgram = PairFilesTest;

TEST_F(PairFilesAndProgram, AreTheSame) {
  inputs_.write_file("set.fa", fasta_of(set_));
  RunOptions where;
  where.directory = inputs_.path().string();
  const CommandResult result = run_command(
      {ALNUS_PROGRAM, "allpairs", "set.fa", "--devices", "cpu", "--quiet", "--outfmt", "6 std cigar", "-o",
       "rows.tsv", "--matrix-out", "matrix.npy", "--edges", "edges.tsv", "--edge-threshold", "40"},
      where);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  run(three_files(outputs_), with_value());
  for (const char* name : {"rows.tsv", "matrix.npy", "edges.tsv"})
    EXPECT_TRUE(read(name) == read_file(inputs_.file(name))) << name;
}

}  // namespace
}  // namespace alnus::test
