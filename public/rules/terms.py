"""The terms of the portal, as texts and pages use them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override, pgettext_lazy
from django.views.decorators.http import require_safe

from core.html.fields import sort_key
from core.web.etags import conditionally

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class Group:
    """Terms of one subject, each explained in one or two sentences."""

    def __init__(self, heading: StrPromise, *pairs: tuple[StrPromise, StrPromise]) -> None:
        self.heading = heading
        self.pairs = pairs

    def __iter__(self) -> Iterator[tuple[str, StrPromise, StrPromise]]:
        """Yield the anchor, the term and its explanation."""
        for name, meaning in self.pairs:
            with override("en"):
                anchor = slugify(str(name).partition(",")[0])
            yield anchor, name, meaning


GROUPS = (
    Group(
        _("Rating lists"),
        (
            _("rating list"),
            _("The monthly list of one rating type. It is dated the 1st of a month."),
        ),
        (_("rating type"), _("Rapid, blitz or standard.")),
        (_("current list"), _("The newest list in effect today.")),
        (
            _("effective date"),
            _("The date from which a list or a text of the regulations applies."),
        ),
        (_("published"), _("Final and public. A published list never changes.")),
        (_("imported list"), _("A list loaded from a FIDE file.")),
        (
            _("next list so far"),
            _("The next list from the reports accepted so far. It changes until publication."),
        ),
        (
            _("closing date"),
            _("The last end date of tournaments for a list, 3 days before the list."),
        ),
        (
            _("rank"),
            _("The position on a list: world, continental or national, of all or of active players."),
        ),
        (
            _("manifest"),
            _("The list of all files of a rating list, with their checksums."),
        ),
        (
            _("checksum"),
            _("The SHA-256 value of a file. It shows whether a file was changed."),
        ),
        (
            _("verify"),
            _("Recalculate a published list and compare it with the published files."),
        ),
        (
            _("correction"),
            _("A change to published results or player data, with a public reason."),
        ),
        (_("adjustment"), _("Points that the next list adds because of a correction.")),
        (_("correction log"), _("The public page of all corrections.")),
    ),
    Group(
        _("Ratings"),
        (
            _("rating"),
            _("The number that shows the playing strength of a player, for example 1914."),
        ),
        (
            _("rated, unrated"),
            _("A rated player has a published rating of the type. An unrated player does not."),
        ),
        (
            _("initial rating"),
            _("The first published rating of a player (Ru in the FIDE Handbook)."),
        ),
        (
            _("progress to an initial rating"),
            _("The games counted so far towards an initial rating, for example 3 of 5 games."),
        ),
        (
            _("provisional"),
            _(
                "Not final. The rating is not on a published list yet. In the arenas Chess Online and FlyOrDie: "
                "fewer than 20 games."
            ),
        ),
        (
            _("active, inactive"),
            _("An inactive player has no rated game in the last 12 lists."),
        ),
        (_("rating change"), _("The points gained or lost.")),
        (
            _("rating difference"),
            _("A player's rating minus the rating of the opponent (column D)."),
        ),
        (
            _("expected score"),
            _("The score predicted by the rating difference (column PD). FIDE calls it scoring probability."),
        ),
        (
            pgettext_lazy("term", "K-factor"),
            _("The multiplier of the rating change (column K). FIDE calls it development coefficient."),
        ),
        (
            _("performance rating"),
            _("The rating that matches the score in a tournament (column Rp)."),
        ),
        (_("average opponent rating"), _("The mean rating of the rated opponents (Ra).")),
        (
            _("rated game, unrated game"),
            _("A rated game changes ratings. An unrated game does not, and the reason is shown."),
        ),
        (_("rating floor"), _("The lowest possible rating.")),
        (
            _("rating regulations"),
            _("The FIDE Rapid and Blitz Rating Regulations. They consist of articles."),
        ),
        (
            _("decision D-n"),
            _("A numbered decision of the portal on a point that the regulations leave open."),
        ),
    ),
    Group(
        _("Tournaments"),
        (_("tournament"), _("One rated competition with an event ID.")),
        (_("register"), _("A federation announces a tournament before it starts.")),
        (_("time control"), _("Minutes plus seconds per move, for example 15+10.")),
        (_("round"), _("One game of each player, played at the same time.")),
        (
            _("schedule"),
            _("The dates of a tournament with the number of rounds on each date."),
        ),
        (
            _("bye, forfeit, unplayed game"),
            _("Results without a played game. They are not rated."),
        ),
        (_("starting rank"), _("The number of a player in the starting list (SNo.).")),
        (_("final rank"), _("The position of a player in the standings.")),
        (_("standings, crosstable"), _("The final table, and the table of all results.")),
        (
            _("hybrid tournament"),
            _("A tournament played over the internet under supervision (article 2.1)."),
        ),
        (
            _("official event"),
            _("A FIDE or continental event. It is always rated (article 0.3)."),
        ),
        (
            _("online arena"),
            _("A site whose games get live ratings. Its players are members with a username."),
        ),
    ),
    Group(
        _("Reports"),
        (
            _("tournament report"),
            _("The results of a tournament as a TRF file, in numbered versions."),
        ),
        (_("check results"), _("All issues of a report.")),
        (_("issue"), _("One thing that a check found, with line and column.")),
        (
            _("error, warning, note"),
            _("An error blocks acceptance. A warning must be acknowledged. A note is for information."),
        ),
        (_("acknowledge"), _("Confirm warnings with a written reason.")),
        (_("fix"), _("A proposed change to a line of a report.")),
        (_("preview"), _("A calculation without saving.")),
        (
            _("accept"),
            _("The rating officer confirms a checked version. It is then rated."),
        ),
        (_("submit"), _("Upload and accept a report in one step (API and commands).")),
        (
            _("send, return"),
            _("The chief arbiter sends a report. The rating officer adds it or returns it."),
        ),
        (
            _("deadline"),
            _("The last date for an action, for example for the report of a list."),
        ),
        (
            _("final deadline"),
            _("The date after which a tournament can never be rated (article 8.1)."),
        ),
        (pgettext_lazy("term", "overdue"), _("Past its deadline.")),
    ),
    Group(
        _("People and decisions"),
        (
            _("rating officer, deputy rating officer"),
            _("They register tournaments and accept reports for a federation."),
        ),
        (_("chief arbiter"), _("Directs the tournament and sends its report.")),
        (_("organiser"), _("Runs the tournament and may appeal.")),
        (
            _("Qualification Commission (QC)"),
            _("The FIDE commission that decides on late and hybrid registrations."),
        ),
        (_("FIDE staff"), _("They administer the portal.")),
        (_("FIDE Council"), _("Decides on appeals.")),
        (
            _("decision"),
            _("The QC approves or refuses a registration, or decides not to rate a tournament."),
        ),
        (
            _("on hold"),
            _("Set by the QC. No list includes the tournament until the QC releases it."),
        ),
        (
            _("flagged"),
            _("Set by the checks. A flag adds a report to the tasks of the QC and blocks nothing."),
        ),
        (
            _("information request, reply"),
            _("The QC asks a rating officer. The rating officer replies."),
        ),
        (
            _("request, case"),
            _("What one person asks for and another decides, with its page."),
        ),
        (
            _("appeal"),
            _("An objection to a decision not to rate, with grounds. FIDE Council upholds or dismisses it."),
        ),
        (_("withdraw"), _("End a registration, or remove a published report.")),
        (_("cancel"), _("End a request or an invitation before it is answered.")),
        (_("role"), _("What a user may do. Roles are assigned and removed.")),
        (_("invitation"), _("An email link that creates an account. It expires.")),
        (_("dashboard"), _("The start page of signed-in users. Its items are tasks.")),
        (_("history"), _("The steps of one tournament or player, in order.")),
        (_("audit log"), _("Every action of every user: who, when, what and why.")),
        (_("fee statement"), _("What a federation owes for one list.")),
    ),
    Group(
        _("Players and data"),
        (_("FIDE ID"), _("The number of a player at FIDE. It never changes.")),
        (
            _("possible duplicate"),
            _("A player who may already have a FIDE ID. The match score says how similar the two are."),
        ),
        (
            _("merge duplicate players"),
            _("Combine two FIDE IDs of one person. The old ID redirects to the other one."),
        ),
        (_("federation transfer"), _("A player changes federation.")),
        (
            _("data change request"),
            _("A federation asks to change the data of a player."),
        ),
        (_("FIDE ID application"), _("A new player whom FIDE staff must review.")),
        (
            _("API token"),
            _("A key for a program. It is created and revoked on the dashboard."),
        ),
        (
            _("background job"),
            _("Work without a user, such as rating or publishing: queued, running, done or failed."),
        ),
        (
            _("two-factor authentication"),
            _("Sign-in with a password and an app code, passkey or recovery code."),
        ),
    ),
)


# The pages on which readers find what a term means, with their names, by the anchor of the term.
PAGES = {
    "rating-list": ("ratings:lists", _("Rating lists")),
    "closing-date": ("ratings:lists", _("Rating lists")),
    "verify": ("data", _("Data")),
    "correction-log": ("ratings:corrections", _("Corrections")),
    "initial-rating": ("ratings:calculator-first-rating", _("Calculators")),
    "rating-change": ("ratings:calculator-change", _("Calculators")),
    "performance-rating": ("ratings:calculator-performance", _("Calculators")),
    "rating-regulations": ("ratings:rules", _("Rating regulations")),
    "decision-d-n": ("ratings:reasons", _("Rating rules explained")),
    "tournament": ("tournaments:calendar", _("Tournaments")),
    "online-arena": ("arenas:overview", _("Arenas")),
    "tournament-report": ("ratings:check", _("Check report")),
    "rating-officer": ("ratings:federations", _("Federations")),
    "fide-id": ("players:search", _("Players")),
}


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """Show every term with its explanation, by subject and in an index."""

    def page() -> HttpResponse:
        index = [(anchor, name) for group in GROUPS for anchor, name, _meaning in group]
        index.sort(key=lambda term: sort_key(str(term[1])))
        headings = [(group.heading, group.pairs) for group in GROUPS]
        context = {"groups": GROUPS, "headings": headings, "index": index, "pages": PAGES}
        return render(request, "public/rules/terms.html", context)

    return conditionally(request, page, version="terms")
