#include "cuda/long_subjects.h"

namespace alnus::cuda {

LongScores LongSubjects::cut(LongScores work) const {
  while (work.columns > 0 && bytes_of_long_scores(work) > memory_bytes_)
    work.columns = work.columns / 2 / kSubjects * kSubjects;
  return work;
}

void LongSubjects::reserve(LongScores& work) {
  work.workspace = work.columns > 0 ? workspace_.reserve(bytes_of_long_scores(work)) : nullptr;
}

void LongSubjects::launch(const LongScores& work, const Event& ready) {
  if (work.columns == 0) return;
  ready.hold(stream_);
  check(launch_long_scores(work, multiprocessors_, stream_), "the kernel score_passes");
  done_.record(stream_);
}

}  // namespace alnus::cuda
