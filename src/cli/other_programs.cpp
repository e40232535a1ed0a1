#include "cli/other_programs.h"

#include <algorithm>
#include <array>
#include <span>

namespace alnus::cli {
namespace {

struct Habit {
  std::string_view words;  // separated by blanks
  std::string_view alnus;
};

constexpr std::string_view kQueries = "the queries are the first file: alnus search QUERIES DB";
constexpr std::string_view kDatabase = "the database is the second file: alnus search QUERIES DB";
constexpr std::string_view kNoSeeds = "alnus has no seeds and no heuristic: every pair is aligned";
constexpr std::string_view kOneAlignment = "alnus tells the best alignment of each pair";

constexpr std::array kOptions = {
    Habit{"query q i", kQueries},
    Habit{"db d subject", kDatabase},
    Habit{"asequence bsequence", "the two files are arguments: alnus align A B"},
    Habit{"in", "the files are arguments: alnus makedb IN... -o NAME.alnus"},
    Habit{"out outfile", "-o FILE"},
    Habit{"num-threads p T cpu", "-t N"},
    Habit{"format-output format-mode aformat aformat3 f m", "--outfmt FORMAT"},
    Habit{"e E", "--evalue X"},
    Habit{"k b max-seqs max-accept num-alignments num-descriptions", "--max-target-seqs N"},
    Habit{"sub-mat datafile s", "--matrix NAME"},
    Habit{"gapopen", "--gap-open N"},
    Habit{"gapextend g", "--gap-extend N"},
    Habit{"endopen endextend endweight noendweight", "--mode global, or --free-ends ENDS"},
    Habit{"reward", "--match N"},
    Habit{"penalty", "--mismatch N"},
    Habit{"dbtype search-type sprotein snucleotide n", "--alphabet WORD"},
    Habit{"seg masking", "--mask seg"},
    Habit{"soft-masking lcase-masking mask-lower-case", "--mask lower"},
    Habit{"comp-based-stats comp-bias-corr", "--composition"},
    Habit{"z", "--stats METHOD"},
    Habit{"split-memory-limit block-size", "--memory SIZE"},
    Habit{"gpu", "--devices LIST"},
    Habit{"id perc-identity min-seq-id", "filter the column pident; alnus allpairs has --min-identity X"},
    Habit{"query-cover subject-cover qcov-hsp-perc c cov-mode",
          "filter the columns qcovs and scovhsp; alnus allpairs has --min-coverage X"},
    Habit{"word-size threshold task window-size xdrop-gap xdrop-ungap xdrop-gap-final num-iterations "
          "prefilter-mode sensitive more-sensitive very-sensitive ultra-sensitive mid-sensitive fast iterate",
          kNoSeeds},
    Habit{"max-hsps culling-limit best-hit-overhang best-hit-score-edge", kOneAlignment},
    Habit{"use-sw-tback alignment-mode a", "alignments are those of Smith and Waterman, or --mode global"},
    Habit{"taxids negative-taxids taxidlist taxonlist", "alnus has no taxonomy"},
    Habit{"parse-deflines hash-index title blastdb-version", "a database needs nothing of the kind"},
    Habit{"v version", "alnus --version tells it"}};

constexpr std::array kCommands = {
    Habit{"blast blastp diamond mmseqs easy-search swipe swaphi cudasw phmmer fasta36 fasta",
          "alnus search QUERIES DB"},
    Habit{"blastn megablast", "alnus search QUERIES DB --alphabet dna"},
    Habit{"ssearch36 ssearch", "alnus search QUERIES DB --preset ssearch"},
    Habit{"ggsearch36 ggsearch", "alnus search QUERIES DB --mode global"},
    Habit{"glsearch36 glsearch", "alnus search QUERIES DB --mode semiglobal --free-ends sbegin,send"},
    Habit{"minimap2 bwa bowtie bowtie2",
          "alnus search READS REFERENCE --alphabet dna --mode semiglobal --outfmt sam"},
    Habit{"needle", "alnus align A B --preset emboss-needle"},
    Habit{"needleall", "alnus align --all A B --preset emboss-needle"},
    Habit{"water", "alnus align A B --preset emboss-water"},
    Habit{"stretcher ggalign pairwise parasail parasail_aligner", "alnus align A B --mode global"},
    Habit{"cluster easy-cluster linclust easy-linclust cd-hit vsearch usearch",
          "alnus allpairs SEQS --edges FILE --edge-threshold X, whose edges other programs cluster"},
    Habit{"makeblastdb formatdb createdb mkdb", "alnus makedb IN... -o NAME.alnus"},
    Habit{"blastdbcmd blastdbcheck", "alnus dbinfo NAME.alnus --verify"},
    Habit{"blastx tblastn tblastx",
          "alnus does not translate; translate first, then alnus search QUERIES DB"},
    Habit{"psiblast rpsblast hmmsearch", "alnus has no profiles; alnus search QUERIES DB compares sequences"},
    Habit{"help", "alnus --help, or alnus COMMAND --help"},
    Habit{"version", "alnus --version"}};

std::string_view find(std::span<const Habit> habits, std::string_view word) {
  for (const Habit& habit : habits)
    for (std::string_view words = habit.words; !words.empty();) {
      const std::string_view first = words.substr(0, words.find(' '));
      if (first == word) return habit.alnus;
      words.remove_prefix(std::min(first.size() + 1, words.size()));
    }
  return {};
}

}  // namespace

std::string_view option_for(std::string_view other_option) { return find(kOptions, other_option); }

std::string_view command_for(std::string_view other_program) { return find(kCommands, other_program); }

}  // namespace alnus::cli
