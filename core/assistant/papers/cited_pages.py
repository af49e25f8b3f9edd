"""The use case "show me": the page that a footnote cites, as a picture with the quoted words marked."""

from collections.abc import Sequence

from core.domain.errors import NotInScope
from core.domain.model import Answer, Citation, Scope, Span
from core.domain.ports import Library
from core.domain.readers import PageImages
from core.domain.records import PageShown
from core.grounding.citations import by_marker

MOST_PAGES = 2


async def render_pages(
    citation: Citation, scope: Scope, *, library: Library, images: PageImages
) -> Sequence[PageShown]:
    """The pages of a footnote's quotes, one picture a page. Raises ``NotInScope``."""
    papers = await library.papers(scope.within(frozenset({citation.paper_id})))
    if not papers:
        raise NotInScope("That paper is no longer here.")
    if not citation.spans:
        raise NotInScope("That footnote is a computation; the footnotes of its numbers have pages.")
    by_page: dict[int, list[Span]] = {}
    for span in citation.spans:
        by_page.setdefault(span.page, []).append(span)
    shown = []
    for number, spans in sorted(by_page.items())[:MOST_PAGES]:
        pdf = await library.pdf(scope, citation.paper_id)
        png = await images.render(pdf, page=number, boxes=[box for span in spans for box in span.boxes])
        quotes = tuple(span.quote for span in spans)
        shown.append(PageShown(paper=papers[0], page=number, png=png, quotes=quotes))
    return shown


def find_citation(answer: Answer, marker: int) -> Citation:
    """The footnote of this number. Raises ``NotInScope``."""
    citations = by_marker(answer.citations)
    if marker in citations:
        return citations[marker]
    markers = ", ".join(map(str, citations))
    raise NotInScope(f"That answer has no footnote {marker}" + (f"; there are {markers}." if markers else "."))
