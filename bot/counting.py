"""Numbers before words: one page, two pages, 1,200 pages."""


def counted(number: int, one: str, many: str = "") -> str:
    """``number`` with the word for so many; ``many`` where it is not ``one`` with an s."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
