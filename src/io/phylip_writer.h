// A lower-triangular distance matrix for PHYLIP's programs.
#pragma once

#include "alnus/output.h"
#include "alnus/results.h"
#include "alnus/sequence_set.h"
#include "io/output_file.h"
#include "io/row_text.h"

namespace alnus::io {

// Writes the number of sequences, and then a line for each sequence: its name (io/phylip_names.h), filled up
// to ten bytes, and its distances to the sequences before it, with six decimals. Every pair must have a
// distance.
class PhylipWriter {
 public:
  PhylipWriter(OutputFile& out, const SequenceSet& sequences, PhylipNames names);

  void begin();  // writes the number of sequences; not for a file that is resumed
  void write(const ValueStripe& stripe);

 private:
  OutputFile& out_;
  SequenceSet sequences_;
  PhylipNames names_;
  Text text_;
};

}  // namespace alnus::io
