#include "jobs/part_stripes.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "jobs/matrix_output.h"
#include "jobs/part_columns.h"

namespace alnus::jobs {
namespace {

using Index = SequenceSet::Index;

// The type in which a part stores the values of a kind: that of the job's matrix of these values, but float64
// if another output shows the values with more digits.
enum class Kept : std::uint8_t { float64, float32, int32 };
Kept kept(const PairJob& job, PairValue value) {
  if (needs_of(job).exact_values.contains(value)) return Kept::float64;
  const std::vector<PairMatrix> matrices = matrices_of(job);
  const auto matrix = std::ranges::find(matrices, value, &PairMatrix::value);
  return matrix->type == MatrixType::int32 ? Kept::int32 : Kept::float32;
}

template <class T>
void add_values(const PairJob& job, const ValueStripe& stripe, io::Packer& to) {
  std::vector<T> values;
  for (Index row = stripe.rows.begin; row < stripe.rows.end; ++row)
    for (const double value : stripe.row(row).first(job.pairs.columns_of(row).size()))
      values.push_back(static_cast<T>(value));
  to.add(values);
}

// True for numbers that a pair's value of this kind may be.
bool is_possible(PairValue kind, double value) {
  switch (kind) {
    case PairValue::identity:
      return value >= 0 && value <= 100;
    case PairValue::distance:
      return value >= 0 && value <= 1;
    case PairValue::score:
    case PairValue::score_distance:
      break;
  }
  return !std::isnan(value);
}

template <class T>
ValueStripe take_values(const PairJob& job, PairValue kind, IndexRange rows, IndexRange columns,
                        io::Unpacker& from) {
  std::size_t count = 0;
  for (Index row = rows.begin; row < rows.end; ++row) count += job.pairs.columns_of(row).size();
  const std::span<const T> values = from.take<T>(count);
  if (!std::ranges::all_of(values, [&](T value) { return is_possible(kind, value); })) io::Unpacker::fail();
  const auto all = std::make_shared<std::vector<double>>(std::size_t{rows.size()} * columns.size());
  std::size_t next = 0;
  for (Index row = rows.begin; row < rows.end; ++row) {
    const std::size_t of_row = job.pairs.columns_of(row).size();
    double* to = all->data() + std::size_t{row - rows.begin} * columns.size();
    for (const T value : values.subspan(next, of_row)) *to++ = value;
    next += of_row;
  }
  return {rows, columns, *all, all};
}

void require_below(std::span<const Index> numbers, const SequenceSet& set) {
  if (!std::ranges::all_of(numbers, [&](Index i) { return i < set.size(); })) io::Unpacker::fail();
}

}  // namespace

std::size_t bytes_of(const PairJob& job, PairValue value) {
  return kept(job, value) == Kept::float64 ? sizeof(double) : sizeof(float);
}

io::Packer packed(const PairJob& job, const engine::Stripe& stripe) {
  io::Packer to;
  to.add(std::vector<std::uint64_t>{stripe.rows.begin, stripe.rows.end, stripe.pairs, stripe.empty});
  pack(stripe.listed, to);
  for (const PairValue value : needs_of(job).values) {
    const Kept as = kept(job, value);
    const ValueStripe& of_value = values_of(job, stripe, value);
    if (as == Kept::float64) add_values<double>(job, of_value, to);
    if (as == Kept::float32) add_values<float>(job, of_value, to);
    if (as == Kept::int32) add_values<std::int32_t>(job, of_value, to);
  }
  return to;
}

engine::Stripe stripe_of(const PairJob& job, const io::ChunkBytes& chunk) {
  io::Unpacker from(chunk.bytes());
  engine::Stripe stripe;
  const std::span<const std::uint64_t> numbers = from.take<std::uint64_t>(4);
  if (numbers[0] > numbers[1] || numbers[1] > job.pairs.rows().size()) io::Unpacker::fail();
  const IndexRange rows{static_cast<Index>(numbers[0]), static_cast<Index>(numbers[1])};
  stripe.rows = rows;
  stripe.pairs = numbers[2];
  stripe.empty = numbers[3];
  stripe.listed = unpack_columns(from, chunk.owner);
  const IndexRange columns{0, rows.size() == 0 ? 0 : job.pairs.columns_of(rows.end - 1).end};
  for (const PairValue value : needs_of(job).values) {
    const Kept as = kept(job, value);
    if (as == Kept::float64)
      stripe.values.push_back(take_values<double>(job, value, rows, columns, from));
    else if (as == Kept::float32)
      stripe.values.push_back(take_values<float>(job, value, rows, columns, from));
    else
      stripe.values.push_back(take_values<std::int32_t>(job, value, rows, columns, from));
  }
  from.require_end();
  return stripe;
}

io::Packer packed(const PairJob& job, const SparseValues& edges) {
  io::Packer to;
  to.add(edges.row);
  to.add(edges.column);
  to.add(edges.value);
  if (!job.relations.empty()) to.add(edges.relation);
  return to;
}

SparseValues edges_of(const PairJob& job, const io::ChunkBytes& chunk) {
  io::Unpacker from(chunk.bytes());
  SparseValues edges;
  edges.row = from.take<Index>();
  edges.column = from.take<Index>(edges.row.size());
  edges.value = from.take<double>(edges.row.size());
  if (!job.relations.empty()) edges.relation = from.take<std::uint8_t>(edges.row.size());
  edges.owner = chunk.owner;
  from.require_end();
  require_below(edges.row, job.pairs.rows());
  require_below(edges.column, job.pairs.columns());
  for (const std::uint8_t relation : edges.relation)
    if (relation >= job.relations.size()) io::Unpacker::fail();
  return edges;
}

}  // namespace alnus::jobs
