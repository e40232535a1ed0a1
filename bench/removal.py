"""How good the removal of sequences for splits is (src/graph/removal.h).

    cmake --build BUILD --target bench_removal
    python3 bench/removal.py BUILD/bench/bench_removal small [EDGES]
    python3 bench/removal.py BUILD/bench/bench_removal large [EDGES COMPONENT SUBSETS LOWEST HIGHEST]

small: 200 connected subgraphs of 40 vertices; compares with the optimum of an integer program (SciPy's milp, HiGHS).
large: one component, the largest being component 0. EDGES is a table whose first two columns are names of similar
sequences. Without EDGES both use random graphs of clusters with bridges between them.
"""

import random
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

Graph = list[set[int]]  # the neighbours of each vertex
Problem = tuple[Graph, int, int, int]  # with the number of subsets, and the bounds of their sizes


def clustered(vertices: int, largest: int, rng: random.Random) -> Graph:
    """Clusters whose sizes follow a power law, dense inside, with bridges between them."""
    graph: Graph = [set() for _ in range(vertices)]
    first = 0
    while first < vertices:
        size = min(vertices - first, int(3 * rng.paretovariate(0.8)), largest)
        for a in range(first, first + size):
            for b in range(first, a):
                if rng.random() < 0.7:
                    join(graph, a, b)
        first += size
    for _ in range(vertices // 4):
        a = rng.randrange(vertices)
        b = rng.randrange(vertices) if rng.random() < 0.3 else min(vertices - 1, a + int(20 * rng.expovariate(1)))
        join(graph, a, b)
        for c in list(graph[b])[: int(3 * rng.expovariate(1))]:
            join(graph, a, c)
    return induced(graph, largest_first(graph)[0])


def join(graph: Graph, a: int, b: int) -> None:
    if a != b:
        graph[a].add(b)
        graph[b].add(a)


def induced(graph: Graph, vertices: list[int]) -> Graph:
    number = {vertex: k for k, vertex in enumerate(vertices)}
    return [{number[other] for other in graph[vertex] if other in number} for vertex in vertices]


def largest_first(graph: Graph) -> list[list[int]]:
    seen, components = [False] * len(graph), []
    for start in range(len(graph)):
        if seen[start]:
            continue
        seen[start], found = True, [start]
        for vertex in found:
            for other in graph[vertex]:
                if not seen[other]:
                    seen[other] = True
                    found.append(other)
        components.append(sorted(found))
    return sorted(components, key=len, reverse=True)


def read(path: str) -> Graph:
    numbers: dict[str, int] = defaultdict(lambda: len(numbers))
    edges = []
    with Path(path).open() as lines:
        for line in lines:
            names = line.split("\t")
            edges.append((numbers[names[0]], numbers[names[1]]))
    graph: Graph = [set() for _ in numbers]
    for first, second in edges:
        join(graph, first, second)
    return graph


def subgraph(graph: Graph, size: int, rng: random.Random) -> Graph | None:
    """A connected subgraph of random vertices beside those that are chosen; none if the component is too small."""
    chosen: set[int] = set()
    beside = {rng.randrange(len(graph))}
    while len(chosen) < size:
        if not beside:
            return None
        vertex = rng.choice(sorted(beside))
        chosen.add(vertex)
        beside = (beside | graph[vertex]) - chosen
    return induced(graph, sorted(chosen))


def run(program: str, problems: list[Problem]) -> list[list[str]]:
    text = []
    for graph, subsets, lowest, highest in problems:
        edges = [(a, b) for a, others in enumerate(graph) for b in others if a < b]
        text.append(f"{len(graph)} {len(edges)} {subsets} {lowest} {highest}")
        text += [f"{a} {b}" for a, b in edges]
    done = subprocess.run([program, "1"], input="\n".join(text), capture_output=True, text=True, check=True)
    return [line.split() for line in done.stdout.splitlines()]


def optimum(problem: Problem) -> int | None:
    """The fewest vertices that must be removed; -1 if no split is within the bounds; none if a minute does not tell."""
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import lil_array

    graph, subsets, lowest, highest = problem
    edges = [(a, b) for a, others in enumerate(graph) for b in others if a < b]
    rows = len(graph) + len(edges) * subsets * (1 if subsets == 2 else 2) + subsets
    matrix, least, most = lil_array((rows, len(graph) * subsets)), np.full(rows, -np.inf), np.ones(rows)
    row = 0
    for vertex in range(len(graph)):
        matrix[row, vertex * subsets : (vertex + 1) * subsets] = 1
        row += 1
    for a, b in edges:
        for first, second in [(a, b)] if subsets == 2 else [(a, b), (b, a)]:
            for subset in range(subsets):  # if one is in the subset, the other is in no other one
                matrix[row, first * subsets + subset] = 1
                for other in range(subsets):
                    if other != subset:
                        matrix[row, second * subsets + other] = 1
                row += 1
    for subset in range(subsets):
        matrix[row, subset::subsets] = 1
        least[row], most[row] = lowest, highest
        row += 1
    cost = -np.ones(len(graph) * subsets)
    rows_of = LinearConstraint(matrix.tocsr(), least, most)
    found = milp(cost, constraints=rows_of, integrality=1, bounds=Bounds(0, 1), options={"time_limit": 60})
    if found.status == 2:
        return -1
    return len(graph) + round(found.fun) if found.status == 0 else None


def small(program: str, edges: str | None) -> None:
    rng = random.Random(47)
    graph = read(edges) if edges else clustered(2000, 12, rng)
    problems: list[Problem] = []
    while len(problems) < 200:
        chosen = subgraph(graph, 40, rng)
        if chosen:
            subsets = rng.choice([2, 3, 5])
            slack = rng.choice([0.1, 0.3, 0.5])
            problems.append((chosen, subsets, int(40 / subsets * (1 - slack)), -int(-40 / subsets * (1 + slack))))
    differences: Counter[int | None] = Counter()
    for problem, answer in zip(problems, run(program, problems), strict=True):
        best = optimum(problem)
        differences[None if best is None else int(answer[0]) - best] += 1
        if int(answer[0]) != best:
            print(f"{problem[1:]}: removed {answer[0]}, optimum {best}", flush=True)
    print("removed less optimum (none: not found in time), and in how many graphs:", dict(differences))


def large(program: str, arguments: list[str]) -> None:
    if arguments:
        graph = read(arguments[0])
        graph = induced(graph, largest_first(graph)[int(arguments[1])])
        subsets, lowest, highest = map(int, arguments[2:5])
        problems: list[Problem] = [(graph, subsets, lowest, highest)]
    else:
        graph = clustered(4000, 700, random.Random(47))
        problems = [(graph, k, len(graph) * 95 // 100 // k, -(-len(graph) * 105 // 100 // k)) for k in (2, 5)]
    print(f"{len(graph)} vertices, {sum(map(len, graph)) // 2} edges", flush=True)
    for problem, answer in zip(problems, run(program, problems), strict=True):
        removed, bound, seconds, *sizes = answer
        print(f"subsets, lowest, highest {problem[1:]}: removed {removed}, bound {bound}, {seconds} s, sizes {sizes}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case [program, "small", *edges]:
            small(program, edges[0] if edges else None)
        case [program, "large", *arguments]:
            large(program, arguments)
        case _:
            sys.exit(__doc__)
