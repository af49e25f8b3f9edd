"""How values lie in the library's columns: as the domain's JSON, and boxes as a few bytes each.

It stands alone so that no other file knows what a stored value looks like.
"""

from collections.abc import Sequence
from functools import lru_cache

from core.domain.codec import from_json, many_from_json, to_json
from core.domain.model import Box

__all__ = ["from_json", "many_from_json", "pack_boxes", "to_json", "unpack_boxes"]


def pack_boxes(boxes: Sequence[Box]) -> bytes:
    """Boxes to a hundredth of a point, as differences to the box before: about nine bytes a printed line."""
    packed, last = bytearray(), [0, 0, 0, 0, 0]
    for box in boxes:
        now = [box.page, *(round(edge * 100) for edge in (box.x0, box.y0, box.x1, box.y1))]
        for before, after in zip(last, now, strict=True):
            step = after - before
            number = step * 2 if step >= 0 else -step * 2 - 1
            while number > 127:
                packed.append(number & 127 | 128)
                number >>= 7
            packed.append(number)
        last = now
    return bytes(packed)


@lru_cache(maxsize=1_024)  # a paper that is asked about is asked about again
def unpack_boxes(packed: bytes) -> tuple[Box, ...]:
    """What ``pack_boxes`` packed."""
    steps: list[int] = []
    number = shift = 0
    for byte in packed:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            steps.append(-(number + 1) // 2 if number & 1 else number // 2)
            number = shift = 0
    boxes: list[Box] = []
    page = x0 = y0 = x1 = y1 = 0
    for start in range(0, len(steps), 5):
        page += steps[start]
        x0 += steps[start + 1]
        y0 += steps[start + 2]
        x1 += steps[start + 3]
        y1 += steps[start + 4]
        boxes.append(Box(page=page, x0=x0 / 100, y0=y0 / 100, x1=x1 / 100, y1=y1 / 100))
    return tuple(boxes)
