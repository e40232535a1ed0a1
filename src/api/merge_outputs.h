// The outputs that a job has, and the names that a merge gives them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alnus/parts.h"
#include "api/job.h"

namespace alnus::api {

// Throws Error(input) for an output that the job does not have, for one that has no name, and where an output
// is to look otherwise than the parts were made for.
void check(const Job& job, const JobFiles& files);

// In words, where the outputs of two parts of one run differ; empty: nowhere.
std::optional<std::string> first_difference(const Job& one, const Job& other);

// What the writers are given. `parts` are the inputs.
SearchFiles search_files_of(const Job& job, const JobFiles& files, const std::vector<std::string>& parts);
PairFiles pair_files_of(const Job& job, const JobFiles& files, const std::vector<std::string>& parts);

}  // namespace alnus::api
