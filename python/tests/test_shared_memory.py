"""Arrays that another thread changes while a call reads them give a result or an error."""

from __future__ import annotations

from support import run_script

HEAD = """
    import sys, threading, time
    import numpy as np
    import alnus

    sys.setswitchinterval(1e-5)
    stop = threading.Event()

    def changing(array, good, bad):
        # NumPy releases Python's lock while it copies, so that the values change during the calls.
        while not stop.is_set():
            np.copyto(array, bad)
            np.copyto(array, good)

    def during(array, good, bad, call, seconds):
        threads = [threading.Thread(target=changing, args=(array, good, bad)) for _ in range(2)]
        for thread in threads:
            thread.start()
        results = errors = 0
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                call()
                results += 1
            except alnus.InputError:
                errors += 1
        stop.set()
        for thread in threads:
            thread.join()
        print(results + errors > 0)
"""


def test_offsets_may_change_at_any_time() -> None:
    script = """
    count = 200_000
    letters = np.full(3 * count, ord("M"), dtype=np.uint8)
    good = np.arange(0, 3 * count + 1, 3)
    bad = good[::-1] * 2**30
    offsets = good.copy()
    during(offsets, good, bad, lambda: alnus.Database.from_buffer(letters, offsets), 1.5)
    """
    assert run_script(HEAD + script).stdout == "True\n"


def test_offsets_of_a_shared_memory_may_change_at_any_time() -> None:
    script = """
        import multiprocessing, os, time
        from multiprocessing import shared_memory
        import numpy as np
        import alnus

        count = 100_000
        good = np.arange(0, 3 * count + 1, 3)

        parent = os.getpid()

        def changing(name):
            memory = shared_memory.SharedMemory(name)
            offsets = np.frombuffer(memory.buf, dtype=np.int64)
            while os.getppid() == parent:
                offsets[:] = good[::-1] * 2**30
                offsets[:] = good

        memory = shared_memory.SharedMemory(create=True, size=good.nbytes)
        offsets = np.frombuffer(memory.buf, dtype=np.int64)[: good.size]
        offsets[:] = good
        other = multiprocessing.get_context("fork").Process(target=changing, args=(memory.name,))
        other.start()
        letters = np.full(3 * count, ord("M"), dtype=np.uint8)
        end, calls = time.monotonic() + 1.5, 0
        while time.monotonic() < end:
            try:
                alnus.Database.from_buffer(letters, offsets)
            except alnus.InputError:
                pass
            calls += 1
        other.kill()
        other.join()
        del offsets
        memory.close()
        memory.unlink()
        print(calls > 0)
    """
    assert run_script(script).stdout == "True\n"


def test_pairs_and_letters_may_change_at_any_time() -> None:
    script = """
    sequences = alnus.Database(["MKVLAW", "MKHLAW"])
    good = np.zeros((20_000, 2), dtype=np.uint32)
    pairs = good.copy()
    during(pairs, good, good + 2**31, lambda: alnus.align_pairs(sequences, sequences, pairs, detail="score"), 0.7)
    stop.clear()
    good = np.full(300_000, ord("M"), dtype=np.uint8)
    letters = good.copy()
    offsets = np.arange(0, 300_001, 3)
    during(letters, good, good + 128, lambda: alnus.Database.from_buffer(letters, offsets), 0.7)
    """
    assert run_script(HEAD + script).stdout == "True\nTrue\n"
