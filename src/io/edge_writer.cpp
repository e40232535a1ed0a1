#include "io/edge_writer.h"

#include <cmath>

#include "core/decimal.h"
#include "io/output_name.h"

namespace alnus::io {

EdgeWriter::EdgeWriter(OutputFile& out, const EdgeRule& rule, const SequenceSet& sequences)
    : out_(out),
      rule_(rule),
      rows_(sequences),
      columns_(sequences),
      one_set_(true),
      csv_(is_csv(out.path())) {
  for (const Relation& relation : rule.relations) relations_.push_back(to_string(relation));
}

EdgeWriter::EdgeWriter(OutputFile& out, const EdgeRule& rule, const SequenceSet& rows,
                       const SequenceSet& columns)
    : EdgeWriter(out, rule, rows) {
  columns_ = columns;
  one_set_ = false;
}

void EdgeWriter::write(const SparseValues& edges) {
  constexpr std::size_t kFull = 1 << 16;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const std::string_view row_id = rows_[edges.row[k]].id(), column_id = columns_[edges.column[k]].id();
    append_id(one_set_ ? column_id : row_id);
    append_id(one_set_ ? row_id : column_id);
    if (rule_.relations.empty())
      append_value(edges.value[k]);
    else
      append_value_of(rule_.relations[edges.relation[k]].kind, edges.value[k]);
    if (relations_.size() > 1) {
      append(text_, csv_ ? ',' : '\t');
      append(text_, relations_[edges.relation[k]]);
    }
    append(text_, '\n');
    if (text_.size() < kFull && k + 1 < edges.size()) continue;
    out_.write(view(text_));
    text_.clear();
  }
}

void EdgeWriter::append_id(std::string_view id) {
  const std::size_t begin = text_.size();
  append_or_na(text_, id);
  if (csv_) quote_for_csv(text_, begin);
  append(text_, csv_ ? ',' : '\t');
}

void EdgeWriter::append_value(double value) {
  switch (rule_.value) {
    case PairValue::score:
    case PairValue::score_distance:
      append(text_, format_decimal(std::llround(value * rule_.scale), rule_.scale));
      break;
    case PairValue::identity:
      append_fixed<3>(text_, value);
      break;
    case PairValue::distance:
      append_fixed<6>(text_, value);
      break;
  }
}

void EdgeWriter::append_value_of(RelationKind relation, double value) {
  switch (relation) {
    case RelationKind::whole:
    case RelationKind::part:
      append_fixed<3>(text_, value);
      break;
    case RelationKind::related:
      append_evalue(text_, value, NumberStyle::table);
      break;
    case RelationKind::score:
    case RelationKind::score_distance:
      append(text_, format_decimal(std::llround(value * rule_.scale), rule_.scale));
      break;
  }
}

}  // namespace alnus::io
