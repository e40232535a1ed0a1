// Matrices of all pairs as labelled tables, for spreadsheets and for programs that read text.
#pragma once

#include <string_view>

#include "alnus/export.h"
#include "alnus/output.h"

namespace alnus {

// True if a matrix of this name (PairFiles::matrix, PairFiles::matrices) is a table: the name ends in .csv or
// .tsv, perhaps with .gz or .zst behind. A table has the ids of the columns in its first line, behind an
// empty cell, and the id of the row in the first cell of every other line. The numbers are those that a .npy
// file would hold, with as many digits as make them exact. The table of one set is the whole symmetric matrix
// with its diagonal; it is written when all pairs are known, and until then their values, 4 bytes each, are
// in the file NAME.values.alnus-part.
ALNUS_API bool is_matrix_table(std::string_view path);

// True if matrices of one set that these files name have a diagonal: with PairFiles::square, and if one of
// them is a table. All files then have the pairs of each sequence with itself (AllPairsOptions::self).
ALNUS_API bool has_diagonal(const PairFiles& files);

}  // namespace alnus
