#include "io/edge_writer.h"

#include <algorithm>
#include <cmath>
#include <fmt/compile.h>

#include "core/decimal.h"
#include "core/passing_pairs.h"

namespace alnus::io {

bool is_csv(std::string_view path) {
  return path.ends_with(".csv") || path.ends_with(".csv.gz") || path.ends_with(".csv.zst");
}

EdgeWriter::EdgeWriter(OutputFile& out, const EdgeRule& rule, const SequenceSet& sequences, bool self)
    : out_(out),
      rule_(rule),
      rows_(sequences),
      columns_(sequences),
      pairs_(self ? Pairs::up_to : Pairs::before),
      csv_(is_csv(out.path())) {}

EdgeWriter::EdgeWriter(OutputFile& out, const EdgeRule& rule, const SequenceSet& rows,
                       const SequenceSet& columns)
    : out_(out), rule_(rule), rows_(rows), columns_(columns), pairs_(Pairs::all), csv_(is_csv(out.path())) {}

void EdgeWriter::write(const ValueStripe& stripe, std::span<const char> passing) {
  for (SequenceSet::Index j = stripe.rows.begin; j < stripe.rows.end; ++j) {
    const SequenceSet::Index end = pairs_ == Pairs::all
                                       ? stripe.columns.end
                                       : std::min(stripe.columns.end, pairs_ == Pairs::up_to ? j + 1 : j);
    const std::string_view row_id = rows_[j].id();
    const auto write_edge = [&](SequenceSet::Index i, double value) {
      const std::string_view column_id = columns_[i].id();
      append_id(pairs_ == Pairs::all ? row_id : column_id);
      append_id(pairs_ == Pairs::all ? column_id : row_id);
      append_value(value);
      append(text_, '\n');
    };
    for_each_passing(stripe, j, end, passing, rule_.value, rule_.threshold, write_edge);
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
      fmt::format_to(fmt::appender(text_), FMT_COMPILE("{:.3f}"), value);
      break;
    case PairValue::distance:
      append_distance(text_, value);
      break;
  }
}

}  // namespace alnus::io
