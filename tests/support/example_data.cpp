#include "support/example_data.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "io/sequence_reader.h"

namespace alnus::test {

std::string example_data() {
  const char* named = std::getenv("ALNUS_EXAMPLE_DATA");
  return named ? named : "/usr/share/doc/mmseqs2/example-data";
}

bool has_example_data() { return std::filesystem::exists(example_data() + "/DB.fasta.gz"); }

std::vector<Residues> sample(const std::string& path, std::size_t count, std::size_t longest) {
  ThreadPool pool(1);
  const SequenceSet all = io::SequenceReader(path, AlphabetKind::protein, {}, pool).read_some();
  std::vector<Residues> chosen;
  const std::size_t step = std::max<std::size_t>(1, all.size() / count);
  for (std::size_t k = 0; k < all.size() && chosen.size() < count; k += step) {
    const auto residues = all.residues(static_cast<SequenceSet::Index>(k));
    if (residues.size() <= longest) chosen.emplace_back(residues.begin(), residues.end());
  }
  return chosen;
}

}  // namespace alnus::test
