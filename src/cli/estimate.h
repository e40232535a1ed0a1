// What a run would cost: --dry-run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/device.h"
#include "io/writer.h"

namespace alnus::cli {

using Devices = std::vector<std::unique_ptr<Device>>;

struct Workload {
  const SequenceSet& queries;
  const SequenceSet& subjects;
  TileShape shape = TileShape::rectangle;  // rectangle or list
  std::span<const PairIndex> pairs;        // list only
  Problem problem;
  std::uint64_t rows = 0;  // of the output, at most
  // Of a rectangle, where not all of it is wanted.
  std::optional<std::uint64_t> pair_count{}, cells{};
  std::uint64_t other_bytes = 0;  // of outputs besides the rows
};

std::uint64_t count_pairs(const Workload& work);
std::uint64_t count_cells(const Workload& work);

// Lines "name: value": pairs, cells, seconds, rows, output bytes.
std::string describe_cost(const Workload& work, const io::OutputFormat& format, const Devices& devices);

}  // namespace alnus::cli
