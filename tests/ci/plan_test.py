"""What .ci/plan.py plans (docs/testing.md): python3 tests/ci/plan_test.py."""

import importlib.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
spec = importlib.util.spec_from_file_location("plan", ROOT / ".ci/plan.py")
assert spec is not None and spec.loader is not None
plan = importlib.util.module_from_spec(spec)
sys.modules["plan"] = plan
spec.loader.exec_module(plan)

LANDINGS = range(100, 110)
LEAST_MINUTES = 25  # that .ci/run leaves for what is due
Check = plan.Check


class Rotation(unittest.TestCase):
    def test_five_landings_in_a_row_run_every_test_of_every_check(self) -> None:
        for first in LANDINGS:
            for check in plan.COSTS:
                self.assertFalse(self.left_by(range(first, first + 5), check, LEAST_MINUTES), check)

    def test_twenty_five_landings_run_every_test_where_there_is_no_time(self) -> None:
        for check in plan.COSTS:
            self.assertFalse(self.left_by(range(103, 128), check, minutes=0), check)

    def left_by(self, landings: range, check: Any, minutes: float) -> set[str]:
        """The tests of a check that none of the landings has run, of a hundred."""
        tests = {f"Suite.Test{k}" for k in range(100)}
        for number in landings:
            share = plan.plan_checks([], number, minutes, scale=1).shares.get(check)
            if share:
                tests -= {test for test in tests if plan.part_of(test, share[0].parts) == share[0].part}
        return tests

    def test_what_is_due_runs_even_where_a_change_takes_all_the_time(self) -> None:
        for number in LANDINGS:
            due = {share.check for share in plan.TURNS[number % 5]}
            planned = plan.plan_checks(["src/core/text.cpp", "src/cuda/chains.cpp"], number, minutes=30, scale=1)
            self.assertLessEqual(due, planned.shares.keys())

    def test_every_turn_fits_beside_the_tests(self) -> None:
        for number in LANDINGS:
            planned = plan.plan_checks([], number, LEAST_MINUTES, scale=1)
            self.assertGreaterEqual(planned.minutes, 0, f"turn {number % 5}")

    def test_every_source_is_tidied_within_five_landings(self) -> None:
        sources = [f"src/io/{k}.cpp" for k in range(50)]
        chosen: set[str] = set()
        for number in range(7, 12):
            sources.insert(0, f"src/io/new{number}.cpp")
            chosen.update(plan.plan_tidy(sources, set(), set(), number)[0])
        self.assertLessEqual({f"src/io/{k}.cpp" for k in range(50)}, chosen)

    def test_a_change_of_all_sources_waits_in_part(self) -> None:
        sources = [f"src/io/{k}.cpp" for k in range(300)]
        chosen, waiting = plan.plan_tidy(sources, set(sources), set(), 7)
        self.assertEqual(len(chosen), plan.MOST_TIDY)
        self.assertEqual(sorted(chosen + waiting), sorted(sources))


class Parts(unittest.TestCase):
    def test_each_test_is_in_one_part_which_its_name_alone_decides(self) -> None:
        names = [f"Suite.Test{k}" for k in range(200)]
        parts = [{name for name in names if plan.part_of(name, 5) == part} for part in range(5)]
        self.assertEqual(sorted(name for part in parts for name in part), sorted(names))
        self.assertTrue(all(len(part) > 20 for part in parts))

    def test_ctest_gets_the_numbers_of_a_part(self) -> None:
        listed = "Test project /x\n  Test  #3: A.One\n  Test #12: B.Two/local\n\nTotal Tests: 2\n"
        self.assertEqual(self.numbers(listed, "^$"), "0,0,0,3,12\n")
        self.assertEqual(self.numbers(listed, "One|^C"), "0,0,0,12\n")
        self.assertEqual(self.numbers(listed, "^[AB]"), "", "ctest would run all tests without a number")
        self.assertEqual(self.numbers("Total Tests: 0\n", "^$"), "")

    def test_the_numbers_are_those_by_which_ctest_runs_tests(self) -> None:
        names = [f"Suite.Test{k}" for k in range(6)]
        with tempfile.TemporaryDirectory() as folder:
            commands = [
                f"add_test({name} /bin/true)\nset_tests_properties({name} PROPERTIES LABELS l{k % 2})\n"
                for k, name in enumerate(names)
            ]
            Path(folder, "CTestTestfile.cmake").write_text("".join(commands))
            ctest = ["ctest", "--test-dir", folder, "-N"]
            listed = subprocess.run([*ctest, "--label-regex", "^l1$"], capture_output=True, text=True, check=True)
            numbers = self.numbers(listed.stdout, "Test1").strip()
            run = subprocess.run([*ctest, "--tests-information", numbers], capture_output=True, text=True, check=True)
        self.assertEqual([name for name in names if name in run.stdout], ["Suite.Test3", "Suite.Test5"])

    def numbers(self, listed: str, without: str) -> str:
        command = [sys.executable, str(ROOT / ".ci/plan.py"), "numbers", "0", "1", without]
        return subprocess.run(command, input=listed, capture_output=True, text=True, check=True).stdout


class Landings(unittest.TestCase):
    def test_the_file_of_this_landing_can_be_read(self) -> None:
        landing = plan.Landing.parse((ROOT / ".ci/landing").read_text())
        self.assertGreater(landing.number, 0)
        self.assertRegex(landing.base, "^[0-9a-f]{40}$")


class Changes(unittest.TestCase):
    def test_a_layer_and_those_that_use_it_are_checked(self) -> None:
        shares = plan.plan_checks(["src/engine/search_driver.cpp", "docs/faq.md"], 101, minutes=500, scale=1).shares
        self.assertEqual(shares[Check("asan", "engine")][0].parts, 1)
        self.assertEqual(shares[Check("tsan", "engine")][0].parts, 1)
        for check in (Check("asan", "cli"), Check("asan", "python")):
            self.assertEqual((shares[check][0].parts, shares[check][1]), (5, "uses what is changed"))
        self.assertLessEqual(shares[Check("tsan", "api")][0].parts, 5)

    def test_the_sample_of_a_user_is_another_one_with_each_landing(self) -> None:
        check = Check("asan", "cli")
        asked = [plan.wanted(["src/engine/x.cpp"], number) for number in range(100, 105)]
        parts = {share.part for shares in asked for share, _ in shares if share.check == check}
        self.assertEqual(parts, {0, 1, 2, 3, 4})

    def test_documents_concern_no_sanitizer(self) -> None:
        self.assertEqual(plan.wanted(["docs/faq.md", "CHANGELOG.md", "README.md"], 100), [])

    def test_what_does_not_fit_is_named(self) -> None:
        planned = plan.plan_checks(["src/core/text.cpp"], 100, minutes=20, scale=1)
        for share, _ in plan.wanted(["src/core/text.cpp"], 100):
            ran = planned.shares.get(share.check)
            self.assertTrue((ran and ran[0].parts <= share.parts) or share in [left for left, _ in planned.left], share)

    def test_a_slower_machine_has_fewer_checks(self) -> None:
        fast, slow = (plan.plan_checks(["src/io/row_text.cpp"], 100, minutes=45, scale=scale) for scale in (1, 2))
        self.assertLess(len(slow.shares), len(fast.shares))

    def test_a_changed_header_brings_the_sources_that_include_it(self) -> None:
        files = {
            "src/io/a.cpp": '#include "io/between.h"\n',
            "src/io/between.h": '#include "alnus/h.h"\n#include <h.h>\n',
            "src/io/b.cpp": '#include "io/own.h"\n#include <h.h>\n',
            "src/io/own.h": '#include "io/own.h"\n',
            "python/src/c.cpp": '#include "d.h"\n',
            "python/src/d.h": '#include "alnus/h.h"\n',
            "include/alnus/h.h": "",
        }
        sources = ["src/io/a.cpp", "src/io/b.cpp", "python/src/c.cpp"]
        users = plan.including(sources, {"include/alnus/h.h"}, files.get)
        self.assertEqual(users, {"src/io/a.cpp", "python/src/c.cpp"})
        chosen, waiting = plan.plan_tidy(["src/io/a.cpp", "src/io/b.cpp"], {"src/io/h.h"}, {"src/io/a.cpp"}, 3)
        self.assertEqual((chosen, waiting), (["src/io/a.cpp"], []))

    def test_every_layer_of_a_path_has_its_checks(self) -> None:
        for prefix, layers in plan.LAYERS_OF_PATHS:
            for layer in layers:
                self.assertIn(layer, plan.USERS, prefix)
                self.assertIn(layer, {check.label for check in plan.COSTS})


if __name__ == "__main__":
    unittest.main()
