"""What a line typed into the terminal means: files, a command, a question. Pure, but for asking what exists."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote, urlparse

_LEAVE = frozenset({"/quit", "/exit", "/bye", "/q"})
_UPLOAD = "upload"


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """Paths that were typed, pasted or dragged into the terminal; none where ``/upload`` named none."""

    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command: ``/name words``."""

    name: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Everything else."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Quit:
    """The person goes."""


Input: TypeAlias = Files | Command | Question | Quit | None


def parse_line(line: str, *, is_file: Callable[[Path], bool] = Path.is_file) -> Input:
    """The meaning of ``line``; None for an empty one."""
    line = line.strip()
    if not line:
        return None
    if line.lower() in _LEAVE:
        return Quit()
    if files := _files(line, is_file):
        return Files(paths=files)
    name, _, words = line[1:].partition(" ")
    if line.startswith("/") and name and "/" not in name:
        if name.lower() == _UPLOAD:
            return Files(paths=_upload_paths(words.strip(), is_file))
        return Command(name=name.lower(), words=words.strip())
    return Question(text=line)


def _files(line: str, is_file: Callable[[Path], bool]) -> tuple[Path, ...]:
    """The paths of PDFs that a line consists of: one path, spaces and all, or several; none where it says more."""
    path = _path(line.strip("\"'"))
    if _is_pdf_name(line) and is_file(path):
        return (path,)
    try:
        parts = shlex.split(line)
    except ValueError:  # an apostrophe in a question
        return ()
    are_files = all(map(_is_pdf_name, parts))
    return tuple(map(_path, parts)) if are_files else ()


def _upload_paths(words: str, is_file: Callable[[Path], bool]) -> tuple[Path, ...]:
    """What ``/upload`` names: one path, spaces and all, where there is such a file, else a path a word."""
    path = _path(words.strip("\"'"))
    if words and is_file(path):
        return (path,)
    try:
        return tuple(_path(part) for part in shlex.split(words))
    except ValueError:  # an apostrophe in a file name
        return (path,)


def _is_pdf_name(part: str) -> bool:
    return part.strip("\"'").lower().endswith(".pdf")


def _path(part: str) -> Path:
    if part.startswith("file://"):
        part = unquote(urlparse(part).path)
    try:
        return Path(part).expanduser()
    except RuntimeError:  # ~ of somebody who is not known here
        return Path(part)
