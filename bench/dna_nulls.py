#!/usr/bin/env python3
"""Count chance hits of alnus and blastn in real DNA, and compare them with the numbers that the E-values predict.

    bench/dna_nulls.py build/release/src/alnus SOURCE.fasta... [--permutations N] [--threads N]

Some fragments of each SOURCE are queries. Other fragments become null databases, in which every hit is chance: they are
shuffled so that each fragment keeps how often it has each pair of neighbouring letters (Altschul & Erickson 1985), or
reversed without being complemented. Prints a Markdown table with the number of hits due and found at each E-value.
"""

import argparse
import collections
import pathlib
import random
import subprocess
import tempfile

QUERIES, QUERY, SUBJECTS, SUBJECT = 100, 500, 100, 2000  # number and length of the fragments of each source
THRESHOLDS = [10, 1, 0.1, 0.01, 0.001]
OF_BLASTN = ["--match", 2, "--mismatch", -3]
NONE = ["--composition", "none", "--low-complexity", "none"]
ALNUS = {  # the options of alnus, and the number of strands that count in the E-values of the row
    "alnus, nothing adjusted, one strand counts (the former default)": (NONE, 1),
    "alnus, nothing adjusted": (NONE, 2),
    "alnus `--composition none`": (["--composition", "none"], 2),
    "alnus `--low-complexity none`": (["--low-complexity", "none"], 2),
    "**alnus**": ([], 2),
    "alnus 2/-3, nothing adjusted": ([*OF_BLASTN, *NONE], 2),
    "**alnus 2/-3**": (OF_BLASTN, 2),
    "alnus `--preset blastn`": (["--preset", "blastn"], 1),
}
BLASTN = {"blastn": [], "blastn `-dust no`": ["-dust", "no"], "blastn `-word_size 7`": ["-word_size", 7]}


def read_fasta(path):
    sequences = []
    with open(path) as lines:
        for line in lines:
            if line.startswith(">"):
                sequences.append([])
            else:
                sequences[-1].append(line.strip().upper())
    return ["".join(parts) for parts in sequences]


def fragments(sequences, count, length, chooser):
    """Return random fragments that have no letters but ACGT. They may overlap."""
    long = [letters for letters in sequences if len(letters) >= length]
    weights = [len(letters) for letters in long]
    found = []
    while len(found) < count:
        letters = chooser.choices(long, weights)[0]
        begin = chooser.randrange(len(letters) - length + 1)
        fragment = letters[begin:begin + length]
        if set(fragment) <= set("ACGT"):
            found.append(fragment)
    return found


def shuffled(letters, chooser):
    """Return one of all sequences that have each pair of neighbouring letters as often, each with equal probability."""
    edges = collections.defaultdict(list)
    for letter, after in zip(letters, letters[1:]):
        edges[letter].append(after)
    last = letters[-1]
    while True:  # until the last edges of all letters lead, by some path, to the last letter of the sequence
        exits = {letter: chooser.randrange(len(ends)) for letter, ends in edges.items() if letter != last}
        joined = {last}
        for _ in exits:
            joined |= {letter for letter, exit in exits.items() if edges[letter][exit] in joined}
        if len(joined) == len(exits) + 1:
            break
    for letter, ends in edges.items():
        final = [ends.pop(exits[letter])] if letter in exits else []
        chooser.shuffle(ends)
        ends += final
    places = collections.Counter()
    path = [letters[0]]
    for _ in letters[1:]:
        letter = path[-1]
        path.append(edges[letter][places[letter]])
        places[letter] += 1
    return "".join(path)


def write_fasta(path, prefix, sequences):
    path.write_text("".join(f">{prefix}{k}\n{letters}\n" for k, letters in enumerate(sequences)))


def evalues(command):
    table = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout
    return [float(value) for value in table.split()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("alnus")
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--permutations", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    chooser = random.Random(1)
    sources = [read_fasta(source) for source in arguments.sources]
    queries = [one for source in sources for one in fragments(source, QUERIES, QUERY, chooser)]
    subjects = [one for source in sources for one in fragments(source, SUBJECTS, SUBJECT, chooser)]
    nulls = {"shuffled": [[shuffled(one, chooser) for one in subjects] for _ in range(arguments.permutations)],
             "reversed": [[one[::-1] for one in subjects]]}
    print(f"| null | | {' | '.join(f'E <= {threshold}' for threshold in THRESHOLDS)} |")
    print("|---|---|" + "--:|" * len(THRESHOLDS))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_fasta(folder / "queries.fasta", "q", queries)
        for null, databases in nulls.items():
            due = [f"{len(queries) * len(databases) * threshold:g}" for threshold in THRESHOLDS]
            print(f"| {null} | *due* | {' | '.join(due)} |")
            counts = collections.defaultdict(lambda: [0] * len(THRESHOLDS))

            def count(row, found, factor=1):
                for k, threshold in enumerate(THRESHOLDS):
                    counts[row][k] += sum(factor * value <= threshold for value in found)

            for database in databases:
                write_fasta(folder / "null.fasta", "s", database)
                known = {}
                for row, (options, strands) in ALNUS.items():
                    key = tuple(options)
                    if key not in known:
                        known[key] = evalues([
                            arguments.alnus, "search", folder / "queries.fasta", folder / "null.fasta", "--alphabet",
                            "dna", *options, "--count-strands", "one", "--max-target-seqs", len(database), "--outfmt",
                            "6 evalue", "--detail", "score", "--quiet", "-t", arguments.threads
                        ])
                    count(row, known[key], strands)
                subprocess.run(["makeblastdb", "-in", folder / "null.fasta", "-dbtype", "nucl", "-out", folder / "null"],
                               check=True, capture_output=True)
                for row, options in BLASTN.items():
                    count(row, evalues([
                        "blastn", "-task", "blastn", "-query", folder / "queries.fasta", "-db", folder / "null",
                        *options, "-evalue", 10, "-max_target_seqs", len(database), "-max_hsps", 1, "-strand", "both",
                        "-outfmt", "6 evalue", "-num_threads", arguments.threads
                    ]))
            for row in [*ALNUS, *BLASTN]:
                print(f"| | {row} | {' | '.join(f'{number:,}' for number in counts[row])} |")


if __name__ == "__main__":
    main()
