"""SAM: samtools and pysam read it, and count and pile up the right reads and hits."""

import collections
import json
import random

import pysam
import pytest

from clients import alnus, run
from inputs import AMINO_ACIDS, mutated, random_letters, write_fasta

Hit = collections.namedtuple("Hit", "query subject score query_start start end query_row subject_row")
COLUMNS = "6 qseqid sseqid score qstart sstart send qseq sseq"
DNA = "--alphabet dna --match 2 --mismatch -3 --gap-open 5 --gap-extend 2 --stats none".split()


class Data:
    """Files of queries and of subjects, the table of a search's hits, and its SAM, plain and as a sorted BAM file with
    an index."""

    def __init__(self, folder, queries, subjects, options, limit):
        self.folder, self.options, self.queries, self.subjects = folder, options, queries, subjects
        self.query_file = folder / ("q.fastq" if self.has_qualities else "q.fasta")
        if self.has_qualities:
            records = (f"@{name} a title\n{letters}\n+\n{quality}\n" for name, (letters, quality) in queries.items())
            self.query_file.write_text("".join(records))
        else:
            write_fasta(self.query_file, {name: letters for name, (letters, _) in queries.items()})
        self.subject_file = write_fasta(folder / "s.fasta", subjects)
        self.hits = self.table("search", *limit)
        self.sam = self.write_sam("search", *limit)
        self.bam = folder / "sorted.bam"
        run("samtools", "sort", "-o", self.bam, self.sam)
        run("samtools", "index", self.bam)

    @property
    def has_qualities(self):
        return any(quality for _, quality in self.queries.values())

    def write_sam(self, *command):
        path = self.folder / f"{command[0]}.sam"
        alnus(*command, self.query_file, self.subject_file, *self.options, "--outfmt", "sam", "-o", path)
        return path

    def table(self, *command):
        text = alnus(*command, self.query_file, self.subject_file, *self.options, "--outfmt", COLUMNS)
        fields = (line.split("\t") for line in text.splitlines())
        return [Hit(*f[:2], *map(int, f[2:6]), *f[6:]) for f in fields]

    def best_hits(self):
        """The first hit of each query, which is its best one."""
        return list({hit.query: hit for hit in reversed(self.hits)}.values())


def reads_and_references():
    """Reads of references that have a repeat, letters in lower case and N. Some reads are from no reference, and some
    have N themselves."""
    chooser = random.Random(14)
    letters = [random_letters(chooser, "ACGT", length) for length in (3000, 900, 1500)]
    repeat = letters[0][1000:1300]
    letters[1] = letters[1][:300] + repeat + letters[1][600:]
    letters[2] = letters[2][:200] + letters[2][200:320].lower() + letters[2][320:700] + "NNNN" + letters[2][704:]
    references = {f"chr{k + 1} number {k + 1}": sequence for k, sequence in enumerate(letters)}
    reads = {}
    for k in range(120):
        sequence = letters[k % 3]
        begin = chooser.randrange(len(sequence) - 120)
        read = mutated(chooser, sequence[begin:begin + chooser.randrange(60, 120)], "ACGTN", 0.03, 0.02)
        reads[f"read{k}"] = read
    for k, begin in enumerate(range(640, 700, 10)):
        reads[f"over_n{k}"] = letters[2][begin:begin + 90]
    for k in range(10):
        reads[f"repeat{k}"] = mutated(chooser, repeat[20 * k:20 * k + 100], "ACGT", 0.02, 0.01)
        reads[f"stranger{k}"] = random_letters(chooser, "ACGT", 80)
        reads[f"joined{k}"] = random_letters(chooser, "ACGT", 30) + letters[0][200 * k:200 * k + 80]
    qualities = [chr(code) for code in range(ord("!"), ord("~") + 1)]
    return {name: (read, "".join(chooser.choices(qualities, k=len(read)))) for name, read in reads.items()}, references


@pytest.fixture(scope="module")
def dna(tmp_path_factory):
    return Data(tmp_path_factory.mktemp("dna"), *reads_and_references(), DNA, ["--min-score", 70])


@pytest.fixture(scope="module")
def protein(tmp_path_factory):
    chooser = random.Random(15)
    letters = {f"q{k}": random_letters(chooser, AMINO_ACIDS + "BZXU*", 90) for k in range(12)}
    subjects = {f"s{k}": random_letters(chooser, AMINO_ACIDS, 150) for k in range(10)}
    for query in list(letters)[:9]:
        for k in range(3):
            subjects[f"relative{k}_of_{query}"] = "MKVW" + mutated(chooser, letters[query], AMINO_ACIDS, 0.2, 0.05)
    queries = {name: (sequence, "") for name, sequence in letters.items()}
    return Data(tmp_path_factory.mktemp("protein"), queries, subjects, [], ["--evalue", "1e-5"])


@pytest.fixture(params=["dna", "protein"])
def data(request):
    return request.getfixturevalue(request.param)


def records(path):
    """The lines of a SAM file as lists of their 11 fields and a dictionary of the tags."""
    lines = (line.split("\t") for line in path.read_text().splitlines() if not line.startswith("@"))
    return [fields[:11] + [{tag[:2]: tag[5:] for tag in fields[11:]}] for fields in lines]


def flagstat(path):
    return json.loads(run("samtools", "flagstat", "-O", "json", path))["QC-passed reads"]


def differences(hit, unknown):
    """NM and MD of the aligned rows of a hit; the letter `unknown` equals nothing."""
    number, md, equal, before = 0, "", 0, ""
    for q, s in zip(hit.query_row.upper(), hit.subject_row.upper()):
        column = "I" if s == "-" else "D" if q == "-" else "=" if q == s != unknown else "X"
        number += column != "="
        if column == "=":
            equal += 1
        elif column != "I":
            if (before, column) != ("D", "D"):
                md, equal = f"{md}{equal}" + ("^" if column == "D" else ""), 0
            md += s.replace("*", "X")
        before = column
    return number, f"{md}{equal}"


def test_samtools_takes_the_file(data):
    run("samtools", "quickcheck", "-v", data.sam, data.bam)
    assert run("samtools", "view", "-c", data.sam) == f"{len(records(data.sam))}\n"
    header = run("samtools", "view", "-H", data.sam).splitlines()
    assert header[0] == "@HD\tVN:1.6\tSO:unsorted\tGO:query"
    names = [name.split()[0] for name in data.subjects]
    assert [line.split("\t")[1] for line in header if line.startswith("@SQ")] == [f"SN:{name}" for name in names]


def test_flagstat_counts_every_query_once_as_primary(data):
    counts = flagstat(data.sam)
    found = {hit.query for hit in data.hits}
    assert 0 < len(found) < len(data.queries) and len(data.hits) > len(found)
    assert counts["primary"] == len(data.queries)
    assert counts["primary mapped"] == len(found)
    assert counts["secondary"] == len(data.hits) - len(found)
    assert counts["mapped"] == len(data.hits)
    assert flagstat(data.bam) == counts


def test_every_hit_is_a_record_with_nm_and_md(data):
    unknown = "N" if data.has_qualities else "X"
    mapped = [record for record in records(data.sam) if record[1] != "4"]
    assert {record[4] for record in mapped} == {"255"}
    tags = [(r[0], r[2], r[3], r[11]["AS"], (int(r[11]["NM"]), r[11]["MD"])) for r in mapped]
    assert tags == [(hit.query, hit.subject, str(hit.start), str(hit.score), differences(hit, unknown))
                    for hit in data.hits]


def test_the_read_is_whole_in_its_primary_record_alone(data):
    for name, flag, *_, letters, quality, _ in records(data.sam):
        if int(flag) & 0x100:
            assert (letters, quality) == ("*", "*")
        else:
            read, qualities = data.queries[name]
            assert (letters, quality) == (read.replace("*", "X"), qualities or "*")


def test_calmd_finds_the_same_nm_and_md(dna):
    calculated = dna.folder / "calmd.sam"
    calculated.write_text(run("samtools", "calmd", "--no-PG", dna.sam, dna.subject_file))
    assert any("N" in record[11]["MD"] for record in records(dna.sam) if record[1] == "0")
    for before, after in zip(records(dna.sam), records(calculated), strict=True):
        assert before[11] == after[11], before[0]


def columns_of_reads(dna):
    """For each (subject, position from 0): the (letter, quality) of the best hits' reads there, '-' for a deletion."""
    columns = collections.defaultdict(list)
    for hit in dna.best_hits():
        _, qualities = dna.queries[hit.query]
        position, at = hit.start - 1, hit.query_start - 1
        for q, s in zip(hit.query_row, hit.subject_row):
            if s != "-":
                columns[hit.subject, position].append((q.upper(), qualities[at] if q != "-" else None))
            position, at = position + (s != "-"), at + (q != "-")
    return columns


def test_coverage_and_depth_count_the_best_hits(dna):
    columns = columns_of_reads(dna)
    best = collections.Counter(hit.subject for hit in dna.best_hits())
    for line in run("samtools", "coverage", dna.bam).splitlines()[1:]:
        name, _, _, reads, bases, *_ = line.split("\t")
        covered = [k for k, column in columns.items() if k[0] == name and any(letter != "-" for letter, _ in column)]
        assert (int(reads), int(bases)) == (best[name], len(covered))


def test_mpileup_has_every_base_with_its_quality(dna):
    columns = columns_of_reads(dna)
    text = run("samtools", "mpileup", "-B", "-Q", "0", "-d", "0", "--no-output-ins", "--no-output-ins",
               "--no-output-del", "--no-output-del", "--no-output-ends", dna.bam)
    seen = set()
    for line in text.splitlines():
        name, position, _, depth, bases, qualities = line.split("\t")
        column = columns[name, int(position) - 1]
        seen.add((name, int(position) - 1))
        assert int(depth) == len(column)
        pile = zip(bases.upper().replace("*", "-"), qualities)
        assert sorted(b + q for b, q in pile if b != "-") == sorted(b + q for b, q in column if b != "-")
    assert seen == set(columns)


def test_pysam_reads_letters_qualities_and_references(dna):
    sequences = {name.split()[0]: letters for name, letters in dna.subjects.items()}
    best = {hit.query: hit for hit in dna.best_hits()}
    with pysam.AlignmentFile(dna.bam) as bam:
        primary = [read for read in bam.fetch(until_eof=True) if not read.is_secondary]
        assert len(primary) == len(dna.queries)
        for read in primary:
            letters, qualities = dna.queries[read.query_name]
            assert read.query_sequence == letters.upper()
            assert pysam.qualities_to_qualitystring(read.query_qualities) == qualities
            assert read.is_unmapped == (read.query_name not in best)
            if read.is_unmapped:
                continue
            hit = best[read.query_name]
            place = read.reference_name, read.reference_start, read.reference_end
            assert place == (hit.subject, hit.start - 1, hit.end)
            assert read.query_alignment_sequence == hit.query_row.replace("-", "").upper()
            assert read.get_reference_sequence().upper() == sequences[hit.subject][hit.start - 1:hit.end].upper()
        assert bam.count() == len(dna.hits)
        columns = columns_of_reads(dna)
        for name, letters in sequences.items():
            counts = bam.count_coverage(name, quality_threshold=20)
            for position in range(len(letters)):
                good = [letter for letter, quality in columns[name, position] if quality and ord(quality) - 33 >= 20]
                assert [count[position] for count in counts] == [good.count(letter) for letter in "ACGT"]


def test_every_query_of_pairs_has_one_primary_record(dna):
    rows = dna.table("align", "--all")
    best = {}
    for row in rows:
        best[row.query] = max(best.get(row.query, row), row, key=lambda hit: hit.score)
    sam = dna.write_sam("align", "--all")
    counts = flagstat(sam)
    assert counts["primary"] == counts["primary mapped"] == len(dna.queries) == len(best)
    assert counts["mapped"] == len(rows)
    scores = {record[0]: int(record[11]["AS"]) for record in records(sam) if record[1] == "0"}
    assert scores == {name: row.score for name, row in best.items()}


def test_every_query_of_all_pairs_has_one_primary_record(dna):
    sam = dna.folder / "allpairs.sam"
    alnus("allpairs", dna.query_file, *dna.options, "--min-score", "40", "--outfmt", "sam", "-o", sam)
    counts = flagstat(sam)
    queries = {record[0] for record in records(sam)}
    assert counts["primary"] == counts["primary mapped"] == len(queries) < counts["total"]
    assert run("samtools", "view", "-H", sam).splitlines()[0] == "@HD\tVN:1.6\tSO:unsorted", "queries are not together"
