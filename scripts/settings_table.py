"""Writes the settings table of the README from agentui/conf.py. A test checks it is up to date."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
BEGIN, END = "<!-- settings -->\n", "<!-- /settings -->"


def table() -> str:
    """One row a setting: its name, its default, and the first sentence of its docstring."""
    sys.path.insert(0, str(ROOT))
    from django.conf import settings

    if not settings.configured:
        settings.configure()
    from agentui.conf import AppSettings

    rows = ["| setting | default | what it is |", "| --- | --- | --- |"]
    made = AppSettings()
    for name, value in vars(AppSettings).items():
        if isinstance(value, property):
            text = " ".join((value.__doc__ or "").split())
            sentence = re.split(r"(?<=[.:])\s", text)[0].rstrip(".:")
            default = re.sub(r"\s+", " ", repr(getattr(made, name)))
            cells = (f"`{name}`", f"`{default}`", sentence)
            rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows) + "\n"


def readme() -> str:
    """The README with the table as it should be."""
    text = README.read_text()
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}{table()}{END}{after}"


if __name__ == "__main__":
    README.write_text(readme())
