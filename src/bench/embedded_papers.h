// The papers' tables and queries that are compiled in: data/papers and data/queries.
#pragma once

#include <span>

#include "core/embedded.h"

namespace alnus::bench {

std::span<const EmbeddedFile> paper_files();

}  // namespace alnus::bench
