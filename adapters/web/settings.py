"""What a deployment says about the local page. Apart from the process's settings: adapters know nothing of these."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Enabled: TypeAlias = Literal["auto", "on", "off"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """``enabled``: auto serves the page where no chat platform is set up. ``port`` 0 takes any free one.

    ``open`` opens the page in the browser at the start. Raises ``ValueError`` that begins with the field's name.
    """

    enabled: Enabled = "auto"
    port: int = 0
    open: bool = False

    def __post_init__(self) -> None:
        if self.enabled not in ("auto", "on", "off"):
            raise ValueError("enabled must be auto, on or off")
        if not 0 <= self.port <= 65_535:
            raise ValueError("port must lie between 0 and 65,535")
