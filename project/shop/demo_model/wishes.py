"""What the customer wants, read from the words. Pure text in, small values out."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ORDER = re.compile(r"(?:order|number|no\.?|#)\s*#?\s*(\d{3,9})\b", re.I)
_ORDER_ALONE = re.compile(r"(?<![\d.,€])\b(\d{4})\b(?![.,]\d)")
_AMOUNT = re.compile(r"\b(\d{1,6}(?:[.,]\d{1,2})?)\b")
_BECAUSE = re.compile(r"\b(?:because|since|as|reason is|reason:)\s+(.+)", re.I | re.S)
_PHONE = re.compile(r"\+?\d[\d ()/.-]{4,}\d")
_NOTE = re.compile(
    r"\b(?:note|message|comment)\b[:,]?\s*(?:that|with|as|to|saying)?[:,]?\s*(.+)", re.I | re.S
)
_RETURN_REASONS = {
    "damaged": r"damag|broke|crack|chip",
    "wrong": r"wrong|not what",
    "unwanted": r"mind|unwanted|do not want|don't want",
}


@dataclass(frozen=True, slots=True)
class RefundWish:
    """What of a refund was said; the rest has to be found out. ``amount`` has two decimals."""

    order: int | None = None
    amount: str | None = None
    reason: str | None = None


def read_refund(text: str) -> RefundWish:
    because = _BECAUSE.search(text)
    reason = because[1].strip().rstrip(".!") if because else None
    # Numbers of the reason are no amounts: "because 2 of them were broken".
    before = text[: because.start()] if because else text
    order = read_order(before)
    rest = before if order is None else re.sub(rf"\b{order}\b", " ", before, count=1)
    amount = _AMOUNT.search(rest)
    return RefundWish(order, _two_decimals(amount[1]) if amount else None, reason)


def read_order(text: str) -> int | None:
    """The number after "order", or else the first number of four digits."""
    found = _ORDER.search(text) or _ORDER_ALONE.search(text)
    return int(found[1]) if found else None


def read_theme(text: str) -> str | None:
    """The theme somebody asks for: "make the page dark", "light mode please"."""
    if not re.search(r"\b(page|mode|theme|make|switch|turn|colou?rs?)\b", text, re.I):
        return None
    found = re.search(r"\b(dark|light|bright|auto|automatic|system)\b", text, re.I)
    if not found:
        return None
    word = found[1].lower()
    return {"bright": "light", "automatic": "auto", "system": "auto"}.get(word, word)


def read_fields(text: str) -> dict[str, str]:
    """The fields of the return form to fill, with their values."""
    if not re.search(r"\b(fill|write|enter|put|type)\b", text, re.I):
        return {}
    fields = {}
    note = _NOTE.search(text)
    if note:
        fields["note"] = note[1].strip()
        text = text[: note.start()]
    if order := _ORDER.search(text) if "phone" not in text.lower() else None:
        fields["order"] = order[1]
    elif phone := _PHONE.search(text):
        fields["phone"] = phone[0].strip()
    for reason, words in _RETURN_REASONS.items():
        if re.search(r"\breason\b", text, re.I) and re.search(words, text, re.I):
            fields["reason"] = reason
    return fields


def _two_decimals(amount: str) -> str:
    whole, _, cents = amount.replace(",", ".").partition(".")
    return f"{int(whole)}.{cents:0<2}"
