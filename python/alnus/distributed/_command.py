"""The job to compute, as arguments of the program ``alnus``."""

from __future__ import annotations

import itertools
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from alnus import _alnus
from alnus._errors import InputError
from alnus._option_tables import files_of

# Options that name outputs, each with its long form. The name of a matrix may begin with its value: "score:scores.npy".
_OF_PAIRS = ["--matrix-out", *(f"--{name.replace('_', '-')}" for name in files_of("outputs"))]
OUTPUTS = {"--output": "--output", "-o": "--output"} | {name: name for name in (*_OF_PAIRS, "--score-plot", "--report")}
# Options that name inputs. The other inputs are the first arguments.
INPUTS = ("--against", "--matrix")
PARTS_FOLDER = "parts"  # name of the folder, within the job's folder, that has the files of parts and the ledgers
CACHE_FOLDER = "cache"  # name of the folder of calibrations, likewise
# Names of the files that a job has in its folder. While they are written, they have NEW behind their names.
JOB_FILE, LOCK_FILE, PLACES_FILE = "job.json", "lock", "places.tsv"
NEW = ".new"
_STANDARD_OUTPUT = ("-", "/dev/stdout")
_INPUTS_OF = {"search": ["QUERIES", "DB"], "allpairs": ["SEQS"]}  # the arguments of each command

# Options that say how a machine computes, and on which no result depends. Each has a value behind it.
MACHINE = ("--threads", "-t", "--memory", "--device-memory", "--devices", "--isa", "--method")
# Options that say what is logged. The processes that compute parts show no progress.
_OF_LOG = ("--quiet", "--no-progress")
# Options that a job in parts cannot have, each with the reason that the message gives.
_REFUSED = {
    "--part": "the parts are handed out to workers",
    "--checkpoint": "a job goes on from its folder anyway",
    "--add": "a finished job is not extended",
    "--interactive": "a job has all its queries at once",
    "--dry-run": "run alnus search or alnus allpairs with it, which says what the job takes on one machine",
}


@dataclass
class Command:
    """A search or all pairs, as the program's command and options."""

    name: str  # "search" or "allpairs"
    inputs: list[str]  # the files that come first
    options: list[str] = field(default_factory=list)  # all options but those that name outputs
    outputs: list[tuple[str, str]] = field(default_factory=list)  # (option, name) of each output, in their order

    @property
    def listed(self) -> bool:
        """True if rows are wanted."""
        return any(option == "--output" for option, _ in self.outputs)

    def identity(self) -> dict[str, Any]:
        """Return everything that results depend on, without what only says how a machine computes them."""
        return {"name": self.name, "inputs": self.inputs, "options": self._of_results(), "outputs": self.outputs}

    def _of_results(self) -> list[str]:
        """Return the options without those of the log, and those that say how a machine computes (MACHINE, ``-tN``)."""
        options, rest = [], list(self.options)
        while rest:
            option = rest.pop(0)
            if option in MACHINE:
                del rest[:1]
            elif not (option in _OF_LOG or re.fullmatch(r"-t[0-9]+", option)):
                options.append(option)
        return options

    def of_plan(self, inputs: Mapping[str, str], parts: int, folder: str) -> list[str]:
        """Return the arguments of a process that only tells the plan.

        That process uses the CPU alone, because its machine may lack the devices that the workers have.
        """
        arguments = replace(self, options=self._of_results()).of_parts(inputs, parts, folder, "nothing")
        return [*arguments, "--devices", "cpu"]

    def of_parts(self, inputs: Mapping[str, str], parts: int, folder: str, name: str) -> list[str]:
        """Return the arguments of a process that computes parts of the job, ``parts`` in all, on request.

        The process appends the parts to the file ``name`` in the folder of parts of the job's ``folder``. ``inputs``
        has the path of each input on the machine of the process, by the name that the job was given.
        """
        options = list(self.options)
        for place, option in enumerate(options[:-1]):
            if option in INPUTS:
                options[place + 1] = inputs.get(options[place + 1], options[place + 1])
        # Parts have rows only if a format is given.
        if self.listed and "--outfmt" not in options:
            options += ["--outfmt", "6"]
        for option, output in self.outputs:
            if option != "--output":
                options += [option, within(folder, option, output)]
        files = [inputs.get(file, file) for file in self.inputs]
        target = os.path.join(folder, PARTS_FOLDER, name)
        options = [option for option in options if option not in _OF_LOG]
        return [self.name, *files, *options, "--part", f"-/{parts}", "-o", target, "--no-progress"]

    def of_merge(self, folder: str, places: str) -> list[str]:
        """Return the arguments of the process that merges the parts; ``places`` is a file that lists them."""
        arguments = ["merge", "--list", places, "--no-progress"]
        if self.name == "search":
            arguments.append(f"--database-name={self.inputs[1]}")
        else:
            arguments.append(f"--database-name={self._value('--against') or self.inputs[0]}")
        for option, name in self.outputs:
            arguments += [option, within(folder, option, name)]
        if size := self._value("--report-size"):
            arguments += ["--report-size", size]
        return arguments

    def check_outputs(self, folder: str) -> None:
        """Raise InputError if an output would replace an input, another output or a file of the job in ``folder``.

        Also raises it for an input that has the name of such a file, which the job would replace.
        Also raises it for an output that cannot be written, or whose name promises a format that alnus does not write.
        """
        paths = [path_of(option, within(folder, option, name)) for option, name in self.outputs]
        for path in paths:
            self._check_place(path, os.path.realpath(folder))
        for name in self.all_inputs():
            if _is_of_job(os.path.realpath(name), os.path.realpath(folder)):
                raise InputError(
                    f"The input {name} has the name of a file that the job keeps in {folder}, and would be replaced: "
                    "choose another folder."
                )
        _alnus.check_outputs(paths, self.all_inputs())

    @staticmethod
    def _check_place(path: str, folder: str) -> None:
        place = os.path.realpath(path)
        if os.path.isdir(place):
            raise InputError(f"The output {path} is a folder: choose another name.")
        above = os.path.dirname(place)
        if above != folder and not os.path.isdir(above):
            raise InputError(f"The output {path} cannot be written: there is no folder {above}. Make it first.")
        if os.path.isdir(above) and not os.access(above, os.W_OK | os.X_OK):
            raise InputError(f"The output {path} cannot be written: permission denied in {above}.")
        if _is_of_job(place, folder):
            raise InputError(f"The output {path} has the name of a file that the job keeps there: choose another name.")

    def check_name_of_rows(self) -> None:
        """Raise InputError if the name of the rows promises another format.

        The parts do not know this name. The program checks the names of the other outputs with the first part.
        """
        for option, name in self.outputs:
            if option == "--output":
                _alnus.check_rows_name(name, self._value("--outfmt") or "6")

    def all_inputs(self) -> list[str]:
        """Return the names of all files that the job reads."""
        named = [self.options[k + 1] for k, option in enumerate(self.options[:-1]) if option in INPUTS]
        return self.inputs + [name for name in named if os.path.exists(name) and not os.path.isdir(name)]

    def _value(self, option: str) -> str | None:
        return self.options[self.options.index(option) + 1] if option in self.options else None


def _is_of_job(place: str, folder: str) -> bool:
    """Return True for the place of a file that a job in this folder keeps there; both are real paths."""
    name = os.path.relpath(place, folder)
    kept = {one + end for one in (JOB_FILE, LOCK_FILE, PLACES_FILE) for end in ("", NEW)}
    return name in kept or name.split(os.sep)[0] in (PARTS_FOLDER, CACHE_FOLDER)


def within(folder: str, option: str, name: str) -> str:
    """Return the path of an output of this option, whose name is relative to the job's folder.

    If the name of a matrix begins with its value ("score:scores.npy"), so does the result.
    """
    path = path_of(option, name)
    return name.removesuffix(path) + os.path.join(folder, path)


def path_of(option: str, path: str) -> str:
    """Return the path of an output without the value that the name of a matrix may begin with."""
    value, colon, rest = path.partition(":")
    return rest if option == "--matrix-out" and colon and "/" not in value else path


def of_arguments(name: str, arguments: Sequence[str], last: Sequence[str] = ()) -> Command:
    """Make a command of the arguments behind ``python -m alnus.distributed search|allpairs``.

    ``name`` is "search" or "allpairs"; ``arguments`` are as the program takes them, without ``--`` and the names of
    files that follow it, which are in ``last``. Raises InputError for arguments that a job in parts cannot have.
    """
    names = _INPUTS_OF[name]
    count = len(names)
    first = list(itertools.takewhile(lambda word: word == "-" or not word.startswith("-"), arguments[:count]))
    inputs = first + list(last)
    rest = list(arguments[len(first) :])
    if len(inputs) != count:
        takes = f"{name} takes {' and '.join(names)} first, then its options"
        if len(inputs) > count:
            raise InputError(f"{takes}; the argument '{inputs[count]}' is one too many.")
        follows = f", and {rest[0]} stands in its place" if rest else ""
        raise InputError(f"{takes}; {names[len(inputs)]} is missing{follows}.")
    command = Command(name, inputs)
    while rest:
        option = rest.pop(0)
        if re.match("-o.", option):
            raise InputError(f"{option} is no option; a blank stands before the name: -o {option[2:]}.")
        option, equals, value = option.partition("=") if option.startswith("--") else (option, "", "")
        _refuse(option)
        alone = not equals and (not rest or _is_option(rest[0]))
        if alone and option in MACHINE:
            raise InputError(f"{option} needs a value.")
        if option in OUTPUTS:
            if alone:
                follows = f" before {rest[0]}; a name that begins with - follows {OUTPUTS[option]}=" if rest else ""
                raise InputError(f"{option} names no file{follows}.")
            command.outputs.append((OUTPUTS[option], value if equals else rest.pop(0)))
        else:
            command.options.append(option)
            if equals:
                command.options.append(value)
    return _checked(command)


def is_identity(told: Any) -> bool:
    """Return True if this is what Command.identity() returns, after it was written as JSON and read again."""
    return (
        isinstance(told, dict)
        and isinstance(told.get("name"), str)
        and all(
            isinstance(told.get(key), list) and all(isinstance(word, str) for word in told[key])
            for key in ("inputs", "options")
        )
        and isinstance(told.get("outputs"), list)
        and all(
            isinstance(one, list) and len(one) == 2 and all(isinstance(word, str) for word in one)
            for one in told["outputs"]
        )
    )


def difference_of(kept: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """Return the first difference of two commands, each as Command.identity() has it, as a clause.

    ``kept`` is the command of a job that was begun. Returns "" if the results are the same: the order of different
    options says nothing.
    """
    if kept["name"] != other["name"]:
        return f"it was begun by {kept['name']}, and this is {other['name']}"
    for one, another in itertools.zip_longest(kept["inputs"], other["inputs"]):
        if one != another:
            return f"it was begun with the input {one}, and this has {another}"
    before, now = _by_option(kept), _by_option(other)
    for option in [*before, *(option for option in now if option not in before)]:
        if before.get(option) != now.get(option):
            was = f"with {_as_words(option, before[option])}" if option in before else f"without {option}"
            has = _as_words(option, now[option]) if option in now else f"no {option}"
            return f"it was begun {was}, and this has {has}"
    return ""


def _by_option(identity: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the values of each option, in their order, with one text for all words behind one option."""
    found: dict[str, list[str]] = {}
    for option, name in identity["outputs"]:
        found.setdefault(option, []).append(name)
    option = ""
    for word in identity["options"]:
        if _is_option(word):
            option = word
            found.setdefault(option, []).append("")
        else:
            values = found.setdefault(option, [""])
            values[-1] = f"{values[-1]} {word}".strip()
    return found


def _is_option(word: str) -> bool:
    """Return True for a word that begins as options do. Numbers below 0 and "-" are values."""
    return re.match("--?[A-Za-z]", word) is not None


def _as_words(option: str, values: Sequence[str]) -> str:
    return " ".join(f"{option} {value}".strip() for value in values)


def of_keywords(name: str, inputs: Sequence[str], keywords: Mapping[str, Any]) -> Command:
    """Make a command of keywords, which are the program's options with underscores: mode="global" is --mode global.

    Options whose value is None or False are left out. An option whose value is True has no value behind it. An option
    whose value is a list or a dict is repeated. Raises InputError for options that a job in parts cannot have.
    """
    command = Command(name, list(inputs))
    for keyword, value in keywords.items():
        option = "--" + keyword.replace("_", "-")
        _refuse(option)
        if value is None or value is False:
            continue
        if isinstance(value, Mapping):  # for example matrix_out={"score": "scores.npy"}
            value = [f"{key}:{path}" for key, path in value.items()]
        for one in value if isinstance(value, (list, tuple)) else [value]:
            _check_type(keyword, one)
            if option in OUTPUTS:
                command.outputs.append((OUTPUTS[option], os.fspath(one)))
            elif one is True:
                command.options.append(option)
            else:
                command.options += [option, str(one)]
    return _checked(command)


def _check_type(keyword: str, value: Any) -> None:
    if not isinstance(value, str | os.PathLike | int | float) and not hasattr(value, "__index__"):
        raise InputError(
            f"{keyword} is {type(value).__name__}; workers run the program, whose options are words, numbers and paths "
            "of files."
        )


def _refuse(option: str) -> None:
    if option in _REFUSED:
        raise InputError(f"{option} cannot be used here: {_REFUSED[option]}.")


def refuse_repeated(given: Mapping[str, int]) -> None:
    """Raise InputError, as the program does, if an option is given more often than once. ``given`` counts each."""
    for option, count in given.items():
        if count > 1:
            times, others = ("twice", "one of them") if count == 2 else (f"{count} times", "all but one")
            raise InputError(f"{option} is given {times}, and takes one value. Leave out {others}.")


def _refuse_repeated(command: Command) -> None:
    """Raise InputError for an option given twice that the program of the plan does not see.

    These are the option of the rows, whose name the parts do not know, and those of the machine.
    """
    given = Counter(option for option, _ in command.outputs if option == "--output")
    rest = list(command.options)
    while rest:
        option = rest.pop(0)
        if option in MACHINE:
            del rest[:1]
            given["--threads" if option == "-t" else option] += 1
        elif re.fullmatch("-t[0-9]+", option):
            given["--threads"] += 1
    refuse_repeated(given)


def _checked(command: Command) -> Command:
    if not command.outputs:
        raise InputError(
            f"A job needs a file for its results: --output, {', '.join(_OF_PAIRS[:-1])} or {_OF_PAIRS[-1]}."
        )
    for option, name in command.outputs:
        if not path_of(option, name):
            raise InputError(f"{option} names no file.")
        if path_of(option, name) in _STANDARD_OUTPUT:
            raise InputError(f"{option} {name} is standard output, and the outputs of a job are files: name one.")
    _refuse_repeated(command)
    about_rows = {"--outfmt", "--header", "--identity-range"} & set(command.options)
    if not command.listed and (command.name == "search" or about_rows):
        raise InputError("The rows need a file: add --output FILE, or leave out what is about rows.")
    for name in command.inputs:
        if name == "-":
            raise InputError("Standard input cannot be sent to workers; name a file.")
    return command
