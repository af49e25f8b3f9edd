from pathlib import Path

import pytest

from adapters.console.input import Command, Files, Input, Question, Quit, parse_line


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", None),
        ("   ", None),
        ("/papers", Command(name="papers", words="")),
        ("/Forget  On Footnotes ", Command(name="forget", words="On Footnotes")),
        ("/quit", Quit()),
        ("What is it?", Question(text="What is it?")),
        ("What's in paper.pdf?", Question(text="What's in paper.pdf?")),
        ("paper.pdf", Files(paths=(Path("paper.pdf"),))),
        ("/tmp/paper.PDF", Files(paths=(Path("/tmp/paper.PDF"),))),
        ("'/tmp/a paper.pdf'", Files(paths=(Path("/tmp/a paper.pdf"),))),
        ('"/tmp/a paper.pdf" b.pdf', Files(paths=(Path("/tmp/a paper.pdf"), Path("b.pdf")))),
        (r"/tmp/a\ paper.pdf", Files(paths=(Path("/tmp/a paper.pdf"),))),
        ("file:///tmp/a%20paper.pdf", Files(paths=(Path("/tmp/a paper.pdf"),))),
        ("/", Question(text="/")),
        ("/upload ~/a.pdf b.PDF", Files(paths=(Path.home() / "a.pdf", Path("b.PDF")))),
        ("~nobody-here/a.pdf", Files(paths=(Path("~nobody-here/a.pdf"),))),
        ("/Upload 'a paper.pdf'", Files(paths=(Path("a paper.pdf"),))),
        ("/upload notes.txt", Files(paths=(Path("notes.txt"),))),
        ("/upload o'neill.pdf", Files(paths=(Path("o'neill.pdf"),))),
        ("/upload", Files(paths=())),
    ],
)
def test_what_a_line_means(line: str, said: Input) -> None:
    assert parse_line(line, is_file=lambda path: False) == said


def test_a_path_with_spaces_needs_no_quotes_when_there_is_such_a_file() -> None:
    there = Path("/tmp/a paper.pdf")
    assert parse_line("/tmp/a paper.pdf", is_file=lambda path: path == there) == Files(paths=(there,))


def test_upload_takes_a_path_with_spaces_when_there_is_such_a_file() -> None:
    there = Path("/tmp/a paper.pdf")
    assert parse_line("/upload /tmp/a paper.pdf", is_file=lambda path: path == there) == Files(paths=(there,))


def test_an_apostrophe_in_a_file_name_is_part_of_it() -> None:
    there = Path("/tmp/o'neill.pdf")
    assert parse_line("/tmp/o'neill.pdf", is_file=lambda path: path == there) == Files(paths=(there,))
