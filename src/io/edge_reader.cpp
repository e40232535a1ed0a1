#include "io/edge_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <optional>

#include "alnus/error.h"
#include "alnus/text.h"
#include "io/output_name.h"

namespace alnus::io {
namespace {

constexpr std::size_t kFewestFields = 2, kMostFields = 4;

std::string separator_name(char separator) { return separator == ',' ? "commas" : "tabs"; }

}  // namespace

EdgeReader::EdgeReader(const Input& table, const IdIndex& ids, const std::vector<Relation>& relations,
                       const StopFlag& stop)
    : lines_(table, stop), ids_(ids), known_(relations.size()), separator_(is_csv(table.path) ? ',' : '\t') {
  ids.require_distinct();
  for (const Relation& relation : relations) relations_.push_back(to_string(relation));
}

SparseValues EdgeReader::next() {
  constexpr std::size_t kBatch = 1 << 16;  // edges
  row_.clear();
  column_.clear();
  value_.clear();
  relation_.clear();
  while (value_.size() < kBatch && lines_.next()) read_edge();
  return {row_, column_, value_, nullptr, relation_};
}

void EdgeReader::read_edge() {
  split_line(lines_, separator_, fields_);
  check_fields();
  const SequenceSet::Index one = record_of(fields_[0]), other = record_of(fields_[1]);
  if (one == other)
    lines_.refuse(fmt::format("the edge joins {} with itself. Leave such lines out.", in_quotes(fields_[0])));
  row_.push_back(std::max(one, other));
  column_.push_back(std::min(one, other));
  value_.push_back(read_value());
  relation_.push_back(read_relation());
}

void EdgeReader::check_fields() {
  const std::size_t count = fields_.size();
  if (width_ == 0) {
    if (count < kFewestFields || count > kMostFields)
      lines_.refuse(
          fmt::format("a line has two ids and perhaps a value and its relation, separated by {}; this "
                      "one has {}. Of a table with more columns, give these alone.",
                      separator_name(separator_), format_count(count, "field", "fields")));
    width_ = count;
  }
  if (count != width_)
    lines_.refuse(fmt::format("the line has {}, but the lines before have {}.",
                              format_count(count, "field", "fields"), width_));
}

SequenceSet::Index EdgeReader::record_of(const std::string& id) const {
  const std::optional<SequenceSet::Index> found = ids_.find(id);
  if (!found)
    lines_.refuse(fmt::format("no record of {} has the id {}.{}",
                              ids_.sequences().origin().empty() ? "the set" : ids_.sequences().origin(),
                              in_quotes(id), lines_.number() == 1 ? " A table of edges has no header." : ""));
  return *found;
}

double EdgeReader::read_value() const {
  if (width_ == kFewestFields) return std::numeric_limits<double>::quiet_NaN();
  const std::string& text = fields_[2];
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    lines_.refuse(fmt::format("the value {} is no number.", in_quotes(text)));
  if (width_ < kMostFields && known_ > 1) return std::numeric_limits<double>::quiet_NaN();
  return value;
}

std::uint8_t EdgeReader::read_relation() const {
  if (width_ < kMostFields) return 0;
  const std::string& text = fields_[3];
  const auto found = std::ranges::find(relations_, text);
  if (found != relations_.end()) return static_cast<std::uint8_t>(found - relations_.begin());
  if (known_ > 0)
    lines_.refuse(fmt::format("the edge has the relation {}, but those of the table are {}.", in_quotes(text),
                              fmt::join(relations_, ",")));
  try {
    parse_relations(text);
  } catch (const Error&) {
    lines_.refuse(
        fmt::format("the fourth field is {}, which is no relation such as whole:30.", in_quotes(text)));
  }
  return 0;
}

}  // namespace alnus::io
