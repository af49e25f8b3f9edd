"""Labels by which a reader recognises a paper: short title, first author, year."""

from core.domain.model import Paper

MAX_TITLE_CHARACTERS = 90


def paper_label(paper: Paper) -> str:
    """Short title, first author and year where known: “Heat stress in wheat” (Smith et al., 2020)."""
    title = (
        paper.title
        if len(paper.title) <= MAX_TITLE_CHARACTERS
        else paper.title[: MAX_TITLE_CHARACTERS - 1].rstrip() + "…"
    )
    known = first_author_label(paper)
    if paper.metadata.year:
        known.append(str(paper.metadata.year))
    return f"“{title}” ({', '.join(known)})" if known else f"“{title}”"


def first_author_label(paper: Paper) -> list[str]:
    """The first author's family name, with "et al." where there are more; empty where no author is known."""
    known = [name.split(",")[0].split()[-1] for name in paper.metadata.authors[:1] if name.strip()]
    if known and len(paper.metadata.authors) > 1:
        known[0] += " et al."
    return known
