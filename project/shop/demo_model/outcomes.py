"""From a tool's answer to a sentence for the customer. Nothing is said that the answer does not say."""

from __future__ import annotations

import json
import re
from typing import Any

from agentui.core import texts
from agentui.core.statuses import Reason, ToolCallStatus

from .situation import Answer

_DENIED_BECAUSE = texts.denied("|").removesuffix("|")
_RAISED = texts.raised("")
_NOT_RUN = (texts.CANCELLED_BY_MESSAGE, texts.SUPERSEDED, *map(texts.not_run, Reason))
_WAITING = tuple(map(texts.waiting, ToolCallStatus))
_EDITED = re.compile(r"A person changed the arguments .*? It ran with (.*?)\. Result: (.*)", re.S)

_STATUS = {
    "packing": "is being packed",
    "shipped": "is on its way",
    "delivered": "was delivered",
    "cancelled": "was cancelled",
}


def tell(answer: Answer) -> str:
    """What came of this call."""
    if answer.is_error or answer.text in _WAITING:
        return _tell_trouble(answer)
    text, edited = answer.text, ""
    if changed := _EDITED.fullmatch(text):
        text, edited = changed[2], "A colleague changed the request before approving it. "
    return edited + _tell_result(answer, _load(text))


def _tell_result(answer: Answer, result: Any) -> str:
    match answer.name, result:
        case "find_order", {"order_number": _}:
            return describe_order(result)
        case "list_orders", []:
            return "You have no orders with us yet."
        case "list_orders", [*orders]:
            return "These are your orders:\n\n" + "\n".join(_row(order) for order in orders)
        case "refund_order", {"refunded": amount, "order_number": number}:
            return f"Done: **€{amount}** of order {number} were refunded{_in_all(result)}."
        case "set_theme", {"theme": theme}:
            return (
                f"The page is {theme} now." if theme != "auto" else "The page follows your system."
            )
        case "fill_return", {"filled": [*names], "values": {**values}}:
            wrote = " and ".join(f"**{values.get(name)}** into “{name}”" for name in names)
            return f"I wrote {wrote}. Nothing is sent until you send the form."
        case "ask_customer", _:
            return f"Thank you, I noted: **{_plain(result)}**."
    return f"The answer is: {_plain(result)}"


def describe_order(order: dict[str, Any]) -> str:
    status = _STATUS.get(order.get("status", ""), f"is {order.get('status')}")
    text = f"Order **{order['order_number']}** {status}"
    if order.get("arrives_on") and order.get("status") in ("packing", "shipped"):
        text += f" and should be with you on {order['arrives_on']}"
    text += f". You paid €{order.get('paid')} on {order.get('placed_on')} for:\n\n"
    text += "\n".join(f"- {item}" for item in order.get("items", []))
    if _is_some(order.get("refunded")):
        text += f"\n\n€{order['refunded']} of it were refunded."
    return text


def _row(order: dict[str, Any]) -> str:
    status = _STATUS.get(order.get("status", ""), "")
    items = ", ".join(order.get("items", []))
    refunded = f", €{order['refunded']} refunded" if _is_some(order.get("refunded")) else ""
    return f"- **{order.get('order_number')}** {status}: {items} (€{order.get('paid')}{refunded})"


def _in_all(result: dict[str, Any]) -> str:
    in_all = result.get("refunded_in_all")
    return "" if in_all == result["refunded"] else f" (€{in_all} in all)"


def _tell_trouble(answer: Answer) -> str:
    what, text = _named(answer), answer.text
    if text.startswith(_DENIED_BECAUSE):
        reason = text.removeprefix(_DENIED_BECAUSE).strip()
        return f"A colleague declined {what}. The reason given: “{reason}” Nothing was done."
    if text == texts.denied(None):
        return f"A colleague declined {what}, without giving a reason. Nothing was done."
    if text in (texts.EXPIRED, texts.DENIED_BY_EXPIRY):
        return f"Nobody decided about {what} in time, so the request has expired. Nothing was done."
    if text in (texts.INTERRUPTED, texts.INTERRUPTED_BY_USER):
        return (
            f"I cannot say whether {what} went through: it was interrupted while it ran. "
            "It was not tried again; a colleague can see it and will check."
        )
    if text in _WAITING:
        return f"I have no news about {what} yet: it still waits. You hear from me when it ends."
    if text in _NOT_RUN:
        return f"I did not go on with {what}. Nothing was done."
    return f"That did not work. {text.removeprefix(_RAISED).strip()}"


def _named(answer: Answer) -> str:
    args = answer.args
    match answer.name:
        case "refund_order":
            return f"the refund of €{args.get('amount')} for order {args.get('order_number')}"
        case "ask_customer":
            return "my question"
        case name:
            return f"“{name.replace('_', ' ')}”"


def _load(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _is_some(amount: Any) -> bool:
    return bool(amount) and float(amount) > 0
