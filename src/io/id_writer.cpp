#include "io/id_writer.h"

#include "io/row_text.h"

namespace alnus::io {

void write_ids(OutputFile& out, const SequenceSet& sequences, IndexRange range) {
  Text text;
  for (SequenceSet::Index i = range.begin; i < range.end; ++i) {
    append_or_na(text, sequences[i].id());
    append(text, '\n');
    out.write(view(text));
    text.clear();
  }
}

}  // namespace alnus::io
