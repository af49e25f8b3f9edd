"""Broken PDFs by the thousand: each must end in a clear verdict, and the reader must live on.

    python -m tests.core.reading.fuzz --count 1000 --seed 7

The seeds are PDFs made here; a variant has bytes flipped, its end cut off, parts of two files spliced, tokens
swapped for hostile ones, or is PDF syntax generated from nothing. The same seed gives the same variants.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pymupdf

from core.config import ReadingConfig
from core.domain.errors import FootnoteError, PaperRejected, ReadingStopped
from core.domain.progress import NoProgress
from core.reading.reader import LayoutReader
from tests.core.reading import making

Change: TypeAlias = Callable[[bytes, Sequence[bytes], random.Random], bytes]
CONFIG = ReadingConfig(ocr=False, max_pages=50, seconds_per_page=30, memory_megabytes=1_024)
AT_ONCE = 4

_TOKENS = (b"obj", b"endobj", b"stream", b"endstream", b"/Length", b"/Filter", b"/Kids", b"/Count", b"/Parent", b"xref")
_HOSTILE = (
    b"99999999999",
    b"-1",
    b"0 0 R",
    b"<<",
    b">>",
    b"[" * 500,
    b"(" * 50,
    b"1 0 R",
    b"/FlateDecode",
    b"null",
    b"",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How one variant ended: ``read``, ``refused`` or ``stopped``, or ``broken`` with what went wrong."""

    outcome: str
    words: str = ""


def seeds(folder: Path) -> list[bytes]:
    """Well-formed PDFs of different build: plain, with a picture, turned, packed into object streams, protected."""
    made = [
        making.write(folder / "plain.pdf", making.prose),
        making.write(folder / "pages.pdf", making.prose, pages=3),
        making.write(folder / "scan.pdf", lambda page: making.picture_of(page, making.prose, dpi=40)),
        making.write(folder / "turned.pdf", _turned),
        making.shuffled_to_unicode(folder / "garbage.pdf"),
    ]
    packed = pymupdf.open(made[1])
    packed.save(folder / "packed.pdf", use_objstms=1, deflate=True)
    packed.save(folder / "protected.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="o")
    return [path.read_bytes() for path in (*made, folder / "packed.pdf", folder / "protected.pdf")]


def _turned(page: pymupdf.Page) -> None:
    making.prose(page)
    page.set_rotation(90)


def flipped(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """One to two hundred bytes set to other values."""
    del others
    out = bytearray(data)
    for _ in range(chance.choice((1, 5, 20, 200))):
        out[chance.randrange(8, len(out))] = chance.randrange(256)
    return bytes(out)


def truncated(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """The first part of the file only."""
    del others
    return data[: chance.randrange(8, len(data))]


def spliced(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """The start of one file and the end of another, or a piece of another in the middle."""
    other = chance.choice(others)
    cut, start = chance.randrange(8, len(data)), chance.randrange(len(other))
    if chance.random() < 0.5:
        return data[:cut] + other[start:]
    return data[:cut] + other[start : start + chance.randrange(1, 5_000)] + data[cut:]


def retokened(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """PDF words replaced by hostile ones: huge lengths, loops of references, deep nesting."""
    del others
    for _ in range(chance.randrange(1, 6)):
        token = chance.choice(_TOKENS)
        places = [i for i in range(len(data)) if data.startswith(token, i)]
        if places:
            at = chance.choice(places)
            data = data[:at] + chance.choice(_HOSTILE) + data[at + len(token) :]
    return data


def generated(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Objects made of random PDF words behind a right header, without a usable cross-reference table."""
    del data, others
    words = (
        *_TOKENS,
        *_HOSTILE,
        b"/Type",
        b"/Page",
        b"/Pages",
        b"/Catalog",
        b"/Contents",
        b"/MediaBox",
        b"[0 0 9 9]",
        b"BT",
        b"Tj",
    )
    body = [b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n"]
    for number in range(3, chance.randrange(4, 30)):
        inner = b" ".join(chance.choice(words) for _ in range(chance.randrange(1, 30)))
        body.append(b"%d 0 obj<<%s>>endobj\n" % (number, inner))
    return b"".join(body) + b"trailer<</Root 1 0 R>>"


CHANGES: tuple[Change, ...] = (flipped, truncated, spliced, retokened, generated)


def variants(originals: Sequence[bytes], count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """``count`` broken PDFs, each with the name of what was done to it."""
    chance = random.Random(seed)
    for index in range(count):
        change = CHANGES[index % len(CHANGES)]
        yield change.__name__, change(chance.choice(originals), originals, chance)


async def verdict(reader: LayoutReader, pdf: Path) -> Verdict:
    """How the reader ends on one file. Whatever is not an error of the project's own is ``broken``."""
    try:
        reading = await reader.read(pdf, paper_id="fuzz", progress=NoProgress())
    except PaperRejected as error:
        return _said("refused", error)
    except ReadingStopped as error:
        return _said("stopped", error)
    except Exception as error:
        return Verdict(outcome="broken", words=f"{type(error).__name__}: {error}")
    if not any(passage.text.strip() for passage in reading.passages):
        return Verdict(outcome="broken", words="read without a passage")
    return Verdict(outcome="read")


def _said(outcome: str, error: FootnoteError) -> Verdict:
    words = error.words
    clear = words.endswith(".") and words[0].isupper() and "\n" not in words and "Traceback" not in words
    return Verdict(outcome=outcome if clear else "broken", words=words)


async def run(count: int, seed: int, folder: Path) -> list[tuple[str, Verdict, Path]]:
    """Read ``count`` variants with one reader, a few at a time; what broke stays in ``folder``."""
    reader = LayoutReader(CONFIG, seconds=120)
    ended: list[tuple[str, Verdict, Path]] = []
    room = asyncio.Semaphore(AT_ONCE)

    async def one(name: str, pdf: Path) -> None:
        async with room:
            found = await verdict(reader, pdf)
        ended.append((name, found, pdf))
        if found.outcome != "broken":
            await asyncio.to_thread(pdf.unlink)

    try:
        originals = seeds(folder)
        async with asyncio.TaskGroup() as group:
            for index, (name, data) in enumerate(variants(originals, count, seed)):
                pdf = folder / f"{index:05}-{name}.pdf"
                pdf.write_bytes(data)
                group.create_task(one(name, pdf))
        control = await verdict(reader, folder / "plain.pdf")
        ended.append(("control", control if control.outcome == "read" else Verdict(outcome="broken"), folder))
    finally:
        await reader.close()
    return ended


def main() -> int:
    """Run, print the counts, and end with 1 where any variant broke the reader."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--keep", type=Path, help="folder for the variants that broke the reader")
    chosen = parser.parse_args()
    folder = chosen.keep or Path(tempfile.mkdtemp(prefix="fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    ended = asyncio.run(run(chosen.count, chosen.seed, folder))
    for (name, outcome), times in sorted(Counter((name, found.outcome) for name, found, _ in ended).items()):
        sys.stdout.write(f"{name:10} {outcome:8} {times:6,}\n")
    for words, times in Counter(found.words for _, found, _ in ended if found.words).most_common(20):
        sys.stdout.write(f"{times:6,}  {words[:140]}\n")
    return int(any(found.outcome == "broken" for _, found, _ in ended))


if __name__ == "__main__":
    raise SystemExit(main())
