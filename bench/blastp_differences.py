#!/usr/bin/env python3
"""Find the pairs that alnus and blastp judge most differently, and the option of blastp that explains each of them.

    bench/blastp_differences.py ALNUS QUERIES.fasta DATABASE.fasta FOLDER [--limit 0.001] [--pairs 50]

Searches DATABASE by both programs with their default options, up to E <= 10. Both tables are kept in FOLDER, and a
table that is there is not made again. Some pairs are listed by one program alone at E <= limit. Of these pairs, those
are explained whose E-value by that program is farthest from the limit, on a logarithmic scale; an E-value of 0 counts
as 1e-180. To explain a pair, blastp searches with its query again, in the subjects of the chosen pairs only, with
E-values for the whole database, and with one option changed at a time. Prints Markdown. FASTA files may be compressed
by gzip. Needs Debian's package ncbi-blast+.
"""
import argparse
import collections
import gzip
import math
import subprocess
from pathlib import Path

COLUMNS = '"6 qseqid sseqid evalue score"'
# Changes of blastp's search, in the order in which they are tried, each with the command that makes it. Only psiblast,
# whose first round is blastp's search, has the option -gap_trigger.
CHANGES = {
    "X-drop of the second pass": "blastp -xdrop_gap_final 500",
    "no two seeds": "blastp -window_size 0",
    "no ungapped segment of 22 bits": "psiblast -gap_trigger 15",
    "another alignment of the pair": "blastp -use_sw_tback",
}
ADJUSTED, SCALED = "blastp -comp_based_stats 3", "blastp -comp_based_stats 1"

Pair = tuple[str, str]
Hits = dict[Pair, tuple[float, str]]  # the E-value and the score of the pair's best alignment


def records(path: Path) -> dict[str, str]:
    with (gzip.open(path, "rt") if path.suffix == ".gz" else open(path)) as file:
        texts = ("\n" + file.read().strip()).split("\n>")[1:]  # the text behind a name may contain >
    return {text.split()[0]: f">{text}\n" for text in texts}


def run(command: str, output: Path) -> Path:
    if not output.exists():
        part = output.with_name(output.name + ".part")
        subprocess.run(f"{command} > {part}", shell=True, check=True)
        part.rename(output)
    return output


def hits(table: Path) -> Hits:
    found: Hits = {}
    for line in table.read_text().splitlines():
        fields = line.split("\t")
        if len(fields) < 4:  # psiblast adds lines of its own
            continue
        pair = fields[0], fields[1]
        found[pair] = min(found.get(pair, (math.inf, "")), (float(fields[2]), "/".join(fields[3:])))
    return found


def shown(found: Hits, pair: Pair) -> str:
    return f"{found[pair][0]:.2g} ({found[pair][1]})" if pair in found else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("alnus", type=Path)
    parser.add_argument("queries", type=Path)
    parser.add_argument("database", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=float, default=0.001)
    parser.add_argument("--pairs", type=int, default=50)
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    queries, subjects = records(arguments.queries), records(arguments.database)

    def write(name: str, texts: list[str]) -> Path:
        path = folder / name
        path.write_text("".join(texts))
        return path

    def database(path: Path) -> Path:
        subprocess.run(["makeblastdb", "-dbtype", "prot", "-in", path, "-out", path], check=True, capture_output=True)
        return path

    all_queries, all_subjects = write("q.fa", list(queries.values())), write("s.fa", list(subjects.values()))
    ours = hits(run(f"{arguments.alnus.resolve()} search {all_queries} {all_subjects} --max-target-seqs 20000 --devices"
                    f" cpu -t 1 --quiet --outfmt '6 qseqid sseqid evalue score adjscore'", folder / "alnus.tsv"))
    options = f"-evalue 10 -max_target_seqs 20000 -outfmt {COLUMNS}"
    theirs = hits(run(f"blastp -query {all_queries} -db {database(all_subjects)} {options}", folder / "blastp.tsv"))

    limit: float = arguments.limit
    listed = [{pair for pair, hit in found.items() if hit[0] <= limit} for found in (ours, theirs)]
    print(f"Both list {len(listed[0] & listed[1])} subjects at E <= {limit:g}, alnus alone "
          f"{len(listed[0] - listed[1])}, blastp alone {len(listed[1] - listed[0])}.\n")

    def distance(pair: Pair) -> float:
        found = ours if pair in listed[0] else theirs
        return abs(math.log10(max(found[pair][0], 1e-180) / limit))

    chosen = sorted(listed[0] ^ listed[1], key=lambda pair: (-distance(pair), pair))[:arguments.pairs]
    small = database(write("chosen.fa", [subjects[subject] for subject in sorted({pair[1] for pair in chosen})]))
    residues = sum(len("".join(text.split("\n")[1:])) for text in subjects.values())
    options += f" -dbsize {residues} -db {small} -query {folder / 'one.fa'}"
    changed: dict[Pair, dict[str, str]] = {}
    causes: dict[Pair, str] = {}
    for query in dict.fromkeys(pair[0] for pair in chosen):
        write("one.fa", [queries[query]])
        output = folder / "one.tsv"
        tables: dict[str, Hits] = {}
        for program in ("blastp", *CHANGES.values(), ADJUSTED, SCALED):
            output.unlink(missing_ok=True)
            tables[program] = hits(run(f"{program} {options}", output))
        for pair in (pair for pair in chosen if pair[0] == query):
            if tables["blastp"].get(pair, (11,))[0] != theirs.get(pair, (11,))[0]:
                raise SystemExit(f"blastp judges {pair} otherwise among few subjects.")
            scales = tables["blastp"].get(pair) == tables[SCALED].get(pair) != tables[ADJUSTED].get(pair)
            causes[pair] = "blastp scales" if scales else "different adjusted scores"
            if pair in listed[0]:
                for cause, program in CHANGES.items():
                    if tables[program].get(pair, (math.inf,))[0] <= limit:
                        causes[pair] = cause
                        break
            changed[pair] = {program: shown(found, pair) for program, found in tables.items()}

    for cause, count in collections.Counter(causes.values()).most_common():
        print(f"- {cause}: {count}")
    programs = [*CHANGES.values(), ADJUSTED, SCALED]
    print("\n| query | subject | alnus | blastp | " + " | ".join(f"`{program}`" for program in programs) + " | cause |")
    print("|---|---|" + "--:|" * (2 + len(programs)) + "---|")
    for pair in chosen:
        cells = [name.split("|")[-1] for name in pair] + [shown(ours, pair), shown(theirs, pair)]
        print("| " + " | ".join(cells + [changed[pair][program] for program in programs] + [causes[pair]]) + " |")


if __name__ == "__main__":
    main()
