from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import reverse
from django.views.generic import TemplateView

from .demo_people import DEMO_PEOPLE
from .forms import ReturnForm
from .models import Customer, Product


class HomeView(TemplateView):
    template_name = "shop/home.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(products=Product.objects.all(), **kwargs)


class SignInView(LoginView):
    """Django's own; while debugging it offers the demo's users by name and password."""

    template_name = "shop/sign_in.html"
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        people = DEMO_PEOPLE if settings.DEBUG else ()
        return super().get_context_data(demo_people=people, **kwargs)

    def get_default_redirect_url(self) -> str:
        if getattr(self.request.user, "customer", None) is None and self.request.user.is_staff:
            return reverse("admin:index")
        return super().get_default_redirect_url()


class AccountView(LoginRequiredMixin, TemplateView):
    """A customer's orders, the form to return one, and the support desk."""

    template_name = "shop/account.html"

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        self.customer = Customer.objects.filter(user_id=request.user.pk or 0).first()

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        customer = self.customer
        if customer is not None:
            kwargs.setdefault("form", ReturnForm(customer=customer))
            kwargs["orders"] = customer.orders.with_lines()
        return super().get_context_data(customer=customer, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if self.customer is None:
            return redirect("account")
        form = ReturnForm(request.POST, customer=self.customer)
        if not form.is_valid():
            return self.render_to_response(self.get_context_data(form=form), status=422)
        made = form.save()
        messages.success(
            request, f"We have your request to return order {made.order.number}, and will call you."
        )
        return redirect("account")


def favicon(request: HttpRequest) -> HttpResponse:
    """For pages that name no icon of their own, as those of the admin."""
    return redirect(static("shop/mark.svg"))
