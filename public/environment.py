"""The Jinja2 environment of the public pages (ADR 18), with the tags and filters of Django templates."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.serializers.json import DjangoJSONEncoder
from django.template import defaultfilters
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import get_script_prefix, reverse
from django.utils import translation
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from jinja2 import ChainableUndefined, Environment, FileSystemLoader, PrefixLoader, pass_context
from jinja2.runtime import Context

from core.html import figures
from core.templatetags import ui
from core.web.etags import is_anonymous
from players.minors import Minors, birth_of, minors_for, shown_birth
from ratings.follows import PROMISES, is_followed_by, own_address, subject_named
from ratings.models import Correction
from ratings.models.correction import DATA_LABELS
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.registry import reason_of
from ratings.templatetags import articles
from ratings.templatetags.articles import rule
from tournaments.amendment_texts import amendment_texts
from tournaments.changed_fields import shown_value

FOLDER = settings.BASE_DIR / "templates" / "public"


def environment(**options: Any) -> Environment:
    """Return the environment. Template names are relative, as in Django: `public/lists/rating_list.html`."""
    loader = PrefixLoader({"public": FileSystemLoader(FOLDER)})
    # What is missing is empty and no error, as in Django templates; in tests it is one (ADR 18).
    options |= {"loader": loader, "undefined": ChainableUndefined}
    made = Environment(  # noqa: S701 Django's backend sets autoescape
        **options, extensions=["jinja2.ext.i18n"], trim_blocks=True, lstrip_blocks=True
    )
    # New-style gettext copies the whole context for each text, a third of the time of a list page.
    made.install_gettext_callables(  # type: ignore[attr-defined]
        translation.gettext,
        translation.ngettext,
        newstyle=False,
        pgettext=translation.pgettext,
        npgettext=translation.npgettext,
    )
    made.filters |= ui.register.filters | FILTERS
    made.globals |= GLOBALS
    return made


def url(name: str, *args: Any) -> str:
    """Return the path of a named URL in the reader's language."""
    # The language is part of the key, as `reverse` puts it into the path of some pages.
    return _path(translation.get_language(), get_script_prefix(), name, args)


@lru_cache(maxsize=5_000)
def _path(language: str | None, prefix: str, name: str, args: tuple[Any, ...]) -> str:
    return reverse(name, args=args)


@pass_context
def partial(context: Context, name: str, /, **values: Any) -> SafeString:
    """Render a Django template that all pages share. It sees only the given values."""
    return render_to_string(name, values, context.get("request"), using="django")


@pass_context
def breadcrumbs(context: Context, *parts: str | Promise) -> SafeString:
    """Return the breadcrumb from label, URL, label, URL, ..., last label."""
    return partial(context, "partials/breadcrumbs.html", **ui.breadcrumbs(*parts))


@pass_context
def query(context: Any, **changes: Any) -> str:
    """Return the page's query string with the given keys set, or removed where None."""
    return ui.query(context, **changes)


def text(message: str) -> SafeString:
    """Return a text, translated to the reader's language."""
    return mark_safe(gettext(message))


@pass_context
def load_minors(context: Context) -> Minors:
    """Return the minors whose years of birth the request hides, for the filter `birth` (age-bands.md)."""
    return minors_for(context["request"])


@pass_context
def follow_state(context: Context, field: str, key: str | int) -> str:
    """Return whether the reader's account follows a page, "yes" or "no"; empty without a confirmed address."""
    request = context["request"]
    address = "" if is_anonymous(request) else own_address(request.user)
    subject = subject_named(field, str(key)) if address else None
    return "" if subject is None else "yes" if is_followed_by(address, subject) else "no"


@pass_context
def amended(context: Context, correction: Correction) -> Sequence[str]:
    """Return what a correction amended, beside its file: games, fields before and after (age-bands.md)."""
    if correction.player is None:
        return amendment_texts(correction.amendments)
    minors, code = minors_for(context["request"]), correction.player.federation_id

    def show(name: str, value: Any) -> Any:
        is_birth = name == "birth_year" and str(value).isdecimal()
        return shown_birth(int(value), code, minors, correction.player_id) if is_birth else shown_value(value)

    return [
        f"{DATA_LABELS[one.field]}{figures.colon()} {show(one.field, one.before)} → {show(one.field, one.after)}"
        for one in correction.fields.values()
        if one.before != one.after
    ]


@pass_context
def rule_for_reader(context: Context, number: str, rules: PeriodRules | None = None) -> SafeString:
    """Return the reference to an article or decision where the reader asked for them (`?articles=1`), else nothing."""
    request = context.get("request")
    return rule(number, rules) if request is not None and "articles" in request.GET else mark_safe("")


@pass_context
def reason(context: Context, key: str, rules: PeriodRules | None = None) -> SafeString:
    """Return the text of a reason key, with its article where the reader asked for them."""
    meant = reason_of(key, rules)
    return format_html("{} {}", gettext(meant.text), rule_for_reader(context, meant.article, rules))


@pass_context
def with_opponent(context: Context, number: int, fide_id: int) -> str:
    """Return the calculator's query string with the opponent of one row replaced by a FIDE ID."""
    typed = context["request"].GET.copy()
    pairs = zip(typed.getlist("opponent"), typed.getlist("score"), strict=False)
    games = [(text, score) for text, score in pairs if text.strip() or score]
    games[number - 1 : number] = [(str(fide_id), score) for _text, score in games[number - 1 : number]]
    typed.setlist("opponent", [text for text, _score in games])
    typed.setlist("score", [score for _text, score in games])
    return f"?{typed.urlencode()}"


def json_ld(**values: Any) -> SafeString:
    """Return structured data for search engines (schema.org) as a data block, which browsers do not run."""
    content = json.dumps(
        {"@context": "https://schema.org", **values}, cls=DjangoJSONEncoder, ensure_ascii=False
    )
    # A name with `</script>` would end the block.
    safe = content.translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"})
    return mark_safe(f'<script type="application/ld+json">{safe}</script>')


def site_url(name: str, *args: Any) -> str:
    """Return the absolute address of a named URL, with the portal's host."""
    # Not the host that was asked: previews and canonical addresses are the same on all of them.
    return f"{settings.SITE_URL}{reverse(name, args=args)}"


def site_static(name: str) -> str:
    """Return the absolute address of a static file, with the portal's host."""
    return urljoin(settings.SITE_URL, static(name))


def group_digits(value: Any) -> str:
    """Return a number with its digits in groups, as the reader's language writes it."""
    return _group_digits(translation.get_language(), value) if type(value) is int else str(intcomma(value))


@lru_cache(maxsize=5_000)
def _group_digits(language: str | None, value: int) -> str:
    return str(intcomma(value))


FILTERS: dict[str, Any] = {
    "birth": birth_of,
    "capfirst": defaultfilters.capfirst,
    "date": defaultfilters.date,
    "default_if_none": defaultfilters.default_if_none,
    "filesizeformat": defaultfilters.filesizeformat,
    "intcomma": group_digits,
    "page_description": ui.page_description,
    "page_title": ui.page_title,
    "translated": articles.translated,
    "truncatechars": defaultfilters.truncatechars,
    "urlize": defaultfilters.urlize,
}
GLOBALS: dict[str, Any] = {
    "article": ui.article,
    "_": text,
    "breadcrumbs": breadcrumbs,
    "colon": figures.colon,
    "amended": amended,
    "follow_promises": PROMISES,
    "follow_state": follow_state,
    "get_language": translation.get_language,
    "get_language_bidi": translation.get_language_bidi,
    "heads": ui.heads,
    "icon": ui.icon,
    "json_ld": json_ld,
    "load_minors": load_minors,
    "note_shape": ui.note_shape,
    "partial": partial,
    "query": query,
    "reason": reason,
    "rule": rule_for_reader,
    "state_badge": ui.state,
    "rule_anchor": articles.rule_anchor,
    "site_static": site_static,
    "site_url": site_url,
    "static": static,
    "step_amount": articles.step_amount,
    "step_words": articles.step_words,
    "url": url,
    "with_opponent": with_opponent,
}
