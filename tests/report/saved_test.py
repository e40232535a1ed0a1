"""What the page saves has the bytes of the program's table."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest
from conftest import saved
from made_files import DEFAULT_TABLE, made_pairs, mutant, random_letters, run_alnus, search_report, write_made

EXAMPLES = Path("/usr/share/doc/mmseqs2/example-data")
# All columns that the page has for every search.
NAMES = """qaccver saccver qseqid sseqid qtitle stitle qheader theader qlen slen sstrand hsp score bitscore evalue
adjscore zscore zscore_se zfit qstart qend sstart send length nident positive mismatch gapopen gaps pident
pident_ungapped pident_shorter pident_longer pident_mean pident_end_gaps fident ppos qcovhsp qcovs scovhsp qcov tcov
cigar btop qseq sseq"""
ALL = NAMES.split()
COMPLEMENT = str.maketrans("ACGTacgt", "TGCAtgca")


def write_fasta(path: Path, records: list[tuple[str, str]]) -> Path:
    path.write_text("".join(f">{header}\n{letters}\n" for header, letters in records), encoding="utf-8")
    return path


def proteins(folder: Path) -> tuple[Path, Path]:
    """Queries and their mutants with gaps, with titles in UTF-8 that tables must change or quote."""
    source = random.Random(11)
    queries, subjects = [], []
    for k in range(8):
        letters = random_letters(source, source.randrange(40, 200))
        queries.append((f'q{k} títle {k}, "quoted"\twith a tab' if k % 2 else f"q{k}", letters))
        for n in range(6):
            cut = source.randrange(10, 30)
            changed = mutant(source, letters, 0.75)
            changed = changed[:cut] + changed[cut + n :] + random_letters(source, 20)
            subjects.append(
                (f's{k}_{n} 蛋白質, number "{n}"' if n % 2 else f"s{k}_{n}", changed.lower() if n == 3 else changed)
            )
    return write_fasta(folder / "q.fasta", queries), write_fasta(folder / "s.fasta", subjects)


def nucleotides(folder: Path) -> tuple[Path, Path]:
    """Reads of both strands of two long sequences, which several alignments of a pair cover."""
    source = random.Random(12)
    long = [random_letters(source, 4000, "ACGT") for _ in range(2)]
    reads = []
    for k in range(20):
        start = source.randrange(3000)
        read = mutant(source, long[k % 2][start : start + 100], 0.93, "ACGT") + long[k % 2][start + 200 : start + 300]
        reads.append((f"read{k}", read.translate(COMPLEMENT)[::-1] if k % 3 else read))
    reads.append(("none", "A" * 5))
    return write_fasta(folder / "q.fasta", reads), write_fasta(
        folder / "s.fasta", [(f"long{k} of DNA", x) for k, x in enumerate(long)]
    )


NO_STATISTICS = ["--stats", "none"]
CASES = {
    "proteins": (proteins, ["--evalue", "1000"]),
    "both strands": (nucleotides, ["--alphabet", "dna", "--strand", "both"]),
    "several alignments": (nucleotides, ["--alphabet", "dna", "--max-hsps", "5"]),
    "decimal scores": (proteins, ["--matrix", "GONNET", "--gap-open", "10.5", "--gap-extend", "0.5", *NO_STATISTICS]),
    "no statistics": (proteins, ["--stats", "none", "--max-target-seqs", "5"]),
    "several alignments of proteins": (proteins, ["--max-hsps", "4", "--evalue", "1e6"]),
    "global": (proteins, ["--mode", "global", "--stats", "none"]),
    "semiglobal, of nothing": (proteins, ["--mode", "semiglobal", "--stats", "none", "--gap-open", "60"]),
}  # fmt: skip
QUICK = ("proteins", "several alignments", "decimal scores")


def programs_table(alnus, files, folder, options, columns, number=6, header=False) -> bytes:
    path = folder / "wanted.txt"
    run_alnus(alnus, "search", *files, *options, "--detail", "alignment", "--outfmt", f"{number} {' '.join(columns)}",
              *(["--header"] if header else []), "-o", path)  # fmt: skip
    return path.read_bytes()


def assert_same_table(found: bytes, wanted: bytes, columns: list[str], separator: str = "\t") -> None:
    """The same bytes; if not, the first field that differs is named."""
    if found == wanted:
        return
    for number, (line, right) in enumerate(zip(found.decode().split("\n"), wanted.decode().split("\n"), strict=False)):
        for column, one, other in zip(columns, line.split(separator), right.split(separator), strict=False):
            assert one == other, f"line {number + 1}, {column}"
    assert found == wanted


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.full) for name in CASES]
)
def test_saved_tables_are_the_programs(name, alnus, tmp_path, opened):
    make, options = CASES[name]
    files = make(tmp_path)
    report = search_report(alnus, *files, tmp_path, *options)
    report.alphabet = "dna" if make is nucleotides else "protein"
    report.output = {"columns": ALL, "header": False, "left_out": []}
    page = opened(write_made(tmp_path, "report", report), "#hits")
    assert_same_table(saved(page, "TSV"), programs_table(alnus, files, tmp_path, options, ALL), ALL)
    assert saved(page, "CSV", header=True) == programs_table(alnus, files, tmp_path, options, ALL, 10, header=True)
    assert len(report.tables[0]) > 20


@pytest.mark.full
def test_all_of_a_is_saved(alnus, tmp_path, opened):
    files = [tmp_path / "QUERY.fasta", tmp_path / "DB.fasta"]
    for path in files:
        path.write_bytes(gzip.decompress((EXAMPLES / f"{path.name}.gz").read_bytes()))
    # Eight of the 500 queries keep this test short; bench/report_page.py has all of them.
    text = files[0].read_text().split("\n>")[:8]
    files[0].write_text("\n>".join(text) + "\n")
    options = ["--max-target-seqs", "500", "--evalue", "1e9"]
    report = search_report(alnus, *files, tmp_path, *options)
    page = opened(write_made(tmp_path, "a", report), "#hits")
    assert saved(page, "TSV") == programs_table(alnus, files, tmp_path, options, DEFAULT_TABLE.split())
    assert len(report.tables[0]) == 8 * 500


def test_fasta_and_alignments_have_the_aligned_letters(alnus, tmp_path, opened):
    files = proteins(tmp_path)
    report = search_report(alnus, *files, tmp_path)
    page = opened(write_made(tmp_path, "report", report), "#query=2")
    table = programs_table(alnus, files, tmp_path, [], ["qaccver", "saccver", "sstart", "send", "sseq"]).decode()
    rows = [line.split("\t") for line in table.splitlines() if line.startswith("q1\t")]
    fasta = saved(page, "FASTA of subjects' aligned parts").decode()
    entries = [(entry.split("\n")[0].split(" ")[0], "".join(entry.split("\n")[1:])) for entry in fasta.split(">")[1:]]
    assert entries == [(f"{row[1]}:{row[2]}-{row[3]}", row[4].replace("-", "")) for row in rows]
    text = saved(page, "Alignments").decode()
    assert text.count("Query: ") == len(rows)
    assert rows[0][4][:40] in text


def test_marked_and_filtered_rows_are_saved(tmp_path, opened):
    page = opened(write_made(tmp_path, "report", made_pairs()), "#pairs")
    page.get_by_label("Filter").fill("s7 score>20")
    page.locator(".count", has_text=" of 300 rows").wait_for()
    page.locator("main table tbody tr[data-at] input").first.check()
    shown = int(page.locator("main .count").inner_text().split(" ")[0])
    assert saved(page, "TSV").count(b"\n") == shown < 300
    page.locator("summary", has_text="Save").click()
    page.locator("main input[value=marked]").check()
    assert saved(page, "TSV").count(b"\n") == 1
    assert saved(page, "TSV", columns="shown", header=True).startswith(b"row\tqaccver\t")


@pytest.mark.parametrize("decimals", [3, 2])
def test_quotients_are_rounded_as_in_c(decimals, tmp_path, opened):
    page = opened(write_made(tmp_path, "report", made_pairs(3)))
    most = 400
    found = page.evaluate(
        """([most, decimals]) => { const all = []; for (let d = 1; d <= most; d++) for (let n = 0; n <= d; n++)
           all.push(fixed(100 * n / d, decimals)); return all.join(" "); }""", [most, decimals])  # fmt: skip
    assert found == " ".join(f"{100 * n / d:.{decimals}f}" for d in range(1, most + 1) for n in range(d + 1))
