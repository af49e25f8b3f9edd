"""The use case "show me": the page that a footnote cites, as a picture with the quoted words marked."""

from collections.abc import Sequence

from core.domain.errors import NotInScope
from core.domain.model import Answer, Citation, Scope
from core.domain.ports import Library
from core.domain.readers import PageImages
from core.domain.records import PageShown

MOST_PAGES = 2


async def pages_of(citation: Citation, scope: Scope, *, library: Library, images: PageImages) -> Sequence[PageShown]:
    """The pages of a footnote's quotes, one picture a page. Raises ``NotInScope``."""
    held = await library.papers(scope.within(frozenset({citation.paper_id})))
    if not held:
        raise NotInScope("That paper is no longer here.")
    shown = []
    for number in sorted({span.page for span in citation.spans})[:MOST_PAGES]:
        spans = [span for span in citation.spans if span.page == number]
        boxes = [box for span in spans for box in span.boxes]
        pdf = await library.pdf(scope, citation.paper_id)
        png = await images.render(pdf, page=number, boxes=boxes)
        quotes = tuple(span.quote for span in spans)
        shown.append(PageShown(paper=held[0], page=number, png=png, quotes=quotes))
    if not shown:
        raise NotInScope("That footnote is a computation; the footnotes of its numbers have pages.")
    return shown


def cited(answer: Answer, marker: int) -> Citation:
    """The footnote of this number. Raises ``NotInScope``."""
    for citation in answer.citations:
        if citation.marker == marker:
            return citation
    markers = ", ".join(str(citation.marker) for citation in answer.citations)
    raise NotInScope(f"That answer has no footnote {marker}" + (f"; there are {markers}." if markers else "."))
