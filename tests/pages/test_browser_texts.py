"""The words of the web components: complete in each language we ship, and given to the page."""

from __future__ import annotations

import gettext
import json
import re
import struct
from pathlib import Path
from typing import Any

import pytest
from django.template import Context, Template
from django.test import RequestFactory
from django.utils import translation

from agentui.browser_texts import LOCALE, browser_texts

SOURCES = LOCALE.parent / "frontend" / "src"
TEXTS = [SOURCES / "elements" / "texts.ts", SOURCES / "approvals" / "texts.ts"]
LANGUAGES = ["de", "zh_Hans"]


def english() -> set[str]:
    found: set[str] = set()
    for path in TEXTS:
        source = path.read_text()
        block = source[source.index("const DEFAULTS") : source.index("} as const")]
        texts = re.findall(r'^\s+\w+:\s*"((?:[^"\\]|\\.)*)"', block, re.M)
        found |= {json.loads(f'"{text}"') for text in texts}
    return found


def catalog(language: str) -> gettext.GNUTranslations:
    path = LOCALE / language / "LC_MESSAGES" / "djangojs.mo"
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_translated_and_keeps_its_places(language: str) -> None:
    words = english()
    assert len(words) > 90
    known = catalog(language)
    assert [
        text
        for text in words
        if known.gettext(text) == text and text not in ("Chats", "Chat", "{n} s")
    ] == []
    for text in words:
        places = re.findall(r"\{\w+\}", text)
        assert sorted(re.findall(r"\{\w+\}", known.gettext(text))) == sorted(places), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_file_is_the_readable_one(language: str) -> None:
    source = (LOCALE / language / "LC_MESSAGES" / "djangojs.po").read_text()
    pairs = re.findall(r'^msgid "(.+)"\nmsgstr "(.+)"$', source, re.M)
    known = catalog(language)
    assert {key: known.gettext(key) for key, _ in pairs} == {
        json.loads(f'"{key}"'): json.loads(f'"{text}"') for key, text in pairs
    }


def test_the_page_gets_the_words_of_its_language() -> None:
    assert browser_texts("de")["Send"] == "Senden"
    assert browser_texts("de-at")["Send"] == "Senden"
    assert browser_texts("zh-hans")["Send"] == "发送"
    assert browser_texts("en") == {}
    assert browser_texts(None) == {}


def test_a_site_puts_its_own_words_above_ours(settings: Any, tmp_path: Path) -> None:
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    head = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"
    (folder / "djangojs.mo").write_bytes(compiled({"": head, "Send": "Abschicken"}))
    settings.LOCALE_PATHS = [tmp_path]
    texts = browser_texts("de")
    assert (texts["Send"], texts["Stop"]) == ("Abschicken", "Stopp")


def compiled(texts: dict[str, str]) -> bytes:
    """A .mo file: a header, two tables of lengths and places, and the texts."""
    keys, values = sorted(texts), [texts[key] for key in sorted(texts)]
    place = 28 + 16 * len(keys)
    tables, data = b"", b""
    for text in (*keys, *values):
        raw = text.encode()
        tables += struct.pack("<II", len(raw), place + len(data))
        data += raw + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(keys), 28, 28 + 8 * len(keys), 0, 0)
    return head + tables + data


def test_the_tag_writes_them_as_data_that_no_policy_blocks(rf: RequestFactory) -> None:
    template = Template("{% load agentui %}{% agentui_scripts %}")
    with translation.override("de"):
        html = template.render(Context({"request": rf.get("/")}))
    found = re.search(r'<script id="agentui-texts" type="application/json">(.*?)</script>', html)
    assert found is not None
    assert json.loads(found[1])["Send"] == "Senden"
    with translation.override("en"):
        assert "agentui-texts" not in template.render(Context({"request": rf.get("/")}))


def test_the_inspector_is_there_while_debugging_only(rf: RequestFactory, settings: Any) -> None:
    template = Template("{% load agentui %}{% agentui_scripts %}")
    context = Context({"request": rf.get("/")})
    assert "agentui-inspector" not in template.render(context)
    settings.DEBUG = True
    assert "agentui-inspector.js" in template.render(context)
