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
            pgettext_lazy("term", "rating list"),
            _("The monthly list of one rating type. It is dated the 1st of a month."),
        ),
        (pgettext_lazy("term", "rating type"), _("Rapid, blitz or standard.")),
        (pgettext_lazy("term", "current list"), _("The newest list in effect today.")),
        (
            pgettext_lazy("term", "effective date"),
            _("The date from which a list or a text of the regulations applies."),
        ),
        (pgettext_lazy("term", "published"), _("Final and public. A published list never changes.")),
        (pgettext_lazy("term", "imported list"), _("A list loaded from a FIDE file.")),
        (
            pgettext_lazy("term", "next list so far"),
            _("The next list from the reports accepted so far. It changes until publication."),
        ),
        (
            pgettext_lazy("term", "closing date"),
            _("The last end date of tournaments for a list, 3 days before the list."),
        ),
        (
            pgettext_lazy("term", "rank"),
            _("The position on a list: world, continental or national, of all or of active players."),
        ),
        (
            pgettext_lazy("term", "manifest"),
            _("The list of all files of a rating list, with their checksums."),
        ),
        (
            pgettext_lazy("term", "checksum"),
            _("The SHA-256 value of a file. It shows whether a file was changed."),
        ),
        (
            pgettext_lazy("term", "verify"),
            _("Recalculate a published list and compare it with the published files."),
        ),
        (
            pgettext_lazy("term", "correction"),
            _("A change to published results or player data, with a public reason."),
        ),
        (pgettext_lazy("term", "adjustment"), _("Points that the next list adds because of a correction.")),
        (pgettext_lazy("term", "correction log"), _("The public page of all corrections.")),
    ),
    Group(
        _("Ratings"),
        (
            pgettext_lazy("term", "rating"),
            _("The number that shows the playing strength of a player, for example 1914."),
        ),
        (
            pgettext_lazy("term", "rated, unrated"),
            _("A rated player has a published rating of the type. An unrated player does not."),
        ),
        (
            pgettext_lazy("term", "initial rating"),
            _("The first published rating of a player (Ru in the FIDE Handbook)."),
        ),
        (
            pgettext_lazy("term", "progress to an initial rating"),
            _("The games counted so far towards an initial rating, for example 3 of 5 games."),
        ),
        (
            pgettext_lazy("term", "provisional"),
            _(
                "Not final. The rating is not on a published list yet. In the arenas Chess Online and FlyOrDie: "
                "fewer than 20 games."
            ),
        ),
        (
            pgettext_lazy("term", "active, inactive"),
            _("An inactive player has no rated game in the last 12 lists."),
        ),
        (pgettext_lazy("term", "rating change"), _("The points gained or lost.")),
        (
            pgettext_lazy("term", "rating difference"),
            _("A player's rating minus the rating of the opponent (column D)."),
        ),
        (
            pgettext_lazy("term", "expected score"),
            _("The score predicted by the rating difference (column PD). FIDE calls it scoring probability."),
        ),
        (
            pgettext_lazy("term", "K-factor"),
            _("The multiplier of the rating change (column K). FIDE calls it development coefficient."),
        ),
        (
            pgettext_lazy("term", "performance rating"),
            _("The rating that matches the score in a tournament (column Rp)."),
        ),
        (pgettext_lazy("term", "average opponent rating"), _("The mean rating of the rated opponents (Ra).")),
        (
            pgettext_lazy("term", "rated game, unrated game"),
            _("A rated game changes ratings. An unrated game does not, and the reason is shown."),
        ),
        (pgettext_lazy("term", "rating floor"), _("The lowest possible rating.")),
        (
            pgettext_lazy("term", "rating regulations"),
            _("The FIDE Rapid and Blitz Rating Regulations. They consist of articles."),
        ),
        (
            pgettext_lazy("term", "decision D-n"),
            _("A numbered decision of the portal on a point that the regulations leave open."),
        ),
    ),
    Group(
        _("Tournaments"),
        (pgettext_lazy("term", "tournament"), _("One rated competition with an event ID.")),
        (pgettext_lazy("term", "register"), _("A federation announces a tournament before it starts.")),
        (pgettext_lazy("term", "time control"), _("Minutes plus seconds per move, for example 15+10.")),
        (pgettext_lazy("term", "round"), _("One game of each player, played at the same time.")),
        (
            pgettext_lazy("term", "schedule"),
            _("The dates of a tournament with the number of rounds on each date."),
        ),
        (
            pgettext_lazy("term", "bye, forfeit, unplayed game"),
            _("Results without a played game. They are not rated."),
        ),
        (pgettext_lazy("term", "starting rank"), _("The number of a player in the starting list (SNo.).")),
        (pgettext_lazy("term", "final rank"), _("The position of a player in the standings.")),
        (pgettext_lazy("term", "standings, crosstable"), _("The final table, and the table of all results.")),
        (
            pgettext_lazy("term", "hybrid tournament"),
            _("A tournament played over the internet under supervision (article 2.1)."),
        ),
        (
            pgettext_lazy("term", "official event"),
            _("A FIDE or continental event. It is always rated (article 0.3)."),
        ),
        (
            pgettext_lazy("term", "online arena"),
            _("A site whose games get live ratings. Its players are members with a username."),
        ),
    ),
    Group(
        _("Reports"),
        (
            pgettext_lazy("term", "tournament report"),
            _("The results of a tournament as a TRF file, in numbered versions."),
        ),
        (pgettext_lazy("term", "check results"), _("All issues of a report.")),
        (pgettext_lazy("term", "issue"), _("One thing that a check found, with line and column.")),
        (
            pgettext_lazy("term", "error, warning, note"),
            _("An error blocks acceptance. A warning must be acknowledged. A note is for information."),
        ),
        (pgettext_lazy("term", "acknowledge"), _("Confirm warnings with a written reason.")),
        (pgettext_lazy("term", "fix"), _("A proposed change to a line of a report.")),
        (pgettext_lazy("term", "preview"), _("A calculation without saving.")),
        (
            pgettext_lazy("term", "accept"),
            _("The rating officer confirms a checked version. It is then rated."),
        ),
        (pgettext_lazy("term", "submit"), _("Upload and accept a report in one step (API and commands).")),
        (
            pgettext_lazy("term", "send, return"),
            _("The chief arbiter sends a report. The rating officer adds it or returns it."),
        ),
        (
            pgettext_lazy("term", "deadline"),
            _("The last date for an action, for example for the report of a list."),
        ),
        (
            pgettext_lazy("term", "final deadline"),
            _("The date after which a tournament can never be rated (article 8.1)."),
        ),
        (pgettext_lazy("term", "overdue"), _("Past its deadline.")),
    ),
    Group(
        _("People and decisions"),
        (
            pgettext_lazy("term", "rating officer, deputy rating officer"),
            _("They register tournaments and accept reports for a federation."),
        ),
        (pgettext_lazy("term", "chief arbiter"), _("Directs the tournament and sends its report.")),
        (pgettext_lazy("term", "organiser"), _("Runs the tournament and may appeal.")),
        (
            pgettext_lazy("term", "Qualification Commission (QC)"),
            _("The FIDE commission that decides on late and hybrid registrations."),
        ),
        (pgettext_lazy("term", "FIDE staff"), _("They administer the portal.")),
        (pgettext_lazy("term", "FIDE Council"), _("Decides on appeals.")),
        (
            pgettext_lazy("term", "decision"),
            _("The QC approves or refuses a registration, or decides not to rate a tournament."),
        ),
        (
            pgettext_lazy("term", "on hold"),
            _("Set by the QC. No list includes the tournament until the QC releases it."),
        ),
        (
            pgettext_lazy("term", "flagged"),
            _("Set by the checks. A flag adds a report to the tasks of the QC and blocks nothing."),
        ),
        (
            pgettext_lazy("term", "information request, reply"),
            _("The QC asks a rating officer. The rating officer replies."),
        ),
        (
            pgettext_lazy("term", "request, case"),
            _("What one person asks for and another decides, with its page."),
        ),
        (
            pgettext_lazy("term", "appeal"),
            _("An objection to a decision not to rate, with grounds. FIDE Council upholds or dismisses it."),
        ),
        (pgettext_lazy("term", "withdraw"), _("End a registration, or remove a published report.")),
        (pgettext_lazy("term", "cancel"), _("End a request or an invitation before it is answered.")),
        (pgettext_lazy("term", "role"), _("What a user may do. Roles are assigned and removed.")),
        (pgettext_lazy("term", "invitation"), _("An email link that creates an account. It expires.")),
        (pgettext_lazy("term", "dashboard"), _("The start page of signed-in users. Its items are tasks.")),
        (pgettext_lazy("term", "history"), _("The steps of one tournament or player, in order.")),
        (pgettext_lazy("term", "audit log"), _("Every action of every user: who, when, what and why.")),
        (pgettext_lazy("term", "fee statement"), _("What a federation owes for one list.")),
    ),
    Group(
        _("Players and data"),
        (pgettext_lazy("term", "FIDE ID"), _("The number of a player at FIDE. It never changes.")),
        (
            pgettext_lazy("term", "possible duplicate"),
            _("A player who may already have a FIDE ID. The match score says how similar the two are."),
        ),
        (
            pgettext_lazy("term", "merge duplicate players"),
            _("Combine two FIDE IDs of one person. The old ID redirects to the other one."),
        ),
        (pgettext_lazy("term", "federation transfer"), _("A player changes federation.")),
        (
            pgettext_lazy("term", "data change request"),
            _("A federation asks to change the data of a player."),
        ),
        (pgettext_lazy("term", "FIDE ID application"), _("A new player whom FIDE staff must review.")),
        (
            pgettext_lazy("term", "API token"),
            _("A key for a program. It is created and revoked on the dashboard."),
        ),
        (
            pgettext_lazy("term", "background job"),
            _("Work without a user, such as rating or publishing: queued, running, done or failed."),
        ),
        (
            pgettext_lazy("term", "two-factor authentication"),
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
