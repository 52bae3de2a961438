from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from .models import Customer, Order, OrderLine, Product, Refund, ReturnRequest


class OrderLineInline(admin.TabularInline):
    model = OrderLine
    extra = 0


class WrittenByTheSystem:
    """Rows that are looked at, and made by the shop's own code only."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class RefundInline(WrittenByTheSystem, admin.TabularInline):
    model = Refund
    fields = ["amount", "reason", "created_at"]


@admin.register(Customer)
class CustomerAdmin(admin.ModelAdmin):
    list_display = ["name", "user", "phone"]
    list_select_related = ["user"]
    search_fields = ["name", "user__username", "user__email"]
    autocomplete_fields = ["user"]


@admin.register(Product)
class ProductAdmin(admin.ModelAdmin):
    list_display = ["name", "price", "note"]
    search_fields = ["name"]


@admin.register(Order)
class OrderAdmin(admin.ModelAdmin):
    list_display = ["number", "customer", "status", "total", "refunded", "placed_at"]
    list_filter = ["status"]
    list_select_related = ["customer"]
    search_fields = ["=number", "customer__name"]
    date_hierarchy = "placed_at"
    # Only a refund changes this sum.
    readonly_fields = ["refunded"]
    inlines = [OrderLineInline, RefundInline]


@admin.register(Refund)
class RefundAdmin(WrittenByTheSystem, admin.ModelAdmin):
    list_display = ["order", "amount", "reason", "created_at"]
    list_select_related = ["order"]
    search_fields = ["=order__number", "reason"]
    fields = ["order", "amount", "reason", "created_at", "idempotency_key"]


@admin.register(ReturnRequest)
class ReturnRequestAdmin(WrittenByTheSystem, admin.ModelAdmin):
    list_display = ["order", "reason", "phone", "created_at"]
    list_filter = ["reason"]
    list_select_related = ["order"]
