"""Calls can be interrupted, tell their progress, and work beside threads, forks, subinterpreters and imports."""

from __future__ import annotations

import concurrent.futures
import logging
import pathlib
import threading
import time
import warnings
from typing import Any

import pytest
from inputs import family, write_fasta
from support import FULL, run_script

import alnus

# A script that runs {call} on the inputs of {setup} and interrupts it by Control-C, {instants} times. It prints how
# many seconds after each signal the call ended.
INTERRUPTED = """
import os, random, signal, sys, threading, time
import alnus
chooser = random.Random(1)
residue_of_byte = bytes(b"ARNDCQEGHILKMFPSTWYV"[byte % 20] for byte in range(256))
def letters(length): return chooser.randbytes(length).translate(residue_of_byte).decode()
session = alnus.Session(devices="cpu", threads=2, memory="512M")
def interrupt(delay):
    global sent
    time.sleep(delay)
    sent = time.perf_counter()
    os.kill(os.getpid(), signal.SIGINT)
def stream(sequences):
    for rows in session.all_pairs(sequences, stats="none"): pass
{setup}
late = []
for _ in range({instants}):
    waiting = threading.Thread(target=interrupt, args=(0.25 if {instants} == 1 else 0.02 + chooser.random() / 2,))
    try:
        waiting.start()
        {call}
        print("finished")
    except KeyboardInterrupt:
        late.append(time.perf_counter() - sent)
    waiting.join()
    assert session.align(["MKVLAW"], ["MKVLAW"]).score.tolist() == [33]
assert session.search(["MKVLAWQRYT"], ["MKVLAWQRYT"]).score.tolist() == [55]
print(*late)
"""
CALLS = {
    "search": ("x = [letters(3000) for _ in range(1500)]", "session.search(x, x, stats='none')"),
    "search with E-values": ("x = [letters(3000) for _ in range(1500)]", "session.search(x, x)"),
    "all_pairs": ("x = [letters(1000) for _ in range(8000)]", "stream(x)"),
    "write_all_pairs": (
        "x = [letters(1000) for _ in range(8000)]",
        "session.write_all_pairs(x, output='/dev/null', stats='none')",
    ),
    "pdist": ("x = [letters(1000) for _ in range(8000)]", "session.pdist(x)"),
    "cdist": ("x = [letters(1000) for _ in range(8000)]", "session.cdist(x, x, value='score')"),
    "calibrate": ("", "session.calibrate(precision=0.003)"),
    "z_values": ("x = [letters(1000) for _ in range(50)]", "session.z_values(x, x, shuffles=100000)"),
    "identity_range": ("x = [letters(3000) for _ in range(3000)]", "session.identity_range(x, x[::-1])"),
    "align of two": ("a, b = letters(1500000), letters(1500000)", "session.align(a, b)"),
    "align of two, global": (
        "a, b = letters(1500000), letters(1500000)",
        "session.align(a, b, mode='global')",
    ),
    "align of many": ("x = [letters(5000) for _ in range(4000)]", "session.align(x, x[::-1])"),
}


@pytest.mark.parametrize("name", CALLS)
def test_control_c_ends_a_call_and_the_session_works_on(name: str) -> None:
    setup, call = CALLS[name]
    instants = 100 if FULL else 1
    done = run_script(INTERRUPTED.format(instants=instants, setup=setup, call=call))
    late = sorted(float(seconds) for seconds in done.stdout.split())
    assert len(late) == instants
    assert late[-1] < 0.5
    if FULL:  # one call of the 100 may be held up by other processes
        assert late[98] < 0.2


def test_control_c_in_a_progress_function_comes_out() -> None:
    def interrupt(progress: alnus.Progress) -> None:
        raise KeyboardInterrupt

    session = alnus.Session(devices="cpu", threads=2)
    with pytest.raises(KeyboardInterrupt):
        session.pdist(family(81, 1500, shortest=100, longest=300), progress=interrupt)
    assert session.align("MKVLAW", "MKVLAW").score == 33


def test_other_threads_run_during_a_call() -> None:
    sequences = family(82, 1200 if FULL else 700, shortest=200, longest=500)
    session = alnus.Session(devices="cpu", threads=1)
    count, stop = 0, threading.Event()

    def work() -> None:
        nonlocal count
        while not stop.is_set():
            count += 1
            time.sleep(0.002)

    database = alnus.Database(sequences)
    thread = threading.Thread(target=work)
    thread.start()
    try:
        before, begin = count, time.perf_counter()
        session.pdist(database, value="score")
        seconds, done = time.perf_counter() - begin, count - before
    finally:
        stop.set()
        thread.join()
    assert done > 20 * seconds, (done, seconds)


def test_many_threads_get_the_same_answers() -> None:
    session = alnus.Session(devices="cpu", threads=2, memory="64M")
    database = alnus.Database(family(83, 60))
    queries = [family(seed, 3) for seed in range(84, 92)]
    expected = [alnus.search(one, database).to_dict(cigars=True) for one in queries]

    def work(number: int) -> list[dict[str, Any]]:
        found = []
        for k in range(40 if FULL else 5):
            found.append(session.search(queries[(number + k) % 8], database).to_dict(cigars=True))
            session.align(queries[number][0], queries[number][1])
        return found

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for number, found in enumerate(pool.map(work, range(8))):
            for k, columns in enumerate(found):
                for name, column in expected[(number + k) % 8].items():
                    assert list(columns[name]) == list(column), name


def test_a_progress_function_is_told_how_far_a_call_is() -> None:
    seen: list[alnus.Progress] = []
    threads = set()

    def hear(progress: alnus.Progress) -> None:
        seen.append(progress)
        threads.add(threading.get_ident())

    sequences = family(93, 600, shortest=150, longest=250)
    alnus.pdist(sequences, value="score", progress=hear)
    assert seen and all(isinstance(one, alnus.Progress) for one in seen)
    fractions = [one.fraction for one in seen]
    assert fractions == sorted(fractions) and fractions[0] >= 0 and fractions[-1] == pytest.approx(1)
    assert seen[-1].pairs_done == seen[-1].pairs_total == 600 * 599 // 2
    assert seen[-1].cells_done == seen[-1].cells_total > 0 and seen[-1].seconds >= 0
    assert threads == {threading.get_ident()}


@pytest.mark.parametrize("name", ["search", "align", "align_pairs", "cdist", "z_values", "identity_range", "calibrate"])
def test_an_exception_of_a_progress_function_ends_any_call(name: str) -> None:
    class Own(Exception):
        pass

    def fail(progress: alnus.Progress) -> None:
        raise Own

    session = alnus.Session(devices="cpu", threads=2)
    count = 400
    sequences = alnus.Database(family(94, count, shortest=100, longest=300))
    pairs = [[i, j] for i in range(count) for j in range(0, count, 2)]
    calls: dict[str, Any] = {
        "search": lambda: session.search(sequences, sequences, progress=fail),
        "align": lambda: session.align("MKVLAW" * 3000, "MKHLAW" * 3000, progress=fail),
        "align_pairs": lambda: session.align_pairs(sequences, sequences, pairs, progress=fail),
        "cdist": lambda: session.cdist(sequences, sequences, progress=fail),
        "z_values": lambda: session.z_values(sequences, sequences, shuffles=300, progress=fail),
        "identity_range": lambda: session.identity_range(sequences, sequences, pairs, progress=fail),
        "calibrate": lambda: session.calibrate(precision=0.02, length=500, progress=fail),
    }
    with pytest.raises(Own):
        calls[name]()
    assert session.align("MKVLAW", "MKVLAW").score == 33


def test_progress_true_is_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    alnus.pdist(family(95, 60), progress=True)
    assert "100%" in capsys.readouterr().err


def test_warnings_are_at_the_line_of_the_user() -> None:
    calls: list[Any] = [
        lambda: alnus.Database(["MK-V"]),
        lambda: alnus.search(["MK?V"], ["MKV"]),
        lambda: alnus.align("MK-V", "MKV"),
        lambda: alnus.search(["MKV"], ["MKV"], mode="global", evalue=5),
        lambda: alnus.Session(devices="cpu").pdist(["MK?V", "MKV"], mode="global"),
    ]
    for call in calls:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        assert [one.category for one in caught] == [alnus.AlnusWarning]
        assert caught[0].filename == __file__ and caught[0].lineno == call.__code__.co_firstlineno


def test_warnings_that_are_errors_end_the_call() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for call in (
            lambda: alnus.Database(["MK-V"]),
            lambda: alnus.align("MK-V", "MKV"),
            lambda: alnus.search(["MKV"], ["MKV"], mode="global", evalue=5),
        ):
            with pytest.raises(alnus.AlnusWarning):
                call()
    assert alnus.align(["MKVLAW"], ["MKVLAW"]).score.tolist() == [33]


def test_the_log_says_what_was_done(caplog: pytest.LogCaptureFixture, tmp_path: pathlib.Path) -> None:
    file = write_fasta(tmp_path / "x.fasta", {"a": "MKVlawMKV"})
    with caplog.at_level(logging.INFO, logger="alnus"):
        alnus.Database.open(file, mask=["lower"])
    assert [one.name for one in caplog.records] == ["alnus"] and "Masked" in caplog.text


def test_the_log_says_what_a_search_left_out(caplog: pytest.LogCaptureFixture) -> None:
    database = dict.fromkeys("abc", "MKVLAWQRYTHEWA")
    with caplog.at_level(logging.INFO, logger="alnus"):
        hits = alnus.search({"many": "MKVLAWQRYTHEWA", "none": "PPPPPPPP"}, database, max_target_seqs=2)
    assert len(hits) == 2
    assert "1 query ('many') has as many hits as max_target_seqs 2 allows" in caplog.text
    assert "Ties at the cut: in 1 query ('many')" in caplog.text and "1 query ('none') has no hit." in caplog.text


def test_nothing_is_printed() -> None:
    done = run_script(
        """
        import warnings, alnus
        warnings.simplefilter("ignore")
        x = ["MKVLAWQRYT", "MK?-V"]
        alnus.search(x, x), alnus.pdist(x), alnus.align(*x), list(alnus.all_pairs(x))
        alnus.z_values(x, x, shuffles=10)
        """
    )
    assert done.stdout == done.stderr == ""


def test_a_child_of_fork_has_no_session_of_its_parent_but_its_own() -> None:
    done = run_script(
        """
        import os, sys, alnus
        session = alnus.Session(devices="cpu")
        stream = alnus.Session(devices="cpu").all_pairs(["MKV"] * 50, stats="none")
        database = alnus.Database(["MKVLAW"])
        assert session.search(database, database).score.tolist() == [33]
        assert alnus.search(database, database).score.tolist() == [33]
        rows = alnus.search(database, database)
        child = os.fork()
        if child == 0:
            code = 0
            for call in (lambda: session.search(database, database), lambda: session.pdist(database),
                         lambda: session.align("MKV", "MKV"), lambda: session.prepare(database)):
                try:
                    call()
                    code = 1
                except alnus.OutputError as error:
                    code |= 0 if "process" in str(error) else 2
            code |= 0 if alnus.search(database, database).score.tolist() == [33] else 4
            code |= 0 if alnus.align("MKVLAW", "MKVLAW").score == 33 else 8
            code |= 0 if rows.score.tolist() == [33] and rows[0].cigar == "6=" else 16
            del session, stream
            sys.stdout.flush()
            os._exit(code)
        _, status = os.waitpid(child, 0)
        print("child", os.waitstatus_to_exitcode(status))
        assert session.search(database, database).score.tolist() == [33]
        stream.close()
        """
    )
    assert done.stdout == "child 0\n"


def test_a_child_of_fork_ends_as_usual() -> None:
    done = run_script(
        """
        import multiprocessing, alnus
        def work(k): return alnus.pdist(["MKVLAW"] * 3, value="score").sum() + k
        if __name__ == "__main__":
            alnus.pdist(["MKVLAW"] * 3, value="score")
            with multiprocessing.get_context("fork").Pool(2) as pool:
                print([float(one) for one in pool.map(work, range(3))])
        """
    )
    assert done.stdout == "[99.0, 100.0, 101.0]\n"


def test_importing_loads_no_extras() -> None:
    done = run_script(
        """
        import sys, alnus
        alnus.search(["MKVLAW"], ["MKVLAW"]); alnus.align("MKV", "MKV")
        names = ("pandas", "polars", "pyarrow", "scipy", "matplotlib", "tqdm", "Bio", "skbio")
        print([name for name in names if name in sys.modules])
        """
    )
    assert done.stdout == "[]\n"


def test_a_subinterpreter_is_refused() -> None:
    done = run_script(
        """
        import alnus
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            import _interpreters as interpreters
        one = interpreters.create()
        code = '''
        try:
            import alnus
        except ImportError:
            print("refused", flush=True)
        else:
            print("imported", alnus.align("MKV", "MKV").score, flush=True)
        '''
        import textwrap
        interpreters.run_string(one, textwrap.dedent(code))
        interpreters.destroy(one)
        print(alnus.__version__ != "")
        """
    )
    assert done.stdout == "refused\nTrue\n"


def test_the_package_works_on_after_a_subinterpreter_was_refused() -> None:
    done = run_script(
        """
        import alnus
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            import _interpreters as interpreters
        assert alnus.align("MKVLAW", "MKVLAW").score == 33
        interpreters.run_string(interpreters.create(), "try: import alnus\\nexcept ImportError: pass")
        assert alnus.align("MKVLAW", "MKVLAW").score == 33
        """
    )
    assert done.returncode == 0


def test_python_ends_while_a_daemon_thread_computes() -> None:
    done = run_script(
        """
        import threading, time, alnus
        session = alnus.Session(devices="cpu")
        x = ["MKVLAWQRYT" * 300] * 1000
        def work():
            try:
                session.pdist(x, mode='global')
            except alnus.Cancelled:
                pass
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.1)
        """
    )
    assert done.returncode == 0
    assert done.stderr == ""


def test_the_end_of_python_is_quiet_whatever_is_open() -> None:
    for last in (
        "stream = alnus.all_pairs(x, stats='none'); next(stream)",
        "import threading; threading.Thread(target=lambda: alnus.pdist(x, mode='global')).start()",
        "import sys; rows = alnus.search(x, x); sys.exit(0)",
        "import atexit; atexit.register(lambda: alnus.pdist(x[:9], mode='global'))",
    ):
        script = f"import alnus\nx = ['MKVLAWQRYT' * 30] * 100\nalnus.align('MKV', 'MKV')\n{last}\n"
        done = run_script(script)
        assert done.stderr == ""


def test_files_of_the_library_do_not_get_the_standard_descriptors(tmp_path: pathlib.Path) -> None:
    """What the process writes to its closed standard error must not reach a file of alnus."""
    fasta = write_fasta(tmp_path / "set.fasta", {f"s{k}": letters for k, letters in enumerate(family(3, 5))})
    run_script(
        """
        import errno, os, sys, alnus
        fasta, folder = sys.argv[1:]
        for descriptor in (0, 1, 2):
            os.close(descriptor)
        def closed(descriptor):
            try:
                os.fstat(descriptor)
            except OSError as error:
                return error.errno == errno.EBADF
        alnus.Database.open(fasta).write(f"{folder}/set.alnus")
        database = alnus.Database.open(f"{folder}/set.alnus")
        def look(progress):
            if not all(closed(descriptor) for descriptor in (0, 1, 2)):
                os._exit(7)
        session = alnus.Session(devices="cpu", threads=1)
        session.write_all_pairs(database, output=f"{folder}/rows", matrices={"score": f"{folder}/m.npy"}, progress=look)
        look(None)
        """,
        fasta,
        tmp_path,
    )
    assert (tmp_path / "m.npy").stat().st_size > 0
