#include "engine/adjusted_scores.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "alnus/error.h"
#include "core/dust.h"
#include "core/seg.h"
#include "engine/device_scores.h"
#include "engine/registry.h"

namespace alnus::engine {
namespace {

// SEG's parameters for the subjects of blastp's second pass (Schaffer et al. 2001, Nucleic Acids Res.
// 29:2994). They mask 3% of the residues of real proteins; the parameters of `--mask seg` mask 8%.
constexpr Seg::Parameters kMildSeg{.window = 10, .trigger = 1.8, .extension = 2.1};

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

// Cuts elements into pieces: of consecutive elements with equal keys, and of at most `most` elements.
template <typename Element, typename Key>
std::vector<std::span<Element>> cut(std::span<Element> elements, const Key& key,
                                    std::size_t most = std::numeric_limits<std::size_t>::max()) {
  const auto same = [&](const Element& a, const Element& b) {
    return std::invoke(key, a) == std::invoke(key, b);
  };
  std::vector<std::span<Element>> pieces;
  for (std::size_t begin = 0; begin < elements.size();) {
    std::size_t end = begin + 1;
    while (end < elements.size() && end - begin < most && same(elements[begin], elements[end])) ++end;
    pieces.push_back(elements.subspan(begin, end - begin));
    begin = end;
  }
  return pieces;
}

}  // namespace

void raise_to_candidates(const SequenceSet& queries, const SequenceSet& subjects,
                         std::span<const stats::ScoreJudgePtr> judges, const ResolvedStatistics& options,
                         const Scoring& scoring, double limit, const StopFlag& stop,
                         std::span<std::int32_t> lowest) {
  if (subjects.empty()) return;
  std::uint64_t shortest = std::numeric_limits<std::uint64_t>::max();
  for (SequenceSet::Index j = 0; j < subjects.size(); ++j)
    shortest = std::min<std::uint64_t>(shortest, subjects.length(j));
  const double most = candidate_evalue(options, scoring, limit);
  // The lowest scores by length: sequences of equal length have different ones only if composition counts.
  std::map<std::size_t, std::int32_t> of_length;
  for (SequenceSet::Index i = 0; i < lowest.size(); ++i) {
    stop.throw_if_requested();
    if (!judges[i]) continue;
    if (options.composition == Composition::scale) of_length.clear();
    const auto [known, is_new] = of_length.try_emplace(queries.length(i));
    if (is_new) known->second = judges[i]->lowest_score(most, shortest, subjects.longest());
    lowest[i] = std::max(lowest[i], known->second);
  }
}

// Candidates that are scored together, and their prepared sequences.
class AdjustedScores::Group {
 public:
  // Prepares the candidates that pass the first test (kCandidateFactor).
  Group(const AdjustedScores& scores, std::span<const Candidate> candidates, double limit, CallState& call)
      : scores_(scores),
        candidates_(candidates),
        limit_(limit),
        call_(call),
        factor_(scores.adjuster_ ? scores.adjuster_->factor() : 1),
        rescorings_(candidates.size()) {
    for (std::uint32_t k = 0; k < candidates.size(); ++k) rescorings_[k].number = k;
    const double most = candidate_evalue(scores.options_, scores.scoring_, limit);
    remove(marks([&](const Rescoring& rescoring) {
      const Candidate& candidate = candidates_[rescoring.number];
      return !may_pass(candidate, candidate.score, most);
    }));
    queries_ = prepare(scores.queries_, &IndexPair::query, &Rescoring::query, scores.mask_queries_);
    subjects_ = prepare(scores.subjects_, &IndexPair::subject, &Rescoring::subject, scores.mask_subjects_);
    if (scores.mask_subjects_) unmask_nearly_identical();
  }

  // Does of() for the candidates. `result`: null for each of them at first.
  void score(std::span<std::optional<double>> result) {
    take_known(result);
    leave_out_by_prediction();
    sort();
    score_on_devices(result);
    leave_out_by_coarse_score();
    score_on_cpu(&PairScorer::side_by_side, &PairScorer::local_scores,
                 [&](const Rescoring& rescoring, std::int32_t best) {
                   result[rescoring.number] = adjusted(rescoring, best);
                 });
  }

  // Does within(). parts[k] belongs to candidate k, which has no judge, so that no rescoring has been
  // removed. The parts of a pair follow each other.
  void score_parts(std::span<const Part> parts, std::span<double> result) const {
    const std::vector<std::span<const Part>> of_pairs = cut(parts, &Part::pair);
    call_.threads.for_each(of_pairs.size(), [&](std::size_t number) {
      const auto begin = static_cast<std::size_t>(of_pairs[number].data() - parts.data());
      const std::vector<PairScores> matrix = matrices_of({&rescorings_[begin], 1});
      const std::unique_ptr<PairScorer> scorer = make_pair_scorer(call_.isa);
      for (std::size_t k = begin; k < begin + of_pairs[number].size(); ++k)
        result[k] = adjusted(rescorings_[k], score_within(parts[k], rescorings_[k], matrix, *scorer));
    });
  }

  // Returns the predicted scale of each rescoring. Matrices must be adjusted.
  std::vector<double> predicted_scales() const {
    std::vector<stats::MatrixAdjuster::ScaleTerms> terms;
    for (const Sequence& query : queries_) terms.push_back(scores_.adjuster_->scale_terms(query.frequencies));
    std::vector<double> scales(rescorings_.size());
    call_.for_each(scales.size(), kPiece, [&](std::size_t k) {
      scales[k] = stats::MatrixAdjuster::predicted_scale(terms[rescorings_[k].query],
                                                         subjects_[rescorings_[k].subject].frequencies);
    });
    return scales;
  }

 private:
  struct Sequence {
    std::span<const Residue> codes;  // without case, masked residues replaced
    std::vector<Residue> copy;       // memory of `codes`; empty if `codes` points into the set
    std::int64_t own = 0;            // self score by the stated matrix, nothing masked, in units of 1/scale
    Residue highest = 0;             // the highest code in `codes`
    bool has_masked = false;
    Frequencies frequencies{};
    stats::BaseFrequencies bases{};
  };

  // A candidate to score: its number in candidates_, and the places of its sequences in queries_ and
  // subjects_.
  struct Rescoring {
    std::uint32_t number = 0, query = 0, subject = 0;
  };

  // True if the candidate's E-value with this score is at most `limit`, or if the candidate has no E-value:
  // no judge, or an empty subject.
  bool may_pass(const Candidate& candidate, double score, double limit) const {
    const std::size_t length = scores_.subjects_.length(candidate.pair.subject);
    return candidate.judge == nullptr || length == 0 || candidate.judge->of(score, length).evalue <= limit;
  }

  // Returns test(rescoring) for each rescoring, computed on the threads of the call.
  template <typename Test>
  std::vector<char> marks(const Test& test) const {
    std::vector<char> result(rescorings_.size());
    call_.for_each(result.size(), kPiece, [&](std::size_t k) { result[k] = test(rescorings_[k]); });
    return result;
  }

  // Removes the rescorings with a non-zero mark.
  void remove(std::span<const char> marked) {
    std::size_t left = 0;
    for (std::size_t k = 0; k < rescorings_.size(); ++k)
      if (!marked[k]) rescorings_[left++] = rescorings_[k];
    rescorings_.resize(left);
  }

  // Prepares the queries or the subjects, as `side` says, of the rescorings: each once, in the order of their
  // set. Sets their places in the rescorings.
  std::vector<Sequence> prepare(const SequenceSet& set, SequenceSet::Index IndexPair::*side,
                                std::uint32_t Rescoring::*place, bool masked) {
    const auto index_of = [&](const Rescoring& rescoring) {
      return candidates_[rescoring.number].pair.*side;
    };
    std::vector<std::uint32_t> places(set.size());  // by index in the set; 0 for other sequences
    for (const Rescoring& rescoring : rescorings_) places[index_of(rescoring)] = 1;
    std::vector<SequenceSet::Index> sequences;
    for (SequenceSet::Index index = 0; index < set.size(); ++index) {
      if (places[index] == 0) continue;
      places[index] = static_cast<std::uint32_t>(sequences.size());
      sequences.push_back(index);
    }
    call_.for_each(rescorings_.size(), kPiece,
                   [&](std::size_t k) { rescorings_[k].*place = places[index_of(rescorings_[k])]; });
    return prepared(set, sequences, masked);
  }

  // Prepares sequences for scoring: codes without case, self scores and compositions; `masked`: with their
  // regions of low complexity masked.
  std::vector<Sequence> prepared(const SequenceSet& set, std::span<const SequenceSet::Index> sequences,
                                 bool masked) const {
    std::vector<Sequence> result(sequences.size());
    constexpr std::size_t kSequences = 32;
    call_.for_each(result.size(), kSequences,
                   [&](std::size_t k) { result[k] = prepared(set.residues(sequences[k]), masked); });
    return result;
  }

  Sequence prepared(std::span<const Residue> residues, bool masked) const {
    Sequence result;
    for (const Residue residue : residues)
      result.own += scores_.scoring_.matrix.value(residue & kCodeMask, residue & kCodeMask);
    result.codes = residues;
    const std::vector<Region> regions = masked ? low_complexity(residues) : std::vector<Region>{};
    result.has_masked = !regions.empty();
    const auto has_case = [](Residue residue) { return (residue & kCodeMask) != residue; };
    if (result.has_masked || std::ranges::any_of(residues, has_case)) {
      result.copy.resize(residues.size());
      std::ranges::transform(residues, result.copy.begin(),
                             [](Residue residue) { return static_cast<Residue>(residue & kCodeMask); });
      for (const Region& region : regions)
        std::fill_n(result.copy.begin() + static_cast<std::ptrdiff_t>(region.begin), region.size(),
                    scores_.masked_);
      result.codes = result.copy;
    }
    if (!result.codes.empty()) result.highest = std::ranges::max(result.codes);
    if (scores_.adjuster_) result.frequencies = scores_.adjuster_->frequencies(result.codes);
    if (scores_.scale_) result.bases = scores_.scale_->frequencies(result.codes);
    return result;
  }

  std::vector<Region> low_complexity(std::span<const Residue> residues) const {
    Seg seg(kMildSeg, call_.progress.stop);
    Dust dust(call_.progress.stop);
    const std::span<const Region> found = is_dna(scores_.scoring_) ? dust.find(residues) : seg.find(residues);
    return {found.begin(), found.end()};
  }

  // Nearly identical pairs (kNearlyIdentical) are no chance hits, whatever their letters. Appends unmasked
  // copies of their subjects to subjects_, and makes their rescorings use the copies.
  void unmask_nearly_identical() {
    const std::vector<char> found = marks([&](const Rescoring& rescoring) {
      const Sequence &query = queries_[rescoring.query], &subject = subjects_[rescoring.subject];
      const std::int64_t own = std::min(query.own, subject.own);
      return subject.has_masked && own > 0 &&
             candidates_[rescoring.number].score >= kNearlyIdentical * static_cast<double>(own);
    });
    std::vector<SequenceSet::Index> unmasked;            // subjects to copy without masks, each once
    std::vector<std::uint32_t> twins(subjects_.size());  // by place of a subject: its copy's place; 0: none
    for (std::size_t k = 0; k < rescorings_.size(); ++k) {
      if (!found[k]) continue;
      std::uint32_t& twin = twins[rescorings_[k].subject];
      if (twin == 0) {
        twin = static_cast<std::uint32_t>(subjects_.size() + unmasked.size());
        unmasked.push_back(candidates_[rescorings_[k].number].pair.subject);
      }
      rescorings_[k].subject = twin;
    }
    for (Sequence& one : prepared(scores_.subjects_, unmasked, false)) subjects_.push_back(std::move(one));
  }

  // True if every pair whose query has nothing masked keeps its score, times worth().
  bool keeps_scores() const { return !scores_.adjuster_ && !scores_.mask_subjects_; }

  // The factor, 0 to 1, that scales the second score of the pair (stats::PairScale::worth); 1 without scale_.
  double worth(const Rescoring& rescoring) const {
    if (!scores_.scale_) return 1;
    return scores_.scale_->worth(queries_[rescoring.query].bases, subjects_[rescoring.subject].bases);
  }

  // Converts a second score to the adjusted score in units of 1/scale, scaled by worth().
  double adjusted(const Rescoring& rescoring, std::int32_t score) const {
    return worth(rescoring) * static_cast<double>(score) / factor_;
  }

  // Finishes and removes rescorings that need no second score.
  void take_known(std::span<std::optional<double>> result) {
    if (!keeps_scores()) return;
    remove(marks([&](const Rescoring& rescoring) {
      if (queries_[rescoring.query].has_masked) return false;
      result[rescoring.number] = worth(rescoring) * candidates_[rescoring.number].score;
      return true;
    }));
  }

  // Removes the rescorings that fail the test by the predicted score.
  void leave_out_by_prediction() {
    if (!scores_.adjuster_) return;
    const std::vector<double> scales = predicted_scales();
    const double most = predicted_evalue(limit_);
    remove(marks([&](const Rescoring& rescoring) {
      const Candidate& candidate = candidates_[rescoring.number];
      const double scale = scales[static_cast<std::size_t>(&rescoring - rescorings_.data())];
      return !may_pass(candidate, scale * candidate.score, most);
    }));
  }

  // Sorts rescorings by query, and the rescorings of one query by decreasing length of their subjects.
  void sort() {
    if (!std::ranges::is_sorted(rescorings_, {}, &Rescoring::query))
      std::ranges::stable_sort(rescorings_, {}, &Rescoring::query);
    const std::vector<std::span<Rescoring>> of_queries = cut(std::span(rescorings_), &Rescoring::query);
    const auto length = [&](const Rescoring& rescoring) { return subjects_[rescoring.subject].codes.size(); };
    call_.threads.for_each(of_queries.size(), [&](std::size_t number) {
      std::ranges::stable_sort(of_queries[number], std::ranges::greater{}, length);
    });
  }

  // Scores on the call's GPUs the rescorings that they take (DeviceScores::takes), or drops them by their
  // coarse scores, and removes both kinds from the rescorings, which must be sorted. A GPU that fails leaves
  // its rescorings to the CPU.
  void score_on_devices(std::span<std::optional<double>> result) {
    const auto on_host = [](const Device* device) { return device->info().computes_on_host; };
    if (rescorings_.empty() || std::ranges::all_of(call_.devices, on_host)) return;
    std::vector<std::span<const Residue>> queries, subjects;
    std::vector<Frequencies> of_queries, of_subjects;
    Residue highest = 0;
    const auto show = [&](std::span<const Sequence> side, std::vector<std::span<const Residue>>& codes,
                          std::vector<Frequencies>& frequencies) {
      for (const Sequence& sequence : side) {
        codes.emplace_back(sequence.codes);
        if (scores_.adjuster_) frequencies.push_back(sequence.frequencies);
        highest = std::max(highest, sequence.highest);
      }
    };
    show(queries_, queries, of_queries);
    show(subjects_, subjects, of_subjects);
    DeviceScores devices({queries, subjects, of_queries, of_subjects, &scores_.adjustment_, highest + 1},
                         open(), extend(), call_);
    if (devices.count() == 0) return;
    // Rescorings of a batch; batches that a device works on at a time.
    constexpr std::size_t kTogether = 1 << 14, kUnderWay = 3;
    std::vector<char> done(rescorings_.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&](std::size_t device) {
      try {
        for (;;) {
          const std::size_t begin = next.fetch_add(kTogether);
          if (begin >= rescorings_.size()) return;
          const std::size_t size = std::min(kTogether, rescorings_.size() - begin);
          if (!score_batch(std::span(rescorings_).subspan(begin, size), devices, device, result,
                           std::span(done).subspan(begin, size)))
            return;
        }
      } catch (...) {
        next = rescorings_.size();  // the other tasks begin no further batch
        throw;
      }
    };
    std::vector<ThreadPool::Task> tasks;
    for (std::size_t k = 0; k < kUnderWay * devices.count() && k * kTogether < rescorings_.size(); ++k)
      tasks.push_back(call_.threads.start([&work, device = k % devices.count()] { work(device); }));
    {
      const ThreadPool::Pause pause(call_.threads, call_.progress.stop);  // devices do most of the work
      for (ThreadPool::Task& task : tasks) task.wait();
    }
    remove(done);
  }

  // Scores rescorings on device number `device`. Sets done[k] for each rescoring that was scored, or dropped
  // by its coarse score. Returns false if the device has failed.
  bool score_batch(std::span<const Rescoring> rescorings, DeviceScores& devices, std::size_t device,
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
    if (std::isfinite(limit_)) {
      const std::vector<std::int32_t> coarse = devices.coarse_scores(device, pairs);
      if (coarse.size() < pairs.size()) return false;
      pairs.clear();
      for (std::size_t k = 0; const std::size_t number : std::exchange(numbers, {})) {
        const bool may = may_pass_by_coarse(rescorings[number], coarse[k++]);
        done[number] = may ? 0 : 1;
        if (may) add(number);
      }
    }
    const std::vector<std::int32_t> best = devices.scores(device, pairs);
    for (std::size_t k = 0; k < best.size(); ++k) {
      if (best[k] == PairScorer::kUnknownScore) continue;
      const Rescoring& rescoring = rescorings[numbers[k]];
      done[numbers[k]] = 1;
      result[rescoring.number] = adjusted(rescoring, best[k]);
    }
    return best.size() == pairs.size();
  }

  // True if a pair with this coarse second score passes the third test, or if the score is unknown
  // (PairScorer::kUnknownScore).
  bool may_pass_by_coarse(const Rescoring& rescoring, std::int32_t score) const {
    return score == PairScorer::kUnknownScore ||
           may_pass(candidates_[rescoring.number], adjusted(rescoring, score), kCoarseFactor * limit_);
  }

  // Removes the rescorings, which must be sorted, that fail the test by the coarse second score.
  void leave_out_by_coarse_score() {
    if (!std::isfinite(limit_)) return;
    std::vector<char> hopeless(rescorings_.size());
    score_on_cpu(&PairScorer::side_by_side_coarse, &PairScorer::coarse_scores,
                 [&](const Rescoring& rescoring, std::int32_t best) {
                   hopeless[static_cast<std::size_t>(&rescoring - rescorings_.data())] =
                       !may_pass_by_coarse(rescoring, best);
                 });
    remove(hopeless);
  }

  // Scores the rescorings, which must be sorted, on the CPU, by this function of a PairScorer, and calls
  // use(rescoring, best score). `together`: tells how many rescorings of one query to score together. Those
  // with the most cells come first.
  template <typename Use>
  void score_on_cpu(decltype(&PairScorer::side_by_side) together, decltype(&PairScorer::local_scores) score,
                    const Use& use) const {
    const std::size_t most = (make_pair_scorer(call_.isa).get()->*together)();
    std::vector<std::span<const Rescoring>> pieces = cut(std::span(rescorings_), &Rescoring::query, most);
    const auto cells = [&](std::span<const Rescoring> piece) {
      std::uint64_t columns = 0;
      for (const Rescoring& rescoring : piece) columns += subjects_[rescoring.subject].codes.size();
      return columns * queries_[piece.front().query].codes.size();
    };
    std::ranges::stable_sort(pieces, std::ranges::greater{}, cells);
    call_.threads.for_each(pieces.size(), [&](std::size_t number) {
      const std::vector<std::int32_t> best = side_by_side(pieces[number], score);
      for (std::size_t k = 0; k < best.size(); ++k) use(pieces[number][k], best[k]);
    });
  }

  // Scores some rescorings of one query together, each with its subject's matrix.
  std::vector<std::int32_t> side_by_side(std::span<const Rescoring> rescorings,
                                         decltype(&PairScorer::local_scores) score) const {
    call_.progress.stop.throw_if_requested();
    const std::vector<PairScores> matrices = matrices_of(rescorings);
    std::vector<ScoredSubject> subjects;
    for (std::size_t k = 0; k < rescorings.size(); ++k)
      subjects.push_back({subjects_[rescorings[k].subject].codes,
                          scores_.adjustment_.adjusts ? matrices[k] : scores_.adjustment_.others});
    std::vector<std::int32_t> best(rescorings.size());
    (make_pair_scorer(call_.isa).get()->*score)(queries_[rescorings.front().query].codes, subjects, open(),
                                                extend(), best, call_.progress.stop);
    return best;
  }

  // Returns the matrices of the pairs of some rescorings of one query; none if matrices are not adjusted.
  std::vector<PairScores> matrices_of(std::span<const Rescoring> rescorings) const {
    if (!scores_.adjustment_.adjusts) return {};
    std::vector<const Frequencies*> frequencies;
    for (const Rescoring& rescoring : rescorings)
      frequencies.push_back(&subjects_[rescoring.subject].frequencies);
    std::vector<PairScores> matrices(rescorings.size());
    stats::make_matrices(scores_.adjustment_, queries_[rescorings.front().query].frequencies, frequencies,
                         matrices);
    return matrices;
  }

  // Scores the rectangle of a part, which a rescoring names, by its pair's matrix: that of matrices_of().
  std::int32_t score_within(const Part& part, const Rescoring& rescoring, std::span<const PairScores> matrix,
                            PairScorer& scorer) const {
    call_.progress.stop.throw_if_requested();
    const Sequence &query = queries_[rescoring.query], &subject = subjects_[rescoring.subject];
    if (keeps_scores() && !query.has_masked) return part.score;
    std::vector<ResiduePair> barred = part.barred ? part.barred() : std::vector<ResiduePair>{};
    for (ResiduePair& pair : barred) {
      pair.query -= part.query.begin;
      pair.subject -= part.subject.begin;
    }
    const ScoredSubject scored{subject.codes.subspan(part.subject.begin, part.subject.size()),
                               scores_.adjustment_.adjusts ? matrix.front() : scores_.adjustment_.others,
                               barred};
    std::int32_t best = 0;
    scorer.local_scores(query.codes.subspan(part.query.begin, part.query.size()), {&scored, 1}, open(),
                        extend(), {&best, 1}, call_.progress.stop);
    return best;
  }

  // The gap costs in units of second scores.
  std::int32_t open() const { return factor_ * scores_.scoring_.open; }
  std::int32_t extend() const { return factor_ * scores_.scoring_.extend; }

  const AdjustedScores& scores_;
  const std::span<const Candidate> candidates_;
  const double limit_;  // largest E-value of a hit
  CallState& call_;
  // How many units of a second score make one unit of 1/scale, in which first scores are. It is above 1 only
  // for matrices that are adjusted, because their scores are finer (MatrixAdjuster::factor()).
  const std::int32_t factor_;
  std::vector<Rescoring> rescorings_;
  std::vector<Sequence> queries_, subjects_;
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

std::vector<std::optional<double>> AdjustedScores::of(std::span<const Candidate> candidates, double limit,
                                                      CallState& call) const {
  const ThreadPool::Permit permit(call.threads, call.progress.stop);
  std::vector<std::optional<double>> result(candidates.size());
  for (std::size_t first = 0; first < candidates.size(); first += kMostTogether) {
    const std::size_t count = std::min(kMostTogether, candidates.size() - first);
    Group group(*this, candidates.subspan(first, count), limit, call);
    group.score(std::span(result).subspan(first, count));
  }
  return result;
}

std::vector<double> AdjustedScores::predicted_scales(std::span<const Candidate> candidates,
                                                     CallState& call) const {
  std::vector<double> result;
  if (!adjuster_) return result;
  for (std::size_t first = 0; first < candidates.size(); first += kMostTogether) {
    const std::size_t count = std::min(kMostTogether, candidates.size() - first);
    const Group group(*this, candidates.subspan(first, count), std::numeric_limits<double>::infinity(), call);
    std::ranges::copy(group.predicted_scales(), std::back_inserter(result));
  }
  return result;
}

std::vector<double> AdjustedScores::within(std::span<const Part> parts, CallState& call) const {
  const ThreadPool::Permit permit(call.threads, call.progress.stop);
  std::vector<double> result(parts.size());
  for (std::size_t first = 0; first < parts.size(); first += kMostTogether) {
    const std::size_t count = std::min(kMostTogether, parts.size() - first);
    std::vector<Candidate> candidates;
    for (const Part& part : parts.subspan(first, count)) candidates.push_back({part.pair, part.best});
    const Group group(*this, candidates, std::numeric_limits<double>::infinity(), call);
    group.score_parts(parts.subspan(first, count), std::span(result).subspan(first, count));
  }
  return result;
}

}  // namespace alnus::engine
