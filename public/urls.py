"""The public URLs."""

from __future__ import annotations

from django.conf import settings
from django.templatetags.static import static
from django.urls import URLPattern, URLResolver, include, path
from django.utils.functional import lazy
from django.views.generic import RedirectView

from public import (
    about,
    arbiters,
    check,
    data,
    feeds,
    follows,
    home,
    invitations,
    sitemaps,
    styleguide,
    tools,
)
from public.arenas import arena, arenas, game, member
from public.arenas import lists as arena_lists
from public.arenas import rules as arena_rules
from public.calculators import calculators
from public.federations import clubs, federation, federations
from public.lists import calendar as list_calendar
from public.lists import (
    changes,
    combined,
    corrections,
    files,
    lists,
    next_list,
    part,
    rating_list,
    statistics,
    verify,
)
from public.lists import federation as list_federation
from public.lists import federations as list_federations
from public.players import badge, calculation, compare, mistake, player, players, record
from public.players import tournaments as player_tournaments
from public.rules import adoption, reasons, rules, terms
from public.search import search, suggestions
from public.tournaments import calendar, entries, tournament, tournaments
from public.tournaments import files as tournament_files
from ratings import converters as _converters  # noqa: F401 registers the path converters

list_pages = [
    path("lists/", lists.lists, name="lists"),
    path("lists/<kind:kind>/", rating_list.newest, name="newest"),
    path("lists/<kind:kind>/latest/", rating_list.newest, name="latest"),
    path("lists/<kind:kind>/latest/<str:name>", files.latest, name="latest-file"),
    path("lists/combined/<str:name>", combined.combined, name="combined"),
    path("lists/calendar.ics", list_calendar.calendar, name="lists-calendar"),
    path("lists/<kind:kind>/next/", next_list.next_list, name="next"),
    path("lists/<kind:kind>/<day:day>/", rating_list.rating_list, name="list"),
    path("lists/<kind:kind>/<day:day>/changes/", changes.changes, name="movements"),
    path("lists/<kind:kind>/<day:day>/changes.<table_file:ending>", changes.delta, name="delta"),
    path("lists/<kind:kind>/<day:day>/federations/", list_federations.federations, name="by-federation"),
    path(
        "lists/<kind:kind>/<day:day>/federations/<federation:code>/",
        list_federation.highlights,
        name="highlights",
    ),
    path("lists/<kind:kind>/<day:day>/statistics/", statistics.statistics, name="statistics"),
    path("lists/<kind:kind>/<day:day>/verify/", verify.verify, name="verify"),
    path("lists/<kind:kind>/<day:day>/SHA256SUMS", verify.checksums, name="checksums"),
    path("lists/<kind:kind>/<day:day>/verify.zip", verify.archive, name="verify-archive"),
    path("lists/<kind:kind>/<day:day>/players.<part_file:ending>", part.part, name="part"),
    path("lists/<kind:kind>/<day:day>/at/<fide_id:fide_id>/", rating_list.at_player, name="at"),
    path("lists/<kind:kind>/<day:day>/files/<str:name>", files.file, name="file"),
    path("lists/verify_list.py", files.verifier, name="verifier"),
    path("lists/<kind:kind>/history.csv.zip", files.history, name="history"),
    path("lists/feed.atom", feeds.lists, name="feed"),
    path("lists/<kind:kind>/feed.atom", feeds.lists, name="kind-feed"),
    path("federations/<federation:code>/feed.atom", feeds.federation, name="federation-feed"),
    path("lists/corrections/", corrections.corrections, name="corrections"),
    path("federations/", federations.federations, name="federations"),
    path("federations/<federation:code>/", federation.federation, name="federation"),
    path("federations/<federation:code>/history/", federation.history, name="federation-history"),
    path("federations/<federation:code>/clubs/", clubs.clubs, name="clubs"),
    path("federations/<federation:code>/clubs/players.csv", clubs.players, name="club-csv"),
    path("federations/<federation:code>/clubs/embed/", clubs.embedded, name="club-embed"),
    path("federations/<federation:code>/on/<day:day>/", federation.federation_as_of, name="federation-as-of"),
    path("calculators/", calculators.change, name="calculator-change"),
    path("calculators/first-rating/", calculators.first_rating_page, name="calculator-first-rating"),
    path("calculators/performance/", calculators.performance_page, name="calculator-performance"),
    path("check/", check.check, name="check"),
    path("rules/", rules.rules, name="rules"),
    path("rules/adoptions/<int:pk>/", adoption.adoption, name="adoption"),
    path("rules/reasons/", reasons.reasons, name="reasons"),
    path("rules/terms/", terms.terms, name="terms"),
]

player_pages = [
    path("", players.players, name="search"),
    path("compare/", compare.compare, name="compare"),
    path("<fide_id:fide_id>/", player.player, name="player"),
    path("<fide_id:fide_id>/on/<day:day>/", player.player_as_of, name="player-as-of"),
    path("<fide_id:fide_id>/tournaments/", player_tournaments.tournaments, name="tournaments"),
    path("<fide_id:fide_id>/feed.atom", feeds.player, name="feed"),
    path("<fide_id:fide_id>/mistake/", mistake.mistake, name="mistake"),
    path("<fide_id:fide_id>/record/", record.record, name="record"),
    path("<fide_id:fide_id>/badge.svg", badge.badge, name="badge"),
    path("<fide_id:fide_id>/<kind:kind>/next/", calculation.so_far, name="so-far"),
    path("<fide_id:fide_id>/<kind:kind>/<day:day>/", calculation.calculation, name="calculation"),
]

tournament_pages = [
    path("", tournaments.tournaments, name="calendar"),
    path("calendar/month", calendar.month, name="month"),
    path("calendar/all.ics", calendar.feed, name="feed"),
    path("calendar/<federation:code>.ics", calendar.feed, name="federation-feed"),
    path("<event_id:event_id>/", tournament.tournament, name="tournament"),
    path("<event_id:event_id>/crosstable/", tournament.tournament, {"view": "crosstable"}, name="crosstable"),
    path("<event_id:event_id>/rounds/", tournament.tournament, {"view": "rounds"}, name="rounds"),
    path("<event_id:event_id>/rounds/<int:number>/", tournament.tournament, {"view": "rounds"}, name="round"),
    path("<event_id:event_id>/teams/", tournament.tournament, {"view": "teams"}, name="teams"),
    path("<event_id:event_id>/report/", tournament.tournament, {"view": "report"}, name="report"),
    path("<event_id:event_id>/report.trf", tournament_files.report, name="report-file"),
    path("<event_id:event_id>/results.csv", tournament_files.results, name="results"),
    path("<event_id:event_id>/why", RedirectView.as_view(pattern_name="tournaments:tournament")),
    path("<event_id:event_id>/entries/", entries.entries, name="entries"),
    path("<event_id:event_id>/entries/<str:name>", entries.entry_file, name="entry-file"),
]

arena_pages = [
    path("", arenas.arenas, name="overview"),
    path("<slug:slug>/", arena.arena, name="arena"),
    path("<slug:slug>/rules/", arena_rules.rules, name="rules"),
    path("<slug:slug>/members/<int:number>/", member.member, name="member"),
    path("<slug:slug>/games/<int:number>/", game.game, name="game"),
    path("<slug:slug>/lists/", arena_lists.lists, name="lists"),
    path("<slug:slug>/lists/<day:day>/", arena_lists.monthly, name="monthly"),
    path("<slug:slug>/lists/<day:day>/list.<table_file:ending>", arena_lists.file, name="file"),
]

# Addresses of former releases, which are in bookmarks: each leads to what replaces it.
moved = [
    path(former, RedirectView.as_view(pattern_name=f"ratings:{name}", query_string=True))
    for former, name in (
        ("calculators/systems/", "calculator-change"),
        ("lists/health/", "lists"),
        ("lists/health.csv", "lists"),
        ("lists/<kind:kind>/<day:day>/health/", "statistics"),
        ("lists/<kind:kind>/<day:day>/health.csv", "statistics"),
    )
]
# Pictures of pages, which are in messages that were sent.
moved += [
    path(f"{former}card.png", RedirectView.as_view(url=lazy(static, str)(f"img/share/{picture}.png")))
    for former, picture in (
        ("lists/<kind:kind>/<day:day>/", "list"),
        ("lists/<kind:kind>/<day:day>/federations/<federation:code>/", "list"),
        ("players/<fide_id:fide_id>/", "player"),
        ("players/<fide_id:fide_id>/<kind:kind>/<day:day>/", "player"),
        ("tournaments/<event_id:event_id>/", "tournament"),
    )
]

# For programs: one URL each, without a language.
machine_patterns: list[URLPattern | URLResolver] = [
    path("data/datapackage.json", data.datapackage, name="datapackage"),
    path("robots.txt", sitemaps.robots, name="robots"),
    path("sitemap.xml", sitemaps.index, name="sitemap"),
    path("sitemaps/pages.xml", sitemaps.pages, name="sitemap-pages"),
    path("sitemaps/tournaments-<int:year>.xml", sitemaps.tournaments, name="sitemap-tournaments"),
    path("sitemaps/players-<int:number>.xml", sitemaps.players, name="sitemap-players"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("search", search.search, name="search"),
    path("search/suggestions", suggestions.suggestions, name="suggestions"),
    path("search/arbiters", suggestions.arbiters, name="arbiter-suggestions"),
    path("search/towns", suggestions.towns, name="town-suggestions"),
    path("arbiters/<fide_id:fide_id>/", arbiters.arbiter, name="arbiter"),
    path("tools/", tools.tools, name="tools"),
    path("about/", about.about, name="about"),
    path("data/", data.data, name="data"),
    path("tools/worked-cases/", tools.worked_cases, name="worked-cases"),
    path("tools/worked-cases.zip", tools.worked_cases_archive, name="worked-cases-archive"),
    path("follows/", follows.follow, name="follows"),
    path("follows/account/", follows.own_account, name="follows-account"),
    path("follows/confirm/<str:token>/", follows.confirm, name="follow-confirm"),
    path("follows/own/<str:token>/", follows.own, name="follows-own"),
    path("invitations/<str:token>/", invitations.invitation, name="invitation"),
    *moved,
    path("", include((list_pages, "ratings"))),
    path("players/", include((player_pages, "players"))),
    path("tournaments/", include((tournament_pages, "tournaments"))),
    path("arenas/", include((arena_pages, "arenas"))),
]

# For those who build pages, and not for readers.
if settings.DEBUG:
    urlpatterns.append(path("styleguide/", styleguide.styleguide, name="styleguide"))
