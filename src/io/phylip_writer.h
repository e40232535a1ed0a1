// A distance matrix as PHYLIP's programs read it, lower-triangular.
#pragma once

#include "alnus/output.h"
#include "alnus/results.h"
#include "alnus/sequence_set.h"
#include "io/output_file.h"
#include "io/text.h"

namespace alnus::io {

// The number of sequences, then a line for each: its name, filled up to ten characters, and the distances to
// those before it. Every pair must have one. Names are those of io/phylip_names.h.
class PhylipWriter {
 public:
  PhylipWriter(OutputFile& out, const SequenceSet& sequences, PhylipNames names);

  void begin();  // not in a file that is resumed
  void write(const ValueStripe& stripe);

 private:
  OutputFile& out_;
  SequenceSet sequences_;
  PhylipNames names_;
  Text text_;
};

}  // namespace alnus::io
