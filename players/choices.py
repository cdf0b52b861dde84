"""Stored enumerations of federations, players and the people who work with them."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Sex(models.TextChoices):
    MALE = "M", _("male")
    FEMALE = "F", _("female")


class Title(models.TextChoices):
    """Titles as in the Tit and WTit columns of FIDE's lists."""

    GRANDMASTER = "GM", _("Grandmaster")
    INTERNATIONAL_MASTER = "IM", _("International Master")
    FIDE_MASTER = "FM", _("FIDE Master")
    CANDIDATE_MASTER = "CM", _("Candidate Master")
    WOMAN_GRANDMASTER = "WGM", _("Woman Grandmaster")
    WOMAN_INTERNATIONAL_MASTER = "WIM", _("Woman International Master")
    WOMAN_FIDE_MASTER = "WFM", _("Woman FIDE Master")
    WOMAN_CANDIDATE_MASTER = "WCM", _("Woman Candidate Master")
    WOMAN_HONORARY = "WH", _("Honorary Woman Grandmaster")


class ArbiterTitle(models.TextChoices):
    """Arbiters' titles as in the OTit column of FIDE's lists, the highest first."""

    INTERNATIONAL = "IA", _("International Arbiter")
    FIDE = "FA", _("FIDE Arbiter")
    NATIONAL = "NA", _("National Arbiter")


class ArbiterCategory(models.TextChoices):
    """The category of an arbiter's licence (FIDE B.06)."""

    A = "A", "A"
    B = "B", "B"
    C = "C", "C"
    D = "D", "D"


class Role(models.TextChoices):
    """What a person may do in the portal; officers and deputies act for one federation."""

    OFFICER = "officer", _("rating officer")
    DEPUTY = "deputy", _("deputy rating officer")
    ARBITER = "arbiter", _("chief arbiter")
    QC_CHAIR = "qc", _("QC chair")
    STAFF = "staff", _("FIDE staff")
    COUNCIL = "council", _("FIDE Council")
    AUDITOR = "auditor", _("auditor")


FEDERATION_ROLES = (Role.OFFICER, Role.DEPUTY, Role.ARBITER)
# Roles that decide for FIDE, or watch those who do: one person alone gives none of them.
CONFIRMED_ROLES = (Role.QC_CHAIR, Role.STAFF, Role.COUNCIL, Role.AUDITOR)


class Area(models.TextChoices):
    """What an entry of the audit log is about."""

    TOURNAMENT = "tournament", _("tournaments")
    PLAYER = "player", _("players")
    FEDERATION = "federation", _("federations")
    EXCLUSION = "exclusion", _("exclusions")
    APPOINTMENT = "appointment", _("roles")
    ACCOUNT = "account", _("accounts and invitations")
    LIST = "list", _("lists")
    RULES = "rules", _("rating regulations")
    PORTAL = "portal", _("the portal")
    FEE = "fee", _("fees")


class Deed(models.TextChoices):
    """What was done with an account, an invitation, a list, a player, a text of the regulations or the portal."""

    ADDED = "added", _("added")
    EDITED = "edited", _("changed")
    DELETED = "deleted", _("removed")
    CHANGE = "change", _("account changed")
    ADDRESS = "address", _("email address change requested")
    PASSWORD = "password", _("password changed")
    FACTOR = "factor", _("two-factor authentication changed")
    LOST = "lost", _("reset of two-factor authentication requested")
    RESET = "reset", _("two-factor authentication reset")
    INVITE = "invite", _("person invited")
    CONFIRM = "confirm", _("invitation confirmed by a second person")
    WITHDRAW = "withdraw", _("invitation cancelled")
    PUBLISH = "publish", _("list published")
    EXPLAIN = "explain", _("figure of a list explained")
    IMPORT = "import", _("list imported")
    REGISTER = "register", _("register imported")
    ADOPT = "adopt", _("text adopted")
    PREPARE = "prepare", _("adjustment prepared")
    APPROVE = "approve", _("adjustment confirmed")
    CALL_OFF = "call-off", _("adjustment cancelled")
    COMPARE = "compare", _("comparison saved")
    UNCOMPARE = "uncompare", _("comparison removed")
    REVOKE = "revoke", _("adoption revoked")
    BACKUP = "backup", _("backup made")
    EXPORT = "export", _("personal data exported")
    REMOVE = "remove", _("account removed")
    PROPOSE = "propose", _("merge proposed")
    MERGE = "merge", _("merge confirmed by a second person")
    DROP = "drop", _("proposed merge cancelled")
    WEBHOOK = "webhook", _("webhook changed")
    INVOICE = "invoice", _("invoice issued or changed")
    CLAIM = "claim", _("player record claimed")
    GRANT = "grant", _("claim confirmed")
    REFUSE = "refuse", _("claim refused")
    END = "end", _("claim ended")
    HIDE = "hide", _("year of birth hidden")
    SHOW = "show", _("year of birth shown")
    OBJECT = "object", _("objection submitted")
    ANSWER = "answer", _("objection answered")
    SETTLE = "settle", _("result corrected after an objection")
    TAKE_BACK = "take-back", _("objection cancelled")
    APPLY = "apply", _("FIDE ID applied for")
    ID_GIVEN = "id-given", _("FIDE ID given")
    ID_REFUSED = "id-refused", _("FIDE ID refused")
    UNAPPLY = "unapply", _("FIDE ID application cancelled")
    ASK_CHANGE = "ask-change", _("data change requested")
    CHANGED = "changed", _("data change approved")
    NOT_CHANGED = "unchanged", _("data change refused")
    UNASK = "unask", _("data change request cancelled")
    LICENCE = "licence", _("arbiter licence entered")
    APART = "apart", _("players told apart")
    SUSPECT = "suspect", _("players suspected as duplicates again")
    MOVE = "move", _("transfer requested")
    AGREE = "agree", _("transfer approved")
    DENY = "deny", _("transfer refused")
    UNMOVE = "unmove", _("transfer cancelled")
    ALONE = "alone", _("decided by a person concerned, as nobody else could")
    TOKEN = "token", _("API token created")
    UNTOKEN = "untoken", _("API token revoked")
    SEAL = "seal", _("former audit log sealed")


# What acts on lists are called where they adopt a text.
ADOPTION_DEEDS = {
    Deed.PREPARE: _("adoption prepared"),
    Deed.APPROVE: _("adoption confirmed"),
    Deed.CALL_OFF: _("adoption cancelled"),
}


class CaseKind(models.TextChoices):
    """What is asked for."""

    APPLICATION = "application", _("FIDE ID application")
    TRANSFER = "transfer", _("transfer")
    CHANGE = "change", _("data change request")
    MERGE = "merge", _("proposed merge")
    CLAIM = "claim", _("claim of a player record")
    OBJECTION = "objection", _("objection of a player")
    REQUEST = "request", _("requested change")
    INFORMATION = "information", _("information request")
    HOLD = "hold", _("hold on a report")
    FLAGS = "flags", _("flags of the checks")
    RESULT = "result", _("correction of a result")
    HANDED = "handed", _("report of the chief arbiter")
    APPEAL = "appeal", _("appeal")


class CaseState(models.TextChoices):
    """Where a case stands."""

    WAITING = "waiting", _("waiting for a decision")
    APPROVED = "approved", pgettext_lazy("request", "approved")
    REFUSED = "refused", _("refused")
    WITHDRAWN = "withdrawn", _("cancelled")
    # Of what was approved and holds no longer.
    ENDED = "ended", _("ended")


# What the QC releases: its own holds, and what the checks found.
HOLDS = (CaseKind.HOLD, CaseKind.FLAGS)
# An account has one claim of a player record that waits or is confirmed.
OPEN_CLAIMS = (CaseState.WAITING, CaseState.APPROVED)


class NoticeKind(models.TextChoices):
    """What a mail of the portal is about; people turn kinds off one by one."""

    INVITATION = "invitation", _("invitations")
    SECURITY = "security", _("security of your account")
    DECISION = "decision", _("decisions on your tournaments")
    DEADLINE = "deadline", _("upcoming deadlines")
    DIGEST = "digest", _("weekly digest of your tasks")
    PUBLICATION = "publication", _("published lists")
    APPEAL = "appeal", _("appeals and information requests")
    TRANSFER = "transfer", _("player transfers and registrations")
    HANDOVER = "handover", _("reports from chief arbiters")
    WEBHOOK = "webhook", _("paused webhooks")
    DAILY = "daily", _("daily digest of your emails")
    CLAIM = "claim", _("claims of player records and objections to results")
    NEXT_LIST = "next-list", _("your results before each list")
    FOLLOW = "follow", _("confirmation emails to followers")
    FOLLOWED = "followed", _("published lists for followers")


# What lets a person in, or tells of a danger, is always sent.
# The daily digest ends by the choice of one's account.
ALWAYS_SENT = (NoticeKind.INVITATION, NoticeKind.SECURITY, NoticeKind.DAILY)
# What goes to readers without an account, who unsubscribe by a link of their own.
TO_FOLLOWERS = (NoticeKind.FOLLOW, NoticeKind.FOLLOWED)
OPTIONAL_NOTICES = tuple(kind for kind in NoticeKind if kind not in (*ALWAYS_SENT, *TO_FOLLOWERS))


class NoticeState(models.TextChoices):
    """Where a mail stands; one that is being sent is owned by one worker."""

    DUE = "due", _("queued")
    SENDING = "sending", _("being sent")
    SENT = "sent", _("sent")
    FAILED = "failed", _("failed")


class WebhookEvent(models.TextChoices):
    """What a webhook hears of. The values are part of the interface."""

    TEST = "test", _("test")
    ACCEPTED = "tournament.accepted", _("report accepted")
    RATED = "tournament.rated", _("tournament rated")
    PUBLISHED = "tournament.published", _("tournament published")
    CORRECTED = "tournament.corrected", _("tournament corrected")
    LIST = "list.published", _("list published")


class Continent(models.TextChoices):
    """The continents of FIDE, as the federations' own data name them."""

    AFRICA = "Africa", _("Africa")
    AMERICAS = "Americas", _("Americas")
    ASIA = "Asia", _("Asia")
    EUROPE = "Europe", _("Europe")
