// A distance matrix as PHYLIP's programs read it, lower-triangular.
#pragma once

#include "alnus/results.h"
#include "alnus/sequence_set.h"
#include "io/output_file.h"
#include "io/text.h"

namespace alnus::io {

// The number of sequences, then a line for each: its name and the distances to those before it. Every pair
// must have one. Names are the ids: cut or filled up to ten characters, as PHYLIP demands, if they differ
// within these; else whole and followed by two blanks, which other programs understand.
class PhylipWriter {
 public:
  PhylipWriter(OutputFile& out, const SequenceSet& sequences);

  void begin();  // not in a file that is resumed
  void write(const ValueStripe& stripe);

 private:
  OutputFile& out_;
  SequenceSet sequences_;
  bool strict_;
  Text text_;
};

}  // namespace alnus::io
