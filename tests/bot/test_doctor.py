from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from bot import doctor
from bot.settings import Settings
from core.domain.errors import ModelUnavailable

if TYPE_CHECKING:
    from core.engine import Engine


class Away:
    """Every part of this engine is broken, each in its own way."""

    identity = "away/model"
    note = "away/model took too long"

    async def read(self, *_: object, **__: object) -> None:
        raise OSError("no process")

    async def query(self, text: str) -> None:
        raise ModelUnavailable("The embedder cannot be loaded.")

    async def scores(self, query: str, texts: object) -> None:
        return None

    @property
    def parts(self) -> object:
        return SimpleNamespace(embedder=self, reranker=self)


async def test_broken_parts_are_lines_and_never_a_crash(tmp_path: Path) -> None:
    settings = Settings.model_validate({"data": tmp_path, "reading": {"ocr": False}})
    checks = {check.name: check async for check in doctor.thorough(settings, cast("Engine", Away()))}
    assert {name for name, check in checks.items() if not check.ok} == {"reader", "embedder", "reranker"}
    assert checks["embedder"].words == "The embedder cannot be loaded."
    assert checks["reader"].words == "does not work (OSError: no process)"
    assert checks["reranker"].words == "away/model took too long; the order of the search stands"
    assert checks["OCR"].words.startswith("switched off")
    assert checks["jobs"].words == "0 waiting, 0 running, 0 done, 0 given up"


async def test_a_data_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    settings = Settings.model_validate({"data": tmp_path / "file" / "data"})
    checks = {check.name: check async for check in doctor.quick(settings)}
    assert not checks["data folder"].ok and "FOOTNOTE_DATA names another" in checks["data folder"].words
    assert not checks["jobs"].ok
