"""Publication of a list: due reports, each player's period, the entries, the files and their manifest."""
