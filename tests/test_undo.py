"""docs/undo.md has a line for each act that the audit log knows."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from players.choices import Deed
from tournaments.choices import Action
from tournaments.undoing import UNDO_RULES

# The beginning of the line of each act.
ACTIONS = {
    Action.REGISTER: "Register",
    Action.CHANGE: "Correct the conditions",
    Action.ALLOW: "Approve or refuse a registration",
    Action.REFUSE: "Approve or refuse a registration",
    Action.NOT_RATE: "Decide not to rate",
    Action.WITHDRAW: "Withdraw a registration",
    Action.REQUEST: "Request a change or a withdrawal",
    Action.DROP: "Request a change or a withdrawal",
    Action.GRANT: "Approve or refuse a request",
    Action.DENY: "Approve or refuse a request",
    Action.RESTORE: "Restore a withdrawn registration",
    Action.REPORT: "Submit a report",
    Action.ACCEPT: "Accept a report",
    Action.CORRECT: "Correct a report",
    Action.PUBLISH: "Publish a month",
    Action.MARK: "Mark a game",
    Action.ASK_CORRECTION: "Request a correction of a result",
    Action.DENY_CORRECTION: "Request a correction of a result",
    Action.HOLD: "Put a report on hold",
    Action.CLEAR: "Put a report on hold",
    Action.UNFLAG: "Put a report on hold",
    Action.ASK: "Request information",
    Action.ANSWER: "Request information",
    Action.APPEAL: "Appeal",
    Action.UPHOLD: "Decide an appeal",
    Action.DISMISS: "Decide an appeal",
    Action.NAME: "Add or remove a chief arbiter",
    Action.UNNAME: "Add or remove a chief arbiter",
    Action.HAND_OVER: "Submit a report",
    Action.TAKE: "Submit a report",
    Action.SEND_BACK: "Return a report",
    Action.KEEP: "Return a report",
    Action.ATTACH: "Add a file to a tournament",
    Action.ENTER: "Save the entry list",
    Action.ELSEWHERE: "Save the details of a tournament",
}
ACCOUNT, CLAIM = "Change an account", "Confirm that an account belongs to a player"
DEEDS = {
    Deed.ADDED: "Change whether a federation",
    Deed.EDITED: "Change whether a federation",
    Deed.DELETED: "Assign a role, invite a user",
    Deed.CHANGE: ACCOUNT,
    Deed.ADDRESS: ACCOUNT,
    Deed.PASSWORD: ACCOUNT,
    Deed.FACTOR: ACCOUNT,
    Deed.LOST: "Reset a lost two-factor authentication",
    Deed.RESET: "Reset a lost two-factor authentication",
    Deed.INVITE: "Assign a role, invite a user",
    Deed.CONFIRM: "Assign a role, invite a user",
    Deed.WITHDRAW: "Assign a role, invite a user",
    Deed.PUBLISH: "Publish a month",
    Deed.EXPLAIN: "Explain a figure",
    Deed.IMPORT: "Import a list",
    Deed.REGISTER: "Import a register",
    Deed.ADOPT: "Adopt a version of the regulations",
    Deed.PREPARE: "Adjust a whole list",
    Deed.APPROVE: "Adjust a whole list",
    Deed.CALL_OFF: "Adjust a whole list",
    Deed.COMPARE: "Compare a list",
    Deed.UNCOMPARE: "Compare a list",
    Deed.REVOKE: "Adopt a version of the regulations",
    Deed.BACKUP: "Make a backup",
    Deed.EXPORT: "Remove an account, export its data",
    Deed.REMOVE: "Remove an account, export its data",
    Deed.PROPOSE: "Propose a merge",
    Deed.MERGE: "Merge duplicate players",
    Deed.DROP: "Propose a merge",
    Deed.WEBHOOK: "Add or change a webhook",
    Deed.INVOICE: "Issued an invoice",
    Deed.CLAIM: CLAIM,
    Deed.GRANT: CLAIM,
    Deed.REFUSE: CLAIM,
    Deed.END: CLAIM,
    Deed.HIDE: "Hide a year of birth",
    Deed.SHOW: "Hide a year of birth",
    Deed.OBJECT: "Object to a result",
    Deed.ANSWER: "Object to a result",
    Deed.SETTLE: "Object to a result",
    Deed.TAKE_BACK: "Object to a result",
    Deed.APPLY: "Decide on a FIDE ID application",
    Deed.ID_GIVEN: "Decide on a FIDE ID application",
    Deed.ID_REFUSED: "Decide on a FIDE ID application",
    Deed.UNAPPLY: "Decide on a FIDE ID application",
    Deed.ASK_CHANGE: "Request a data change",
    Deed.CHANGED: "Decide a transfer or data change request",
    Deed.NOT_CHANGED: "Decide a transfer or data change request",
    Deed.UNASK: "Request a data change",
    Deed.LICENCE: "Enter an arbiter's licence",
    Deed.APART: "Tell suspected duplicates apart",
    Deed.SUSPECT: "Tell suspected duplicates apart",
    Deed.MOVE: "Request a transfer",
    Deed.AGREE: "Decide a transfer",
    Deed.DENY: "Decide a transfer",
    Deed.UNMOVE: "Request a transfer",
    Deed.ALONE: "Decide a transfer",
    Deed.TOKEN: "Create a token",
    Deed.UNTOKEN: "Create a token",
    Deed.SEAL: "Seal the former log",
}


def rows() -> list[list[str]]:
    """Return the cells of the page's tables."""
    page = (Path(settings.BASE_DIR) / "docs" / "undo.md").read_text("utf-8")
    lines = [line.strip("| ") for line in page.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.split(" | ")] for line in lines]


def test_each_act_of_the_log_has_a_line() -> None:
    lines = [row[0] for row in rows()]
    begun = [*ACTIONS.values(), *DEEDS.values()]

    assert ([*ACTIONS], [*DEEDS]) == ([*Action], [*Deed])
    assert [line for line in begun if not any(row.startswith(line) for row in lines)] == []


def test_what_one_click_undoes_is_named_so() -> None:
    lines = {**ACTIONS, Action.CHANGE: "Change a registration"}
    wrong = [
        act
        for act in UNDO_RULES
        if [
            row[1].startswith("**Undo** on the page of the tournament")
            for row in rows()
            if row[0].startswith(lines[Action(act)])
        ]
        != [True]
    ]

    assert wrong == []


def test_each_line_says_how_it_is_undone_and_what_remains() -> None:
    assert [row for row in rows() if len(row) != 3 or not all(row)] == []
