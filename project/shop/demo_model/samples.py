"""Fixed answers that show what a message can look like."""

from __future__ import annotations

GREETING = (
    "Hello! I am the support desk of **Kiln & Table**. I can find your orders, ask for a refund, "
    "and help with the form on this page. What can I do for you?"
)

HELP = """\
I am a small offline model, so I know only a few things. Try one of these:

- *Where is my order 1002?* or *List my orders*
- *Refund order 1002 20 because the cup was broken*: a colleague approves it in the admin
- *Make the page dark*, *Fill in my phone number 555-1234*: done in your browser
- *Ask me something*: a question that waits for you
- *Show a table*, *show code*, *write a long answer*, *think*, *count*, *fail*"""

CODE = """\
This is how a tool of this desk is written:

```python
@tool
def find_order(ctx: RunContext, order_number: int) -> dict:
    \"\"\"Look up one of the customer's orders.\"\"\"
    order = Order.objects.of(ctx.user_id).get(number=order_number)
    return {"order_number": order.number, "status": order.status}
```

The type hints and the docstring are what the model is told; `ctx` is filled in by the server."""

TABLE = """\
Our glazes, and what they bear:

| Glaze | Dishwasher | Microwave | Oven |
|:------|:----------:|:---------:|-----:|
| Oat | yes | yes | 220 °C |
| Tidal blue | yes | yes | 200 °C |
| Iron speckle | yes | no | 180 °C |
| Raw rim | by hand | yes | 220 °C |

Gold rims go into none of them."""

LONG = """\
# How to care for stoneware

Stoneware is fired at about **1,250 °C**. It is dense, it keeps heat, and it lasts for decades if you \
know three things about it.

## 1. Heat it slowly

A cold bowl in a hot oven may crack. Let it warm up *with* the oven:

1. Take it out of the fridge half an hour before.
2. Put it into the cold oven.
3. Then switch the oven on.

> What breaks a pot is rarely the heat. It is the *difference* of heat.

## 2. Wash it as you like

- The dishwasher is fine for everything glazed.
- Grey lines are metal that cutlery left behind, not scratches:
  - rub them off with baking soda and a soft cloth,
  - or with a cleaner for glass-ceramic hobs.
- Unglazed feet like to dry upside down.

## 3. Know what is normal

Fine lines in the glaze are called *crazing*. On a plate that holds food, write to us; on a vase, \
enjoy them. Small differences in colour come from the place in the kiln: each piece stood somewhere \
else in the fire.

---

Something broke on the way to you? Tell me the order and what happened, and I ask a colleague for a \
refund at once."""

THOUGHT = (
    "The customer wants to see me think. What does a good answer need here? First what they see: "
    "this text stands apart from the answer and can be folded away. Then what it means: a model's "
    "reasoning is kept with the message, and goes back only to the model that wrote it."
)
THOUGHT_ANSWER = (
    "I thought about it, and you can unfold what I thought above. "
    "The short answer: take the larger bowl. There is always soup left."
)

BEFORE_FAILING = "I begin to answer, and then the connection to the model "
FAILURE = "The demo model failed, as it was asked to."

COUNT = ", ".join(str(number) for number in range(1, 301)) + "."
