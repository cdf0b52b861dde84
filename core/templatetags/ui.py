"""The template library `ui`: figures, dates, states, shapes, links and stored forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from html import unescape
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.urls import NoReverseMatch, reverse, translate_url
from django.utils.functional import Promise
from django.utils.html import conditional_escape, escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, get_language_info
from django.utils.translation import gettext as _

from core.html import dates, figures
from core.html.states import NOTES, SEVERITIES, shape, state_badge
from core.html.tables import Head
from core.web.typed_forms import MARK, sign_form

register = template.Library()
# Search engines and tabs show no more of a title.
MAX_TITLE = 60
# A title of two parts: a name and what the page has of it, or a place and its month.
PARTS = (re.compile(r"\A(.+?)(\s?: .*)"), re.compile(r"\A(.+)(, [^,]*\d{4})"))
MIN_NAME = 8

# Other sections of the site that a place of the navigation has: it is current there too.
ALSO_INSIDE = {"desk": ("admin",), "tools": ("api", "calculators", "check", "data", "rules")}
LANGUAGE_CODES = frozenset(code for code, _name in settings.LANGUAGES)
HASH = re.compile(r"\b[0-9a-f]{64}\b")
TIMELINE = {"done": "disc", "now": "ring-dot", "next": "ring", "over": "disc-cross"}
DUE = {"due-far": "ring", "due-near": "triangle", "due-over": "disc-cross"}


# Filters by the names that templates use.
FILTERS: dict[str, Callable[..., str]] = {
    "rating_change": figures.signed_points,
    "change_exact": figures.signed_hundredths,
    "hundredths": figures.decimal_hundredths,
    "tenths": figures.decimal_tenths,
    "local_decimal": figures.local_decimal,
    "mixed_decimal": figures.mixed_decimal,
    "signed_tenths": figures.signed_tenths,
    "percent_tenths": figures.percent_tenths,
    "whole": figures.whole,
    "figure": figures.change_figure,
    "points": figures.half_points,
    "list_month": dates.list_month,
    "day": dates.day_element,
    "to_day": dates.days_element,
    "short_month": dates.short_month,
    "month_name": dates.month_name,
    "long_day": dates.long_day,
    "utc": dates.instant_element,
    "minute": dates.moment_element,
    "days_left": dates.days_left,
    "due_class": dates.due_class,
    "short_hash": figures.short_hash,
}
for name, function in FILTERS.items():
    register.filter(name, function)


@register.filter
def change_to(value: int | None, decimals: int) -> str:
    """Return a change in hundredths with one decimal or two; with one if its last digit is 0."""
    if value is not None and decimals == 1 and value % 10 == 0:
        return figures.signed_tenths(value // 10)
    return figures.signed_hundredths(value)


@register.filter
def short_day(value: date | None) -> str:
    """Return a day without weekday and year."""
    return dates.short_day(value) if value else figures.NONE


@register.filter
def slashes_break(address: str) -> SafeString:
    """Return an address that breaks after its slashes: in an email no style does that."""
    return mark_safe(escape(address).replace("/", "/<wbr>"))


@register.filter
def moment(value: date | datetime | None) -> SafeString:
    """Return an instant in UTC or a day, whichever it is."""
    return dates.instant_element(value) if isinstance(value, datetime) else dates.day_element(value)


@register.simple_tag
def state(name: str, label: str | Promise = "") -> SafeString:
    """Return a state as word, shape and colour."""
    return state_badge(name, label=label)


@register.filter
def at(values: Mapping[Any, Any], key: Any) -> Any:
    return values[key] if values else ""


@register.simple_tag
def colon() -> str:
    """Return the colon after a label, which no template writes itself."""
    return figures.colon()


@register.simple_tag
def icon(name: str) -> SafeString:
    """Return a shape of the set."""
    return shape(name, css_class="icon")


@register.simple_tag
def severity_shape(severity: str) -> SafeString:
    return shape(SEVERITIES[severity][1] if severity in SEVERITIES else "info")


@register.filter
def breaking_address(value: object) -> SafeString:
    """Return a text whose email address begins a line rather than break, and breaks before its sign at most."""
    words = [(word, *word.partition("@")) for word in str(value).split(" ")]
    whole = '<span class="inline-block">{}<wbr>@{}</span>'
    shown = (format_html(whole, name, host) if sign else escape(word) for word, name, sign, host in words)
    return mark_safe(" ".join(shown))


@register.filter
def short_hashes(text: str) -> SafeString:
    """Return a text with both ends of each SHA-256 in it."""
    return mark_safe(HASH.sub(lambda found: figures.short_hash(found[0]), conditional_escape(text)))


@register.filter
def severity_word(severity: str) -> str | Promise:
    return SEVERITIES[severity][0] if severity in SEVERITIES else severity


@register.simple_tag
def note_shape(level: str) -> SafeString:
    return shape(NOTES.get(level, "info"))


@register.simple_tag
def timeline_shape(state: str | None) -> SafeString:
    """Return the shape of a step of a time line: done, now, next or over."""
    return shape(TIMELINE.get(state or "done", "disc"))


@register.simple_tag
def due_shape(deadline: date, today: date) -> SafeString:
    """Return the shape of a deadline: far, near or over."""
    return shape(DUE[dates.due_class(deadline, today)])


@register.simple_tag
def list_options(days: Sequence[date], chosen: date | None) -> SafeString:
    """Return the options of a choice of lists by month, written at once and kept: twenty years have 240."""
    return _list_options(tuple(days), chosen, get_language())


@lru_cache(maxsize=64)
def _list_options(days: Sequence[date], chosen: date | None, _language: str | None) -> SafeString:
    options = (
        f'<option value="{day.isoformat()}"{" selected" if day == chosen else ""}>{escape(dates.list_month(day))}'
        "</option>"
        for day in days
    )
    return mark_safe("".join(options))


def article_name(number: str) -> str:
    """Return what a link to an article or decision is called where only its number is seen; a word is its own name."""
    if number.startswith("D-"):
        return " ".join((_("Decision"), number))
    return " ".join((_("Article"), number)) if number[:1].isdigit() else number


@register.simple_tag
def article(number: str, url: str = "") -> SafeString:
    """Return the reference to an article or decision beside a line of a calculation."""
    if not url:
        return format_html('<span class="article">{}</span>', number)
    return format_html(
        '<a class="article" href="{}" aria-label="{}">{}</a>', url, article_name(number), number
    )


@register.inclusion_tag("partials/breadcrumbs.html")
def breadcrumbs(*parts: str | Promise) -> dict[str, Any]:
    """Return the way to here from label, address, label, address, ..., last label."""
    links = [{"label": label, "url": url} for label, url in zip(parts[:-1:2], parts[1::2], strict=True)]
    return {"links": links, "here": parts[-1]}


@register.inclusion_tag("partials/player_link.html")
def player_link(player: Any, url: str = "", *, title: str = "", federation: str = "") -> dict[str, Any]:
    """Return a player's title, name as a link, and federation."""
    return {"player": player, "url": url, "title": title, "federation": federation}


@register.simple_block_tag
def part(content: str) -> SafeString:
    """Return a part that a page declares once, without blanks around it: the frame writes it in several places."""
    return mark_safe(content.strip())


@register.simple_block_tag
def page_title(content: str) -> SafeString:
    """Return the page's title, for the browser (at most 60 characters) and for previews."""
    title = _attribute(content)
    # An entity counts as the one letter that is seen.
    plain, portal = unescape(title), _("Rating Portal")
    if len(plain) + len(portal) + 3 <= MAX_TITLE:
        shown: str = format_html("{} · {}", title, portal)
    else:
        shown = title if len(plain) <= MAX_TITLE else _shorten(plain)
    return format_html('<title>{}</title>\n  <meta property="og:title" content="{}">', shown, title)


def _shorten(title: str) -> str:
    """Return a title of at most 60 characters: a name before a short or dated part loses its end, else the title."""
    for parts in PARTS:
        found = parts.fullmatch(title)
        if not found:
            continue
        name, rest = found.groups()
        room = MAX_TITLE - len(rest) - 1
        if room >= MIN_NAME and len(name) > room and (len(rest) < len(name) or rest[-4:].isdigit()):
            return f"{name[:room].rstrip(' ,-–')}…{rest}"
    return f"{title[: MAX_TITLE - 1]}…"


@register.simple_block_tag
def page_description(content: str) -> SafeString:
    """Return the page's description, for search engines and for previews."""
    text = _attribute(content)
    return format_html(
        '<meta name="description" content="{}">\n  <meta property="og:description" content="{}">', text, text
    )


@register.simple_tag(takes_context=True)
def page_address(context: Context) -> SafeString:
    """Return the page's one address, without what only chooses a view of it; nothing outside a request."""
    request = context.get("request")
    if request is None:
        return mark_safe("")
    address = f"{settings.SITE_URL}{request.path}"
    tags = '<link rel="canonical" href="{}">\n  <meta property="og:url" content="{}">'
    return format_html(tags, address, address)


def _attribute(markup: str) -> SafeString:
    """Return escaped text so that it may stand in an attribute too."""
    return mark_safe(" ".join(markup.split()).replace('"', "&quot;"))


@register.simple_tag
def heads(*labels: str | Promise | tuple[str, str] | Head | None) -> SafeString:
    """Return the cells of a table's head, none for a label that is None.

    Before a label stand `num` for a column of figures, `hidden` for words that only screen readers need, and other
    classes after a dot (`.name one-line`). A pair is a short label and what it stands for, a `Head` a link that sorts.
    """
    cells, css, is_hidden = [], "", False
    for label in labels:
        if label == "hidden":
            is_hidden = True
        elif label == "num" or (isinstance(label, str) and label.startswith(".")):
            css = format_html(' class="{}"', label.removeprefix("."))
        else:
            if isinstance(label, tuple):
                label = format_html('<abbr title="{}">{}</abbr>', label[1], label[0])
            elif is_hidden and label is not None:
                label = format_html('<span class="hidden">{}</span>', label)
            if isinstance(label, Head):
                cells.append(_sorting_head(label, css))
            elif label is not None:
                cells.append(format_html('<th scope="col"{}>{}</th>', css, label))
            css, is_hidden = "", False
    return mark_safe("".join(cells))


def _sorting_head(head: Head, css: str) -> SafeString:
    drawn = {"ascending": "up", "descending": "down"}.get(head.sorted, "sortable")
    order = format_html(' aria-sort="{}"', head.sorted) if head.sorted else ""
    link = format_html('<a href="{}">{}{}</a>', head.url, head.label, shape(drawn, css_class="icon"))
    return format_html('<th scope="col"{}{}>{}</th>', css, order, link)


@register.simple_tag(takes_context=True)
def query(context: Context, **changes: Any) -> str:
    """Return the page's query string with the given keys set, or removed where None."""
    target = context["request"].GET.copy()
    for key, value in changes.items():
        target.pop(key, None)
        if value is not None:
            target[key] = str(value)
    return f"?{target.urlencode()}"


@register.inclusion_tag("partials/nav_link.html", takes_context=True)
def nav_link(context: Context, name: str, label: str | Promise) -> dict[str, Any]:
    """Return a link of the navigation, current in its whole section; nothing where the address is unknown.

    `current` is a value of `aria-current`: `page` at the address itself, `true` below it, empty elsewhere. A page that
    belongs to another place than its address has the address of that one as `place`.
    """
    path = str(context.get("place") or getattr(context.get("request"), "path", ""))
    url = url_or_empty(name)
    section = _section(url)
    inside = bool(section) and _section(path) in (section, *ALSO_INSIDE.get(section, ()))
    return {"url": url, "label": label, "current": "page" if path == url else "true" if inside else ""}


def _section(path: str) -> str:
    """Return the first part of an address behind the language, as `lists`; of `accounts` and `desk/chess` two."""
    parts = path.strip("/").split("/")
    parts = parts[1:] if parts[0] in LANGUAGE_CODES else parts
    return "/".join(parts[: 2 if parts[:1] == ["accounts"] or parts[:2] == ["desk", "chess"] else 1])


@register.simple_tag
def url_or_empty(name: str) -> str:
    """Return the address of that name, or an empty text where none is known."""
    try:
        return reverse(name)
    except NoReverseMatch:
        return ""


@register.simple_tag(takes_context=True)
def languages(context: Context) -> list[dict[str, Any]]:
    """Return the address of the page in every language that has one of its own; a page names them three times."""
    request = context.get("request")
    if request is None:
        return []
    if not hasattr(request, "language_links"):
        request.language_links = [
            _language(code, url) for code, url in _addresses_by_language(request.get_full_path())
        ]
    found: list[dict[str, Any]] = request.language_links
    return found


def _addresses_by_language(path: str) -> list[tuple[str, str]]:
    """Return an address in every language, nothing where it has only one.

    Django looks up two of them, since each costs a fiftieth of a page. They differ in their beginnings.
    """
    default, other = settings.LANGUAGE_CODE, settings.LANGUAGES[1][0]
    plain, prefixed = translate_url(path, default), translate_url(path, other)
    if plain == prefixed:
        return []
    begin = f"/{other}/"
    return [
        (code, plain if code == default else prefixed.replace(begin, f"/{code}/", 1))
        for code, _name in settings.LANGUAGES
    ]


def _language(code: str, url: str) -> dict[str, Any]:
    name = get_language_info(code)["name_local"].capitalize()
    # The host of the request is whatever its sender wrote, and on the page that refuses it there is none.
    address = f"{settings.SITE_URL}{url}"
    return {"code": code, "url": url, "address": address, "name": name, "current": code == get_language()}


@register.simple_tag(takes_context=True)
def keep_typed(context: Context, page: str = "") -> SafeString:
    """Return the mark as a hidden field; `page` where the form stands at another address than it is shown at."""
    request = context["request"]
    if not request.user.is_authenticated:
        return SafeString("")
    return format_html(
        '<input type="hidden" name="{}" value="{}">', MARK, sign_form(request.user, page or request.path)
    )
