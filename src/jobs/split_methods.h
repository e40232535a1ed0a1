// The text of a split for a paper.
#pragma once

#include <string>

#include "io/certificate.h"

namespace alnus::jobs {

// A paragraph for the methods of a paper, and answers to the questions of DOME (Walsh et al. 2021) on data
// splits, in Markdown. All of it follows from the certificate; what only authors know is left to them, in
// square brackets. `is_written`: the certificate is a file, of which the text may speak.
std::string methods_of(const io::Certificate& certificate, bool is_written);

}  // namespace alnus::jobs
