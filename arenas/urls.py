"""The pages of arenas."""

from __future__ import annotations

from django.urls import path, register_converter

from arenas.views import arenas, games, lists, members
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
    path("", arenas.overview, name="overview"),
    path("<slug:slug>/", arenas.arena, name="arena"),
    path("<slug:slug>/rules/", arenas.rules, name="rules"),
    path("<slug:slug>/members/<int:number>/", members.member, name="member"),
    path("<slug:slug>/games/<int:number>/", games.game, name="game"),
    path("<slug:slug>/lists/", lists.lists, name="lists"),
    path("<slug:slug>/lists/<day:day>/", lists.monthly, name="monthly"),
    path("<slug:slug>/lists/<day:day>/list.<arena_file:ending>", lists.file, name="file"),
]
