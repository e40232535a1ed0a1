// What counts and digests of a certificate say about each other.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "alnus/text.h"
#include "io/certificate.h"
#include "io/set_digests.h"

namespace alnus::io {
namespace {

using Sentences = std::vector<std::string>;

void expect_equal(Sentences& wrong, std::string_view what, std::uint64_t found, std::string_view why,
                  std::uint64_t wanted) {
  if (found == wanted) return;
  wrong.push_back(fmt::format("{} is {}, but {} {}.", what, found, why, wanted));
}

void check_subjects(Sentences& wrong, const CertificateText& text) {
  const std::vector<Certificate::Subset>& subsets = text.certificate.subsets;
  if (subsets.empty()) wrong.emplace_back("predicate.subsets is empty, but a split has subsets.");
  expect_equal(wrong, "The number of subjects", text.subjects.size(), "the number of subsets is",
               subsets.size());
  std::set<std::string> names;
  for (std::size_t k = 0; k < subsets.size(); ++k) {
    if (!names.insert(subsets[k].name).second)
      wrong.push_back(fmt::format("predicate.subsets[{}].name is {}, as that of an earlier subset.", k,
                                  in_quotes(subsets[k].name)));
    if (k >= text.subjects.size()) continue;
    if (text.subjects[k].name != subsets[k].name)
      wrong.push_back(fmt::format("subject[{0}].name is {1}, but predicate.subsets[{0}].name is {2}.", k,
                                  in_quotes(text.subjects[k].name), in_quotes(subsets[k].name)));
    if (text.subjects[k].contents_sha256 != subsets[k].contents_sha256)
      wrong.push_back(fmt::format(
          "subject[{0}].digest.contents_sha256 is not predicate.subsets[{0}].contents_sha256.", k));
  }
}

void check_removed(Sentences& wrong, const CertificateText& text) {
  const std::vector<std::string>& ids = text.certificate.removed.ids;
  expect_equal(wrong, "predicate.removed.records", text.removed_records, "the number of ids is", ids.size());
  const auto unsorted = std::ranges::adjacent_find(ids, std::greater_equal<>());
  if (unsorted != ids.end())
    wrong.push_back(fmt::format("predicate.removed.ids is not sorted: {} comes before {}.",
                                in_quotes(*unsorted), in_quotes(*(unsorted + 1))));
  if (ids.empty())
    expect_equal(wrong, "predicate.removed.residues", text.certificate.removed.residues,
                 "without removed records it is", 0);
  if (text.removed_ids_sha256 != sha256_of_lines(ids))
    wrong.emplace_back("predicate.removed.ids_sha256 is not the digest of predicate.removed.ids.");
}

// Checks sums of sizes, and the numbers of pairs that follow from them.
void check_counts(Sentences& wrong, const CertificateText& text) {
  const Certificate& certificate = text.certificate;
  Certificate::Size sum{certificate.removed.ids.size(), certificate.removed.residues};
  Certificate::Pairs pairs;
  std::uint64_t before = 0;  // records of earlier subsets
  for (const Certificate::Subset& subset : certificate.subsets) {
    const std::uint64_t records = subset.size.records;
    sum.records += records;
    sum.residues += subset.size.residues;
    // Where the sum is too large for these products, it is not that of the search space either.
    pairs.across += records * before;
    pairs.within += records > 0 ? records * (records - 1) / 2 : 0;
    before += records;
  }
  expect_equal(wrong, "predicate.search_space.records", certificate.search_space.records,
               "the records of all subsets and the removed ones are", sum.records);
  expect_equal(wrong, "predicate.search_space.residues", certificate.search_space.residues,
               "the residues of all subsets and the removed ones are", sum.residues);
  if (sum.records != certificate.search_space.records) return;
  const Certificate::Pairs& compared = certificate.pairs_compared;
  if (certificate.edges.origin == Certificate::Origin::given) {
    for (const std::uint64_t found : {compared.across, compared.within})
      expect_equal(wrong, "A number of predicate.pairs_compared", found, "with edges as given it is", 0);
  } else {
    expect_equal(wrong, "predicate.pairs_compared.across", compared.across,
                 "the products of the subsets' sizes give", pairs.across);
    if (compared.within != 0)
      expect_equal(wrong, "predicate.pairs_compared.within", compared.within, "the sizes of the subsets give",
                   pairs.within);
  }
  expect_equal(wrong, "predicate.edges.across", text.edges_across, "a certified split has", 0);
  if (certificate.edges.within > pairs.within)
    wrong.push_back(fmt::format("predicate.edges.within is {}, but the subsets have {} pairs.",
                                certificate.edges.within, pairs.within));
}

void check_nearest(Sentences& wrong, const CertificateText& text) {
  const std::vector<Certificate::Relation>& relations = text.certificate.relations;
  if (relations.empty() && text.certificate.edges.origin == Certificate::Origin::computed)
    wrong.emplace_back("predicate.relations is empty, but edges that were computed have relations.");
  expect_equal(wrong, "The number of predicate.nearest_across", text.nearest_relations.size(),
               "the number of relations is", relations.size());
  for (std::size_t k = 0; k < std::min(relations.size(), text.nearest_relations.size()); ++k) {
    const std::string wanted = relations[k].kind + ":" + relations[k].threshold;
    if (text.nearest_relations[k] != wanted)
      wrong.push_back(fmt::format("predicate.nearest_across[{}].relation is {}, but the relation is {}.", k,
                                  in_quotes(text.nearest_relations[k]), in_quotes(wanted)));
  }
}

void check_histogram(Sentences& wrong, const Certificate& certificate) {
  if (!certificate.nearest_identities) return;
  const Certificate::Histogram& histogram = *certificate.nearest_identities;
  if (std::ranges::none_of(certificate.relations, [&](const Certificate::Relation& relation) {
        return relation.kind == histogram.relation;
      }))
    wrong.push_back(
        fmt::format("predicate.nearest_identities.relation is {}, which is none of the relations.",
                    in_quotes(histogram.relation)));
  const auto unsorted =
      std::ranges::adjacent_find(histogram.bins, std::greater_equal<>(), &Certificate::Bin::from);
  if (unsorted != histogram.bins.end())
    wrong.push_back(fmt::format("predicate.nearest_identities.bins is not sorted at {}.", unsorted->from));
  std::uint64_t counted = histogram.none, records = 0;
  for (const Certificate::Bin& bin : histogram.bins) counted += bin.records;
  for (const Certificate::Subset& subset : certificate.subsets) records += subset.size.records;
  expect_equal(wrong, "The sum of predicate.nearest_identities", counted, "the subsets' records are",
               records);
}

}  // namespace

std::vector<std::string> contradictions(const CertificateText& text) {
  Sentences wrong;
  check_subjects(wrong, text);
  check_removed(wrong, text);
  check_counts(wrong, text);
  check_nearest(wrong, text);
  check_histogram(wrong, text.certificate);
  if (text.predicate_sha256 != text.computed_sha256)
    wrong.push_back(
        fmt::format("predicate.predicate_sha256 is {}..., but the digest of the predicate is {}...: the "
                    "predicate was changed after alnus wrote it.",
                    text.predicate_sha256.substr(0, 12), text.computed_sha256.substr(0, 12)));
  return wrong;
}

}  // namespace alnus::io
