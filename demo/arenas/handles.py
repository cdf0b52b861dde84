"""Invented handles."""

from __future__ import annotations

HANDLES = (
    *("Zugzwang", "PawnStorm", "QuietMove", "IsolaniFan", "BackRank", "Fianchetto", "RookLift", "MatesInTwo"),
    *("Hedgehog64", "OpenFile", "h4h5", "EnPassant", "Desperado", "LuftPlease", "SlowBishop", "Kibitzer"),
    *("NightRider", "PassedPawn", "Intermezzo", "Blockader", "SkewerMe", "TempoTempo", "GambitDeclined"),
    *("LongCastle", "Underpromotion", "BishopPair", "Flagged", "TimeScramble", "KnightOnRim", "Outpost"),
)
LONG_HANDLE = "TheFifteenMinuteRapidSpecialistFromTheVeryNorthOfTheNorth"
