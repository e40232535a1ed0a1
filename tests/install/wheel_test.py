"""Uses the installed package and its command. wheel.sh runs this file on a system without compilers."""

import importlib.metadata
import pathlib
import subprocess
import sys
import tempfile

import alnus

VERSION = importlib.metadata.version("alnus")
PROGRAM = pathlib.Path(sys.executable).with_name("alnus")
PROTEIN = "MKVLAWMKVLAWCDEFGH"


def run(*words: str) -> str:
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


assert alnus.__version__ == VERSION
assert VERSION in run("--version")

pair = alnus.align("MKVLAW", "MKVLW")
print(pair)
assert alnus.align("MKVLAW", "MKVLAW").score > pair.score > 0

# The module catches an exception of the library by its type.
try:
    alnus.align("MKVLAW", "MKVLW", matrix="NO_SUCH")
except alnus.InputError as error:
    print(error)
else:
    sys.exit("There is a matrix NO_SUCH?")

# The program's scores are those of the module. If nobody reads its output, it ends as if SIGPIPE killed it.
with tempfile.TemporaryDirectory() as folder:
    fasta = str(pathlib.Path(folder, "a.fasta"))
    pathlib.Path(fasta).write_text(f">a\n{PROTEIN}\n" * 2000)
    scores = run("align", fasta, fasta, "--outfmt", "6 score").split()
    assert scores == [str(alnus.align(PROTEIN, PROTEIN).score)] * 2000
    pipeline = f"'{PROGRAM}' align {fasta} {fasta} --outfmt 0 | head -n 1; echo ${{PIPESTATUS[0]}}"
    piped = subprocess.run(["bash", "-c", pipeline], check=True, capture_output=True, text=True)
    assert piped.stdout.splitlines()[-1] == "141", piped

# The package has only one copy of the library, for the module and the program.
package = pathlib.Path(alnus.__file__).parent
libraries = [path.name for path in package.rglob("libalnus*")]
assert libraries == ["libalnus.so.0.1"], libraries
print(f"alnus {VERSION} works with Python {sys.version.split()[0]}")
