"""The demonstration: an invented national federation with half a year of lists.

All persons are invented, and their FIDE IDs are outside the ranges in use. Random data comes from one seed, so a date
gives the same world everywhere. Only passwords differ.
"""
