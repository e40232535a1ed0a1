// Distances for PHYLIP as an output of all pairs.
#include <fmt/format.h>

#include "alnus/error.h"
#include "alnus/text.h"
#include "core/refuse_input.h"
#include "io/phylip_names.h"
#include "io/phylip_writer.h"
#include "jobs/pair_outputs.h"
#include "session/database_state.h"

namespace alnus::jobs {
namespace {

class PhylipOutput : public TextOutput {
 public:
  explicit PhylipOutput(const Opening& opening)
      : TextOutput(opening, opening.job.files.phylip), job_(opening.job) {
    if (file_) distances_.emplace(*file_, job_.pairs.rows(), job_.files.phylip_names);
    if (begins()) distances_->begin();
  }

  void write(const engine::Stripe& stripe) override {
    if (distances_) distances_->write(values_of(job_, stripe, PairValue::distance));
  }

 private:
  const PairJob& job_;
  std::optional<io::PhylipWriter> distances_;
};

void check_phylip(const PairJob& job) {
  const PairFiles& files = job.files;
  if (files.phylip.empty() && files.phylip_names == PhylipNames::strict)
    refuse_input(fmt::format("{} needs {} FILE.", option("phylip_names"), option("phylip")));
  if (files.phylip.empty()) return;
  check_name(files.phylip, Contents::phylip);
  if (!job.pairs.one_set())
    refuse_input(fmt::format("{} is for the distances within one set; leave {} out.", option("phylip"),
                             option("against")));
}

// Warns of names that the file shows with replaced characters.
void look_at_names(const PairJob& job, session::Call& call) {
  const PairFiles& files = job.files;
  Database::State& state = *job.rows.state();
  const SequenceSet& set = state.sequences;
  auto& names = state.prepared->phylip_names[static_cast<std::size_t>(files.phylip_names)];
  names.checking.run([&] {
    names.replaced = io::check_phylip_names(set, files.phylip_names, call.stop());
    state.require_sound();
  });
  const io::ReplacedNames& replaced = names.replaced;
  if (replaced.count == 0) return;
  const std::string_view id = set[replaced.first].id();
  call.warn(
      fmt::format("{} in {} with '_' in place of characters that have a meaning in trees or are not ASCII, "
                  "such as {} for {}.",
                  format_count(replaced.count, "name is", "names are"), files.phylip,
                  io::phylip_name(id, files.phylip_names), in_quotes(id)));
}

}  // namespace

PairOutputKind phylip_output() {
  return {.option = "phylip",
          .path = &PairFiles::phylip,
          .merged_path = &JobFiles::phylip,
          .holds_every_pair = true,
          .never_extended = "whose first line says how many sequences there are",
          .need =
              [](const PairFiles&, PairValue, PairNeeds& needs) {
                needs.values.insert(PairValue::distance);
                needs.exact_values.insert(PairValue::distance);
              },
          .check = check_phylip,
          .look = look_at_names,
          .paths = [](const PairJob& job) { return std::vector{job.files.phylip}; },
          .bytes =
              [](const PairJob& job) {
                constexpr std::uint64_t kDistanceBytes = 10;
                return kDistanceBytes * job.pairs.pairs_from(0);
              },
          .open = [](const Opening& opening) { return one_output<PhylipOutput>(opening); }};
}

}  // namespace alnus::jobs
