from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.static import serve


@login_required
def form_page(request: HttpRequest) -> HttpResponse:
    """A form with fields of every kind, its tools declared in HTML."""
    if request.method == "POST":
        with settings.SENT.open("a") as file:
            file.write(f"{request.POST.get('city')} {request.POST.get('size')}\n")
        return redirect("sent")
    return render(request, "site/form.html")


@login_required
def sent_page(request: HttpRequest) -> HttpResponse:
    return render(request, "site/sent.html")


@login_required
def away_page(request: HttpRequest) -> HttpResponse:
    """A page of the site without any tool."""
    return render(request, "site/away.html")


@login_required
def panel_page(request: HttpRequest, mode: str) -> HttpResponse:
    return render(
        request, "site/panel.html", {"mode": mode, "language": request.GET.get("language")}
    )


@login_required
def full_page(request: HttpRequest) -> HttpResponse:
    return render(request, "site/full.html")


@login_required
def work_page(request: HttpRequest) -> HttpResponse:
    """A page of the staff with what waits for them, and no chat."""
    return render(request, "site/work.html")


def hashed_file(request: HttpRequest, path: str) -> HttpResponse:
    """What a web server in front does where static files were collected."""
    return serve(request, path, document_root=settings.STATIC_ROOT)
