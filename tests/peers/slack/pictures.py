"""Pictures of every kind of reply for the docs: ``python -m tests.peers.slack.pictures`` (needs Chromium)."""

import base64
import io
import json
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from adapters.common.progress import stage_words
from adapters.slack import forms as slack_forms
from adapters.slack import render
from adapters.slack.render import Message
from bot.commands.administration import settings_form
from bot.commands.answers import wrong_form
from core.domain.channel_settings import ChannelSettings
from core.domain.reply import Form, Reply
from tests.adapters.slack.kinds import KINDS

HERE = Path(__file__).parent
PICTURES = HERE.parents[2] / "docs" / "pictures"
SAID = "The tail of the comet measured 42 degrees on the fourth night. [1]"
HIGHEST = 3_000
Drawn = Mapping[str, Any]


def reply(kind: str) -> list[Drawn]:
    """The messages of a reply, with a page picture beneath where it brings one."""
    given = KINDS[kind]
    shown: list[dict[str, Any]] = [{"blocks": message.blocks} for message in render.messages(given)]
    shown[-1]["files"] = [_file(item.name, item.mime) for item in given.files]
    return list(shown)


def growing() -> list[Drawn]:
    """An answer under way: streamed with its steps, and edited where nothing can be streamed."""
    steps = [("understanding", "complete"), ("searching", "complete"), ("writing", "in_progress")]
    cards = [{"type": "task_card", "task_id": name, "title": stage_words(name), "status": how} for name, how in steps]
    text = {"type": "markdown", "text": SAID}
    edited: Message = render.partial_answer([SAID], f"{stage_words('writing')} …", stop="1")
    first: Message = render.working_message([f"{stage_words('reading')} of comet.pdf (4 of 12) …"])
    return [{"blocks": [*cards, text]}, {"blocks": edited.blocks}, {"blocks": first.blocks}]


def forms() -> list[Drawn]:
    """The question, what would have been right, and the settings of a channel."""
    question = slack_forms.question_form("How long was the tail?", (), kept="{}")
    given: Sequence[Form] = (wrong_form("t1"), settings_form(ChannelSettings(), name="settings"))
    return [{"view": question}, *({"view": render.modal(form, kept="{}")} for form in given)]


def home() -> list[Drawn]:
    """The Home tab."""
    shown: Reply = KINDS["home"]
    return [{"view": {**render.home(shown), "title": {"text": "Footnote · Home"}}}]


def _file(name: str, mime: str) -> Drawn:
    if mime != "image/png":
        return {"name": name}
    return {"name": name, "picture": f"data:image/png;base64,{base64.b64encode(_page()).decode()}"}


def _page() -> bytes:
    """A page of a paper with the quoted words marked, as a reader is shown it."""
    import pymupdf

    lines = [
        "The observers met on the roof at dusk and wrote down what each of them saw before they spoke.",
        "On the fourth night its tail measured 42 degrees.",
        "Clouds ended the night early, so that only three of the five readings could be repeated.",
    ]
    with pymupdf.open() as pdf:
        page = pdf.new_page(width=460, height=190)
        page.insert_text((36, 42), "2.1 Measurements", fontsize=13)
        for number, line in enumerate(lines):
            page.insert_text((36, 72 + 18 * number), line, fontsize=9)
        page.add_highlight_annot(page.search_for(lines[1])[0])
        page.insert_text((226, 176), "3", fontsize=8)
        png: bytes = page.get_pixmap(dpi=110).tobytes("png")
    return png


SHEETS: Mapping[str, Sequence[Drawn]] = {
    "slack-answers": [*reply("answer"), *reply("not found"), *reply("choice"), *reply("summary")],
    "slack-growing": growing(),
    "slack-papers": [*reply("ingest"), *reply("rejected"), *reply("papers"), *reply("page"), *reply("forgotten")],
    "slack-studies": [*reply("table"), *reply("review"), *reply("export"), *reply("digest"), *reply("journal")],
    "slack-house": [*reply("help"), *reply("status"), *reply("settings"), *reply("error")],
    "slack-forms": forms(),
    "slack-home": home(),
}


def main() -> None:
    """Draw all sheets anew."""
    node, browser = shutil.which("node"), shutil.which("chromium") or shutil.which("google-chrome")
    if node is None or browser is None:
        raise SystemExit("Node and Chromium are needed to draw.")
    for name, shown in SHEETS.items():
        page = subprocess.run(
            [node, str(HERE / "draw.mjs")], input=json.dumps(shown), capture_output=True, text=True, check=True
        ).stdout
        with tempfile.TemporaryDirectory() as folder:
            html, taken = Path(folder) / "page.html", Path(folder) / "page.png"
            html.write_text(page, encoding="utf-8")
            flags = "--headless --no-sandbox --disable-gpu --hide-scrollbars --disable-background-networking".split()
            command = [browser, *flags, f"--user-data-dir={folder}/profile", f"--window-size=760,{HIGHEST}"]
            subprocess.run(
                [*command, f"--screenshot={taken}", html.as_uri()], capture_output=True, check=True, timeout=120
            )
            (PICTURES / f"{name}.png").write_bytes(_cut(taken.read_bytes()))


def _cut(png: bytes) -> bytes:
    """The picture without the empty part below."""
    from PIL import Image, ImageChops

    with Image.open(io.BytesIO(png)) as opened:
        picture = opened.convert("RGB")
    ends = ImageChops.difference(picture, Image.new("RGB", picture.size, "white")).getbbox()
    made = io.BytesIO()
    bottom = min(picture.height, ends[3] + 16) if ends else picture.height
    picture.crop((0, 0, picture.width, bottom)).quantize(128).save(made, "PNG", optimize=True)
    return made.getvalue()


if __name__ == "__main__":
    main()
