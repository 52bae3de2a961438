from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import path

from .views import AccountView, HomeView, SignInView, favicon

urlpatterns = [
    path("", HomeView.as_view(), name="home"),
    path("account/", AccountView.as_view(), name="account"),
    path("sign-in/", SignInView.as_view(), name="sign-in"),
    path("favicon.ico", favicon),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
]
