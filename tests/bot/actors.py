"""Events and values that the tests of the process are about."""

from datetime import UTC, datetime, timedelta

from core.domain.events import (
    ButtonPressed,
    ChannelClosed,
    CommandGiven,
    DigestDue,
    FileRemoved,
    FormSent,
    PdfShared,
    QuestionAsked,
    QuestionEdited,
    Uninstalled,
)
from core.domain.model import (
    Box,
    Channel,
    Citation,
    Derivation,
    Metadata,
    Paper,
    Share,
    SharedFile,
    Span,
    Thread,
    Workspace,
)
from core.domain.reply import Attachment, Button, Footnote, Reply

NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
LAB = Workspace(platform="local", id="lab")
READING_GROUP = Channel(workspace=LAB, id="reading-group")


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def thread(id_: str = "t1", channel: Channel = READING_GROUP) -> Thread:
    return Thread(channel=channel, id=id_)


def question(message: str = "m1", *, text: str = "What is it?", in_thread: Thread | None = None) -> QuestionAsked:
    return QuestionAsked(
        thread=in_thread or thread(), user="ada", at=NOW, message=message, text=text, visible=frozenset({"open-1"})
    )


def edited(message: str = "m1", *, revision: str = "2", text: str = "What is it, really?") -> QuestionEdited:
    return QuestionEdited(thread=thread(), user="ada", at=NOW, message=message, text=text, revision=revision)


def dropped(message: str = "m2", *, file: str = "f1", name: str = "paper.pdf", locator: str = "/nowhere") -> PdfShared:
    shared = SharedFile(id=file, name=name, mime="application/pdf", size=123, locator=locator)
    return PdfShared(thread=thread(), user="ada", at=NOW, message=message, file=shared)


def removed(message: str = "m2", *, file: str = "f1") -> FileRemoved:
    return FileRemoved(thread=thread(), user="ada", at=NOW, message=message, file_id=file)


def command(name: str, words: str = "", *, message: str = "m3") -> CommandGiven:
    extra = SharedFile(id="x", name="a b.pdf", mime="application/pdf", size=1, locator="l")
    return CommandGiven(thread=thread(), user="ada", at=NOW, message=message, name=name, words=words, files=(extra,))


def pressed(action: str, value: str = "", *, press: str = "p1", user: str = "ada") -> ButtonPressed:
    return ButtonPressed(thread=thread(), user=user, at=NOW, message="m1", action=action, value=value, press=press)


def sent(form: str, value: str = "", *, press: str = "p1", user: str = "ada", **fields: str) -> FormSent:
    return FormSent(
        thread=thread(), user=user, at=NOW, message="m1", form=form, value=value, press=press, fields=fields
    )


def digest_due(period: str = "2026-W09", *, name: str = "digest") -> DigestDue:
    return DigestDue(thread=thread(""), user="", at=NOW, message="", name=name, period=period)


def closed() -> ChannelClosed:
    return ChannelClosed(thread=thread(""), user="", at=NOW, message="")


def uninstalled() -> Uninstalled:
    return Uninstalled(thread=thread(""), user="", at=NOW, message="")


def paper(id_: str = "a" * 64, title: str = "On Footnotes", *, pages: int = 12) -> Paper:
    return Paper(
        id=id_,
        file_name="footnotes.pdf",
        metadata=Metadata(title=title, authors=("Ada Lovelace", "Grace Hopper", "Mary Kenneth"), year=2021),
        pages=pages,
        kind="born digital",
        added_at=NOW,
        shares=(Share(paper_id=id_, channel="reading-group", message="m2", user="ada", at=NOW),),
    )


def citation(marker: int = 1, *, paper_id: str = "a" * 64, quote: str = "A footnote is a promise.") -> Citation:
    span = Span(passage_id="p1", page=5, quote=quote, boxes=(Box(page=5, x0=1.5, y0=2, x1=3, y1=4),))
    return Citation(marker=marker, paper_id=paper_id, section=("2 Method", "2.3 Notes"), spans=(span,))


def full_reply() -> Reply:
    derived = Citation(
        marker=2,
        paper_id="a" * 64,
        section=(),
        spans=(),
        derivation=Derivation(expression="12 - 10", result="2", operands=(1,)),
    )
    return Reply(
        kind="answer",
        body="A footnote is a promise. \\[1]",
        footnotes=(Footnote(citation=citation(), paper=paper()), Footnote(citation=derived, paper=paper())),
        buttons=(Button(label="Good", action="good", value="1"),),
        files=(Attachment(name="page.png", mime="image/png", data=b"\x89PNG\x00\xff"),),
        footer="0.3 s",
        audience="asker",
        replaces="m9",
        papers=frozenset({"a" * 64}),
    )
