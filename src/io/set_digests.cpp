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

namespace {

// The sha256_of_lines() of each subset; line_of(record, id) is the line of a record.
template <class LineOf>
std::vector<std::string> digests_of_subsets(const SequenceSet& sequences,
                                            std::span<const std::uint32_t> subset_of, std::uint32_t subsets,
                                            const StopFlag& stop, const LineOf& line_of) {
  std::vector<std::vector<std::string>> lines(subsets);
  for (SequenceSet::Index i = 0; i < sequences.size(); ++i) {
    stop.throw_if_requested();
    if (subset_of[i] == kNoSet) continue;
    const std::string_view id = sequences[i].id();
    if (id.find_first_of("\r\n") != id.npos)
      refuse_input(
          fmt::format("The id {} has a line end, so that its set has no digest. Give ids without line ends.",
                      in_quotes(id)));
    lines[subset_of[i]].push_back(line_of(i, id));
  }
  std::vector<std::string> digests;
  digests.reserve(lines.size());
  for (std::vector<std::string>& of_subset : lines) digests.push_back(sha256_of_lines(std::move(of_subset)));
  return digests;
}

}  // namespace

std::vector<std::string> contents_sha256(const SequenceSet& sequences,
                                         std::span<const std::uint32_t> subset_of, std::uint32_t subsets,
                                         const StopFlag& stop) {
  return digests_of_subsets(sequences, subset_of, subsets, stop,
                            [&](SequenceSet::Index record, std::string_view id) {
                              return fmt::format("{}\t{}", id, sequence_digest(sequences, record));
                            });
}

std::vector<std::string> ids_sha256(const SequenceSet& sequences, std::span<const std::uint32_t> subset_of,
                                    std::uint32_t subsets, const StopFlag& stop) {
  return digests_of_subsets(sequences, subset_of, subsets, stop,
                            [](SequenceSet::Index, std::string_view id) { return std::string(id); });
}

void PairDigest::add(std::string_view id, std::string_view other) {
  line_ = std::min(id, other);
  line_ += '\t';
  line_ += std::max(id, other);
  line_ += '\n';
  const Sha256Bytes digest = sha256_bytes(line_);
  std::uint64_t carry = 0;
  for (std::size_t k = 0; k < sum_.size(); ++k) {
    std::uint64_t word = 0;
    for (std::size_t byte = 0; byte < sizeof word; ++byte)
      word = word << 8 | digest[(sum_.size() - 1 - k) * sizeof word + byte];
    const std::uint64_t with_carry = word + carry;
    carry = with_carry < word ? 1 : 0;
    sum_[k] += with_carry;
    carry += sum_[k] < with_carry ? 1 : 0;
  }
}

std::string PairDigest::hex() const {
  return fmt::format("{:016x}{:016x}{:016x}{:016x}", sum_[3], sum_[2], sum_[1], sum_[0]);
}

}  // namespace alnus::io
