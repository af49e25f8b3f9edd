"""What is kept about papers and what leaves the chat: lists, tags, kinship, bibliographies, pages, corrections."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from core.assistant.asking.reader_corrections import remarks
from core.assistant.papers import cited_pages, paper_list
from core.assistant.records import bibliography_import, bibliography_merge
from core.assistant.records.bibliography_export import bibliography, cite_keys
from core.assistant.records.exports import table_csv, thread_markdown
from core.domain.errors import NotInScope
from core.domain.model import Channel, Paper, Scope, Thread
from core.domain.records import (
    AnswerCorrection,
    BibliographyFormat,
    CitedHere,
    Difference,
    Feedback,
    Imported,
    PageShown,
    PaperList,
    PaperTags,
    ReadingStatus,
    Related,
    RelatedWork,
)
from core.domain.reply import Attachment
from core.services.open_workspaces import OpenWorkspace, OpenWorkspaces
from core.services.shared_models import SharedModels

if TYPE_CHECKING:
    from core.assistant.records.related_papers import RelatedDependencies


class Records:
    """Records of all workspaces; every call names its scope or its thread."""

    def __init__(
        self,
        workspaces: OpenWorkspaces,
        *,
        models: SharedModels,
        now: Callable[[], datetime],
    ) -> None:
        self._workspaces = workspaces
        self._models = models
        self._now = now

    # lists and tags

    async def list_papers(
        self, scope: Scope, words: str = "", *, page: int = 1, per_page: int = paper_list.PER_PAGE
    ) -> PaperList:
        """One page of the papers in scope, newest first; ``words`` are what to look for, tags and status too."""
        async with self._workspaces.enter(scope.workspace) as opened:
            papers = await opened.stores.library.papers(scope)
            marks = await opened.stores.marks.of(scope)
            return await asyncio.to_thread(paper_list.paper_list, papers, marks, words, page, per_page=per_page)

    async def marks(self, scope: Scope) -> Mapping[str, PaperTags]:
        """Tags and statuses by paper id."""
        async with self._workspaces.enter(scope.workspace) as opened:
            return await opened.stores.marks.of(scope)

    async def tag(self, channel: Channel, scope: Scope, paper_id: str, tag: str, *, user: str) -> None:
        """Put a tag on a paper in this channel. Raises ``NotInScope`` or ``NotATag``."""
        kept = paper_list.parse_tag(tag)
        async with self._workspaces.enter(scope.workspace) as opened:
            await opened.stores.marks.tag(channel, scope, paper_id, kept, user=user, at=self._now())

    async def untag(self, channel: Channel, scope: Scope, paper_id: str, tag: str) -> bool:
        """Take a tag off; False where the paper has none of this name here. Raises ``NotInScope``."""
        async with self._workspaces.enter(scope.workspace) as opened:
            return await opened.stores.marks.untag(channel, scope, paper_id, paper_list.parse_tag(tag))

    async def read(self, channel: Channel, scope: Scope, paper_id: str, status: ReadingStatus, *, user: str) -> None:
        """Note how far ``user`` is with a paper (empty: the whole channel). Raises ``NotInScope``."""
        async with self._workspaces.enter(scope.workspace) as opened:
            await opened.stores.marks.read(channel, scope, paper_id, status, user=user, at=self._now())

    # relations between papers

    async def related(self, scope: Scope, paper_id: str) -> Related:
        """A paper among the others of the scope. Raises ``NotInScope``."""
        # Imported here and below: no start should wait for what is asked for now and then.
        from core.assistant.records.related_papers import find_related

        async with self._workspaces.enter(scope.workspace) as opened:
            await opened.check_embedder()
            return await find_related(scope, paper_id, dependencies=self._related_dependencies(opened))

    async def citations(self, scope: Scope) -> Sequence[CitedHere]:
        """What cites what among the papers of a scope."""
        from core.assistant.records.related_papers import citations_within

        async with self._workspaces.enter(scope.workspace) as opened:
            return await citations_within(scope, library=opened.stores.library)

    # out of the chat

    async def cited_in(self, thread: Thread, scope: Scope) -> Sequence[Paper]:
        """The papers that a thread's answers cite, in the order in which they first did."""
        async with self._workspaces.enter(scope.workspace) as opened:
            said = await opened.stores.records.of_thread(thread)
            ids = dict.fromkeys(citation.paper_id for item in said for citation in item.answer.citations)
            held = {paper.id: paper for paper in await opened.stores.library.papers(scope.within(frozenset(ids)))}
            return [held[id_] for id_ in ids if id_ in held]

    async def bibliography(self, scope: Scope, paper_ids: Sequence[str], form: BibliographyFormat) -> Attachment:
        """A file of these papers, in this order. Raises ``NotInScope`` where there is none of them."""
        async with self._workspaces.enter(scope.workspace) as opened:
            library = await opened.stores.library.papers(scope)
        visible = {paper.id: paper for paper in library}
        papers = [visible[id_] for id_ in paper_ids if id_ in visible]
        if not papers:
            raise NotInScope("There are no papers here to make a bibliography of.")
        return await asyncio.to_thread(bibliography, papers, form, cite_keys(library))

    async def related_work(self, scope: Scope, topic: str = "") -> RelatedWork:
        """A paragraph in the papers' own words, on a topic or on what each of them found, with its files."""
        from core.assistant.records.related_work import write_related_work

        async with self._workspaces.enter(scope.workspace) as opened:
            await opened.check_embedder()
            return await write_related_work(scope, topic, dependencies=self._related_dependencies(opened))

    async def thread_file(self, thread: Thread, scope: Scope) -> Attachment:
        """The thread as Markdown with footnotes. Raises ``NotInScope`` where nothing was answered in it."""
        async with self._workspaces.enter(scope.workspace) as opened:
            said = await opened.stores.records.of_thread(thread)
            papers = {paper.id: paper for paper in await opened.stores.library.papers(scope)}
        if not said:
            raise NotInScope("Nothing was answered in this thread yet.")
        text = await asyncio.to_thread(thread_markdown, said, papers)
        return Attachment(name="thread.md", mime="text/markdown; charset=utf-8", data=text.encode())

    async def tables(self, scope: Scope, paper_id: str, label: str = "") -> Sequence[Attachment]:
        """A paper's own tables as CSV, or the one of this label. Raises ``NotInScope``."""
        async with self._workspaces.enter(scope.workspace) as opened:
            passages = await opened.stores.library.paper_passages(scope, paper_id)
            papers = {paper.id: paper for paper in await opened.stores.library.papers(scope)}
        found = paper_list.find_tables(passages, label)
        return [table_csv(passage, papers[paper_id], name=f"{name}.csv") for name, passage in found]

    async def import_bibliography(
        self, scope: Scope, data: bytes, *, user: str, overwrite: frozenset[str] = frozenset()
    ) -> Imported:
        """Fill what is not known of the papers in scope from a bibliography. Raises ``NotABibliography``.

        Where the two differ nothing is changed, save for papers (by id) in ``overwrite``.
        """
        read = await asyncio.to_thread(bibliography_import.parse_bibliography, data)
        filled: list[tuple[Paper, tuple[str, ...]]] = []
        differing: list[Difference] = []
        matched = 0
        async with self._workspaces.enter(scope.workspace) as opened, opened.writing:
            papers = {paper.id: paper for paper in await opened.stores.library.papers(scope)}
            for entry in read.entries:
                paper = await asyncio.to_thread(bibliography_merge.find_paper, entry, list(papers.values()))
                if paper is None:
                    continue
                matched += 1
                take = bibliography_merge.overwrite if paper.id in overwrite else bibliography_merge.fill_missing
                metadata, names = take(paper.metadata, entry)
                if names:
                    await opened.stores.library.correct(paper.id, metadata, user=user)
                    papers[paper.id] = replace(paper, metadata=metadata)
                    filled.append((papers[paper.id], names))
                differing += bibliography_merge.find_differences(papers[paper.id], entry)
        return Imported(
            filled=tuple(filled),
            differing=tuple(differing),
            entries=len(read.entries),
            matched=matched,
            unread=read.unread,
        )

    # pages and corrections

    async def pages(self, thread: Thread, scope: Scope, trace_id: str, marker: int) -> Sequence[PageShown]:
        """The pages of a footnote with the quoted words marked. Raises ``NotInScope``."""
        async with self._workspaces.enter(scope.workspace) as opened:
            answer = await opened.stores.memory.answer(thread, trace_id)
            if answer is None:
                raise NotInScope("That answer is no longer stored; please ask again.")
            citation = cited_pages.find_citation(answer, marker)
            return await cited_pages.render_pages(
                citation, scope, library=opened.stores.library, images=self._models.images
            )

    async def remarks(self, scope: Scope, question: str) -> Sequence[AnswerCorrection]:
        """What readers corrected in earlier answers to the same question, in the scope's channels."""
        async with self._workspaces.enter(scope.workspace) as opened:
            given = await opened.stores.feedback.corrections(scope)
            return await remarks(question, given, embedder=self._models.embedder)

    async def feedback(self, scope: Scope) -> Sequence[Feedback]:
        """All feedback on answers given in the scope's channels, oldest first: what test questions are made of."""
        async with self._workspaces.enter(scope.workspace) as opened:
            return await opened.stores.feedback.given(scope)

    async def keep_private(self, thread: Thread, trace_id: str) -> None:
        """An answer was given to its asker alone: it is in no digest, export or list."""
        async with self._workspaces.enter(thread.channel.workspace) as opened:
            await opened.stores.records.keep_private(thread, trace_id)

    async def is_private(self, thread: Thread, trace_id: str) -> bool:
        """Whether an answer was given to its asker alone, and not shared since."""
        async with self._workspaces.enter(thread.channel.workspace) as opened:
            return await opened.stores.records.is_private(thread, trace_id)

    async def publish(self, thread: Thread, trace_id: str) -> None:
        """The asker shared such an answer."""
        async with self._workspaces.enter(thread.channel.workspace) as opened:
            await opened.stores.records.publish(thread, trace_id)

    def _related_dependencies(self, opened: OpenWorkspace) -> "RelatedDependencies":
        from core.assistant.records.related_papers import RelatedDependencies

        return RelatedDependencies(
            library=opened.stores.library, retriever=opened.retriever, embedder=self._models.embedder
        )
