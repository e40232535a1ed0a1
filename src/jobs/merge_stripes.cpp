#include "jobs/merge_stripes.h"

#include <algorithm>
#include <cmath>

#include "alnus/row_check.h"
#include "core/refuse_input.h"
#include "core/strands.h"
#include "jobs/part_stripes.h"

namespace alnus::jobs {
namespace {

using Index = SequenceSet::Index;

// True if the row of the pair matrix has this column.
bool has(const engine::AllPairs& pairs, Index row, Index column) {
  return column < pairs.columns_of(row).end && pairs.has(row, column);
}

}  // namespace

std::uint64_t bytes_of_values(const PairJob& job) {
  std::uint64_t bytes_of_pair = 0;
  for (const PairValue value : needs_of(job).values) bytes_of_pair += bytes_of(job, value);
  std::uint64_t bytes = 0;
  if (bytes_of_pair > 0)
    for (Index row = 0; row < job.pairs.rows().size(); ++row)
      bytes += bytes_of_pair * job.pairs.columns_of(row).size();
  return bytes;
}

void require_counts(const Job& job, const PairJob& of_pairs, std::span<const Block> blocks,
                    const AllPairsSummary& of_part) {
  const engine::AllPairs& whole = of_pairs.pairs;
  std::uint64_t pairs = 0, cells = 0;
  for (const Block& block : blocks) {
    const engine::AllPairs part(whole.rows(), whole.one_set() ? nullptr : &whole.columns(), job.self, block,
                                job.nearest ? engine::AllPairs::Rows::whole : engine::AllPairs::Rows::half);
    pairs += part.pairs_from(0);
    cells += part.cells_from(0) * strands_of_each(job.fields.strands);
  }
  const std::uint64_t counts[] = {of_part.listed, of_part.empty, of_part.filtered};
  const bool small = std::ranges::all_of(counts, [&](std::uint64_t count) { return count <= pairs; });
  const std::uint64_t all = needs_of(of_pairs).rows ? pairs : 0;
  if (of_part.pairs != pairs || of_part.cells != cells || !small ||
      of_part.listed + of_part.empty + of_part.filtered != all)
    refuse_input("its counts are not those of its sequences");
}

void StripeMerger::begin(std::span<const Block> blocks) {
  rows_ = blocks.empty() ? IndexRange{next_, next_}
                         : IndexRange{blocks.front().rows.begin, blocks.back().rows.end};
  last_stripe_ = {};
  has_edge_ = false;
  listed_ = empty_ = edges_ = 0;
}

engine::Stripe StripeMerger::stripe(const io::ChunkBytes& chunk) {
  engine::Stripe stripe = stripe_of(of_pairs_, chunk);
  if (stripe.rows.begin != next_ || stripe.rows.end > rows_.end)
    refuse_input("its rows are not those that come next");
  std::uint64_t pairs = 0;
  for (Index row = stripe.rows.begin; row < stripe.rows.end; ++row) pairs += of_pairs_.pairs.pairs_of(row);
  if (stripe.pairs != pairs || stripe.empty > pairs) refuse_input("its counts are not those of its rows");
  require_listed(stripe);
  last_stripe_ = stripe.rows;
  next_ = stripe.rows.end;
  has_edge_ = false;
  listed_ += stripe.listed.size();
  empty_ += stripe.empty;
  return stripe;
}

void StripeMerger::require_listed(const engine::Stripe& stripe) const {
  const engine::RowFields& fields = job_.fields;
  const engine::AllPairs& pairs = of_pairs_.pairs;
  const Columns& listed = stripe.listed;
  if (!needs_.rows) {
    if (listed.size() > 0) refuse_input("it lists pairs, and the job lists none");
    return;
  }
  check_rows(listed,
             {.detail = fields.detail,
              .strands = fields.strands != Strands::plus,
              .cigars = fields.cigars,
              .significance = fields.significance,
              .hsps = false,
              .identity_ranges = fields.identity_ranges},
             job_.scoring, pairs.rows(), pairs.columns());
  const bool swapped = pairs.is_half();  // a pair's query is its column in the pair matrix
  Element before;
  for (std::size_t k = 0; k < listed.size(); ++k) {
    const Element element =
        swapped ? Element{listed.subject[k], listed.query[k]} : Element{listed.query[k], listed.subject[k]};
    const auto& [row, column] = element;
    if (row < stripe.rows.begin || row >= stripe.rows.end || !has(pairs, row, column))
      refuse_input("it lists a pair that is none of its rows");
    const bool in_order = k == 0 || (job_.nearest ? before.first <= row : before < element);
    if (!in_order) refuse_input("its pairs are not in their order");
    before = element;
  }
}

SparseValues StripeMerger::edges(const io::ChunkBytes& chunk) {
  if (!needs_.sparse) refuse_input("it has edges, and the job has none");
  SparseValues edges = edges_of(of_pairs_, chunk);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const Element element{edges.row[k], edges.column[k]};
    if (element.first < last_stripe_.begin || element.first >= last_stripe_.end ||
        !has(of_pairs_.pairs, element.first, element.second))
      refuse_input("it has an edge that is none of its rows");
    if (has_edge_ && !(last_edge_ < element)) refuse_input("its edges are not in their order");
    const std::optional<double> threshold = of_pairs_.files.edge_threshold;
    if (std::isnan(edges.value[k]) || (threshold && !passes(job_.value.kind, edges.value[k], *threshold)))
      refuse_input("it has an edge that does not pass the threshold");
    last_edge_ = element;
    has_edge_ = true;
  }
  edges_ += edges.size();
  return edges;
}

void StripeMerger::end(const AllPairsSummary& of_part) const {
  if (next_ != rows_.end) refuse_input("the stripes of its last rows are missing");
  if ((needs_.rows && (of_part.listed != listed_ || of_part.empty != empty_)) || of_part.edges != edges_)
    refuse_input("its counts are not those of its pairs");
}

}  // namespace alnus::jobs
