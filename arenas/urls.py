"""The pages of arenas."""

from __future__ import annotations

from django.urls import path, register_converter

from arenas.views import lists
from ratings.urls import converters as _converters  # noqa: F401 the converters are known from here on


class FileConverter:
    """The forms in which a monthly list comes."""

    regex = "json|csv"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(FileConverter, "arena_file")
app_name = "arenas"

urlpatterns = [
    path("<slug:slug>/lists/<day:day>/list.<arena_file:ending>", lists.file, name="file"),
]
