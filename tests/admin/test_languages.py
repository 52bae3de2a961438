"""German and Chinese are complete, true to the placeholders, and compiled; without gettext's tools."""

from __future__ import annotations

import ast
import gettext
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agentui import ApprovalPolicy
from tests.admin.pages import LIST, page_of, text_of
from tests.admin.rows import waiting

APP = Path(__file__).resolve().parents[2] / "agentui"
LANGUAGES = ("de", "zh_Hans")
_FUNCTIONS = {"_", "gettext", "gettext_lazy", "ngettext"}
_PLACEHOLDER = re.compile(r"%\(\w+\)(?:\.\d)?[a-z]|\{\w+\}")
_TRANSLATE = re.compile(r"""{%\s*translate\s+(?:"([^"]+)"|'([^']+)')""")
_BLOCK = re.compile(
    r"{%\s*blocktranslate[^%]*%}(.*?)(?:{%\s*plural\s*%}.*?)?{%\s*endblocktranslate\s*%}", re.S
)


def texts_of_code() -> Iterator[str]:
    for path in APP.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                first = node.args[0] if node.args else None
                if node.func.id in _FUNCTIONS and isinstance(first, ast.Constant):
                    yield str(first.value)


def texts_of_templates() -> Iterator[str]:
    for path in (APP / "templates").rglob("*.html"):
        text = path.read_text()
        for found in _TRANSLATE.finditer(text):
            yield found[1] or found[2]
        for found in _BLOCK.finditer(text):
            yield re.sub(r"{{\s*(\w+)\s*}}", r"%(\1)s", found[1])


def catalog(language: str) -> dict[Any, str]:
    path = APP / "locale" / language / "LC_MESSAGES" / "django.mo"
    with path.open("rb") as file:
        return dict(gettext.GNUTranslations(file)._catalog)  # type: ignore[attr-defined]


def entries(language: str) -> list[tuple[str, str | None, list[str]]]:
    """The .po file: text, plural, translations."""
    path = APP / "locale" / language / "LC_MESSAGES" / "django.po"
    found = []
    for block in path.read_text().split("\n\n")[1:]:
        parts: dict[str, str] = {}
        key = ""
        for line in block.splitlines():
            match = re.match(r'(msgid_plural|msgid|msgstr(?:\[\d\])?) (".*")$', line)
            if match:
                key = match[1]
                parts[key] = ast.literal_eval(match[2])
            elif line.startswith('"'):
                parts[key] += ast.literal_eval(line)
            assert "fuzzy" not in line
        translated = [value for name, value in parts.items() if name.startswith("msgstr")]
        found.append((parts["msgid"], parts.get("msgid_plural"), translated))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated(language: str) -> None:
    known = {key[0] if isinstance(key, tuple) else key for key in catalog(language)}
    used = {text for text in (*texts_of_code(), *texts_of_templates()) if text}
    assert sorted(used - known) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_are_the_same(language: str) -> None:
    for text, plural, translated in entries(language):
        wanted = set(_PLACEHOLDER.findall(text)) | set(_PLACEHOLDER.findall(plural or ""))
        for translation in translated:
            assert translation.strip(), text
            assert set(_PLACEHOLDER.findall(translation)) == wanted, text
            assert translation[:1].isspace() == text[:1].isspace(), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_compiled_is_what_is_written(language: str) -> None:
    compiled = catalog(language)
    for text, plural, translated in entries(language):
        if plural is None:
            assert compiled[text] == translated[0]
        else:
            assert [compiled[text, n] for n in range(len(translated))] == translated


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", ("Worum die Person bat", "Genehmigen…", "Noch 2 Genehmigungen sind nötig")),
        ("zh-hans", ("此人的要求", "批准…", "还需要 2 个批准")),
    ],
)
def test_the_pages_speak_it(
    language: str, words: tuple[str, ...], decider: Any, user: Any, signed_in: Any, settings: Any
) -> None:
    settings.LANGUAGE_CODE = language
    policy = ApprovalPolicy(permission="testsite.change_effect", required=2)
    approval = waiting(user, policy=policy)
    client = signed_in(decider)
    page = text_of(client.get(page_of(approval)))
    for word in words:
        assert word in page
    for english in ("What the person", "Approve…", "Decision", "Keyboard", "Other requests"):
        assert english not in page
    assert "wait for you" not in text_of(client.get(LIST))
