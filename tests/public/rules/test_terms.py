"""The glossary: `public/rules/terms.py` is the source of the page and of docs/glossary.md.

To update the document: `python -m tests.public.rules.test_terms`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import django
import pytest
from django.test import Client

GLOSSARY = Path(__file__).resolve().parents[3] / "docs/glossary.md"
HEAD = """# Terms

For everybody who reads or writes texts of the portal. The site shows the same terms at `/rules/terms/`.
The source is `public/rules/terms.py`. After a change run `python -m tests.public.rules.test_terms`.
"""


def glossary() -> str:
    """Return the Markdown text of docs/glossary.md."""
    from public.rules.terms import GROUPS

    parts = [HEAD]
    for group in GROUPS:
        rows = "".join(f"| {name} | {meaning} |\n" for _, name, meaning in group)
        parts.append(f"\n## {group.heading}\n\n| Term | Meaning |\n|---|---|\n{rows}")
    return "".join(parts)


def test_document_and_page_show_the_same_terms() -> None:
    assert GLOSSARY.read_text(encoding="utf-8") == glossary()


@pytest.mark.django_db
def test_links_from_and_to_terms_have_their_anchor(client: Client) -> None:
    from public.rules.terms import PAGES

    page = client.get("/rules/terms/").content.decode()
    templates = (GLOSSARY.parent.parent / "templates").rglob("*.html")
    linked = {
        anchor
        for path in templates
        for anchor in re.findall(r'ratings:terms"\) }}#([\w-]+)', path.read_text(encoding="utf-8"))
    }
    anchors = re.findall(r'<dt [^>]*id="([^"]+)"', page)

    assert linked | set(PAGES) <= set(anchors)
    assert len(anchors) == len(set(anchors))
    assert linked != set()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    django.setup()
    GLOSSARY.write_text(glossary(), encoding="utf-8")
