#include "cpu/lane_traces.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace alnus::cpu {
namespace {

std::int64_t bands(std::int64_t rows) { return (rows + kBandRows - 1) / kBandRows; }
std::int32_t band_of(const Traceback& traceback) { return (traceback.row() - 1) / kBandRows; }

// Returns the number of the path's strip. A strip is a band of one query's rows. Strips further down,
// towards the query's end, have higher numbers.
std::int32_t strip_of(const LanePath& path) { return 2 * band_of(path.traceback) + path.query; }

constexpr std::int32_t kBorders = 2;  // kinds of border left of a subject's first column: first band, others

std::int32_t columns_of(const InterseqJob& job) { return job.stops[job.stop_count - 1].block * kWideColumns; }

// Windows that one run of a kernel computes, one in each lane. A window is the rectangle of a pair's dynamic
// programming matrix that is computed again, with its trace, so that a path can be walked back through it.
// The class holds the kernel's job, the job's buffers, and the path that each lane's window belongs to.
class LaneWindows {
 public:
  LaneWindows(const LaneKernel& kernel, const InterseqJob& job, AlignedBuffer& buffer)
      : kernel_(kernel), from_(job), lanes_(static_cast<std::size_t>(kernel.lanes)), sources_(lanes_) {
    const std::size_t letters = kWindowColumns * lanes_, left = 2 * kBandRows * lanes_;
    const std::size_t trace =
        std::size_t{kWindowColumns} * kBandRows * static_cast<std::size_t>(kernel.trace_bytes);
    std::uint8_t* bytes = buffer.at_least(3 * letters + left + lanes_ + trace);
    std::memset(bytes, 0, 3 * letters + left + lanes_);
    job_.rules = job.rules;
    job_.used = job.used;
    job_.used_count = job.used_count;
    job_.scores = job.scores;
    job_.workspace = job.workspace;
    job_.sources = sources_.data();
    job_.problem_letters = job.letters;
    job_.checkpoints = job.checkpoints;
    job_.letters = bytes;
    job_.above = job_.letters + letters;
    job_.left = job_.above + 2 * letters;
    job_.second = second_ = job_.left + left;
    job_.trace = second_ + lanes_;
    for (const int band : {0, 1}) {
      for (std::size_t row = 0; row < kBandRows; ++row) {
        const std::int32_t u = job.rules.free_query_begin ? job.rules.extend
                               : band == 0 && row == 0    ? -job.rules.open
                                                          : 0;
        std::uint8_t* at = job.checkpoints.left + border(band) + 2 * row * lanes_;
        std::memset(at, u, lanes_);
        std::memset(at + lanes_, u - job.rules.open, lanes_);
      }
    }
  }

  // Starts a set of windows for paths in these two strips. The second strip may be -1: there is none.
  void begin(const std::int32_t (&strips)[2]) {
    taken_.clear();
    job_.rows = 0;
    for (int k = 0; k < 2; ++k) {
      strips_[k] = strips[k];
      const bool second = strips[k] % 2 != 0;
      const std::int32_t begin = strips[k] / 2 * kBandRows, end = second ? from_.second_rows : from_.rows;
      const std::int32_t rows = strips[k] < 0 ? 0 : std::min(kBandRows, end - begin);
      std::memset(query_[k], from_.used_count - 1, kBandRows);
      if (rows > 0)
        std::memcpy(query_[k], (second ? from_.second_query : from_.query) + begin,
                    static_cast<std::size_t>(rows));
      job_.query[k] = query_[k];
      job_.rows = std::max(job_.rows, rows);
    }
  }

  bool full() const { return taken_.size() == lanes_; }

  // Gives the path a lane and a window. The window has the rows of the path's band down to the path's row.
  // Its columns end at the path's column. They begin at a kept column, kBandRows columns or more before, so
  // that a diagonal path crosses the band; or at the subject's first column if it comes later.
  void take(LanePath& path) {
    const std::size_t lane = taken_.size();
    taken_.push_back(&path);
    const std::int32_t band = band_of(path.traceback);
    second_[lane] = strip_of(path) == strips_[0] ? 0 : 0xff;
    const std::int32_t stretch =
        std::max(0, path.first_column + path.traceback.column() - kBandRows) / kStretchColumns;
    const std::int32_t kept = stretch * kStretchColumns, begin = std::max(kept, path.first_column);
    path.window_begin = begin - path.first_column;

    const std::int32_t stride = kernel_.lanes;
    WindowSource& source = sources_[lane];
    source.rows = path.traceback.row() - band * kBandRows;
    source.columns = (path.traceback.column() - path.window_begin + 1) / 2 * 2;
    source.letters = begin * stride + path.lane;
    source.above = (band * columns_of(from_) + begin) * 2 * stride + path.lane;
    source.left =
        path.lane +
        (kept < path.first_column ? border(band) : (stretch * from_.rows + band * kBandRows) * 2 * stride);
  }

  // Computes the windows, and walks each path back to the edge of its window.
  void run() {
    job_.lanes_used = static_cast<std::int32_t>(taken_.size());
    kernel_.window(job_);
    for (std::size_t lane = 0; lane < taken_.size(); ++lane) walk(lane, *taken_[lane]);
  }

 private:
  void walk(std::size_t lane, LanePath& path) const {
    const std::int32_t row_begin = band_of(path.traceback) * kBandRows, column_begin = path.window_begin;
    path.traceback.walk({row_begin, column_begin}, [&](TraceBit bit, std::int32_t i, std::int32_t j) {
      const auto row = static_cast<std::uint32_t>(i - 1 - row_begin),
                 column = static_cast<std::uint32_t>(j - 1 - column_begin);
      const std::uint32_t cell =
          (column / kWideColumns * kBandRows + row) * kWideColumns + column % kWideColumns;
      return trace_has(bit, kernel_, job_.trace + cell * static_cast<std::uint32_t>(kernel_.trace_bytes),
                       static_cast<std::int32_t>(lane));
    });
  }

  // Returns the offset in bytes from Checkpoints::left of the border left of a subject's first column, in the
  // first band or in a lower one. These borders lie before the kept columns, so that the offset is negative.
  std::int32_t border(std::int32_t band) const {
    return (std::min(band, 1) - kBorders) * 2 * kBandRows * kernel_.lanes;
  }

  const LaneKernel& kernel_;
  const InterseqJob& from_;
  const std::size_t lanes_;
  std::vector<LanePath*> taken_;
  std::vector<WindowSource> sources_;
  WindowJob job_;
  std::int32_t strips_[2] = {};
  std::uint8_t query_[2][kBandRows];
  std::uint8_t* second_;
};

}  // namespace

std::uint64_t LaneTraces::checkpoint_bytes(const LaneKernel& kernel, std::int64_t rows,
                                           std::int64_t columns) {
  // kBorders + 1: kBandRows vectors more than borders need, since windows may read beyond the last row and
  // column.
  const std::int64_t vectors =
      bands(rows) * columns + (columns / kStretchColumns + 1) * rows + (kBorders + 1) * kBandRows;
  return static_cast<std::uint64_t>(2 * vectors * kernel.lanes);
}

Checkpoints LaneTraces::checkpoints(const LaneKernel& kernel, std::int32_t rows, std::int32_t columns) {
  Checkpoints kept;
  kept.above = checkpoints_.at_least(checkpoint_bytes(kernel, rows, columns));
  kept.left = kept.above + 2 * (bands(rows) * columns + kBorders * kBandRows) * kernel.lanes;
  return kept;
}

// Paths go up band by band. Each set of windows takes paths in the two lowest strips that have unfinished
// paths. So a path that needs several windows to cross its band delays no path of the next strip.
void LaneTraces::walk(const LaneKernel& kernel, const InterseqJob& job, std::span<LanePath> paths,
                      const StopFlag& stop_flag) {
  if (paths.empty()) return;
  LaneWindows windows(kernel, job, window_);
  std::vector<LanePath*> unfinished;
  for (LanePath& path : paths) unfinished.push_back(&path);
  const auto drop_finished = [&] {
    std::erase_if(unfinished, [](const LanePath* path) { return path->traceback.done(); });
  };
  for (drop_finished(); !unfinished.empty(); drop_finished()) {
    std::int32_t strips[2] = {-1, -1};
    for (const LanePath* path : unfinished) {
      const std::int32_t strip = strip_of(*path);
      if (strip > strips[0]) {
        strips[1] = strips[0];
        strips[0] = strip;
      } else if (strip < strips[0] && strip > strips[1]) {
        strips[1] = strip;
      }
    }
    windows.begin(strips);
    for (const std::int32_t strip : strips)
      for (LanePath* path : unfinished)
        if (strip_of(*path) == strip && !windows.full()) windows.take(*path);
    stop_flag.throw_if_requested();
    windows.run();
  }
}

}  // namespace alnus::cpu
