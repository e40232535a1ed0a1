"""Sessions: devices, threads and memory, and the calls that work with them."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from alnus import _alnus
from alnus._arguments import flag, index_pairs, memory_size, number, path, whole, word, words
from alnus._errors import InputError
from alnus._following import ProgressArgument, listeners, quiet, warn
from alnus._options import (
    LARGEST,
    CallWords,
    Detail,
    PairsWords,
    Strand,
    Value,
    is_scoring,
    row_options,
    split,
    split_filters,
)
from alnus._overload import overload
from alnus._pair import Pair
from alnus._rows import Denominator, Histogram, Rows
from alnus._scoring import Alphabet, Scoring, ScoringWords, scoring_of
from alnus._sequences import Database, Mask, _Origin, database_of, databases_of, is_path, two_texts_alphabet
from alnus._statistics import (
    Calibration,
    Side,
    ZValues,
    background_text,
    shuffle_options,
)
from alnus._stream import PairStream
from alnus._values import ValuesFormat, ValuesWanted, checked_format, sparse_result

if TYPE_CHECKING:
    import numpy.typing as npt


class Session:
    """Devices, threads and a budget of memory for many calls, from any number of threads.

    Parameters
    ----------
    devices : str, default "auto"
        ``"cpu"``, ``"cuda"`` (all GPUs), ``"cuda:0,1"``, or ``"auto"``: what ends each call soonest.
    threads : int, default all that this process may use
    memory : int or str, default "8G"
        Of all calls together, in bytes or with K, M, G or T. Sequences and results do not count.
    device_memory : int or str, optional
        What each device may take for its work.
    isa : str, default "auto"
        Instruction set of the CPU: ``"avx512"``, ``"avx2"``, ``"sse41"``, ``"portable"``.
    method : str, default "auto"
        A kernel by its name; ``alnus devices`` lists them.
    calibration_cache : path, optional
        A directory that keeps the statistics of scorings, which take seconds to minutes; default: memory.

    Raises
    ------
    InputError
        For unknown words.
    DeviceError
        For a GPU that is not there.

    Examples
    --------
    >>> with Session(devices="cpu", threads=1) as session:
    ...     hits = session.search({"q": "MKVLAWQRYT"}, {"s": "AMKVLAWQRY", "t": "GGGG"}, stats="none")
    >>> hits.subject_id[0], int(hits.score[0])
    ('s', 50)
    """

    def __init__(
        self,
        devices: str = "auto",
        *,
        threads: int | None = None,
        memory: int | str = "8G",
        device_memory: int | str | None = None,
        isa: str = "auto",
        method: str = "auto",
        calibration_cache: str | os.PathLike[str] | None = None,
    ) -> None:
        self._options = {
            "devices": devices,
            "threads": threads,
            "memory": memory,
            "device_memory": device_memory,
            "isa": isa,
            "method": method,
            "calibration_cache": calibration_cache,
        }
        self._streams: weakref.WeakSet[PairStream] = weakref.WeakSet()
        self._core = _alnus.Session(
            devices=word("devices", devices) or "auto",
            threads=0 if threads is None else whole("threads", threads, 1, 2**31 - 1),
            memory=memory_size("memory", memory),
            device_memory=None if device_memory is None else memory_size("device_memory", device_memory),
            isa=word("isa", isa) or "auto",
            method=word("method", method) or "auto",
            calibration_cache=None if calibration_cache is None else path("calibration_cache", calibration_cache),
        )

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        pass  # its threads end with the last reference to it

    def __reduce__(self) -> tuple[Any, ...]:
        return _session, (self._options,)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._options.items() if value not in (None, "auto"))
        return f"Session({given})"

    # ---- Devices and sequences ----

    def devices(self) -> list[dict[str, Any]]:
        """The devices that calls may use: name, description, memory_bytes, gcups (1e9 cells a second)."""
        return self._core.devices()

    def counters(self) -> dict[str, int]:
        """What the session did so far: calls, uploads to GPUs and their bytes, what is resident there."""
        return self._core.counters()

    def open(
        self,
        file: str | os.PathLike[str],
        *,
        alphabet: Literal["protein", "dna", "auto"] | None = None,
        mask: Iterable[Mask] = (),
        in_memory: bool = False,
    ) -> Database:
        """A file of sequences; :meth:`Database.open` explains the arguments."""
        name, kind, masks = path("file", file), word("alphabet", alphabet) or "", words("mask", mask)
        core = self._core.open(name, alphabet=kind, mask=masks, in_memory=flag("in_memory", in_memory), listeners=quiet)
        if name == "-":
            return Database._of_core(core)
        return Database._of_core(core, _Origin(os.path.abspath(name), kind, tuple(masks)))

    def make_database(
        self,
        inputs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        output: str | os.PathLike[str],
        *,
        alphabet: Literal["protein", "dna", "auto"] | None = None,
        mask: Iterable[Mask] = (),
        progress: ProgressArgument = False,
    ) -> Database:
        """Writes the database file of FASTA or FASTQ files, one after the other, and opens it."""
        listed: Iterable[Any] = [inputs] if isinstance(inputs, str | os.PathLike) else inputs
        paths = [path("inputs", one) for one in listed]
        kind, masks, to = word("alphabet", alphabet) or "", words("mask", mask), path("output", output)
        with listeners(progress) as listening:
            self._core.make_database(paths, to, alphabet=kind, mask=masks, listeners=listening)
        return self.open(to)

    def prepare(self, database: Database) -> None:
        """Starts the devices and sorts the database for them, so that the first search need not."""
        self._core.prepare(database._core, listeners=quiet)

    def release(self, database: Database) -> None:
        """Drops what devices hold of a database."""
        self._core.release(database._core)

    # ---- Alignments ----

    def search(
        self,
        queries: Any,
        database: Any,
        *,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        max_target_seqs: int = 500,
        evalue: float | None = None,
        min_score: float | None = None,
        detail: Detail = "alignment",
        strand: Strand | None = None,
        identity_ranges: Iterable[Denominator] = (),
        score_histogram: bool = False,
        progress: ProgressArgument = False,
        **more: Unpack[CallWords],
    ) -> Rows:
        """The best hits of each query among all sequences of a database, exactly: every pair is aligned.

        Parameters
        ----------
        queries, database : Database, path, list, dict, str, pandas or Arrow column, Biopython records, ...
            Sequences of any kind; a str with a dot or a slash is a path.
        scoring : Scoring, optional
            Or ``matrix``, ``gaps``, ``mode`` and the other arguments of :class:`Scoring`. A gap of k residues
            costs ``gaps[0] + k * gaps[1]``.
        alphabet : {"protein", "dna"}, optional
            Of sequences that do not know it; default "protein".
        max_target_seqs : int, default 500
            At most so many hits of a query.
        evalue : float, default 10
            No hit has a larger E-value.
        min_score : float, optional
            No hit has a lower score, in the matrix' units.
        detail : {"score", "ends", "alignment"}
            What is computed of each hit.
        strand : {"plus", "minus", "both"}, default "both" for DNA
            The strands of the queries.
        identity_ranges : list of denominators
            For :meth:`Rows.identity_range`.
        score_histogram : bool
            Whether ``rows.histogram`` is wanted, for :func:`alnus.plot.score_histogram`.
        progress : bool or callable
            tqdm's bar, or a function that takes a :class:`Progress`.
        stats, composition, low_complexity, dbsize, searchsp, ...
            What E-values are judged by: docs/statistics.md.

        Returns
        -------
        Rows
            In the order of the queries, a query's hits by E-value, then by score.

        Raises
        ------
        InputError, DatabaseError, DeviceError, OutOfMemoryError

        Examples
        --------
        >>> hits = search({"q": "MKVLAWQRYTHEW"}, ["AMKVLAWQRYTHEWA", "PPPP"], matrix="BLOSUM62", gaps=(11, 1))
        >>> hits[0].cigar
        '13='
        """
        self._check_free()
        names = ("queries", "database")
        first, second = databases_of(queries, database, self, alphabet=alphabet, names=names, search=True)
        of_call, statistics = split(scoring, second.alphabet, more)
        options = row_options(detail, strand, identity_ranges, statistics, True)
        with listeners(progress) as listening:
            core, summary, histogram = _alnus.search(
                self._core,
                first._core,
                second._core,
                of_call._core,
                options,
                max_target_seqs=whole("max_target_seqs", max_target_seqs, 1, LARGEST),
                evalue=number("evalue", evalue),
                min_score=number("min_score", min_score),
                score_histogram=flag("score_histogram", score_histogram),
                listeners=listening,
            )
        counted = None
        if histogram is not None:
            lowest, pairs, expected, stride = histogram
            scale = of_call._core.scale
            counted = Histogram(lowest / scale, pairs, expected, stride, scale)
        return Rows(core, of_call, self, (first, second), summary, counted)

    @overload
    def align(
        self,
        a: str | bytes,
        b: str | bytes,
        *,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        detail: Detail = "alignment",
        strand: Strand | None = None,
        identity_ranges: Iterable[Denominator] = (),
        significance: bool = False,
        progress: ProgressArgument = False,
        **more: Unpack[CallWords],
    ) -> Pair: ...
    @overload
    def align(
        self,
        a: Any,
        b: Any,
        *,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        detail: Detail = "alignment",
        strand: Strand | None = None,
        identity_ranges: Iterable[Denominator] = (),
        significance: bool = False,
        progress: ProgressArgument = False,
        **more: Unpack[CallWords],
    ) -> Any: ...
    def align(
        self,
        a: Any,
        b: Any,
        *,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        detail: Detail = "alignment",
        strand: Strand | None = None,
        identity_ranges: Iterable[Denominator] = (),
        significance: bool = False,
        progress: ProgressArgument = False,
        **more: Unpack[CallWords],
    ) -> Any:
        """Two sequences, or two sets element by element.

        Parameters
        ----------
        a, b : str and str, or two sets of as many sequences
            As :meth:`search` takes them.
        scoring : Scoring, optional
            Or ``matrix``, ``gaps``, ``mode`` and the other arguments of :class:`Scoring`. A gap of k residues
            costs ``gaps[0] + k * gaps[1]``.
        detail : {"score", "ends", "alignment"}
            What is computed of each pair.
        strand : {"plus", "minus", "both"}, default "plus"
            The strands of ``a``.
        significance : bool
            Whether bit scores, and with ``stats="zvalue"`` Z-values, are wanted; E-values if ``dbsize`` or
            ``searchsp`` says of what.

        Returns
        -------
        Pair for two str, else Rows with row k for ``a[k]`` and ``b[k]``.

        Examples
        --------
        >>> print(align("MKVLAWQRYT", "MKVLARYT", mode="global"))
        query x subject: score 26, identity 8/10 (80.0%)
        <BLANKLINE>
        query        1 MKVLAWQRYT 10
                       |||||  |||
        subject      1 MKVLA--RYT 8
        """
        two = isinstance(a, str | bytes) and isinstance(b, str | bytes) and not is_path(a) and not is_path(b)
        plain = strand is None and significance is False and progress is False and isinstance(identity_ranges, tuple)
        if two and plain and not tuple(identity_ranges):
            kind = two_texts_alphabet(a, b, alphabet)
            if len(a) * len(b) > _alnus.quick_cells:
                self._check_free()
            of_call = scoring_of(scoring, kind, more) if is_scoring(more) else split(scoring, kind, more)[0]
            core, unknown, gaps = _alnus.align_two(
                self._core, a, b, of_call._core, word("detail", detail) or "alignment", quiet
            )
            if unknown or gaps:
                read_as = "N" if kind == "dna" else "X"
                texts = [f"{unknown} letters outside the {kind} alphabet, read as {read_as}"] if unknown else []
                texts += [f"{gaps} gap letters (- or .) removed"] if gaps else []
                warn("; ".join(texts) + ".")
            return Pair(Rows(core, of_call, self), 0)
        first: Any = {"query": a} if two else a
        second: Any = {"subject": b} if two else b
        queries, subjects, listed = self._listed(first, second, None, alphabet)
        options = (detail, strand, identity_ranges, significance)
        rows = self._align(queries, subjects, listed, scoring, options, progress, more)
        return rows[0] if two else rows

    def align_pairs(
        self,
        a: Any,
        b: Any,
        pairs: npt.ArrayLike,
        *,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        detail: Detail = "alignment",
        strand: Strand | None = None,
        identity_ranges: Iterable[Denominator] = (),
        significance: bool = False,
        progress: ProgressArgument = False,
        **more: Unpack[CallWords],
    ) -> Rows:
        """Chosen pairs of two sets, in one call; :meth:`align` explains the other arguments.

        Parameters
        ----------
        a, b
            Sets of sequences; of a database file, as it stores them.
        pairs : array of whole numbers of shape (n, 2)
            Indices in ``a`` and in ``b``, repeated or not.

        Returns
        -------
        Rows
            In the order of ``pairs``.

        Examples
        --------
        >>> align_pairs(["MKVLAW", "MKHLAW"], ["MKVLA"], [[0, 0], [1, 0]]).score.tolist()
        [22, 15]
        """
        self._check_free()
        queries, subjects = databases_of(a, b, self, alphabet=alphabet, names=("a", "b"), search=False)
        listed = index_pairs(pairs, len(queries), len(subjects))
        options = (detail, strand, identity_ranges, significance)
        return self._align(queries, subjects, listed, scoring, options, progress, more)

    def _align(
        self,
        queries: Database,
        subjects: Database,
        pairs: npt.NDArray[np.uint32],
        scoring: Scoring | None,
        options: tuple[Detail, Strand | None, Iterable[Denominator], bool],
        progress: ProgressArgument,
        more: CallWords,
    ) -> Rows:
        self._check_free()
        of_call, statistics = split(scoring, subjects.alphabet, more)
        detail, strand, ranges, significance = options
        wanted = row_options(detail, strand, ranges, statistics, flag("significance", significance))
        with listeners(progress) as listening:
            core = _alnus.align(
                self._core, queries._core, subjects._core, pairs, of_call._core, wanted, listeners=listening
            )
        return Rows(core, of_call, self, (queries, subjects))

    # ---- All pairs ----

    def all_pairs(
        self,
        sequences: Any,
        against: Any = None,
        *,
        with_self: bool = False,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        detail: Detail = "alignment",
        strand: Strand | None = None,
        identity_ranges: Iterable[Denominator] = (),
        significance: bool = True,
        progress: ProgressArgument = False,
        **more: Unpack[PairsWords],
    ) -> PairStream:
        """Every pair of a set once, or every sequence of one set with every one of another, batch by batch.

        Parameters
        ----------
        sequences, against
            One set, or two. Indices in rows count sequences in the order of their files.
        with_self : bool
            Whether each sequence is paired with itself, too.
        min_score, min_identity, denominator, evalue, min_coverage, coverage_of, min_length
            Filters (:class:`FilterWords`): identity and coverage in percent.
        significance : bool
            Whether bit scores and E-values are wanted.

        Returns
        -------
        PairStream
            An iterator over :class:`Rows`, by the later sequence, then by the earlier one, which is the query.
            Local pairs of score 0 are not listed.

        Examples
        --------
        >>> for rows in all_pairs(["MKVLAW", "MKHLAW", "PPPPPP"], mode="global", significance=False):
        ...     print(rows.query.tolist(), rows.subject.tolist(), rows.score.tolist())
        [0] [1] [26]
        [0, 1] [2, 2] [-13, -13]
        """
        self._check_free()
        first, second = self._sets(sequences, against, alphabet)
        filters, of_call, statistics = split_filters(scoring, first.alphabet, more)
        options = row_options(detail, strand, identity_ranges, statistics, flag("significance", significance))
        core = _alnus.stream(
            self._core,
            first._core,
            None if second is None else second._core,
            of_call._core,
            options,
            filters,
            self=flag("with_self", with_self),
        )
        stream = PairStream(core, of_call, self, progress)
        self._streams.add(stream)
        return stream

    def write_all_pairs(
        self,
        sequences: Any,
        against: Any = None,
        *,
        output: str | os.PathLike[str] | None = None,
        format: str = "6",
        header: bool = False,
        matrices: Mapping[Value, str | os.PathLike[str]] | None = None,
        matrix_type: Literal["float32", "int32"] | None = None,
        square: bool = False,
        phylip: str | os.PathLike[str] | None = None,
        edges: str | os.PathLike[str] | None = None,
        edge_value: Value = "identity",
        edge_threshold: float | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        add: Any = None,
        with_self: bool = False,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        strand: Strand | None = None,
        progress: ProgressArgument = False,
        **more: Unpack[PairsWords],
    ) -> dict[str, Any]:
        """All pairs into files, which appear complete or not at all; docs/allpairs.md describes them.

        Parameters
        ----------
        sequences, against, with_self
            As :meth:`all_pairs`.
        output : path, optional
            Rows in the format ``format``.
        matrices : dict of "score", "identity", "distance" or "score_distance" to path
            NumPy's ``.npy`` in SciPy's condensed order, identities in percent; ids are in ``NAME.ids``.
        matrix_type : {"int32", "float32"}, optional
            Of matrices of scores and score distances; with decimals among the scores it must be "float32".
        square : bool
            The whole symmetric matrices.
        phylip, edges : path, optional
            Distances as PHYLIP reads them; a line for each pair whose ``edge_value`` passes ``edge_threshold``.
        checkpoint : directory, optional
            The same call goes on after an interruption.
        add : sequences, optional
            New sequences, by which the finished files of a checkpoint are extended.

        Returns
        -------
        dict
            What was counted: pairs, cells, listed, filtered, empty, first_row, finished_before, seconds.
        """
        self._check_free()
        first, second = self._sets(sequences, against, alphabet)
        nothing = matrices is None or (isinstance(matrices, Mapping) and len(matrices) == 0)
        if nothing and output is None and phylip is None and edges is None:
            raise InputError("There is nothing to write: name a file by output, matrices, phylip or edges.")
        if flag("square", square) and matrices is None:
            raise InputError("square is for matrices, and none is wanted.")
        if matrices is not None and not isinstance(matrices, Mapping):
            raise InputError(f"matrices is {matrices!r}; it must be a dict of value to path.")
        added = None if add is None else database_of(add, self, alphabet=first.alphabet, name="add")
        denominator = more.get("denominator", "alignment")
        filters, of_call, statistics = split_filters(scoring, first.alphabet, more)
        options = row_options("alignment", strand, (), statistics, True)
        files: dict[str, Any] = {
            "output": None if output is None else path("output", output),
            "format": word("format", format),
            "header": flag("header", header),
            "matrices": {word("matrices", value): path("matrices", file) for value, file in (matrices or {}).items()},
            "matrix_type": word("matrix_type", matrix_type),
            "square": flag("square", square),
            "phylip": None if phylip is None else path("phylip", phylip),
            "edges": None if edges is None else path("edges", edges),
            "edge_threshold": number("edge_threshold", edge_threshold),
            "checkpoint": None if checkpoint is None else path("checkpoint", checkpoint),
        }
        with listeners(progress) as listening:
            return _alnus.write_all_pairs(
                self._core,
                first._core,
                None if second is None else second._core,
                None if added is None else added._core,
                of_call._core,
                options,
                filters,
                self=flag("with_self", with_self),
                value=word("edge_value", edge_value) or "identity",
                denominator=word("denominator", denominator) or "alignment",
                files={name: value for name, value in files.items() if value is not None},
                listeners=listening,
            )

    def pdist(
        self,
        sequences: Any,
        *,
        value: Value = "distance",
        denominator: Denominator = "alignment",
        cutoff: float | None = None,
        format: ValuesFormat | None = None,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        strand: Strand | None = None,
        progress: ProgressArgument = False,
        **more: Unpack[ScoringWords],
    ) -> Any:
        """A value of every pair of a set, condensed as SciPy has it, or of the pairs that pass a cutoff.

        Pair (i, j) with i < j, counted in the order of the file, is at
        ``n * i - i * (i + 1) // 2 + j - i - 1``, as :func:`scipy.spatial.distance.squareform` takes it.

        Parameters
        ----------
        value : {"score", "identity", "distance", "score_distance"}
            Score in the matrix' units; identity from 0 to 1; distance, which is 1 - identity; score distance,
            ``min(S11, S22) - S12``, what the score of a pair lacks of its sequences' scores with themselves.
        denominator : {"alignment", "ungapped", "shorter", "longer", "mean", "end_gaps"}
            Of the identity, as in :meth:`Rows.identity`.
        cutoff : float, optional
            Only pairs of so high a score or identity, or so low a distance, are in the result, which is sparse.
        format : {"condensed", "csr", "coo", "pairs"}, default "condensed", with a cutoff "csr"
            ``"csr"`` and ``"coo"`` are symmetric SciPy arrays of shape (n, n) without the diagonal, in which a
            value of 0 is stored as such. ``"pairs"``: three arrays, i, j and the value, with i < j.
        scoring
            As :meth:`search`.

        Returns
        -------
        float64 array of n * (n - 1) / 2 numbers, or what ``format`` says

        Examples
        --------
        >>> pdist(["MKVLAW", "MKVLAW", "MKVQAW"], mode="global", value="identity").round(3)
        array([1.   , 0.833, 0.833])
        >>> pdist(["CASSLGF", "CASSLGY", "WWWW"], value="score_distance", cutoff=15, format="pairs")
        (array([0], dtype=uint32), array([1], dtype=uint32), array([3.]))
        """
        self._check_free()
        database = database_of(sequences, self, alphabet=alphabet, name="sequences")
        wanted = ValuesWanted(value, denominator, cutoff, format, strand)
        return self._values(database, None, wanted, scoring, progress, more)

    def cdist(
        self,
        a: Any,
        b: Any,
        *,
        value: Value = "distance",
        denominator: Denominator = "alignment",
        cutoff: float | None = None,
        format: ValuesFormat | None = None,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        strand: Strand | None = None,
        progress: ProgressArgument = False,
        **more: Unpack[ScoringWords],
    ) -> Any:
        """A value of every sequence of one set with every one of another; :meth:`pdist` explains the arguments.

        Returns
        -------
        float64 array of shape (len(a), len(b)), or what ``format`` says: ``"rectangle"`` is the default.
        """
        self._check_free()
        queries, subjects = databases_of(a, b, self, alphabet=alphabet, names=("a", "b"), search=False)
        wanted = ValuesWanted(value, denominator, cutoff, format, strand)
        return self._values(queries, subjects, wanted, scoring, progress, more)

    def _values(
        self,
        first: Database,
        second: Database | None,
        wanted: ValuesWanted,
        scoring: Scoring | None,
        progress: ProgressArgument,
        more: ScoringWords,
    ) -> Any:
        of_call = scoring_of(scoring, first.alphabet, more)
        cutoff, kind = checked_format(wanted.cutoff, wanted.format, wanted.value, one_set=second is None)
        cores = (self._core, first._core, None if second is None else second._core, of_call._core)
        value = word("value", wanted.value) or "distance"
        denominator = word("denominator", wanted.denominator) or "alignment"
        strand = word("strand", wanted.strand)
        with listeners(progress) as listening:
            if cutoff is None:
                return _alnus.values(*cores, value=value, denominator=denominator, strand=strand, listeners=listening)
            found = _alnus.sparse_values(
                *cores, value=value, denominator=denominator, cutoff=cutoff, strand=strand, listeners=listening
            )
        return sparse_result(*found, kind, len(first), None if second is None else len(second))

    # ---- Statistics ----

    def z_values(
        self,
        a: Any,
        b: Any,
        pairs: npt.ArrayLike | None = None,
        *,
        shuffles: int = 1000,
        shuffled: Side = "both",
        seed: int = 1,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        progress: ProgressArgument = False,
        **more: Unpack[ScoringWords],
    ) -> ZValues:
        """How far the scores of pairs are above those of shuffled sequences (docs/z-values.md).

        Parameters
        ----------
        a, b
            Sets of sequences.
        pairs : array of whole numbers of shape (n, 2), optional
            Indices in ``a`` and ``b``; default: element by element.
        shuffles : int
            Of each side, 10 or more.
        shuffled : {"query", "subject", "both"}
            Whose residues are shuffled; of both, the lower Z-value counts.
        """
        self._check_free()
        options = shuffle_options(shuffles, shuffled, seed)
        queries, subjects, listed = self._listed(a, b, pairs, alphabet)
        of_call = scoring_of(scoring, subjects.alphabet, more)
        with listeners(progress) as listening:
            z, error, log_p, goodness, side = _alnus.z_values(
                self._core, queries._core, subjects._core, listed, of_call._core, options, listeners=listening
            )
        return ZValues(z, error, log_p, goodness, np.array(["query", "subject"], dtype=object)[side])

    def identity_range(
        self,
        a: Any,
        b: Any,
        pairs: npt.ArrayLike | None = None,
        *,
        denominator: Denominator = "alignment",
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        progress: ProgressArgument = False,
        **more: Unpack[ScoringWords],
    ) -> npt.NDArray[np.float64]:
        """Lowest and highest identity of each pair over all alignments of its best score, exactly.

        Returns
        -------
        float64 array of shape (n, 2), from 0 to 1

        Examples
        --------
        >>> identity_range(["MKVLAWW"], ["MKVAW"], mode="global").round(3).tolist()
        [[0.571, 0.571]]
        """
        self._check_free()
        queries, subjects, listed = self._listed(a, b, pairs, alphabet)
        of_call = scoring_of(scoring, subjects.alphabet, more)
        with listeners(progress) as listening:
            return _alnus.identity_range(
                self._core,
                queries._core,
                subjects._core,
                listed,
                of_call._core,
                word("denominator", denominator) or "alignment",
                listeners=listening,
            )

    def calibrate(
        self,
        *,
        scoring: Scoring | None = None,
        alphabet: Alphabet = "protein",
        precision: float = 0.01,
        length: int = 2000,
        background: Mapping[str, float] | None = None,
        anew: bool = False,
        progress: ProgressArgument = False,
        **more: Unpack[ScoringWords],
    ) -> Calibration:
        """The statistics of a local scoring by simulation (docs/calibration.md).

        Parameters
        ----------
        precision : float, 0.003 to 0.1
            The wanted relative error of lambda.
        length : int
            Residues of each random sequence.
        background : dict of letter to frequency, optional
            Of the letters of random sequences; default: those of published statistics.
        anew : bool
            Whether to simulate even if the session has a result.
        """
        self._check_free()
        of_call = scoring_of(scoring, word("alphabet", alphabet) or "protein", more)
        exact = number("precision", precision)
        with listeners(progress) as listening:
            core = _alnus.calibrate(
                self._core,
                of_call._core,
                precision=0.01 if exact is None else exact,
                length=whole("length", length, 1, LARGEST),
                background=background_text(background),
                anew=flag("anew", anew),
                listeners=listening,
            )
        return Calibration(core)

    def add_calibration(self, scoring: Scoring, calibration: Calibration) -> None:
        """Searches of this session with this scoring use this calibration."""
        if not isinstance(scoring, Scoring) or not isinstance(calibration, Calibration):
            raise InputError("add_calibration() takes a Scoring and a Calibration.")
        _alnus.add_calibration(self._core, scoring._core, calibration._core)

    # ---- Inside ----

    def _check_free(self) -> None:
        """A call would wait for ever for the memory of a stream that the same thread has not ended."""
        thread = threading.get_ident()
        if any(stream.is_open and stream.thread == thread for stream in list(self._streams)):
            raise InputError(
                "all_pairs() of this session is under way in this thread and has all of its memory. Take the last "
                "batch first, close() the stream, or use another Session."
            )

    def _sets(self, sequences: Any, against: Any, alphabet: Alphabet | None) -> tuple[Database, Database | None]:
        if against is None:
            return database_of(sequences, self, alphabet=alphabet, name="sequences"), None
        return databases_of(sequences, against, self, alphabet=alphabet, names=("sequences", "against"), search=False)

    def _listed(
        self, a: Any, b: Any, pairs: npt.ArrayLike | None, alphabet: Alphabet | None
    ) -> tuple[Database, Database, npt.NDArray[np.uint32]]:
        queries, subjects = databases_of(a, b, self, alphabet=alphabet, names=("a", "b"), search=False)
        if pairs is not None:
            return queries, subjects, index_pairs(pairs, len(queries), len(subjects))
        queries, subjects = queries.in_file_order(), subjects.in_file_order()
        if len(queries) != len(subjects):
            raise InputError(
                f"a has {len(queries)} sequences and b has {len(subjects)}; align_pairs() and pairs take any."
            )
        numbers = np.arange(len(queries), dtype=np.uint32)
        return queries, subjects, np.column_stack((numbers, numbers))


def _session(options: dict[str, Any]) -> Session:
    return Session(**options)
