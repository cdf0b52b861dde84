"""The measures of `make bench`: a month at a size, the pages at that size, a publication day with readers."""
