// Real proteins: DB.fasta.gz with 20,000 and QUERY.fasta.gz with 500, of Debian's package mmseqs2-examples.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "support/sequences.h"

namespace alnus::test {

inline constexpr const char* kNoExampleData =
    "Debian's package mmseqs2-examples is missing; ALNUS_EXAMPLE_DATA may name a folder with its files.";

std::string example_data();  // the folder of the files
bool has_example_data();

// Returns `count` of the file's sequences, spread over the file. Those longer than `longest` are left out.
std::vector<Residues> sample(const std::string& path, std::size_t count, std::size_t longest);

}  // namespace alnus::test
