"""What a docstring says about a function and its arguments: Google, NumPy and Sphinx style."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field

_ARGUMENTS = {"args", "arguments", "parameters", "params", "keyword args", "keyword arguments"}
_DROPPED = {"raises", "returns", "return", "yields", "yield", "other parameters", "warns"}

_GOOGLE_HEADER = re.compile(r"^([A-Z][A-Za-z ]*):\s*$")
_NUMPY_RULE = re.compile(r"^-{3,}\s*$")
_GOOGLE_ENTRY = re.compile(r"^(\w+)\s*(?:\(.*?\))?\s*:\s*(.*)$")
_NUMPY_ENTRY = re.compile(r"^(\w+(?:\s*,\s*\w+)*)\s*(?::.*)?$")
_SPHINX_FIELD = re.compile(r"^:(\w+)(?:\s+([^:]*))?:\s*(.*)$")
_SPHINX_PARAM = {"param", "parameter", "arg", "argument", "key", "keyword"}


@dataclass(slots=True)
class Docstring:
    """``description`` is for the model; the sections about results and errors are left out."""

    description: str = ""
    arguments: dict[str, str] = field(default_factory=dict)


def read_docstring(text: str | None) -> Docstring:
    """The parts of ``text`` that a model is told."""
    reader = _Reader(inspect.cleandoc(text or "").splitlines())
    reader.read()
    description = "\n".join(reader.description).strip()
    arguments = {name: _paragraph(lines) for name, lines in reader.arguments.items()}
    return Docstring(re.sub(r"\n{3,}", "\n\n", description), arguments)


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.description: list[str] = []
        self.arguments: dict[str, list[str]] = {}

    def read(self) -> None:
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            title = self._numpy_title(at)
            if title is not None:
                at = self._numpy_section(title, at + 2)
            elif (header := _GOOGLE_HEADER.match(line)) and _is_known(header[1]):
                at = self._google_section(header[1], at + 1)
            elif (entry := _SPHINX_FIELD.match(line)) and entry[1]:
                at = self._sphinx_field(entry, at + 1)
            else:
                self.description.append(line)
                at += 1

    def _numpy_title(self, at: int) -> str | None:
        if at + 1 < len(self.lines) and _NUMPY_RULE.match(self.lines[at + 1]):
            return self.lines[at] if _is_known(self.lines[at]) else None
        return None

    def _numpy_section(self, title: str, at: int) -> int:
        entries: list[list[str]] = []
        wanted = title.strip().lower() in _ARGUMENTS
        while at < len(self.lines):
            line = self.lines[at]
            ends = at + 1 < len(self.lines) and _NUMPY_RULE.match(self.lines[at + 1])
            if ends and line.strip():
                break
            if line.strip() and not line.startswith(" "):
                entry = _NUMPY_ENTRY.match(line) if wanted else None
                names = [name.strip() for name in entry[1].split(",")] if entry else []
                entries = [self.arguments.setdefault(name, []) for name in names]
            else:
                for lines in entries:
                    lines.append(line)
            at += 1
        return at

    def _google_section(self, title: str, at: int) -> int:
        block = []
        while at < len(self.lines) and (not self.lines[at].strip() or self.lines[at][0] == " "):
            block.append(self.lines[at])
            at += 1
        if title.strip().lower() in _ARGUMENTS:
            self._google_entries(inspect.cleandoc("\n".join(["", *block])).splitlines())
        return at

    def _google_entries(self, lines: list[str]) -> None:
        current: list[str] = []
        for line in lines:
            entry = _GOOGLE_ENTRY.match(line)
            if entry:
                current = self.arguments.setdefault(entry[1], [])
                current.append(entry[2])
            else:
                current.append(line)

    def _sphinx_field(self, entry: re.Match[str], at: int) -> int:
        # ":param int order_id: text" puts the type before the name.
        names = (entry[2] or "").split()
        lines = [entry[3]]
        while at < len(self.lines) and self.lines[at].startswith(" "):
            lines.append(self.lines[at])
            at += 1
        if entry[1] in _SPHINX_PARAM and names:
            self.arguments[names[-1]] = lines
        return at


def _is_known(title: str) -> bool:
    return title.strip().lower() in _ARGUMENTS | _DROPPED


def _paragraph(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())
