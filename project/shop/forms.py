from __future__ import annotations

from typing import Any

from django import forms

from .models import Customer, Order, ReturnRequest


class ReturnForm(forms.ModelForm):
    """What the customer fills in, or has filled in by the agent, to send something back."""

    phone = forms.RegexField(
        regex=r"^\+?[0-9][0-9 ()/.-]{3,28}$",
        label="Phone",
        error_messages={"invalid": "Write a phone number, for example +44 20 555 1234."},
        widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "tel"}),
    )

    class Meta:
        model = ReturnRequest
        fields = ["order", "reason", "phone", "note"]
        labels = {"note": "Anything we should know?"}
        widgets = {"note": forms.Textarea(attrs={"rows": 3})}

    def __init__(self, *args: Any, customer: Customer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        order = self.fields["order"]
        assert isinstance(order, forms.ModelChoiceField)
        order.queryset = customer.orders.filter(status=Order.Status.DELIVERED)
        # By the number that the customer, and the agent, call an order by.
        order.to_field_name = "number"
        order.empty_label = "Choose an order"
        reason = self.fields["reason"]
        assert isinstance(reason, forms.ChoiceField)
        reason.choices = [("", "Choose a reason"), *ReturnRequest.Reason.choices]
        self.initial.setdefault("phone", customer.phone)
