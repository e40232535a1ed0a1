#include "jobs/split_methods.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <vector>

#include "alnus/relation.h"
#include "alnus/text.h"

namespace alnus::jobs {
namespace {

using io::Certificate;

std::string sequences(std::uint64_t count) { return format_count(count, "sequence", "sequences"); }
std::string pairs(std::uint64_t count) { return format_count(count, "pair", "pairs"); }

bool is_computed(const Certificate& certificate) {
  return certificate.edges.origin == Certificate::Origin::computed;
}

std::string parameter(const Certificate::Relation& relation, const char* name) {
  const auto found = relation.parameters.find(name);
  return found == relation.parameters.end() ? std::string() : found->second;
}

std::string strands_in_words(const Certificate::Relation& relation) {
  const std::string strands = parameter(relation, "strands");
  if (strands == "both") return ", both strands";
  return strands == "minus" ? ", the minus strand" : "";
}

// "(BLOSUM62, gap costs 11/1, both strands)"
std::string parameters_in_words(const Certificate::Relation& relation) {
  return fmt::format("({}, gap costs {}{})", parameter(relation, "matrix"), parameter(relation, "gap_costs"),
                     strands_in_words(relation));
}

// What two sequences have that are similar by a relation, such as "their identity is at least ...".
std::string in_words(const Certificate::Relation& relation) {
  const std::string used = parameters_in_words(relation), &threshold = relation.threshold;
  switch (parse_relations(relation.kind + ":" + threshold).front().kind) {
    case RelationKind::whole:
      return fmt::format(
          "their global sequence identity is at least {}% {}, where the identical residues are divided by "
          "all columns of the alignment, those of end gaps included, as EMBOSS needle does",
          threshold, used);
    case RelationKind::part:
      return fmt::format(
          "they have a local alignment {} with an E-value of at most {}, whose identical residues are at "
          "least {}% of the shorter sequence",
          used, parameter(relation, "evalue"), threshold);
    case RelationKind::related:
      return fmt::format("they have a local alignment {} with an E-value of at most {}", used, threshold);
    case RelationKind::score:
      return fmt::format("the score of their {} alignment {} is at least {}", parameter(relation, "mode"),
                         used, threshold);
    case RelationKind::score_distance:
      return fmt::format("the distance of their {} alignment {}, by scores, is at most {}",
                         parameter(relation, "mode"), used, threshold);
  }
  return {};
}

// "if A, if B, or if C"
std::string conditions(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts)
    joined += fmt::format("{}if {}", joined.empty() ? "" : &text == &texts.back() ? ", or " : ", ", text);
  return joined;
}

std::string similar_in_words(const Certificate& certificate) {
  std::vector<std::string> relations{"they have equal residues"};
  bool has_identity = false, has_evalue = false;
  for (const Certificate::Relation& relation : certificate.relations) {
    relations.push_back(in_words(relation));
    has_identity = has_identity || relation.parameters.contains("identity_by");
    has_evalue = has_evalue || relation.kind == "part" || relation.kind == "related";
  }
  std::string text = fmt::format("Two sequences count as similar {}.", conditions(relations));
  if (has_identity) text += " The identity is the highest of all alignments with the best score.";
  if (has_evalue)
    text += fmt::format(" The E-value is the lower one of both directions, in a search space of {} with {}.",
                        sequences(certificate.search_space.records),
                        format_count(certificate.search_space.residues, "residue", "residues"));
  return text + " Gap costs of a/b mean that a gap of n residues costs a + b n.";
}

// "5 subsets of 100 to 102 sequences"
std::string sizes_in_words(const Certificate& certificate) {
  std::vector<std::uint64_t> sizes;
  for (const Certificate::Subset& subset : certificate.subsets) sizes.push_back(subset.size.records);
  const auto [least, most] = std::ranges::minmax(sizes);
  const std::string of =
      least == most ? sequences(most) : fmt::format("{} to {}", format_count(least), sequences(most));
  return fmt::format("{} subsets of {}", format_count(sizes.size()), of);
}

std::string compared_in_words(const Certificate& certificate) {
  if (!is_computed(certificate))
    return "The similar pairs were taken from a table, and alnus did not compare the sequences itself.";
  return fmt::format(
      "Every pair of sequences of different subsets ({}) was compared, without a heuristic that leaves pairs "
      "out, and none of them is similar.",
      pairs(certificate.pairs_compared.across));
}

std::string removed_in_words(const Certificate& certificate) {
  if (certificate.removed.ids.empty()) return "No sequence was removed.";
  return fmt::format("{} {} removed so that the others could be split.",
                     sequences(certificate.removed.ids.size()),
                     certificate.removed.ids.size() == 1 ? "was" : "were");
}

std::string how_split(const Certificate& certificate) {
  const std::uint64_t all = certificate.search_space.records, removed = certificate.removed.ids.size();
  return fmt::format(
      "{} were split into {} by alnus {}. Sequences that are similar, directly or through other "
      "sequences that were kept, are in one subset.",
      removed == 0 ? fmt::format("The {}", sequences(all))
                   : fmt::format("Of {}, {}", sequences(all), format_count(all - removed)),
      sizes_in_words(certificate), certificate.version);
}

std::string within_in_words(const Certificate& certificate) {
  return fmt::format("Subsets were not thinned out: they have {} within them.",
                     format_count(certificate.edges.within, "similar pair", "similar pairs"));
}

std::string independence(const Certificate& certificate) {
  const std::string none = "no sequence of a subset is similar to a sequence of another subset";
  const std::string limits =
      "Relatives that only profiles or structures show may be in different subsets. [Authors: say in which "
      "other ways sequences of different subsets may depend on each other, such as by a common source or "
      "experiment.]";
  if (!is_computed(certificate))
    return fmt::format("As far as the table of similar pairs is complete, {}. {}", none, limits);
  return fmt::format("By this definition of similarity they are: {}. {}", none, limits);
}

std::string list_of_subsets(const Certificate& certificate) {
  std::string text;
  for (const Certificate::Subset& subset : certificate.subsets)
    text += fmt::format("- {}: {}, {}; SHA-256 of the contents {}\n", printable(subset.name),
                        sequences(subset.size.records),
                        format_count(subset.size.residues, "residue", "residues"), subset.contents_sha256);
  return text;
}

}  // namespace

std::string methods_of(const Certificate& certificate, bool is_written) {
  const std::string similar =
      certificate.relations.empty()
          ? std::string("[Authors: say which sequences count as similar in the table of similar pairs.]")
          : similar_in_words(certificate);
  const std::string compared = compared_in_words(certificate), removed = removed_in_words(certificate);
  return fmt::format(
      "# Methods\n\n{} {} {} {}\n\n"
      "# Redundancy between data splits\n\n"
      "These are answers to the questions of DOME (Walsh et al., Nature Methods 18, 1122-1127, 2021).\n\n"
      "**How were the sets split?** {} {} The subsets are:\n\n{}\n"
      "[Authors: say which subsets are for training, validation and test, and how the labels are spread "
      "over them.]\n\n"
      "**Are the training and test sets independent?** {}\n\n"
      "**How was this enforced?** {} {} {}{}\n\n"
      "**How does the distribution compare to previously published data sets?** [Authors: only you can "
      "answer "
      "this. `alnus audit` shows which sequences of another set are similar to yours.]\n",
      how_split(certificate), similar, compared, removed, how_split(certificate), removed,
      list_of_subsets(certificate), independence(certificate), similar, compared,
      within_in_words(certificate),
      is_written
          ? fmt::format(" The certificate of the split, which `alnus verify` checks, has {}the digests of "
                        "the subsets.",
                        certificate.relations.empty() ? "" : "the parameters of the comparison and ")
          : std::string());
}

}  // namespace alnus::jobs
