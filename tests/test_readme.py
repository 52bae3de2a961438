"""The README says the truth about the settings, and its links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_settings_table_is_up_to_date() -> None:
    # In a process of its own: the defaults, not what the test site has set.
    code = (
        "import sys; sys.path[:0] = ['scripts', '.']; import settings_table as s; "
        "sys.exit(s.readme() != s.README.read_text())"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False)
    assert done.returncode == 0, "run `python scripts/settings_table.py`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text())
    missing = [
        link
        for link in links
        if "://" not in link and not link.startswith("/") and not (page.parent / link).exists()
    ]
    assert not missing
