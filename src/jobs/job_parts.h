// The parts of a job that are to be merged: finds them in files, checks that they are all parts of one job,
// and reads their chunks and sequences.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "alnus/parts.h"
#include "core/stop_flag.h"
#include "io/part_file.h"
#include "jobs/job.h"

namespace alnus::jobs {

// The place and the numbers of a part. Only the first part's job is kept, in Parts.
struct Part {
  PartPlace place;
  PartOfJob numbers;
  std::vector<Block> blocks;
};
struct Parts {
  Job job;
  std::vector<Part> all;            // sorted by number
  std::set<std::string> commits{};  // of the builds that computed the parts
};

// The places of all parts in these files.
std::vector<PartPlace> places_in(const std::vector<std::string>& paths, const StopFlag& stop);

// Reads how the parts begin. Throws Error(input) unless they are all parts of one job, each once, computed by
// this version of alnus.
Parts read_heads(const std::vector<PartPlace>& places, const StopFlag& stop);

// Reads the chunk at hand, and calls body() with its contents. If body() throws Error(input) or an error of
// JSON, throws Error(input) that also names the file and the byte of the chunk.
template <class Body>
auto of_chunk(const io::PartFileReader& part, const Body& body) {
  const io::ChunkBytes chunk = part.read();
  try {
    return body(chunk);
  } catch (const Interrupted&) {
    throw;
  } catch (const io::PartError&) {
    throw;  // it names the file and the byte already
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    part.refuse(error.marked());
  } catch (const nlohmann::json::exception& error) {
    part.refuse(error.what());
  }
}

// Calls take(reader) with each chunk of the part at hand.
template <class Take>
void for_each_chunk(const Part& part, const StopFlag& stop, const Take& take) {
  for (io::PartFileReader reader(part.place.path, part.place.begin); !reader.at_end(); reader.next()) {
    stop.throw_if_requested();
    take(reader);
  }
}

// The sequences of the pair matrix's rows and columns; for one set both are the same.
struct Sides {
  Database rows, columns;
  // True if the parts have the name of the column's sequence and, if the outputs show letters, its letters.
  std::function<bool(SequenceSet::Index column)> has_all;
};

// Reads the sequences of all parts. Throws Error(input) if some are missing, or are not those of the job.
Sides gather(const Parts& parts, const StopFlag& stop);

}  // namespace alnus::jobs
