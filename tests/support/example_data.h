// Real proteins: DB.fasta.gz and QUERY.fasta.gz of Debian's mmseqs2-examples, 20,000 and 500.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "support/sequences.h"

namespace alnus::test {

inline constexpr const char* kNoExampleData =
    "Debian's package mmseqs2-examples is missing; ALNUS_EXAMPLE_DATA may name a folder with its files.";

std::string example_data();  // the folder
bool has_example_data();

// `count` of the file's sequences, spread over it; those longer than `longest` are left out.
std::vector<Residues> sample(const std::string& path, std::size_t count, std::size_t longest);

}  // namespace alnus::test
