"""The use case "related work": a paragraph in the papers' own words, each sentence with its key and page.

What each paper says on the topic is quoted, never put into other words, so that nothing is claimed in its name; who
writes the manuscript shortens it. It comes as Markdown for pandoc, as LaTeX, and with its bibliography.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.aspects.standalone_sentences import select_standalone
from core.aspects.statements import Statement
from core.assistant.records.bibliography_export import bibliography, cite_keys
from core.assistant.records.latex_text import encode_latex
from core.assistant.records.related_papers import RelatedDependencies
from core.assistant.studies.quotations import Quotations, quotable_statements
from core.assistant.studies.takeaways import takeaway
from core.domain.citation_format import page_label, shorten_names
from core.domain.model import Citation, Paper, Scope
from core.domain.records import RelatedWork, WorkSentence
from core.domain.reply import Attachment
from core.text.person_names import parse_name

MOST_PAPERS = 15
LEAST = 0.3
"""Cosine to the topic from which a sentence is on it."""


async def write_related_work(scope: Scope, topic: str, *, dependencies: RelatedDependencies) -> RelatedWork:
    """What the papers of a scope say on ``topic``, nearest first; without a topic, what each of them found."""
    papers = await dependencies.library.papers(scope)
    chosen = (
        await _on(topic, papers, scope, dependencies)
        if topic.strip()
        else await _takeaways(papers, scope, dependencies)
    )
    quotes, keys = Quotations(), cite_keys(papers)
    sentences = []
    for paper, statement in chosen:
        sentence = quotes.say(statement)
        if sentence is not None:
            sentences.append(WorkSentence(paper=paper, key=keys[paper.id], sentence=sentence))
    work = RelatedWork(topic=topic.strip(), sentences=tuple(sentences), citations=quotes.citations)
    return replace(work, files=_files(work, keys)) if sentences else work


async def _takeaways(
    papers: Sequence[Paper], scope: Scope, dependencies: RelatedDependencies
) -> list[tuple[Paper, Statement]]:
    found = []
    for paper in papers[:MOST_PAPERS]:
        passages = await dependencies.library.paper_passages(scope, paper.id)
        statement = takeaway(await asyncio.to_thread(quotable_statements, paper, passages))
        if statement is not None:
            found.append((paper, statement))
    return found


async def _on(
    topic: str, papers: Sequence[Paper], scope: Scope, dependencies: RelatedDependencies
) -> list[tuple[Paper, Statement]]:
    """For each paper that has something on the topic, the sentence nearest to it."""
    evidence = await dependencies.retriever.search(topic, scope, k=3 * MOST_PAPERS, per_paper=3)
    by_id = {paper.id: paper for paper in papers}
    statements = [
        statement
        for paper_id in dict.fromkeys(hit.passage.paper_id for hit in evidence)
        for statement in select_standalone(
            await asyncio.to_thread(
                quotable_statements,
                by_id[paper_id],
                [hit.passage for hit in evidence if hit.passage.paper_id == paper_id],
            )
        )
    ]
    if not statements:
        return []
    vectors = await dependencies.embedder.passages([topic, *(statement.text for statement in statements)])
    cosines = vectors[1:] @ vectors[0]
    best: dict[str, tuple[float, Statement]] = {}
    for cosine, statement in zip(cosines.tolist(), statements, strict=True):
        if cosine >= LEAST and cosine > best.get(statement.passage.paper_id, (0.0,))[0]:
            best[statement.passage.paper_id] = (cosine, statement)
    ordered = sorted(best.items(), key=lambda item: -item[1][0])[:MOST_PAPERS]
    return [(by_id[paper_id], statement) for paper_id, (_, statement) in ordered]


def _files(work: RelatedWork, keys: Mapping[str, str]) -> tuple[Attachment, ...]:
    citations = {citation.marker: citation for citation in work.citations}
    cited = [(item, _page(citations[item.sentence.markers[0]], item.paper)) for item in work.sentences]
    markdown = " ".join(
        f"{authors(item.paper)} [-@{item.key}, p. {page}] write: “{item.sentence.text}”" for item, page in cited
    )
    tex = " ".join(
        f"\\citet[p.~{page}]{{{item.key}}} write: ``{encode_latex(item.sentence.text)}''" for item, page in cited
    )
    return (
        Attachment(name="related-work.md", mime="text/markdown", data=f"{markdown}\n".encode()),
        Attachment(name="related-work.tex", mime="application/x-tex", data=f"{tex}\n".encode()),
        bibliography([sentence.paper for sentence in work.sentences], "bibtex", keys),
    )


def authors(paper: Paper) -> str:
    """Who wrote it, as a sentence begins with them: one name, two, or the first with others."""
    names = [parse_name(name) for name in paper.metadata.authors]
    return shorten_names([f"{name.particle} {name.surname}".strip() for name in names]) or "The authors"


def _page(citation: Citation, paper: Paper) -> str:
    return page_label(paper.page_labels, citation.spans[0].page)
