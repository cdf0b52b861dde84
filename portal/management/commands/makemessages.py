"""Collects the texts of code and pages for the catalogues of the languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.commands import makemessages
from django.template import engines

PUBLIC_PAGES = "/templates/public/"


class BuildFile(makemessages.BuildFile):
    """A file of code or of texts; the public pages are Jinja2's, which xgettext gets as calls in Python."""

    def preprocess(self) -> None:
        if self.is_templatized and PUBLIC_PAGES in f"/{self.path}":
            calls = "\n".join(_calls(Path(self.path).read_text(encoding="utf-8")))
            Path(self.work_path).write_text(calls, encoding="utf-8")
        else:
            super().preprocess()


class Command(makemessages.Command):
    """Django's command, which also knows our short name for lazy texts, the codes of findings, and Jinja2's pages."""

    build_file_class = BuildFile
    xgettext_options = [
        *makemessages.Command.xgettext_options,
        *(f"--keyword={name}" for name in ("_l", "_error", "_warning", "_notice", "_one", "_n:1,2")),
    ]


def _calls(source: str) -> Iterator[str]:
    """Yield a call of gettext for each text of a template."""
    pages: Any = engines["jinja2"]
    for _line, function, texts in pages.env.extract_translations(source):
        given = texts if isinstance(texts, tuple) else (texts,)
        yield f"{function}({', '.join(repr(text) for text in given if text is not None)})"
