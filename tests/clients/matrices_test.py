"""Matrices, distances and edges of all pairs are read by the programs that people use them with: NumPy, SciPy, pandas,
polars, scikit-bio, QuickTree, PHYLIP's neighbor, networkx, igraph and mcl."""

import csv
import io
import random

import igraph
import networkx
import numpy
import pandas
import polars
import pytest
import skbio
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from clients import alnus, run
from inputs import AMINO_ACIDS, mutated, random_letters, write_fasta

MODE = ("--mode", "global")
NEIGHBOR = "/usr/lib/phylip/bin/neighbor"


def sequences(name_of):
    """Three families of seven sequences; `name_of(family, member)` gives the headers."""
    chooser = random.Random(20)
    result = {}
    for family in range(3):
        ancestor = random_letters(chooser, AMINO_ACIDS, 150)
        for member in range(7):
            result[name_of(family, member)] = mutated(chooser, ancestor, AMINO_ACIDS, 0.15, 0.02)
    return result


def long_name(family, member):
    """A header whose first ten characters are the same for a family."""
    return f"sp|FAMILY{family}|MEMBER_{member}_OF_FAMILY and a title"


def brief_name(family, member):
    return f"f{family}_m{member}"


def ids_of(headers):
    return [header.split()[0] for header in headers]


def families(names):
    """The set of families, each of which is the set of its seven names."""
    names = list(names)
    return {frozenset(names[first:first + 7]) for first in range(0, 21, 7)}


@pytest.fixture(scope="module")
def long_named(tmp_path_factory):
    """A folder with every output of one run, and the ids of its sequences, which are long."""
    folder = tmp_path_factory.mktemp("long")
    headers = sequences(long_name)
    fasta = write_fasta(folder / "s.fa", headers)
    alnus("allpairs", fasta, *MODE, "--matrix-out", folder / "identity.npy", "--matrix-out",
          f"distance:{folder / 'distance.npy'}", "--phylip", folder / "distance.phy", "--edges", folder / "edges.tsv",
          "--edge-threshold", 40)
    return folder, ids_of(headers)


@pytest.fixture(scope="module")
def brief_named(tmp_path_factory):
    """A folder with a strict and a relaxed PHYLIP matrix of sequences with brief ids, and these ids."""
    folder = tmp_path_factory.mktemp("brief")
    headers = sequences(brief_name)
    fasta = write_fasta(folder / "s.fa", headers)
    for form in ("strict", "relaxed"):
        alnus("allpairs", fasta, *MODE, "--phylip", folder / f"{form}.phy", "--phylip-names", form)
    return folder, ids_of(headers)


def labels(path):
    return path.read_text().splitlines()


def tree(newick):
    return skbio.TreeNode.read(io.StringIO(newick), convert_underscores=False)


def tips(newick):
    return {tip.name for tip in tree(newick).tips()}


def expect_families(newick, names):
    """Expects that a branch of the tree separates each family from the others."""
    splits = {frozenset(tip.name for tip in node.tips()) for node in tree(newick).traverse() if not node.is_tip()}
    for family in families(names):
        assert family in splits or frozenset(names) - family in splits, sorted(family)


def neighbor(path):
    """Returns the tree that PHYLIP's neighbor makes from a lower triangle of distances."""
    folder = path.parent
    for name in ("outfile", "outtree"):
        (folder / name).unlink(missing_ok=True)
    run(NEIGHBOR, text=f"{path.name}\nL\nY\n", folder=folder)
    return (folder / "outtree").read_text()


def test_scipy_takes_matrices_with_their_labels(long_named):
    folder, names = long_named
    identity, distance = (numpy.load(folder / f"{value}.npy") for value in ("identity", "distance"))
    assert labels(folder / "identity.npy.ids") == labels(folder / "distance.npy.ids") == names
    numpy.testing.assert_allclose(distance, 1 - identity / 100, atol=1e-6)
    clusters = fcluster(linkage(distance, "average"), 3, "maxclust")
    found = {frozenset(name for name, of_it in zip(names, clusters) if of_it == cluster) for cluster in set(clusters)}
    assert found == families(names)
    alnus("allpairs", folder / "s.fa", *MODE, "--matrix-out", f"distance:{folder / 'square.npy'}", "--square")
    square = numpy.load(folder / "square.npy")
    numpy.testing.assert_array_equal(squareform(distance), square)
    assert labels(folder / "square.npy.ids") == names


def test_scipy_takes_edges_as_a_sparse_matrix(tmp_path, long_named):
    folder, names = long_named
    path = tmp_path / "edges.npz"
    alnus("allpairs", folder / "s.fa", *MODE, "--edges", path, "--edge-threshold", 40)
    edges = sparse.load_npz(path)
    assert edges.format == "csr" and edges.has_canonical_format and labels(tmp_path / "edges.npz.ids") == names
    whole = squareform(numpy.load(folder / "identity.npy"))
    numpy.testing.assert_array_equal(edges.toarray(), numpy.where(whole >= 40, whole, 0))
    assert sparse.csgraph.connected_components(edges)[0] == 3
    columns = write_fasta(tmp_path / "t.fa", {name: letters for name, letters in zip("xyz", sequences(brief_name).values())})
    alnus("allpairs", folder / "s.fa", "--against", columns, *MODE, "--edges", path, "--edge-threshold", 100)
    edges = sparse.load_npz(path)
    assert edges.shape == (21, 3) and [list(places) for places in edges.nonzero()] == [[0, 1, 2], [0, 1, 2]]
    assert labels(tmp_path / "edges.npz.columns.ids") == list("xyz")


def test_scipy_takes_the_nearest_of_each_sequence(tmp_path, long_named):
    folder, names = long_named
    path = tmp_path / "nearest.npz"
    alnus("allpairs", folder / "s.fa", *MODE, "--top-k", 4, "--edges", path)
    nearest = sparse.load_npz(path)
    assert nearest.has_canonical_format and labels(tmp_path / "nearest.npz.ids") == names
    assert [set(of_row) for of_row in numpy.diff(nearest.indptr, append=0)[:-1].reshape(-1, 1).tolist()] == [{4}] * 21
    whole = squareform(numpy.load(folder / "identity.npy"))
    numpy.fill_diagonal(whole, -1)
    for row in range(21):
        best = numpy.sort(whole[row])[::-1][:4]
        numpy.testing.assert_array_equal(numpy.sort(nearest[[row]].data)[::-1], best)
        numpy.testing.assert_array_equal(nearest[[row]].toarray()[0][nearest[[row]].indices], whole[row][nearest[[row]].indices])
    assert sparse.csgraph.connected_components(nearest)[0] == 3


def test_pandas_takes_a_rectangle_with_both_its_labels(tmp_path, long_named):
    folder, names = long_named
    columns = {name: letters for name, letters in zip("xyz", sequences(brief_name).values())}
    against = write_fasta(tmp_path / "t.fa", columns)
    path = tmp_path / "r.npy"
    alnus("allpairs", folder / "s.fa", "--against", against, *MODE, "--matrix-out", path)
    frame = pandas.DataFrame(numpy.load(path), labels(tmp_path / "r.npy.rows.ids"),
                             labels(tmp_path / "r.npy.columns.ids"))
    assert list(frame.index) == names and list(frame.columns) == list("xyz")
    assert [frame[column].idxmax() for column in "xyz"] == names[:3]  # these sequences have the same letters
    assert [frame[column].max() for column in "xyz"] == [100] * 3


def test_scikit_bio_reads_phylip_and_agrees_with_the_matrix(long_named):
    folder, names = long_named
    distances = skbio.DistanceMatrix.read(folder / "distance.phy")
    assert list(distances.ids) == names
    by_labels = skbio.DistanceMatrix(squareform(numpy.load(folder / "distance.npy")).astype(float),
                                     labels(folder / "distance.npy.ids"))
    numpy.testing.assert_allclose(distances.data, by_labels.data, atol=1e-6)
    expect_families(str(skbio.tree.nj(distances)), names)


@pytest.mark.filterwarnings("ignore::skbio.io.ArgumentOverrideWarning")
@pytest.mark.parametrize("form", ["strict", "relaxed"])
def test_every_reader_of_phylip_takes_brief_names_of_both_forms(brief_named, form):
    folder, names = brief_named
    path = folder / f"{form}.phy"
    for strict in (False, True):
        assert list(skbio.DistanceMatrix.read(path, format="phylip_dm", strict=strict).ids) == names
    for newick in (run("quicktree", "-in", "m", path), neighbor(path)):
        assert tips(newick) == set(names)
        expect_families(newick, names)


def test_quicktree_keeps_whole_names(long_named):
    folder, names = long_named
    newick = run("quicktree", "-in", "m", folder / "distance.phy")
    assert tips(newick) == set(names)
    expect_families(newick, names)


def test_strict_names_are_what_phylip_reads_of_long_ones(tmp_path):
    headers = sequences(lambda family, member: f"F{family}.M{member}|followed|by|more text")
    fasta = write_fasta(tmp_path / "s.fa", headers)
    alnus("allpairs", fasta, *MODE, "--phylip", tmp_path / "strict.phy", "--phylip-names", "strict")
    names = [name[:10] for name in headers]
    newick = neighbor(tmp_path / "strict.phy")
    assert tips(newick) == set(names)
    expect_families(newick, names)
    assert tips(run("quicktree", "-in", "m", tmp_path / "strict.phy")) == set(names)


@pytest.mark.parametrize("form", ["strict", "relaxed"])
def test_characters_of_trees_are_replaced_in_names(tmp_path, form):
    """With these characters neighbor would refuse the matrix, and QuickTree would write trees that nobody can read."""
    headers = sequences(lambda family, member: f"g{family}:{member}(+)[a],;'\u00a0")
    fasta = tmp_path / "s.fa"
    fasta.write_text("".join(f">{header}\n{letters}\n" for header, letters in headers.items()), encoding="utf-8")
    path = tmp_path / "d.phy"
    alnus("allpairs", fasta, *MODE, "--phylip", path, "--phylip-names", form)
    whole = [f"g{family}_{member}_+__a______" for family in range(3) for member in range(7)]
    names = [name[:10] if form == "strict" else name for name in whole]
    assert list(skbio.DistanceMatrix.read(path).ids) == names
    assert tips(run("quicktree", "-in", "m", path)) == set(names)
    if form == "strict":
        assert tips(neighbor(path)) == set(names)


def test_networkx_igraph_and_mcl_take_edges(long_named):
    folder, names = long_named
    path = folder / "edges.tsv"
    graph = networkx.read_weighted_edgelist(path, delimiter="\t")
    assert {frozenset(part) for part in networkx.connected_components(graph)} == families(names)
    assert all(40 <= weight <= 100 for _, _, weight in graph.edges.data("weight"))
    graph = igraph.Graph.Read_Ncol(str(path), directed=False)
    assert {frozenset(graph.vs[part]["name"]) for part in graph.connected_components()} == families(names)
    clusters = run("mcl", path, "--abc", "-o", "-").splitlines()
    assert {frozenset(line.split("\t")) for line in clusters} == families(names)


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "csv.zst"])
def test_pandas_and_polars_read_edges_as_csv(tmp_path, suffix):
    names = ["plain", "with,comma", 'with"quotes"', '"all,of""it"', "# hash"]
    letters = random_letters(random.Random(3), AMINO_ACIDS, 60)
    fasta = write_fasta(tmp_path / "s.fa", {name: letters for name in names})
    path = tmp_path / f"e.{suffix}"
    alnus("allpairs", fasta, *MODE, "--edges", path, "--edge-threshold", 50)
    ids = ids_of(names)
    pairs = [(ids[i], ids[j], 100.0) for j in range(len(ids)) for i in range(j)]
    columns = ["first", "second", "identity"]
    assert polars.read_csv(path, has_header=False, new_columns=columns).rows() == pairs
    if not suffix.endswith("zst"):  # for Zstandard pandas needs one more package
        assert list(pandas.read_csv(path, names=columns).itertuples(index=False, name=None)) == pairs


ODD_NAMES = ["plain", "with,comma", 'with"quotes"', '"all,of""it"', "NA", "#hash", "1-2", "=A1"]


@pytest.fixture(scope="module")
def odd_tables(tmp_path_factory):
    """A folder with a matrix of sequences with odd ids as NumPy's file and as tables of every form."""
    folder = tmp_path_factory.mktemp("tables")
    chooser = random.Random(4)
    ancestor = random_letters(chooser, AMINO_ACIDS, 60)
    fasta = write_fasta(folder / "s.fa", {name: mutated(chooser, ancestor, AMINO_ACIDS, 0.3, 0.02) for name in ODD_NAMES})
    for name in ("m.npy", "m.csv", "m.csv.gz", "m.csv.zst", "m.tsv", "m.tsv.gz"):
        alnus("allpairs", fasta, *MODE, "--square", "--matrix-out", folder / name)
    return folder, numpy.load(folder / "m.npy")


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "tsv", "tsv.gz"])
def test_pandas_reads_a_table_with_its_labels(odd_tables, suffix):
    folder, expected = odd_tables
    tabs = {"sep": "\t", "quoting": csv.QUOTE_NONE} if suffix.startswith("tsv") else {}
    frame = pandas.read_csv(folder / f"m.{suffix}", index_col=0, keep_default_na=False, **tabs)
    assert list(frame.index) == list(frame.columns) == ODD_NAMES
    numpy.testing.assert_array_equal(frame.to_numpy(dtype="float32"), expected)
    assert skbio.DistanceMatrix((100 - frame.to_numpy(dtype=float)), list(frame.index)).shape == (8, 8)


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "csv.zst"])
def test_polars_reads_a_table_with_its_labels(odd_tables, suffix):
    folder, expected = odd_tables
    frame = polars.read_csv(folder / f"m.{suffix}")
    head = [name.replace('"', '""') for name in ODD_NAMES]  # in the first line polars leaves quotes doubled
    assert frame.columns[1:] in (head, ODD_NAMES) and frame[:, 0].to_list() == ODD_NAMES
    numpy.testing.assert_array_equal(frame[:, 1:].to_numpy().astype("float32"), expected)


def test_the_standard_library_reads_a_table(odd_tables):
    folder, expected = odd_tables
    with open(folder / "m.csv", newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["", *ODD_NAMES] and [row[0] for row in rows] == ODD_NAMES
    numpy.testing.assert_array_equal(numpy.array([row[1:] for row in rows], dtype="float32"), expected)


def test_pandas_reads_a_rectangle_as_a_table(tmp_path, long_named):
    folder, names = long_named
    columns = {name: letters for name, letters in zip("xyz", sequences(brief_name).values())}
    against = write_fasta(tmp_path / "t.fa", columns)
    alnus("allpairs", folder / "s.fa", "--against", against, *MODE, "--matrix-value", "score", "--matrix-out",
          tmp_path / "m.csv", "--matrix-out", f"identity:{tmp_path / 'm.npy'}", "--matrix-out",
          f"distance:{tmp_path / 'd.tsv'}")
    frame = pandas.read_csv(tmp_path / "m.csv", index_col=0)
    assert list(frame.index) == names and list(frame.columns) == list("xyz")
    assert set(frame.dtypes) == {numpy.dtype("int64")}
    distances = pandas.read_csv(tmp_path / "d.tsv", index_col=0, sep="\t")
    numpy.testing.assert_allclose(distances, 1 - numpy.load(tmp_path / "m.npy") / 100, atol=1e-6)
