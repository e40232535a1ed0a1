"""mypy accepts the package and code that uses it, the module is as its stub says, and ruff has no complaints."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import alnus

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "alnus"
IMPORTED = pathlib.Path(alnus.__file__).parent


NOISE = (
    # Stubtest reports these differences for every class and function of nanobind.
    "is not a function",
    "is a disjoint base at runtime",
    "metaclass differs",
    'stub does not have *args parameter "args"',
    "stub is a staticmethod but runtime is not",
)


def run(*words: object, folder: pathlib.Path = ROOT, check: bool = True, **environment: str) -> str:
    command = [str(word) for word in words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, **environment})
    assert not check or done.returncode == 0, f"{' '.join(command)}:\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    pytest.importorskip("mypy")
    return tmp_path_factory.mktemp("mypy")


def test_mypy_accepts_the_package(cache: pathlib.Path) -> None:
    run(sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, PACKAGE)


def test_the_module_is_as_its_stub_says(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("mypy")
    if not (IMPORTED / "_alnus.pyi").exists():
        pytest.skip("there is no stub beside the module")
    # Stubtest writes its cache into the folder in which it runs.
    said = run(
        sys.executable,
        "-m",
        "mypy.stubtest",
        "--concise",
        "alnus._alnus",
        folder=tmp_path,
        check=False,
        MYPYPATH=str(IMPORTED.parent),
    )
    wrong = [line for line in said.splitlines() if not any(noise in line for noise in NOISE)]
    assert wrong == []


USER = """
from typing import Literal

import numpy as np
import numpy.typing as npt
import alnus
from matplotlib.axes import Axes

hits = alnus.search({"q": "MKV"}, ["MKV"], matrix="BLOSUM62", gaps=(11, 1), evalue=1e-3, stats="none")
score: npt.NDArray[np.int32] = hits.score
one: alnus.Pair = hits[0]
some: alnus.Rows = hits[hits.score > 3]
part: alnus.Rows = hits[1:]
pair: alnus.Pair = alnus.align("MKV", "MKV", mode="global")
several: alnus.Rows = alnus.align("MKV", "MKV", max_hsps=2)
several = alnus.align("MKV", "MKV", max_hsps="all", min_identity=50, denominator="shorter")
several = alnus.align(["MKV"], ["MKV"], evalue=1, dbsize=(1000, 10), min_coverage=80, coverage_of="query")
several = alnus.search(["MKV"], ["MKV"], max_hsps="all", min_length=3, min_identity=None)
several = alnus.search(["MKV"], ["MKV"], max_differences=2, substitutions_only=True)
several = alnus.align("MKV", "MKV", max_differences=None, max_hsps=2)
text: str = pair.cigar
rows: alnus.Rows = alnus.align_pairs(["MKV"], ["MKV"], [[0, 0]])
database: alnus.Database = alnus.Database(["MKV"])[0:1]
letters: str = database[0]
long: alnus.Database = database[database.lengths > 2]
some_of_them: alnus.Database = database[[0]]
for batch in alnus.all_pairs(["MKV", "MKW"], min_score=5):
    ids: npt.NDArray[np.object_] = batch.query_id
with alnus.Session(devices="cpu", threads=1) as session:
    z: npt.NDArray[np.float64] = session.z_values(["MKV"], ["MKV"], shuffles=10).z
    dense: npt.NDArray[np.float64] = session.pdist(["MKV", "MKW"], value="score", mode="global")
condensed: npt.NDArray[np.float64] = alnus.pdist(["MKV", "MKW"], format="condensed", matrix="BLOSUM62")
rectangle: npt.NDArray[np.float64] = alnus.cdist(["MKV"], ["MKW"], denominator="shorter", progress=True)
first, second, value = alnus.pdist(["MKV", "MKW"], cutoff=0.5, format="pairs")
indices: npt.NDArray[np.uint32] = alnus.cdist(["MKV"], ["MKW"], cutoff=0.5, format="pairs")[0]
values: npt.NDArray[np.float64] = value
matrix = alnus.pdist(["MKV", "MKW"], cutoff=0.5).toarray()
matrix = alnus.pdist(["MKV", "MKW"], top_k=1).toarray()
indices = alnus.cdist(["MKV"], ["MKW"], cutoff=0.5, top_k=2, format="pairs")[1]
matrix = alnus.cdist(["MKV"], ["MKW"], cutoff=0.5, format="coo").toarray()
alphabet: Literal["protein", "dna"] = database.alphabet
hits = alnus.search(["MKV"], ["MKV"], alphabet=alphabet, mode=None, stats=None)
axes: Axes = alnus.plot.heat_map(condensed, value="distance")
axes = alnus.plot.heat_map(["MKV", "MKW"], mode="global", denominator="shorter", ax=axes)
"""

WRONG = [
    'alnus.search(["MKV"], ["MKV"], mode="globl")',
    'alnus.search(["MKV"], ["MKV"], evalu=3)',
    'alnus.align("MKV", "MKV", detail=5)',
    'alnus.align("MKV", "MKV", max_hsps="2")',
    'alnus.align("MKV", "MKV", denominator="longr")',
    'alnus.search(["MKV"], ["MKV"], coverage_of="querry")',
    'alnus.search(["MKV"], ["MKV"], max_differences="2")',
    "alnus.Session(devices=5)",
    'alnus.align("MKV", "MKV").scor',
    "alnus.write_all_pairs([], matrices={'scor': 'x'})",
    'alnus.pdist(["MKV"], format="csr")',
    'alnus.pdist(["MKV"], format="rectangle")',
    'alnus.pdist(["MKV"], cutoff=3, format="condensed")',
    'alnus.pdist(["MKV"], cutof=3)',
    'alnus.pdist(["MKV"]).toarray()',
    'alnus.cdist(["MKV"], ["MKV"], format="condensed")',
    'alnus.cdist(["MKV"], ["MKV"], cutoff=3, format="pairs").shape',
    'alnus.plot.heat_map([0.1], value="similarity")',
    'alnus.plot.heat_map(["MKV"], mod="global")',
    "alnus.plots",
]


def test_mypy_accepts_a_user_and_finds_mistakes(tmp_path: pathlib.Path, cache: pathlib.Path) -> None:
    (tmp_path / "right.py").write_text(USER)
    (tmp_path / "wrong.py").write_text("import alnus\n" + "".join(line + "\n" for line in WRONG))
    words = (
        "-m",
        "mypy",
        "--strict",
        "--config-file",
        os.devnull,
        "--cache-dir",
        cache,
        "right.py",
        "wrong.py",
    )
    said = run(sys.executable, *words, folder=tmp_path, check=False, MYPYPATH=str(IMPORTED.parent))
    assert "right.py" not in said, said
    for number in range(2, len(WRONG) + 2):
        assert f"wrong.py:{number}: error" in said, f"{WRONG[number - 2]} passes:\n{said}"


@pytest.mark.parametrize(
    "folder",
    [PACKAGE, pathlib.Path(__file__).parent, ROOT / "tests" / "ci", ROOT / ".ci"],
    ids=["package", "tests", "tests_of_ci", "ci"],
)
def test_ruff_has_no_complaints(folder: pathlib.Path) -> None:
    ruff = shutil.which("ruff") or shutil.which(str(pathlib.Path(sys.executable).with_name("ruff")))
    if ruff is None:
        pytest.skip("ruff is not installed")
    run(ruff, "check", "--no-cache", folder)
