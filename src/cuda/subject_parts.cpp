#include "cuda/subject_parts.h"

#include <algorithm>
#include <utility>

#include "core/first_position.h"
#include "cuda/tuning.h"

namespace alnus::cuda {
namespace {

// Values of Part::stream. On the first stream the search goes on when all parts have ended.
constexpr std::uint32_t kFirst = 0, kSecond = 1, kThird = 2;

}  // namespace

Parts PartMaker::make(const PartsProblem& problem, const SortedSequences& sequences, const Slab& slab,
                      SlabRange subjects, std::uint32_t first_column) {
  const Input input{problem, sequences, slab, first_column};
  const std::uint32_t narrow_up_to = longest_narrow(input, input.longest(subjects));
  Parts parts;
  parts.all.reserve(kMostParts);
  parts.all.push_back(wide_part(input, subjects, narrow_up_to, kSecond));
  parts.narrow_begin = parts.all[0].subjects.end;
  const SlabRange narrow{parts.narrow_begin, subjects.end};
  // In a long run the shortest subjects are a part of their own, in smaller items, for thread blocks that
  // have nothing else to do.
  const std::uint32_t last = problem.cells >= kLongRunCells ? begin_of_last(input, narrow) : narrow.end;
  parts.all.push_back(narrow_part(input, {narrow.begin, last}, kFirst));
  parts.all.push_back(narrow_part(input, {last, narrow.end}, kSecond));
  if (!lacks_memory(parts.all)) return parts;

  const SlabRange wide = parts.all[0].subjects;
  const std::uint32_t middle = parts.all[0].boundary_entries > 0 ? best_cut(input, wide) : wide.end;
  parts.all.clear();
  parts.all.push_back(wide_part(input, {wide.begin, middle}, narrow_up_to, kSecond));
  parts.all.push_back(wide_part(input, {middle, wide.end}, narrow_up_to, kThird));
  parts.all.back().spread_items = 0;  // there are counters of Spread for one launch only
  parts.all.push_back(narrow_part(input, narrow, kFirst));
  fit(parts.all, input);
  return parts;
}

// True if the rows between the passes of these parts take too much memory.
bool PartMaker::lacks_memory(const std::vector<Part>& parts) const {
  std::uint64_t entries = 0;
  for (const Part& part : parts) entries += part.all_boundary_entries();
  return entries * sizeof(uint2) > bytes_of_rows_;
}

// True if the narrow shape would leave multiprocessors idle: with few lanes for each subject there are many
// subjects at a time, and memory may not suffice for the rows between their passes. `longest`: residues of
// the longest subject in the narrow part.
bool PartMaker::lacks_memory_for_narrow(const Input& input, std::uint32_t longest) {
  const PartsProblem& problem = input.problem;
  const Shape shape = choose_narrow(problem.packing, problem.queries);
  if (problem.queries.lengths.front() <= static_cast<unsigned>(shape.lanes * shape.rows)) return false;
  const Scores16Kernel kernel(problem.packing, shape, problem.goal, problem.extend, longest);
  return kernel.boundary_entries(longest) * sizeof(uint2) *
             occupancy_.blocks(kernel, problem.queries.letters) >
         bytes_of_rows_;
}

// Returns the most residues that a subject of a narrow part may have; longer ones are in a wide part.
// `longest`: residues of the longest subject of all.
std::uint32_t PartMaker::longest_narrow(const Input& input, std::uint32_t longest) {
  const PartsProblem& problem = input.problem;
  if (problem.shape) return problem.shape->lanes == kNarrowLanes ? UINT32_MAX : 0;
  const std::uint32_t above = wide_above(problem.cells, problem.queries.lengths.front());
  return lacks_memory_for_narrow(input, std::min(above, longest)) ? kWideAbove : above;
}

// Returns the first of the shortest subjects that together have the fraction kLastPart of the residues. A
// quad begins there.
std::uint32_t PartMaker::begin_of_last(const Input& input, SlabRange subjects) {
  const double most = kLastPart * input.residues(subjects);
  const std::uint32_t first = first_position(subjects, [&](std::uint32_t subject) {
    return input.residues({subject, subjects.end}) <= most;
  });
  return std::min((first + kSubjects - 1) / kSubjects * kSubjects, subjects.end);
}

// Returns where a wide part with these subjects is best cut in two, so that memory suffices for more thread
// blocks: each thread block has rows as long as the longest subject of its part. A quad begins there. The
// result is wide.end if no cut gains anything.
std::uint32_t PartMaker::best_cut(const Input& input, SlabRange wide) {
  // A part has thread blocks in proportion to its residues, and each has rows in proportion to the columns of
  // its longest subject.
  const auto rows_of = [&](SlabRange part) {
    return static_cast<double>(input.columns(input.longest(part))) * input.residues(part);
  };
  std::uint32_t best = wide.end;
  double least = rows_of(wide);
  for (std::uint32_t cut = (wide.begin / kSubjects + 1) * kSubjects; cut < wide.end; cut += kSubjects) {
    const double both = rows_of({wide.begin, cut}) + rows_of({cut, wide.end});
    if (both >= least) continue;
    best = cut;
    least = both;
  }
  return best;
}

// Makes a part of those of the subjects that have more than `narrow_up_to` residues. In general more lanes
// share a subject than in a narrow part.
Part PartMaker::wide_part(const Input& input, SlabRange subjects, std::uint32_t narrow_up_to,
                          std::uint32_t stream) {
  const PartsProblem& problem = input.problem;
  const std::uint32_t longest = input.longest(subjects);
  const auto columns = static_cast<double>(input.columns(longest));
  const Shape shape = problem.shape.value_or(choose_wide(problem.packing, problem.queries, columns));
  Part part{Scores16Kernel(problem.packing, shape, problem.wide_goal, problem.extend, longest), shape,
            subjects, stream};
  Strips strips = make_strips(input.slab.subjects, subjects, narrow_up_to, shape.lanes, problem.span);
  part.strips = std::move(strips.strips);
  for (Strip& strip : part.strips) strip.column += subjects.begin - input.first_column;
  part.strip_count = static_cast<std::uint32_t>(part.strips.size());
  part.subjects.end = strips.end;
  if (part.strip_count == 0) return part;
  choose_blocks(part, input, part.strips.front().length);
  // The longest items are spread over the multiprocessors (Spread) only if there are few items and one query
  // in a register: with many items each multiprocessor gets some of the longest ones anyway, and with two
  // queries in a register there are other queries to score meanwhile.
  const std::uint32_t per_item = part.kernel.strips_per_item(),
                      items = (part.strip_count + per_item - 1) / per_item *
                              static_cast<std::uint32_t>(part.chains.bins.size());
  if (problem.packing == Packing::two_subjects &&
      items <= kFewItemsPerBlock * static_cast<std::uint32_t>(part.blocks))
    part.spread_items = std::min(items, static_cast<std::uint32_t>(multiprocessors_));
  return part;
}

// Makes a part of all of these subjects, with few lanes each.
Part PartMaker::narrow_part(const Input& input, SlabRange subjects, std::uint32_t stream) {
  const PartsProblem& problem = input.problem;
  const Shape shape = problem.shape.value_or(choose_narrow(problem.packing, problem.queries));
  const std::uint32_t longest = input.longest(subjects);
  Part part{Scores16Kernel(problem.packing, shape, problem.goal, problem.extend, longest), shape, subjects,
            stream};
  if (subjects.size() == 0) return part;
  part.strip_count = (subjects.end - 1) / kSubjects - subjects.begin / kSubjects + 1;
  choose_blocks(part, input, longest);
  return part;
}

// Chooses the bins, so that all thread blocks are busy to the end, and the number of thread blocks.
void PartMaker::choose_blocks(Part& part, const Input& input, std::uint32_t longest) {
  const PartsProblem& problem = input.problem;
  const std::uint32_t grid = occupancy_.blocks(part.kernel, problem.queries.letters);
  const std::uint32_t per_item = part.kernel.strips_per_item(),
                      batches = (part.strip_count + per_item - 1) / per_item;
  part.chains =
      balanced_chains(problem.queries.lengths, problem.packing, part.shape, batches, grid, problem.goal);
  const std::uint64_t most = std::min<std::uint64_t>(std::uint64_t{batches} * part.chains.bins.size(), grid);
  const bool one_pass = std::ranges::all_of(part.chains.bins, [&](const Bin& bin) {
    return bin.blocks <= static_cast<unsigned>(part.shape.lanes);
  });
  if (!one_pass) part.boundary_entries = part.kernel.boundary_entries(longest);
  part.blocks = static_cast<int>(most);
}

// Reduces the thread blocks of parts that run side by side, if the rows between their passes take too much
// memory. Each part gets thread blocks in proportion to its residues, so that all end at about the same time.
void PartMaker::fit(std::vector<Part>& parts, const Input& input) const {
  if (!lacks_memory(parts)) return;
  double bytes = 0;  // if there were a thread block for each residue
  for (const Part& part : parts)
    bytes += static_cast<double>(part.boundary_entries * sizeof(uint2)) * input.residues(part.subjects);
  if (bytes == 0) return;
  const double blocks_of_residue = static_cast<double>(bytes_of_rows_) / bytes;
  for (Part& part : parts)
    if (part.boundary_entries > 0)
      part.blocks = std::clamp(static_cast<int>(blocks_of_residue * input.residues(part.subjects)),
                               std::min(part.blocks, 1), part.blocks);
}

}  // namespace alnus::cuda
