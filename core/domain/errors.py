"""One tree of errors. Each class says whether trying again may help and carries words a user may read.

Vendor exceptions are translated into these at the boundary of the room that calls the vendor, with the
cause kept. Only the worker catches everything; a channel sees ``words`` and a short trace id, never more.

    FootnoteError
    ├── PaperRejected            the file cannot be read as a paper; reason says why
    │   ├── NotAPdf · EmptyFile · PasswordNeeded · Damaged · NoText
    │   └── TooLarge · TooManyPages
    ├── ReadingStopped           time, memory or a crash of the native reader (another try may help)
    ├── LibraryFailure           the library file cannot be used (disk full, corrupt, busy too long)
    │   └── EmbedderMismatch     the collection was made by another embedder
    ├── NotInScope               a paper, passage or thread that this scope does not hold
    ├── ModelUnavailable         embedder, reranker or language model could not be loaded or reached
    │   ├── ModelKeyRefused      the endpoint wants a key, or another one
    │   └── ModelReplyUnusable   the language model answered, but not with anything that can be used
    ├── PlatformFailure          a chat platform refused or failed
    │   ├── RateLimited          with the seconds to wait
    │   └── PlatformRefused      it says no and will say no again: a missing right, a closed channel
    ├── LimitReached             a person or channel has had its share for now; the words say when there is more
    └── SettingsInvalid          the configuration cannot work; names the variable and the mend
"""


class FootnoteError(Exception):
    """Base of all errors that Footnote raises on purpose."""

    retry = False

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words

    def __reduce__(self) -> tuple[type["FootnoteError"], tuple[object, ...]]:
        """Errors cross process borders (the readers run in processes of their own)."""
        return (type(self), tuple(self.args))


class PaperRejected(FootnoteError):
    """The file was understood to be unusable; reading it again changes nothing."""


class NotAPdf(PaperRejected):
    """The bytes are not a PDF, whatever the name says."""


class EmptyFile(PaperRejected):
    """The file has no bytes."""


class PasswordNeeded(PaperRejected):
    """The PDF cannot be opened without its password."""


class Damaged(PaperRejected):
    """The PDF is broken beyond what its repair could recover."""


class NoText(PaperRejected):
    """No page holds text that a person could read, and OCR found none."""


class TooLarge(PaperRejected):
    """The file, or what it inflates to, is larger than the setting allows."""


class TooManyPages(PaperRejected):
    """The PDF has more pages than the setting allows."""


class ReadingStopped(FootnoteError):
    """The reader ran out of time or memory, or its process died; only this file is lost."""

    retry = True


class LibraryFailure(FootnoteError):
    """The library file cannot be used right now."""

    retry = True


class EmbedderMismatch(LibraryFailure):
    """The collection's vectors come from another embedder; ``footnote reindex`` makes them anew."""

    retry = False


class NotInScope(FootnoteError):
    """What was asked for is not in this scope; says nothing of what other scopes hold."""


class ModelUnavailable(FootnoteError):
    """A model could not be loaded or reached."""

    retry = True


class ModelKeyRefused(ModelUnavailable):
    """The endpoint wants a key, or another one than it was given."""

    retry = False


class ModelReplyUnusable(ModelUnavailable):
    """The language model answered, but with nothing that can be used: empty, malformed, cut at its limit."""

    retry = False


class PlatformFailure(FootnoteError):
    """A chat platform refused a call or could not be reached."""

    retry = True


class RateLimited(PlatformFailure):
    """The platform asks to wait ``seconds`` before the next call."""

    def __init__(self, words: str, seconds: float) -> None:
        super().__init__(words)
        self.args = (words, seconds)
        self.seconds = seconds


class PlatformRefused(PlatformFailure):
    """The platform says no and will say no again: a missing right, a channel that is closed or gone."""

    retry = False


class LimitReached(FootnoteError):
    """A person or a channel has had its share for now."""


class SettingsInvalid(FootnoteError):
    """The settings cannot work; the words name the variable and what to do."""


class NotACorrection(FootnoteError):
    """The words given for a field cannot be right; nothing was changed."""
