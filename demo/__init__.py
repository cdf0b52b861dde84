"""The demonstration: an invented national federation with half a year of lists behind it.

Every person is invented, and so is every FIDE ID: they lie beyond those that are in use. What is random is drawn
from one seed, so that a day gives the same world everywhere; passwords alone are made anew.
"""
