"""The words of the web components in the language of a page.

They are in ``locale/<language>/LC_MESSAGES/djangojs.po``, by their English text in
``frontend/src/elements/texts.ts``. A site replaces words, or adds a language, in a ``djangojs`` catalog
of its own below ``LOCALE_PATHS``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.utils.translation.trans_real import DjangoTranslation

LOCALE = Path(__file__).resolve().parent / "locale"


def browser_texts(language: str | None) -> dict[str, str]:
    """English text -> text in this language; empty where there is nothing but English."""
    return dict(_texts(language or settings.LANGUAGE_CODE, tuple(map(str, settings.LOCALE_PATHS))))


@lru_cache(maxsize=64)
def _texts(language: str, own_paths: tuple[str, ...]) -> Mapping[str, str]:
    # Later folders stand above earlier ones.
    translation = DjangoTranslation(
        language, domain="djangojs", localedirs=[str(LOCALE), *reversed(own_paths)]
    )
    # What django.views.i18n reads too; it is None for a language without any catalog.
    catalog = getattr(translation, "_catalog", None)
    if catalog is None:
        return {}
    words = {english for english, _ in catalog.items() if isinstance(english, str) and english}
    return {english: catalog[english] for english in sorted(words) if catalog[english]}
