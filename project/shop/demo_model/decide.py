"""One roundtrip: which steps follow from what was said and what the tools answered.

Each plan is entered again after every answer and goes as far as it can: it calls what it still
needs to know, and when nothing is missing it says how it ended.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from agentui.adapters import Call, Fail, ModelRequest, Say, ScriptStep, Think

from . import samples
from .outcomes import tell
from .situation import Answer, Situation, read_situation
from .wishes import read_fields, read_order, read_refund, read_theme

Steps = list[ScriptStep]
Plan = Callable[[Situation], Steps]


def decide(request: ModelRequest) -> Steps:
    """The next roundtrip of the demo model."""
    situation = read_situation(request)
    if situation.is_event:
        return _report(situation)
    return _plan_for(situation.said)(situation)


def _plan_for(said: str) -> Plan:
    return next((plan for words, plan in _PLANS if re.search(words, said, re.I)), _unknown)


def _report(situation: Situation) -> Steps:
    outcome = situation.outcome
    return [Say(f"There is news. {tell(outcome)}" if outcome else f"I was told: {situation.said}")]


# --- orders --------------------------------------------------------------------------------------


def _refund(situation: Situation) -> Steps:
    wish = read_refund(situation.said)
    if wish.order is None:
        return [Say("Which order is it? Write for example: *refund order 1002 20 because ...*")]
    found = situation.answer_of("find_order")
    if found is None:
        steps: Steps = [Say(f"I look at order {wish.order} first.")]
        return [*steps, Call("find_order", {"order_number": wish.order})]
    if found.is_error:
        return [Say(tell(found))]
    reason, asking = _reason(wish.reason, wish.order, situation)
    if reason is None:
        return asking
    asked = situation.answer_of("refund_order")
    if asked is not None:
        return [Say(tell(asked))]
    amount = wish.amount or _rest_of(found)
    if Decimal(amount) <= 0:
        return [Say(f"Order {wish.order} was refunded completely before. There is nothing left.")]
    args: dict[str, Any] = {"order_number": wish.order, "amount": amount, "reason": reason}
    return [
        Say(f"I ask a colleague to approve a refund of €{amount} for order {wish.order}."),
        Call("refund_order", args),
    ]


def _reason(said: str | None, order: int, situation: Situation) -> tuple[str | None, Steps]:
    """Why, or the steps to take until it is known."""
    if said:
        return said, []
    answer = situation.answer_of("ask_customer")
    if answer is None:
        question = {
            "question": f"What is the matter with order {order}?",
            "choices": ["It arrived damaged", "It is not what I ordered", "I changed my mind"],
        }
        return None, [Call("ask_customer", question)]
    if answer.is_error:
        return None, [Say(tell(answer))]
    return _spoken(answer), []


def _rest_of(found: Answer) -> str:
    order = json.loads(found.text)
    return str(Decimal(order["paid"]) - Decimal(order["refunded"]))


def _find(situation: Situation) -> Steps:
    number = read_order(situation.said)
    if number is None:
        return _call_once(situation, "list_orders", {})
    return _call_once(situation, "find_order", {"order_number": number})


def _list(situation: Situation) -> Steps:
    return _call_once(situation, "list_orders", {})


# --- the page ------------------------------------------------------------------------------------


def _theme(situation: Situation) -> Steps:
    theme = read_theme(situation.said)
    if theme is None:
        return _unknown(situation)
    return _on_the_page(situation, "set_theme", {"theme": theme})


def _fill(situation: Situation) -> Steps:
    fields = read_fields(situation.said)
    if not fields:
        return [Say("What shall I write, and where? The form takes *phone*, *reason* and *note*.")]
    return _on_the_page(situation, "fill_return", fields)


def _on_the_page(situation: Situation, tool: str, args: dict[str, Any]) -> Steps:
    answer = situation.answer_of(tool, **args)
    if answer is not None:
        return [Say(tell(answer))]
    if tool not in situation.tools:
        return [Say("The page you have open cannot do that. On your account page I can.")]
    return [Call(tool, args)]


# --- talk ----------------------------------------------------------------------------------------


def _ask(situation: Situation) -> Steps:
    question = {
        "question": "Which cup do you reach for in the morning?",
        "choices": ["The small one", "The large one", "Whichever is clean"],
    }
    return _call_once(situation, "ask_customer", question)


def _think(situation: Situation) -> Steps:
    return [Think(samples.THOUGHT), Say(samples.THOUGHT_ANSWER)]


def _fail(situation: Situation) -> Steps:
    return [Say(samples.BEFORE_FAILING), Fail(samples.FAILURE, retryable=True)]


def _unknown(situation: Situation) -> Steps:
    return [Say(samples.HELP)]


def _says(text: str) -> Plan:
    return lambda situation: [Say(text)]


def _call_once(situation: Situation, tool: str, args: dict[str, Any]) -> Steps:
    """Call it, and then say what it answered."""
    answer = situation.answer_of(tool)
    return [Call(tool, args)] if answer is None else [Say(tell(answer))]


def _spoken(answer: Answer) -> str:
    try:
        value = json.loads(answer.text)
    except ValueError:
        return answer.text
    return value if isinstance(value, str) else answer.text


#: The first that fits decides, so what asks for something comes before what only mentions it.
_PLANS: tuple[tuple[str, Plan], ...] = (
    (r"\brefund|\bmoney back\b", _refund),
    (
        r"\b(fill|write|enter|put|type)\b.*\b(phone|number|note|message|comment|reason|order)\b",
        _fill,
    ),
    (r"\b(dark|light|bright|auto|automatic|system)\b.*|\btheme\b", _theme),
    (r"\bask me\b|\bquestion\b", _ask),
    (r"\b(list|all|show)\b.*\borders\b|\bmy orders\b|\bwhat did i order\b", _list),
    (r"\b(where|find|track|status|look)\b|\border\b|^\W*\d{4}\W*$", _find),
    (r"\btable\b", _says(samples.TABLE)),
    (r"\bcode\b|\bpython\b", _says(samples.CODE)),
    (r"\blong\b|\bmarkdown\b|\bcare\b", _says(samples.LONG)),
    (r"\bcount\b|\bslow", _says(samples.COUNT)),
    (r"\bthink\b|\breason\b", _think),
    (r"\bfail\b|\berror\b|\bbreak\b", _fail),
    (r"\b(thanks|thank you)\b", _says("You are welcome. Anything else?")),
    (r"\b(hi|hello|hey|good (morning|evening|day))\b", _says(samples.GREETING)),
)
