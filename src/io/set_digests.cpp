#include "io/set_digests.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "alnus/text.h"
#include "core/refuse_input.h"
#include "io/membership.h"
#include "io/sha2.h"

namespace alnus::io {

std::string sequence_digest(const SequenceSet& sequences, SequenceSet::Index record) {
  const Alphabet& alphabet = Alphabet::of(sequences.alphabet());
  const std::span<const Residue> residues = sequences.residues(record);
  std::string letters(residues.size(), '\0');
  std::ranges::transform(residues, letters.begin(),
                         [&](Residue residue) { return alphabet.decode(residue & kCodeMask); });
  return sha512t24u(letters);
}

std::string sha256_of_lines(std::vector<std::string> texts) {
  std::ranges::sort(texts);
  Sha256 digest;
  for (const std::string& text : texts) {
    digest.add(text);
    digest.add("\n");
  }
  return digest.hex();
}

std::vector<std::string> contents_sha256(const SequenceSet& sequences,
                                         std::span<const std::uint32_t> subset_of, std::uint32_t subsets,
                                         const StopFlag& stop) {
  std::vector<std::vector<std::string>> lines(subsets);
  for (SequenceSet::Index i = 0; i < sequences.size(); ++i) {
    stop.throw_if_requested();
    if (subset_of[i] == kNoSet) continue;
    const std::string_view id = sequences[i].id();
    if (id.find_first_of("\r\n") != id.npos)
      refuse_input(
          fmt::format("The id {} has a line end, so that its set has no digest. Give ids without line ends.",
                      in_quotes(id)));
    lines[subset_of[i]].push_back(fmt::format("{}\t{}", id, sequence_digest(sequences, i)));
  }
  std::vector<std::string> digests;
  digests.reserve(lines.size());
  for (std::vector<std::string>& of_subset : lines) digests.push_back(sha256_of_lines(std::move(of_subset)));
  return digests;
}

}  // namespace alnus::io
