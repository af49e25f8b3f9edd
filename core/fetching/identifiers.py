"""Reads arXiv ids, DOIs and addresses out of what somebody wrote; pure, so that what is fetched can be told before."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

_ARXIV = re.compile(
    r"(?<![\w./-])(?:arxiv:\s*)?(?P<id>\d{4}\.\d{4,5}(?:v\d{1,2})?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d{1,2})?)(?![\w/])",
    re.IGNORECASE,
)
_ARXIV_PATH = re.compile(r"/(?:abs|pdf|html)/(?P<id>[\w.-]+(?:/\d{7}(?:v\d+)?)?)")
_DOI = re.compile(r"(?<![\w/])(?:doi:\s*)?(?P<doi>10\.\d{4,9}/[^\s\"<>]+)", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
_TAIL = ".,;:!?)]}'»”"


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchTarget:
    """A paper to fetch: ``name`` as a reader knows it, where it is looked for, and what its file shall be called."""

    name: str
    url: str
    file_name: str


def find_fetch_targets(text: str) -> tuple[FetchTarget, ...]:
    """The papers that ``text`` names, in order, each once."""
    found: list[tuple[int, FetchTarget]] = []
    left = text
    for pattern, made in ((_ADDRESS, _by_address), (_DOI, _by_doi), (_ARXIV, _by_arxiv)):
        found.extend((match.start(), made(match)) for match in pattern.finditer(left))
        left = pattern.sub(lambda match: " " * len(match.group()), left)
    ordered = [target for _, target in sorted(found, key=lambda pair: pair[0])]
    return tuple({target.url: target for target in ordered}.values())


def arxiv_target(number: str) -> FetchTarget:
    """The PDF of an arXiv paper."""
    bare = number.removesuffix(".pdf")
    return FetchTarget(
        name=f"arXiv:{bare}", url=f"https://arxiv.org/pdf/{bare}", file_name=f"arXiv-{bare.replace('/', '-')}.pdf"
    )


def doi_target(number: str) -> FetchTarget:
    """What a DOI leads to."""
    return FetchTarget(name=f"doi:{number}", url=f"https://doi.org/{number}", file_name=f"{_plain(number)}.pdf")


def _by_arxiv(match: re.Match[str]) -> FetchTarget:
    return arxiv_target(match["id"])


def _by_doi(match: re.Match[str]) -> FetchTarget:
    return doi_target(_strip_trailing_punctuation(match["doi"]))


def _by_address(match: re.Match[str]) -> FetchTarget:
    url = _strip_trailing_punctuation(match.group())
    try:
        parts = urlsplit(url)
    except ValueError:  # brackets around what is no IPv6 address: whoever fetches it says so
        return FetchTarget(name=url, url=url, file_name="paper.pdf")
    host = (parts.hostname or "").lower().removeprefix("www.").removeprefix("export.")
    special = _KNOWN.get(host.removeprefix("dx."), _no_path)(parts.path)
    if special:
        return special
    last = unquote(parts.path.rstrip("/").rsplit("/", 1)[-1])
    name = _plain(last.removesuffix(".pdf")) or _plain(parts.hostname or "paper")
    return FetchTarget(name=url, url=url, file_name=f"{name}.pdf")


def _arxiv_path(path: str) -> FetchTarget | None:
    match = _ARXIV_PATH.match(path)
    return arxiv_target(match["id"]) if match else None


def _doi_path(path: str) -> FetchTarget | None:
    number = unquote(path.lstrip("/"))
    return doi_target(number) if _DOI.fullmatch(number) else None


def _no_path(path: str) -> FetchTarget | None:
    return None


_KNOWN: Mapping[str, Callable[[str], FetchTarget | None]] = {"arxiv.org": _arxiv_path, "doi.org": _doi_path}


def _strip_trailing_punctuation(text: str) -> str:
    """Without the stop or bracket that belongs to the sentence around."""
    while text and text[-1] in _TAIL and not (text[-1] == ")" and text.count("(") >= text.count(")")):
        text = text[:-1]
    return text


def _plain(text: str) -> str:
    return re.sub(r"[^\w.-]+", "-", text).strip("-.")[:80]
