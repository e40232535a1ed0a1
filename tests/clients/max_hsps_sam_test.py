"""Several alignments of a pair (--max-hsps) in SAM: samtools and pysam count the primary, supplementary and secondary
lines, and the lines of a chimeric alignment name each other."""

import collections
import json

import pysam
import pytest

from clients import alnus, run
from inputs import reverse_complement, write_fasta
from repeats import read_fastq

COLUMNS = "6 qseqid sseqid hsp qstart qend sstart send score sstrand nident length"
Row = collections.namedtuple("Row", "query subject hsp qstart qend sstart send score strand nident length")
DNA = "--alphabet dna --match 2 --mismatch -3 --gap-open 5 --gap-extend 2".split()
SOFT, HARD = pysam.CSOFT_CLIP, pysam.CHARD_CLIP


class Data:
    """The rows of a command, and the lines of its SAM."""

    def __init__(self, folder, command):
        self.folder, self.sam, self.bam = folder, folder / "lines.sam", folder / "sorted.bam"
        rows = (line.split("\t") for line in alnus(*command, "--outfmt", COLUMNS).splitlines())
        self.rows = [Row(*f[:2], *map(int, f[2:8]), f[8], *map(int, f[9:])) for f in rows]
        alnus(*command, "--outfmt", "sam", "-o", self.sam)
        run("samtools", "sort", "-o", self.bam, self.sam)
        run("samtools", "index", self.bam)
        run("samtools", "quickcheck", "-v", self.sam, self.bam)
        with pysam.AlignmentFile(self.sam) as file:
            self.lines = list(file)
        self.mapped = [line for line in self.lines if not line.is_unmapped]
        self.queries = collections.defaultdict(list)
        for line, row in zip(self.mapped, self.rows, strict=True):
            self.queries[line.query_name].append((line, row))


@pytest.fixture(scope="module")
def reads(repeats_of_reads):
    return read_fastq(repeats_of_reads[0])


@pytest.fixture(scope="module")
def dna(repeats_of_reads, tmp_path_factory):
    command = ["search", *repeats_of_reads, *DNA, "--max-hsps", "all", "--evalue", "1e-3"]
    return Data(tmp_path_factory.mktemp("dna"), command)


@pytest.fixture(scope="module")
def protein(repeats_of_proteins, tmp_path_factory):
    """One more query has the halves of a subject in the other order."""
    folder = tmp_path_factory.mktemp("protein")
    queries, subjects = repeats_of_proteins
    letters = subjects.read_text().splitlines()[5]
    half = len(letters) // 2
    more = write_fasta(folder / "more.fasta", {"turned": letters[half:] + letters[:half]})
    more.write_text(queries.read_text() + more.read_text())
    return Data(folder, ["search", more, subjects, "--max-hsps", 4, "--evalue", "1e-3"])


@pytest.fixture(params=["dna", "protein"])
def data(request):
    return request.getfixturevalue(request.param)


def flagstat(path):
    return json.loads(run("samtools", "flagstat", "-O", "json", path))["QC-passed reads"]


def kind(line):
    if line.is_unmapped:
        return "unmapped"
    return "secondary" if line.is_secondary else "supplementary" if line.is_supplementary else "primary"


def clips(line):
    """The residues of the query before and after the part that is aligned, in the direction of the query."""
    before, after = ([n for operation, n in part if operation in (SOFT, HARD)] for part in
                     (line.cigartuples[:1], line.cigartuples[-1:]))
    ends = sum(before), sum(after)
    return ends[::-1] if line.is_reverse else ends


def test_flags_have_their_bits_and_are_counted(data):
    kinds = collections.Counter(map(kind, data.lines))
    assert {line.flag & ~0x10 for line in data.lines} == {0, 4, 0x100, 0x800}
    assert kinds["unmapped"] == 1 and len(data.mapped) == len(data.rows)
    for path in data.sam, data.bam:
        counts = flagstat(path)
        assert counts["primary"] == kinds["primary"] + 1 == len({line.query_name for line in data.lines})
        assert counts["primary mapped"] == kinds["primary"]
        assert counts["secondary"] == kinds["secondary"] > 0
        assert counts["supplementary"] == kinds["supplementary"] > 0
        assert counts["mapped"] == len(data.rows)
    for flag, name in (0x100, "secondary"), (0x800, "supplementary"), (4, "unmapped"):
        assert run("samtools", "view", "-c", "-f", flag, data.bam) == f"{kinds[name]}\n"
    statistics = dict(line.split("\t")[1:3] for line in run("samtools", "stats", data.sam).splitlines()
                      if line.startswith("SN\t"))
    assert int(statistics["sequences:"]) == kinds["primary"] + 1
    assert int(statistics["reads mapped:"]) == kinds["primary"]
    assert int(statistics["non-primary alignments:"]) == kinds["secondary"]
    assert int(statistics["supplementary alignments:"]) == kinds["supplementary"]


def test_the_primary_line_is_the_first_one_of_the_best_score(data):
    for lines in data.queries.values():
        best = max(lines, key=lambda pair: pair[1].score)
        assert [pair for pair in lines if kind(pair[0]) == "primary"] == [best]


def test_lines_are_the_rows_of_the_table(data):
    for lines in data.queries.values():
        for line, row in lines:
            assert (line.query_name, line.reference_name, line.get_tag("AS")) == (row.query, row.subject, row.score)
            assert [line.reference_start + 1, line.reference_end] == sorted([row.sstart, row.send])
            assert line.is_reverse == (row.strand == "minus")
            whole = line.infer_read_length()
            assert clips(line) == (row.qstart - 1, whole - row.qend)
            counts = line.get_cigar_stats()[0]
            assert (counts[pysam.CEQUAL], sum(counts[:3]) + sum(counts[7:9])) == (row.nident, row.length)
            assert line.get_tag("NM") == row.length - row.nident
            clip = HARD if line.is_supplementary else SOFT
            assert {operation for operation, _ in line.cigartuples} & {SOFT, HARD} <= {clip}


def test_supplementary_lines_are_further_parts_of_the_primary_lines_query(data):
    """Two alignments are of different parts if they share less than half of what the shorter one aligns."""

    def share(a, b):
        return 2 * (min(a.qend, b.qend) - max(a.qstart, b.qstart) + 1) >= min(a.qend - a.qstart, b.qend - b.qstart) + 1

    for lines in data.queries.values():
        parts = [row for line, row in lines if kind(line) != "secondary"]
        assert len({row.subject for row in parts}) == 1
        assert not any(share(a, b) for k, a in enumerate(parts) for b in parts[:k])
        for line, row in lines:
            if kind(line) == "secondary" and row.subject == parts[0].subject:
                assert any(share(row, part) for part in parts)


def test_lines_of_a_chimeric_alignment_name_each_other(data):
    for lines in data.queries.values():
        parts = [line for line, _ in lines if kind(line) != "secondary"]
        parts.sort(key=lambda line: line.is_supplementary)
        entries = [",".join([line.reference_name, str(line.reference_start + 1), "-" if line.is_reverse else "+",
                             line.cigarstring.replace("H", "S"), str(line.mapping_quality), str(line.get_tag("NM"))])
                   for line in parts]
        for line in parts:
            if len(parts) == 1:
                assert not line.has_tag("SA")
                continue
            own = entries[parts.index(line)]
            assert line.get_tag("SA") == "".join(f"{entry};" for entry in entries if entry != own)
        assert not any(line.has_tag("SA") for line, _ in lines if kind(line) == "secondary")


def test_letters_and_qualities_are_those_of_the_read(dna, reads):
    """The primary line has the whole read, a supplementary one the part that it aligns, a secondary one nothing."""
    for line in dna.mapped:
        read, quality = reads[line.query_name]
        before, after = clips(line)
        if line.is_secondary:
            assert (line.query_sequence, line.query_qualities) == (None, None)
            assert line.infer_read_length() == len(read)
            continue
        if line.is_supplementary:
            read, quality = (text[before:len(text) - after] for text in (read, quality))
        assert line.get_forward_sequence() == read
        assert pysam.qualities_to_qualitystring(line.get_forward_qualities()) == quality


def test_samtools_gives_the_reads_back(dna, reads):
    restored = dna.folder / "restored.fastq"
    for path in dna.sam, dna.bam:
        restored.write_text(run("samtools", "fastq", path))
        assert read_fastq(restored) == reads
        assert len(restored.read_text().splitlines()) == 4 * len(reads)


def test_calmd_finds_the_same_nm_and_md(dna, repeats_of_reads):
    calculated = dna.folder / "calmd.sam"
    calculated.write_text(run("samtools", "calmd", "--no-PG", dna.sam, repeats_of_reads[1]))
    with pysam.AlignmentFile(calculated) as file:
        for before, after in zip(dna.lines, file, strict=True):
            assert before.get_tags() == after.get_tags()


def test_letters_of_the_reference_follow_from_md(dna, repeats_of_reads):
    with pysam.FastaFile(repeats_of_reads[1]) as references:
        for line in dna.mapped:
            if not line.is_secondary:
                letters = references.fetch(line.reference_name, line.reference_start, line.reference_end)
                assert line.get_reference_sequence().upper() == letters


def test_reads_over_joints_are_chimeric(dna):
    """Each read has as many parts as it was made of, on the strands on which the units stand in chr1."""
    strands = {name: [(kind(line), row.strand) for line, row in lines if kind(line) != "secondary"]
               for name, lines in dna.queries.items()}
    assert strands == {
        "one_part": [("primary", "plus")],
        "one_part_reversed": [("primary", "minus")],
        "over_a_deletion": [("primary", "plus"), ("supplementary", "plus")],
        "over_an_inversion": [("primary", "plus"), ("supplementary", "minus")],
        "over_an_inversion_reversed": [("primary", "minus"), ("supplementary", "plus")],
        "three_parts": [("primary", "minus"), ("supplementary", "minus"), ("supplementary", "plus")],
        "doubled": [("primary", "plus"), ("supplementary", "plus")],
    }


def test_depth_counts_every_part_once(dna):
    """samtools depth leaves secondary lines out, and counts the parts of a chimeric alignment."""
    depth = collections.Counter()
    for line in dna.mapped:
        if not line.is_secondary:
            depth.update((line.reference_name, position + 1) for position in line.get_reference_positions())
    text = run("samtools", "depth", dna.bam)
    counted = {(name, int(position)): int(number) for name, position, number in map(str.split, text.splitlines())}
    assert {place: number for place, number in counted.items() if number} == depth
    assert max(depth.values()) > 1


def test_several_alignments_of_given_pairs(repeats_of_reads, reads, tmp_path):
    """Each query has one primary line, although the pairs come back to it after other queries."""
    names = list(reads)
    pairs = [(name, subject) for subject in ("chr2", "chr1") for name in names]
    (tmp_path / "pairs.tsv").write_text("".join(f"{name}\t{subject}\n" for name, subject in pairs))
    command = ["align", "--pairs", tmp_path / "pairs.tsv", *repeats_of_reads, *DNA, "--strand", "both", "--max-hsps", 3,
               "--min-score", 60]
    data = Data(tmp_path, command)
    kinds = collections.Counter(map(kind, data.lines))
    primary = collections.Counter(line.query_name for line in data.mapped if kind(line) == "primary")
    assert set(primary.values()) == {1} and set(primary) == set(data.queries) == set(names) - {"stranger"}
    assert kinds["secondary"] > kinds["supplementary"] > 0
    assert flagstat(data.bam)["primary mapped"] == len(primary)
    test_lines_are_the_rows_of_the_table(data)
    test_lines_of_a_chimeric_alignment_name_each_other(data)


def test_places_of_a_primer_are_alternatives(tmp_path):
    """Every place has the whole primer: one line is primary, the others are secondary, and NM counts differences."""
    primer = "ACGTTGCATGCCAGTATCGA"
    changed = primer[:8] + "C" + primer[9:]
    text = "TTTTTT".join(["", primer, reverse_complement(primer), changed, reverse_complement(changed), primer, ""])
    files = (write_fasta(tmp_path / "q.fasta", {"primer": primer}), write_fasta(tmp_path / "s.fasta", {"s": text}))
    command = ["search", *files, "--alphabet", "dna", "--max-differences", 1, "--substitutions-only"]
    data = Data(tmp_path, command)
    places = [(kind(line), line.reference_start, line.is_reverse, line.get_tag("NM")) for line in data.mapped]
    assert places[0] == ("primary", 6, False, 0)
    assert sorted(places[1:]) == [("secondary", 32, True, 0), ("secondary", 58, False, 1),
                                  ("secondary", 84, True, 1), ("secondary", 110, False, 0)]
    assert {line.get_tag("AS") + line.get_tag("NM") for line in data.mapped} == {0}
    assert flagstat(data.bam)["secondary"] == 4
