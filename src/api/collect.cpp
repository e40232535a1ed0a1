#include "api/collect.h"

#include <utility>

namespace alnus::api {
namespace {

// All arrays of a collected result.
struct Storage {
  std::vector<SequenceSet::Index> query, subject;
  std::vector<Strand> strand;
  std::vector<std::int32_t> score, query_end, subject_end, query_begin, subject_begin, length, identical,
      positive, mismatches, gap_residues, gap_opens;
  std::vector<std::uint64_t> cigar_offsets, first_row;
  std::vector<CigarRun> cigar_runs;
  std::vector<double> adjusted_score, bits, evalue, zscore, zscore_se, zfit;
  std::array<std::vector<IdentityRange>, kDenominators> identity_range;
};

template <class T>
std::span<const T> join(std::span<const Columns> parts, std::span<const T> Columns::*column,
                        std::vector<T>& all) {
  std::size_t count = 0;
  for (const Columns& part : parts) count += (part.*column).size();
  all.reserve(count);
  for (const Columns& part : parts) all.insert(all.end(), (part.*column).begin(), (part.*column).end());
  return all;
}

}  // namespace

void ColumnCollector::add(const Columns& rows) {
  if (rows.size() > 0 || parts_.empty()) parts_.push_back(rows);
}

Columns ColumnCollector::finish() {
  if (parts_.empty()) return {};
  if (parts_.size() > 1 && parts_.front().size() == 0) parts_.erase(parts_.begin());
  if (parts_.size() == 1) return std::exchange(parts_, {}).front();
  const auto storage = std::make_shared<Storage>();
  Columns all;
  const auto take = [&]<class T>(std::span<const T> Columns::*column, std::vector<T>& to) {
    all.*column = join<T>(parts_, column, to);
  };
  take(&Columns::query, storage->query);
  take(&Columns::subject, storage->subject);
  take(&Columns::strand, storage->strand);
  take(&Columns::score, storage->score);
  take(&Columns::query_end, storage->query_end);
  take(&Columns::subject_end, storage->subject_end);
  take(&Columns::query_begin, storage->query_begin);
  take(&Columns::subject_begin, storage->subject_begin);
  take(&Columns::length, storage->length);
  take(&Columns::identical, storage->identical);
  take(&Columns::positive, storage->positive);
  take(&Columns::mismatches, storage->mismatches);
  take(&Columns::gap_residues, storage->gap_residues);
  take(&Columns::gap_opens, storage->gap_opens);
  take(&Columns::cigar_runs, storage->cigar_runs);
  take(&Columns::adjusted_score, storage->adjusted_score);
  take(&Columns::bits, storage->bits);
  take(&Columns::evalue, storage->evalue);
  take(&Columns::zscore, storage->zscore);
  take(&Columns::zscore_se, storage->zscore_se);
  take(&Columns::zfit, storage->zfit);
  if (!parts_.front().cigar_offsets.empty()) {
    storage->cigar_offsets.reserve(all.size() + 1);
    storage->cigar_offsets.push_back(0);
    for (const Columns& part : parts_) {
      const std::uint64_t before = storage->cigar_offsets.back();
      for (const std::uint64_t offset : part.cigar_offsets.subspan(1))
        storage->cigar_offsets.push_back(before + offset);
    }
    all.cigar_offsets = storage->cigar_offsets;
  }
  for (std::size_t k = 0; k < kDenominators; ++k) {
    for (const Columns& part : parts_)
      storage->identity_range[k].insert(storage->identity_range[k].end(), part.identity_range[k].begin(),
                                        part.identity_range[k].end());
    all.identity_range[k] = storage->identity_range[k];
  }
  all.owner = storage;
  parts_.clear();
  return all;
}

void SearchCollector::add(const SearchBatch& batch) {
  if (!std::exchange(begun_, true)) all_.queries = {batch.queries.begin, batch.queries.begin};
  all_.queries.end = batch.queries.end;
  all_.statistics = batch.statistics;
  for (const std::uint64_t row : batch.first_row.subspan(1)) first_row_.push_back(row_count_ + row);
  row_count_ += batch.rows.size();
  all_.query_statistics.insert(all_.query_statistics.end(), batch.query_statistics.begin(),
                               batch.query_statistics.end());
  rows_.add(batch.rows);
}

SearchBatch SearchCollector::finish() {
  // One owner keeps the columns and first_row alive.
  struct Both {
    Columns rows;
    std::vector<std::uint64_t> first_row;
  };
  const auto both = std::make_shared<Both>(Both{rows_.finish(), std::move(first_row_)});
  all_.rows = both->rows;
  all_.rows.owner = both;
  all_.first_row = both->first_row;
  return std::move(all_);
}

}  // namespace alnus::api
