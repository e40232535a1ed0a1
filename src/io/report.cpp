#include "io/report.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace alnus::io {
namespace {

// A piece is the text that one thread formats at a time. Its rows are whole hits, and take about kPieceBytes.
constexpr std::size_t kPieceBytes = 1 << 17;
constexpr std::size_t kNumberRow = 128;  // estimated bytes of a row without letters and titles
constexpr std::size_t kPieceRows = kPieceBytes / kNumberRow;

// How many pieces are formatted before threads wait for each other: 16 for each thread, but not more than
// 16 MiB of text, except that each thread has at least two.
std::size_t pieces_at_once(int threads) {
  constexpr std::size_t kMost = (1 << 24) / kPieceBytes;
  const auto count = static_cast<std::size_t>(threads);
  return std::max(2 * count, std::min(16 * count, kMost));
}

}  // namespace

// Hands the texts of pieces over in order, while other threads format the next pieces. If the pieces before
// are not written yet, a thread leaves its text to the thread that writes them.
class Report::OrderedWriting {
 public:
  OrderedWriting(Report& report, std::size_t pieces) : report_(report), done_(pieces) {}

  // Must be called once for each piece, by any thread.
  void piece_is_done(std::size_t piece) {
    std::unique_lock lock(mutex_);
    done_[piece] = true;
    if (std::exchange(writing_, true)) return;
    while (next_ < done_.size() && done_[next_]) {
      lock.unlock();
      report_.hand_over(*report_.writers_[next_]);
      lock.lock();
      ++next_;
    }
    writing_ = false;
  }

 private:
  Report& report_;
  std::mutex mutex_;
  std::vector<bool> done_;
  std::size_t next_ = 0;
  bool writing_ = false;  // stays true if writing failed, so that nothing is written behind a gap
};

Report::Report(const OutputFormat& format, ReportContext context, OutputFile& out)
    : context_(std::move(context)),
      out_(out),
      shows_letters_(format.needs_cigars() || format.needs_letters()) {
  check_format(format, out.path(), context_.detail, *context_.scoring);
  const std::size_t pieces = pieces_at_once(out.threads().threads());
  for (std::size_t k = 0; k < pieces; ++k) writers_.push_back(make_writer(format, context_));
}

void Report::begin() {
  writers_.front()->begin(out_);
  hand_over(*writers_.front());
}

void Report::end(std::uint64_t answers) {
  writers_.front()->end(answers);
  hand_over(*writers_.front());
}

std::size_t Report::worthwhile_rows() const { return kPieceRows * writers_.size(); }

void Report::write(std::span<const Answer> answers) {
  const Cursor end{answers.size(), 0};
  for (Cursor at; at != end;) {
    std::vector<Cursor> bounds{at};
    while (bounds.size() <= writers_.size() && bounds.back() != end)
      bounds.push_back(piece_end(answers, bounds.back()));
    const std::size_t pieces = bounds.size() - 1;
    at = bounds.back();
    if (pieces == 1) {
      format(answers, bounds[0], bounds[1], *writers_.front());
      hand_over(*writers_.front());
      continue;
    }
    OrderedWriting writing(*this, pieces);
    const ThreadPool::Permit permit(out_.threads());
    out_.threads().for_each(pieces, [&](std::size_t piece) {
      format(answers, bounds[piece], bounds[piece + 1], *writers_[piece]);
      writing.piece_is_done(piece);
    });
  }
}

Report::Cursor Report::piece_end(std::span<const Answer> answers, Cursor begin) const {
  std::size_t bytes = 0;
  for (Cursor at = begin; at.answer < answers.size(); at = {at.answer + 1, 0}) {
    const Answer& answer = answers[at.answer];
    if (at.row == 0) bytes += kNumberRow;
    for (; at.row < answer.rows.size(); ++at.row) {
      if (bytes >= kPieceBytes && at != begin && answer.rows.begins_hit(at.row)) return at;
      bytes += weight(answer, at.row);
    }
    if (bytes >= kPieceBytes) return {at.answer + 1, 0};
  }
  return {answers.size(), 0};
}

// Returns a rough estimate of a row's bytes: an alignment has at most as many columns as both sequences have
// residues, and reports show at most four lines of letters for it.
std::size_t Report::weight(const Answer& answer, std::size_t row) const {
  if (!shows_letters_) return kNumberRow;
  return kNumberRow + 4 * (answer.query.size() + context_.subjects->length(answer.rows.subject(row)));
}

void Report::format(std::span<const Answer> answers, Cursor begin, Cursor end, Writer& writer) const {
  for (std::size_t k = begin.answer; k <= end.answer && k < answers.size(); ++k) {
    const std::size_t first = k == begin.answer ? begin.row : 0;
    const std::size_t last = k == end.answer ? end.row : answers[k].rows.size();
    if (k < end.answer || last > 0) writer.write(answers[k], first, last);
  }
}

void Report::hand_over(Writer& writer) {
  out_.write(view(writer.text()));
  writer.text().clear();
}

}  // namespace alnus::io
