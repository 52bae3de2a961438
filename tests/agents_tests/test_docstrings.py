from __future__ import annotations

import pytest

from agentui.agents.docstrings import read_docstring

GOOGLE = """Refund an order.

Only what was paid.

Args:
    order_id (int): The order's number.
    amount: How much: at most
        what was paid.

        In the order's currency.
    reason (str, optional): Why.

Returns:
    dict: What was done.

Raises:
    ValueError: Never.

Example:
    refund(1)
"""
NUMPY = """Refund an order.

Only what was paid.

Parameters
----------
order_id : int
    The order's number.
amount
    How much: at most
    what was paid.

    In the order's currency.
reason : str, optional
    Why.

Returns
-------
dict
    What was done.
"""
SPHINX = """Refund an order.

Only what was paid.

:param int order_id: The order's number.
:param amount: How much: at most
    what was paid.
    In the order's currency.
:type amount: Decimal
:param reason: Why.
:returns: What was done.
:raises ValueError: Never.
"""


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, SPHINX], ids=["google", "numpy", "sphinx"])
def test_three_styles_say_the_same(text: str) -> None:
    found = read_docstring(text)
    assert found.description.startswith("Refund an order.\n\nOnly what was paid.")
    assert "What was done" not in found.description
    assert "Never" not in found.description
    assert found.arguments == {
        "order_id": "The order's number.",
        "amount": "How much: at most what was paid. In the order's currency.",
        "reason": "Why.",
    }


def test_other_sections_are_for_the_model_too() -> None:
    assert read_docstring(GOOGLE).description.endswith("Example:\n    refund(1)")


def test_two_numpy_arguments_on_one_line() -> None:
    found = read_docstring("X.\n\nParameters\n----------\nwidth, height : int\n    In pixels.\n")
    assert found.arguments == {"width": "In pixels.", "height": "In pixels."}


@pytest.mark.parametrize("text", [None, "", "   ", "\n\n"])
def test_nothing(text: str | None) -> None:
    assert read_docstring(text).description == ""
    assert read_docstring(text).arguments == {}


@pytest.mark.parametrize(
    "text",
    [
        "Args:",
        "Args:\n    no colon here\n",
        "Parameters\n----------",
        ":param: nothing",
        ":param",
        "A title\n-------\nand text",
        "Note: Args:\n  x: y",
    ],
)
def test_odd_ones_lose_nothing_else(text: str) -> None:
    found = read_docstring(f"First line.\n\n{text}")
    assert found.description.startswith("First line.")


def test_prose_that_looks_like_an_argument() -> None:
    found = read_docstring(
        "Do it.\n\nNote: this is prose.\n\nArgs:\n    a: One.\n    b: Two: or three."
    )
    assert "Note: this is prose." in found.description
    assert found.arguments == {"a": "One.", "b": "Two: or three."}
