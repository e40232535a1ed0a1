#include "io/phylip_writer.h"

#include "io/phylip_names.h"

namespace alnus::io {

PhylipWriter::PhylipWriter(OutputFile& out, const SequenceSet& sequences, PhylipNames names)
    : out_(out), sequences_(sequences), names_(names) {}

void PhylipWriter::begin() {
  append_right(text_, sequences_.size(), 5);
  append(text_, '\n');
  out_.write(view(text_));
  text_.clear();
}

void PhylipWriter::write(const ValueStripe& stripe) {
  for (std::uint64_t j = stripe.rows.begin; j < stripe.rows.end; ++j) {
    append(text_, phylip_name(sequences_[static_cast<SequenceSet::Index>(j)].id(), names_));
    if (text_.size() < kPhylipName) append_repeated(text_, kPhylipName - text_.size(), ' ');
    for (const double distance : stripe.row(j).first(j)) {
      append(text_, "  ");
      append_fixed<6>(text_, distance);
    }
    append(text_, '\n');
    out_.write(view(text_));
    text_.clear();
  }
}

}  // namespace alnus::io
