// Rows on the minus strand as tables and reports print them: along the query as it was given, with the
// reverse complement of the subject.
#pragma once

#include <vector>

#include "io/writer.h"

namespace alnus::io {

class AlongQuery {
 public:
  // Takes a row as it is if it is on the plus strand or does not say where the subject begins or ends. For
  // any other row subject() has the reverse complement of the residues that row() aligns, and no other
  // residues.
  AlongQuery(const SequenceView& subject, const Row& row);
  AlongQuery(const AlongQuery&) = delete;
  AlongQuery& operator=(const AlongQuery&) = delete;

  const SequenceView& subject() const { return subject_; }
  const Row& row() const { return row_; }

 private:
  SequenceView subject_;
  Row row_;
  std::vector<Residue> residues_;
  std::vector<CigarRun> cigar_;
};

// The subject's coordinates as BLAST prints them, from 1: on the minus strand the start is above the end. A
// coordinate below 0 is unknown; 0 is the end of an empty alignment at the begin of the subject.
struct SubjectRange {
  std::int32_t start = 0, end = 0;
};
SubjectRange subject_range(const Row& row);

}  // namespace alnus::io
