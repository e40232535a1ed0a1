// Compares alnus with parasail's C library when each call aligns one pair: two proteins of 300 residues
// (--length), local alignment, BLOSUM62, gap costs 11/1. The time of a call runs from the letters of the
// sequences to the runs of a CIGAR. For parasail it includes making the CIGAR, and a profile if the function
// takes one, and freeing the results. In each round alnus and every parasail function make --calls calls; the
// medians of the rounds are printed.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <parasail.h>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "alnus/alnus.h"

namespace {

using namespace alnus;

struct Pair {
  std::string query, subject;
};

// What a call returns. compare() ends the program if the scores of two programs differ. `residues`, the
// number of residues of both sequences in the alignment, makes each program read its CIGAR; it is not
// compared, because alignments of one score may differ.
struct Outcome {
  std::int64_t score = 0, residues = 0;
  bool operator==(const Outcome&) const = default;
};

struct Program {
  std::string name;
  std::function<Outcome(const Pair&)> align;
  std::vector<double> nanoseconds{};  // nanoseconds per call, one value for each round
};

Program alnus_with(const std::string& isa) {
  const auto session = std::make_shared<Session>(SessionOptions{.devices = "cpu", .isa = isa});
  return {"alnus " + isa, [session, scoring = make_scoring({})](const Pair& pair) {
            const Alignment alignment = session->align(pair.query, pair.subject, scoring);
            Outcome outcome{alignment.score};
            for (const CigarRun run : alignment.cigar)
              outcome.residues += run.length() * (run.letter() == 'I' || run.letter() == 'D' ? 1 : 2);
            return outcome;
          }};
}

// The gap costs 11/1 as parasail takes them: its open cost includes the cost of the gap's first residue.
constexpr int kOpen = 12, kExtend = 1;

// Returns the outcome of the result that parasail has for this pair, and frees the result.
Outcome take(parasail_result_t* result, const Pair& pair, const parasail_matrix_t* matrix) {
  const auto length = [](const std::string& letters) { return static_cast<int>(letters.size()); };
  parasail_cigar_t* cigar = parasail_result_get_cigar(result, pair.query.data(), length(pair.query),
                                                      pair.subject.data(), length(pair.subject), matrix);
  Outcome outcome{parasail_result_get_score(result)};
  for (const std::uint32_t run : std::span(cigar->seq, static_cast<std::size_t>(cigar->len))) {
    const char op = parasail_cigar_decode_op(run);
    outcome.residues += parasail_cigar_decode_len(run) * (op == 'I' || op == 'D' ? 1 : 2);
  }
  parasail_cigar_free(cigar);
  parasail_result_free(result);
  return outcome;
}

Program parasail_of(const std::string& name, parasail_function_t* align) {
  return {name, [align, matrix = parasail_matrix_lookup("blosum62")](const Pair& pair) {
            return take(align(pair.query.data(), static_cast<int>(pair.query.size()), pair.subject.data(),
                              static_cast<int>(pair.subject.size()), kOpen, kExtend, matrix),
                        pair, matrix);
          }};
}

Program parasail_of(const std::string& name, parasail_pcreator_t* create, parasail_pfunction_t* align) {
  return {name, [create, align, matrix = parasail_matrix_lookup("blosum62")](const Pair& pair) {
            parasail_profile_t* profile =
                create(pair.query.data(), static_cast<int>(pair.query.size()), matrix);
            const Outcome outcome = take(
                align(profile, pair.subject.data(), static_cast<int>(pair.subject.size()), kOpen, kExtend),
                pair, matrix);
            parasail_profile_free(profile);
            return outcome;
          }};
}

std::vector<Program> programs() {
  std::vector<Program> all;
  const std::vector<Backend> all_backends = backends();
  for (const std::string& isa : all_backends.front().isas) all.push_back(alnus_with(isa));
  all.push_back(
      parasail_of("parasail sw_trace_striped_sse41_128_16", parasail_sw_trace_striped_sse41_128_16));
  all.push_back(parasail_of("parasail sw_trace_striped_avx2_256_16", parasail_sw_trace_striped_avx2_256_16));
  all.push_back(parasail_of("parasail sw_trace_striped_profile_sse41_128_16",
                            parasail_profile_create_sse_128_16,
                            parasail_sw_trace_striped_profile_sse41_128_16));
  all.push_back(parasail_of("parasail sw_trace_striped_profile_avx2_256_16",
                            parasail_profile_create_avx_256_16,
                            parasail_sw_trace_striped_profile_avx2_256_16));
  return all;
}

std::string random_protein(std::minstd_rand& random, std::size_t length) {
  constexpr const char* kLetters = "ARNDCQEGHILKMFPSTWYV";
  std::string letters(length, ' ');
  for (char& letter : letters) letter = kLetters[random() % 20];
  return letters;
}

// A random protein, and a copy of it in which a third of the residues are replaced by random ones and a few
// short stretches are inserted or deleted. Both have `length` residues.
Pair related_pair(std::minstd_rand& random, std::size_t length) {
  Pair pair{random_protein(random, length), {}};
  for (std::size_t k = 0; k < length; ++k) {
    const auto event = random() % 60;
    if (event == 0) k += 1 + random() % 5;
    if (event == 1) pair.subject += random_protein(random, 1 + random() % 5);
    if (k < length) pair.subject += event < 20 ? random_protein(random, 1)[0] : pair.query[k];
  }
  pair.subject.resize(length, 'A');
  return pair;
}

double nanoseconds_per_call(const Program& program, const Pair& pair, int calls) {
  std::int64_t residues = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int call = 0; call < calls; ++call) residues += program.align(pair).residues;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (residues == 0) std::abort();
  return seconds.count() * 1e9 / calls;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void compare(const std::string& title, const Pair& pair, int calls, int rounds) {
  std::vector<Program> all = programs();
  const Outcome expected = all.front().align(pair);
  for (const Program& program : all) {
    if (program.align(pair).score == expected.score) continue;
    std::fprintf(stderr, "%s has another score.\n", program.name.c_str());
    std::exit(1);
  }
  for (int round = 0; round < rounds; ++round)
    for (Program& program : all) program.nanoseconds.push_back(nanoseconds_per_call(program, pair, calls));
  std::printf("%s: %zu and %zu residues, score %lld; medians of %d rounds of %d calls\n", title.c_str(),
              pair.query.size(), pair.subject.size(), static_cast<long long>(expected.score), rounds, calls);
  for (const Program& program : all)
    std::printf("  %8.0f ns a call   %s\n", median(program.nanoseconds), program.name.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("One pair a call: alnus against parasail");
  int calls = 10'000, rounds = 9;
  std::size_t length = 300;
  app.add_option("--calls", calls, "Of a round")->capture_default_str();
  app.add_option("--rounds", rounds)->capture_default_str();
  app.add_option("--length", length, "Residues of each protein")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  std::minstd_rand random(1);
  compare("Related", related_pair(random, length), calls, rounds);
  compare("Unrelated", {random_protein(random, length), random_protein(random, length)}, calls, rounds);
}
