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
            _("Rating list"),
            _("The monthly list of one rating type. It is dated the 1st of a month."),
        ),
        (_("Rating type"), _("Rapid, blitz or standard.")),
        (_("Current list"), _("The newest list in effect today.")),
        (
            _("Effective date"),
            _("The date from which a list or a text of the regulations applies."),
        ),
        (pgettext_lazy("term", "Published"), _("Final and public. A published list never changes.")),
        (_("Imported list"), _("A list loaded from a FIDE file.")),
        (
            _("Next list so far"),
            _("The next list from the reports accepted so far. It changes until publication."),
        ),
        (
            _("Closing date"),
            _("The last end date of tournaments for a list, 3 days before the list."),
        ),
        (
            _("Rank"),
            _("The position on a list: world, continental or national, of all or of active players."),
        ),
        (
            _("Manifest"),
            _("The list of all files of a rating list, with their checksums."),
        ),
        (
            _("Checksum"),
            _("The SHA-256 value of a file. It shows whether a file was changed."),
        ),
        (
            _("Verify"),
            _("Recalculate a published list and compare it with the published files."),
        ),
        (
            _("Correction"),
            _("A change to published results or player data, with a public reason."),
        ),
        (_("Adjustment"), _("Points that the next list adds because of a correction.")),
        (_("Correction log"), _("The public page of all corrections.")),
    ),
    Group(
        _("Ratings"),
        (
            _("Rating"),
            _("The number that shows the playing strength of a player, for example 1914."),
        ),
        (
            _("Rated, unrated"),
            _("A rated player has a published rating of the type. An unrated player does not."),
        ),
        (
            _("Initial rating"),
            _("The first published rating of a player (Ru in the FIDE Handbook)."),
        ),
        (
            _("Progress to an initial rating"),
            _("The games counted so far towards an initial rating, for example 3 of 5 games."),
        ),
        (
            _("Provisional"),
            _(
                "Not final. The rating is not on a published list yet. In the arenas Chess Online and FlyOrDie: "
                "fewer than 20 games."
            ),
        ),
        (
            _("Active, inactive"),
            _("An inactive player has no rated game in the last 12 lists."),
        ),
        (_("Rating change"), _("The points gained or lost.")),
        (
            _("Rating difference"),
            _("A player's rating minus the rating of the opponent (column D)."),
        ),
        (
            _("Expected score"),
            _("The score predicted by the rating difference (column PD). FIDE calls it scoring probability."),
        ),
        (
            pgettext_lazy("term", "K-factor"),
            _("The multiplier of the rating change (column K). FIDE calls it development coefficient."),
        ),
        (
            _("Performance rating"),
            _("The rating that matches the score in a tournament (column Rp)."),
        ),
        (_("Average opponent rating"), _("The mean rating of the rated opponents (Ra).")),
        (
            _("Rated game, unrated game"),
            _("A rated game changes ratings. An unrated game does not, and the reason is shown."),
        ),
        (_("Rating floor"), _("The lowest possible rating.")),
        (
            _("Rating regulations"),
            _("The FIDE Rapid and Blitz Rating Regulations. They consist of articles."),
        ),
        (
            _("Decision D-n"),
            _("A numbered decision of the portal on a point that the regulations leave open."),
        ),
    ),
    Group(
        _("Tournaments"),
        (_("Tournament"), _("One rated competition with an event ID.")),
        (_("Register"), _("A federation announces a tournament before it starts.")),
        (_("Time control"), _("Minutes plus seconds per move, for example 15+10.")),
        (_("Round"), _("One game of each player, played at the same time.")),
        (
            _("Schedule"),
            _("The dates of a tournament with the number of rounds on each date."),
        ),
        (
            _("Bye, forfeit, unplayed game"),
            _("Results without a played game. They are not rated."),
        ),
        (_("Starting rank"), _("The number of a player in the starting list (SNo.).")),
        (_("Final rank"), _("The position of a player in the standings.")),
        (_("Standings, crosstable"), _("The final table, and the table of all results.")),
        (
            _("Hybrid tournament"),
            _("A tournament played over the internet under supervision (article 2.1)."),
        ),
        (
            _("Official event"),
            _("A FIDE or continental event. It is always rated (article 0.3)."),
        ),
        (
            _("Online arena"),
            _("A site whose games get live ratings. Its players are members with a username."),
        ),
    ),
    Group(
        _("Reports"),
        (
            _("Tournament report"),
            _("The results of a tournament as a TRF file, in numbered versions."),
        ),
        (_("Check results"), _("All issues of a report.")),
        (_("Issue"), _("One thing that a check found, with line and column.")),
        (
            _("Error, warning, note"),
            _("An error blocks acceptance. A warning must be acknowledged. A note is for information."),
        ),
        (_("Acknowledge"), _("Confirm warnings with a written reason.")),
        (_("Fix"), _("A proposed change to a line of a report.")),
        (_("Preview"), _("A calculation without saving.")),
        (
            _("Accept"),
            _("The rating officer confirms a checked version. It is then rated."),
        ),
        (_("Submit"), _("Upload and accept a report in one step (API and commands).")),
        (
            _("Send, return"),
            _("The chief arbiter sends a report. The rating officer adds it or returns it."),
        ),
        (
            _("Deadline"),
            _("The last date for an action, for example for the report of a list."),
        ),
        (
            _("Final deadline"),
            _("The date after which a tournament can never be rated (article 8.1)."),
        ),
        (pgettext_lazy("term", "overdue"), _("Past its deadline.")),
    ),
    Group(
        _("People and decisions"),
        (
            _("Rating officer, deputy rating officer"),
            _("They register tournaments and accept reports for a federation."),
        ),
        (_("Chief arbiter"), _("Directs the tournament and sends its report.")),
        (_("Organiser"), _("Runs the tournament and may appeal.")),
        (
            _("Qualification Commission (QC)"),
            _("The FIDE commission that decides on late and hybrid registrations."),
        ),
        (_("FIDE staff"), _("They administer the portal.")),
        (_("FIDE Council"), _("Decides on appeals.")),
        (
            _("Decision"),
            _("The QC approves or refuses a registration, or decides not to rate a tournament."),
        ),
        (
            pgettext_lazy("term", "On hold"),
            _("Set by the QC. No list includes the tournament until the QC releases it."),
        ),
        (
            _("Flagged"),
            _("Set by the checks. A flag adds a report to the tasks of the QC and blocks nothing."),
        ),
        (
            _("Information request, reply"),
            _("The QC asks a rating officer. The rating officer replies."),
        ),
        (
            _("Request, case"),
            _("What one person asks for and another decides, with its page."),
        ),
        (
            _("Appeal"),
            _("An objection to a decision not to rate, with grounds. FIDE Council upholds or dismisses it."),
        ),
        (_("Withdraw"), _("End a registration, or remove a published report.")),
        (pgettext_lazy("term", "Cancel"), _("End a request or an invitation before it is answered.")),
        (_("Role"), _("What a user may do. Roles are assigned and removed.")),
        (_("Invitation"), _("An email link that creates an account. It expires.")),
        (_("Dashboard"), _("The start page of signed-in users. Its items are tasks.")),
        (_("History"), _("The steps of one tournament or player, in order.")),
        (_("Audit log"), _("Every action of every user: who, when, what and why.")),
        (_("Fee statement"), _("What a federation owes for one list.")),
    ),
    Group(
        _("Players and data"),
        (_("FIDE ID"), _("The number of a player at FIDE. It never changes.")),
        (
            _("Possible duplicate"),
            _("A player who may already have a FIDE ID. The match score says how similar the two are."),
        ),
        (
            _("Merge duplicate players"),
            _("Combine two FIDE IDs of one person. The old ID redirects to the other one."),
        ),
        (_("Federation transfer"), _("A player changes federation.")),
        (
            _("Data change request"),
            _("A federation asks to change the data of a player."),
        ),
        (_("FIDE ID application"), _("A new player whom FIDE staff must review.")),
        (
            _("API token"),
            _("A key for a program. It is created and revoked on the dashboard."),
        ),
        (
            _("Background job"),
            _("Work without a user, such as rating or publishing: queued, running, done or failed."),
        ),
        (
            _("Two-factor authentication"),
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
