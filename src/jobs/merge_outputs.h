// Checks the outputs that a merge is asked for against those of the job, and gives them their names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alnus/parts.h"
#include "jobs/job.h"

namespace alnus::jobs {

// Throws Error(input) if `files` names an output that the job does not have, leaves out one that it has, or
// asks for another form than the parts were made for.
void check(const Job& job, const JobFiles& files);

// The first difference of two parts in outputs, detail or numbers of sequences, as a clause for a message;
// empty if there is none.
std::optional<std::string> first_difference(const Job& one, const Job& other);

// The files that the writers get: the outputs of the job, with their names in `files`. `parts`: the paths of
// the part files. No output may replace one of these, or one of JobFiles::other_inputs.
SearchFiles search_files_of(const Job& job, const JobFiles& files, const std::vector<std::string>& parts);
PairFiles pair_files_of(const Job& job, const JobFiles& files, const std::vector<std::string>& parts);

}  // namespace alnus::jobs
