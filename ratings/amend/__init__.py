"""Corrections of what is published: earlier lists are calculated again, the next one takes the differences (D-11)."""
