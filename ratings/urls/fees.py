"""The statements of fees at the desk."""

from __future__ import annotations

from django.urls import path

from ratings.urls import converters as _converters  # noqa: F401 the converters are known from here on
from ratings.views import fees

app_name = "fees"

urlpatterns = [
    path("", fees.statements, name="statements"),
    path("<kind:kind>/<day:day>/<federation:code>/", fees.statement, name="statement"),
    path("<kind:kind>/<day:day>/<federation:code>.csv", fees.statement_csv, name="csv"),
]
