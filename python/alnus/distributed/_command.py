"""What is to be computed, as the program is told it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from alnus._errors import InputError

# Options that name outputs. A matrix may have its value before its name: "score:scores.npy".
OUTPUTS = {"--output": "--output", "-o": "--output"} | {
    name: name for name in ("--matrix-out", "--phylip", "--edges", "--score-plot")
}
# Options that name inputs besides the first arguments.
INPUTS = ("--against", "--matrix")
# Options that say how a machine computes.
MACHINE = ("--threads", "-t", "--memory", "--device-memory", "--devices", "--isa", "--method")
# What a job in parts cannot be, or what is decided for each worker.
_REFUSED = {
    "--part": "the parts are handed out to workers",
    "--checkpoint": "a job goes on from its folder anyway",
    "--add": "a finished job is not extended",
    "--interactive": "a job has all its queries at once",
    "--dry-run": "the plan of a job says what it takes",
}


@dataclass
class Command:
    """A search or all pairs, with the program's options."""

    name: str  # "search" or "allpairs"
    inputs: list[str]  # the files that come first
    options: list[str] = field(default_factory=list)  # without those that name outputs
    outputs: list[tuple[str, str]] = field(default_factory=list)  # option and name, in their order

    @property
    def listed(self) -> bool:
        """Whether rows are wanted."""
        return any(option == "--output" for option, _ in self.outputs)

    def identity(self) -> dict[str, Any]:
        """What results depend on: not who computes them."""
        options = list(self.options)
        for option in MACHINE:
            while option in options:
                place = options.index(option)
                del options[place : place + 2]
        return {"name": self.name, "inputs": self.inputs, "options": options, "outputs": self.outputs}

    def of_parts(self, inputs: Mapping[str, str], parts: int, target: str) -> list[str]:
        """The arguments of a process that computes parts; `inputs`: where each input is."""
        options = list(self.options)
        for place, option in enumerate(options[:-1]):
            if option in INPUTS:
                options[place + 1] = inputs.get(options[place + 1], options[place + 1])
        # Rows are an output of parts if they have a format.
        if self.listed and "--outfmt" not in options:
            options += ["--outfmt", "6"]
        for option, name in self.outputs:
            if option != "--output":
                options += [option, name]
        files = [inputs.get(name, name) for name in self.inputs]
        return [self.name, *files, *options, "--part", f"-/{parts}", "-o", target, "--quiet"]

    def of_merge(self, folder: str, places: str) -> list[str]:
        """The arguments of the process that merges; `places`: a file that lists the parts."""
        arguments = ["merge", "--list", places, "--quiet"]
        if self.name == "search":
            arguments += ["--database-name", self.inputs[1]]
        else:
            arguments += ["--database-name", self._value("--against") or self.inputs[0]]
        for option, name in self.outputs:
            arguments += [option, within(folder, name)]
        return arguments

    def all_inputs(self) -> list[str]:
        """Every file that is read."""
        named = [self.options[k + 1] for k, option in enumerate(self.options[:-1]) if option in INPUTS]
        return self.inputs + [name for name in named if os.path.isfile(name)]

    def _value(self, option: str) -> str | None:
        return self.options[self.options.index(option) + 1] if option in self.options else None


def within(folder: str, name: str) -> str:
    """Where an output is: names are relative to the job's folder."""
    value, colon, path = name.partition(":")
    if colon and "/" not in value:
        return f"{value}:{os.path.join(folder, path)}"
    return os.path.join(folder, name)


def of_arguments(name: str, arguments: Sequence[str]) -> Command:
    """What comes behind `python -m alnus.distributed search|allpairs`, as the program would be given it."""
    count = 2 if name == "search" else 1
    inputs = list(arguments[:count])
    if len(inputs) < count or any(word.startswith("-") for word in inputs):
        raise InputError(f"{name} takes {'QUERIES and DB' if count == 2 else 'SEQS'} first, then its options.")
    command = Command(name, inputs)
    rest = list(arguments[count:])
    while rest:
        option = rest.pop(0)
        option, equals, value = option.partition("=") if option.startswith("--") else (option, "", "")
        _refuse(option)
        if option in OUTPUTS:
            if not equals and not rest:
                raise InputError(f"{option} names no file.")
            command.outputs.append((OUTPUTS[option], value if equals else rest.pop(0)))
        else:
            command.options.append(option)
            if equals:
                command.options.append(value)
    return _checked(command)


def of_keywords(name: str, inputs: Sequence[str], keywords: Mapping[str, Any]) -> Command:
    """Keywords are the program's options, with underscores: mode="global" is --mode global."""
    command = Command(name, list(inputs))
    for keyword, value in keywords.items():
        option = "--" + keyword.replace("_", "-")
        _refuse(option)
        if value is None or value is False:
            continue
        if isinstance(value, Mapping):  # matrix_out={"score": "scores.npy"}
            value = [f"{key}:{path}" for key, path in value.items()]
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if option in OUTPUTS:
                command.outputs.append((OUTPUTS[option], os.fspath(one)))
            elif one is True:
                command.options.append(option)
            else:
                command.options += [option, str(one)]
    return _checked(command)


def _refuse(option: str) -> None:
    if option in _REFUSED:
        raise InputError(f"{option} cannot be used here: {_REFUSED[option]}.")


def _checked(command: Command) -> Command:
    if not command.outputs:
        raise InputError("A job needs a file for its results: --output, --edges, --matrix-out or --phylip.")
    for name in command.inputs:
        if name == "-":
            raise InputError("Standard input cannot be sent to workers; name a file.")
    return command
