from ratings.models.adoption import Adoption, Comparison, PoolHealth, TextTrial
from ratings.models.calculation import (
    Calculation,
    NextList,
    ParticipantRating,
    PoolEvent,
    ProvisionalCalculation,
    TournamentRating,
)
from ratings.models.correction import Correction, CorrectionLine, Merger
from ratings.models.fee import FeeRate, FeeStatement, Invoice, InvoiceCounter, InvoiceReminder
from ratings.models.follow import Follow, Follower
from ratings.models.rating_list import FideList, ListArchive, ListEntry, ListFile, RatingList
from ratings.models.run import FideImport, Run

__all__ = [
    "Adoption",
    "Calculation",
    "Comparison",
    "Correction",
    "CorrectionLine",
    "FeeRate",
    "FeeStatement",
    "FideImport",
    "FideList",
    "Follow",
    "Follower",
    "Invoice",
    "InvoiceCounter",
    "InvoiceReminder",
    "ListArchive",
    "ListEntry",
    "ListFile",
    "Merger",
    "NextList",
    "ParticipantRating",
    "PoolEvent",
    "PoolHealth",
    "ProvisionalCalculation",
    "RatingList",
    "Run",
    "TextTrial",
    "TournamentRating",
]
