from players.models.log import REASONS
from ratings.choices import SENTENCES
from ratings.models.adjustment import ListAdjustment, adjustment_on
from ratings.models.adoption import Adoption, LateAdoption
from ratings.models.calculation import Calculation
from ratings.models.comparison import Comparison
from ratings.models.correction import Correction, CorrectionLine
from ratings.models.fee import FeeRate, FeeStatement
from ratings.models.follow import Follow, Follower
from ratings.models.judgement import Explanation, Judgement
from ratings.models.merger import Merger
from ratings.models.next_list import NextList, ProvisionalCalculation
from ratings.models.rating import ParticipantRating, PoolEvent, TournamentRating
from ratings.models.rating_list import FideList, ListArchive, ListEntry, ListFile, RatingList
from ratings.models.run import FideImport, FileImport, RegisterImport, Run
from ratings.models.trial import TextTrial

# In which words the portal gives reasons in the log.
REASONS.append(SENTENCES)

__all__ = [
    "Adoption",
    "Calculation",
    "Comparison",
    "Correction",
    "CorrectionLine",
    "Explanation",
    "FeeRate",
    "FeeStatement",
    "FideImport",
    "FideList",
    "FileImport",
    "Follow",
    "Follower",
    "Judgement",
    "LateAdoption",
    "ListAdjustment",
    "ListArchive",
    "ListEntry",
    "ListFile",
    "Merger",
    "NextList",
    "ParticipantRating",
    "PoolEvent",
    "ProvisionalCalculation",
    "RatingList",
    "RegisterImport",
    "Run",
    "TextTrial",
    "TournamentRating",
    "adjustment_on",
]
