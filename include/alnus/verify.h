// Options and results of Session::verify: whether what a certificate says of a split is true.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alnus/export.h"
#include "alnus/option_table.h"

namespace alnus {

struct VerifyOptions {
  bool offline = false;  // check sums and digests alone; no pair is compared
  // How many random records are compared, each with all records of all other subsets. 0: every pair of
  // records of different subsets is compared. More than there are means all.
  std::uint32_t sample = 0;
  std::uint64_t seed = 1;  // of the sample
};
template <>
inline constexpr std::tuple kOptions<VerifyOptions> = {
    CallOption{"offline", &VerifyOptions::offline, "", "Check digests and sums alone; no pair is compared"},
    CallOption{"sample", &VerifyOptions::sample, Counts{1}, "N",
               "Compare N random records, each with all records of all other subsets", "all records"},
    CallOption{"seed", &VerifyOptions::seed, Counts{0}, "N", "Seed of the random records", "1"},
};

struct CertificateCheck {
  // What does not hold, a sentence each. Empty: all that was checked holds.
  std::vector<std::string> failures;
  std::vector<std::string> relations;  // of the certificate, as in "whole:30"
  std::uint64_t subsets = 0, records = 0, removed = 0;
  std::uint64_t compared = 0;          // records of the sample, or all records
  std::uint64_t pairs = 0, cells = 0;  // that were compared
  std::uint64_t similar = 0;           // of them, which contradict the certificate
  std::string statistics;              // how E-values are computed, in words; empty: there are none
  double seconds = 0;
};

}  // namespace alnus
