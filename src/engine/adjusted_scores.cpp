#include "engine/adjusted_scores.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

#include "alnus/error.h"
#include "core/dust.h"
#include "core/seg.h"
#include "engine/registry.h"

namespace alnus::engine {
namespace {

// The parameters by which blastp masks subjects in its second pass (Schaffer et al. 2001, Nucleic Acids Res.
// 29:2994): 3% of real proteins' residues, where those of `--mask seg` find 8%.
constexpr Seg::Parameters kMildSeg{.window = 10, .trigger = 1.8, .extension = 2.1};

// The sequences that a list of pairs has on one side, each once, and where each is among them.
struct Distinct {
  std::vector<SequenceSet::Index> sequences;
  std::vector<std::uint32_t> places;  // by index
};

Distinct distinct(std::span<const IndexPair> pairs, SequenceSet::Index IndexPair::*side,
                  SequenceSet::Index all) {
  Distinct result{{}, std::vector<std::uint32_t>(all)};
  for (const IndexPair& pair : pairs) result.places[pair.*side] = 1;
  for (SequenceSet::Index index = 0; index < all; ++index) {
    if (result.places[index] == 0) continue;
    result.places[index] = static_cast<std::uint32_t>(result.sequences.size());
    result.sequences.push_back(index);
  }
  return result;
}

// Pairs that are prepared together, which bounds the memory that their sequences take.
constexpr std::size_t kMostTogether = 1 << 19;

// Calls body(begin, end) for pieces of the numbers below `count`, on the threads of the call.
template <typename Body>
void for_each_piece(std::size_t count, std::size_t piece, Call& call, const Body& body) {
  call.threads.for_each((count + piece - 1) / piece, [&](std::size_t number) {
    call.progress.stop.throw_if_requested();
    body(number * piece, std::min((number + 1) * piece, count));
  });
}

bool is_dna(const Scoring& scoring) { return scoring.matrix.alphabet() == AlphabetKind::dna; }

// Masked residues of proteins are X. Those of nucleotides have a code of their own, so that N scores as
// ever, and a pair in which nothing is masked keeps its score.
Residue code_of_masked(AlphabetKind kind) {
  const Alphabet& alphabet = Alphabet::of(kind);
  return kind == AlphabetKind::dna ? static_cast<Residue>(alphabet.size()) : alphabet.encode('X');
}

}  // namespace

struct AdjustedScores::Sequence {
  std::span<const Residue> codes;  // without case
  std::vector<Residue> copy;       // what `codes` shows, if it is not the sequence itself
  std::int64_t own = 0;            // its score with itself, by the stated matrix, nothing masked
  Residue highest = 0;             // of the codes
  bool has_masked = false;
  stats::Frequencies frequencies;
  stats::BaseFrequencies bases;
};

// A candidate, by its number and by the places of its sequences among the prepared ones.
struct AdjustedScores::Job {
  std::size_t number = 0;
  std::uint32_t query = 0, subject = 0;
};

// What is known of the candidates that are scored together.
struct AdjustedScores::Prepared {
  std::span<const Candidate> candidates;
  double limit = 0;
  std::span<const Sequence> queries, subjects;
};

// Jobs of one query as a PairScorer takes them.
class AdjustedScores::SideBySide {
 public:
  SideBySide(const AdjustedScores& scores, std::span<const Job> jobs, const Prepared& prepared, Call& call)
      : scores_(scores), query_(prepared.queries[jobs.front().query]) {
    call.progress.stop.throw_if_requested();
    std::vector<const stats::Frequencies*> frequencies;
    for (const Job& job : jobs) frequencies.push_back(&prepared.subjects[job.subject].frequencies);
    if (scores.adjuster_) {
      adjusted_.resize(jobs.size());
      scores.adjuster_->adjust(query_.frequencies, frequencies, adjusted_);
    }
    for (std::size_t k = 0; k < jobs.size(); ++k)
      subjects_.push_back({prepared.subjects[jobs[k].subject].codes, this->scores(k)});
  }

  std::span<const Residue> query() const { return query_.codes; }
  std::span<const ScoredSubject> subjects() const { return subjects_; }
  const stats::PairScores& scores(std::size_t number) const {
    return scores_.adjuster_ ? adjusted_[number] : scores_.stated_;
  }
  std::int32_t open() const { return scores_.factor() * scores_.scoring_.open; }
  std::int32_t extend() const { return scores_.factor() * scores_.scoring_.extend; }

 private:
  const AdjustedScores& scores_;
  const Sequence& query_;
  std::vector<stats::PairScores> adjusted_;
  std::vector<ScoredSubject> subjects_;
};

AdjustedScores::AdjustedScores(const SequenceSet& queries, const SequenceSet& subjects,
                               const Scoring& scoring, const StatisticsOptions& options)
    : queries_(queries),
      subjects_(subjects),
      scoring_(scoring),
      options_(options),
      mask_queries_(options.low_complexity == LowComplexity::statistics && is_dna(scoring)),
      mask_subjects_(options.low_complexity == LowComplexity::statistics && !is_dna(scoring)),
      masked_(code_of_masked(scoring.matrix.alphabet())),
      adjuster_(options.composition == Composition::adjust ? stats::MatrixAdjuster::of(scoring)
                                                           : std::nullopt),
      scale_(options.composition == Composition::adjust ? stats::PairScale::of(scoring) : std::nullopt) {
  for (std::size_t q = 0; q < kMaxLetters; ++q)
    for (std::size_t s = 0; s < kMaxLetters; ++s)
      stated_[s * kMaxLetters + q] =
          q == masked_ || s == masked_
              ? -scoring.scale
              : scoring.matrix.value(static_cast<Residue>(q), static_cast<Residue>(s));
}

AdjustedScores::Sequence AdjustedScores::prepared(std::span<const Residue> residues, bool masked,
                                                  const StopFlag& stop) const {
  Sequence result;
  for (const Residue residue : residues)
    result.own += scoring_.matrix.value(residue & kCodeMask, residue & kCodeMask);
  result.codes = residues;
  const std::vector<Region> regions = masked ? low_complexity(residues, stop) : std::vector<Region>{};
  result.has_masked = !regions.empty();
  const auto has_case = [](Residue residue) { return (residue & kCodeMask) != residue; };
  if (result.has_masked || std::ranges::any_of(residues, has_case)) {
    result.copy.resize(residues.size());
    std::ranges::transform(residues, result.copy.begin(),
                           [](Residue residue) { return static_cast<Residue>(residue & kCodeMask); });
    for (const Region& region : regions)
      std::fill_n(result.copy.begin() + static_cast<std::ptrdiff_t>(region.begin), region.size(), masked_);
    result.codes = result.copy;
  }
  if (!result.codes.empty()) result.highest = std::ranges::max(result.codes);
  if (adjuster_) result.frequencies = adjuster_->frequencies(result.codes);
  if (scale_) result.bases = scale_->frequencies(result.codes);
  return result;
}

std::vector<Region> AdjustedScores::low_complexity(std::span<const Residue> residues,
                                                   const StopFlag& stop) const {
  Seg seg(kMildSeg, stop);
  Dust dust(stop);
  const std::span<const Region> found = is_dna(scoring_) ? dust.find(residues) : seg.find(residues);
  return {found.begin(), found.end()};
}

double AdjustedScores::worth(const Job& job, const Prepared& prepared) const {
  if (!scale_) return 1;
  return scale_->worth(prepared.queries[job.query].bases, prepared.subjects[job.subject].bases);
}

void AdjustedScores::take_known(std::vector<Job>& jobs, const Prepared& prepared,
                                std::span<std::optional<double>> result) const {
  if (adjuster_ || mask_subjects_) return;
  std::vector<char> known(jobs.size());
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    if (prepared.queries[jobs[k].query].has_masked) continue;
    known[k] = 1;
    result[jobs[k].number] = worth(jobs[k], prepared) * prepared.candidates[jobs[k].number].score;
  }
  remove(jobs, known);
}

bool AdjustedScores::may_pass(const Candidate& candidate, double score, double limit) const {
  const std::size_t length = subjects_.length(candidate.pair.subject);
  return candidate.judge == nullptr || length == 0 || candidate.judge->of(score, length).evalue <= limit;
}

std::vector<std::optional<double>> AdjustedScores::of(std::span<const Candidate> candidates, double limit,
                                                      Call& call) const {
  const ThreadPool::Permit permit(call.threads, call.progress.stop);
  std::vector<std::optional<double>> result(candidates.size());
  for (std::size_t first = 0; first < candidates.size(); first += kMostTogether) {
    const std::size_t count = std::min(kMostTogether, candidates.size() - first);
    score(candidates.subspan(first, count), limit, call, std::span(result).subspan(first, count));
  }
  return result;
}

std::vector<AdjustedScores::Sequence> AdjustedScores::prepared(const SequenceSet& set,
                                                               std::span<const SequenceSet::Index> sequences,
                                                               bool masked, Call& call) const {
  std::vector<Sequence> result(sequences.size());
  constexpr std::size_t kPiece = 32;
  for_each_piece(result.size(), kPiece, call, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
      result[k] = prepared(set.residues(sequences[k]), masked, call.progress.stop);
  });
  return result;
}

void AdjustedScores::score(std::span<const Candidate> candidates, double limit, Call& call,
                           std::span<std::optional<double>> result) const {
  constexpr std::size_t kPiece = 1000;  // candidates
  const double most = candidate_evalue(options_, scoring_, limit);
  std::vector<char> kept(candidates.size());
  for_each_piece(candidates.size(), kPiece, call, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) kept[k] = may_pass(candidates[k], candidates[k].score, most);
  });
  std::vector<IndexPair> pairs;
  for (std::size_t k = 0; k < candidates.size(); ++k)
    if (kept[k]) pairs.push_back(candidates[k].pair);
  const Distinct rows = distinct(pairs, &IndexPair::query, queries_.size()),
                 columns = distinct(pairs, &IndexPair::subject, subjects_.size());
  const std::vector<Sequence> queries = prepared(queries_, rows.sequences, mask_queries_, call);
  std::vector<Sequence> subjects = prepared(subjects_, columns.sequences, mask_subjects_, call);

  std::vector<Job> jobs;
  for (std::size_t k = 0; k < candidates.size(); ++k)
    if (kept[k])
      jobs.push_back({k, rows.places[candidates[k].pair.query], columns.places[candidates[k].pair.subject]});
  unmask_nearly_identical(jobs, candidates, queries, subjects, call);
  const Prepared prepared{candidates, limit, queries, subjects};
  take_known(jobs, prepared, result);
  leave_out_by_prediction(jobs, prepared, call);
  sort(jobs, prepared, call);
  score_on_devices(jobs, prepared, call, result);
  leave_out_by_coarse_score(jobs, prepared, call);
  const std::vector<std::span<const Job>> pieces =
      by_query(jobs, prepared, make_pair_scorer(call.isa)->side_by_side());
  call.threads.for_each(pieces.size(), [&](std::size_t number) {
    const SideBySide pairs(*this, pieces[number], prepared, call);
    std::vector<std::int32_t> best(pieces[number].size());
    make_pair_scorer(call.isa)->local_scores(pairs.query(), pairs.subjects(), pairs.open(), pairs.extend(),
                                             best, call.progress.stop);
    for (std::size_t k = 0; k < best.size(); ++k)
      result[pieces[number][k].number] = adjusted(pieces[number][k], prepared, best[k]);
  });
}

void AdjustedScores::unmask_nearly_identical(std::vector<Job>& jobs, std::span<const Candidate> candidates,
                                             std::span<const Sequence> queries,
                                             std::vector<Sequence>& subjects, Call& call) const {
  if (!mask_subjects_) return;
  std::vector<Job*> found;
  std::vector<SequenceSet::Index> unmasked;           // of which a copy without masks is wanted, each once
  std::vector<std::uint32_t> twins(subjects.size());  // their places, by those of the masked ones; 0: none
  for (Job& job : jobs) {
    const Candidate& candidate = candidates[job.number];
    const std::int64_t own = std::min(queries[job.query].own, subjects[job.subject].own);
    const bool nearly_identical = own > 0 && candidate.score >= kNearlyIdentical * static_cast<double>(own);
    if (!nearly_identical || !subjects[job.subject].has_masked) continue;
    found.push_back(&job);
    if (twins[job.subject] > 0) continue;
    twins[job.subject] = static_cast<std::uint32_t>(subjects.size() + unmasked.size());
    unmasked.push_back(candidate.pair.subject);
  }
  for (Job* job : found) job->subject = twins[job->subject];
  for (Sequence& one : prepared(subjects_, unmasked, false, call)) subjects.push_back(std::move(one));
}

void AdjustedScores::remove(std::vector<Job>& jobs, std::span<const char> marked) {
  std::size_t left = 0;
  for (std::size_t k = 0; k < jobs.size(); ++k)
    if (!marked[k]) jobs[left++] = jobs[k];
  jobs.resize(left);
}

// By query, the longest subjects of a query first.
void AdjustedScores::sort(std::vector<Job>& jobs, const Prepared& prepared, Call& call) {
  if (!std::ranges::is_sorted(jobs, {}, &Job::query)) std::ranges::stable_sort(jobs, {}, &Job::query);
  std::vector<std::span<Job>> of_queries;
  for (std::size_t begin = 0; begin < jobs.size();) {
    std::size_t end = begin + 1;
    while (end < jobs.size() && jobs[end].query == jobs[begin].query) ++end;
    of_queries.push_back(std::span(jobs).subspan(begin, end - begin));
    begin = end;
  }
  call.threads.for_each(of_queries.size(), [&](std::size_t number) {
    const auto length = [&](const Job& job) { return prepared.subjects[job.subject].codes.size(); };
    std::ranges::stable_sort(of_queries[number], std::ranges::greater{}, length);
  });
}

void AdjustedScores::score_on_devices(std::vector<Job>& jobs, const Prepared& prepared, Call& call,
                                      std::span<std::optional<double>> result) const {
  if (jobs.empty()) return;
  std::vector<std::span<const Residue>> queries, subjects;
  for (const Sequence& query : prepared.queries) queries.emplace_back(query.codes);
  for (const Sequence& subject : prepared.subjects) subjects.emplace_back(subject.codes);
  Residue highest = 0;
  for (const std::span<const Sequence> side : {prepared.queries, prepared.subjects})
    for (const Sequence& sequence : side) highest = std::max(highest, sequence.highest);
  DeviceScores devices({queries, subjects, highest + 1}, factor() * scoring_.open, factor() * scoring_.extend,
                       call);
  if (devices.count() == 0) return;
  constexpr std::size_t kTogether = 1 << 12, kUnderWay = 3;  // pairs of a batch, and batches of a device
  const std::size_t most = std::min(kTogether, jobs.size());
  // The matrices of one batch more are made meanwhile.
  struct UnderWay {
    DeviceScores::Batch batch;
    ThreadPool::Task task;
  };
  std::vector<char> done(jobs.size());
  std::deque<UnderWay> all;
  for (std::size_t k = 0; k <= kUnderWay * devices.count() && k * kTogether < jobs.size(); ++k)
    all.push_back({DeviceScores::Batch(devices, most), {}});
  for (std::size_t begin = 0, number = 0; begin < jobs.size(); begin += kTogether, ++number) {
    UnderWay& one = all[number % all.size()];
    if (one.task.valid()) one.task.wait();
    const std::size_t size = std::min(kTogether, jobs.size() - begin);
    const std::span<const Job> of_batch = std::span(jobs).subspan(begin, size);
    one.batch.begin(number, size);
    make_matrices(of_batch, prepared, call, one.batch);
    one.task = call.threads.start(
        [this, of_batch, &prepared, &one, result, marks = std::span(done).subspan(begin, size)] {
          score_batch(of_batch, prepared, one.batch, result, marks);
        });
  }
  for (UnderWay& one : all)
    if (one.task.valid()) one.task.wait();
  remove(jobs, done);
}

void AdjustedScores::make_matrices(std::span<const Job> jobs, const Prepared& prepared, Call& call,
                                   DeviceScores::Batch& batch) const {
  constexpr std::size_t kPiece = 32;
  for_each_piece(jobs.size(), kPiece, call, [&](std::size_t begin, std::size_t end_of_piece) {
    while (begin < end_of_piece) {
      const std::size_t most = std::min<std::size_t>(end_of_piece, begin + stats::kMostPairs);
      std::size_t end = begin + 1;
      while (end < most && jobs[end].query == jobs[begin].query) ++end;
      const SideBySide pairs(*this, jobs.subspan(begin, end - begin), prepared, call);
      for (std::size_t k = begin; k < end; ++k)
        batch.set(k, {jobs[k].query, jobs[k].subject}, pairs.scores(k - begin));
      begin = end;
    }
  });
}

void AdjustedScores::score_batch(std::span<const Job> jobs, const Prepared& prepared,
                                 const DeviceScores::Batch& batch, std::span<std::optional<double>> result,
                                 std::span<char> done) const {
  std::vector<std::size_t> numbers = batch.taken();
  if (std::isfinite(prepared.limit)) {
    const std::vector<std::int32_t> coarse = batch.coarse_scores(numbers);
    if (coarse.empty()) return;
    std::vector<std::size_t> left;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const bool may = may_pass_by_coarse(jobs[numbers[k]], prepared, coarse[k]);
      done[numbers[k]] = may ? 0 : 1;
      if (may) left.push_back(numbers[k]);
    }
    numbers = std::move(left);
  }
  const std::vector<std::int32_t> best = batch.scores(numbers);
  for (std::size_t k = 0; k < best.size(); ++k) {
    const Job& job = jobs[numbers[k]];
    done[numbers[k]] = 1;
    result[job.number] = adjusted(job, prepared, best[k]);
  }
}

double AdjustedScores::adjusted(const Job& job, const Prepared& prepared, std::int32_t score) const {
  return worth(job, prepared) * static_cast<double>(score) / factor();
}

bool AdjustedScores::may_pass_by_coarse(const Job& job, const Prepared& prepared, std::int32_t score) const {
  return score == PairScorer::kUnknownScore ||
         may_pass(prepared.candidates[job.number], adjusted(job, prepared, score),
                  kCoarseFactor * prepared.limit);
}

void AdjustedScores::leave_out_by_prediction(std::vector<Job>& jobs, const Prepared& prepared,
                                             Call& call) const {
  if (!adjuster_) return;
  std::vector<stats::MatrixAdjuster::ScaleTerms> terms;
  for (const Sequence& query : prepared.queries) terms.push_back(adjuster_->scale_terms(query.frequencies));
  constexpr std::size_t kPiece = 1000;
  const double most = kPredictedFactor * widened(prepared.limit);
  std::vector<char> hopeless(jobs.size());
  for_each_piece(jobs.size(), kPiece, call, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const Candidate& candidate = prepared.candidates[jobs[k].number];
      const double scale = stats::MatrixAdjuster::predicted_scale(
          terms[jobs[k].query], prepared.subjects[jobs[k].subject].frequencies);
      hopeless[k] = !may_pass(candidate, scale * candidate.score, most);
    }
  });
  remove(jobs, hopeless);
}

void AdjustedScores::leave_out_by_coarse_score(std::vector<Job>& jobs, const Prepared& prepared,
                                               Call& call) const {
  if (!std::isfinite(prepared.limit)) return;
  const std::vector<std::span<const Job>> pieces =
      by_query(jobs, prepared, make_pair_scorer(call.isa)->side_by_side_coarse());
  std::vector<char> hopeless(jobs.size());
  call.threads.for_each(pieces.size(), [&](std::size_t number) {
    const SideBySide pairs(*this, pieces[number], prepared, call);
    std::vector<std::int32_t> best(pieces[number].size());
    make_pair_scorer(call.isa)->coarse_scores(pairs.query(), pairs.subjects(), pairs.open(), pairs.extend(),
                                              best, call.progress.stop);
    for (std::size_t k = 0; k < best.size(); ++k) {
      const Job& job = pieces[number][k];
      hopeless[static_cast<std::size_t>(&job - jobs.data())] = !may_pass_by_coarse(job, prepared, best[k]);
    }
  });
  remove(jobs, hopeless);
}

std::vector<std::span<const AdjustedScores::Job>> AdjustedScores::by_query(std::span<const Job> jobs,
                                                                           const Prepared& prepared,
                                                                           std::size_t most) {
  std::vector<std::span<const Job>> pieces;
  for (std::size_t begin = 0; begin < jobs.size();) {
    std::size_t end = begin + 1;
    while (end < jobs.size() && end - begin < most && jobs[end].query == jobs[begin].query) ++end;
    pieces.push_back(jobs.subspan(begin, end - begin));
    begin = end;
  }
  const auto cells = [&](std::span<const Job> piece) {
    std::uint64_t columns = 0;
    for (const Job& job : piece) columns += prepared.subjects[job.subject].codes.size();
    return columns * prepared.queries[piece.front().query].codes.size();
  };
  std::ranges::stable_sort(pieces, std::ranges::greater{}, cells);
  return pieces;
}

}  // namespace alnus::engine
