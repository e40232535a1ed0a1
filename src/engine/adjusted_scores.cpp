#include "engine/adjusted_scores.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <utility>

#include "alnus/error.h"
#include "engine/device_scores.h"
#include "engine/registry.h"

namespace alnus::engine {
namespace {

// Most candidates that are scored together; fewer if their sequences are prepared for them, which bounds the
// memory of these.
constexpr std::size_t kMostTogether = 1 << 21, kMostPrepared = 1 << 19;

// Candidates or rescorings that a thread takes at a time in loops that do little work for each.
constexpr std::size_t kPiece = 1000;

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

bool must_unmask(const PreparedSequence& query, const PreparedSequence& subject, std::int32_t score) {
  const std::int64_t own = std::min(query.own, subject.own);
  return subject.has_masked && own > 0 && score >= kNearlyIdentical * static_cast<double>(own);
}

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
  // Prepares the candidates that pass the first test (kCandidateFactor), or all if they are known to.
  Group(const AdjustedScores& scores, std::span<const Candidate> candidates, Tests tests, double limit,
        CallState& call)
      : scores_(scores),
        candidates_(candidates),
        tests_(tests),
        limit_(limit),
        call_(call),
        factor_(scores.adjuster() ? scores.adjuster()->factor() : 1),
        rescorings_(candidates.size()) {
    for (std::uint32_t k = 0; k < candidates.size(); ++k) rescorings_[k].number = k;
    if (tests == Tests::all) leave_out_by_unadjusted_score();
    prepare_queries();
    prepare_subjects();
    if (scores.preparer_.masks_subjects()) unmask_nearly_identical();
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
    for (const PreparedSequence* query : queries_)
      terms.push_back(scores_.adjuster()->scale_terms(query->frequencies));
    std::vector<double> scales(rescorings_.size());
    call_.for_each(scales.size(), kPiece, [&](std::size_t k) {
      scales[k] = stats::MatrixAdjuster::predicted_scale(terms[rescorings_[k].query],
                                                         subject_of(rescorings_[k]).frequencies);
    });
    return scales;
  }

 private:
  // A candidate to score: its number in candidates_, and the places of its sequences in queries_ and
  // subjects_.
  struct Rescoring {
    std::uint32_t number = 0, query = 0, subject = 0;
  };

  // True if the candidate's E-value with this score is at most `limit`, or if the candidate has no E-value:
  // no judge, or an empty subject.
  bool may_pass(const Candidate& candidate, double score, double limit) const {
    const std::size_t length = scores_.subjects_.length(candidate.pair.subject);
    return candidate.judge == nullptr || length == 0 ||
           evalue_may_pass(*candidate.judge, score, length, limit);
  }

  const PreparedSequence& query_of(const Rescoring& rescoring) const { return *queries_[rescoring.query]; }
  const PreparedSequence& subject_of(const Rescoring& rescoring) const {
    return *subjects_[rescoring.subject];
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

  void leave_out_by_unadjusted_score() {
    const double most = candidate_evalue(scores_.options_, scores_.scoring_, limit_);
    remove(marks([&](const Rescoring& rescoring) {
      const Candidate& candidate = candidates_[rescoring.number];
      return !may_pass(candidate, candidate.score, most);
    }));
  }

  // Returns the queries or the subjects, as `side` says, of the rescorings: each once, in the order of their
  // set. Sets their places in the rescorings.
  std::vector<SequenceSet::Index> each_once(const SequenceSet& set, SequenceSet::Index IndexPair::*side,
                                            std::uint32_t Rescoring::*place) {
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
    return sequences;
  }

  void prepare_queries() {
    const std::vector<SequenceSet::Index> wanted =
        each_once(scores_.queries_, &IndexPair::query, &Rescoring::query);
    add(wanted, scores_.queries_, scores_.preparer_.masks_queries(), &KeptSequences::query, queries_);
  }

  void prepare_subjects() {
    const std::vector<SequenceSet::Index> wanted =
        each_once(scores_.subjects_, &IndexPair::subject, &Rescoring::subject);
    add(wanted, scores_.subjects_, scores_.preparer_.masks_subjects(), &KeptSequences::subject, subjects_);
  }

  // Appends these sequences of the set, prepared for scoring, to `side`: those that `kept` returns, if the
  // call keeps its sequences, and otherwise those that it prepares. `masked`: with their regions of low
  // complexity masked.
  void add(std::span<const SequenceSet::Index> sequences, const SequenceSet& set, bool masked,
           const PreparedSequence& (KeptSequences::*kept)(SequenceSet::Index) const,
           std::vector<const PreparedSequence*>& side) {
    const std::size_t before = side.size();
    side.resize(before + sequences.size());
    std::vector<PreparedSequence>& own = own_.emplace_back(scores_.kept_ ? 0 : sequences.size());
    constexpr std::size_t kSequences = 32;
    call_.for_each(sequences.size(), kSequences, [&](std::size_t k) {
      if (scores_.kept_) {
        side[before + k] = &(scores_.kept_->*kept)(sequences[k]);
        return;
      }
      own[k] = scores_.preparer_.prepared(set.residues(sequences[k]), masked, call_.progress.stop);
      side[before + k] = &own[k];
    });
  }

  // Nearly identical pairs (kNearlyIdentical) are no chance hits, whatever their letters. Appends unmasked
  // copies of their subjects to subjects_, and makes their rescorings use the copies.
  void unmask_nearly_identical() {
    const std::vector<char> found = marks([&](const Rescoring& rescoring) {
      return must_unmask(query_of(rescoring), subject_of(rescoring), candidates_[rescoring.number].score);
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
    add(unmasked, scores_.subjects_, false, &KeptSequences::unmasked, subjects_);
  }

  // True if every pair whose query has nothing masked keeps its score, times worth().
  bool keeps_scores() const { return !scores_.adjuster() && !scores_.preparer_.masks_subjects(); }

  // The factor, 0 to 1, that scales the second score of the pair (stats::PairScale::worth); 1 if scores
  // are not scaled.
  double worth(const Rescoring& rescoring) const {
    const std::optional<stats::PairScale>& scale = scores_.preparer_.scale();
    return scale ? scale->worth(query_of(rescoring).bases, subject_of(rescoring).bases) : 1;
  }

  // Converts a second score to the adjusted score in units of 1/scale, scaled by worth().
  double adjusted(const Rescoring& rescoring, std::int32_t score) const {
    return worth(rescoring) * static_cast<double>(score) / factor_;
  }

  // Finishes and removes rescorings that need no second score.
  void take_known(std::span<std::optional<double>> result) {
    if (!keeps_scores()) return;
    remove(marks([&](const Rescoring& rescoring) {
      if (query_of(rescoring).has_masked) return false;
      result[rescoring.number] = worth(rescoring) * candidates_[rescoring.number].score;
      return true;
    }));
  }

  // Removes the rescorings that fail the test by the predicted score.
  void leave_out_by_prediction() {
    if (!scores_.adjuster() || tests_ != Tests::all || !std::isfinite(limit_)) return;
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
    const auto length = [&](const Rescoring& rescoring) { return subject_of(rescoring).codes.size(); };
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
    const auto show = [&](std::span<const PreparedSequence* const> side,
                          std::vector<std::span<const Residue>>& codes,
                          std::vector<Frequencies>& frequencies) {
      for (const PreparedSequence* sequence : side) {
        codes.emplace_back(sequence->codes);
        if (scores_.adjuster()) frequencies.push_back(sequence->frequencies);
        highest = std::max(highest, sequence->highest);
      }
    };
    show(queries_, queries, of_queries);
    show(subjects_, subjects, of_subjects);
    DeviceScores devices({queries, subjects, of_queries, of_subjects, &scores_.adjustment_, highest + 1},
                         open(), extend(), call_);
    if (devices.count() == 0) return;
    // Batches in all, rescorings of a batch, and batches that are under way for each device at a time.
    constexpr std::size_t kBatches = 16, kFewest = 1 << 14, kMost = 1 << 16, kUnderWay = 6;
    const std::size_t together = std::clamp(rescorings_.size() / kBatches, kFewest, kMost);
    std::vector<char> done(rescorings_.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&](std::size_t device) {
      try {
        for (;;) {
          const std::size_t begin = next.fetch_add(together);
          if (begin >= rescorings_.size()) return;
          const std::size_t size = std::min(together, rescorings_.size() - begin);
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
    for (std::size_t k = 0; k < kUnderWay * devices.count() && k * together < rescorings_.size(); ++k)
      tasks.push_back(call_.start([&work, device = k % devices.count()] { work(device); }));
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
      for (const Rescoring& rescoring : piece) columns += subject_of(rescoring).codes.size();
      return columns * query_of(piece.front()).codes.size();
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
      subjects.push_back({subject_of(rescorings[k]).codes,
                          scores_.adjustment_.adjusts ? matrices[k] : scores_.adjustment_.others});
    std::vector<std::int32_t> best(rescorings.size());
    (make_pair_scorer(call_.isa).get()->*score)(query_of(rescorings.front()).codes, subjects, open(),
                                                extend(), best, call_.progress.stop);
    return best;
  }

  // Returns the matrices of the pairs of some rescorings of one query; none if matrices are not adjusted.
  std::vector<PairScores> matrices_of(std::span<const Rescoring> rescorings) const {
    if (!scores_.adjustment_.adjusts) return {};
    std::vector<const Frequencies*> frequencies;
    for (const Rescoring& rescoring : rescorings) frequencies.push_back(&subject_of(rescoring).frequencies);
    std::vector<PairScores> matrices(rescorings.size());
    stats::make_matrices(scores_.adjustment_, query_of(rescorings.front()).frequencies, frequencies,
                         matrices);
    return matrices;
  }

  // Scores the rectangle of a part, which a rescoring names, by its pair's matrix: that of matrices_of().
  std::int32_t score_within(const Part& part, const Rescoring& rescoring, std::span<const PairScores> matrix,
                            PairScorer& scorer) const {
    call_.progress.stop.throw_if_requested();
    const PreparedSequence &query = query_of(rescoring), &subject = subject_of(rescoring);
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
  const Tests tests_;
  const double limit_;  // largest E-value of a hit
  CallState& call_;
  // How many units of a second score make one unit of 1/scale, in which first scores are. It is above 1 only
  // for matrices that are adjusted, because their scores are finer (MatrixAdjuster::factor()).
  const std::int32_t factor_;
  std::vector<Rescoring> rescorings_;
  std::vector<const PreparedSequence*> queries_, subjects_;
  std::list<std::vector<PreparedSequence>> own_;  // memory of those that are not kept
};

AdjustedScores::AdjustedScores(const SequenceSet& queries, const SequenceSet& subjects,
                               const Scoring& scoring, const ResolvedStatistics& options,
                               const KeptSequences* kept)
    : queries_(queries),
      subjects_(subjects),
      scoring_(scoring),
      options_(options),
      preparer_(scoring, options),
      kept_(kept) {
  if (adjuster()) {
    adjustment_ = adjuster()->adjustment();
    return;
  }
  const Residue masked = preparer_.masked();
  PairScores stated;
  for (std::size_t q = 0; q < kMaxLetters; ++q)
    for (std::size_t s = 0; s < kMaxLetters; ++s)
      stated[s * kMaxLetters + q] =
          q == masked || s == masked ? -scoring.scale
                                     : scoring.matrix.value(static_cast<Residue>(q), static_cast<Residue>(s));
  adjustment_ = stats::no_adjustment(stated);
}

std::vector<std::optional<double>> AdjustedScores::of(std::span<const Candidate> candidates, double limit,
                                                      CallState& call, Tests tests) const {
  const ThreadPool::Permit permit(call.threads, call.progress.stop);
  std::vector<std::optional<double>> result(candidates.size());
  const std::size_t most = kept_ != nullptr ? kMostTogether : kMostPrepared;
  for (std::size_t first = 0; first < candidates.size(); first += most) {
    const std::size_t count = std::min(most, candidates.size() - first);
    Group group(*this, candidates.subspan(first, count), tests, limit, call);
    group.score(std::span(result).subspan(first, count));
  }
  return result;
}

std::vector<double> AdjustedScores::predicted_scales(std::span<const Candidate> candidates,
                                                     CallState& call) const {
  std::vector<double> result;
  if (!adjuster()) return result;
  for (std::size_t first = 0; first < candidates.size(); first += kMostPrepared) {
    const std::size_t count = std::min(kMostPrepared, candidates.size() - first);
    const Group group(*this, candidates.subspan(first, count), Tests::all,
                      std::numeric_limits<double>::infinity(), call);
    std::ranges::copy(group.predicted_scales(), std::back_inserter(result));
  }
  return result;
}

std::vector<double> AdjustedScores::within(std::span<const Part> parts, CallState& call) const {
  const ThreadPool::Permit permit(call.threads, call.progress.stop);
  std::vector<double> result(parts.size());
  for (std::size_t first = 0; first < parts.size(); first += kMostPrepared) {
    const std::size_t count = std::min(kMostPrepared, parts.size() - first);
    std::vector<Candidate> candidates;
    for (const Part& part : parts.subspan(first, count)) candidates.push_back({part.pair, part.best});
    const Group group(*this, candidates, Tests::all, std::numeric_limits<double>::infinity(), call);
    group.score_parts(parts.subspan(first, count), std::span(result).subspan(first, count));
  }
  return result;
}

}  // namespace alnus::engine
