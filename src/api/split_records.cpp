#include "api/split_records.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <set>
#include <string_view>

#include "alnus/text.h"
#include "core/refuse_input.h"
#include "io/membership.h"
#include "io/set_digests.h"

namespace alnus::api {
namespace {

using Index = SequenceSet::Index;
using Failures = std::vector<std::string>;
using Subset = io::Certificate::Subset;

std::string size_text(const io::Certificate::Size& size) {
  return fmt::format("{} and {}", format_count(size.records, "record", "records"),
                     format_count(size.residues, "residue", "residues"));
}

std::string name_in_messages(const Database& set) { return set.name().empty() ? "The set" : set.name(); }

// What records have that differ from a subset's: their size, and whether their ids are the same.
struct Found {
  io::Certificate::Size size;
  bool has_ids = false;
};

// The sentence that says what differs. `records` names the records.
std::string difference(const std::string& records, const Found& found, const Subset& subset) {
  const auto [count, residues] = found.size;
  if (found.has_ids)
    return fmt::format("{} has the ids of the certificate, but a residue differs ({}, {}).", records,
                       format_count(residues, "residue", "residues"),
                       residues == subset.size.residues
                           ? "as in the certificate"
                           : fmt::format("in the certificate {}", format_count(subset.size.residues)));
  if (count == subset.size.records)
    return fmt::format("{} has {} as in the certificate, but an id differs.", records,
                       format_count(count, "record", "records"));
  return fmt::format("{} has {}, but in the certificate {}.", records, size_text(found.size),
                     size_text(subset.size));
}

// Finds the subset that each file stands for.
class SubsetsOfFiles {
 public:
  SubsetsOfFiles(const std::vector<Database>& sets, const io::Certificate& certificate, const StopFlag& stop)
      : sets_(sets), certificate_(certificate), taken_(certificate.subsets.size()) {
    for (const Database& set : sets) {
      const SequenceSet& sequences = set.sequences();
      const std::vector<std::uint32_t> one(sequences.size());
      files_.push_back({io::contents_sha256(sequences, one, 1, stop).front(),
                        io::ids_sha256(sequences, one, 1, stop).front(),
                        {sequences.size(), sequences.total_residues()},
                        io::kNoSet});
    }
  }

  // The subset of each file, or io::kNoSet.
  std::vector<std::uint32_t> find(Failures& failures) {
    for (File& file : files_)
      file.subset = first_free([&](const Subset& subset) { return subset.contents_sha256 == file.contents; });
    for (std::size_t f = 0; f < files_.size(); ++f) {
      if (files_[f].subset != io::kNoSet) continue;
      files_[f].subset = first_free([&](const Subset& subset) { return subset.ids_sha256 == files_[f].ids; });
      if (files_[f].subset != io::kNoSet) failures.push_back(difference_of(f, true));
    }
    for (std::size_t f = 0; f < files_.size(); ++f) {
      if (files_[f].subset != io::kNoSet) continue;
      files_[f].subset = only_choice(files_[f]);
      failures.push_back(files_[f].subset != io::kNoSet
                             ? difference_of(f, false)
                             : fmt::format("The ids of {} ({}) are those of no subset of the certificate.",
                                           name_in_messages(sets_[f]), size_text(files_[f].size)));
    }
    for (std::size_t s = 0; s < taken_.size(); ++s)
      if (!taken_[s] && certificate_.subsets[s].size.records > 0)
        failures.push_back(fmt::format("No file has the records of subset {} ({}).",
                                       in_quotes(certificate_.subsets[s].name),
                                       size_text(certificate_.subsets[s].size)));
    std::vector<std::uint32_t> subsets;
    for (const File& file : files_) subsets.push_back(file.subset);
    return subsets;
  }

 private:
  struct File {
    std::string contents, ids;
    io::Certificate::Size size;
    std::uint32_t subset;
  };

  std::uint32_t first_free(const std::function<bool(const Subset&)>& is_wanted) {
    for (std::uint32_t s = 0; s < taken_.size(); ++s)
      if (!taken_[s] && is_wanted(certificate_.subsets[s])) {
        taken_[s] = true;
        return s;
      }
    return io::kNoSet;
  }

  // The only subset left that has so many records; else the only subset left, if this is the only file left.
  std::uint32_t only_choice(const File& file) {
    const auto only = [&](const std::function<bool(const Subset&)>& is_wanted) {
      std::uint64_t count = 0;
      for (std::size_t s = 0; s < taken_.size(); ++s)
        count += !taken_[s] && is_wanted(certificate_.subsets[s]) ? 1 : 0;
      return count == 1 ? first_free(is_wanted) : io::kNoSet;
    };
    const std::uint32_t same =
        only([&](const Subset& subset) { return subset.size.records == file.size.records; });
    if (same != io::kNoSet || std::ranges::count(files_, io::kNoSet, &File::subset) != 1) return same;
    return only([](const Subset& subset) { return subset.size.records > 0; });
  }

  // What differs between a file and the subset that it is taken as.
  std::string difference_of(std::size_t f, bool has_ids) const {
    const Subset& subset = certificate_.subsets[files_[f].subset];
    return difference(
        fmt::format("{}, taken as subset {},", name_in_messages(sets_[f]), in_quotes(subset.name)),
        {files_[f].size, has_ids}, subset);
  }

  const std::vector<Database>& sets_;
  const io::Certificate& certificate_;
  std::vector<bool> taken_;  // the subsets that a file stands for
  std::vector<File> files_;
};

// Says how the records that are in no subset differ from the removed ones.
void compare_removed(const std::string& file, std::vector<std::string> ids, std::uint64_t residues,
                     const io::Certificate::Removed& removed, Failures& failures) {
  std::ranges::sort(ids);
  const std::string count = format_count(ids.size(), "record is", "records are");
  if (ids.size() != removed.ids.size())
    failures.push_back(fmt::format("{}: {} in no subset, but in the certificate {} removed.", file, count,
                                   format_count(removed.ids.size(), "record is", "records are")));
  else if (ids != removed.ids)
    failures.push_back(
        fmt::format("{}: {} in no subset, as many as the certificate says were removed, but an id differs.",
                    file, count));
  else if (residues != removed.residues)
    failures.push_back(fmt::format("{}: the removed records have {}, but in the certificate {}.", file,
                                   format_count(residues, "residue", "residues"),
                                   format_count(removed.residues)));
}

}  // namespace

SplitRecords subsets_by_contents(const std::vector<Database>& sets, const io::Certificate& certificate,
                                 std::vector<std::string>& failures, const StopFlag& stop) {
  const std::vector<std::uint32_t> subsets = SubsetsOfFiles(sets, certificate, stop).find(failures);
  SplitRecords records;
  for (std::size_t f = 0; f < sets.size(); ++f) {
    records.sets.push_back(sets[f].sequences());
    records.subset_of.insert(records.subset_of.end(), sets[f].size(), subsets[f]);
  }
  return records;
}

SplitRecords subsets_by_names(const Database& set, const std::vector<std::string>& names,
                              const io::Certificate& certificate, std::vector<std::string>& failures,
                              const StopFlag& stop) {
  const SequenceSet& sequences = set.sequences();
  if (names.size() != sequences.size())
    refuse_input(fmt::format("There are {} names of subsets for {}. Give each record one.", names.size(),
                             format_count(sequences.size(), "record", "records")));
  SplitRecords records{{sequences}, std::vector<std::uint32_t>(sequences.size(), io::kNoSet)};
  std::vector<Found> found(certificate.subsets.size());
  std::vector<std::string> removed;
  std::set<std::string_view> others;  // names that the certificate does not have
  std::uint64_t removed_residues = 0;
  for (Index i = 0; i < sequences.size(); ++i) {
    if (names[i].empty()) {
      removed.emplace_back(sequences[i].id());
      removed_residues += sequences.length(i);
      continue;
    }
    const auto named = std::ranges::find(certificate.subsets, names[i], &Subset::name);
    if (named == certificate.subsets.end()) {
      others.insert(names[i]);
      continue;
    }
    const auto subset = static_cast<std::size_t>(named - certificate.subsets.begin());
    records.subset_of[i] = static_cast<std::uint32_t>(subset);
    ++found[subset].size.records;
    found[subset].size.residues += sequences.length(i);
  }
  constexpr std::size_t kMostNames = 10;
  for (std::size_t told = 0; const std::string_view name : others)
    if (told++ < kMostNames)
      failures.push_back(fmt::format("The certificate has no subset {}.", in_quotes(name)));
  if (others.size() > kMostNames)
    failures.push_back(fmt::format("The certificate does not have {} more subsets that are named.",
                                   format_count(others.size() - kMostNames)));
  const auto subsets = static_cast<std::uint32_t>(found.size());
  const std::vector<std::string> contents = io::contents_sha256(sequences, records.subset_of, subsets, stop);
  const std::vector<std::string> ids = io::ids_sha256(sequences, records.subset_of, subsets, stop);
  for (std::size_t s = 0; s < found.size(); ++s) {
    const Subset& subset = certificate.subsets[s];
    found[s].has_ids = ids[s] == subset.ids_sha256;
    if (contents[s] != subset.contents_sha256)
      failures.push_back(difference(
          fmt::format("{}: subset {}", name_in_messages(set), in_quotes(subset.name)), found[s], subset));
  }
  compare_removed(name_in_messages(set), std::move(removed), removed_residues, certificate.removed, failures);
  return records;
}

}  // namespace alnus::api
