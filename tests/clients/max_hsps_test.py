"""Several alignments of a pair (--max-hsps): programs read them as alignments of one hit, the same ones in each format,
and they are those of BLAST and of EMBOSS' matcher."""

import collections
import io
import json
import xml.etree.ElementTree

import pandas
import pytest
from Bio import Align, AlignIO, Blast, SearchIO

from bioperl_test import report, require_rows_of_the_table
from blast_xml_test import DTD
from clients import alnus, run
from inputs import write_fasta
from repeats import proteins_with_copies, read_fastq, reads_with_copies

DNA = "--alphabet dna --match 2 --mismatch -3 --gap-open 5 --gap-extend 2".split()
COLUMNS = "qseqid sseqid hsp qstart qend sstart send evalue bitscore score"
Row = collections.namedtuple("Row", COLUMNS)


class Data:
    """A search of sequences with repeats, and the rows of its table."""

    def __init__(self, files, options, most):
        self.is_dna = "dna" in options
        self.search = ["search", *files, *options, "--evalue", "1e-3"]
        self.command = [*self.search, "--max-hsps", most]
        self.rows = self.rows_of(*self.command)
        self.hits = collections.defaultdict(list)
        for row in self.rows:
            self.hits[row.qseqid, row.sseqid].append(row)

    @staticmethod
    def rows_of(*command):
        fields = (line.split("\t") for line in alnus(*command, "--outfmt", f"6 {COLUMNS}").splitlines())
        return [Row(*f[:2], *map(int, f[2:7]), *map(float, f[7:9]), int(f[9])) for f in fields]

    def write(self, path, outfmt):
        alnus(*self.command, "--outfmt", outfmt, "-o", path)
        return path


@pytest.fixture(scope="module")
def protein(repeats_of_proteins):
    return Data(repeats_of_proteins, [], 4)


@pytest.fixture(scope="module")
def dna(repeats_of_reads):
    return Data(repeats_of_reads, DNA, "all")


@pytest.fixture(params=["protein", "dna"])
def data(request):
    return request.getfixturevalue(request.param)


def strand(row):
    return 1 if row.sstart <= row.send else -1


def place(row):
    """The begins (from 0) and ends of an alignment, and its strand."""
    return row.qstart - 1, row.qend, min(row.sstart, row.send) - 1, max(row.sstart, row.send), strand(row)


def place_of(query, subject):
    """The same of the coordinates that Biopython's alignments have."""
    return query[0], query[-1], min(subject), max(subject), 1 if subject[0] < subject[-1] else -1


def require_hits(results, data):
    """Demands that Bio.SearchIO has read a hit for each subject, and in it the rows of the table in their order."""
    hits = [(result.id, hit) for result in results for hit in result]
    assert [(query, hit.id) for query, hit in hits] == list(data.hits)
    for (_, hit), rows in zip(hits, data.hits.values(), strict=True):
        read = [(hsp.query_start, hsp.query_end, hsp.hit_start, hsp.hit_end) for hsp in hit]
        assert read == [place(row)[:4] for row in rows]
        assert [hsp.hit_strand or 1 for hsp in hit] == [strand(row) for row in rows]  # proteins may have strand 0
        assert [hsp.evalue for hsp in hit] == pytest.approx([row.evalue for row in rows], rel=0.005)
        assert [hsp.bitscore for hsp in hit] == pytest.approx([row.bitscore for row in rows], abs=1)


def test_pairs_have_several_alignments_in_the_order_of_their_scores(protein, dna):
    for data in protein, dna:
        assert sum(len(rows) > 1 for rows in data.hits.values()) >= 5
        for rows in data.hits.values():
            numbers = [row.hsp for row in rows]
            assert numbers == sorted(set(numbers)) and numbers[0] == 1
            assert [row.score for row in rows] == sorted((row.score for row in rows), reverse=True)
        assert sum(map(len, data.hits.values())) == len(data.rows), "the rows of a pair do not stand together"
    assert {len(rows) for rows in protein.hits.values()} == {1, 2, 3}
    assert {len({strand(row) for row in rows}) for rows in dna.hits.values()} == {1, 2}


def test_the_first_alignments_are_those_of_a_search_for_one(data):
    assert data.rows_of(*data.search) == [row for row in data.rows if row.hsp == 1]


def test_xml_has_a_hit_with_its_alignments(data, tmp_path):
    path = data.write(tmp_path / "hits.xml", 5)
    run("xmllint", "--noout", "--nonet", "--dtdvalid", DTD, path)
    require_hits(list(SearchIO.parse(path, "blast-xml")), data)
    index = SearchIO.index(str(path), "blast-xml")
    assert {len(hit) for query in index for hit in index[query]} == {len(rows) for rows in data.hits.values()}
    numbers = [[int(one.text) for one in hit.iter("Hsp_num")]
               for hit in xml.etree.ElementTree.parse(path).iter("Hit")]
    assert numbers == [list(range(1, len(rows) + 1)) for rows in data.hits.values()]
    with Blast.parse(path) as records:
        hits = [hit for record in records for hit in record]
    for hit, rows in zip(hits, data.hits.values(), strict=True):
        assert [hsp.score for hsp in hit] == [row.score for row in rows]
        for hsp, row in zip(hit, rows, strict=True):
            assert place_of(hsp.coordinates[1], hsp.coordinates[0]) == place(row)


def test_tables_have_a_hit_with_its_alignments(data, tmp_path):
    path = data.write(tmp_path / "comments.tsv", "7")
    results = list(SearchIO.parse(path, "blast-tab", comments=True))
    require_hits(results, data)
    counts = [int(line.split()[1]) for line in path.read_text().splitlines() if line.endswith(" hits found")]
    assert counts == [sum(len(hit) for hit in result) for result in results] and 0 in counts
    require_hits(SearchIO.parse(data.write(tmp_path / "hits.tsv", "6"), "blast-tab"), data)


def test_align_reads_every_row_of_a_table(data, tmp_path):
    """Bio.Align shifts the subject's part of rows on the minus strand, those of blastn, too: it is left out here."""
    path = data.write(tmp_path / "hits.tsv", "7 qseqid sseqid qstart qend sstart send score btop")
    for alignment, row in zip(Align.parse(path, "tabular"), data.rows, strict=True):
        target, query = alignment.coordinates
        assert (alignment.query.id, alignment.target.id, query[0], query[-1]) == (*row[:2], *place(row)[:2])
        if strand(row) == 1:
            assert (target[0], target[-1]) == place(row)[2:4]


def test_the_report_has_a_block_with_its_alignments(data, tmp_path):
    results = report(tmp_path / "report.txt", *data.command)
    hits = [(result["query"], hit) for result in results for hit in result["hits"]]
    assert [(query, hit["name"], len(hit["alignments"])) for query, hit in hits] == [
        (*pair, len(rows)) for pair, rows in data.hits.items()]
    if data.is_dna:
        strands = [one["strand"] for _, hit in hits for one in hit["alignments"]]
        assert strands == [strand(row) for row in data.rows]
    require_rows_of_the_table(results, *data.command)


def test_srspair_has_a_block_for_each_alignment(data, tmp_path):
    """Bio.AlignIO does not read numbers that fall, neither those of alnus nor those of EMBOSS. Bio.Align does."""
    path = data.write(tmp_path / "blocks.txt", "srspair")
    for alignment, row in zip(Align.parse(path, "emboss"), data.rows, strict=True):
        assert [one.id for one in alignment.sequences] == [row.qseqid, row.sseqid]
        assert alignment.annotations["Score"] == row.score
        assert place_of(*alignment.coordinates) == place(row)
    if not data.is_dna:
        read = [([one.id for one in alignment], alignment.annotations["score"])
                for alignment in AlignIO.parse(path, "emboss")]
        assert read == [([row.qseqid, row.sseqid], row.score) for row in data.rows]


def test_json_lines_have_the_number_of_each_alignment(data):
    text = alnus(*data.command, "--outfmt", "jsonl")
    names = COLUMNS.split()
    table = pandas.read_json(io.StringIO(text), lines=True)[names]
    exact = [name for name in names if name not in ("evalue", "bitscore")]
    assert table[exact].to_numpy().tolist() == [[getattr(row, name) for name in exact] for row in data.rows]
    assert table["evalue"].tolist() == pytest.approx([row.evalue for row in data.rows], rel=0.005)
    counted = run("jq", "-s", "-c", "group_by([.qseqid, .sseqid]) | map([.[0].qseqid, .[0].sseqid, length])", text=text)
    assert sorted(json.loads(counted)) == sorted([*pair, len(rows)] for pair, rows in data.hits.items())


def lines_to_compare(text):
    """The lines of a report or a table, without those that name the program, the database and the statistics, and of
    a report without its head and its tail."""
    lines = [line.rstrip() for line in text.splitlines()]
    if not lines[0].startswith("#"):
        lines = lines[next(k for k, line in enumerate(lines) if line.startswith("Query= ")):]
        lines = lines[:next(k for k, line in enumerate(lines) if line.startswith("  Database: "))]
    left_out = "# BLAST", "# Database: ", "# Statistics: ", "Statistics: "
    return [line for line in lines if not line.startswith(left_out) or line.startswith("# BLAST processed ")]


def test_tables_are_those_of_blastp(tmp_path):
    """Where gaps may stand at several places, BLAST may choose others: these sequences have one place for each gap, or
    the same numbers for all of them."""
    queries, subjects = proteins_with_copies(tmp_path, gaps=0)
    run("makeblastdb", "-in", subjects, "-dbtype", "prot", "-parse_seqids", "-out", tmp_path / "s")
    theirs = run("blastp", "-query", queries, "-db", tmp_path / "s", "-outfmt", 7, "-evalue", "1e-5", "-max_hsps", 3,
                 "-comp_based_stats", 0, "-seg", "no")
    ours = alnus("search", queries, subjects, "--evalue", "1e-5", "--max-hsps", 3, "--composition", "none",
                 "--low-complexity", "none", "--outfmt", 7)
    assert lines_to_compare(ours) == lines_to_compare(theirs)
    pairs = collections.Counter(tuple(line.split("\t")[:2]) for line in ours.splitlines() if line[0] != "#")
    assert set(pairs.values()) == {1, 2, 3}


@pytest.mark.parametrize("outfmt", [0, 7])
def test_reports_and_tables_are_those_of_blastn(tmp_path, outfmt):
    fastq, subjects = reads_with_copies(tmp_path, gaps=0)
    reads = {name: letters for name, (letters, _) in read_fastq(fastq).items()}
    queries = write_fasta(tmp_path / "reads.fasta", reads)
    run("makeblastdb", "-in", subjects, "-dbtype", "nucl", "-parse_seqids", "-out", tmp_path / "s")
    theirs = run("blastn", "-task", "blastn", "-query", queries, "-db", tmp_path / "s", "-outfmt", outfmt, "-evalue",
                 "1e-5", "-max_hsps", 5, "-dust", "no")
    ours = alnus("search", queries, subjects, "--alphabet", "dna", "--preset", "blastn", "--evalue", "1e-5",
                 "--max-hsps", 5, "--low-complexity", "none", "--outfmt", outfmt)
    assert lines_to_compare(ours) == lines_to_compare(theirs)
    assert len(lines_to_compare(ours)) > 40
    if outfmt == 0:
        assert ours.count("\n Strand=Plus/Plus\n") > 5 < ours.count("\n Strand=Plus/Minus\n")


def test_alignments_are_those_of_matcher(repeats_of_proteins, tmp_path):
    """matcher finds further alignments by the same rule. Of equally good ones it may choose others: scores and ends of
    those that are no chance are compared."""
    queries, subjects = repeats_of_proteins
    options = ["--max-hsps", 4, "--min-score", 60, "--gap-convention", "emboss", "--gap-open", 14, "--gap-extend", 4]
    ours, theirs = tmp_path / "alnus.txt", tmp_path / "matcher.txt"
    alnus("align", "--all", queries, subjects, *options, "--outfmt", "srspair", "-o", ours)
    blocks = collections.defaultdict(list)
    for alignment in Align.parse(ours, "emboss"):
        blocks[tuple(one.id for one in alignment.sequences)].append(score_and_place(alignment))
    for query, subject in ("one", "s5"), ("both", "s3"), ("one", "s4"), ("one", "s3"):
        run("matcher", "-asequence", f"{queries}:{query}", "-bsequence", f"{subjects}:{subject}", "-alternatives", 4,
            "-aformat", "srspair", "-outfile", theirs, "-auto")
        found = [score_and_place(alignment) for alignment in Align.parse(theirs, "emboss")]
        assert len(found) == 4
        assert blocks[query, subject] == [one for one in found if one[0] >= 60]
        assert len(blocks[query, subject]) > 1


def score_and_place(alignment):
    return alignment.annotations["Score"], place_of(*alignment.coordinates)
