"""Pictures of every kind of reply for the docs: ``python -m tests.peers.slack.pictures`` (needs Chromium)."""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from adapters.slack import render
from tests.adapters.slack.kinds import KINDS

HERE = Path(__file__).parent
PICTURES = HERE.parents[2] / "docs" / "pictures"
SHEETS = {
    "slack-answers": (("answer", "not found", "choice", "summary"), 790),
    "slack-papers": (("ingest", "rejected", "papers", "page", "forgotten"), 790),
    "slack-studies": (("table", "review", "export", "digest", "journal"), 800),
    "slack-house": (("help", "status", "settings", "home", "error"), 720),
}


def main() -> None:
    """Draw all sheets anew."""
    node, browser = shutil.which("node"), shutil.which("chromium") or shutil.which("google-chrome")
    if node is None or browser is None:
        raise SystemExit("Node and Chromium are needed to draw.")
    for name, (kinds, height) in SHEETS.items():
        shown = [{"blocks": message.blocks} for kind in kinds for message in render.messages(KINDS[kind])]
        page = subprocess.run(
            [node, str(HERE / "draw.mjs")], input=json.dumps(shown), capture_output=True, text=True, check=True
        ).stdout
        with tempfile.TemporaryDirectory() as folder:
            html = Path(folder) / "page.html"
            html.write_text(page, encoding="utf-8")
            flags = "--headless --no-sandbox --disable-gpu --hide-scrollbars --disable-background-networking".split()
            command = [browser, *flags, f"--user-data-dir={folder}/profile", f"--window-size=760,{height}"]
            command += [f"--screenshot={PICTURES / name}.png", html.as_uri()]
            subprocess.run(command, capture_output=True, check=True, timeout=60)


if __name__ == "__main__":
    main()
