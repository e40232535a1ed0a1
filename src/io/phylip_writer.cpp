#include "io/phylip_writer.h"

#include <string_view>
#include <unordered_set>

namespace alnus::io {
namespace {

constexpr std::size_t kNameLength = 10;

bool differ_within_a_name(const SequenceSet& sequences) {
  std::unordered_set<std::string_view> names(sequences.size());
  for (SequenceSet::Index i = 0; i < sequences.size(); ++i)
    if (!names.insert(sequences[i].id().substr(0, kNameLength)).second) return false;
  return true;
}

}  // namespace

PhylipWriter::PhylipWriter(OutputFile& out, const SequenceSet& sequences)
    : out_(out), sequences_(sequences), strict_(differ_within_a_name(sequences)) {}

void PhylipWriter::begin() {
  append_right(text_, sequences_.size(), 5);
  append(text_, '\n');
  out_.write(view(text_));
  text_.clear();
}

void PhylipWriter::write(const ValueStripe& stripe) {
  for (std::uint64_t j = stripe.rows.begin; j < stripe.rows.end; ++j) {
    const std::string_view id = sequences_[static_cast<SequenceSet::Index>(j)].id();
    append_or_na(text_, strict_ ? id.substr(0, kNameLength) : id);
    if (strict_ && text_.size() < kNameLength) append_repeated(text_, kNameLength - text_.size(), ' ');
    for (const double distance : stripe.row(j).first(j)) {
      append(text_, "  ");
      append_distance(text_, distance);
    }
    append(text_, '\n');
    out_.write(view(text_));
    text_.clear();
  }
}

}  // namespace alnus::io
