#include "engine/adjusted_scores.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "alnus/error.h"
#include "core/dust.h"
#include "core/seg.h"
#include "engine/registry.h"

namespace alnus::engine {
namespace {

// SEG's parameters for the subjects of blastp's second pass (Schaffer et al. 2001, Nucleic Acids Res.
// 29:2994). They mask 3% of the residues of real proteins; the parameters of `--mask seg` mask 8%.
constexpr Seg::Parameters kMildSeg{.window = 10, .trigger = 1.8, .extension = 2.1};

// The queries of some candidates, or their subjects: each once, in the order of their set.
struct Distinct {
  std::vector<SequenceSet::Index> sequences;
  std::vector<std::uint32_t> places;  // by index in the set: place in `sequences`; 0 for other sequences
};

// Returns the queries or the subjects, as `side` says, of the candidates whose numbers are in `kept`. `all`:
// the number of sequences in the set of these queries or subjects.
Distinct distinct(std::span<const AdjustedScores::Candidate> candidates, std::span<const std::uint32_t> kept,
                  SequenceSet::Index IndexPair::*side, SequenceSet::Index all) {
  Distinct result{{}, std::vector<std::uint32_t>(all)};
  for (const std::uint32_t number : kept) result.places[candidates[number].pair.*side] = 1;
  for (SequenceSet::Index index = 0; index < all; ++index) {
    if (result.places[index] == 0) continue;
    result.places[index] = static_cast<std::uint32_t>(result.sequences.size());
    result.sequences.push_back(index);
  }
  return result;
}

// Most candidates that are prepared together. It bounds the memory of their prepared sequences.
constexpr std::size_t kMostTogether = 1 << 19;

// Candidates or rescorings that a thread takes at a time in loops that do little work for each.
constexpr std::size_t kPiece = 1000;

bool is_dna(const Scoring& scoring) { return scoring.matrix.alphabet() == AlphabetKind::dna; }

// Returns the code of a masked residue. For proteins it is X. For nucleotides it is a code of its own, so
// that N keeps its scores, and a pair in which nothing is masked keeps its score.
Residue code_of_masked(AlphabetKind kind) {
  const Alphabet& alphabet = Alphabet::of(kind);
  return kind == AlphabetKind::dna ? static_cast<Residue>(alphabet.size()) : alphabet.encode('X');
}

}  // namespace

struct AdjustedScores::Sequence {
  std::span<const Residue> codes;  // without case, masked residues replaced
  std::vector<Residue> copy;       // memory of `codes`; empty if `codes` points into the set
  std::int64_t own = 0;            // self score by the stated matrix, nothing masked, in units of 1/scale
  Residue highest = 0;             // the highest code in `codes`
  bool has_masked = false;
  Frequencies frequencies;
  stats::BaseFrequencies bases;
};

struct AdjustedScores::Sequences {
  std::vector<Sequence> queries, subjects;
};

// A candidate to score: its number in Prepared::candidates, and the places of its sequences in
// Prepared::queries and Prepared::subjects.
struct AdjustedScores::Rescoring {
  std::uint32_t number = 0, query = 0, subject = 0;
};

// The candidates that are scored together, and their prepared sequences.
struct AdjustedScores::Prepared {
  std::span<const Candidate> candidates;
  double limit = 0;  // largest E-value of a hit
  std::span<const Sequence> queries, subjects;
};

AdjustedScores::AdjustedScores(const SequenceSet& queries, const SequenceSet& subjects,
                               const Scoring& scoring, const ResolvedStatistics& options)
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
  if (adjuster_) {
    adjustment_ = adjuster_->adjustment();
    return;
  }
  PairScores stated;
  for (std::size_t q = 0; q < kMaxLetters; ++q)
    for (std::size_t s = 0; s < kMaxLetters; ++s)
      stated[s * kMaxLetters + q] =
          q == masked_ || s == masked_
              ? -scoring.scale
              : scoring.matrix.value(static_cast<Residue>(q), static_cast<Residue>(s));
  adjustment_ = stats::no_adjustment(stated);
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

double AdjustedScores::worth(const Rescoring& rescoring, const Prepared& prepared) const {
  if (!scale_) return 1;
  return scale_->worth(prepared.queries[rescoring.query].bases, prepared.subjects[rescoring.subject].bases);
}

void AdjustedScores::take_known(std::vector<Rescoring>& rescorings, const Prepared& prepared,
                                std::span<std::optional<double>> result) const {
  if (adjuster_ || mask_subjects_) return;
  std::vector<char> known(rescorings.size());
  for (std::size_t k = 0; k < rescorings.size(); ++k) {
    if (prepared.queries[rescorings[k].query].has_masked) continue;
    known[k] = 1;
    result[rescorings[k].number] =
        worth(rescorings[k], prepared) * prepared.candidates[rescorings[k].number].score;
  }
  remove(rescorings, known);
}

bool AdjustedScores::may_pass(const Candidate& candidate, double score, double limit) const {
  const std::size_t length = subjects_.length(candidate.pair.subject);
  return candidate.judge == nullptr || length == 0 || candidate.judge->of(score, length).evalue <= limit;
}

std::vector<std::optional<double>> AdjustedScores::of(std::span<const Candidate> candidates, double limit,
                                                      CallState& call) const {
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
                                                               bool masked, CallState& call) const {
  std::vector<Sequence> result(sequences.size());
  constexpr std::size_t kSequences = 32;
  call.for_each_piece(result.size(), kSequences, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
      result[k] = prepared(set.residues(sequences[k]), masked, call.progress.stop);
  });
  return result;
}

std::vector<std::uint32_t> AdjustedScores::kept_numbers(std::span<const Candidate> candidates, double limit,
                                                        CallState& call) const {
  const double most = candidate_evalue(options_, scoring_, limit);
  std::vector<char> kept(candidates.size());
  call.for_each_piece(candidates.size(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) kept[k] = may_pass(candidates[k], candidates[k].score, most);
  });
  std::vector<std::uint32_t> numbers;
  numbers.reserve(candidates.size());
  for (std::uint32_t k = 0; k < candidates.size(); ++k)
    if (kept[k]) numbers.push_back(k);
  return numbers;
}

std::vector<AdjustedScores::Rescoring> AdjustedScores::rescorings_of(std::span<const Candidate> candidates,
                                                                     std::span<const std::uint32_t> kept,
                                                                     Sequences& sequences,
                                                                     CallState& call) const {
  const Distinct rows = distinct(candidates, kept, &IndexPair::query, queries_.size()),
                 columns = distinct(candidates, kept, &IndexPair::subject, subjects_.size());
  sequences.queries = prepared(queries_, rows.sequences, mask_queries_, call);
  sequences.subjects = prepared(subjects_, columns.sequences, mask_subjects_, call);
  std::vector<Rescoring> rescorings(kept.size());
  call.for_each_piece(kept.size(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const IndexPair& pair = candidates[kept[k]].pair;
      rescorings[k] = {kept[k], rows.places[pair.query], columns.places[pair.subject]};
    }
  });
  unmask_nearly_identical(rescorings, candidates, sequences.queries, sequences.subjects, call);
  return rescorings;
}

void AdjustedScores::score(std::span<const Candidate> candidates, double limit, CallState& call,
                           std::span<std::optional<double>> result) const {
  Sequences sequences;
  std::vector<Rescoring> rescorings =
      rescorings_of(candidates, kept_numbers(candidates, limit, call), sequences, call);
  const Prepared prepared{candidates, limit, sequences.queries, sequences.subjects};
  take_known(rescorings, prepared, result);
  leave_out_by_prediction(rescorings, prepared, call);
  sort(rescorings, prepared, call);
  score_on_devices(rescorings, prepared, call, result);
  leave_out_by_coarse_score(rescorings, prepared, call);
  const std::vector<std::span<const Rescoring>> pieces =
      by_query(rescorings, prepared, make_pair_scorer(call.isa)->side_by_side());
  call.threads.for_each(pieces.size(), [&](std::size_t number) {
    const std::vector<std::int32_t> best =
        side_by_side(pieces[number], prepared, &PairScorer::local_scores, call);
    for (std::size_t k = 0; k < best.size(); ++k)
      result[pieces[number][k].number] = adjusted(pieces[number][k], prepared, best[k]);
  });
}

std::vector<std::int32_t> AdjustedScores::side_by_side(std::span<const Rescoring> rescorings,
                                                       const Prepared& prepared,
                                                       decltype(&PairScorer::local_scores) score,
                                                       CallState& call) const {
  call.progress.stop.throw_if_requested();
  const Sequence& query = prepared.queries[rescorings.front().query];
  const std::vector<PairScores> matrices = matrices_of(rescorings, prepared);
  std::vector<ScoredSubject> subjects;
  for (std::size_t k = 0; k < rescorings.size(); ++k)
    subjects.push_back({prepared.subjects[rescorings[k].subject].codes,
                        adjustment_.adjusts ? matrices[k] : adjustment_.others});
  std::vector<std::int32_t> best(rescorings.size());
  (make_pair_scorer(call.isa).get()->*score)(query.codes, subjects, factor() * scoring_.open,
                                             factor() * scoring_.extend, best, call.progress.stop);
  return best;
}

std::vector<PairScores> AdjustedScores::matrices_of(std::span<const Rescoring> rescorings,
                                                    const Prepared& prepared) const {
  if (!adjustment_.adjusts) return {};
  std::vector<const Frequencies*> frequencies;
  for (const Rescoring& rescoring : rescorings)
    frequencies.push_back(&prepared.subjects[rescoring.subject].frequencies);
  std::vector<PairScores> matrices(rescorings.size());
  stats::make_matrices(adjustment_, prepared.queries[rescorings.front().query].frequencies, frequencies,
                       matrices);
  return matrices;
}

std::vector<double> AdjustedScores::within(std::span<const Part> parts, CallState& call) const {
  const ThreadPool::Permit permit(call.threads, call.progress.stop);
  std::vector<double> result(parts.size());
  for (std::size_t first = 0; first < parts.size(); first += kMostTogether) {
    const std::span<const Part> some = parts.subspan(first, std::min(kMostTogether, parts.size() - first));
    std::vector<Candidate> candidates;
    for (const Part& part : some) candidates.push_back({part.pair, part.best});
    std::vector<std::uint32_t> all(some.size());
    std::iota(all.begin(), all.end(), 0U);
    Sequences sequences;
    const std::vector<Rescoring> rescorings = rescorings_of(candidates, all, sequences, call);
    const Prepared prepared{candidates, std::numeric_limits<double>::infinity(), sequences.queries,
                            sequences.subjects};
    std::vector<std::size_t> begins;  // of the parts of each pair, which share a matrix
    for (std::size_t k = 0; k < some.size(); ++k)
      if (k == 0 || some[k].pair != some[k - 1].pair) begins.push_back(k);
    call.threads.for_each(begins.size(), [&](std::size_t number) {
      const std::size_t begin = begins[number],
                        end = number + 1 < begins.size() ? begins[number + 1] : some.size();
      const std::vector<PairScores> matrix = matrices_of({&rescorings[begin], 1}, prepared);
      const std::unique_ptr<PairScorer> scorer = make_pair_scorer(call.isa);
      for (std::size_t k = begin; k < end; ++k) {
        const std::int32_t score =
            score_within(some[k], rescorings[k], prepared, matrix, *scorer, call.progress.stop);
        result[first + k] = adjusted(rescorings[k], prepared, score);
      }
    });
  }
  return result;
}

std::int32_t AdjustedScores::score_within(const Part& part, const Rescoring& rescoring,
                                          const Prepared& prepared, std::span<const PairScores> matrix,
                                          PairScorer& scorer, const StopFlag& stop) const {
  stop.throw_if_requested();
  const Sequence &query = prepared.queries[rescoring.query], &subject = prepared.subjects[rescoring.subject];
  if (!adjuster_ && !mask_subjects_ && !query.has_masked) return part.score;
  std::vector<ResiduePair> barred = part.barred ? part.barred() : std::vector<ResiduePair>{};
  for (ResiduePair& pair : barred) {
    pair.query -= part.query.begin;
    pair.subject -= part.subject.begin;
  }
  const ScoredSubject scored{subject.codes.subspan(part.subject.begin, part.subject.size()),
                             adjustment_.adjusts ? matrix.front() : adjustment_.others, barred};
  std::int32_t best = 0;
  scorer.local_scores(query.codes.subspan(part.query.begin, part.query.size()), {&scored, 1},
                      factor() * scoring_.open, factor() * scoring_.extend, {&best, 1}, stop);
  return best;
}

void AdjustedScores::unmask_nearly_identical(std::vector<Rescoring>& rescorings,
                                             std::span<const Candidate> candidates,
                                             std::span<const Sequence> queries,
                                             std::vector<Sequence>& subjects, CallState& call) const {
  if (!mask_subjects_) return;
  std::vector<char> found(rescorings.size());
  call.for_each_piece(rescorings.size(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const Sequence &query = queries[rescorings[k].query], &subject = subjects[rescorings[k].subject];
      const std::int64_t own = std::min(query.own, subject.own);
      found[k] = subject.has_masked && own > 0 &&
                 candidates[rescorings[k].number].score >= kNearlyIdentical * static_cast<double>(own);
    }
  });
  std::vector<SequenceSet::Index> unmasked;           // subjects to copy without masks, each once
  std::vector<std::uint32_t> twins(subjects.size());  // by place of a subject: its copy's place; 0: none
  for (std::size_t k = 0; k < rescorings.size(); ++k) {
    if (!found[k]) continue;
    std::uint32_t& twin = twins[rescorings[k].subject];
    if (twin == 0) {
      twin = static_cast<std::uint32_t>(subjects.size() + unmasked.size());
      unmasked.push_back(candidates[rescorings[k].number].pair.subject);
    }
    rescorings[k].subject = twin;
  }
  for (Sequence& one : prepared(subjects_, unmasked, false, call)) subjects.push_back(std::move(one));
}

void AdjustedScores::remove(std::vector<Rescoring>& rescorings, std::span<const char> marked) {
  std::size_t left = 0;
  for (std::size_t k = 0; k < rescorings.size(); ++k)
    if (!marked[k]) rescorings[left++] = rescorings[k];
  rescorings.resize(left);
}

void AdjustedScores::sort(std::vector<Rescoring>& rescorings, const Prepared& prepared, CallState& call) {
  if (!std::ranges::is_sorted(rescorings, {}, &Rescoring::query))
    std::ranges::stable_sort(rescorings, {}, &Rescoring::query);
  std::vector<std::span<Rescoring>> of_queries;
  for (std::size_t begin = 0; begin < rescorings.size();) {
    std::size_t end = begin + 1;
    while (end < rescorings.size() && rescorings[end].query == rescorings[begin].query) ++end;
    of_queries.push_back(std::span(rescorings).subspan(begin, end - begin));
    begin = end;
  }
  call.threads.for_each(of_queries.size(), [&](std::size_t number) {
    const auto length = [&](const Rescoring& rescoring) {
      return prepared.subjects[rescoring.subject].codes.size();
    };
    std::ranges::stable_sort(of_queries[number], std::ranges::greater{}, length);
  });
}

void AdjustedScores::score_on_devices(std::vector<Rescoring>& rescorings, const Prepared& prepared,
                                      CallState& call, std::span<std::optional<double>> result) const {
  const auto on_host = [](const Device* device) { return device->info().computes_on_host; };
  if (rescorings.empty() || std::ranges::all_of(call.devices, on_host)) return;
  std::vector<std::span<const Residue>> queries, subjects;
  std::vector<Frequencies> of_queries, of_subjects;
  Residue highest = 0;
  const auto show = [&](std::span<const Sequence> side, std::vector<std::span<const Residue>>& codes,
                        std::vector<Frequencies>& frequencies) {
    for (const Sequence& sequence : side) {
      codes.emplace_back(sequence.codes);
      if (adjuster_) frequencies.push_back(sequence.frequencies);
      highest = std::max(highest, sequence.highest);
    }
  };
  show(prepared.queries, queries, of_queries);
  show(prepared.subjects, subjects, of_subjects);
  DeviceScores devices({queries, subjects, of_queries, of_subjects, &adjustment_, highest + 1},
                       factor() * scoring_.open, factor() * scoring_.extend, call);
  if (devices.count() == 0) return;
  // Rescorings of a batch; batches that a device works on at a time.
  constexpr std::size_t kTogether = 1 << 14, kUnderWay = 3;
  std::vector<char> done(rescorings.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&](std::size_t device) {
    try {
      for (;;) {
        const std::size_t begin = next.fetch_add(kTogether);
        if (begin >= rescorings.size()) return;
        const std::size_t size = std::min(kTogether, rescorings.size() - begin);
        if (!score_batch(std::span(rescorings).subspan(begin, size), prepared, devices, device, result,
                         std::span(done).subspan(begin, size)))
          return;
      }
    } catch (...) {
      next = rescorings.size();  // the other tasks begin no further batch
      throw;
    }
  };
  std::vector<ThreadPool::Task> tasks;
  for (std::size_t k = 0; k < kUnderWay * devices.count() && k * kTogether < rescorings.size(); ++k)
    tasks.push_back(call.threads.start([&work, device = k % devices.count()] { work(device); }));
  {
    const ThreadPool::Pause pause(call.threads, call.progress.stop);  // devices do most of the work
    for (ThreadPool::Task& task : tasks) task.wait();
  }
  remove(rescorings, done);
}

bool AdjustedScores::score_batch(std::span<const Rescoring> rescorings, const Prepared& prepared,
                                 DeviceScores& devices, std::size_t device,
                                 std::span<std::optional<double>> result, std::span<char> done) const {
  std::vector<std::size_t> numbers;
  std::vector<MatrixPairs::Pair> pairs;
  const auto add = [&](std::size_t number) {
    const MatrixPairs::Pair pair{rescorings[number].query, rescorings[number].subject};
    if (!devices.takes(pair)) return;
    numbers.push_back(number);
    pairs.push_back(pair);
  };
  for (std::size_t k = 0; k < rescorings.size(); ++k) add(k);
  if (std::isfinite(prepared.limit)) {
    const std::vector<std::int32_t> coarse = devices.coarse_scores(device, pairs);
    if (coarse.size() < pairs.size()) return false;
    pairs.clear();
    for (std::size_t k = 0; const std::size_t number : std::exchange(numbers, {})) {
      const bool may = may_pass_by_coarse(rescorings[number], prepared, coarse[k++]);
      done[number] = may ? 0 : 1;
      if (may) add(number);
    }
  }
  const std::vector<std::int32_t> best = devices.scores(device, pairs);
  for (std::size_t k = 0; k < best.size(); ++k) {
    if (best[k] == PairScorer::kUnknownScore) continue;
    const Rescoring& rescoring = rescorings[numbers[k]];
    done[numbers[k]] = 1;
    result[rescoring.number] = adjusted(rescoring, prepared, best[k]);
  }
  return best.size() == pairs.size();
}

double AdjustedScores::adjusted(const Rescoring& rescoring, const Prepared& prepared,
                                std::int32_t score) const {
  return worth(rescoring, prepared) * static_cast<double>(score) / factor();
}

bool AdjustedScores::may_pass_by_coarse(const Rescoring& rescoring, const Prepared& prepared,
                                        std::int32_t score) const {
  return score == PairScorer::kUnknownScore ||
         may_pass(prepared.candidates[rescoring.number], adjusted(rescoring, prepared, score),
                  kCoarseFactor * prepared.limit);
}

void AdjustedScores::leave_out_by_prediction(std::vector<Rescoring>& rescorings, const Prepared& prepared,
                                             CallState& call) const {
  if (!adjuster_) return;
  std::vector<stats::MatrixAdjuster::ScaleTerms> terms;
  for (const Sequence& query : prepared.queries) terms.push_back(adjuster_->scale_terms(query.frequencies));
  const double most = kPredictedFactor * widened(prepared.limit);
  std::vector<char> hopeless(rescorings.size());
  call.for_each_piece(rescorings.size(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const Candidate& candidate = prepared.candidates[rescorings[k].number];
      const double scale = stats::MatrixAdjuster::predicted_scale(
          terms[rescorings[k].query], prepared.subjects[rescorings[k].subject].frequencies);
      hopeless[k] = !may_pass(candidate, scale * candidate.score, most);
    }
  });
  remove(rescorings, hopeless);
}

void AdjustedScores::leave_out_by_coarse_score(std::vector<Rescoring>& rescorings, const Prepared& prepared,
                                               CallState& call) const {
  if (!std::isfinite(prepared.limit)) return;
  const std::vector<std::span<const Rescoring>> pieces =
      by_query(rescorings, prepared, make_pair_scorer(call.isa)->side_by_side_coarse());
  std::vector<char> hopeless(rescorings.size());
  call.threads.for_each(pieces.size(), [&](std::size_t number) {
    const std::vector<std::int32_t> best =
        side_by_side(pieces[number], prepared, &PairScorer::coarse_scores, call);
    for (std::size_t k = 0; k < best.size(); ++k) {
      const Rescoring& rescoring = pieces[number][k];
      hopeless[static_cast<std::size_t>(&rescoring - rescorings.data())] =
          !may_pass_by_coarse(rescoring, prepared, best[k]);
    }
  });
  remove(rescorings, hopeless);
}

std::vector<std::span<const AdjustedScores::Rescoring>> AdjustedScores::by_query(
    std::span<const Rescoring> rescorings, const Prepared& prepared, std::size_t most) {
  std::vector<std::span<const Rescoring>> pieces;
  for (std::size_t begin = 0; begin < rescorings.size();) {
    std::size_t end = begin + 1;
    while (end < rescorings.size() && end - begin < most && rescorings[end].query == rescorings[begin].query)
      ++end;
    pieces.push_back(rescorings.subspan(begin, end - begin));
    begin = end;
  }
  const auto cells = [&](std::span<const Rescoring> piece) {
    std::uint64_t columns = 0;
    for (const Rescoring& rescoring : piece) columns += prepared.subjects[rescoring.subject].codes.size();
    return columns * prepared.queries[piece.front().query].codes.size();
  };
  std::ranges::stable_sort(pieces, std::ranges::greater{}, cells);
  return pieces;
}

}  // namespace alnus::engine
