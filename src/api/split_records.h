// The records that a certificate is checked with: which is in which subset, and how they differ from the
// certificate.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "alnus/database.h"
#include "alnus/sequence_set.h"
#include "core/stop_flag.h"
#include "io/certificate.h"

namespace alnus::api {

struct SplitRecords {
  std::vector<SequenceSet> sets;  // in the order of their files
  // The subset of the certificate that each record of each set is in, set after set; io::kNoSet: in none.
  std::vector<std::uint32_t> subset_of;
};

// Takes each set as the subset whose contents it has. For each set that has no subset's contents, and for
// each subset that no set stands for, there is a sentence in `failures`: a set that has the ids of a subset
// has other residues, and one that can only be that subset has other ids. The sets are in the order of their
// files. Throws Error(input) naming a record whose id has a line end, and Interrupted.
SplitRecords subsets_by_contents(const std::vector<Database>& sets, const io::Certificate& certificate,
                                 std::vector<std::string>& failures, const StopFlag& stop);

// Takes each record for one of the subset that is named for it; an empty name says that it was removed. For
// each subset that differs from the certificate there is a sentence in `failures`, and for the removed
// records up to one. Throws Error(input) for another number of names than records, what subsets_by_contents()
// throws, and Interrupted.
SplitRecords subsets_by_names(const Database& set, const std::vector<std::string>& names,
                              const io::Certificate& certificate, std::vector<std::string>& failures,
                              const StopFlag& stop);

}  // namespace alnus::api
