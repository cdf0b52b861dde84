"""The shell and the partials: what a page is made of renders, escapes and stays free of inline script and style."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from django import forms
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.template import Context, Template, TemplateSyntaxError, engines
from django.template.loader import get_template, render_to_string
from django.test import RequestFactory
from django.urls import translate_url
from django.utils import translation
from django.utils.translation import override
from jinja2 import nodes

from core.html.forms import PortalFormRenderer
from core.html.paging import Page
from core.html.reports import LineMark, difference, marked_lines
from core.html.tables import Table
from portal.models import User

ROOT = Path(settings.BASE_DIR)
OWN = sorted(path.relative_to(ROOT / "templates").as_posix() for path in (ROOT / "templates").rglob("*.html"))


def a_request(user: User | AnonymousUser | None = None, path: str = "/") -> HttpRequest:
    request = RequestFactory().get(path)
    request.user = user or AnonymousUser()
    return request


def one_line(html: str) -> str:
    """Return markup with single spaces for its white space, none at the end of a tag."""
    return " ".join(html.split()).replace(" >", ">")


def render(text: str, **context: object) -> str:
    return Template("{% load ui i18n %}" + text).render(Context(context))


INLINE = re.compile(
    r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*(?: src=|application/(?:ld\+)?json))"
)


def test_templates_compile_and_have_nothing_inline() -> None:
    wrong = {}
    for name in OWN:
        wrong[name] = INLINE.findall((ROOT / "templates" / name).read_text(encoding="utf-8"))
        try:
            get_template(name)
        except TemplateSyntaxError as error:
            wrong[name].append(str(error))

    assert {name: faults for name, faults in wrong.items() if faults} == {}


def test_no_template_sets_what_all_templates_have() -> None:
    """A `set` holds to the end of its template, in what it includes too: a function of all pages would be a text."""
    pages = engines["jinja2"].env
    texts = [(path, path.read_text(encoding="utf-8")) for path in (ROOT / "templates/public").rglob("*.html")]
    made = [(path.name, one) for path, text in texts for one in pages.parse(text).find_all(nodes.Assign)]
    named = [
        (name, target.name)
        for name, one in made
        for target in one.find_all(nodes.Name)
        if target.ctx == "store"
    ]

    assert named
    assert [(name, one) for name, one in named if one in pages.globals] == []


def test_no_title_of_a_note_ends_with_a_full_stop() -> None:
    ended = [
        (path.name, title)
        for path in (ROOT / "templates").rglob("*.html")
        for title in re.findall(r'title=_\("([^"]*\.)"\)', path.read_text(encoding="utf-8"))
    ]
    assert ended == []


def test_no_template_has_a_line_over_120_characters() -> None:
    files = [path for path in (ROOT / "templates").rglob("*") if path.is_file()]
    lines = [(path.name, number) for path in files for number, line in _numbered(path) if len(line) > 120]
    assert lines == []


def _numbered(path: Path) -> list[tuple[int, str]]:
    return list(enumerate(path.read_text(encoding="utf-8").splitlines(), start=1))


# Comments, texts that are translated as a whole, and code; then tags.
PASSAGES = re.compile(
    r"\{#.*?#\}|\{%-?\s*(blocktranslate|trans)\b.*?\{%-?\s*end\1\b.*?%\}|<(script|style)\b.*?</\2>", re.DOTALL
)
TAGS = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)


def spaced_in_french(source: str) -> list[str]:
    """Return the colons and the like after a value or an element of a template, with what is before them."""
    text = TAGS.sub("X", PASSAGES.sub("X", source))
    return re.findall(r".*[X>)][:;!?](?=[\s<]|\Z)", text)


def test_french_has_its_space_before_a_colon_of_a_template() -> None:
    """French has a space before a colon: `{% colon %}` or a translated text writes it."""
    files = [path for path in (ROOT / "templates").rglob("*") if path.suffix in (".html", ".txt")]
    found = {path.name: spaced_in_french(path.read_text(encoding="utf-8")) for path in files}

    assert {name: lines for name, lines in found.items() if lines} == {}
    with override("fr"):
        assert render("{{ name }}{% colon %} {{ value }}", name="Ville", value="Nice") == "Ville\u00a0: Nice"
    with override("de"):
        assert render("{{ name }}{% colon %} {{ value }}", name="Ort", value="Bonn") == "Ort: Bonn"


@pytest.mark.parametrize("sheet", sorted((ROOT / "static" / "css").glob("*.css")), ids=lambda path: path.name)
def test_stylesheet_uses_only_properties_that_are_named(sheet: Path) -> None:
    text = sheet.read_text(encoding="utf-8")
    named = set(
        re.findall(r"(--[a-z0-9-]+):", (ROOT / "static/css/tokens.css").read_text(encoding="utf-8") + text)
    )
    assert (
        sorted(set(re.findall(r"var\((--[a-z0-9-]+)", text)) - named - {"--line", "--tone", "--wash"}) == []
    )


def test_widths_are_those_of_one_scale() -> None:
    """24 rem is a small phone's, 48 a tablet's, 64 a second column's, 80 a rail's beside it (docs/ui-guide.md)."""
    allowed = re.compile(r"\((?:width (?:<|>=)|(?:24|48)rem <= width <) (?:24|48|64|80)rem\)")
    others = re.compile(
        r"print|\((?:pointer|prefers-color-scheme|prefers-reduced-motion): [a-z-]+\)|\(height < 32rem\)"
    )
    conditions = [
        (sheet.name, condition)
        for sheet in (ROOT / "static" / "css").glob("*.css")
        for condition in re.findall(r"@media ([^{]+) \{", sheet.read_text(encoding="utf-8"))
    ]
    assert [one for one in conditions if not (allowed.fullmatch(one[1]) or others.fullmatch(one[1]))] == []


def test_every_primitive_is_said_by_a_template() -> None:
    named = re.findall(
        r"^\.([a-z0-9-]+) \{$", (ROOT / "static/css/layout.css").read_text("utf-8"), re.MULTILINE
    )
    said = {
        word
        for page in (ROOT / "templates").rglob("*.html")
        for words in re.findall(r'class="([^"]*)"', page.read_text(encoding="utf-8"))
        for word in words.split()
    }
    assert sorted(set(named) - said) == []


@pytest.mark.parametrize("name", ["only-phone", "only-wide", "hidden"])
def test_what_stands_on_some_screens_alone_does_so_on_every_page(name: str) -> None:
    """A list showed both words for its filters where the rule stood in the sheet of the player's page."""
    every = (ROOT / "static/css/portal.css").read_text(encoding="utf-8")
    sheets = [ROOT / "static/css" / path for path in re.findall(r'@import url\("([a-z-]+\.css)"\)', every)]
    assert any(re.search(rf"\.{name}\b", sheet.read_text(encoding="utf-8")) for sheet in sheets)


def test_light_and_dark_name_the_same_colours() -> None:
    text = (ROOT / "static/css/tokens.css").read_text(encoding="utf-8")
    light, dark = text.split("@media (prefers-color-scheme: dark)")
    colour = re.compile(r"(--[a-z0-9-]+): #")
    assert sorted(colour.findall(dark)) == sorted(colour.findall(light))


INKS = ["ink", "ink-quiet", "accent", "gain", "loss", "error", "warning", "success", "info"]
INKS += ["kind-rapid", "kind-blitz", "kind-standard"]


def _channel(value: int) -> float:
    share = value / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def _luminance(colour: str) -> float:
    red, green, blue = (_channel(int(colour[place : place + 2], 16)) for place in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    "ink",
    INKS,
)
def test_ink_on_every_paper_has_enough_contrast(scheme: int, ink: str) -> None:
    text = (ROOT / "static/css/tokens.css").read_text(encoding="utf-8")
    part = text.split("@media (prefers-color-scheme: dark)")[scheme]
    colours = dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6})", part))
    papers = ["paper", "paper-raised", "paper-sunk", "accent-wash"]
    papers += [f"{ink}-wash"] if f"{ink}-wash" in colours else []
    assert [paper for paper in papers if contrast(colours[ink], colours[paper]) < 4.5] == []
    assert contrast(colours["on-accent"], colours["accent"]) >= 4.5
    assert contrast(colours["rule-firm"], colours["paper-raised"]) >= 3


def test_emails_have_the_colours_of_the_pages() -> None:
    """Mail programs read no stylesheet, so the colours stand in the email: each must be the token that it copies."""
    light = (ROOT / "static/css/tokens.css").read_text(encoding="utf-8").partition("@media (prefers-color")[0]
    tokens = dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6})", light))
    email = (ROOT / "templates/mails/notice.html").read_text(encoding="utf-8")
    used = re.findall(r'(?<=[ "])(bgcolor|text|link|color)="(#[0-9a-f]{6})"', email)

    assert len(used) == len(re.findall("#[0-9a-fA-F]{3,6}", email))
    grounds = [colour for name, colour in used if name == "bgcolor"]
    inks = [colour for name, colour in used if name != "bgcolor"]
    assert grounds == [tokens[name] for name in ("paper", "paper", "head-ground", "paper-raised", "accent")]
    assert inks == [tokens[name] for name in ("ink", "accent", "on-head", "ink", "on-accent", "ink-quiet")]


def test_shell_of_a_visitor_offers_to_sign_in() -> None:
    html = render_to_string("base.html", request=a_request())
    assert 'href="/accounts/login/"' in html
    assert "Sign out" not in html
    assert '<a class="skip" href="#main">' in html
    assert html.count("<main") == html.count("</main>") == 1


def test_shell_of_staff_leads_to_the_administration_and_out() -> None:
    user = User(email="a@example.org", first_name="<b>Ada", is_staff=True, is_active=True)
    user._portal_roles = frozenset()  # type: ignore[attr-defined]
    html = render_to_string("base.html", request=a_request(user))
    assert 'href="/admin/"' in html
    assert 'action="/accounts/logout/"' in html
    assert "&lt;b&gt;Ada" in html


@pytest.mark.parametrize(
    ("code", "title"), [("500", "Something went wrong"), ("503", ("The portal is temporarily unavailable"))]
)
def test_errors_of_the_server_need_no_context(code: str, title: str) -> None:
    assert f"<h1>{title}</h1>" in get_template(f"{code}.html").render()


@pytest.mark.parametrize("code", ["400", "403", "404", "429", "403_csrf"])
def test_error_page_says_what_to_do(code: str) -> None:
    html = render_to_string(f"{code}.html", request=a_request(path="/x/?a=1"))
    assert f">{code[:3]}</p>" in html


def test_page_of_few_words_offers_to_sign_in_and_come_back() -> None:
    html = render_to_string("403.html", request=a_request(path="/desk/?a=1"))
    assert 'href="/accounts/login/?next=/desk/%3Fa%3D1"' in html


def test_pagination_keeps_places_that_lead_nowhere() -> None:
    html = render_to_string(
        "partials/pagination.html", {"page": Page([], next_url="?after=x", label="1 to 100")}
    )
    assert re.findall(r'<a href="([^"]*)" rel="(\w+)"', html) == [("?after=x", "next")]
    assert "1 to 100" in html


def test_pagination_of_a_short_list_is_silent() -> None:
    assert render_to_string("partials/pagination.html", {"page": Page([])}).strip() == ""


def test_pagination_of_one_page_gives_its_count_once_and_no_places() -> None:
    page = {"page": Page([], label="Ranks 1 to 14")}
    assert (
        one_line(render_to_string("partials/pagination.html", page)) == '<p class="quiet">Ranks 1 to 14</p>'
    )
    assert render_to_string("partials/pagination.html", {**page, "below": True}).strip() == ""


KNOWN = "As players know it."


class TournamentForm(forms.Form):
    default_renderer = PortalFormRenderer()

    name = forms.CharField(label="Name", help_text=KNOWN)
    kind = forms.ChoiceField(
        label="Kind", choices=[("rapid", "Rapid")], widget=forms.RadioSelect, required=False
    )
    regulations = forms.BooleanField(label="The regulations say so.")
    token = forms.CharField(widget=forms.HiddenInput, required=False)


def test_form_puts_help_and_error_where_the_field_is() -> None:
    html = one_line(str(TournamentForm({})))
    # The wording of a form.
    assert "There is a problem with 2 fields." in html
    assert '<a href="#id_name">Name</a>' in html
    assert re.search(r'href="#id_regulations">[^<]*</a>: \w', one_line(str(TournamentForm({"name": "A"}))))
    (described,) = re.findall(r'aria-describedby="([^"]*)"[^>]*id="id_name"', html)
    assert described.split() == ["id_name_helptext", "id_name_error"]
    assert f'id="id_name_helptext">{KNOWN}' in html
    assert 'id="id_name_error"' in html
    assert "<legend> Kind" in html


def test_form_says_which_fields_are_optional() -> None:
    html = str(TournamentForm())
    assert html.count("optional") == html.count('class="optional ') * 2 == 2


def test_timeline_says_who_what_when_why() -> None:
    events = [
        {
            "what": "Registered",
            "at": datetime(2026, 1, 5, 9, 12, tzinfo=UTC),
            "who": "A. Brunner",
            "why": "late",
        },
        {"what": "Due", "at": date(2026, 2, 26), "state": "next"},
    ]
    html = render_to_string("partials/timeline.html", {"events": events})
    assert "Mon\u00a05\u00a0Jan\u00a02026, 09:12\u00a0UTC" in html
    assert "A. Brunner" in html
    assert "late" in html
    assert re.search(r'<li class="[^"]*\bnext\b', html)
    assert "(not started)" in html


def test_deadline_shows_date_and_days_left() -> None:
    context = {"what": "Report", "deadline": date(2026, 2, 26), "today": date(2026, 2, 24)}
    html = render_to_string("partials/deadline.html", context)
    assert "Thu\u00a026\u00a0Feb\u00a02026" in html
    assert "2 days left" in html
    assert "due-near" in html


def test_finding_shows_place_problem_and_fix() -> None:
    finding = {
        "severity": "error",
        "line": 15,
        "column": 70,
        "code": "date-impossible",
        "message": "<b>The month is 13.",
        "fix": "1978/12/13",
        "number": 3,
        "changes": [(15, difference("1978/13/12", "1978/12/13"))],
    }
    context = {"finding": finding, "group": {"title": "1 date is impossible"}}
    html = one_line(render_to_string("partials/finding.html", context))
    assert 'id="F3"' in html
    assert "Line 15, column 70" in html
    assert "&lt;b&gt;The" in html
    assert re.findall(r"1978/1<mark[^>]*>([^<]*)<", html) == ["3/12", "2/13"]


def test_report_escapes_and_marks_its_lines() -> None:
    lines = marked_lines("<001>\nabc", [LineMark(2, "warning", 2, 1, 1)])
    html = one_line(render_to_string("partials/report.html", {"lines": lines}))
    assert "<code>&lt;001&gt;</code>" in html
    assert re.search(r'<li id="L2" class="[^"]*\bwarning">', html)
    assert re.search(r'<code>a<mark class="[^"]*\bwarning">b</mark>c</code>', html)
    assert 'href="#F1"' in html


def test_chart_has_its_table_beside_it() -> None:
    context = {
        "svg": "",
        "table": Table(["List", "Rapid"], [["February 2026", "2134"]]),
        "caption": "Ratings",
    }
    html = one_line(render_to_string("partials/chart.html", context))
    assert '<th scope="row">February 2026</th><td class="num">2134</td>' in html


def test_breadcrumbs_end_where_the_reader_is() -> None:
    html = render('{% breadcrumbs "Lists" "/lists/" "February 2026" %}')
    assert re.search(r'<a [^>]*href="/lists/">Lists</a>', html)
    assert '<li aria-current="page">February 2026</li>' in html


def test_query_sets_and_removes_keys() -> None:
    html = render('{% query sort="name" after=None %}', request=RequestFactory().get("/?after=x&kind=rapid"))
    assert html == "?kind=rapid&amp;sort=name"


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ('{% article "7.3.1" "/a" %}', '<a class="article" href="/a" aria-label="Article 7.3.1">7.3.1</a>'),
        ('{% article "7.3.1" %}', '<span class="article">7.3.1</span>'),
        ("{{ 40|change_exact|figure|striptags }}", "▲+0.40 gain"),
        ("{{ 11|points }} {{ 92|hundredths }} {{ 5|rating_change }}", "5½ 0.92 +5"),
    ],
)
def test_library_gives_what_the_manual_says(text: str, html: str) -> None:
    assert render(text) == html


def test_player_link_escapes_the_name() -> None:
    html = render('{% player_link name "/p/1" title="WGM" federation="SUI" %}', name="<i>Ada")
    assert '<a class="player" href="/p/1">&lt;i&gt;Ada</a>' in html
    assert '<span class="title-of">WGM</span>' in html


def test_lists_to_choose_from_are_named_by_month() -> None:
    days = [date(2026, 2, 1), date(2026, 1, 1)]
    html = Template("{% load ui %}{% list_options days day %}").render(
        Context({"days": days, "day": days[1]})
    )
    assert html == (
        '<option value="2026-02-01">February 2026</option>'
        '<option value="2026-01-01" selected>January 2026</option>'
    )


def test_addresses_in_other_languages_are_sought_once_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    sought: list[str] = []

    def noted(path: str, code: str) -> str:
        sought.append(code)
        return translate_url(path, code)

    monkeypatch.setattr("core.templatetags.ui.translate_url", noted)
    named = "{% load ui %}{% languages as links %}{% for link in links %}{{ link.url }} {% endfor %}"
    html = Template(named * 2).render(Context({"request": a_request(path="/lists/?a=1")}))
    assert html.split() == [f"{language}/lists/?a=1" for language in ("", "/fr", "/es", "/de")] * 2
    assert len(sought) == 2


@pytest.mark.parametrize(
    "path", ["/de/lists/?next=/fr/", "/fr/players/1/", "/", "/de/", "/lists/rapid/2026-02-01/"]
)
def test_addresses_in_other_languages_are_those_of_django(path: str) -> None:
    html = Template("{% load ui %}{% languages as links %}{% for link in links %}{{ link.url }} {% endfor %}")
    with translation.override(path[1:3] if path[3:4] == "/" else "en"):
        found = html.render(Context({"request": a_request(path=path)})).split()
        assert found == [translate_url(path, code) for code in ("en", "fr", "es", "de")]


def test_address_without_languages_has_no_links() -> None:
    html = Template("{% load ui %}{% languages as links %}{{ links }}")
    assert html.render(Context({"request": a_request(path="/metrics")})) == "[]"


def test_no_two_sentences_of_a_jinja_template_run_together() -> None:
    """Jinja drops the line break after a block, so that a space has to be written between two of them."""
    texts = {path: path.read_text() for path in (ROOT / "templates").rglob("*.html")}
    together = re.compile(r"{% endtrans %}\n\s*{% trans ")
    assert [path.name for path, text in texts.items() if together.search(text)] == []


ASKING = re.compile(r'<\w+ id="([\w-]+)"([^<]*data-hx-trigger="every \d+s"[^<]*)>')
INCLUDED = re.compile(r'{% include "([^"]+)"')


def test_a_block_that_asks_again_can_keep_the_focus_and_say_its_state() -> None:
    """Both are done by the one script of all pages, for a block with a name that holds a state (test_focus_journey)."""
    texts = {name: (ROOT / "templates" / name).read_text(encoding="utf-8") for name in OWN}
    asking = {}
    for name, text in texts.items():
        for block, attributes in ASKING.findall(text):
            holds = [text, *(texts[part] for part in INCLUDED.findall(text))]
            asking[name] = (
                [way for way in ("select", "target") if f'data-hx-{way}="#{block}"' not in attributes],
                'data-hx-swap="outerHTML"' in attributes,
                any(" data-state>" in part for part in holds),
            )

    assert asking == dict.fromkeys(
        [
            "admin/ratings/import_progress.html",
            "admin/ratings/publish.html",
            "desk/players/register_import.html",
            "desk/texts/late.html",
            "desk/texts/trial.html",
        ],
        ([], True, True),
    )
    assert '"js/portal.js"' in texts["partials/head.html"]
