#include "cli/other_programs.h"

#include <array>
#include <fmt/format.h>

namespace alnus::cli {
namespace {

struct Habit {
  std::string_view words;  // separated by blanks
  std::string_view alnus;
};

constexpr std::string_view kQueries = "the queries are the first file: alnus search QUERIES DB";
constexpr std::string_view kDatabase = "the database is the second file: alnus search QUERIES DB";
constexpr std::string_view kNoSeeds = "alnus has no seeds and no heuristic: every pair is aligned";
constexpr std::string_view kExact =
    "alnus is exact: every pair is aligned, and there is no sensitivity to choose";
constexpr std::string_view kTranslate =
    "alnus does not translate; translate first, then alnus search QUERIES DB";
constexpr std::string_view kPictures =
    "pictures are drawn in Python (alnus.plot); alnus search --score-plot FILE.svg draws the scores";
constexpr std::string_view kTrees =
    "programs for trees read what alnus allpairs SEQS --phylip FILE writes; quicktree is one of them";
constexpr std::string_view kOneAlignment =
    "alnus lists the best alignment of each pair; --max-hsps N of search and align lists more";

// If a word is in several entries, the first entry counts whose answer is a sentence or an option that the
// command has. An answer must be right for every value that the word takes in the other program.
constexpr std::array kOptions = {
    Habit{"query q i", kQueries},
    Habit{"db d subject", kDatabase},
    Habit{"asequence bsequence", "the two files are arguments: alnus align A B"},
    Habit{"in", "the files are arguments: alnus makedb IN... -o NAME.alnus"},
    Habit{"out outfile", "-o FILE"},
    Habit{"num-threads p T cpu a", "-t N"},
    Habit{"format-output format-mode aformat aformat3 m", "--outfmt FORMAT"},
    Habit{"f", "DIAMOND's -f is --outfmt FORMAT, FASTA's is --gap-open N"},
    Habit{"e E", "--evalue X"},
    Habit{"k b v max-seqs max-accept num-alignments num-descriptions", "--max-target-seqs N"},
    Habit{"sub-mat datafile", "--matrix NAME"},
    Habit{"s", "alnus is exact: there is no sensitivity to choose; FASTA's -s is --matrix NAME"},
    Habit{"gapopen", "--gap-open N"},
    Habit{"gapextend g", "--gap-extend N"},
    Habit{"endopen endextend endweight noendweight", "--mode global, or --free-ends ENDS"},
    Habit{"reward", "--match N"},
    Habit{"penalty", "--mismatch N"},
    Habit{"dbtype search-type sprotein snucleotide n", "--alphabet WORD"},
    Habit{"seg", "no is --low-complexity none, and yes, which masks in alignments, too, is --mask seg"},
    Habit{"dust", "no is --low-complexity none, and yes, which masks in alignments, too, is --mask dust"},
    Habit{"masking", "leave it out for no mask in alignments; --mask seg turns it on"},
    Habit{"lcase-masking", "--mask lower"},
    Habit{"soft-masking mask-lower-case", "leave it out for no mask; --mask lower masks lower-case letters"},
    Habit{"comp-based-stats comp-bias-corr",
          "0 is --composition none; adjust, the default, is nearest to 2, and scale to 1"},
    Habit{"task",
          "blastp-short is --matrix PAM30 --gap-open 9 --gap-extend 1, and blastn is --preset blastn"},
    Habit{"z", "--stats METHOD"},
    Habit{"split-memory-limit block-size", "--memory SIZE"},
    Habit{"gpu", "--devices LIST"},
    Habit{"id perc-identity min-seq-id", "--min-identity X, in percent"},
    Habit{"query-cover qcov-hsp-perc", "--min-coverage X --coverage-of query, in percent"},
    Habit{"subject-cover", "--min-coverage X --coverage-of subject, in percent"},
    Habit{"c", "--min-coverage X, in percent"},
    Habit{"checkpoint",
          "--part I/N: the parts that are done stay, and alnus merge makes the output of all of them"},
    Habit{"cov-mode", "--coverage-of WORD"},
    Habit{"sensitive more-sensitive very-sensitive ultra-sensitive mid-sensitive fast iterate", kExact},
    Habit{"word-size threshold window-size xdrop-gap xdrop-ungap xdrop-gap-final num-iterations "
          "prefilter-mode",
          kNoSeeds},
    Habit{"max-hsps culling-limit best-hit-overhang best-hit-score-edge", kOneAlignment},
    Habit{"use-sw-tback alignment-mode", "alignments are those of Smith and Waterman, or --mode global"},
    Habit{"taxids negative-taxids taxidlist taxonlist", "alnus has no taxonomy"},
    Habit{"parse-deflines hash-index title blastdb-version", "a database needs nothing of the kind"},
    Habit{"translate strand-translate query-gencode db-gencode", kTranslate},
    Habit{"plot dotplot heatmap picture", kPictures},
    Habit{"newick nj upgma", kTrees},
    Habit{"self all-vs-all all-against-all", "alnus allpairs SEQS compares the sequences of one file"},
    Habit{"v version", "alnus --version tells it"}};

constexpr std::array kCommands = {
    Habit{"blast blastp diamond mmseqs easy-search swipe swaphi cudasw phmmer fasta36 fasta",
          "alnus search QUERIES DB"},
    Habit{"blastn megablast", "alnus search QUERIES DB --alphabet dna --preset blastn"},
    Habit{"ssearch36 ssearch", "alnus search QUERIES DB --preset ssearch"},
    Habit{"ggsearch36 ggsearch", "alnus search QUERIES DB --mode global"},
    Habit{"glsearch36 glsearch", "alnus search QUERIES DB --mode semiglobal --free-ends sbegin,send"},
    Habit{"minimap2 bwa bowtie bowtie2",
          "alnus search READS REFERENCE --alphabet dna --mode semiglobal --outfmt sam"},
    Habit{"needle", "alnus align A B --preset emboss-needle"},
    Habit{"needleall", "alnus align --all A B --preset emboss-needle"},
    Habit{"water", "alnus align A B --preset emboss-water"},
    Habit{"stretcher ggalign pairwise parasail parasail_aligner", "alnus align A B --mode global"},
    Habit{"easy-cluster linclust easy-linclust cd-hit cd-hit-est vsearch usearch",
          "alnus cluster SEQS --relation whole:T --promise representatives"},
    Habit{"graphpart partition datasail", "alnus split SEQS -k N"},
    Habit{"makeblastdb formatdb createdb mkdb", "alnus makedb IN... -o NAME.alnus"},
    Habit{"blastdbcmd blastdbcheck", "alnus dbinfo NAME.alnus --verify"},
    Habit{"blastx tblastn tblastx", kTranslate},
    Habit{"psiblast rpsblast hmmsearch", "alnus has no profiles; alnus search QUERIES DB compares sequences"},
    Habit{"plot dotplot heatmap picture", kPictures},
    Habit{"tree nj upgma neighbor", kTrees},
    Habit{"help", "alnus --help, or alnus COMMAND --help"},
    Habit{"version", "alnus --version"}};

bool has_word(std::string_view words, std::string_view word) {
  return fmt::format(" {} ", words).find(fmt::format(" {} ", word)) != std::string::npos;
}

}  // namespace

std::optional<std::string_view> option_for(std::string_view other_option, const HasOption& has_option) {
  std::optional<std::string_view> known;
  for (const Habit& habit : kOptions) {
    if (!has_word(habit.words, other_option)) continue;
    if (!habit.alnus.starts_with('-') || has_option(habit.alnus.substr(0, habit.alnus.find_first_of(" ,"))))
      return habit.alnus;
    known = "";
  }
  if (!known && other_option.find("tree") != std::string_view::npos) return kTrees;
  return known;
}

std::string_view command_for(std::string_view other_program) {
  for (const Habit& habit : kCommands)
    if (has_word(habit.words, other_program)) return habit.alnus;
  return {};
}

}  // namespace alnus::cli
