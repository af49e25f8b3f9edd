"""Numbers before words: one page, two pages, 1,200 pages."""


def pluralize(number: int, one: str) -> str:
    """``number`` with the word for so many, which is ``one`` or ``one`` with an s."""
    return f"{number:,} {one if number == 1 else f'{one}s'}"
