// Aligns two sequences that are given as letters. A single pair is aligned on the CPU, on the caller's
// thread.
//
//   $ align_pair MVLSPADKTNVKAAWGKVGAHAGEYGAEALERM MVHLTPEEKSAVTALWGKVNVDEVGGEALGRL global
//   score 61, CIGAR 2=1D1=1X1=2X1=2X1=1X1=1X4=2I3X1=1X1=1X3=1X1=1X
//   MV-LSPADKTNVKAAWGKVGAHAGEYGAEALERM
//   || | |  |  | | ||||     | | ||| |
//   MVHLTPEEKSAVTALWGKV--NVDEVGGEALGRL
#include <alnus/alnus.h>
#include <iostream>
#include <string>

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::cerr << "Usage: align_pair QUERY SUBJECT local|global|semiglobal\n";
    return 1;
  }
  const std::string query = argv[1], subject = argv[2];
  const alnus::Scoring scoring = alnus::make_scoring({.mode = argv[3]});

  alnus::Session session({.devices = "cpu"});
  const alnus::Alignment alignment = session.align(query, subject, scoring);
  std::cout << "score " << scoring.format_score(alignment.score) << ", CIGAR "
            << alnus::to_string(alignment.cigar) << '\n';

  // Each run of the CIGAR says how many letters of which sequence come next. An insertion is in the query
  // alone.
  std::string query_row, middle_row, subject_row;
  std::size_t q = alignment.query_begin, s = alignment.subject_begin;
  for (const alnus::CigarRun run : alignment.cigar) {
    const std::size_t length = run.length();
    const bool in_query = run.op() != alnus::CigarOp::deletion;
    const bool in_subject = run.op() != alnus::CigarOp::insertion;
    query_row += in_query ? query.substr(q, length) : std::string(length, '-');
    middle_row += std::string(length, run.op() == alnus::CigarOp::equal ? '|' : ' ');
    subject_row += in_subject ? subject.substr(s, length) : std::string(length, '-');
    if (in_query) q += length;
    if (in_subject) s += length;
  }
  std::cout << query_row << '\n' << middle_row << '\n' << subject_row << '\n';
  return 0;
} catch (const alnus::Error& error) {
  std::cerr << error.what() << '\n';
  return static_cast<int>(error.kind());
}
