// The entry point of the library: a session owns devices, threads and memory, and all functions that align
// are its members.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/all_pairs.h"
#include "alnus/audit.h"
#include "alnus/cluster.h"
#include "alnus/cluster_audit.h"
#include "alnus/database.h"
#include "alnus/devices.h"
#include "alnus/error.h"
#include "alnus/export.h"
#include "alnus/output.h"
#include "alnus/parts.h"
#include "alnus/plan.h"
#include "alnus/record_sets.h"
#include "alnus/results.h"
#include "alnus/run.h"
#include "alnus/scoring.h"
#include "alnus/search.h"
#include "alnus/split.h"
#include "alnus/statistics.h"
#include "alnus/verify.h"

namespace alnus {

struct SessionOptions {
  // auto, or a list: cpu, cuda (all GPUs), cuda:0,1. With auto, each call gets those devices of the machine
  // that are expected to end it soonest; the time to start a GPU counts if the GPU is not started yet.
  std::string devices = "auto";
  std::string isa = "auto";     // instruction set of the CPU: avx512, avx2, sse41, portable
  std::string method = "auto";  // a method by name; Backend::methods lists the names
  // The most threads that compute at a time, for all calls together; 0: as many as this process may run on.
  // The limit holds for alignment, shuffling, masking, reading, verifying, formatting many rows and
  // compressing. Not counted are align() of two strings, which computes on the thread that calls it, and the
  // thread of each call that steers it, sorts, waits for a GPU, collects results, formats few rows and runs
  // callbacks.
  int threads = 0;
  // The memory budget of all calls together, in bytes of this machine's memory. Half of it is for the CPU's
  // work on pairs, half for what calls keep until it is handed over. Each call reserves its part of the
  // second half before it begins, and waits for other calls to end if too little is left. A call that needs
  // more than the second half gets all of it. all_pairs always gets all of it, so that two such calls run one
  // after the other. Not counted: sequences, results that were handed over, and 64 MiB or so for the program.
  std::uint64_t memory_bytes = 8ULL << 30;
  // Bytes that each device may take for its work, the CPU included. Empty: half of memory_bytes for the CPU,
  // all free memory on a GPU.
  std::optional<std::uint64_t> device_memory_bytes{};
  // False: pairs are computed that are known not to pass, such as those of all_pairs() whose longest common
  // subsequence is too short for the least identity. The results are the same.
  bool shortcuts = true;
  CalibrationCache calibration_cache{};
  std::function<void(const Message&)> on_message{};  // for calls whose RunControl has no on_message
};

// What a session did so far.
struct SessionCounters {
  std::uint64_t calls = 0;                        // calls that began
  std::uint64_t uploads = 0, uploaded_bytes = 0;  // sequences that were brought to GPUs, and their bytes
  std::uint64_t resident_bytes = 0;               // bytes of sequences that are on GPUs now
  std::uint64_t reserved_bytes = 0;               // now reserved from the second half of memory_bytes
  std::uint64_t peak_reserved_bytes = 0;          // the most bytes that were reserved there at a time
  std::uint64_t devices_retired = 0;              // devices that failed
};

// The expected cost of a call, by the devices' own estimates.
struct Cost {
  std::uint64_t queries = 0, subjects = 0, pairs = 0, cells = 0;
  double seconds = 0;
  std::vector<std::string> devices;  // those that would compute the call
  std::uint64_t rows = 0;            // an upper bound on the rows of the output, unless `any_rows` is true
  // The expected size in bytes of the output files PairFiles::matrix, PairFiles::matrices and
  // PairFiles::phylip together.
  std::uint64_t matrix_bytes = 0;
  std::optional<std::uint64_t> edges{};  // an upper bound on the number of edges; empty: there are none
  // The part of `seconds` that the call would first spend on a calibration of its scoring; 0 if none is
  // needed.
  double calibration_seconds = 0;
  bool any_rows = false;  // a pair may have any number of rows (kAllHsps): `rows` counts 16 of each
  // A filter of a search looks at the alignments of all candidates. How many they are is not known before the
  // call, and `seconds` does not count them.
  bool any_alignments = false;
};

// Threads: a session may be called from many threads at once. Calls share devices, threads and memory, and
// wait if there is not enough.
// Callbacks (progress, messages, sinks) run on the thread that made the call, never two of one call at once.
// An exception that a callback throws cancels the call and comes out of it. A call of any session from inside
// a callback is Error(input). A slow sink slows its call, which keeps no more results than the budget allows.
// Devices: a GPU that fails is retired with a warning, and the call ends on the other devices. With none left
// the call throws Error(device), and the session can still be used.
// Results depend on inputs and options alone: not on devices, threads, memory, other calls or timing. Where a
// scoring has no published statistics, its calibration counts among the inputs: add_calibration() and a more
// precise calibrate() replace the calibration that searches would make.
// fork: in the child, every call on a session of the parent but options() is Error(other). Make a new session
// there.
// Signals: threads of a session block all signals except those caused by an instruction of the thread itself
// (SIGBUS, SIGSEGV, SIGFPE, SIGILL). The library installs no handlers; a program's handler of SIGBUS can call
// zero_lost_pages().
// Sessions do not know each other. The library writes nothing to a home directory by itself.
class ALNUS_API Session {
 public:
  // Throws Error(input) for words that are no devices, instruction sets or methods, and for a negative number
  // of threads; Error(device) for devices that this build or machine does not have.
  explicit Session(SessionOptions options = {});
  // Waits for the session's threads; no call may be under way. In a child after fork() the destructor does
  // nothing.
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  const SessionOptions& options() const;
  SessionCounters counters() const;
  // The devices that the session may use. GPUs are not started to describe them.
  std::vector<DeviceDescription> devices() const;
  // The devices that have computed something for a call of this session so far.
  std::vector<DeviceDescription> devices_used() const;

  // ---- Sequences ----

  // Opens a FASTA or FASTQ file (plain, gzip or zstd; "-" is standard input), or a database file, which is
  // mapped and checked as OpenOptions says. Messages tell of odd records and of masked residues. Throws
  // Error(input) naming file, record and byte; Error(database) for a database file that is wrong.
  Database open(const std::string& path, const OpenOptions& options = {}, const RunControl& run = {});

  // Reads FASTA or FASTQ from memory (plain, gzip or zstd) as open() reads it from a file. `name` is the name
  // of the sequences in messages and reports. Throws Error(input) naming `name`, record and byte.
  Database open_text(std::string_view text, const std::string& name, const OpenOptions& options = {},
                     const RunControl& run = {});

  // Opens the two inputs of one call with one alphabet. If one of them is a database file, the other is read
  // with the database's alphabet, and stating a different one is an error. If the second path is empty, both
  // results are the first input. open_search() throws Error(database) for what is wrong with the second
  // input.
  struct Inputs {
    Database first, second;
  };
  Inputs open_search(const std::string& queries, const std::string& database, const OpenOptions& options = {},
                     const RunControl& run = {});
  Inputs open_sets(const std::string& first, const std::string& second, const OpenOptions& options = {},
                   const RunControl& run = {});

  // The same sequences with residues masked (docs/masking.md), as open() masks a file that it reads. A
  // message tells how many residues were masked. Throws Error(input) for masking that the alphabet does not
  // have.
  Database masked(const Database& database, const Masking& masking, const RunControl& run = {});

  // Makes the first search faster, in a program that waits for queries: starts all devices of the session,
  // sorts the database, and ends the database's check if that was deferred. A GPU gets the residues with the
  // first search, whose scoring decides how they are laid out.
  void prepare(const Database& database, const RunControl& run = {});

  // Drops what devices hold of a database. The next call that uses the database brings it to them again.
  void release(const Database& database);

  // Writes a database file of the records of all inputs, sorted by length; ordinals count the records of one
  // input after the other. The file appears under its name complete and synced, or not at all. Throws
  // Error(input) for bad input, Error(database) for an output that cannot be written.
  DatabaseInfo make_database(const std::vector<std::string>& inputs, const std::string& output,
                             const MakeDatabaseOptions& options = {}, const RunControl& run = {});
  // Reads a whole database file and checks every checksum, index and residue. Throws Error(database) naming
  // the section, the file's block and the bytes.
  void verify_database(const std::string& path, const RunControl& run = {});

  // ---- Alignments ----

  // Finds the best hits of each query among all subjects, exactly: every pair is scored. A query's hits are
  // its best pairs, at most max_target_seqs (SearchBatch has their order), without pairs below `min_score` or
  // above `evalue`. Throws Error(input) for options out of range and alphabets that do not fit together,
  // Error(database) for a database file that is damaged or was changed, Error(device), Error(memory),
  // Interrupted, and what a callback throws.
  SearchResult search(const Database& queries, const Database& database, const Scoring& scoring,
                      const SearchOptions& options = {}, const RunControl& run = {});
  SearchSummary search(const Database& queries, const Database& database, const Scoring& scoring,
                       const SearchOptions& options, const SearchSink& sink, const RunControl& run = {});

  // Aligns two sequences, given as letters; letters outside the scoring's alphabet count as X or N. The call
  // takes a short path on the caller's thread: no plan, no other thread, no message. Nucleotides are aligned
  // on the plus strand. Throws Error(input) for a sequence of more than kLongestSequence letters.
  Alignment align(std::string_view query, std::string_view subject, const Scoring& scoring,
                  Detail detail = Detail::alignment);

  // Aligns the given pairs (query: index in `queries`, subject: index in `subjects`), in their order; a pair
  // may be repeated. Rows of local alignments of score 0 are among the results. Throws as search() does, and
  // Error(input) for an index that is out of range.
  Columns align(const Database& queries, const Database& subjects, std::span<const IndexPair> pairs,
                const Scoring& scoring, const AlignOptions& options = {}, const RunControl& run = {});
  AlignSummary align(const Database& queries, const Database& subjects, std::span<const IndexPair> pairs,
                     const Scoring& scoring, const AlignOptions& options, const RowSink& sink,
                     const RunControl& run = {});
  // Aligns every query with every subject, query by query. Throws as search() does.
  AlignSummary align_all(const Database& queries, const Database& subjects, const Scoring& scoring,
                         const AlignOptions& options, const RowSink& sink, const RunControl& run = {});

  // Aligns every pair of a set once, or every sequence of `set` with every one of `against`. Sequences are
  // numbered in the order of their files: an index in rows, values or blocks is an index in
  // `in_file_order().sequences()`. The query of a row is the earlier sequence, or that of `set`; with
  // AllPairsOptions::top_k it is the sequence whose neighbours are listed. While a pair is aligned, its
  // longer sequence (of equal lengths the one whose residues come first) takes the query's place, so that a
  // result does not depend on the order in the file (docs/ties.md). Throws as search() does.
  AllPairsSummary all_pairs(const Database& set, const Scoring& scoring, const AllPairsOptions& options,
                            const PairSink& sink, const RunControl& run = {});
  AllPairsSummary all_pairs(const Database& set, const Database& against, const Scoring& scoring,
                            const AllPairsOptions& options, const PairSink& sink, const RunControl& run = {});

  // The same as all_pairs() into a sink, but into files, each of which appears complete or not at all. With a
  // checkpoint, the same call goes on from what is on disk when it is made again. Also throws Error(input)
  // for files that do not fit together (PairFiles), and Error(other) for what cannot be written and as
  // PairFiles::checkpoint says.
  AllPairsSummary all_pairs(const PairInputs& inputs, const Scoring& scoring, const AllPairsOptions& options,
                            const PairFiles& files, const RunControl& run = {});

  // ---- Parts of a job ----

  // The same as search() into a sink, but into files, each of which appears complete or not at all. Also
  // throws Error(input) as RowWriter does, and Error(other) for what cannot be written.
  SearchSummary search(const Database& queries, const Database& database, const Scoring& scoring,
                       const SearchOptions& options, const SearchFiles& files, const RunControl& run = {});

  // Computes one part of a search, or of all pairs, into a file that merge() reads (docs/part-files.md), and
  // which appears complete or not at all (PartTarget). `files` says which outputs the job has; this call
  // writes none of them. What the parts have in common follows from inputs and options alone, so that it does
  // not matter who computes which part, where and when. The summary counts what the part computed. Throws
  // what the whole job would, and Error(input) for a part number that is not in 1 to its count, and for a
  // checkpoint, added sequences or a block.
  SearchSummary search_part(const Database& queries, const Database& database, const Scoring& scoring,
                            const SearchOptions& options, const SearchFiles& files, const PartOfJob& part,
                            const PartTarget& target, const RunControl& run = {});
  AllPairsSummary all_pairs_part(const PairInputs& inputs, const Scoring& scoring,
                                 const AllPairsOptions& options, const PairFiles& files,
                                 const PartOfJob& part, const PartTarget& target, const RunControl& run = {});

  // Makes the outputs of a job from all its parts, in any order, with the bytes that one process would write.
  // Only the parts are read, no sequences, and nothing is aligned. Throws Error(input) naming the files for a
  // part that is damaged, of another version or of another job, that is there twice or is missing, and for an
  // output that the job does not have, or one of the job's that has no name. Where `parts` are names of
  // files, all parts in these files count.
  MergeSummary merge(const std::vector<std::string>& parts, const JobFiles& files,
                     const RunControl& run = {});
  MergeSummary merge(const std::vector<PartPlace>& parts, const JobFiles& files, const RunControl& run = {});

  // ---- Statistics ----

  // Z-values of pairs by shuffling (docs/z-values.md). `scores` has the score of each pair in units of
  // 1/scoring.scale, or is empty: then scores are computed. A pair's Z-value depends on its residues, the
  // scoring and the options, not on the other pairs. Nucleotides are aligned on the plus strand.
  std::vector<ZValue> z_values(const Database& queries, const Database& subjects,
                               std::span<const IndexPair> pairs, std::span<const std::int32_t> scores,
                               const Scoring& scoring, const ShuffleOptions& options = {},
                               const RunControl& run = {});

  // For each pair the lowest and the highest identity over all alignments that have the pair's best score,
  // exactly; 0/1 if nothing is aligned. Nucleotides are aligned on the plus strand.
  std::vector<IdentityRange> identity_range(const Database& queries, const Database& subjects,
                                            std::span<const IndexPair> pairs, const Scoring& scoring,
                                            Denominator denominator, const RunControl& run = {});

  // Finds the statistics of a local scoring by simulation (docs/calibration.md). The result depends on
  // scoring and options alone. If the session keeps a calibration that is at least as precise, the call
  // returns that one; CalibrationOptions::anew simulates regardless. Throws Error(input) if the scoring's
  // scores have no such statistics.
  Calibration calibrate(const Scoring& scoring, const CalibrationOptions& options = {},
                        const RunControl& run = {});
  // Takes a calibration that another process computed: searches of this session use it, however precise it
  // is. Throws Error(input) for a calibration of another scoring or of a background other than the default.
  void add_calibration(const Scoring& scoring, const Calibration& calibration);

  // ---- Clusters and splits ----

  // Compares every pair of a set and clusters the sequences by their similarity. Sequences are numbered in
  // the order of their file. `scoring` is for relations that follow the scoring of the call. The call keeps
  // no pairs for ClusterPromise::components. Files are opened before anything is compared, and get their
  // names when all of them are complete. Throws as all_pairs() does; Error(memory) if the similar pairs do
  // not fit into half of SessionOptions::memory_bytes; for files Error(input) for an id that two records have
  // or that the format cannot hold, and for what check_name() and check_outputs() refuse.
  Clusters cluster(const Database& set, const Scoring& scoring, const ClusterOptions& options = {},
                   const ClusterFiles& files = {}, const RunControl& run = {});
  // Compares every pair of a set and splits it into subsets, such that no two sequences of different subsets
  // are similar. The ids of records must differ. Records are numbered in the order of their file. Files and
  // errors are as those of cluster(). Error(input) also says why no split was found: a component of similar
  // sequences is too large, or components do not fit; SplitOptions::allow_removal may help.
  Split split(const Database& set, const Scoring& scoring, const SplitOptions& options,
              const SplitFiles& files = {}, const RunControl& run = {});
  // Checks the certificate of a split (SplitFiles::certificate). Its sums and digests are checked first, then
  // those of the records, then pairs of records of different subsets are compared. `sets`: one for each
  // subset, in any order; or one set of all records, where `subset_of` has the name of each record's subset,
  // in the order of the file, and an empty text for records that were removed. No sets:
  // VerifyOptions::offline is needed. `scoring` is for relations that follow the scoring of the call. What
  // does not hold is in CertificateCheck::failures. Throws Error(input) for a file that is no certificate.
  CertificateCheck verify(const std::string& certificate, const std::vector<Database>& sets,
                          const std::vector<std::string>& subset_of, const Scoring& scoring,
                          const VerifyOptions& options = {}, const RunControl& run = {});
  // Compares each later set with all sets before it: which of its records are similar to an earlier one, and
  // which earlier record is the nearest of each. Every pair is compared. All records of all sets are the
  // search space of E-values. `scoring` is for relations that follow the scoring of the call; nearest records
  // are those of a search with its defaults. Throws as all_pairs() does, and Error(input) for fewer than two
  // sets and for an E-value that is no number or below 0.
  Audit audit(std::span<const Database> sets, const Scoring& scoring, const AuditOptions& options = {},
              const RunControl& run = {});
  // Compares every pair of a set that others have clustered. `clusters` says of each record, in the order of
  // the file, in which cluster it is. All records are the search space of E-values; pairs of records without
  // a cluster do not count. Throws as all_pairs() does, and Error(input) for another number of records, and
  // for a promise of representatives where a cluster has none.
  ClusterAudit audit_clusters(const Database& set, const RecordSets& clusters, const Scoring& scoring,
                              const ClusterAuditOptions& options = {}, const RunControl& run = {});

  // ---- Costs ----

  Cost cost_of_search(const Database& queries, const Database& database, const Scoring& scoring,
                      const SearchOptions& options);
  // `all`: the cost of every query with every subject; `pairs` is then ignored.
  Cost cost_of_align(const Database& queries, const Database& subjects, std::span<const IndexPair> pairs,
                     bool all, const Scoring& scoring, const AlignOptions& options);
  // Cost::rows is 0 unless files.rows names an output.
  Cost cost_of_all_pairs(const PairInputs& inputs, const Scoring& scoring, const AllPairsOptions& options,
                         const PairFiles& files);

  struct ALNUS_LOCAL State;  // src/session
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace alnus
